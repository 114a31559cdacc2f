"""A socket that is spoken to byte by byte, as no library would."""

from __future__ import annotations

import os
import socket

from tools.drive.server import Served
from tools.drive.waiting import PATIENCE


class Raw:
    """An open WebSocket of a watcher, without a library in between."""

    def __init__(
        self, served: Served, table: str, *headers: str, small: bool = False, query: str = ""
    ) -> None:
        self.socket = socket.socket()
        if small:  # a window that is soon full
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", served.port))
        self.sent = 0
        self.gone = False
        lines = (
            f"GET /api/tables/{table}/socket{query} HTTP/1.1",
            f"Host: 127.0.0.1:{served.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            *headers,
        )
        self.socket.sendall("\r\n".join((*lines, "", "")).encode())
        self._read = b""
        while b"\r\n\r\n" not in self._read:
            self._read += self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        self.head = head.decode()
        assert " 101 " in self.head, self.head

    def _more(self) -> bytes:
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionResetError
        return more

    def send(self, raw: bytes) -> None:
        """Bytes as they are; notes when nobody takes them any more."""
        try:
            self.socket.sendall(raw)
            self.sent += len(raw)
        except OSError:
            self.gone = True

    def frame(self, body: bytes, opcode: int = 1, last: bool = True) -> None:
        """A well-formed frame."""
        mask = os.urandom(4)
        masked = bytes(sign ^ mask[n % 4] for n, sign in enumerate(body))
        size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
        self.send(bytes([(0x80 if last else 0) | opcode]) + size + mask + masked)

    def closed(self) -> int | None:
        """Read to the end: the code of the close frame, None when the connection just ended."""
        code = None
        while True:
            try:
                opcode, body = self._frame()
            except OSError:
                self.gone = True
                return code
            if opcode == 8:
                code = int.from_bytes(body[:2], "big")

    def text(self) -> str:
        """The next text."""
        while True:
            opcode, body = self._frame()
            if opcode == 1:
                return body.decode()

    def _frame(self) -> tuple[int, bytes]:
        head = self._take(2)
        size = head[1] & 0x7F
        if size > 125:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        return head[0] & 0x0F, self._take(size)

    def _take(self, size: int) -> bytes:
        while len(self._read) < size:
            self._read += self._more()
        taken, self._read = self._read[:size], self._read[size:]
        return taken

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

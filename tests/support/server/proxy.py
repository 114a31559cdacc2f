"""A wire that breaks: it carries bytes between clients and a server, and cuts after some of them."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
from typing import Any

from tools.drive.server import Served

HARD = struct.pack("ii", 1, 0)  # on closing, what is still under way is thrown away


class Wire:
    """Stands before a server; each connection is cut after a random number of bytes, in either direction."""

    def __init__(self, served: Served, chance: random.Random, most: int = 60_000) -> None:
        self.served, self.chance, self.most = served, chance, most
        self.cuts = 0
        self.whole = False  # no more cuts
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.served.port), 5)
            except OSError:
                client.close()
                continue
            self._open |= {client, server}
            left = [self.chance.randint(200, self.most)]
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._carry, args=(one, other, left), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, left: list[int]) -> None:
        with contextlib.suppress(OSError, IndexError):
            while data := one.recv(4096):
                if not self.whole:
                    data = data[: left[0]]
                    left[0] -= len(data)
                other.sendall(data)
                if left[0] <= 0 and not self.whole:
                    self.cuts += left.pop() == 0
                    break
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HARD)
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._open.discard(end)

    def close(self) -> None:
        self._listening.close()
        for end in list(self._open):
            end.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

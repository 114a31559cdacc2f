"""A mail server of the tests' own, on this machine: it keeps what it is sent, or refuses it."""

from __future__ import annotations

import email
import email.policy
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from queue import Queue
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any, NamedTuple

BELA = "bela@example.org"


class Mail(NamedTuple):
    """One mail, with the envelope it came in."""

    sender: str
    to: list[str]
    raw: bytes
    user: str | None

    @property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw, policy=email.policy.default)

    @property
    def text(self) -> str:
        return str(self.message.get_content())


class Mailbox:
    """What came, and how the next ones are answered."""

    def __init__(self) -> None:
        self.mails: Queue[Mail] = Queue()
        self.refuses: dict[str, str] = {}  # an address, or "DATA": the answer instead
        self.port = 0
        self.secure: ssl.SSLContext | None = None  # None: STARTTLS is not offered
        self.logins: list[bytes] = []
        self.in_the_clear: list[bytes] = []  # commands that came before STARTTLS


class _Session(StreamRequestHandler):
    box: Mailbox

    def handle(self) -> None:
        self.sender, self.hidden = "", False
        self.to: list[str] = []
        self.user: str | None = None
        self._say("220 test")
        while line := self.rfile.readline(2000):
            if not self.hidden:
                self.box.in_the_clear.append(line)
            verb = line.strip().partition(b" ")[0].lower().decode()
            if verb == "quit":
                self._say("221 bye")
                return
            getattr(self, f"do_{verb}", self._unknown)(line.strip().decode())

    def finish(self) -> None:
        super().finish()
        self.connection.close()

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.wfile.write(line.encode() + b"\r\n")
        self.wfile.flush()

    def _unknown(self, line: str) -> None:
        self._say("502 what?")

    def do_ehlo(self, line: str) -> None:
        offered = ["STARTTLS"] if self.box.secure and not self.hidden else []
        names = ["test", *offered, "AUTH PLAIN"]
        last = len(names) - 1
        self._say(*(f"250{' ' if n == last else '-'}{name}" for n, name in enumerate(names)))

    def do_starttls(self, line: str) -> None:
        assert self.box.secure is not None
        self._say("220 go on")
        self.connection = self.box.secure.wrap_socket(
            self.connection, server_side=True, do_handshake_on_connect=False
        )
        self.connection.do_handshake()
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb")
        self.hidden = True

    def do_auth(self, line: str) -> None:
        self.user = line.split()[-1]
        self.box.logins.append(self.user.encode())
        self._say("235 yes")

    def do_mail(self, line: str) -> None:
        self.sender, self.to = line, []
        self._say("250 yes")

    def do_rcpt(self, line: str) -> None:
        address = line.partition("<")[2].partition(">")[0]
        if address not in self.box.refuses:
            self.to.append(address)
        self._say(self.box.refuses.get(address, "250 yes"))

    def do_rset(self, line: str) -> None:
        self._say("250 yes")

    def do_data(self, line: str) -> None:
        self._say("354 go on")
        lines = []
        while (one := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(one[1:] if one.startswith(b".") else one)
        refused = self.box.refuses.get("DATA")
        if refused is None:
            self.box.mails.put(Mail(self.sender, self.to, b"".join(lines), self.user))
        self._say(refused or "250 taken")


class _Server(ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        return  # somebody who does not trust our certificate leaves in the middle of a word


@contextmanager
def mailbox(secure: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    box = Mailbox()
    box.secure = secure
    server = _Server(("127.0.0.1", 0), type("Session", (_Session,), {"box": box}))
    box.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield box
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def code_in(text: str) -> str:
    """The code a mail asks to be typed in."""
    found = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", text)
    assert found, text
    return found[0]

"""Bus: what the processes of one server tell each other about tables and people.

The bus carries hints, never what is true: a message that is lost costs time, because whoever missed it reads
the database a little later. Where one process serves alone, nobody is on the other end.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from elysian.deals import Seat
from elysian.server.store.database import Database

HEARTBEAT = 2.0  # seconds between two signs of life
GONE = 7.0  # after so long without one a process is taken to be gone
ME = secrets.token_hex(6)  # the name of this process among the others


class BusMessage(Struct, frozen=True):
    """What a process tells the others."""

    kind: str  # told, want, free, who, here: about a game; person, ungrouped; alive, gone: about the process
    game: str = ""
    n: int = 0
    worker: str = ME
    seats: tuple[Seat, ...] = ()
    watching: int = 0
    person: str = ""
    key: str = ""  # the digest of a key
    group: str = ""  # the person is in it no more


_MESSAGE = msgspec.json.Decoder(BusMessage)


class Bus:
    """The messages of one process, and whom those of the others are handed to."""

    def __init__(self, database: Database) -> None:
        """Listen; `heard` and `left` are set by whoever serves."""
        self.heard: Callable[[BusMessage], None] = lambda message: None
        self.left: Callable[[str], None] = lambda worker: None  # called for a process that is gone
        self._database = database
        self._others: dict[str, float] = {}  # when they were last heard
        self._beat = 0.0
        database.hear(self._receive)

    def publish(self, kind: str, **facts: Any) -> None:
        """Tell the others; nothing waits for it."""
        if self._database.alone:
            return  # for every line there would be a word made that nobody hears
        self._database.tell(msgspec.json.encode(BusMessage(kind, **facts)).decode())

    def tick(self) -> None:
        """Give a sign of life; whoever gives none is gone, and so are the connections there."""
        now = time.monotonic()
        if now - self._beat >= HEARTBEAT:
            self._beat = now
            self.publish("alive")
        for worker in [worker for worker, at in self._others.items() if now - at > GONE]:
            self._forget(worker)

    def close(self) -> None:
        """Say goodbye, so that nobody has to find out."""
        self.publish("gone")

    def _receive(self, text: str) -> None:
        message = _MESSAGE.decode(text)
        if message.worker == ME:
            return
        self._others[message.worker] = time.monotonic()
        if message.kind == "gone":
            self._forget(message.worker)
        else:
            self.heard(message)

    def _forget(self, worker: str) -> None:
        self._others.pop(worker, None)
        self.left(worker)

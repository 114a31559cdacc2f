"""Post: what the processes of one server tell each other about tables and people; never the truth itself."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from elysian.server.cluster.lease import ME, Word, spell
from elysian.server.live.registry import Tables
from elysian.server.live.table import Table
from elysian.server.store.database import Database

ALIVE = 2.0  # seconds between two signs of life
GONE = 7.0  # after so long without one a process is taken to be gone

_WORD = msgspec.json.Decoder(Word)


class Post:
    """The words of one process, and what it does with those of the others."""

    def __init__(self, database: Database, tables: Tables, changed: Callable[[str, str], None]) -> None:
        """Hear what is said; `changed` is called for a person elsewhere, and the digest of an ended key."""
        self.changed = changed
        self._database, self._tables = database, tables
        self._others: dict[str, float] = {}  # when they were last heard
        self._spoke = 0.0
        database.hear(self._heard)

    # ------------------------------------------------------------ out

    def here(self, table: Table) -> None:
        """Who is connected to a table at this process."""
        seats, watching = table.connected()
        self._say(Word("here", table.game, seats=tuple(sorted(seats)), watching=watching))

    def who(self, table: Table) -> None:
        """Ask who is connected to a table elsewhere."""
        self._say(Word("who", table.game))

    def forget(self, person: str, key: str = "") -> None:
        """What is remembered of a person no longer holds; with a key's digest, that key has ended."""
        self._say(Word("person", person=person, key=key))

    def tick(self) -> None:
        """Give a sign of life; whoever gives none is gone, and so are the connections there."""
        now = time.monotonic()
        if now - self._spoke >= ALIVE:
            self._spoke = now
            self._say(Word("alive"))
        for worker in [worker for worker, at in self._others.items() if now - at > GONE]:
            self._left(worker)

    def close(self) -> None:
        """Say goodbye."""
        self._say(Word("gone"))

    def _say(self, word: Word) -> None:
        self._database.tell(spell(word))

    # ------------------------------------------------------------ in

    def _heard(self, text: str) -> None:
        word = _WORD.decode(text)
        if word.worker == ME:
            return
        self._others[word.worker] = time.monotonic()
        table = self._tables.loaded.get(word.game)
        if table is not None:
            self._about(table, word)
        elif word.kind == "person":
            self.changed(word.person, word.key)
        elif word.kind == "gone":
            self._left(word.worker)

    def _about(self, table: Table, word: Word) -> None:
        hold = table.hold
        if word.kind == "told" and word.n > table.n and not hold.mine:
            hold.behind = True
            table.wake()
        elif word.kind == "want" and hold.mine:
            hold.wanted = True
            table.wake()
        elif word.kind == "free":
            hold.freed.set()
        elif word.kind == "who" and table.watchers:
            self.here(table)
        elif word.kind == "here":
            hold.elsewhere[word.worker] = frozenset(word.seats), word.watching
            table.tell_presence()

    def _left(self, worker: str) -> None:
        self._others.pop(worker, None)
        for table in self._tables.loaded.values():
            if table.hold.elsewhere.pop(worker, None) is not None:
                table.tell_presence()

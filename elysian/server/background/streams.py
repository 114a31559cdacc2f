"""Streams of people and bots that are not of one table: who listens, and what they hear of open seats."""

from __future__ import annotations

from typing import Protocol

from elysian.server.live.table import Table
from elysian.server.protocol.close_codes import GOING_AWAY, KEY_ENDED
from elysian.server.protocol.messages import OpenTable
from elysian.server.reports.listing import read_face
from elysian.server.store import Store


class StreamListener(Protocol):
    """Somebody who wants to hear of their tables and of open seats."""

    def look(self, table: Table) -> None:
        """The seats of a table have changed: one of them may be theirs now."""

    def tell_seats(self, tables: tuple[OpenTable, ...]) -> None:
        """Tell them which seats are open at which tables."""

    async def find_tables(self) -> None:
        """Another process may have let them sit down somewhere."""

    def used(self, person: str, hashed: str) -> bool:
        """Whether they came with this key."""

    def close(self, code: int) -> None:
        """End their stream, with the code that says why."""


class Streams:
    """All such streams of one process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._all: dict[StreamListener, None] = {}
        self._stale = False  # seats may have been opened or taken
        self._elsewhere = False  # the same, at another process

    def add(self, listener: StreamListener) -> None:
        """Tell this listener from now on."""
        self._all[listener] = None

    def discard(self, listener: StreamListener) -> None:
        """Tell this listener nothing more."""
        self._all.pop(listener, None)

    def look(self, table: Table) -> None:
        """The seats of a table have changed."""
        self._stale = True
        for listener in list(self._all):
            listener.look(table)

    def heard(self) -> None:
        """Another process has written a table that is not loaded here."""
        self._elsewhere = bool(self._all)

    async def tick(self) -> None:
        """Tell everybody of seats that were opened or taken; raises Refused when the database is away."""
        if not self._all or not (self._stale or self._elsewhere):
            return
        elsewhere, self._stale, self._elsewhere = self._elsewhere, False, False
        tables = await open_tables(self.store)
        for listener in list(self._all):
            listener.tell_seats(tables)
            if elsewhere:
                await listener.find_tables()

    def end_key(self, person: str, hashed: str) -> None:
        """Whoever used the key of that digest hears nothing more."""
        for listener in list(self._all):
            if listener.used(person, hashed):
                listener.close(KEY_ENDED)

    def close(self) -> None:
        """End every stream: the server stops."""
        for listener in list(self._all):
            listener.close(GOING_AWAY)


async def open_tables(store: Store) -> tuple[OpenTable, ...]:
    """The tables that wait for players and are open to bots, the latest first."""
    found = []
    for game, raw in await store.listed():
        face = read_face(raw)
        if face is not None and face.status == "waiting" and face.open_to_bots and face.free:
            found.append(OpenTable(game, face.title, face.edition, face.pace, len(face.players), face.free))
    return tuple(found)

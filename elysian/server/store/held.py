"""Held notices: what people are told later, kept across restarts and crashes.

Some wait for the end of quiet hours; others are being gathered, and are told from here only if the process
that gathers them does not live to tell them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct

from elysian.server.store.database import Database
from elysian.server.store.schema import insert

ID_BYTES = 12
MOST_AT_ONCE = 100  # people told in one go
KEEP = f"{insert('held')} ON CONFLICT (id) DO UPDATE SET due = excluded.due, said = excluded.said"


class NoticeWords(Struct, frozen=True, omit_defaults=True):
    """What is to be told, in the reader's language."""

    lines: tuple[str, ...] = ()
    more: int = 0  # happenings that found no place
    move: bool = False  # it was their move
    deadline: int | None = None  # ms since 1970; and their time runs out soon, then
    offers: tuple[str, ...] = ()  # told of, the latest first


class HeldNotice(Struct, frozen=True):
    """One notice that waits, as it is stored."""

    id: str
    words: NoticeWords


_WORDS = msgspec.json.Decoder(NoticeWords)


def new_id() -> str:
    """Under which a notice is stored."""
    return secrets.token_urlsafe(ID_BYTES)


class HeldNotices:
    """The notices that wait. Whoever added a row changes it, and nobody else, so nobody's work is undone."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """Keep them in an open database."""
        self._database = database
        self._now = now

    async def keep(self, id: str, person: str, game: str, due: int, words: NoticeWords) -> None:
        """Keep a notice until it is due, as it is by now; raises Unstored."""
        row = id, person, game, self._now(), due, msgspec.json.encode(words)
        await self._database.write([(KEEP, row)])

    async def due(self, now: int) -> list[tuple[str, str]]:
        """Who is to be told now of which games."""
        rows = await self._database.read(
            "SELECT DISTINCT person, game FROM held WHERE due <= ? LIMIT ?", now, MOST_AT_ONCE
        )
        return [(row[0], row[1]) for row in rows]

    async def of(self, person: str, game: str) -> list[HeldNotice]:
        """All that waits for a person of one game, the oldest first."""
        rows = await self._database.read(
            "SELECT id, said FROM held WHERE person = ? AND game = ? ORDER BY made, id", person, game
        )
        return [HeldNotice(id=row[0], words=_WORDS.decode(row[1])) for row in rows]

    async def put_off(self, held: Iterable[HeldNotice], due: int) -> None:
        """These wait for longer."""
        await self._database.write([("UPDATE held SET due = ? WHERE id = ?", (due, one.id)) for one in held])

    async def drop(self, ids: Iterable[str]) -> None:
        """These wait no more."""
        await self._database.write([("DELETE FROM held WHERE id = ?", (id,)) for id in ids])

    async def seen(self, person: str, game: str) -> None:
        """A person is at the table: they see for themselves what happened."""
        of = "held WHERE person = ? AND game = ?"
        if await self._database.read(f"SELECT 1 FROM {of} LIMIT 1", person, game):
            await self._database.write([(f"DELETE FROM {of}", (person, game))])

"""Store: the logs of all tables, append-only, fenced by the key (game, n); and what is listed of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.record import FORMAT
from elysian.server.store.chain import check_link, links
from elysian.server.store.database import (
    Conflict,
    Database,
    Row,
    Statement,
    Troubled,
    Unreadable,
    Unstored,
)
from elysian.server.store.postgres import Postgres
from elysian.server.store.schema import FACE, LISTED, NEWEST, insert
from elysian.server.store.sqlite import SQLite
from elysian.server.store.upcast import decode_line, encode_line
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import Damaged

MOST_LINES = 1_000_000
ENDS = 10_000  # games of which the end of the chain is remembered


class StoredAnswer(Struct, frozen=True, gc=False):
    """What became of a command: the line it is stored as, or why it was refused."""

    person: str
    id: str
    asked: bytes  # a digest of the command
    n: int | None = None  # None: refused
    refused: bytes | None = None  # None: accepted


class TableIndex(Struct, frozen=True, gc=False):
    """What is listed of a table; derived from its log."""

    status: str
    public: bool
    touched: int
    due: int | None
    face: bytes
    group: str | None = None  # None: it is for no group


class SeatResult(Struct, frozen=True):
    """How a seat fared in a finished game."""

    seat: Seat
    person: str | None
    level: str | None
    species: str
    players: int
    edition: str
    total: int  # twelfths of a point
    winner: bool
    deals: int
    kept: int
    broken: int
    ended: int
    counts: bool = True  # in the statistics
    group: str | None = None  # None: it was for no group
    waited: int | None = None  # ms the table waited for them; None: not measured


class Store:
    """The one door to the database for what happens at tables."""

    def __init__(self, database: Database) -> None:
        """Keep tables in an open database."""
        self.database = database
        self.damaged: Callable[[str, Damaged], None] = lambda game, problem: None  # called for each found
        # The number and digest of one line of a game, mostly its last; once stored, a line never changes.
        self._ends: OrderedDict[str, tuple[int, bytes | None]] = OrderedDict()

    async def append(
        self,
        game: str,
        lines: Sequence[Line],
        answers: Sequence[StoredAnswer] = (),
        index: TableIndex | None = None,
        seats: Sequence[tuple[str, Seat | None]] = (),
        results: Sequence[SeatResult] = (),
        listed: TableIndex | None = None,
    ) -> None:
        """Store lines and answers, all or nothing; raises Conflict when another process has written the game.

        Raises Damaged when what is stored already is damaged, Unstored when it may not be on disk.
        `seats` are people who sat down, or with None got up; `listed` is what is listed so far, where that
        is known.
        """
        raw = [encode_line(line) for line in lines]
        chain = links(game, await self._end(game, lines[0].n - 1) if lines else None, raw)
        statements: list[Statement] = [
            (_LINE, (game, line.n, *stored)) for line, *stored in zip(lines, raw, chain, strict=True)
        ]
        statements += [(_ANSWER, (game, a.person, a.id, a.asked, a.n, a.refused)) for a in answers]
        if index is not None:
            statements.append(
                (
                    FACE if listed is not None and replace(index, face=listed.face) == listed else LISTED,
                    (
                        *(game, index.status, int(index.public)),
                        *(index.touched, index.due, index.face, index.group),
                    ),
                )
            )
        for person, seat in seats:
            statements.append(("DELETE FROM seats WHERE person = ? AND game = ?", (person, game)))
            if seat is not None:
                statements.append((_SEAT, (person, game, seat)))
        statements += [(_RESULT, (game, *_row(result))) for result in results]
        try:
            await self.database.write(statements)
        except Unreadable as problem:
            raise self._found(game, "nothing can be stored for it") from problem
        if lines:
            self._remember(game, lines[-1].n, chain[-1])

    async def _end(self, game: str, n: int) -> bytes | None:
        """The digest of line n, to which the next is chained; None: it has none."""
        known, chain = self._ends.get(game, (0, None))
        if known != n:
            rows = await self._read(game, "SELECT chain FROM log WHERE game = ? AND n = ?", game, n)
            chain = rows[0][0] if rows else None
        return chain

    async def _read(self, game: str, sql: str, *values: Any) -> list[Row]:
        """What is stored of a game; raises Damaged."""
        try:
            return await self.database.read(sql, *values)
        except Unreadable as problem:
            raise self._found(game, "it cannot be read") from problem

    def _found(self, game: str, problem: str) -> Damaged:
        damaged = Damaged(f"table {game}: {problem}")
        self.damaged(game, damaged)
        return damaged

    def _remember(self, game: str, n: int, chain: bytes | None) -> None:
        self._ends[game] = n, chain
        self._ends.move_to_end(game)
        if len(self._ends) > ENDS:
            self._ends.popitem(last=False)

    async def lines(self, game: str, since: int = 0, limit: int = MOST_LINES) -> list[Line]:
        """The lines after `since`; raises Damaged."""
        first = max(1, since)  # the line before them is read too: the next is chained to it
        rows = await self._read(
            game,
            "SELECT n, line, chain FROM log WHERE game = ? AND n >= ? ORDER BY n LIMIT ?",
            game,
            first,
            min(limit, MOST_LINES) + 1 if since else limit,
        )
        try:
            lines = decode_log(game, rows, first)
        except Damaged as problem:
            self.damaged(game, problem)
            raise
        if rows:
            self._remember(game, lines[-1].n, rows[-1][2])
        return lines[1:] if since else lines

    async def answer(self, game: str, person: str, id: str) -> StoredAnswer | None:
        """What became of a command; None when it never came."""
        query = "SELECT asked, n, refused FROM answers WHERE game = ? AND person = ? AND id = ?"
        rows = await self._read(game, query, game, person, id)
        return StoredAnswer(person, id, *rows[0]) if rows else None

    async def newest_answer(self, game: str) -> int:
        """The last line that answers a command; a log that does not reach it has lost its end."""
        rows = await self._read(game, "SELECT max(n) FROM answers WHERE game = ?", game)
        newest = rows[0][0] or 0
        return newest if isinstance(newest, int) else 0  # a damaged number says nothing

    async def listed(self, most: int = 100) -> list[tuple[str, bytes]]:
        """Public tables that are not over, the latest first."""
        rows = await self.database.read(
            "SELECT game, face FROM tables WHERE public = 1 AND status IN ('waiting', 'drafting', 'playing')"
            " ORDER BY touched DESC LIMIT ?",
            most,
        )
        return [(row[0], row[1]) for row in rows]

    async def due(self, before: int, most: int = 500) -> list[str]:
        """Tables that must be looked at before then: their clock runs out, or bots are to move."""
        rows = await self.database.read(
            "SELECT game FROM tables WHERE due IS NOT NULL AND due < ? ORDER BY due LIMIT ?", before, most
        )
        return [row[0] for row in rows]

    async def latest(self, within: int, most: int = 200) -> list[str]:
        """Games that were being played in the last `within` ms in which anything happened at all."""
        rows = await self.database.read(
            "SELECT game FROM tables WHERE status = 'playing'"
            " AND touched >= (SELECT max(touched) FROM tables) - ? ORDER BY touched DESC LIMIT ?",
            within,
            most,
        )
        return [row[0] for row in rows]

    async def tables_of(self, person: str, most: int = 100) -> list[tuple[str, Seat, bytes]]:
        """The tables a person sits at, the latest first."""
        rows = await self.database.read(
            "SELECT s.game, s.seat, t.face FROM seats s JOIN tables t ON t.game = s.game WHERE s.person = ?"
            " ORDER BY t.touched DESC LIMIT ?",
            person,
            most,
        )
        return [(row[0], row[1], row[2]) for row in rows]

    async def species_of(self, person: str, most: int) -> tuple[str, ...]:
        """What a person played in their last games, the latest first."""
        rows = await self.database.read(
            "SELECT species FROM results WHERE person = ? ORDER BY ended DESC LIMIT ?", person, most
        )
        return tuple(row[0] for row in rows)


_LINE, _ANSWER, _SEAT, _RESULT = map(insert, ("log", "answers", "seats", "results"))


def _row(result: SeatResult) -> tuple[Any, ...]:
    values = msgspec.structs.astuple(result)
    return tuple(int(value) if isinstance(value, bool) else value for value in values)


def decode_log(game: str, rows: Sequence[Row], first: int = 1) -> list[Line]:
    """The lines in these rows (n, line, chain), of which the first is due as line `first`; raises Damaged."""
    lines: list[Line] = []
    before: bytes | None = None
    for due, (n, raw, chain) in enumerate(rows, first):
        if n != due:
            raise Damaged(f"table {game}: line {n} stands where {due} is due")
        if not isinstance(raw, bytes) or not isinstance(chain, bytes | None):
            raise Damaged(f"table {game}, line {due}: it is no text")
        if due > first or first == 1:
            check_link(game, due, before, raw, chain)
        lines.append(_line(game, due, raw))
        before = chain
    return lines


def _line(game: str, due: int, raw: bytes) -> Line:
    try:
        line = decode_line(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Damaged(f"table {game}, line {due}: {problem}") from None
    if line.n != due:
        raise Damaged(f"table {game}: line {due} calls itself {line.n}")
    return line


def database_at(
    url: str,
    broken: Callable[[], None] = lambda: None,
    lost: Callable[[], None] = lambda: None,
    troubled: Troubled = lambda code: None,
) -> Database:
    """The database a URL names: postgresql://… or sqlite:///path; raises ValueError for any other.

    `broken` is called when the disk fails, `lost` when the session that holds the locks has ended, `troubled`
    when a write could not be stored (with why), and when one can be again (with None).
    """
    if url.startswith(("postgresql://", "postgres://")):
        return Postgres(url, lost, troubled)
    if url.startswith("sqlite:///") and len(url) > len("sqlite:///"):
        return SQLite(url.removeprefix("sqlite:///"), broken, troubled)
    raise ValueError(f"A database is named sqlite:///FILE or postgresql://…, not {url.partition(':')[0]}:…")


__all__ = [
    "FORMAT",
    "NEWEST",
    "Conflict",
    "Damaged",
    "Database",
    "SeatResult",
    "Store",
    "StoredAnswer",
    "TableIndex",
    "Unreadable",
    "Unstored",
    "database_at",
]

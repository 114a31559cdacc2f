"""Statistics over finished games: by species and player count, people and bots apart, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from msgspec import Struct

from elysian.server.store.database import Database, Row, Unreadable

# Of a seat: a bot of ours has a level, one with a token what it calls itself; nobody is nobody's person.
BY_BOT = "CASE WHEN level IS NULL AND person IS NOT NULL THEN 0 ELSE 1 END"


class SpeciesLine(Struct, frozen=True):
    """How a species fares at tables of one size; scores in points."""

    species: str
    players: int
    edition: str
    games: int
    mean: float
    least: float
    most: float
    wins: int
    deals: float  # a game
    kept: int
    broken: int
    by: Literal["people", "bots"]  # who played it


class Statistics(Struct, frozen=True):
    """All finished games that count: not those that go on from a record."""

    games: int
    lines: tuple[SpeciesLine, ...]


class History(Struct, frozen=True):
    """One finished game of one person."""

    table: str
    ended: int
    species: str
    players: int
    edition: str
    points: float
    winner: bool
    deals: int
    kept: int
    broken: int
    counts: bool  # in the statistics; a game that goes on from a record does not


async def statistics(database: Database) -> Statistics:
    """Everything, counted by the database."""
    rows = await database.read(
        "SELECT species, players, edition, count(*), sum(total), min(total), max(total), sum(winner),"
        f" sum(deals), sum(kept), sum(broken), {BY_BOT} FROM results WHERE counts = 1"
        f" GROUP BY species, players, edition, {BY_BOT}"
        f" ORDER BY species, players, edition, {BY_BOT}"
    )
    (total,) = (await database.read("SELECT count(DISTINCT game) FROM results WHERE counts = 1"))[0]
    with sound_rows():
        return Statistics(games=total, lines=tuple(_line(row) for row in rows))


@contextmanager
def sound_rows() -> Iterator[None]:
    """Numbers where numbers belong; raises Unreadable where the disk has something else."""
    try:
        yield
    except (TypeError, ValueError, ArithmeticError):
        raise Unreadable from None


def _line(row: Row) -> SpeciesLine:
    return SpeciesLine(
        species=row[0],
        players=row[1],
        edition=row[2],
        games=row[3],
        mean=round(row[4] / row[3] / 12, 2),
        least=round(row[5] / 12, 2),
        most=round(row[6] / 12, 2),
        wins=int(row[7]),
        deals=round(row[8] / row[3], 2),
        kept=int(row[9]),
        broken=int(row[10]),
        by="bots" if row[11] else "people",
    )


async def history(database: Database, person: str, most: int = 200) -> tuple[History, ...]:
    """A person's own finished games, the latest first."""
    rows = await database.read(
        "SELECT game, ended, species, players, edition, total, winner, deals, kept, broken, counts"
        " FROM results WHERE person = ? ORDER BY ended DESC LIMIT ?",
        person,
        most,
    )
    with sound_rows():
        return tuple(map(_game, rows))


def _game(row: Row) -> History:
    return History(
        table=row[0],
        ended=row[1],
        species=row[2],
        players=row[3],
        edition=row[4],
        points=round(row[5] / 12, 2),
        winner=bool(row[6]),
        deals=row[7],
        kept=row[8],
        broken=row[9],
        counts=bool(row[10]),
    )

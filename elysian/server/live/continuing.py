"""Continuing: a new table that goes on from a finished game or from a record somebody brings."""

from __future__ import annotations

import asyncio
from typing import Protocol

from msgspec.structs import replace

from elysian.record import DamagedRecord, Record, RecordLine, check, load, replay
from elysian.server.live.registry import Tables
from elysian.server.ops.errors import Refused
from elysian.server.table_state.actions import TableOptions
from elysian.server.table_state.record import record_of

LONGEST = 20_000  # entries


class Source(Protocol):
    """Where a game is to go on from."""

    @property
    def table(self) -> str | None:
        """A table of this server."""

    @property
    def record(self) -> str | None:
        """A record somebody brings."""

    @property
    def n(self) -> int | None:
        """The last line or entry to keep."""


async def continued(
    tables: Tables, person: str | None, source: Source, options: TableOptions
) -> tuple[Record, TableOptions]:
    """The game to go on from, and the options it settles; raises Refused."""
    if source.table is not None:
        table = await tables.get(source.table)
        if table.lobby.seat_of(person) is None and not table.lobby.may_watch(person):
            raise Refused("no_such_table", status=404)
        if table.lobby.status != "over":
            raise Refused("game_on", status=403)
        lines = await tables.context.store.lines(source.table, 0, table.n if source.n is None else source.n)
        record = record_of(lines)
    else:
        record = await asyncio.to_thread(_brought, (source.record or "").encode(), source.n)
    if record.entries and any(_ends(entry) for entry in record.entries):
        record = Record(record.head, record.entries[:-1])
    settings = record.head.started.settings
    return record, replace(
        options,
        seats=len(settings.species),
        edition=settings.edition,
        precise_scoring=settings.precise_scoring,
        precise_when_tied=settings.precise_when_tied,
        handicaps=settings.handicaps,
        private_offers=settings.private_offers,
        allow_three=settings.allow_three,
        species="choice",
        exclude=(),
        hardest=None,
    )


def _ends(entry: RecordLine) -> bool:
    return any(type(event).__name__ == "GameScored" for event in entry.events)


def _brought(raw: bytes, n: int | None) -> Record:
    """A record from outside is believed only if today's rules decide it the same."""
    try:
        record = load(raw)
        if len(record.entries) > LONGEST:
            raise DamagedRecord("it is too long")
        if n is not None:
            record = Record(record.head, record.entries[:n])
        replay(record)
        differences = check(record)
    except (DamagedRecord, LookupError, ValueError, TypeError, AssertionError) as problem:
        raise Refused("bad_record", status=400, problem=str(problem)[:200]) from None
    if differences:
        raise Refused("bad_record", status=400, problem=f"entry {differences[0].n} is not by the rules")
    return record

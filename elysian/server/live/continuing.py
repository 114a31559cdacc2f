"""Continuing: a new table that goes on from a finished game or from a record somebody brings."""

from __future__ import annotations

import asyncio
from typing import Protocol

from msgspec.structs import replace

from elysian.record import DamagedRecord, Record, RecordLine, RecordStanding, load, prove
from elysian.server.live.registry import Tables
from elysian.server.ops.errors import Refused
from elysian.server.table_state.record import public_record, record_of
from elysian.server.table_state.table_options import TableOptions

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
) -> tuple[Record, RecordStanding, TableOptions]:
    """The game to go on from, what it can be trusted for, and the options it settles; raises Refused."""
    if source.table is not None:
        table = await tables.get(source.table)
        if table.lobby.seat_of(person) is None and not table.lobby.may_watch(person):
            raise Refused("no_such_table", status=404)
        if table.lobby.status != "over":
            raise Refused("game_on", status=403)
        lines = await tables.context.store.lines(source.table, 0, table.n if source.n is None else source.n)
        found = record_of(lines)
        if table.lobby.seat_of(person) is None:
            found = public_record(found)  # whoever sits down there would hear what a seat was offered
        record, standing = await asyncio.to_thread(_proved, found)
    else:
        record, standing = await asyncio.to_thread(_brought, (source.record or "").encode(), source.n)
    settings = record.head.started.settings
    settled = replace(
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
    return record, standing, settled


def _ends(entry: RecordLine) -> bool:
    return any(type(event).__name__ == "GameScored" for event in entry.events)


def _brought(raw: bytes, n: int | None) -> tuple[Record, RecordStanding]:
    """A record from outside, up to an entry; nothing in it is believed."""
    try:
        record = load(raw)
        if len(record.entries) > LONGEST:
            raise DamagedRecord("it is too long")
    except DamagedRecord as problem:
        raise Refused("bad_record", status=400, problem=str(problem)[:200]) from None
    return _proved(record if n is None else Record(record.head, record.entries[:n]))


def _proved(record: Record) -> tuple[Record, RecordStanding]:
    """A record without its end, and what it can be trusted for; raises Refused."""
    try:
        standing = prove(record)
    except (DamagedRecord, LookupError, ValueError, TypeError, AttributeError, AssertionError) as problem:
        raise Refused("bad_record", status=400, problem=str(problem)[:200]) from None
    if any(_ends(entry) for entry in record.entries):
        record = Record(record.head, record.entries[:-1])
    return record, standing

"""The record of a table's game: its log without talk, seats and clock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from elysian.actions import Action, DeclineDeal
from elysian.events import GameStarted
from elysian.record import FORMAT, Head, Record, RecordLine
from elysian.server.ops.errors import Refused
from elysian.server.table_state.actions import TableAction
from elysian.server.table_state.events import Line, Shuffled, TableEvent


def record_of(lines: Iterable[Line]) -> Record:
    """The game in a log; raises Refused when it has not begun."""
    seed, head = "", None
    entries: list[RecordLine] = []
    for line in lines:
        moves: list[Any] = []
        for event in line.events:
            if isinstance(event, Shuffled):
                seed = event.seed
            elif isinstance(event, GameStarted):
                head = Head(format=FORMAT, seed=seed, started=event)
            elif not isinstance(event, TableEvent):
                moves.append(event)
        if moves and isinstance(line.action, Action) and not isinstance(line.action, TableAction):
            entries.append(
                RecordLine(n=len(entries) + 1, seat=line.seat, action=line.action, events=tuple(moves))
            )
    if head is None:
        raise Refused("no_game")
    return Record(head=head, entries=entries)


def public_record(record: Record) -> Record:
    """The record as anybody may have it; raises Refused where its offers were for their parties alone.

    They cannot be left out of it: later offers are numbered after them. Why somebody declined can be.
    """
    if record.head.started.settings.private_offers:
        raise Refused("private_record", status=403)
    return Record(
        record.head,
        [
            replace(entry, action=replace(entry.action, reason=""))
            if isinstance(entry.action, DeclineDeal)
            else entry
            for entry in record.entries
        ],
    )

"""The record of a table's game: its log without talk, seats and clock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from elysian.actions import Action, DeclineDeal
from elysian.events import GameStarted
from elysian.record import FORMAT, Head, Record, RecordLine, Seated
from elysian.server.ops.errors import Refused
from elysian.server.table_state.actions import TableAction
from elysian.server.table_state.events import Line, Shuffled, TableEvent, TableOpened
from elysian.server.table_state.state import Chair, Lobby, evolve_table, opened


def record_of(lines: Iterable[Line]) -> Record:
    """The game in a log, with who sat where at the last; raises Refused when it has not begun."""
    seed, head, lobby = "", None, None
    entries: list[RecordLine] = []
    for line in lines:
        moves: list[Any] = []
        for event in line.events:
            lobby = opened(event) if isinstance(event, TableOpened) else _after(lobby, event)
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
    players = () if lobby is None else tuple(_seated(lobby, chair) for chair in lobby.chairs)
    return Record(head=replace(head, players=players), entries=entries)


def _after(lobby: Lobby | None, event: Any) -> Lobby | None:
    return None if lobby is None else evolve_table(lobby, event)


def _seated(lobby: Lobby, chair: Chair) -> Seated:
    """A person by name; a level with the version it had when the game began; a bot as it calls itself."""
    if chair.bot is not None:
        return Seated(name=chair.bot, version=lobby.versions.get(chair.bot, ""))
    return Seated(name=chair.name, version=chair.program or "")


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

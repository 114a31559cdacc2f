"""Gathering: what happened to a person who is away becomes one notice, at an hour at which they want one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from elysian.deals import Seat
from elysian.events import DealDeclined, DealOffered, DealStruck, GameScored
from elysian.server.live.audience import events_for, tell_all
from elysian.server.table_state.events import Line, Said
from elysian.server.table_state.fold import TableState

MOST = 6  # sentences in a notice
KEPT = 30  # happenings kept for one notice
LONGEST = 1500  # characters; a chat room takes 2000, a browser's push service about 4000 bytes
APART = 600.0  # seconds between two notices of one table, unless it is one's move

Happening = tuple[Line, TableState, TableState]


class Gathered(Struct):
    """What one person is to be told of one table."""

    person: str
    name: str
    title: str
    game: str
    due: float  # on the loop's clock
    move: bool = False  # it is their move
    happenings: list[tuple[TableState, TableState, Any]] = []
    more: int = 0  # happenings that found no place

    def add(self, found: list[tuple[TableState, TableState, Any]]) -> None:
        """Remember some more of what happened."""
        room = KEPT - len(self.happenings)
        self.happenings += found[:room]
        self.more += max(0, len(found) - room)

    def sentences(self, language: str) -> list[str]:
        """What happened, in the reader's language, the oldest first; of much only the latest."""
        told = [
            sentence
            for before, after, event in self.happenings
            for sentence in tell_all(before, after, (event,), language)
            if sentence
        ]
        return told[-MOST:]


def happened_to(seat: Seat, happenings: Iterable[Happening]) -> list[tuple[TableState, TableState, Any]]:
    """Of what happened, what a person at a seat should hear of while they are away."""
    found = []
    for line, before, after in happenings:
        for event in events_for(before, seat, line.events):
            if _concerns(event, seat, before):
                found.append((before, after, event))
    return found


def _concerns(event: Any, seat: Seat, before: TableState) -> bool:
    if isinstance(event, DealOffered):
        return seat in event.deal.parties and event.deal.proposer != seat
    if isinstance(event, DealStruck):
        return seat in event.parties
    if isinstance(event, DealDeclined):
        deal = None if before.state is None else before.state.deals.get(event.deal)
        return deal is not None and deal.proposer == seat and event.by != seat
    if isinstance(event, Said):
        return event.to == seat
    return isinstance(event, GameScored)

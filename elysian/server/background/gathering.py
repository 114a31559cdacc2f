"""Gathering: what happened to a person who is away becomes one notice, at an hour at which they want one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from elysian.deals import Obligation, Pledge, Seat
from elysian.events import DealDeclined, DealOffered, DealStruck, GameScored
from elysian.messages import describe
from elysian.server.live.audience import events_for, tell_all
from elysian.server.live.table import Table
from elysian.server.live.wording import telling_in
from elysian.server.ops.errors import language_of, name_at, told_notice
from elysian.server.store.held import NoticeWords, new_id
from elysian.server.table_state.events import Line, Said
from elysian.server.table_state.fold import TableState

MOST = 6  # sentences in a notice
KEPT = 30  # happenings kept for one notice
LONGEST = 1500  # characters; a chat room takes 2000, a browser's push service about 4000 bytes
APART = 600.0  # seconds between two notices of one table, unless it is one's move

Happening = tuple[Line, TableState, TableState]


class Gathered(Struct, eq=False):
    """What one person is to be told of one table."""

    table: Table
    seat: Seat
    person: str
    due: float  # on the loop's clock
    move: bool = False  # it is their move
    deadline: int | None = None  # ms since 1970; and their time runs out soon, then
    happenings: list[tuple[TableState, TableState, Any]] = []
    more: int = 0  # happenings that found no place
    id: str = field(default_factory=new_id)  # under which it is stored, in case of a crash
    soon: asyncio.TimerHandle | None = None  # then it is stored; None: it is, or nothing is to be
    storing: asyncio.Task[None] | None = None  # None: it never was

    @property
    def key(self) -> tuple[str, Seat]:
        """Of which table, and for which seat."""
        return self.table.game, self.seat

    def add(self, found: list[tuple[TableState, TableState, Any]]) -> None:
        """Remember some more of what happened."""
        room = KEPT - len(self.happenings)
        self.happenings += found[:room]
        self.more += max(0, len(found) - room)

    async def settled(self) -> None:
        """Wait until nothing more of it will be stored."""
        if self.soon is not None:
            self.soon.cancel()
        if self.storing is not None:
            await self.storing

    def words(self, language: str) -> NoticeWords:
        """What happened, in the reader's language, the oldest first; of much only the latest."""
        told = [sentence for one in self.happenings for sentence in self._told(*one, language) if sentence]
        offers = [one.deal.id for _, _, one in reversed(self.happenings) if isinstance(one, DealOffered)]
        return NoticeWords(tuple(told[-MOST:]), self.more, self.move, self.deadline, tuple(offers))

    def _told(self, before: TableState, after: TableState, what: Any, language: str) -> tuple[str, ...]:
        language = language_of(language)
        if isinstance(what, Said):
            text = telling_in(language).reason(what.text)
            return (
                told_notice("said", language, name=name_at(what.seat, before.lobby, after.lobby), text=text),
            )
        if not isinstance(what, Obligation):
            return tell_all(before, after, (what,), language)
        assert after.state is not None  # somebody owes something in it
        terms = describe(what, after.state.settings.species, language, self.seat)
        return (told_notice("debt_due", language, terms=terms),)


def gathered_words(held: Iterable[NoticeWords]) -> NoticeWords:
    """What was held back at several times, the oldest first, as one."""
    all_words = list(held)
    lines = [line for words in all_words for line in words.lines]
    return NoticeWords(
        lines=tuple(lines[-MOST:]),
        more=sum(words.more for words in all_words) + max(0, len(lines) - MOST),
        move=any(words.move for words in all_words),
        deadline=next((words.deadline for words in reversed(all_words) if words.deadline is not None), None),
        offers=tuple(offer for words in reversed(all_words) for offer in words.offers),
    )


def happened_to(seat: Seat, happenings: Iterable[Happening]) -> list[tuple[TableState, TableState, Any]]:
    """Of what happened, what a person at a seat should hear of while they are away."""
    found = []
    for line, before, after in happenings:
        for event in events_for(before, seat, line.events):
            if _concerns(event, seat, before):
                found.append((before, after, event))
    return found


def debts_of(seat: Seat, before: TableState, after: TableState) -> list[tuple[TableState, TableState, Any]]:
    """What a seat owes in the turn that has begun; also what was handed over for it at once."""
    if before.state is None or after.state is None or before.state.turn == after.state.turn:
        return []
    return [
        (before, after, owed)
        for owed in {**before.state.obligations, **after.state.obligations}.values()
        if owed.debtor == seat
        and isinstance(owed.clause, Pledge)
        and owed.clause.due == after.state.turn
        and not owed.waits
    ]


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

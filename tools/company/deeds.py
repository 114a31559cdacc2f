"""Deeds: whether what a bot gave as its reason for a deal that was struck was done in the same turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from elysian.actions import AcceptDeal, ProposeDeal
from elysian.deals import Reason, Seat
from elysian.deck import CATALOG
from elysian.events import (
    CardPutIntoPlay,
    CardUpgraded,
    ConverterRun,
    DealOffered,
    DealStruck,
    ProductionRun,
    TechnologiesShared,
    TechnologyInvented,
    TurnBegan,
)
from elysian.players.trader.reasons import deed_of

VERB_OF: dict[type[Any], str] = {CardUpgraded: "upgrade", CardPutIntoPlay: "enter", ConverterRun: "violet"}


class NamedDeed(Struct):
    """What a seat said it would do with a deal that was then struck."""

    turn: int
    seat: Seat
    parties: tuple[Seat, ...]
    code: str
    deed: tuple[str, str]  # the verb, and a card or technology
    done: bool = False


def named_deeds(passed: Iterable[tuple[Seat | None, Any, Iterable[Any]]]) -> list[NamedDeed]:
    """The deeds that were named as reasons of struck deals, from who asked for what and what came of it."""
    turn, found = 1, list[NamedDeed]()
    said: dict[str, dict[Seat, Reason]] = {}  # offer -> who is for it, and why
    done: set[tuple[int, Seat, str, str]] = set()
    for seat, action, events in passed:
        if isinstance(action, AcceptDeal) and seat is not None and isinstance(action.reason, Reason):
            said.setdefault(action.deal, {})[seat] = action.reason
        for event in events:
            if isinstance(event, TurnBegan):
                turn = event.turn
            elif isinstance(event, DealOffered) and isinstance(event.deal.reason, Reason):
                if isinstance(action, ProposeDeal):
                    said.setdefault(event.deal.id, {})[event.deal.proposer] = event.deal.reason
            elif isinstance(event, DealStruck):
                found += _named(turn, event, said.pop(event.deal, {}))
            done |= {(turn, *deed) for deed in _done(event)}
    for one in found:
        one.done = (one.turn, one.seat, *one.deed) in done
    return found


def _named(turn: int, event: DealStruck, said: dict[Seat, Reason]) -> Iterator[NamedDeed]:
    for seat, reason in said.items():
        deed = deed_of(reason)
        if deed is not None and seat in event.parties:
            yield NamedDeed(turn, seat, event.parties, reason.code, deed)


def _done(event: Any) -> Iterator[tuple[Seat, str, str]]:
    """What an event shows that seats have done, or that came to them."""
    if type(event) in VERB_OF:
        yield event.by, VERB_OF[type(event)], event.card
    elif isinstance(event, TechnologyInvented):
        yield event.by, "invent", event.technology or event.card
    elif isinstance(event, ProductionRun):
        for run in event.runs:
            yield event.by, "run", run.card
    elif isinstance(event, TechnologiesShared):
        for entered in event.entered:
            yield entered.seat, "shared", CATALOG.cards[entered.card].technology or entered.card

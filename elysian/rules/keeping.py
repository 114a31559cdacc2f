"""Keeping one's word: the deed that is open to a debtor now, and doing it for one who does not (TRADE-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.book_value import book
from elysian.catalog import Cost
from elysian.deals import CardId, Deed, Obligation, Seat
from elysian.deck import CATALOG
from elysian.draft import Draft, IllegalAction
from elysian.goods import Goods
from elysian.payment import cheaper
from elysian.rules import violet
from elysian.rules.duties import duties
from elysian.rules.evolve import evolve
from elysian.rules.paying import suggested
from elysian.rules.pieces import without
from elysian.rules.promises import owed_now
from elysian.species import rules_of
from elysian.state import State

DECIDERS: dict[type[Any], Callable[[Draft, Seat, Any], None]] = {
    Invent: violet.invent,
    UpgradeCard: violet.upgrade_card,
    PutIntoPlay: violet.put_into_play,
    RunConverter: violet.run_converter,
}
STEPS = (*violet.STEPS, "steal")

# What a deed takes: cards and colonies first, then goods by the reference card, then the printed order.
Effort = tuple[int, int, int]


def open_deed(state: State, seat: Seat) -> tuple[Obligation, Action] | None:
    """The oldest promise of a deed that a seat can keep now for the last time, and the cheapest way."""
    owing = duties(state, seat) if state.step in STEPS else []
    if not owing:
        return None
    spare = _spare(state, seat)
    for owed, deed in owing:
        ways = sorted(_ways(spare, seat, deed), key=lambda way: way[0])
        for _, action in ways:
            if _is_legal(spare, seat, action):
                return owed, action
    return None


def check_word(state: State, seat: Seat) -> None:
    """Raise while a seat could do what it has undertaken: who can, must."""
    found = open_deed(state, seat)
    if found is not None:
        raise IllegalAction("keep_your_word", obligation=found[0].id, deed=found[1])


def keep_word(now: Draft, seat: Seat) -> None:
    """Time is up: what the seat has undertaken and can do is done, the oldest promise first."""
    while (found := open_deed(now.state, seat)) is not None:
        _decider(now.state, seat, found[1])(now, seat, found[1])


def _spare(state: State, seat: Seat) -> State:
    """The table without the goods and cards that a seat has yet to hand over: those come first."""
    goods, cards = owed_now(state, seat)
    if not goods and not cards:
        return state
    player = state.players[seat]
    stock = player.stock - player.stock.common(goods)
    kept = replace(player, stock=stock, cards=without(player.cards, tuple(cards)))
    return state.with_player(seat, kept)


def _decider(state: State, seat: Seat, action: Action) -> Callable[[Draft, Seat, Any], None]:
    return DECIDERS.get(type(action)) or rules_of(state.players[seat].species).deciders[type(action)]


def _is_legal(state: State, seat: Seat, action: Action) -> bool:
    try:
        _decider(state, seat, action)(Draft(state, evolve), seat, action)
    except IllegalAction:
        return False
    return True


def _ways(state: State, seat: Seat, deed: Deed) -> Iterator[tuple[Effort, Action]]:
    player = state.players[seat]
    if state.step == "steal":
        for n, theft in enumerate(rules_of(player.species).candidates(state, seat)):
            if getattr(theft, "card", None) == deed.subject:
                yield (0, book(getattr(theft, "pay", None) or Goods()), n), theft
    elif deed.verb == "invent":
        yield from _inventions(state, seat, CATALOG.team(deed.subject))
    elif deed.verb == "upgrade":
        yield from _upgrades(state, seat, deed.subject)
    elif deed.subject in player.deck:
        yield from _entries(state, seat, deed.subject)
    elif deed.verb == "run" and deed.subject in player.cards:
        yield from _runs(state, seat, deed.subject)


def _inventions(state: State, seat: Seat, team: CardId) -> Iterator[tuple[Effort, Action]]:
    research = CATALOG.cards[team].research
    if research is None or team not in state.players[seat].cards:
        return
    discount = violet.invention_discount(state.players, seat)
    for n, printed in enumerate(research.costs):
        found = _payment(state, seat, team, cheaper(printed, discount) if discount else printed)
        if found is not None:
            yield (0, book(found[0]), n), Invent(card=team, cost=n, pay=found[0])


def _upgrades(state: State, seat: Seat, card: CardId) -> Iterator[tuple[Effort, Action]]:
    for n, way in enumerate(CATALOG.cards[card].upgrades):
        if way.cost is None:
            yield (1, 0, n), UpgradeCard(card=card, way=n)
        elif (found := _payment(state, seat, card, way.cost)) is not None:
            pay, colonies = found
            yield (len(colonies), book(pay), n), UpgradeCard(card=card, way=n, pay=pay, colonies=colonies)


def _entries(state: State, seat: Seat, card: CardId) -> Iterator[tuple[Effort, Action]]:
    entry = CATALOG.cards[card].entry
    if entry is None or entry.cost is None:
        return
    found = _payment(state, seat, card, entry.cost)
    if found is not None:
        pay, colonies = found
        yield (len(colonies), book(pay), 0), PutIntoPlay(card=card, pay=pay, colonies=colonies)


def _runs(state: State, seat: Seat, card: CardId) -> Iterator[tuple[Effort, Action]]:
    held = state.players[seat].cards[card]
    for n, converter in enumerate(CATALOG.cards[card].face(held.flipped).converters):
        if converter.when != "trade":
            continue
        for alternative, cost in enumerate(converter.costs):
            found = _payment(state, seat, card, cost)
            if found is not None:
                pay, colonies = found
                run = RunConverter(card=card, converter=n, cost=alternative, pay=pay, colonies=colonies)
                yield (len(colonies), book(pay), alternative), run


def _payment(state: State, seat: Seat, card: CardId, cost: Cost) -> tuple[Goods, tuple[CardId, ...]] | None:
    pay, colonies = suggested(state.players[seat], card, cost)
    return None if pay is None else (pay, colonies)

"""What each event must do to everybody's goods, points and cards: the books, kept apart from the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from elysian import events as e
from elysian.events import Event
from elysian.goods import KINDS, Goods
from elysian.parts import Moved
from elysian.species.faderan import AcknowledgementReturned
from elysian.species.zeth import Stolen
from elysian.state import PlayerState, State

# (seat, pile, kind of good) -> difference; piles are stock, donation, tied and score.
Books = Counter[tuple[int, str, str]]


def _count(books: Books, seat: int, pile: str, goods: Goods, sign: int) -> None:
    for kind in KINDS:
        n = getattr(goods, kind)
        if n:
            books[seat, pile, kind] += sign * n


def _get(books: Books, seat: int, goods: Goods) -> None:
    """Points never lie in a stock."""
    for kind in KINDS:
        n = getattr(goods, kind)
        if n:
            books[seat, "score" if kind == "point" else "stock", kind] += n


def _pay(books: Books, seat: int, goods: Goods) -> None:
    for kind in KINDS:
        n = getattr(goods, kind)
        if n:
            books[seat, "score" if kind == "point" else "stock", kind] -= n


def _points(books: Books, seat: int, points: int) -> None:
    books[seat, "score", "point"] += points


def _move(books: Books, moved: Moved | None) -> None:
    if moved is None:
        return
    _count(books, moved.giver, "stock", moved.goods, -1)
    _count(books, moved.giver, "donation", moved.donation, -1)
    _count(books, moved.giver, "tied", moved.tied, -1)
    for part in (moved.goods, moved.donation, moved.tied):
        _get(books, moved.to, part)


def _handicap(books: Books, event: e.HandicapChosen) -> None:
    _get(books, event.by, event.gained)
    _pay(books, event.by, event.lost)


def _struck(books: Books, event: e.DealStruck) -> None:
    for moved in event.moved:
        _move(books, moved)


def _converted(books: Books, event: e.ConverterRun | e.CardPutIntoPlay | e.CardUpgraded) -> None:
    _pay(books, event.by, event.paid.goods)
    _get(books, event.by, event.gain)


def _invented(books: Books, event: e.TechnologyInvented) -> None:
    _pay(books, event.by, event.paid)
    _points(books, event.by, event.points + event.bonus)


def _produced(books: Books, event: e.ProductionRun) -> None:
    _pay(books, event.by, event.paid)
    _get(books, event.by, event.gain)
    _count(books, event.by, "donation", event.donation, 1)
    _count(books, event.by, "tied", event.tied, 1)


def _shared(books: Books, event: e.TechnologiesShared) -> None:
    for bonus in event.bonuses:
        _points(books, bonus.seat, bonus.points)


def _returned(books: Books, event: AcknowledgementReturned) -> None:
    _pay(books, event.by, Goods(acknowledgement=1))
    _get(books, event.to, Goods(acknowledgement=1, point=1))


def _stolen(books: Books, event: Stolen) -> None:
    _pay(books, event.by, event.paid)
    _pay(books, event.target, event.taken)
    _get(books, event.by, event.taken)


# Every event that is not named here leaves all goods and points where they are.
ACCOUNTS: dict[type[Event], Callable[[Books, Any], None]] = {
    e.HandicapChosen: _handicap,
    e.Gained: lambda books, event: _get(books, event.seat, event.goods),
    e.DealStruck: _struck,
    e.PledgePaid: lambda books, event: _move(books, event.moved),
    e.ObligationBroken: lambda books, event: _points(books, event.by, -event.points),
    e.GiftGiven: lambda books, event: _move(books, event.moved),
    e.ConverterRun: _converted,
    e.CardPutIntoPlay: _converted,
    e.CardUpgraded: _converted,
    e.TechnologyInvented: _invented,
    e.ProductionRun: _produced,
    e.TechnologiesShared: _shared,
    e.CardBought: lambda books, event: _pay(books, event.by, Goods(ship=event.ships)),
    AcknowledgementReturned: _returned,
    Stolen: _stolen,
}


def expected(event: Event) -> Books:
    """What the event's own fields say must change."""
    books: Books = Counter()
    if account := ACCOUNTS.get(type(event)):
        account(books, event)
    return _without_zeros(books)


def actual(before: State, after: State) -> Books:
    """What did change."""
    books: Books = Counter()
    for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True)):
        if was is now:
            continue
        for pile in ("stock", "donation", "tied"):
            _count(books, seat, pile, getattr(now, pile), 1)
            _count(books, seat, pile, getattr(was, pile), -1)
        _points(books, seat, now.score - was.score)
    return _without_zeros(books)


def _without_zeros(books: Books) -> Books:
    return Counter({entry: n for entry, n in books.items() if n})


# ---------------------------------------------------------------- cards

Place = tuple[Any, ...]


def _area(player: PlayerState, seat: int, places: dict[str, Place]) -> None:
    for card, held in player.cards.items():
        places[card] = (seat, "cards", held.flipped, held.seedling)
    for card in player.deck:
        places[card] = (seat, "deck")
    for card in player.spent:
        places[card] = (seat, "spent")
    for card in player.invented:
        places[card] = (seat, "invented")


def places(state: State) -> dict[str, Place]:
    """Where each card lies."""
    found: dict[str, Place] = {}
    for seat, player in enumerate(state.players):
        _area(player, seat, found)
    for name in ("shared", "removed", "relics"):
        for card in getattr(state, name):
            found[card] = (name,)
    for name in ("colonies", "research"):
        for card in getattr(state, name).cards:
            found[card] = (name,)
    for name in ("colony_track", "research_track"):
        for space, card in enumerate(getattr(state, name)):
            if card is not None:
                found[card] = (name, space)
    return found


def named(event: Event) -> set[str]:
    """Every word in an event, cards among them."""
    words: set[str] = set()
    rest: list[Any] = [msgspec.to_builtins(event)]
    while rest:
        thing = rest.pop()
        if isinstance(thing, str):
            words.add(thing)
        elif isinstance(thing, dict):
            rest += [*thing, *thing.values()]
        elif isinstance(thing, list | tuple):
            rest += thing
    return words


def strayed(before: State, after: State, event: Event) -> set[str]:
    """Cards that moved or turned although the event does not name them."""
    was, now = places(before), places(after)
    moved = {card for card in was.keys() | now.keys() if was.get(card) != now.get(card)}
    return moved - named(event) if moved else moved

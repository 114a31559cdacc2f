"""Readable deals: what counts as one thing to a reader, and the smallest part that brings most of a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from elysian.deals import AnyClause, Give, Pledge, Seat, parties_to
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.players.trader.level import READABLE
from elysian.players.trader.search import judged
from elysian.view import View
from elysian.worth import FoundDeal, Prices, Taste, worth

KEEPS = 0.8  # of what a deal brings each of its parties: a smaller one that brings so much will do

EVEN = 0.4  # of what a deal of two brings: as even as a smaller one must be, if the whole one was

Clauses = tuple[AnyClause, ...]
Thing = tuple[Seat, str, bool]  # whose, what, and whether it is only promised


def things(clauses: Clauses) -> frozenset[Thing | str]:
    """What a deal names: a colour of goods from one giver, a card, a promise or a word is one thing each."""
    found: set[Thing | str] = set()
    for clause in clauses:
        later = isinstance(clause, Pledge)
        what = clause.what if isinstance(clause, Pledge) else clause
        if isinstance(what, Give):
            for goods in (what.goods, what.donation):
                found |= {(what.giver, kind, later) for kind, _ in goods.items()}
            found |= {(what.giver, card, later) for card in what.cards}
        else:
            found.add(repr(clause))
    return frozenset(found)


def shortened(
    view: View, me: Seat, found: FoundDeal, rates: Prices, plain: Prices, least: float
) -> FoundDeal:
    """The part of a deal that brings me, and the others by the plain prices, most of the whole."""

    def by_each(clauses: Clauses) -> FoundDeal:
        gains = {seat: worth(view, seat, clauses, rates if seat == me else plain) for seat in found.gains}
        return FoundDeal(clauses=clauses, gains=gains)

    def enough(less: FoundDeal) -> bool:
        return min(less.gains.values()) >= least and brings_most(less, whole)

    whole = by_each(found.clauses)
    part = smallest(whole, READABLE, by_each, enough)
    return found if part is whole else judged(view, part.clauses, found.gains, rates)


def smallest(
    whole: FoundDeal,
    taste: Taste,
    judged: Callable[[Clauses], FoundDeal],
    enough: Callable[[FoundDeal], bool],
) -> FoundDeal:
    """A deal with one thing after another left out, as long as what is left is enough.

    What costs most to read for what it brings goes first, so cards go before goods.
    """
    found = whole
    while True:
        best: FoundDeal | None = None
        for clauses in fewer(found.clauses):
            if {*parties_to(clauses)} != {*found.gains}:
                continue
            less = judged(clauses)
            if enough(less) and (best is None or _merit(less, taste) > _merit(best, taste)):
                best = less
        if best is None:
            return found
        found = best


def brings_most(less: FoundDeal, whole: FoundDeal) -> bool:
    """Whether a smaller deal leaves everybody most of what the whole one brings, and no less evenly cut."""
    if any(less.gains[seat] < KEEPS * gain for seat, gain in whole.gains.items()):
        return False
    least = min(2 * EVEN / len(whole.gains), min(whole.gains.values()) / max(0.01, whole.surplus))
    return min(less.gains.values()) >= least * less.surplus


def _merit(found: FoundDeal, taste: Taste) -> float:
    """What a deal brings less what it costs to read, as a search weighs it."""
    cards = [card for c in found.clauses if isinstance(c, Give) for card in c.cards]
    colonies = sum(CATALOG.cards[card].is_colony for card in cards)
    read = taste.item * len(things(found.clauses)) + taste.card * len(cards) + taste.colony * colonies
    return found.merit - read


def fewer(clauses: Clauses) -> Iterator[Clauses]:
    """The deal without one kind of goods, one card, or one promise."""
    for n, clause in enumerate(clauses):
        if not isinstance(clause, Give):
            yield (*clauses[:n], *clauses[n + 1 :])
            continue
        for kind, count in clause.goods.items():
            yield swapped(clauses, n, replace(clause, goods=clause.goods - Goods(**{kind: count})))
        for kind, count in clause.donation.items():
            yield swapped(clauses, n, replace(clause, donation=clause.donation - Goods(**{kind: count})))
        for card in clause.cards:
            yield swapped(clauses, n, replace(clause, cards=tuple(c for c in clause.cards if c != card)))


def swapped(clauses: Clauses, n: int, clause: Give) -> Clauses:
    """The clauses with another in the place of one; without it, if nothing is left in it."""
    empty = not (clause.goods or clause.donation or clause.cards)
    return (*clauses[:n], *(() if empty else (clause,)), *clauses[n + 1 :])

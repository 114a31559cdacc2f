"""Offers to choose from: swaps of one good for another that both sides want, by what they are worth to each.

A unit is worth its price (`elysian.worth.prices`); one that a seat's white converters take and its stock
lacks is worth what those converters make of it. Everything is read off the open areas, nothing is secret.
"""

from __future__ import annotations

from functools import lru_cache

from elysian.actions import ProposeDeal
from elysian.catalog import Converter
from elysian.deals import Give, Seat
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.rules.paying import converters_of
from elysian.state import TURNS
from elysian.view import SeatView, View
from elysian.worth.prices import Prices, prices

TRADED = (*SMALL, *LARGE, "wild_small", "wild_large", "ultratech", "ship")
MOST_OPEN = 8  # offers of a seat that lie on the table; with more it should wait for answers
KEPT = 12  # swaps remembered for each pair of seats

# A swap: what the one it brings less loses by it, what both lose, what is given and got, how many for one.
Swap = tuple[float, float, str, str, int]


@lru_cache(maxsize=5_000)
def _use(converter: Converter, turn: int) -> tuple[Goods, float]:
    """What one run takes, and what it is worth for each unit taken."""
    rates, cost = prices(), converter.costs[0]
    taken = len(cost.goods) + cost.any_small + cost.any_large + cost.same_small + cost.same_large
    return cost.goods, rates.made(converter, turn) / taken if taken else 0.0


@lru_cache(maxsize=100)
def _prices(rates: Prices, turn: int) -> tuple[tuple[str, float], ...]:
    return tuple((kind, rates.of(kind, turn)) for kind in TRADED)


class Wants:
    """What one more and one less of each good is worth to a seat, as its cards and stock lie open."""

    __slots__ = ("more", "there")

    def __init__(self, seen: SeatView, turn: int, rates: Prices) -> None:
        """Look at the white converters a seat holds."""
        needed: dict[str, int] = {}
        value: dict[str, float] = {}
        for name, held in seen.cards.items():
            if CATALOG.cards[name].lent_only and held.owner == seen.seat:
                continue
            for converter in converters_of(seen.cards, name):
                if converter.when != "economy":
                    continue
                taken, worth = _use(converter, turn)
                for kind, n in taken.items():
                    needed[kind] = needed.get(kind, 0) + n
                    value[kind] = max(value.get(kind, 0.0), worth)
        # Of what is there: what one less costs; of everything: what one more brings.
        self.more: dict[str, float] = {}
        self.there: list[tuple[str, int, float]] = []
        for kind, price in _prices(rates, turn):
            there, used = int(getattr(seen.stock, kind)), needed.get(kind, 0)
            best = max(price, value.get(kind, 0.0))
            self.more[kind] = best if there < used else price
            if there:
                self.there.append((kind, there, best if there <= used else price))


class Candidates:
    """Candidate deals of every seat at one table; remembers what it found while nothing has changed."""

    def __init__(self, most: int) -> None:
        """Think of so many deals at most for a seat at a time."""
        self.most = most
        self.rates = prices()
        self._wants: dict[Seat, tuple[object, object, int, Wants]] = {}
        self._swaps: dict[tuple[Seat, Seat], tuple[Wants, Wants, list[Swap]]] = {}
        self._found: dict[Seat, tuple[list[Wants], list[ProposeDeal]]] = {}

    def of(self, view: View) -> list[ProposeDeal]:
        """The best swaps for the viewer: good for both, different partners first; none is open already."""
        me = view.seat
        assert me is not None
        if not self.most or view.step != "trade":
            return []
        wants = [self._of(view, seat) for seat in range(len(view.players))]
        kept = self._found.get(me)
        if kept is None or any(one is not other for one, other in zip(kept[0], wants, strict=True)):
            kept = self._found[me] = wants, self._best(me, wants)
        open_now = [deal.clauses for deal in view.deals.values() if deal.proposer == me]
        if not open_now:
            return kept[1][: self.most]
        if len(open_now) >= MOST_OPEN:
            return []
        return [offer for offer in kept[1] if offer.clauses not in open_now][: self.most]

    def _best(self, me: Seat, wants: list[Wants]) -> list[ProposeDeal]:
        found: list[tuple[int, float, float, Seat, Swap]] = []
        for other, theirs in enumerate(wants):
            if other != me:
                swaps = self._between(me, other, wants[me], theirs)
                found += [(n, *swap[:2], other, swap) for n, swap in enumerate(swaps)]
        found.sort()
        best = found[: 2 * self.most + 2]
        return [_offer(me, other, *swap[2:]) for _, _, _, other, swap in best]

    def _of(self, view: View, seat: Seat) -> Wants:
        seen, kept = view.players[seat], self._wants.get(seat)
        if kept is None or kept[0] is not seen.stock or kept[1] is not seen.cards or kept[2] != view.turn:
            kept = seen.stock, seen.cards, view.turn, Wants(seen, min(view.turn, TURNS), self.rates)
            self._wants[seat] = kept
        return kept[3]

    def _between(self, me: Seat, other: Seat, mine: Wants, theirs: Wants) -> list[Swap]:
        kept = self._swaps.get((me, other))
        if kept is None or kept[0] is not mine or kept[1] is not theirs:
            kept = mine, theirs, _swaps(mine, theirs)
            self._swaps[me, other] = kept
        return kept[2]


def _swaps(mine: Wants, theirs: Wants) -> list[Swap]:
    """One for one, and where that is not even two for one; best for the one it brings less first."""
    found: list[Swap] = []
    for give, there, less in mine.there:
        wanted = theirs.more[give]
        for get, _, spared in theirs.there:
            if give == get:
                continue
            here, yonder = mine.more[get] - less, wanted - spared
            found.append((-here if here < yonder else -yonder, -here - yonder, give, get, 1))
            if there > 1 and here > 0 > yonder:
                here, yonder = here - less, yonder + wanted
                found.append((-here if here < yonder else -yonder, -here - yonder, give, get, 2))
    found.sort()
    return found[:KEPT]


@lru_cache(maxsize=50_000)
def _offer(me: Seat, other: Seat, give: str, get: str, times: int) -> ProposeDeal:
    return ProposeDeal(
        parties=(me, other),
        clauses=(
            Give(giver=me, to=other, goods=Goods(**{give: times})),
            Give(giver=other, to=me, goods=Goods(**{get: 1})),
        ),
    )


__all__ = ["Candidates", "Wants"]

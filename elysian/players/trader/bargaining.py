"""Bargaining: a deal that was found even, cut in one's own favour, and less so after a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from elysian.deals import AnyClause, Deal, Give, Seat
from elysian.goods import Goods
from elysian.view import View
from elysian.worth import FoundDeal, Prices, worth
from elysian.worth.problem import FLOWS

STEPS = 4  # pieces that are bargained over in one deal
WASTE = 0.3  # what a piece may cost both sides together

Piece = tuple[Seat, Seat, str]  # giver, who gets it, kind


class Bargain:
    """What one seat asks of each other seat; whoever turns an offer down is asked for less."""

    def __init__(self, shares: tuple[float, ...], people: frozenset[Seat]) -> None:
        """Begin with the first of these shares; with people, who mind it more, with the second."""
        self.shares = shares
        self.refusals: dict[Seat, int] = dict.fromkeys(people, 1)
        self._offered: tuple[FoundDeal, object] | None = None

    def asks(self, view: View, found: FoundDeal) -> float:
        """The share to ask for in this deal; it is remembered until it is answered."""
        self._offered = (found, _standing(view))
        return min(self._share(seat) for seat in found.gains if seat != view.seat)

    def softened(self, view: View, still: Sequence[Deal] = ()) -> set[object]:
        """The deal that was offered last, if it was turned down and can be offered again for less."""
        offered = self._offered
        if offered is None or any({*deal.parties} == {*offered[0].gains} for deal in still):
            return set()
        self._offered = None
        found, standing = offered
        if standing != _standing(view):
            return set()
        others = [seat for seat in found.gains if seat != view.seat]
        before = min(self._share(seat) for seat in others)
        for seat in others:
            self.refusals[seat] = self.refusals.get(seat, 0) + 1
        return {found.clauses} if min(self._share(seat) for seat in others) < before else set()

    def forget(self) -> None:
        """The last offer was withdrawn, or a new turn has begun."""
        self._offered = None

    def _share(self, seat: Seat) -> float:
        return self.shares[min(self.refusals.get(seat, 0), len(self.shares) - 1)]


def _standing(view: View) -> object:
    """What would have changed if a deal of mine had been struck."""
    return view.me.stock, view.me.donation, tuple(view.me.cards), tuple(view.obligations)


def bargained(
    view: View, me: Seat, found: FoundDeal, rates: Prices, asks: float, readable: bool = False
) -> FoundDeal:
    """The deal with up to four pieces less for others, who keep their part of what is not asked for.

    One that must stay readable names nothing that it did not name before.
    """
    if asks <= 0.5:
        return found
    others = [seat for seat in found.gains if seat != me]
    left = (1.0 - asks) * 2.0 / len(found.gains)
    too_dear: set[Piece] = set()  # what others cannot spare now, they can spare even less later
    for _ in range(STEPS):
        best = found
        for piece, clauses in _harder(view, me, found.clauses, readable):
            if piece in too_dear:
                continue
            mine = worth(view, me, clauses, rates)
            if mine <= best.gains[me] + 0.05:
                continue
            gains = {one: mine if one == me else worth(view, one, clauses, rates) for one in found.gains}
            harder = FoundDeal(clauses=clauses, gains=gains)
            total = harder.surplus
            if total >= found.surplus - WASTE and all(harder.gains[seat] >= left * total for seat in others):
                best = harder
            else:
                too_dear.add(piece)
        if best is found:
            break
        found = best
    return found


def _harder(
    view: View, me: Seat, clauses: tuple[AnyClause, ...], readable: bool
) -> Iterator[tuple[Piece, tuple[AnyClause, ...]]]:
    """One piece less from me, or one piece more for me from somebody who gives me something."""
    for n, clause in enumerate(clauses):
        if not isinstance(clause, Give) or me not in (clause.giver, clause.to):
            continue
        if clause.giver == me:
            for kind, _ in clause.goods.items():
                less = replace(clause, goods=clause.goods - Goods(**{kind: 1}))
                kept = (less,) if less.goods or less.donation or less.cards else ()
                yield (me, clause.to, kind), (*clauses[:n], *kept, *clauses[n + 1 :])
            continue
        stock = view.players[clause.giver].stock
        for kind, _ in stock.items():
            piece = Goods(**{kind: 1})
            if readable and not getattr(clause.goods, kind):
                continue
            if kind in FLOWS and stock.covers(clause.goods + piece):
                more = replace(clause, goods=clause.goods + piece)
                yield (clause.giver, me, kind), (*clauses[:n], more, *clauses[n + 1 :])

"""Haggling: a deal that was found even, cut a little in one's own favour."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from elysian.deals import AnyClause, Give, Seat
from elysian.goods import Goods
from elysian.view import View
from elysian.worth import Found, Prices, worth

STEPS = 3  # pieces that are haggled over in one deal
WASTE = 0.15  # what a piece may cost both sides together


def haggled(view: View, me: Seat, found: Found, rates: Prices, asks: float) -> Found:
    """The deal with up to three pieces less for others, who keep their part of what is not asked for."""
    if asks <= 0.5:
        return found
    others = [seat for seat in found.gains if seat != me]
    left = (1.0 - asks) * 2.0 / len(found.gains)
    for _ in range(STEPS):
        best = found
        for clauses in _harder(view, me, found.clauses):
            mine = worth(view, me, clauses, rates)
            if mine <= best.gains[me] + 0.05:
                continue
            gains = {seat: worth(view, seat, clauses, rates) for seat in others}
            gains[me] = mine
            total = sum(gains.values())
            if total >= found.surplus - WASTE and all(gains[seat] >= left * total for seat in others):
                best = Found(clauses=clauses, gains=gains)
        if best is found:
            break
        found = best
    return found


def _harder(view: View, me: Seat, clauses: tuple[AnyClause, ...]) -> Iterator[tuple[AnyClause, ...]]:
    """One piece less from me, or one piece more for me of a kind that is part of the deal."""
    for n, clause in enumerate(clauses):
        if not isinstance(clause, Give) or me not in (clause.giver, clause.to):
            continue
        for kind, _ in clause.goods.items():
            piece = Goods(**{kind: 1})
            if clause.giver == me:
                less = replace(clause, goods=clause.goods - piece)
                kept = (less,) if less.goods or less.donation or less.cards else ()
                yield (*clauses[:n], *kept, *clauses[n + 1 :])
            elif view.players[clause.giver].stock.covers(clause.goods + piece):
                yield (*clauses[:n], replace(clause, goods=clause.goods + piece), *clauses[n + 1 :])

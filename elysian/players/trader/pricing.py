"""Pricing: what a seat wants for something it was asked for, in goods the asker has."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from elysian.deals import AnyClause, Deal, Give, Seat
from elysian.goods import Goods
from elysian.view import View
from elysian.worth import IMPOSSIBLE, FoundDeal, Prices, worth
from elysian.worth.problem import FLOWS

MOST = 8  # pieces added to what was offered
SLACK = 0.05  # points by which two plans may be found more or less exactly
COLOURS = 2  # of goods that are asked for; more only if they were offered


def priced(view: View, me: Seat, deal: Deal, rates: Prices, least: float) -> FoundDeal | None:
    """The offer with so much more from its proposer that both gain alike, or that I gain; None: no price."""
    clauses, asker = deal.clauses, deal.proposer
    mine, theirs = worth(view, me, clauses, rates), worth(view, asker, clauses, rates)
    if min(mine, theirs) <= IMPOSSIBLE:
        return None
    for _ in range(MOST + 1):
        if mine >= max(least, (mine + max(0.0, theirs)) / 2.0):
            return FoundDeal(clauses=clauses, gains={me: mine, asker: theirs})
        best = None
        asked = [(worth(view, me, dearer, rates), dearer) for dearer in _dearer(view, me, asker, clauses)]
        # What is left of the asker's gain is at most what it was: the rest is not better than the best.
        for to_me, dearer in sorted(asked, key=lambda one: -one[0]):
            if to_me <= mine + 0.01:
                break  # a piece that helps me little buys nothing
            if best is not None and to_me + theirs + SLACK < best[0][0]:
                break
            to_them = worth(view, asker, dearer, rates)
            # What helps me most and hurts the asker least.
            merit = (to_me + to_them, to_me)
            if best is None or merit > best[0]:
                best = (merit, dearer, to_me, to_them)
        if best is None:
            return None
        _, clauses, mine, theirs = best
    return None


def _dearer(
    view: View, me: Seat, asker: Seat, clauses: tuple[AnyClause, ...]
) -> Iterator[tuple[AnyClause, ...]]:
    """One piece more from the asker; nothing goes back and forth."""
    paid = next((c for c in clauses if isinstance(c, Give) and (c.giver, c.to) == (asker, me)), None)
    wanted = [c.goods + c.donation for c in clauses if isinstance(c, Give) and c.giver == me]
    for kind in FLOWS:
        piece = Goods(**{kind: 1})
        given = piece if paid is None else paid.goods + piece
        if any(getattr(goods, kind) for goods in wanted) or not view.players[asker].stock.covers(given):
            continue
        if paid is not None and not getattr(paid.goods, kind) and len(dict(paid.goods.items())) >= COLOURS:
            continue
        if paid is None:
            yield (*clauses, Give(giver=asker, to=me, goods=given))
        else:
            yield tuple(replace(c, goods=given) if c is paid else c for c in clauses)

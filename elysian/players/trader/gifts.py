"""Giving: donation goods that were not traded must go to somebody."""

from __future__ import annotations

from elysian.actions import Gift, GiveGifts
from elysian.deals import Seat
from elysian.goods import NOTHING, Goods
from elysian.view import View
from elysian.worth import Prices, best_plan


def best_gifts(view: View, rates: Prices) -> GiveGifts:
    """Everything goes to those who are furthest behind: they threaten least with it."""
    me = view.me
    others = [area.seat for area in view.players if area.seat != me.seat]
    behind = sorted(others, key=lambda seat: best_plan(view, seat, rates).value)
    shares: dict[Seat, Goods] = {}
    if me.tied:
        shares[behind[0] if me.tied_to is None else me.tied_to] = me.tied
    for n, unit in enumerate(me.donation.units()):
        to = behind[min(n // 4, len(behind) - 1)]
        shares[to] = shares.get(to, NOTHING) + unit
    return GiveGifts(gifts=tuple(Gift(to=to, goods=goods) for to, goods in shares.items()))

"""Steps that need no memory: colonies given up, cards bought, goods stolen."""

from __future__ import annotations

from typing import Any

from elysian.actions import (
    Action,
    Buy,
    DiscardColonies,
    Done,
    Pass,
    SplitBid,
)
from elysian.goods import NOTHING
from elysian.options import Options
from elysian.players.trader.bids import best_buy, splits
from elysian.view import View
from elysian.worth import Prices, best_plan


def discarded(view: View, options: Options, rates: Prices) -> Action | None:
    """The colonies that the best plan does without, where some must go."""
    if not options.discard or view.seat is None:
        return None
    dropped = best_plan(view, view.seat, rates).dropped
    if len(dropped) == options.discard:
        return DiscardColonies(cards=dropped)
    return next(c.action for c in options.choices if isinstance(c.action, DiscardColonies))


def bought(view: View, options: Options, rates: Prices) -> Action:
    """The card to take for the ships that were bid, or none."""
    may_split = any(isinstance(c.action, SplitBid) for c in options.choices)
    if may_split and splits(view, rates):
        return SplitBid()
    buys = [c.action.card for c in options.choices if isinstance(c.action, Buy)]
    card = best_buy(view, buys, rates)
    return Pass() if card is None else Buy(card=card)


def stolen(view: View, options: Options, rates: Prices) -> Action:
    """The theft that brings most, if one brings anything."""
    thefts: list[Any] = [c.action for c in options.choices if hasattr(c.action, "take")]
    best, most = None, 0.05
    for theft in thefts:
        gain = rates.goods(theft.take, view.turn) - rates.goods(theft.pay or NOTHING, view.turn)
        if gain > most:
            best, most = theft, gain
    return best or Done()

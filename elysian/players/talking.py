"""Talking: how a bot answers when it is asked what it would want for something."""

from __future__ import annotations

from msgspec import Struct

from elysian.deals import Give, Seat
from elysian.goods import NOTHING, Goods
from elysian.messages import DEFAULT
from elysian.players.suggestions import Suggester, rates_of
from elysian.players.trader.reasons import Reasons
from elysian.view import View
from elysian.worth import FoundDeal, judge, needs_of


class Quote(Struct, frozen=True):
    """A price, or a plain no with what would help."""

    told: str
    price: FoundDeal | None = None


def quote(view: View, asker: Seat, levels: dict[Seat, str], asked: Give, language: str = DEFAULT) -> Quote:
    """What the bot that has it says to somebody who asks what it would want for something."""
    bot = asked.giver
    reasons = Reasons([area.species for area in view.players], language)
    found = Suggester(view, asker, levels).price(asked)
    if found is not None:
        paid = [c for c in found.clauses if isinstance(c, Give) and c.giver == asker]
        goods = sum((clause.goods for clause in paid), NOTHING)
        wanted = reasons.telling.handed(asked.goods, NOTHING, asked.cards)
        if not goods:
            return Quote(told=reasons.say("price_gift", asked=wanted), price=found)
        return Quote(told=reasons.say("price", asked=wanted, price=reasons.telling.goods(goods)), price=found)
    return Quote(told=_no(view, asker, bot, levels, asked, reasons))


def _no(view: View, asker: Seat, bot: Seat, levels: dict[Seat, str], asked: Give, reasons: Reasons) -> str:
    """Why not: it cannot, or what it needs the thing for; and what it is looking for that the asker has."""
    rates = rates_of(levels.get(bot))
    judged = judge(view, bot, (asked,), rates)
    if not view.players[bot].stock.covers(asked.goods) or not set(asked.cards) <= set(
        view.players[bot].cards
    ):
        return reasons.say("have_not")
    why = reasons.against(bot, (asked,), judged)
    if why == reasons.say("costs"):
        why = reasons.say("no_price")
    needs = needs_of(view, bot, rates).needs.common(view.players[asker].stock)
    left = Goods(**{kind: n for kind, n in needs.items() if not getattr(asked.goods, kind)})
    return f"{why} {reasons.say('helps', goods=reasons.telling.goods(left))}" if left else why

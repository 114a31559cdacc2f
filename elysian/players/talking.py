"""Talking: how a bot answers when it is asked what it would want for something."""

from __future__ import annotations

from msgspec import Struct

from elysian.deals import Give, Reason, Seat
from elysian.goods import NOTHING, Goods
from elysian.players.suggestions import Suggester, rates_of
from elysian.players.trader.reasons import against
from elysian.view import View
from elysian.worth import FoundDeal, judge, needs_of


class Quote(Struct, frozen=True):
    """A price, or a plain no with what would help."""

    told: tuple[Reason, ...]
    price: FoundDeal | None = None


def quote(view: View, asker: Seat, levels: dict[Seat, str], asked: Give) -> Quote:
    """What the bot that has it says to somebody who asks what it would want for something."""
    bot = asked.giver
    found = Suggester(view, asker, levels).price(asked)
    if found is None:
        return Quote(told=_no(view, asker, bot, levels, asked))
    paid = [c for c in found.clauses if isinstance(c, Give) and c.giver == asker]
    price = sum((clause.goods for clause in paid), NOTHING)
    code = "price" if price else "price_gift"
    return Quote(
        told=(Reason(code=code, goods=asked.goods, cards=asked.cards, price=price),),
        price=found,
    )


def _no(view: View, asker: Seat, bot: Seat, levels: dict[Seat, str], asked: Give) -> tuple[Reason, ...]:
    """Why not: it cannot, or what it needs the thing for; and what it is looking for that the asker has."""
    rates = rates_of(levels.get(bot))
    judged = judge(view, bot, (asked,), rates)
    if not view.players[bot].stock.covers(asked.goods) or not set(asked.cards) <= set(
        view.players[bot].cards
    ):
        return (Reason(code="have_not"),)
    why = against(bot, (asked,), judged)
    if why.code == "costs":
        why = Reason(code="no_price")
    needs = needs_of(view, bot, rates).needs.common(view.players[asker].stock)
    left = Goods(**{kind: n for kind, n in needs.items() if not getattr(asked.goods, kind)})
    return (why, Reason(code="helps", goods=left)) if left else (why,)

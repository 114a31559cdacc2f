"""What a seat owes, and should therefore set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import CardId, Give, Lend, Obligation, OneOf, Pledge, Seat
from elysian.goods import NOTHING, Goods
from elysian.rules.choosing import served
from elysian.species.base import PublicArea


class Owed(Struct, frozen=True):
    """What a seat has pledged: goods for this turn, goods for the next, and cards."""

    now: Goods = NOTHING
    next: Goods = NOTHING
    cards: frozenset[CardId] = frozenset()


def owed_by(
    seat: Seat, obligations: Iterable[Obligation], turn: int, have: Goods, choices: Mapping[str, Goods]
) -> Owed:
    """What a seat must set aside; a pledge counts when its condition is met, or is the debtor's own deed.

    Of a choice that falls due this turn, what would be taken of the goods the seat has (TRADE-17).
    """
    found = Owed()
    for promise in obligations:
        clause = promise.clause
        if not isinstance(clause, Pledge) or promise.debtor != seat:
            continue
        if promise.awaits is not None and promise.awaits.who != seat:
            continue
        what = clause.what
        if isinstance(what, Lend):
            found = replace(found, cards=found.cards | {what.card})
        elif isinstance(what, OneOf) and clause.due <= turn:
            left = have - have.common(found.now)
            found = replace(found, now=found.now + set_aside(promise, what, left, choices))
        elif isinstance(what, Give):
            found = replace(found, cards=found.cards | {*what.cards})
            if clause.due <= turn:
                found = replace(found, now=found.now + what.goods)
            elif clause.due == turn + 1:
                found = replace(found, next=found.next + what.goods)
    return found


def goods_of(area: PublicArea) -> Goods:
    """All goods a seat has, those on its donation card among them."""
    return area.stock + area.donation + area.tied


def set_aside(promise: Obligation, what: OneOf, have: Goods, choices: Mapping[str, Goods]) -> Goods:
    """What the debtor of a choice should keep for it; what the creditor chose is not the debtor's to know."""
    return served(what, have, choices.get(promise.id) if what.chooser == promise.debtor else None)

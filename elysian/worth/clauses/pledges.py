"""Pledges: what a seat can count on of what it was promised, and what its own promises cost it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from elysian.deals import (
    CardId,
    Deed,
    Give,
    Lend,
    License,
    Obligation,
    OneOf,
    Pledge,
    Seat,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.rules.owing import goods_of, owed_by, set_aside
from elysian.rules.promises import penalty
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import SeatView
from elysian.worth.card_values import card_worth
from elysian.worth.clauses.conditions import LIKELY, REMOTE, chance_of
from elysian.worth.clauses.outlook import PLANNED, UNKNOWN, Outlook
from elysian.worth.plans import best_plan

CREDIT = 8  # promised goods of one seat that are believed at a time; a card counts as two
FEWER = 0.8  # each further card of a kind is worth so much less
COMFORT = 0.3  # the least it costs to lend a card: it is not at home when it is wanted


def overdrawn(obligations: Iterable[Obligation]) -> frozenset[Seat]:
    """Seats that owe more than anyone should believe."""
    owed: dict[Seat, int] = {}
    for promise in obligations:
        clause = promise.clause
        if isinstance(clause, Pledge):
            what = clause.what
            pieces = 2
            if isinstance(what, Give):
                pieces = len(what.goods) + 2 * len(what.cards)
            elif isinstance(what, OneOf):
                pieces = max((len(lot.goods) + lot.cubes for lot in what.lots), default=0)
            owed[promise.debtor] = owed.get(promise.debtor, 0) + pieces
    return frozenset(seat for seat, n in owed.items() if n > CREDIT)


def pledges_worth(outlook: Outlook) -> float:
    """What is owed to the seat, as far as it can be counted on, less what the seat owes."""
    owed = [promise for promise in outlook.view.obligations.values() if isinstance(promise.clause, Pledge)]
    total = -_short_now(outlook)
    for debtor in sorted({promise.debtor for promise in owed}):
        mine = [promise for promise in owed if promise.debtor == debtor]
        if debtor == outlook.seat:
            total -= sum(_costs(outlook, promise) for promise in mine)
        elif debtor not in outlook.doubted and any(promise.creditor == outlook.seat for promise in mine):
            total += _from_debtor(outlook, debtor, mine)
    return total


def _from_debtor(outlook: Outlook, debtor: Seat, promises: Iterable[Obligation]) -> float:
    """What the seat can count on; the debtor's promises to others that are older or as old come first."""
    total = 0.0
    paid = NOTHING  # by promises before this one: the same goods do not pay twice
    cards: set[CardId] = set()
    used: set[object] = set()  # what can be lent or licensed once only
    for promise in promises:
        clause = promise.clause
        assert isinstance(clause, Pledge)
        what = clause.what
        there = most_payable(outlook.view.players[debtor], clause, outlook.view.turn)
        there = there - there.common(paid)
        if isinstance(what, OneOf):
            what = Give(giver=what.giver, to=what.to, goods=_worst(outlook, clause, what, there))
        if isinstance(what, Give):
            goods = what.goods.common(there)
            left = tuple(card for card in what.cards if card not in cards)
            paid, what = paid + goods, replace(what, goods=goods, cards=left)
            cards.update(left)
        elif _use(clause) in used:
            continue
        used.add(_use(clause))
        if promise.creditor == outlook.seat and _can_keep(outlook, promise, what):
            total += _expected(outlook, promise, replace(clause, what=what))
    return total


def _worst(outlook: Outlook, clause: Pledge, what: OneOf, there: Goods) -> Goods:
    """The cheapest of what may keep a promise of a choice, out of what the debtor can have (TRADE-17).

    Also where the creditor chooses: he may choose only what is there, and nobody knows what will be.
    """
    turn = min(TURNS, max(outlook.view.turn, clause.due - 1))
    ways = []
    for lot in what.lots:
        named = lot.goods.common(there)
        left = there - named
        cubes = sorted(
            (unit for unit in left.units() if unit.items()[0][0] in lot.kinds),
            key=lambda unit: outlook.rates.goods(unit, turn),
        )
        ways.append(sum(cubes[: lot.cubes], named))
    return min(ways, key=lambda goods: outlook.rates.goods(goods, turn), default=NOTHING)


def _use(clause: Pledge) -> object:
    """What a loan or a licence takes up: a card for a turn, a technology for one seat."""
    what = clause.what
    if isinstance(what, Lend):
        return what.card, clause.due
    return what, clause.due if isinstance(what, Give) else None


def _expected(outlook: Outlook, promise: Obligation, clause: Pledge) -> float:
    value_of = PLEDGED.get(type(clause.what))
    if value_of is None or clause.due > TURNS:
        return 0.0
    value = min(float(penalty(clause.what)), value_of(outlook, clause, outlook.seat))
    # The further off, the more can come between.
    value *= outlook.rates.trust ** max(1, clause.due - outlook.view.turn)
    return _conditional(outlook, clause, value) if promise.waits else value


def _conditional(outlook: Outlook, clause: Pledge, value: float) -> float:
    """What a promise is worth that hangs on a deed."""
    deed = clause.only_if
    assert deed is not None
    if deed.who == clause.what.giver:
        return 0.0  # the debtor need not do it
    chance = chance_of(outlook, deed, clause.due)
    if deed.who != outlook.seat or deed.verb not in PLANNED or chance >= LIKELY or chance <= REMOTE:
        return chance * value
    # I can do it at once, but my plan does not: what doing it costs goes off.
    return max(chance * value, LIKELY * value - _price_of(outlook, deed))


def _price_of(outlook: Outlook, deed: Deed) -> float:
    """How much worse the seat's plan becomes when it does the deed this turn."""
    view = outlook.view
    plan = best_plan(view, outlook.seat, outlook.rates)
    undertaken = Obligation(
        id="?deed",
        deal="?",
        parties=(),
        clause=Undertake(to=outlook.seat, deed=deed, turn=view.turn, by="economy"),
        made=view.turn,
    )
    bound = replace(view, obligations={**view.obligations, "?deed": undertaken})
    doing = best_plan(bound, outlook.seat, outlook.rates)
    return float("inf") if doing.undone > plan.undone else plan.value - doing.value


def _can_keep(outlook: Outlook, promise: Obligation, what: object) -> bool:
    """Whether the debtor's own plan has left what a new promise will come to."""
    clause = promise.clause
    assert isinstance(clause, Pledge)
    if promise.id in outlook.standing or not isinstance(what, Give) or not what.goods:
        return True
    if clause.due != outlook.view.turn + 1:
        return True  # beyond what a plan of this turn shows
    view = outlook.view
    if isinstance(clause.what, OneOf):
        # A plan sets nothing aside for a choice of the next turn: it is asked for what that comes to.
        named = replace(promise, clause=replace(clause, what=what))
        view = replace(view, obligations={**view.obligations, promise.id: named})
    return best_plan(view, promise.debtor, outlook.rates).missing == 0


def most_payable(debtor: SeatView, clause: Pledge, turn: int) -> Goods:
    """The most of each good that a seat could have when a promise falls due, from what it has and makes."""
    there = goods_of(debtor)
    phases = clause.due - turn  # of production until then
    if phases <= 0:
        return there
    made = NOTHING
    for name, held in debtor.cards.items():
        for converter in CATALOG.cards[name].face(held.flipped).converters:
            # What takes something runs every other turn, as a rule; next turn's plan is looked at besides.
            often = phases if converter.costs[0].is_free() else (phases + 1) // 2
            for _ in range(often * (2 if held.seedling else 1)):
                made = made + converter.gain + converter.donate
    return there + made


def _short_now(outlook: Outlook) -> float:
    """What a seat has promised for the close of this turn and does not have costs what breaking it costs."""
    view, area = outlook.view, outlook.view.players[outlook.seat]
    have = goods_of(area)
    owed = owed_by(outlook.seat, view.obligations.values(), view.turn, have, view.choices).now
    short = owed - owed.common(have)
    return float(penalty(Give(giver=outlook.seat, to=outlook.seat, goods=short)))


def _costs(outlook: Outlook, promise: Obligation) -> float:
    """What a promise costs its debtor over and above what his plan of this turn shows."""
    clause = promise.clause
    assert isinstance(clause, Pledge)
    if clause.due > TURNS:
        return 0.0
    value_of = PLEDGED.get(type(clause.what))
    if value_of is None:
        return UNKNOWN
    own = promise.awaits is None or promise.awaits.who == outlook.seat
    if isinstance(clause.what, Give) and own and clause.due <= outlook.view.turn + 1:
        # The plan sets the goods aside already; cards come on top.
        clause = replace(clause, what=replace(clause.what, goods=NOTHING))
    cost = value_of(outlook, clause, outlook.seat)
    if isinstance(clause.what, OneOf) and own and clause.due <= outlook.view.turn:
        # The plan sets one way of keeping it aside; a dearer one costs the rest.
        area = outlook.view.players[outlook.seat]
        kept = set_aside(promise, clause.what, goods_of(area), outlook.view.choices)
        cost = max(0.0, cost - outlook.rates.goods(kept, outlook.view.turn))
    return cost


# What is handed over, to the seat that gives it or to the one that gets it.


def _goods_and_cards(outlook: Outlook, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, Give)
    turn = min(TURNS, max(outlook.view.turn, clause.due - 1))
    cards = what.cards
    if seat == what.to:
        cards = tuple(card for card in cards if card in outlook.view.players[what.giver].cards)
    then = replace(outlook.view, turn=turn)
    worths = sorted((card_worth(then, seat, card, outlook.rates) for card in cards), reverse=True)
    if seat == what.giver:
        return outlook.rates.goods(what.goods, turn) + sum(worths)
    return outlook.rates.goods(what.goods, turn) + sum(one * FEWER**n for n, one in enumerate(worths))


def _loan(outlook: Outlook, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, Lend)
    held = next((a.cards[what.card] for a in outlook.view.players if what.card in a.cards), None)
    owner = None if held is None else held.owner
    face = CATALOG.cards[what.card].face(held is not None and held.flipped)
    profit = sum(outlook.rates.profit(converter, clause.due) for converter in face.converters)
    if seat == what.giver:
        return max(COMFORT, profit)
    return profit if owner == what.giver else 0.0


def _licence(outlook: Outlook, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, License)
    if seat == what.giver:
        return 0.2
    maker, mine = outlook.view.players[what.giver], outlook.view.players[seat]
    own = CATALOG.species_technology[mine.species, what.technology]
    if own not in mine.deck or not rules_of(maker.species).licenses(maker, what.technology):
        return 0.0
    return outlook.rates.later(CATALOG.cards[own].front, clause.due - 1)


def _choice(outlook: Outlook, clause: Pledge, seat: Seat) -> float:
    """The dearest lot: what it may cost its debtor (its creditor counts on the cheapest)."""
    what = clause.what
    assert isinstance(what, OneOf)
    turn = min(TURNS, max(outlook.view.turn, clause.due - 1))
    worths = [
        outlook.rates.goods(lot.goods, turn)
        + lot.cubes * max((outlook.rates.of(kind, turn) for kind in lot.kinds), default=0.0)
        for lot in what.lots
    ]
    return max(worths, default=0.0)


PLEDGED: dict[type, Callable[[Outlook, Pledge, Seat], float]] = {
    Give: _goods_and_cards,
    Lend: _loan,
    License: _licence,
    OneOf: _choice,
}

"""Valuation: what a deal of any clauses is worth to a seat, from open information.

The best plan with the deal less the best plan without it, and what no plan of this turn shows: `clauses`
says what promises and restraint are worth.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import (
    AnyClause,
    CardId,
    Deal,
    Deed,
    Forbear,
    Give,
    Handing,
    Lend,
    License,
    Obligation,
    Pledge,
    Seat,
    Undertake,
    sides,
)
from elysian.deck import CATALOG
from elysian.rules.owing import goods_of, owed_by
from elysian.rules.promises import CARD_PENALTY
from elysian.species import rules_of
from elysian.state import TURNS, Held
from elysian.view import SeatView, View
from elysian.worth.clauses import Outlook, overdrawn, promises_worth, tokens_worth
from elysian.worth.parties import shared_worth
from elysian.worth.plans import SeatPlan, best_plan, fears, hand_of
from elysian.worth.prices import Prices, prices
from elysian.worth.seat_model import UNDONE

IMPOSSIBLE = -99.0  # somebody cannot hand over what the deal says


class Judgement(Struct, frozen=True):
    """A deal through the eyes of one seat."""

    gain: float
    before: SeatPlan
    after: SeatPlan
    shared: tuple[
        str, ...
    ] = ()  # technologies that come to it because another seat invents them with the deal


def judge(
    view: View,
    seat: Seat,
    clauses: Iterable[AnyClause],
    rates: Prices | None = None,
    settles: Iterable[str] = (),
    distrusted: frozenset[Seat] = frozenset(),
) -> Judgement:
    """What a deal is worth to a seat.

    Promises of the distrusted, and of those who would owe more than anyone believes, count for nothing.
    """
    clauses, settles = tuple(clauses), tuple(settles)
    rates = rates or prices()
    before = best_plan(view, seat, rates)
    then = after(view, clauses, settles)
    if then is None:
        return Judgement(gain=IMPOSSIBLE, before=before, after=before)
    distrusted |= overdrawn(then.obligations.values())
    plan = best_plan(then, seat, rates)
    gain = plan.value - before.value + _safety(view, seat, clauses, rates)
    # A plan counts a deed far above its price, so as to keep its word; what makes the deed possible is not
    # paid for so dearly.
    gain -= (UNDONE - CARD_PENALTY) * max(0, before.undone - plan.undone)
    words = _words(view, then, seat, clauses, rates, distrusted)
    gain += sum(words.values()) - _let_off(view, seat, settles, rates)
    gain += sum(tokens_worth(view, seat, clause, rates) for clause in clauses if isinstance(clause, Give))
    gain += _promised(view, then, seat, clauses, rates, distrusted)
    gain += _overdue(view, seat) - _overdue(then, seat)
    return Judgement(gain=gain, before=before, after=plan, shared=tuple(words))


def _overdue(view: View, seat: Seat) -> float:
    """The points it would cost a seat that it lacks goods it owes in this turn's trading (TRADE-11)."""
    area = view.players[seat]
    have = goods_of(area)
    owed = owed_by(seat, view.obligations.values(), view.turn, have, view.choices).now
    missing = owed - owed.common(have)
    return float(len(missing) + missing.ultratech + missing.point)


def worth(view: View, seat: Seat, clauses: Iterable[AnyClause], rates: Prices | None = None) -> float:
    """What a deal is worth to a seat: its best plan with it, less its best plan without."""
    return judge(view, seat, clauses, rates).gain


def gain_of(view: View, seat: Seat, deal: Deal, parties: tuple[Seat, ...]) -> float:
    """What a deal was worth to a party when it was struck, by what this party saw; `parties` struck it."""
    taker = next((party for party in parties if party not in deal.parties), seat)
    found = judge(view, seat, deal.taken_by(taker).clauses, settles=deal.settles).gain
    return 0.0 if found <= IMPOSSIBLE else round(found, 2)


# ---------------------------------------------------------------- the table afterwards


def after(view: View, clauses: Iterable[AnyClause], settles: Iterable[str] = ()) -> View | None:
    """The table if the deal were struck; None when somebody cannot hand over what it says."""
    players = list(view.players)
    owed = {name: promise for name, promise in view.obligations.items() if name not in set(settles)}
    for n, clause in enumerate(clauses):
        if isinstance(clause, Give | Lend | License):
            if not _hand(view, players, clause):
                return None
        elif isinstance(clause, Pledge | Undertake | Forbear):
            # An obligation of this deal, under a name that no deal has.
            owed[f"?{n}"] = Obligation(id=f"?{n}", deal="?", parties=(), clause=clause, made=view.turn)
    return replace(view, players=tuple(players), obligations=owed)


def _hand(view: View, players: list[SeatView], clause: Handing) -> bool:
    if not (0 <= clause.giver < len(players) and 0 <= clause.to < len(players)):
        return False
    if isinstance(clause, Give):
        return _give(view, players, clause)
    giver, to = players[clause.giver], players[clause.to]
    if isinstance(clause, License):
        card = CATALOG.species_technology[to.species, clause.technology]
        if card in to.deck:
            deck = tuple(c for c in to.deck if c != card)
            players[to.seat] = replace(to, cards={**to.cards, card: Held(owner=to.seat)}, deck=deck)
        return True
    pair = {clause.card, CATALOG.cards[clause.card].mate or clause.card}
    if not pair <= set(giver.cards):
        return False
    _move_cards(players, clause.giver, clause.to, pair)
    return True


def _give(view: View, players: list[SeatView], clause: Give) -> bool:
    giver, to = players[clause.giver], players[clause.to]
    donated = giver.donation + giver.tied
    if not (giver.stock.covers(clause.goods) and donated.covers(clause.donation)):
        return False
    if not set(clause.cards) <= set(giver.cards):
        return False
    got = clause.goods + clause.donation
    for name in clause.cards:
        if (name, -1) not in view.ran:
            got = got + CATALOG.cards[name].when_traded
    from_free = giver.donation.common(clause.donation)
    players[clause.giver] = replace(
        giver,
        stock=giver.stock - clause.goods,
        donation=giver.donation - from_free,
        tied=giver.tied - (clause.donation - from_free),
    )
    players[clause.to] = replace(to, stock=to.stock + replace(got, point=0))
    _move_cards(players, clause.giver, clause.to, set(clause.cards))
    return True


def _move_cards(players: list[SeatView], source: Seat, to: Seat, cards: set[CardId]) -> None:
    """Cards go over, with what they add to the support of their holder."""
    giver, taker = players[source], players[to]
    moved = {name: held for name, held in giver.cards.items() if name in cards}
    more = sum(CATALOG.cards[name].face(held.flipped).support for name, held in moved.items())
    players[source] = replace(
        giver,
        cards={name: held for name, held in giver.cards.items() if name not in cards},
        support=None if giver.support is None else giver.support - more,
    )
    players[to] = replace(
        taker,
        cards={**taker.cards, **moved},
        support=None if taker.support is None else taker.support + more,
    )


# ---------------------------------------------------------------- what no plan of this turn shows


def _promised(
    view: View,
    then: View,
    seat: Seat,
    clauses: tuple[AnyClause, ...],
    rates: Prices,
    doubted: frozenset[Seat],
) -> float:
    """The promises that would stand, less those that stand."""
    if then.obligations.keys() == view.obligations.keys():
        return 0.0
    standing = frozenset(view.obligations)
    safe_from = _traders(clauses) if seat in _traders(clauses) else frozenset()
    before = Outlook(view, seat, rates, doubted, standing, safe_from)
    return promises_worth(replace(before, view=then)) - promises_worth(before)


def _words(
    view: View,
    then: View,
    seat: Seat,
    clauses: tuple[AnyClause, ...],
    rates: Prices,
    distrusted: frozenset[Seat],
) -> dict[str, float]:
    """Inventions that others undertake and would not make without the deal, and what they bring a seat."""
    found = {}
    for clause in clauses:
        if not isinstance(clause, Undertake) or clause.deed.who in (seat, *distrusted):
            continue
        deed = clause.deed
        if deed.verb != "invent" or clause.turn != view.turn or deed.subject not in CATALOG.technologies:
            continue
        team = CATALOG.technologies[deed.subject].research
        holder = next((area.seat for area in view.players if team in area.cards), None)
        if holder is None or deed.subject in best_plan(view, holder, rates).invents:
            continue
        if deed.subject in best_plan(then, deed.who, rates).invents:
            found[deed.subject] = _shared(view, seat, deed, rates)
    return {technology: worth for technology, worth in found.items() if worth > 0}


def _shared(view: View, seat: Seat, deed: Deed, rates: Prices) -> float:
    """What a technology that another seat invents this turn brings when it is shared (SHARE-1)."""
    if view.turn >= TURNS or not rules_of(view.players[deed.who].species).shares:
        return 0.0
    return shared_worth(hand_of(view, seat), deed.subject, view.turn, rates)


def _let_off(view: View, seat: Seat, settles: tuple[str, ...], rates: Prices) -> float:
    """What a seat loses when another is let off an invention he gave his word for."""
    lost = 0.0
    for name in settles:
        promise = view.obligations.get(name)
        if promise is None or promise.debtor == seat or not isinstance(promise.clause, Undertake):
            continue
        deed = promise.clause.deed
        if deed.verb == "invent" and deed.subject in CATALOG.technologies:
            lost += _shared(view, seat, deed, rates)
    return lost


def _traders(clauses: tuple[AnyClause, ...]) -> frozenset[Seat]:
    """The seats between which something changes hands now."""
    return frozenset(part for clause in clauses if isinstance(clause, Handing) for part in sides(clause))


def _safety(view: View, seat: Seat, clauses: tuple[AnyClause, ...], rates: Prices) -> float:
    """A trade with a thief protects for this turn (ZETH-3)."""
    seats = _traders(clauses)
    return rates.safety * len(seats & fears(view, seat)) if seat in seats else 0.0

"""Judging: what a deal of any clauses is worth to a seat, from open information."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import (
    AnyClause,
    CardId,
    Deed,
    Forbear,
    Give,
    Handing,
    Lend,
    License,
    NoBid,
    NoSteal,
    NoTake,
    Obligation,
    OneOf,
    Pledge,
    Seat,
    Undertake,
    sides,
)
from elysian.deck import CATALOG
from elysian.goods import NOTHING
from elysian.species import rules_of
from elysian.state import TURNS, Held
from elysian.view import SeatView, View
from elysian.worth.cards import card_worth
from elysian.worth.parties import shared_worth
from elysian.worth.plans import Plan, best_plan, fears, hand_of
from elysian.worth.prices import Prices, prices
from elysian.worth.seat import UNDONE

IMPOSSIBLE = -99.0  # somebody cannot hand over what the deal says
PENALTY = 2.0  # a card or a deed that is missing (TRADE-10, TRADE-11)


class Judgement(Struct, frozen=True):
    """A deal through the eyes of one seat."""

    gain: float
    before: Plan
    after: Plan
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
    """What a deal is worth to a seat; promises of those who broke theirs count for nothing."""
    clauses, settles = tuple(clauses), tuple(settles)
    rates = rates or prices()
    before = best_plan(view, seat, rates)
    then = after(view, clauses, settles)
    if then is None:
        return Judgement(gain=IMPOSSIBLE, before=before, after=before)
    plan = best_plan(then, seat, rates)
    gain = plan.value - before.value + _safety(view, seat, clauses, rates)
    # A plan counts a deed far above its price, so as to keep its word; what makes the deed possible is not
    # paid for so dearly.
    gain -= (UNDONE - PENALTY) * max(0, before.undone - plan.undone)
    words = _words(view, then, seat, clauses, rates, distrusted)
    gain += sum(words.values())
    gain += sum(_beside(view, then, seat, clause, rates, distrusted) for clause in _once(clauses))
    gain += sum(_settled(view, seat, name, rates) for name in settles)
    return Judgement(gain=gain, before=before, after=plan, shared=tuple(words))


def worth(view: View, seat: Seat, clauses: Iterable[AnyClause], rates: Prices | None = None) -> float:
    """What a deal is worth to a seat: its best plan with it, less its best plan without."""
    return judge(view, seat, clauses, rates).gain


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


def _beside(
    view: View, then: View, seat: Seat, clause: AnyClause, rates: Prices, distrusted: frozenset[Seat]
) -> float:
    """Donation goods, tokens, promises and restraint."""
    if isinstance(clause, Give):
        return _tokens(view, seat, clause, rates)
    if isinstance(clause, Pledge):
        return _pledged(view, then, seat, clause, rates, distrusted)
    if isinstance(clause, Undertake):
        # The plan of this turn shows what a deed of this turn costs.
        later = clause.turn != view.turn or clause.deed.verb in ("buy", "bid")
        return -PENALTY if clause.deed.who == seat and later else 0.0
    if isinstance(clause, Forbear):
        return _restraint(view, seat, clause, rates)
    return 0.0


def _once(clauses: tuple[AnyClause, ...]) -> list[AnyClause]:
    """The clauses without those that say again what another says: the same restraint or deed counts once."""
    said: dict[object, AnyClause] = {}
    for n, clause in enumerate(clauses):
        key: object = n
        if isinstance(clause, Forbear):
            key = (clause.who, clause.what)
        elif isinstance(clause, Undertake):
            key = clause.deed
        other = said.get(key)
        if not (isinstance(clause, Forbear) and isinstance(other, Forbear) and other.until >= clause.until):
            said[key] = clause
    return list(said.values())


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


def _tokens(view: View, seat: Seat, clause: Give, rates: Prices) -> float:
    left = TURNS - view.turn
    envoys = clause.goods.envoy + clause.donation.envoy
    if clause.giver == seat:
        kept = rates.donated * rates.goods(clause.donation, view.turn)
        return rates.envoy * left * envoys + rates.acknowledged * clause.goods.acknowledgement - kept
    if clause.to == seat:
        return clause.donation.point - rates.envoy * left * envoys
    return 0.0


def _pledged(
    view: View, then: View, seat: Seat, clause: Pledge, rates: Prices, distrusted: frozenset[Seat]
) -> float:
    """A promise costs its debtor what it says; its creditor counts on it as far as it can be kept."""
    what = clause.what
    if seat not in (what.giver, what.to) or clause.due > TURNS:
        return 0.0
    if isinstance(what, OneOf):
        return -_worst(what, rates, clause.due) if seat == what.giver else 0.0
    likely = 1.0 if clause.only_if is None else 0.5
    if seat == what.giver:
        in_plan = clause.due <= view.turn + 1 and _counts_now(clause, seat)
        value = _promised(view, what, seat, rates, clause.due)
        if isinstance(what, Give) and in_plan:
            # The plan sets the goods aside already; cards and what is short of them come on top.
            value = _promised(view, replace(what, goods=NOTHING), seat, rates, clause.due)
        return -value
    if what.giver in distrusted or not _can_keep(then, clause, rates):
        return 0.0
    return likely * rates.trust * _promised(view, what, seat, rates, clause.due)


def _worst(what: OneOf, rates: Prices, due: int) -> float:
    """What a promise of a choice may cost its debtor; nobody else counts on it yet."""
    turn = min(TURNS, due)
    return max(
        rates.goods(lot.goods, turn)
        + lot.goods.ultratech
        + lot.cubes * max((1.0, *(rates.of(kind, turn) for kind in lot.kinds)))
        for lot in what.lots
    )


def _counts_now(clause: Pledge, seat: Seat) -> bool:
    return clause.only_if is None or clause.only_if.who == seat


def _can_keep(then: View, clause: Pledge, rates: Prices) -> bool:
    """Whether the debtor's own plan has the goods left, or the card is at hand."""
    what = clause.what
    if isinstance(what, Give):
        cards = set(what.cards) <= set(then.players[what.giver].cards)
        return cards and (clause.due > then.turn + 1 or best_plan(then, what.giver, rates).missing == 0)
    if isinstance(what, Lend):
        return any(
            what.card in area.cards and area.cards[what.card].owner == what.giver for area in then.players
        )
    return True


def _promised(view: View, what: Handing, seat: Seat, rates: Prices, due: int) -> float:
    """What a handing-over in a later turn means to one of its sides."""
    turn = min(TURNS, max(view.turn, due - 1))
    if isinstance(what, Give):
        return rates.goods(what.goods, turn) + sum(card_worth(view, seat, card, rates) for card in what.cards)
    if isinstance(what, Lend):
        face = CATALOG.cards[what.card].front
        return max(0.3, sum(rates.profit(converter, due) for converter in face.converters))
    if seat == what.giver:
        return 0.2
    own = CATALOG.species_technology[view.players[seat].species, what.technology]
    return rates.later(CATALOG.cards[own].front, due - 1) if own in view.players[seat].deck else 0.0


def _restraint(view: View, seat: Seat, clause: Forbear, rates: Prices, anew: bool = False) -> float:
    """Not stealing, not taking, not bidding: a price for the one, a little comfort for the other."""
    last = view.turn - 1 if anew else max(view.turn - 1, _held_back(view, clause))
    turns = min(TURNS, clause.until) - last
    if turns <= 0:
        return 0.0  # it is promised already
    if isinstance(clause.what, NoSteal):
        value = rates.safety * turns if rules_of(view.players[clause.who].species).steals else 0.0
        return -value if seat == clause.who else value if seat == clause.what.target else 0.0
    if not isinstance(clause.what, NoBid | NoTake):
        return -PENALTY * turns if seat == clause.who else 0.0  # nobody counts on it yet
    if isinstance(clause.what, NoBid):
        ships = max(0, view.players[clause.who].stock.ship - clause.what.most)
        value = 2.0 * rates.of("ship", view.turn) * ships * turns
    else:
        value = 0.4 * card_worth(view, seat, clause.what.card, rates)
    return -value if seat == clause.who else value / len(view.players) if seat == clause.to else 0.0


def _held_back(view: View, clause: Forbear) -> int:
    """The last turn for which the same restraint stands already."""
    return max(
        (
            owed.clause.until
            for owed in view.obligations.values()
            if isinstance(owed.clause, Forbear)
            and (owed.clause.who, owed.clause.what) == (clause.who, clause.what)
        ),
        default=0,
    )


def _settled(view: View, seat: Seat, name: str, rates: Prices) -> float:
    """A promise that is replaced: its debtor's plan is free of it, others get nothing for it."""
    promise = view.obligations.get(name)
    if promise is None or promise.debtor == seat:
        return 0.0
    clause = promise.clause
    if isinstance(clause, Pledge):
        what = clause.what
        if isinstance(what, OneOf):
            kept = _worst(what, rates, clause.due)
        else:
            kept = rates.trust * _promised(view, what, seat, rates, clause.due)
        return -kept if promise.creditor == seat else 0.0
    if isinstance(clause, Forbear):
        if promise.creditor == seat and not isinstance(clause.what, NoSteal | NoBid | NoTake):
            return -PENALTY
        return -max(0.0, _restraint(view, seat, clause, rates, anew=True))
    if clause.deed.verb == "invent" and clause.deed.subject in CATALOG.technologies:
        return -_shared(view, seat, clause.deed, rates)
    return 0.0


def _safety(view: View, seat: Seat, clauses: tuple[AnyClause, ...], rates: Prices) -> float:
    """A trade with a thief protects for this turn (ZETH-3)."""
    seats = {part for clause in clauses if isinstance(clause, Handing) for part in sides(clause)}
    return rates.safety * len(seats & fears(view, seat)) if seat in seats else 0.0

"""What promises and restraint are worth, which no plan of this turn shows.

A promise is worth what it can change, judged from what everybody can see:

- nothing for what cannot happen: a condition nobody can meet, goods that cannot be there by then, a card
  that no longer comes up for auction, a move nobody would make;
- no more than the debtor can ever pay, his older promises first, and no more than breaking it would cost
  him: who gains more by breaking his word than the penalty is not believed for more;
- restraint at most what the move could cost me, times how likely it is; several promises not to make moves
  of which only one can be made count as one;
- to the one who gives it, all that it may cost: bots keep their word.

All promises that stand have a worth together, and a deal is worth the difference between those that would
stand and those that do: saying the same twice, or in many deals, brings nothing.

Each kind has one function, found by its type in PLEDGED, RESTRAINTS and RIVALS. A kind that has none is worth
nothing to whom it is owed, and costs UNKNOWN to the one who gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Action
from elysian.deals import (
    CardId,
    Deed,
    Forbear,
    Give,
    Lend,
    License,
    NoBid,
    NoSteal,
    NoTake,
    Obligation,
    Pledge,
    Seat,
    Undertake,
    owed_by,
)
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.rules.promises import CARD_PENALTY, penalty
from elysian.species import rules_of
from elysian.state import TURNS, Run
from elysian.view import SeatView, View
from elysian.worth.card_values import card_worth
from elysian.worth.plans import best_plan
from elysian.worth.prices import Prices
from elysian.worth.seat_model import deeds_of

CREDIT = 8  # promised goods of one seat that are believed at a time; a card counts as two
UNKNOWN = 8.0  # what a promise of a kind nobody has valued costs its giver
LIKELY = 0.9  # a deed that is in somebody's plan is done
POSSIBLE = 0.2  # one that could be done at once, but is in no plan
REMOTE = 0.05  # one for which something has yet to come
FEWER = 0.8  # each further card of a kind is worth so much less
COMFORT = 0.3  # the least it costs to lend a card: it is not at home when it is wanted
FORGONE = 0.4  # of a card's worth: not to be allowed to take it
RIVAL = 0.25  # how often a rival who wants a card most takes it before me
OTHERWISE = 0.05  # how often one who wants another card more does
LATER = 0.25  # how often one has not traded with a thief in a later turn, and is in danger at all


class Table(Struct, frozen=True):
    """A table as one seat values the promises on it."""

    view: View
    seat: Seat
    rates: Prices
    doubted: frozenset[Seat] = frozenset()  # seats whose word counts for nothing
    standing: frozenset[str] = frozenset()  # promises that stood before the deal at hand
    safe_from: frozenset[Seat] = frozenset()  # thieves from whom this turn is safe anyway


def overdrawn(obligations: Iterable[Obligation]) -> frozenset[Seat]:
    """Seats that owe more than anyone should believe."""
    owed: dict[Seat, int] = {}
    for promise in obligations:
        clause = promise.clause
        if isinstance(clause, Pledge):
            what = clause.what
            pieces = len(what.goods) + 2 * len(what.cards) if isinstance(what, Give) else 2
            owed[promise.debtor] = owed.get(promise.debtor, 0) + pieces
    return frozenset(seat for seat, n in owed.items() if n > CREDIT)


def promises_worth(table: Table) -> float:
    """What all promises on the table are worth to the seat: those owed to it less those it owes."""
    if not table.view.obligations:
        return 0.0
    return _pledges(table) + _restraint(table) - _undertaken(table)


# ---------------------------------------------------------------- pledges


def _pledges(table: Table) -> float:
    owed = [promise for promise in table.view.obligations.values() if isinstance(promise.clause, Pledge)]
    total = -_short_now(table)
    for debtor in sorted({promise.debtor for promise in owed}):
        mine = [promise for promise in owed if promise.debtor == debtor]
        if debtor == table.seat:
            total -= sum(_costs(table, promise) for promise in mine)
        elif debtor not in table.doubted and any(promise.creditor == table.seat for promise in mine):
            total += _from_debtor(table, debtor, mine)
    return total


def _from_debtor(table: Table, debtor: Seat, promises: Iterable[Obligation]) -> float:
    """What the seat can count on; the debtor's promises to others that are older or as old come first."""
    total = 0.0
    paid = NOTHING  # by promises before this one: the same goods do not pay twice
    cards: set[CardId] = set()
    for promise in promises:
        clause = promise.clause
        assert isinstance(clause, Pledge)
        what = clause.what
        if isinstance(what, Give):
            there = most_payable(table.view.players[debtor], clause, table.view.turn)
            goods = what.goods.common(there - there.common(paid))
            left = tuple(card for card in what.cards if card not in cards)
            paid, what = paid + goods, replace(what, goods=goods, cards=left)
            cards.update(left)
        if promise.creditor == table.seat and _can_keep(table, promise):
            total += _expected(table, promise, replace(clause, what=what))
    return total


def _expected(table: Table, promise: Obligation, clause: Pledge) -> float:
    value_of = PLEDGED.get(type(clause.what))
    if value_of is None or clause.due > TURNS:
        return 0.0
    value = min(float(penalty(clause.what)), value_of(table, clause, table.seat))
    # The further off, the more can come between.
    value *= table.rates.trust ** max(1, clause.due - table.view.turn)
    if clause.only_if is None or promise.met:
        return value
    return _conditional(table, clause, value)


def _conditional(table: Table, clause: Pledge, value: float) -> float:
    """What a promise is worth that hangs on a deed."""
    deed = clause.only_if
    assert deed is not None
    if deed.who == clause.what.giver:
        return 0.0  # the debtor need not do it
    chance = chance_of(table, deed, clause.due)
    if deed.who != table.seat or chance >= LIKELY or chance <= REMOTE:
        return chance * value
    # I can do it at once, but my plan does not: what doing it costs goes off.
    return max(chance * value, LIKELY * value - _price_of(table, deed))


def _price_of(table: Table, deed: Deed) -> float:
    """How much worse the seat's plan becomes when it does the deed this turn."""
    view = table.view
    plan = best_plan(view, table.seat, table.rates)
    undertaken = Obligation(
        id="?deed",
        deal="?",
        parties=(),
        clause=Undertake(to=table.seat, deed=deed, turn=view.turn, by="economy"),
        made=view.turn,
    )
    bound = replace(view, obligations={**view.obligations, "?deed": undertaken})
    doing = best_plan(bound, table.seat, table.rates)
    return float("inf") if doing.undone > plan.undone else plan.value - doing.value


def _can_keep(table: Table, promise: Obligation) -> bool:
    """Whether the debtor's own plan has the goods of a new promise left."""
    clause = promise.clause
    assert isinstance(clause, Pledge)
    if promise.id in table.standing or not isinstance(clause.what, Give) or not clause.what.goods:
        return True
    if clause.due != table.view.turn + 1:
        return True  # beyond what a plan of this turn shows
    return best_plan(table.view, promise.debtor, table.rates).missing == 0


def most_payable(debtor: SeatView, clause: Pledge, turn: int) -> Goods:
    """The most of each good that a seat could have when a promise falls due, from what it has and makes."""
    there = debtor.stock + debtor.donation + debtor.tied
    phases = clause.due - turn  # of production until then
    if phases <= 0:
        return there
    made = NOTHING
    for name, held in debtor.cards.items():
        card = CATALOG.cards[name]
        times = phases * (2 if held.seedling else 1)
        for converter in (*card.face(held.flipped).converters, *(card.back or card.front).converters):
            for _ in range(times):
                made = made + converter.gain + converter.donate
    return there + made


def _short_now(table: Table) -> float:
    """What a seat has promised for the close of this turn and does not have costs what breaking it costs."""
    owed = owed_by(table.seat, table.view.obligations.values(), table.view.turn).now
    short = owed - owed.common(table.view.players[table.seat].stock)
    return float(penalty(Give(giver=table.seat, to=table.seat, goods=short)))


def _costs(table: Table, promise: Obligation) -> float:
    """What a promise costs its debtor over and above what his plan of this turn shows."""
    clause = promise.clause
    assert isinstance(clause, Pledge)
    if clause.due > TURNS:
        return 0.0
    value_of = PLEDGED.get(type(clause.what))
    if value_of is None:
        return UNKNOWN
    own = clause.only_if is None or promise.met or clause.only_if.who == table.seat
    if isinstance(clause.what, Give) and own and clause.due <= table.view.turn + 1:
        # The plan sets the goods aside already; cards come on top.
        clause = replace(clause, what=replace(clause.what, goods=NOTHING))
    return value_of(table, clause, table.seat)


# What is handed over, to the seat that gives it or to the one that gets it.


def _goods_and_cards(table: Table, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, Give)
    turn = min(TURNS, max(table.view.turn, clause.due - 1))
    cards = what.cards
    if seat == what.to:
        cards = tuple(card for card in cards if card in table.view.players[what.giver].cards)
    then = replace(table.view, turn=turn)
    worths = sorted((card_worth(then, seat, card, table.rates) for card in cards), reverse=True)
    if seat == what.giver:
        return table.rates.goods(what.goods, turn) + sum(worths)
    return table.rates.goods(what.goods, turn) + sum(one * FEWER**n for n, one in enumerate(worths))


def _loan(table: Table, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, Lend)
    held = next((a.cards[what.card] for a in table.view.players if what.card in a.cards), None)
    owner = None if held is None else held.owner
    face = CATALOG.cards[what.card].face(held is not None and held.flipped)
    profit = sum(table.rates.profit(converter, clause.due) for converter in face.converters)
    if seat == what.giver:
        return max(COMFORT, profit)
    return profit if owner == what.giver else 0.0


def _licence(table: Table, clause: Pledge, seat: Seat) -> float:
    what = clause.what
    assert isinstance(what, License)
    if seat == what.giver:
        return 0.2
    maker, mine = table.view.players[what.giver], table.view.players[seat]
    own = CATALOG.species_technology[mine.species, what.technology]
    if own not in mine.deck or not rules_of(maker.species).licenses(maker, what.technology):
        return 0.0
    return table.rates.later(CATALOG.cards[own].front, clause.due - 1)


PLEDGED: dict[type, Callable[[Table, Pledge, Seat], float]] = {
    Give: _goods_and_cards,
    Lend: _loan,
    License: _licence,
}


# ---------------------------------------------------------------- conditions


def chance_of(table: Table, deed: Deed, due: int) -> float:
    """How likely a deed is done in time for a promise that falls due in a turn."""
    near = _nearness(table.view, deed, due)
    if near is None:
        return 0.0
    if not near:
        return REMOTE
    plan = best_plan(table.view, deed.who, table.rates)
    steps: list[Action | Run] = [*plan.moves, *plan.runs]
    planned = any((deed.verb, deed.subject) in deeds_of(step) for step in steps)
    return LIKELY if planned else POSSIBLE


def _nearness(view: View, deed: Deed, due: int) -> bool | None:
    """Whether a seat has what a deed takes, or something has yet to come (False); None: it cannot be done."""
    who = view.players[deed.who]
    if deed.verb == "invent":
        return _inventing(view, who, CATALOG.team(deed.subject), due)
    if deed.verb == "buy":
        if due <= view.turn or view.turn >= TURNS:
            return None  # auctions come after trading
        return True if on_track(view, deed.subject) else False if may_come(view, deed.subject) else None
    if deed.subject not in CATALOG.cards or deed.verb not in ("run", "upgrade"):
        return None
    held = who.cards.get(deed.subject)
    if held is None:
        return False if _may_get(view, who, deed.subject, due) else None
    card = CATALOG.cards[deed.subject]
    if deed.verb == "upgrade":
        return None if held.flipped or not card.upgrades else True
    face = card.face(held.flipped)
    in_time = due > view.turn or any(converter.when == "trade" for converter in face.converters)
    return True if in_time and not (card.lent_only and held.owner == who.seat) else None


def _inventing(view: View, who: SeatView, team: CardId, due: int) -> bool | None:
    invented = {*view.shared, *(card for area in view.players for card in area.invented)}
    if team in invented or team in view.removed:
        return None
    if team in who.cards:
        return True
    held = any(team in area.cards for area in view.players)
    return False if held or (due > view.turn and (on_track(view, team) or may_come(view, team))) else None


def _may_get(view: View, who: SeatView, card: CardId, due: int) -> bool:
    """Whether a seat could still come to hold a card: from its own deck, from others, from a track."""
    if card in who.deck:
        return True
    printed = CATALOG.cards[card]
    if any(card in area.cards for area in view.players):
        return printed.tradable
    return due > view.turn and (on_track(view, card) or may_come(view, card))


def on_track(view: View, card: CardId) -> bool:
    """Whether a card lies on a track."""
    return card in (*view.colony_track, *view.research_track)


def may_come(view: View, card: CardId) -> bool:
    """Whether a card that lies on no track could still come onto one."""
    printed = CATALOG.cards[card]
    if printed.kind not in ("colony", "research") or view.turn >= TURNS or card in view.removed:
        return False
    deck = view.colony_deck if printed.kind == "colony" else view.research_deck
    gone = {*view.shared, *(name for area in view.players for name in (*area.cards, *area.invented))}
    return bool(deck.count) and card not in gone and card not in deck.under


# ---------------------------------------------------------------- deeds


def _undertaken(table: Table) -> float:
    """What deeds cost the seat that undertook them; those of this turn show in its plan."""
    later = {
        clause.deed
        for promise in table.view.obligations.values()
        if isinstance(clause := promise.clause, Undertake)
        and clause.deed.who == table.seat
        and (clause.turn != table.view.turn or clause.deed.verb not in ("run", "invent", "upgrade"))
    }
    return float(CARD_PENALTY * len(later))


# ---------------------------------------------------------------- restraint


def _restraint(table: Table) -> float:
    """What restraint brings the seat, less what its own costs it; the same restraint counts once."""
    forborne: dict[object, Forbear] = {}
    for promise in table.view.obligations.values():
        clause = promise.clause
        if isinstance(clause, Forbear) and clause.until >= table.view.turn:
            key = (clause.who, clause.what)
            before = forborne.get(key)
            if before is None or before.until < clause.until:
                forborne[key] = clause
    if not forborne:
        return 0.0
    total = 0.0
    for one in forborne.values():
        if one.who == table.seat:
            total -= RESTRAINTS.get(type(one.what), _unknown)(table, one)
        elif isinstance(one.what, NoSteal) and one.what.target == table.seat:
            total += _not_robbed(table, one)
    rivals = [one for one in forborne.values() if one.to == table.seat != one.who]
    return total + sum(_rivalry(table, track, rivals) for track in ("colony", "research"))


def _turns(table: Table, one: Forbear) -> int:
    """The turns for which a promise not to steal changes anything."""
    assert isinstance(one.what, NoSteal)
    view = table.view
    turns = min(TURNS, one.until) - view.turn + 1
    traded = (one.who, one.what.target) in view.traded or (
        one.what.target == table.seat and one.who in table.safe_from
    )
    return max(0, turns - traded)


def _unknown(table: Table, one: Forbear) -> float:
    return UNKNOWN


def _not_stealing(table: Table, one: Forbear) -> float:
    steals = rules_of(table.view.players[one.who].species).steals
    return table.rates.safety * _turns(table, one) if steals else 0.0


def _not_robbed(table: Table, one: Forbear) -> float:
    """A thief robs one seat with each of his cards: the more others he can rob, the less likely me."""
    view, thief = table.view, table.view.players[one.who]
    thefts = sum(
        converter.when == "steal"
        for name, held in thief.cards.items()
        for converter in CATALOG.cards[name].face(held.flipped).converters
    )
    robbed = [a.seat for a in view.players if a.seat != one.who and (one.who, a.seat) not in view.traded]
    chance = min(1.0, thefts / max(1, len(robbed)))
    turns = _turns(table, one)
    return table.rates.safety * chance * (min(1, turns) + LATER * max(0, turns - 1))


def _not_taking(table: Table, one: Forbear) -> float:
    assert isinstance(one.what, NoTake)
    view, card = table.view, one.what.card
    if view.turn >= TURNS or not (on_track(view, card) or may_come(view, card)):
        return 0.0
    return FORGONE * card_worth(view, table.seat, card, table.rates, bought=True)


def _not_bidding(table: Table, one: Forbear) -> float:
    assert isinstance(one.what, NoBid)
    ships = max(0, table.view.players[one.who].stock.ship - one.what.most)
    turns = min(TURNS - 1, one.until) - table.view.turn + 1
    return 2.0 * table.rates.of("ship", table.view.turn) * ships * max(0, turns)


# What it costs a seat not to make a move.
RESTRAINTS: dict[type, Callable[[Table, Forbear], float]] = {
    NoSteal: _not_stealing,
    NoTake: _not_taking,
    NoBid: _not_bidding,
}


def _rivalry(table: Table, track: str, forborne: list[Forbear]) -> float:
    """What it is worth that some rivals stay away from a track this turn.

    A rival takes one card in an auction. It costs me something only if it is the card I want most, and then
    the difference to the next best. What comes onto the track in later turns nobody knows.
    """
    view, me = table.view, table.seat
    wanted = _reach(table, me, track)
    if view.turn >= TURNS or not wanted or _is_over(view, track):
        return 0.0
    best, worth = wanted[0]
    loss = worth - (wanted[1][1] if len(wanted) > 1 else 0.0)
    chances: dict[Seat, float] = {}
    for one in forborne:
        binds = RIVALS.get(type(one.what))
        if binds is not None and binds(table, one, track, best):
            chances[one.who] = _takes(table, one.who, track, best)
    return loss * min(1.0, sum(chances.values()))


def _reach(table: Table, seat: Seat, track: str) -> list[tuple[CardId, float]]:
    """The cards of a track that a seat could take with all its ships, the most worth first."""
    view = table.view
    colony = track == "colony"
    cards = view.colony_track if colony else view.research_track
    minimums = view.colony_minimums if colony else view.research_minimums
    ships = view.players[seat].stock.ship
    strength = rules_of(view.players[seat].species).colony_bid(ships) if colony else ships
    found = [
        (card, card_worth(view, seat, card, table.rates, bought=True))
        for card, minimum in zip(cards, minimums, strict=True)
        if card is not None and minimum <= strength
    ]
    return sorted(found, key=lambda one: -one[1])


def _takes(table: Table, rival: Seat, track: str, card: CardId) -> float:
    """How likely a rival would take a card from a track before me."""
    reach = _reach(table, rival, track)
    if card not in dict(reach):
        return 0.0
    return RIVAL if reach[0][0] == card else OTHERWISE


def _is_over(view: View, track: str) -> bool:
    return view.step == "steal" or (track == "colony" and view.step == "research_auction")


def _leaves(table: Table, one: Forbear, track: str, card: CardId) -> bool:
    assert isinstance(one.what, NoTake)
    return one.what.card == card


def _stays_below(table: Table, one: Forbear, track: str, card: CardId) -> bool:
    """Whether the rival could bid more than he now may, and may bid less than I can."""
    assert isinstance(one.what, NoBid)
    ships = table.view.players[one.who].stock.ship
    mine = table.view.players[table.seat].stock.ship
    return one.what.track == track and one.what.most < min(ships, mine)


# Whether a restraint keeps a rival from taking the card I want most.
RIVALS: dict[type, Callable[[Table, Forbear, str, CardId], bool]] = {
    NoTake: _leaves,
    NoBid: _stays_below,
}


# ---------------------------------------------------------------- tokens


def tokens_worth(view: View, seat: Seat, clause: Give, rates: Prices) -> float:
    """Donation goods, envoys and acknowledgements that change hands now."""
    left = TURNS - view.turn
    envoys = clause.goods.envoy + clause.donation.envoy
    if clause.giver == seat:
        kept = rates.donated * rates.goods(clause.donation, view.turn)
        # One comes back for each invention: more than can be invented are of no use to their maker (FAD-8).
        held = view.players[clause.to].stock.acknowledgement
        useful = max(0, min(2, left + 1) - held)
        thanks = rates.acknowledged * min(useful, clause.goods.acknowledgement)
        return rates.envoy * left * envoys + thanks - kept
    if clause.to == seat:
        return clause.donation.point - rates.envoy * left * envoys
    return 0.0


__all__ = [
    "Table",
    "chance_of",
    "may_come",
    "most_payable",
    "on_track",
    "overdrawn",
    "promises_worth",
    "tokens_worth",
]

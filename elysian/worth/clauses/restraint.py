"""Restraint: what it is worth that somebody forbears a move, and what it costs him."""

from __future__ import annotations

from collections.abc import Callable

from elysian.deals import CardId, Forbear, NoBid, NoHand, NoInvent, NoLicense, NoSteal, NoTake, NoTrade, Seat
from elysian.deck import CATALOG
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import View
from elysian.worth.card_values import card_worth
from elysian.worth.clauses.outlook import UNKNOWN, Outlook, may_come, on_track

FORGONE = 0.4  # of a card's worth: not to be allowed to take it
RIVAL = 0.25  # how often a rival who wants a card most takes it before me
OTHERWISE = 0.05  # how often one who wants another card more does
COMFORT = 0.3  # the least any restraint costs
DEALS = 2.0  # what deals with one seat bring in a turn
LICENCE = 0.5  # what a licence might have been sold for
LATER = 0.25  # how often one has not traded with a thief in a later turn, and is in danger at all


def restraint_worth(outlook: Outlook) -> float:
    """What restraint brings the seat, less what its own costs it; the same restraint counts once."""
    forborne: dict[object, Forbear] = {}
    for promise in outlook.view.obligations.values():
        clause = promise.clause
        if isinstance(clause, Forbear) and clause.until >= outlook.view.turn:
            key = (clause.who, clause.what)
            before = forborne.get(key)
            if before is None or before.until < clause.until:
                forborne[key] = clause
    if not forborne:
        return 0.0
    total = 0.0
    for one in forborne.values():
        if one.who == outlook.seat:
            total -= RESTRAINTS.get(type(one.what), _unknown)(outlook, one)
        elif isinstance(one.what, NoSteal) and one.what.target == outlook.seat:
            total += _not_robbed(outlook, one)
    rivals = [one for one in forborne.values() if one.to == outlook.seat != one.who]
    return total + sum(_rivalry(outlook, track, rivals) for track in ("colony", "research"))


def _turns(outlook: Outlook, one: Forbear) -> int:
    """The turns for which a promise not to steal changes anything."""
    assert isinstance(one.what, NoSteal)
    view = outlook.view
    turns = min(TURNS, one.until) - view.turn + 1
    traded = (one.who, one.what.target) in view.traded or (
        one.what.target == outlook.seat and one.who in outlook.safe_from
    )
    return max(0, turns - traded)


def _unknown(outlook: Outlook, one: Forbear) -> float:
    return UNKNOWN


def _not_stealing(outlook: Outlook, one: Forbear) -> float:
    steals = rules_of(outlook.view.players[one.who].species).steals
    return outlook.rates.safety * _turns(outlook, one) if steals else 0.0


def _not_robbed(outlook: Outlook, one: Forbear) -> float:
    """A thief robs one seat with each of his cards: the more others he can rob, the less likely me."""
    view, thief = outlook.view, outlook.view.players[one.who]
    thefts = sum(
        converter.when == "steal"
        for name, held in thief.cards.items()
        for converter in CATALOG.cards[name].face(held.flipped).converters
    )
    robbed = [a.seat for a in view.players if a.seat != one.who and (one.who, a.seat) not in view.traded]
    chance = min(1.0, thefts / max(1, len(robbed)))
    turns = _turns(outlook, one)
    return outlook.rates.safety * chance * (min(1, turns) + LATER * max(0, turns - 1))


def _not_taking(outlook: Outlook, one: Forbear) -> float:
    assert isinstance(one.what, NoTake)
    view, card = outlook.view, one.what.card
    if view.turn >= TURNS or not (on_track(view, card) or may_come(view, card)):
        return 0.0
    return FORGONE * card_worth(view, outlook.seat, card, outlook.rates, bought=True)


def _not_bidding(outlook: Outlook, one: Forbear) -> float:
    assert isinstance(one.what, NoBid)
    ships = max(0, outlook.view.players[one.who].stock.ship - one.what.most)
    turns = min(TURNS - 1, one.until) - outlook.view.turn + 1
    return 2.0 * outlook.rates.of("ship", outlook.view.turn) * ships * max(0, turns)


def _not_trading(outlook: Outlook, one: Forbear) -> float:
    turns = min(TURNS, one.until) - outlook.view.turn + 1
    return DEALS * turns


def _not_handing(outlook: Outlook, one: Forbear) -> float:
    """A card that stays at home, or goes to one seat only, is worth the less."""
    assert isinstance(one.what, NoHand)
    if one.what.card not in outlook.view.players[one.who].cards:
        return COMFORT
    return max(COMFORT, FORGONE * card_worth(outlook.view, outlook.seat, one.what.card, outlook.rates))


def _not_licensing(outlook: Outlook, one: Forbear) -> float:
    """What everybody else might have paid for a licence."""
    assert isinstance(one.what, NoLicense)
    buyers = [
        area.seat
        for area in outlook.view.players
        if area.seat not in (one.who, one.what.but)
        and CATALOG.species_technology[area.species, one.what.technology] in area.deck
    ]
    return max(COMFORT, LICENCE * len(buyers))


def _not_inventing(outlook: Outlook, one: Forbear) -> float:
    """The whole invention, where the team is at hand."""
    assert isinstance(one.what, NoInvent)
    team = CATALOG.team(one.what.subject)
    if team not in outlook.view.players[one.who].cards:
        return COMFORT
    return max(COMFORT, card_worth(outlook.view, outlook.seat, team, outlook.rates))


# What it costs a seat not to make a move.
RESTRAINTS: dict[type, Callable[[Outlook, Forbear], float]] = {
    NoSteal: _not_stealing,
    NoTake: _not_taking,
    NoBid: _not_bidding,
    NoTrade: _not_trading,
    NoHand: _not_handing,
    NoLicense: _not_licensing,
    NoInvent: _not_inventing,
}


def _rivalry(outlook: Outlook, track: str, forborne: list[Forbear]) -> float:
    """What it is worth that some rivals stay away from a track this turn.

    A rival takes one card in an auction. It costs me something only if it is the card I want most, and then
    the difference to the next best. What comes onto the track in later turns nobody knows.
    """
    view, me = outlook.view, outlook.seat
    wanted = _reach(outlook, me, track)
    if view.turn >= TURNS or not wanted or _is_over(view, track):
        return 0.0
    best, worth = wanted[0]
    loss = worth - (wanted[1][1] if len(wanted) > 1 else 0.0)
    chances: dict[Seat, float] = {}
    for one in forborne:
        binds = RIVALS.get(type(one.what))
        if binds is not None and binds(outlook, one, track, best):
            chances[one.who] = _takes(outlook, one.who, track, best)
    return loss * min(1.0, sum(chances.values()))


def _reach(outlook: Outlook, seat: Seat, track: str) -> list[tuple[CardId, float]]:
    """The cards of a track that a seat could take with all its ships, the most worth first."""
    view = outlook.view
    colony = track == "colony"
    cards = view.colony_track if colony else view.research_track
    minimums = view.colony_minimums if colony else view.research_minimums
    ships = view.players[seat].stock.ship
    strength = rules_of(view.players[seat].species).colony_bid(ships) if colony else ships
    found = [
        (card, card_worth(view, seat, card, outlook.rates, bought=True))
        for card, minimum in zip(cards, minimums, strict=True)
        if card is not None and minimum <= strength
    ]
    return sorted(found, key=lambda one: -one[1])


def _takes(outlook: Outlook, rival: Seat, track: str, card: CardId) -> float:
    """How likely a rival would take a card from a track before me."""
    reach = _reach(outlook, rival, track)
    if card not in dict(reach):
        return 0.0
    return RIVAL if reach[0][0] == card else OTHERWISE


def _is_over(view: View, track: str) -> bool:
    return view.step == "steal" or (track == "colony" and view.step == "research_auction")


def _leaves(outlook: Outlook, one: Forbear, track: str, card: CardId) -> bool:
    assert isinstance(one.what, NoTake)
    return one.what.card == card


def _stays_below(outlook: Outlook, one: Forbear, track: str, card: CardId) -> bool:
    """Whether the rival could bid more than he now may, and may bid less than I can."""
    assert isinstance(one.what, NoBid)
    ships = outlook.view.players[one.who].stock.ship
    mine = outlook.view.players[outlook.seat].stock.ship
    return one.what.track == track and one.what.most < min(ships, mine)


# Whether a restraint keeps a rival from taking the card I want most.
RIVALS: dict[type, Callable[[Outlook, Forbear, str, CardId], bool]] = {
    NoTake: _leaves,
    NoBid: _stays_below,
}

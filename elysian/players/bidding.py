"""Bidding: what the cards on the tracks are worth, and how many ships to set aside for them."""

from __future__ import annotations

from elysian.deck import CATALOG
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import View
from elysian.worth import Prices


def card_worth(view: View, card: str, rates: Prices) -> float:
    """What a card from a track is worth to the seat of this view."""
    printed = CATALOG.cards[card]
    me = view.me
    if printed.research is not None:
        which = 0 if rules_of(me.species).shares else 1
        bonus = view.bonus[min(view.turn, TURNS - 1)][which]
        points = float(printed.research.points + bonus)
        technology = printed.research.technology
        if technology is not None:
            own = CATALOG.cards[CATALOG.species_technology[me.species, technology]]
            points += rates.later(own.front, view.turn)
        cheapest = min(rates.cost(cost, view.turn) for cost in printed.research.costs)
        teams = sum(1 for name in me.cards if CATALOG.cards[name].research is not None)
        return max(0.3, points - cheapest) * 0.8**teams
    held = sum(1 for name in me.cards if CATALOG.cards[name].is_colony)
    times = 2 if rules_of(me.species).settles_with_seedling else 1
    worth = rates.later(printed.front, view.turn, times) + rates.colony
    if me.support is not None and held >= me.support:
        worth *= 0.4
    return worth


def best_bid(view: View, rates: Prices) -> tuple[int, int]:
    """The split of the ships that promises most, rivals bidding half their ships on each track."""
    ships = view.me.stock.ship
    price = rates.of("ship", view.turn)
    colony = _promise(view, rates, "colony", ships)
    research = _promise(view, rates, "research", ships)
    best = (0, 0)
    most = 0.0
    for c in range(ships + 1):
        for r in range(ships + 1 - c):
            gain = colony[c] + research[r] - price * ((c if colony[c] else 0) + (r if research[r] else 0))
            if gain > most + 1e-9:
                best, most = (c, r), gain
    return best


def _promise(view: View, rates: Prices, track: str, ships: int) -> list[float]:
    """For each number of ships bid: what the card is worth that will probably be left."""
    cards = view.colony_track if track == "colony" else view.research_track
    minimums = view.colony_minimums if track == "colony" else view.research_minimums
    worths = [
        (minimum, card_worth(view, card, rates))
        for card, minimum in zip(cards, minimums, strict=True)
        if card is not None
    ]
    rivals = [
        float(rules_of(a.species).colony_bid(a.stock.ship // 2)) if track == "colony" else a.stock.ship / 2
        for a in view.players
        if a.seat != view.seat
    ]
    promise = []
    for n in range(ships + 1):
        strength = float(rules_of(view.me.species).colony_bid(n)) if track == "colony" else float(n)
        before = sum(1 for rival in rivals if rival > strength) + sum(
            0.5 for rival in rivals if rival == strength
        )
        reach = sorted((worth for minimum, worth in worths if minimum <= strength), reverse=True)
        # Rivals want other cards about half of the time.
        place = int(before * 0.6)
        promise.append(reach[place] if place < len(reach) else 0.0)
    return promise


def best_buy(view: View, cards: list[str], rates: Prices) -> str | None:
    """The card most worth having, if it is worth the ships bid for it."""
    if not cards:
        return None
    bidder = next((b for b in view.queue if b.seat == view.seat), None)
    price = rates.of("ship", view.turn) * (bidder.ships if bidder else 0)
    card = max(cards, key=lambda name: card_worth(view, name, rates))
    return card if card_worth(view, card, rates) > price else None

"""What a card from a track, or one that is promised, is worth to a seat."""

from __future__ import annotations

from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import View
from elysian.worth.prices import Prices, prices


def card_worth(
    view: View, seat: Seat, card: CardId, rates: Prices | None = None, bought: bool = False
) -> float:
    """What a research team or a colony is worth to a seat from the next turn on."""
    rates = rates or prices()
    printed = CATALOG.cards[card]
    if printed.research is not None:
        return _team(view, seat, card, rates)
    if not printed.is_colony:
        return rates.later(printed.front, view.turn)
    area = view.players[seat]
    held = sum(1 for name in area.cards if CATALOG.cards[name].is_colony)
    times = 2 if bought and rules_of(area.species).settles_with_seedling else 1
    worth = rates.later(printed.front, view.turn, times) + rates.colony
    if area.support is not None and held >= area.support:
        worth *= 0.4
    return worth


def _team(view: View, seat: Seat, card: CardId, rates: Prices) -> float:
    research = CATALOG.cards[card].research
    assert research is not None
    area = view.players[seat]
    which = 0 if rules_of(area.species).shares else 1
    points = float(research.points + view.bonus[min(view.turn, TURNS - 1)][which])
    own = CATALOG.species_technology.get((area.species, research.technology or ""))
    if own is not None:
        points += rates.later(CATALOG.cards[own].front, view.turn)
    cheapest = min(rates.cost(cost, view.turn) for cost in research.costs)
    teams = sum(1 for name in area.cards if name != card and CATALOG.cards[name].research is not None)
    return float(max(0.3, points - cheapest) * 0.8**teams)

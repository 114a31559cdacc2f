"""What a card from a track, or one that is promised, is worth to a seat; and the ships to bid for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import View
from elysian.worth.prices import Prices, prices

Bonuses = tuple[tuple[int, int], ...]
Offered = tuple[tuple[CardId, int], ...]  # cards on a track, and the smallest bid for each

_TEAMS = frozenset(name for name, card in CATALOG.cards.items() if card.research is not None)

SHIPS = 8  # that are looked at one by one


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
    worth = _settled(card, area.species if bought else "", view.turn, rates)
    if area.support is not None and held >= area.support:
        worth *= rates.crowded
    return worth


def _settled(card: CardId, species: str, turn: int, rates: Prices) -> float:
    """What a colony brings a seat that has room for it; bought, some species make more of it (CAY-2)."""
    times = 2 if species and rules_of(species).settles_with_seedling else 1
    return rates.later(CATALOG.cards[card].front, turn, times) + rates.colony


def _team(view: View, seat: Seat, card: CardId, rates: Prices) -> float:
    area = view.players[seat]
    teams = sum(1 for name in area.cards if name != card and CATALOG.cards[name].research is not None)
    worth = _invented(card, area.species, view.bonus, view.turn, rates)
    return worth * rates.queued**teams / (1 + backlog(view))


def backlog(view: View) -> float:
    """Research teams that wait to be invented, for each seat: all of them want the same goods."""
    return sum(len(_TEAMS & area.cards.keys()) for area in view.players) / len(view.players)


def _invented(card: CardId, species: str, bonus: Bonuses, turn: int, rates: Prices) -> float:
    """What a team brings a seat that has no other, invented in the next turn."""
    research = CATALOG.cards[card].research
    assert research is not None
    which = 0 if rules_of(species).shares else 1
    points = float(research.points + bonus[min(turn, TURNS - 1)][which])
    own = CATALOG.species_technology.get((species, research.technology or ""))
    if own is not None:
        points += rates.later(CATALOG.cards[own].front, turn)
    return max(0.3, points - min(rates.cost(cost, turn) for cost in research.costs))


def ships_worth(view: View, seat: Seat, rates: Prices) -> tuple[float, ...]:
    """What each of the first ships kept for this turn's auctions adds to its price, the most first.

    Whoever has no ship buys nothing, and whoever has ten buys no more than one card on each track.
    """
    if view.turn >= TURNS:
        return ()
    area = view.players[seat]
    teams, colonies = (
        tuple((card, minimum) for card, minimum in zip(track, minimums, strict=True) if card is not None)
        for track, minimums in (
            (view.research_track, view.research_minimums),
            (view.colony_track, view.colony_minimums),
        )
    )
    # In steps, so that what a plan was worth can be remembered while somebody invents.
    waiting = max(0, round(4 * (backlog(view) - rates.invented))) / 4
    return _ships(teams, colonies, area.species, area.support == 0, view.bonus, view.turn, rates, waiting)


@lru_cache(maxsize=5_000)
def _ships(
    teams: Offered,
    colonies: Offered,
    species: str,
    full: bool,
    bonus: Bonuses,
    turn: int,
    rates: Prices,
    waiting: float,
) -> tuple[float, ...]:
    """`waiting`: teams for each seat that will not be invented this turn."""
    left = rates.queued**waiting / (1 + waiting)
    research = [(minimum, left * _invented(card, species, bonus, turn, rates)) for card, minimum in teams]
    share = rates.crowded if full else 1.0
    settled = [(minimum, share * _settled(card, species, turn, rates)) for card, minimum in colonies]
    bid, price = rules_of(species).colony_bid, rates.of("ship", turn)
    one = [max(0.0, _won(research, n, n) - price * n) for n in range(SHIPS + 1)]
    other = [max(0.0, _won(settled, n, float(bid(n))) - price * n) for n in range(SHIPS + 1)]
    best = [max(one[r] + other[c] for r in range(n + 1) for c in range(n + 1 - r)) for n in range(SHIPS + 1)]
    # The smallest concave function above it: a ship that is worth more than those before it evens them out.
    gains: list[tuple[float, int]] = []
    for before, now in pairwise(best):
        gain, ships = now - before, 1
        while gains and gains[-1][0] < gain:
            last, more = gains.pop()
            gain, ships = (gain * ships + last * more) / (ships + more), ships + more
        gains.append((gain, ships))
    return tuple(round(gain, 4) for gain, ships in gains for _ in range(ships) if gain > 0.01)


def _won(cards: Sequence[tuple[int, float]], ships: int, strength: float) -> float:
    """What a bid wins on the whole; each card, the best first, is left the likelier the higher the bid."""
    chance = ships / (ships + 1)
    left, won = 1.0, 0.0
    for worth in sorted((worth for minimum, worth in cards if minimum <= strength), reverse=True):
        won += left * chance * worth
        left *= 1 - chance
    return won

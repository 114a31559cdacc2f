"""Ledger: where the points of recorded games come from, turn by turn, and what goods were really worth.

`python -m tools.ledger runs/some/*.jsonl` prints two tables of whole games. The first is what a seat made,
paid, bought and left lying in each turn, on the whole. The second is what one thing more at the beginning of
a turn went with in points from there to the end, among seats of the same game and species: where that is
far from the price, the price is worth a look (it shows no cause: who is strong also has more).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean

import numpy as np
from msgspec import Struct

from elysian.deck import CATALOG
from elysian.events import (
    CardBought,
    CardUpgraded,
    Event,
    GameScored,
    ProductionRun,
    TechnologiesShared,
    TechnologyInvented,
    TracksRefreshed,
    TurnBegan,
)
from elysian.goods import Goods
from elysian.record import Record, load
from elysian.rules import begin, evolve
from elysian.state import TURNS, PlayerState, State
from elysian.worth import Prices, prices

Entry = tuple[str, int]  # what, in which turn; the end of the game comes after the last
ASKED = ("goods", "team", "cards", "ship")  # of which a beginning tells how much there was


class Beginning(Struct, frozen=True):
    """What a seat had when a turn began, and the points it made from there on."""

    game: int
    turn: int
    species: str
    had: tuple[float, ...]  # goods in small cubes, teams, what cards make by their price, ships
    made: float


def small_cubes(goods: Goods, rates: Prices) -> float:
    """Cubes and ultratech in small cubes, by the prices of a turn: one is like another."""
    worth = sum(n * rates.of(kind, 1) for kind, n in goods.items() if kind not in ("ship", "point"))
    return worth / rates.of("green", 1)


def teams_of(player: PlayerState) -> int:
    """Research teams that wait to be invented."""
    return sum(1 for card in player.cards if CATALOG.cards[card].research is not None)


def told(state: State, event: Event, rates: Prices) -> Iterator[tuple[str, float]]:
    """What one event adds to the ledger of its turn."""
    match event:
        case ProductionRun():
            player = state.players[event.by]
            yield "goods made", small_cubes(event.gain + event.donation, rates)
            yield "paid to converters", small_cubes(event.paid, rates)
            yield "left lying", small_cubes(player.stock - event.paid, rates)
            yield "points of converters", event.gain.point + event.donation.point
            yield "teams waiting", teams_of(player)
        case TechnologyInvented():
            yield f"inventions of era {CATALOG.cards[event.card].era}", 1
            yield "paid for inventions", small_cubes(event.paid, rates)
            yield "points of inventions", event.points + event.bonus
        case TechnologiesShared():
            yield "points for sharing", sum(bonus.points for bonus in event.bonuses)
        case CardUpgraded():
            yield "upgrades", 1
        case CardBought():
            yield f"{event.track} bought", 1
            yield "ships paid", event.ships
        case TracksRefreshed():
            yield "colony unsold", sum(card is not None for card in state.colony_track)
            yield "research unsold", sum(card is not None for card in state.research_track)
            yield "ships left", sum(player.stock.ship for player in state.players)
        case GameScored():
            yield "points of goods", sum(score.goods for score in event.scores) / 12
            yield "points in all", sum(score.total for score in event.scores) / 12


def ledger(records: Iterable[Record], rates: Prices) -> tuple[dict[Entry, float], list[Beginning]]:
    """What each turn brought a seat on the whole, and every beginning of a turn."""
    sums: Counter[Entry] = Counter()
    began: list[Beginning] = []
    seats = 0
    for game, record in enumerate(records):
        state = begin(record.head.started)
        seats += len(state.players)
        there: list[tuple[int, int, tuple[float, ...], int]] = []
        for event in (event for entry in record.entries for event in entry.events):
            turn = TURNS + 1 if isinstance(event, GameScored) else state.turn
            for what, n in told(state, event, rates):
                sums[what, turn] += n  # type: ignore[assignment]
            state = evolve(state, event)
            if isinstance(event, TurnBegan):
                there += [
                    (event.turn, seat, had(player, event.turn, rates), player.score)
                    for seat, player in enumerate(state.players)
                ]
        began += [
            Beginning(game, turn, state.players[seat].species, some, state.scores[seat].total / 12 - score)
            for turn, seat, some, score in there
        ]
    return {entry: n / seats for entry, n in sums.items()}, began


def had(player: PlayerState, turn: int, rates: Prices) -> tuple[float, ...]:
    """What a seat has when a turn begins, as `ASKED` names it."""
    faces = [CATALOG.cards[card].face(held.flipped) for card, held in player.cards.items()]
    cards = sum(rates.later(face, turn - 1) for face in faces)
    return small_cubes(player.stock, rates), float(teams_of(player)), cards, float(player.stock.ship)


def really_worth(began: list[Beginning]) -> list[tuple[float, float]]:
    """Points that went with one more of each thing, and the standard error; least squares within games."""
    species = sorted({one.species for one in began})
    rows = np.array([[*(float(one.species == name) for name in species), *one.had] for one in began])
    made = np.array([one.made for one in began])
    games = np.array([one.game for one in began])
    for game in np.unique(games):
        rows[games == game] -= rows[games == game].mean(axis=0)
        made[games == game] -= made[games == game].mean()
    found = np.linalg.lstsq(rows, made, rcond=None)[0]
    free = max(1, len(began) - rows.shape[1] - len(np.unique(games)) + 1)
    error = np.sqrt(np.sum((made - rows @ found) ** 2) / free * np.diag(np.linalg.pinv(rows.T @ rows)))
    return [(float(found[n]), float(error[n])) for n in range(len(species), rows.shape[1])]


def table(records: list[Record], rates: Prices) -> Iterator[str]:
    """Both tables, as lines."""
    sums, began = ledger(records, rates)
    yield f"{len(records)} games; a seat in turns 1 to {TURNS}, at the end, in all"
    for what in sorted({what for what, _ in sums}):
        turns = [sums.get((what, turn), 0.0) for turn in range(1, TURNS + 2)]
        yield f"{what:22}" + "".join(f"{n:7.2f}" for n in (*turns, sum(turns)))
    yield "what one more went with in points: " + ", ".join(ASKED) + "; the price of a small cube"
    for turn in range(2, TURNS + 1):
        of = [one for one in began if one.turn == turn]
        worth = "".join(f"{n:8.2f} ± {error:.2f}" for n, error in really_worth(of))
        goods = fmean(one.had[0] for one in of)
        yield f"turn {turn}, {goods:4.1f} goods{worth}   {rates.of('green', turn - 1):.2f}"


def main() -> None:
    """Print the tables of the records that are named."""
    records = [load(Path(name).read_bytes()) for name in sys.argv[1:]]
    for line in table(records, prices()):
        print(line)


if __name__ == "__main__":
    main()

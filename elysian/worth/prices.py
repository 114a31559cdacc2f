"""Prices: what goods and cards kept for later are worth, read from a file of a score of numbers."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from elysian.catalog import Card, Converter, Cost, Face
from elysian.deck import CATALOG
from elysian.goods import LARGE_CUBES, SMALL_CUBES, Goods
from elysian.rules.scoring import PRECISE
from elysian.state import TURNS

# At the end of the game (SCORE-1), one by one: half points for pairs and threes are not rounded down here,
# so that a plan that brings the second of a pair is not blind to the first.
_OCTAGON, _LARGE, _SMALL = (twelfths / 12 for twelfths in PRECISE["2020"])
AT_THE_END = {"small": _SMALL, "large": _LARGE, "ultratech": _OCTAGON, "ship": _SMALL}
SIZE = {
    **dict.fromkeys(SMALL_CUBES, "small"),
    **dict.fromkeys(LARGE_CUBES, "large"),
    "ultratech": "ultratech",
    "ship": "ship",
}


class UnreadablePrices(ValueError):  # noqa: N818 - says what it is
    """A file of prices that cannot be used; the message says why."""


ByTurn = tuple[float, float, float, float, float]  # at the end of each turn but the last


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one file."""

    small: ByTurn
    kept: ByTurn
    ship: ByTurn
    large: float
    ultratech: float
    donated: float
    free: float
    paid: float
    team: float
    queued: float
    invented: float
    crowded: float
    resold: float
    trust: float
    relic: float
    fleet: float
    manned: float
    colony: float
    envoy: float
    acknowledged: float
    safety: float

    def of(self, kind: str, turn: int) -> float:
        """What a unit is worth that is kept when a turn ends."""
        usual = self.usual(kind, turn)
        return usual if kind == "point" or turn >= TURNS else at(self.kept, turn) * usual

    def goods(self, goods: Goods, turn: int) -> float:
        """What goods kept when a turn ends are worth together."""
        return sum(n * self.of(kind, turn) for kind, n in goods.items())

    def usual(self, kind: str, turn: int) -> float:
        """What a unit counts for in what a card makes and takes."""
        size = SIZE.get(kind)
        if size is None:
            return float(kind == "point")
        if turn >= TURNS:
            return AT_THE_END[size]
        unit = at(self.small, turn)
        if size == "small":
            return unit
        return unit * (at(self.ship, turn) if size == "ship" else float(getattr(self, size)))

    def usually(self, goods: Goods, turn: int) -> float:
        """The same for goods together."""
        return sum(n * self.usual(kind, turn) for kind, n in goods.items())

    def cost(self, cost: Cost, turn: int) -> float:
        """What an input takes, in goods that would have been kept from the turn before."""
        small = cost.any_small + cost.same_small
        large = cost.any_large + cost.same_large
        colonies = sum(n for _, n in cost.colonies)
        return (
            self.usually(cost.goods, turn)
            + small * self.usual("green", turn)
            + large * self.usual("black", turn)
            + colonies * (self.colony + self.usual("green", turn) * max(0, TURNS - turn))
        )

    def profit(self, converter: Converter, turn: int) -> float:
        """What one run of a white converter in a turn is worth, at best nothing."""
        if converter.when != "economy":
            return 0.0
        return max(0.0, self.made(converter, turn) - self.cost(converter.costs[0], turn - 1))

    def made(self, converter: Converter, turn: int) -> float:
        """What one run of a converter puts out."""
        size = "green" if converter.costs[0].same_small else "black"
        share = 1.0 if turn == TURNS else self.donated
        return (
            self.usually(converter.gain, turn)
            + converter.same * self.usual(size, turn)
            + share * self.usually(converter.donate, turn)
        )

    def later(self, face: Face, turn: int, times: int = 1) -> float:
        """What a card with this face in play makes after a turn until the end of the game."""
        often = self.manned if face.fleets_needed else 1.0
        return often * self.later_runs(face.converters, turn, times)

    def later_runs(self, converters: tuple[Converter, ...], turn: int, times: int = 1) -> float:
        """The same for converters alone."""
        return times * sum(_later(self, converter, turn) for converter in converters)

    def waiting_team(self, card: Card, species: str, bonus: float, turn: int) -> float:
        """What a research team kept for the next turn is worth."""
        if card.research is None or turn >= TURNS:
            return 0.0
        points = card.research.points + bonus
        technology = card.research.technology
        if technology is not None:
            own = CATALOG.cards[CATALOG.species_technology[species, technology]]
            points += self.later(own.front, turn)
        cheapest = min(self.cost(cost, turn) for cost in card.research.costs)
        return self.team * max(0.2, points - cheapest)


def at(by_turn: ByTurn, turn: int) -> float:
    """The number of a turn; before the first turn that of the first."""
    return by_turn[max(turn, 1) - 1]


@lru_cache(maxsize=50_000)
def _later(rates: Prices, converter: Converter, turn: int) -> float:
    often = rates.free if converter.costs[0].is_free() else rates.paid
    return often * sum(rates.profit(converter, t) for t in range(turn + 1, TURNS + 1))


@cache
def prices(path: str | None = None) -> Prices:
    """The prices of a file, by default our own; raises UnreadablePrices with a sentence."""
    source = files("elysian.worth") / "prices.toml" if path is None else Path(path)
    try:
        return msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), Prices)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise UnreadablePrices(f"{source}: {problem}") from None

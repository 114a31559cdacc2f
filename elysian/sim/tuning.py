"""Tuning: the numbers of a price file learnt by self-play.

Each step tries two files that differ from the present one in all numbers at once, up or down by lot, on
the same decks; the numbers then move towards the file whose tables scored more (simultaneous perturbation).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import exp, log
from random import Random
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from elysian.sim.figures import interval
from elysian.sim.games import Game, Outcome
from elysian.state import Settings
from elysian.worth import Prices

WIDTH = 0.15  # how far a number is moved to try it, as a share of itself
RATE = 0.006  # how far it moves for a point more
MOST = 0.08  # and at most, in one step
RANGE = log(3.0)  # a number never leaves a third to three times what it was

PlayGames = Callable[[list[Game], str], list[Outcome]]  # games, and a name for the folder they are kept in
TablesOf = Callable[[str, int], list[tuple[Settings, str]]]  # a name and how many: settings and seeds


class Tried(Struct, frozen=True):
    """One step, as it is written into the log."""

    step: int
    up: Prices
    down: Prices
    up_mean: float
    down_mean: float
    prices: Prices  # after the step


class Judged(Struct, frozen=True):
    """Old and new prices on decks that were not learnt from."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float]


class Tuned(Struct, frozen=True):
    """What came of it."""

    prices: Prices
    steps: tuple[Tried, ...]
    judged: Judged


class Tuner(Struct, frozen=True):
    """How to learn: for so many steps, on so many decks each, with tables of one level."""

    level: str
    steps: int
    decks: int
    judging: int  # decks to judge the result on
    seed: int

    def learn(self, start: Prices, tables: TablesOf, play: PlayGames) -> Tuned:
        """The prices after all steps, the mean of the later half of them, and whether they are better."""
        names = numbers(start)
        here = dict.fromkeys(names, 0.0)
        path: list[dict[str, float]] = []
        tried: list[Tried] = []
        for step in range(self.steps):
            rng = Random(f"{self.seed}/{step}/lot")
            width = WIDTH / (step + 1) ** 0.101
            lot = {name: rng.choice((-width, width)) for name in names}
            up = moved(start, {name: here[name] + lot[name] for name in names})
            down = moved(start, {name: here[name] - lot[name] for name in names})
            decks = tables(f"step {step}", self.decks)
            outcomes = play(self._games(decks, (up, down)), f"step-{step + 1:03}")
            up_mean, down_mean = _mean(outcomes[: self.decks]), _mean(outcomes[self.decks :])
            slope = RATE / (step + 1) ** 0.3 * (up_mean - down_mean) / (2 * width)
            for name in names:
                change = max(-MOST, min(MOST, slope * (1 if lot[name] > 0 else -1)))
                here[name] = max(-RANGE, min(RANGE, here[name] + change))
            path.append(dict(here))
            tried.append(
                Tried(
                    step=step + 1,
                    up=up,
                    down=down,
                    up_mean=round(up_mean, 4),
                    down_mean=round(down_mean, 4),
                    prices=moved(start, here),
                )
            )
        later = path[len(path) // 2 :]
        end = moved(start, {name: fmean(at[name] for at in later) for name in names})
        return Tuned(prices=end, steps=tuple(tried), judged=self._judge(start, end, tables, play))

    def _games(self, decks: list[tuple[Settings, str]], files: Sequence[Prices]) -> list[Game]:
        """Every file on every deck, all seats with the same prices."""
        return [
            Game(
                number=n * len(decks) + k,
                settings=settings,
                levels=(self.level,) * len(settings.species),
                seed=seed,
                prices=prices,
            )
            for n, prices in enumerate(files)
            for k, (settings, seed) in enumerate(decks)
        ]

    def _judge(self, start: Prices, end: Prices, tables: TablesOf, play: PlayGames) -> Judged:
        decks = tables("judge", self.judging)
        outcomes = play(self._games(decks, (start, end)), "judge")
        before, after = outcomes[: self.judging], outcomes[self.judging :]
        gains = [new.mean - old.mean for old, new in zip(before, after, strict=True)]
        low, high = interval(gains)
        return Judged(
            before=round(_mean(before), 4),
            after=round(_mean(after), 4),
            difference=round(fmean(gains), 4),
            interval=(round(low, 4), round(high, 4)),
        )


def numbers(prices: Prices) -> list[str]:
    """The names of the numbers that can be learnt: those above nothing."""
    fields = prices.__struct_fields__
    return [name for name in fields if isinstance(getattr(prices, name), float) and getattr(prices, name) > 0]


def moved(prices: Prices, by: dict[str, float]) -> Prices:
    """The prices with each number multiplied, by the exponential of what is named."""
    return replace(prices, **{name: round(getattr(prices, name) * exp(far), 4) for name, far in by.items()})


def written(text: str, prices: Prices) -> str:
    """A price file with the same comments and new numbers."""
    for name in numbers(prices):
        line = re.compile(rf"^({name}\s*=\s*)[-+.\w]+", re.MULTILINE)
        text = line.sub(lambda found, name=name: f"{found[1]}{getattr(prices, name):g}", text)  # type: ignore[misc]
    return text


def _mean(outcomes: Sequence[Outcome]) -> float:
    return fmean(outcome.mean for outcome in outcomes)


__all__ = ["Judged", "Tried", "Tuned", "Tuner", "moved", "numbers", "written"]

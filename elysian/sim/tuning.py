"""Tuning: the numbers of a price file learnt by self-play.

A deck is played with two files that differ from the present one in all numbers at once, up or down by lot;
each deck has a lot of its own. A step moves every number by what its ups brought over its downs, on the mean
of its decks (simultaneous perturbation): a hundred decks tell of each number as much as of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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
RATE = 0.003  # how far it moves for a slope of a point
MOST = 0.08  # and at most, in one step
RANGE = log(3.0)  # a number never leaves a third to three times what it was

PlayGames = Callable[[list[Game], str], list[Outcome]]  # games, and a name for the folder they are kept in
TablesOf = Callable[[str, int], list[tuple[Settings, str]]]  # a name and how many: settings and seeds


class Tried(Struct, frozen=True):
    """One step, as it is written into the log."""

    step: int
    mean: float  # points a seat at all its tables
    slopes: dict[str, float]  # points for a number e times as large, as far as the decks of this step tell
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
            decks = tables(f"step {step}", self.decks)
            lots = [{name: rng.choice((-width, width)) for name in names} for _ in decks]
            files = [
                [moved(start, {name: here[name] + side * lot[name] for name in names}) for lot in lots]
                for side in (1, -1)
            ]
            outcomes = play(_games(self.level, decks, files), f"step-{step + 1:03}")
            pairs = zip(outcomes[: self.decks], outcomes[self.decks :], strict=True)
            gains = [(up.mean - down.mean) / 2 for up, down in pairs]
            slopes = {
                name: fmean(gain / lot[name] for gain, lot in zip(gains, lots, strict=True)) for name in names
            }
            rate = RATE / (step + 1) ** 0.3
            for name in names:
                change = max(-MOST, min(MOST, rate * slopes[name]))
                here[name] = max(-RANGE, min(RANGE, here[name] + change))
            path.append(dict(here))
            tried.append(
                Tried(
                    step=step + 1,
                    mean=round(_mean(outcomes), 4),
                    slopes={name: round(slope, 2) for name, slope in slopes.items()},
                    prices=moved(start, here),
                )
            )
        later = path[len(path) // 2 :]
        end = moved(start, {name: fmean(at[name] for at in later) for name in names})
        return Tuned(prices=end, steps=tuple(tried), judged=self._judge(start, end, tables, play))

    def _judge(self, start: Prices, end: Prices, tables: TablesOf, play: PlayGames) -> Judged:
        decks = tables("judge", self.judging)
        files = [[prices] * self.judging for prices in (start, end)]
        outcomes = play(_games(self.level, decks, files), "judge")
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
    """The names of the numbers that can be learnt, those above nothing; one of a turn is called `small.2`."""
    return [name for name, value in _named(prices) if value > 0]


def _named(prices: Prices) -> Iterator[tuple[str, float]]:
    for field in prices.__struct_fields__:
        value = getattr(prices, field)
        if isinstance(value, tuple):
            yield from ((f"{field}.{turn}", n) for turn, n in enumerate(value, 1))
        else:
            yield field, value


def moved(prices: Prices, by: dict[str, float]) -> Prices:
    """The prices with each number multiplied, by the exponential of what is named."""
    new: dict[str, float | tuple[float, ...]] = {}
    for field in prices.__struct_fields__:
        value = getattr(prices, field)
        if isinstance(value, tuple):
            new[field] = tuple(
                round(n * exp(by.get(f"{field}.{turn}", 0.0)), 4) for turn, n in enumerate(value, 1)
            )
        elif field in by:
            new[field] = round(value * exp(by[field]), 4)
    return replace(prices, **new)


def written(text: str, prices: Prices) -> str:
    """A price file with the same comments and new numbers."""
    for field in prices.__struct_fields__:
        value = getattr(prices, field)
        some = value if isinstance(value, tuple) else (value,)
        number = ", ".join(f"{n:g}" for n in some)
        number = f"[{number}]" if isinstance(value, tuple) else number
        line = re.compile(rf"^({field}\s*=\s*)[^#\n]+", re.MULTILINE)
        text = line.sub(lambda found, number=number: f"{found[1]}{number}", text)  # type: ignore[misc]
    return text


def _games(level: str, decks: list[tuple[Settings, str]], files: Sequence[Sequence[Prices]]) -> list[Game]:
    """Every deck with the file that is beside it in each list, all seats with the same prices."""
    return [
        Game(
            number=n * len(decks) + k,
            settings=settings,
            levels=(level,) * len(settings.species),
            seed=seed,
            prices=prices,
        )
        for n, some in enumerate(files)
        for k, ((settings, seed), prices) in enumerate(zip(decks, some, strict=True))
    ]


def _mean(outcomes: Sequence[Outcome]) -> float:
    return fmean(outcome.mean for outcome in outcomes)


__all__ = ["Judged", "Tried", "Tuned", "Tuner", "moved", "numbers", "written"]

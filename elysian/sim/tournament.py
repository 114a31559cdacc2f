"""Tournaments: levels against each other, every one of them once on every seat of every deck."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random
from statistics import fmean
from typing import Any

from elysian.sim.figures import by_level, by_seat, by_species
from elysian.sim.games import Game, Outcome
from elysian.sim.ratings import ratings
from elysian.state import Settings


def schedule(tables: Sequence[Settings], levels: Sequence[str], seed: int) -> list[Game]:
    """A Latin square on each table: so many games as there are levels, all with the same species and decks.

    In the first game the levels are dealt out as evenly as the seats allow; from one game to the next every
    seat passes on to the next level, so that each level sits once on each seat, and plays each species there.
    """
    games: list[Game] = []
    for n, settings in enumerate(tables):
        rng = Random(f"{seed}/{n}/levels")
        order = rng.sample(list(levels), len(levels))
        first = [seat % len(levels) for seat in range(len(settings.species))]
        rng.shuffle(first)
        for turned in range(len(levels)):
            sits = tuple(order[(place + turned) % len(levels)] for place in first)
            games.append(Game(number=len(games), settings=settings, levels=sits, seed=f"{seed}/{n}"))
    return games


def result(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Ratings with intervals, scores by level, and who was above whom in how many games."""
    finishes = [
        tuple((outcome.points(seat), level) for seat, level in enumerate(outcome.levels))
        for outcome in outcomes
    ]
    rated = ratings(finishes)
    levels = by_level(outcomes)
    return {
        "games": len(outcomes),
        "levels": {
            level: {
                "rating": rated[level].rating,
                "rating_interval": [rated[level].low, rated[level].high],
                **levels[level],
            }
            for level in sorted(rated, key=lambda level: -rated[level].rating)
        },
        "above": above(outcomes),
        "by_species": by_species(outcomes),
        "by_seat": by_seat(outcomes),
    }


def above(outcomes: Sequence[Outcome]) -> dict[str, dict[str, dict[str, float]]]:
    """For each pair: the games they both played, and the share in which the first one's mean was higher."""
    means = [_means(outcome) for outcome in outcomes]
    levels = sorted({level for of in means for level in of})
    table: dict[str, dict[str, dict[str, float]]] = {}
    for one in levels:
        for other in levels:
            both = [(of[one], of[other]) for of in means if one != other and one in of and other in of]
            if both:
                higher = sum(a > b for a, b in both)
                table.setdefault(one, {})[other] = {
                    "games": len(both),
                    "share": round(higher / len(both), 4),
                    "difference": round(fmean(a - b for a, b in both), 3),
                }
    return table


def _means(outcome: Outcome) -> dict[str, float]:
    scores: dict[str, list[float]] = {}
    for seat, level in enumerate(outcome.levels):
        scores.setdefault(level, []).append(outcome.points(seat))
    return {level: fmean(some) for level, some in scores.items()}


# ---------------------------------------------------------------- a picture

LEFT, RIGHT, TOP, ROW, WIDTH = 110, 150, 56, 34, 720


def picture(figures: dict[str, Any], title: str) -> str:
    """The ratings as an SVG: a dot for every level, its interval as a line, its mean score beside it."""
    levels: dict[str, Any] = figures["levels"]
    ends = [end for of in levels.values() for end in of["rating_interval"]]
    low, high = float(min(ends)) - 20, float(max(ends)) + 20
    height = TOP + ROW * len(levels) + 44

    def x(rating: float) -> float:
        return LEFT + (rating - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="14" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="26" font-size="16">{escape(title)}</text>',
        f'<text x="{WIDTH - 16}" y="{TOP - 8}" text-anchor="end" fill="#555555">mean points</text>',
    ]
    bottom = TOP + ROW * len(levels)
    for mark in _marks(low, high):
        lines.append(
            f'<line x1="{x(mark):.1f}" y1="{TOP}" x2="{x(mark):.1f}" y2="{bottom}" stroke="#dddddd"/>'
            f'<text x="{x(mark):.1f}" y="{bottom + 18}" text-anchor="middle" fill="#555555">{mark}</text>'
        )
    for n, (level, of) in enumerate(levels.items()):
        y = TOP + ROW * n + ROW / 2
        ends = of["rating_interval"]
        lines.append(
            f'<text x="{LEFT - 12}" y="{y + 5:.0f}" text-anchor="end">{escape(level)}</text>'
            f'<line x1="{x(ends[0]):.1f}" y1="{y:.0f}" x2="{x(ends[1]):.1f}" y2="{y:.0f}" '
            f'stroke="#1f5f8b" stroke-width="2"/>'
            f'<circle cx="{x(of["rating"]):.1f}" cy="{y:.0f}" r="5" fill="#1f5f8b"/>'
            f'<text x="{WIDTH - 16}" y="{y + 5:.0f}" text-anchor="end">{of["mean"]:.1f} '
            f"({of['interval'][0]:.1f}–{of['interval'][1]:.1f})</text>"
        )
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{bottom + 36}" text-anchor="middle" '
        f'fill="#555555">rating, with 95 % interval over games</text></svg>'
    )
    return "\n".join(lines) + "\n"


def _marks(low: float, high: float) -> list[int]:
    """Round numbers along the scale, eight at most."""
    step = next(step for step in (20, 50, 100, 200, 500, 1000, 2000, 5000) if (high - low) / step <= 8)
    first = int(-(-low // step)) * step
    return list(range(first, int(high) + 1, step))


__all__ = ["above", "picture", "result", "schedule"]

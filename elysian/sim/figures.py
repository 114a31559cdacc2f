"""Figures: what came of some games, by species, by seat and by level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from statistics import fmean, median, pstdev
from typing import Any

from msgspec.structs import asdict, replace

from elysian.deals import Seat
from elysian.players.language_model.usage import Usage
from elysian.sim import Counts, RefusedAction, Times
from elysian.sim.games import Outcome, Tally

RESAMPLED = 1000  # times, for an interval
REASONS = 3  # for which a level was refused most often


def interval(games: Sequence[float], seed: str = "interval") -> tuple[float, float]:
    """Where the mean would lie in 95 of 100 repetitions: games drawn anew with replacement."""
    rng = Random(seed)
    means = sorted(fmean(rng.choices(games, k=len(games))) for _ in range(RESAMPLED))
    return means[round(0.025 * (RESAMPLED - 1))], means[round(0.975 * (RESAMPLED - 1))]


def random_summary(outcomes: list[Outcome], edition: str, seed: int, cpu_seconds: float) -> dict[str, Any]:
    """The figures of random seats; scores are in points."""
    every = [outcome.points(seat) for outcome in outcomes for seat in range(len(outcome.scores))]
    counts = _counts(outcomes)
    return {
        "games": len(outcomes),
        "players": len(outcomes[0].scores),
        "edition": edition,
        "seed": seed,
        "mean_score": round(fmean(every), 3),
        "median_score": round(median(every), 3),
        "by_species": {
            name: {key: of[key] for key in ("seats", "mean", "wins")}
            for name, of in by_species(outcomes).items()
        },
        **{name: getattr(counts, name) for name in counts.__struct_fields__},
        "cpu_seconds": round(cpu_seconds, 3),
    }


def summary(
    outcomes: list[Outcome], edition: str, seed: int, levels: Sequence[str], cpu_seconds: float
) -> dict[str, Any]:
    """The same for bots, with the spread, each seat and each level, and the time of a decision."""
    figures = random_summary(outcomes, edition, seed, cpu_seconds)
    every = [outcome.points(seat) for outcome in outcomes for seat in range(len(outcome.scores))]
    done = _tallies(outcomes, _all_seats(outcomes))
    figures |= {
        "bots": list(levels),
        "spread": round(pstdev(every), 3),
        "interval": [round(end, 3) for end in interval([outcome.mean for outcome in outcomes])],
        "by_game": [round(outcome.mean, 3) for outcome in outcomes],
        "by_species": by_species(outcomes),
        "by_seat": by_seat(outcomes),
        "by_level": by_level(outcomes),
        "offers_made": done.offers,
        "offers_accepted": done.struck,
        "pledges_made": done.pledges,
        "pledges_broken": done.broken,
        "decisions": decisions(outcomes, _all_seats(outcomes)),
        "refused": refused(outcomes),
    }
    return figures


def refused(outcomes: Sequence[Outcome]) -> dict[str, list[dict[str, Any]]]:
    """By level, why its actions were refused, the most frequent reasons first; only those refused at all."""
    found: dict[str, dict[tuple[str, str, str], RefusedAction]] = {}
    for outcome in outcomes:
        for level, some in zip(outcome.levels, outcome.refused, strict=False):
            of = found.setdefault(level, {}) if some else {}
            for one in some:
                key = one.step, one.action, one.code
                of[key] = replace(of[key], times=of[key].times + one.times) if key in of else one
    return {
        level: [asdict(one) for one in sorted(of.values(), key=lambda one: -one.times)[:REASONS]]
        for level, of in sorted(found.items())
    }


Seats = list[tuple[int, Seat]]  # (which outcome, which seat of it)


def _all_seats(outcomes: Sequence[Outcome]) -> Seats:
    return [(n, seat) for n, outcome in enumerate(outcomes) for seat in range(len(outcome.scores))]


def by_species(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Scores and wins of each species."""
    return _grouped(outcomes, lambda outcome, seat: outcome.species[seat])


def by_seat(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Scores and wins of each seat, the first seat first."""
    return list(_grouped(outcomes, lambda outcome, seat: f"{seat:02}").values())


def by_level(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    """Scores, wins, dealings and the time of a decision of each level."""
    groups = _grouped(outcomes, lambda outcome, seat: outcome.levels[seat])
    for level, figures in groups.items():
        seats = [(n, seat) for n, seat in _all_seats(outcomes) if outcomes[n].levels[seat] == level]
        done = _tallies(outcomes, seats)
        games = [
            fmean(of)
            for outcome in outcomes
            if (of := [outcome.points(s) for s, sits in enumerate(outcome.levels) if sits == level])
        ]
        figures |= {
            "interval": [round(end, 3) for end in interval(games)],
            "deals": done.deals,
            "inventions": done.inventions,
            "offers_made": done.offers,
            "offers_accepted": done.struck,
            "pledges_made": done.pledges,
            "pledges_broken": done.broken,
            "decisions": decisions(outcomes, seats),
        }
    return groups


def decisions(outcomes: Sequence[Outcome], seats: Seats) -> dict[str, dict[str, float]]:
    """The CPU time of decisions in milliseconds, for answers to offers, own offers and the rest."""
    times: dict[str, Times] = {}
    for n, seat in seats:
        for about, of in outcomes[n].times[seat].items():
            times[about] = times.get(about, Times()) + of
    times["all"] = sum(times.values(), Times())
    return {
        about: {
            "count": of.count,
            "mean_ms": round(1000 * of.mean, 3),
            "median_ms": round(1000 * of.quantile(0.5), 3),
            "p95_ms": round(1000 * of.quantile(0.95), 3),
            "longest_ms": round(1000 * of.longest, 3),
        }
        for about, of in sorted(times.items())
    }


def models(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What the language models used, by name; nothing when none played."""
    used: dict[str, Usage] = {}
    for outcome in outcomes:
        for level, one in zip(outcome.levels, outcome.usage, strict=False):
            if one is not None:
                used[level] = used.get(level, Usage()) + one
    if not used:
        return {}
    fields = Usage.__struct_fields__
    return {"models": {name: {f: getattr(one, f) for f in fields} for name, one in sorted(used.items())}}


def _grouped(outcomes: Sequence[Outcome], key: Any) -> dict[str, dict[str, Any]]:
    scores: dict[str, list[float]] = {}
    wins: dict[str, int] = {}
    for n, seat in _all_seats(outcomes):
        name = key(outcomes[n], seat)
        scores.setdefault(name, []).append(outcomes[n].points(seat))
        wins[name] = wins.get(name, 0) + outcomes[n].scores[seat].winner
    return {
        name: {
            "seats": len(some),
            "mean": round(fmean(some), 3),
            "median": round(median(some), 3),
            "spread": round(pstdev(some), 3),
            "wins": wins[name],
        }
        for name, some in sorted(scores.items())
    }


def _counts(outcomes: Iterable[Outcome]) -> Counts:
    return sum((outcome.counts for outcome in outcomes), Counts())


def _tallies(outcomes: Sequence[Outcome], seats: Seats) -> Tally:
    return sum((outcomes[n].seats[seat] for n, seat in seats), Tally())


def fitted(name: str, width: int) -> str:
    """A name in a column; of a long one, as of package.module:Class, the end says most."""
    return f"{name:<{width}}" if len(name) < width else f"…{name[2 - width :]} "


def rows(name: str, groups: Iterable[tuple[str, dict[str, Any]]]) -> list[str]:
    """A table of groups for a person, 80 columns wide at most."""
    lines = [f"{name:<20}{'seats':>7}{'mean':>9}{'median':>9}{'spread':>9}{'wins':>7}"]
    lines += [
        f"{fitted(title, 20)}{of['seats']:>7}"
        f"{of['mean']:>9.2f}{of['median']:>9.2f}{of['spread']:>9.2f}{of['wins']:>7}"
        for title, of in groups
    ]
    return [*lines, ""]


__all__ = [
    "by_level",
    "by_seat",
    "by_species",
    "decisions",
    "fitted",
    "interval",
    "models",
    "random_summary",
    "refused",
    "rows",
    "summary",
]

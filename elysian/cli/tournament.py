"""The command `tournament`: levels against each other, with species and seats balanced."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import typer

from elysian.cli.simulate import brought, complain, line_up, model_lines, settings_of, write
from elysian.players.levels import check_levels, versions
from elysian.sim.figures import fitted, models
from elysian.sim.games import Outcome, kept
from elysian.sim.progress import Progress
from elysian.sim.shards import Where
from elysian.sim.shards import run as run_shards
from elysian.sim.tournament import picture, result, schedule


def run(
    *,
    levels: tuple[str, ...],
    players: int | None,
    species: tuple[str, ...],
    edition: str,
    decks: int,
    seed: int,
    json: bool,
    drawing: Path | None,
    where: Where,
    progress: bool = False,
) -> None:
    """Play the tournament and print the ratings; raises ValueError with a sentence for an impossible one."""
    check_levels(levels)
    if len(set(levels)) < 2 or len(set(levels)) < len(levels):
        raise ValueError("A tournament takes two different levels or more, each named once.")
    tables = [
        settings_of(line_up(species, players, Random(f"{seed}/{deck}/species")), edition)
        for deck in range(decks)
    ]
    games = schedule(tables, levels, seed)
    of = versions(levels)
    about = f"tournament: {brought(of)}, {decks} decks, seed {seed}"
    tell = Progress("games", lines=progress)
    outcomes = run_shards(kept(games, where.records), Outcome, about, where, tell, complain)
    seats = len(tables[0].species)
    figures = {
        "players": seats,
        "edition": edition,
        "seed": seed,
        "decks": decks,
        "versions": of,
        **result(outcomes),
        "cpu_seconds": round(sum(outcome.seconds for outcome in outcomes), 3),
        **models(outcomes),
    }
    write(figures, where.folder)
    if drawing is None and where.folder is not None:
        drawing = where.folder / "ratings.svg"
    if drawing is not None:
        title = f"{len(outcomes)} games of {seats}: {decks} decks, each level once on each seat"
        drawing.write_text(picture(figures, title), encoding="utf-8")
    typer.echo(json_text.dumps(figures) if json else "\n".join(table(figures)))


def short(name: str) -> str:
    """A name that leaves room for another in a line."""
    return fitted(name, 20).rstrip() if len(name) > 20 else name


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures for a person, at most 80 columns wide."""
    yield (
        f"{figures['games']} games of {figures['players']} seats: {figures['decks']} decks, "
        f"each level once on each seat; seed {figures['seed']}"
    )
    yield ""
    head = f"{'level':<12}{'rating':>8}{'95 % interval':>20}{'seats':>7}"
    yield f"{head}{'mean':>8}{'95 % interval':>17}{'wins':>6}"
    for level, of in figures["levels"].items():
        low, high = of["rating_interval"]
        least, most = of["interval"]
        yield (
            f"{fitted(level, 12)}{of['rating']:>8.0f}{f'{low:.0f} to {high:.0f}':>20}{of['seats']:>7}"
            f"{of['mean']:>8.2f}{f'{least:.2f}–{most:.2f}':>17}{of['wins']:>6}"
        )
    yield "wins: seats that won; a tie counts for each"
    yield ""
    yield "share of games in which the mean of one level's seats is above the other's"
    names = list(figures["levels"])
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            if other in figures["above"].get(one, {}):
                of = figures["above"][one][other]
                yield (
                    f"{short(one)} above {short(other)}: "
                    f"{100 * of['share']:.0f} % of {of['games']:.0f} games, {of['difference']:+.2f} points"
                )
    yield ""
    yield f"{figures['cpu_seconds']:.0f} s of CPU time"
    yield from model_lines(figures)

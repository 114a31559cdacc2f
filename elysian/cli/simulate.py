"""The command `simulate`: whole games of random seats or of bots, and what came of them."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any, cast

import typer

from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.messages import sentence
from elysian.players.levels import LEVELS, check_levels, versions
from elysian.rules.setup import FEWEST, MOST, check_settings
from elysian.sim.figures import fitted, models, random_summary, rows, summary
from elysian.sim.games import Game, Outcome, kept
from elysian.sim.progress import Progress
from elysian.sim.shards import Where
from elysian.sim.shards import run as run_shards
from elysian.state import Edition, Settings

DEFAULT_PLAYERS = 4


def run(
    *,
    players: int | None,
    species: tuple[str, ...],
    edition: str,
    games: int,
    seed: int,
    json: bool,
    bots: tuple[str, ...] = (),
    where: Where | None = None,
    progress: bool = False,
) -> None:
    """Play the games and print their scores; raises ValueError with a sentence for an impossible table."""
    if games < 1:
        raise ValueError(f"{games} games cannot be played; it takes at least one.")
    where = where or Where()
    line = games_of(players, species, edition, games, seed, bots or ("random",))
    of = versions(bots)
    about = f"simulate: {games} games of {brought(of) or 'random'}, seed {seed}"
    tell = Progress("games", lines=progress)
    outcomes = run_shards(kept(line, where.records), Outcome, about, where, tell, complain)
    seconds = sum(outcome.seconds for outcome in outcomes)
    if bots:
        figures = summary(outcomes, edition, seed, bots, seconds) | {"versions": of} | models(outcomes)
    else:
        figures = random_summary(outcomes, edition, seed, seconds)
    write(figures, where.folder)
    typer.echo(json_text.dumps(figures) if json else "\n".join(table(figures)))


def brought(of: dict[str, str]) -> str:
    """The players of a run; what others wrote with its version, by which a folder knows its run."""
    return ", ".join(name if name in LEVELS else f"{name} ({version})" for name, version in of.items())


def games_of(
    players: int | None,
    species: tuple[str, ...],
    edition: str,
    games: int,
    seed: int,
    levels: tuple[str, ...],
) -> list[Game]:
    """The games of a seed, the levels dealt round the table; raises ValueError for an impossible one."""
    check_levels(levels)
    line = []
    for number in range(games):
        names = line_up(species, players, Random(f"{seed}/{number}/species"))
        if len(levels) > len(names):
            raise ValueError(f"{len(levels)} levels, but only {len(names)} seats.")
        seats = tuple(levels[seat % len(levels)] for seat in range(len(names)))
        line.append(
            Game(number=number, settings=settings_of(names, edition), levels=seats, seed=f"{seed}/{number}")
        )
    return line


def settings_of(species: tuple[str, ...], edition: str) -> Settings:
    """The settings of a table that can be laid; raises ValueError with a sentence for any other."""
    settings = Settings(species=species, edition=cast(Edition, edition))
    try:
        check_settings(settings)
    except IllegalAction as illegal:
        raise ValueError(sentence(illegal, species)) from None
    return settings


def line_up(species: tuple[str, ...], players: int | None, rng: Random) -> tuple[str, ...]:
    """The species by seat: those named, or as many as there are players, drawn; raises ValueError."""
    if not species:
        known = sorted(CATALOG.species)
        count = DEFAULT_PLAYERS if players is None else players
        if not FEWEST <= count <= MOST:
            wrong = IllegalAction("bad_player_count", players=count, fewest=FEWEST, most=MOST)
            raise ValueError(sentence(wrong, ()))
        return tuple(rng.sample(known, count))
    if players is not None and players != len(species):
        raise ValueError(f"{players} players, but {len(species)} species are named.")
    return tuple(map(find_species, species))


def find_species(name: str) -> str:
    """The id of a species by its id, name or full name; raises ValueError naming those there are."""
    for facts in CATALOG.species.values():
        if name.casefold() in (facts.id, facts.name.casefold(), facts.full_name.casefold()):
            return facts.id
    raise ValueError(f"No species is called {name!r}; there are {', '.join(CATALOG.species)}.")


def complain(problem: str) -> None:
    """Say what went wrong and was mended, beside the output."""
    print(f"elysian: {problem}", file=sys.stderr)


def write(figures: dict[str, Any], folder: Path | None, name: str = "figures.json") -> None:
    """Leave the figures in the folder of the run, if there is one."""
    if folder is not None:
        (folder / name).write_text(json_text.dumps(figures, indent=1) + "\n", encoding="utf-8")


# ---------------------------------------------------------------- for a person


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures for a person, at most 80 columns wide."""
    bots = figures.get("bots")
    seats = f"{figures['players']} {'random seats' if bots is None else 'seats of ' + ', '.join(bots)}"
    yield (
        f"{figures['games']} game{'s' if figures['games'] > 1 else ''}, {seats}, "
        f"edition {figures['edition']}, seed {figures['seed']}"
    )
    yield ""
    if bots is None:
        yield from _species(figures)
    else:
        yield from _groups(figures)
    yield (
        f"{figures['actions']} actions ({figures['refusals']} more refused), {figures['events']} events, "
        f"{figures['cpu_seconds']:.2f} s"
    )
    yield f"{figures['deals']} deals struck, {figures['inventions']} inventions"
    yield (
        f"{figures['promises_made']} promises made, {figures['promises_kept']} kept, "
        f"{figures['promises_broken']} broken"
    )
    if bots is not None:
        yield from _dealings(figures)
        yield from _refused(figures)
    yield from model_lines(figures)


def _species(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{'species':<20}{'seats':>7}{'mean':>9}{'wins':>7}"
    for name, of in figures["by_species"].items():
        yield f"{CATALOG.species[name].name:<20}{of['seats']:>7}{of['mean']:>9.2f}{of['wins']:>7}"
    seats = sum(of["seats"] for of in figures["by_species"].values())
    yield f"{'all':<20}{seats:>7}{figures['mean_score']:>9.2f}   median {figures['median_score']:.2f}"
    yield ""


def _groups(figures: dict[str, Any]) -> Iterator[str]:
    low, high = figures["interval"]
    yield (
        f"mean {figures['mean_score']:.2f} ({low:.2f} to {high:.2f}), median {figures['median_score']:.2f}, "
        f"spread {figures['spread']:.2f}"
    )
    yield ""
    yield from rows("level", figures["by_level"].items())
    yield from rows("species", ((CATALOG.species[n].name, of) for n, of in figures["by_species"].items()))
    yield from rows("seat", ((str(n + 1), of) for n, of in enumerate(figures["by_seat"])))


def _dealings(figures: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{figures['offers_made']} offers made, {figures['offers_accepted']} accepted; "
        f"{figures['pledges_made']} pledges made, {figures['pledges_broken']} broken"
    )
    yield ""
    yield f"{'decision (CPU)':<20}{'count':>9}{'mean ms':>10}{'median':>10}{'p95':>10}{'longest':>10}"
    for about, of in figures["decisions"].items():
        times = "".join(f"{of[key]:>10.2f}" for key in ("mean_ms", "median_ms", "p95_ms", "longest_ms"))
        yield f"{about:<20}{of['count']:>9}{times}"


def _refused(figures: dict[str, Any]) -> Iterator[str]:
    """Why players were refused, if any were."""
    for level, reasons in figures["refused"].items():
        yield ""
        yield f"refused to {level}"
        for of in reasons:
            line = f"{of['times']:>5} times {of['action']} in the step {of['step']}: {of['sentence']}"
            yield from wrap(line, 80, initial_indent="  ", subsequent_indent=" " * 8)


def model_lines(figures: dict[str, Any]) -> Iterator[str]:
    """What language models used, and how often one had no answer."""
    for name, of in figures.get("models", {}).items():
        about = "about " if of["estimated"] else ""
        yield ""
        yield fitted(name, 80).rstrip()
        yield (
            f"  {of['requests']} requests, {about}{of['prompt_tokens']} tokens asked, "
            f"{of['completion_tokens']} answered, {of['seconds']:.0f} s"
        )
        if of["plain"]:
            yield from wrap(
                f"{of['plain']} decisions were played without it: {of['why']}.",
                80,
                initial_indent="  ",
                subsequent_indent="  ",
            )

"""The command `simulate`: whole games of random seats, and what came of them."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any, cast

import typer
from msgspec import Struct

from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.messages import sentence
from elysian.players.random import RandomPlayer
from elysian.rules.setup import FEWEST, MOST
from elysian.sim import Counts, play_game
from elysian.state import Edition, FinalScore, Settings

DEFAULT_PLAYERS = 4


class Outcome(Struct, frozen=True):
    """What is kept of a game; a thousand records would fill the memory."""

    species: tuple[str, ...]
    scores: tuple[FinalScore, ...]
    counts: Counts


def run(
    *, players: int | None, species: tuple[str, ...], edition: str, games: int, seed: int, json: bool
) -> None:
    """Play the games and print their scores; raises ValueError with a sentence for an impossible table."""
    if games < 1:
        raise ValueError(f"{games} games cannot be played; it takes at least one.")
    started = process_time()
    outcomes: list[Outcome] = []
    for game in range(games):
        names = line_up(species, players, Random(f"{seed}/{game}/species"))
        # An edition that does not exist is refused by the set-up.
        settings = Settings(species=names, edition=cast(Edition, edition))
        outcomes.append(_play(settings, f"{seed}/{game}"))
    figures = summary(outcomes, edition, seed, process_time() - started)
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        typer.echo("\n".join(table(figures)))


def _play(settings: Settings, seed: str) -> Outcome:
    try:
        result = play_game(settings, seed, [RandomPlayer() for _ in settings.species], seed)
    except IllegalAction as illegal:
        raise ValueError(sentence(illegal, settings.species)) from None
    return Outcome(species=settings.species, scores=result.scores, counts=result.counts)


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


def summary(outcomes: list[Outcome], edition: str, seed: int, cpu_seconds: float) -> dict[str, Any]:
    """The figures of some games; scores are in points."""
    scores: dict[str, list[float]] = {}
    wins: dict[str, int] = {}
    counts = Counts()
    for outcome in outcomes:
        counts = counts + outcome.counts
        for name, score in zip(outcome.species, outcome.scores, strict=True):
            scores.setdefault(name, []).append(score.total / 12)
            wins[name] = wins.get(name, 0) + score.winner
    every = [score for some in scores.values() for score in some]
    return {
        "games": len(outcomes),
        "players": len(outcomes[0].scores),
        "edition": edition,
        "seed": seed,
        "mean_score": round(mean(every), 3),
        "median_score": round(median(every), 3),
        "by_species": {
            name: {"seats": len(some), "mean": round(mean(some), 3), "wins": wins[name]}
            for name, some in sorted(scores.items())
        },
        **{name: getattr(counts, name) for name in counts.__struct_fields__},
        "cpu_seconds": round(cpu_seconds, 3),
    }


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures for a person, at most 80 columns wide."""
    yield (
        f"{figures['games']} game{'s' if figures['games'] > 1 else ''}, {figures['players']} random seats, "
        f"edition {figures['edition']}, seed {figures['seed']}"
    )
    yield ""
    yield f"{'species':<20}{'seats':>7}{'mean':>9}{'wins':>7}"
    for name, of in figures["by_species"].items():
        yield f"{CATALOG.species[name].name:<20}{of['seats']:>7}{of['mean']:>9.2f}{of['wins']:>7}"
    seats = sum(of["seats"] for of in figures["by_species"].values())
    yield f"{'all':<20}{seats:>7}{figures['mean_score']:>9.2f}   median {figures['median_score']:.2f}"
    yield ""
    yield (
        f"{figures['actions']} actions ({figures['refusals']} more refused), {figures['events']} events, "
        f"{figures['cpu_seconds']:.2f} s"
    )
    yield f"{figures['deals']} deals struck, {figures['inventions']} inventions"
    yield (
        f"{figures['promises_made']} promises made, {figures['promises_kept']} kept, "
        f"{figures['promises_broken']} broken"
    )

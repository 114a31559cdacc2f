"""The command `bound`: what a central player reaches on the same decks, and what nobody can surpass."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import typer
from msgspec.json import encode
from msgspec.structs import replace

from elysian.cli.simulate import complain, line_up, settings_of, write
from elysian.record import Record, dump, read
from elysian.sim.central import total
from elysian.sim.progress import Progress
from elysian.sim.shards import Where
from elysian.sim.shards import run as run_shards
from elysian.sim.welfare import Measure, Measured, scores_of, welfare


def run(
    *,
    files: list[Path],
    players: int | None,
    species: tuple[str, ...],
    edition: str,
    games: int | None,
    seed: int | None,
    central: bool,
    work: int,
    json: bool,
    where: Where,
) -> None:
    """Measure recorded games, or the games of a seed; raises ValueError with a sentence for neither."""
    if bool(files) == (seed is not None):
        raise ValueError("Name recorded games, or give --seed for the games that `simulate` plays with it.")
    if files:
        files = [path for named in files for path in _files(named, games)]
        about = f"bound: {len(files)} records"
        measures = [_of_plays(number, plays) for number, plays in enumerate(_by_decks(files))]
    else:
        games = games or 1
        about = f"bound: {games} games, seed {seed}"
        measures = [
            Measure(
                number=number,
                head=Record.begin(
                    settings_of(line_up(species, players, Random(f"{seed}/{number}/species")), edition),
                    f"{seed}/{number}",
                ).head,
            )
            for number in range(games)
        ]
    keep = where.records is not None and central
    tasks = [
        replace(
            one,
            central=central,
            work=work,
            name=f"central-{one.number + 1:03}.jsonl" if keep else "",
            known=one.known if central else b"",
        )
        for one in measures
    ]
    figures = welfare(run_shards(tasks, Measured, about, where, Progress("games"), complain))
    write(figures, where.folder)
    typer.echo(json_text.dumps(figures) if json else "\n".join(table(figures)))


def _files(named: Path, most: int | None) -> list[Path]:
    """A file, or the first records of a folder."""
    if not named.is_dir():
        return [named]
    found = sorted(named.glob("*.jsonl"))[:most]
    if not found:
        raise ValueError(f"There are no records in {named}.")
    return found


def _by_decks(files: list[Path]) -> list[list[Record]]:
    """The recorded games, those on the same decks together."""
    plays: dict[bytes, list[Record]] = {}
    for path in files:
        record = read(path)
        try:
            scores_of(record)
        except ValueError as problem:
            raise ValueError(f"{path}: {problem}") from None
        plays.setdefault(encode(record.head.started), []).append(record)
    return list(plays.values())


def _of_plays(number: int, plays: list[Record]) -> Measure:
    """One measurement for each deck: what is scored on it is the best that was played."""
    best = max(plays, key=total)
    return Measure(number=number, head=best.head, scored=scores_of(best), known=dump(best))


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures for a person, at most 80 columns wide."""
    yield f"{'game':>4}{'seats':>7}{'scored':>10}{'central':>10}{'bound':>10}   points a seat"
    for game in figures["by_game"]:
        seats = len(game["species"])
        cells = [
            "-" if total is None else f"{total / seats:.1f}"
            for total in (
                None if game["scored"] is None else sum(game["scored"]),
                None if game["central"] is None else sum(game["central"]),
                game["bound"],
            )
        ]
        yield f"{game['number'] + 1:>4}{seats:>7}" + "".join(f"{cell:>10}" for cell in cells)
    yield ""
    if "central_mean" in figures:
        yield (
            f"the central player reaches {figures['central_mean']:.1f} points a seat, "
            f"{100 * figures['central_to_bound']:.0f} % of the bound of {figures['bound_mean']:.1f}"
        )
    else:
        yield f"nobody can surpass {figures['bound_mean']:.1f} points a seat"
    if "scored_mean" in figures:
        line = f"scored: {figures['scored_mean']:.1f} points a seat, "
        if "welfare" in figures:
            low, high = figures["welfare_interval"]
            line += (
                f"{100 * figures['welfare']:.0f} % of the central player ({100 * low:.0f}–{100 * high:.0f}), "
            )
        yield line + f"{100 * figures['scored_to_bound']:.0f} % of the bound"

"""The command `benchmark`: a player measured by a fixed protocol, or the results of another checked."""

from __future__ import annotations

import json as json_text
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer

from elysian.cli.simulate import brought, complain
from elysian.players.levels import check_levels, versions
from elysian.sim.benchmark import BenchmarkOutcome, protocol_named, schedule
from elysian.sim.progress import Progress
from elysian.sim.shards import Where
from elysian.sim.shards import run as run_shards
from elysian.sim.submission import Submission, encode, problems, read, submission


def run(*, player: str, protocol: str, file: Path | None, json: bool, where: Where) -> None:
    """Measure a player and leave the file of its results; raises ValueError with a sentence."""
    chosen = protocol_named(protocol)
    check_levels((player,))
    about = f"benchmark {chosen.title} of {brought(versions((player,)))}"
    games = schedule(chosen, player)
    outcomes = run_shards(games, BenchmarkOutcome, about, where, Progress("games"), complain)
    results = submission(chosen, player, outcomes)
    path = file or (where.folder or Path()) / file_name(chosen.title, player)
    path.write_bytes(encode(results))
    _show(results, json)
    if not json:
        typer.echo(f"\nwritten to {path}")


def run_check(file: Path, *, opponents: bool, json: bool) -> None:
    """Check a file of results; what is wrong is said in sentences, and the exit code is 1."""
    results = read(file)
    found = list(problems(results, opponents))
    if found:
        for problem in found:
            typer.echo(problem)
        raise typer.Exit(1)
    _show(results, json)
    if not json:
        asked = "; the opponents play so" if opponents else ""
        typer.echo(f"\nall {len(results.games)} records are decided so again, every figure follows{asked}")


def file_name(protocol: str, player: str) -> str:
    """What the file of results is called."""
    return f"{protocol}-{re.sub(r'[^A-Za-z0-9]+', '-', player).strip('-')}.jsonl.gz"


def _show(results: Submission, json: bool) -> None:
    if json:
        typer.echo(json_text.dumps(msgspec.to_builtins({"head": results.head, "times": results.times})))
    else:
        typer.echo("\n".join(table(results)))


def table(results: Submission) -> Iterator[str]:
    """The results for a person, at most 80 columns wide."""
    head, of, times = results.head, results.head.figures, results.times
    version = f" ({head.version})" if head.version else ""
    yield f"{head.player}{version}, protocol {head.protocol}, {of['games']} games"
    yield ""
    head_of = f"{'points':>8}{'95 % interval':>16}{'ahead':>8}{'95 % interval':>18}{'won':>5}"
    yield f"{'table':<18}{'games':>6}{head_of}"
    for row in of["tables"]:
        yield f"{row['part'] + ' of ' + str(row['seats']):<18}" + _cells(row)
    yield ""
    yield from _rest(of)
    yield (
        f"{times.decisions} decisions, {times.cpu_seconds:.1f} s of CPU time: "
        f"{times.mean_ms:.1f} ms each, 95 % within {times.p95_ms:.1f} ms"
    )
    yield f"compare two runs by {times.compared[:16]}"


def _cells(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    cells = f"{row['games']:>6}{row['points']:>8.2f}{f'{low:.2f}–{high:.2f}':>16}"
    if "ahead" in row:
        least, most = row["ahead_interval"]
        cells += f"{row['ahead']:>+8.2f}{f'{least:+.2f} to {most:+.2f}':>18}{row['won']:>5}"
    return cells


def _rest(of: dict[str, Any]) -> Iterator[str]:
    if of["welfare"] is not None:
        low, high = of["welfare"]["interval"]
        yield (
            f"whole tables reach {100 * of['welfare']['of_central']:.0f} % of the central player "
            f"({100 * low:.0f}–{100 * high:.0f}), {100 * of['welfare']['of_bound']:.0f} % of the bound"
        )
    if of["share_of_gain"] is not None:
        yield f"{of['deals']} deals with opponents: {100 * of['share_of_gain']:.0f} % of their gain"
    kept = "" if of["share_kept"] is None else f" ({100 * of['share_kept']:.0f} %)"
    yield f"{of['promises_kept']} promises kept{kept}, {of['promises_broken']} broken"
    yield f"{of['refused']} actions refused"
    for word, number in of["usage"].items():
        yield f"{number} {word.replace('_', ' ')}"

"""The command `tune`: prices learnt by self-play, written as a new file with a log of what was tried."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from random import Random

import msgspec
import typer
from msgspec.structs import replace

from elysian.cli.simulate import complain, line_up, settings_of
from elysian.players.trader.level import LEVELS as TRADERS
from elysian.sim.games import Game, Outcome
from elysian.sim.progress import Progress
from elysian.sim.shards import Where
from elysian.sim.shards import run as run_shards
from elysian.sim.tuning import Tuner, written
from elysian.state import Settings
from elysian.worth import prices


def run(*, tuner: Tuner, players: int | None, edition: str, start: Path | None, where: Where) -> None:
    """Learn, write `prices.toml` and `log.jsonl`, and say whether it helped; raises ValueError."""
    if tuner.level not in TRADERS:
        raise ValueError(f"Prices are used by {', '.join(TRADERS)}; {tuner.level!r} has none to tune.")
    folder = where.folder
    assert folder is not None
    source = files("elysian.worth") / "prices.toml" if start is None else start
    first = prices(None if start is None else str(start))

    def tables(name: str, count: int) -> list[tuple[Settings, str]]:
        decks = [f"{tuner.seed}/{name}/{n}" for n in range(count)]
        return [(settings_of(line_up((), players, Random(f"{d}/species")), edition), d) for d in decks]

    def play(games: list[Game], name: str) -> list[Outcome]:
        kept = replace(where, folder=folder / name)
        return run_shards(games, Outcome, f"tune: {name}", kept, Progress(f"games ({name})"), complain)

    tuned = tuner.learn(first, tables, play)
    log = [msgspec.json.encode(line) for line in (*tuned.steps, tuned.judged)]
    (folder / "log.jsonl").write_bytes(b"\n".join(log) + b"\n")
    new = folder / "prices.toml"
    new.write_text(written(source.read_text(encoding="utf-8"), tuned.prices), encoding="utf-8")
    judged = tuned.judged
    low, high = judged.interval
    typer.echo(
        f"{judged.before:.2f} points a seat before, {judged.after:.2f} after "
        f"({judged.difference:+.2f}, 95 % interval {low:+.2f} to {high:+.2f}), on {tuner.judging} new decks"
    )
    if low <= 0:
        typer.echo("That is no proof that they are better; learn longer, or judge on more decks.")
    typer.echo(f"The prices are in {new}, what was tried in {folder / 'log.jsonl'}.")

"""The benchmark of our own levels, and what the central player reaches on its decks.

python -m tools.benchmark            play what is missing of results/benchmark/, then write docs/benchmark.md
python -m tools.benchmark --levels fair,novice --protocol small   only these
python -m tools.benchmark --central  measure the references that are missing (22 s a deck of 4, 70 s of 6)
python -m tools.benchmark --table    only write the table
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from elysian.cli.benchmark import file_name
from elysian.players.levels import LEVELS
from elysian.record import Record
from elysian.sim.benchmark import PROTOCOLS, VERSION, Protocol, Reference, schedule
from elysian.sim.submission import read
from elysian.sim.welfare import Measure

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results" / "benchmark"
RUNS = ROOT / "runs"  # shards of what is being played; not kept
REFERENCES = ROOT / "elysian" / "sim" / f"benchmark-{VERSION}.json"
PAGE = ROOT / "docs" / "benchmark.md"
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
CITED = ("full", "small")


def central() -> None:
    """Measure the references of decks that have none, a deck at a time."""
    known: dict[str, Any] = msgspec.json.decode(REFERENCES.read_bytes()) if REFERENCES.exists() else {}
    for game in schedule(PROTOCOLS["full"], "random"):
        if game.deck in known:
            continue
        head = Record.begin(game.settings, game.seed).head
        measured, _ = Measure(number=0, head=head).play()
        assert measured.reached is not None
        known[game.deck] = Reference(round(sum(measured.reached), 2), round(measured.bound, 2))
        print(game.deck, known[game.deck], f"{measured.seconds:.0f} s", flush=True)
        REFERENCES.write_bytes(msgspec.json.format(msgspec.json.encode(known), indent=1) + b"\n")


def play(protocol: Protocol, levels: list[str], jobs: int) -> None:
    """Play what is missing; what was broken off goes on where it stopped."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for level in levels:
        path = RESULTS / file_name(protocol.title, level)
        if path.exists():
            continue
        words = ["benchmark", "--player", level, "--protocol", protocol.name, "--jobs", str(jobs)]
        print("elysian", *words, flush=True)
        out = RUNS / path.name.removesuffix(".jsonl.gz")
        command = [sys.executable, "-m", "elysian", *words, "--out", str(out), "--file", str(path)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def tables() -> str:
    """A table for each protocol with results, the strongest first."""
    parts = []
    for protocol in (PROTOCOLS[name] for name in CITED):
        found = [read(path) for path in sorted(RESULTS.glob(f"{protocol.title}-*.jsonl.gz"))]
        rows = [_cells(one.head.player, one.head.figures, one.times.mean_ms) for one in found]
        if rows:
            head = (
                "| player | one seat of 4 | ahead | half of 4 | ahead | whole table | of the central player "
            )
            head += "| of its deals' gain | promises kept | refused | ms a decision |"
            rows.sort(key=lambda row: -float(row.split("|")[2].split()[0]))
            parts.append(f"Protocol `{protocol.title}`:\n\n{head}\n|{' --- |' * 11}\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _cells(player: str, of: dict[str, Any], ms: float) -> str:
    one, half, whole = (next(r for r in of["tables"] if r["part"] == p) for p in ("one", "half", "whole"))
    cells = [f"`{player}`"]
    for row in (one, half):
        cells += [_with(row["points"], row["interval"]), _with(row["ahead"], row["ahead_interval"], "+")]
    cells.append(_with(whole["points"], whole["interval"]))
    cells.append(f"{100 * of['welfare']['of_central']:.0f} %")
    cells.append("–" if of["share_of_gain"] is None else f"{100 * of['share_of_gain']:.0f} %")
    cells.append("–" if of["share_kept"] is None else f"{100 * of['share_kept']:.0f} %")
    return "| " + " | ".join([*cells, str(of["refused"]), f"{ms:.1f}"]) + " |"


def _with(mean: float, ends: list[float], sign: str = "") -> str:
    return f"{mean:{sign}.1f} ({ends[0]:{sign}.1f} to {ends[1]:{sign}.1f})"


def write() -> None:
    """The tables of docs/benchmark.md anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Do what the words ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--protocol", choices=CITED, default="full")
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--central", action="store_true")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.central:
        central()
        return
    if not asked.table:
        play(PROTOCOLS[asked.protocol], asked.levels.split(","), asked.jobs)
    write()


if __name__ == "__main__":
    main()

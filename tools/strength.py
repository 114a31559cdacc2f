"""Strength: whole games of one level among themselves, paired by seed with those of an earlier state.

`python -m tools.strength --label now` plays what is missing and goes on where it was stopped; run once with
the code of before under `--label before`, it prints the paired difference of each cell with its interval. A
cell that was never played before is compared with the kept results of the same level and size
(results/README.md): the same seeds, but fewer games. `--games 30` plays no more than those.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from tools.results import RESULTS, ROOT, RUNS

CELLS = tuple((level, n) for level in ("standard", "expert") for n in (4, 6))
GAMES = 100
WIDE = 1.96  # standard errors to each side


def play(label: str, games: int, jobs: int) -> None:
    """Play every cell that has no result yet."""
    for level, n in CELLS:
        kept, out = RESULTS / name(label, level, n), RUNS / name(label, level, n).removesuffix(".json")
        if kept.exists():
            continue
        words = ["simulate", "--players", str(n), "--bots", level, "--games", str(games), "--seed", "1"]
        print("elysian", *words, flush=True)
        command = [sys.executable, "-m", "elysian", *words, "--jobs", str(jobs), "--out", str(out)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        kept.write_bytes((out / "figures.json").read_bytes())


def name(label: str, level: str, n: int) -> str:
    """Where a cell is kept."""
    return f"strength-{label}-{level}-{n}.json"


def paired(before: list[float], after: list[float]) -> str:
    """The mean of the games both have played, and how much the later ones differ, in percent."""
    both = list(zip(before, after, strict=False))
    differences = [later - earlier for earlier, later in both]
    mean = fmean(earlier for earlier, _ in both)
    error = stdev(differences) / sqrt(len(both)) if len(both) > 1 else float("inf")
    low, middle, high = (100 * (fmean(differences) + side * WIDE * error) / mean for side in (-1, 0, 1))
    return f"{len(both)} games, mean {mean:.1f}, difference {middle:+.1f} % ({low:+.1f} to {high:+.1f})"


def told(results: Path, before: str, now: str) -> Iterator[str]:
    """A line for each cell that both states have, and what it was compared with."""
    for level, n in CELLS:
        files = [before_of(results, before, level, n), results / name(now, level, n)]
        if all(file.exists() for file in files):
            of = [json.loads(file.read_text(encoding="utf-8"))["by_game"] for file in files]
            yield f"{level} at {n}: {paired(*of)}, against {files[0].name}"


def before_of(results: Path, label: str, level: str, n: int) -> Path:
    """The cell of an earlier state; where it has none, the result that is kept, of the same seeds."""
    played = results / name(label, level, n)
    return played if played.exists() else results / f"{level}-{n}.json"


def main() -> None:
    """Play what is missing under a label, and compare it with another."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--label", default="now")
    asked.add_argument("--against", default="before")
    asked.add_argument("--games", type=int, default=GAMES)
    asked.add_argument("--jobs", type=int, default=2)
    words = asked.parse_args()
    play(words.label, words.games, words.jobs)
    for line in told(RESULTS, words.against, words.label):
        print(line)


if __name__ == "__main__":
    main()

"""The results that are kept: the commands behind them, run where one is missing, and the tables of the docs.

`python -m tools.results --jobs 8` plays what is missing, a cell at a time, and goes on where it was broken
off. `python -m tools.results --tables` writes the tables of docs/bots.md and results/README.md anew;
`--tables company` writes that one of docs/bots.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from tools.company.report import columns, load

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
RUNS = ROOT / "runs"  # shards of what is being played; not kept
SEED = 1
SIZES = (4, 6, 7, 8, 9)
LEVELS = {"random": 30, "fair": 30, "novice": 30, "standard": 30, "expert": 30, "planner": 6}
AGAINST = ("fair", "standard")  # half and half with expert
DECKS = {6: 15}  # each played twice, seats exchanged
PLAYED = ("standard", "expert", "planner")  # whose plays the central player may begin with
CENTRAL = 6  # decks of each size whose cooperative play is computed


def cells() -> Iterator[tuple[str, list[str]]]:
    """The name of each result and the words of its command, what is quick to play first."""
    for level in LEVELS:
        for n in SIZES if level != "planner" else ():
            yield _simulated(level, n)
        if level == "standard":
            for other in AGAINST:
                for n, decks in DECKS.items():
                    words = ["tournament", f"expert,{other}", "--players", str(n), "--decks", str(decks)]
                    yield f"expert-{other}-{n}", [*words, "--seed", str(SEED)]
    for n in SIZES:
        yield _simulated("planner", n)
    for n in SIZES:  # last: the central player begins with the best that was played on its decks
        folders = [f"runs/{level}-{n}/games" for level in PLAYED]
        yield f"bound-{n}", ["bound", *folders, "--games", str(CENTRAL)]


def _simulated(level: str, n: int) -> tuple[str, list[str]]:
    name = f"{level}-{n}"
    words = ["simulate", "--players", str(n), "--bots", level, "--games", str(LEVELS[level])]
    kept = ["--records", f"runs/{name}/games"] if level in PLAYED else []
    return name, [*words, "--seed", str(SEED), *kept]


def play(jobs: int, only: list[str]) -> None:
    """Play every cell that has no result yet."""
    for name, words in cells():
        kept = RESULTS / f"{name}.json"
        if kept.exists() or (only and name not in only):
            continue
        out = RUNS / name
        print("elysian", *words, flush=True)
        command = [sys.executable, "-m", "elysian", *words, "--jobs", str(jobs), "--out", str(out)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        kept.write_bytes((out / "figures.json").read_bytes())


# ---------------------------------------------------------------- the tables


def read(name: str) -> dict[str, Any] | None:
    """A result that is there."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    marks = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, marks, *rows))


def scores() -> str:
    """Means with intervals, and the share of the central player's points on the same decks."""
    rows = []
    for level in LEVELS:
        row = [f"`{level}`"]
        for n in SIZES:
            of, central = read(f"{level}-{n}"), read(f"bound-{n}")
            if of is None:
                row.append("")
                continue
            low, high = of["interval"]
            text = f"{of['mean_score']:.1f} ({low:.1f}–{high:.1f})"
            if central is not None:
                text += f", {welfare(of, central):.0%}"
            row.append(text)
        rows.append(row)
    there = [str(n) for n in SIZES]
    central_row, bound_row = ["*central player*"], ["*bound*"]
    for n in SIZES:
        of = read(f"bound-{n}")
        central_row.append("" if of is None else f"{of['central_mean']:.1f}")
        bound_row.append("" if of is None else f"{of['bound_mean']:.1f}")
    return table(["players", *there], [*rows, central_row, bound_row])


def welfare(of: dict[str, Any], central: dict[str, Any]) -> float:
    """The points of a level for each point of the central player, on the decks both played."""
    both = list(zip(of["by_game"], central["by_game"], strict=False))
    return fmean(mine for mine, _ in both) / fmean(fmean(game["central"]) for _, game in both)


def species() -> str:
    """The mean of each species, all sizes together, and how far the lowest lies below the table."""
    rows = []
    for level in ("standard", "expert"):
        sums: dict[str, list[tuple[float, int]]] = {}
        for n in SIZES:
            for name, group in (read(f"{level}-{n}") or {"by_species": {}})["by_species"].items():
                sums.setdefault(name, []).append((group["mean"], group["seats"]))
        means = {name: sum(m * k for m, k in some) / sum(k for _, k in some) for name, some in sums.items()}
        if means:
            rows.append([f"`{level}`", *(f"{means[name]:.1f}" for name in sorted(means))])
    names = sorted((read("standard-9") or {"by_species": {}})["by_species"])
    return table(["species", *names], rows) if names and rows else ""


def times() -> str:
    """The CPU time of decisions and games."""
    rows = []
    for level in LEVELS:
        for n in (4, 7, 9):
            of = read(f"{level}-{n}")
            if of is None:
                continue
            done = of["decisions"]
            row = [f"`{level}`, {n} players", f"{of['cpu_seconds'] / of['games']:.1f}"]
            for about in ("answer", "offer", "all"):
                there = done.get(about)
                row += (
                    [f"{there['median_ms']:.1f}", f"{there['p95_ms']:.1f}"]
                    if there and there["count"]
                    else ["", ""]
                )
            rows.append([*row, f"{of['deals'] / of['games']:.0f}", f"{of['inventions'] / of['games']:.0f}"])
    head = ["", "s a game", "answer ms", "p95", "offer ms", "p95", "all ms", "p95", "deals", "inventions"]
    return table(head, rows)


def against() -> str:
    """Half and half: who was above whom."""
    rows = []
    for other in AGAINST:
        for n in DECKS:
            of = read(f"expert-{other}-{n}")
            if of is None:
                continue
            pair = of["above"]["expert"][other]
            means = {level: of["levels"][level]["mean"] for level in ("expert", other)}
            rows.append(
                [
                    f"`expert` and `{other}`, {n} players",
                    str(pair["games"]),
                    f"{pair['share']:.0%}",
                    f"{means['expert']:.1f}",
                    f"{means[other]:.1f}",
                ]
            )
    return table(["table", "games", "`expert` above", "`expert`", "the others"], rows)


def company() -> str:
    """Scripted people among bots, as `make company` kept them last."""
    return table(*columns(load()))


TABLES = {"scores": scores, "against": against, "species": species, "times": times, "company": company}


def write_tables(only: list[str]) -> None:
    """Put these tables between their marks in docs/bots.md; none named: all, and the list of commands."""
    path = ROOT / "docs" / "bots.md"
    text = path.read_text(encoding="utf-8")
    for name, make in TABLES.items():
        if only and name not in only:
            continue
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = before + begin + make() + "\n" + end + rest.split(end, 1)[1]
    path.write_text(text, encoding="utf-8")
    if not only:
        _list_commands()


def _list_commands() -> None:
    """Say in results/README.md what was run for each file."""
    rows = [
        [f"`{name}.json`", f"`elysian {' '.join(words)} --out runs/{name}`"]
        for name, words in cells()
        if (RESULTS / f"{name}.json").exists()
    ]
    listing = RESULTS / "README.md"
    head = listing.read_text(encoding="utf-8").split("| file |")[0]
    table = ["| " + " | ".join(row) + " |" for row in (["file", "command"], ["---", "---"], *rows)]
    listing.write_text(head + "\n".join(table) + "\n", encoding="utf-8")


def main() -> None:
    """Play what is missing, or write the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tables", action="store_true", help="only write the tables of the docs")
    parser.add_argument("only", nargs="*", help="names of cells, or of tables with --tables; all by default")
    words = parser.parse_args()
    if not words.tables:
        play(words.jobs, words.only)
    write_tables(words.only if words.tables else [])


if __name__ == "__main__":
    main()

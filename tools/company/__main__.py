"""`python -m tools.company` plays what is missing of the cells and prints everything.

`--games 1 --seats 4` is a little of it. Every game is kept with its seed in results/company.jsonl, so it goes
on where it was stopped. Each person's game is paired with one in which a bot has the same seat, species and
decks.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from statistics import fmean, quantiles

import msgspec

from elysian.server.table_state.events import Line
from tools.company.figures import Figures, measure
from tools.company.games import cells, play
from tools.company.people import MEASURED
from tools.drive.skipped_time import run

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "results" / "company.jsonl"


def load(path: Path = KEPT) -> list[Figures]:
    """The games that were played."""
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Figures) for line in path.read_bytes().splitlines()]


def table(kept: list[Figures]) -> str:
    """A line for each cell: the person beside bots, and what they were offered."""
    head = (
        "label level seats person games points bots paired of-paired offers struck kinds p90 both gone soon"
    )
    head += " drafts taken deals colonies back minutes"
    rows = [head.split()]
    for key in dict.fromkeys((f.label, f.level, f.seats, f.person) for f in kept):
        some = [f for f in kept if (f.label, f.level, f.seats, f.person) == key]
        kinds = sorted(n for f in some for n in f.kinds) or [0]
        tenth = quantiles(kinds, n=10, method="inclusive") if len(kinds) > 1 else kinds * 9
        share = sum(f.points for f in some) / max(0.1, sum(f.paired for f in some))
        means = [fmean(getattr(f, name) for f in some) for name in ("points", "bots", "paired")]
        counts = [fmean(getattr(f, name) for f in some) for name in ("offers", "struck")]
        rest = ("drafts", "drafts_struck", "deals", "colonies", "colonies_back", "minutes")
        rows.append(
            [
                *map(str, key),
                str(len(some)),
                *(f"{mean:.1f}" for mean in means),
                f"{share:.0%}",
                *(f"{count:.1f}" for count in counts),
                f"{tenth[4]:.0f}",
                f"{tenth[8]:.0f}",
                *(f"{sum(getattr(f, n) for f in some)}" for n in ("both_ways", "vanished", "soon")),
                *(f"{fmean(getattr(f, name) for f in some):.1f}" for name in rest),
            ]
        )
    wide = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in rows)


def main() -> None:
    """Play what is missing, and print everything."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--label", default="now", help="what these games are kept as")
    asked.add_argument("--level", help="only bots of this level")
    asked.add_argument("--seats", type=int, help="only tables of this size")
    asked.add_argument("--person", choices=MEASURED, help="only this person")
    asked.add_argument("--games", type=int, help="so many of each cell")
    asked.add_argument("--first", type=int, default=1, help="the first seed")
    asked.add_argument("--print", action="store_true", help="play nothing")
    words = asked.parse_args()
    kept = load()
    chosen = [
        cell
        for cell in cells()
        if words.level in (None, cell.level)
        and words.seats in (None, cell.seats)
        and words.person in (None, cell.person)
    ]
    for seed in range(words.first, words.first + (words.games or 20)) if not words.print else ():
        paired: dict[tuple[str, int], list[Line]] = {}
        for cell in chosen:
            there = any(
                (f.label, f.level, f.seats, f.person, f.seed)
                == (words.label, cell.level, cell.seats, cell.person, seed)
                for f in kept
            )
            if there or seed >= words.first + (words.games or cell.games):
                continue
            key = cell.level, cell.seats
            if key not in paired:
                paired[key], _ = run(partial(play, cell=cell, seed=seed, person=False))
            kept.append(measure(words.label, cell, seed, paired[key]))
            with KEPT.open("ab") as out:
                out.write(msgspec.json.encode(kept[-1]) + b"\n")
            print(msgspec.json.encode(kept[-1]).decode(), flush=True)
    print(table(kept))


if __name__ == "__main__":
    main()

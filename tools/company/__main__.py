"""`python -m tools.company` plays what is missing of the cells and prints everything.

`--games 1 --seats 4` is a little of it. Every game is kept with its seed in results/company.jsonl as soon as
it is over, so it goes on where it was stopped; two processes may play cells of different tables at once. Each
person's game is paired with one in which a bot has the same seat, species and decks; that one is played once
for all persons of a label. `python -m tools.results --tables company` puts the last label into docs/bots.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tools.company.figures import Figures, Paired, measure, with_a_bot
from tools.company.games import Cell, cells
from tools.company.people import MEASURED
from tools.company.report import KEPT, keep, lines, load


def missing(
    chosen: Iterable[Cell], kept: list[Figures], label: str, seeds: range
) -> Iterator[tuple[Cell, int]]:
    """The games of some cells that have not been played, one cell after the other."""
    there = {(f.level, f.seats, f.person, f.seed) for f in kept if f.label == label}
    for cell in chosen:
        for seed in seeds[: cell.games]:
            if (cell.level, cell.seats, cell.person, seed) not in there:
                yield cell, seed


def pair_of(cell: Cell, seed: int, kept: Iterable[Figures], label: str) -> Paired | None:
    """The game with a bot in the person's place, if it was played for another person."""
    for one in kept:
        if (one.label, one.level, one.seats, one.seed) == (label, cell.level, cell.seats, seed):
            return Paired(one.paired, one.among)
    return None


def main() -> None:
    """Play what is missing, and print everything."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--label", default="now", help="what these games are kept as")
    asked.add_argument("--pairs", help="a label whose games of bots alone are those of this code, too")
    asked.add_argument("--kept", type=Path, default=KEPT, help="the file they are kept in")
    asked.add_argument("--level", help="only bots of this level")
    asked.add_argument("--seats", type=int, help="only tables of this size")
    asked.add_argument("--person", choices=MEASURED, help="only this person")
    asked.add_argument("--games", type=int, help="at most so many of each cell")
    asked.add_argument("--first", type=int, default=1, help="the first seed")
    asked.add_argument("--print", action="store_true", help="play nothing")
    words = asked.parse_args()
    kept = load(words.kept)
    chosen = [
        cell
        for cell in cells()
        if words.level in (None, cell.level)
        and words.seats in (None, cell.seats)
        and words.person in (None, cell.person)
    ]
    seeds = range(words.first, words.first + (words.games or max(cell.games for cell in cells())))
    for cell, seed in () if words.print else tuple(missing(chosen, kept, words.label, seeds)):
        pair = pair_of(cell, seed, kept, words.label) or pair_of(cell, seed, kept, words.pairs or words.label)
        kept.append(measure(words.label, cell, seed, pair or with_a_bot(cell, seed)))
        keep(kept[-1], words.kept)
        print(msgspec.json.encode(kept[-1]).decode(), flush=True)
    print(lines(kept))


if __name__ == "__main__":
    main()

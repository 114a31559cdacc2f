"""Reports: what the kept games say, as lines for a terminal and as the table of docs/bots.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, quantiles, stdev

import msgspec

from tools.company.figures import Figures

KEPT = Path(__file__).resolve().parents[2] / "results" / "company.jsonl"
HEAD = (
    "label level seats person games points bots paired of-paired among offers struck kinds p90 both gone soon"
    " drafts taken outdated lost true true-among deals colonies back minutes cpu"
)
WORDS = {"reader": "reads", "helped": "is helped", "answers": "only answers"}
COLUMNS = (
    "table and person",
    "games",
    "points",
    "a bot there",
    "share",
    "the bots",
    "without",
    "offers",
    "kinds",
    "gone soon",
    "drafts taken",
    "stale",
    "at a loss",
    "deeds done",
)


def load(path: Path = KEPT) -> list[Figures]:
    """The games that were played; a line that was broken off while it was written is none."""
    if not path.exists():
        return []
    whole = path.read_bytes().rpartition(b"\n")[0]
    return [msgspec.json.decode(line, type=Figures) for line in whole.splitlines()]


def keep(one: Figures, path: Path = KEPT) -> None:
    """Put a game behind the others, in the place of what was broken off."""
    with path.open("ab+") as out:
        out.seek(0)
        there = out.read()
        if not there.endswith(b"\n"):  # nobody else writes in the middle of a line: two may play at once
            out.truncate(there.rfind(b"\n") + 1)
        out.write(msgspec.json.encode(one) + b"\n")


def by_cell(kept: list[Figures]) -> Iterator[tuple[Figures, list[Figures]]]:
    """The games of each cell, and the first of them."""
    for key in dict.fromkeys((f.label, f.level, f.seats, f.person) for f in kept):
        some = [f for f in kept if (f.label, f.level, f.seats, f.person) == key]
        yield some[0], some


def lines(kept: list[Figures]) -> str:
    """A line for each cell: the person beside bots, what they were offered, and whether reasons came true."""
    rows = [HEAD.split()]
    for one, some in by_cell(kept):
        rows.append([one.label, one.level, str(one.seats), one.person, *_row(some)])
    wide = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in rows)


def columns(kept: list[Figures]) -> tuple[list[str], list[list[str]]]:
    """The head and rows of the docs' table: each cell as last played, with its label if that is older."""
    last = {_cell(f): f.label for f in kept}
    some = {cell: [f for f in kept if (_cell(f), f.label) == (cell, last[cell])] for cell in sorted(last)}
    return list(COLUMNS), [[_name(games[0], kept[-1].label), *_cells(games)] for games in some.values()]


def _cell(one: Figures) -> tuple[int, int, int]:
    """By size, then by level and person: sorts as the table does."""
    return one.seats, ("standard", "expert").index(one.level), tuple(WORDS).index(one.person)


def _name(one: Figures, now: str) -> str:
    before = "" if one.label == now else f" ({one.label})"
    return f"`{one.level}`, {one.seats}: {WORDS[one.person]}{before}"


def _cells(some: list[Figures]) -> Iterator[str]:
    apart = [f.points - f.paired for f in some]
    half = 1.96 * stdev(apart) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
    share = _sum(some, "points") / max(0.1, _sum(some, "paired"))
    yield str(len(some))
    yield f"{_mean(some, 'points')}"
    yield f"{_mean(some, 'paired')}"
    yield f"{share:.0%}" + (f" ({fmean(apart):+.1f} ± {half:.1f})" if half else "")
    yield _mean(some, "bots")
    yield _mean(some, "among")
    yield _mean(some, "offers")
    yield " / ".join(f"{n:.0f}" for n in _kinds(some))
    yield f"{_sum(some, 'soon'):.0f}"
    drafts = _sum(some, "drafts")
    yield f"{_sum(some, 'drafts_struck'):.0f} of {drafts:.0f}" if drafts else ""
    yield f"{_sum(some, 'outdated'):.0f}" if drafts else ""
    yield f"{_sum(some, 'drafts_lost'):.0f}" if drafts else ""
    yield f"{_sum(some, 'done'):.0f} of {_sum(some, 'named'):.0f}"


def _row(some: list[Figures]) -> Iterator[str]:
    yield str(len(some))
    yield from (_mean(some, name) for name in ("points", "bots", "paired"))
    yield f"{_sum(some, 'points') / max(0.1, _sum(some, 'paired')):.0%}"
    yield from (_mean(some, name) for name in ("among", "offers", "struck"))
    yield from (f"{n:.0f}" for n in _kinds(some))
    counts = ("both_ways", "vanished", "soon", "drafts", "drafts_struck", "outdated", "drafts_lost")
    yield from (f"{_sum(some, name):.0f}" for name in counts)
    yield _share(_sum(some, "done"), _sum(some, "named"))
    yield _share(_sum(some, "done_among"), _sum(some, "named_among"))
    yield from (_mean(some, name) for name in ("deals", "colonies", "colonies_back", "minutes", "cpu"))


def _kinds(some: list[Figures]) -> tuple[float, float]:
    """Of things in an offer: the median, and what nine tenths do not exceed."""
    kinds = sorted(n for f in some for n in f.kinds) or [0]
    tenth = quantiles(kinds, n=10, method="inclusive") if len(kinds) > 1 else kinds * 9
    return tenth[4], tenth[8]


def _mean(some: list[Figures], name: str) -> str:
    return f"{fmean(getattr(f, name) for f in some):.1f}"


def _sum(some: list[Figures], name: str) -> float:
    return float(sum(getattr(f, name) for f in some))


def _share(done: float, named: float) -> str:
    return f"{done / named:.0%}/{named:.0f}" if named else "-"

"""What must be true when the dust has settled, whatever happened to the server before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from elysian.server.protocol.view_delta import plain
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import fold
from elysian.view import view

PLAYERS = 4


class Evidence(Struct):
    """What is left when the dust has settled: the log on disk, and what everybody was told."""

    first: int  # the last line before anybody played
    lines: list[Line]
    answers: dict[str, int | None]  # as stored; None: refused
    accepted: dict[str, int]  # as told
    views: list[tuple[int, int, dict[str, Any]]]  # seat, line and view of everybody
    heard: list[list[dict[str, Any]]]
    lies: list[str]
    back: int  # how often somebody came back


def nothing_is_lost(found: Evidence) -> list[str]:
    """Every command that was acknowledged is in the log, as the line that was named."""
    numbers = {line.n for line in found.lines}
    return [f"{id} was line {n}" for id, n in found.accepted.items() if n not in numbers]


def nothing_happens_twice(found: Evidence) -> list[str]:
    """Every line is the effect of one command, and every command has one line at most."""
    effects = Counter(n for n in found.answers.values() if n is not None)
    problems = [f"line {n} answers {many} commands" for n, many in effects.items() if many > 1]
    asked = {line.n for line in found.lines if line.n > found.first and line.seat is not None}
    problems += [f"line {n} answers no command" for n in sorted(asked - set(effects))]
    told = Counter(found.accepted.values())
    return problems + [f"line {n} was told to {many} commands" for n, many in told.items() if many > 1]


def goods_are_conserved(found: Evidence) -> list[str]:
    """In trade goods change hands, and that is all."""
    truth, before = None, None
    problems = []
    for line in found.lines:
        truth = fold(truth, "", line)
        if truth.state is None or line.n < found.first:
            continue
        total: Counter[str] = Counter()
        for player in truth.state.players:
            total.update(plain(player.stock))
        if before is not None and total != before and truth.state.step == "trade":
            problems.append(f"line {line.n}: {dict(total - before)} more, {dict(before - total)} less")
        before = total
    owned = [_goods(seen) for _, _, seen in found.views]
    if before is not None and any(goods != before for goods in owned):
        problems.append("people see other goods than there are")
    return problems


def _goods(seen: dict[str, Any]) -> Counter[str]:
    total: Counter[str] = Counter()
    for player in seen["players"]:
        total.update(player["stock"])
    return total


def everybody_sees_the_same(found: Evidence) -> list[str]:
    """The log folded from its beginning is what everybody ended with."""
    truth = None
    for line in found.lines:
        truth = fold(truth, "", line)
    if truth is None or truth.state is None:
        return ["there is no game"]
    problems = []
    for seat, n, seen in found.views:
        if n != len(found.lines):
            problems.append(f"seat {seat} is at line {n} of {len(found.lines)}")
        elif seen != plain(view(truth.state, seat)):
            problems.append(f"seat {seat} sees another table")
    if len(found.views) != PLAYERS:
        problems.append(f"only {len(found.views)} came back")
    return problems


def lines_are_dense(found: Evidence) -> list[str]:
    """Everybody heard of every line once, in order, and what was said stays true."""
    problems = list(found.lies)
    if not found.lines:
        problems.append("the log has gaps")
    for seat, heard in enumerate(found.heard):
        numbers = [line["n"] for line in heard]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False:
            problems.append(f"seat {seat} heard lines twice, or not at all")
    return problems


CHECKS: tuple[Callable[[Evidence], list[str]], ...] = (
    nothing_is_lost,
    nothing_happens_twice,
    goods_are_conserved,
    everybody_sees_the_same,
    lines_are_dense,
)


def violations(found: Evidence) -> dict[str, list[str]]:
    """What is not as it must be, by check."""
    problems = {check.__name__: check(found) for check in CHECKS}
    return {name: said[:3] for name, said in problems.items() if said}

"""Lots: what many write at once goes to SQLite in one statement, whichever tables it belongs to.

For every statement the thread that writes needs Python's lock several times, and while the event loop is at
work it waits half a millisecond for it each time, and then the loop for the thread. So the rows that nearly
every write adds go side by side into one view, which only the connection that writes has: its trigger puts
each part of a row into its table. One statement is a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby, zip_longest
from typing import Any

from elysian.server.store.database import Statement
from elysian.server.store.schema import COLUMNS, FACE, LISTED, insert

LINE, ANSWER = insert("log"), insert("answers")
OFTEN = {LINE, ANSWER, LISTED, FACE}  # what nearly every write does
MOST_ROWS = 256  # in one statement
# The parts of a row: a line, an answer, and what is listed with 1, or 0 where only its face has changed.
PARTS = (len(COLUMNS["log"]), len(COLUMNS["answers"]), len(COLUMNS["tables"]) + 1)
WIDTH = sum(PARTS)


def lot_schema() -> tuple[str, str]:
    """The view and its trigger; they belong to a connection and are nowhere in the file."""
    values = [f"new.v{n}" for n in range(WIDTH)]
    line, answer, listed = 0, PARTS[0], PARTS[0] + PARTS[1]
    flag = values[-1]
    steps = (
        (LINE, line, f"{values[line]} IS NOT NULL"),
        (ANSWER, answer, f"{values[answer]} IS NOT NULL"),
        (LISTED, listed, f"{flag} = 1"),
        (FACE, listed, f"{flag} = 0"),
    )
    body = []
    for sql, first, condition in steps:
        head, _, rest = sql.partition(" VALUES ")
        given, clash, tail = rest.partition(" ON CONFLICT")
        found = ", ".join(values[first : first + given.count("?")])
        body.append(f"{head} SELECT {found} WHERE {condition}{clash}{tail};")
    columns = ", ".join(f"NULL AS v{n}" for n in range(WIDTH))
    return (
        f"CREATE TEMP VIEW lot AS SELECT {columns}",
        f"CREATE TEMP TRIGGER lot_goes INSTEAD OF INSERT ON lot BEGIN {' '.join(body)} END",
    )


def packed(statements: Sequence[Statement]) -> list[Statement]:
    """The same in as few statements; what is done to a table is done in the same order.

    Among what is done often, rows of different tables change places: none of them depends on another.
    """
    found: list[Statement] = []
    for often, some in groupby(statements, lambda one: one[0] in OFTEN):
        if not often:
            found += some
            continue
        rows = _rows(some)
        for n in range(0, len(rows), MOST_ROWS):
            found.append(_lot(rows[n : n + MOST_ROWS]))
    return found


def _rows(statements: Iterable[Statement]) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    answers: list[tuple[Any, ...]] = []
    listed: list[tuple[Any, ...]] = []
    for sql, values in statements:
        if sql == LINE:
            lines.append(values)
        elif sql == ANSWER:
            answers.append(values)
        else:
            listed.append((*values, int(sql == LISTED)))
    no_line, no_answer, not_listed = ((None,) * width for width in PARTS)
    return [
        (*(line or no_line), *(answer or no_answer), *(table or not_listed))
        for line, answer, table in zip_longest(lines, answers, listed)
    ]


def _lot(rows: list[tuple[Any, ...]]) -> Statement:
    """So many rows in one statement, with empty ones up to a size: SQLite reads each size only once."""
    count = len(rows)
    step = 1 if count <= 8 else 8 if count <= 64 else 64
    size = -(-count // step) * step
    values = [value for row in rows for value in row]
    return _text(size), (*values, *(None,) * ((size - count) * WIDTH))


@cache
def _text(rows: int) -> str:
    row = f"({', '.join('?' * WIDTH)})"
    return f"INSERT INTO lot VALUES {', '.join([row] * rows)}"

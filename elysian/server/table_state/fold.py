"""Fold: a table is what the lines of its log come to, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from elysian.events import GameStarted
from elysian.rules import begin, evolve
from elysian.server.ops.errors import Refused
from elysian.server.table_state.events import Line, TableEvent, TableOpened
from elysian.server.table_state.state import Lobby, evolve_table, opened
from elysian.state import State

# What folding raises when a line does not fit the table before it.
NO_FIT = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


class Damaged(Refused):
    """A log that cannot be read; its table is left alone, the others are not touched."""

    def __init__(self, problem: str) -> None:
        """Say what is wrong with it, for operators; people are told that the table is damaged."""
        super().__init__("table_damaged", status=503)
        self.problem = problem

    def __str__(self) -> str:
        """What is wrong with it."""
        return self.problem


class TableState(Struct, frozen=True, gc=False):
    """All that is true of a table after a line."""

    table: str
    lobby: Lobby
    state: State | None = None  # None: the game has not begun

    def decided(self, events: Iterable[Any], state: State | None) -> TableState:
        """The table after events whose game was decided already: only the seats are folded."""
        lobby = self.lobby
        for event in events:
            lobby = evolve_table(lobby, event)
        return TableState(self.table, lobby, state)

    def after(self, events: Iterable[Any]) -> TableState:
        """The table after events of which nothing but themselves is known."""
        state, events = self.state, tuple(events)
        for event in events:
            if isinstance(event, GameStarted):
                state = begin(event)
            elif not isinstance(event, TableEvent):
                assert state is not None
                state = evolve(state, event)
        return self.decided(events, state)


def fold(before: TableState | None, table: str, line: Line) -> TableState:
    """The table after a stored line; None stands before the first. Raises Damaged when it does not fit."""
    try:
        if before is None:
            first = line.events[0]
            if not isinstance(first, TableOpened):
                raise Damaged(f"table {table}: the log does not begin with a table")
            before = TableState(table, opened(first))
        return before.after(line.events)
    except NO_FIT as problem:
        raise Damaged(f"table {table}, line {line.n}: {problem!r}") from None

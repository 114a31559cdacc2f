"""Deadlines: at slow tables, whoever is waited for hears of it a while before the clock runs out."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from elysian.server.live.table import Table
from elysian.server.table_state.fold import TableState

LONGEST = 3 * 3600 * 1000  # ms; no warning comes earlier before the end
PART = 4  # of the time for a step: the last quarter of it begins with a warning
REMEMBERED = 10_000


def warn_at(current: TableState) -> int | None:
    """When those waited for are warned, in ms since 1970; None: nobody is."""
    lobby, state = current.lobby, current.state
    clock = lobby.options.clock
    if state is None or clock is None or lobby.due is None or lobby.paused or lobby.options.pace == "live":
        return None
    span = 1000 * (clock.trade if state.step == "trade" else clock.step)
    return lobby.due - min(LONGEST, span // PART)


class Deadlines:
    """The warnings to come of one process; what they say is looked up when they come."""

    def __init__(self, now: Callable[[], int], warn: Callable[[Table], None]) -> None:
        self._now = now
        self._warn = warn
        self._coming: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        self._warned: OrderedDict[str, int] = OrderedDict()  # the end of the time that was warned of

    def look(self, table: Table) -> None:
        """Warn when it is time, once for each time that ends."""
        at, due = warn_at(table.current), table.lobby.due
        coming = self._coming.get(table.game)
        if coming is not None and at is not None and coming[0] == due:
            return
        self.forget(table)
        if self._warned.get(table.game) != due:
            self._warned.pop(table.game, None)
        if at is None or due is None or self._warned.get(table.game) == due:
            return
        loop = asyncio.get_running_loop()
        handle = loop.call_at(loop.time() + max(0, at - self._now()) / 1000, self._ring, table, due)
        self._coming[table.game] = due, handle

    def _ring(self, table: Table, due: int) -> None:
        self._coming.pop(table.game, None)
        if table.lobby.due != due or table.lobby.paused:
            return
        self._warned[table.game] = due
        self._warned.move_to_end(table.game)
        if len(self._warned) > REMEMBERED:
            self._warned.popitem(last=False)
        self._warn(table)

    def knows(self, game: str) -> bool:
        """Whether a warning is to come, or the last one came; then the table need not be loaded for it."""
        return game in self._coming or game in self._warned

    def waits(self, table: Table) -> bool:
        """Whether the table must stay in memory for a warning that comes soon."""
        at = warn_at(table.current) if table.game in self._coming else None
        return at is not None and at - self._now() < LONGEST

    def forget(self, table: Table) -> None:
        """The table leaves memory; whoever loads it again warns."""
        coming = self._coming.pop(table.game, None)
        if coming is not None:
            coming[1].cancel()

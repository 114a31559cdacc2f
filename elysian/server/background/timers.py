"""Timers: one for each loaded table whose clock runs; last call, then the end of the time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from elysian.server.live.commands import SystemCommand, TimesUp
from elysian.server.live.table import Table
from elysian.server.protocol.messages import ClockNow, encode
from elysian.server.table_state.events import ClockSet
from elysian.server.table_state.state import Lobby

LAST_CALL = 60_000  # ms before the end
STALL = 5.0  # seconds; a timer later than this means the machine stood still
GRACE = 60_000  # what is left at least when the server, not a player, was late


class Timers:
    """The clocks of one process; the time a step ends is stored, what runs here only wakes the table."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._born = now()
        self._running: dict[str, tuple[int, asyncio.TimerHandle]] = {}

    def look(self, table: Table, loaded: bool = False) -> None:
        """Run the clock the table has, if it has one; one that ran out unseen is forgiven."""
        due = None if table.lobby.paused else table.lobby.due
        running = self._running.get(table.game)
        if running is not None and running[0] == due:
            return
        self._stop(table.game)
        if due is None:
            return
        now = self._now()
        if loaded and (due <= now or (due < now + GRACE and now < self._born + GRACE)):
            self.forgive([table])
            return
        self._run(table, due)

    def _run(self, table: Table, due: int) -> None:
        loop = asyncio.get_running_loop()
        left = due - self._now()
        early = left > LAST_CALL
        rings = loop.time() + max(0, left - LAST_CALL if early else left) / 1000
        handle = loop.call_at(rings, self._ring, table, due, rings, early)
        self._running[table.game] = due, handle

    def _ring(self, table: Table, due: int, rings: float, early: bool) -> None:
        """Once a clock runs, how long is left does not depend on what the wall clock is set to."""
        self._running.pop(table.game, None)
        if table.lobby.due != due or table.lobby.paused:
            return
        loop = asyncio.get_running_loop()
        if loop.time() - rings > STALL:
            self.forgive([table])
        elif early:
            table.watchers.broadcast(encode(ClockNow(now=self._now(), due=due, left=None, last_call=True)))
            rings += LAST_CALL / 1000
            self._running[table.game] = due, loop.call_at(rings, self._ring, table, due, rings, False)
        else:
            table.put(TimesUp(due=due))

    def forgive(self, tables: list[Table]) -> None:
        """When the machine stood still, nobody's time runs out before they could have known."""
        for table in tables:
            least = self._now() + GRACE
            if table.lobby.due is not None and not table.lobby.paused and table.lobby.due < least:
                table.put(SystemCommand(_no_sooner(least)))

    def forget(self, table: Table) -> None:
        """The table leaves memory; whoever loads it again runs its clock."""
        self._stop(table.game)

    def _stop(self, game: str) -> None:
        running = self._running.pop(game, None)
        if running is not None:
            running[1].cancel()

    def close(self) -> None:
        """Stop them all."""
        for game in list(self._running):
            self._stop(game)


def _no_sooner(least: int) -> Callable[[Lobby], tuple[ClockSet, ...]]:
    def events(lobby: Lobby) -> tuple[ClockSet, ...]:
        return (ClockSet(due=least),) if lobby.due is not None and lobby.due < least else ()

    return events

"""Resume: what somebody has missed of a table, from any line of its log.

One road for all: a browser that comes for the first time has missed everything since line 0.
"""

from __future__ import annotations

import asyncio

from elysian.deals import Seat
from elysian.server.live.audience import seen_line
from elysian.server.protocol.messages import SeenLine
from elysian.server.store import Store
from elysian.server.table_state.fold import TableState, fold

AT_ONCE = 200  # lines folded before others get their turn


class LogReader:
    """Reads a table's log for people; what is folded for one page is not folded again for the next."""

    def __init__(self, game: str, store: Store) -> None:
        """Begin before the first line."""
        self._game, self._store = game, store
        # Where the last reader stopped. States share what did not change, so one more costs little.
        self._stopped: tuple[int, TableState] | None = None

    def _nearest(self, since: int) -> tuple[int, TableState | None]:
        """The latest line up to `since` after which the table is known; stored snapshots would come here."""
        if self._stopped is not None and self._stopped[0] <= since:
            return self._stopped
        return 0, None

    async def read(self, since: int, until: int, seat: Seat | None, language: str) -> list[SeenLine]:
        """The lines after `since` up to `until` as a seat may see them; raises Refused or Damaged."""
        start, current = self._nearest(since)
        seen: list[SeenLine] = []
        for line in await self._store.lines(self._game, start, until - start):
            before, current = current, fold(current, self._game, line)
            if line.n > since:
                seen.append(seen_line(before or current, current, seat, line, language))
            if line.n % AT_ONCE == 0:
                await asyncio.sleep(0)
            start = line.n
        if current is not None:
            self._stopped = start, current
        return seen

"""Reviews: each worked out once, a turn at a time between the thoughts of bots, and kept while we live."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from elysian.deals import Seat
from elysian.server.background.worker_pool import WorkerPool
from elysian.server.reports.review import Moment, Review, assembled, moments
from elysian.server.reports.story import steps
from elysian.server.store import Store
from elysian.server.table_state.events import Line
from elysian.state import TURNS

KEPT = 500

Levels = dict[Seat, str]


class Reviews:
    """The reviews of finished games that somebody asked for."""

    def __init__(self, pool: WorkerPool, store: Store) -> None:
        """Work them out in these processes, from what is stored."""
        self._pool, self._store = pool, store
        self._known: OrderedDict[tuple[str, Seat], asyncio.Task[Review]] = OrderedDict()

    async def of(self, game: str, seat: Seat, levels: Levels) -> Review:
        """The review of a game for a seat; whoever else asks meanwhile waits for the same. Raises Refused."""
        key = game, seat
        task = self._known.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._known[key] = asyncio.create_task(self._work_out(game, seat, levels))
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return await asyncio.shield(task)

    async def _work_out(self, game: str, seat: Seat, levels: Levels) -> Review:
        lines = await self._store.lines(game)
        found: list[Moment] = []
        for turn in range(1, TURNS + 1):
            # One turn at a time: bots that wait for the same process think in between.
            found += await self._pool.run(
                f"{game}/{seat}", _turn, lines, seat, levels, turn, urgent=False, patience=None
            )
        return await asyncio.to_thread(lambda: assembled(steps(lines), seat, found))

    def close(self) -> None:
        """Give up the reviews under way: the server stops."""
        for task in self._known.values():
            task.cancel()


def _turn(lines: Sequence[Line], seat: Seat, levels: Levels, turn: int) -> tuple[Moment, ...]:
    """In a worker process: what mattered in one turn."""
    return moments(steps(lines), seat, levels, turn)

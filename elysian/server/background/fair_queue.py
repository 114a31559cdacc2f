"""Fair queue: work that waits for one worker process; whoever has used least of it goes first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import Struct

FORGOTTEN = 10_000  # accounts remembered at most


class Job(Struct, eq=False):
    """Something to be worked out."""

    account: tuple[str, ...]  # on whose account, and below it for which table; fair at each level
    urgent: bool  # a person waits for it
    number: int
    limit: float  # seconds it may take
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    outcome: asyncio.Future[Any]
    spent: Callable[[float], None] = lambda seconds: None  # is told how long it took


class FairQueue:
    """Jobs in the order in which they are to be done.

    The urgent go first. Among them goes first whose account has used up the least time, then whose table has,
    then who came first. An account that was away begins where the least of the others is: nobody saves up
    time, and nobody who comes again and again is ever ahead of one who comes for the first time.
    """

    def __init__(self) -> None:
        self._waiting: list[Job] = []
        self._used: dict[tuple[str, ...], float] = {}
        self._some = asyncio.Event()
        self._floor = 0.0  # what the account last served had used up

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, job: Job) -> None:
        """Let a job wait."""
        here = {one.account[0] for one in self._waiting}
        if job.account[0] not in here:
            top = job.account[:1]
            self._used[top] = max(self._used.get(top, 0.0), self._floor)
        self._waiting.append(job)
        self._some.set()

    async def get(self) -> Job:
        """The next job, once there is one; those nobody waits for any more are dropped."""
        while True:
            self._waiting = [job for job in self._waiting if not job.outcome.done()]
            if self._waiting:
                break
            self._some.clear()
            await self._some.wait()
        job = min(self._waiting, key=self._place)
        self._waiting.remove(job)
        self._floor = max(self._floor, self._used.get(job.account[:1], 0.0))
        return job

    def _place(self, job: Job) -> tuple[Any, ...]:
        used = tuple(self._used.get(job.account[:depth], 0.0) for depth in range(1, len(job.account) + 1))
        return not job.urgent, used, job.number

    def spend(self, job: Job, seconds: float) -> None:
        """A job has taken so long, on its account."""
        if len(self._used) > FORGOTTEN:
            self._used.clear()  # everybody begins anew, alike
            self._floor = 0.0
        for depth in range(1, len(job.account) + 1):
            part = job.account[:depth]
            self._used[part] = self._used.get(part, 0.0) + seconds

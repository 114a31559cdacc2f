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
    spent: Callable[[float], None] = lambda seconds: None  # is told how long the processor worked
    begun: Callable[[], object] = lambda: None  # is told when it no longer waits


class FairQueue:
    """Jobs in the order in which they are to be done.

    The urgent go first. Among them goes first whose account has used up the least time, then whose table has,
    then who came first. An account or table that was away begins where the least of the others is: nobody
    saves up time, nobody who comes again and again is ever ahead of one who comes for the first time, and a
    new table of somebody's does not keep their old one waiting.
    """

    def __init__(self) -> None:
        self._waiting: list[Job] = []
        self._used: dict[tuple[str, ...], float] = {}
        self._some = asyncio.Event()
        self._floor: dict[tuple[str, ...], float] = {}  # what was used up by the part of each last served

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, job: Job) -> bool:
        return job in self._waiting

    def withdraw(self, job: Job) -> None:
        """Let a job wait no longer."""
        self._waiting.remove(job)

    def put(self, job: Job) -> None:
        """Let a job wait; whoever had none waiting has no claim to time they did not use."""
        for part in _parts(job):
            if not any(one.account[: len(part)] == part for one in self._waiting):
                self._used[part] = max(self._used.get(part, 0.0), self._floor.get(part[:-1], 0.0))
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
        return self.take()

    def urgent(self) -> int:
        """How many of those that wait are urgent and still waited for."""
        return sum(job.urgent and not job.outcome.done() for job in self._waiting)

    def take(self) -> Job:
        """The next of those that are still waited for; there must be one."""
        self._waiting = [job for job in self._waiting if not job.outcome.done()]
        job = min(self._waiting, key=self._place)
        self._waiting.remove(job)
        for part in _parts(job):
            above = part[:-1]
            self._floor[above] = max(self._floor.get(above, 0.0), self._used.get(part, 0.0))
        return job

    def _place(self, job: Job) -> tuple[Any, ...]:
        used = tuple(self._used.get(part, 0.0) for part in _parts(job))
        return not job.urgent, used, job.number

    def spend(self, job: Job, seconds: float) -> None:
        """A job has taken so long, on its account."""
        if len(self._used) > FORGOTTEN:
            self._used.clear()  # everybody begins anew, alike
            self._floor.clear()
        for part in _parts(job):
            self._used[part] = self._used.get(part, 0.0) + seconds


def _parts(job: Job) -> list[tuple[str, ...]]:
    """Its account, and every part of it down to the smallest."""
    return [job.account[:depth] for depth in range(1, len(job.account) + 1)]

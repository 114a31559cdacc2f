"""The worker pool: bots and valuations in processes of their own, shared fairly; the urgent go first."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import os
import signal
import time
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from elysian.server.background.fair_queue import FairQueue, Job
from elysian.server.cluster.parent import leave_with_parent
from elysian.server.ops.errors import Refused
from elysian.server.ops.rate_limit import Budgets

PATIENCE = 20.0  # seconds somebody waits for an answer
LIMIT = 20.0  # seconds one answer may take, before its process is ended
LONGEST = 120.0  # the same for what nobody waits for
ASIDE = 10  # how much such work stands back (`nice`)
QUESTIONS = 4  # of one person that wait at once
MOVES_ON = 0.5  # seconds after which what somebody waits for goes to a process that has nothing to do
A_LINE = 2  # so many that somebody waits for in one line, and the first of them goes there at once

_numbers = itertools.count()  # of equal jobs the first goes first


class WorkerDied(Refused):
    """The process that worked on it has died; another takes its place."""

    def __init__(self) -> None:
        """Refuse with the sentence that asks to try again."""
        super().__init__("busy", status=503)


class TooSlow(Refused):
    """It took longer than anybody should wait."""

    def __init__(self) -> None:
        """Refuse with the sentence that asks to try again."""
        super().__init__("busy", status=503)


class WorkerPool:
    """A few worker processes; work of one owner always goes to the same, which remembers its bot.

    What nobody waits for has processes of its own, which stand back where there is too little for all: a
    thought is not interrupted, so nobody's answer may stand behind a long one that nobody waits for. And what
    somebody waits for does not stand behind a long thought of another, or in a long line, while a process has
    nothing to do: it is worked out there, as it would be if the one that remembers had died.
    """

    def __init__(
        self,
        processes: int,
        died: Callable[[], None],
        account_of: Callable[[str], str] = lambda owner: owner,
    ) -> None:
        """Use so many (0: one for each core); each is started for its first work.

        `died` is called when one was lost. `account_of` says on whose account the work of an owner is: the
        processes are shared fairly between accounts, and between the tables of each.
        """
        count = processes or os.cpu_count() or 1
        self._workers = [PoolWorker(died, freed=self._share) for _ in range(count)]
        self._aside = [PoolWorker(died, ASIDE) for _ in range(count)]
        self._account_of = account_of

    async def run(
        self,
        owner: str,
        function: Callable[..., Any],
        *arguments: Any,
        urgent: bool = True,
        patience: float | None = PATIENCE,
        aside: bool = False,
        account: str = "",
        spent: Callable[[float], None] = lambda seconds: None,
        begun: Callable[[], object] = lambda: None,
    ) -> Any:
        """What the function comes to; raises TooSlow, WorkerDied, or what the function raises.

        The urgent go first. With patience, somebody waits so many seconds; `aside`, or without it, nobody
        does. What takes longer than its limit is ended with its process. `spent` is told how long the
        processor worked, also when nobody waits any more; `begun` is called when it is its turn: whoever
        stops waiting before that has asked for nothing.
        """
        aside = aside or patience is None
        workers = self._aside if aside else self._workers
        worker = workers[zlib.crc32(owner.encode()) % len(workers)]
        job = Job(
            account=(account or self._account_of(owner), owner.partition("/")[0]),
            urgent=urgent,
            number=next(_numbers),
            limit=LONGEST if aside else LIMIT,
            function=function,
            arguments=arguments,
            outcome=asyncio.get_running_loop().create_future(),
            spent=spent,
            begun=begun,
        )
        try:
            async with asyncio.timeout(patience):
                return await self._answered(job, worker, workers)
        except TimeoutError:
            raise TooSlow from None

    async def _answered(self, job: Job, home: PoolWorker, workers: list[PoolWorker]) -> Any:
        """What a job comes to, at home or, if it is urgent and home does not get to it, elsewhere."""
        home.put(job)
        self._share()
        try:
            while job.urgent and len(workers) > 1 and home.keeps_waiting(job):
                await asyncio.wait((job.outcome,), timeout=MOVES_ON)
                free = next((one for one in workers if one.is_free), None)
                if free is not None and home.keeps_waiting(job):
                    home.withdraw(job)
                    free.put(job)
                    break
            return await job.outcome
        finally:
            job.outcome.cancel()  # nobody waits any more

    def _share(self) -> None:
        """Who has nothing to do takes what is next in the longest line, unless it waits there alone."""
        for free in self._workers:
            if free.is_free:
                busiest = max(self._workers, key=PoolWorker.urgent)
                if busiest.urgent() < A_LINE:
                    return
                free.put(busiest.hand_on())

    def close(self) -> None:
        """End them, however deep in thought."""
        for worker in (*self._workers, *self._aside):
            worker.close()


class PoolWorker:
    """One worker process and the queue before it; one that dies is replaced."""

    def __init__(
        self, died: Callable[[], None], stands_back: int = 0, freed: Callable[[], None] = lambda: None
    ) -> None:
        """Be ready; the process is started for the first work, and stands back so much (`nice`).

        `freed` is called when there is nothing more to do.
        """
        self._died, self._stands_back, self._freed = died, stands_back, freed
        self._process: ProcessPoolExecutor | None = None
        self._queue = FairQueue()
        self._work: asyncio.Task[None] | None = None
        self._at_work = False

    def put(self, job: Job) -> None:
        """Work on a job once it is its turn."""
        if self._work is None:
            self._work = asyncio.create_task(self._work_on())
        self._queue.put(job)

    def withdraw(self, job: Job) -> None:
        """Leave a job that waits to another."""
        self._queue.withdraw(job)

    def urgent(self) -> int:
        """How many stand in line here for which somebody waits."""
        return self._queue.urgent()

    def hand_on(self) -> Job:
        """The job that is next in line, which is left to another."""
        return self._queue.take()

    def keeps_waiting(self, job: Job) -> bool:
        """Whether a job still stands in line here."""
        return job in self._queue and not job.outcome.done()

    @property
    def is_free(self) -> bool:
        """Whether there is nothing to do."""
        return not self._at_work and not len(self._queue)

    async def _work_on(self) -> None:
        while True:
            self._at_work = False
            if self.is_free:
                self._freed()
            job = await self._queue.get()
            self._at_work = True
            job.begun()
            result: Any = None
            worked: float | None = None
            problem: Exception | None = None
            began = time.monotonic()
            try:
                result, worked = await self._do(job)
            except BrokenProcessPool:
                self._process, problem = None, WorkerDied()
                self._died()
            except TimeoutError:
                self._end()
                problem = TooSlow()
            except Exception as mistake:
                problem = mistake
            seconds = time.monotonic() - began
            self._queue.spend(job, seconds)  # so long nobody else could have the process,
            job.spent(seconds if worked is None else worked)  # who asked pays for no neighbour of it
            if not job.outcome.done():
                job.outcome.set_exception(problem) if problem else job.outcome.set_result(result)

    async def _do(self, job: Job) -> tuple[Any, float]:
        """What a job comes to and how long the processor worked; TimeoutError: longer than its limit."""
        loop = asyncio.get_running_loop()
        if self._process is None:
            context, nice = multiprocessing.get_context("spawn"), (self._stands_back,)
            self._process = ProcessPoolExecutor(1, context, _settle_in, nice)
            # To start takes its time, which is on nobody's account.
            await loop.run_in_executor(self._process, _begin)
        async with asyncio.timeout(job.limit):
            return await loop.run_in_executor(self._process, _timed, job.function, *job.arguments)

    def _end(self, wait: bool = False) -> None:
        """End the process in the middle of its work; the next job has a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        for one in list((process._processes or {}).values()):
            with contextlib.suppress(OSError):
                one.kill()
        process.shutdown(wait=wait, cancel_futures=True)

    def close(self) -> None:
        """End the process without waiting for its work."""
        if self._work is not None:
            self._work.cancel()
        # Until it is cleared away: else Python would complain of what is left, in the middle of our log.
        self._end(wait=True)


class AskedPool:
    """The worker pool for what people ask: on their account, within their budget, a few at a time."""

    def __init__(self, pool: WorkerPool, person_of: Callable[[str], str], budget: Budgets) -> None:
        """`person_of` says on whose account the questions of an owner are."""
        self._pool, self._person_of, self._budget = pool, person_of, budget
        self._waiting: Counter[str] = Counter()

    async def run(self, owner: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function comes to; raises Refused when they have asked for too much already."""
        who = self._person_of(owner)
        if self._waiting[who] >= QUESTIONS or not self._budget.allows(who):
            raise Refused("too_many", status=429)
        self._waiting[who] += 1
        try:
            spent = partial(self._budget.spend, who)
            return await self._pool.run(owner, function, *arguments, account=who, spent=spent)
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]


# ---------------------------------------------------------------- in the worker process


def _settle_in(stands_back: int) -> None:
    """A worker leaves when the server does, however that ends; Ctrl-C is for the server to hear."""
    if stands_back and hasattr(os, "nice"):
        os.nice(stands_back)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    leave_with_parent()


def _begin() -> None:
    """Do nothing: the first job of a worker, so that its process starts before anybody waits for it."""


def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """What a function comes to, and the processor's seconds it took; the clock's count its neighbours."""
    began = time.process_time()
    result = function(*arguments)
    return result, time.process_time() - began

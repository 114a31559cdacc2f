"""The worker pool: bots and valuations in processes of their own; whoever a person waits for goes first."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import signal
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from elysian.server.cluster.parent import leave_with_parent
from elysian.server.ops.errors import Refused

PATIENCE = 20.0  # seconds somebody waits for an answer

_Job = tuple[bool, int, Callable[..., Any], tuple[Any, ...], "asyncio.Future[Any]"]


class WorkerDied(Refused):
    """The process that worked on it has died; another takes its place."""

    def __init__(self) -> None:
        """Ask to try again."""
        super().__init__("busy", status=503)


class TooSlow(Refused):
    """It took longer than anybody should wait."""

    def __init__(self) -> None:
        """Ask to try again."""
        super().__init__("busy", status=503)


class WorkerPool:
    """A few worker processes; work of one owner always goes to the same, which remembers its bot."""

    def __init__(self, processes: int, died: Callable[[], None]) -> None:
        """Use so many; each is started for its first work. `died` is called when one was lost."""
        self._workers = [PoolWorker(died) for _ in range(max(1, processes))]

    async def run(
        self,
        owner: str,
        function: Callable[..., Any],
        *arguments: Any,
        urgent: bool = True,
        patience: float | None = PATIENCE,
    ) -> Any:
        """What the function comes to; raises TooSlow, WorkerDied, or what the function raises.

        The urgent go first; without patience (None) it takes as long as it takes.
        """
        worker = self._workers[zlib.crc32(owner.encode()) % len(self._workers)]
        try:
            async with asyncio.timeout(patience):
                return await worker.run(urgent, function, *arguments)
        except TimeoutError:
            raise TooSlow from None

    def close(self) -> None:
        """End them, however deep in thought."""
        for worker in self._workers:
            worker.close()


class PoolWorker:
    """One worker process and the queue before it; one that dies is replaced."""

    def __init__(self, died: Callable[[], None]) -> None:
        """Be ready; the process is started for the first work."""
        self._died = died
        self._process: ProcessPoolExecutor | None = None
        self._queue: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue()
        self._numbers = itertools.count()  # jobs of equal urgency keep their order
        self._work: asyncio.Task[None] | None = None

    async def run(self, urgent: bool, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function comes to; the urgent go first."""
        if self._work is None:
            self._work = asyncio.create_task(self._work_on())
        outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((not urgent, next(self._numbers), function, arguments, outcome))
        return await outcome

    async def _work_on(self) -> None:
        while True:
            _, _, function, arguments, outcome = await self._queue.get()
            if outcome.done():
                continue  # nobody waits for it any more
            if self._process is None:
                self._process = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _settle_in)
            result: Any = None
            problem: Exception | None = None
            try:
                result = await asyncio.get_running_loop().run_in_executor(self._process, function, *arguments)
            except BrokenProcessPool:
                self._process, problem = None, WorkerDied()
                self._died()
            except Exception as mistake:
                problem = mistake
            if not outcome.done():
                outcome.set_exception(problem) if problem else outcome.set_result(result)

    def close(self) -> None:
        """End the process without waiting for it."""
        if self._work is not None:
            self._work.cancel()
        if self._process is not None:
            for process in list((self._process._processes or {}).values()):
                with contextlib.suppress(OSError):
                    process.terminate()
            self._process.shutdown(wait=False, cancel_futures=True)


# ---------------------------------------------------------------- in the worker process


def _settle_in() -> None:
    """A worker leaves when the server does, however that ends; Ctrl-C is for the server to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    leave_with_parent()

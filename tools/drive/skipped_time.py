"""An event loop that skips waiting: a whole game of slow people and patient bots in seconds.

Everything that sleeps or sets a timer on the loop wakes in the order it would have, at the times it would
have; only nobody waits for them. Work of threads that the loop was told of is waited for, at no cost of time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from elysian.server.background.worker_pool import WorkerPool


class _Skipping(selectors.DefaultSelector):
    """Waits only for threads that are at work; any other waiting moves the time on."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.at_work = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        if self.at_work or timeout is None or timeout <= 0:
            return super().select(None if self.at_work and timeout != 0 else timeout)
        ready = super().select(0)
        if not ready:
            self.now += timeout
        return ready


class SkippedTime(asyncio.SelectorEventLoop):
    """The loop; its time begins at nought."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Seconds since it began, as whoever sleeps on it counts them."""
        return self._skipping.now

    def waits_for(self, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same work; while it is done in a thread, no time passes."""

        async def done(*arguments: Any) -> Any:
            self._skipping.at_work += 1
            try:
                return await work(*arguments)
            finally:
                self._skipping.at_work -= 1

        return done

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Work in a thread takes no time."""
        self._skipping.at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._finished)
        return future

    def _finished(self, _: object) -> None:
        self._skipping.at_work -= 1


class HereAndNow(WorkerPool):
    """A worker pool of no processes: what is asked is worked out at once, the same way every time."""

    def __init__(self) -> None:
        super().__init__(1, lambda: None)

    async def run(
        self,
        owner: str,
        function: Callable[..., Any],
        *arguments: Any,
        urgent: bool = True,
        patience: float | None = None,
        aside: bool = False,
        account: str = "",
        spent: Callable[[float], None] = lambda seconds: None,
        begun: Callable[[], object] = lambda: None,
    ) -> Any:
        """What the function comes to."""
        begun()
        return function(*arguments)


def run(main: Callable[[SkippedTime], Awaitable[Any]]) -> Any:
    """Run something on a loop that skips waiting; what is broken off closes what it has opened."""
    loop = SkippedTime()
    task = asyncio.ensure_future(main(loop), loop=loop)
    try:
        return loop.run_until_complete(task)
    except KeyboardInterrupt:
        task.cancel()
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)
        raise
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

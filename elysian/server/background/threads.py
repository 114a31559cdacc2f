"""Threads for what waits for other machines: no worker process is held up, nor the end of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Any


class WaitingThreads:
    """A thread for each thing that is waited for, so many at once; the others wait their turn."""

    def __init__(self, most: int) -> None:
        """Let at most so many run at the same time."""
        self._free = asyncio.Semaphore(most)

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function comes to; raises what it raises. A thread that is given up on ends by itself."""
        async with self._free:
            loop = asyncio.get_running_loop()
            outcome: asyncio.Future[Any] = loop.create_future()

            def settle(result: Any, problem: BaseException | None) -> None:
                if outcome.done():
                    return
                outcome.set_result(result) if problem is None else outcome.set_exception(problem)

            def work() -> None:
                result, problem = None, None
                try:
                    result = function(*arguments)
                except Exception as mistake:
                    problem = mistake
                if not loop.is_closed():
                    loop.call_soon_threadsafe(settle, result, problem)

            # Daemons: an endpoint that never answers must not hold up the end of the process.
            Thread(target=work, daemon=True, name="waits for an endpoint").start()
            return await outcome

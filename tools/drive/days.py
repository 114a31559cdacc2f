"""A server for which days pass when it is told so: `python -m tools.drive.days serve …`, and who tells it.

Its clock and its timers run as they always do; asked to, they run ahead, from timer to timer, so that
everything comes at its time and in its order, and nobody waits for it. Started `slowly`, they hardly run
unless asked to: whoever has to look at several things within a minute has it on a busy machine too.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self

from elysian.server.edge import main as edge
from elysian.server.ops.settings import ServerSettings
from elysian.server.server import Server, now_ms
from tools.drive.dealt_alike import Alike
from tools.drive.server import Served
from tools.drive.waiting import PATIENCE, until

LONG = 5.0  # seconds; no timer that is set for longer is jumped over
STRIDE = 1800.0  # seconds that pass at once at the most: the server looks about in between
LOOK = 0.02  # seconds in which it does so
SLOWLY = 0.05  # of real time


class DaysLoop(asyncio.SelectorEventLoop):
    """A loop that can be told that time has passed."""

    pace = 1.0  # of real time

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0.0
        self._began = now_ms()
        self._long: list[asyncio.TimerHandle] = []
        self.listening: asyncio.Task[None] | None = None

    def time(self) -> float:
        """Seconds, with those that were passed over."""
        return self.pace * super().time() + self.ahead

    def now(self) -> int:
        """The time of day, in ms since 1970, as the server shall believe it."""
        return self._began + int(self.pace * (now_ms() - self._began) + 1000 * self.ahead)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """As always; what is set for long is remembered."""
        handle = super().call_at(when, callback, *args, context=context)
        if when - self.time() > LONG:
            self._long.append(handle)
        return handle

    async def passes(self, seconds: float) -> None:
        """So much time goes by; every timer rings at its own time."""
        end = self.time() + seconds
        while (left := end - self.time()) > 0:
            self._long = [one for one in self._long if not one.cancelled() and one.when() > self.time()]
            self.ahead += max(0.0, min([left, STRIDE, *(one.when() - self.time() for one in self._long)]))
            await asyncio.sleep(LOOK)


def told_of_time(settings: ServerSettings) -> Server:
    """The server on this loop's clock; a port of its own hears how much time shall pass."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, DaysLoop)
    server = Server(settings, now=loop.now, chance=Alike())

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ValueError):
            await loop.passes(float(await reader.readline()))
            writer.write(b"done\n")
            await writer.drain()
        writer.close()

    async def listen() -> None:
        doors = await asyncio.start_server(hear, "127.0.0.1", 0)
        server.log.say("hears of time", port=doors.sockets[0].getsockname()[1])
        await doors.serve_forever()

    loop.listening = loop.create_task(listen())
    return server


class DaysServed(Served):
    """Such a server process."""

    program: tuple[str, ...] = ("-m", "tools.drive.days")

    def start(self) -> Self:
        """Start it; its own port for time is told in its log."""
        self._before = len(self.log())
        super().start()
        return self

    def passes(self, hours: float) -> None:
        """Wait until so many hours have gone by there."""
        until(lambda: "hears of time" in self.log()[self._before :])
        said = next(line for line in self.log()[self._before :].splitlines() if "hears of time" in line)
        with socket.create_connection(("127.0.0.1", json.loads(said)["port"]), PATIENCE) as line:
            line.sendall(f"{3600 * hours}\n".encode())
            assert line.recv(16) == b"done\n"


class SlowDaysServed(DaysServed):
    """One whose time stands nearly still but for what it is told."""

    program = (*DaysServed.program, "slowly")


if __name__ == "__main__":
    from elysian.cli import main

    if sys.argv[1] == "slowly":
        del sys.argv[1]
        DaysLoop.pace = SLOWLY
    edge.run = partial(edge.run, make=told_of_time, loop=DaysLoop)
    main()

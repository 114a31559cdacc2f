"""Lease: the right of one process to write a game that other processes may write too.

Any process may have a table loaded. The right to write it is a lock of the database, which goes to whoever
has a command for it; what others have written is read before anything is decided. A second lock names the
process that keeps the table: there bots move, the clock runs, and people are told that it is their move.
Neither has a term, so neither is renewed: a lock ends with the session of the database behind it (`lost`).
"""

from __future__ import annotations

import asyncio
import contextlib
import time

from elysian.server.cluster.bus import Bus
from elysian.server.ops.errors import Refused
from elysian.server.store.database import Database

TAKES = 6.0  # seconds at most until another process lets go
POLL = 0.1  # seconds between two attempts, when no word comes


class Lease:
    """The locks of one game."""

    def __init__(self, game: str, database: Database, bus: Bus) -> None:
        self.game = game
        self.mine = False  # this process may write it
        self.keeps = False  # this process keeps it
        self.wanted = False  # another process has a command for it
        self.behind = False  # more may be stored than is known here
        self.shared = False  # commands may have been answered elsewhere
        self.freed = asyncio.Event()
        self._database, self._bus = database, bus

    async def begin(self) -> None:
        """Take what is free; what is not can be had later."""
        await self.keep()
        self.mine = await self._database.claim(self.game)
        self.shared = not self.mine

    @property
    def _keeping(self) -> str:
        return f"{self.game} is kept"

    async def keep(self) -> bool:
        """Whether this process has now begun to keep it, because nobody did."""
        if not self.keeps:
            self.keeps = await self._database.claim(self._keeping)
            return self.keeps
        return False

    async def take(self) -> None:
        """Be the one writer; whoever it was is asked to let go; raises Refused."""
        deadline = time.monotonic() + TAKES
        while not self.mine:
            self.freed.clear()
            if await self._database.claim(self.game):
                self.mine = self.behind = self.shared = True
                return
            if time.monotonic() > deadline:
                raise Refused("table_elsewhere", status=503)
            self._bus.publish("want", game=self.game)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self.freed.wait()

    async def give(self) -> None:
        """Let another process write it."""
        self.mine = self.wanted = False
        await self._database.release(self.game)
        self._bus.publish("free", game=self.game)

    async def end(self) -> None:
        """Let go of everything."""
        if self.keeps:
            self.keeps = False
            await self._database.release(self._keeping)
        if self.mine:
            await self.give()

    def lost(self) -> None:
        """The locks went with their session; others may have written since."""
        self.mine = self.keeps = False
        self.behind = self.shared = True

    def told(self, n: int) -> None:
        """Others hear that there is a line n."""
        self._bus.publish("told", game=self.game, n=n)

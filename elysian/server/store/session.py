"""The session with PostgreSQL that holds this process's locks and hears what other processes say."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import Any

import asyncpg

from elysian.server.store.database import Unstored

LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    TimeoutError,
    asyncpg.OperatorInterventionError,
    asyncpg.InternalClientError,  # said by a connection that is cut while it is being used
)
PATIENCE = 10  # seconds for a statement
CHANNEL = "elysian"
AGAIN = 0.3  # seconds between two attempts to come back; no backoff, the database is ours
MOST_WORDS = 10_000  # kept while nobody can be told


class Session:
    """One connection; when it ends, so do its locks."""

    def __init__(self, url: str, lost: Callable[[], None]) -> None:
        """Begin unconnected; `lost` is called when a session has ended, and again when there is a new one."""
        self.url = url
        self.lost = lost
        self.heard: Callable[[str], None] = lambda word: None
        self._connection: Any = None
        self._held: set[str] = set()  # the names of the locks this session has
        self._turn = asyncio.Lock()
        self._words: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._saying = False
        self._closed = False

    async def open(self) -> None:
        """Connect; raises one of LOST where that cannot be done."""
        async with self._turn:
            await self._connected()

    async def close(self) -> None:
        """Say what is still to be said, then disconnect; the locks go with the session."""
        if self._words:
            await self._say_once()
        self._closed = True
        for task in self._tasks:
            task.cancel()
        if self._connection is not None and not self._connection.is_closed():
            await self._connection.close()

    async def _connected(self) -> Any:
        if self._connection is None or self._connection.is_closed():
            connection = await asyncpg.connect(self.url, timeout=PATIENCE, command_timeout=PATIENCE)
            connection.add_termination_listener(self._ended)
            await connection.add_listener(CHANNEL, self._hear)
            again, self._connection = self._connection is not None, connection
            self._held.clear()
            if again:
                self.lost()  # what was said meanwhile was not heard
        return self._connection

    def _hear(self, connection: Any, process: int, channel: str, word: str) -> None:
        self.heard(word)

    def _ended(self, connection: Any) -> None:
        if connection is self._connection and not self._closed:
            self._held.clear()
            self.lost()
            self._begin(self._come_back())

    async def _come_back(self) -> None:
        while not self._closed:
            try:
                await self.open()
                return
            except LOST:
                await asyncio.sleep(AGAIN)

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ locks

    async def claim(self, name: str) -> bool:
        """Whether the lock of that name is now held by this session; it is taken once at most."""
        async with self._turn:
            try:
                connection = await self._connected()
                if name not in self._held and await connection.fetchval(
                    "SELECT pg_try_advisory_lock($1)", lock_of(name)
                ):
                    self._held.add(name)
            except LOST as problem:
                raise Unstored("storage_lost") from problem
            return name in self._held

    async def release(self, name: str) -> None:
        """Let the lock of that name go."""
        async with self._turn:
            if name in self._held and not self._connection.is_closed():
                self._held.discard(name)
                try:
                    await self._connection.execute("SELECT pg_advisory_unlock($1)", lock_of(name))
                except LOST:
                    return  # the lock went with the session

    # ------------------------------------------------------------ words

    def tell(self, word: str) -> None:
        """Say something to the other processes; nothing waits for it."""
        if len(self._words) < MOST_WORDS:
            self._words.append(word)
        if not self._saying and not self._closed:
            self._saying = True
            self._begin(self._say())

    async def _say(self) -> None:
        try:
            while self._words:
                if not await self._say_once():
                    await asyncio.sleep(AGAIN)
        finally:
            self._saying = False

    async def _say_once(self) -> bool:
        words, self._words = self._words, []
        async with self._turn:
            try:
                connection = await self._connected()
                sql = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word"
                await connection.execute(sql, CHANNEL, words)
                return True
            except LOST:
                self._words = words + self._words
                return False


def lock_of(name: str) -> int:
    """The number PostgreSQL knows a lock by."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)

"""PostgreSQL: for several server processes; a lock held by the session names a game's one writer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from typing import Any

import asyncpg

from elysian.server.store.database import (
    MOST_IN_ONE_COMMIT,
    Conflict,
    Row,
    Statement,
    Troubled,
    Unreadable,
    Unstored,
)
from elysian.server.store.schema import NEWEST, steps
from elysian.server.store.session import LOST, PATIENCE, Session

MIGRATION = 7_236_541  # the lock under which the schema is changed

DAMAGE = (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError, asyncpg.PostgresIOError)

_Write = tuple[Sequence[Statement], "asyncio.Future[None]"]


class Postgres:
    """A database that several processes may share."""

    alone = False

    def __init__(
        self, url: str, lost: Callable[[], None] = lambda: None, troubled: Troubled = lambda code: None
    ) -> None:
        """Keep tables at `url`; `lost` is called when the session that holds the locks has ended."""
        self.url = url
        self.troubled = troubled
        self._trouble: str | None = None  # why the last write failed; None: it did not
        self._queue: asyncio.Queue[_Write | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._session = Session(url, lost)

    async def open(self) -> None:
        """Connect, and bring the schema up to date; other processes wait meanwhile."""
        self._pool = await asyncpg.create_pool(self.url, min_size=1, max_size=4, command_timeout=PATIENCE)
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION)
            await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
            version = await connection.fetchval("SELECT max(version) FROM schema_version") or 0
            for sql in steps(version, "BYTEA", "", "convert_from(line, 'UTF8')"):
                await connection.execute(sql)
            if version < NEWEST:
                await connection.execute("INSERT INTO schema_version VALUES ($1)", NEWEST)
        await self._session.open()
        self._task = asyncio.create_task(self._write_all())

    async def close(self) -> None:
        """Write what is waiting, then disconnect; the locks go with the session."""
        if self._task is not None:
            self._queue.put_nowait(None)
            await self._task
            self._task = None
        await self._session.close()
        await self._pool.close()

    async def read(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a query."""
        try:
            rows: list[Row] = await self._pool.fetch(numbered(sql), *values)
            return rows
        except LOST as problem:
            raise Unstored("storage_lost") from problem
        except DAMAGE as problem:
            raise Unreadable from problem

    async def write(self, statements: Sequence[Statement]) -> None:
        """Store all or nothing, in the same commit as others who are waiting."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((statements, stored))
        await stored

    async def newer(self) -> bool:
        """Whether a newer program has changed the schema."""
        rows = await self.read("SELECT max(version) FROM schema_version")
        return bool(rows[0][0] > NEWEST)

    async def snapshot(self, queries: Sequence[str]) -> list[list[Row]]:
        """The rows of several queries as of one moment."""
        async with self._pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            return [await connection.fetch(sql) for sql in queries]

    # ------------------------------------------------------------ other processes

    async def claim(self, name: str) -> bool:
        """Take a lock; it is let go when the session ends, however it ends."""
        return await self._session.claim(name)

    async def release(self, name: str) -> None:
        """Let another process take it."""
        await self._session.release(name)

    def hear(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with whatever a process says, this one too."""
        self._session.heard = heard

    def tell(self, word: str) -> None:
        """Say something to all processes; nothing waits for it."""
        self._session.tell(word)

    # ------------------------------------------------------------ the writing task

    async def _write_all(self) -> None:
        end = False
        while not end and (first := await self._queue.get()) is not None:
            batch = [first]
            while len(batch) < MOST_IN_ONE_COMMIT and not self._queue.empty():
                more = self._queue.get_nowait()
                if more is None:
                    end = True
                    break
                batch.append(more)
            problem = await self._transact([s for one, _ in batch for s in one])
            for one, future in batch:
                alone = isinstance(problem, Conflict | Unreadable) and len(batch) > 1
                outcome = await self._transact(one) if alone else problem
                self._tell(outcome)
                if not future.done():
                    future.set_result(None) if outcome is None else future.set_exception(outcome)

    def _tell(self, outcome: Exception | None) -> None:
        """Say that writes fail, or that they no longer do; once."""
        code = outcome.code if isinstance(outcome, Unstored) else None
        if code != self._trouble:
            self._trouble = code
            self.troubled(code)

    async def _transact(self, statements: Sequence[Statement]) -> Exception | None:
        try:
            async with self._pool.acquire(timeout=PATIENCE) as connection, connection.transaction():
                for sql, rows in runs(statements):
                    await connection.executemany(numbered(sql), rows)
            return None
        except asyncpg.IntegrityConstraintViolationError as problem:
            return Conflict(str(problem))
        except asyncpg.DiskFullError:
            return Unstored("storage_full")
        except DAMAGE:
            return Unreadable()
        except (*LOST, asyncpg.PostgresError):
            return Unstored("storage_lost")


def runs(statements: Sequence[Statement]) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Neighbours with the same text are sent together, as many as take no long time."""
    grouped: list[tuple[str, list[tuple[Any, ...]]]] = []
    for sql, values in statements:
        if not grouped or grouped[-1][0] != sql or len(grouped[-1][1]) == MOST_IN_ONE_COMMIT:
            grouped.append((sql, []))
        grouped[-1][1].append(values)
    return grouped


@cache
def numbered(sql: str) -> str:
    """The common dialect in PostgreSQL's: $1, $2 … for each ?."""
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", sql)

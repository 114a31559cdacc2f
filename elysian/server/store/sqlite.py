"""SQLite: one file, WAL, synchronous=FULL; one thread writes, another reads, the event loop does neither."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from elysian.server.store.database import MOST_IN_ONE_COMMIT, Conflict, Row, Statement, Unstored
from elysian.server.store.schema import NEWEST, steps

BUSY_MS = 4000  # how long another writer is waited for

_Write = tuple[Sequence[Statement], "asyncio.Future[None]"]


class SQLite:
    """A database in one file, for one server process."""

    def __init__(self, path: Path | str, broken: Callable[[], None] = lambda: None) -> None:
        """Keep tables in `path`; `broken` is called when the disk fails and nothing more can be trusted."""
        self.path = str(path)
        self.broken = broken
        self.failed = False
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "sqlite-read")
        self._thread: threading.Thread | None = None
        self._read_from: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file for this process alone and bring its schema up to date."""
        self._loop = asyncio.get_running_loop()
        self._lock = _lock(self.path + ".lock")
        connection = await asyncio.to_thread(_connect, self.path)
        await asyncio.to_thread(_migrate, connection)
        self._read_from = await self._loop.run_in_executor(self._reader, _connect, self.path)
        self._thread = threading.Thread(target=self._write_all, args=(connection,), name="sqlite-write")
        self._thread.start()

    async def close(self) -> None:
        """Write what is waiting, then close the file."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        if self._read_from is not None:
            await self._loop.run_in_executor(self._reader, self._read_from.close)
            self._read_from = None
        self._reader.shutdown()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def read(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a query."""
        return await self._loop.run_in_executor(self._reader, self._select, sql, values)

    def _select(self, sql: str, values: tuple[Any, ...]) -> list[Row]:
        assert self._read_from is not None
        try:
            return self._read_from.execute(sql, values).fetchall()
        except sqlite3.OperationalError as problem:
            raise _unstored(problem) from problem

    async def write(self, statements: Sequence[Statement]) -> None:
        """Store all or nothing, in the same commit as others who are waiting."""
        if self.failed:
            raise Unstored("storage_broken")
        stored: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((statements, stored))
        await stored

    async def claim(self, name: str) -> bool:
        """The file belongs to this process, and so does every lock."""
        return True

    async def release(self, name: str) -> None:
        """Nobody else could take it."""

    def hear(self, heard: Callable[[str], None]) -> None:
        """Nobody says anything."""

    def tell(self, word: str) -> None:
        """Nobody hears it."""

    async def snapshot(self, queries: Sequence[str]) -> list[list[Row]]:
        """The rows of several queries as of one moment."""

        def rows() -> list[list[Row]]:
            connection = _connect(self.path)
            try:
                connection.execute("BEGIN")
                return [connection.execute(sql).fetchall() for sql in queries]
            finally:
                connection.close()

        return await asyncio.to_thread(rows)

    # ------------------------------------------------------------ the writing thread

    def _write_all(self, connection: sqlite3.Connection) -> None:
        while (first := self._queue.get()) is not None:
            batch = [first]
            end = False
            while len(batch) < MOST_IN_ONE_COMMIT and not self._queue.empty():
                more = self._queue.get()
                if more is None:
                    end = True
                    break
                batch.append(more)
            outcomes = self._commit(connection, batch)
            self._loop.call_soon_threadsafe(_resolve, outcomes)
            if end:
                break
        connection.close()

    def _commit(
        self, connection: sqlite3.Connection, batch: list[_Write]
    ) -> list[tuple[asyncio.Future[None], Exception | None]]:
        """Commit all writes together; when one cannot be, each for itself."""
        problem = None if self.failed else self._transact(connection, [s for one, _ in batch for s in one])
        if self.failed:
            problem = Unstored("storage_broken")
        if isinstance(problem, Conflict) and len(batch) > 1:
            return [(future, self._transact(connection, one)) for one, future in batch]
        return [(future, problem) for _, future in batch]

    def _transact(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> Exception | None:
        try:
            connection.execute("BEGIN IMMEDIATE")
            for sql, values in statements:
                connection.execute(sql, values)
            connection.execute("COMMIT")
            return None
        except sqlite3.IntegrityError as problem:
            _roll_back(connection)
            return Conflict(str(problem))
        except sqlite3.Error as problem:
            _roll_back(connection)
            unstored = _unstored(problem)
            if unstored.code == "storage_full":
                _make_room(connection)
            if unstored.code == "storage_broken":
                self.failed = True
                self._loop.call_soon_threadsafe(self.broken)
            return unstored


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    missing = steps(version, "BLOB", "WITHOUT ROWID")
    if not missing:
        return
    connection.execute("BEGIN IMMEDIATE")
    for sql in missing:
        connection.execute(sql)
    connection.execute(f"PRAGMA user_version = {NEWEST}")
    connection.execute("COMMIT")


def _lock(path: str) -> sqlite3.Connection:
    """A lock that goes when the process goes; raises ValueError when another process has it.

    It is SQLite's own, on an empty file beside the database: the one lock that is the same on every system.
    """
    Path(path).touch(0o600)
    held = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as problem:
        held.close()
        if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise ValueError(
            f"Another server uses {path.removesuffix('.lock')}; several servers need PostgreSQL."
        ) from None
    return held


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        try:
            connection.execute("ROLLBACK")
        except sqlite3.Error:
            return  # a disk that fails to undo is told of by the first error


def _make_room(connection: sqlite3.Connection) -> None:
    """Move what is in the write-ahead log to its place, so that the log can be emptied."""
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        return  # there is not even room for that


def _unstored(problem: sqlite3.Error) -> Unstored:
    """A full disk and a busy file pass; any other failure of the disk does not."""
    name = getattr(problem, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return Unstored("storage_full")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Unstored("storage_busy")
    return Unstored("storage_broken")


def _resolve(outcomes: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for future, problem in outcomes:
        if future.done():
            continue  # whoever waited has gone
        if problem is None:
            future.set_result(None)
        else:
            future.set_exception(problem)

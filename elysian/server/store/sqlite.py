"""SQLite: one file, WAL, synchronous=FULL; one thread writes, one moves what is written, one reads."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from elysian.server.store.database import (
    MOST_IN_ONE_COMMIT,
    Conflict,
    Row,
    Statement,
    Troubled,
    Unreadable,
    Unstored,
)
from elysian.server.store.lots import lot_schema, packed
from elysian.server.store.schema import NEWEST, steps
from elysian.server.store.write_ahead import KEPT, WriteAhead

BUSY_MS = 4000  # how long another writer is waited for
CACHE = 16_000  # kB of pages the thread that writes keeps at most: those of some hundred tables

_Write = tuple[Sequence[Statement], "asyncio.Future[None]"]


class SQLite:
    """A database in one file, for one server process."""

    alone = True

    def __init__(
        self,
        path: Path | str,
        broken: Callable[[], None] = lambda: None,
        troubled: Troubled = lambda code: None,
    ) -> None:
        """Keep tables in `path`; `broken` is called when the disk fails and nothing more can be trusted."""
        self.path = str(path)
        self.broken, self.troubled = broken, troubled
        self.failed = False
        self._trouble: str | None = None  # why the last write failed; None: it did not
        self._waiting: deque[_Write] = deque()
        self._lots: queue.SimpleQueue[bool] = queue.SimpleQueue()  # True: something waits; False: it is over
        self._woken = False  # the thread will look at what waits
        self._reader = ThreadPoolExecutor(1, "sqlite-read")
        self._thread: threading.Thread | None = None
        self._ahead = WriteAhead(lambda: _connect(self.path), self._unmoved)
        self._read_from: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Open the file for this process alone and bring its schema up to date; raises ValueError."""
        self._loop = asyncio.get_running_loop()
        try:
            self._lock = _lock(self.path + ".lock")
            _make_private(self.path)
            connection = await asyncio.to_thread(_connect, self.path)
            connection.execute(f"PRAGMA cache_size = -{CACHE}")
            try:
                await asyncio.to_thread(_migrate, connection)
                for sql in lot_schema():
                    connection.execute(sql)
            except BaseException:
                connection.close()
                raise
            self._read_from = await self._loop.run_in_executor(self._reader, _connect, self.path)
            await asyncio.to_thread(self._ahead.begin)
        except sqlite3.Error as problem:
            raise ValueError(f"The database {self.path} cannot be used: {problem}.") from None
        self._thread = threading.Thread(target=self._write_all, args=(connection,), name="sqlite-write")
        self._thread.start()

    async def close(self) -> None:
        """Write what is waiting, then close the file."""
        if self._thread is not None:
            self._lots.put(False)
            await asyncio.to_thread(self._thread.join)
            await asyncio.to_thread(self._ahead.close)
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
        except sqlite3.Error as problem:
            raise _unread(problem) from problem

    async def write(self, statements: Sequence[Statement]) -> None:
        """Store all or nothing, in the same commit as others who are waiting."""
        if self.failed:
            raise Unstored("storage_broken")
        stored: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append((statements, stored))
        if not self._woken:
            self._woken = True
            self._loop.call_soon(self._lots.put, True)  # after all that the loop now decides
        await stored

    async def claim(self, name: str) -> bool:
        """The file belongs to this process, and so does every lock."""
        return True

    async def release(self, name: str) -> None:
        """Nobody else could take it."""

    def hear(self, heard: Callable[[str], None]) -> None:
        """There is no other process from which anything could be heard."""

    def tell(self, word: str) -> None:
        """There is no other process that could hear it."""

    async def newer(self) -> bool:
        """The file belongs to this process; nobody else changes it."""
        return False

    async def snapshot(self, queries: Sequence[str]) -> list[list[Row]]:
        """The rows of several queries as of one moment."""

        def rows() -> list[list[Row]]:
            connection = _connect(self.path)
            try:
                connection.execute("BEGIN")
                return [connection.execute(sql).fetchall() for sql in queries]
            except sqlite3.Error as problem:
                raise _unread(problem) from problem
            finally:
                connection.close()

        return await asyncio.to_thread(rows)

    # ------------------------------------------------------------ the writing thread

    def _write_all(self, connection: sqlite3.Connection) -> None:
        goes_on = True
        while goes_on:
            goes_on = self._lots.get()
            self._woken = False  # before what waits is taken: what comes after that wakes us again
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(MOST_IN_ONE_COMMIT, len(self._waiting)))]
                outcomes = self._commit(connection, batch)
                self._loop.call_soon_threadsafe(_resolve, outcomes)
                self._ahead.wrote(connection, sum(len(statements) for statements, _ in batch))
        connection.close()

    def _commit(
        self, connection: sqlite3.Connection, batch: list[_Write]
    ) -> list[tuple[asyncio.Future[None], Exception | None]]:
        """Commit all writes together; when one cannot be, each for itself."""
        problem = None if self.failed else self._transact(connection, [s for one, _ in batch for s in one])
        if self.failed:
            problem = Unstored("storage_broken")
        if isinstance(problem, Conflict | Unreadable) and len(batch) > 1:
            return [(future, self._transact(connection, one)) for one, future in batch]
        return [(future, problem) for _, future in batch]

    def _transact(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> Exception | None:
        try:
            found = packed(statements)
            if len(found) == 1:  # a transaction of its own
                connection.execute(*found[0])
            else:
                connection.execute("BEGIN IMMEDIATE")
                for sql, values in found:
                    connection.execute(sql, values)
                connection.execute("COMMIT")
            self._tell(None)
            return None
        except sqlite3.IntegrityError as problem:
            _roll_back(connection)
            return Conflict(str(problem))
        except sqlite3.Error as problem:
            _roll_back(connection)
            unstored = _unstored(problem)
            if unstored.code == "storage_full":
                _make_room(connection)
            self._look_at(unstored)
            self._tell(unstored.code)
            return unstored

    def _look_at(self, problem: Unstored) -> None:
        """A disk that fails is written to no more."""
        if problem.code == "storage_broken":
            self.failed = True
            self._loop.call_soon_threadsafe(self.broken)

    def _unmoved(self, problem: sqlite3.Error) -> None:
        """What was stored could not be moved; unless the disk fails that is tried again later."""
        self._look_at(_unstored(problem))

    def _tell(self, code: str | None) -> None:
        """Say that writes fail, or that they no longer do; once. A file that is busy passes by itself."""
        if code not in (self._trouble, "storage_busy"):
            self._trouble = code
            self._loop.call_soon_threadsafe(self.troubled, code)


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # `WriteAhead` does it
    connection.execute(f"PRAGMA journal_size_limit = {KEPT}")
    connection.execute("PRAGMA temp_store = MEMORY")  # else statements of many rows make files
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    missing = steps(version, "BLOB", "WITHOUT ROWID", "CAST(line AS TEXT)")
    connection.execute("BEGIN IMMEDIATE")  # a file that cannot be written is found now, not in a game
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


def files_of(path: str) -> tuple[str, ...]:
    """A database and what is put beside it."""
    return path, f"{path}-wal", f"{path}-shm", f"{path}.lock"


def _make_private(path: str) -> None:
    """A new database is for its owner alone; an old one, and what SQLite puts beside it, for no stranger.

    A group may have been let in on purpose.
    """
    os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
    for file in files_of(path):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            os.chmod(file, os.stat(file).st_mode & 0o770)


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


DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ")


def _unread(problem: sqlite3.Error) -> Unstored:
    """A file that is busy, or a process that has no room, passes; else what is stored there is damaged."""
    name = getattr(problem, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_NOMEM", "SQLITE_CANTOPEN", "SQLITE_FULL")):
        return Unstored("storage_busy")
    return Unreadable()


def _unstored(problem: sqlite3.Error) -> Unstored:
    """A full disk and a busy file pass, damage stays where it is; any other failure of the disk does not."""
    name = getattr(problem, "sqlite_errorname", "")
    if name.startswith(DAMAGE):
        return Unreadable()
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

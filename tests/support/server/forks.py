"""A process that has imported everything and forks servers from itself, so that starting one costs little.

It reads `start PLANT` and prints the new process id. A plant is a fault put into the server on purpose: the
checks of the fault harness must find it.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.drive.server import Served
from tools.drive.waiting import PATIENCE

PR_SET_PDEATHSIG = 1  # of Linux: a signal for when the parent has ended

# ---------------------------------------------------------------- faults put in on purpose


def answers_before_storing() -> None:
    """Whoever asks is answered before the command is on disk."""
    from elysian.server.live.table import Table

    store = Table._store

    async def later(table: Any, batch: Any) -> None:
        for reply in batch.replies:
            reply()
        batch.replies.clear()
        await asyncio.sleep(0.3)
        await store(table, batch)

    Table._store = later  # type: ignore[method-assign, assignment]


def does_not_know_ids_again() -> None:
    """The same id is taken for a new command."""
    from elysian.server.live.table import Table
    from elysian.server.store.sqlite import SQLite

    async def unknown(*_: Any) -> None:
        return None

    Table._answer = unknown  # type: ignore[method-assign,assignment]
    write = SQLite.write

    async def over(self: Any, statements: Any) -> None:
        await write(self, [(sql.replace("INSERT INTO a", "REPLACE INTO a"), row) for sql, row in statements])

    SQLite.write = over  # type: ignore[method-assign]


def stores_in_two_commits() -> None:
    """A line is stored first, and that it was the answer to an id only afterwards."""
    from elysian.server.store import Store

    append = Store.append

    async def twice(self: Any, game: str, lines: Any, answers: Any = (), *more: Any, **kinds: Any) -> None:
        await append(self, game, lines, (), *more, **kinds)
        await asyncio.sleep(0.02)
        await append(self, game, (), answers)

    Store.append = twice  # type: ignore[method-assign]


def forgets_what_orders_did() -> None:
    """That an order was carried out is known to the process, but on disk it is only now and then."""
    from msgspec.structs import replace

    from elysian.server.store import Store
    from elysian.server.table_state.events import OrderFired

    append = Store.append

    async def fewer(self: Any, game: str, lines: Any, *more: Any, **kinds: Any) -> None:
        kept = [
            replace(line, events=tuple(one for one in line.events if not isinstance(one, OrderFired)))
            if line.n % 3 == 0
            else line
            for line in lines
        ]
        await append(self, game, kept, *more, **kinds)

    Store.append = fewer  # type: ignore[method-assign]


def makes_goods() -> None:
    """Whoever gets goods in a trade gets one more than was given."""
    from msgspec.structs import replace

    from elysian.events import DealStruck
    from elysian.server.live import batch

    decide = batch.decide  # type: ignore[attr-defined]

    def more(state: Any, seat: Any, action: Any) -> Any:
        events, after = decide(state, seat, action)
        for event in events:
            if not isinstance(event, DealStruck):
                continue
            player = after.players[event.parties[0]]
            richer = replace(player, stock=player.stock + type(player.stock)(ship=1))
            players = list(after.players)
            players[event.parties[0]] = richer
            after = replace(after, players=tuple(players))
        return events, after

    batch.decide = more  # type: ignore[attr-defined]


def forgets_to_tell() -> None:
    """Now and then somebody is told of a line without what it changed."""
    from elysian.server.live.audience import UpdateEncoder

    changes = UpdateEncoder._changes
    told = [0]

    def forgetful(self: Any, before: Any, after: Any) -> Any:
        told[0] += 1
        found = changes(self, before, after)
        return {} if told[0] % 7 == 0 else found

    UpdateEncoder._changes = forgetful  # type: ignore[method-assign]


def misses_a_line() -> None:
    """Whoever comes back is not told of the first line that was missed."""
    from elysian.server.live import log_reader, table

    framed = log_reader.framed

    def fewer(lines: Any) -> Any:
        return framed(list(lines)[1:])

    log_reader.framed = table.framed = fewer  # type: ignore[attr-defined]


def writes_without_a_lock() -> None:
    """Every process takes itself for the writer, and the key of a line fences nobody off."""
    from elysian.server.store.postgres import Postgres
    from elysian.server.store.session import Session

    async def always(*_: Any) -> bool:
        return True

    Session.claim = always  # type: ignore[method-assign, assignment]
    write = Postgres.write

    async def over(self: Any, statements: Any) -> None:
        forced = [
            (sql + " ON CONFLICT (game, n) DO UPDATE SET line = EXCLUDED.line", values)
            if sql.startswith("INSERT INTO log")
            else (sql, values)
            for sql, values in statements
        ]
        await write(self, forced)

    Postgres.write = over  # type: ignore[method-assign]


def disk_fails() -> None:
    """The disk reports an error for the fortieth commit; whether it is stored, nobody can know."""

    class Failing(sqlite3.Connection):
        commits = 0

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            done = super().execute(sql, *values)
            # A statement alone is a commit of its own.
            commit = sql == "COMMIT" or (sql.startswith("INSERT") and not self.in_transaction)
            self.commits += commit
            if commit and self.commits == 40:
                problem = sqlite3.OperationalError("disk I/O error")
                problem.sqlite_errorname = "SQLITE_IOERR_FSYNC"
                raise problem
            return done

    connect = sqlite3.connect
    failing: Any = lambda *a, **more: connect(*a, factory=Failing, **more)  # noqa: E731
    sqlite3.connect = failing


def moves_often() -> None:
    """No fault: what is stored is moved from the log to its place so often that a kill comes in the midst."""
    from elysian.server.store import write_ahead

    write_ahead.ROWS, write_ahead.LONGEST = 3, 12


def move_fails() -> None:
    """The disk reports an error when what was stored is moved to its place for the thirtieth time."""

    class Failing(sqlite3.Connection):
        moves = 0

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            self.moves += "wal_checkpoint" in sql
            if "wal_checkpoint" in sql and self.moves >= 30:
                problem = sqlite3.OperationalError("disk I/O error")
                problem.sqlite_errorname = "SQLITE_IOERR_FSYNC"
                raise problem
            return super().execute(sql, *values)

    connect = sqlite3.connect
    failing: Any = lambda *a, **more: connect(*a, factory=Failing, **more)  # noqa: E731
    sqlite3.connect = failing
    moves_often()


def tomorrows_schema() -> None:
    """The program is one step of the schema ahead."""
    from elysian.server.store import postgres, schema, sqlite

    schema.VERSIONS = (*schema.VERSIONS, ("ALTER TABLE log ADD COLUMN tint TEXT",))
    for module in (schema, sqlite, postgres):
        module.NEWEST = len(schema.VERSIONS)  # type: ignore[attr-defined]


PLANTS: dict[str, Callable[[], None]] = {
    plant.__name__: plant
    for plant in (
        answers_before_storing,
        does_not_know_ids_again,
        stores_in_two_commits,
        forgets_what_orders_did,
        makes_goods,
        forgets_to_tell,
        misses_a_line,
        writes_without_a_lock,
        disk_fails,
        moves_often,
        move_fails,
        tomorrows_schema,
    )
}


def skew_the_clock(file: Path) -> None:
    """The server's clock goes as many ms wrong as the file says."""
    from elysian.server import server

    def skewed() -> int:
        return time.time_ns() // 1_000_000 + int(file.read_text() or 0)

    server.now_ms = skewed
    _, *others = server.Server.__init__.__defaults__ or ()
    server.Server.__init__.__defaults__ = (skewed, *others)


# ---------------------------------------------------------------- the process


def main(arguments: list[str]) -> None:
    """Fork a server for every line on the input."""
    import_module("elysian.server.edge.main")
    elysian = import_module("elysian.cli").main
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    last = 0
    for line in sys.stdin:
        words = line.split()
        last = os.fork()
        if last == 0:
            _child(words[1:], arguments, elysian)
        print(last, flush=True)
    if last:
        try:
            os.kill(last, signal.SIGKILL)
        except ProcessLookupError:
            return


def _child(words: list[str], arguments: list[str], elysian: Callable[[], None]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # whatever becomes of the test, none is left
    devnull = os.open(os.devnull, os.O_RDONLY)
    os.dup2(devnull, 0)
    os.dup2(2, 1)
    for word in words:
        if word.startswith("clock="):
            skew_the_clock(Path(word.removeprefix("clock=")))
        else:
            PLANTS[word]()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.argv = ["elysian", "serve", *arguments]
    try:
        elysian()
    finally:
        os._exit(0)


# ---------------------------------------------------------------- in the test


class NotStarted(Exception):  # noqa: N818 - says what it is
    """The server has ended instead of starting; with what it said."""


class Forked(Served):
    """A server process that is started fast and ended hard."""

    def __init__(self, folder: Path, *arguments: str, plant: str = "", **more: Any) -> None:
        super().__init__(folder, *arguments, **more)
        self.plant = plant
        self.pid: int | None = None
        self._nursery: subprocess.Popen[str] | None = None

    def _begin(self) -> subprocess.Popen[str]:
        if self._nursery is None:
            root = Path(__file__).resolve().parents[3]
            wanted = ["--port", "0", "--database", self.database, "--limits", json.dumps(self.limits)]
            with (self.folder / "server.log").open("ab") as log:
                self._nursery = subprocess.Popen(
                    [sys.executable, "-m", "tests.support.server.forks", *wanted, *self.arguments],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    cwd=self.folder,
                    env={**os.environ, "PYTHONPATH": str(root)},
                )
        return self._nursery

    def start(self) -> Forked:
        nursery = self._begin()
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        log = self.folder / "server.log"
        before = log.stat().st_size
        nursery.stdin.write(f"start {self.plant}\n")
        nursery.stdin.flush()
        self.pid = int(nursery.stdout.readline())
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with log.open("rb") as file:
                file.seek(before)
                for line in file.read().splitlines():
                    if b'"listening"' in line:
                        self.port = json.loads(line)["port"]
                        return self
                file.seek(before)
                said = file.read().decode()
            if not self.runs():
                self.pid = None
                raise NotStarted(said)
            time.sleep(0.003)
        raise AssertionError(f"the server did not start:\n{self.log()[-2000:]}")

    def runs(self) -> bool:
        """Whether it has not ended by itself."""
        try:
            os.kill(self.pid or 0, 0)
        except ProcessLookupError:
            return False
        return True

    def signal(self, number: int) -> None:
        if self.pid is not None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return

    def _end(self, how: int) -> int:
        self.signal(how)
        deadline = time.monotonic() + PATIENCE
        while self.pid is not None and time.monotonic() < deadline:
            try:
                os.kill(self.pid, 0)
                time.sleep(0.002)
            except ProcessLookupError:
                self.pid = None
        assert self.pid is None, "the server does not end"
        return 0

    def close(self) -> None:
        self._end(signal.SIGKILL)
        if self._nursery is not None:
            assert self._nursery.stdin is not None
            assert self._nursery.stdout is not None
            self._nursery.stdin.close()
            self._nursery.wait(PATIENCE)
            self._nursery.stdout.close()

    def __enter__(self) -> Forked:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


if __name__ == "__main__":
    main(sys.argv[1:])

"""The store on both databases: all or nothing, one writer, schema versions, many writers in one commit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest

from elysian.server.live.table import Table
from elysian.server.store import (
    MOST_LINES,
    Conflict,
    Damaged,
    Store,
    StoredAnswer,
    TableIndex,
    Unstored,
    database_at,
    write_ahead,
)
from elysian.server.store.lots import MOST_ROWS, packed
from elysian.server.store.schema import FACE, LISTED, NEWEST, NewerSchema, insert
from elysian.server.store.session import Session
from elysian.server.store.write_ahead import WriteAhead
from elysian.server.table_state.events import Line, PlayBegan, TableOpened
from elysian.server.table_state.table_options import TableOptions
from tools.drive.waiting import PATIENCE, until

LINE, ANSWER = insert("log"), insert("answers")
TOLD = ((FACE, b'{"turn":1}'), (LISTED, b'{"turn":2}'), (FACE, b'{"turn":3}'), (LISTED, b'{"turn":4}'))
Opener = Callable[[], AbstractAsyncContextManager[Store]]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    database = database_at(url)
    await database.open()
    try:
        yield Store(database)
    finally:
        await database.close()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    return str(request.getfixturevalue("postgres"))


def line(n: int) -> Line:
    return Line(n=n, at=1, events=(TableOpened(options=TableOptions()),) if n == 1 else (PlayBegan(),))


INDEX = TableIndex(status="waiting", public=True, touched=1, due=None, face=b"{}")


def test_lines_come_back_as_they_were_stored(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await store.append("a1", [line(1), line(2)], index=INDEX, seats=[("p", 0)])
            await store.append("a1", [line(3)])
            assert await store.lines("a1") == [line(1), line(2), line(3)]
            assert await store.lines("a1", 1, 1) == [line(2)]
            assert await store.lines("b1") == []
            assert "a1" in [game for game, _ in await store.listed(1000)]
            assert [game for game, _, _ in await store.tables_of("p")] == ["a1"]

    asyncio.run(run())


def test_the_key_of_a_line_fences_off_a_second_writer(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await store.append("a2", [line(1)])
            with pytest.raises(Conflict):
                await store.append("a2", [line(1), line(2)], [StoredAnswer("p", "id", b"x", n=1)])
            assert await store.lines("a2") == [line(1)]
            assert await store.answer("a2", "p", "id") is None

    asyncio.run(run())


def test_of_many_writes_in_one_commit_only_the_bad_one_fails(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await store.append("c0", [line(1)])
            writes = [store.append(f"c{n}", [line(1)]) for n in range(40)]
            outcomes = await asyncio.gather(*writes, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [Conflict] + [type(None)] * 39
            for n in range(40):
                assert await store.lines(f"c{n}") == [line(1)]

    asyncio.run(run())


def test_an_answer_is_kept_with_what_was_asked(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            answers = [StoredAnswer("p", "one", b"x", n=1), StoredAnswer("p", "two", b"y", refused=b"{}")]
            await store.append("a4", [line(1)], answers)
            assert [await store.answer("a4", "p", id) for id in ("one", "two", "three")] == [*answers, None]

    asyncio.run(run())


def test_a_closed_database_opens_again_with_everything_in_it(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await store.append("a5", [line(1)])
        async with opened(url) as store:
            assert await store.lines("a5") == [line(1)]

    asyncio.run(run())


def test_a_database_of_a_newer_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {NEWEST + 1}")
    connection.close()

    async def run() -> None:
        async with opened(f"sqlite:///{path}"):
            pass

    with pytest.raises(NewerSchema, match="schema version"):
        asyncio.run(run())


def test_only_one_session_of_postgresql_writes_a_game(postgres: str) -> None:
    async def run() -> None:
        async with opened(postgres) as one, opened(postgres) as two:
            assert await one.database.claim("g")
            assert not await two.database.claim("g")
            assert await two.database.claim("h")
            await one.database.release("g")
            assert await two.database.claim("g")

    asyncio.run(run())


def test_a_session_of_postgresql_that_is_cut_says_so_and_comes_back_by_itself(postgres: str) -> None:
    async def run() -> None:
        told: list[str] = []
        session = Session(postgres, lambda: told.append("lost"))
        await session.open()
        try:
            assert await session.claim("cut")
            other = await asyncpg.connect(postgres)
            cut = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            await other.execute(cut)
            await other.close()
            async with asyncio.timeout(10):
                while len(told) < 2:  # that it has ended, and that there is a new one
                    await asyncio.sleep(0.01)
            assert await session.claim("cut")
        finally:
            await session.close()

    asyncio.run(run())


def test_a_full_disk_refuses_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(f"sqlite:///{tmp_path / 'full.db'}") as store:
            await store.append("f", [line(1)])
            pages = (await store.database.read("PRAGMA page_count"))[0][0]
            await store.database.write([(f"PRAGMA max_page_count = {pages}", ())])
            big = [StoredAnswer("p", f"id{n}", b"x" * 2000, n=1) for n in range(100)]
            with pytest.raises(Unstored) as refused:
                await store.append("f", [line(2)], big)
            assert refused.value.code == "storage_full"
            assert await store.lines("f") == [line(1)]
            await store.database.write([("PRAGMA max_page_count = 100000", ())])
            await store.append("f", [line(2)], big)
            assert await store.lines("f") == [line(1), line(2)]

    asyncio.run(run())


def begun(path: Path) -> int:
    """How often the write-ahead log of a database has begun anew."""
    with Path(f"{path}-wal").open("rb") as file:
        return int.from_bytes(file.read(16)[12:], "big")


def test_the_write_ahead_log_begins_anew_though_something_is_always_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What moves it never finds it at rest."""
    path = tmp_path / "store.db"
    monkeypatch.setattr(write_ahead, "ROWS", 20)
    monkeypatch.setattr(write_ahead, "LONGEST", 40)

    async def run() -> None:
        async with opened(f"sqlite:///{path}") as store:
            await store.append("a", [line(1)])
            first = begun(path)

            async def write(game: str) -> None:
                await store.append(game, [line(1)])
                n = 1
                while begun(path) < first + 3:
                    n += 1
                    await store.append(game, [line(n)])

            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(write(f"g{n}") for n in range(8)))

    asyncio.run(run())


class Moving:
    """A connection to a log of so many pages, all of which it moves, as far as it has seen them."""

    def __init__(self, pages: int) -> None:
        self.pages, self.moves = pages, 0

    def execute(self, sql: str) -> Moving:
        assert "wal_checkpoint" in sql
        self.moves += 1
        return self

    def fetchone(self) -> tuple[int, int, int]:
        return 0, self.pages, self.pages

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("pages", [write_ahead.LONGEST, write_ahead.LONGEST + 1])
def test_what_was_written_while_a_long_log_was_moved_is_moved_by_who_writes(pages: int) -> None:
    """Who moves it has moved all it saw, and cannot know what came since."""
    mover: Any = Moving(pages)
    writer: Any = Moving(pages)
    ahead = WriteAhead(lambda: mover, lambda problem: None)
    ahead.begin()
    try:
        ahead.wrote(writer, write_ahead.ROWS)
        until(lambda: mover.moves)
    finally:
        ahead.close()
    ahead.wrote(writer, 1)
    assert bool(writer.moves) == (pages > write_ahead.LONGEST)


def test_who_writes_does_not_wait_for_what_was_written_to_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, began, may_go_on = tmp_path / "store.db", threading.Event(), threading.Event()
    move = WriteAhead._move

    def held_up(self: WriteAhead, connection: sqlite3.Connection) -> int:
        began.set()
        assert may_go_on.wait(PATIENCE)
        return move(self, connection)

    monkeypatch.setattr(write_ahead, "ROWS", 5)
    monkeypatch.setattr(WriteAhead, "_move", held_up)

    async def run() -> None:
        async with opened(f"sqlite:///{path}") as store:
            for n in range(1, 30):
                await store.append("a", [line(n)])
            assert await asyncio.to_thread(began.wait, PATIENCE)
            await store.append("a", [line(30)])
            may_go_on.set()
            assert len(await store.lines("a")) == 30

    asyncio.run(run())


@pytest.mark.parametrize(("error", "stops"), [("SQLITE_IOERR_FSYNC", True), ("SQLITE_FULL", False)])
def test_a_disk_that_fails_to_move_what_is_stored_is_written_to_no_more_and_a_full_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str, stops: bool
) -> None:
    tried = threading.Event()

    class Failing(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if "wal_checkpoint" in sql:
                problem = sqlite3.OperationalError("no")
                problem.sqlite_errorname = error
                tried.set()
                raise problem
            return super().execute(sql, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(write_ahead, "ROWS", 5)
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **more: connect(*a, factory=Failing, **more))

    async def run() -> None:
        ended = asyncio.Event()
        database = database_at(f"sqlite:///{tmp_path / 'store.db'}", ended.set)
        await database.open()
        try:
            store = Store(database)
            for n in range(1, 6):
                await store.append("a", [line(n)])
            assert await asyncio.to_thread(tried.wait, PATIENCE)
            if stops:
                async with asyncio.timeout(PATIENCE):
                    await ended.wait()
                with pytest.raises(Unstored, match="storage_broken"):
                    await store.append("a", [line(6)])
            else:
                await store.append("a", [line(6)])
                assert not ended.is_set()
        finally:
            await database.close()

    asyncio.run(run())


def test_an_address_that_is_no_database_gets_a_sentence() -> None:
    with pytest.raises(ValueError, match="sqlite:///FILE or postgresql://"):
        database_at("mysql://nowhere")


SECOND = "WHERE game = 'a' AND n = 2"
OTHER = "SELECT chain FROM log WHERE game = 'b' AND n = 2"


def test_a_line_that_was_changed_or_comes_from_elsewhere_is_found_by_the_chain(tmp_path: Path) -> None:
    """Bytes that still make a line, but not the one that was stored, are never believed."""
    path = tmp_path / "store.db"

    async def run() -> None:
        async with opened(f"sqlite:///{path}") as store:
            for game in ("a", "b"):
                await store.append(game, [line(1), line(2)])
                await store.append(game, [line(3)])
        later = "replace(CAST(line AS TEXT), '\"at\":1', '\"at\":2')"
        changes = (f"line = {later}", f"line = CAST({later} AS BLOB)", "chain = NULL", f"chain = ({OTHER})")
        for change in changes:
            with sqlite3.connect(path) as connection:
                before = connection.execute(f"SELECT line, chain FROM log {SECOND}").fetchone()
                assert connection.execute(f"UPDATE log SET {change} {SECOND}").rowcount == 1
            async with opened(f"sqlite:///{path}") as store:
                with pytest.raises(Damaged, match="line 2"):
                    await store.lines("a")
                with pytest.raises(Damaged, match="line 2"):
                    await store.lines("a", 1)
                assert await store.lines("b") == [line(1), line(2), line(3)]
            with sqlite3.connect(path) as connection:
                connection.execute(f"UPDATE log SET line = ?, chain = ? {SECOND}", before)
        async with opened(f"sqlite:///{path}") as store:
            assert await store.lines("a") == [line(1), line(2), line(3)]

    asyncio.run(run())


def test_lines_from_before_there_was_a_chain_are_read_and_what_follows_is_chained(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def run() -> None:
        async with opened(f"sqlite:///{path}") as store:
            await store.append("a", [line(1), line(2)])
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE log SET chain = NULL")
        async with opened(f"sqlite:///{path}") as store:
            assert await store.lines("a") == [line(1), line(2)]
            await store.append("a", [line(3), line(4)])
            assert len(await store.lines("a")) == 4
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE log SET line = (SELECT line FROM log WHERE n = 4) WHERE n = 3")
        async with opened(f"sqlite:///{path}") as store:
            with pytest.raises(Damaged):
                await store.lines("a")

    asyncio.run(run())


class Raced(Store):
    """A store that another process writes to between two readings."""

    raced = False

    async def newest_answer(self, game: str) -> int:
        found = await super().newest_answer(game)
        await self._written(game)
        return found

    async def lines(self, game: str, since: int = 0, limit: int = MOST_LINES) -> list[Line]:
        found = await super().lines(game, since, limit)
        await self._written(game)
        return found

    async def _written(self, game: str) -> None:
        if not self.raced:
            self.raced = True
            await self.append(game, [line(2)], [StoredAnswer(person="p", id="id-1", asked=b"", n=2)])


def test_a_table_that_is_written_while_it_is_loaded_is_not_taken_for_damaged(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            raced = Raced(store.database)
            await raced.append("raced", [line(1)], index=INDEX)
            context: Any = SimpleNamespace(store=raced, history=None, bus=None, now=lambda: 1)
            table = Table("raced", context)
            await table.load()
            assert table.n == 2
            assert raced.raced

    asyncio.run(run())


def test_new_lines_and_answers_of_many_tables_are_stored_by_one_statement(tmp_path: Path) -> None:
    """One that cannot be stored fails alone, and the order of everything is kept."""
    lines = [(LINE, (f"g{n}", 1, b"x", None)) for n in range(40)]
    answers = [(ANSWER, (f"g{n}", "p", "i", b"a", 1, None)) for n in range(40)]
    seat = [("DELETE FROM seats WHERE person = ? AND game = ?", ("p", "g")), (insert("seats"), ("p", "g", 1))]
    mixed = [one for pair in zip(lines, answers, strict=True) for one in pair]
    assert len(packed(mixed)) == 1
    first, *others, last = packed([*mixed[:40], *seat, *mixed[40:]])
    assert others == seat
    for lot, many in ((first, mixed[:40]), (last, mixed[40:])):
        stored = [value for value in lot[1] if value is not None]
        assert stored == [value for _, values in many for value in values if value is not None]
    assert [one for one in packed([lines[0], *seat, lines[1]]) if one in seat] == seat
    assert len(packed([lines[0], *seat, lines[1]])) == 4

    async def run() -> None:
        async with opened(f"sqlite:///{tmp_path / 'store.db'}") as store:
            await store.append("g7", [line(1)])
            games = [f"g{n}" for n in range(70)]
            outcomes = await asyncio.gather(
                *(
                    store.append(game, [line(1), line(2)], [StoredAnswer("p", game, b"a", 2)], INDEX)
                    for game in games
                ),
                return_exceptions=True,
            )
            assert [game for game, found in zip(games, outcomes, strict=True) if found] == ["g7"]
            assert all([len(await store.lines(game)) == 2 for game in games if game != "g7"])
            assert await store.answer("g7", "p", "g7") is None
            assert await store.answer("g69", "p", "g69") == StoredAnswer("p", "g69", b"a", 2)
            assert {game for game, _ in await store.listed()} == {*games} - {"g7"}
            twice = [(LISTED, ("g1", status, 1, 5, None, b"{}", None)) for status in ("playing", "over")]
            assert len(packed(twice)) == 1
            await store.database.write(twice)
            assert "g1" not in {game for game, _ in await store.listed()}, "what came later counts"
            faces = [(sql, ("g2", "playing", 1, 5, None, face, None)) for sql, face in TOLD]
            await store.database.write(faces)
            assert dict(await store.listed())["g2"] == TOLD[-1][1], "what came later counts"

    asyncio.run(run())


def test_as_many_rows_as_come_are_stored_each_in_its_place(tmp_path: Path) -> None:
    """A statement has room for more rows than there are; none is added, none is left out."""

    async def run() -> None:
        async with opened(f"sqlite:///{tmp_path / 'store.db'}") as store:
            sizes = (1, 2, 7, 8, 9, 63, 64, 65, MOST_ROWS, MOST_ROWS + 1, 3 * MOST_ROWS + 5)
            for size in sizes:
                await store.append(f"g{size}", [line(n + 1) for n in range(size)])
                assert [one.n for one in await store.lines(f"g{size}")] == [*range(1, size + 1)]
            counts = [f"SELECT count(*) FROM {name}" for name in ("log", "answers", "tables")]
            logs, answers, tables = await store.database.snapshot(counts)
            assert logs == [(sum(sizes),)]
            assert answers == tables == [(0,)]

    asyncio.run(run())


def test_a_lot_that_cannot_be_stored_leaves_nothing(tmp_path: Path) -> None:
    """One statement is a transaction of its own: what came before the row that fails is undone with it."""

    async def run() -> None:
        async with opened(f"sqlite:///{tmp_path / 'store.db'}") as store:
            await store.append("g", [line(1)])
            with pytest.raises(Conflict):
                await store.append("g", [line(2), line(1)], [StoredAnswer("p", "id-1", b"a", 2)], INDEX)
            assert len(await store.lines("g")) == 1
            assert await store.answer("g", "p", "id-1") is None
            await store.append("g", [line(2)], [StoredAnswer("p", "id-1", b"a", 2)], INDEX)
            assert len(await store.lines("g")) == 2

    asyncio.run(run())


def test_what_is_decided_in_one_turn_of_the_loop_is_stored_in_one_commit(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(f"sqlite:///{tmp_path / 'store.db'}") as store:
            database: Any = store.database
            commit, together = database._commit, []

            def counted(connection: Any, batch: Any) -> Any:
                together.append(len(batch))
                return commit(connection, batch)

            database._commit = counted
            await asyncio.gather(*(store.append(f"g{n}", [line(1)]) for n in range(40)))
            await store.append("g0", [line(2)])
            assert together == [40, 1]

    asyncio.run(run())

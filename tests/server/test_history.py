"""History in bounded pages: to come back costs no more in a long game, nor for one who reads slowly."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from elysian.server.cluster.bus import BusMessage
from elysian.server.live import log_reader
from elysian.server.live.log_reader import PAGE, LogPages, LogReader, framed
from elysian.server.live.table import Table
from elysian.server.ops.backlog import Backlog
from elysian.server.ops.errors import Refused
from elysian.server.ops.rate_limit import Turns
from elysian.server.ops.settings import ServerSettings
from elysian.server.protocol.close_codes import SEAT_LOST
from elysian.server.server import Server
from elysian.server.store.people import Account
from elysian.server.table_state.events import Line, Said, SeatLeft
from elysian.server.table_state.fold import fold
from elysian.server.table_state.table_options import TableOptions

PAGES = 6


def line(n: int, text: str = "x") -> Line:
    return Line(n=n, at=n, seat=0, events=(Said(seat=0, text=text),))


@asynccontextmanager
async def long_table(folder: Path, text: str = "x") -> AsyncIterator[Table]:
    """A loaded table of a few pages; Anna sits at it."""
    server = Server(ServerSettings(database=f"sqlite:///{folder / 'tables.db'}", drain=2))
    await server.start()
    try:
        table, _ = await server.tables.open(TableOptions(public=False), Account("anna", "Anna"))
        await server.tables.drop(table)
        await server.store.append(table.game, [line(n, text) for n in range(table.n + 1, PAGES * PAGE + 1)])
        yield await server.tables.get(table.game)
    finally:
        await server.close()


class Reader:
    """A connection that takes what it is sent, until it takes nothing more."""

    language = "en"

    def __init__(self, takes: int = 1000, person: str | None = "anna") -> None:
        self.person, self.seat, self.takes = person, 0 if person == "anna" else None, takes
        self.frames: list[bytes] = []
        self.closed: int | None = None
        self.stuck = asyncio.Event()
        self.before_taking: Any = None

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    async def taken(self) -> None:
        if self.before_taking is not None:
            await self.before_taking()
        if len(self.frames) >= self.takes:
            self.stuck.set()
            await asyncio.Event().wait()

    def close(self, code: int) -> None:
        self.closed = code

    def used(self, person: str, hashed: str) -> bool:
        return False

    def drop(self) -> None:
        self.closed = 1013


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines folded for readers; the loop folds none."""
    lines: list[int] = []

    def counting(before: Any, table: str, line: Line) -> Any:
        assert threading.current_thread() is not threading.main_thread(), "a page was folded on the loop"
        lines.append(line.n)
        return fold(before, table, line)

    monkeypatch.setattr(log_reader, "fold", counting)
    return lines


def test_many_who_come_for_the_whole_game_cost_as_much_as_one(tmp_path: Path, folded: list[int]) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            readers = [Reader() for _ in range(10)]
            for reader in readers:
                await table.enter(reader, 0)
            told = [
                [frame for frame in one.frames if frame.startswith(b'{"kind":"missed"')] for one in readers
            ]
            assert all(frames == told[0] for frames in told)
            assert len(folded) <= PAGES * PAGE

    asyncio.run(run())


def test_one_page_anywhere_costs_no_more_than_a_page(tmp_path: Path, folded: list[int]) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            for since in (0, 7, PAGE, 3 * PAGE + 9, (PAGES - 1) * PAGE - 1):
                folded.clear()
                lines = await table.missed(0, since, "en")
                assert [one.n for one in lines] == list(range(since + 1, since + 1 + len(lines)))
                assert 0 < len(lines) <= PAGE
                assert len(folded) <= 2 * PAGE

    asyncio.run(run())


def test_for_one_who_does_not_read_only_one_page_is_read(tmp_path: Path, folded: list[int]) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            deaf = Reader(takes=1)
            entering = asyncio.create_task(table.enter(deaf, 0))
            await deaf.stuck.wait()
            assert max(folded) <= PAGE
            assert len(deaf.frames) == 1
            entering.cancel()
            await asyncio.wait((entering,))
            assert not table.watchers

    asyncio.run(run())


def test_no_message_is_much_larger_than_the_largest_line(tmp_path: Path) -> None:
    async def run() -> None:
        async with long_table(tmp_path, text="x" * 8000) as table:
            lines = await table.missed(0, PAGE, "en")
            frames = framed(lines)
            assert len(frames) > 3
            assert max(map(len, frames)) < log_reader.LARGEST + 40_000

    asyncio.run(run())


def test_pages_kept_for_others_take_no_more_room_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "KEPT", 1000)
    history = LogPages()
    for n in range(50):
        history.keep(("g", None, "en", n), (b"x" * 100,))
    kept = [n for n in range(50) if history.find(("g", None, "en", n))]
    assert kept == list(range(40, 50))
    history.close()


def test_who_loses_the_seat_while_the_log_is_read_does_not_get_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            reader = Reader()

            async def gets_up() -> None:
                reader.before_taking = None
                await table.submit(lambda lobby: (SeatLeft(seat=0),))

            reader.before_taking = gets_up
            await table.enter(reader, 0)
            assert reader.closed == SEAT_LOST
            assert not table.watchers

    asyncio.run(run())


def test_a_line_beyond_the_log_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            with pytest.raises(Refused):
                await table.enter(Reader(), table.n + 1)

    asyncio.run(run())


def test_a_person_catches_up_at_one_connection_at_a_time() -> None:
    async def run() -> None:
        turns, order = Turns(), []

        async def catch_up(who: str, name: str) -> None:
            async with turns.turn(who):
                order.append(f"{name} begins")
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                order.append(f"{name} ends")

        await asyncio.gather(catch_up("a", "one"), catch_up("a", "two"), catch_up("b", "other"))
        assert order.index("two begins") > order.index("one ends")
        assert order.index("other begins") < order.index("one ends")
        assert not turns._by

    asyncio.run(run())


class Pile:
    """A connection so many bytes wait for."""

    def __init__(self) -> None:
        self.waiting = 0
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_bytes_that_wait_are_bounded_for_a_person_and_for_the_server() -> None:
    backlog = Backlog(each=100, all_=250)
    piles = {(owner, n): Pile() for owner in "abc" for n in range(2)}

    def wait(owner: str, n: int, size: int) -> None:
        pile = piles[owner, n]
        pile.waiting += size
        backlog.add(pile, owner, size)
        if pile.dropped and pile.waiting:
            backlog.forget(pile, owner)
            pile.waiting = 0

    for n in range(2):
        wait("a", n, 45)
    assert not any(pile.dropped for pile in piles.values())
    wait("a", 1, 20)
    assert [piles["a", n].dropped for n in range(2)] == [False, True], "the one most waits for"
    assert backlog.by["a"] == 45
    for owner in "bc":
        wait(owner, 0, 95)
    assert not piles["b", 0].dropped
    wait("b", 1, 4)
    wait("c", 1, 4)
    wait("a", 0, 30)
    assert backlog.total <= 250 + 30
    assert sum(pile.dropped for pile in piles.values()) == 2


def test_a_reader_reads_on_where_no_snapshot_was_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with long_table(tmp_path) as table:
            fresh = LogReader(table.game, table.context.store, table.context.history)
            lines = await fresh.read(3 * PAGE + 5, 3 * PAGE + 8, 0, "en")
            assert [one.n for one in lines] == [3 * PAGE + 6, 3 * PAGE + 7, 3 * PAGE + 8]

    asyncio.run(run())


def test_what_others_tell_while_a_table_reads_is_not_slept_over(tmp_path: Path) -> None:
    """A hint that comes while the lines before it are being read sends the table to read once more."""

    async def run() -> None:
        async with long_table(tmp_path) as table:
            read, times = table.context.store.lines, 0

            async def lines(game: str, since: int = 0, limit: int = 1_000_000) -> list[Line]:
                nonlocal times
                found = await read(game, since, limit)
                times += 1
                if times == 1:
                    # Another process stores a line now, and says so.
                    await table.context.store.append(game, [line(table.n + 1)])
                    table.heard(BusMessage(kind="told", game=game, n=table.n + 1, worker="another"))
                return found

            table.lease.mine = False  # another process writes
            table.context.store.lines = lines  # type: ignore[method-assign]
            last = table.n
            table.heard(BusMessage(kind="told", game=table.game, n=last + 1, worker="another"))
            async with asyncio.timeout(60):
                while table.n == last:
                    await asyncio.sleep(0.01)
            table.lease.mine = True
            assert times == 2

    asyncio.run(run())

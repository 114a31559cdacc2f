"""Coming back: what was missed is read by one road, and no line is folded twice for a reader who goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from elysian.server.live import log_reader
from elysian.server.live.log_reader import LogPages, LogReader
from elysian.server.store import Store, database_at
from elysian.server.table_state.events import Line, Said, SeatTaken, TableOpened
from elysian.server.table_state.table_options import TableOptions

LINES = 2 * log_reader.PAGE + 50
PAGE = log_reader.PAGE


def log() -> list[Line]:
    opened = Line(n=1, at=1, events=(TableOpened(options=TableOptions()),))
    taken = Line(n=2, at=1, events=(SeatTaken(seat=0, name="Anna", person="a"),))
    said = [Line(n=n, at=n, seat=0, events=(Said(seat=0, text=f"{n}"),)) for n in range(3, LINES + 1)]
    return [opened, taken, *said]


def test_a_log_read_page_by_page_is_folded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[int] = []
    fold: Any = vars(log_reader)["fold"]

    def counting(before: object, table: str, line: Line) -> object:
        folded.append(line.n)
        return fold(before, table, line)

    monkeypatch.setattr(log_reader, "fold", counting)

    async def run() -> None:
        database = database_at(f"sqlite:///{tmp_path / 'log.db'}")
        await database.open()
        try:
            store = Store(database)
            await store.append("g", log())
            reader = LogReader("g", store, LogPages())
            seen: list[int] = []
            while len(seen) < LINES:
                seen += [line.n for line in await reader.read(len(seen), len(seen) + PAGE, 1, "en")]
            assert seen == folded == list(range(1, LINES + 1))
            again = await reader.read(2, 5, 0, "en")  # somebody else, who is further back
            assert [line.n for line in again] == [3, 4, 5]
            assert [line.events[0].text for line in again] == ["3", "4", "5"]  # type: ignore[union-attr]
        finally:
            await database.close()

    asyncio.run(run())


def test_the_first_arrival_takes_the_road_of_those_who_come_back(tmp_path: Path) -> None:
    async def run() -> None:
        database = database_at(f"sqlite:///{tmp_path / 'log.db'}")
        await database.open()
        try:
            store = Store(database)
            await store.append("g", log())
            whole = await LogReader("g", store, LogPages()).read(0, LINES, None, "en")
            part = await LogReader("g", store, LogPages()).read(LINES - 10, LINES, None, "en")
            assert whole[-10:] == part
            assert whole[0].seat is None
        finally:
            await database.close()

    asyncio.run(run())

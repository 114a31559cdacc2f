"""Log reader: what somebody has missed of a table, from any line of its log, a page at a time.

One road for all: a browser that comes for the first time has missed everything since line 0. The table is
known after every PAGE lines, so that no page costs more than a page, however long the game. Pages are folded
in a thread of their own, one at a time for the whole process, and a whole page that many may ask for is made
once for everybody who sees the same.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from elysian.deals import Seat
from elysian.server.live.audience import seen_line
from elysian.server.protocol.messages import SeenLine, encode
from elysian.server.store import Store
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold

PAGE = 200  # lines after which the table is kept, and in one page
LARGEST = 256 * 1024  # bytes in one message, unless a single line has more
KEPT = 16 * 1024 * 1024  # bytes of pages kept for others who ask for the same

Pages = tuple[str, Seat | None, str, int]  # the game, who sees it, in which language, after which line
PageFrames = tuple[bytes, ...]
T = TypeVar("T")


class LogPages:
    """What the tables of one process share to read their logs: a thread, and pages made before."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, "history")
        self._pages: OrderedDict[Pages, PageFrames] = OrderedDict()
        self._bytes = 0

    def find(self, page: Pages) -> PageFrames | None:
        """A page as it was made before; None when it was not, or not lately."""
        found = self._pages.get(page)
        if found is not None:
            self._pages.move_to_end(page)
        return found

    def keep(self, page: Pages, frames: PageFrames) -> None:
        """Keep a page that will never be another; those longest unasked for make room."""
        if page not in self._pages:
            self._pages[page] = frames
            self._bytes += sum(map(len, frames))
        while self._bytes > KEPT:
            _, old = self._pages.popitem(last=False)
            self._bytes -= sum(map(len, old))

    def close(self) -> None:
        """Make no more pages; the one under way is not waited for."""
        self.thread.shutdown(wait=False, cancel_futures=True)


class LogReader:
    """Reads a table's log for people; no line is folded for a page that does not need it."""

    def __init__(self, game: str, store: Store, history: LogPages) -> None:
        """Begin before the first line."""
        self._game, self._store, self._history = game, store, history
        # The table after each whole page. States share what did not change, so one more costs little.
        self._snapshots: dict[int, TableState] = {}

    def passed(self, n: int, after: TableState) -> None:
        """The table after a line is known; it is kept at the end of every page."""
        if n % PAGE == 0:
            self._snapshots[n] = after

    def _nearest(self, since: int) -> tuple[int, TableState | None]:
        """The latest line up to `since` after which the table is known."""
        n = since - since % PAGE
        while n and n not in self._snapshots:
            n -= PAGE
        return n, self._snapshots.get(n)

    async def read(self, since: int, until: int, seat: Seat | None, language: str) -> list[SeenLine]:
        """The lines after `since` up to `until` as a seat may see them; raises Refused or Damaged."""
        return await self._aside(list, since, until, seat, language)

    async def table_at(self, n: int) -> TableState:
        """The table after line n, from the nearest one known; raises Refused or Damaged."""
        start, before = self._nearest(n)
        lines = await self._store.lines(self._game, start, n - start)

        def fold_all() -> TableState:
            current = before
            for line in lines:
                current = fold(current, self._game, line)
                self.passed(line.n, current)
            assert current is not None
            return current

        return await asyncio.get_running_loop().run_in_executor(self._history.thread, fold_all)

    async def _aside(
        self,
        made: Callable[[Iterable[SeenLine]], T],
        since: int,
        until: int,
        seat: Seat | None,
        language: str,
    ) -> T:
        """What is made of these lines, in the thread that reads for everybody."""
        start, before = self._nearest(since)
        lines = await self._store.lines(self._game, start, until - start)

        def make() -> T:
            return made(self._fold(before, lines, since, seat, language))

        return await asyncio.get_running_loop().run_in_executor(self._history.thread, make)

    def _fold(
        self, current: TableState | None, lines: list[Line], since: int, seat: Seat | None, language: str
    ) -> list[SeenLine]:
        seen: list[SeenLine] = []
        for line in lines:
            before, current = current, fold(current, self._game, line)
            self.passed(line.n, current)
            if line.n > since:
                seen.append(seen_line(before or current, current, seat, line, language))
        return seen

    async def page(self, since: int, until: int, seat: Seat | None, language: str) -> tuple[PageFrames, int]:
        """The messages that tell of the lines after `since`, to the end of its page, and which that is."""
        end = min(since - since % PAGE + PAGE, until)
        key = self._game, seat, language, since
        whole = end - since == PAGE
        frames = self._history.find(key) if whole else None
        if frames is None:
            frames = await self._aside(framed, since, end, seat, language)
            if whole:
                self._history.keep(key, frames)
        return frames, end


def framed(lines: Iterable[SeenLine]) -> PageFrames:
    """Lines as messages (`Missed`), none much larger than it need be."""
    frames: list[bytes] = []
    part: list[bytes] = []
    size = 0
    for line in lines:
        raw = encode(line)
        if part and size + len(raw) > LARGEST:
            frames.append(_frame(part))
            part, size = [], 0
        part.append(raw)
        size += len(raw)
    if part:
        frames.append(_frame(part))
    return tuple(frames)


def _frame(lines: list[bytes]) -> bytes:
    return b'{"kind":"missed","lines":[' + b",".join(lines) + b"]}"

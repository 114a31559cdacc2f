"""Database: reads, and writes that are on disk when they return; many writers share one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from elysian.server.ops.errors import Refused

Statement = tuple[str, tuple[Any, ...]]  # in the common dialect: ? for each value
Row = Sequence[Any]

Troubled = Callable[[str | None], None]  # why writes fail; None: they no longer do

MOST_IN_ONE_COMMIT = 500


class Conflict(Exception):  # noqa: N818 - the fence between two writers
    """Another writer has stored something under the same key; nothing of this write was stored."""


class Unstored(Refused):
    """The write may not be on disk; whoever asked must read again what is."""

    def __init__(self, code: str) -> None:
        """Say why: storage_full, storage_busy, storage_lost, storage_broken or storage_damaged."""
        super().__init__(code, status=503)


class Unreadable(Unstored):
    """What is stored at that place is damaged; what is stored elsewhere may be sound."""

    def __init__(self) -> None:
        """Refuse with the sentence that what is stored is damaged."""
        super().__init__("storage_damaged")


class Database(Protocol):
    """One of the two places where tables are kept."""

    alone: bool  # no other process can be on it

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""

    async def close(self) -> None:
        """Finish what was begun and disconnect."""

    async def read(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a query."""

    async def write(self, statements: Sequence[Statement]) -> None:
        """Store all or nothing; raises Conflict, or Unstored when that could not be done."""

    async def claim(self, name: str) -> bool:
        """Whether this process now holds the lock of that name."""

    async def release(self, name: str) -> None:
        """Let another process take it."""

    def hear(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with whatever a process on the same database says, this one too."""

    def tell(self, word: str) -> None:
        """Say something to all processes on the same database; nothing waits for it."""

    async def newer(self) -> bool:
        """Whether a newer program has changed the schema, so that this one must make way."""

    async def snapshot(self, queries: Sequence[str]) -> list[list[Row]]:
        """The rows of several queries as of one moment."""

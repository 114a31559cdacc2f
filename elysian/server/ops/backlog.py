"""Backlog: the bytes that wait for those who read slowly, bounded for each and for all (backpressure)."""

from __future__ import annotations

from collections import Counter
from typing import Protocol


class Slow(Protocol):
    """A connection something waits for."""

    @property
    def waiting(self) -> int:
        """How many bytes wait for it."""

    def drop(self) -> None:
        """Send it away, with all that waits for it."""


class Backlog:
    """All bytes that wait in one process."""

    def __init__(self, each: int, all_: int) -> None:
        """Allow so many bytes to each person (or address, for those without a key), and to all together."""
        self._each, self._all = each, all_
        self.by: Counter[str] = Counter()
        self.total = 0
        self._connections: dict[Slow, str] = {}

    def add(self, connection: Slow, owner: str, size: int) -> None:
        """More waits for a connection; where it is too much, the one most waits for is dropped."""
        self._connections[connection] = owner
        self.by[owner] += size
        self.total += size
        if self.by[owner] > self._each:
            self._slowest(owner).drop()
        if self.total > self._all:
            self._slowest(None).drop()

    def _slowest(self, owner: str | None) -> Slow:
        found = [one for one, by in self._connections.items() if owner in (None, by)]
        return max(found, key=lambda one: one.waiting)

    def remove(self, connection: Slow, owner: str, size: int) -> None:
        """So many bytes were taken, or their connection is gone."""
        if connection in self._connections:
            self.total -= size
            self.by[owner] -= size
            if not self.by[owner]:
                del self.by[owner]

    def forget(self, connection: Slow, owner: str) -> None:
        """A connection ends, and all that waits for it is thrown away."""
        self.remove(connection, owner, connection.waiting)
        self._connections.pop(connection, None)

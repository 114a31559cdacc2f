"""Leeway: a seat holds back for a moment so that others can act first, and never for long."""

from __future__ import annotations

from collections import Counter


class Leeway:
    """How often others were left to act first, for each thing that waits for them in a turn."""

    def __init__(self, times: int) -> None:
        """Hold back so often for each thing."""
        self._times = times
        self._granted: Counter[object] = Counter()

    def forget(self) -> None:
        """A new turn has begun."""
        self._granted.clear()

    def grants(self, thing: object) -> bool:
        """Whether to hold back once more; each call counts."""
        self._granted[thing] += 1
        return self._granted[thing] <= self._times


__all__ = ["Leeway"]

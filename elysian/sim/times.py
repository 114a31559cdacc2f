"""Times: how long decisions took, as counts on a scale that can be added up over any number of games."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log

from msgspec import Struct

STEP = 1.1  # every mark of the scale is a tenth longer than the one before
SHORTEST = 1e-6  # seconds


class Times(Struct, frozen=True):
    """So many decisions on each mark of the scale; what a mark says is right to about five per cent."""

    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    marks: dict[int, int] = {}

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Times:
        """The times of some decisions."""
        every = list(seconds)
        marks: dict[int, int] = {}
        for one in every:
            mark = floor(log(max(one, SHORTEST) / SHORTEST, STEP))
            marks[mark] = marks.get(mark, 0) + 1
        return cls(count=len(every), seconds=sum(every), longest=max(every, default=0.0), marks=marks)

    def __add__(self, other: Times) -> Times:
        """Both together."""
        marks = dict(self.marks)
        for mark, n in other.marks.items():
            marks[mark] = marks.get(mark, 0) + n
        return Times(
            self.count + other.count, self.seconds + other.seconds, max(self.longest, other.longest), marks
        )

    @property
    def mean(self) -> float:
        """Seconds a decision took on average; 0 when there was none."""
        return self.seconds / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """Seconds within which this share of the decisions was taken; 0 when there was none."""
        wanted = max(1, ceil(share * self.count))
        for mark in sorted(self.marks):
            wanted -= self.marks[mark]
            if wanted <= 0:
                return min(float(SHORTEST * STEP ** (mark + 0.5)), self.longest)
        return 0.0


__all__ = ["Times"]

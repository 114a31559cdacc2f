"""Rate limits: how often something may be done in any span of time, remembered while it matters."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable

MOST_REMEMBERED = 20_000


class RateLimit:
    """So many in so many seconds, for one who asks."""

    __slots__ = ("_most", "_span", "_times")

    def __init__(self, most: int, span: float) -> None:
        """Allow `most` in any `span` seconds."""
        self._most = most
        self._span = span
        self._times: list[float] = []  # a few at most; an empty list takes little room

    def allows(self, now: float) -> bool:
        """Whether one more is allowed now; it is then counted."""
        times = self._times
        if times and times[0] <= now - self._span:
            del times[: bisect_right(times, now - self._span)]
        if len(times) >= self._most:
            return False
        times.append(now)
        return True


class RateLimits:
    """The same for many who ask; those longest unheard of are forgotten first."""

    def __init__(self, most: int, span: float, now: Callable[[], float]) -> None:
        """Allow each of them `most` in any `span` seconds."""
        self._most, self._span, self._now = most, span, now
        self._by: OrderedDict[str, RateLimit] = OrderedDict()

    def allows(self, who: str) -> bool:
        """Whether one more is allowed to them now; it is then counted."""
        limit = self._by.get(who)
        if limit is None:
            limit = self._by[who] = RateLimit(self._most, self._span)
            if len(self._by) > MOST_REMEMBERED:
                self._by.popitem(last=False)
        self._by.move_to_end(who)
        return limit.allows(self._now())

"""Rate limits, by which people and addresses are throttled: how much may be done in any span of time."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

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


class Budgets:
    """So much (bytes, seconds, whatever is counted) in a span for each who asks: a leaky bucket each.

    What is spent comes back evenly over the span; who has spent all waits until some of it is back.
    """

    def __init__(self, most: float, span: float, now: Callable[[], float]) -> None:
        """Let each of them spend `most` in `span` seconds."""
        self._most, self._rate, self._now = most, most / span, now
        self._by: OrderedDict[str, tuple[float, float]] = OrderedDict()  # spent, and when it was so

    def spent(self, who: str) -> float:
        """How much of what they spent is not back yet."""
        spent, at = self._by.get(who, (0.0, 0.0))
        return max(0.0, spent - (self._now() - at) * self._rate)

    def allows(self, who: str) -> bool:
        """Whether anything is left to them."""
        return self.spent(who) < self._most

    def spend(self, who: str, cost: float) -> None:
        """They have spent so much; more than was left keeps them waiting the longer."""
        self.charge(who, cost)

    def charge(self, who: str, cost: float) -> bool:
        """The same; whether anything is left to them after it."""
        now, known = self._now(), self._by.get(who)
        if known is not None:
            left = known[0] - (now - known[1]) * self._rate
            if left > 0.0:
                cost += left
            self._by.move_to_end(who)
        self._by[who] = cost, now
        if len(self._by) > MOST_REMEMBERED:
            self._by.popitem(last=False)
        return cost < self._most


class Turns:
    """One at a time for each who asks."""

    def __init__(self) -> None:
        self._by: dict[str, tuple[asyncio.Lock, list[None]]] = {}

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for one's turn, and have it."""
        lock, waiting = self._by.setdefault(who, (asyncio.Lock(), []))
        waiting.append(None)
        try:
            async with lock:
                yield
        finally:
            waiting.pop()
            if not waiting:
                del self._by[who]


class RestingLine:
    """A few at a time, and after each a rest as long as it took: half the processor is left to others."""

    LONGEST_REST = 0.1  # seconds

    def __init__(self, at_once: int) -> None:
        """Let so many in at once."""
        self._places = asyncio.Semaphore(at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn, and have it."""
        async with self._places:
            began = time.thread_time()
            try:
                yield
            finally:
                await asyncio.sleep(min(time.thread_time() - began, self.LONGEST_REST))


def owner_of(person: str) -> str:
    """On whose account a person's doings are; not to be taken for an address."""
    return f"person {person}"


def block_of(address: str) -> str:
    """The block one subscriber has: an IPv4 address, or the /64 around an IPv6 address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)

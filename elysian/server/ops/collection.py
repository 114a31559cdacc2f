"""Collection of garbage: never a long one while people play.

What tables are made of is immutable and holds no cycles: it goes when the last reference to it goes, and need
not be looked through. A full collection looks through all of it nevertheless, and the more tables there are,
the longer everybody waits. So only what is young is looked through as usual; what has grown old is set aside
(frozen) again and again, and looked through when nobody has asked for anything for a while.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

# Objects after which the youngest are looked through. Many are tables of hundreds of cards, and each entry is
# looked at: two thousand took up to 27 ms, two hundred take one or two, and no longer in all.
YOUNG = 200
# Python counts what is made less what has gone, and under play what was set aside goes as fast as new things
# are made: by that count alone tens of thousands would be young before they are looked through, for 20 ms. So
# they are looked through after so many lines, too.
LINES = 16
FEW = 5  # times, after which those that stayed are looked through with them
NEVER = 1_000_000_000
SET_ASIDE = 20.0  # seconds between two times
QUIET = 30.0  # seconds without a command, after which nobody minds a pause
SELDOM = 600.0  # seconds between two full collections


class Collection:
    """Looks after the garbage of one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is changed until it begins."""
        self._clock = clock
        self.longest = 0.0  # seconds of the longest pause, by the clock
        self.most = 0.0  # seconds of the processor one took at most, however busy the machine
        self._began = (0.0, 0.0)
        self._lines = self._times = 0  # since the youngest were looked through, and how often they were
        self._asked, self._since = 0, clock()  # how much was asked for, and since when it is so
        self._aside = self._full = clock()
        self._thresholds: tuple[int, int, int] | None = None

    def begin(self) -> None:
        """From now on no full collection comes by itself."""
        self._thresholds = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, FEW, NEVER)
        gc.callbacks.append(self._time)

    def end(self) -> None:
        """Python collects by itself again, as before `begin`."""
        if self._thresholds is not None:
            gc.callbacks.remove(self._time)
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()
            self._thresholds = None

    def _time(self, phase: str, info: dict[str, int]) -> None:
        now = time.perf_counter(), time.thread_time()
        if phase == "start":
            self._began = now
        else:
            self.longest = max(self.longest, now[0] - self._began[0])
            self.most = max(self.most, now[1] - self._began[1])

    def line(self) -> None:
        """A table has a new line, and what was made for it is still young."""
        self._lines += 1
        if self._lines >= LINES and self._thresholds is not None:
            self._lines, self._times = 0, self._times + 1
            gc.collect(1 if self._times % FEW == 0 else 0)

    def tick(self, asked: int) -> None:
        """Set aside what has grown old; look through all of it when nothing more was asked for in a while."""
        if self._thresholds is None:
            return
        now = self._clock()
        if asked != self._asked:
            self._asked, self._since = asked, now
        if now - self._since >= QUIET and now - self._full >= SELDOM:
            longest, most = self.longest, self.most
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._full = self._aside = now
            self.longest, self.most = longest, most  # nobody waited for it
        elif now - self._aside >= SET_ASIDE:
            gc.collect(1)
            gc.freeze()
            self._aside = now

"""Waiting for what will come true, however busy the machine is.

How long somebody is patient never decides a test that passes: only how long one that fails goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

PATIENCE = 120.0  # seconds
Answer = TypeVar("Answer")


def until(
    true: Callable[[], Answer],
    why: str | Callable[[], str] = "it did not come true",
    pause: float = 0.05,
    patience: float = PATIENCE,
) -> Answer:
    """Wait for something that only asking again can tell; what it is, once it is anything."""
    deadline = monotonic() + patience
    while not (answer := true()):
        assert monotonic() < deadline, why if isinstance(why, str) else why()
        sleep(pause)
    return answer


class Watch:
    """Somebody who waits for a game to go on, and not for it to end: patience begins anew with each step."""

    def __init__(self) -> None:
        self._seen: object = None
        self._deadline = monotonic() + PATIENCE

    def looked_away(self) -> None:
        """Time in which nobody watched does not count."""
        self._deadline = monotonic() + PATIENCE

    def sees(self, now: object) -> None:
        """Fails when what is seen has long been the same."""
        if now != self._seen:
            self._seen, self._deadline = now, monotonic() + PATIENCE
        assert monotonic() < self._deadline, f"the game stands still: {now}"

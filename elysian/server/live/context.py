"""Surroundings: what a table needs of the server around it, and the connections to it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from elysian.deals import Seat
from elysian.server.live.audience import Truth
from elysian.server.store import Store
from elysian.server.table_state.clock import Hours

if TYPE_CHECKING:
    from elysian.server.live.table import Table


class Watcher(Protocol):
    """A connection to a table; what it is sent must not make the table wait."""

    person: str | None
    seat: Seat | None
    language: str

    def send(self, frame: bytes) -> None:
        """Put a frame on its way."""

    def close(self, code: int) -> None:
        """End the connection."""


class Surroundings(Struct, frozen=True):
    """What a table needs of the server around it."""

    store: Store
    chance: Random
    now: Callable[[], int]  # ms since 1970
    levels: tuple[str, ...]
    hours: Callable[[str], Hours | None]  # a person's playing hours
    changed: Callable[[Table, Truth], None]  # called after what was stored was told; the truth before it
    failed: Callable[[str, Exception], None]  # called when a table met a mistake of ours
    here: Callable[[Table], None] = lambda table: None  # called when somebody has come or gone

"""Context: what a table needs of the server it stands in, and of the connections to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from elysian.deals import Seat
from elysian.server.cluster.bus import Bus
from elysian.server.live.log_reader import LogPages
from elysian.server.store import Store
from elysian.server.table_state.clock import Hours
from elysian.server.table_state.fold import Damaged, TableState

if TYPE_CHECKING:
    from elysian.server.live.table import Table


class Watcher(Protocol):
    """A connection to a table; what it is sent must not make the table wait."""

    person: str | None
    seat: Seat | None
    language: str

    def send(self, frame: bytes) -> None:
        """Put a frame on its way."""

    async def taken(self) -> None:
        """Wait until what was sent has been taken; one who takes too long is sent away. Raises Refused."""

    def close(self, code: int) -> None:
        """End the connection."""

    def used(self, person: str, hashed: str) -> bool:
        """Whether it was opened by this person with the key of that digest."""


class Pool(Protocol):
    """Where long work is done while tables go on."""

    async def run(self, owner: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function comes to in a worker process; raises Refused when it takes too long or dies."""


class Spending(Protocol):
    """What each person may use up of something in a span of time."""

    def allows(self, who: str) -> bool:
        """Whether anything is left to them."""

    def spend(self, who: str, cost: float) -> None:
        """They have used up so much."""


class Context(Struct, frozen=True):
    """What a table needs of the server it stands in."""

    store: Store
    history: LogPages
    bus: Bus
    pool: Pool
    searches: Spending  # seconds that worker processes look for deals for a person
    chance: Random
    now: Callable[[], int]  # ms since 1970
    levels: tuple[str, ...]
    wait: int  # ms a hand-over decided by others waits at a live table
    versions: Mapping[str, str]  # of the levels
    hours: Callable[[str], Hours | None]  # a person's playing hours
    meet: Callable[[str], Awaitable[object]]  # awaited for everybody at a table, before it is used
    changed: Callable[
        [Table, TableState | None], None
    ]  # a table was loaded (None), or is no longer as it was
    dropped: Callable[[Table], None]  # a table leaves memory
    failed: Callable[[str, Exception], None]  # a table met a mistake of ours
    damaged: Callable[[str, Damaged], None]  # a table cannot be read, and is left alone
    decided: Callable[[str, float], None]  # a person's command took so many seconds of the processor

"""Hand-overs: a seat that others have given away changes hands when the time to refuse is over."""

from __future__ import annotations

from collections.abc import Callable

from elysian.server.live.commands import SystemCommand
from elysian.server.live.table import Table
from elysian.server.table_state.hand_over import due_hand_overs


class HandOvers:
    """Looks after the seats of one process that are about to change hands."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now

    def look(self, table: Table) -> None:
        """Hand over what is due; who is there is asked for again when it is decided."""
        if any(ask.due is not None and ask.due <= self._now() for ask in table.lobby.asks):
            table.put(
                SystemCommand(lambda lobby: due_hand_overs(lobby, table.watchers.present(), self._now()))
            )

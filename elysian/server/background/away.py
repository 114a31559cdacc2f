"""Cover: somebody who has been away as long as the table allows is covered, in the way the table chose."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import SystemRandom

from elysian.deals import Seat
from elysian.server.live.commands import BotMove, SystemCommand
from elysian.server.live.table import Table
from elysian.server.table_state.cover import cover_move
from elysian.server.table_state.decide import Circumstances, Events, cover
from elysian.server.table_state.state import Lobby

BEGUN = ("drafting", "playing")
CHANCE = SystemRandom()


class AbsenceWatch:
    """Notices who is away; only at live tables, where others wait for them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock  # seconds; not the wall clock, which may be set while people are away
        self._away: dict[tuple[str, Seat], float] = {}  # since when
        self._kept: dict[str, int] = {}  # the line up to which everything was done for those who are away

    def look(self, table: Table) -> None:
        """Cover every seat whose person has been away too long; forget those who are back."""
        self._keep_clocks(table)
        lobby, now = table.lobby, self._clock()
        minutes = lobby.options.cover
        present = table.watchers.present()
        for seat, chair in enumerate(lobby.chairs):
            key = table.game, seat
            away = bool(chair.person) and not chair.covered and seat not in present
            if not away or lobby.status not in BEGUN or lobby.paused or lobby.options.pace != "live":
                self._away.pop(key, None)
                continue
            since = self._away.setdefault(key, now)
            # A table nobody is at is left alone: it waits for its people.
            if minutes is not None and present and now - since >= minutes * 60:
                del self._away[key]
                table.put(
                    SystemCommand(_covering(seat, Circumstances(at=table.context.now(), chance=CHANCE)))
                )

    def _keep_clocks(self, table: Table) -> None:
        """Do what there is to do for those who are covered without a bot; once for every new line."""
        lobby, state = table.lobby, table.state
        if state is None or lobby.status != "playing" or lobby.paused:
            return
        if self._kept.get(table.game) == table.n:
            return
        self._kept[table.game] = table.n
        careful = lobby.options.cover_kind == "careful"
        for seat in range(len(lobby.chairs)):
            action = cover_move(state, seat, careful) if lobby.keeps_clock(seat) else None
            if action is not None:
                table.put(BotMove(seat=seat, action=action, n=table.n))

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        self._kept.pop(table.game, None)
        for key in [key for key in self._away if key[0] == table.game]:
            del self._away[key]


def _covering(seat: Seat, now: Circumstances) -> Callable[[Lobby], Events]:
    def events(lobby: Lobby) -> Events:
        return cover(lobby, seat, now) if seat in lobby.people() and lobby.status in BEGUN else ()

    return events

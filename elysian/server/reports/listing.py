"""Listing: what is listed of a table for those who are not at it."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from elysian.deals import Seat
from elysian.rules import waiting
from elysian.server.store import TableIndex
from elysian.server.table_state.clock import wake_at
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.state import Lobby
from elysian.state import State

RELISTED = 60_000  # ms after which a table is listed as touched again


class TableFace(Struct, frozen=True):
    """What is listed of a table."""

    title: str
    status: str
    edition: str
    pace: str
    players: tuple[str, ...]  # names, "bot" or empty
    watchers: bool
    turn: int | None  # None: the game has not begun
    waits_for: tuple[Seat, ...]
    handing: tuple[Seat, ...] = ()  # about to change hands
    open_to_bots: bool = False

    @property
    def free(self) -> tuple[Seat, ...]:
        """The seats nobody has taken yet."""
        return tuple(seat for seat, name in enumerate(self.players) if not name)


def face_of(current: TableState) -> TableFace:
    """What is listed of a table."""
    lobby, state = current.lobby, current.state
    return TableFace(
        title=lobby.options.title,
        status=lobby.status,
        edition=lobby.options.edition,
        pace=lobby.options.pace,
        players=tuple(chair.name or ("bot" if chair.bot else "") for chair in lobby.chairs),
        watchers=lobby.options.watchers,
        turn=None if state is None else state.turn,
        waits_for=_waits_for(lobby, state),
        handing=tuple(ask.seat for ask in lobby.asks if ask.due is not None),
        open_to_bots=lobby.options.open_to_bots,
    )


def read_face(raw: bytes) -> TableFace | None:
    """What is listed of a table, as it was stored; None where that is damaged: others are still listed."""
    try:
        return msgspec.json.decode(raw, type=TableFace)
    except (msgspec.MsgspecError, TypeError, ValueError):
        return None


def index_of(current: TableState, at: int, last: TableIndex | None, fires: bool) -> TableIndex | None:
    """What is listed of the table; None: the same as before. `fires`: an order waits to be carried out."""
    lobby = current.lobby
    touched = at if last is None or at - last.touched > RELISTED else last.touched
    face = msgspec.json.encode(face_of(current))
    options = lobby.options
    index = TableIndex(
        lobby.status, options.public, touched, wake_at(current, fires), face, options.group or None
    )
    return None if index == last else index


def _waits_for(lobby: Lobby, state: State | None) -> tuple[Seat, ...]:
    if lobby.status == "drafting":
        return lobby.order[:1]
    return waiting(state) if state is not None and lobby.status == "playing" else ()

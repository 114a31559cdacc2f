"""Results: what is counted while a game is played, and what is listed of a table."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.events import DealStruck, ObligationBroken, ObligationKept, PledgePaid
from elysian.rules import waiting
from elysian.server.store import Index, SeatResult
from elysian.server.table_state.clock import wake_at
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.state import Lobby
from elysian.state import State

RELISTED = 60_000  # ms after which a table is listed as touched again


class DealTally(Struct, frozen=True):
    """Deals struck and promises kept and broken, by seat."""

    deals: dict[Seat, int] = {}
    kept: dict[Seat, int] = {}
    broken: dict[Seat, int] = {}

    def counting(self, line: Line, before: State | None) -> DealTally:
        """The tally after a line; `before` is the game before it."""
        tally = self
        if before is None:
            return tally
        for event in line.events:
            if isinstance(event, DealStruck):
                tally = replace(tally, deals=_more(tally.deals, set(event.parties)))
            elif isinstance(event, ObligationKept) or (isinstance(event, PledgePaid) and event.left is None):
                tally = replace(tally, kept=_more(tally.kept, _debtors(before, event.obligation)))
            elif isinstance(event, ObligationBroken):
                tally = replace(tally, broken=_more(tally.broken, _debtors(before, event.obligation)))
        return tally


def _debtors(before: State, obligation: str) -> set[Seat]:
    owed = before.obligations.get(obligation)
    return set() if owed is None else {owed.debtor}


def _more(counts: dict[Seat, int], seats: set[Seat]) -> dict[Seat, int]:
    return {**counts, **{seat: counts.get(seat, 0) + 1 for seat in seats}}


def results_of(current: TableState, tally: DealTally, at: int) -> list[SeatResult]:
    """How every seat fared, once the game is over."""
    state = current.state
    assert state is not None
    return [
        SeatResult(
            seat=score.seat,
            person=current.lobby.chairs[score.seat].person,
            level=current.lobby.chairs[score.seat].bot,
            species=state.players[score.seat].species,
            players=len(state.players),
            edition=state.settings.edition,
            total=score.total,
            winner=score.winner,
            deals=tally.deals.get(score.seat, 0),
            kept=tally.kept.get(score.seat, 0),
            broken=tally.broken.get(score.seat, 0),
            ended=at,
        )
        for score in state.scores
    ]


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
    )


def index_of(current: TableState, at: int, last: Index | None) -> Index | None:
    """What is listed of the table; None: the same as before."""
    lobby = current.lobby
    touched = at if last is None or at - last.touched > RELISTED else last.touched
    face = msgspec.json.encode(face_of(current))
    index = Index(lobby.status, lobby.options.public, touched, wake_at(current), face)
    return None if index == last else index


def _waits_for(lobby: Lobby, state: State | None) -> tuple[Seat, ...]:
    if lobby.status == "drafting":
        return lobby.order[:1]
    return waiting(state) if state is not None and lobby.status == "playing" else ()

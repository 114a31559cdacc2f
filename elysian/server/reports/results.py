"""Results: what is counted while a game is played, and how every seat fared in the end."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.events import DealStruck, ObligationBroken, ObligationKept, PledgePaid
from elysian.rules import waiting
from elysian.server.store import SeatResult
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState
from elysian.state import State


class DealTally(Struct, frozen=True, gc=False):
    """Deals struck and promises kept and broken, by seat."""

    deals: dict[Seat, int] = {}
    kept: dict[Seat, int] = {}
    broken: dict[Seat, int] = {}
    waited: dict[Seat, int] = {}  # ms the table waited for them
    at: int = 0  # when the last line came

    def counting(self, line: Line, table: TableState) -> DealTally:
        """The tally after a line; `table` is as it was before it."""
        before = table.state
        if before is None:
            return self
        tally = replace(self, waited=self._waiting(line, table, before), at=line.at)
        for event in line.events:
            if isinstance(event, DealStruck):
                tally = replace(tally, deals=_more(tally.deals, set(event.parties)))
            elif isinstance(event, ObligationKept) or (isinstance(event, PledgePaid) and event.left is None):
                tally = replace(tally, kept=_more(tally.kept, _debtors(before, event.obligation)))
            elif isinstance(event, ObligationBroken):
                tally = replace(tally, broken=_more(tally.broken, _debtors(before, event.obligation)))
        return tally

    def _waiting(self, line: Line, table: TableState, before: State) -> dict[Seat, int]:
        """The time since the last line is that of all who could have gone on; a pause is nobody's."""
        if table.lobby.paused or table.lobby.status != "playing" or not self.at:
            return self.waited
        gone = max(0, line.at - self.at)
        waited = dict(self.waited)
        for seat in waiting(before) if gone else ():
            waited[seat] = waited.get(seat, 0) + gone
        return waited


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
            level=current.lobby.chairs[score.seat].bot or current.lobby.chairs[score.seat].program,
            species=state.players[score.seat].species,
            players=len(state.players),
            edition=state.settings.edition,
            total=score.total,
            winner=score.winner,
            deals=tally.deals.get(score.seat, 0),
            kept=tally.kept.get(score.seat, 0),
            broken=tally.broken.get(score.seat, 0),
            ended=at,
            counts=not current.lobby.continues,  # whoever could go back did not play as the others
            group=current.lobby.options.group or None,
            waited=tally.waited.get(score.seat, 0),
        )
        for score in state.scores
    ]

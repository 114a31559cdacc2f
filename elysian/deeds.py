"""Deeds: what a seat did, and the promises that were waiting for it."""

from elysian.deals import Deed, Obligation, Pledge, Seat, Undertake
from elysian.draft import Draft
from elysian.events import ObligationKept, ObligationMet
from elysian.state import State

PHASES = ("trade", "economy", "confluence", "over")


def is_late(state: State, owed: Obligation) -> bool:
    """Whether the time for an undertaking has passed; it is then settled, not done (TRADE-11)."""
    clause = owed.clause
    if not isinstance(clause, Undertake):
        return False
    return (clause.turn, PHASES.index(clause.by)) < (state.turn, PHASES.index(state.phase))


def deed_done(now: Draft, seat: Seat, verb: str, subject: str, ships: int = 0) -> None:
    """Promises that hang on this deed are kept, or become due without condition (TRADE-10)."""
    if not now.state.obligations:
        return
    for owed in tuple(now.state.obligations.values()):
        clause = owed.clause
        if isinstance(clause, Undertake) and _is(clause.deed, seat, verb, subject, ships):
            if not is_late(now.state, owed):
                now.emit(ObligationKept(obligation=owed.id))
        elif (
            isinstance(clause, Pledge)
            and not owed.met
            and clause.only_if is not None
            and _is(clause.only_if, seat, verb, subject, ships)
        ):
            now.emit(ObligationMet(obligation=owed.id))


def _is(deed: Deed, seat: Seat, verb: str, subject: str, ships: int) -> bool:
    return deed.who == seat and deed.verb == verb and deed.subject == subject and ships >= deed.least

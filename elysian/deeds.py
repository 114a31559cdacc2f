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
    for owed, deed in awaited(now.state, seat, verb):
        if deed.subject != subject or ships < deed.least:
            continue
        if isinstance(owed.clause, Pledge):
            now.emit(ObligationMet(obligation=owed.id))
        elif not is_late(now.state, owed):
            now.emit(ObligationKept(obligation=owed.id))


def awaited(state: State, seat: Seat, verb: str) -> list[tuple[Obligation, Deed]]:
    """The promises that hang on what a seat does with this verb, and the deed of each."""
    if not state.obligations:
        return []
    found = []
    for owed in state.obligations.values():
        deed = owed.clause.deed if isinstance(owed.clause, Undertake) else owed.awaits
        if deed is not None and deed.who == seat and deed.verb == verb:
            found.append((owed, deed))
    return found

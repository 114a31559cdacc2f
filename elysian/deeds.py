"""Deeds: what a seat did, and the promises that were waiting for it."""

from elysian.deals import Deed, Pledge, Seat, Undertake
from elysian.draft import Draft
from elysian.events import ObligationKept, ObligationMet


def deed_done(now: Draft, seat: Seat, verb: str, subject: str) -> None:
    """Promises that hang on this deed are kept, or become due without condition (TRADE-10)."""
    if not now.state.obligations:
        return
    for owed in tuple(now.state.obligations.values()):
        clause = owed.clause
        if isinstance(clause, Undertake) and _is(clause.deed, seat, verb, subject):
            now.emit(ObligationKept(obligation=owed.id))
        elif (
            isinstance(clause, Pledge)
            and not owed.met
            and clause.only_if is not None
            and _is(clause.only_if, seat, verb, subject)
        ):
            now.emit(ObligationMet(obligation=owed.id))


def _is(deed: Deed, seat: Seat, verb: str, subject: str) -> bool:
    return deed.who == seat and deed.verb == verb and deed.subject == subject

"""Appraisal: what a worker process works out for a question; it knows a view and nothing of the server."""

from __future__ import annotations

from elysian.deals import AnyClause, Deal, Seat
from elysian.view import View
from elysian.worth import SeatNeeds, after, best_plan, judge, needs_of


def worth_of(
    view: View, seats: tuple[Seat, ...], clauses: tuple[AnyClause, ...], settles: tuple[str, ...] = ()
) -> list[tuple[Seat, float | None]]:
    """What clauses are worth to each of these seats; None when nobody can hand over what they say."""
    deal = Deal(id="", proposer=seats[0], parties=(), clauses=clauses)
    others = [seat for seat in range(len(view.players)) if seat not in seats]
    # An offer to anyone is taken to be accepted by the first who could.
    named = (deal.taken_by(seat).clauses for seat in others or seats[:1])
    possible = next((one for one in named if after(view, one) is not None), None)
    return [
        (seat, None if possible is None else round(judge(view, seat, possible, settles=settles).gain, 2))
        for seat in seats
    ]


def needs_of_all(view: View, seats: tuple[Seat, ...]) -> list[SeatNeeds]:
    """What each of these seats needs and can spare."""
    return [needs_of(view, seat) for seat in seats]


__all__ = ["best_plan", "needs_of_all", "worth_of"]

"""Appraisal: what a worker process works out for a question; it knows a view and nothing of the server."""

from __future__ import annotations

import time

from elysian.deals import AnyClause, Deal, Seat
from elysian.players.suggestions import Suggester, rates_of
from elysian.players.trader.search import parties_to
from elysian.view import View
from elysian.worth import FoundDeal, SeatNeeds, after, best_plan, judge, needs_of

Levels = dict[Seat, str]  # the bots at a table; whoever is not in it is a person


def worth_of(
    view: View,
    seats: tuple[Seat, ...],
    levels: Levels,
    clauses: tuple[AnyClause, ...],
    settles: tuple[str, ...] = (),
) -> list[tuple[Seat, float | None]]:
    """What clauses are worth to each of these seats; None when nobody can hand over what they say.

    A bot is told of as it judges itself: what its level does not see counts for nothing.
    """
    deal = Deal(id="", proposer=seats[0], parties=(), clauses=clauses)
    others = [seat for seat in range(len(view.players)) if seat not in seats]
    # An offer to anyone is taken to be accepted by the first who could.
    named = (deal.taken_by(seat).clauses for seat in others or seats[:1])
    possible = next((one for one in named if after(view, one) is not None), None)
    return [
        (
            seat,
            None
            if possible is None
            else round(judge(view, seat, possible, rates_of(levels.get(seat)), settles).gain, 2),
        )
        for seat in seats
    ]


def needs_of_all(view: View, seats: tuple[Seat, ...], levels: Levels) -> list[SeatNeeds]:
    """What each of these seats needs and can spare, by the prices by which it answers offers."""
    return [needs_of(view, seat, rates_of(levels.get(seat))) for seat in seats]


def find_deals(view: View, seat: Seat, levels: Levels) -> tuple[tuple[FoundDeal, ...], float]:
    """The deals a seat could propose, and how many seconds of the processor the search took."""
    began = time.process_time()
    return Suggester(view, seat, levels).best(), time.process_time() - began


def even_out(
    view: View, seat: Seat, levels: Levels, clauses: tuple[AnyClause, ...]
) -> tuple[tuple[FoundDeal, ...], float]:
    """The offer a seat is putting together, cut evenly, if there is such a cut; and what that took."""
    began = time.process_time()
    found = Suggester(view, seat, levels).evened(clauses, parties_to(clauses))
    return () if found is None else (found,), time.process_time() - began


__all__ = ["best_plan", "even_out", "find_deals", "needs_of_all", "worth_of"]

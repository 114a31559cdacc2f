"""Appraisal: what a worker process works out for a question; it knows a view and nothing of the server."""

from __future__ import annotations

import time

from msgspec import Struct

from elysian.deals import AnyClause, Deal, Give, Seat, parties_to
from elysian.players.suggestions import Suggester, rates_of
from elysian.players.talking import Quote, quote
from elysian.view import View
from elysian.worth import FoundDeal, Meaning, SeatNeeds, after, best_steps, judge, meaning_of, needs_of

Levels = dict[Seat, str]  # the bots at a table; whoever is not in it is a person


def worth_of(
    view: View,
    seats: tuple[Seat, ...],
    levels: Levels,
    clauses: tuple[AnyClause, ...],
    settles: tuple[str, ...] = (),
) -> list[tuple[Seat, Meaning | None]]:
    """What clauses mean to each of these seats; None when nobody can hand over what they say.

    A bot is told of as it judges itself: what its level does not see counts for nothing.
    """
    deal = Deal(id="", proposer=seats[0], parties=(), clauses=clauses)
    others = [seat for seat in range(len(view.players)) if seat not in seats]
    # An offer to anyone is taken to be accepted by the first who could.
    named = (deal.taken_by(seat).clauses for seat in others or seats[:1])
    possible = next((one for one in named if after(view, one) is not None), None)
    if possible is None:
        return [(seat, None) for seat in seats]
    return [
        (seat, meaning_of(judge(view, seat, possible, rates_of(levels.get(seat)), settles))) for seat in seats
    ]


def needs_of_all(view: View, seats: tuple[Seat, ...], levels: Levels) -> list[SeatNeeds]:
    """What each of these seats needs and can spare, by the prices by which it answers offers."""
    return [needs_of(view, seat, rates_of(levels.get(seat))) for seat in seats]


class Found(Struct, frozen=True):
    """What a search found, what it means to the one it was made for, and the processor's seconds it took."""

    deals: tuple[FoundDeal, ...]
    meanings: tuple[Meaning, ...]
    seconds: float


def find_deals(view: View, seat: Seat, levels: Levels) -> Found:
    """The deals a seat could propose."""
    began = time.process_time()
    return _found(view, seat, Suggester(view, seat, levels).best(), began)


def _found(view: View, seat: Seat, deals: tuple[FoundDeal, ...], began: float) -> Found:
    meanings = tuple(meaning_of(judge(view, seat, deal.clauses)) for deal in deals)
    return Found(deals=deals, meanings=meanings, seconds=time.process_time() - began)


def even_out(view: View, seat: Seat, levels: Levels, clauses: tuple[AnyClause, ...]) -> Found:
    """The offer a seat is putting together, cut evenly, if there is such a cut."""
    began = time.process_time()
    found = Suggester(view, seat, levels).evened(clauses, parties_to(clauses))
    return _found(view, seat, () if found is None else (found,), began)


def still_good(view: View, seat: Seat, levels: Levels, found: Found) -> Found:
    """What of it can still be offered now that the game has gone on."""
    began = time.process_time()
    look = Suggester(view, seat, levels)
    deals = (look.judged(deal.clauses, deal.gains) for deal in found.deals)
    return _found(view, seat, tuple(deal for deal in deals if look.is_good(deal)), began)


def quoted(view: View, seat: Seat, levels: Levels, asked: Give) -> tuple[Quote, Meaning | None, float]:
    """What a bot wants for something, what that means to the one who asks, and the seconds it took."""
    began = time.process_time()
    said = quote(view, seat, levels, asked)
    meaning = None if said.price is None else meaning_of(judge(view, seat, said.price.clauses))
    return said, meaning, time.process_time() - began


__all__ = ["best_steps", "even_out", "find_deals", "needs_of_all", "quoted", "still_good", "worth_of"]

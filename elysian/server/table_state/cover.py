"""Cover: what is done for a person who is away, where the table has not asked for a whole bot.

*Clock*: the seat lets its time run out, so that nobody waits: the saved plan runs, what was promised is done,
nothing is accepted. *Careful*: besides, a swap of goods that is even or better is accepted; no cards, no
promises, and nothing that the plan or a debt needs.
"""

from __future__ import annotations

from elysian.actions import AcceptDeal, Action, TimeUp
from elysian.book_value import book
from elysian.deals import Deal, Give, Seat
from elysian.draft import IllegalAction
from elysian.rules import decide, waiting
from elysian.rules.economy import default_plan
from elysian.rules.promises import owed_now
from elysian.state import State


def cover_move(state: State, seat: Seat, careful: bool) -> Action | None:
    """What is done now for the person at a seat; None: nothing."""
    if careful:
        for deal in state.deals.values():
            if does_no_harm(state, seat, deal):
                return AcceptDeal(deal=deal.id)
    return TimeUp(seat=seat) if seat in waiting(state) else None


def does_no_harm(state: State, seat: Seat, deal: Deal) -> bool:
    """Whether accepting strikes a swap of goods that leaves the seat as much, its plan, and what it owes."""
    swaps = all(
        isinstance(clause, Give) and not clause.cards and not clause.donation for clause in deal.clauses
    )
    if not swaps or seat not in deal.parties:
        return False
    after = struck(state, seat, deal)
    if after is None:
        return False
    had, has = state.players[seat].stock, after.players[seat].stock
    return had != has and book(has) >= book(had) and default_plan(after, seat) == default_plan(state, seat)


def struck(state: State, seat: Seat, deal: Deal) -> State | None:
    """The game once a seat has accepted a deal; None: that is no deal yet, or takes what the seat owes."""
    if seat in deal.accepted or not deal.clauses:
        return None
    try:
        _, after = decide(state, seat, AcceptDeal(deal=deal.id))
    except IllegalAction:
        return None
    owed, cards = owed_now(state, seat)
    had, has = state.players[seat], after.players[seat]
    keeps_word = has.stock.common(owed).covers(had.stock.common(owed)) and all(
        card in has.cards for card in cards if card in had.cards
    )
    return after if keeps_word and deal.id not in after.deals else None

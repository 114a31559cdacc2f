"""Duties: when a deed that was undertaken can be done for the last time, and whose that is now (TRADE-10)."""

from __future__ import annotations

from functools import cache

from elysian.deals import Deed, Obligation, Seat, Undertake
from elysian.deck import CATALOG
from elysian.state import TURNS, State

ORDER = ("trade", "economy", "confluence")
PHASE_OF_ARROW = {"trade": "trade", "economy": "economy", "steal": "confluence"}


@cache
def occasions(verb: str, subject: str) -> frozenset[str]:
    """The phases in which a deed can be done at all."""
    if verb in ("buy", "bid"):
        return frozenset({"confluence"})
    if verb != "run":
        return frozenset({"trade"})
    card = CATALOG.cards[subject]
    faces = (card.front, card.back or card.front)
    phases = {PHASE_OF_ARROW[converter.when] for face in faces for converter in face.converters}
    if any(face.half for face in faces):
        phases.add("economy")  # a pair runs as one white converter (KIT-1)
    if card.entry is not None and card.entry.cost is not None:
        phases.add("trade")
    return frozenset(phases)


def last_chance(clause: Undertake) -> tuple[int, int]:
    """Turn and phase in which the deed can be done for the last time before its deadline."""
    by = ORDER.index(clause.by)
    last = TURNS - 1 if clause.deed.verb in ("buy", "bid") else TURNS  # no auction in the last turn (PHASE-3)
    return max(
        (min(last, clause.turn if phase <= by else clause.turn - 1), phase)
        for phase in map(ORDER.index, occasions(clause.deed.verb, clause.deed.subject))
    )


def moment(state: State) -> tuple[int, int]:
    """The turn and phase it is."""
    return state.turn, ORDER.index(state.phase)


def is_past(state: State, clause: Undertake) -> bool:
    """Whether the deed can no longer be done in time."""
    return last_chance(clause) < moment(state)


def duties(state: State, seat: Seat, *verbs: str) -> list[tuple[Obligation, Deed]]:
    """What a seat has undertaken and can do for the last time in this phase, oldest first."""
    if not state.obligations:
        return []
    here = moment(state)
    return [
        (owed, clause.deed)
        for owed in state.obligations.values()
        if isinstance(clause := owed.clause, Undertake)
        and clause.deed.who == seat
        and (not verbs or clause.deed.verb in verbs)
        and last_chance(clause) == here
    ]


def leads(card: str) -> str:
    """The half of a pair on which its converter is printed; any other card itself (KIT-1)."""
    printed = CATALOG.cards[card]
    return card if printed.mate is None or printed.leads else printed.mate


def bids_promised(state: State, seat: Seat) -> dict[str, int]:
    """The ships a seat must bid at least on each track; of two it cannot keep, the older (TRADE-10)."""
    ships = state.players[seat].stock.ship
    least = {"colony": 0, "research": 0}
    for _, deed in duties(state, seat, "bid"):
        more = {**least, deed.subject: max(least[deed.subject], deed.least)}
        if sum(more.values()) <= ships:
            least = more
    return least

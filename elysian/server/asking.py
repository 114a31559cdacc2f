"""Asking: what a seat can do now and what an offer means, in words; nothing changes by it."""

from __future__ import annotations

from elysian.deals import Seat
from elysian.messages import describe, explain, label
from elysian.options import options
from elysian.server.refusal import Refused
from elysian.server.table import Table
from elysian.server.wire import Ask, Choices, Terms
from elysian.view import view


def choices(table: Table, seat: Seat, ask: Ask, language: str) -> Choices:
    """What a seat can do now, each choice by name, and why it is not open."""
    state = table.state
    if state is None:
        return Choices(id=ask.id, n=table.n, options=None)
    found = options(state, seat, with_refused=ask.refused)
    species = state.settings.species
    return Choices(
        id=ask.id,
        n=table.n,
        options=found,
        told=tuple(label(c.action, species, language, state.obligations, c.gain) for c in found.choices),
        why=tuple(
            None if c.refused is None else explain(c.refused.code, c.refused.facts, species, language)
            for c in found.choices
        ),
    )


def terms(table: Table, seat: Seat, ask: Ask, language: str) -> Terms:
    """What each clause of an offer means; raises Refused."""
    state = table.state
    if state is None:
        raise Refused("no_game")
    clauses = ask.clauses
    if ask.deal is not None:
        deal = view(state, seat).deals.get(ask.deal)
        if deal is None:
            raise Refused("no_such_deal", status=404)
        clauses = deal.clauses
    try:
        told = tuple(describe(clause, state.settings.species, language) for clause in clauses)
    except (LookupError, ValueError, TypeError) as problem:
        raise Refused("bad_value", status=400, what=str(problem), where="clauses") from None
    return Terms(id=ask.id, told=told)

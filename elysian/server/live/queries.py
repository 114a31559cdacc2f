"""Asking: what a seat can do now, what an offer means, what a plan comes to; nothing changes by it."""

from __future__ import annotations

from elysian.deals import Seat
from elysian.messages import describe, explain, label
from elysian.options import options
from elysian.plan_preview import payments, planned
from elysian.rules.economy import default_plan
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Ask, Choices, Plan, Terms, VioletMove, Ways
from elysian.state import Run
from elysian.view import view
from elysian.worth import SeatPlan as Best


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
        told=tuple(
            label(c.action, species, language, state.obligations, c.gain, seat) for c in found.choices
        ),
        why=tuple(
            None if c.refused is None else explain(c.refused.code, c.refused.facts, species, language, seat)
            for c in found.choices
        ),
    )


def terms(table: Table, seat: Seat, ask: Ask, language: str) -> Terms:
    """What each clause of an offer means to the one who asks; raises Refused."""
    state = table.state
    if state is None:
        raise Refused("no_game")
    clauses = ask.clauses
    if ask.deal is not None:
        deal = view(state, seat).deals.get(ask.deal)
        if deal is None:
            raise Refused("no_such_deal", status=404)
        clauses = (deal if seat == deal.proposer else deal.taken_by(seat)).clauses
    try:
        told = tuple(describe(clause, state.settings.species, language, seat) for clause in clauses)
    except (LookupError, ValueError, TypeError) as problem:
        raise Refused("bad_value", status=400, what=str(problem), where="clauses") from None
    return Terms(id=ask.id, told=told)


def plan(table: Table, seat: Seat, ask: Ask, language: str, best: Best | None = None) -> Plan:
    """What white converters take and make: those asked for, those of the best plan, or what is free."""
    state = table.state
    if state is None:
        raise Refused("no_game")
    runs: tuple[Run, ...] | None = ask.runs if best is None else best.runs
    if runs is None:
        runs = default_plan(state, seat)
    if any(run.pay is not None and not run.pay.is_count() for run in runs):
        raise Refused("bad_value", status=400, what="pay", where="runs")
    moves = () if best is None else tuple(move for move in best.moves if isinstance(move, VioletMove))
    species = state.settings.species
    return Plan(
        id=ask.id,
        n=table.n,
        plan=planned(state, seat, runs),
        moves=moves,
        told=tuple(label(move, species, language, state.obligations) for move in moves),
    )


def prices(table: Table, seat: Seat, ask: Ask, language: str) -> Ways:
    """In which ways a violet converter can be paid."""
    if table.state is None:
        raise Refused("no_game")
    if ask.action is None:
        raise Refused("missing_field", status=400, what="action", where="")
    return Ways(id=ask.id, n=table.n, ways=payments(table.state, seat, ask.action))


ANSWERS = {"options": choices, "terms": terms, "plan": plan, "payments": prices}

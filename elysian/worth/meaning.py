"""Meaning: what a deal changes in the plan of a seat: what it does with the deal only, or without it only."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import CardId
from elysian.goods import NOTHING, Goods
from elysian.state import Run
from elysian.worth.plans import SeatPlan
from elysian.worth.valuation import Judgement

Verb = Literal["invent", "upgrade", "enter", "violet", "run"]
# In the order of their weight: what is named first matters most.
VERBS: tuple[tuple[Verb, type[Action | Run]], ...] = (
    ("invent", Invent),
    ("upgrade", UpgradeCard),
    ("enter", PutIntoPlay),
    ("violet", RunConverter),
    ("run", Run),
)


class PlanDeed(Struct, frozen=True):
    """Something a plan does with a card, and what it pays for it."""

    verb: Verb
    card: CardId
    pay: Goods = NOTHING


class Meaning(Struct, frozen=True):
    """What a deal means to a seat, by its own plan."""

    gain: float
    starts: tuple[PlanDeed, ...]  # done with the deal and not without
    stops: tuple[PlanDeed, ...]  # the other way round
    still: tuple[PlanDeed, ...]  # inventions and upgrades that are made in either case
    shared: tuple[str, ...] = ()  # technologies that come to it because another seat invents them


def meaning_of(judged: Judgement) -> Meaning:
    """What a deal that was judged changes."""
    return Meaning(
        gain=judged.gain,
        starts=only_in(judged.after, judged.before),
        stops=only_in(judged.before, judged.after),
        still=tuple(step for step in _both(judged) if step.verb in ("invent", "upgrade")),
        shared=judged.shared,
    )


def only_in(one: SeatPlan, other: SeatPlan) -> tuple[PlanDeed, ...]:
    """What is done in one plan and not at all in the other, the weightiest first."""
    done = {(step.verb, step.card) for step in steps_of(other)}
    return tuple(step for step in steps_of(one) if (step.verb, step.card) not in done)


def _both(judged: Judgement) -> tuple[PlanDeed, ...]:
    done = {(step.verb, step.card) for step in steps_of(judged.before)}
    return tuple(step for step in steps_of(judged.after) if (step.verb, step.card) in done)


def steps_of(plan: SeatPlan) -> tuple[PlanDeed, ...]:
    """What a plan does, by weight; a card that is put into play and then runs, or runs twice, is one step."""
    found: dict[CardId, PlanDeed] = {}
    for verb, form in VERBS:
        for move in (*plan.moves, *plan.runs):
            card = getattr(move, "card", "")
            if isinstance(move, form) and card not in found:
                found[card] = PlanDeed(verb=verb, card=card, pay=getattr(move, "pay", None) or NOTHING)
    return tuple(found.values())

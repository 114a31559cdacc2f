"""Needs: what a best plan leaves over, which converters stand idle, and what would set them going."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Invent
from elysian.catalog import Cost
from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.goods import KINDS, LARGE, NOTHING, SMALL, Goods
from elysian.view import View
from elysian.worth.plans import SeatPlan, hand_of, played, situation_of, solve
from elysian.worth.prices import Prices, prices
from elysian.worth.problem import FLOWS, Hand, Situation

MOST_SHORT = 4  # pieces; what lacks more is not asked for
TRIED = 4  # idle cards a seat would look for inputs for


class SeatNeeds(Struct, frozen=True):
    """How a seat stands in trading, by its best plan."""

    seat: Seat
    needs: Goods  # with these its plan would be better
    spare: Goods  # these its plan does not use
    idle: tuple[CardId, ...]  # cards with a white converter that its plan does not run


def needs_of(view: View, seat: Seat, rates: Prices | None = None) -> SeatNeeds:
    """What a seat needs and can spare as the table stands."""
    known = rates or prices()
    hand, situation = hand_of(view, seat), situation_of(view, seat, known)
    plan = solve(hand, situation, known)
    spare = left_over(hand, plan)
    idle = _idle(hand, plan)
    wanted = NOTHING
    for short in _shortages(hand, plan, idle, spare, situation):
        if _pays(hand, situation, known, plan, short):
            wanted = _either(wanted, short)
    return SeatNeeds(seat=seat, needs=wanted, spare=_without(spare, wanted), idle=idle)


def left_over(hand: Hand, plan: SeatPlan) -> Goods:
    """What is in stock when everything in the plan is paid."""
    paid, brought = played(plan)
    return _positive(hand.stock + replace(brought, point=0) - paid)


def _idle(hand: Hand, plan: SeatPlan) -> tuple[CardId, ...]:
    running = {run.card for run in plan.runs}
    return tuple(
        name
        for name, held in hand.cards.items()
        if name not in running
        and any(
            converter.when == "economy" and any(cost != Cost() for cost in converter.costs)
            for converter in CATALOG.cards[name].face(held.flipped).converters
        )
    )


def _shortages(
    hand: Hand, plan: SeatPlan, idle: tuple[CardId, ...], spare: Goods, now: Situation
) -> list[Goods]:
    """What each idle converter and each research team lacks, the nearest first."""
    invented = {move.card for move in plan.moves if isinstance(move, Invent)}
    ways: list[tuple[Cost, ...]] = []
    for name in idle:
        face = CATALOG.cards[name].face(hand.cards[name].flipped)
        ways += [converter.costs for converter in face.converters if converter.when == "economy"]
    for name in hand.cards:
        research = CATALOG.cards[name].research
        if research is not None and name not in invented and now.violet:
            ways.append(research.costs)
    found = [min((_short(cost, spare) for cost in costs), key=len) for costs in ways if costs]
    return sorted((short for short in found if 0 < len(short) <= MOST_SHORT), key=len)[:TRIED]


def _short(cost: Cost, spare: Goods) -> Goods:
    """What an input lacks; an open colour takes what there is most of."""
    lack = _positive(replace(cost.goods, point=0) - spare)
    left = _positive(spare - cost.goods)
    for kinds, any_n, same_n in (
        (SMALL, cost.any_small, cost.same_small),
        (LARGE, cost.any_large, cost.same_large),
    ):
        most = max(kinds, key=lambda kind: int(getattr(left, kind)))
        have = sum(getattr(left, kind) for kind in kinds) if any_n else getattr(left, most)
        lack = lack + Goods(**{most: max(0, any_n + same_n - have)})
    return lack


def _pays(hand: Hand, situation: Situation, rates: Prices, plan: SeatPlan, short: Goods) -> bool:
    """Whether the plan with these goods is better by more than keeping them would be worth."""
    richer = solve(replace(hand, stock=hand.stock + short), situation, rates)
    return richer.value - plan.value > rates.goods(short, situation.turn) + 0.05


def _without(spare: Goods, needs: Goods) -> Goods:
    """What can be offered: no tokens, and nothing of a kind that is looked for."""
    return Goods(**{kind: n for kind, n in spare.items() if kind in FLOWS and not getattr(needs, kind)})


def _positive(goods: Goods) -> Goods:
    return Goods(**{kind: max(0, getattr(goods, kind)) for kind in KINDS})


def _either(one: Goods, other: Goods) -> Goods:
    return Goods(**{kind: max(getattr(one, kind), getattr(other, kind)) for kind in KINDS})

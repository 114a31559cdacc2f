"""Plans: what a view says of a seat, the best it can do this turn, and how to carry it out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from itertools import pairwise
from threading import local

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import CardId, Seat, Undertake
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.rules.owing import goods_of, owed_by
from elysian.rules.violet import STEPS, invention_discount
from elysian.species import rules_of
from elysian.state import TURNS, Run
from elysian.view import SeatView, View
from elysian.worth.card_values import ships_worth
from elysian.worth.greedy import greedy_runs
from elysian.worth.milp import Programme, Solution, SolverLimits
from elysian.worth.parties import Party
from elysian.worth.prices import Prices, prices
from elysian.worth.problem import Chosen, Hand, Key, Situation, paid_for
from elysian.worth.seat_model import SeatModel

# A card that enters may be upgraded, a technology that is invented may be spent.
ORDER = (PutIntoPlay, RunConverter, Invent, UpgradeCard)
ALONE = SolverLimits(work=200, gap=0.0005)


class SeatPlan(Struct, frozen=True):
    """The best a seat can do by itself this turn."""

    value: float
    moves: tuple[Action, ...]  # violet converters, in an order that can be played
    runs: tuple[Run, ...]  # white converters
    dropped: tuple[CardId, ...] = ()  # colonies given up at the support check
    missing: int = 0  # promised goods that will not be there
    undone: int = 0  # deeds undertaken that it does not do
    exact: bool = True  # False: found by a quick search, perhaps not the best

    @property
    def invents(self) -> frozenset[str]:
        """The technologies it invents."""
        printed = [CATALOG.cards[move.card].research for move in self.moves if isinstance(move, Invent)]
        return frozenset(r.technology for r in printed if r is not None and r.technology is not None)


class PlanSteps(Struct, frozen=True):
    """A best plan as steps in order: each violet converter with what it adds, then all the white ones."""

    moves: tuple[Action, ...]
    gains: tuple[float, ...]  # what each move adds to those before it, with the best runs then
    runs: tuple[Run, ...]  # when all moves are made
    run_gain: float  # what running brings, without any move
    runs_now: tuple[Run, ...]  # the best if no further move is made: what may be ticked at once
    ahead: float | None  # what all of it brings beyond the plan it is compared with; None: with none


# ---------------------------------------------------------------- what a view says of a seat


def hand_of(view: View, seat: Seat) -> Hand:
    """What a seat has to work with; what it has promised is set aside."""
    area = view.players[seat]
    away = {
        name: held
        for other in view.players
        if other.seat != seat
        for name, held in other.cards.items()
        if held.owner == seat
    }
    owed = owed_by(seat, view.obligations.values(), view.turn, goods_of(area), view.choices)
    return Hand(
        seat=seat,
        species=area.species,
        stock=area.stock - area.stock.common(owed.now),
        cards=area.cards,
        deck=area.deck,
        support=float("inf") if area.support is None else float(area.support),
        away=away,
        owed=replace(owed.next, point=0) if view.turn < TURNS else NOTHING,
        bound=owed.cards,
        deeds=_deeds(view, seat),
        licences=_licences(area),
    )


def _deeds(view: View, seat: Seat) -> frozenset[tuple[str, str]]:
    """What a seat has undertaken to do by the end of this turn's Economy Phase."""
    return frozenset(
        (clause.deed.verb, clause.deed.subject)
        for promise in view.obligations.values()
        if isinstance(clause := promise.clause, Undertake)
        and clause.deed.who == seat
        and clause.turn == view.turn
        and clause.deed.verb not in ("buy", "bid")
    )


def _licences(area: SeatView) -> tuple[str, ...]:
    """The technologies a seat may license (YEN-5)."""
    rules = rules_of(area.species)
    printed = [CATALOG.cards[card].research for card in area.invented]
    technologies = [research.technology for research in printed if research is not None]
    return tuple(t for t in technologies if t is not None and rules.licenses(area, t))


def situation_of(view: View, seat: Seat, rates: Prices | None = None) -> Situation:
    """What of the table matters to a seat's plan."""
    which = 0 if rules_of(view.players[seat].species).shares else 1
    return Situation(
        turn=view.turn,
        violet=view.step in STEPS,
        produces=view.step in (*STEPS, "support", "plan"),
        # Only what the seat holds: what others run changes nothing for it, and its plan is remembered longer.
        ran=frozenset(run for run in view.ran if run[0] in view.players[seat].cards),
        bonus=float(view.bonus[view.turn - 1][which]),
        next_bonus=float(view.bonus[min(view.turn, TURNS - 1)][which]),
        relics=view.relics,
        discount=invention_discount(view.players, seat),
        bids=ships_worth(view, seat, rates or prices()) if view.step in (*STEPS, "support", "plan") else (),
    )


def party_of(view: View, seat: Seat, rates: Prices, credit: int = 6) -> Party:
    """A seat as it would come to a deal; others would take its word for `credit` goods."""
    hand, situation = hand_of(view, seat), situation_of(view, seat, rates)
    alone = solve(hand, situation, rates)
    return Party(
        hand=hand,
        situation=situation,
        donation=view.players[seat].donation,
        alone=alone.value,
        credit=max(0, credit - len(hand.owed)),
        invents=alone.invents,
        shares=rules_of(hand.species).shares,
        fears=fears(view, seat),
    )


def fears(view: View, seat: Seat) -> frozenset[Seat]:
    """Thieves from whom a trade would still protect a seat this turn (ZETH-3)."""
    if rules_of(view.players[seat].species).steals:
        return frozenset()
    return frozenset(
        other.seat
        for other in view.players
        if rules_of(other.species).steals and (other.seat, seat) not in view.traded
    )


# ---------------------------------------------------------------- plans

_SOLVED: OrderedDict[object, SeatPlan] = OrderedDict()
_REMEMBERED = 20_000
_MODELLED = 60  # a haggle judges a handful of seats with ever other goods


class _Models(local):
    """The programmes of one thread, the latest last: a programme is changed for every hand it plans for."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Key, SeatModel] = OrderedDict()


_models = _Models()


def best_plan(view: View, seat: Seat, rates: Prices | None = None) -> SeatPlan:
    """The best plan of a seat as the table stands."""
    known = rates or prices()
    return solve(hand_of(view, seat), situation_of(view, seat, known), known)


def best_steps(
    view: View, seat: Seat, rates: Prices | None = None, instead_of: Iterable[Run] | None = None
) -> PlanSteps:
    """The best plan of a seat, step by step; the gains of all steps add up to what the plan gains.

    A plan it is compared with makes no moves and runs what of it can be paid.
    """
    known = rates or prices()
    hand, situation = hand_of(view, seat), situation_of(view, seat, known)
    plan = solve(hand, situation, known)
    nothing = _solve(hand, situation, known, ALONE, violet=(), white=frozenset())
    alone = _solve(hand, situation, known, ALONE, violet=())
    worth = [alone.value]
    for n in range(1, len(plan.moves)):
        worth.append(_solve(hand, situation, known, ALONE, violet=plan.moves[:n]).value)
    if plan.moves:
        worth.append(plan.value)
    ahead = None
    if instead_of is not None:
        white = frozenset((run.card, run.converter) for run in instead_of)
        ahead = worth[-1] - _solve(hand, situation, known, ALONE, violet=(), white=white).value
    return PlanSteps(
        moves=plan.moves,
        gains=tuple(then - before for before, then in pairwise(worth)),
        runs=plan.runs,
        run_gain=alone.value - nothing.value,
        runs_now=alone.runs,
        ahead=ahead,
    )


def _names(move: Action | Run) -> tuple[object, ...]:
    """A move or run without how it is paid."""
    return type(move), *(getattr(move, name, None) for name in ("card", "converter", "way", "cost"))


def solve(hand: Hand, situation: Situation, rates: Prices, limits: SolverLimits | None = None) -> SeatPlan:
    """The best plan for a hand; solved once and remembered."""
    limits = limits or ALONE
    key = (hand.key, situation, rates, limits)
    known = _SOLVED.get(key)
    if known is None:
        known = _SOLVED[key] = _solve(hand, situation, rates, limits)
        if len(_SOLVED) > _REMEMBERED:
            _SOLVED.popitem(last=False)
    return known


def plan_with(view: View, seat: Seat, runs: Iterable[Run], rates: Prices | None = None) -> SeatPlan:
    """The best plan that runs no other white converters than these."""
    white = frozenset((run.card, run.converter) for run in runs)
    known = rates or prices()
    return _solve(hand_of(view, seat), situation_of(view, seat, known), known, ALONE, white=white)


def _solve(
    hand: Hand,
    situation: Situation,
    rates: Prices,
    limits: SolverLimits,
    violet: tuple[Action, ...] | None = None,
    white: frozenset[tuple[CardId, int]] | None = None,
) -> SeatPlan:
    """Solve; `violet` and `white` limit what is done with such converters to some of it."""
    part = _modelled(hand, situation, rates, shared=violet is None and white is None)
    programme = part.programme
    named = None if violet is None else {_names(move) for move in violet}
    for chosen in part.chosen:
        move = chosen.move
        allowed: bool
        if isinstance(move, Run):
            allowed = white is None or (move.card, move.converter) in white
        else:
            allowed = named is None or _names(move) in named
        if not allowed:
            programme.bind([(chosen.variable, 1.0)], most=0.0)
    solution = programme.solve(limits)
    if solution is None:
        greedy, profit = greedy_runs(hand, situation, rates) if white is None else ((), 0.0)
        kept = sum(rates.colony for _ in part.kept)
        return SeatPlan(value=part.constant + profit + kept, moves=(), runs=greedy, exact=False)
    moves, read = read_plan(part, solution)
    return SeatPlan(
        value=part.value(solution),
        moves=moves,
        runs=read,
        dropped=_dropped(part, solution),
        missing=part.missing(solution),
        undone=part.undone(solution),
        exact=solution.exact,
    )


def _modelled(hand: Hand, situation: Situation, rates: Prices, shared: bool) -> SeatModel:
    """The programme of a hand; one that nobody adds to is built once for all goods the seat may have."""
    bare = replace(hand, stock=NOTHING)
    key = Key(bare.key, situation, rates)
    kept = _models.kept
    part = kept.pop(key, None) if shared else None
    if part is None:
        part = SeatModel(Programme(), bare, situation, rates)
        for variable, times in part.worth:
            part.programme.worth[variable] += times
    if shared:
        kept[key] = part
        if len(kept) > _MODELLED:
            kept.popitem(last=False)
    part.hold(hand)
    part.programme.constant = part.constant
    return part


def _dropped(part: SeatModel, solution: Solution) -> tuple[CardId, ...]:
    consumed = {colony for c in part.chosen for slot, colony in c.slots if solution.count(slot)}
    return tuple(c for c, kept in part.kept.items() if not solution.count(kept) and c not in consumed)


def read_plan(part: SeatModel, solution: Solution) -> tuple[tuple[Action, ...], tuple[Run, ...]]:
    """The moves and runs of a solution, each with the payment the solution gives it."""
    wild = {colour: solution.count(variable) for colour, variable in part.wild.items()}
    spread = {kind: solution.count(variable) for kind, variable in part.spread.items()}
    moves: list[Action] = []
    runs: list[Run] = []
    for chosen in part.chosen:
        for _ in range(solution.count(chosen.variable)):
            pay = paid_for(chosen.cost, wild, spread)
            if isinstance(chosen.move, Run):
                # An interest converter paid in wild cubes alone must be told their colour (ENI-4).
                told = chosen.interest if chosen.interest and not getattr(pay, chosen.interest) else None
                runs.append(replace(chosen.move, pay=pay, colour=told))
            else:
                moves.append(_move(chosen, pay, solution))
    return _in_order(moves, part.hand.stock), tuple(runs)


def played(plan: SeatPlan) -> tuple[Goods, Goods]:
    """What a plan pays in all, and what its violet converters bring."""
    paid = brought = NOTHING
    for step in (*plan.moves, *plan.runs):
        paid = paid + (getattr(step, "pay", None) or NOTHING)
    for move in plan.moves:
        brought = brought + _brings(move)
    return paid, brought


def _in_order(moves: list[Action], stock: Goods) -> tuple[Action, ...]:
    """The moves so that each finds what those before it have brought (VIO-3)."""
    left = sorted(moves, key=lambda move: ORDER.index(type(move)))
    ordered: list[Action] = []
    while left:
        move = next((m for m in left if stock.covers(_takes(m)) and not _waits(m, left)), left[0])
        left.remove(move)
        ordered.append(move)
        stock = stock - stock.common(_takes(move)) + replace(_brings(move), point=0)
    return tuple(ordered)


def _waits(move: Action, left: list[Action]) -> bool:
    """Whether a card is upgraded, or spent for an upgrade, that has yet to be invented."""
    if not isinstance(move, UpgradeCard):
        return False
    card = CATALOG.cards[move.card]
    coming = {r.technology for m in left if isinstance(m, Invent) and (r := CATALOG.cards[m.card].research)}
    return bool(coming & {card.technology, card.upgrades[move.way].technology} - {None})


def _takes(move: Action) -> Goods:
    return getattr(move, "pay", None) or NOTHING


def _brings(move: Action) -> Goods:
    card = CATALOG.cards[move.card]  # type: ignore[attr-defined]
    if isinstance(move, UpgradeCard):
        return card.upgrades[move.way].gain
    if isinstance(move, PutIntoPlay) and card.entry is not None:
        return card.entry.gain
    if isinstance(move, RunConverter):
        converters = (*card.front.converters, *(card.back.converters if card.back else ()))
        return converters[move.converter].gain
    return NOTHING


def _move(chosen: Chosen, pay: Goods, solution: Solution) -> Action:
    colonies = tuple(colony for slot, colony in chosen.slots if solution.count(slot))
    move = chosen.move
    assert isinstance(move, Invent | UpgradeCard | PutIntoPlay | RunConverter)
    if isinstance(move, Invent):
        return replace(move, pay=pay)
    return replace(move, pay=pay if pay else None, colonies=colonies)

"""What a seat's goods and cards are worth to it: its best plan this turn, and what a change would mean.

Everything here is computed from a view, that is from open information, so it can be asked for any seat.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Cost
from elysian.deals import AnyClause, Give, Lend, License, Pledge, Seat
from elysian.deck import CATALOG
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.rules.violet import STEPS, invention_discount
from elysian.species import rules_of
from elysian.state import TURNS, Run
from elysian.view import View
from elysian.worth.hand import Chosen, Hand, Moment
from elysian.worth.joint import Found, Party, Wish, find_deal
from elysian.worth.prices import Prices, prices
from elysian.worth.programme import Limits, Programme, Solution
from elysian.worth.seat import SeatPart

ALONE = Limits(work=200, gap=0.0005)


class Plan(Struct, frozen=True):
    """The best a seat can do by itself this turn."""

    value: float
    moves: tuple[Action, ...]  # violet converters, in an order that can be played
    runs: tuple[Run, ...]  # white converters
    exact: bool = True  # False: found by a quick search, perhaps not the best


# ---------------------------------------------------------------- what a view says of a seat


def hand_of(view: View, seat: Seat) -> Hand:
    """What a seat has to work with."""
    area = view.players[seat]
    away = {
        name: held
        for other in view.players
        if other.seat != seat
        for name, held in other.cards.items()
        if held.owner == seat
    }
    return Hand(
        seat=seat,
        species=area.species,
        stock=area.stock,
        cards=area.cards,
        deck=area.deck,
        support=float("inf") if area.support is None else float(area.support),
        away=away,
        owed=_owed(view, seat),
    )


def _owed(view: View, seat: Seat) -> Goods:
    """Goods promised for the beginning of the next turn, or for the close of this one."""
    owed = NOTHING
    for promise in view.obligations.values():
        clause = promise.clause
        if not isinstance(clause, Pledge) or promise.debtor != seat or not isinstance(clause.what, Give):
            continue
        if clause.due <= view.turn + 1 and (clause.only_if is None or promise.met):
            owed = owed + clause.what.goods
    return owed


def moment_of(view: View, seat: Seat) -> Moment:
    """What of the table matters to a seat's plan."""
    which = 0 if rules_of(view.players[seat].species).shares else 1
    return Moment(
        turn=view.turn,
        violet=view.step in STEPS,
        ran=frozenset(view.ran),
        bonus=float(view.bonus[view.turn - 1][which]),
        next_bonus=float(view.bonus[min(view.turn, TURNS - 1)][which]),
        relics=view.relics,
        discount=invention_discount(view.players, seat),
    )


def party_of(view: View, seat: Seat, rates: Prices) -> Party:
    """A seat as it would come to a deal."""
    hand, moment = hand_of(view, seat), moment_of(view, seat)
    return Party(
        hand=hand,
        moment=moment,
        donation=view.players[seat].donation,
        alone=solve(hand, moment, rates).value,
    )


# ---------------------------------------------------------------- plans

_SOLVED: OrderedDict[object, Plan] = OrderedDict()
_REMEMBERED = 20_000


def best_plan(view: View, seat: Seat, rates: Prices | None = None) -> Plan:
    """The best plan of a seat as the table stands."""
    return solve(hand_of(view, seat), moment_of(view, seat), rates or prices())


def solve(hand: Hand, moment: Moment, rates: Prices) -> Plan:
    """The best plan for a hand; solved once and remembered."""
    key = (
        hand.seat,
        hand.stock,
        tuple(hand.cards.items()),
        hand.deck,
        hand.support,
        tuple(hand.away.items()),
        hand.owed,
        moment,
        rates,
    )
    known = _SOLVED.get(key)
    if known is None:
        known = _SOLVED[key] = _solve(hand, moment, rates)
        if len(_SOLVED) > _REMEMBERED:
            _SOLVED.popitem(last=False)
    return known


def _solve(hand: Hand, moment: Moment, rates: Prices) -> Plan:
    programme = Programme()
    part = SeatPart(programme, hand, moment, rates)
    for variable, times in part.worth:
        programme.worth[variable] += times
    programme.constant = part.constant
    solution = programme.solve(ALONE)
    if solution is None:
        # Doing nothing is always possible, so only a solver out of time ends here.
        return Plan(value=part.constant, moves=(), runs=(), exact=False)
    moves, runs = read_plan(part, solution)
    return Plan(value=part.value(solution), moves=moves, runs=runs, exact=solution.exact)


def read_plan(part: SeatPart, solution: Solution) -> tuple[tuple[Action, ...], tuple[Run, ...]]:
    """The moves and runs of a solution, each with the payment the solution gives it."""
    wild = {colour: solution.count(variable) for colour, variable in part.wild.items()}
    spread = {kind: solution.count(variable) for kind, variable in part.spread.items()}
    moves: list[Action] = []
    runs: list[Run] = []
    for chosen in part.chosen:
        for _ in range(solution.count(chosen.variable)):
            pay = _paid(chosen.cost, wild, spread)
            if isinstance(chosen.move, Run):
                runs.append(replace(chosen.move, pay=pay))
            else:
                moves.append(_move(chosen, pay, solution))
    order = (PutIntoPlay, RunConverter, Invent, UpgradeCard)
    moves.sort(key=lambda move: order.index(type(move)))
    return tuple(moves), tuple(runs)


def _move(chosen: Chosen, pay: Goods, solution: Solution) -> Action:
    colonies = tuple(colony for slot, colony in chosen.slots if solution.count(slot))
    move = chosen.move
    assert isinstance(move, Invent | UpgradeCard | PutIntoPlay | RunConverter)
    if isinstance(move, Invent):
        return replace(move, pay=pay)
    return replace(move, pay=pay if pay else None, colonies=colonies)


def _paid(cost: Cost, wild: dict[str, int], spread: dict[str, int]) -> Goods:
    """One activity's share of the wild cubes and of the cubes of any colour."""
    pay: dict[str, int] = {}
    for kind, n in cost.goods.items():
        stands_in = min(n, wild.get(kind, 0))
        if stands_in:
            wild[kind] -= stands_in
            name = "wild_small" if kind in SMALL else "wild_large"
            pay[name] = pay.get(name, 0) + stands_in
        if n > stands_in:
            pay[kind] = pay.get(kind, 0) + n - stands_in
    for anything, kinds in (
        (cost.any_small, (*SMALL, "wild_small")),
        (cost.any_large, (*LARGE, "wild_large")),
    ):
        for _ in range(anything):
            used = next((k for k in kinds if spread.get(k, 0)), None)
            if used is not None:
                spread[used] -= 1
                pay[used] = pay.get(used, 0) + 1
    return Goods(**pay)


# ---------------------------------------------------------------- changes


def after(view: View, clauses: Iterable[AnyClause]) -> View:
    """The table as it would look if the immediate clauses of a deal were carried out."""
    players = list(view.players)
    for clause in clauses:
        if isinstance(clause, Give):
            giver, to = players[clause.giver], players[clause.to]
            moved = {card: giver.cards[card] for card in clause.cards if card in giver.cards}
            got = clause.goods + clause.donation
            players[clause.giver] = replace(
                giver,
                stock=giver.stock - clause.goods,
                donation=giver.donation - clause.donation,
                cards={card: held for card, held in giver.cards.items() if card not in moved},
            )
            to = players[clause.to]
            players[clause.to] = replace(
                to, stock=to.stock + got - Goods(point=got.point), cards={**to.cards, **moved}
            )
        elif isinstance(clause, Lend):
            giver, to = players[clause.giver], players[clause.to]
            pair = (clause.card, CATALOG.cards[clause.card].mate or clause.card)
            lent = {half: giver.cards[half] for half in pair if half in giver.cards}
            players[clause.giver] = replace(
                giver, cards={card: held for card, held in giver.cards.items() if card not in lent}
            )
            players[clause.to] = replace(to, cards={**to.cards, **lent})
        elif isinstance(clause, License):
            to = players[clause.to]
            card = CATALOG.species_technology[to.species, clause.technology]
            held = type(next(iter(to.cards.values())))(owner=clause.to)
            players[clause.to] = replace(
                to, cards={**to.cards, card: held}, deck=tuple(c for c in to.deck if c != card)
            )
    return replace(view, players=tuple(players))


def worth(view: View, seat: Seat, clauses: Iterable[AnyClause], rates: Prices | None = None) -> float:
    """What a deal is worth to a seat: its best plan with it, less its best plan without."""
    clauses = tuple(clauses)
    rates = rates or prices()
    then = after(view, clauses)
    gain = best_plan(then, seat, rates).value - best_plan(view, seat, rates).value
    return gain + _beside(view, seat, clauses, rates)


def _beside(view: View, seat: Seat, clauses: tuple[AnyClause, ...], rates: Prices) -> float:
    """Donation goods, donation points and promises: what no plan of this turn shows."""
    total = 0.0
    for clause in clauses:
        if isinstance(clause, Give):
            if clause.giver == seat:
                total -= rates.donated * rates.goods(clause.donation, view.turn)
            if clause.to == seat:
                total += clause.donation.point
        elif isinstance(clause, Pledge) and isinstance(clause.what, Give):
            value = rates.goods(clause.what.goods, max(view.turn, clause.due - 1))
            if clause.what.giver == seat:
                total -= value
            if clause.what.to == seat:
                total += rates.trust * value
    return total


__all__ = [
    "Found",
    "Limits",
    "Plan",
    "Prices",
    "Wish",
    "after",
    "best_plan",
    "find_deal",
    "hand_of",
    "moment_of",
    "party_of",
    "prices",
    "worth",
]

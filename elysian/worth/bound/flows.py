"""The rest of the game as one programme: what the whole table could score if everything were shared.

All goods, colonies and research teams lie in one pool. The programme runs from the turn at hand to the
last; the turn at hand can be kept to whole numbers, later ones are always relaxed.

Each turn has for each kind of good what is needed, what comes at once (`now`) and what production brings
(`made`); `left` carries the balance to the next turn. Everything that is relaxed here can only add
points, so the optimum is a bound: nobody's goods are his own, tokens cost nothing, any card that could be
drawn by then can be bought.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from elysian.actions import Action
from elysian.catalog import Converter, Cost, Face
from elysian.deals import License, Seat
from elysian.goods import LARGE, SMALL, Goods
from elysian.rules.scoring import PRECISE
from elysian.state import TURNS, Run, State
from elysian.worth.milp import INFINITE, Programme, Solution, SolverLimits
from elysian.worth.problem import FLOWS, Terms, paid_for

Flow = dict[tuple[int, str], Terms]  # (turn, kind of good) -> how much


class BoundStep(Struct, frozen=True):
    """Something a seat would do in the turn at hand, once for every whole number of its variable."""

    variable: int
    seat: Seat  # of the card's owner; whoever holds a colony runs it
    cost: Cost
    move: Action | License | Run


class Flows:
    """Goods from turn to turn: what is there, what is taken, what comes at once and what comes next turn."""

    def __init__(self, state: State, whole: bool, once: bool = False) -> None:
        self.state = state
        self.first = state.turn
        self.turns = range(state.turn, TURNS + 1)
        self.whole = whole
        self.once = once
        self.programme = Programme()
        self.need: Flow = defaultdict(list)  # taken in the turn
        self.now: Flow = defaultdict(list)  # brought by violet converters: there to be taken in the same turn
        self.made: Flow = defaultdict(list)  # brought by white ones: there in the next turn
        self.anything: Flow = defaultdict(list)  # (turn, size) -> icons that take any colour
        self.wild: dict[str, int] = {}  # colour -> wild cubes that stand in for it, in the turn at hand
        self.spread: dict[str, int] = {}  # kind -> cubes for any-colour icons, in the turn at hand
        self.steps: list[BoundStep] = []
        self.points: Terms = []
        # After production only the auctions are left of a turn.
        self.trading = state.step not in ("bid", "colony_auction", "research_auction", "steal")
        self.acting = [turn for turn in self.turns if self.trading or turn > self.first]
        self.constant = float(sum(player.score for player in state.players))
        self.start = Goods()
        for player in state.players:
            self.start = self.start + player.stock + player.to_give_away

    # ------------------------------------------------------------ variables

    def variable(self, turn: int, most: float = INFINITE) -> int:
        """A quantity of a turn; in whole numbers if it is of the turn at hand, or happens once, as wanted."""
        whole = (self.whole and turn == self.first) or (self.once and most == 1.0)
        return self.programme.variable(most=most, whole=whole)

    def score(self, variable: int, points: float) -> None:
        """One of it scores so many points."""
        if points:
            self.points.append((variable, points))

    def take(self, turn: int, cost: Cost, variable: int) -> None:
        """It takes goods."""
        for kind, n in cost.goods.items():
            if kind == "point":
                self.score(variable, -n)
            else:
                self.need[turn, kind].append((variable, n))
        if cost.any_small:
            self.anything[turn, "small"].append((variable, cost.any_small))
        if cost.any_large:
            self.anything[turn, "large"].append((variable, cost.any_large))

    def bring(self, turn: int, goods: Goods, variable: int, flows: Flow) -> None:
        """It brings goods, at once or for the next turn; points score, tokens are left out."""
        for kind, n in goods.items():
            if kind == "point":
                self.score(variable, n)
            elif kind in FLOWS:
                flows[turn, kind].append((variable, n))

    def runs(self, turn: int, card: str, seat: Seat, face: Face, times: int, there: Terms) -> list[int]:
        """The white converters of a face, each run at most `times` for every one that is there."""
        ran: list[int] = []
        for n, converter in enumerate(face.converters):
            if converter.when == "economy":
                ran += self.run(turn, card, seat, n, converter, times, there)
        return ran

    def run(
        self, turn: int, card: str, seat: Seat, n: int, converter: Converter, times: int, there: Terms
    ) -> list[int]:
        """One white converter, with any of its inputs."""
        ways: list[int] = []
        for alternative, printed in enumerate(converter.costs):
            for cost, gain, colour in _readings(converter, printed):
                way = self.variable(turn)
                self.take(turn, cost, way)
                self.bring(turn, gain + converter.donate, way, self.made)
                move = Run(card=card, converter=n, cost=alternative, colour=colour)
                if turn == self.first:
                    self.steps.append(BoundStep(variable=way, seat=seat, cost=cost, move=move))
                ways.append(way)
        self.programme.bind([*((w, 1.0) for w in ways), *((v, -times * k) for v, k in there)], most=0.0)
        return ways

    # ------------------------------------------------------------ binding the turns together

    def bind_goods(self, ships: dict[int, Terms]) -> None:
        """What a turn leaves is what the next one begins with; at the end it scores (SCORE-1)."""
        there: dict[str, tuple[Terms, float]] = {
            kind: ([], float(getattr(self.start, kind))) for kind in FLOWS
        }
        for turn in self.turns:
            self._substitute(turn)
            for kind in FLOWS:
                terms, constant = there[kind]
                need, now = self.need[turn, kind], self.now[turn, kind]
                before = [(v, -n) for v, n in terms]
                # What is taken was left before or has come at once: production comes after (ECON-4).
                self.programme.bind([*need, *((v, -n) for v, n in now), *before], most=constant)
                left = self.programme.variable(whole=False)
                spent = ships.get(turn, []) if kind == "ship" else []
                change = [
                    *now,
                    *((v, -n) for v, n in need),
                    *self.made[turn, kind],
                    *((v, -n) for v, n in spent),
                ]
                # Things may be thrown away, so what is left is at most the balance.
                self.programme.bind([(left, 1.0), *before, *((v, -n) for v, n in change)], most=constant)
                there[kind] = ([(left, 1.0)], 0.0)
        octagon, large, small = self._at_the_end()
        for kind in FLOWS:
            each = octagon if kind == "ultratech" else large if kind in (*LARGE, "wild_large") else small
            for variable, n in there[kind][0]:
                self.score(variable, n * each)

    def _at_the_end(self) -> tuple[float, float, float]:
        settings = self.state.settings
        if settings.precise_scoring:
            octagon, large, small = PRECISE[settings.edition]
            return octagon / 12, large / 12, small / 12
        return 1 / 2, 1 / 4, 1 / 6  # pairs and triples are not rounded down

    def _substitute(self, turn: int) -> None:
        """Wild cubes stand for any colour of their size, and any cube for an any-colour icon (ECON-8)."""
        for size, colours, wild in (("small", SMALL, "wild_small"), ("large", LARGE, "wild_large")):
            icons = self.anything[turn, size]
            spread: Terms = []
            for colour in colours:
                stands_in = self.variable(turn)
                used = self.variable(turn) if icons else None
                need = self.need[turn, colour]
                # Wild cubes stand in for a need; they do not become cubes of a colour to be kept.
                self.programme.bind([*need, (stands_in, -1.0)], least=0.0)
                need.append((stands_in, -1.0))
                self.need[turn, wild].append((stands_in, 1.0))
                if used is not None:
                    need.append((used, 1.0))
                    spread.append((used, 1.0))
                if turn == self.first:
                    self.wild[colour] = stands_in
                    if used is not None:
                        self.spread[colour] = used
            if icons:
                used = self.variable(turn)
                self.need[turn, wild].append((used, 1.0))
                spread.append((used, 1.0))
                if turn == self.first:
                    self.spread[wild] = used
                self.programme.bind([*spread, *((v, -n) for v, n in icons)], least=0.0, most=0.0)

    def solve(self, limits: SolverLimits) -> Solution | None:
        """The most points; None when the search found nothing in time."""
        self.lay_down_points()
        return self.programme.solve(limits)

    def lay_down_points(self) -> None:
        """Everything has been added: what scores is told to the programme."""
        for variable, points in self.points:
            self.programme.worth[variable] += points
        self.points = []
        self.programme.constant = self.constant

    def payments(self, solution: Solution) -> list[tuple[BoundStep, Goods]]:
        """The steps of the turn at hand, each as often as it is taken, with what it is paid with."""
        wild = {colour: solution.count(variable) for colour, variable in self.wild.items()}
        spread = {kind: solution.count(variable) for kind, variable in self.spread.items()}
        return [
            (step, paid_for(step.cost, wild, spread))
            for step in self.steps
            for _ in range(solution.count(step.variable))
        ]


def _readings(converter: Converter, cost: Cost) -> Iterable[tuple[Cost, Goods, str | None]]:
    """What goes in and comes out; where all cubes must be of one colour, for each colour (ENI-3, ENI-4)."""
    if not converter.same:
        yield cost, converter.gain, None
        return
    taken = cost.same_small or cost.same_large
    colours, wild = (SMALL, "wild_small") if cost.same_small else (LARGE, "wild_large")
    for colour in colours:
        yield Cost(goods=Goods(**{colour: taken})), converter.gain + Goods(**{colour: converter.same}), None
        passed = min(taken, converter.same)
        mixed = Goods(**{wild: passed, colour: converter.same - passed})
        yield Cost(goods=Goods(**{wild: taken})), converter.gain + mixed, colour


__all__ = ["BoundStep", "Flow", "Flows"]

"""Activities: what a seat could do, as variables that take goods and colonies and bring goods and points.

An activity is a count: how often a converter runs, whether a card is upgraded or a team invented. Goods
it takes are noted under `need`, what it brings under `now` (violet: there at once, VIO-3) or `made`
(white: too late to pay with, ECON-4). `seat_model` closes the balance of each kind over these lists when
all activities are known.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from elysian.actions import Action
from elysian.catalog import Card, Converter, Cost, Face
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.state import TURNS, Run
from elysian.worth.milp import Programme
from elysian.worth.prices import Prices
from elysian.worth.problem import FLOWS, Chosen, Hand, Situation, Terms, Trades


class Later:
    """What cards bring after a turn: the same in every programme, and longer to work out than to look up."""

    def __init__(self, prices: Prices, turn: int) -> None:
        self._prices = prices
        self._turn = turn
        # By the id of the face, as hashing takes longer; the face is kept, so that no other gets its id.
        self._faces: dict[int, tuple[Face, float]] = {}
        self._teams: dict[tuple[str, str, float], float] = {}

    def face(self, face: Face) -> float:
        """What a card with this face makes until the end of the game."""
        known = self._faces.get(id(face))
        if known is None:
            known = self._faces[id(face)] = face, self._prices.later(face, self._turn)
        return known[1]

    def team(self, card: Card, species: str, bonus: float) -> float:
        """What a research team kept for the next turn is worth."""
        key = card.id, species, bonus
        known = self._teams.get(key)
        if known is None:
            known = self._teams[key] = self._prices.waiting_team(card, species, bonus, self._turn)
        return known


_later = lru_cache(maxsize=100)(Later)


@lru_cache(maxsize=5_000)
def _items(goods: Goods) -> tuple[tuple[str, int], ...]:
    """What is printed is looked at in every programme again."""
    return tuple(goods.items())


@lru_cache(maxsize=1_000)
def _interest_paid(cost: Cost, colour: str) -> Cost:
    """What an interest converter takes in one colour (ENI-3)."""
    return Cost(goods=Goods(**{colour: cost.same_small or cost.same_large}))


@lru_cache(maxsize=5_000)
def _violet_gains(name: str) -> tuple[tuple[str, int], ...]:
    """What the violet converters printed on a card bring, all of them together."""
    card = CATALOG.cards[name]
    faces = (card.front,) if card.back is None else (card.front, card.back)
    gains = [converter.gain for face in faces for converter in face.converters if converter.when == "trade"]
    gains += [upgrade.gain for upgrade in card.upgrades]
    gains += [card.entry.gain] if card.entry is not None else []
    return tuple(item for gain in gains for item in gain.items())


class Activities:
    """Variables of what a seat could do, and what each of them takes and brings."""

    def __init__(
        self,
        programme: Programme,
        hand: Hand,
        situation: Situation,
        prices: Prices,
        trades: Trades | None = None,
    ) -> None:
        self.trades = trades or Trades()
        self.programme = programme
        self.hand = hand
        self.situation = situation
        self.prices = prices
        self.need: dict[str, Terms] = defaultdict(list)  # colour -> what activities take
        self.now: dict[str, Terms] = defaultdict(list)  # what violet activities and trades bring
        self.made: dict[str, Terms] = defaultdict(list)  # what the Economy Phase brings
        self.anything: dict[str, Terms] = {"small": [], "large": []}  # size -> icons that take any colour
        self.worth: Terms = []  # everything that counts, for this seat alone
        self.constant = 0.0
        self.chosen: list[Chosen] = []
        self.fleets_needed: Terms = []  # cards that run -> fleets each needs, once however often it runs
        self.fleets: Terms = []  # fleets that come or go with loans and new cards
        self.fleets_there = 0  # fleets that are there whatever happens
        self.kept: dict[str, int] = {}  # colony -> variable: kept through the support check
        self.slots: dict[str, Terms] = defaultdict(list)  # colony -> activities that could consume it
        self.fuel: dict[str, Terms] = defaultdict(list)  # technology -> upgrades that spend its card
        self.spent: dict[str, int] = {}  # technology -> variable: its card is spent
        self.wild: dict[str, int] = {}  # colour -> wild cubes used for it
        self.spread: dict[str, int] = {}  # kind -> cubes used for any-colour icons
        self.pool = {name: held for name, held in hand.cards.items() if CATALOG.cards[name].is_colony}
        self.pool.update((name, held) for name, (held, _) in self.trades.colonies.items())
        self._value = {kind: prices.of(kind, situation.turn) for kind in (*FLOWS, "point")}
        self.later = _later(prices, situation.turn)
        self._reach = None if self.trades.within is None else self._all_there(self.trades.within)

    def _all_there(self, within: dict[str, int]) -> dict[str, int]:
        """What could be there of each kind to pay with, if the seat got everything."""
        reach = dict(within)
        for name in {**self.hand.cards, **self.trades.loans, **self.pool}.keys() | {*self.hand.deck}:
            for kind, n in _violet_gains(name):
                reach[kind] = reach.get(kind, 0) + n
        reach["any_small"] = reach["wild_small"] + sum(reach[kind] for kind in SMALL)
        reach["any_large"] = reach["wild_large"] + sum(reach[kind] for kind in LARGE)
        return reach

    def payable(self, cost: Cost) -> bool:
        """Whether an input set could be paid if the seat got everything: what could not be is left out."""
        reach = self._reach
        if reach is None:
            return True
        small = large = 0  # so many wild cubes must stand in
        for kind, n in _items(cost.goods):
            lack = n - reach.get(kind, n)
            if lack <= 0:
                continue
            if kind in SMALL:
                small += lack
            elif kind in LARGE:
                large += lack
            else:
                return False
        return (
            small <= reach["wild_small"]
            and large <= reach["wild_large"]
            and cost.any_small <= reach["any_small"]
            and cost.any_large <= reach["any_large"]
            and (not cost.colonies or self._colonies_fit(cost))
        )

    def _colonies_fit(self, cost: Cost) -> bool:
        """Whether there could be colonies enough of each climate."""
        lie = [CATALOG.cards[colony].face(held.flipped).climate for colony, held in self.pool.items()]
        return all(
            n <= (len(lie) if climate == "any" else lie.count(climate)) for climate, n in cost.colonies
        )

    def could_stand_in(self, wild: str) -> bool:
        """Whether there could be wild cubes of this size."""
        return self._reach is None or self._reach[wild] > 0

    # ------------------------------------------------------------ adding activities

    def _worth(self, variable: int, times: float) -> None:
        self.worth.append((variable, times))

    def take(self, cost: Cost, variable: int) -> None:
        """An activity takes an input set."""
        for kind, n in _items(cost.goods):
            if kind == "point":
                self._worth(variable, -n)
            else:
                self.need[kind].append((variable, n))
        if cost.any_small:
            self.anything["small"].append((variable, cost.any_small))
        if cost.any_large:
            self.anything["large"].append((variable, cost.any_large))

    def bring(self, goods: Goods, variable: int, flows: dict[str, Terms]) -> None:
        """An activity brings goods, now or in the Economy Phase."""
        for kind, n in _items(goods):
            if kind == "point":
                self._worth(variable, n)
            elif kind in self._value:
                flows[kind].append((variable, n))

    def _colonies(self, cost: Cost, variable: int, itself: str | None = None) -> tuple[tuple[int, str], ...]:
        """Each climate icon takes one colony of that climate; where there are too few it cannot be done.

        One variable for each pair of icon and colony, so that the answer says which colony is handed in.
        """
        slots: list[tuple[int, str]] = []
        for climate, n in cost.colonies:
            fitting: Terms = []
            for colony, held in self.pool.items():
                printed = CATALOG.cards[colony]
                if colony == itself or colony in self.hand.bound:
                    continue
                if climate in ("any", printed.face(held.flipped).climate):
                    slot = self.programme.choice()
                    fitting.append((slot, 1.0))
                    slots.append((slot, colony))
                    self.slots[colony].append((slot, 1.0))
            self.programme.bind([*fitting, (variable, -n)], least=0.0, most=0.0)
        return tuple(slots)

    def violet(self, cost: Cost, gain: Goods, move: Action, itself: str | None = None) -> int:
        """A violet activity: its output is there at once."""
        variable = self.programme.choice()
        self.take(cost, variable)
        self.bring(gain, variable, self.now)
        slots = self._colonies(cost, variable, itself)
        self.chosen.append(Chosen(variable=variable, cost=cost, move=move, slots=slots))
        return variable

    def runs(self, card: str, converters: tuple[Converter, ...], times: int, face: Face) -> list[int]:
        """The white converters of a face; the caller binds when they may run."""
        variables = []
        for n, converter in enumerate(converters):
            if converter.when != "economy":
                continue
            ways: list[int] = []
            for alternative, cost in enumerate(converter.costs):
                ways += self._run(card, n, alternative, converter, cost, times)
            # Alternative inputs are ways to run one converter: together no more often than it may run.
            if len(ways) > 1:
                self.programme.bind([(way, 1.0) for way in ways], most=times)
            variables += ways
        if face.fleets_needed and variables:
            if len(variables) == 1:
                self.fleets_needed.append((variables[0], face.fleets_needed))
            else:
                # Two converters of a card need its fleets once: `on` says whether the card is used at all.
                on = self.programme.choice()
                for variable in variables:
                    self.programme.bind([(variable, 1.0), (on, -times)], most=0.0)
                self.fleets_needed.append((on, face.fleets_needed))
        return variables

    def _run(
        self, card: str, n: int, alternative: int, converter: Converter, cost: Cost, times: int
    ) -> list[int]:
        if converter.same:
            # Interest is paid in one colour, which comes out again: a run for each colour (ENI-3).
            return [
                self._interest(card, n, converter, cost, colour)
                for colour in (SMALL if cost.same_small else LARGE)
                if self.payable(_interest_paid(cost, colour))
            ]
        if not self.payable(cost):
            return []
        variable = self.programme.variable(most=times if self.situation.produces else 0)
        self.take(cost, variable)
        self.bring(converter.gain, variable, self.made)
        self._donate(converter.donate, variable)
        self.chosen.append(
            Chosen(variable=variable, cost=cost, move=Run(card=card, converter=n, cost=alternative))
        )
        return [variable]

    def _interest(self, card: str, n: int, converter: Converter, cost: Cost, colour: str) -> int:
        variable = self.programme.variable(most=1.0 if self.situation.produces else 0.0)
        taken = _interest_paid(cost, colour)
        self.take(taken, variable)
        self.bring(converter.gain + Goods(**{colour: converter.same}), variable, self.made)
        run = Run(card=card, converter=n)
        self.chosen.append(Chosen(variable=variable, cost=taken, move=run, interest=colour))
        return variable

    def _donate(self, goods: Goods, variable: int) -> None:
        if self.situation.turn == TURNS:
            # In the last turn producers keep what would have been donated (END-2).
            self.bring(goods, variable, self.made)
        elif goods:
            kept = sum(n * self._value.get(kind, 0.0) for kind, n in _items(goods))
            self._worth(variable, self.prices.donated * kept)

"""Research teams over the turns: who invents what when, and whose cards come into play by it."""

from __future__ import annotations

from collections import defaultdict

from elysian.actions import Invent
from elysian.catalog import Card, Cost
from elysian.deals import License, Seat
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.species import rules_of
from elysian.state import State
from elysian.worth.bound.cards import Cards
from elysian.worth.problem import Terms


class Inventions(Cards):
    """Inventions; a team is invented once, by whichever seat it suits."""

    def __init__(self, state: State, whole: bool, once: bool = False) -> None:
        super().__init__(state, whole, once)
        self.inventor: dict[tuple[str, Seat], int] = {}  # (team, seat) -> variable, in the turn at hand
        self.bought: dict[tuple[int, str], Terms] = defaultdict(
            list
        )  # (turn, card) -> bought in its auctions
        self.discounts: list[tuple[int, int]] = []  # (turn, variable)
        self.licences: dict[tuple[Seat, str], Terms] = defaultdict(list)  # (licensee, technology)
        self.tokens = any(player.stock.acknowledgement for player in state.players)

    def add_research(self) -> None:
        """Every team held or to be had."""
        teams = {name for name in self.held if CATALOG.cards[name].research is not None}
        teams |= {card for _, card in self.bought if CATALOG.cards[card].research is not None}
        for name in sorted(teams):
            self._team(CATALOG.cards[name])
        self._shared_later()
        self._licensed_later()

    def _team(self, card: Card) -> None:
        assert card.research is not None
        ever: Terms = []
        owned: Terms = [(self.one, 1.0)] if card.id in self.held else []
        licensable: dict[Seat, Terms] = defaultdict(list)
        for turn in self.acting:
            # A team bought in an auction can be invented from the next turn on.
            owned = [*owned, *self.bought[turn - 1, card.id]]
            if not owned:
                continue
            sets: Terms = []
            for alternative, cost in enumerate(card.research.costs):
                variable = self.variable(turn, 1.0)
                # Whoever holds an acknowledgement gives it back, for a point of its maker's (FAD-8).
                gain = Goods(point=card.research.points + self.tokens)
                self.violet(turn, -1, cost, gain, variable, Invent(card=card.id, cost=alternative))
                self._discount(turn, cost, variable)
                sets.append((variable, 1.0))
            ever += sets
            # Invented only if owned by then, over all turns so far: a share of a team is invented once.
            self.programme.bind([*ever, *((v, -n) for v, n in owned)], most=0.0)
            self._inventors(turn, card, sets, licensable)
        self.programme.bind(ever, most=1.0)

    def _discount(self, turn: int, cost: Cost, variable: int) -> None:
        """A cube less where an acknowledgement is given back and a card in play says so (FAD-11)."""
        colour = next((c for c in (*SMALL, *LARGE) if getattr(cost.goods, c)), None)
        if colour is not None and any(CATALOG.cards[c].cheaper for c in (*self.held, *self.state.relics)):
            less = self.variable(turn, 1.0)
            self.programme.bind([(less, 1.0), (variable, -1.0)], most=0.0)
            self.now[turn, colour].append((less, 1.0))
            self.discounts.append((turn, less))

    def bind_discounts(self) -> None:
        """No discount without the card that grants it."""
        for turn, less in self.discounts:
            self.programme.bind([(less, 1.0), *((v, -n) for v, n in self.cheaper[turn])], most=0.0)

    def _inventors(self, turn: int, card: Card, sets: Terms, licensable: dict[Seat, Terms]) -> None:
        """The inventor has the bonus and its own card at once; the others' cards come later (SHARE-1)."""
        assert card.research is not None
        technology = card.research.technology
        by: dict[Seat, int] = {}
        for seat, player in enumerate(self.state.players):
            by[seat] = self.variable(turn, 1.0)
            if turn == self.first:
                self.inventor[card.id, seat] = by[seat]
            self.score(by[seat], self.state.bonus[turn - 1][0 if rules_of(player.species).shares else 1])
        # Who invents is open: teams move freely, so it is whoever gains most by it.
        every = [(variable, 1.0) for variable in by.values()]
        self.programme.bind([*every, *((v, -n) for v, n in sets)], least=0.0, most=0.0)
        if technology is None:
            return
        for seat in self._without(technology):
            self.entering[seat, technology, turn].append((by[seat], 1.0))
            self.shared[seat, technology, turn] += [
                (by[other], 1.0)
                for other, player in enumerate(self.state.players)
                if other != seat and rules_of(player.species).shares
            ]
        for maker, player in enumerate(self.state.players):
            if not rules_of(player.species).shares:
                licensable[maker].append((by[maker], 1.0))
                for seat in self._without(technology):
                    if seat != maker:
                        self._licence(turn, technology, maker, seat, licensable[maker])

    def _licence(self, turn: int, technology: str, maker: Seat, seat: Seat, there: Terms) -> None:
        """Leave to put one's own card into play, given for nothing (YEN-5)."""
        leave = self.variable(turn, 1.0)
        self.programme.bind([(leave, 1.0), *((v, -n) for v, n in there)], most=0.0)
        self.entering[seat, technology, turn].append((leave, 1.0))
        ever = self.licences[seat, technology]
        ever.append((leave, 1.0))
        self.programme.bind(ever, most=1.0)
        self.step(turn, seat, Cost(), leave, License(giver=maker, to=seat, technology=technology))

    def _without(self, technology: str) -> list[Seat]:
        """The seats whose card of a technology is still out of play."""
        return [
            seat
            for seat, player in enumerate(self.state.players)
            if CATALOG.species_technology[player.species, technology] in player.deck
        ]

    def _shared_later(self) -> None:
        """What was invented earlier in this turn is shared, and its bonus paid, when the turn ends."""
        if not self.trading:
            return
        for made in self.state.invented:
            shares = rules_of(self.state.players[made.seat].species).shares
            if self.state.settings.edition != "de2021":
                self.constant += self.state.bonus[self.first - 1][0 if shares else 1]
            research = CATALOG.cards[made.card].research
            if shares and research is not None and research.technology is not None:
                for seat in self._without(research.technology):
                    self.shared[seat, research.technology, self.first].append((self.one, 1.0))

    def _licensed_later(self) -> None:
        """What was invented before and not shared can be licensed in any turn."""
        for maker, inventor in enumerate(self.state.players):
            if rules_of(inventor.species).shares:
                continue
            for team in inventor.invented:
                research = CATALOG.cards[team].research
                if research is None or research.technology is None:
                    continue
                for seat in self._without(research.technology):
                    for turn in self.acting:
                        if seat != maker:
                            self._licence(turn, research.technology, maker, seat, [(self.one, 1.0)])


__all__ = ["Inventions"]

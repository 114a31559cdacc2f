"""Species cards over the turns: out of play, in play, upgraded, spent; and what they do meanwhile."""

from __future__ import annotations

from collections import defaultdict

from elysian.actions import Action, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Card, Converter, Cost, pair_converter
from elysian.deals import License, Seat
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.state import Held, State
from elysian.worth.bound.flows import BoundStep, Flows
from elysian.worth.problem import Terms

CardPlace = tuple[Seat, str, int]  # a seat, a technology, a turn


class Cards(Flows):
    """Activities of cards that belong to a seat."""

    def __init__(self, state: State, whole: bool, once: bool = False) -> None:
        super().__init__(state, whole, once)
        self.held = {
            card: (seat, held)
            for seat, player in enumerate(state.players)
            for card, held in player.cards.items()
        }
        self.wanted: dict[tuple[int, str], Terms] = defaultdict(list)  # (turn, climate) -> colonies taken
        self.entering: dict[CardPlace, Terms] = defaultdict(list)  # a technology's card comes into play now
        self.shared: dict[CardPlace, Terms] = defaultdict(list)  # or when the turn ends
        self.fuel: dict[CardPlace, Terms] = defaultdict(list)  # upgrades that spend the card
        self.spent: dict[CardPlace, int] = {}
        self.fleets: dict[tuple[int, str], Terms] = defaultdict(list)  # (turn, "there" or "needed")
        self.draws: dict[int, Terms] = defaultdict(list)  # relic worlds drawn
        self.cheaper: dict[int, Terms] = defaultdict(list)  # cards that make inventions cheaper
        self.support: dict[int, Terms] = defaultdict(list)  # colony support that cards add
        # A variable that is always 1: what lies in play from the start is a term like any other.
        self.one = self.programme.variable(least=1.0, most=1.0, whole=False)

    def add_cards(self, seat: Seat) -> None:
        """All cards of a seat, in play or not, but for colonies and research teams."""
        for name, (holder, held) in self.held.items():
            card = CATALOG.cards[name]
            if (holder if held.owner is None else held.owner) != seat:
                continue
            if card.is_colony or card.research is not None:
                continue
            if card.mate is None:
                self._card(seat, card, held)
            elif card.leads:
                self._pair(seat, card, CATALOG.cards[card.mate])
        for name in self.state.players[seat].deck:
            if not CATALOG.cards[name].is_colony:
                self._card(seat, CATALOG.cards[name], None)
        self._bind_fuel(seat)

    def _card(self, seat: Seat, card: Card, held: Held | None) -> None:
        # `front` and `back` say how much of the card lies which way up in the turn: sums of what brought it
        # there, less what took it away. In the relaxation a card may lie half this way, half that.
        front: Terms = [(self.one, 1.0)] if held is not None and not held.flipped else []
        back: Terms = [(self.one, 1.0)] if held is not None and held.flipped else []
        ever: Terms = []  # ways it was put into play so far: once in a game
        for turn in self.acting:
            if held is None:
                front = [*front, *self._entries(seat, card, turn, ever)]
            away: Terms = []
            if front and card.back is not None:
                ways = self._upgrades(seat, card, turn)
                away, back = [*away, *ways], [*back, *ways]
            if front and card.technology is not None:
                spent = self.spent[seat, card.technology, turn] = self.variable(turn, 1.0)
                away.append((spent, 1.0))
            if away:
                front = self.total([*front, *((v, -n) for v, n in away)])
            self.in_play(seat, card, turn, front, back)
            if card.technology is not None and held is None:
                front = [*front, *self.shared[seat, card.technology, turn]]

    def _entries(self, seat: Seat, card: Card, turn: int, ever: Terms) -> Terms:
        """How it comes into play in a Trade Phase: invented, licensed, or by a converter of its own."""
        if card.technology is not None:
            return self.entering[seat, card.technology, turn]
        if card.entry is None or card.entry.cost is None:
            return []
        put = self.variable(turn, 1.0)
        self.violet(turn, seat, card.entry.cost, card.entry.gain, put, PutIntoPlay(card=card.id))
        ever.append((put, 1.0))
        self.programme.bind(ever, most=1.0)
        return [(put, 1.0)]

    def _upgrades(self, seat: Seat, card: Card, turn: int) -> Terms:
        """The printed ways to turn it over (UPG-1)."""
        ways: Terms = []
        for way, upgrade in enumerate(card.upgrades):
            variable = self.variable(turn, 1.0)
            move = UpgradeCard(card=card.id, way=way)
            if upgrade.cost is not None:
                self.violet(turn, seat, upgrade.cost, upgrade.gain, variable, move)
            else:
                self.bring(turn, upgrade.gain, variable, self.now)
                self.fuel[seat, upgrade.technology or "", turn].append((variable, 1.0))
                self.step(turn, seat, Cost(), variable, move)
            ways.append((variable, 1.0))
        return ways

    def _bind_fuel(self, seat: Seat) -> None:
        """A card of a technology is spent for one upgrade (UPG-2)."""
        for (owner, technology, turn), upgrades in self.fuel.items():
            if owner == seat:
                spent = self.spent.get((seat, technology, turn))
                less = [] if spent is None else [(spent, -1.0)]
                self.programme.bind([*upgrades, *less], most=0.0)

    def in_play(self, seat: Seat, card: Card, turn: int, front: Terms, back: Terms) -> None:
        """What both sides do in a turn, each as far as it lies up."""
        for face, there in ((card.front, front), (card.back, back)):
            if face is None or not there:
                continue
            ran = self.runs(turn, card.id, seat, face, 1, there)
            if face.fleets_needed and ran:
                # The card is supported as much as its busiest converter runs.
                on = self.programme.variable(whole=False)
                for variable in ran:
                    self.programme.bind([(variable, 1.0), (on, -1.0)], most=0.0)
                self.fleets[turn, "needed"].append((on, face.fleets_needed))
            self.fleets[turn, "there"] += [(v, n * face.fleets) for v, n in there if face.fleets]
            self.support[turn] += [(v, n * face.support) for v, n in there if face.support]
            for n, converter in enumerate(face.converters):
                if converter.when == "trade":
                    self._violet_converter(turn, seat, card, n, converter, there)
        both = [*front, *back]
        if card.cheaper:
            self.cheaper[turn] += both
        if card.when_traded and both:
            # Somebody could trade it every turn: that it would have to be worth a deal is relaxed (FAD-13).
            traded = self.variable(turn, 1.0)
            self.programme.bind([(traded, 1.0), *((v, -n) for v, n in both)], most=0.0)
            self.bring(turn, card.when_traded + card.owner_when_traded, traded, self.now)

    def _violet_converter(
        self, turn: int, seat: Seat, card: Card, n: int, converter: Converter, there: Terms
    ) -> None:
        if turn == self.first and (card.id, n) in self.state.ran:
            return
        ways: Terms = []
        for alternative, cost in enumerate(converter.costs):
            variable = self.variable(turn, 1.0)
            move = RunConverter(card=card.id, converter=n, cost=alternative)
            self.violet(turn, seat, cost, converter.gain, variable, move)
            ways.append((variable, 1.0))
            if converter.draws is not None:
                self.draws[turn].append((variable, 1.0))
        self.programme.bind([*ways, *((v, -k) for v, k in there)], most=0.0)

    def _pair(self, seat: Seat, lead: Card, mate: Card) -> None:
        """Two halves upgraded one by one, run as one converter (KIT-1)."""
        flipped = {half.id: self.held[half.id][1].flipped for half in (lead, mate)}
        both = pair_converter(lead.face(flipped[lead.id]), mate.face(flipped[mate.id]))
        turned: dict[str, Terms] = {half.id: [] for half in (lead, mate)}
        for turn in self.acting:
            # The run pays for both halves as they lie; `more` is what a flipped half adds to it.
            (run,) = self.run(turn, lead.id, seat, 0, both, 1, [(self.one, 1.0)])
            for half in (lead, mate):
                if flipped[half.id] or half.back is None or not (half.back.half and half.front.half):
                    continue
                turned[half.id] += self._upgrades(seat, half, turn)
                self.programme.bind(turned[half.id], most=1.0)
                more = self.variable(turn, 1.0)
                new, old = half.back.half, half.front.half
                self.bring(turn, new.gain - old.gain + new.donate - old.donate, more, self.made)
                self.programme.bind([(more, 1.0), (run, -1.0)], most=0.0)
                self.programme.bind([(more, 1.0), *((v, -n) for v, n in turned[half.id])], most=0.0)

    # ------------------------------------------------------------ activities of the Trade Phase

    def violet(
        self, turn: int, seat: Seat, cost: Cost, gain: Goods, variable: int, move: Action | License
    ) -> None:
        """An activity of the Trade Phase; its output is there at once."""
        self.take(turn, cost, variable)
        self.bring(turn, gain, variable, self.now)
        for climate, n in cost.colonies:
            self.wanted[turn, climate].append((variable, n))
        self.step(turn, seat, cost, variable, move)

    def step(self, turn: int, seat: Seat, cost: Cost, variable: int, move: Action | License) -> None:
        """Remember what a variable of the turn at hand means."""
        if turn == self.first:
            self.steps.append(BoundStep(variable=variable, seat=seat, cost=cost, move=move))

    def total(self, terms: Terms) -> Terms:
        """A variable between 0 and 1 for a sum, so that sums do not grow from turn to turn."""
        total = self.programme.variable(most=1.0, whole=False)
        self.programme.bind([(total, 1.0), *((v, -n) for v, n in terms)], least=0.0, most=0.0)
        return [(total, 1.0)]


__all__ = ["Cards"]

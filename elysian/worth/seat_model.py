"""One seat's part of a programme: everything it could do with its goods and cards this turn.

The worth of a plan is what the seat has when the turn ends: points, goods at their price, cards at what
they will make. What stands whatever the plan does is added to `constant`; a variable carries only what it
changes. So the worth of two plans can be compared although no variable says "the card is still there".

Rows that begin with a run or an upgrade and end with a variable that must be at least as large say "only
if": a card runs only if it is there, a back only if it was flipped, a team is invented only if it is
held.
"""

from __future__ import annotations

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Card, Converter, Cost, Face, Upgrade, pair_converter
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.payment import cheaper
from elysian.state import TURNS, Held, Run
from elysian.worth.activities import Activities
from elysian.worth.milp import Programme, Solution
from elysian.worth.prices import Prices
from elysian.worth.problem import FLOWS, Chosen, Hand, Situation, Terms, Trades

# Far above what a broken word costs (TRADE-10, TRADE-11): it is kept wherever it can be. With the printed
# penalties a plan would buy itself free whenever that paid, and nobody would believe it again.
BROKEN = 4.0  # a good that is missing
UNDONE = 8.0  # a deed


class SeatModel(Activities):
    """Variables and rows of one seat; the programme is solved by whoever put it together."""

    def __init__(
        self,
        programme: Programme,
        hand: Hand,
        situation: Situation,
        prices: Prices,
        trades: Trades | None = None,
    ) -> None:
        super().__init__(programme, hand, situation, prices, trades)
        self.short: list[int] = []
        self.done: list[int] = []  # deeds undertaken: variable: it is done
        self.invented: dict[str, list[int]] = {}  # technology -> the ways to invent it
        self._balances: dict[str, tuple[int, int | None]] = {}  # kind -> its row, that of what is promised
        self._biddable: int | None = None  # the row of ships that are left for the auctions
        self._spendable = self._technologies()
        self._bare = 0.0  # the constant before goods and deeds
        self._build()

    # ------------------------------------------------------------ the seat's cards

    def _build(self) -> None:
        # The order is that of the variables, and with it of the solver's search: it is part of "same seed,
        # same game". Rows that close over all activities come last.
        for name, held in self.hand.away.items():
            # A card that others hold this turn comes home: its later turns count for its owner (TRADE-6).
            self.constant += self._standing(CATALOG.cards[name].face(held.flipped))
        for name, held in self.pool.items():
            self._colony(name, CATALOG.cards[name], held)
        self._own_cards()
        self._borrowed()
        self._licensed()
        if self.situation.violet:
            self._research()
            self._entries()
        self._bind_fuel()
        self._bind_colonies()
        self._bind_fleets()
        self._balance()
        self._keep_word()

    def _own_cards(self) -> None:
        for name, held in self.hand.cards.items():
            card = CATALOG.cards[name]
            if card.research is not None:
                if name not in self.trades.teams:
                    self.constant += self._team_kept(card)
            elif card.is_colony:
                continue
            elif card.mate is not None:
                if card.leads:
                    self._pair(card)
            else:
                self._card(name, card, held)

    def _borrowed(self) -> None:
        """Cards that a deal would lend to the seat run here, and their fleets support here, only if lent."""
        for name, (held, lent) in self.trades.loans.items():
            face = CATALOG.cards[name].face(held.flipped)
            if face.fleets:
                self.fleets.append((lent, face.fleets))
            for run in self.runs(name, face.converters, 1, face):
                self.programme.bind([(run, 1.0), (lent, -1.0)], most=0.0)

    def _licensed(self) -> None:
        """A licence in the deal brings the seat's own card into play, to run this turn already (YEN-5)."""
        for technology, licensed in self.trades.licences.items():
            own = CATALOG.cards[CATALOG.species_technology[self.hand.species, technology]]
            self._worth(licensed, self._later(own.front))
            self._card(own.id, own, Held(owner=self.hand.seat), [(licensed, 1.0)])

    def _bind_fleets(self) -> None:
        """Cards that run need no more fleets than are there, borrowed and lent ones counted (IMD-2)."""
        if self.fleets_needed:
            self.programme.bind(
                [*self.fleets_needed, *((v, -n) for v, n in self.fleets)], most=self.fleets_there
            )

    def _keep_word(self) -> None:
        """A deed undertaken for this turn and not done costs points (TRADE-10)."""
        for verb, subject in sorted(self.hand.deeds):  # a set has another order in every process
            done = [
                (chosen.variable, 1.0) for chosen in self.chosen if (verb, subject) in deeds_of(chosen.move)
            ]
            # The price is in the constant and comes back with `kept`, which no activity can force to 1 when
            # nothing does the deed: so a plan exists also where the word cannot be kept.
            kept = self.programme.choice()
            self.done.append(kept)
            self._worth(kept, UNDONE)
            self.constant -= UNDONE
            self.programme.bind([(kept, 1.0), *((v, -n) for v, n in done)], most=0.0)

    def _team_kept(self, card: Card) -> float:
        return self.later.team(card, self.hand.species, self.situation.next_bonus)

    def _later(self, face: Face, times: int = 1) -> float:
        return times * self.later.face(face)

    def _standing(self, face: Face) -> float:
        """What an own card brings in later turns, wherever it lies today."""
        return self._later(face) + face.fleets * self.prices.fleet * (TURNS - self.situation.turn)

    def _card(self, name: str, card: Card, held: Held, presence: Terms | None = None) -> None:
        """A card in play, or one that an activity of this turn brings into play (`presence`)."""
        mine = held.owner == self.hand.seat
        # What the card can do is at most `there` plus the sum of `presence`: 1 when it lies in play, else as
        # much as the activity that brings it.
        there = 1.0 if presence is None else 0.0
        face = card.face(held.flipped)
        self.fleets_there += face.fleets if presence is None else 0
        if presence is None and mine:
            self.constant += self._standing(face)
        lent = self.trades.lent.get(name, [])
        if face.fleets:
            self.fleets += [(variable, -face.fleets) for variable, _ in lent]
        away: Terms = []  # upgraded or spent
        if mine and self.situation.violet and not held.flipped:
            away = self._upgrades(name, card, presence is not None)
            # What is promised, to be lent next turn for instance, is not spent.
            if card.technology is not None and name not in self.hand.bound:
                spent = self.programme.choice()
                self.spent[card.technology] = spent
                # Its later turns are in the constant, or in the worth of what brought it: spent, they are
                # lost.
                self._worth(spent, -self._later(face))
                away.append((spent, 1.0))
        if away:
            # A card that is lent is not at home to be upgraded or spent.
            self.programme.bind([*away, *lent, *((v, -n) for v, n in presence or ())], most=there)
        if not (card.lent_only and mine):
            # The front runs only if it is neither flipped nor spent nor lent: all happens before production.
            for variable in self.runs(name, face.converters, 1, face):
                self.programme.bind(
                    [(variable, 1.0), *away, *lent, *((v, -n) for v, n in presence or ())], most=there
                )
        for n, converter in enumerate(face.converters):
            if converter.when == "trade" and self.situation.violet and presence is None:
                self._violet_converter(name, n, converter, mine)

    def _upgrades(self, name: str, card: Card, new: bool) -> Terms:
        """The printed ways to flip a card; its back may run in the same turn (UPG-5)."""
        if card.back is None or not card.upgrades:
            return []
        ways: Terms = []
        better = self._later(card.back) - self._later(card.front)  # the front's is counted already
        for way, upgrade in enumerate(card.upgrades):
            if not self._affordable(upgrade):
                continue
            move = UpgradeCard(card=name, way=way)
            if upgrade.cost is not None:
                variable = self.violet(upgrade.cost, upgrade.gain, move, name)
            else:
                variable = self.programme.choice()
                self.bring(upgrade.gain, variable, self.now)
                self.fuel[upgrade.technology or ""].append((variable, 1.0))
                self.chosen.append(Chosen(variable=variable, cost=Cost(), move=move))
            self._worth(variable, better)
            ways.append((variable, 1.0))
        if ways and not card.lent_only:
            for variable in self.runs(name, card.back.converters, 1, card.back):
                self.programme.bind([(variable, 1.0), *((v, -1.0) for v, _ in ways)], most=0.0)
        return ways

    def _affordable(self, upgrade: Upgrade) -> bool:
        """Whether a way to upgrade could be paid if the seat got everything."""
        if upgrade.cost is not None:
            return self.payable(upgrade.cost)
        return self.trades.within is None or (upgrade.technology or "") in self._spendable

    def _technologies(self) -> set[str]:
        """What the seat could spend for an upgrade: what it has in play, or could invent or license."""
        names = (*self.hand.cards, *self.trades.teams)
        cards = [CATALOG.cards[name] for name in names]
        known = {card.technology for card in cards} | {c.research.technology for c in cards if c.research}
        return {technology for technology in (*known, *self.trades.licences) if technology is not None}

    def _violet_converter(self, name: str, n: int, converter: Converter, mine: bool) -> None:
        if (name, n) in self.situation.ran:
            return
        if converter.draws is not None and (not mine or not self.situation.relics):
            return
        for alternative, cost in enumerate(converter.costs):
            if not self.payable(cost):
                continue
            move = RunConverter(card=name, converter=n, cost=alternative)
            variable = self.violet(cost, converter.gain, move)
            if converter.draws is not None:
                # Nobody knows which relic world comes; it counts by the mean for the turns it will be there.
                self._worth(variable, self.prices.relic * (TURNS + 1 - self.situation.turn))

    def _pair(self, card: Card) -> None:
        """Two halves, upgraded one by one, run as one converter (KIT-1, KIT-2)."""
        mate = CATALOG.cards[card.mate or ""]
        held, other = self.hand.cards[card.id], self.hand.cards[mate.id]
        faces = card.face(held.flipped), mate.face(other.flipped)
        both = pair_converter(*faces)
        runs = self.runs(card.id, (both,), 1, faces[0])
        mine = held.owner == self.hand.seat
        if mine:
            self.constant += self.prices.later_runs((both,), self.situation.turn)
        if not mine or not self.situation.violet:
            return
        for half, lies in ((card, held), (mate, other)):
            if lies.flipped or half.back is None or half.back.half is None or half.front.half is None:
                continue
            gain = half.back.half.gain - half.front.half.gain
            donate = half.back.half.donate - half.front.half.donate
            more = Converter(gain=gain, donate=donate)
            ways: Terms = []
            for way, upgrade in enumerate(half.upgrades):
                variable = self.programme.choice()
                self.fuel[upgrade.technology or ""].append((variable, 1.0))
                self._worth(variable, self.prices.later_runs((more,), self.situation.turn))
                self.chosen.append(
                    Chosen(variable=variable, cost=Cost(), move=UpgradeCard(card=half.id, way=way))
                )
                ways.append((variable, 1.0))
            self.programme.bind(ways, most=1.0)
            # The run pays for both halves as they lie; `extra` is what the flipped half adds to it, and so
            # needs both the run and the flip.
            for run in runs:
                extra = self.programme.choice()
                self.bring(gain, extra, self.made)
                self._donate(donate, extra)
                self.programme.bind([(extra, 1.0), (run, -1.0)], most=0.0)
                self.programme.bind([(extra, 1.0), *((v, -1.0) for v, _ in ways)], most=0.0)

    def _colony(self, name: str, card: Card, held: Held) -> None:
        """A colony is kept, consumed or given up; kept, it runs, and may be terraformed first."""
        times = 2 if held.seedling else 1
        face = card.face(held.flipped)
        # Unlike other cards a colony may not be there at the end: nothing of it is in the constant, and
        # everything it brings hangs on `kept`.
        kept = self.programme.choice()
        self.kept[name] = kept
        left = TURNS - self.situation.turn
        self._worth(kept, self._later(face, times) + (self.prices.colony if left else 0.0))
        terraformed: Terms = []
        if self.situation.violet and not held.flipped and card.back is not None:
            for way, upgrade in enumerate(card.upgrades):
                if upgrade.cost is None or not self.payable(upgrade.cost):
                    continue
                variable = self.violet(upgrade.cost, upgrade.gain, UpgradeCard(card=name, way=way), name)
                self._worth(variable, self._later(card.back, times) - self._later(face, times))
                self.programme.bind([(variable, 1.0), (kept, -1.0)], most=0.0)
                terraformed.append((variable, 1.0))
            for run in self.runs(name, card.back.converters, times, card.back) if terraformed else ():
                self.programme.bind([(run, 1.0), *((v, -times) for v, _ in terraformed)], most=0.0)
        # The front runs if the colony is kept and was not turned over.
        for run in self.runs(name, face.converters, times, face):
            terms = [(run, 1.0), (kept, -times), *((v, times) for v, _ in terraformed)]
            self.programme.bind(terms, most=0.0)

    def _research(self) -> None:
        """Every research team held can be invented with one of its sets (INV-1)."""
        for name in self.hand.cards:
            card = CATALOG.cards[name]
            if card.research is not None and name not in (*self.trades.teams, *self.hand.bound):
                sets = self.inventions(card)
                if sets:
                    self.programme.bind([(variable, 1.0) for variable in sets], most=1.0)
        # Teams that a deal may move count, kept or invented, only for the seat where they end.
        for name, here in self.trades.teams.items():
            card = CATALOG.cards[name]
            self._worth(here, self._team_kept(card))
            sets = self.inventions(card)
            if sets:
                self.programme.bind([*((variable, 1.0) for variable in sets), (here, -1.0)], most=0.0)

    def inventions(self, card: Card) -> list[int]:
        """The ways to invent a team, each with the points, the bonus and the seat's own card."""
        assert card.research is not None
        kept = self._team_kept(card)
        sets = []
        for alternative, printed in enumerate(card.research.costs):
            cost = cheaper(printed, self.situation.discount) if self.situation.discount else printed
            if not self.payable(cost):
                continue
            variable = self.violet(
                cost, Goods(point=card.research.points), Invent(card=card.id, cost=alternative)
            )
            # An invented team is no longer kept for the next turn.
            self._worth(variable, self.situation.bonus - kept)
            sets.append(variable)
        if not sets:
            return []
        technology = card.research.technology
        if technology is not None:
            self.invented[technology] = sets
        own = CATALOG.species_technology.get((self.hand.species, technology or ""))
        if own is not None and own in self.hand.deck:
            printed_own = CATALOG.cards[own]
            presence = [(variable, 1.0) for variable in sets]
            for variable in sets:
                self._worth(variable, self._later(printed_own.front))
            self._card(own, printed_own, Held(owner=self.hand.seat), presence)
        return sets

    def _entries(self) -> None:
        """Cards of the own deck that a converter puts into play; they run at once (VIO-4)."""
        for name in self.hand.deck:
            card = CATALOG.cards[name]
            if card.entry is None or card.entry.cost is None or not self.payable(card.entry.cost):
                continue
            variable = self.violet(card.entry.cost, card.entry.gain, PutIntoPlay(card=name))
            left = TURNS - self.situation.turn
            later = self._standing(card.front)
            if card.is_colony and left:
                later += self.prices.colony
            self._worth(variable, later)
            if card.front.fleets:
                self.fleets.append((variable, card.front.fleets))
            for run in self.runs(name, card.front.converters, 1, card.front):
                self.programme.bind([(run, 1.0), (variable, -1.0)], most=0.0)

    # ------------------------------------------------------------ binding it together

    def _bind_fuel(self) -> None:
        """A card is spent for one upgrade only, and only if the seat has it at home (UPG-2)."""
        for technology, upgrades in self.fuel.items():
            spent = self.spent.get(technology)
            if spent is None:
                self.programme.bind(upgrades, most=0.0)
            else:
                self.programme.bind([*upgrades, (spent, -1.0)], most=0.0)

    def _bind_colonies(self) -> None:
        """A colony is kept or handed in, once, where it lies; no more are kept than supported (ECON-1)."""
        for colony, kept in self.kept.items():
            terms = [(kept, 1.0), *self.slots[colony]]
            if colony in self.trades.colonies:
                self.programme.bind([*terms, (self.trades.colonies[colony][1], -1.0)], most=0.0)
            else:
                self.programme.bind(terms, most=1.0)
        if self.kept and self.hand.support < len(self.kept):
            self.programme.bind([(kept, 1.0) for kept in self.kept.values()], most=self.hand.support)

    def _balance(self) -> None:
        """Inputs come from stock, trades and violet outputs; wild cubes stand in; the rest is kept."""
        self._bare = self.constant
        # For each colour: `wild[colour]` wild cubes stand in for it (so less of it is needed),
        # `spread[colour]` cubes of it serve any-colour icons (so more of it is needed).
        for size, colours, wild in (("small", SMALL, "wild_small"), ("large", LARGE, "wild_large")):
            wilds: Terms = []
            spread: Terms = []
            for colour in colours:
                if self.could_stand_in(wild):
                    standing = self.programme.variable()
                    self.wild[colour] = standing
                    wilds.append((standing, 1.0))
                    self.need[colour].append((standing, -1.0))
                    # No more wild cubes than there is need for: they must not turn into cubes that are kept.
                    self.programme.bind([*self.need[colour]], least=0.0)
                if self.anything[size]:
                    used = self.programme.variable()
                    self.spread[colour] = used
                    spread.append((used, 1.0))
                    self.need[colour].append((used, 1.0))
            if self.anything[size]:
                used = self.programme.variable()
                self.spread[wild] = used
                spread.append((used, 1.0))
                wilds.append((used, 1.0))
                self.programme.bind(
                    [*spread, *((v, -n) for v, n in self.anything[size])], least=0.0, most=0.0
                )
            self.need[wild] += wilds
        for kind, variable in self.trades.goods.items():
            self.now[kind].append((variable, 1.0))
        for kind in FLOWS:
            self._keep(kind)
        if self.situation.bids:
            self._keep_ships()

    def _keep_ships(self) -> None:
        """The first ships that are left for the auctions are worth more than the others."""
        tiers = []
        for more in self.situation.bids:
            tier = self.programme.variable(most=1.0, whole=False)
            self._worth(tier, more)
            tiers.append((tier, 1.0))
        spent = [*self.need["ship"], *((v, -n) for v, n in (*self.now["ship"], *self.made["ship"]))]
        if "ship" in self.trades.promised:
            spent.append((self.trades.promised["ship"], 1.0))
        self._biddable = self.programme.bind([*tiers, *spent], most=float(self.hand.stock.ship))

    def _keep(self, kind: str) -> None:
        """What is needed of a kind is there in time; what is left at the end of the turn has its price."""
        there = getattr(self.hand.stock, kind)
        value = self._value[kind]
        self.constant += there * value
        # White converters all pay before any of them makes (ECON-4): `made` is not there to be paid with.
        row = self.programme.bind(
            [*self.need[kind], *((v, -n) for v, n in self.now[kind])], most=float(there)
        )
        self._balances[kind] = row, None
        self.worth += [(variable, -n * value) for variable, n in self.need[kind]]
        self.worth += [(variable, n * value) for variable, n in (*self.now[kind], *self.made[kind])]
        owed = getattr(self.hand.owed, kind)
        promised = self.trades.promised.get(kind)
        if not owed and promised is None:
            return
        # Promised goods leave when the next turn begins; one that is missing costs points and good name.
        left = [*((v, -n) for v, n in self.need[kind]), *self.now[kind], *self.made[kind]]
        if owed:
            # What is owed is not the seat's to keep; what is missing of it is worth nothing and costs BROKEN.
            missing = self.programme.variable(most=owed)
            self.short.append(missing)
            self._worth(missing, value - BROKEN)
            self.constant -= owed * value
            left.append((missing, 1.0))
        if promised is not None:
            left.append((promised, -1.0))
        self._balances[kind] = row, self.programme.bind(left, least=float(owed - there))

    def hold(self, hand: Hand) -> None:
        """Plan for a hand that differs from the modelled one in its goods only.

        Only bounds of rows and the constant change. The constant is added up in the order of `_build`: else
        the last digit of a worth would depend on which hand was modelled first.
        """
        self.hand = hand
        self.constant = self._bare
        for kind, (row, promised) in self._balances.items():
            there, owed = getattr(hand.stock, kind), getattr(hand.owed, kind)
            self.constant += there * self._value[kind]
            self.programme.row_most[row] = float(there)
            if owed:
                self.constant -= owed * self._value[kind]
            if promised is not None:
                self.programme.row_least[promised] = float(owed - there)
        if self._biddable is not None:
            self.programme.row_most[self._biddable] = float(hand.stock.ship)
        for _ in self.done:
            self.constant -= UNDONE

    # ------------------------------------------------------------ reading the answer

    def value(self, solution: Solution) -> float:
        """What the plan is worth to the seat."""
        return self.constant + sum(solution[variable] * times for variable, times in self.worth)

    def undone(self, solution: Solution) -> int:
        """How many deeds undertaken the plan leaves undone."""
        return len(self.done) - sum(solution.count(variable) for variable in self.done)

    def missing(self, solution: Solution) -> int:
        """How many goods that are promised the plan cannot bring."""
        return sum(solution.count(variable) for variable in self.short)


def deeds_of(move: Action | Run) -> tuple[tuple[str, str], ...]:
    """What a move counts as, in the words of a promise."""
    if isinstance(move, Invent):
        research = CATALOG.cards[move.card].research
        assert research is not None
        return (("invent", research.technology or move.card),)
    if isinstance(move, UpgradeCard):
        return (("upgrade", move.card),)
    assert isinstance(move, Run | RunConverter | PutIntoPlay)
    mate = CATALOG.cards[move.card].mate
    ran = tuple(("run", card) for card in (move.card, mate) if card is not None)
    return (*ran, ("enter", move.card)) if isinstance(move, PutIntoPlay) else ran

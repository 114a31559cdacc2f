"""Several seats' plans in one programme: the deal that makes all of them better off, and fairly.

What could change hands are variables; the rows say that what one gets another gives. `promise` solves the
relaxation, which is quick and says what no deal can surpass; `deal` solves it in whole numbers.
"""

from __future__ import annotations

from elysian.deals import AnyClause, Deed, Give, Lend, License, Pledge, Undertake, sides
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.rules.promises import penalty
from elysian.state import TURNS, Held
from elysian.worth.matching import match
from elysian.worth.milp import INFINITE, Programme, Solution, SolverLimits, summed
from elysian.worth.parties import DealPolicy, FoundDeal, Party, Taste, shared_worth
from elysian.worth.prices import Prices
from elysian.worth.problem import FLOWS, Hand, Terms, Trades, makes, wants_colony
from elysian.worth.seat_model import SeatModel

PROMISED = (*SMALL, *LARGE, "ultratech")


class DealModel:
    """Everybody's plans side by side, joined by what they could hand each other."""

    def __init__(self, parties: list[Party], prices: Prices, policy: DealPolicy) -> None:
        self.programme = Programme()
        self.parties = parties
        self.prices = prices
        # (seat, kind) -> what comes in and what goes out; where nobody has donation goods of the kind one
        # variable does, what comes in less what goes out, which halves the programme.
        self.goods: dict[tuple[int, str], tuple[int, int | None]] = {}
        self.donated: dict[tuple[int, str], int] = {}  # (seat, kind) -> given from the donation card
        self.teams: dict[tuple[str, int], int] = {}  # (team, seat) -> it ends with this seat
        self.colonies: dict[tuple[str, int], int] = {}  # (colony, seat) -> the same
        self.loans: dict[tuple[str, int], int] = {}  # (card, seat) -> lent to this seat
        self.licences: dict[tuple[int, str, int], int] = {}  # inventor, technology, who gets it too
        self.sponsored: dict[tuple[int, str, int], tuple[int, float]] = {}  # the same, and what it brings
        self.promises: dict[tuple[int, str], int] = {}  # (debtor, kind) -> goods of the next turn
        self.credits: dict[tuple[int, str], int] = {}  # (creditor, kind) -> the same, where they go
        within = {
            kind: sum(getattr(p.hand.stock, kind) + getattr(p.donation, kind) for p in parties)
            for kind in FLOWS
        }
        trades = {party.hand.seat: Trades(within=within) for party in parties}
        self._goods(trades, within)
        if policy.cards:
            self._teams(trades)
            self._colonies(trades)
            self._loans(trades)
            self._licences(trades)
        if policy.credit:
            self._credit(trades, policy.credit)
        self.parts = {
            party.hand.seat: SeatModel(
                self.programme, party.hand, party.situation, prices, trades[party.hand.seat]
            )
            for party in parties
        }
        if policy.cards:
            self._sponsors()
        self._gains(policy)
        if policy.taste != Taste():
            self._read_at_a_cost(policy.taste)

    def promise(self) -> float:
        """What no deal can surpass: all gains and once more the smallest; 0 when there is none."""
        return self.programme.bound() or 0.0

    def deal(self, limits: SolverLimits) -> FoundDeal | None:
        """The best deal found; None when there is none worth it."""
        solution = self.programme.solve(limits)
        return None if solution is None else self.read(solution)

    def _goods(self, trades: dict[int, Trades], within: dict[str, int]) -> None:
        """What comes in for some goes out for others; donation goods come on top (DON-4)."""
        for kind in FLOWS:
            total = within[kind]
            if not total:
                continue
            if any(getattr(p.donation, kind) for p in self.parties):
                self._given_and_got(kind, trades)
                continue
            terms = []
            for party in self.parties:
                seat = party.hand.seat
                mine = getattr(party.hand.stock, kind)
                net = self.programme.variable(least=-mine, most=total - mine)
                self.goods[seat, kind] = (net, None)
                trades[seat].goods[kind] = net
                terms.append((net, 1.0))
            # Nothing is made or lost by trading.
            self.programme.bind(terms, least=0.0, most=0.0)
        if any(party.donation.point for party in self.parties):
            self._given_and_got("point", trades)

    def _given_and_got(self, kind: str, trades: dict[int, Trades]) -> None:
        """Where donation goods are free, what comes in must come from others: nobody gives to himself."""
        supply: dict[int, list[tuple[int, float]]] = {}
        got: dict[int, int] = {}
        for party in self.parties:
            seat = party.hand.seat
            get = self.programme.variable()
            out = self.programme.variable(most=0 if kind == "point" else getattr(party.hand.stock, kind))
            self.goods[seat, kind] = (get, out)
            if kind != "point":
                net = trades[seat].goods[kind] = self.programme.variable(least=-INFINITE)
                self.programme.bind([(net, 1.0), (get, -1.0), (out, 1.0)], least=0.0, most=0.0)
            got[seat] = get
            supply[seat] = [(out, 1.0)]
            free = getattr(party.donation, kind)
            if free:
                given = self.donated[seat, kind] = self.programme.variable(most=free)
                supply[seat].append((given, 1.0))
        self.programme.bind(
            [*((v, 1.0) for v in got.values()), *((v, -n) for some in supply.values() for v, n in some)],
            least=0.0,
            most=0.0,
        )
        # Donation goods must go to others (DON-4); without this row a seat could launder its own into stock.
        for seat, get in got.items():
            others = [(v, -n) for other, some in supply.items() if other != seat for v, n in some]
            self.programme.bind([(get, 1.0), *others], most=0.0)

    def _teams(self, trades: dict[int, Trades]) -> None:
        """A research team may end with any of the seats."""
        for party in self.parties:
            for name in party.hand.cards:
                if CATALOG.cards[name].research is None or name in party.hand.bound:
                    continue
                here = []
                for other in self.parties:
                    variable = self.programme.choice()
                    self.teams[name, other.hand.seat] = variable
                    trades[other.hand.seat].teams[name] = variable
                    here.append((variable, 1.0))
                self.programme.bind(here, least=1.0, most=1.0)

    def _colonies(self, trades: dict[int, Trades]) -> None:
        """A colony may go to a seat that could keep it or put it into a converter."""
        wanted = {party.hand.seat for party in self.parties if wants_colony(party.hand)}
        for party in self.parties:
            for name, held in party.hand.cards.items():
                if not CATALOG.cards[name].is_colony or name in party.hand.bound:
                    continue
                here = []
                for other in self.parties:
                    if other is not party and other.hand.seat not in wanted:
                        continue
                    variable = self.programme.choice()
                    self.colonies[name, other.hand.seat] = variable
                    trades[other.hand.seat].colonies[name] = (held, variable)
                    here.append((variable, 1.0))
                self.programme.bind(here, least=1.0, most=1.0)

    def _loans(self, trades: dict[int, Trades]) -> None:
        """Cards their owner cannot run may be lent (ENI-2), and fleets with what they support (IMD-4)."""
        for party in self.parties:
            for name, held in party.hand.cards.items():
                if not _lendable(party.hand, name, held):
                    continue
                lent = []
                for other in self.parties:
                    if other is party:
                        continue
                    variable = self.programme.choice()
                    self.loans[name, other.hand.seat] = variable
                    trades[other.hand.seat].loans[name] = (held, variable)
                    lent.append((variable, 1.0))
                self.programme.bind(lent, most=1.0)
                trades[party.hand.seat].lent[name] = lent

    def _licences(self, trades: dict[int, Trades]) -> None:
        """A technology that is not shared may be licensed to whoever has the card still to come (YEN-5)."""
        for party in self.parties:
            for technology in party.hand.licences:
                for other in self.parties:
                    own = CATALOG.species_technology[other.hand.species, technology]
                    if other is not party and own in other.hand.deck:
                        variable = self.programme.choice()
                        self.licences[party.hand.seat, technology, other.hand.seat] = variable
                        trades[other.hand.seat].licences[technology] = variable

    def _sponsors(self) -> None:
        """Who helps an invention that would not be made alone gets the card too (SHARE-1)."""
        for party in self.parties:
            if not party.shares or not party.credit or party.situation.turn >= TURNS:
                continue  # nothing comes of it for others, or nobody takes its word
            for technology, ways in self.parts[party.hand.seat].invented.items():
                if any(technology in other.invents for other in self.parties):
                    continue
                for other in self.parties:
                    worth = shared_worth(other.hand, technology, other.situation.turn, self.prices)
                    if other is not party and worth > 0:
                        # 1 when the technology is invented: it is worth something to the helper only then.
                        sponsor = self.programme.variable(most=1.0, whole=False)
                        self.programme.bind([(sponsor, 1.0), *((way, -1.0) for way in ways)], most=0.0)
                        self.sponsored[party.hand.seat, technology, other.hand.seat] = sponsor, worth

    def _credit(self, trades: dict[int, Trades], most: int) -> None:
        """Goods that a seat will have left when the turn ends can be promised for the next one (TRADE-9)."""
        owing = [p for p in self.parties if p.situation.turn < TURNS and p.credit]
        made = {p.hand.seat: makes(p.hand) for p in owing}
        for kind in PROMISED:
            terms = []
            for party in owing:
                if kind in made[party.hand.seat]:
                    promise = self.programme.variable(most=min(most, party.credit))
                    self.promises[party.hand.seat, kind] = promise
                    trades[party.hand.seat].promised[kind] = promise
                    terms.append((promise, -1.0))
            if not terms:
                continue
            # Whom a promise is for is settled when the answer is read: the sums of a kind must agree.
            for party in self.parties:
                credit = self.programme.variable(most=most)
                self.credits[party.hand.seat, kind] = credit
                terms.append((credit, 1.0))
            self.programme.bind(terms, least=0.0, most=0.0)
        for party in owing:
            mine = [(v, 1.0) for (seat, _), v in self.promises.items() if seat == party.hand.seat]
            if mine:
                self.programme.bind(mine, most=min(most, party.credit))

    def _gains(self, policy: DealPolicy) -> None:
        """Everybody gains; the smallest gain counts extra, so that the cut is even."""
        # `smallest` is below every gain and has a worth of its own, so the solver pushes it up to the least
        # of them: of two deals that bring as much together, the even one wins.
        smallest = self.programme.variable(policy.fairness, least=-INFINITE, whole=False)
        gains: list[tuple[dict[int, float], float]] = []
        for party in self.parties:
            plan = self.parts[party.hand.seat]
            terms = summed([*plan.worth, *self._side(party)])
            for variable, times in terms.items():
                self.programme.worth[variable] += times
            gain = plan.constant + self._safety(party) - party.alone
            self.programme.constant += gain
            self.programme.bind(terms.items(), least=policy.least - gain)
            self.programme.bind([*terms.items(), (smallest, -1.0)], least=-gain)
            gains.append((terms, gain))
        part = policy.share / len(gains)
        if part:
            # Everybody gets at least this part of an equal share: a bot turns down what leaves it less.
            everything = summed((v, -part * n) for terms, _ in gains for v, n in terms.items())
            constant = part * sum(gain for _, gain in gains)
            for terms, gain in gains:
                mine = {variable: times + terms.get(variable, 0.0) for variable, times in everything.items()}
                self.programme.bind(mine.items(), least=constant - gain)

    def _read_at_a_cost(self, taste: Taste) -> None:
        """What is handed over costs a little for being read, so that what pays for little stays out."""
        named: list[int] = []  # 1 when a kind of thing is part of the deal
        for kind in (*FLOWS, "point"):
            named += self._goods_at_a_cost(kind, taste)
        for promise in self.promises.values():
            if taste.item or taste.most:
                named.append(self._named([(promise, 1.0)], self.programme.most[promise], taste))
            self.programme.worth[promise] -= taste.piece
        named += self._cards_at_a_cost(taste)
        if taste.most:
            words = [sponsor for sponsor, _ in self.sponsored.values()]
            self.programme.bind([(v, 1.0) for v in (*named, *words)], most=taste.most)

    def _goods_at_a_cost(self, kind: str, taste: Taste) -> list[int]:
        named = {}
        for party in self.parties:
            seat = party.hand.seat
            stock, free = getattr(party.hand.stock, kind), getattr(party.donation, kind)
            coming, leaving = self.goods.get((seat, kind), (None, None))
            if coming is None or not stock + free:
                continue
            # What leaves a seat: of a net flow its negative part, which the row below holds from beneath.
            out = [(coming, -1.0)] if leaving is None else [(leaving, 1.0)]
            if (seat, kind) in self.donated:
                out.append((self.donated[seat, kind], 1.0))
            if taste.piece:
                pieces = self.programme.variable(-taste.piece, whole=False)
                self.programme.bind([(pieces, 1.0), *((v, -n) for v, n in out)], least=0.0)
            if taste.item or taste.most:
                named[seat] = self._named(out, stock + free, taste)
        if taste.one_way and len(self.parties) == 2 and len(named) == 2:
            self.programme.bind([(v, 1.0) for v in named.values()], most=1.0)
        return list(named.values())

    def _named(self, out: Terms, most: float, taste: Taste) -> int:
        """A yes or no that must be yes when anything leaves; `most` is what can."""
        named = self.programme.choice(-taste.item)
        self.programme.bind([*out, (named, -float(most))], most=0.0)
        return named

    def _cards_at_a_cost(self, taste: Taste) -> list[int]:
        """Cards that would end elsewhere, loans and licences."""
        moved = [v for (name, seat), v in self.teams.items() if name not in self._at(seat)]
        colonies = [v for (name, seat), v in self.colonies.items() if name not in self._at(seat)]
        others = [*self.loans.values(), *self.licences.values()]
        for variable in (*moved, *colonies, *others):
            self.programme.worth[variable] -= taste.item + taste.card
        for variable in colonies:
            self.programme.worth[variable] -= taste.colony
        return [*moved, *colonies, *others]

    def _at(self, seat: int) -> dict[str, Held]:
        return next(party.hand.cards for party in self.parties if party.hand.seat == seat)

    def _safety(self, party: Party) -> float:
        """A deal of two with a thief protects for this turn (ZETH-3); in a ring nobody counts on it."""
        if len(self.parties) > 2:
            return 0.0
        return self.prices.safety * sum(other.hand.seat in party.fears for other in self.parties)

    def _side(self, party: Party) -> list[tuple[int, float]]:
        """What donation goods given away, points, promises and others' inventions mean to a seat."""
        seat, turn = party.hand.seat, party.situation.turn
        terms = [
            (given, -self.prices.donated * self.prices.of(kind, turn))
            for (giver, kind), given in self.donated.items()
            if giver == seat
        ]
        if (seat, "point") in self.goods:
            terms.append((self.goods[seat, "point"][0], 1.0))
        for (debtor, kind), promise in self.promises.items():
            if debtor == seat:
                terms.append((promise, -self.prices.of(kind, turn)))
        for (creditor, kind), credit in self.credits.items():
            if creditor == seat:
                # No promise is worth more than breaking it would cost its debtor.
                ceiling = float(penalty(Give(giver=seat, to=seat, goods=Goods(**{kind: 1}))))
                terms.append((credit, self.prices.trust * min(ceiling, self.prices.of(kind, turn))))
        terms += [term for (_, _, helper), term in self.sponsored.items() if helper == seat]
        return terms

    # ------------------------------------------------------------ reading the answer

    def read(self, solution: Solution) -> FoundDeal:
        """The deal that a solution of the programme makes, and what it is worth to each seat in it."""
        clauses: list[AnyClause] = [
            *self._gives(solution),
            *self._lends(solution),
            *self._licensed(solution),
            *self._pledges(solution),
        ]
        clauses += self._undertaken(solution, {seat for clause in clauses for seat in sides(clause)})
        gains = {}
        for party in self.parties:
            if not any(party.hand.seat in sides(clause) for clause in clauses):
                continue
            part = self.parts[party.hand.seat]
            side = sum(solution[v] * times for v, times in self._side(party))
            gains[party.hand.seat] = part.value(solution) + side + self._safety(party) - party.alone
        return FoundDeal(clauses=tuple(clauses), gains=gains)

    def _gives(self, solution: Solution) -> list[AnyClause]:
        """Net flows become gifts from those who give to those who get, donation goods first."""
        goods: dict[tuple[int, int], dict[str, int]] = {}
        donation: dict[tuple[int, int], dict[str, int]] = {}
        seats = [party.hand.seat for party in self.parties]
        for kind in (*FLOWS, "point"):
            get: dict[int, int] = {}
            free: dict[int, int] = {}
            out: dict[int, int] = {}
            for seat in seats:
                coming, leaving = self.goods.get((seat, kind), (None, None))
                n = 0 if coming is None else solution.count(coming)
                get[seat] = max(0, n)
                out[seat] = max(0, -n) if leaving is None else solution.count(leaving)
                given = self.donated.get((seat, kind))
                free[seat] = 0 if given is None else solution.count(given)
            match(free, get, out, donation, goods, kind)
        cards: dict[tuple[int, int], list[str]] = {}
        for party in self.parties:
            for name in party.hand.cards:
                for seat in seats:
                    here = self.teams.get((name, seat)) or self.colonies.get((name, seat))
                    if seat != party.hand.seat and here is not None and solution.count(here):
                        cards.setdefault((party.hand.seat, seat), []).append(name)
        pairs = dict.fromkeys([*goods, *donation, *cards])
        return [
            Give(
                giver=giver,
                to=to,
                goods=Goods(**goods.get((giver, to), {})),
                donation=Goods(**donation.get((giver, to), {})),
                cards=tuple(cards.get((giver, to), ())),
            )
            for giver, to in pairs
        ]

    def _pledges(self, solution: Solution) -> list[AnyClause]:
        due = self.parties[0].situation.turn + 1
        goods: dict[tuple[int, int], dict[str, int]] = {}
        for kind in PROMISED:
            get = {s: solution.count(v) for (s, k), v in self.credits.items() if k == kind}
            out = {s: solution.count(v) for (s, k), v in self.promises.items() if k == kind}
            for seat in out:
                both = min(out[seat], get.get(seat, 0))  # a promise to oneself
                out[seat] -= both
                get[seat] = get.get(seat, 0) - both
            match({}, get, out, {}, goods, kind)
        return [
            Pledge(what=Give(giver=giver, to=to, goods=Goods(**what)), due=due)
            for (giver, to), what in goods.items()
        ]

    def _lends(self, solution: Solution) -> list[AnyClause]:
        lends: list[AnyClause] = []
        for party in self.parties:
            for name in party.hand.cards:
                for other in self.parties:
                    lent = self.loans.get((name, other.hand.seat))
                    if lent is not None and solution.count(lent) and self._used(name, party, other, solution):
                        lends.append(Lend(giver=party.hand.seat, to=other.hand.seat, card=name))
        return lends

    def _used(self, card: str, lender: Party, borrower: Party, solution: Solution) -> bool:
        """Whether a borrowed card runs, or a borrowed fleet supports one that runs."""
        run = {
            getattr(chosen.move, "card", "")
            for chosen in self.parts[borrower.hand.seat].chosen
            if solution.count(chosen.variable)
        }
        if not CATALOG.cards[card].face(lender.hand.cards[card].flipped).fleets:
            return card in run
        held = {**lender.hand.cards, **borrower.hand.cards}
        return any(CATALOG.cards[name].face(held[name].flipped).fleets_needed for name in run if name in held)

    def _licensed(self, solution: Solution) -> list[AnyClause]:
        return [
            License(giver=licensor, to=to, technology=technology)
            for (licensor, technology, to), licensed in self.licences.items()
            if solution.count(licensed)
        ]

    def _undertaken(self, solution: Solution, seats: set[int]) -> list[AnyClause]:
        """Whoever is helped to an invention gives a helper his word to make it; one word does for all."""
        words: dict[tuple[int, str], AnyClause] = {}
        for (inventor, technology, helper), (sponsor, _) in self.sponsored.items():
            made = solution[sponsor] > 0.5 and {inventor, helper} <= seats
            if made and (inventor, technology) not in words:
                deed = Deed(who=inventor, verb="invent", subject=technology)
                turn = self.parties[0].situation.turn
                words[inventor, technology] = Undertake(to=helper, deed=deed, turn=turn, by="trade")
        return list(words.values())


def _lendable(hand: Hand, name: str, held: Held) -> bool:
    """A card made to be lent, a fleet, or a card that needs one; a pair and a promised card stay at home."""
    card = CATALOG.cards[name]
    face = card.face(held.flipped)
    if held.owner != hand.seat or name in hand.bound or card.mate is not None:
        return False
    return card.lent_only or bool(face.fleets or face.fleets_needed)

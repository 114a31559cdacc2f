"""Suggestions: what a person could offer, searched as a bot would search for itself.

The search, the prices and the answers are those of the bots that sit there. What is suggested brings
everybody something, is cut evenly, and is taken by a bot it is offered to. An even cut also keeps a bot's
lowest price its own affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from msgspec.structs import replace

from elysian.actions import AcceptDeal, ProposeDeal
from elysian.deals import Deal, Give, Seat, parties_to
from elysian.goods import Goods
from elysian.options import Choice, Options
from elysian.players.levels import LEVELS, make
from elysian.players.trader.level import LEVELS as TRADERS
from elysian.players.trader.level import READABLE
from elysian.players.trader.player import Trader
from elysian.players.trader.pricing import priced
from elysian.players.trader.readable import Clauses, brings_most, smallest, swapped, things
from elysian.players.trader.search import SHARE, DealSearch
from elysian.view import View
from elysian.worth import DealPolicy, FoundDeal, Prices, Taste, prices, worth
from elysian.worth.problem import FLOWS

SUGGESTED = 3
LEAST = 0.12  # what a deal must bring each of its parties to be worth the talk
ASKS = 0.4  # what a bot that is asked for a price asks for at least: more than it would take
CREDIT = 4  # goods of the next turn that may be promised
NEAR = 3  # partners among whom a ring is looked for
PAIR, RING = 5, 7  # kinds of things that people read in a deal of two, and of three
READ = 0.2  # points that one more kind of thing must bring to be worth reading
FAIR = 0.4  # of what a deal of two brings: what is less is no even cut
STEPS = 6  # rounds in which a deal is made even


class Suggester:
    """Deals for one seat of a view; it knows which bots sit at the others."""

    def __init__(self, view: View, me: Seat, levels: Mapping[Seat, str]) -> None:
        """Look for deals of `me`; who is not in `levels` is a person."""
        self.view = view
        self.me = me
        self.levels = {seat: level for seat, level in levels.items() if level in LEVELS and seat != me}
        self.rates = {area.seat: rates_of(levels.get(area.seat)) for area in view.players}

    # ------------------------------------------------------------ what can be asked

    def best(self, most: int = SUGGESTED) -> tuple[FoundDeal, ...]:
        """Up to so many deals for me, the best first, no two with the same seats."""
        others = [seat for seat in self.rates if seat != self.me and self._answers(seat)]
        found = _ranked((one for seat in others for one in self._with(seat)), self.me)
        near = {seat for one in found[:NEAR] for seat in one.gains} or set(others[:NEAR])
        for ring in self._rings(near):
            within = (one.gains[self.me] for one in found if one.gains.keys() <= ring.gains.keys())
            # More has to be read, and agreed to by more: a ring must bring more than a pair in it.
            if ring.gains[self.me] > max(within, default=0.0) + READ:
                found.append(ring)
        return tuple(_ranked(found, self.me)[:most])

    def evened(self, clauses: Clauses, parties: Iterable[Seat]) -> FoundDeal | None:
        """The same offer with a piece more or less here and there, so that all gain alike; None: none is."""
        seats = [seat for seat in parties if 0 <= seat < len(self.view.players)]
        if self.me not in seats or len(seats) != 2:
            return None
        other = next(seat for seat in seats if seat != self.me)
        found = self._cut_even(self.judged(clauses, seats), other, STEPS * 2, waste=2.0)
        return found if self.is_good(found) else None

    def price(self, asked: Give) -> FoundDeal | None:
        """What a bot would want for something of its own, in goods of mine; None: nothing I have would do.

        Where no price leaves both a gain it names one all the same: the one who asked may know better.
        """
        even = self.evened((asked,), (self.me, asked.giver))
        level = self.levels.get(asked.giver)
        if even is not None or level is None:
            return even
        wish = Deal(id="", proposer=self.me, parties=(self.me, asked.giver), clauses=(asked,))
        found = priced(self.view, asked.giver, wish, self.rates[asked.giver], ASKS)
        if found is None or not would_accept(self.view, asked.giver, level, offered(self.me, found.clauses)):
            return None
        return self.judged(found.clauses, found.gains)

    def is_good(self, found: FoundDeal) -> bool:
        """Whether everybody gains, me by the plain prices, and every bot in it would agree."""
        if self.me not in found.gains or len(found.gains) < 2 or min(found.gains.values()) < LEAST:
            return False
        if min(found.gains.values()) < 2 * FAIR / len(found.gains) * found.surplus:
            return False
        deal = offered(self.me, found.clauses)
        return all(
            would_accept(self.view, seat, self.levels[seat], deal)
            for seat in found.gains
            if seat in self.levels
        )

    # ------------------------------------------------------------ searching

    def _answers(self, seat: Seat) -> bool:
        """Whoever plays at random agrees to anything or nothing: there is nothing to suggest."""
        return self.levels.get(seat) != "random"

    def _with(self, seat: Seat) -> Iterator[FoundDeal]:
        """The best deal with one seat, by its prices or, where that is none for me, by mine."""
        cards = self._may_move_cards(seat)
        for rates in dict.fromkeys((self.rates[seat], self.rates[self.me])):
            search = DealSearch(rates, self._policy(PAIR, cards), (2,), 1)
            raw = search.best(self.view, self.me, set(), only=seat)
            if raw is None:
                continue
            found = self._readable(raw.clauses)
            if found is not None:
                yield found
                return

    def _rings(self, near: set[Seat]) -> Iterator[FoundDeal]:
        """The best deal of three among those with whom a pair brings most."""
        far = {area.seat for area in self.view.players} - near - {self.me}
        search = DealSearch(self.rates[self.me], self._policy(RING), (3,), 2)
        raw = search.best(self.view, self.me, set(), without=far)
        found = None if raw is None else self._readable(raw.clauses)
        if found is not None:
            yield found

    def _policy(self, kinds: int, cards: bool = True) -> DealPolicy:
        taste = Taste(item=READ, most=kinds, one_way=True)
        return DealPolicy(LEAST, credit=CREDIT, share=SHARE, cards=cards, taste=taste)

    def _may_move_cards(self, seat: Seat) -> bool:
        """A bot that trades goods alone by the book is offered goods alone."""
        return self.levels.get(seat) != "fair"

    def _readable(self, clauses: Clauses) -> FoundDeal | None:
        """The smallest part of a deal that brings most of it, cut evenly; None: nobody would want that."""
        seats = parties_to(clauses)
        found = self._smaller(self.judged(clauses, seats))
        if len(found.gains) == 2:
            found = self._cut_even(found, next(seat for seat in found.gains if seat != self.me), STEPS)
        if self.is_good(found):
            return found
        whole = self.judged(clauses, seats)
        return whole if self.is_good(whole) else None

    def _smaller(self, whole: FoundDeal) -> FoundDeal:
        """Without the kinds of things that bring less than reading them costs, or little of the whole."""
        named = len(things(whole.clauses))

        def enough(less: FoundDeal) -> bool:
            saved = READ * (named - len(things(less.clauses)))
            pays = less.merit >= whole.merit - saved
            return min(less.gains.values()) >= LEAST and (pays or brings_most(less, whole))

        return smallest(whole, READABLE, lambda clauses: self.judged(clauses, whole.gains), enough)

    def _cut_even(self, found: FoundDeal, other: Seat, steps: int, waste: float = READ) -> FoundDeal:
        """A piece more or less of what is in it while that brings the two gains closer together."""
        for _ in range(steps):
            best = found
            for clauses in self._shifted(found, other):
                shifted = self.judged(clauses, found.gains)
                closer = _apart(shifted) < _apart(best) - 0.05
                if closer and shifted.surplus >= found.surplus - waste:
                    best = shifted
            if best is found:
                break
            found = best
        return found

    def _shifted(self, found: FoundDeal, other: Seat) -> Iterator[Clauses]:
        """One piece less from the one who gains less, or one more from the one who gains more."""
        poor, rich = sorted((self.me, other), key=lambda seat: found.gains[seat])
        for n, clause in enumerate(found.clauses):
            if isinstance(clause, Give) and clause.giver == poor:
                for kind, _ in clause.goods.items():
                    rest = replace(clause, goods=clause.goods - Goods(**{kind: 1}))
                    if len(found.clauses) > 1 or rest.goods:
                        yield swapped(found.clauses, n, rest)
        stock = self.view.players[rich].stock
        paid = next((n for n, c in enumerate(found.clauses) if isinstance(c, Give) and c.giver == rich), None)
        goes = [c.goods + c.donation for c in found.clauses if isinstance(c, Give) and c.giver == poor]
        for kind, _ in stock.items():
            piece = Goods(**{kind: 1})
            if kind not in FLOWS or any(getattr(goods, kind) for goods in goes):
                continue
            if paid is None:
                yield (*found.clauses, Give(giver=rich, to=poor, goods=piece))
                continue
            before = found.clauses[paid]
            assert isinstance(before, Give)
            fits = getattr(before.goods, kind) or len(things(found.clauses)) < PAIR
            if fits and stock.covers(before.goods + piece):
                yield swapped(found.clauses, paid, replace(before, goods=before.goods + piece))

    def judged(self, clauses: Clauses, seats: Iterable[Seat]) -> FoundDeal:
        """A deal with what it is worth to each seat by its own prices."""
        gains = {seat: worth(self.view, seat, clauses, self.rates[seat]) for seat in seats}
        return FoundDeal(clauses=clauses, gains=gains)


# ---------------------------------------------------------------- bots as they sit there


def rates_of(level: str | None) -> Prices:
    """By what prices somebody judges: a bot as far as its level sees, a person by the plain ones."""
    return Trader(level).rates if level in TRADERS else prices()


def would_accept(view: View, seat: Seat, level: str, deal: Deal) -> bool:
    """Whether a bot of this level, asked now, would take the offer; it is asked as at the table."""
    asked = replace(view, seat=seat, deals={deal.id: deal}, bid=None, plan=None)
    choices = (Choice(action=AcceptDeal(deal=deal.id)),)
    answer = make(level).choose(asked, Options(seat=seat, choices=choices, may_propose=True), Random(0))
    return isinstance(answer, AcceptDeal)


def offered(me: Seat, clauses: Clauses) -> Deal:
    """Clauses as the offer that a seat would make of them."""
    return Deal(id="suggested", proposer=me, parties=parties_to(clauses), clauses=clauses, accepted=(me,))


def proposals(view: View, me: Seat, levels: Mapping[Seat, str]) -> tuple[ProposeDeal, ...]:
    """What a seat could offer now, the best first, as actions."""
    return tuple(proposal(me, found) for found in Suggester(view, me, levels).best())


def proposal(me: Seat, found: FoundDeal) -> ProposeDeal:
    """A deal that was found, as the action that offers it."""
    others = tuple(seat for seat in parties_to(found.clauses) if seat != me)
    return ProposeDeal(parties=(me, *others), clauses=found.clauses)


# ---------------------------------------------------------------- ranking


def _ranked(found: Iterable[FoundDeal], me: Seat) -> list[FoundDeal]:
    return sorted(found, key=lambda one: -one.gains[me])


def _apart(found: FoundDeal) -> float:
    return max(found.gains.values()) - min(found.gains.values())


__all__ = ["Suggester", "offered", "proposal", "proposals", "rates_of", "would_accept"]

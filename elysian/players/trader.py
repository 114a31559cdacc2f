"""Trader: a seat that plans with the solver, proposes deals both sides gain from, and keeps its word."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec import Struct

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    ChooseHandicap,
    DeclineDeal,
    DiscardColonies,
    Done,
    Gift,
    GiveGifts,
    LayPlan,
    Pass,
    PlaceBid,
    ProposeDeal,
)
from elysian.deals import ANYONE, AnyClause, Deal, Forbear, Give, Lend, License, Pledge, Seat, Undertake
from elysian.goods import NOTHING
from elysian.options import Options
from elysian.players.bidding import best_bid, best_buy
from elysian.players.seeking import Seeker
from elysian.view import View
from elysian.worth import Wish, best_plan, worth
from elysian.worth.prices import Prices, prices


class Level(Struct, frozen=True):
    """How far a bot sees and what it asks for; a weaker one is never illegal or random."""

    name: str
    offers: int  # proposals a turn
    rings: tuple[int, ...] = (2,)  # proposes deals among so many seats
    tries: int = 3  # searches for one proposal
    credit: int = 0  # goods of the next turn that a proposal may promise
    least: float = 0.12  # what a deal must bring to be worth the talk
    floor: float = 0.35  # the smallest share of a two-party surplus it accepts


LEVELS = {
    level.name: level
    for level in (
        Level(name="novice", offers=0, floor=0.2),
        Level(name="standard", offers=8),
        Level(name="expert", offers=10, rings=(2, 3), tries=4, credit=6),
    )
}


class Trader:
    """One seat of one game."""

    def __init__(
        self,
        level: str | Level = "standard",
        people: frozenset[Seat] = frozenset(),
        rates: Prices | None = None,
    ):
        """Sit down; `people` are the seats of persons, whom a bot never closes trading on."""
        self.level = LEVELS[level] if isinstance(level, str) else level
        self.people = people
        self.rates = rates or prices()
        wish = Wish(least=self.level.least, credit=self.level.credit)
        self.seeker = Seeker(self.rates, wish, self.level.rings, self.level.tries)
        self.turn = 0
        self.offers = 0
        self.judged: set[str] = set()
        self.refused: set[object] = set()  # deals found before that somebody turned down
        self.last: object = None  # what was asked for last, to notice a refusal by the rules
        self.asked = 0

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """The action the seat asks for; None when it waits for others."""
        if view.turn != self.turn:
            self.turn, self.offers, self.judged = view.turn, 0, set()
            self.refused.clear()
        steps = {
            "trade": self._trade,
            "settle": self._settle,
            "gifts": self._gifts,
            "window": self._window,
            "support": self._support,
            "plan": self._plan,
            "bid": self._bid,
            "colony_auction": self._auction,
            "research_auction": self._auction,
            "steal": self._steal,
            "handicap": self._handicap,
        }
        action = steps[view.step](view, options)
        if action is not None and action == self.last and self.asked > 3:
            return _ready_made(options)
        self.asked = self.asked + 1 if action == self.last else 0
        self.last = action
        return action

    # ------------------------------------------------------------ trading

    def _trade(self, view: View, options: Options) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None:
            return answer
        me = view.seat
        assert me is not None
        if any(deal.proposer == me for deal in view.deals.values()):
            return None
        proposal = self._propose(view)
        if proposal is not None:
            self.offers += 1
            return proposal
        move = self._violet(view)
        if move is not None:
            return move
        return self._done(view)

    def _done(self, view: View) -> Action | None:
        me = view.seat
        if view.players[me or 0].done or any(not view.players[seat].done for seat in self.people):
            return None
        return Done()

    def _violet(self, view: View) -> Action | None:
        assert view.seat is not None
        for move in best_plan(view, view.seat, self.rates).moves:
            key = (move, view.me.stock, len(view.me.cards))
            if key not in self.refused:
                self.refused.add(key)
                return move
        return None

    def _answer(self, view: View, options: Options) -> Action | None:
        """Judge each offer once for every state of my own stock."""
        me = view.seat
        assert me is not None
        legal = {choice.action.deal for choice in options.choices if isinstance(choice.action, AcceptDeal)}
        for name, deal in view.deals.items():
            if deal.proposer == me or me in deal.accepted or not (me in deal.parties or deal.is_open):
                continue
            if name in self.judged:
                continue
            if name not in legal:
                continue
            self.judged.add(name)
            if self.agrees(view, deal):
                return AcceptDeal(deal=name)
            if me in deal.parties:
                return DeclineDeal(deal=name)
        return None

    def agrees(self, view: View, deal: Deal) -> bool:
        """Whether the deal brings enough, and a fair share of what it brings all parties."""
        me = view.seat
        assert me is not None
        if deal.is_open and me not in deal.parties:
            deal = deal.taken_by(me)
        if any(_binds(clause, me) for clause in deal.clauses):
            return False
        gain = worth(view, me, deal.clauses, self.rates)
        if gain < self.level.least / 2:
            return False
        others = sum(
            max(0.0, worth(view, seat, deal.clauses, self.rates))
            for seat in deal.parties
            if seat not in (me, ANYONE)
        )
        fair = 2.0 / len(deal.parties)
        return gain >= self.level.floor * fair * (gain + others)

    def _propose(self, view: View) -> Action | None:
        me = view.seat
        assert me is not None
        if self.offers >= self.level.offers:
            return None
        found = self.seeker.best(view, me, self.refused)
        if found is None or not found.clauses:
            return None
        self.refused.add(found.clauses)
        parties = {me}
        for clause in found.clauses:
            what = clause.what if isinstance(clause, Pledge) else clause
            assert isinstance(what, Give | Lend | License)
            parties |= {what.giver, what.to}
        if len(parties) < 2 or found.gains.get(me, 0.0) < 0:
            return None
        return ProposeDeal(parties=tuple(sorted(parties)), clauses=found.clauses)

    # ------------------------------------------------------------ the other steps

    def _settle(self, view: View, options: Options) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None or view.seat not in view.waiting:
            return answer
        return Done()

    def _window(self, view: View, options: Options) -> Action | None:
        if view.me.done:
            return None
        return self._violet(view) or Done()

    def _gifts(self, view: View, options: Options) -> Action | None:
        """Donation goods go to the seat with the least to work with."""
        me = view.me
        if not (me.donation or me.tied):
            return None
        others = [area for area in view.players if area.seat != me.seat]
        poorest = min(others, key=lambda area: best_plan(view, area.seat, self.rates).value).seat
        gifts = []
        if me.tied:
            gifts.append(Gift(to=poorest if me.tied_to is None else me.tied_to, goods=me.tied))
        if me.donation:
            gifts.append(Gift(to=gifts[0].to if gifts else poorest, goods=me.donation))
        return GiveGifts(gifts=tuple(gifts))

    def _support(self, view: View, options: Options) -> Action | None:
        if not options.discard:
            return None
        return next(c.action for c in options.choices if isinstance(c.action, DiscardColonies))

    def _plan(self, view: View, options: Options) -> Action | None:
        if view.me.done or view.seat is None:
            return None
        return LayPlan(runs=best_plan(view, view.seat, self.rates).runs)

    def _bid(self, view: View, options: Options) -> Action | None:
        if view.bid is not None:
            return None
        colony, research = best_bid(view, self.rates)
        return PlaceBid(colony=colony, research=research)

    def _auction(self, view: View, options: Options) -> Action | None:
        if view.seat not in view.waiting:
            return None
        buys = [c.action.card for c in options.choices if isinstance(c.action, Buy)]
        card = best_buy(view, buys, self.rates)
        return Pass() if card is None else Buy(card=card)

    def _steal(self, view: View, options: Options) -> Action | None:
        if view.seat not in view.waiting:
            return None
        thefts: list[Any] = [c.action for c in options.choices if hasattr(c.action, "take")]
        best, most = None, 0.3
        for theft in thefts:
            gain = self.rates.goods(theft.take, view.turn) - self.rates.goods(theft.pay or NOTHING, view.turn)
            if gain > most:
                best, most = theft, gain
        return best or Done()

    def _handicap(self, view: View, options: Options) -> Action | None:
        return next((c.action for c in options.choices if isinstance(c.action, ChooseHandicap)), None)


def _binds(clause: AnyClause, seat: Seat) -> bool:
    """Whether it ties a seat down in a way this bot cannot price."""
    if isinstance(clause, Undertake):
        return clause.deed.who == seat
    if isinstance(clause, Forbear):
        return clause.who == seat
    return isinstance(clause, Pledge) and clause.what.giver == seat and not isinstance(clause.what, Give)


def _ready_made(options: Options) -> Action | None:
    """The first thing the rules themselves suggest for this step."""
    for kind in (LayPlan, PlaceBid, GiveGifts, DiscardColonies, Pass, Done):
        for choice in options.choices:
            if isinstance(choice.action, kind):
                return choice.action
    return None

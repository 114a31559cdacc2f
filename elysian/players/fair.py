"""Fair: the simple published idea as a yardstick: trade what is even by book value, run what runs."""

from __future__ import annotations

from random import Random

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    ChooseHandicap,
    DeclineDeal,
    DiscardColonies,
    Done,
    LayPlan,
    Pass,
    ProposeDeal,
)
from elysian.book_value import book
from elysian.deals import AnyClause, Deal, Give, Note, Reason, Seat
from elysian.goods import LARGE, SMALL, Goods
from elysian.options import Options
from elysian.players.trader.bids import imagined_split, promised_bid
from elysian.players.trader.gifts import best_gifts
from elysian.view import SeatView, View
from elysian.worth import Prices, hand_of, prices, situation_of
from elysian.worth.greedy import greedy_runs

OFFERS = 5  # a turn


class Fair:
    """One seat of one game that never invents, upgrades, or promises anything."""

    def __init__(self, people: frozenset[Seat] = frozenset(), rates: Prices | None = None) -> None:
        """Sit down; `people` are the seats of persons, whom a bot never closes trading on."""
        self.people = people
        self.rates = rates or prices()
        self.turn = 0
        self.offers = 0
        self.said: set[object] = set()

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """The action the seat asks for; None when it waits for others."""
        if view.turn != self.turn:
            self.turn, self.offers, self.said = view.turn, 0, set()
        if view.step == "trade":
            return self._trade(view, options)
        if view.step in ("settle", "window", "bid", "colony_auction", "research_auction"):
            answer = self._answer(view, options)
            if answer is not None:
                return answer
        if view.step == "gifts":
            return best_gifts(view, self.rates) if options.give_away else None
        if view.step == "plan" and not view.me.done and view.seat is not None:
            return LayPlan(
                runs=greedy_runs(hand_of(view, view.seat), situation_of(view, view.seat), self.rates)[0]
            )
        return self._simple(view, options, rng)

    def _simple(self, view: View, options: Options, rng: Random) -> Action | None:
        """About half the ships for colonies, the first card there is, no thefts."""
        if view.step == "bid":
            if view.bid is not None:
                return None
            return promised_bid(view, options, imagined_split(view.me.stock.ship, rng), 0)
        if view.seat not in view.waiting or view.me.done:
            return None
        for kind in (Buy, DiscardColonies, ChooseHandicap, Done, Pass):
            for choice in options.choices:
                if isinstance(choice.action, kind):
                    return choice.action
        return None

    # ------------------------------------------------------------ trading

    def _trade(self, view: View, options: Options) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None:
            return answer
        if any(deal.proposer == view.seat for deal in view.deals.values()):
            return None
        offer = self._propose(view) if self.offers < OFFERS else None
        if offer is not None:
            self.offers += 1
            return offer
        if view.me.done or any(not view.players[seat].done for seat in self.people):
            return None
        return options.must or Done()

    def _answer(self, view: View, options: Options) -> Action | None:
        me = view.seat
        assert me is not None
        for choice in options.choices:
            if not isinstance(choice.action, AcceptDeal) or choice.action.deal in self.said:
                continue
            deal = view.deals[choice.action.deal]
            self.said.add(deal.id)
            if me in deal.accepted:
                continue
            why = _why_not(view, me, deal)
            if why is None:
                return AcceptDeal(deal=deal.id, reason=Reason(code="even"))
            if me in deal.parties:
                return DeclineDeal(deal=deal.id, reason=Reason(code=why))
        return None

    def _propose(self, view: View) -> Action | None:
        """A cube that only lies here for one as large that is wanted here, with anybody who has it over."""
        me = view.me
        for kind in (*SMALL, *LARGE):
            if not self._lacks(view, me, kind):
                continue
            for other in view.players:
                if other.seat == me.seat or self._spare(view, other, kind) < 1:
                    continue
                for own in SMALL if kind in SMALL else LARGE:
                    terms = (other.seat, own, kind)
                    if own == kind or self._spare(view, me, own) < 1 or terms in self.said:
                        continue
                    self.said.add(terms)
                    clauses: tuple[AnyClause, ...] = (
                        Give(giver=me.seat, to=other.seat, goods=Goods(**{own: 1})),
                        Give(giver=other.seat, to=me.seat, goods=Goods(**{kind: 1})),
                    )
                    parties = (me.seat, other.seat)
                    return ProposeDeal(parties=parties, clauses=clauses, reason=Reason(code="even"))
        return None

    def _needs(self, view: View, area: SeatView) -> Goods:
        """What all white converters of a seat would take together."""
        runs = greedy_runs(hand_of(view, area.seat), situation_of(view, area.seat), self.rates, rich=True)[0]
        total = Goods()
        for run in runs:
            total = total + (run.pay or Goods())
        return total

    def _lacks(self, view: View, area: SeatView, kind: str) -> bool:
        return int(getattr(self._needs(view, area), kind)) > int(getattr(area.stock, kind))

    def _spare(self, view: View, area: SeatView, kind: str) -> int:
        return int(getattr(area.stock, kind)) - int(getattr(self._needs(view, area), kind))


def _why_not(view: View, me: Seat, deal: Deal) -> str | None:
    """None when everything in the deal is given now and at least as much comes as goes."""
    if deal.is_open and me not in deal.parties:
        deal = deal.taken_by(me)
    comes = goes = 0
    for clause in deal.clauses:
        if isinstance(clause, Note):
            continue
        if not isinstance(clause, Give) or clause.cards or clause.goods.envoy or clause.donation.envoy:
            return "bound"
        value = book(clause.goods) + book(clause.donation)
        comes += value if clause.to == me else 0
        goes += book(clause.goods) if clause.giver == me else 0
    return None if comes >= goes and comes else "not_even"

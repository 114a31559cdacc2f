"""Trader: a seat that plans with the solver, proposes deals both sides gain from, and keeps its word."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    ChooseHandicap,
    DeclineDeal,
    Done,
    LayPlan,
    ProposeDeal,
    UpgradeCard,
    WithdrawDeal,
)
from elysian.deals import Deal, Reason, Seat, parties_to
from elysian.deck import CATALOG
from elysian.goods import NOTHING
from elysian.options import Options
from elysian.players.trader.answers import PATIENCE, Judge, OfferReply
from elysian.players.trader.bargaining import Bargain, bargained
from elysian.players.trader.bids import best_bid, promised_bid
from elysian.players.trader.company import Company, broken_by, taken_away_by
from elysian.players.trader.gifts import best_gifts
from elysian.players.trader.leeway import Leeway
from elysian.players.trader.level import LEVELS, STEADY, Level, short_sighted
from elysian.players.trader.pricing import priced
from elysian.players.trader.readable import shortened
from elysian.players.trader.search import GLANCE, SHARE, DealSearch, sweetened
from elysian.players.trader.steps import bought, discarded, stolen
from elysian.players.trader.together import Together
from elysian.view import View
from elysian.worth import (
    IMPOSSIBLE,
    DealPolicy,
    FoundDeal,
    Prices,
    after,
    best_plan,
    judge,
    prices,
    worth,
)

STALE = 12  # looks at an offer that cannot be kept before it is turned down
MORE_TRIES = 2  # searches for one proposal to bots at a table with people
TRIES = 2  # deals looked at before nothing is proposed


class Trader:
    """One seat of one game."""

    def __init__(
        self,
        level: str | Level = "standard",
        people: frozenset[Seat] = frozenset(),
        rates: Prices | None = None,
    ):
        """Sit down; `people` are the seats of persons, whom a bot never closes trading on.

        Whoever has a clock sets `company` before each choice; without one people are waited for.
        """
        self.level = LEVELS[level] if isinstance(level, str) else level
        self.people = people
        self.company = Company(people)
        self.plain = rates or prices()
        level = self.level
        self.rates = short_sighted(self.plain, level.sight)
        taste = STEADY if people else level.taste
        policy = DealPolicy(level.least, 1.0, level.credit, SHARE, level.cards, taste)
        # Where the best deal would break an offer to a person, the next best is looked for.
        tries = self.level.tries + (MORE_TRIES if people else 0)
        self.search = DealSearch(self.rates, policy, self.level.rings, tries)
        readable = replace(policy, taste=level.readable)
        self.search_for_people = DealSearch(self.rates, readable, (2,), self.level.tries)
        ahead = DealSearch(self.rates, policy, (2,), 1, GLANCE) if people else None
        self.judge = Judge(self.rates, level.least / 2, level.floor, people, ahead, level.share)
        self.turn = 0
        self.offers = 0
        self.offers_to_people = 0
        self.judged: set[str] = set()
        self.stale: dict[str, int] = {}  # how often an offer that cannot be kept was left to its maker
        self.countered: dict[str, OfferReply] = {}
        self.refused: set[object] = set()  # deals found before that somebody turned down, moves made
        self.postponed: tuple[object, set[object]] = ((), set())  # offers to people, and deals they rule out
        self.said: set[object] = set()  # terms offered this turn: nobody hears the same twice
        self.bargain = Bargain(self.level.asks, people)
        self.together = Together(level.together)
        self.leeway = Leeway(self.level.lets_answer)  # of offers between others
        self.last: object = None  # what was asked for last, to notice a refusal by the rules
        self.asked = 0

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """The action the seat asks for; None when it waits for others."""
        if view.turn != self.turn:
            self.turn, self.judged = view.turn, set()
            self.offers = self.offers_to_people = 0
            self.refused.clear()
            self.said.clear()
            self.bargain.forget()
            self.together.forget()
            self.leeway.forget()
            self.judge.new_turn()
        self.judge.notice(view)
        steps: dict[str, Callable[[View, Options], Action | None]] = {
            "trade": self._trade,
            "settle": self._settle,
            "gifts": self._gifts,
            "window": self._window,
            "support": self._support,
            "plan": self._plan,
            "bid": lambda view, options: self._bid(view, options, rng),
            "colony_auction": self._auction,
            "research_auction": self._auction,
            "steal": self._steal,
            "handicap": self._handicap,
        }
        action = steps[view.step](view, options)
        if isinstance(action, AcceptDeal | ProposeDeal):
            deal = view.deals[action.deal] if isinstance(action, AcceptDeal) else action
            self.judge.has_said(action.reason, deal.parties)
        if action is not None and action == self.last and self.asked > 3:
            return options.cautious
        self.asked = self.asked + 1 if action == self.last else 0
        self.last = action
        return action

    # ------------------------------------------------------------ trading

    def _trade(self, view: View, options: Options) -> Action | None:
        me = view.seat
        assert me is not None
        answer = self._answer(view, options)
        if answer is not None:
            return answer
        mine = [deal for deal in view.deals.values() if deal.proposer == view.seat]
        for offer in mine:
            back = self._take_back(view, offer)
            if back is not None:
                return back
        asked = {seat for offer in mine for seat in offer.parties if seat != view.seat}
        if not asked <= self.people:
            return None  # bots answer at once; people take their time, and the others need not wait for them
        if self.together.waits(view) or self._lets_answer(view):
            return None
        self.refused -= self.bargain.softened(view, mine)
        trading = self.company.trading(view)
        ready = None if trading else self._made_ready(view)
        if ready is not None:
            return ready
        whole = None if trading else self._of_all(view)
        if whole is not None and not self.together.is_mine(whole, me) and self.together.waits_for(whole):
            return None
        proposal = (
            self._offer_to_people(view, trading - asked)
            or (None if whole is None else self._offer_to_all(view, whole))
            or self._offer_to_bots(view)
        )
        if proposal is not None:
            return proposal
        if mine or trading:
            return None  # a person may still have an offer for what a violet converter would take
        return self._violet(view) or (None if view.me.done else options.must or Done())

    def _lets_answer(self, view: View) -> bool:
        """Whether an offer between other bots waits for its answer: it may overtake what is found before.

        Of the offers of `standard` at seven a third had to be taken back for that.
        """
        others = [
            name
            for name, deal in view.deals.items()
            if view.seat not in deal.parties and not self.people & {*deal.parties}
        ]
        granted = [self.leeway.grants(name) for name in others]  # all of them are counted
        return any(granted)

    def _offer_to_people(self, view: View, people: frozenset[Seat]) -> Action | None:
        """People are asked first, one at a time, and not more than they have time for."""
        reachable = self.company.reachable
        if reachable is not None:
            people &= reachable
        if not people or self.offers_to_people >= self.level.offers:
            return None
        proposal = self._propose(view, without={area.seat for area in view.players} - people)
        self.offers_to_people += int(proposal is not None)
        return proposal

    def _offer_to_bots(self, view: View) -> Action | None:
        if not self.company.may_deal or self.offers >= self.level.offers:
            return None
        proposal = self._propose(view, without=self.people)
        self.offers += int(proposal is not None)
        return proposal

    def _of_all(self, view: View) -> FoundDeal | None:
        """A deal of all bots; before people are done it would strip the market they trade on."""
        assert view.seat is not None
        return self.together.found(
            view, view.seat, self.search, self.refused, self.people, self.judge.distrusted
        )

    def _offer_to_all(self, view: View, found: FoundDeal) -> Action | None:
        """A deal of the whole table, as it was found: it is not haggled over."""
        assert view.seat is not None
        if self.offers >= self.level.offers or not self.together.is_mine(found, view.seat):
            return None
        self.refused.add(found.clauses)
        proposal = self._offer(view, view.seat, found, None)
        self.offers += int(proposal is not None)
        return proposal

    def _take_back(self, view: View, offer: Deal) -> Action | None:
        """An offer that can no longer be kept, or that nobody is left to answer, is withdrawn."""
        assert view.seat is not None
        asked = {seat for seat in offer.parties if seat not in (view.seat, *offer.accepted)}
        if asked & self.people:
            return self._take_back_from_people(view, offer, asked & self.people)
        nobody = all(area.done for area in view.players if area.seat != view.seat)
        gain = judge(view, view.seat, offer.clauses, self.rates).gain
        if not nobody and gain >= 0:
            return None
        if gain <= IMPOSSIBLE:
            self.offers -= 1  # another deal came first: the next offer takes the place of this one
        self.bargain.forget()
        return WithdrawDeal(deal=offer.id)

    def _take_back_from_people(self, view: View, offer: Deal, asked: set[Seat]) -> Action | None:
        """What a person may be reading stays until it is impossible or has lain idle; they are told why."""
        assert view.seat is not None
        why = ""
        if any(view.players[seat].done for seat in asked):
            why = "taken_done"
        elif after(view, offer.clauses, offer.settles) is None:
            why = "taken_gone"
        elif offer.id in self.company.overdue:
            why = "taken_idle"
        elif offer.id not in self.company.fresh:
            changed = judge(view, view.seat, offer.clauses, self.rates, offer.settles).gain < 0
            why = "taken_changed" if changed else ""
        if not why:
            return None
        if why == "taken_idle":  # when they are back it may be offered again
            self.said.discard(offer.clauses)
            self.refused.discard(offer.clauses)
        self.bargain.forget()
        return WithdrawDeal(deal=offer.id, reason=Reason(code=why))

    def _violet(self, view: View) -> Action | None:
        """The next thing the plan does with a violet converter."""
        assert view.seat is not None
        moves = best_plan(view, view.seat, self.rates).moves
        return next((move for move in moves if self._first_time(view, move)), None)

    def _made_ready(self, view: View) -> Action | None:
        """A card made to be lent is upgraded before it is lent, if the plan does that with what is there."""
        assert view.seat is not None
        for move in best_plan(view, view.seat, self.rates).moves:
            if not isinstance(move, UpgradeCard):
                return None
            there = view.me.stock.covers(move.pay or NOTHING) and not move.colonies
            if there and CATALOG.cards[move.card].lent_only and self._first_time(view, move):
                return move
        return None

    def _first_time(self, view: View, move: Action) -> bool:
        key = (move, view.me.stock, len(view.me.cards))
        if key in self.refused:
            return False
        self.refused.add(key)
        return True

    def _answer(self, view: View, options: Options) -> Action | None:
        """Judge each offer once; what is turned down may be countered first."""
        me = view.seat
        assert me is not None
        legal = {choice.action.deal for choice in options.choices if isinstance(choice.action, AcceptDeal)}
        # A person waits for the answer, and what they ask for may be gone after another deal.
        offers = sorted(view.deals.items(), key=lambda item: item[1].proposer not in self.people)
        for name, deal in offers:
            if deal.proposer == me or me in deal.accepted or not (me in deal.parties or deal.is_open):
                continue
            if name in self.judged:
                continue
            reply = self._reply(view, deal, name in legal)
            if reply is not None:
                return reply
        return None

    def _reply(self, view: View, deal: Deal, legal: bool) -> Action | None:
        """What is said to one offer; None: nothing, for one that anybody else may take."""
        me, name = view.seat, deal.id
        assert me is not None
        if not legal:
            # While trading is open nobody waits for the answer; afterwards nothing goes on without it.
            if me not in deal.parties or (view.step == "trade" and self._is_stale(deal)):
                return None
            self.judged.add(name)
            return DeclineDeal(deal=name, reason=Reason(code="impossible"))
        answer = self.countered.get(name) or self.judge.answer(view, deal)
        if not answer.agrees and name not in self.countered and self._may_counter(view, deal):
            self.countered[name] = answer
            counter = self._counter(view, deal)
            if counter is not None:
                return counter
        first = self._what_comes_first(view, deal) if answer.agrees else None
        if first is not None and (me in deal.parties or isinstance(first, WithdrawDeal)):
            return first
        if first is not None:
            return None
        self.judged.add(name)
        if answer.agrees:
            self.judge.has_agreed(me, deal, answer)
            return AcceptDeal(deal=name, reason=answer.reason)
        return DeclineDeal(deal=name, reason=answer.reason) if me in deal.parties else None

    def _is_stale(self, deal: Deal) -> bool:
        """Whether another deal came before this one; the bot that made it takes it back if given time."""
        self.stale[deal.id] = self.stale.get(deal.id, 0) + 1
        return deal.proposer not in self.people and self.stale[deal.id] <= STALE

    def _what_comes_first(self, view: View, deal: Deal) -> Action | None:
        """What must be said before a deal is agreed to that breaks an offer to a person; None: nothing.

        A person's new offer takes the place of what that person was offered; for anybody else what a person
        was asked about is not to be had.
        """
        me = view.seat
        assert me is not None
        broken = self._breaks(view, deal.taken_by(me) if deal.is_open else deal)
        if not broken:
            return None
        if deal.proposer in self.people and all({*one.parties} == {me, deal.proposer} for one in broken):
            return WithdrawDeal(deal=broken[0].id, reason=Reason(code="taken_instead"))
        self.judged.add(deal.id)
        return DeclineDeal(deal=deal.id, reason=Reason(code="first"))

    def _breaks(self, view: View, deal: Deal) -> list[Deal]:
        """The offers to people that could not be kept if a deal were struck; from a person only my own.

        Between bots also what a person may be about to offer, and would be turned down for then.
        """
        standing = [one for one in self.company.asked(view) if one.id != deal.id]
        if self.people & {*deal.parties}:
            standing = [one for one in standing if one.proposer == view.seat]
            return broken_by(view, deal, standing, self.rates)
        broken = broken_by(view, deal, standing, self.rates)
        return broken or taken_away_by(view, deal, self.company.may_be_offered(view), self.judge.takes)

    def _may_counter(self, view: View, deal: Deal) -> bool:
        """A person's offer between two is countered once, while trading."""
        return view.step == "trade" and len(deal.parties) == 2 and deal.proposer in self.people

    def _counter(self, view: View, deal: Deal) -> Action | None:
        """The same with a price that suits us, or else the best deal there is with its proposer."""
        assert view.seat is not None
        if deal.is_open:
            deal = deal.taken_by(view.seat)
        if self.judge.heard.get(deal.proposer, 0) <= PATIENCE:
            found = priced(view, view.seat, deal, self.rates, self.level.least)
            if found is not None:
                return self._offer(view, view.seat, found, deal)
        if self.offers_to_people >= self.level.offers:
            return None
        proposal = self._propose(view, deal)
        self.offers_to_people += int(proposal is not None)
        return proposal

    def _propose(
        self, view: View, answers: Deal | None = None, without: Collection[Seat] = ()
    ) -> Action | None:
        """The best deal there is, without some seats, or the best with the seat whose offer is countered."""
        me = view.seat
        assert me is not None
        only = None if answers is None else answers.proposer
        search = self.search if self.people <= {*without} else self.search_for_people
        postponed = self._postponed(view)
        for _ in range(TRIES + (MORE_TRIES if self.people else 0)):
            found = search.best(view, me, self.refused | postponed, only, self.judge.distrusted, without)
            if found is None or found.gains.get(me, 0.0) < self.level.least:
                return None
            parties = parties_to(found.clauses)
            deal = Deal(id="", proposer=me, parties=parties, clauses=found.clauses)
            if answers is None and self._breaks(view, deal):
                postponed.add(found.clauses)
                continue
            self.refused.add(found.clauses)
            asks = self.bargain.asks(view, found)
            if search is self.search_for_people:
                found = shortened(view, me, found, self.rates, self.plain, self.level.least)
            cut = bargained(view, me, found, self.rates, asks, bool(self.people & {*found.gains}))
            offer = self._offer(view, me, cut, answers)
            if offer is not None and offer.clauses not in self.said:
                self.said.add(offer.clauses)
                return offer
            self.bargain.forget()
        return None

    def _postponed(self, view: View) -> set[object]:
        """Deals that would break what people are offered just now."""
        offers = (*self.company.asked(view), *self.company.may_be_offered(view))
        standing = tuple((deal.id, deal.clauses) for deal in offers)
        if standing != self.postponed[0]:
            self.postponed = standing, set()
        return self.postponed[1]

    def _offer(self, view: View, me: Seat, found: FoundDeal, answers: Deal | None) -> ProposeDeal | None:
        parties = parties_to(found.clauses)
        if me not in parties or len(parties) < 2:
            return None
        clauses = sweetened(view, me, found, self.rates)
        mine = judge(view, me, found.clauses, self.rates)
        if mine.gain < self.level.least or (answers is None and not self._fits(view, parties, found)):
            return None
        if answers is None and not self.judge.keeps_to(mine):
            return None
        return ProposeDeal(
            parties=parties,
            clauses=clauses,
            answers=None if answers is None else answers.id,
            reason=self.judge.why(view, me, clauses, mine),
        )

    def _fits(self, view: View, parties: tuple[Seat, ...], found: FoundDeal) -> bool:
        """Whether people would gain by the plain prices, however short the bot's own sight is."""
        people = [seat for seat in parties if seat in self.people and seat != view.seat]
        return all(worth(view, seat, found.clauses, self.plain) >= self.level.least for seat in people)

    # ------------------------------------------------------------ the other steps

    def _settle(self, view: View, options: Options) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None or view.seat not in view.waiting:
            return answer
        return Done()

    def _window(self, view: View, options: Options) -> Action | None:
        if view.me.done:
            return self._answer(view, options)
        return self._answer(view, options) or self._violet(view) or options.must or Done()

    def _gifts(self, view: View, options: Options) -> Action | None:
        return best_gifts(view, self.rates) if options.give_away else None

    def _support(self, view: View, options: Options) -> Action | None:
        return discarded(view, options, self.rates)

    def _plan(self, view: View, options: Options) -> Action | None:
        if view.me.done or view.seat is None:
            return None
        return LayPlan(runs=best_plan(view, view.seat, self.rates).runs)

    def _bid(self, view: View, options: Options, rng: Random) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None or view.bid is not None:
            return answer
        return promised_bid(view, options, *best_bid(view, self.rates, rng))

    def _auction(self, view: View, options: Options) -> Action | None:
        answer = self._answer(view, options)
        if answer is not None or view.seat not in view.waiting:
            return answer
        return bought(view, options, self.rates)

    def _steal(self, view: View, options: Options) -> Action | None:
        if view.seat not in view.waiting:
            return None
        return stolen(view, options, self.rates)

    def _handicap(self, view: View, options: Options) -> Action | None:
        return next((c.action for c in options.choices if isinstance(c.action, ChooseHandicap)), None)

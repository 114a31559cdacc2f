"""RandomPlayer: plays random legal actions, deals and promises included."""

from __future__ import annotations

from random import Random

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    ChooseGoods,
    DeclineDeal,
    Deliver,
    DiscardColonies,
    Done,
    Gift,
    GiveGifts,
    Invent,
    LayPlan,
    NotDone,
    Pass,
    PlaceBid,
    ProposeDeal,
    PutIntoPlay,
    Release,
    RunConverter,
    SplitBid,
    UpgradeCard,
    WithdrawDeal,
)
from elysian.deals import Deal, Forbear, NoBid, Seat
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.options import Options
from elysian.players.random.offers import Offers, to_settle
from elysian.players.random.plans import random_plan
from elysian.players.trader.bids import promised_bid
from elysian.view import View

# How gladly each ready-made action is taken; verbs of a species' own count as 1.
WEIGHTS: dict[type[Action], float] = {
    AcceptDeal: 4,
    DeclineDeal: 0.6,
    WithdrawDeal: 0.1,
    Deliver: 1,
    ChooseGoods: 0.5,
    ProposeDeal: 0.2,  # to keep a promise early
    Release: 0.02,
    Invent: 12,
    PutIntoPlay: 4,
    UpgradeCard: 4,
    RunConverter: 4,
    Buy: 2,
    Pass: 0.5,
    SplitBid: 2,
    Done: 0,  # grows with every time the seat is asked
    NotDone: 0,
    LayPlan: 0,
    PlaceBid: 0,
}
PROPOSE = 3.0
COMPENSATE = 0.4  # after trading has closed
COUNTER = 0.15  # the share of offers that answer another
IMPATIENCE = 0.12  # added to "done" every time the seat is asked
TRIES = 3  # after so many own plans, bids or gifts in one step it takes the ready-made one
BIDDING = ("bid", "colony_auction", "research_auction")


class RandomPlayer:
    """One seat of one game that picks among what is legal; knows only its view."""

    def __init__(self, offers: int = 5, asleep: float = 0.0) -> None:
        """At most `offers` offers in each Trade Phase; sleeps through a step with the chance `asleep`."""
        self.offers = offers
        self.asleep = asleep
        self._turn = 0
        self._step = ""
        self._asked = 0  # in this step
        self._offered = 0  # in this turn, while trading
        self._extra = 0  # offers of this turn after trading
        self._wavered = False  # took a "done" back, or changed a plan or bid, this turn
        self._sleeps = False

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """A random legal action, or None; deals are not tried out and may be refused."""
        self._notice(view, rng)
        if self._sleeps:
            return None
        self._asked += 1
        match view.step:
            case "trade" | "settle" | "window":
                return self._trade(view, options, rng)
            case "gifts":
                return self._gifts(view, options, rng)
            case "support":
                return self._discard(view, options, rng)
            case "plan":
                return self._plan(view, options, rng)
            case "bid" | "colony_auction" | "research_auction":
                return self._bid(view, options, rng)
            case _:
                return self._pick(options, rng, {Done: 1.0})

    def _notice(self, view: View, rng: Random) -> None:
        """A new turn or step begins with a clear head."""
        if view.turn != self._turn:
            self._turn = view.turn
            self._offered = self._extra = 0
            self._wavered = False
            self._step = ""
        if view.step != self._step:
            self._step = view.step
            self._asked = 0
            self._sleeps = rng.random() < self.asleep

    def _pick(
        self, options: Options, rng: Random, weights: dict[type[Action], float], otherwise: float = 0.0
    ) -> Action | None:
        """A ready-made action by weight; None with the weight `otherwise`, or when there is none."""
        actions = [choice.action for choice in options.choices]
        scale = [weights.get(type(action), WEIGHTS.get(type(action), 1.0)) for action in actions]
        if otherwise + sum(scale) <= 0:
            return None
        (action,) = rng.choices([*actions, None], [*scale, otherwise])
        return action

    # ------------------------------------------------------------ the Trade Phase

    def _trade(self, view: View, options: Options, rng: Random) -> Action | None:
        if view.me.done:
            return self._trade_after_all(view, options, rng)
        trading = view.step == "trade"
        patience = self._asked * IMPATIENCE + (0.0 if trading else 0.5)
        wish = PROPOSE if trading else COMPENSATE
        wish = wish if options.may_propose and self._may_offer(view) else 0.0
        save = 0.1 if view.step == "trade" and view.plan is None else 0.0
        ready = sum(WEIGHTS.get(type(choice.action), 1.0) for choice in options.choices)
        roll = rng.random() * (wish + save + ready + patience)
        if roll < wish:
            return self._propose(view, rng)
        if roll < wish + save:
            return LayPlan(runs=random_plan(view, options, rng), ready=False)
        return self._pick(options, rng, {Done: patience, WithdrawDeal: 0.0 if self._asked < 3 else 0.1})

    def _trade_after_all(self, view: View, options: Options, rng: Random) -> Action | None:
        """A seat that is done still answers offers; now and then it has second thoughts (TRADE-14)."""
        if not self._wavered and view.step == "trade" and rng.random() < 0.03:
            self._wavered = True
            self._asked = 0
            return NotDone()
        return self._pick(options, rng, {Release: 0.01, WithdrawDeal: 0.05}, otherwise=6.0)

    def _may_offer(self, view: View) -> bool:
        return self._offered < self.offers if view.step == "trade" else self._extra < 2

    def _propose(self, view: View, rng: Random) -> Action | None:
        offers = Offers(view, rng)
        if view.step in ("settle", "window"):
            self._extra += 1
            return offers.of_compensation() if to_settle(view) else None
        self._offered += 1
        for_me = [deal for deal in view.deals.values() if _is_for(view.seat, deal)]
        if for_me and rng.random() < COUNTER:
            return offers.counter(rng.choice(for_me))
        return offers.in_trade()

    def _gifts(self, view: View, options: Options, rng: Random) -> Action | None:
        """Every piece goes to somebody else; what must stay together goes to one player (ZETH-10)."""
        if not options.give_away:
            return self._pick(options, rng, {}, otherwise=6.0)
        others = [seat for seat in range(len(view.players)) if seat != view.seat]
        if self._asked > TRIES:
            return self._pick(options, rng, {GiveGifts: 1.0})
        shares: dict[Seat, Goods] = {}
        if view.me.tied:
            shares[rng.choice(others) if view.me.tied_to is None else view.me.tied_to] = view.me.tied
        for unit in view.me.donation.units():
            to = rng.choice(others)
            shares[to] = shares.get(to, NOTHING) + unit
        return GiveGifts(gifts=tuple(Gift(to=to, goods=goods) for to, goods in shares.items()))

    # ------------------------------------------------------------ the Economy Phase

    def _discard(self, view: View, options: Options, rng: Random) -> Action | None:
        if not options.discard:
            return None
        colonies = [card for card in view.me.cards if CATALOG.cards[card].is_colony]
        return DiscardColonies(cards=tuple(rng.sample(colonies, options.discard)))

    def _plan(self, view: View, options: Options, rng: Random) -> Action | None:
        if view.me.done:
            return None
        if self._asked > TRIES:
            return self._pick(options, rng, {LayPlan: 1.0})
        ready = self._wavered or rng.random() < 0.95
        self._wavered = self._wavered or not ready
        return LayPlan(runs=random_plan(view, options, rng), ready=ready)

    # ------------------------------------------------------------ the Confluence Phase

    def _bid(self, view: View, options: Options, rng: Random) -> Action | None:
        """Ships for the tracks, cards for ships; and deals about both (TRADE-15)."""
        if options.may_propose and self._extra < 2 and rng.random() < 0.08:
            self._extra += 1
            return Offers(view, rng).while_bidding()
        answer = self._pick(options, rng, {Buy: 0, Pass: 0, SplitBid: 0, Release: 0.02}, otherwise=1.0)
        if answer is not None:
            return answer
        if view.seat not in view.waiting:
            return None
        if view.step != "bid":
            quiet: dict[type[Action], float] = {
                AcceptDeal: 0.0,
                DeclineDeal: 0.0,
                WithdrawDeal: 0.0,
                Release: 0.0,
            }
            return self._pick(options, rng, quiet)
        if self._asked > 4 * TRIES:
            return self._pick(options, rng, {PlaceBid: 1.0})
        bid = self._ships(view, options.ships or 0, rng)
        return promised_bid(view, options, bid.colony, bid.research)

    def _ships(self, view: View, ships: int, rng: Random) -> PlaceBid:
        """A random split of most ships, within what the seat has promised (TRADE-10)."""
        most = {"colony": ships, "research": ships}
        for owed in view.obligations.values():
            clause = owed.clause
            if not isinstance(clause, Forbear) or clause.who != view.seat or clause.until < view.turn:
                continue
            if isinstance(clause.what, NoBid):
                most[clause.what.track] = min(most[clause.what.track], clause.what.most)
        used = ships - rng.randint(0, ships // 3)
        colony = rng.randint(0, used)
        return PlaceBid(colony=min(colony, most["colony"]), research=min(used - colony, most["research"]))


def _is_for(seat: Seat | None, deal: Deal) -> bool:
    return seat in deal.parties and seat != deal.proposer

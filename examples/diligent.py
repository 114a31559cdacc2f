"""A player in four thoughts: answer offers, propose swaps that help both, follow the best plan, bid."""

from elysian.actions import (
    AcceptDeal,
    Buy,
    DeclineDeal,
    DiscardColonies,
    Done,
    GiveGifts,
    LayPlan,
    Pass,
    PlaceBid,
    ProposeDeal,
)
from elysian.deals import Give
from elysian.goods import Goods
from elysian.worth import best_plan, judge

TRADED = ("green", "white", "brown", "black", "blue", "yellow", "ultratech")


class Diligent:
    """One seat of one game; what it remembers is in its attributes."""

    def __init__(self):
        """Sit down with nothing said yet."""
        self.turn = 0
        self.offered = set()  # what was proposed this turn: (partner, given, wanted)

    def choose(self, view, options, rng):
        """The action the seat asks for; None when it waits for others."""
        if view.turn != self.turn:
            self.turn, self.offered = view.turn, set()
        answer = self.answer(view, options)
        if answer is not None:
            return answer
        if view.seat not in view.waiting:
            return None
        if view.step == "trade":
            return self.trade(view, rng)
        if view.step == "window":
            return self.move(view)
        if view.step == "support":
            return DiscardColonies(cards=best_plan(view, view.seat).dropped)
        if view.step == "plan":
            return LayPlan(runs=best_plan(view, view.seat).runs)
        if view.step == "bid":
            ships = view.me.stock.ship
            return PlaceBid(colony=ships // 2, research=ships - ships // 2)
        # Anything else: the first gifts there are, a card that was won, or nothing more.
        actions = [choice.action for choice in options.choices]
        wanted = [action for action in actions if isinstance(action, GiveGifts | Buy | Pass | Done)]
        return (wanted or [None])[0]

    def answer(self, view, options):
        """Accept whatever brings at least a tenth of a point, turn the rest down."""
        for choice in options.choices:
            if not isinstance(choice.action, AcceptDeal):
                continue
            deal = view.deals[choice.action.deal]
            terms = deal.taken_by(view.seat) if deal.is_open else deal
            if judge(view, view.seat, terms.clauses, settles=deal.settles).gain > 0.1:
                return choice.action
            if view.seat in deal.parties:
                return DeclineDeal(deal=deal.id)
        return None

    def trade(self, view, rng):
        """A swap that helps both; when none is left the inventions and upgrades of the plan; then done."""
        if any(deal.proposer == view.seat for deal in view.deals.values()):
            return None  # one offer at a time; it is asked again when that has been answered
        swap = self.swap(view, rng)
        if swap is not None:
            return swap
        return self.move(view)

    def move(self, view):
        """The next invention, upgrade or the like of the best plan; done when there is none."""
        moves = best_plan(view, view.seat).moves
        return moves[0] if moves else Done()

    def swap(self, view, rng):
        """One good for another with a partner who gains by it too; at most four offers a turn."""
        if len(self.offered) >= 4:
            return None
        me = view.seat
        others = [area for area in view.players if area.seat != me]
        for _ in range(12):
            other = rng.choice(others)
            give, get = rng.sample(TRADED, 2)
            terms = (other.seat, give, get)
            if terms in self.offered or not getattr(view.me.stock, give) or not getattr(other.stock, get):
                continue
            clauses = (
                Give(giver=me, to=other.seat, goods=Goods(**{give: 1})),
                Give(giver=other.seat, to=me, goods=Goods(**{get: 1})),
            )
            if all(judge(view, seat, clauses).gain > 0.1 for seat in (me, other.seat)):
                self.offered.add(terms)
                return ProposeDeal(parties=(me, other.seat), clauses=clauses)
        return None

"""Central play: one player with everybody's goods, who plans to the end of the game and plays by the rules.

It looks at open cards only: unseen cards are shuffled anew for each plan. The rest is a legal game, with
deals in which everybody gives what the plan needs elsewhere; its record can be replayed like any other.

Planning is a heuristic, and bots sometimes do better: where a play of the same decks is known, `bettered`
begins with it and never comes to less.
"""

from __future__ import annotations

from math import inf
from random import Random

from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    DiscardColonies,
    Done,
    Invent,
    LayPlan,
    Pass,
    PlaceBid,
    ProposeDeal,
    PutIntoPlay,
    RunConverter,
    TimeUp,
    UpgradeCard,
)
from elysian.deals import AnyClause, CardId, Give, Lend, License, Seat, sides
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import TurnBegan
from elysian.goods import NOTHING, Goods
from elysian.record import Record, replay
from elysian.rules import decide, waiting
from elysian.rules.confluence import affordable, auction_of, next_bidder
from elysian.rules.economy import colony_support, judge, over_support
from elysian.rules.paying import colonies_held
from elysian.rules.violet import invention_discount
from elysian.species import rules_of
from elysian.state import TURNS, Pile, PlayerState, Run, State
from elysian.worth.bound import BoundStep, Horizon, Solution, SolverLimits

PLANS = 4  # made in one Trade Phase at most: a new one when a relic world was drawn or a step failed
# For a programme of SIZE variables. No clock: what is reached does not depend on how busy the machine is.
LIMITS = SolverLimits(work=50, gap=0.004, points=0.5, seconds=inf)
SIZE = 10_000  # a smaller one is searched in proportion longer, which takes less time all the same
ACKNOWLEDGED = Goods(acknowledgement=1)


class Central:
    """One game of the central player; `play` returns its record."""

    def __init__(self, record: Record, limits: SolverLimits = LIMITS) -> None:
        """Go on with a game from where its record stops, its decks in the order they lie."""
        self.record = Record(head=record.head, entries=list(record.entries))
        self.state = replay(record)
        self.seed = record.head.seed
        self.limits = limits
        self.runs: dict[Seat, tuple[Run, ...]] = {}
        self.buys: dict[Seat, list[CardId]] = {}
        self.useful: set[CardId] = set()  # colonies that run this turn

    def play(self) -> Record:
        """Play to the end."""
        while self.state.step != "over":
            before = len(self.record.entries)
            self._step()
            if len(self.record.entries) == before:
                self._do(None, TimeUp())
        return self.record

    def _step(self) -> None:
        match self.state.step:
            case "trade":
                self._trade()
            case "support":
                self._discard()
            case "plan":
                for seat in waiting(self.state):
                    self._do(seat, LayPlan(runs=self._legal(seat, self.runs.get(seat, ()))))
            case "bid":
                self._bid()
            case "colony_auction" | "research_auction":
                self._buy()
            case "window" | "steal":
                for seat in waiting(self.state):
                    self._do(seat, Done())
            case _:
                self._do(None, TimeUp())

    def _do(self, seat: Seat | None, action: Action) -> bool:
        """Ask for an action; False when the rules refuse it."""
        try:
            events, self.state = decide(self.state, seat, action)
        except IllegalAction:
            return False
        self.record.add(seat, action, events)
        return True

    def _deal(self, clauses: list[AnyClause]) -> bool:
        """A deal of these clauses, to which everybody named agrees; whether the rules allow it."""
        parties: dict[Seat, None] = {}
        for clause in clauses:
            assert isinstance(clause, Give | Lend | License)
            parties |= dict.fromkeys(sides(clause))
        first, *others = parties
        if not self._do(first, ProposeDeal(parties=tuple(parties), clauses=tuple(clauses))):
            return False
        name = f"d{self.state.made}"
        return all(self._do(seat, AcceptDeal(deal=name)) for seat in others)

    def _solve(self, horizon: Horizon) -> Solution | None:
        work = self.limits.work * SIZE // len(horizon.programme.worth)
        return horizon.solve(replace(self.limits, work=work))

    # ------------------------------------------------------------ the Trade Phase

    def _trade(self) -> None:
        self._pool_donations()
        steps: list[tuple[BoundStep, Goods]] = []
        for n in range(PLANS):
            horizon = Horizon(self._guess(n), whole=True)
            solution = self._solve(horizon)
            if solution is None:
                break
            steps = horizon.payments(solution)
            inventors = {team: seat for (team, seat), v in horizon.inventor.items() if solution.count(v)}
            colonies: dict[str, list[CardId]] = {}
            for variable, colony, icon in horizon.handing:
                if solution.count(variable):
                    colonies.setdefault(icon, []).append(colony)
            relics = len(self.state.relics)
            if self._violet(steps, inventors, colonies) and len(self.state.relics) == relics:
                break
        self._economy([(step.move, pay) for step, pay in steps if isinstance(step.move, Run)])
        for seat in waiting(self.state):
            if self.state.step == "trade":
                self._do(seat, Done())

    def _pool_donations(self) -> None:
        """Donation goods go round at once: for whoever gets them they are ordinary goods (DON-4)."""
        for seat in self.state.seats():
            player = self.state.players[seat]
            if player.to_give_away:
                self._deal([Give(giver=seat, to=self._next(seat), donation=player.to_give_away)])
            for card, held in player.cards.items():
                if CATALOG.cards[card].when_traded and held.owner in (None, seat):
                    self._deal([Give(giver=seat, to=self._next(seat), cards=(card,))])

    def _next(self, seat: Seat) -> Seat:
        return (seat + 1) % len(self.state.players)

    def _guess(self, n: int) -> State:
        """The table as it could be: what nobody has seen is shuffled, research within its era."""
        rng = Random(f"{self.seed}/{self.state.turn}/{self.state.step}/{n}")
        relics = list(self.state.relics)
        rng.shuffle(relics)
        return replace(
            self.state,
            colonies=_shuffled(self.state.colonies, rng),
            research=_shuffled(self.state.research, rng),
            relics=tuple(relics),
        )

    def _violet(
        self,
        steps: list[tuple[BoundStep, Goods]],
        inventors: dict[CardId, Seat],
        colonies: dict[str, list[CardId]],
    ) -> bool:
        """Carry out the violet part of a plan; False when something of it could not be done after all.

        What still lacks goods waits for the output of the others.
        """
        order: tuple[type, ...] = (Invent, License, PutIntoPlay, UpgradeCard, RunConverter)
        left = sorted(
            ((step, pay) for step, pay in steps if not isinstance(step.move, Run)),
            key=lambda step: order.index(type(step[0].move)),
        )
        while left:
            waiting = [(s, pay) for s, pay in left if not self._violet_step(s, pay, inventors, colonies)]
            if len(waiting) == len(left):
                return False
            left = waiting
        return True

    def _violet_step(
        self, step: BoundStep, pay: Goods, inventors: dict[CardId, Seat], colonies: dict[str, list[CardId]]
    ) -> bool:
        move = step.move
        if isinstance(move, License):
            return self._deal([move])
        if isinstance(move, Invent):
            return self._invent(inventors[move.card], move, pay)
        assert isinstance(move, PutIntoPlay | UpgradeCard | RunConverter)
        seat = step.seat
        if isinstance(move, UpgradeCard | RunConverter):
            holder = self._holder(move.card)
            if holder is None:
                return False
            seat = holder
        given = _given(step, colonies)
        if given is None:
            return False
        if not self._gather(seat, pay) or not all(self._hand_over(seat, colony) for colony in given):
            return False
        if not self._do(seat, replace(move, pay=pay if pay else None, colonies=given)):
            return False
        for there in colonies.values():
            there[:] = [colony for colony in there if colony not in given]
        return True

    def _invent(self, seat: Seat, move: Invent, pay: Goods) -> bool:
        if not self._hand_over(seat, move.card):
            return False
        if not self.state.players[seat].stock.acknowledgement:
            for giver, player in enumerate(self.state.players):
                has = player.stock.acknowledgement and giver != seat
                if has and rules_of(player.species).may_hand_on(ACKNOWLEDGED):
                    self._deal([Give(giver=giver, to=seat, goods=ACKNOWLEDGED)])
        for _ in range(invention_discount(self.state.players, seat)):
            kind = next((k for k, _ in pay.items() if k != "ultratech"), None)
            pay = pay if kind is None else pay - Goods(**{kind: 1})
        return self._gather(seat, pay) and self._do(seat, replace(move, pay=pay))

    # ------------------------------------------------------------ goods and cards where they are needed

    def _gather(self, seat: Seat, wanted: Goods, reserved: dict[Seat, Goods] | None = None) -> bool:
        """Others give the seat what it lacks, if they have it; False when there is not enough of it."""
        missing = self.state.players[seat].stock.missing(wanted - Goods(point=wanted.point))
        clauses: list[AnyClause] = []
        for giver, player in enumerate(self.state.players):
            if giver != seat and missing:
                spare = player.stock
                if reserved is not None:
                    spare = spare - spare.common(reserved.get(giver, NOTHING))
                given = spare.common(missing)
                if given:
                    clauses.append(Give(giver=giver, to=seat, goods=given))
                    missing = missing - given
        if missing and reserved is None:
            return False
        return (not clauses or self._deal(clauses)) and not missing

    def _holder(self, card: CardId) -> Seat | None:
        return next((seat for seat, p in enumerate(self.state.players) if card in p.cards), None)

    def _hand_over(self, seat: Seat, card: CardId) -> bool:
        """A borderless card goes to the seat that needs it."""
        holder = self._holder(card)
        if holder is None or holder == seat:
            return holder == seat
        return self._deal([Give(giver=holder, to=seat, cards=(card,))])

    # ------------------------------------------------------------ the Economy Phase

    def _economy(self, runs: list[tuple[Run, Goods]]) -> None:
        """Colonies go where they are supported, cards that must be lent are lent, goods follow the runs."""
        self.useful = {run.card for run, _ in runs}
        self._settle_colonies()
        mine: dict[Seat, list[Run]] = {}
        needed: dict[Seat, Goods] = {}
        for run, pay in runs:
            seat = self._runner(run.card)
            if seat is not None:
                mine.setdefault(seat, []).append(replace(run, pay=pay))
                needed[seat] = needed.get(seat, NOTHING) + pay
        for seat, goods in needed.items():
            self._gather(seat, goods, needed)
        self.runs = {seat: tuple(some) for seat, some in mine.items()}

    def _runner(self, card: CardId) -> Seat | None:
        """Who runs a card: its holder, or somebody else where its owner may not (ENI-2)."""
        seat = self._holder(card)
        if seat is None or not CATALOG.cards[card].lent_only:
            return seat
        if self.state.players[seat].cards[card].owner != seat:
            return seat
        to = self._next(seat)
        return to if self._deal([Lend(giver=seat, to=to, card=card)]) else None

    def _settle_colonies(self) -> None:
        for seat in self.state.seats():
            for colony in sorted(colonies_held(self.state.players[seat]), key=lambda c: c not in self.useful):
                room = next((s for s, p in enumerate(self.state.players) if _room(p) > 0), None)
                if not over_support(self.state.players[seat]) or room is None:
                    break
                self._hand_over(room, colony)

    def _discard(self) -> None:
        for seat in waiting(self.state):
            player = self.state.players[seat]
            order = sorted(colonies_held(player), key=lambda colony: colony in self.useful)
            self._do(seat, DiscardColonies(cards=tuple(order[: over_support(player)])))

    def _legal(self, seat: Seat, runs: tuple[Run, ...]) -> tuple[Run, ...]:
        """The runs that can all be made together; as a rule all of them."""
        kept: tuple[Run, ...] = ()
        for run in runs:
            try:
                judge(self.state, seat, (*kept, run))
            except IllegalAction:
                continue
            kept = (*kept, run)
        return kept

    # ------------------------------------------------------------ the Confluence Phase

    def _bid(self) -> None:
        """Everybody bids the minimum for the card the plan gives him."""
        horizon = Horizon(self._guess(0), whole=True)
        solution = self._solve(horizon)
        bids: dict[Seat, dict[str, int]] = {seat: {} for seat in self.state.seats()}
        self.buys = {seat: [] for seat in self.state.seats()}
        for variable, card, seat, ships in horizon.buys if solution is not None else ():
            if solution is not None and solution.count(variable):
                track = "research" if CATALOG.cards[card].research is not None else "colony"
                bids[seat][track] = ships
                self.buys[seat].append(card)
        for seat, bid in bids.items():
            self._do(seat, PlaceBid(colony=bid.get("colony", 0), research=bid.get("research", 0)))

    def _buy(self) -> None:
        bidder = next_bidder(self.state)
        assert bidder is not None
        there = {card for _, card in affordable(self.state, auction_of(self.state), bidder)}
        wanted = next((card for card in self.buys[bidder.seat] if card in there), None)
        self._do(bidder.seat, Pass() if wanted is None else Buy(card=wanted))


def bettered(record: Record, limits: SolverLimits = LIMITS) -> Record:
    """The play of a finished game, or one that scores more in sum.

    From the last turn back to the first, everything from there on is planned anew, and kept where it brings
    more; the first turn is where a game without a play to begin from would begin.
    """
    best = record
    for turn in range(TURNS, 0, -1):
        again = Central(_up_to(best, turn), limits).play()
        if total(again) > total(best):
            best = again
    return best


def total(record: Record) -> int:
    """The points of all seats together, in twelfths."""
    return sum(score.total for score in replay(record).scores)


def _up_to(record: Record, turn: int) -> Record:
    """What was played before a turn began; nothing at all for the first."""
    begins = (
        n
        for n, entry in enumerate(record.entries, 1)
        if any(isinstance(event, TurnBegan) and event.turn == turn for event in entry.events)
    )
    played = 0 if turn == 1 else next(begins)
    return Record(head=record.head, entries=record.entries[:played])


def _room(player: PlayerState) -> float:
    """How many more colonies a seat could keep."""
    return colony_support(player) - len(colonies_held(player))


def _given(step: BoundStep, colonies: dict[str, list[CardId]]) -> tuple[CardId, ...] | None:
    """The colonies the plan hands in for a step, each only once; None when there are too few."""
    given: list[CardId] = []
    for icon, n in step.cost.colonies:
        there = [colony for colony in colonies.get(icon, ()) if colony not in given]
        if len(there) < n:
            return None
        given += there[:n]
    return tuple(given)


def _shuffled(pile: Pile, rng: Random) -> Pile:
    """The open top card and the cards put under it in the open stay where they are."""
    end = len(pile.cards) - pile.known
    hidden = list(pile.cards[1:end])
    rng.shuffle(hidden)
    hidden.sort(key=lambda card: CATALOG.cards[card].era or 0)
    return replace(pile, cards=(*pile.cards[: min(1, end)], *hidden, *pile.cards[max(1, end) :]))


__all__ = ["Central", "bettered", "total"]

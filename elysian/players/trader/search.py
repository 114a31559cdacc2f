"""Search: deals of pairs and rings of seats, each searched once for every state of the goods."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Iterable
from itertools import combinations
from threading import local
from typing import Any

from msgspec.structs import replace

from elysian.deals import AnyClause, Give, Seat
from elysian.goods import Goods
from elysian.species import rules_of
from elysian.view import View
from elysian.worth import (
    DealModel,
    DealPolicy,
    FoundDeal,
    Party,
    Prices,
    SolverLimits,
    party_of,
    table_deal,
    worth,
)
from elysian.worth.milp import INFINITE
from elysian.worth.problem import Key

PAIR = SolverLimits(work=60, gap=0.05, points=0.1, near=1.5, worth=0.5)
ONE_PAIR = replace(PAIR, near=0.5)  # of who searches no more than one
RING = SolverLimits(work=30, gap=0.1, points=0.3, near=1.0, worth=0.8)
# What people can read is bounded in kinds of things, of which a relaxation takes a little of each: nothing
# that can be read is near it.
READ_PAIR = SolverLimits(work=60, gap=0.05, points=0.1)
READ_RING = SolverLimits(work=30, gap=0.1, points=0.3)
# What may follow a deal is looked for while somebody waits: nearer, and not so long.
GLANCE = SolverLimits(work=20, gap=0.2, points=0.3, near=0.35, worth=1.0)
NEAR = 4  # partners among whom rings are looked for
WHOLE = 5  # seats from which on a deal is one of the whole table: of four, pairs and rings bring more
CREDIT = 6  # goods of the next turn that anybody would promise or believe
SHARE = 0.74  # of an equal share of what a deal brings: a little more than any bot's floor
EVEN = 0.7  # the floor itself
EVEN_FOR_ALL = 0.3  # the same in a deal of the whole table, whose maker gains no more than an equal share
WORTH_SOLVING = 1.0  # points that a relaxation must promise to be worth a search
CLOSE = 0.7  # a deal that comes so close to what the next search promises is good enough
ALIKE = 0.005  # points by which two promises may differ and be the same

Chance = tuple[float, object, list[Party]]  # what a search promises, its key, the seats

_MEMORY: OrderedDict[object, Any] = OrderedDict()
_REMEMBERED = 20_000
_MODELLED = 60  # what one seat has relaxed the next may search, a few seats later


def _recall(key: object, search: Callable[[], Any]) -> Any:
    """What one seat has searched the next need not search again; a search has no other input than its key."""
    if key not in _MEMORY:
        _MEMORY[key] = search()
        if len(_MEMORY) > _REMEMBERED:
            _MEMORY.popitem(last=False)
    return _MEMORY[key]


class _DealModels(local):
    """The models of one thread, the latest last: a model is not for two to solve at a time."""

    def __init__(self) -> None:
        self.kept: OrderedDict[object, DealModel] = OrderedDict()


_models = _DealModels()


def _even(found: FoundDeal, me: Seat | None = None, part: float = EVEN) -> bool:
    """Whether nobody, or nobody else, gets so little that a bot would turn it down."""
    least = part / len(found.gains) * found.surplus
    return all(gain >= least for seat, gain in found.gains.items() if seat != me)


def _best(chances: list[Chance]) -> list[Chance]:
    return sorted(chances, key=lambda chance: -chance[0])


class _Parties:
    """Seats as they would come to a deal, each thought about when it is first asked for."""

    def __init__(self, view: View, rates: Prices, distrusted: Container[Seat]) -> None:
        self._view = view
        self._rates = rates
        self._distrusted = distrusted
        self._known: dict[Seat, tuple[object, Party]] = {}

    def joined(self, seats: tuple[Seat, ...]) -> tuple[list[object], list[Party]]:
        """The parties to a deal of some seats, and what each is remembered by."""
        parts = [self._of(seat)[0] for seat in seats]
        ring = [self._of(seat)[1] for seat in seats]
        if len(ring) == 2:
            tied = [with_tied(self._view, *ring), with_tied(self._view, *reversed(ring))]
            parts = [
                part if now is party else now.key for now, party, part in zip(tied, ring, parts, strict=True)
            ]
            ring = tied
        return parts, ring

    def _of(self, seat: Seat) -> tuple[object, Party]:
        if seat not in self._known:
            party = party_of(self._view, seat, self._rates, 0 if seat in self._distrusted else CREDIT)
            self._known[seat] = party.key, party
        return self._known[seat]


class DealSearch:
    """Finds deals on a view for one seat."""

    def __init__(
        self,
        rates: Prices,
        policy: DealPolicy,
        rings: tuple[int, ...] = (2,),
        tries: int = 3,
        pair: SolverLimits | None = None,
    ) -> None:
        """Search with these prices among so many seats at a time, at most so many searches a proposal."""
        self.rates = rates
        self.policy = policy
        self.rings = rings
        self.tries = tries
        near = pair or (ONE_PAIR if tries == 1 else PAIR)
        self._pair, self._three = (READ_PAIR, READ_RING) if policy.taste.most else (near, RING)
        self._taste = Key(rates, policy)
        self._turn = 0
        self._in_vain: dict[tuple[Seat, ...], float] = {}  # seats without a deal this turn: their promise
        self._promised: dict[tuple[Seat, ...], float] = {}  # what seats promised when last asked this turn

    def best(
        self,
        view: View,
        me: Seat,
        refused: set[object],
        only: Seat | None = None,
        distrusted: Container[Seat] = (),
        without: Container[Seat | None] = (),
    ) -> FoundDeal | None:
        """The best deal not refused before, of the first size that has one; perhaps with or without some."""
        everybody = [
            area.seat
            for area in view.players
            if area.seat != me and area.seat not in without and only in (None, area.seat)
        ]
        parties = _Parties(view, self.rates, distrusted)
        if view.turn != self._turn:
            self._turn, self._in_vain, self._promised = view.turn, {}, {}
        near: list[Seat] = []
        for size in self.rings if only is None else (2,):
            others = everybody
            if size > 2 and len(others) > NEAR:
                # A ring is closed among those with whom a pair already promises most.
                others = [seat for seat in others if seat in near[:NEAR]]
            some = combinations(others, size - 1)
            chances = self._chances(parties, [tuple(sorted((me, *seats))) for seats in some])
            if size == 2:
                near = [p.hand.seat for _, _, pair in chances for p in pair if p.hand.seat != me]
            found = self._of_size(view, chances, me, refused) if chances else None
            if found is not None:
                return found
        return None

    def together(
        self,
        view: View,
        me: Seat,
        refused: set[object],
        without: Container[Seat] = (),
        distrusted: Container[Seat] = (),
    ) -> FoundDeal | None:
        """A deal of the whole table, or of all but some, that leaves nobody much less than an equal share."""
        seats = tuple(area.seat for area in view.players if area.seat not in without)
        if len(seats) < WHOLE:
            return None
        parts, ring = _Parties(view, self.rates, distrusted).joined(seats)
        key = ("together", *parts, self._taste)
        found: FoundDeal | None = _recall(
            key, lambda: table_deal(ring, self.rates, replace(self.policy, credit=CREDIT))
        )
        if found is None or me not in found.gains or found.clauses in refused:
            return None
        found = judged(view, found.clauses, found.gains, self.rates)
        return found if len(found.gains) >= WHOLE and _even(found, part=EVEN_FOR_ALL) else None

    def _chances(self, parties: _Parties, rings: list[tuple[Seat, ...]]) -> list[Chance]:
        """The seats that promise enough, best first; who searches only one of them looks at no more."""
        if self.tries == 1:
            # What seats promise changes little with a deal of one of them, and mostly becomes less.
            rings.sort(key=lambda seats: -self._promised.get(seats, INFINITE))
        chances: list[Chance] = []
        most = WORTH_SOLVING
        for seats in rings:
            if self.tries == 1 and self._promised.get(seats, INFINITE) < most:
                break
            parts, ring = parties.joined(seats)
            key: object = (*parts, self._taste)
            promise = self._promised[seats] = self._promise(key, ring)
            most = max(most, promise)
            if promise >= WORTH_SOLVING:
                chances.append((promise, key, ring))
        return _best(chances)

    def _of_size(self, view: View, chances: list[Chance], me: Seat, refused: set[object]) -> FoundDeal | None:
        """The best of the deals that promise most; the search ends when the next one promises little more."""
        best: FoundDeal | None = None
        tries = self.tries if len(chances[0][2]) == 2 else self.tries - 1
        for promise, key, ring in chances[:tries]:
            if best is not None and best.merit >= CLOSE * promise:
                break
            found = self._deal(promise, key, ring)
            if found is None or me not in found.gains or found.clauses in refused:
                continue
            # A search stops when it is good enough; what the deal is worth exactly is judged here.
            found = judged(view, found.clauses, found.gains, self.rates)
            if not _even(found, me):
                continue
            if best is None or found.gains[me] > best.gains[me]:
                best = found
        return best

    def _promise(self, key: object, ring: list[Party]) -> float:
        def search() -> float:
            return self._model(key, ring).promise()

        return float(_recall(("promise", key), search))

    def _deal(self, promise: float, key: object, ring: list[Party]) -> FoundDeal | None:
        """The deal of some seats; not searched for again while what has changed is nothing to them."""
        seats = tuple(party.hand.seat for party in ring)
        if abs(self._in_vain.get(seats, 0.0) - promise) < ALIKE:
            return None

        limits = self._pair if len(ring) == 2 else self._three

        def search() -> FoundDeal | None:
            return self._model(key, ring).deal(limits)

        found: FoundDeal | None = _recall(("deal", key, limits), search)
        if found is None:
            self._in_vain[seats] = promise
        return found

    def _model(self, key: object, ring: list[Party]) -> DealModel:
        """What is relaxed and then searched is built once."""
        kept = _models.kept
        if key not in kept:
            kept[key] = DealModel(ring, self.rates, self.policy)
            if len(kept) > _MODELLED:
                kept.popitem(last=False)
        return kept[key]


def with_tied(view: View, party: Party, other: Party) -> Party:
    """A party to a deal of two, with the donation goods that must all go to one player (ZETH-10)."""
    area = view.players[party.hand.seat]
    if not area.tied or area.tied_to not in (None, other.hand.seat):
        return party
    return replace(party, donation=party.donation + area.tied)


def judged(view: View, clauses: tuple[AnyClause, ...], seats: Iterable[Seat], rates: Prices) -> FoundDeal:
    """A deal with what it is worth to some seats exactly."""
    return FoundDeal(clauses=clauses, gains={seat: worth(view, seat, clauses, rates) for seat in seats})


def sweetened(view: View, me: Seat, found: FoundDeal, rates: Prices) -> tuple[AnyClause, ...]:
    """The same deal with tokens that pay their maker when they come back, if it stays even for the others."""
    mine = rules_of(view.me.species).may_hand_on(Goods(acknowledgement=1))
    left = view.me.stock.acknowledgement if mine else 0
    sweet: list[AnyClause] = []
    for clause in found.clauses:
        sweet.append(clause)
        if not isinstance(clause, Give) or clause.giver != me or not left:
            continue
        if view.players[clause.to].stock.acknowledgement < 2:
            left -= 1
            sweet[-1] = replace(clause, goods=clause.goods + Goods(acknowledgement=1))
    clauses = tuple(sweet)
    if clauses == found.clauses or not _even(judged(view, clauses, found.gains, rates), me):
        return found.clauses
    return clauses

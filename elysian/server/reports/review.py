"""Review: what mattered in a finished game to one seat, what would have been better and by how much.

Every number is the value of a best plan less the value of another at the same moment, from what the seat
could see then. What is advised brought points at that moment; a plan that the solver could not prove to be
the best is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import AnyClause, CardId, Deal, Seat
from elysian.events import (
    CardBought,
    DealDeclined,
    DealOffered,
    DealsLapsed,
    DealStruck,
    PlanLaid,
)
from elysian.players.suggestions import Suggester
from elysian.server.ops.errors import Refused
from elysian.species import rules_of
from elysian.state import TURNS, Run, State
from elysian.view import View, view
from elysian.worth import IMPOSSIBLE, PlanDeed, best_plan, hand_of, judge, prices, situation_of, solve
from elysian.worth.meaning import steps_of
from elysian.worth.plans import plan_with

MOMENTS = 5
LEAST = 0.3  # points that a moment must be about

MomentKind = Literal["taken", "mistaken", "refused", "unanswered", "missed", "violet", "white", "bid"]
Past = tuple[State, State, Any, int]  # the table before and after an event, the event, its line


class Moment(Struct, frozen=True):
    """Something that mattered: with `points` above zero it was well done, below zero it cost that much."""

    n: int  # the line after which the table stood as it is judged
    turn: int
    kind: MomentKind
    points: float
    parties: tuple[Seat, ...] = ()  # the others in a deal
    clauses: tuple[AnyClause, ...] = ()
    gains: dict[Seat, float] = {}  # of a deal nobody proposed, to everybody in it
    step: PlanDeed | None = None  # what was left undone, or could have run
    card: CardId = ""  # what was bought
    ships: int = 0  # bid beyond need


class TurnReview(Struct, frozen=True):
    """One turn: where it began, what deals brought, the best that was left, and what it teaches."""

    turn: int
    begin: int  # the line after which its trading began: the turn can be played again from there
    points: int  # scored in it
    deals: int
    traded: float  # what its deals bettered the plan by
    missed: Moment | None  # the best deal nobody proposed
    lesson: Moment | None  # what cost most; None: nothing did


class Review(Struct, frozen=True):
    """A game as one seat played it."""

    seat: Seat
    place: int
    total: float
    best: float  # of the others
    moments: tuple[Moment, ...]  # the weightiest, in the order of the game
    turns: tuple[TurnReview, ...]


def review(history: Iterable[Past], seat: Seat, levels: Mapping[Seat, str]) -> Review:
    """What a game was like for a seat; `levels` are the bots of the others. Raises Refused before its end."""
    known = list(history)
    found = [one for turn in range(1, TURNS + 1) for one in moments(known, seat, levels, turn)]
    return assembled(known, seat, found)


def moments(history: Iterable[Past], seat: Seat, levels: Mapping[Seat, str], turn: int) -> tuple[Moment, ...]:
    """What mattered to a seat in one turn; this is what takes long."""
    reader = _Reader(seat, levels)
    for before, after, event, n in history:
        if before.turn == turn:
            reader.read(before, after, event, n)
    return tuple(reader.moments)


def assembled(history: Iterable[Past], seat: Seat, found: Iterable[Moment]) -> Review:
    """The review of a seat from the moments of all turns; raises Refused before the end of the game."""
    begins: dict[int, tuple[int, int]] = {}  # turn -> its line, the score then
    last: State | None = None
    for _, last, _, n in history:
        if last.step == "trade":
            begins.setdefault(last.turn, (n, last.players[seat].score))
    if last is None or not last.scores:
        raise Refused("game_on", status=403)
    known = tuple(found)
    mine = next(score for score in last.scores if score.seat == seat)
    others = [score.total for score in last.scores if score.seat != seat]
    weighty = _weighty(known)[:MOMENTS]
    scores = [*(score for _, (_, score) in sorted(begins.items())), last.players[seat].score]
    return Review(
        seat=seat,
        place=1 + sum(total > mine.total for total in others),
        total=mine.total / 12,
        best=max(others) / 12,
        moments=tuple(sorted(weighty, key=lambda one: (one.turn, one.n))),
        turns=tuple(
            _turn(turn, begin, scores[place + 1] - score, [one for one in known if one.turn == turn])
            for place, (turn, (begin, score)) in enumerate(sorted(begins.items()))
        ),
    )


def _weighty(known: Iterable[Moment]) -> list[Moment]:
    """The weightiest first; what was left undone turn after turn counts once."""
    found: dict[object, Moment] = {}
    for one in sorted(known, key=lambda one: -abs(one.points)):
        key = (one.kind, one.step.card) if one.step is not None else (one.kind, one.n)
        found.setdefault(key, one)
    return list(found.values())


def _turn(turn: int, begin: int, points: int, mine: list[Moment]) -> TurnReview:
    deals = [one for one in mine if one.kind in ("taken", "mistaken")]
    return TurnReview(
        turn=turn,
        begin=begin,
        points=points,
        deals=len(deals),
        traded=round(sum(one.points for one in deals), 2),
        missed=next((one for one in mine if one.kind == "missed"), None),
        lesson=min((one for one in mine if one.points < 0), key=lambda one: one.points, default=None),
    )


class _Reader:
    """Goes through a turn once and notes what mattered to a seat."""

    def __init__(self, seat: Seat, levels: Mapping[Seat, str]) -> None:
        self.seat = seat
        self.levels = {other: level for other, level in levels.items() if other != seat}
        self.moments: list[Moment] = []
        self.answered: set[str] = set()  # offers that I countered

    def read(self, before: State, after: State, event: Any, n: int) -> None:
        """Note what an event means to the seat."""
        if before.step == "trade" and after.step != "trade":
            self._closed(before, n)
        if isinstance(event, DealOffered) and event.deal.proposer == self.seat and event.deal.answers:
            self.answered.add(event.deal.answers)
        elif isinstance(event, DealStruck) and self.seat in event.parties:
            self._struck(before, event, n)
        elif isinstance(event, DealDeclined) and event.by == self.seat:
            self._let_go(before, (event.deal,), "refused", n)
        elif isinstance(event, DealsLapsed):
            self._let_go(before, event.deals, "unanswered", n)
        elif isinstance(event, PlanLaid) and event.by == self.seat and event.runs is not None:
            self._planned(before, event.runs, n)
        elif isinstance(event, CardBought) and event.by == self.seat:
            self._bought(before, event, n)

    # ------------------------------------------------------------ deals

    def _struck(self, before: State, event: DealStruck, n: int) -> None:
        deal = before.deals[event.deal]
        taker = next((party for party in event.parties if party not in deal.parties), self.seat)
        taken = deal.taken_by(taker)
        gain = self._worth(before, taken)
        if gain is not None and abs(gain) >= 0.01:
            self._note(before, n, "taken" if gain > 0 else "mistaken", gain, taken)

    def _let_go(self, before: State, names: Iterable[str], kind: MomentKind, n: int) -> None:
        """An offer I could have taken, and did not: the best of those that go together."""
        best: tuple[float, Deal] | None = None
        for name in names:
            deal = before.deals[name]
            if self.seat not in deal.parties or deal.proposer == self.seat or name in self.answered:
                continue
            waits = set(deal.parties) - set(deal.accepted) - {self.seat}
            gain = None if waits or self.seat in deal.accepted else self._worth(before, deal)
            if gain is not None and gain >= LEAST and (best is None or gain > best[0]):
                best = gain, deal
        if best is not None:
            self._note(before, n, kind, -best[0], best[1])

    def _worth(self, state: State, deal: Deal) -> float | None:
        """What a deal was worth to me then; None: it could not be, or nobody can say exactly."""
        found = judge(view(state, self.seat), self.seat, deal.clauses, settles=deal.settles)
        exact = found.before.exact and found.after.exact
        return round(found.gain, 2) if exact and found.gain > IMPOSSIBLE else None

    def _note(self, state: State, n: int, kind: MomentKind, points: float, deal: Deal) -> None:
        others = tuple(party for party in deal.parties if party != self.seat)
        self.moments.append(
            Moment(n=n - 1, turn=state.turn, kind=kind, points=points, parties=others, clauses=deal.clauses)
        )

    # ------------------------------------------------------------ what trading left

    def _closed(self, state: State, n: int) -> None:
        """Trading has closed: what could still have been traded, invented or upgraded."""
        seen = view(state, self.seat)
        found = next(iter(Suggester(seen, self.seat, self.levels).best(1)), None)
        if found is not None and found.gains[self.seat] >= LEAST:
            exact = judge(seen, self.seat, found.clauses)
            if exact.before.exact and exact.after.exact:
                self.moments.append(
                    Moment(
                        n=n - 1,
                        turn=state.turn,
                        kind="missed",
                        points=-round(exact.gain, 2),
                        parties=tuple(seat for seat in found.gains if seat != self.seat),
                        clauses=found.clauses,
                        gains={seat: round(gain, 2) for seat, gain in found.gains.items()},
                    )
                )
        lost, step = violet_left(seen, self.seat)
        if lost >= LEAST and step is not None:
            self.moments.append(Moment(n=n - 1, turn=state.turn, kind="violet", points=-lost, step=step))

    # ------------------------------------------------------------ plans and bids

    def _planned(self, state: State, runs: tuple[Run, ...], n: int) -> None:
        lost, step = white_left(view(state, self.seat), self.seat, runs)
        if lost >= LEAST and step is not None:
            self.moments.append(Moment(n=n - 1, turn=state.turn, kind="white", points=-lost, step=step))

    def _bought(self, state: State, event: CardBought, n: int) -> None:
        more = overbid(state, self.seat, event)
        points = round(more * prices().of("ship", state.turn), 2)
        if points >= LEAST:
            self.moments.append(
                Moment(n=n - 1, turn=state.turn, kind="bid", points=-points, card=event.card, ships=more)
            )


def violet_left(seen: View, seat: Seat) -> tuple[float, PlanDeed | None]:
    """What inventions and other violet moves would still have brought, and the weightiest of them."""
    hand, now = hand_of(seen, seat), situation_of(seen, seat)
    best = solve(hand, now, prices())
    without = solve(hand, replace(now, violet=False), prices())
    moves = [step for step in steps_of(best) if step.verb != "run"]
    if not (best.exact and without.exact) or not moves:
        return 0.0, None
    return round(best.value - without.value, 2), moves[0]


def white_left(seen: View, seat: Seat, runs: Iterable[Run]) -> tuple[float, PlanDeed | None]:
    """What the best plan brings more than the white converters that were chosen, and what it runs besides."""
    chosen = tuple(runs)
    best, kept = best_plan(seen, seat), plan_with(seen, seat, chosen)
    ran = {run.card for run in chosen}
    besides = [step for step in steps_of(best) if step.verb == "run" and step.card not in ran]
    if not (best.exact and kept.exact) or not besides:
        return 0.0, None
    return round(best.value - kept.value, 2), besides[0]


def overbid(state: State, seat: Seat, event: CardBought) -> int:
    """Ships bid for a card beyond what was needed to come before the next bidder and to reach the card."""
    if event.track == "colony" and rules_of(state.players[seat].species).colony_bid(1) != 1:
        return 0  # ships that count for more or less
    minimums = state.colony_minimums if event.track == "colony" else state.research_minimums
    rivals = [bidder.ships for bidder in state.queue if bidder.seat != seat]
    needed = max([minimums[event.space], *(ships + 1 for ships in rivals)])
    return max(0, event.ships - needed)

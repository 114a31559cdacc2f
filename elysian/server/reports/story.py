"""The story of a finished game in numbers: points by source, who traded what with whom, prices, promises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from elysian.book_value import BOOK, book
from elysian.deals import Seat
from elysian.event_parts import Moved
from elysian.events import (
    ConverterRun,
    DealStruck,
    Event,
    GameStarted,
    GiftGiven,
    ObligationBroken,
    ObligationKept,
    ObligationLapsed,
    ObligationReleased,
    PledgePaid,
    ProductionRun,
    TechnologiesShared,
    TechnologyInvented,
)
from elysian.goods import Goods
from elysian.rules import begin, evolve
from elysian.server.ops.errors import Refused
from elysian.server.table_state.events import Line, TableEvent
from elysian.state import State
from elysian.view import View, view
from elysian.worth import gain_of

# What a unit counts for when trades are compared; no rule, only a common measure.
SMALL_CUBE = BOOK["green"]  # the unit in which the story counts

SOURCE: dict[type[Event], str] = {
    TechnologyInvented: "invention",
    TechnologiesShared: "sharing",
    ProductionRun: "converter",
    ConverterRun: "converter",
    DealStruck: "gift",
    GiftGiven: "gift",
    PledgePaid: "gift",
    ObligationBroken: "penalty",
}


class Sources(Struct, frozen=True):
    """Points by where they came from."""

    invention: int = 0
    sharing: int = 0
    converter: int = 0
    card: int = 0  # cards and pieces of a species: put into play, upgraded, or scoring by themselves
    gift: int = 0  # donation points others gave
    penalty: int = 0  # promises that were broken

    def more(self, source: str, points: int) -> Sources:
        """These and some more from one source."""
        return replace(self, **{source: getattr(self, source) + points})

    def together(self) -> int:
        """The sum over all sources."""
        return sum(asdict(self).values())


class SeatStory(Struct, frozen=True):
    """How one seat fared."""

    seat: Seat
    species: str
    turns: tuple[Sources, ...]  # all points up to the end of each turn
    left: Goods  # in stock at the end
    leftovers: float  # points for them
    total: float
    winner: bool
    deals: int
    gave: float  # book value
    got: float
    surplus: float  # what its deals bettered its best plans by, each when it was struck


class Trade(Struct, frozen=True):
    """What went from one seat to another in all deals, by book value."""

    giver: Seat
    to: Seat
    value: float
    deals: int


class Price(Struct, frozen=True):
    """What one unit was sold for in a turn: book value of what came back, over deals that sold only this."""

    good: str
    turn: int
    units: int
    paid: float  # for one


PromiseOutcome = Literal["kept", "broken", "released", "replaced", "lapsed", "open"]


class Promised(Struct, frozen=True):
    """One promise and what became of it."""

    made: int  # turn
    debtor: Seat
    creditor: Seat
    outcome: PromiseOutcome
    n: int  # the line that settled it
    turn: int
    points: int = 0  # lost for breaking it


class Struck(Struct, frozen=True):
    """A deal that was struck."""

    n: int
    turn: int
    parties: tuple[Seat, ...]
    moved: tuple[Moved, ...]
    value: float  # book value of all that changed hands
    gains: tuple[float, ...]  # what it was worth to each party then, by its best plan

    def gain_of(self, seat: Seat) -> float:
        """What it was worth to a seat; nothing to those who had no part in it."""
        return dict(zip(self.parties, self.gains, strict=True)).get(seat, 0.0)


class Story(Struct, frozen=True):
    """The whole game."""

    seats: tuple[SeatStory, ...]
    trades: tuple[Trade, ...]
    prices: tuple[Price, ...]
    promises: tuple[Promised, ...]
    biggest: tuple[Struck, ...]  # deals, the biggest first


class PastTable(Struct, frozen=True):
    """The table after one line of a game that is over, as a spectator saw it, with everybody's points."""

    n: int
    view: View | None  # None: the game had not begun
    points: tuple[int, ...] = ()


def past_table(state: State | None, n: int) -> PastTable:
    """The table after line `n`, when the game stood so; None: it had not begun."""
    if state is None:
        return PastTable(n=n, view=None)
    return PastTable(n=n, view=view(state, None), points=tuple(player.score for player in state.players))


def steps(lines: Iterable[Line]) -> Iterator[tuple[State, State, Any, int]]:
    """Every event of the game with the table before and after it, and the number of its line."""
    state: State | None = None
    for line in lines:
        for event in line.events:
            if isinstance(event, GameStarted):
                state = begin(event)
                yield state, state, event, line.n
            elif state is not None and not isinstance(event, TableEvent):
                before, state = state, evolve(state, event)
                yield before, state, event, line.n


def story(lines: Iterable[Line]) -> Story:
    """The story a log tells; raises Refused when no game has ended in it."""
    history = list(steps(lines))
    if not history or not history[-1][1].scores:
        raise Refused("game_on", status=403)
    last = history[-1][1]
    struck = [_struck(before, event, n) for before, _, event, n in history if isinstance(event, DealStruck)]
    trades = _trades(struck)
    points = _points(history)
    return Story(
        seats=tuple(
            SeatStory(
                seat=score.seat,
                species=last.players[score.seat].species,
                turns=tuple(turn[score.seat] for turn in points),
                left=last.players[score.seat].stock,
                leftovers=score.goods / 12,
                total=score.total / 12,
                winner=score.winner,
                deals=sum(score.seat in deal.parties for deal in struck),
                gave=sum(trade.value for trade in trades if trade.giver == score.seat),
                got=sum(trade.value for trade in trades if trade.to == score.seat),
                surplus=round(sum(deal.gain_of(score.seat) for deal in struck), 2),
            )
            for score in last.scores
        ),
        trades=trades,
        prices=_prices(struck),
        promises=tuple(_promises(history)),
        biggest=tuple(sorted(struck, key=lambda deal: -deal.value)[:3]),
    )


# ---------------------------------------------------------------- points


def _points(history: list[tuple[State, State, Any, int]]) -> list[list[Sources]]:
    """For every turn, what each seat had made up to its end; the sum is its score by the rules."""
    sums = [Sources() for _ in history[0][0].players]
    turns: dict[int, list[Sources]] = {}
    for before, after, event, _ in history:
        for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True)):
            made = now.score - was.score
            if made and isinstance(event, TechnologyInvented) and event.bonus:
                sums[seat] = sums[seat].more("sharing", event.bonus).more("invention", made - event.bonus)
            elif made:
                sums[seat] = sums[seat].more(SOURCE.get(type(event)) or "card", made)
        turns[before.turn] = list(sums)
    return [turns[turn] for turn in sorted(turns)]


# ---------------------------------------------------------------- trades


def _struck(before: State, event: DealStruck, n: int) -> Struck:
    return Struck(
        n=n,
        turn=before.turn,
        parties=event.parties,
        moved=event.moved,
        value=sum(worth(_handed(moved)) for moved in event.moved),
        gains=tuple(
            gain_of(view(before, seat), seat, before.deals[event.deal], event.parties)
            for seat in event.parties
        ),
    )


def _handed(moved: Moved) -> Goods:
    return moved.goods + moved.donation + moved.tied


def worth(goods: Goods) -> float:
    """The book value of goods."""
    return book(goods) / SMALL_CUBE


def _trades(struck: Iterable[Struck]) -> tuple[Trade, ...]:
    sums: dict[tuple[Seat, Seat], tuple[float, int]] = {}
    for deal in struck:
        for moved in deal.moved:
            value, deals = sums.get((moved.giver, moved.to), (0.0, 0))
            sums[moved.giver, moved.to] = (value + worth(_handed(moved)), deals + 1)
    return tuple(Trade(giver, to, value, deals) for (giver, to), (value, deals) in sorted(sums.items()))


def _prices(struck: Iterable[Struck]) -> tuple[Price, ...]:
    """From deals of two in which goods alone changed hands and one side gave only one kind."""
    sums: dict[tuple[str, int], tuple[int, float]] = {}
    for deal in struck:
        if len(deal.moved) != 2 or any(moved.cards for moved in deal.moved):
            continue
        one, other = (_handed(moved) for moved in deal.moved)
        for sold, paid in ((one, other), (other, one)):
            kinds = {kind: n for kind, n in asdict(sold).items() if n}
            if len(kinds) == 1 and paid and worth(paid):
                ((kind, n),) = kinds.items()
                units, value = sums.get((kind, deal.turn), (0, 0.0))
                sums[kind, deal.turn] = (units + n, value + worth(paid))
    return tuple(
        Price(kind, turn, units, value / units)
        for (kind, turn), (units, value) in sorted(sums.items())
        if kind in BOOK
    )


# ---------------------------------------------------------------- promises


def _promises(history: list[tuple[State, State, Any, int]]) -> Iterator[Promised]:
    """Every promise once, in the order in which they ended; those that outlived the game last."""
    for before, after, event, n in history:
        for name, owed in before.obligations.items():
            if name not in after.obligations:
                yield Promised(
                    made=owed.made,
                    debtor=owed.debtor,
                    creditor=owed.creditor,
                    outcome=_outcome(event),
                    n=n,
                    turn=before.turn,
                    points=event.points if isinstance(event, ObligationBroken) else 0,
                )
    last, n = history[-1][1], history[-1][3]
    for owed in last.obligations.values():
        yield Promised(owed.made, owed.debtor, owed.creditor, "open", n, last.turn)


def _outcome(event: Event) -> PromiseOutcome:
    match event:
        case ObligationBroken():
            return "broken"
        case ObligationKept() | PledgePaid():
            return "kept"
        case ObligationReleased():
            return "released"
        case ObligationLapsed():
            return "lapsed"
        case _:
            return "replaced"

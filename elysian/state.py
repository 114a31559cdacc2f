"""State: all that is true at the table, secrets included."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import CardId, Deal, Forbear, Obligation, Restraint, Seat
from elysian.goods import NOTHING, Goods

TURNS = 6

Edition = Literal["2017", "2020", "de2021"]
Phase = Literal["trade", "economy", "confluence", "over"]
Step = Literal[
    "handicap",  # a seat picks the colour of its handicap cube (OPT-2)
    "trade",
    "settle",  # compensation for promises that could not be kept (TRADE-11)
    "gifts",  # forced gifts (DON-6)
    "window",  # the last violet converters (PHASE-2, step 5)
    "support",
    "plan",
    "bid",
    "colony_auction",
    "research_auction",
    "steal",
    "over",
]

PHASE_OF: dict[str, Phase] = {
    "handicap": "trade",
    "trade": "trade",
    "settle": "trade",
    "gifts": "trade",
    "window": "trade",
    "support": "economy",
    "plan": "economy",
    "bid": "confluence",
    "colony_auction": "confluence",
    "research_auction": "confluence",
    "steal": "confluence",
    "over": "over",
}


class Handicap(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One small cube more or less at the start (OPT-2)."""

    seat: Seat
    cubes: Literal[-1, 1]
    colour: str | None = None  # None: the player picks it (German edition)


class Settings(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What was agreed before the start."""

    species: tuple[str, ...]  # by seat
    edition: Edition = "2020"
    precise_scoring: bool = False
    precise_when_tied: bool = False  # tied leaders are compared by precise scoring (German edition)
    handicaps: tuple[Handicap, ...] = ()
    private_offers: bool = False  # offers are shown to their parties only
    trade_minutes: int | None = None  # None: no trade timer; the table keeps the clock
    allow_three: bool = False


# ---------------------------------------------------------------- players and the table


class Held(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card in play in somebody's area."""

    owner: Seat | None = None  # None: borderless, it belongs to its holder
    flipped: bool = False
    seedling: bool = False


class Run(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One run of one white converter."""

    card: CardId
    converter: int = 0
    cost: int = 0  # which of the printed input sets
    pay: Goods | None = None  # None: exactly what is printed
    colour: str | None = None  # of the output, when only wild cubes go into an interest converter


class Bid(Struct, frozen=True, gc=False):
    """Ships set aside for the two tracks."""

    colony: int = 0
    research: int = 0


class Bidder(Struct, frozen=True, gc=False, omit_defaults=True):
    """A bid that has not been acted on yet."""

    seat: Seat
    ships: int
    half: bool = False  # one half of a split bid


class PlayerState(Struct, frozen=True, gc=False):
    """One seat's area."""

    species: str
    stock: Goods = NOTHING  # never holds points
    donation: Goods = NOTHING
    tied: Goods = NOTHING  # donation goods of one run that must all go to one player (ZETH-10)
    tied_to: Seat | None = None  # None: nothing of it has gone yet
    score: int = 0
    cards: dict[CardId, Held] = {}
    deck: tuple[CardId, ...] = ()  # species cards out of play
    spent: dict[CardId, CardId] = {}  # card -> the card it lies under
    invented: tuple[CardId, ...] = ()  # research teams turned to their technology side

    @property
    def to_give_away(self) -> Goods:
        """Everything on the donation card."""
        return self.donation + self.tied if self.tied else self.donation

    def gaining(self, goods: Goods) -> PlayerState:
        """Points go to the score, everything else to stock (ECON-11)."""
        if goods.point:
            points = Goods(point=goods.point)
            return replace(self, stock=self.stock + goods - points, score=self.score + goods.point)
        return replace(self, stock=self.stock + goods)

    def paying(self, goods: Goods) -> PlayerState:
        """Points come from the score, everything else from stock."""
        if goods.point:
            points = Goods(point=goods.point)
            return replace(self, stock=self.stock - goods + points, score=self.score - goods.point)
        return replace(self, stock=self.stock - goods)

    def can_pay(self, goods: Goods) -> bool:
        """Whether stock and score hold what a payment takes; donation goods do not count (DON-2)."""
        if goods.point:
            return self.score >= goods.point and self.stock.covers(goods - Goods(point=goods.point))
        return self.stock.covers(goods)


class Pile(Struct, frozen=True, gc=False):
    """A deck, top first, its top card open; the last `known` cards were put under it in the open."""

    cards: tuple[CardId, ...] = ()
    known: int = 0


class Invention(Struct, frozen=True, gc=False):
    """A technology invented this turn."""

    seat: Seat
    card: CardId


class FinalScore(Struct, frozen=True, gc=False):
    """One seat's result, in twelfths of a point so that halves and precise scoring are exact."""

    seat: Seat
    points: int
    goods: int  # twelfths
    total: int  # twelfths
    winner: bool


class State(Struct, frozen=True, gc=False):
    """All that is true at the table."""

    settings: Settings
    players: tuple[PlayerState, ...]
    colony_minimums: tuple[int, ...]
    research_minimums: tuple[int, ...]
    bonus: tuple[tuple[int, int], ...]  # per turn: ordinary, for technologies that are not shared
    colonies: Pile
    research: Pile
    relics: tuple[CardId, ...] = ()  # face down
    colony_track: tuple[CardId | None, ...] = ()
    research_track: tuple[CardId | None, ...] = ()
    shared: tuple[CardId, ...] = ()  # technologies in the middle of the table
    removed: tuple[CardId, ...] = ()
    turn: int = 1
    step: Step = "trade"
    deals: dict[str, Deal] = {}
    obligations: dict[str, Obligation] = {}
    choices: dict[str, Goods] = {}  # what shall keep promises of a choice; known to who chose (TRADE-17)
    serving: frozenset[Seat] = frozenset()  # debtors who choose whom to serve (TRADE-12)
    made: int = 0  # deals ever offered, for their ids
    done: frozenset[Seat] = frozenset()  # have answered in this step
    ran: frozenset[tuple[CardId, int]] = frozenset()  # violet and red converters run this turn
    traded: frozenset[tuple[Seat, Seat]] = frozenset()  # who traded with whom this turn
    robbed: frozenset[Seat] = frozenset()
    invented: tuple[Invention, ...] = ()  # this turn
    plans: dict[Seat, tuple[Run, ...]] = {}
    bids: dict[Seat, Bid] = {}
    queue: tuple[Bidder, ...] = ()
    scores: tuple[FinalScore, ...] = ()

    @property
    def phase(self) -> Phase:
        """The phase the current step belongs to."""
        return PHASE_OF[self.step]

    def with_player(self, seat: Seat, player: PlayerState) -> State:
        """The same table with one seat's area replaced."""
        players = self.players
        return replace(self, players=(*players[:seat], player, *players[seat + 1 :]))

    def seats(self) -> range:
        """All seats, in seat order."""
        return range(len(self.players))

    def seat_of(self, species: str) -> Seat | None:
        """The seat that plays a species; None when nobody does."""
        try:
            return self.settings.species.index(species)
        except ValueError:
            return None


def forbearances(state: State, seat: Seat) -> list[Restraint]:
    """The moves a seat has promised not to make this turn (TRADE-10)."""
    return [
        obligation.clause.what
        for obligation in state.obligations.values()
        if isinstance(obligation.clause, Forbear)
        and obligation.clause.who == seat
        and state.turn <= obligation.clause.until
    ]

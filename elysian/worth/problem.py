"""What a seat brings to a plan: its goods and cards, the state of the turn, and what a deal could change."""

from __future__ import annotations

from msgspec import Struct

from elysian.actions import Action
from elysian.catalog import Cost
from elysian.deck import CATALOG
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.state import Held, Run

FLOWS = (*SMALL, *LARGE, "wild_small", "wild_large", "ultratech", "ship")
Terms = list[tuple[int, float]]


class Key:
    """What a search is remembered by; hashing a whole hand takes a while, so it is done once."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: object) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._hash == other._hash and self._parts == other._parts


class Hand(Struct, frozen=True):
    """What a seat has to work with."""

    seat: int
    species: str
    stock: Goods
    cards: dict[str, Held]
    deck: tuple[str, ...]
    support: float
    away: dict[str, Held] = {}  # own cards that others hold for this turn
    owed: Goods = NOTHING  # must be there when the turn ends, or costs points
    bound: frozenset[str] = frozenset()  # cards promised to others: neither spent nor traded
    deeds: frozenset[tuple[str, str]] = frozenset()  # (verb, subject) undertaken for this turn
    licences: tuple[str, ...] = ()  # technologies it may license to others

    @property
    def key(self) -> object:
        """Everything in it, to remember a search by."""
        return (
            self.seat,
            self.species,
            self.stock,
            tuple(self.cards.items()),
            self.deck,
            self.support,
            tuple(self.away.items()),
            self.owed,
            self.bound,
            self.deeds,
            self.licences,
        )


class Situation(Struct, frozen=True):
    """What of the table matters to everybody's plans."""

    turn: int
    violet: bool  # the Trade Phase is still on
    produces: bool  # the Economy Phase is still to come
    ran: frozenset[tuple[str, int]]  # converters of its cards that have run this turn
    bonus: float  # for an invention now
    next_bonus: float
    relics: int
    discount: int = 0  # cubes an invention costs less
    bids: tuple[float, ...] = ()  # what the first ships left for the auctions add to their price, one by one


class Chosen(Struct, frozen=True):
    """An activity of the programme, to be turned back into a move."""

    variable: int
    cost: Cost
    move: Action | Run
    slots: tuple[tuple[int, str], ...] = ()  # (variable, colony) that may be handed in
    interest: str | None = None  # the colour that goes in and comes out


class Trades(Struct):
    """What could come to a seat, or leave it, in the deal that is being looked for."""

    goods: dict[str, int] = {}  # kind -> variable: what comes in, less what goes out
    promised: dict[str, int] = {}  # kind -> variable: what must be left to be handed over next turn
    teams: dict[str, int] = {}  # research team -> variable: this seat has it
    colonies: dict[str, tuple[Held, int]] = {}  # colony -> how it lies, variable: this seat has it
    loans: dict[str, tuple[Held, int]] = {}  # species card -> how it lies, variable: lent to this seat
    lent: dict[str, Terms] = {}  # own species card -> variables: lent to somebody
    licences: dict[str, int] = {}  # technology -> variable: licensed to this seat
    # Kind -> what all of them hold of it; what more would be needed for is left out. None: nothing is.
    within: dict[str, int] | None = None


def paid_for(cost: Cost, wild: dict[str, int], spread: dict[str, int]) -> Goods:
    """One activity's share of the wild cubes and of the cubes for any-colour icons, which it uses up.

    The programme knows only how many of each are used in all; any way to share them out pays.
    """
    pay: dict[str, int] = {}
    for kind, n in cost.goods.items():
        stands_in = min(n, wild.get(kind, 0))
        if stands_in:
            wild[kind] -= stands_in
            name = "wild_small" if kind in SMALL else "wild_large"
            pay[name] = pay.get(name, 0) + stands_in
        pay[kind] = pay.get(kind, 0) + n - stands_in
    for icons, kinds in (
        (cost.any_small, (*SMALL, "wild_small")),
        (cost.any_large, (*LARGE, "wild_large")),
    ):
        for _ in range(icons):
            kind = next((k for k in kinds if spread.get(k, 0)), kinds[0])
            spread[kind] = spread.get(kind, 0) - 1
            pay[kind] = pay.get(kind, 0) + 1
    return Goods(**pay)


def makes(hand: Hand) -> set[str]:
    """The kinds of goods a seat has or can make this turn."""
    kinds = {kind for kind, _ in hand.stock.items()}
    for name, held in hand.cards.items():
        card = CATALOG.cards[name]
        for face in (card.face(held.flipped), card.back or card.front):
            for converter in face.converters:
                kinds |= {kind for kind, _ in converter.gain.items()}
            if face.half is not None:
                kinds |= {kind for kind, _ in face.half.gain.items()}
    return kinds


def wants_colony(hand: Hand) -> bool:
    """Whether a seat has room for a colony or a converter that consumes one."""
    held = sum(1 for name in hand.cards if CATALOG.cards[name].is_colony)
    if held < hand.support:
        return True
    costs = [
        cost
        for name, lies in hand.cards.items()
        for converter in CATALOG.cards[name].face(lies.flipped).converters
        if converter.when == "trade"
        for cost in converter.costs
    ]
    costs += [up.cost for name in hand.cards for up in CATALOG.cards[name].upgrades if up.cost is not None]
    costs += [
        entry.cost
        for name in hand.deck
        if (entry := CATALOG.cards[name].entry) is not None and entry.cost is not None
    ]
    return any(cost.colonies for cost in costs)

"""What a seat brings to a plan: its goods and cards, the moment, and what a deal could change."""

from __future__ import annotations

from msgspec import Struct

from elysian.actions import Action
from elysian.catalog import Cost
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.state import Held, Run

FLOWS = (*SMALL, *LARGE, "wild_small", "wild_large", "ultratech", "ship")
Terms = list[tuple[int, float]]


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


class Moment(Struct, frozen=True):
    """What of the table matters to everybody's plans."""

    turn: int
    violet: bool  # the Trade Phase is still on
    ran: frozenset[tuple[str, int]]
    bonus: float  # for an invention now
    next_bonus: float
    relics: int
    discount: int = 0  # cubes an invention costs less


class Chosen(Struct, frozen=True):
    """An activity of the programme, to be turned back into a move."""

    variable: int
    cost: Cost
    move: Action | Run
    slots: tuple[tuple[int, str], ...] = ()  # (variable, colony) that may be handed in


class Trades(Struct):
    """What could come to a seat, or leave it, in the deal that is being looked for."""

    goods: dict[str, int] = {}  # kind -> variable: what comes in, less what goes out
    promised: dict[str, int] = {}  # kind -> variable: what must be left to be handed over next turn
    teams: dict[str, int] = {}  # research team -> variable: this seat has it
    colonies: dict[str, tuple[Held, int]] = {}  # colony -> how it lies, variable: this seat has it
    loans: dict[str, tuple[Held, int]] = {}  # species card -> how it lies, variable: lent to this seat

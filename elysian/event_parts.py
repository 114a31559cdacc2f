"""Parts of events: who paid what, what went where, which cards entered."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from elysian.deals import CardId, Seat
from elysian.goods import NOTHING, Goods
from elysian.state import Held


class Start(Struct, frozen=True, gc=False, omit_defaults=True):
    """What one seat begins with."""

    species: str
    stock: Goods
    cards: dict[CardId, Held]
    deck: tuple[CardId, ...]


class Paid(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a seat gave for a converter: goods to the supply, colonies under the deck or out of the game."""

    goods: Goods = NOTHING
    under: tuple[CardId, ...] = ()
    removed: tuple[CardId, ...] = ()


class Moved(Struct, frozen=True, gc=False, omit_defaults=True):
    """What went from one seat to another."""

    giver: Seat
    to: Seat
    goods: Goods = NOTHING  # from stock
    donation: Goods = NOTHING  # from the donation card
    tied: Goods = NOTHING  # from the donation card, of a run whose goods must stay together
    cards: tuple[CardId, ...] = ()


class Licensed(Struct, frozen=True, gc=False):
    """A card that entered play by a licence."""

    giver: Seat
    to: Seat
    technology: str
    card: CardId


class Entered(Struct, frozen=True, gc=False):
    """A species card that entered its owner's play."""

    seat: Seat
    card: CardId


class Bonus(Struct, frozen=True, gc=False):
    """Points for one invention at sharing."""

    seat: Seat
    card: CardId
    points: int


class Refreshed(Struct, frozen=True, gc=False):
    """One track after the refresh, and what went under its deck."""

    under: tuple[CardId, ...]
    track: tuple[CardId | None, ...]
    drawn: int


class Returned(Struct, frozen=True, gc=False):
    """A lent card that went home."""

    card: CardId
    holder: Seat
    owner: Seat


class Standing(Struct, frozen=True, gc=False):
    """An open bid in the order in which they act, and what puts it before the next."""

    seat: Seat
    ships: int
    counts: float
    held: int  # cards of that type; -1: fewer than anybody's, whatever lies there
    tiebreaker: float | None  # None: higher than any
    half: bool
    ahead: Literal["bid", "cards", "tiebreaker"] | None  # None: the last, or its own other half is next

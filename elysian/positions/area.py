"""What can be arranged: a seat's area, cards in play, promises that stand, the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from msgspec import Struct

from elysian.deals import Binding, CardId, Seat
from elysian.goods import Goods
from elysian.state import Run, Step


class ImpossiblePosition(ValueError):  # noqa: N818 - it says what it is
    """No game comes to such a table; the sentence says why."""


class Placed(Struct, frozen=True):
    """A card in play, and how it lies."""

    card: CardId
    flipped: bool = False  # upgraded
    seedling: bool = False  # a colony that runs twice
    spent: CardId | None = None  # the technology that was paid for the upgrade, and lies under it


class Area(Struct, frozen=True, kw_only=True):
    """What one seat has and has done; None leaves it as it was."""

    goods: Goods | None = None  # exactly these in stock
    donation: Goods | None = None  # exactly these to be given away
    score: int | None = None
    cards: Sequence[CardId | Placed] | None = None  # exactly these in play
    also: Sequence[CardId | Placed] = ()  # in play besides
    invented: Sequence[str] | None = None  # technologies, or research teams, it keeps to itself
    done: bool = False  # has said so in this step
    plan: Sequence[Run] | None = None  # laid, in the step "plan"
    bid: tuple[int, int] | None = None  # ships for colonies and research, locked in the step "bid"


class Promise(Struct, frozen=True):
    """A promise that stands, and the turn it was made in."""

    clause: Binding
    made: int | None = None  # None: in the turn that is arranged


Areas = Mapping[str, Area] | Mapping[Seat, Area] | Mapping[str | Seat, Area]  # by species or by seat


class Changes(TypedDict, total=False):
    """What can be changed about a table; what is left out stays as it was."""

    turn: int
    step: Step
    seats: Areas
    colony_track: Sequence[CardId | None]  # the first spaces; the others are empty
    research_track: Sequence[CardId | None]
    colonies: Sequence[CardId]  # on top of the deck
    research: Sequence[CardId]
    relics: Sequence[CardId]
    shared: Sequence[str]  # technologies in the middle; everybody's own card of one comes into play
    put_back: Sequence[CardId]  # to the deck they come from, as what lay where others are put
    promises: Sequence[Binding | Promise]  # exactly these stand

"""Deals: parties, the kinds of clause, and the promises that stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from elysian.goods import NOTHING, Count, Goods

Seat = int
CardId = str
ANYONE: Seat = -1  # in an offer: whoever accepts first

Track = Literal["colony", "research"]


class Clause(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """One line of a deal."""


class Give(Clause, frozen=True, tag="give"):
    """Hand over now, for good: from stock, from the donation card, borderless cards."""

    giver: Seat
    to: Seat
    goods: Goods = NOTHING
    donation: Goods = NOTHING
    cards: tuple[CardId, ...] = ()


class Lend(Clause, frozen=True, tag="lend"):
    """The use of a species card for the rest of this turn; it goes home by itself (TRADE-6)."""

    giver: Seat
    to: Seat
    card: CardId


class License(Clause, frozen=True, tag="license"):
    """Leave to put one's own card of an unshared technology into play (YEN-5)."""

    giver: Seat
    to: Seat
    technology: str


Handing = Give | Lend | License


class Lot(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One way to keep a promise of a choice: some goods, and so many cubes of any of the kinds named."""

    goods: Goods = NOTHING
    cubes: Count = 0
    kinds: tuple[str, ...] = ()


class OneOf(Clause, frozen=True, tag="one_of"):
    """Goods of one of several lots; debtor or creditor says which, and of what colours (TRADE-17)."""

    giver: Seat
    to: Seat
    lots: Annotated[tuple[Lot, ...], Meta(max_length=6)]
    chosen_by: Literal["debtor", "creditor"]

    @property
    def chooser(self) -> Seat:
        """Who chooses."""
        return self.giver if self.chosen_by == "debtor" else self.to


Owing = Give | Lend | License | OneOf


class Deed(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something a seat does that a promise can hang on."""

    who: Seat
    verb: Literal["run", "invent", "upgrade", "enter", "buy", "bid"]
    subject: str  # a card; for "invent" a technology (era IV: the research team), for "bid" a track
    least: Count = 0  # ships, for "bid"


class Pledge(Clause, frozen=True, tag="pledge"):
    """A handing-over due in the Trade Phase of turn `due`, perhaps only if a deed was done."""

    what: Owing
    due: int
    at: Literal["start", "close"] = "start"
    only_if: Deed | None = None  # None: always


class Undertake(Clause, frozen=True, tag="undertake"):
    """A deed to be done by the end of a phase; not done, it costs what a missing card costs."""

    to: Seat
    deed: Deed
    turn: int
    by: Literal["trade", "economy", "confluence"]


class NoSteal(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="steal", tag_field="kind"):
    """Not to steal from a seat."""

    target: Seat


class NoTake(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="take", tag_field="kind"):
    """Not to take a card from its track."""

    card: CardId


class NoBid(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="bid", tag_field="kind"):
    """Not to bid more than `most` ships on a track."""

    track: Track
    most: Annotated[int, Meta(ge=0)]


class NoTrade(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="trade", tag_field="kind"):
    """Not to strike a deal to which a seat is party."""

    partner: Seat


class NoHand(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="hand", tag_field="kind"):
    """Not to give or lend a card to anybody, or to anybody but one seat."""

    card: CardId
    but: Seat | None  # None: to nobody


class NoLicense(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="license", tag_field="kind"):
    """Not to license a technology to anybody, or to anybody but one seat."""

    technology: str
    but: Seat | None  # None: to nobody


class NoInvent(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="invent", tag_field="kind"):
    """Not to invent a technology (era IV: named by its research team)."""

    subject: str


Restraint = NoSteal | NoTake | NoBid | NoTrade | NoHand | NoLicense | NoInvent


class Forbear(Clause, frozen=True, tag="forbear"):
    """A move that is illegal up to and including turn `until`, unless `to` releases it."""

    who: Seat
    to: Seat
    what: Restraint
    until: int


class Note(Clause, frozen=True, tag="note"):
    """Words; remembered, not enforced."""

    text: Annotated[str, Meta(max_length=500)]


AnyClause = Give | Lend | License | Pledge | Undertake | Forbear | Note
Binding = Pledge | Undertake | Forbear


def sides(clause: AnyClause | OneOf) -> tuple[Seat, ...]:
    """Whom a clause binds and to whom; words bind nobody."""
    if isinstance(clause, Pledge):
        return clause.what.giver, clause.what.to
    if isinstance(clause, Undertake):
        return clause.deed.who, clause.to
    if isinstance(clause, Forbear):
        return clause.who, clause.to
    return () if isinstance(clause, Note) else (clause.giver, clause.to)


def parties_to(clauses: Iterable[AnyClause]) -> tuple[Seat, ...]:
    """Everybody whom the clauses bind or to whom they bind somebody, in the order of the seats."""
    return tuple(sorted({seat for clause in clauses for seat in sides(clause)}))


class Reason(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Why a computer player says what it says: a sentence of the message files, and what that names.

    It is put into words for each reader, in their language (`Telling.reason`).
    """

    code: Annotated[str, Meta(max_length=40)]
    goods: Goods = NOTHING
    cards: Annotated[tuple[CardId, ...], Meta(max_length=20)] = ()
    subject: str = ""  # a card or a technology
    price: Goods = NOTHING


class Deal(Struct, frozen=True, gc=False, omit_defaults=True):
    """An offer on the table; it never changes but for who has accepted."""

    id: str
    proposer: Seat
    parties: tuple[Seat, ...]
    clauses: tuple[AnyClause, ...]
    accepted: tuple[Seat, ...] = ()
    answers: str | None = None  # the offer this one counters
    settles: tuple[str, ...] = ()  # the promises this one replaces
    reason: str | Reason = ""

    @property
    def is_open(self) -> bool:
        """Whether anyone may accept it."""
        return ANYONE in self.parties

    def taken_by(self, seat: Seat) -> Deal:
        """The same offer with `seat` in the place of anyone."""
        return replace(
            self,
            parties=tuple(seat if party == ANYONE else party for party in self.parties),
            clauses=tuple(_named(clause, seat) for clause in self.clauses),
        )


def _named(part: Any, seat: Seat) -> Any:
    """A clause with `seat` wherever it says anyone."""
    changes = {}
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if field in ("giver", "to", "who", "target", "partner", "but"):
            if value == ANYONE:
                changes[field] = seat
        elif isinstance(value, Owing | Deed | Restraint):
            changes[field] = _named(value, seat)
    return replace(part, **changes)


class Obligation(Struct, frozen=True, gc=False, omit_defaults=True):
    """A promise that stands."""

    id: str
    deal: str
    parties: tuple[Seat, ...]  # of the deal it came from
    clause: Binding
    made: int  # turn
    met: bool = False  # the condition of a pledge has come true

    @property
    def debtor(self) -> Seat:
        """Who must keep it."""
        return sides(self.clause)[0]

    @property
    def creditor(self) -> Seat:
        """To whom it is owed, and who may release it."""
        return sides(self.clause)[1]

    @property
    def awaits(self) -> Deed | None:
        """The deed it hangs on, until that is done; None: it waits for nothing."""
        return self.clause.only_if if isinstance(self.clause, Pledge) and not self.met else None

    @property
    def waits(self) -> bool:
        """Whether it hangs on a condition that has not come true: nothing is owed on it yet."""
        return self.awaits is not None

"""Actions: what a seat asks for, one frozen Struct per verb."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from elysian.deals import AnyClause, CardId, Reason, Seat
from elysian.goods import Goods
from elysian.state import Run

Index = Annotated[int, Meta(ge=0, le=99)]
Ships = Annotated[int, Meta(ge=0, le=9999)]
Why = Annotated[str, Meta(max_length=500)] | Reason  # one's own words, or a sentence for every language


@cache
def snake(name: str) -> str:
    """The `kind` under which a class travels: AcceptDeal becomes accept_deal."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Action(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
):
    """What a seat asks for."""


class ProposeDeal(Action, frozen=True):
    """Put an offer on the table; the proposer is one of its parties and accepts it by proposing."""

    parties: Annotated[tuple[Seat, ...], Meta(max_length=9)]
    clauses: Annotated[tuple[AnyClause, ...], Meta(max_length=60)]
    answers: str | None = None
    settles: tuple[str, ...] = ()
    reason: Why = ""


class AcceptDeal(Action, frozen=True):
    """Agree to an offer; the last party's word strikes the deal."""

    deal: str
    reason: Why = ""


class DeclineDeal(Action, frozen=True):
    """Turn an offer down; it leaves the table."""

    deal: str
    reason: Why = ""


class WithdrawDeal(Action, frozen=True):
    """Take one's own offer back."""

    deal: str
    reason: Why = ""


class Deliver(Action, frozen=True):
    """Hand over now what is possible of a pledge that has fallen due; earlier it takes an offer."""

    obligation: str


class ChooseGoods(Action, frozen=True):
    """Say with what goods a promise of a choice shall be kept; may be changed until it is due (TRADE-17)."""

    obligation: str
    goods: Goods


class Release(Action, frozen=True):
    """Let a seat off a promise that is owed to oneself."""

    obligation: str


class Done(Action, frozen=True):
    """Nothing more to do in this step."""


class NotDone(Action, frozen=True):
    """Take back a "done" (TRADE-14)."""


class RunConverter(Action, frozen=True):
    """Run a violet converter of a card held."""

    card: CardId
    converter: Index = 0
    cost: Index = 0
    pay: Goods | None = None  # None: exactly what is printed
    colonies: tuple[CardId, ...] = ()


class PutIntoPlay(Action, frozen=True):
    """Run the converter by which one's own card enters play (VIO-4)."""

    card: CardId
    pay: Goods | None = None
    colonies: tuple[CardId, ...] = ()


class UpgradeCard(Action, frozen=True):
    """Flip a card in one of its printed ways (UPG-1)."""

    card: CardId
    way: Index = 0
    pay: Goods | None = None
    colonies: tuple[CardId, ...] = ()


class Invent(Action, frozen=True):
    """Run a research team's converter (INV-1)."""

    card: CardId
    cost: Index = 0
    pay: Goods | None = None


class Gift(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Donation goods for one player."""

    to: Seat
    goods: Goods


class GiveGifts(Action, frozen=True):
    """Give donation goods away that were not traded (DON-6)."""

    gifts: Annotated[tuple[Gift, ...], Meta(max_length=60)]


class DiscardColonies(Action, frozen=True):
    """Put the colonies above one's support under the deck, in this order (ECON-1)."""

    cards: tuple[CardId, ...]


class LayPlan(Action, frozen=True):
    """Say which white converters to run; `ready` False only saves it for later."""

    runs: Annotated[tuple[Run, ...], Meta(max_length=99)]
    ready: bool = True


class PlaceBid(Action, frozen=True):
    """Split the ships secretly; may be changed until everyone has (BID-2)."""

    colony: Ships = 0
    research: Ships = 0


class Buy(Action, frozen=True):
    """Take a card from the track being resolved and return all ships bid (BID-6)."""

    card: CardId


class Pass(Action, frozen=True):
    """Keep the ships."""


class SplitBid(Action, frozen=True):
    """Split one's colony bid into two halves instead of buying or passing (KJAS-2)."""


class Steal(Action, frozen=True):
    """Run a red converter on another player, naming every cube to take."""

    card: CardId
    target: Seat
    take: Goods
    converter: Index = 0
    cost: Index = 0
    pay: Goods | None = None  # None: exactly what is printed


class ChooseHandicap(Action, frozen=True):
    """Name the colour of one's handicap cube (German edition)."""

    colour: str


class TimeUp(Action, frozen=True):
    """The table's clock ran out; it has no seat. With `seat`, only for one who is not waited for."""

    seat: Seat | None = None  # None: for everybody who is waited for

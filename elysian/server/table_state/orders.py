"""Orders: what a person lays down for a table, and the server does when its time comes, whoever is there.

A standing offer lies on the table again when it was struck or has lapsed. A rule accepts what fits it. A turn
laid down ahead finishes the steps after trading. What is left of an order is in the table's log, so that
nothing is done twice; only its owner knows of it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from elysian.actions import PlaceBid, snake
from elysian.deals import AnyClause, CardId, Seat
from elysian.goods import NOTHING, Goods
from elysian.state import TURNS

MOST_ORDERS = 8  # of one seat at once

HowOften = Annotated[int, Meta(ge=1, le=9)]
Turn = Annotated[int, Meta(ge=1, le=TURNS)]


class Order(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
):
    """What a person lays down for a table."""


class StandingOffer(Order, frozen=True):
    """An offer that is made again when it was struck, or has lapsed with its turn."""

    parties: Annotated[tuple[Seat, ...], Meta(max_length=9)]
    clauses: Annotated[tuple[AnyClause, ...], Meta(max_length=12)]
    times: HowOften = 1  # so many deals
    until: Turn = TURNS  # the last turn it is made in


class SwapRule(Order, frozen=True):
    """Accept any swap of goods that brings at least this and takes at most that."""

    get: Goods
    give: Goods = NOTHING
    times: HowOften = 1
    until: Turn = TURNS


class WorthRule(Order, frozen=True):
    """Accept whatever is handed over at once, costs no card and is worth so many points to oneself."""

    least: Annotated[float, Meta(ge=0.1, le=100)]
    times: HowOften = 1
    until: Turn = TURNS


class TurnAhead(Order, frozen=True):
    """Finish a turn after trading: keep one's word, run the saved plan, bid, and buy what is still there."""

    turn: Turn
    bid: PlaceBid | None = None  # None: one bids oneself
    picks: Annotated[tuple[CardId, ...], Meta(max_length=20)] = ()  # the first that can be had is bought


Rule = SwapRule | WorthRule
AnyOrder = StandingOffer | SwapRule | WorthRule | TurnAhead


class PlacedOrder(Struct, frozen=True, gc=False, omit_defaults=True):
    """An order, and what has come of it."""

    id: int
    order: AnyOrder
    fired: int = 0  # the deals it has made
    offer: str | None = None  # the offer it put on the table last; None: it was struck, or there was none
    turn: int = 0  # when that was

    def holds(self, turn: int) -> bool:
        """Whether anything is left of it in a turn."""
        if isinstance(self.order, TurnAhead):
            return self.order.turn == turn
        return turn <= self.order.until and not self.is_used_up

    @property
    def is_used_up(self) -> bool:
        """Whether it has made all the deals it may."""
        return not isinstance(self.order, TurnAhead) and self.fired >= self.order.times

"""Species: the questions the rules ask, answered with the common rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from elysian.actions import Action
from elysian.deals import CardId, Seat
from elysian.draft import Draft
from elysian.goods import Goods
from elysian.state import Held, State

Decider = Callable[[Draft, Seat, Any], None]
Evolver = Callable[[State, Any], State]


class PublicArea(Protocol):
    """What everybody can see of a seat; the state's and the view's areas both are."""

    @property
    def species(self) -> str: ...  # noqa: D102

    @property
    def stock(self) -> Goods: ...  # noqa: D102

    @property
    def donation(self) -> Goods: ...  # noqa: D102

    @property
    def tied(self) -> Goods: ...  # noqa: D102

    @property
    def cards(self) -> Mapping[CardId, Held]: ...  # noqa: D102

    @property
    def invented(self) -> Sequence[CardId]: ...  # noqa: D102


class Species:
    """One species' answers; a module overrides those that differ from the common rule."""

    shares = True  # its technologies are shared, for the ordinary bonus (SHARE-1)
    splits_colony_bid = False
    steals = False
    settles_with_seedling = False  # colonies it buys from the track run twice
    deciders: Mapping[type, Decider] = {}  # verbs of its own
    evolvers: Mapping[type, Evolver] = {}  # and what they leave behind

    def colony_bid(self, ships: int) -> float:
        """How much a colony bid counts for, in the order of play and against the minimum (BID-4)."""
        return ships

    def colonies_in_ties(self, held: int) -> int:
        """How many colonies a tie counts (BID-5)."""
        return held

    def may_hand_on(self, goods: Goods) -> bool:
        """Whether tokens in stock may be traded away: not by those who were given them (TRADE-3)."""
        return not goods.envoy and not goods.acknowledgement

    def licenses(self, area: PublicArea, technology: str) -> bool:
        """Whether it may license a technology (YEN-5)."""
        return False

    def invention_discount(self, areas: Sequence[PublicArea], me: Seat, inventor: Seat) -> int:
        """Cubes that `inventor` pays less because of this species at seat `me`."""
        return 0

    def after_invention(self, now: Draft, me: Seat, inventor: Seat, declined: bool) -> None:
        """Called for every seat when a technology was invented, perhaps with a discount declined."""

    def after_entry(self, now: Draft, me: Seat, card: CardId, rule: str) -> None:
        """Called when a card with an effect of its own entered this species' play."""

    def candidates(self, state: State, me: Seat) -> list[Action]:
        """Uses of its own verbs worth trying now; the rules judge them."""
        return []

    def can_steal(self, state: State, me: Seat) -> bool:
        """Whether there is anybody left to steal from."""
        return False

"""Parties: who could be part of a deal, how it should be cut, and what was found."""

from __future__ import annotations

from msgspec import Struct

from elysian.deals import AnyClause, Seat
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.rules.promises import CARD_PENALTY
from elysian.worth.prices import Prices
from elysian.worth.problem import Hand, Key, Situation


class Party(Struct, frozen=True):
    """A seat that could be part of the deal."""

    hand: Hand
    situation: Situation
    donation: Goods  # free to go to anybody
    alone: float  # what its best plan without the deal is worth
    credit: int = 6  # so many goods others would take its word for
    invents: frozenset[str] = frozenset()  # technologies it invents without the deal
    shares: bool = True  # what it invents comes to everybody
    fears: frozenset[Seat] = frozenset()  # thieves from whom a trade protects it

    @property
    def key(self) -> Key:
        """Everything a search needs to know of it."""
        return Key(self.hand.key, self.situation, self.donation, self.credit, self.fears)


class FoundDeal(Struct, frozen=True):
    """A deal, and what it is worth to each seat in it."""

    clauses: tuple[AnyClause, ...]
    gains: dict[int, float]

    @property
    def surplus(self) -> float:
        """What all of them gain together."""
        return sum(self.gains.values())

    @property
    def merit(self) -> float:
        """All gains and once more the smallest, so that an even deal goes before an uneven one."""
        return self.surplus + min(self.gains.values(), default=0.0)


class Taste(Struct, frozen=True):
    """What it costs to read, in points: a deal holds what pays for being read, and no more.

    These costs choose between deals; nobody's gain is made smaller by them.
    """

    piece: float = 0.0  # each unit of goods
    item: float = 0.0  # each kind of thing: a colour of goods from one giver, a card, a promise
    card: float = 0.0  # each card, over and above
    colony: float = 0.0  # each colony, over and above
    most: int = 0  # kinds of things; 0: as many as pay
    one_way: bool = False  # between two, nothing of the same kind goes both ways


class DealPolicy(Struct, frozen=True):
    """How the deal should be cut."""

    least: float = 0.1  # what every party must gain
    fairness: float = 1.0  # weight of the smallest gain
    credit: int = 6  # so many goods a seat may promise for the next turn
    share: float = 0.0  # the part of an equal share of all gains that everybody gets
    cards: bool = True  # cards, loans, licences and the inventor's word may be part of it
    taste: Taste = Taste()


def shared_worth(hand: Hand, technology: str, turn: int, prices: Prices) -> float:
    """What a technology that another seat gives his word to invent brings a seat when it is shared (SHARE-1).

    At most what it costs him to break it: for more, he would take the price and keep his goods.
    """
    own = CATALOG.species_technology[hand.species, technology]
    if own not in hand.deck:
        return 0.0
    return min(float(CARD_PENALTY), prices.trust * prices.later(CATALOG.cards[own].front, turn))

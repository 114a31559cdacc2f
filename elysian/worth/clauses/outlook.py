"""A table as one seat values the promises on it, and what everybody can see of its cards."""

from __future__ import annotations

from msgspec import Struct

from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.state import TURNS
from elysian.view import View
from elysian.worth.prices import Prices

PLANNED = ("run", "invent", "upgrade", "enter")  # deeds that a plan of the turn shows
UNKNOWN = 8.0  # what a promise of a kind nobody has valued costs its giver


class Outlook(Struct, frozen=True):
    """A table as one seat values the promises on it."""

    view: View
    seat: Seat
    rates: Prices
    doubted: frozenset[Seat] = frozenset()  # seats whose word counts for nothing
    standing: frozenset[str] = frozenset()  # promises that stood before the deal at hand
    safe_from: frozenset[Seat] = frozenset()  # thieves from whom this turn is safe anyway


def on_track(view: View, card: CardId) -> bool:
    """Whether a card lies on a track."""
    return card in (*view.colony_track, *view.research_track)


def may_come(view: View, card: CardId) -> bool:
    """Whether a card that lies on no track could still come onto one."""
    printed = CATALOG.cards.get(card)
    if printed is None or printed.kind not in ("colony", "research"):
        return False
    if view.turn >= TURNS or card in view.removed:
        return False
    deck = view.colony_deck if printed.kind == "colony" else view.research_deck
    gone = {*view.shared, *(name for area in view.players for name in (*area.cards, *area.invented))}
    return bool(deck.count) and card not in gone and card not in deck.under

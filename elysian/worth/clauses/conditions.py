"""How likely a deed is that a promise hangs on."""

from __future__ import annotations

from elysian.actions import Action
from elysian.deals import (
    CardId,
    Deed,
)
from elysian.deck import CATALOG
from elysian.state import TURNS, Run
from elysian.view import SeatView, View
from elysian.worth.clauses.table import Table, may_come, on_track
from elysian.worth.plans import best_plan
from elysian.worth.seat_model import deeds_of

LIKELY = 0.9  # a deed that is in somebody's plan is done
POSSIBLE = 0.2  # one that could be done at once, but is in no plan
REMOTE = 0.05  # one for which something has yet to come


def chance_of(table: Table, deed: Deed, due: int) -> float:
    """How likely a deed is done in time for a promise that falls due in a turn."""
    near = _nearness(table.view, deed, due)
    if near is None:
        return 0.0
    if not near:
        return REMOTE
    plan = best_plan(table.view, deed.who, table.rates)
    steps: list[Action | Run] = [*plan.moves, *plan.runs]
    planned = any((deed.verb, deed.subject) in deeds_of(step) for step in steps)
    return LIKELY if planned else POSSIBLE


def _nearness(view: View, deed: Deed, due: int) -> bool | None:
    """Whether a seat has what a deed takes, or something has yet to come (False); None: it cannot be done."""
    who = view.players[deed.who]
    if deed.verb == "invent":
        return _inventing(view, who, CATALOG.team(deed.subject), due)
    if deed.verb == "buy":
        if due <= view.turn or view.turn >= TURNS:
            return None  # auctions come after trading
        return True if on_track(view, deed.subject) else False if may_come(view, deed.subject) else None
    if deed.subject not in CATALOG.cards or deed.verb not in ("run", "upgrade"):
        return None
    held = who.cards.get(deed.subject)
    if held is None:
        return False if _may_get(view, who, deed.subject, due) else None
    card = CATALOG.cards[deed.subject]
    if deed.verb == "upgrade":
        return None if held.flipped or not card.upgrades else True
    face = card.face(held.flipped)
    in_time = due > view.turn or any(converter.when == "trade" for converter in face.converters)
    return True if in_time and not (card.lent_only and held.owner == who.seat) else None


def _inventing(view: View, who: SeatView, team: CardId, due: int) -> bool | None:
    invented = {*view.shared, *(card for area in view.players for card in area.invented)}
    if team in invented or team in view.removed:
        return None
    if team in who.cards:
        return True
    held = any(team in area.cards for area in view.players)
    return False if held or (due > view.turn and (on_track(view, team) or may_come(view, team))) else None


def _may_get(view: View, who: SeatView, card: CardId, due: int) -> bool:
    """Whether a seat could still come to hold a card: from its own deck, from others, from a track."""
    if card in who.deck:
        return True
    printed = CATALOG.cards[card]
    if any(card in area.cards for area in view.players):
        return printed.tradable
    return due > view.turn and (on_track(view, card) or may_come(view, card))

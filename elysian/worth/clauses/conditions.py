"""How likely a deed is that a promise hangs on."""

from __future__ import annotations

from elysian.actions import Action
from elysian.deals import CardId, Deed
from elysian.deck import CATALOG
from elysian.state import TURNS, Run
from elysian.view import SeatView, View
from elysian.worth.clauses.outlook import Outlook, may_come, on_track
from elysian.worth.plans import best_plan
from elysian.worth.seat_model import deeds_of

AT_HAND = 1.0
LIKELY = 0.9  # a deed that is in the seat's own plan is done
OPEN = 0.5  # one in another's plan, which anybody's trade may change
POSSIBLE = 0.2  # one that could be done at once, but is in no plan
REMOTE = 0.05  # one for which something has yet to come
NEVER = 0.0


def chance_of(outlook: Outlook, deed: Deed, due: int) -> float:
    """How likely a deed is done in time for a promise that falls due in a turn."""
    most = _at_most(outlook.view, deed, due)
    if most < AT_HAND:
        return most
    plan = best_plan(outlook.view, deed.who, outlook.rates)
    steps: list[Action | Run] = [*plan.moves, *plan.runs]
    planned = any((deed.verb, deed.subject) in deeds_of(step) for step in steps)
    if not planned:
        return POSSIBLE
    return LIKELY if deed.who == outlook.seat else OPEN


def _at_most(view: View, deed: Deed, due: int) -> float:
    """NEVER, REMOTE, or AT_HAND where the seat has the card that the deed takes."""
    ways = {"invent": _invent, "buy": _buy, "upgrade": _upgrade, "enter": _enter, "run": _run}
    way = ways.get(deed.verb)
    if way is None or not (deed.subject in CATALOG.technologies or deed.subject in CATALOG.cards):
        return NEVER
    return way(view, view.players[deed.who], deed.subject, due)


def _invent(view: View, who: SeatView, subject: str, due: int) -> float:
    team = CATALOG.team(subject)
    invented = {*view.shared, *(card for area in view.players for card in area.invented)}
    if team in invented or team in view.removed:
        return NEVER
    if team in who.cards:
        return AT_HAND
    held = any(team in area.cards for area in view.players)
    return REMOTE if held or (due > view.turn and (on_track(view, team) or may_come(view, team))) else NEVER


def _buy(view: View, who: SeatView, card: CardId, due: int) -> float:
    if due <= view.turn or view.turn >= TURNS:
        return NEVER  # auctions come after trading, and not in the last turn
    return AT_HAND if on_track(view, card) else REMOTE if may_come(view, card) else NEVER


def _upgrade(view: View, who: SeatView, card: CardId, due: int) -> float:
    held = who.cards.get(card)
    if held is None:
        return _comes(view, who, card, due)
    return AT_HAND if CATALOG.cards[card].upgrades and not held.flipped else NEVER


def _enter(view: View, who: SeatView, card: CardId, due: int) -> float:
    return AT_HAND if card in who.deck else NEVER


def _run(view: View, who: SeatView, card: CardId, due: int) -> float:
    held = who.cards.get(card)
    if held is None:
        return _comes(view, who, card, due)
    printed = CATALOG.cards[card]
    violet = any(converter.when == "trade" for converter in printed.face(held.flipped).converters)
    # White converters run after trading has closed: too late for what falls due this turn.
    in_time = due > view.turn or violet
    return AT_HAND if in_time and not (printed.lent_only and held.owner == who.seat) else NEVER


def _comes(view: View, who: SeatView, card: CardId, due: int) -> float:
    """Whether a seat could still come to hold a card: from its own deck, from others, from a track."""
    printed = CATALOG.cards.get(card)
    if printed is None:
        return NEVER
    if card in who.deck:
        return REMOTE
    if any(card in area.cards for area in view.players):
        return REMOTE if printed.tradable else NEVER
    return REMOTE if due > view.turn and (on_track(view, card) or may_come(view, card)) else NEVER

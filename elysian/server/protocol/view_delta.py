"""View delta: what a line changed in a view, so that a whole view is sent only once."""

from __future__ import annotations

from typing import Any

import msgspec

from elysian.deals import Seat
from elysian.state import State
from elysian.view import SeatView, View, view

ViewChanges = dict[str, Any]

# Objects in which a value replaces or adds an entry and null removes it.
ENTRIES = ("cards", "spent", "deals", "obligations")
# What differs from one seat's view to the next; everything else is the same for all.
OWN = ("score", "plan", "bid")


def view_changes(before: View, after: View) -> ViewChanges:
    """What must be laid into `before` to get `after`."""
    changes: ViewChanges = {}
    for field in View.__struct_fields__:
        old, new = getattr(before, field), getattr(after, field)
        if old is new or old == new:
            continue
        if field == "players":
            changes[field] = {
                str(one.seat): _seat(was, one) for was, one in zip(old, new, strict=True) if was != one
            }
        else:
            changes[field] = _entries(old, new) if field in ENTRIES else new
    return changes


def _seat(before: SeatView, after: SeatView) -> ViewChanges:
    changes: ViewChanges = {}
    for field in SeatView.__struct_fields__:
        old, new = getattr(before, field), getattr(after, field)
        if old is not new and old != new:
            changes[field] = _entries(old, new) if field in ENTRIES else new
    return changes


def _entries(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = {
        key: value for key, value in after.items() if key not in before or before[key] != value
    }
    changed.update((key, None) for key in before if key not in after)
    return changed


def own_changes(before: State, after: State, seat: Seat) -> ViewChanges:
    """What a line changed for one seat only, besides what it changed for all."""
    changes: ViewChanges = {}
    if before.players[seat].score != after.players[seat].score:
        changes["score"] = after.players[seat].score
    if before.plans.get(seat) != after.plans.get(seat):
        changes["plan"] = after.plans.get(seat)
    if before.bids.get(seat) != after.bids.get(seat):
        changes["bid"] = after.bids.get(seat)
    if before.settings.private_offers and before.deals is not after.deals:
        deals = _entries(view(before, seat).deals, view(after, seat).deals)
        if deals:
            changes["deals"] = deals
    return changes


def lay_in(whole: dict[str, Any], changes: ViewChanges) -> dict[str, Any]:
    """A view as plain JSON with changes laid into it; what a client does with every update."""
    laid = dict(whole)
    for field, new in changes.items():
        if field == "players":
            players = list(laid["players"])
            for seat, fields in new.items():
                players[int(seat)] = lay_in(players[int(seat)], fields)
            laid["players"] = players
        elif field in ENTRIES:
            merged = {**laid[field], **new}
            laid[field] = {key: value for key, value in merged.items() if value is not None}
        else:
            laid[field] = new
    return laid


def plain(value: object) -> Any:
    """A value as the JSON a client reads."""
    return msgspec.json.decode(msgspec.json.encode(value))

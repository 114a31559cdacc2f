"""View delta: what a line changed in a view, so that a whole view is sent only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
from msgspec.structs import astuple

from elysian.deals import Seat
from elysian.state import State
from elysian.view import SeatView, View, choices_of, deals_of

ViewChanges = dict[str, Any]
T = TypeVar("T")

# Objects in which a value replaces or adds an entry and null removes it.
ENTRIES = ("cards", "spent", "deals", "obligations")
# What differs from one seat's view to the next; everything else is the same for all.
OWN = ("score", "plan", "bid", "choices")


def view_changes(before: View, after: View) -> ViewChanges:
    """What must be laid into `before` to get `after`."""
    changes = _fields(before, after)
    if "players" in changes:
        changes["players"] = {
            str(one.seat): _fields(was, one)
            for was, one in zip(before.players, after.players, strict=True)
            if was is not one and was != one
        }
    return changes


def _fields(before: View | SeatView, after: View | SeatView) -> ViewChanges:
    """The fields that differ; most are the very same object."""
    return {
        field: _entries(old, new) if field in ENTRIES else new
        for field, old, new in zip(before.__struct_fields__, astuple(before), astuple(after), strict=True)
        if old is not new and old != new
    }


def _entries(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = {
        key: value for key, value in after.items() if key not in before or before[key] != value
    }
    changed.update((key, None) for key in before if key not in after)
    return changed


def own_changes(before: State, after: State) -> dict[Seat | None, ViewChanges]:
    """What a line changed for single seats, besides what it changed for all; others are not named."""
    changes: dict[Seat | None, ViewChanges] = {}
    for seat, field, new in _own(before, after):
        changes.setdefault(seat, {})[field] = new
    return changes


def _own(before: State, after: State) -> Iterator[tuple[Seat, str, Any]]:
    """Who sees what otherwise than before; where nothing was replaced, nothing has changed."""
    if before.players is not after.players:
        for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True)):
            if was is not now and was.score != now.score:
                yield seat, "score", now.score
    yield from _own_entries("plan", before.plans, after.plans)
    yield from _own_entries("bid", before.bids, after.bids)
    if before.choices is not after.choices:
        for seat in after.seats():
            if (chosen := choices_of(after, seat)) != choices_of(before, seat):
                yield seat, "choices", chosen
    if before.settings.private_offers and before.deals is not after.deals:
        for seat in after.seats():
            if deals := _entries(deals_of(before, seat), deals_of(after, seat)):
                yield seat, "deals", deals


def _own_entries(
    field: str, before: dict[Seat, T], after: dict[Seat, T]
) -> Iterator[tuple[Seat, str, T | None]]:
    if before is not after:
        for seat in before.keys() | after.keys():
            if before.get(seat) != after.get(seat):
                yield seat, field, after.get(seat)


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

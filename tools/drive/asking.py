"""What a page asks after an update: the rule of web/src/lib/asking.ts and its neighbours, in Python.

It is held against recorded games by a test, and counts the questions of a benchmark.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elysian.deals import ANYONE, Seat

# Of a view, what changes no choice in trading.
IDLE = ("players", "deals", "obligations", "waiting", "traded", "plan")
Plain = Mapping[str, Any]  # a view, or a part of one, as JSON


def _in_deal(deal: Plain, seat: Seat) -> bool:
    return deal["proposer"] == seat or seat in deal["parties"] or ANYONE in deal["parties"]


def _in_promise(owed: Plain, seat: Seat) -> bool:
    return seat in owed["parties"]


def _changed(before: Plain, after: Plain) -> list[Any]:
    gone = [entry for name, entry in before.items() if after.get(name) != entry]
    return gone + [entry for name, entry in after.items() if before.get(name) != entry]


def concerns(before: Plain | None, after: Plain, you: Seat) -> bool:
    """Whether a seat's choices may have changed from one view to the next."""
    if before is None or before["step"] != "trade" or after["step"] != "trade":
        return before != after
    if any(before[field] != after[field] for field in after if field not in IDLE):
        return True
    if any(_in_deal(deal, you) for deal in _changed(before["deals"], after["deals"])):
        return True
    if any(_in_promise(owed, you) for owed in _changed(before["obligations"], after["obligations"])):
        return True
    moved = [seat for seat, player in enumerate(after["players"]) if player != before["players"][seat]]
    return any(seat == you or _matters(after, you, seat) for seat in moved)


def _matters(view: Plain, you: Seat, other: Seat) -> bool:
    """Whether a choice of one seat may hang on what another has."""
    if view["players"][you]["stock"].get("acknowledgement"):
        return True
    return any(_in_deal(deal, you) and _in_deal(deal, other) for deal in view["deals"].values()) or any(
        _in_promise(owed, you) and _in_promise(owed, other) for owed in view["obligations"].values()
    )


def needs_again(before: Plain, after: Plain, you: Seat, help: str) -> bool:
    """Whether the page asks anew what seats need, as web/src/table/trade/market.svelte.ts does."""
    if after["phase"] != "trade" or help == "off":
        return False
    if help == "both":
        return bool(before["players"] != after["players"])
    return bool(before["players"][you] != after["players"][you])


def plan_again(before: Plain, after: Plain, you: Seat) -> bool:
    """Whether the page asks anew what its plan comes to, as web/src/lib/planning.svelte.ts does."""
    if after["phase"] not in ("trade", "economy"):
        return False
    return _plan_key(before, you) != _plan_key(after, you)


def _plan_key(view: Plain, you: Seat) -> list[Any]:
    me = view["players"][you]
    owed = [
        one
        for one in view["obligations"].values()
        if one["clause"]["kind"] == "pledge" and one["clause"]["what"]["giver"] == you
    ]
    return [view["turn"], view["step"], me["stock"], me["cards"], view["score"], owed, view["plan"]]

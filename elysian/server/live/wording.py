"""Wording: the reasons of bots, stored as a code and facts, become sentences in each reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from elysian.deals import Deal, Reason
from elysian.events import DealOffered
from elysian.messages import Telling, load
from elysian.server.protocol.view_delta import ViewChanges
from elysian.server.table_state.events import Said
from elysian.view import View


def telling_in(language: str) -> Telling:
    """What puts reasons into words; they name goods, cards and technologies, never a seat."""
    return Telling(load(language), ())


def worded_events(events: Iterable[Any], language: str) -> tuple[Any, ...]:
    """Events with every reason in words."""
    telling = telling_in(language)
    return tuple(_worded_event(event, telling) for event in events)


def worded_view(seen: View, language: str) -> View:
    """A view with every reason in words."""
    deals = _worded_deals(seen.deals, telling_in(language))
    return seen if deals is seen.deals else replace(seen, deals=deals)


def worded_changes(changes: ViewChanges, language: str) -> ViewChanges:
    """What changed in a view, with every reason in words."""
    deals = changes.get("deals")
    return {**changes, "deals": _worded_deals(deals, telling_in(language))} if deals else changes


def _worded_event(event: Any, telling: Telling) -> Any:
    if isinstance(event, DealOffered):
        deal = _worded_deal(event.deal, telling)
        return event if deal is event.deal else replace(event, deal=deal)
    if isinstance(event, Said) and isinstance(event.text, Reason):
        return replace(event, text=telling.reason(event.text))
    return event


def _worded_deal(deal: Deal, telling: Telling) -> Deal:
    return replace(deal, reason=telling.reason(deal.reason)) if isinstance(deal.reason, Reason) else deal


def _worded_deals(deals: Mapping[str, Deal | None], telling: Telling) -> Any:
    """Offers by their names; None: one that is gone."""
    if not any(deal is not None and isinstance(deal.reason, Reason) for deal in deals.values()):
        return deals
    return {name: deal and _worded_deal(deal, telling) for name, deal in deals.items()}

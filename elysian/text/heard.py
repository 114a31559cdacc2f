"""What a seat hears of an action: the events it may see, and the words that were said with it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from elysian.actions import AcceptDeal, Action, DeclineDeal
from elysian.deals import Seat
from elysian.events import (
    BidPlaced,
    DealAccepted,
    DealDeclined,
    DealOffered,
    DealsLapsed,
    DealWithdrawn,
    DoneSaid,
    DoneTakenBack,
    Event,
    PlanLaid,
    PlanSaved,
    StepBegan,
)
from elysian.messages import DEFAULT, Telling, load
from elysian.state import State
from elysian.view import all_seen_by

# What happens all the time is no news: who is done, what is on offer and which step it is, the table shows.
QUIET = (BidPlaced, DealOffered, DealsLapsed, DoneSaid, DoneTakenBack, PlanLaid, PlanSaved, StepBegan)
ANSWERS = (DealAccepted, DealDeclined, DealWithdrawn)


class Heard(Struct, frozen=True):
    """One action and what a seat may hear of it; or only words."""

    by: Seat | None  # None: the table's clock
    events: tuple[Event, ...] = ()
    words: str = ""  # a reason, or talk


def overheard(
    before: State, seat: Seat, by: Seat | None, action: Action, events: Iterable[Event]
) -> Heard | None:
    """What a seat hears of an action decided on the table `before`; None when it may hear nothing of it."""
    seen = all_seen_by(before, seat, events)
    if not seen:
        return None
    reason = action.reason if isinstance(action, AcceptDeal | DeclineDeal) else ""
    return Heard(by=by, events=seen, words=Telling(load(DEFAULT), ()).reason(reason))

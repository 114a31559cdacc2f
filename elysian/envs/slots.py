"""Slots: the fixed places of actions to choose from; which are taken changes, what they mean does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from msgspec import Struct

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    ChooseHandicap,
    DeclineDeal,
    Deliver,
    DiscardColonies,
    Done,
    GiveGifts,
    Invent,
    LayPlan,
    NotDone,
    Pass,
    PlaceBid,
    ProposeDeal,
    PutIntoPlay,
    Release,
    RunConverter,
    SplitBid,
    UpgradeCard,
    WithdrawDeal,
)
from elysian.options import BidChoice, Choice
from elysian.view import View
from elysian.worth import hand_of, prices, situation_of
from elysian.worth.greedy import greedy_runs

MOST_SHIPS = 5  # on one track; a higher bid takes a player that words its own
# Name and number of places; the offers come last, as many as were asked for.
GROUPS = (
    ("wait", 1),
    ("done", 1),
    ("not_done", 1),
    ("accept", 16),  # the n-th open offer to this seat,
    ("decline", 16),  # and the same to turn it down
    ("withdraw", 8),
    ("deliver", 8),
    ("release", 8),
    ("invent", 24),
    ("enter", 24),
    ("upgrade", 24),
    ("run", 16),
    ("gifts", 8),  # everything to the n-th seat after this one
    ("handicap", 4),
    ("discard", 1),
    ("plan", 3),  # as the rules would, by worth, nothing at all
    ("bid", (MOST_SHIPS + 1) ** 2),  # ships for colonies, times six, plus ships for research
    ("buy", 12),
    ("pass", 1),
    ("split", 1),
    ("steal", 32),  # a verb only one species has
)
SIZES = dict(GROUPS)
STARTS: dict[str, int] = {}
for _name, _size in GROUPS:
    STARTS[_name] = sum(SIZES[name] for name in STARTS)
FIXED = sum(SIZES.values())  # where the offers begin

GROUP_OF: dict[type[Action], str] = {
    Done: "done",
    NotDone: "not_done",
    WithdrawDeal: "withdraw",
    Deliver: "deliver",
    Release: "release",
    Invent: "invent",
    PutIntoPlay: "enter",
    UpgradeCard: "upgrade",
    RunConverter: "run",
    ChooseHandicap: "handicap",
    DiscardColonies: "discard",
    Buy: "buy",
    Pass: "pass",
    SplitBid: "split",
}
_PLACE: dict[type[Action], tuple[int, int]] = {
    kind: (STARTS[name], SIZES[name]) for kind, name in GROUP_OF.items()
}
_STEAL = STARTS["steal"], SIZES["steal"]


class Slots(Struct):
    """What lies in each place that is taken; `left_out` choices found none."""

    actions: dict[int, Choice | ProposeDeal | None]  # None: wait
    left_out: int = 0


def lay(
    view: View, choices: Iterable[Choice], bids: tuple[BidChoice, ...], offers: list[ProposeDeal]
) -> Slots:
    """Every ready-made choice, every bid and every offer in its place."""
    taken: dict[int, Choice | ProposeDeal | None] = {0: None}
    slots = Slots(taken)
    used: dict[int, int] = {}
    answers: dict[str, int] | None = None
    for choice in choices:
        kind = type(choice.action)
        special = _SPECIAL.get(kind)
        if special is not None:
            if kind is AcceptDeal or kind is DeclineDeal:
                if answers is None:
                    answers = _answers(view)
                place = _answer(choice, answers)
            else:
                place = special(view, choice)
        else:
            start, size = _PLACE.get(kind, _STEAL)
            n = used.get(start, 0)
            used[start] = n + 1
            place = start + n if n < size else None
        if place is None:
            slots.left_out += 1
        else:
            taken[place] = choice
    if bids and view.seat in view.waiting:
        for place, action in _bids(view.me.stock.ship, bids):
            taken[place] = Choice(action)
    if view.step == "plan" and not view.me.done:
        taken[STARTS["plan"] + 1] = Choice(_plan_by_worth(view))
        taken[STARTS["plan"] + 2] = Choice(LayPlan(runs=()))
    for n, offer in enumerate(offers):
        taken[FIXED + n] = offer
    return slots


def _answers(view: View) -> dict[str, int]:
    """The place of each offer this seat may answer."""
    me = view.seat
    mine = (
        name
        for name, deal in view.deals.items()
        if deal.proposer != me and (me in deal.parties or deal.is_open)
    )
    return {name: n for n, name in enumerate(mine)}


def _answer(choice: Choice, answers: dict[str, int]) -> int | None:
    action = choice.action
    assert isinstance(action, AcceptDeal | DeclineDeal)
    name = "accept" if isinstance(action, AcceptDeal) else "decline"
    n = answers[action.deal]
    return STARTS[name] + n if n < SIZES[name] else None


def _gift(view: View, choice: Choice) -> int | None:
    assert isinstance(choice.action, GiveGifts)
    assert view.seat is not None
    after = (choice.action.gifts[0].to - view.seat) % len(view.players)
    return STARTS["gifts"] + after - 1 if after else None


def _first_plan(view: View, choice: Choice) -> int | None:
    return STARTS["plan"] if not view.me.done else None


def _no_place(view: View, choice: Choice) -> int | None:
    """Bids have a place for every number of ships, with the empty one among them."""
    return None


_SPECIAL: dict[type[Action], Callable[[View, Choice], int | None]] = {
    AcceptDeal: _no_place,
    DeclineDeal: _no_place,
    GiveGifts: _gift,
    LayPlan: _first_plan,
    PlaceBid: lambda view, choice: STARTS["bid"] if view.seat in view.waiting else None,
}


def _bids(ships: int, bids: tuple[BidChoice, ...]) -> Iterator[tuple[int, PlaceBid]]:
    allowed: dict[str, list[int]] = {"colony": [], "research": []}
    for bid in bids:
        if bid.ships <= MOST_SHIPS:
            allowed[bid.track].append(bid.ships)
    for colony in allowed["colony"]:
        for research in allowed["research"]:
            if colony + research <= ships:
                yield STARTS["bid"] + colony * (MOST_SHIPS + 1) + research, _bid(colony, research)


@cache
def _bid(colony: int, research: int) -> PlaceBid:
    return PlaceBid(colony=colony, research=research)


def _plan_by_worth(view: View) -> LayPlan:
    assert view.seat is not None
    return LayPlan(runs=greedy_runs(hand_of(view, view.seat), situation_of(view, view.seat), prices())[0])


def action_of(taken: Choice | ProposeDeal | None) -> Action | None:
    """What is asked for by choosing what lies in a place; None is to wait."""
    return taken.action if isinstance(taken, Choice) else taken


def name_of(place: int) -> str:
    """The place in words, such as accept 2."""
    for name, size in (*GROUPS, ("offer", 10_000)):
        start = STARTS.get(name, FIXED)
        if start <= place < start + size:
            return name if size == 1 else f"{name} {place - start}"
    raise ValueError(f"there is no place {place}")


__all__ = [
    "FIXED",
    "GROUPS",
    "GROUP_OF",
    "MOST_SHIPS",
    "SIZES",
    "STARTS",
    "Slots",
    "action_of",
    "lay",
    "name_of",
]

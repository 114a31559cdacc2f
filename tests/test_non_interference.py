"""Two games that differ only in somebody's secrets look the same to everybody else."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.events import BidPlaced, Event
from elysian.options import options
from elysian.rules import decide
from elysian.state import State
from elysian.text.seat import SeatText
from elysian.view import seen_by, view
from tests.support.campaign import Campaign
from tests.support.pairs import SECRETS, Eyes, leak, observation, some_pair, text

PAIRS = 16  # of each secret at each size of table, in a part
PARTS = 10 if os.environ.get("ELYSIAN_SOAK") == "1" else 1


@pytest.mark.parametrize("players", range(4, 10))
@pytest.mark.parametrize("secret", SECRETS)
def test_nobody_else_can_tell_a_secret(secret: str, players: int) -> None:
    """COMP-5, BID-2, ECON-12."""
    campaign = Campaign(f"pairs, {secret} at {players}", 0, PARTS)
    for part in campaign.left():
        for seed in range(part * PAIRS, (part + 1) * PAIRS):
            pair = some_pair(secret, players, seed)
            assert pair.one != pair.other
            assert leak(pair, Random(seed), Eyes()) is None, f"pair {seed}"
            campaign.counts["pairs"] += 1


# ---------------------------------------------------------------- the test can fail


def _view_with_scores(state: State, seat: Seat | None) -> Any:
    return view(state, seat), [player.score for player in state.players]


def _view_with_plans(state: State, seat: Seat | None) -> Any:
    return view(state, seat), sorted(state.plans)


def _view_into_the_deck(state: State, seat: Seat | None) -> Any:
    return view(state, seat), state.colonies.cards[1:3], state.relics[:1], state.research.cards[1:4]


def _view_of_all_offers(state: State, seat: Seat | None) -> Any:
    return replace(view(state, seat), deals=state.deals)


def _view_of_bids(state: State, seat: Seat | None) -> Any:
    return view(state, seat), [bid.colony + bid.research for bid in state.bids.values()]


def _view_of_choices(state: State, seat: Seat | None) -> Any:
    return view(state, seat), state.choices


def _bids_heard(before: State, seat: Seat | None, events: tuple[Event, ...]) -> tuple[Event, ...]:
    heard = (event if isinstance(event, BidPlaced) else seen_by(before, seat, event) for event in events)
    return tuple(event for event in heard if event is not None)


def _scores_in_errors(state: State, seat: Seat | None, action: Any) -> Any:
    try:
        return decide(state, seat, action)
    except IllegalAction as illegal:
        points = sum(player.score for player in state.players)
        raise IllegalAction(illegal.code, **illegal.facts, points=points) from None


def _options_with_scores(state: State, seat: Seat, with_refused: bool = False) -> Any:
    leader = max(state.seats(), key=lambda who: state.players[who].score)
    return replace(options(state, seat, with_refused), may_propose=leader == seat)


def _observed_scores(state: State, seat: Seat) -> bytes:
    return observation(state, seat) + bytes(player.score % 256 for player in state.players)


def _observed_decks(state: State, seat: Seat) -> bytes:
    return observation(state, seat) + repr(state.colonies.cards[1:3] + state.research.cards[1:4]).encode()


def _text_with_scores(state: State, seat: Seat) -> str:
    return text(state, seat) + str([player.score for player in state.players])


def _text_of_all_offers(state: State, seat: Seat) -> str:
    seen = replace(view(state, seat), deals=state.deals)
    return SeatText(seen, options(state, seat)).look("offers") + str(list(state.deals.values()))


LEAKS = {
    "score in a text": ("score", Eyes(read=_text_with_scores)),
    "private offer in a text": ("private_offer", Eyes(read=_text_of_all_offers)),
    "score in a view": ("score", Eyes(view=_view_with_scores)),
    "score in an observation": ("score", Eyes(observe=_observed_scores)),
    "deck in an observation": ("order_of_decks", Eyes(observe=_observed_decks)),
    "score in an error": ("score", Eyes(decide=_scores_in_errors)),
    "score in the options": ("score", Eyes(options=_options_with_scores)),
    "saved plan in a view": ("saved_plan", Eyes(view=_view_with_plans)),
    "saved plan in an event": ("saved_plan", Eyes(seen=lambda before, seat, events: events)),
    "laid plan in an event": ("laid_plan", Eyes(seen=lambda before, seat, events: events)),
    "bid in an event": ("bid", Eyes(seen=_bids_heard)),
    "choice in a view": ("choice", Eyes(view=_view_of_choices)),
    "bid in a view": ("bid", Eyes(view=_view_of_bids)),
    "deck in a view": ("order_of_decks", Eyes(view=_view_into_the_deck)),
    "private offer in a view": ("private_offer", Eyes(view=_view_of_all_offers)),
    "private offer in an event": ("private_offer", Eyes(seen=lambda before, seat, events: events)),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name: str) -> None:
    """COMP-5."""
    secret, eyes = LEAKS[name]
    found = [leak(some_pair(secret, 5, seed), Random(seed), eyes) for seed in range(60)]
    assert any(found)

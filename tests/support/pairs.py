"""Pairs of tables that differ only in somebody's secrets, and a search for whoever can tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian import actions as a
from elysian.deals import Lot, Note, Obligation, OneOf, Pledge, Seat
from elysian.deck import CATALOG
from elysian.envs import elysian_v0
from elysian.events import (
    BidsRevealed,
    CardDrawn,
    ColoniesDrawn,
    CreditorsWait,
    DealStruck,
    Event,
    GameScored,
    PledgePaid,
    ProductionRun,
    TracksRefreshed,
)
from elysian.goods import CUBES, Goods
from elysian.options import options
from elysian.rules import IllegalAction, decide
from elysian.rules.choosing import served
from elysian.rules.promises import is_due
from elysian.state import TURNS, Bid, Pile, State
from elysian.text.seat import SeatText
from elysian.view import all_seen_by, view
from tests.support.driver import (
    any_move,
    chance,
    game,
    pick,
    some,
    some_bid,
    some_deal,
    some_plan,
    some_settings,
)
from tests.support.wild import nudged, wild_move


class Pair(Struct, frozen=True):
    """Two tables, who may know the difference, and the events that bring it to light."""

    one: State
    other: State
    insiders: frozenset[Seat]
    reveals: tuple[type[Event], ...]


@lru_cache(maxsize=16)
def _games(players: int, edition: str) -> Any:
    return elysian_v0.raw_env(players=players, edition=edition).games


def observation(state: State, seat: Seat) -> bytes:
    """The numbers a policy is given at this seat, and what it may do."""
    games = _games(len(state.players), state.settings.edition)
    games.go_on(state, 0)
    seen = games.observe(seat)
    return b"".join(part.tobytes() for part in (*seen["observation"].values(), seen["action_mask"]))


def text(state: State, seat: Seat) -> str:
    """All that a reader at this seat can be shown."""
    shown = SeatText(view(state, seat), options(state, seat))
    other = shown.draw.telling.seat(len(state.players) - 1 - seat)
    asked = ("table", "tracks", "offers", "promises", f"cards {other}")
    return "\n".join(shown.look(what) for what in asked)


class Eyes(Struct, frozen=True):
    """Every way by which a seat learns something."""

    view: Callable[..., Any] = view
    seen: Callable[..., Any] = all_seen_by
    options: Callable[..., Any] = options
    decide: Callable[..., Any] = decide
    observe: Callable[..., Any] = observation
    read: Callable[..., Any] = text


@lru_cache(maxsize=64)
def moments(players: int, n: int) -> list[State]:
    """The tables of one random game; every second one has private offers."""
    seed = f"moments/{players}/{n}"
    settings = some_settings(Random(seed), players, private_offers=n % 2 == 0)
    return [before for before, *_ in game(settings, seed, 3000, clock=0.03)]


# ---------------------------------------------------------------- secrets


def _score(state: State, rng: Random) -> Pair | None:
    seat = pick(rng, list(state.seats()))
    player = state.players[seat]
    other = state.with_player(seat, replace(player, score=player.score + pick(rng, (-30, -3, -1, 1, 2, 25))))
    return Pair(state, other, frozenset({seat}), (GameScored, ProductionRun))


def _saved_plan(state: State, rng: Random) -> Pair | None:
    if state.phase not in ("trade", "economy") or state.step == "handicap":
        return None
    seat = pick(
        rng, [seat for seat in state.seats() if state.step != "plan" or seat not in state.done] or [0]
    )
    if state.step == "plan" and seat in state.done:
        return None
    plans = {who: runs for who, runs in state.plans.items() if who != seat}
    if chance(rng, 0.7):
        plans[seat] = some_plan(state, seat, rng)
    other = replace(state, plans=plans)
    return None if other == state else Pair(state, other, frozenset({seat}), (ProductionRun,))


def _laid_plan(state: State, rng: Random) -> Pair | None:
    if state.step != "plan" or not state.done:
        return None
    seat = pick(rng, sorted(state.done))
    other = replace(state, plans={**state.plans, seat: some_plan(state, seat, rng)})
    return None if other == state else Pair(state, other, frozenset({seat}), (ProductionRun,))


def _bid(state: State, rng: Random) -> Pair | None:
    """While colonies are auctioned the research bids are still secret."""
    seats = sorted(seat for seat in state.bids if state.players[seat].stock.ship)
    if state.step not in ("bid", "colony_auction") or not seats:
        return None
    seat = pick(rng, seats)
    if state.step == "bid":
        placed = some_bid(state, seat, rng)
        bid = Bid(colony=placed.colony, research=placed.research)
    else:
        waiting = sum(bidder.ships for bidder in state.queue if bidder.seat == seat)
        free = state.players[seat].stock.ship - waiting
        bid = Bid(colony=state.bids[seat].colony, research=int(rng.random() * (free + 1)))
    other = replace(state, bids={**state.bids, seat: bid})
    return None if other == state else Pair(state, other, frozenset({seat}), (BidsRevealed,))


def _shuffled(pile: Pile, rng: Random) -> Pile:
    """The same deck with its unseen cards in another order, each era on its own."""
    end = len(pile.cards) - pile.known
    unseen = pile.cards[1:end]
    eras = sorted({CATALOG.cards[card].era or 0 for card in unseen})
    mixed: list[str] = []
    for era in eras:
        mixed += some(rng, [card for card in unseen if (CATALOG.cards[card].era or 0) == era], 99)
    return replace(pile, cards=(*pile.cards[:1], *mixed, *pile.cards[max(1, end) :])) if mixed else pile


def _order_of_decks(state: State, rng: Random) -> Pair | None:
    other = replace(
        state,
        colonies=_shuffled(state.colonies, rng),
        research=_shuffled(state.research, rng),
        relics=tuple(some(rng, state.relics, 99)),
    )
    reveals = (ColoniesDrawn, TracksRefreshed, CardDrawn)
    return None if other == state else Pair(state, other, frozenset(), reveals)


def _private_offer(state: State, rng: Random) -> Pair | None:
    """What an offer says, or while nobody waits for its answer, whether there is one."""
    hidden = [deal for deal in state.deals.values() if not deal.is_open]
    hidden = [deal for deal in hidden if len(deal.parties) < len(state.players)]
    if not state.settings.private_offers or not hidden:
        return None
    deal = pick(rng, hidden)
    deals = dict(state.deals)
    if state.step != "settle" and chance(rng, 0.5):
        del deals[deal.id]
    else:
        deals[deal.id] = replace(deal, clauses=(Note(text="something else"),), reason="another", settles=())
    return Pair(state, replace(state, deals=deals), frozenset(deal.parties), (DealStruck,))


def _choice(state: State, rng: Random) -> Pair | None:
    """What shall keep a promise of a choice, before it is due."""
    open_now = [
        owed
        for owed in state.obligations.values()
        if isinstance(owed.clause, Pledge) and isinstance(owed.clause.what, OneOf) and not is_due(state, owed)
    ]
    if not open_now and state.turn < TURNS:
        state, made = _with_choice(state, rng)
        open_now.append(made)
    if not open_now:
        return None
    owed = pick(rng, open_now)
    assert isinstance(owed.clause, Pledge)
    what = owed.clause.what
    assert isinstance(what, OneOf)
    plenty = Goods(**{kind: int(rng.random() * 9) for kind in (*CUBES, "ultratech", "ship")})
    lot = replace(what, lots=(pick(rng, what.lots),))
    other = replace(state, choices={**state.choices, owed.id: served(lot, plenty, None) or Goods(green=1)})
    reveals = (PledgePaid, CreditorsWait)
    return None if other == state else Pair(state, other, frozenset({what.chooser}), reveals)


def _with_choice(state: State, rng: Random) -> tuple[State, Obligation]:
    """The table with a promise of a choice that falls due in the next turn."""
    giver, to = some(rng, list(state.seats()), 2)
    lots = (Lot(cubes=2, kinds=CUBES), Lot(goods=Goods(ultratech=1)))
    what = OneOf(giver=giver, to=to, lots=lots, chosen_by=pick(rng, ("debtor", "creditor")))
    clause = Pledge(what=what, due=state.turn + 1)
    owed = Obligation(id="d0.1", deal="d0", parties=(giver, to), clause=clause, made=state.turn)
    return replace(state, obligations={**state.obligations, owed.id: owed}), owed


SECRETS: dict[str, Callable[[State, Random], Pair | None]] = {
    "score": _score,
    "saved_plan": _saved_plan,
    "laid_plan": _laid_plan,
    "bid": _bid,
    "order_of_decks": _order_of_decks,
    "private_offer": _private_offer,
    "choice": _choice,
}


def some_pair(secret: str, players: int, seed: int) -> Pair:
    """Two tables that differ in one secret, at a random moment of a random game."""
    rng = Random(f"{secret}/{players}/{seed}")
    for _ in range(3000):
        pair = SECRETS[secret](pick(rng, moments(players, int(rng.random() * 6))), rng)
        if pair is not None:
            return pair
    raise AssertionError(f"no table was found with a {secret} to change")


# ---------------------------------------------------------------- telling them apart


def leak(pair: Pair, rng: Random, eyes: Eyes, rounds: int = 4) -> str | None:
    """What an outsider could tell the two tables apart by; None when there is nothing."""
    if found := _looks(pair, eyes) or _reads(pair, rng, eyes):
        return found
    for _ in range(rounds):
        seat, *asked = _question(pair, rng)
        if asked[0] != asked[1]:
            # From now on plans or bids differ too.
            pair = replace(pair, reveals=(*pair.reveals, ProductionRun, BidsRevealed))
        told, one, other = _answers(pair, seat, asked, eyes)
        if told is not None:
            return told
        if one is None or other is None:
            continue
        found, revealed = _events(pair, one[0], other[0], eyes)
        if found:
            return f"{found} after {asked}"
        pair = replace(pair, one=one[1], other=other[1])
        found = _looks(pair, eyes)
        if revealed:
            return None  # from here on the two games are rightly different
        if found:
            return f"{found} after {asked}"
    return None


def _outsiders(pair: Pair) -> list[Seat | None]:
    return [None, *(seat for seat in pair.one.seats() if seat not in pair.insiders)]


def _looks(pair: Pair, eyes: Eyes) -> str | None:
    encode = msgspec.json.encode
    for seat in _outsiders(pair):
        if encode(eyes.view(pair.one, seat)) != encode(eyes.view(pair.other, seat)):
            return f"the view of {seat}"
        if seat is None:
            continue
        one, other = (
            encode(eyes.options(table, seat, with_refused=True)) for table in (pair.one, pair.other)
        )
        if one != other:
            return f"the options of {seat}"
        if eyes.observe(pair.one, seat) != eyes.observe(pair.other, seat):
            return f"the observation of {seat}"
    return None


def _reads(pair: Pair, rng: Random, eyes: Eyes) -> str | None:
    """Text is made of the view and the options, and takes long: one outsider reads it, once."""
    outsiders = [seat for seat in _outsiders(pair) if seat is not None]
    seat = pick(rng, outsiders) if outsiders else None
    if seat is not None and eyes.read(pair.one, seat) != eyes.read(pair.other, seat):
        return f"the text of {seat}"
    return None


def _question(pair: Pair, rng: Random) -> tuple[Seat | None, a.Action, a.Action]:
    """What is asked in both worlds: the same, but for the secrets of those who may have some."""
    seat, action = pick(
        rng,
        (
            lambda: any_move(pair.one, rng),
            lambda: any_move(pair.one, rng),
            lambda: some_deal(pair.one, rng),
            lambda: wild_move(pair.one, rng),
            lambda: nudged(pair.one, rng, any_move(pair.one, rng)),
            lambda: (None, a.TimeUp()),
        ),
    )()
    if pair.insiders and chance(rng, 0.3):
        seat = pick(rng, sorted(pair.insiders))
    if seat not in pair.insiders:
        return seat, action, action
    if pair.one.step == "bid":
        return seat, some_bid(pair.one, seat, rng), some_bid(pair.other, seat, rng)
    if pair.one.step == "plan" or (pair.one.phase == "trade" and chance(rng, 0.4)):
        ready = pair.one.step == "plan" and chance(rng, 0.7)
        one, other = (some_plan(table, seat, rng) for table in (pair.one, pair.other))
        return seat, a.LayPlan(runs=one, ready=ready), a.LayPlan(runs=other, ready=ready)
    return seat, action, action


Answer = tuple[tuple[Event, ...], State]


def _answers(
    pair: Pair, seat: Seat | None, asked: list[a.Action], eyes: Eyes
) -> tuple[str | None, Answer | None, Answer | None]:
    """What the tables answer; a leak when somebody who knows nothing is refused in two ways."""
    answers: list[Answer | None] = []
    refusals: list[bytes] = []
    for table, action in zip((pair.one, pair.other), asked, strict=True):
        try:
            answers.append(eyes.decide(table, seat, action))
            refusals.append(b"")
        except IllegalAction as illegal:
            answers.append(None)
            refusals.append(msgspec.json.encode([illegal.code, illegal.facts]))
    one, other = answers
    if seat not in pair.insiders and refusals[0] != refusals[1]:
        return f"the answer to {seat} asking {asked[0]}: {refusals}", None, None
    return None, one, other


def _events(
    pair: Pair, one: tuple[Event, ...], other: tuple[Event, ...], eyes: Eyes
) -> tuple[str | None, bool]:
    """A difference in what outsiders hear before the secret comes to light, and whether it does."""
    revealed = False
    for seat in _outsiders(pair):
        heard = eyes.seen(pair.one, seat, one), eyes.seen(pair.other, seat, other)
        ends = [_reveal(pair, events) for events in heard]
        before = [msgspec.json.encode(events[:end]) for events, end in zip(heard, ends, strict=True)]
        if before[0] != before[1]:
            return f"the events {seat} hears", False
        kinds = {type(events[end]) for events, end in zip(heard, ends, strict=True) if end < len(events)}
        if len(kinds) > 1:
            return f"the moment of truth for {seat}", False
        revealed = revealed or bool(kinds)
    return None, revealed


def _reveal(pair: Pair, events: tuple[Event, ...]) -> int:
    """Where the first event stands that may tell the secret."""
    for n, event in enumerate(events):
        by = getattr(event, "by", None)
        if isinstance(event, pair.reveals) and (by is None or not pair.insiders or by in pair.insiders):
            return n
    return len(events)

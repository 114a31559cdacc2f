"""The checks of the property tests can fail: each planted fault is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from elysian.actions import ProposeDeal
from elysian.deals import Deed, Give, Obligation, Pledge, Undertake
from elysian.events import BidsRevealed, Event, Gained, GiftGiven, ObligationBroken, TimeCalled
from elysian.goods import Goods
from elysian.parts import Moved
from elysian.rules import decide, evolve
from elysian.state import Bid, Bidder, Held, Pile, State
from tests.support.invariants import check_invariants
from tests.support.table import change, player, table, until

LINE_UP = ("zeth", "faderan", "caylion", "kit")


def _lost_card(game: State) -> State:
    return replace(game, colonies=Pile(cards=game.colonies.cards[1:]))


def _card_twice(game: State) -> State:
    return replace(game, shared=(game.research_track[0],))


def _foreign_owner(game: State) -> State:
    card = next(iter(player(game, 0).cards))
    return change(game, 0, cards={**player(game, 0).cards, card: Held(owner=1)})


def _short_track(game: State) -> State:
    last = game.colony_track[-1]
    assert last is not None
    under = Pile(cards=(*game.colonies.cards, last))
    return replace(game, colonies=under, colony_track=game.colony_track[:-1])


def _eras_mixed(game: State) -> State:
    return replace(game, research=Pile(cards=game.research.cards[::-1]))


def _eight_envoys(game: State) -> State:
    return change(game, 3, stock=Goods(envoy=8))


def _offer_of_a_stranger(game: State) -> State:
    give = Give(giver=0, to=1, goods=Goods(ship=1))
    game = decide(game, 0, ProposeDeal(parties=(0, 1), clauses=(give,)))[1]
    return replace(game, deals={"d1": replace(game.deals["d1"], parties=(0, 7))})


def _overdue(game: State) -> State:
    clause = Undertake(to=1, deed=Deed(who=0, verb="run", subject="colony.regulus"), turn=1, by="trade")
    owed = Obligation(id="d1.1", deal="d1", parties=(0, 1), clause=clause, made=1)
    return replace(until(game, "plan"), obligations={"d1.1": owed})


def _owed_to_oneself(game: State) -> State:
    clause = Pledge(what=Give(giver=0, to=0, goods=Goods(ship=1)), due=2)
    return replace(
        game, obligations={"d1.1": Obligation(id="d1.1", deal="d1", parties=(0, 1), clause=clause, made=1)}
    )


def _bid_without_ships(game: State) -> State:
    return replace(until(game, "bid"), bids={0: Bid(colony=50)})


def _queue_without_ships(game: State) -> State:
    return replace(until(game, "bid"), step="colony_auction", queue=(Bidder(seat=0, ships=50),))


FAULTS: tuple[Callable[[State], State], ...] = (
    _lost_card,
    _card_twice,
    _foreign_owner,
    _short_track,
    _eras_mixed,
    _eight_envoys,
    _offer_of_a_stranger,
    _overdue,
    _owed_to_oneself,
    _bid_without_ships,
    _queue_without_ships,
    lambda game: change(game, 0, stock=Goods(green=-1)),
    lambda game: change(game, 0, stock=Goods(point=1)),
    lambda game: change(game, 0, tied_to=1),
    lambda game: change(game, 1, stock=Goods(acknowledgement=12)),
    lambda game: replace(game, done=frozenset({9})),
    lambda game: replace(game, traded=frozenset({(0, 1)})),
    lambda game: replace(game, turn=7),
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_table_that_is_not_sound_is_recognised(fault: Callable[[State], State]) -> None:
    game = table(*LINE_UP, bare=False)
    check_invariants(game)
    with pytest.raises(AssertionError):
        check_invariants(fault(game))


@pytest.mark.parametrize(
    "event",
    [
        TimeCalled(),
        Gained(seat=0, goods=Goods(green=2), card="relic.stars_ruin"),
        GiftGiven(moved=Moved(giver=1, to=0, goods=Goods(green=1))),
        ObligationBroken(by=0, obligation="d1.1", points=1),
        BidsRevealed(track="colony", bids=()),
    ],
)
def test_goods_that_no_event_accounts_for_are_recognised(event: Event) -> None:
    before = table(*LINE_UP, bare=False)
    richer = change(before, 0, stock=player(before, 0).stock + Goods(green=1))
    with pytest.raises(AssertionError):
        check_invariants(richer, event, before)


def test_a_card_that_moves_unnamed_is_recognised() -> None:
    before = table(*LINE_UP, bare=False)
    check_invariants(evolve(before, TimeCalled()), TimeCalled(), before)
    deck = player(before, 0).deck
    moved = change(before, 0, deck=deck[1:], cards={**player(before, 0).cards, deck[0]: Held(owner=0)})
    with pytest.raises(AssertionError):
        check_invariants(moved, TimeCalled(), before)

"""Deals of the whole table: found once for all, and proposed by a seat that gains no more than the others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, Done, ProposeDeal
from elysian.deals import Deal, Give, parties_to
from elysian.events import DealStruck
from elysian.goods import Goods
from elysian.options import options
from elysian.players.trader.answers import Judge
from elysian.players.trader.level import LEVELS
from elysian.players.trader.player import Trader
from elysian.players.trader.search import EVEN_FOR_ALL, SHARE, WHOLE, DealSearch
from elysian.players.trader.together import WAITS, Together
from elysian.rules import decide, new_game
from elysian.state import State
from elysian.view import view
from elysian.worth import DealPolicy, FoundDeal, prices, worth

SEVEN = ("unity", "zeth", "kjas", "imdril", "kit", "faderan", "eni_et")


def looking() -> DealSearch:
    return DealSearch(prices(), DealPolicy(0.12, share=SHARE, credit=4), (2, 3))


@pytest.fixture(scope="module")
def table() -> State:
    return new_game(SEVEN, seed=3)


@pytest.fixture(scope="module")
def found(table: State) -> FoundDeal:
    deal = looking().together(view(table, 0), 0, set())
    assert deal is not None
    return deal


def test_everybody_finds_the_same_deal_and_nobody_gains_next_to_nothing_by_it(
    table: State, found: FoundDeal
) -> None:
    for seat in table.seats():
        same = looking().together(view(table, seat), seat, set())
        assert same is not None
        assert same.clauses == found.clauses
    gains = [worth(view(table, seat), seat, found.clauses, prices()) for seat in table.seats()]
    assert len(found.gains) == len(SEVEN)
    assert min(gains) >= EVEN_FOR_ALL * sum(gains) / len(gains)


def test_it_brings_more_than_the_best_deal_of_two(table: State, found: FoundDeal) -> None:
    pairs = [looking().best(view(table, seat), seat, set()) for seat in table.seats()]
    assert found.surplus > 2 * max(pair.surplus for pair in pairs if pair is not None)


def test_the_rules_allow_it_and_it_is_struck_when_all_have_agreed(table: State, found: FoundDeal) -> None:
    parties = parties_to(found.clauses)
    _, state = decide(table, parties[0], ProposeDeal(parties=parties, clauses=found.clauses))
    [name] = state.deals
    for seat in parties[1:]:
        events, state = decide(state, seat, AcceptDeal(deal=name))
    assert any(isinstance(event, DealStruck) and event.parties == parties for event in events)


def test_who_gains_more_than_an_equal_share_leaves_it_to_others_to_propose_it(found: FoundDeal) -> None:
    share = found.surplus / len(found.gains)
    for seat, gain in found.gains.items():
        assert Together(1).is_mine(found, seat) == (gain <= share)


def test_a_cut_that_its_maker_gains_most_by_is_turned_down(table: State, found: FoundDeal) -> None:
    modest, greedy = (pick(found.gains, key=found.gains.__getitem__) for pick in (min, max))
    assert found.gains[greedy] > found.surplus / len(found.gains) + 0.3
    for maker, agreed in ((modest, True), (greedy, False)):
        seat = next(one for one in found.gains if one not in (modest, greedy))
        deal = Deal(id="d1", proposer=maker, parties=parties_to(found.clauses), clauses=found.clauses)
        assert Judge(prices(), 0.06, 0.35, share=0.43).answer(view(table, seat), deal).agrees is agreed


def played(state: State, players: list[Trader], steps: int) -> Iterator[tuple[int, Action, State]]:
    """Who does what, seats asked in an order by lot, while trading lasts."""
    order = Random(1)
    for _ in range(steps):
        seat = order.randrange(len(players))
        action = players[seat].choose(view(state, seat), options(state, seat), Random(2))
        if action is not None:
            _, state = decide(state, seat, action)
            yield seat, action, state


def test_experts_begin_with_it_and_who_has_agreed_lets_the_others_answer(table: State) -> None:
    offered: list[ProposeDeal] = []
    for _, action, state in played(table, [Trader("expert") for _ in SEVEN], 60):
        if isinstance(action, ProposeDeal):
            offered.append(action)
        if not state.deals:
            break
    assert [len(one.parties) for one in offered] == [len(SEVEN)]
    assert state.players != table.players  # it was struck, and nothing was offered before


def test_nobody_waits_for_ever_for_one_who_does_not_answer(table: State, found: FoundDeal) -> None:
    parties = parties_to(found.clauses)
    _, state = decide(table, parties[0], ProposeDeal(parties=parties, clauses=found.clauses))
    [name] = state.deals
    _, state = decide(state, parties[1], AcceptDeal(deal=name))
    together = Together(1)
    assert [together.waits(view(state, parties[1])) for _ in range(WAITS + 2)] == [True] * WAITS + [False] * 2


def test_bots_make_none_before_people_are_done_and_none_with_them(table: State) -> None:
    people = frozenset({0})
    bots = [Trader("expert", people) for _ in SEVEN]
    for state in (table, decide(table, 0, Done())[1]):
        offered = [
            bot.choose(view(state, n), options(state, n), Random(2)) for n, bot in enumerate(bots) if n
        ]
        whole = [one for one in offered if isinstance(one, ProposeDeal) and len(one.parties) >= WHOLE]
        assert bool(whole) == (0 in state.done)
        assert all(0 not in one.parties for one in whole)


def test_who_seldom_searches_looks_for_no_deal_while_an_offer_among_others_waits(table: State) -> None:
    parties, clauses = (1, 2), (Give(giver=1, to=2, goods=Goods(green=1)),)
    _, state = decide(table, 1, ProposeDeal(parties=parties, clauses=clauses))
    standard = LEVELS["standard"]
    for level in (standard, replace(standard, lets_answer=0)):
        bot, times = Trader(level), level.lets_answer
        asked = [bot.choose(view(state, 0), options(state, 0), Random(2)) for _ in range(times + 1)]
        assert asked[:times] == [None] * times
        assert isinstance(asked[times], ProposeDeal)


def test_nobody_waits_for_an_offer_that_lies_before_a_person(table: State) -> None:
    _, state = decide(
        table, 1, ProposeDeal(parties=(1, 2), clauses=(Give(giver=1, to=2, goods=Goods(green=1)),))
    )
    bot = Trader("standard", frozenset({2}))
    assert bot.choose(view(state, 0), options(state, 0), Random(2)) is not None

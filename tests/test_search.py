"""Looking for deals: what is built once and used again, and which searches are foreseen to find nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations, product

import highspy
import pytest
from msgspec.structs import replace

from elysian.goods import Goods
from elysian.players.trader import search as trader_search
from elysian.players.trader.search import PAIR, DealSearch
from elysian.rules import new_game
from elysian.view import view
from elysian.worth import (
    DealModel,
    DealPolicy,
    Party,
    SolverLimits,
    hand_of,
    party_of,
    prices,
    situation_of,
)
from elysian.worth.activities import Activities
from elysian.worth.milp import INFINITE, Programme
from elysian.worth.problem import Hand, Situation
from elysian.worth.seat_model import SeatModel

FOUR = ("kit", "faderan", "caylion", "zeth")


def built(part: SeatModel) -> tuple[object, ...]:
    programme = part.programme
    return (
        part.constant,
        part.worth,
        programme.terms,
        programme.times,
        programme.starts,
        programme.row_least,
        programme.row_most,
        programme.least,
        programme.most,
    )


def modelled(hand: Hand, situation: Situation) -> SeatModel:
    return SeatModel(Programme(), hand, situation, prices())


def test_a_model_that_is_given_other_goods_is_the_one_built_for_them() -> None:
    seen = view(new_game(FOUR, seed=5), 0)
    for seat in range(len(FOUR)):
        hand, situation = hand_of(seen, seat), situation_of(seen, seat)
        owing = replace(
            hand, owed=Goods(green=2, black=1), deeds=frozenset({("run", next(iter(hand.cards)))})
        )
        for one in (hand, owing):
            model = modelled(one, situation)
            for goods in (
                Goods(),
                Goods(green=3, wild_small=1, ship=2),
                Goods(black=1, ultratech=2),
                hand.stock,
            ):
                other = replace(one, stock=goods)
                model.hold(other)
                assert built(model) == built(modelled(other, situation))


def test_a_search_finds_the_same_whatever_was_searched_before() -> None:
    """Same seed, same game: a solver that was broken off in one programme starts afresh in the next."""
    rates = prices()
    seen = view(new_game(FOUR, seed=5), 0)
    models = [
        DealModel([party_of(seen, seat, rates) for seat in pair], rates, DealPolicy())
        for pair in ((0, 1), (1, 2), (2, 3))
    ]
    for limits in (SolverLimits(work=40, gap=0.05, points=0.1), PAIR):
        first = [model.programme.solve(limits) for model in models]
        assert any(first)
        for model in models:
            model.programme.solve(SolverLimits(work=1))
        assert [model.programme.solve(limits) for model in reversed(models)] == first[::-1]


def test_a_search_near_the_relaxation_leaves_out_what_would_cost_too_much() -> None:
    """Of three things two fit into a room of 2.5; the third comes in only for the half of another."""
    programme = Programme()
    small, large, dear = (programme.choice(worth) for worth in (3.0, 2.5, 1.0))
    programme.bind([(small, 1.0), (large, 2.0), (dear, 1.5)], most=2.5)
    # Without whole numbers: the small one, and three quarters of the large one. A piece of the dear one would
    # push out as much of it, and cost 0.875 points.
    assert programme.bound() == 3.0 + 0.75 * 2.5
    found = [programme.solve(SolverLimits(near=points)) for points in (float("inf"), 0.9, 0.8)]
    assert [one and one.values for one in found] == [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


def test_a_search_near_a_relaxation_without_an_answer_finds_none() -> None:
    programme = Programme()
    programme.bind([(programme.choice(1.0), 1.0)], least=2.0)
    assert programme.solve(SolverLimits(near=1.0)) is None


def test_what_cannot_be_paid_whole_promises_nothing() -> None:
    """Two goods are needed where there is one; what hangs on the first thing falls with it."""
    programme = Programme()
    dear, hangs = programme.choice(6.0), programme.variable(1.0, most=9.0)
    goods = programme.variable(least=-INFINITE, most=1.0)
    free = programme.variable(0.5, most=2.5, whole=False)
    programme.bind([(dear, 2.0), (goods, -1.0)], most=0.0)
    programme.bind([(hangs, 1.0), (dear, -9.0)], most=0.0)
    programme.bind([(free, 1.0), (goods, 0.0)], most=2.0)
    assert programme.bound() == 1.0
    solution = programme.solve(SolverLimits(near=0.1))
    assert solution is not None
    assert solution.worth == 1.0


def test_what_is_left_out_of_a_deal_could_not_have_been_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of everything is larger, promises as much and has the same best deal."""
    rates, exact = prices(), SolverLimits(work=100_000, gap=0.0, points=1e-6)
    seen = view(new_game(FOUR, seed=5), 0)
    parties = [party_of(seen, seat, rates) for seat in range(len(FOUR))]
    policy = DealPolicy(credit=0, share=0.74)
    for pair in combinations(parties, 2):
        model = DealModel([*pair], rates, policy)
        with monkeypatch.context() as everything:
            everything.setattr(Activities, "payable", lambda *_: True)
            everything.setattr(Activities, "could_stand_in", lambda *_: True)
            whole = DealModel([*pair], rates, policy)
        assert len(model.programme.worth) < len(whole.programme.worth)
        assert model.promise() == pytest.approx(whole.promise())
        found, other = model.programme.solve(exact), whole.programme.solve(exact)
        assert (found is None) == (other is None)
        if found is not None and other is not None:
            assert found.worth == pytest.approx(other.worth, abs=1e-4)
            assert found.worth <= model.promise() + 1e-6


def test_who_searches_one_pair_asks_no_partner_who_promised_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best partner is asked again, and who promised less only when the best promises less than that."""
    state = new_game(FOUR, seed=5)
    seen = view(state, 0)
    promises: dict[tuple[int, ...], float] = {(0, 1): 3.0, (0, 2): 8.0, (0, 3): 2.0}
    asked: list[tuple[int, ...]] = []

    def promise(_: DealSearch, __: object, ring: list[Party]) -> float:
        asked.append(tuple(party.hand.seat for party in ring))
        return promises[asked[-1]]

    monkeypatch.setattr(DealSearch, "_promise", promise)
    monkeypatch.setattr(DealSearch, "_deal", lambda *_: None)
    search = DealSearch(prices(), DealPolicy(), (2,), 1)

    def asks() -> list[tuple[int, ...]]:
        asked.clear()
        assert search.best(seen, 0, set()) is None
        return sorted(asked)

    assert asks() == [*promises]
    assert asks() == [(0, 2)]
    promises[0, 2] = 2.5
    assert asks() == [(0, 1), (0, 2)]
    promises[0, 1] = promises[0, 2] = 0.5
    assert asks() == [*promises]
    # Who may search three pairs looks at all of them.
    search.tries = 3
    assert asks() == [*promises]


def test_an_error_inside_the_solver_is_an_answer_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen with HiGHS 1.15: std::length_error in a heuristic, at a programme that it solves without it."""
    programme = Programme()
    programme.bind([(programme.choice(1.0), 1.0)], most=1.0)

    def run(_: highspy.Highs) -> None:
        raise ValueError("vector::reserve")

    with monkeypatch.context() as broken:
        broken.setattr(highspy.Highs, "run", run)
        assert programme.solve(SolverLimits()) is None
    found = programme.solve(SolverLimits())
    assert found is not None
    assert found.values == [1.0]


def pairs(seed: int) -> list[DealModel]:
    """The models of all pairs of a table at the start of a game."""
    rates = prices()
    seen = view(new_game(FOUR, seed=seed), 0)
    return [
        DealModel([party_of(seen, seat, rates) for seat in pair], rates, DealPolicy())
        for pair in combinations(range(len(FOUR)), 2)
    ]


def test_a_search_ends_when_there_is_no_hope_of_what_it_should_bring() -> None:
    models = pairs(5)
    worths = [found.worth for model in models if (found := model.programme.solve(PAIR)) is not None]
    assert worths
    hoped = replace(PAIR, worth=1000.0)
    # What is found before the solver first says what it hopes for is kept all the same.
    kept = [found.worth for model in models if (found := model.programme.solve(hoped)) is not None]
    assert len(kept) < len(worths)


def test_deeds_are_planned_in_the_same_order_in_every_process() -> None:
    """Same seed, same game: a set of words has another order in every process."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", "from tests.test_search import deeds_planned; print(deeds_planned())"],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(printed) == 1


def deeds_planned() -> str:
    """The programme of a seat that has undertaken to run every card it has."""
    seen = view(new_game(FOUR, seed=5), 0)
    hand = hand_of(seen, 0)
    owing = replace(hand, deeds=frozenset(("run", card) for card in hand.cards))
    return repr(built(modelled(owing, situation_of(seen, 0))))


def deals_searched() -> int:
    """How many searches for deals are remembered."""
    return sum(isinstance(key, tuple) and key[0] == "deal" for key in trader_search._MEMORY)


def test_seats_that_found_nothing_are_not_searched_again_while_nothing_changes_for_them() -> None:
    """Tokens that nobody wants make another table, on which the same pairs promise the same."""
    in_vain = 0
    for seed, least in product(range(8), (3.0, 3.4)):
        seen = view(new_game(FOUR, seed=seed), 0)
        more = [replace(area, stock=area.stock + Goods(acknowledgement=1)) for area in seen.players]
        search = DealSearch(prices(), DealPolicy(least=least, share=0.74), (2,), 9)
        trader_search._MEMORY.clear()
        if search.best(seen, 0, set()) is not None:
            continue
        once = deals_searched()
        assert search.best(replace(seen, players=tuple(more)), 0, set()) is None
        assert deals_searched() == once
        in_vain += once
    assert in_vain > 0

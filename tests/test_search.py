"""Looking for deals: what is built once and used again, and which searches are foreseen to find nothing."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.goods import Goods
from elysian.rules import new_game
from elysian.view import view
from elysian.worth import DealModel, DealPolicy, SolverLimits, hand_of, party_of, prices, situation_of
from elysian.worth.milp import Programme
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
    limits = SolverLimits(work=40, gap=0.05, points=0.1)
    first = [model.programme.solve(limits) for model in models]
    assert any(first)
    for model in models:
        model.programme.solve(SolverLimits(work=1))
    assert [model.programme.solve(limits) for model in reversed(models)] == first[::-1]

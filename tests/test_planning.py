"""What a plan takes and makes, and in which ways a price can be paid."""

from elysian.actions import Invent
from elysian.catalog import Cost
from elysian.goods import NOTHING, Goods
from elysian.options import options, white_runs
from elysian.payment import pays, ways
from elysian.plan_preview import payments, planned
from elysian.players.levels import make
from elysian.rules.economy import default_plan, judge
from elysian.sim import play_game
from elysian.state import Run, Settings, State
from elysian.view import view
from elysian.worth import best_plan

SIX = ("faderan", "caylion", "eni_et", "imdril", "kit", "unity")


def moments(step: str) -> list[State]:
    record = play_game(Settings(species=SIX), 3, [make("novice") for _ in SIX], 3).record
    return [state for state in record.states() if state.step == step][::7]


def everything(state: State, seat: int) -> tuple[Run, ...]:
    return tuple(
        Run(card=choice.card, converter=choice.converter)
        for choice in white_runs(state, seat)
        for _ in range(choice.times)
    )


def test_a_plan_without_gaps_is_one_the_rules_take() -> None:
    """ECON-4, ECON-5."""
    tried = 0
    for state in moments("plan"):
        for seat in state.seats():
            found = planned(state, seat, everything(state, seat))
            running = tuple(one.run for one in found.runs if one.missing == Cost() and not one.no_fleet)
            made = judge(state, seat, running)
            tried += 1
            if len(running) == len(found.runs):
                assert (made.paid, found.missing) == (found.paid, Cost())
                assert made.gain + made.donation + made.tied == found.gain + found.donate or made.tied.envoy
    assert tried > 20


def test_what_is_paid_and_what_is_left_is_the_stock() -> None:
    for state in moments("plan"):
        for seat in state.seats():
            player = state.players[seat]
            found = planned(state, seat, everything(state, seat))
            assert found.left.counts() >= NOTHING.counts()
            for kind in ("green", "white", "brown", "black", "blue", "yellow", "wild_small", "ship"):
                there = getattr(found.left, kind) + getattr(found.paid, kind)
                assert there == getattr(player.stock, kind), kind


def test_other_ways_to_pay_are_ways_the_rules_take() -> None:
    """ECON-8, ENI-3."""
    offered = 0
    for state in moments("plan"):
        for seat in state.seats():
            for one in planned(state, seat, default_plan(state, seat)).runs:
                for way in one.ways:
                    offered += 1
                    judge(state, seat, (way,))
    assert offered > 0


def test_a_chosen_payment_stands_while_it_can_be_paid() -> None:
    for state in moments("plan"):
        for seat in state.seats():
            for one in planned(state, seat, everything(state, seat)).runs:
                for way in one.ways:
                    again = planned(state, seat, (way,)).runs[0]
                    assert again.run == way


def test_the_best_plan_lacks_nothing_in_the_economy_phase() -> None:
    for state in moments("plan")[:4]:
        for seat in state.seats():
            runs = best_plan(view(state, seat), seat).runs
            found = planned(state, seat, runs)
            assert found.missing == Cost()
            assert len(found.runs) == len(runs)


def test_a_card_that_is_gone_is_left_out_of_the_plan() -> None:
    state = moments("plan")[0]
    assert planned(state, 0, (Run(card="no_such_card"), Run(card="1", converter=9))).runs == ()


def test_every_way_to_pay_a_price_is_found_once() -> None:
    """ECON-8."""
    stock = Goods(green=2, white=1, wild_small=1)
    found = ways(Cost(goods=Goods(green=2)), stock)
    assert found == (Goods(green=2), Goods(green=1, wild_small=1))
    either = ways(Cost(any_small=2), stock)
    assert len(set(either)) == len(either) == 4
    assert all(pays(Cost(any_small=2), pay) for pay in either)
    assert ways(Cost(goods=Goods(ultratech=1)), stock) == ()


def test_an_invention_can_be_paid_in_the_ways_that_are_named() -> None:
    """INV-1."""
    seen = 0
    for state in moments("trade"):
        for seat in state.seats():
            for choice in options(state, seat).choices:
                if isinstance(choice.action, Invent):
                    found = payments(state, seat, choice.action)
                    assert choice.action.pay in found.pay
                    seen += 1
    assert seen > 0

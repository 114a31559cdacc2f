"""Plans: saved, changed, judged, and secret until all run together."""

import pytest

from elysian.actions import LayPlan, PlaceBid, TimeUp
from elysian.events import PlanLaid, PlanSaved, ProductionRun, StepBegan
from elysian.goods import Goods
from elysian.options import options
from elysian.rules import IllegalAction, waiting
from elysian.state import Run
from elysian.view import all_seen_by, view
from tests.support.table import (
    goods_of,
    happened,
    hold,
    lend,
    play,
    player,
    seat_of,
    stock,
    swap,
    table,
    until,
    why_not,
)

FOUR = ("faderan", "kjas", "zeth", "kit")
REPURPOSING = Run(card="faderan.relic_repurposing")  # two brown for two ships and a white
NETWORK = Run(card="faderan.archaic_automated_support_network")  # free: green, white, brown, ship
RITUAL = Run(card="faderan.ritual_government")  # four white


def planning(**goods):
    """A table in the planning step with these goods before the Faderan."""
    return until(stock(table(*FOUR), "faderan", **goods), "plan")


def others_plan_nothing(game):
    """The table after everybody but the Faderan has laid an empty plan."""
    return play(game, *((who, LayPlan(runs=())) for who in FOUR[1:]))


def test_nothing_runs_before_everybody_has_laid_a_plan():
    """ECON-12."""
    game = planning(brown=2)
    events = happened(game, "faderan", LayPlan(runs=(REPURPOSING,)))
    assert not any(isinstance(event, ProductionRun) for event in events)
    game = play(game, ("faderan", LayPlan(runs=(REPURPOSING,))))
    assert goods_of(game, "faderan") == Goods(brown=2)
    assert waiting(game) == (1, 2, 3)


def test_plans_are_revealed_together_in_seat_order():
    """ECON-12, SETUP-9."""
    game = play(planning(brown=2), ("faderan", LayPlan(runs=(REPURPOSING,))))
    game = play(game, *((who, LayPlan(runs=())) for who in ("kit", "zeth")))
    events = happened(game, "kjas", LayPlan(runs=()))
    revealed = [event for event in events if isinstance(event, ProductionRun)]
    assert [event.by for event in revealed] == [0, 1, 2, 3]
    assert revealed[0].runs == (REPURPOSING,)
    assert StepBegan(step="bid") in events


def test_a_plan_may_be_changed_until_everybody_has_one():
    """ECON-12."""
    game = play(
        planning(brown=2), ("faderan", LayPlan(runs=(REPURPOSING,))), ("faderan", LayPlan(runs=(NETWORK,)))
    )
    game = others_plan_nothing(game)
    assert goods_of(game, "faderan") == Goods(brown=3, green=1, white=1, ship=1)


def test_saving_another_plan_takes_the_laid_one_back():
    """ECON-12."""
    game = play(planning(brown=2), ("faderan", LayPlan(runs=(REPURPOSING,))))
    game = play(game, ("faderan", LayPlan(runs=(NETWORK,), ready=False)))
    assert seat_of(game, "faderan") in waiting(game)
    game = others_plan_nothing(game)
    assert game.step == "plan"


def test_a_plan_may_be_saved_in_the_trade_phase():
    """ECON-12."""
    game = stock(table(*FOUR), "faderan", brown=2)
    game = play(game, ("faderan", LayPlan(runs=(REPURPOSING,), ready=False)))
    assert view(game, seat_of(game, "faderan")).plan == (REPURPOSING,)
    assert game.step == "trade"
    assert seat_of(game, "faderan") not in game.done


def test_a_plan_is_laid_only_when_planning_has_begun():
    """ECON-12."""
    with pytest.raises(IllegalAction, match="only_saved"):
        play(stock(table(*FOUR), "faderan", brown=2), ("faderan", LayPlan(runs=(REPURPOSING,))))


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (Run(card="colony.elysium"), "unknown_card"),
        (Run(card=REPURPOSING.card, pay=Goods(brown=-2)), "bad_quantity"),
        (Run(card=REPURPOSING.card, colour="purple"), "wrong_colour"),
    ],
)
def test_a_plan_that_makes_no_sense_is_not_even_saved(run, code):
    """ECON-12."""
    for game in (table(*FOUR), planning(brown=2)):
        assert why_not(game, "faderan", LayPlan(runs=(run,), ready=False)) == code


def test_the_choices_say_how_often_a_converter_may_run():
    """ECON-3, CAY-3."""
    game = hold(until(table("caylion", *FOUR), "plan"), "kit", "colony.acrux", seedling=True)
    times = {choice.card: choice.times for choice in options(game, seat_of(game, "kit")).runs}
    assert times.pop("colony.acrux") == 2
    assert set(times.values()) == {1}


def test_a_plan_is_neither_laid_nor_saved_after_the_economy_phase():
    """ECON-12."""
    game = others_plan_nothing(play(planning(), ("faderan", LayPlan(runs=()))))
    for ready in (True, False):
        with pytest.raises(IllegalAction, match="wrong_step"):
            play(game, ("faderan", LayPlan(runs=(), ready=ready)))


def test_a_saved_plan_may_count_on_goods_that_are_still_to_come():
    """ECON-12."""
    game = play(table(*FOUR), ("faderan", LayPlan(runs=(REPURPOSING,), ready=False)))
    game = until(swap(stock(game, "kit", brown=2), "kit", Goods(brown=2), "faderan"), "plan")
    game = others_plan_nothing(play(game, (0, LayPlan(runs=game.plans[0]))))
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)


def test_a_plan_is_judged_when_it_is_laid():
    """ECON-12, ECON-4."""
    game = play(planning(brown=1), ("faderan", LayPlan(runs=(REPURPOSING,), ready=False)))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("faderan", LayPlan(runs=(REPURPOSING,))))


def test_a_plan_of_absurd_length_is_refused():
    """ECON-3."""
    game = planning()
    for ready in (True, False):
        with pytest.raises(IllegalAction, match="plan_too_long"):
            play(game, ("faderan", LayPlan(runs=(NETWORK,) * 100, ready=ready)))


# ---------------------------------------------------------------- secrecy


def test_nobody_else_sees_a_laid_plan():
    """ECON-12, COMP-5."""
    game = planning(brown=2)
    events = happened(game, "faderan", LayPlan(runs=(REPURPOSING,)))
    assert all_seen_by(game, 0, events) == (PlanLaid(by=0, runs=(REPURPOSING,)),)
    for other in (1, 2, 3, None):
        assert all_seen_by(game, other, events) == (PlanLaid(by=0, runs=None),)
    game = play(game, ("faderan", LayPlan(runs=(REPURPOSING,))))
    assert view(game, 0).plan == (REPURPOSING,)
    assert all(view(game, other).plan is None for other in (1, 2, 3, None))


def test_nobody_else_hears_that_a_plan_was_saved():
    """ECON-12, COMP-5."""
    game = stock(table(*FOUR), "faderan", brown=2)
    events = happened(game, "faderan", LayPlan(runs=(REPURPOSING,), ready=False))
    assert all_seen_by(game, 0, events) == (PlanSaved(by=0, runs=(REPURPOSING,)),)
    assert all(all_seen_by(game, other, events) == () for other in (1, 2, 3, None))
    game = play(game, ("faderan", LayPlan(runs=(REPURPOSING,), ready=False)))
    assert all(view(game, other).plan is None for other in (1, 2, 3, None))


def test_a_bid_is_not_made_before_the_plans_are_run():
    """PHASE-2."""
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(planning(ship=1), ("faderan", PlaceBid(colony=1)))


# ---------------------------------------------------------------- time is up


def test_when_time_is_up_the_saved_plan_runs():
    """ECON-12."""
    game = play(planning(brown=2), ("faderan", LayPlan(runs=(REPURPOSING,), ready=False)), (None, TimeUp()))
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)


def test_when_time_is_up_what_no_longer_fits_is_left_out():
    """ECON-12, ECON-4."""
    game = table(*FOUR)
    saved = LayPlan(runs=(RITUAL, NETWORK, REPURPOSING), ready=False)
    game = play(game, ("faderan", saved))
    game = stock(lend(game, "faderan", "kit", NETWORK.card), "faderan", brown=2)
    game = play(until(game, "plan"), (None, TimeUp()))
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)


def test_when_time_is_up_without_a_plan_what_is_free_runs():
    """ECON-7."""
    game = hold(table("caylion", *FOUR), "caylion", "colony.regulus", seedling=True)
    game = stock(until(game, "plan"), "caylion", blue=2)
    game = play(game, (None, TimeUp()))
    assert player(game, "caylion").stock == Goods(blue=2, green=3, white=3, ship=1)


def test_when_time_is_up_a_laid_plan_stays():
    """ECON-12."""
    game = play(planning(brown=2), ("faderan", LayPlan(runs=())), (None, TimeUp()))
    assert goods_of(game, "faderan") == Goods(brown=2)
    assert player(game, "kjas").stock == Goods(brown=2, ship=3)

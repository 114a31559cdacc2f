"""White converters: which run, what they take and where their output goes."""

import pytest

from elysian.actions import LayPlan
from elysian.goods import Goods
from elysian.rules import IllegalAction
from elysian.state import Run
from tests.support.table import (
    change,
    goods_of,
    hold,
    lend,
    play,
    player,
    run_economy,
    stock,
    swap,
    table,
    until,
)

FIVE = ("faderan", "kjas", "unity", "zeth", "kit")
REPURPOSING = Run(card="faderan.relic_repurposing")  # two brown for two ships and a white
RITUAL = Run(card="faderan.ritual_government")  # four white for an octagon, a black and a green
BALKANIZED = "kjas.balkanized_states_colonies"
EXPLORER = "unity.explorer_collection"  # three small cubes for two ships, a black and a brown


def laying(game, who, *runs):
    """Try a plan in the Economy Phase."""
    return play(until(game, "plan"), (who, LayPlan(runs=runs)))


# ---------------------------------------------------------------- which converters


def test_a_player_runs_chosen_converters_of_own_cards():
    """ECON-3."""
    game = run_economy(stock(table(*FIVE), "faderan", brown=2), {"faderan": (REPURPOSING,)})
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)


def test_running_is_optional():
    """ECON-3."""
    game = run_economy(stock(table(*FIVE), "faderan", brown=2), {})
    assert goods_of(game, "faderan") == Goods(brown=2)


def test_colonies_run_for_their_holder():
    """ECON-3."""
    game = hold(table(*FIVE), "zeth", "colony.acrux")
    game = run_economy(game, {"zeth": (Run(card="colony.acrux"),)})
    assert player(game, "zeth").stock == Goods(brown=1)


def test_a_borrowed_card_runs_for_its_borrower():
    """ECON-3."""
    game = stock(lend(table(*FIVE), "faderan", "zeth", REPURPOSING.card), "zeth", brown=2)
    game = run_economy(game, {"zeth": (REPURPOSING,)})
    assert player(game, "zeth").stock == Goods(white=1, ship=2)


def test_a_lent_card_does_not_run_for_its_owner():
    """ECON-3."""
    game = stock(lend(table(*FIVE), "faderan", "zeth", REPURPOSING.card), "faderan", brown=2)
    with pytest.raises(IllegalAction, match="not_your_card"):
        laying(game, "faderan", REPURPOSING)


def test_a_card_out_of_play_does_not_run():
    """ECON-3."""
    with pytest.raises(IllegalAction, match="not_your_card"):
        laying(stock(table(*FIVE), "kit", brown=3), "kit", Run(card="kit.nanotechnology"))


def test_a_converter_runs_at_most_once():
    """ECON-3."""
    game = stock(table(*FIVE), "faderan", brown=4)
    with pytest.raises(IllegalAction, match="already_ran"):
        laying(game, "faderan", REPURPOSING, REPURPOSING)


def test_a_violet_converter_does_not_run_in_the_economy_phase():
    """ECON-3, VIO-1."""
    game = stock(table(*FIVE), "faderan", white=4)
    with pytest.raises(IllegalAction, match="no_such_converter"):
        laying(game, "faderan", Run(card="faderan.relic_deck"))


def test_a_red_converter_does_not_run_in_the_economy_phase():
    """ECON-3, ZETH-1."""
    with pytest.raises(IllegalAction, match="no_such_converter"):
        laying(stock(table(*FIVE), "zeth", black=1), "zeth", Run(card="zeth.black_market"))


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (Run(card=BALKANIZED, converter=2), "no_such_converter"),
        (Run(card=BALKANIZED, converter=-1), "no_such_converter"),
        (Run(card=BALKANIZED, cost=1), "no_such_cost"),
        (Run(card=BALKANIZED, cost=-1), "no_such_cost"),
        (Run(card="no.card"), "unknown_card"),
        (Run(card=BALKANIZED, colour="blue"), "wrong_colour"),
    ],
)
def test_only_what_is_printed_on_the_side_that_shows_runs(run, code):
    """ECON-3."""
    game = stock(hold(table(*FIVE), "kjas", BALKANIZED), "kjas", blue=9, green=9, ultratech=9)
    with pytest.raises(IllegalAction, match=code):
        laying(game, "kjas", run)


def test_a_card_with_several_converters_runs_each_of_them():
    """D-32, ECON-6, KJAS-6, DON-1."""
    game = stock(hold(table(*FIVE), "kjas", BALKANIZED), "kjas", blue=1, green=1)
    game = run_economy(game, {"kjas": (Run(card=BALKANIZED), Run(card=BALKANIZED, converter=1))})
    assert player(game, "kjas").stock == Goods(black=1, brown=1, ship=2)
    assert player(game, "kjas").donation == Goods(white=2)


def test_a_colony_with_the_seedling_token_runs_twice():
    """D-33, CAY-3, ECON-3."""
    game = hold(table("caylion", *FIVE), "caylion", "colony.antares", flipped=True, seedling=True)
    twice = (Run(card="colony.antares"), Run(card="colony.antares"))
    made = run_economy(stock(game, "caylion", green=2), {"caylion": twice})
    assert player(made, "caylion").stock == Goods(ultratech=2)
    made = run_economy(stock(game, "caylion", green=1), {"caylion": twice[:1]})
    assert player(made, "caylion").stock == Goods(ultratech=1)


def test_both_runs_of_a_seedling_colony_are_paid_from_the_stock_before_the_phase():
    """D-33, CAY-3, ECON-4."""
    game = hold(table("caylion", *FIVE), "caylion", "colony.antares", flipped=True, seedling=True)
    twice = (Run(card="colony.antares"), Run(card="colony.antares"))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        laying(stock(game, "caylion", green=1), "caylion", *twice)


def test_a_seedling_colony_does_not_run_three_times():
    """CAY-3, ECON-3."""
    game = hold(table("caylion", *FIVE), "caylion", "colony.antares", seedling=True)
    with pytest.raises(IllegalAction, match="already_ran"):
        laying(game, "caylion", *[Run(card="colony.antares")] * 3)


# ---------------------------------------------------------------- input


def test_what_a_converter_makes_does_not_feed_another_in_the_same_phase():
    """D-31, ECON-4."""
    game = stock(table(*FIVE), "faderan", brown=2, white=3)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        laying(game, "faderan", REPURPOSING, RITUAL)


def test_all_inputs_together_must_be_in_stock():
    """ECON-4."""
    game = stock(hold(table(*FIVE), "faderan", "faderan.nanotechnology"), "faderan", brown=4)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        laying(game, "faderan", REPURPOSING, Run(card="faderan.nanotechnology"))


def test_a_point_made_in_this_phase_does_not_pay_for_another_run():
    """ECON-4, FAD-10."""
    game = hold(table(*FIVE), "faderan", "relic.thils_demiring", "relic.nalgorian_grindstone")
    game = stock(game, "faderan", yellow=1, black=1)
    runs = (Run(card="relic.thils_demiring"), Run(card="relic.nalgorian_grindstone"))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        laying(game, "faderan", *runs)
    game = run_economy(change(game, "faderan", score=1), {"faderan": runs})
    assert player(game, "faderan").score == 2


def test_donation_goods_of_the_last_turn_do_not_pay():
    """ECON-4, DON-2."""
    game = change(until(table(*FIVE), "plan"), "faderan", donation=Goods(brown=2))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("faderan", LayPlan(runs=(REPURPOSING,))))


def test_the_converters_of_all_players_run_at_the_same_moment():
    """ECON-4, ECON-12."""
    game = until(stock(stock(table(*FIVE), "faderan", brown=2), "zeth", black=1), "plan")
    deception = Run(card="zeth.cascading_deception", converter=1)
    game = play(game, ("faderan", LayPlan(runs=(REPURPOSING,))), ("zeth", LayPlan(runs=(deception,))))
    assert goods_of(game, "faderan") == Goods(brown=2)
    game = play(game, *((who, LayPlan(runs=())) for who in ("kjas", "unity", "kit")))
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)
    assert player(game, "zeth").stock == Goods(ship=2)


@pytest.mark.parametrize("pay", [Goods(brown=1), Goods(brown=3), Goods(), Goods(brown=1, white=1)])
def test_a_run_pays_the_whole_input_and_nothing_else(pay):
    """ECON-5."""
    game = stock(table(*FIVE), "faderan", brown=3, white=3)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        laying(game, "faderan", Run(card=REPURPOSING.card, pay=pay))


def test_a_converter_without_input_is_free():
    """ECON-7."""
    game = run_economy(table(*FIVE), {"kjas": (Run(card="kjas.underground_cities"),)})
    assert player(game, "kjas").stock == Goods(brown=2, ship=3)


def test_an_any_colour_input_takes_any_mix_and_wild_cubes():
    """D-37, ECON-8, UNI-1."""
    pay = Goods(green=1, white=1, wild_small=1)
    game = run_economy(stock(table(*FIVE), "unity", pay), {"unity": (Run(card=EXPLORER, pay=pay),)})
    assert player(game, "unity").stock == Goods(black=1, brown=1, ship=2)


def test_an_any_colour_input_must_be_named():
    """ECON-8."""
    with pytest.raises(IllegalAction, match="name_the_payment"):
        laying(stock(table(*FIVE), "unity", green=3), "unity", Run(card=EXPLORER))


def test_any_player_pays_a_wild_cube_for_any_colour():
    """ECON-8, UNI-3."""
    game = swap(stock(table(*FIVE), "unity", wild_small=2), "unity", Goods(wild_small=2), "faderan")
    run = Run(card=REPURPOSING.card, pay=Goods(wild_small=2))
    game = run_economy(game, {"faderan": (run,)})
    assert goods_of(game, "faderan") == Goods(white=1, ship=2)


def test_small_cubes_are_no_large_ones_and_the_reverse():
    """ECON-9."""
    game = stock(table(*FIVE), "unity", black=3, wild_large=3)
    for pay in (Goods(black=3), Goods(wild_large=3)):
        with pytest.raises(IllegalAction, match="wrong_payment"):
            laying(game, "unity", Run(card=EXPLORER, pay=pay))


def test_ships_are_paid_with_ships_only():
    """ECON-9."""
    game = stock(hold(table(*FIVE), "faderan", "relic.transmutive_decomposer"), "faderan", wild_small=2)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        laying(game, "faderan", Run(card="relic.transmutive_decomposer", pay=Goods(wild_small=2)))


# ---------------------------------------------------------------- output


def test_points_go_to_the_score_donations_to_the_donation_card_the_rest_to_stock():
    """ECON-11, DON-1."""
    game = stock(hold(table(*FIVE), "kit", "kit.social_exodus"), "kit", white=5)
    game = run_economy(game, {"kit": (Run(card="kit.social_exodus"),)})
    kit = player(game, "kit")
    assert kit.score == 1
    assert kit.stock == Goods(black=1, ship=2)
    assert kit.donation == Goods(black=1, blue=1, ship=2, point=1)


def test_the_donation_of_a_borrowed_card_is_the_borrowers_to_give_away():
    """ECON-11, DON-1."""
    game = hold(table(*FIVE), "kjas", "kjas.perfume_pheromone_loyalty", flipped=True)
    game = stock(lend(game, "kjas", "zeth", "kjas.perfume_pheromone_loyalty"), "zeth", brown=4)
    game = run_economy(game, {"zeth": (Run(card="kjas.perfume_pheromone_loyalty"),)})
    assert player(game, "zeth").donation == Goods(green=1, brown=1)
    assert player(game, "kjas").donation == Goods()

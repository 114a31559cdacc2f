"""The twelve relic worlds: what happens when one arrives, and what it does from then on."""

import pytest
from msgspec.structs import replace

from elysian.actions import DiscardColonies, Done, Invent, RunConverter
from elysian.deals import Lend
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.state import Pile
from tests.support.arrange import colonies_on_top, held, holder, relics, run
from tests.support.table import (
    change,
    close_trading,
    deal,
    goods_of,
    hold,
    play,
    player,
    run_economy,
    stock,
    table,
    until,
)

FOUR = ("faderan", "kit", "imdril", "yengii")
DIG = RunConverter(card="faderan.relic_deck", colonies=("colony.spica",))


def dug(card, *others, turn=1, species=FOUR, **acknowledgements):
    """A table where the Faderan have just drawn a relic world, with nothing else in stock."""
    game = hold(table(*species, turn=turn), "faderan", "colony.spica")
    for who, n in acknowledgements.items():
        game = stock(game, who, acknowledgement=n)
    return play(stock(relics(game, card, *others), "faderan", white=4), ("faderan", DIG))


def lend(game, to, card):
    seat = game.settings.species.index(to)
    return deal(game, 0, (seat,), Lend(giver=0, to=seat, card=card))


# ---------------------------------------------------------------- arriving


@pytest.mark.parametrize(
    ("card", "goods", "points"),
    [
        ("gift_of_the_duruntai", Goods(), 0),
        ("relic_detector", Goods(), 1),
        ("library_of_entelechy", Goods(), 0),
        ("transmutive_decomposer", Goods(), 1),
        ("nalgorian_grindstone", Goods(), 1),
        ("paradise_converter", Goods(black=1, blue=1), 0),
        (
            "barian_trade_armada",
            Goods(ultratech=1, blue=1, black=1, yellow=1, green=1, brown=1, white=1, ship=4),
            1,
        ),
        ("thils_demiring", Goods(green=1, brown=1, white=1), 0),
        ("the_grand_armilla", Goods(), 1),
        ("automated_transport_network", Goods(), 0),
        ("contextual_integrator_cache", Goods(), 0),
    ],
)
def test_a_relic_world_brings_what_is_printed_when_it_arrives(card, goods, points):
    """FAD-10, FAD-2."""
    game = dug(f"relic.{card}")
    assert (goods_of(game, "faderan"), player(game, "faderan").score) == (goods, points)


@pytest.mark.parametrize(("turn", "points"), [(1, 8), (4, 6), (6, 4)])
def test_stars_ruin_scores_two_and_the_ordinary_sharing_bonus_of_the_turn(turn, points):
    """FAD-10, X-13."""
    assert player(dug("relic.stars_ruin", turn=turn), "faderan").score == points


@pytest.mark.parametrize(
    ("kit", "yengii", "points"), [(0, 0, 0), (1, 0, 1), (2, 1, 1), (2, 2, 2), (3, 3, 2), (5, 5, 4)]
)
def test_the_cache_scores_a_point_for_every_three_acknowledgements_of_others_rounded_up(kit, yengii, points):
    """FAD-10."""
    game = dug("relic.contextual_integrator_cache", kit=kit, yengii=yengii)
    assert player(game, "faderan").score == points
    assert player(game, "kit").stock.acknowledgement == kit


def test_the_cache_counts_no_acknowledgements_the_faderan_still_have():
    """FAD-10."""
    game = hold(table(*FOUR), "faderan", "colony.spica")
    game = stock(relics(game, "relic.contextual_integrator_cache"), "faderan", white=4)
    game = play(stock(game, "kit", acknowledgement=2), ("faderan", DIG))
    assert player(game, "faderan").score == 1


def test_the_transport_network_brings_the_two_top_colonies_front_side_up():
    """FAD-10."""
    game = hold(table(*FOUR), "faderan", "colony.spica")
    game = colonies_on_top(game, "colony.acrux", "colony.vega", "colony.rigel")
    game = stock(relics(game, "relic.automated_transport_network"), "faderan", white=4)
    game = play(game, ("faderan", DIG))
    assert not held(game, "faderan", "colony.acrux").flipped
    assert "colony.vega" in player(game, "faderan").cards
    assert game.colonies.cards[0] == "colony.rigel"
    assert game.colonies.cards[-1] == "colony.spica"


def test_the_transport_network_brings_what_a_short_colony_deck_has():
    """FAD-10, TRACK-2."""
    game = hold(table(*FOUR), "faderan", "colony.spica")
    game = stock(relics(game, "relic.automated_transport_network"), "faderan", white=4)
    game = play(replace(game, colonies=Pile()), ("faderan", DIG))
    # The colony just paid lies under the empty deck and comes straight back.
    assert "colony.spica" in player(game, "faderan").cards
    assert game.colonies.cards == ()


# ---------------------------------------------------------------- automated transport network


def test_the_holder_of_the_transport_network_supports_two_colonies_more():
    """FAD-10, ECON-1."""
    six = ("colony.spica", "colony.acrux", "colony.vega", "colony.rigel", "colony.wezen", "colony.hadar")
    game = hold(table(*FOUR), "faderan", *six)
    assert until(game, "support").step == "support"
    game = until(hold(game, "faderan", "relic.automated_transport_network"), "plan")
    assert set(six) <= set(player(game, "faderan").cards)


def test_the_transport_network_makes_a_green_cube():
    """FAD-10."""
    game = hold(table(*FOUR), "faderan", "relic.automated_transport_network")
    game = run_economy(game, {"faderan": (run("relic.automated_transport_network"),)})
    assert goods_of(game, "faderan") == Goods(green=1)


def test_the_imdril_with_a_borrowed_transport_network_keep_two_colonies():
    """D-64, X-6, IMD-1."""
    game = hold(table(*FOUR), "faderan", "relic.automated_transport_network")
    game = hold(game, "imdril", "colony.regulus", "colony.spica", "colony.acrux")
    game = until(lend(game, "imdril", "relic.automated_transport_network"), "support")
    for wrong in [(), ("colony.acrux", "colony.spica")]:
        with pytest.raises(IllegalAction, match="discard_exactly"):
            play(game, ("imdril", DiscardColonies(cards=wrong)))
    game = play(game, ("imdril", DiscardColonies(cards=("colony.acrux",))))
    plan = (run("colony.regulus"), run("colony.spica"), run("relic.automated_transport_network"))
    game = run_economy(game, {"imdril": plan})
    assert player(game, "imdril").stock == Goods(white=2, green=1)


def test_the_faderan_who_lent_the_transport_network_are_back_to_four_colonies():
    """X-6, FAD-10."""
    five = ("colony.spica", "colony.acrux", "colony.vega", "colony.rigel", "colony.wezen")
    game = hold(table(*FOUR), "faderan", "relic.automated_transport_network", *five)
    game = until(lend(game, "imdril", "relic.automated_transport_network"), "support")
    with pytest.raises(IllegalAction, match="discard_exactly"):
        play(game, ("faderan", DiscardColonies(cards=())))
    game = play(game, ("faderan", DiscardColonies(cards=("colony.wezen",))))
    assert game.step == "plan"


# ---------------------------------------------------------------- contextual integrator cache

CACHE = "relic.contextual_integrator_cache"


def inventing(team, acknowledgements, cache="faderan", **goods):
    game = hold(table(*FOUR), "kit", f"research.{team}")
    if cache is not None:
        game = hold(game, cache, CACHE)
    return stock(game, "kit", acknowledgement=acknowledgements, **goods)


@pytest.mark.parametrize(
    ("team", "cost", "goods"),
    [
        ("sociologists", 0, {"white": 5}),
        ("sociologists", 1, {"black": 3}),
        ("cultural_polymorphologists", 0, {"white": 17}),
    ],
    ids=["small", "large", "era four"],
)
def test_with_the_cache_an_invention_that_returns_an_acknowledgement_costs_a_cube_less(team, cost, goods):
    """FAD-11, FAD-10."""
    game = inventing(team, 1, **goods)
    game = play(game, ("kit", Invent(card=f"research.{team}", cost=cost)))
    assert player(game, "kit").stock == Goods()
    assert player(game, "faderan").score == 1


def test_the_cache_makes_an_invention_exactly_one_cube_cheaper():
    """FAD-11."""
    game = inventing("sociologists", 3, white=4)
    for pay, code in [(None, "lacks_goods"), (Goods(white=4), "wrong_payment")]:
        with pytest.raises(IllegalAction, match=code):
            play(game, ("kit", Invent(card="research.sociologists", pay=pay)))


def test_the_reduced_price_may_be_paid_with_wild_cubes():
    """FAD-11, UNI-3."""
    game = inventing("sociologists", 1, white=3, wild_small=2)
    pay = Goods(white=3, wild_small=2)
    game = play(game, ("kit", Invent(card="research.sociologists", pay=pay)))
    assert player(game, "kit").stock == Goods()


def test_the_discount_may_be_declined_and_the_acknowledgement_then_stays():
    """FAD-11, FAD-8."""
    game = inventing("sociologists", 1, white=6)
    game = play(game, ("kit", Invent(card="research.sociologists", pay=Goods(white=6))))
    assert player(game, "kit").stock == Goods(acknowledgement=1)
    assert player(game, "faderan").score == 0


def test_the_cache_takes_nothing_off_a_set_of_octagons():
    """FAD-11."""
    game = inventing("mechanical_engineers", 1, ultratech=1)
    for pay, code in [(None, "lacks_goods"), (Goods(ultratech=1), "wrong_payment")]:
        with pytest.raises(IllegalAction, match=code):
            play(game, ("kit", Invent(card="research.mechanical_engineers", cost=1, pay=pay)))
    game = play(
        inventing("mechanical_engineers", 1, ultratech=2),
        ("kit", Invent(card="research.mechanical_engineers", cost=1)),
    )
    assert player(game, "kit").stock == Goods()


@pytest.mark.parametrize(
    ("acknowledgements", "cache"), [(0, "faderan"), (1, None)], ids=["no acknowledgement", "no cache"]
)
def test_without_an_acknowledgement_or_the_cache_an_invention_costs_what_is_printed(acknowledgements, cache):
    """FAD-11."""
    game = inventing("sociologists", acknowledgements, cache, white=5)
    for pay, code in [(None, "lacks_goods"), (Goods(white=5), "wrong_payment")]:
        with pytest.raises(IllegalAction, match=code):
            play(game, ("kit", Invent(card="research.sociologists", pay=pay)))


def test_the_second_invention_with_one_acknowledgement_costs_what_is_printed():
    """FAD-11, FAD-8."""
    game = hold(inventing("sociologists", 1, white=10), "kit", "research.computational_theoreticians")
    game = play(game, ("kit", Invent(card="research.sociologists")))
    assert player(game, "kit").stock == Goods(white=5)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("kit", Invent(card="research.computational_theoreticians")))


def test_a_cache_still_in_the_deck_makes_nothing_cheaper():
    """FAD-11."""
    game = relics(inventing("sociologists", 1, None, white=5), CACHE)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("kit", Invent(card="research.sociologists")))


def test_the_faderan_invent_at_the_printed_price_whatever_they_hold():
    """FAD-11, X-12."""
    game = hold(table(*FOUR), "faderan", CACHE, "research.sociologists")
    game = stock(game, "faderan", white=5, acknowledgement=11)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("faderan", Invent(card="research.sociologists")))


# ---------------------------------------------------------------- relic detector


def test_the_detector_and_the_deck_both_draw_in_one_turn():
    """FAD-10, FAD-1."""
    game = hold(table(*FOUR), "faderan", "relic.relic_detector", "colony.spica", "colony.acrux")
    game = relics(game, "relic.stars_ruin", "relic.the_grand_armilla", "relic.thils_demiring")
    game = stock(game, "faderan", white=4, green=6)
    detect = RunConverter(card="relic.relic_detector", colonies=("colony.acrux",))
    game = play(game, ("faderan", DIG), ("faderan", detect))
    assert {"relic.stars_ruin", "relic.the_grand_armilla"} <= set(player(game, "faderan").cards)
    assert game.relics == ("relic.thils_demiring",)
    game = hold(game, "faderan", "colony.vega")
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", RunConverter(card="relic.relic_detector", colonies=("colony.vega",))))


def test_a_detector_just_drawn_works_at_once():
    """FAD-10, UPG-5."""
    game = dug("relic.relic_detector", "relic.the_grand_armilla")
    game = stock(hold(game, "faderan", "colony.acrux"), "faderan", green=3)
    game = play(game, ("faderan", RunConverter(card="relic.relic_detector", colonies=("colony.acrux",))))
    assert "relic.the_grand_armilla" in player(game, "faderan").cards
    assert player(game, "faderan").score == 2


def test_the_detector_asks_for_a_colony_of_any_climate_and_three_green_cubes():
    """FAD-10."""
    game = stock(hold(dug("relic.relic_detector", "relic.stars_ruin"), "faderan"), "faderan", green=3)
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("faderan", RunConverter(card="relic.relic_detector")))


def test_the_detector_cannot_be_lent():
    """FAD-14."""
    game = hold(table(*FOUR), "faderan", "relic.relic_detector")
    with pytest.raises(IllegalAction, match="not_tradable"):
        lend(game, "kit", "relic.relic_detector")


def test_the_detector_finds_nothing_in_an_empty_deck():
    """FAD-15."""
    game = hold(relics(table(*FOUR)), "faderan", "relic.relic_detector", "colony.acrux")
    game = stock(game, "faderan", green=3)
    with pytest.raises(IllegalAction, match="deck_is_empty"):
        play(game, ("faderan", RunConverter(card="relic.relic_detector", colonies=("colony.acrux",))))


# ---------------------------------------------------------------- the others


def test_everything_the_library_makes_is_for_others():
    """FAD-10, DON-1."""
    game = hold(table(*FOUR), "faderan", "relic.library_of_entelechy")
    game = run_economy(game, {"faderan": (run("relic.library_of_entelechy"),)})
    faderan = player(game, "faderan")
    assert (goods_of(game, "faderan"), faderan.score) == (Goods(), 0)
    assert faderan.donation == Goods(point=1, black=1, green=1, white=1)


@pytest.mark.parametrize(
    ("card", "paid", "made", "points"),
    [
        ("transmutive_decomposer", Goods(ship=2), Goods(ultratech=1, brown=1, green=1, yellow=1), 0),
        ("thils_demiring", Goods(yellow=1, black=1), Goods(), 2),
        ("the_grand_armilla", Goods(), Goods(ship=4), 0),
    ],
)
def test_a_relic_world_converts_for_whoever_holds_it(card, paid, made, points):
    """FAD-10, FAD-3."""
    card = f"relic.{card}"
    game = lend(hold(table(*FOUR), "faderan", card), "kit", card)
    game = run_economy(change(game, "kit", stock=paid), {"kit": (run(card),)})
    assert (player(game, "kit").stock, player(game, "kit").score) == (made, points)
    assert holder(until(game, "trade", turn=2), card) == "faderan"


def test_the_decomposer_takes_no_ships_made_in_the_same_phase():
    """FAD-10, ECON-4."""
    game = hold(table(*FOUR), "faderan", "relic.transmutive_decomposer", "relic.the_grand_armilla")
    with pytest.raises(IllegalAction, match="lacks_goods"):
        run_economy(game, {"faderan": (run("relic.the_grand_armilla"), run("relic.transmutive_decomposer"))})


@pytest.mark.parametrize("score", [0, -3])
def test_the_grindstone_needs_a_point_in_the_score(score):
    """D-66, FAD-10."""
    game = change(hold(table(*FOUR), "faderan", "relic.nalgorian_grindstone"), "faderan", score=score)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        run_economy(game, {"faderan": (run("relic.nalgorian_grindstone"),)})


def test_the_grindstone_turns_the_runners_own_point_into_goods():
    """FAD-10."""
    game = lend(
        hold(table(*FOUR), "faderan", "relic.nalgorian_grindstone"), "kit", "relic.nalgorian_grindstone"
    )
    game = change(change(game, "kit", score=1), "faderan", score=5)
    game = run_economy(game, {"kit": (run("relic.nalgorian_grindstone"),)})
    assert player(game, "kit").stock == Goods(blue=1, black=1, brown=1, green=1)
    assert (player(game, "kit").score, player(game, "faderan").score) == (0, 5)


PARADISE = RunConverter(card="relic.paradise_converter", colonies=("colony.acrux",))


def test_the_paradise_converter_turns_a_colony_into_two_points_in_the_trade_phase():
    """FAD-12, FAD-10, VIO-6."""
    game = hold(table(*FOUR), "faderan", "relic.paradise_converter", "colony.acrux", "colony.vega")
    game = play(game, ("faderan", PARADISE))
    assert player(game, "faderan").score == 2
    assert game.colonies.cards[-1] == "colony.acrux"
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", RunConverter(card="relic.paradise_converter", colonies=("colony.vega",))))


def test_the_paradise_converter_is_no_part_of_an_economy_plan():
    """FAD-12, B-33."""
    game = hold(table(*FOUR), "faderan", "relic.paradise_converter", "colony.acrux")
    with pytest.raises(IllegalAction, match="no_such_converter"):
        run_economy(game, {"faderan": (run("relic.paradise_converter"),)})
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(until(game, "plan"), ("faderan", PARADISE))


def test_the_paradise_converter_relieves_the_support_check():
    """FAD-12, ECON-1."""
    game = hold(table(*FOUR), "faderan", "relic.paradise_converter", "colony.acrux", "colony.vega")
    game = hold(game, "faderan", "colony.rigel", "colony.wezen", "colony.spica")
    game = play(close_trading(game), ("faderan", PARADISE))
    for seat in game.seats():
        game = play(game, (seat, Done()))
    assert game.step == "plan"


def test_a_borrower_runs_the_paradise_converter_but_nobody_runs_it_twice_in_a_turn():
    """FAD-12, VIO-1, VIO-2."""
    game = hold(table(*FOUR), "faderan", "relic.paradise_converter", "colony.vega")
    game = lend(hold(game, "kit", "colony.acrux"), "kit", "relic.paradise_converter")
    game = play(game, ("kit", PARADISE))
    assert (player(game, "kit").score, player(game, "faderan").score) == (2, 0)
    game = deal(game, "kit", ["faderan"], Lend(giver=1, to=0, card="relic.paradise_converter"))
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", RunConverter(card="relic.paradise_converter", colonies=("colony.vega",))))

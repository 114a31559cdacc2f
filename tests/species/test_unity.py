"""Unity: wild cubes, inputs of any colour, and computer worlds that eat colonies."""

import pytest

from elysian.actions import DiscardColonies, Invent, PutIntoPlay, UpgradeCard
from elysian.deals import Lend
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.options import options
from elysian.state import Run
from tests.support.species_tables import holder, run
from tests.support.table import deal, hold, play, player, run_economy, seat_of, stock, swap, table, until

FOUR = ("unity", "kit", "kjas", "zeth")


def lend(game, giver, to, card):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Lend(giver=a, to=b, card=card))


def after(card, paid, flipped=False, who="unity"):
    """The area of a player who put exactly `paid` into a card of the Unity."""
    game = hold(table(*FOUR), "unity", card, flipped=flipped)
    if who != "unity":
        game = lend(game, "unity", who, card)
    game = run_economy(stock(game, who, paid), {who: (Run(card=card, pay=paid),)})
    return player(game, who)


# ---------------------------------------------------------------- inputs of any colour


@pytest.mark.parametrize(
    "paid",
    [
        Goods(green=1, white=1, wild_small=1),
        Goods(green=3),
        Goods(green=1, white=1, brown=1),
        Goods(wild_small=3),
    ],
)
def test_any_mix_of_small_cubes_feeds_the_explorers(paid):
    """D-37, UNI-1, ECON-8."""
    assert after("unity.explorer_collection", paid).stock == Goods(ship=2, black=1, brown=1)


@pytest.mark.parametrize(
    "paid",
    [Goods(green=2), Goods(green=4), Goods(green=2, blue=1), Goods(green=2, ship=1), Goods(wild_large=3)],
)
def test_an_input_of_any_small_cubes_takes_three_small_cubes_and_nothing_else(paid):
    """UNI-1, ECON-9."""
    with pytest.raises(IllegalAction, match="wrong_payment"):
        after("unity.explorer_collection", paid)


def test_a_borrower_too_may_mix_colours():
    """UNI-1."""
    paid = Goods(blue=1, yellow=1)
    assert after("unity.adamantine_synthesis", paid, who="kit").stock == Goods(ultratech=1, green=1)


def test_the_payment_of_an_any_colour_input_has_to_be_named():
    """UNI-1."""
    game = stock(table(*FOUR), "unity", green=3)
    with pytest.raises(IllegalAction, match="name_the_payment"):
        run_economy(game, {"unity": (run("unity.explorer_collection"),)})


def test_an_input_of_both_sizes_takes_the_right_number_of_each():
    """UNI-1, UNI-4."""
    paid = Goods(green=1, wild_small=1, yellow=1)
    assert after("unity.fractal_symmetry", paid).stock == Goods(wild_large=1, ultratech=1)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        after("unity.fractal_symmetry", Goods(green=1, black=1, yellow=1))


# ---------------------------------------------------------------- wild cubes


def test_wild_outputs_are_wild_cubes_of_their_size():
    """UNI-2."""
    assert after("unity.adaptive_fabrication", Goods()).stock == Goods(wild_small=1, wild_large=1, ship=1)


def test_a_borrower_makes_wild_cubes_too():
    """UNI-2."""
    assert after("unity.adaptive_fabrication", Goods(), who="kit").stock == Goods(
        wild_small=1, wild_large=1, ship=1
    )


def test_anybody_spends_wild_cubes_on_a_white_converter():
    """UNI-3, ECON-8."""
    game = stock(table(*FOUR), "kjas", brown=1, wild_small=3)
    game = run_economy(game, {"kjas": (run("kjas.perfume_pheromone_loyalty", brown=1, wild_small=3),)})
    assert player(game, "kjas").stock == Goods(white=1, black=1, blue=1, yellow=1)


def test_anybody_spends_wild_cubes_on_an_invention():
    """D-24, UNI-3, INV-1."""
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", white=4, wild_small=2)
    pay = Goods(white=4, wild_small=2)
    game = play(game, ("kit", Invent(card="research.sociologists", pay=pay)))
    assert player(game, "kit").stock == Goods()
    assert player(game, "kit").score == 1


def test_a_whole_set_may_be_paid_with_wild_cubes():
    """UNI-3, INV-1."""
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", wild_large=4)
    game = play(game, ("kit", Invent(card="research.sociologists", cost=1, pay=Goods(wild_large=4))))
    assert player(game, "kit").stock == Goods()


def test_anybody_spends_wild_cubes_on_terraforming():
    """UNI-3, UPG-4."""
    game = stock(hold(table(*FOUR), "kjas", "colony.regulus"), "kjas", wild_large=1)
    game = play(game, ("kjas", UpgradeCard(card="colony.regulus", pay=Goods(wild_large=1))))
    assert player(game, "kjas").cards["colony.regulus"].flipped


@pytest.mark.parametrize(
    ("team", "cost", "pay"),
    [
        ("mechanical_engineers", 1, Goods(ultratech=1, wild_large=1)),
        ("mechanical_engineers", 1, Goods(wild_large=2)),
        ("mechanical_engineers", 1, Goods(wild_large=4)),
        ("mechanical_engineers", 0, Goods(yellow=3, wild_small=1)),
        ("sociologists", 0, Goods(white=5, wild_large=1)),
        ("sociologists", 1, Goods(black=3, ultratech=1)),
    ],
)
def test_a_wild_cube_is_never_an_octagon_nor_of_another_size(team, cost, pay):
    """D-24, UNI-3, ECON-9."""
    game = stock(hold(table(*FOUR), "kit", f"research.{team}"), "kit", pay)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(game, ("kit", Invent(card=f"research.{team}", cost=cost, pay=pay)))


def test_a_wild_cube_is_never_a_ship():
    """UNI-3, ECON-9."""
    game = table("faderan", "kit", "unity", "zeth")
    game = stock(hold(game, "faderan", "relic.transmutive_decomposer"), "faderan", ship=1, wild_small=1)
    plan = (run("relic.transmutive_decomposer", ship=1, wild_small=1),)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        run_economy(game, {"faderan": plan})


def test_wild_cubes_stay_wild_when_they_are_traded():
    """UNI-3, TRADE-2."""
    game = swap(stock(table(*FOUR), "unity", wild_small=2), "unity", Goods(wild_small=2), "kit")
    game = swap(game, "kit", Goods(wild_small=1), "kjas")
    assert player(game, "kit").stock == Goods(wild_small=1)
    assert player(game, "kjas").stock == Goods(wild_small=1)


def test_a_wild_cube_does_not_stand_for_a_coloured_one_in_a_trade():
    """UNI-3, TRADE-4."""
    game = stock(table(*FOUR), "unity", wild_small=2)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        swap(game, "unity", Goods(green=1), "kit")


# ---------------------------------------------------------------- computer worlds


@pytest.mark.parametrize(
    ("card", "pay"),
    [
        ("unity.bezier", Goods(green=1, white=1, wild_small=1)),
        ("unity.color_space", Goods(blue=1, wild_large=1)),
        ("unity.fractal_symmetry", Goods(green=1, brown=1, black=1)),
        ("unity.limit", Goods(blue=1, yellow=1, black=1)),
    ],
)
def test_a_computer_world_enters_play_for_cubes_and_any_colony(card, pay):
    """UNI-4, VIO-4."""
    game = stock(hold(table(*FOUR), "unity", "colony.acrux"), "unity", pay)
    game = play(game, ("unity", PutIntoPlay(card=card, pay=pay, colonies=("colony.acrux",))))
    assert (player(game, "unity").stock, player(game, "unity").score) == (Goods(), 1)
    assert game.colonies.cards[-1] == "colony.acrux"


def test_computer_worlds_enter_in_any_order_even_in_one_turn():
    """UNI-4, UNI-5."""
    game = hold(table(*FOUR), "unity", "colony.acrux", "colony.vega")
    game = stock(game, "unity", wild_large=5)
    for card, colony, large in [("unity.limit", "colony.acrux", 3), ("unity.color_space", "colony.vega", 2)]:
        action = PutIntoPlay(card=card, pay=Goods(wild_large=large), colonies=(colony,))
        game = play(game, ("unity", action))
    assert player(game, "unity").score == 2


def test_a_computer_world_needs_a_colony():
    """UNI-4."""
    game = stock(table(*FOUR), "unity", green=3)
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("unity", PutIntoPlay(card="unity.bezier", pay=Goods(green=3))))


@pytest.mark.parametrize(
    ("card", "paid", "made", "donated"),
    [
        ("bezier", Goods(green=3), Goods(wild_large=1, wild_small=2), Goods(wild_large=1)),
        ("color_space", Goods(blue=2), Goods(wild_large=1, wild_small=2), Goods(wild_large=1)),
        (
            "fractal_symmetry",
            Goods(green=2, blue=1),
            Goods(wild_large=1, ultratech=1),
            Goods(wild_large=1, wild_small=1),
        ),
        ("limit", Goods(ultratech=1), Goods(wild_large=1, wild_small=3), Goods(wild_small=1)),
    ],
)
def test_the_back_of_a_computer_world_makes_something_more_for_others(card, paid, made, donated):
    """UNI-4, UNI-2, DON-1."""
    front = after(f"unity.{card}", paid)
    assert (front.stock, front.donation) == (made, Goods())
    back = after(f"unity.{card}", paid, flipped=True)
    assert (back.stock, back.donation) == (made, donated)


def test_a_computer_world_is_a_species_card_and_no_colony():
    """UNI-4, TRADE-6."""
    game = hold(table(*FOUR), "unity", "unity.bezier", "unity.limit", "colony.acrux")
    game = stock(game, "unity", blue=2)
    enter = PutIntoPlay(card="unity.color_space", pay=Goods(blue=2), colonies=("unity.bezier",))
    with pytest.raises(IllegalAction, match="not_your_colony"):
        play(game, ("unity", enter))
    game = until(lend(game, "unity", "kit", "unity.bezier"), "plan")
    assert "colony.acrux" in player(game, "unity").cards  # one colony is within support
    assert holder(until(game, "trade", turn=2), "unity.bezier") == "unity"


# ---------------------------------------------------------------- support


def test_the_unity_keep_one_colony_of_those_they_hold_at_the_check():
    """UNI-5, ECON-1."""
    game = until(hold(table(*FOUR), "unity", "colony.acrux", "colony.vega", "colony.spica"), "support")
    with pytest.raises(IllegalAction, match="discard_exactly"):
        play(game, ("unity", DiscardColonies(cards=("colony.acrux",))))
    game = play(game, ("unity", DiscardColonies(cards=("colony.spica", "colony.acrux"))))
    assert "colony.vega" in player(game, "unity").cards
    assert game.colonies.cards[-2:] == ("colony.spica", "colony.acrux")


def test_the_unity_may_hold_more_colonies_to_consume_before_the_check():
    """UNI-5, VIO-6."""
    game = stock(hold(table(*FOUR), "unity", "colony.acrux", "colony.vega"), "unity", green=3)
    upgrade = UpgradeCard(card="unity.adaptive_fabrication", pay=Goods(green=3), colonies=("colony.acrux",))
    game = until(play(game, ("unity", upgrade)), "plan")
    assert player(game, "unity").score == 1
    assert "colony.vega" in player(game, "unity").cards


# ---------------------------------------------------------------- what is short


def short_of(game, card):
    """What the Unity are told to lack for the first thing they cannot do with a card."""
    found = options(game, seat_of(game, "unity"), with_refused=True).choices
    choice = next(one for one in found if one.refused and getattr(one.action, "card", None) == card)
    assert choice.refused.code == "lacks_goods"
    return choice.refused.facts["goods"]


def test_what_an_invention_lacks_is_told_after_the_wild_cubes_have_stood_in():
    """UNI-3."""
    game = stock(hold(table(*FOUR), "unity", "research.sociologists"), "unity", wild_small=4, wild_large=3)
    assert short_of(game, "research.sociologists") == Goods(white=2)


def test_what_a_price_of_any_colour_lacks_is_told():
    """UNI-1."""
    game = stock(hold(table(*FOUR), "unity", "colony.acrux"), "unity", green=1, wild_small=1)
    assert short_of(game, "unity.adaptive_fabrication") == Goods(wild_small=1)

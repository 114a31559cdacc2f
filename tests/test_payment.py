"""Which payments settle a printed cost, which one is suggested, and what comes out for it."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from elysian.catalog import Converter, Cost
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.payment import cheaper, colour_paid, comes_out, fits_colour, pays, short, suggest
from elysian.rules import IllegalAction
from elysian.rules.paying import payment, suggested
from tests.support.table import hold, table

CUBES = (*SMALL, *LARGE, "wild_small", "wild_large")


@pytest.mark.parametrize(
    ("cost", "pay"),
    [
        (Cost(), Goods()),
        (Cost(goods=Goods(green=2, black=1)), Goods(green=2, black=1)),
        (Cost(goods=Goods(green=2, black=1)), Goods(green=1, wild_small=1, wild_large=1)),
        (Cost(goods=Goods(white=6)), Goods(wild_small=6)),
        (Cost(any_small=3), Goods(green=1, white=1, wild_small=1)),
        (Cost(any_large=2), Goods(blue=1, wild_large=1)),
        (Cost(any_small=2, any_large=1), Goods(brown=2, yellow=1)),
        (Cost(goods=Goods(green=1), any_small=1), Goods(green=1, white=1)),
        (Cost(goods=Goods(green=1), any_small=1), Goods(white=1, wild_small=1)),
        (Cost(same_small=3), Goods(green=2, wild_small=1)),
        (Cost(same_small=2), Goods(wild_small=2)),
        (Cost(same_large=3), Goods(black=3)),
        (Cost(goods=Goods(ultratech=2, ship=1, point=1)), Goods(ultratech=2, ship=1, point=1)),
    ],
)
def test_a_complete_input_set_is_paid_with_colours_and_wild_cubes_of_their_size(cost, pay):
    """ECON-8, ENI-3."""
    assert pays(cost, pay)


@pytest.mark.parametrize(
    ("cost", "pay"),
    [
        (Cost(), Goods(green=1)),
        (Cost(goods=Goods(green=2)), Goods(green=1)),
        (Cost(goods=Goods(green=2)), Goods(green=3)),
        (Cost(goods=Goods(green=2)), Goods(green=1, white=1)),
        (Cost(any_small=3), Goods(green=2)),
        (Cost(any_small=3), Goods(green=4)),
        (Cost(goods=Goods(green=1), any_small=1), Goods(white=2)),
        (Cost(goods=Goods(green=1)), Goods(green=1, envoy=1)),
        (Cost(goods=Goods(green=1)), Goods(green=1, acknowledgement=1)),
        (Cost(goods=Goods(ship=1)), Goods(ship=2)),
        (Cost(goods=Goods(ship=2)), Goods(ship=1)),
        (Cost(goods=Goods(ultratech=1)), Goods(ultratech=2)),
        (Cost(goods=Goods(ultratech=2)), Goods(ultratech=1)),
        (Cost(goods=Goods(ultratech=1, black=1)), Goods(black=1)),
        (Cost(goods=Goods(point=1)), Goods()),
        (Cost(goods=Goods(green=1)), Goods(green=1, point=1)),
        (Cost(same_small=2), Goods(green=2, ultratech=1)),
        *((Cost(same_small=2), Goods(green=2, **{kind: 1})) for kind in (*LARGE, "wild_large")),
        *((Cost(same_large=2), Goods(blue=2, **{kind: 1})) for kind in (*SMALL, "wild_small")),
    ],
)
def test_a_payment_is_neither_too_little_nor_too_much(cost, pay):
    """ECON-5."""
    assert not pays(cost, pay)


@pytest.mark.parametrize(
    ("cost", "pay"),
    [
        (Cost(goods=Goods(green=1)), Goods(wild_large=1)),
        (Cost(goods=Goods(black=1)), Goods(wild_small=1)),
        (Cost(goods=Goods(black=1)), Goods(green=1)),
        (Cost(any_small=1), Goods(black=1)),
        (Cost(any_large=1), Goods(green=1)),
        (Cost(any_small=1), Goods(wild_large=1)),
        (Cost(same_small=2), Goods(wild_large=2)),
        (Cost(same_large=2), Goods(black=1, wild_small=1)),
        (Cost(goods=Goods(ultratech=1)), Goods(wild_large=1)),
        (Cost(goods=Goods(ultratech=1)), Goods(black=2)),
        (Cost(goods=Goods(ship=1)), Goods(wild_small=1)),
        (Cost(any_small=1), Goods(ship=1)),
        (Cost(any_large=1), Goods(ultratech=1)),
    ],
)
def test_sizes_never_change(cost, pay):
    """ECON-9."""
    assert not pays(cost, pay)


def test_an_interest_converter_takes_one_colour_only():
    """ENI-3."""
    assert not pays(Cost(same_small=2), Goods(green=1, white=1))
    assert not pays(Cost(same_large=3), Goods(black=1, blue=1, wild_large=1))


@pytest.mark.parametrize(
    "pay", [Goods(green=1, white=-1, wild_small=1), Goods(green=2, wild_small=-1), Goods(green=-1)]
)
def test_a_payment_with_a_negative_count_settles_nothing(pay):
    """ECON-5."""
    with pytest.raises(IllegalAction, match="wrong_payment"):
        payment("unity.explorer_collection", Cost(any_small=1), pay)


def test_a_suggestion_spares_wild_cubes():
    stock = Goods(green=1, white=5, wild_small=2, wild_large=1, black=1)
    cost = Cost(goods=Goods(green=2, black=1), any_small=2)
    assert suggest(cost, stock) == Goods(green=1, wild_small=1, black=1, white=2)


def test_a_suggestion_for_one_colour_takes_the_most_plentiful():
    assert suggest(Cost(same_small=3), Goods(green=1, brown=2, wild_small=1)) == Goods(brown=2, wild_small=1)
    assert suggest(Cost(same_large=3), Goods(blue=4, wild_large=3)) == Goods(blue=3)
    assert suggest(Cost(same_large=3), Goods(blue=1, black=1, wild_large=1)) is None


def test_points_are_suggested_though_no_stock_holds_them():
    """FAD-10."""
    assert suggest(Cost(goods=Goods(point=1)), Goods()) == Goods(point=1)


def test_a_cheaper_cost_has_a_cube_less_but_no_octagon_less():
    """FAD-11."""
    assert cheaper(Cost(goods=Goods(white=6)), 1) == Cost(goods=Goods(white=5))
    assert cheaper(Cost(goods=Goods(yellow=4)), 1) == Cost(goods=Goods(yellow=3))
    assert cheaper(Cost(goods=Goods(ultratech=2)), 1) == Cost(goods=Goods(ultratech=2))
    assert cheaper(Cost(goods=Goods(white=1)), 2) == Cost()


def test_an_ordinary_converter_puts_out_what_is_printed():
    """ECON-5."""
    converter = Converter(costs=(Cost(any_small=1),), gain=Goods(blue=1))
    assert comes_out(converter, converter.costs[0], Goods(wild_small=1), None) == Goods(blue=1)


@pytest.mark.parametrize(
    ("cost", "same", "pay", "colour", "out"),
    [
        (Cost(same_small=2), 4, Goods(green=2), None, Goods(green=4)),
        (Cost(same_small=2), 4, Goods(green=1, wild_small=1), None, Goods(green=3, wild_small=1)),
        (Cost(same_small=2), 4, Goods(wild_small=2), "brown", Goods(brown=2, wild_small=2)),
        (Cost(same_small=6), 5, Goods(wild_small=6), None, Goods(wild_small=5)),
        (Cost(same_large=6), 10, Goods(wild_large=2, black=4), None, Goods(wild_large=2, black=8)),
    ],
)
def test_wild_cubes_pass_through_an_interest_converter(cost, same, pay, colour, out):
    """ENI-4."""
    assert comes_out(Converter(costs=(cost,), same=same), cost, pay, colour) == out


def test_the_colour_paid_wins_over_the_colour_named():
    """ENI-3."""
    cost = Cost(same_small=2)
    assert comes_out(Converter(costs=(cost,), same=4), cost, Goods(green=2), "white") == Goods(green=4)


def test_points_of_an_interest_converter_come_besides_its_cubes():
    """ENI-5."""
    cost = Cost(same_small=2)
    converter = Converter(costs=(cost,), gain=Goods(point=1), same=3)
    assert comes_out(converter, cost, Goods(white=2), None) == Goods(white=3, point=1)


def test_the_colour_of_a_payment_is_its_coloured_cubes():
    assert colour_paid(Goods(wild_small=2, brown=1)) == "brown"
    assert colour_paid(Goods(wild_large=2)) is None


def test_interest_is_paid_in_a_colour_of_the_size_that_went_in():
    """ENI-4."""
    assert fits_colour(Cost(same_small=2), "green")
    assert not fits_colour(Cost(same_small=2), "black")
    assert fits_colour(Cost(same_large=3), "black")
    assert not fits_colour(Cost(same_large=3), "ultratech")


few = st.integers(0, 2)
stocks = st.builds(Goods, **dict.fromkeys((*CUBES, "ultratech", "ship"), few))
mixed = st.builds(
    Cost,
    goods=st.builds(Goods, green=few, white=few, black=few, blue=few, ultratech=few, ship=few),
    any_small=few,
    any_large=few,
)
costs = st.one_of(
    mixed,
    st.builds(Cost, same_small=st.integers(1, 4)),
    st.builds(Cost, same_large=st.integers(1, 4)),
)


@given(cost=costs, stock=stocks)
def test_whatever_is_suggested_pays_and_is_there(cost, stock):
    """ECON-8."""
    found = suggest(cost, stock)
    if found is not None:
        assert found.is_count()
        assert pays(cost, found)
        assert stock.covers(found)


@given(cost=costs, stock=stocks)
def test_what_is_short_and_what_is_there_settle_the_cost(cost, stock):
    """ECON-8."""
    assume(suggest(cost, stock) is None)
    lacks, there = short(cost, stock)
    assert stock.covers(there)
    assert lacks != Cost()
    small, large = lacks.any_small + lacks.same_small, lacks.any_large + lacks.same_large
    assert pays(cost, there + lacks.goods + Goods(wild_small=small, wild_large=large))


def payments_by_brute_force(cost, stock):
    """Every part of a stock that settles the cost; octagons and ships leave no choice."""
    ultratech, ship = cost.goods.ultratech, cost.goods.ship
    if stock.ultratech < ultratech or stock.ship < ship:
        return
    for counts in product(*(range(getattr(stock, kind) + 1) for kind in CUBES)):
        pay = Goods(**dict(zip(CUBES, counts, strict=True)), ultratech=ultratech, ship=ship)
        if pays(cost, pay):
            yield pay


@given(cost=costs, stock=stocks)
def test_a_payment_is_suggested_whenever_there_is_one(cost, stock):
    """ECON-8."""
    possible = next(payments_by_brute_force(cost, stock), None)
    assert (suggest(cost, stock) is None) == (possible is None)


def test_of_one_colour_is_short_what_the_colour_one_has_most_of_lacks():
    """ECON-8."""
    assert short(Cost(same_small=5), Goods(green=1, white=3)) == (Cost(same_small=2), Goods(white=3))
    assert short(Cost(same_large=3), Goods(blue=1, wild_large=1)) == (
        Cost(same_large=1),
        Goods(blue=1, wild_large=1),
    )


def test_no_colony_is_suggested_twice_for_one_price():
    """ECON-8: where two of a price could be the same colony, another one is handed in."""
    two = [card for card in CATALOG.cards if card.startswith("colony.")][:2]
    holder = hold(table("kit", "kjas", "zeth", "unity"), "kit", *two).players[0]
    climate = CATALOG.cards[two[0]].front.climate
    _, colonies = suggested(holder, "", Cost(colonies=((climate, 1), ("any", 1))))
    assert sorted(colonies) == sorted(two)

"""Eni Et: interest converters that only others run, one colour at a time, wild cubes passing through."""

import pytest

from elysian.actions import UpgradeCard
from elysian.deals import Lend
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.state import Run
from tests.support.arrange import held, holder, run
from tests.support.table import change, deal, hold, play, player, run_economy, seat_of, stock, table, until

FOUR = ("eni_et", "kit", "unity", "kjas")
INTEREST = (
    "eni_et.mutual_understanding",
    "eni_et.volunteer_medical_movement",
    "eni_et.cultural_charity",
    "eni_et.intercultural_archive",
    "eni_et.elders_wisdom",
    "eni_et.xenotech_pool",
)


def lend(game, giver, to, card):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Lend(giver=a, to=b, card=card))


def lent(card, to="kit", flipped=False):
    """A table where the Eni Et have lent one of their cards."""
    game = table(*FOUR)
    if flipped:
        game = hold(game, "eni_et", card, flipped=True)
    return lend(game, "eni_et", to, card)


def interest(card, paid, colour=None, to="kit", flipped=False):
    """What the borrower has after putting exactly `paid` into a lent interest converter."""
    game = stock(lent(card, to, flipped), to, paid)
    game = run_economy(game, {to: (Run(card=card, pay=paid, colour=colour),)})
    return player(game, to).stock, player(game, to).score


# ---------------------------------------------------------------- the six cards


@pytest.mark.parametrize(
    ("card", "paid", "made"),
    [
        ("eni_et.mutual_understanding", Goods(green=2), Goods(green=4)),
        ("eni_et.volunteer_medical_movement", Goods(white=6), Goods(white=9)),
        ("eni_et.cultural_charity", Goods(brown=8), Goods(brown=13)),
        ("eni_et.intercultural_archive", Goods(blue=3), Goods(blue=4)),
        ("eni_et.elders_wisdom", Goods(yellow=6), Goods(yellow=10)),
        ("eni_et.xenotech_pool", Goods(ultratech=3), Goods(ultratech=5)),
    ],
)
def test_an_interest_converter_gives_more_of_what_went_in(card, paid, made):
    """ENI-1, ENI-3."""
    assert interest(card, paid) == (made, 0)


@pytest.mark.parametrize(
    ("card", "paid", "made", "points"),
    [
        ("eni_et.mutual_understanding", Goods(white=2), Goods(white=3), 1),
        ("eni_et.volunteer_medical_movement", Goods(brown=6), Goods(brown=5), 2),
        ("eni_et.cultural_charity", Goods(green=8), Goods(green=7), 3),
        ("eni_et.intercultural_archive", Goods(black=3), Goods(black=3), 1),
        ("eni_et.elders_wisdom", Goods(blue=6), Goods(blue=7), 2),
        ("eni_et.xenotech_pool", Goods(ultratech=3), Goods(ultratech=3), 3),
    ],
)
def test_an_upgraded_interest_converter_scores_for_whoever_runs_it(card, paid, made, points):
    """ENI-1, ENI-5."""
    assert interest(card, paid, flipped=True) == (made, points)


# ---------------------------------------------------------------- who may run one


@pytest.mark.parametrize("flipped", [False, True], ids=["front", "back"])
@pytest.mark.parametrize("card", INTEREST)
def test_the_eni_et_never_run_an_interest_converter(card, flipped):
    """ENI-2."""
    game = hold(table(*FOUR), "eni_et", card, flipped=flipped)
    game = stock(game, "eni_et", green=8, blue=6, ultratech=3)
    pay = {
        "eni_et.mutual_understanding": Goods(green=2),
        "eni_et.volunteer_medical_movement": Goods(green=6),
        "eni_et.cultural_charity": Goods(green=8),
        "eni_et.intercultural_archive": Goods(blue=3),
        "eni_et.elders_wisdom": Goods(blue=6),
        "eni_et.xenotech_pool": Goods(ultratech=3),
    }[card]
    with pytest.raises(IllegalAction, match="only_others_run_it"):
        run_economy(game, {"eni_et": (Run(card=card, pay=pay),)})


def test_an_interest_converter_that_came_back_in_the_same_phase_stays_closed_to_its_owner():
    """D-53, ENI-2."""
    game = lend(lent("eni_et.intercultural_archive"), "kit", "eni_et", "eni_et.intercultural_archive")
    game = stock(game, "eni_et", blue=3)
    with pytest.raises(IllegalAction, match="only_others_run_it"):
        run_economy(game, {"eni_et": (run("eni_et.intercultural_archive", blue=3),)})


def test_a_borrower_may_lend_an_interest_converter_on_and_only_its_holder_runs_it():
    """D-10, ENI-2, TRADE-7."""
    game = lend(lent("eni_et.mutual_understanding", to="kjas"), "kjas", "kit", "eni_et.mutual_understanding")
    game = stock(stock(game, "kjas", green=2), "kit", green=2)
    with pytest.raises(IllegalAction, match="not_your_card"):
        run_economy(game, {"kjas": (run("eni_et.mutual_understanding", green=2),)})
    game = run_economy(game, {"kit": (run("eni_et.mutual_understanding", green=2),)})
    assert player(game, "kit").stock == Goods(green=4)


def test_a_lent_interest_converter_goes_home_when_the_turn_ends():
    """D-09, ENI-6, ENDT-1."""
    game = until(lent("eni_et.mutual_understanding", to="kjas"), "trade", turn=2)
    assert holder(game, "eni_et.mutual_understanding") == "eni_et"


def test_an_interest_converter_runs_once_in_a_turn():
    """ENI-6, ECON-3."""
    game = stock(lent("eni_et.mutual_understanding"), "kit", green=4)
    twice = (run("eni_et.mutual_understanding", green=2),) * 2
    with pytest.raises(IllegalAction, match="already_ran"):
        run_economy(game, {"kit": twice})


# ---------------------------------------------------------------- one colour


@pytest.mark.parametrize(
    ("card", "paid"),
    [
        ("eni_et.mutual_understanding", Goods(green=1, white=1)),
        ("eni_et.mutual_understanding", Goods(green=1, blue=1)),
        ("eni_et.mutual_understanding", Goods(blue=2)),
        ("eni_et.mutual_understanding", Goods(ship=2)),
        ("eni_et.mutual_understanding", Goods(green=1)),
        ("eni_et.mutual_understanding", Goods(green=3)),
        ("eni_et.mutual_understanding", Goods(wild_large=2)),
        ("eni_et.cultural_charity", Goods(green=1, brown=1, wild_small=6)),
        ("eni_et.intercultural_archive", Goods(blue=2, black=1)),
        ("eni_et.intercultural_archive", Goods(green=3)),
        ("eni_et.intercultural_archive", Goods(blue=2, wild_small=1)),
        ("eni_et.xenotech_pool", Goods(ultratech=2, wild_large=1)),
    ],
    ids=lambda value: value.removeprefix("eni_et.") if isinstance(value, str) else repr(value),
)
def test_an_interest_converter_takes_one_colour_of_its_size_and_nothing_else(card, paid):
    """D-56, ENI-3."""
    game = stock(lent(card), "kit", paid)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        run_economy(game, {"kit": (Run(card=card, pay=paid),)})


def test_a_colour_that_the_payment_contradicts_is_refused():
    """ENI-3."""
    with pytest.raises(IllegalAction, match="wrong_colour"):
        interest("eni_et.mutual_understanding", Goods(green=2), colour="white")
    assert interest("eni_et.mutual_understanding", Goods(green=2), colour="green") == (Goods(green=4), 0)


def test_the_input_of_an_interest_converter_must_be_in_stock():
    """ENI-3, ECON-4."""
    game = stock(lent("eni_et.mutual_understanding"), "kit", green=1, white=1)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        run_economy(game, {"kit": (run("eni_et.mutual_understanding", green=2),)})


# ---------------------------------------------------------------- wild cubes


def test_large_wild_cubes_pass_through_and_the_rest_comes_out_in_the_colour_paid():
    """D-54, ENI-4."""
    paid = Goods(wild_large=2, black=4)
    assert interest("eni_et.elders_wisdom", paid) == (Goods(wild_large=2, black=8), 0)


@pytest.mark.parametrize("wild", [0, 1, 2, 3])
def test_every_mix_of_wild_and_coloured_cubes_keeps_its_wild_cubes(wild):
    """ENI-4."""
    paid = Goods(wild_large=wild, yellow=3 - wild)
    made = Goods(wild_large=wild, yellow=4 - wild)
    assert interest("eni_et.intercultural_archive", paid, colour="yellow") == (made, 0)


@pytest.mark.parametrize("wild", range(9))
def test_an_interest_converter_never_makes_new_wild_cubes(wild):
    """ENI-4."""
    paid = Goods(wild_small=wild, white=8 - wild)
    made = Goods(wild_small=wild, white=13 - wild)
    assert interest("eni_et.cultural_charity", paid, colour="white") == (made, 0)


@pytest.mark.parametrize("colour", ["green", "white", "brown"])
def test_with_wild_cubes_alone_the_runner_picks_one_colour(colour):
    """D-55, ENI-4, X-1."""
    made = Goods(wild_small=2) + Goods(**{colour: 2})
    assert interest("eni_et.mutual_understanding", Goods(wild_small=2), colour, to="unity") == (made, 0)


def test_with_wild_cubes_alone_a_colour_has_to_be_picked():
    """D-55, ENI-4."""
    game = stock(lent("eni_et.mutual_understanding", to="unity"), "unity", wild_small=2)
    with pytest.raises(IllegalAction, match="name_the_colour"):
        run_economy(game, {"unity": (run("eni_et.mutual_understanding", wild_small=2),)})


@pytest.mark.parametrize("colour", ["blue", "wild_small", "ultratech", "ship", "point"])
def test_the_colour_picked_is_one_of_the_size_that_went_in(colour):
    """ENI-4, ECON-9."""
    game = stock(lent("eni_et.mutual_understanding", to="unity"), "unity", wild_small=2)
    with pytest.raises(IllegalAction, match="wrong_colour"):
        run_economy(game, {"unity": (run("eni_et.mutual_understanding", colour=colour, wild_small=2),)})


@pytest.mark.parametrize(
    ("card", "paid", "made", "points"),
    [
        ("eni_et.volunteer_medical_movement", Goods(wild_small=6), Goods(wild_small=5), 2),
        ("eni_et.volunteer_medical_movement", Goods(wild_small=5, green=1), Goods(wild_small=5), 2),
        ("eni_et.volunteer_medical_movement", Goods(wild_small=4, green=2), Goods(wild_small=4, green=1), 2),
        ("eni_et.cultural_charity", Goods(wild_small=8), Goods(wild_small=7), 3),
        ("eni_et.cultural_charity", Goods(wild_small=7, brown=1), Goods(wild_small=7), 3),
        ("eni_et.intercultural_archive", Goods(wild_large=3), Goods(wild_large=3), 1),
    ],
    ids=lambda value: value.removeprefix("eni_et.") if isinstance(value, str) else None,
)
def test_where_less_comes_out_than_wild_cubes_went_in_only_wild_cubes_come_out(card, paid, made, points):
    """D-57, ENI-4."""
    assert interest(card, paid, to="unity", flipped=True) == (made, points)


# ---------------------------------------------------------------- upgrades


def test_the_eni_et_upgrade_an_interest_converter_with_a_technology_of_their_own():
    """ENI-5, UPG-1."""
    game = hold(table(*FOUR), "eni_et", "eni_et.quantum_computers")
    game = play(game, ("eni_et", UpgradeCard(card="eni_et.mutual_understanding", way=0)))
    assert held(game, "eni_et", "eni_et.mutual_understanding").flipped
    assert player(game, "eni_et").spent == {"eni_et.quantum_computers": "eni_et.mutual_understanding"}


def test_a_borrower_cannot_spend_a_technology_on_an_interest_converter():
    """ENI-5, UPG-2, X-16."""
    game = hold(lent("eni_et.mutual_understanding"), "kit", "kit.quantum_computers")
    with pytest.raises(IllegalAction, match="only_its_owner"):
        play(game, ("kit", UpgradeCard(card="eni_et.mutual_understanding", way=0)))


def test_the_points_of_a_back_go_to_the_borrower_and_not_to_the_eni_et():
    """ENI-5."""
    game = stock(lent("eni_et.xenotech_pool", flipped=True), "kit", ultratech=3)
    game = run_economy(change(game, "eni_et", score=7), {"kit": (run("eni_et.xenotech_pool"),)})
    assert (player(game, "kit").score, player(game, "eni_et").score) == (3, 7)


# ---------------------------------------------------------------- their own wild cubes


def test_the_eni_et_spend_wild_cubes_elsewhere_as_everybody_does():
    """X-18, UNI-3."""
    game = stock(table(*FOUR), "eni_et", white=2, wild_small=3)
    game = run_economy(game, {"eni_et": (run("eni_et.choral_song", white=2, wild_small=3),)})
    assert player(game, "eni_et").stock == Goods(green=1, black=1, ultratech=1, ship=2)

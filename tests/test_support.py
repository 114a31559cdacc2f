"""Colony support: who gives colonies up, which, and where they go."""

import pytest

from elysian.actions import Buy, DiscardColonies, LayPlan, TimeUp
from elysian.deals import Give
from elysian.goods import Goods
from elysian.rules import IllegalAction, waiting
from elysian.state import Run
from tests.support.table import bid, deal, hold, play, player, run_economy, seat_of, stock, table, until

FOUR = ("zeth", "yengii", "kit", "unity")
THREE = ("colony.acrux", "colony.spica", "colony.antares")
FOURTH = "colony.mimosa"


def test_a_player_above_support_chooses_a_colony_to_give_up_before_anything_runs():
    """D-29, ECON-1."""
    game = until(hold(table(*FOUR), "zeth", *THREE, FOURTH), "support")
    assert waiting(game) == (seat_of(game, "zeth"),)
    with pytest.raises(IllegalAction, match="only_saved"):
        play(game, ("zeth", LayPlan(runs=(Run(card=FOURTH),))))
    game = play(game, ("zeth", DiscardColonies(cards=("colony.spica",))))
    assert game.step == "plan"
    assert "colony.spica" not in player(game, "zeth").cards
    assert game.colonies.cards[-1] == "colony.spica"
    assert all(card in player(game, "zeth").cards for card in ("colony.acrux", "colony.antares", FOURTH))


def test_a_colony_bought_above_support_is_kept_until_the_next_check():
    """D-30, BID-9, ECON-1."""
    game = stock(hold(table(*FOUR, turn=2), "zeth", *THREE), "zeth", ship=1)
    game = bid(run_economy(game, {}), zeth=(1, 0))
    fourth = game.colony_track[0]
    game = until(play(game, ("zeth", Buy(card=fourth))), "trade", turn=3)
    assert fourth in player(game, "zeth").cards
    zeth, kit = seat_of(game, "zeth"), seat_of(game, "kit")
    game = deal(game, "zeth", ("kit",), Give(giver=zeth, to=kit, cards=("colony.acrux",)))
    game = until(game, "plan")
    assert all(card in player(game, "zeth").cards for card in ("colony.spica", "colony.antares", fourth))


def test_a_player_at_support_gives_nothing_up():
    """ECON-1."""
    game = until(hold(table(*FOUR), "zeth", *THREE), "plan")
    assert all(card in player(game, "zeth").cards for card in THREE)


def test_terraformed_seedling_and_nullspace_colonies_count_one_each():
    """ECON-1, CAY-5, KIT-4."""
    game = hold(table(*FOUR, "caylion"), "zeth", "colony.acrux", flipped=True)
    game = hold(game, "zeth", "colony.spica", seedling=True)
    game = hold(game, "zeth", "nullspace.kln_qn", FOURTH)
    game = until(game, "support")
    with pytest.raises(IllegalAction, match="discard_exactly"):
        play(game, ("zeth", DiscardColonies(cards=("colony.acrux", "colony.spica"))))
    game = play(game, ("zeth", DiscardColonies(cards=("colony.acrux",))))
    assert game.step == "plan"


@pytest.mark.parametrize("cards", [(), ("colony.acrux",), ("colony.acrux", "colony.spica", "colony.antares")])
def test_exactly_the_colonies_above_support_are_given_up(cards):
    """ECON-1."""
    game = until(hold(table(*FOUR), "zeth", *THREE, FOURTH, "colony.castor"), "support")
    with pytest.raises(IllegalAction, match="discard_exactly"):
        play(game, ("zeth", DiscardColonies(cards=cards)))


@pytest.mark.parametrize(
    "cards", [("colony.regulus",), ("zeth.envoys",), ("colony.acrux", "colony.acrux"), ("no.card",)]
)
def test_only_ones_own_colonies_are_given_up(cards):
    """ECON-1."""
    game = until(hold(hold(table(*FOUR), "zeth", *THREE, FOURTH), "kit", "colony.regulus"), "support")
    with pytest.raises(IllegalAction, match="not_your_colony"):
        play(game, ("zeth", DiscardColonies(cards=cards)))


def test_colonies_are_given_up_at_no_other_time():
    """ECON-1."""
    game = hold(table(*FOUR), "zeth", *THREE, FOURTH)
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("zeth", DiscardColonies(cards=(FOURTH,))))


def test_colonies_given_up_lie_in_the_chosen_order_front_side_up_and_without_token():
    """ECON-2."""
    game = hold(table(*FOUR, "caylion"), "zeth", "colony.acrux", flipped=True, seedling=True)
    game = until(hold(game, "zeth", "colony.spica", "colony.antares", FOURTH, "colony.castor"), "support")
    game = play(game, ("zeth", DiscardColonies(cards=(FOURTH, "colony.acrux"))))
    assert game.colonies.cards[-2:] == (FOURTH, "colony.acrux")
    assert all("colony.acrux" not in area.cards for area in game.players)


def test_a_nullspace_colony_given_up_leaves_the_game():
    """ECON-2, KIT-5."""
    game = until(hold(table(*FOUR), "zeth", *THREE, "nullspace.kln_qn"), "support")
    game = play(game, ("zeth", DiscardColonies(cards=("nullspace.kln_qn",))))
    assert game.removed == ("nullspace.kln_qn",)
    assert "nullspace.kln_qn" not in game.colonies.cards


def test_players_give_colonies_up_in_seat_order():
    """ECON-2, SETUP-9."""
    game = hold(table(*FOUR), "zeth", *THREE, FOURTH)
    game = hold(game, "yengii", "colony.castor", "colony.toliman", "colony.wezen", "colony.mirfak")
    game = until(game, "support")
    with pytest.raises(IllegalAction, match="not_waited_for"):
        play(game, ("yengii", DiscardColonies(cards=("colony.castor",))))
    game = play(
        game,
        ("zeth", DiscardColonies(cards=(FOURTH,))),
        ("yengii", DiscardColonies(cards=("colony.castor",))),
    )
    assert game.colonies.cards[-2:] == (FOURTH, "colony.castor")
    assert game.step == "plan"


def test_when_time_is_up_the_latest_plain_colony_goes():
    """ECON-1."""
    game = hold(table(*FOUR, "caylion"), "zeth", "colony.acrux", "colony.spica")
    game = hold(game, "zeth", "colony.antares", flipped=True)
    game = until(hold(game, "zeth", FOURTH, seedling=True), "support")
    game = play(game, (None, TimeUp()))
    assert game.colonies.cards[-1] == "colony.spica"


def test_a_colony_given_up_does_not_produce():
    """ECON-1, ECON-3."""
    game = until(hold(table(*FOUR), "zeth", *THREE, FOURTH), "support")
    game = play(game, ("zeth", DiscardColonies(cards=(FOURTH,))))
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("zeth", LayPlan(runs=(Run(card=FOURTH),))))
    game = run_economy(game, {"zeth": (Run(card="colony.acrux"),)})
    assert player(game, "zeth").stock == Goods(brown=1)

"""Upgrades: both ways to flip a card, and what a flipped or spent card still is."""

import pytest

from elysian.actions import Invent, LayPlan, PutIntoPlay, UpgradeCard
from elysian.deals import License
from elysian.goods import Goods
from elysian.rules import IllegalAction
from elysian.state import Run
from tests.support.table import hold, lend, offer, play, player, run_economy, seat_of, stock, table, until

FOUR = ("eni_et", "kit", "yengii", "zeth")
PATHS = "yengii.choice_of_paths"
REPOSITORY = "yengii.ubiquitous_cultural_repository"
GENETIC, NANO = "kit.genetic_engineering", "kit.nanotechnology"


def test_a_card_is_upgraded_by_its_violet_converter():
    """UPG-1."""
    game = stock(hold(table(*FOUR), "yengii", "colony.castor"), "yengii", blue=3)
    game = play(game, ("yengii", UpgradeCard(card=PATHS, way=0, colonies=("colony.castor",))))
    yengii = player(game, "yengii")
    assert yengii.cards[PATHS].flipped
    assert (yengii.score, yengii.stock) == (1, Goods(blue=1))
    assert "colony.castor" not in yengii.cards


def test_a_card_is_upgraded_by_spending_a_card_of_the_printed_name():
    """UPG-1, UPG-2."""
    game = hold(table(*FOUR), "yengii", REPOSITORY)
    game = play(game, ("yengii", UpgradeCard(card=PATHS, way=1)))
    yengii = player(game, "yengii")
    assert yengii.cards[PATHS].flipped
    assert REPOSITORY not in yengii.cards
    assert yengii.spent == {REPOSITORY: PATHS}
    assert yengii.score == 0


def test_a_card_is_upgraded_only_once():
    """UPG-1."""
    game = stock(hold(table(*FOUR), "yengii", "colony.castor", REPOSITORY), "yengii", blue=2)
    game = play(game, ("yengii", UpgradeCard(card=PATHS, way=0, colonies=("colony.castor",))))
    with pytest.raises(IllegalAction, match="already_upgraded"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=1)))


def test_a_card_is_upgraded_only_in_the_trade_phase():
    """UPG-1."""
    game = until(hold(table(*FOUR), "yengii", REPOSITORY), "plan")
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=1)))


def test_a_card_has_no_more_ways_than_are_printed():
    """UPG-1."""
    game = hold(table(*FOUR), "yengii", REPOSITORY)
    with pytest.raises(IllegalAction, match="no_such_upgrade"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=2)))


def test_a_card_without_an_upgrade_area_is_not_upgraded():
    """UPG-1."""
    game = hold(table(*FOUR), "kit", "nullspace.kln_qn")
    with pytest.raises(IllegalAction, match="no_such_upgrade"):
        play(game, ("kit", UpgradeCard(card="nullspace.kln_qn")))


def test_a_spent_card_is_not_paid_for_as_well():
    """UPG-1."""
    game = stock(hold(table(*FOUR), "yengii", REPOSITORY), "yengii", blue=2)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=1, pay=Goods(blue=2))))


def test_wild_cubes_pay_for_an_upgrade():
    """UNI-3, UPG-1."""
    game = stock(hold(table(*FOUR), "yengii", "colony.castor"), "yengii", blue=1, wild_large=1)
    pay = Goods(blue=1, wild_large=1)
    game = play(game, ("yengii", UpgradeCard(card=PATHS, pay=pay, colonies=("colony.castor",))))
    assert player(game, "yengii").stock == Goods()


# ---------------------------------------------------------------- spent cards


def spent_nanotechnology():
    """The Kit have spent their Nanotechnology under Genetic Engineering; Pseudomatter waits for it too."""
    game = hold(table(*FOUR), "kit", GENETIC, NANO, "kit.atomic_transmutation")
    return play(game, ("kit", UpgradeCard(card=GENETIC, way=0)))


def test_a_spent_card_does_not_run():
    """D-19, UPG-2."""
    game = until(stock(spent_nanotechnology(), "kit", brown=3), "plan")
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", LayPlan(runs=(Run(card=NANO),))))


def test_a_spent_card_is_not_lent():
    """D-19, UPG-2."""
    game = spent_nanotechnology()
    with pytest.raises(IllegalAction, match="out_of_the_game"):
        lend(game, "kit", "zeth", NANO)


def test_a_spent_card_is_not_spent_again():
    """D-19, UPG-2."""
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(spent_nanotechnology(), ("kit", UpgradeCard(card="kit.atomic_transmutation", way=1)))


def test_a_spent_card_is_not_licensed_back():
    """D-19, YEN-6."""
    game = stock(hold(spent_nanotechnology(), "yengii", "research.mechanical_engineers"), "yengii", yellow=4)
    game = play(game, ("yengii", Invent(card="research.mechanical_engineers")))
    kit, yengii = seat_of(game, "kit"), seat_of(game, "yengii")
    with pytest.raises(IllegalAction, match="already_has_technology"):
        offer(game, yengii, (kit,), License(giver=yengii, to=kit, technology="nanotechnology"))


def test_a_spent_card_does_not_come_back_when_the_technology_is_shared():
    """UPG-2, SHARE-3."""
    game = stock(hold(spent_nanotechnology(), "zeth", "research.mechanical_engineers"), "zeth", yellow=4)
    game = play(game, ("zeth", Invent(card="research.mechanical_engineers")))
    game = run_economy(game, {})
    assert NANO not in player(game, "kit").cards
    assert "eni_et.nanotechnology" in player(game, "eni_et").cards


def test_a_flipped_card_is_not_spent_for_its_front_name():
    """D-20, UPG-3."""
    game = hold(hold(table(*FOUR), "kit", NANO), "kit", GENETIC, flipped=True)
    with pytest.raises(IllegalAction, match="technology_upgraded"):
        play(game, ("kit", UpgradeCard(card=NANO, way=0)))


def test_a_card_out_of_play_is_not_spent():
    """UPG-2."""
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(table(*FOUR), ("yengii", UpgradeCard(card=PATHS, way=1)))


def test_a_lent_card_is_not_spent():
    """D-21, UPG-2, B-21."""
    game = lend(hold(table(*FOUR), "yengii", REPOSITORY), "yengii", "zeth", REPOSITORY)
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=1)))


def test_a_borrower_spends_nothing_on_a_borrowed_card():
    """UPG-2, X-16."""
    game = lend(hold(table(*FOUR), "zeth", "zeth.ubiquitous_cultural_repository"), "yengii", "zeth", PATHS)
    with pytest.raises(IllegalAction, match="only_its_owner"):
        play(game, ("zeth", UpgradeCard(card=PATHS, way=1)))


def test_somebody_elses_card_of_the_name_is_not_spent():
    """UPG-2, X-16."""
    game = hold(table(*FOUR), "zeth", "zeth.ubiquitous_cultural_repository")
    game = lend(game, "zeth", "yengii", "zeth.ubiquitous_cultural_repository")
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(game, ("yengii", UpgradeCard(card=PATHS, way=1)))


# ---------------------------------------------------------------- flipped cards


def test_a_borrower_flips_a_card_scores_and_it_goes_home_flipped():
    """D-22, VIO-2, ENDT-1."""
    hunting = "eni_et.deep_hunting"
    game = stock(hold(table(*FOUR), "kit", "colony.castor"), "kit", blue=2)
    game = lend(game, "eni_et", "kit", hunting)
    game = play(game, ("kit", UpgradeCard(card=hunting, colonies=("colony.castor",))))
    assert player(game, "kit").score == 1
    game = until(game, "trade", turn=2)
    assert player(game, "eni_et").cards[hunting].flipped
    assert hunting not in player(game, "kit").cards


def test_a_flipped_card_runs_the_converter_of_its_back():
    """UPG-3."""
    game = stock(hold(table(*FOUR), "kit", GENETIC, flipped=True), "kit", green=3)
    game = run_economy(game, {"kit": (Run(card=GENETIC),)})
    assert player(game, "kit").stock == Goods(brown=1, black=2, blue=1)


def test_terraforming_changes_climate_and_converter():
    """UPG-4."""
    game = stock(hold(table(*FOUR), "yengii", "colony.regulus"), "yengii", yellow=1)
    game = stock(play(game, ("yengii", UpgradeCard(card="colony.regulus"))), "yengii", green=2)
    with pytest.raises(IllegalAction, match="wrong_colonies"):  # no longer a jungle
        play(game, ("yengii", UpgradeCard(card="yengii.empathy_of_words", colonies=("colony.regulus",))))
    game = run_economy(game, {"yengii": (Run(card="colony.regulus"),)})
    assert player(game, "yengii").stock == Goods(green=2, yellow=1)


def test_a_card_enters_play_is_upgraded_and_runs_in_one_turn():
    """UPG-5."""
    tile = "kjas.balkanized_states_colonies"
    enter, upgrade = ("colony.acrux", "colony.spica"), ("colony.castor", "colony.regulus", "colony.vega")
    game = hold(table("kjas", "kit", "yengii", "zeth"), "kjas", *enter, *upgrade)
    game = stock(game, "kjas", brown=3, yellow=2, ultratech=1)
    game = play(
        game,
        ("kjas", PutIntoPlay(card=tile, colonies=enter)),
        ("kjas", UpgradeCard(card=tile, colonies=upgrade)),
    )
    assert player(game, "kjas").score == 3
    game = run_economy(game, {"kjas": (Run(card=tile, converter=2),)})
    assert player(game, "kjas").stock == Goods(yellow=1)
    assert player(game, "kjas").score == 4

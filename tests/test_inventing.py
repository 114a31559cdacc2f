"""Inventing: what a research team costs, what it brings and when."""

import pytest

from elysian.actions import Invent, LayPlan, UpgradeCard
from elysian.deals import Give
from elysian.goods import Goods
from elysian.rules import IllegalAction
from elysian.state import Run
from tests.support.table import deal, hold, play, player, run_economy, seat_of, stock, table, until

FOUR = ("kit", "zeth", "faderan", "yengii")
SOCIOLOGISTS = "research.sociologists"  # six white or four black
THEORETICIANS = "research.computational_theoreticians"  # six white or four blue
ENGINEERS = "research.mechanical_engineers"  # four yellow or two octagons


def researching(team, goods, who="kit", **arrangement):
    """A table where somebody holds a research team and exactly these goods."""
    return stock(hold(table(*FOUR, **arrangement), who, team), who, goods)


# ---------------------------------------------------------------- the cost


@pytest.mark.parametrize(("cost", "goods"), [(0, Goods(white=6)), (1, Goods(black=4))])
def test_an_invention_costs_one_of_the_printed_sets(cost, goods):
    """INV-1."""
    game = play(researching(SOCIOLOGISTS, goods), ("kit", Invent(card=SOCIOLOGISTS, cost=cost)))
    assert player(game, "kit").stock == Goods()
    assert player(game, "kit").score == 1


@pytest.mark.parametrize(
    ("cost", "goods"), [(0, Goods(white=18)), (1, Goods(brown=18)), (2, Goods(ultratech=6))]
)
def test_a_team_of_the_last_era_has_three_sets(cost, goods):
    """INV-1."""
    team = "research.cultural_polymorphologists"
    game = play(researching(team, goods), ("kit", Invent(card=team, cost=cost)))
    assert player(game, "kit").score == 8


def test_wild_cubes_of_the_right_size_replace_any_of_the_cubes():
    """D-24, INV-1, UNI-3."""
    pay = Goods(white=4, wild_small=2)
    game = play(researching(SOCIOLOGISTS, pay), ("kit", Invent(card=SOCIOLOGISTS, pay=pay)))
    assert "kit.ubiquitous_cultural_repository" in player(game, "kit").cards


def test_an_octagon_replaces_no_cube():
    """D-24, INV-1."""
    pay = Goods(black=3, ultratech=1)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(researching(SOCIOLOGISTS, pay), ("kit", Invent(card=SOCIOLOGISTS, cost=1, pay=pay)))


@pytest.mark.parametrize("pay", [Goods(wild_large=2), Goods(ultratech=1, wild_large=1), Goods(yellow=2)])
def test_nothing_replaces_an_octagon(pay):
    """INV-1, ECON-9."""
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(researching(ENGINEERS, pay), ("kit", Invent(card=ENGINEERS, cost=1, pay=pay)))


def test_a_wild_cube_of_the_other_size_replaces_nothing():
    """INV-1, ECON-9."""
    pay = Goods(white=5, wild_large=1)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(researching(SOCIOLOGISTS, pay), ("kit", Invent(card=SOCIOLOGISTS, pay=pay)))


@pytest.mark.parametrize("cost", [0, 1])
def test_sets_are_not_mixed(cost):
    """D-25, INV-1."""
    pay = Goods(white=3, blue=2)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(researching(THEORETICIANS, pay), ("kit", Invent(card=THEORETICIANS, cost=cost, pay=pay)))


def test_an_invention_is_not_paid_with_goods_one_does_not_have():
    """INV-1."""
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(researching(SOCIOLOGISTS, Goods(white=5)), ("kit", Invent(card=SOCIOLOGISTS)))


def test_there_is_no_third_set_before_the_last_era():
    """INV-1."""
    with pytest.raises(IllegalAction, match="no_such_cost"):
        play(researching(SOCIOLOGISTS, Goods(white=6)), ("kit", Invent(card=SOCIOLOGISTS, cost=2)))


def test_only_the_holder_of_a_team_invents():
    """INV-1."""
    game = stock(researching(SOCIOLOGISTS, Goods()), "zeth", white=6)
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("zeth", Invent(card=SOCIOLOGISTS)))


def test_a_card_that_is_no_research_team_invents_nothing():
    """INV-1."""
    with pytest.raises(IllegalAction, match="not_a_research_team"):
        play(table(*FOUR), ("kit", Invent(card="kit.hand_crafted")))


def test_inventions_are_made_in_the_trade_phase_up_to_the_last_window():
    """INV-1, B-10."""
    game = until(researching(SOCIOLOGISTS, Goods(white=6)), "window")
    assert player(play(game, ("kit", Invent(card=SOCIOLOGISTS))), "kit").score == 1
    game = until(game, "plan")
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("kit", Invent(card=SOCIOLOGISTS)))


# ---------------------------------------------------------------- what it brings


def test_the_inventor_gets_the_points_and_the_own_card_at_once_but_no_bonus_yet():
    """INV-2, B-12."""
    game = play(researching(SOCIOLOGISTS, Goods(white=6)), ("kit", Invent(card=SOCIOLOGISTS)))
    kit = player(game, "kit")
    assert kit.score == 1
    assert kit.invented == (SOCIOLOGISTS,)
    assert SOCIOLOGISTS not in kit.cards
    assert not kit.cards["kit.ubiquitous_cultural_repository"].flipped
    assert "kit.ubiquitous_cultural_repository" not in kit.deck


def test_an_invented_technology_runs_this_turn_for_its_inventor():
    """D-23, INV-2."""
    game = researching(ENGINEERS, Goods(yellow=4, brown=3), who="zeth", turn=2)
    game = play(game, ("zeth", Invent(card=ENGINEERS)))
    game = run_economy(game, {"zeth": (Run(card="zeth.nanotechnology"),)})
    assert player(game, "zeth").stock.ultratech == 1
    assert player(game, "zeth").stock.brown == 0


def test_an_invented_technology_runs_this_turn_for_nobody_else():
    """D-23, INV-2."""
    game = stock(researching(ENGINEERS, Goods(yellow=4), who="zeth", turn=2), "kit", brown=3)
    game = until(play(game, ("zeth", Invent(card=ENGINEERS))), "plan")
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", LayPlan(runs=(Run(card="kit.nanotechnology"),))))


def test_an_invented_technology_may_be_spent_this_turn():
    """INV-2."""
    game = researching(ENGINEERS, Goods(yellow=4), who="zeth")
    game = play(
        game, ("zeth", Invent(card=ENGINEERS)), ("zeth", UpgradeCard(card="zeth.black_market", way=0))
    )
    assert player(game, "zeth").cards["zeth.black_market"].flipped


def test_a_player_may_invent_several_times_a_turn():
    """INV-3."""
    game = hold(researching(SOCIOLOGISTS, Goods(white=6, black=4, yellow=4)), "kit", ENGINEERS)
    game = hold(game, "kit", "research.linguistic_analysts")
    game = play(
        game,
        ("kit", Invent(card=SOCIOLOGISTS)),
        ("kit", Invent(card=ENGINEERS)),
        ("kit", Invent(card="research.linguistic_analysts", cost=1)),
    )
    assert player(game, "kit").score == 3
    assert len(player(game, "kit").invented) == 3


def test_a_team_invents_only_once():
    """INV-6."""
    game = play(researching(SOCIOLOGISTS, Goods(white=12)), ("kit", Invent(card=SOCIOLOGISTS)))
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", Invent(card=SOCIOLOGISTS)))


def test_the_last_era_brings_points_and_no_card():
    """INV-4."""
    team = "research.reconstructive_paleobotanists"
    before = researching(team, Goods(white=21))
    game = play(before, ("kit", Invent(card=team)))
    assert player(game, "kit").score == 10
    assert player(game, "kit").deck == player(before, "kit").deck


def test_an_invention_of_the_last_era_triggers_what_inventing_triggers_at_this_moment():
    """INV-5, X-11."""
    team = "research.reconstructive_paleobotanists"
    game = researching(team, Goods(white=21, acknowledgement=2))
    game = play(game, ("kit", Invent(card=team)))
    assert player(game, "kit").stock == Goods(acknowledgement=1)
    assert player(game, "faderan").score == 1


def test_an_invented_card_is_not_tradable():
    """INV-6."""
    game = play(researching(SOCIOLOGISTS, Goods(white=6)), ("kit", Invent(card=SOCIOLOGISTS)))
    kit, zeth = seat_of(game, "kit"), seat_of(game, "zeth")
    gift = Give(giver=kit, to=zeth, cards=(SOCIOLOGISTS,))
    with pytest.raises(IllegalAction, match="out_of_the_game"):
        deal(game, kit, (zeth,), gift)


def test_in_the_german_edition_the_sharing_bonus_comes_with_the_invention():
    """D-28, B-12."""
    game = researching(SOCIOLOGISTS, Goods(white=6), edition="de2021")
    game = play(game, ("kit", Invent(card=SOCIOLOGISTS)))
    assert player(game, "kit").score == 7
    game = run_economy(game, {})
    assert player(game, "kit").score == 7
    assert "zeth.ubiquitous_cultural_repository" in player(game, "zeth").cards


def test_in_the_german_edition_the_yengii_get_their_own_bonus_with_the_invention():
    """B-12, YEN-3."""
    game = researching(SOCIOLOGISTS, Goods(white=6), who="yengii", edition="de2021")
    game = play(game, ("yengii", Invent(card=SOCIOLOGISTS)))
    assert player(game, "yengii").score == 4

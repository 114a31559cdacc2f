"""Sharing technologies and the sharing bonus."""

from elysian.actions import Invent
from elysian.deals import License
from elysian.goods import Goods
from tests.support.table import deal, hold, play, player, run_economy, seat_of, stock, table, until

FIVE = ("kit", "faderan", "yengii", "zeth", "unity")
CHEMISTS = "research.organic_chemists"  # genetic engineering, six brown
SOCIOLOGISTS = "research.sociologists"  # ubiquitous cultural repository, six white
PALEOBOTANISTS = "research.reconstructive_paleobotanists"  # era IV, 21 white, 10 points


def inventing(who, *teams, goods, turn=1, species=FIVE):
    """A table where somebody has invented with these teams."""
    game = stock(hold(table(*species, turn=turn), who, *teams), who, goods)
    for team in teams:
        game = play(game, (who, Invent(card=team)))
    return game


def test_every_other_player_puts_the_own_card_of_a_shared_technology_into_play():
    """D-27, SHARE-1, YEN-2."""
    game = run_economy(inventing("kit", CHEMISTS, goods=Goods(brown=6)), {})
    for species in FIVE:
        card = f"{species}.genetic_engineering"
        assert not player(game, species).cards[card].flipped
        assert card not in player(game, species).deck


def test_technologies_are_shared_after_the_economy_and_before_the_bids():
    """SHARE-1."""
    game = until(inventing("kit", CHEMISTS, goods=Goods(brown=6)), "plan")
    assert "zeth.genetic_engineering" in player(game, "zeth").deck
    game = run_economy(game, {})
    assert game.step == "bid"
    assert "zeth.genetic_engineering" in player(game, "zeth").cards


def test_a_shared_technology_leaves_its_inventor_for_the_middle_of_the_table():
    """SHARE-1, INV-6."""
    game = run_economy(inventing("kit", CHEMISTS, goods=Goods(brown=6)), {})
    assert game.shared == (CHEMISTS,)
    assert player(game, "kit").invented == ()


def test_technologies_of_the_yengii_are_not_shared():
    """SHARE-1, YEN-1, B-23."""
    game = run_economy(inventing("yengii", CHEMISTS, goods=Goods(brown=6)), {})
    assert "zeth.genetic_engineering" in player(game, "zeth").deck
    assert player(game, "yengii").invented == (CHEMISTS,)
    assert game.shared == ()


def test_the_inventor_gets_the_sharing_bonus_of_the_turn():
    """SHARE-2, SETUP-7."""
    game = inventing("kit", CHEMISTS, goods=Goods(brown=6), turn=3)
    assert player(game, "kit").score == 1
    game = run_economy(game, {})
    assert player(game, "kit").score == 1 + 5
    assert player(game, "zeth").score == 0


def test_the_bonus_is_paid_once_for_each_technology():
    """SHARE-2."""
    game = inventing("kit", CHEMISTS, SOCIOLOGISTS, goods=Goods(brown=6, white=6), turn=2)
    game = run_economy(game, {})
    assert player(game, "kit").score == 2 + 2 * 6


def test_each_inventor_is_paid():
    """SHARE-2."""
    game = stock(
        hold(inventing("kit", CHEMISTS, goods=Goods(brown=6)), "zeth", SOCIOLOGISTS), "zeth", white=6
    )
    game = run_economy(play(game, ("zeth", Invent(card=SOCIOLOGISTS))), {})
    assert (player(game, "kit").score, player(game, "zeth").score) == (7, 7)


def test_the_yengii_get_their_own_number():
    """SHARE-2, YEN-3."""
    game = run_economy(inventing("yengii", CHEMISTS, goods=Goods(brown=6), turn=2), {})
    assert player(game, "yengii").score == 1 + 2


def test_the_last_era_gets_the_bonus_and_nobody_gets_a_card():
    """D-26, INV-4, SHARE-2, B-22."""
    game = inventing("kit", PALEOBOTANISTS, goods=Goods(white=21), turn=5)
    assert player(game, "kit").score == 10
    decks = [area.deck for area in game.players]
    game = run_economy(game, {})
    assert player(game, "kit").score == 13
    assert [area.deck for area in game.players] == decks


def test_a_bonus_is_not_paid_again_in_the_next_turn():
    """SHARE-2, ENDT-2."""
    game = run_economy(inventing("kit", CHEMISTS, goods=Goods(brown=6)), {})
    game = run_economy(until(game, "trade", turn=2), {})
    assert player(game, "kit").score == 7


def test_a_card_already_in_play_is_not_shared_a_second_time():
    """SHARE-3."""
    game = hold(table(*FIVE), "zeth", "zeth.genetic_engineering", flipped=True)
    game = stock(hold(game, "kit", CHEMISTS), "kit", brown=6)
    game = run_economy(play(game, ("kit", Invent(card=CHEMISTS))), {})
    assert player(game, "zeth").cards["zeth.genetic_engineering"].flipped


def test_a_licensee_of_the_yengii_gets_no_bonus():
    """SHARE-2, YEN-7."""
    game = inventing("yengii", CHEMISTS, goods=Goods(brown=6))
    yengii, kit = seat_of(game, "yengii"), seat_of(game, "kit")
    licence = License(giver=yengii, to=kit, technology="genetic_engineering")
    game = run_economy(deal(game, yengii, (kit,), licence), {})
    assert "kit.genetic_engineering" in player(game, "kit").cards
    assert player(game, "kit").score == 0
    assert player(game, "yengii").score == 1 + 3


def test_in_the_last_turn_the_bonus_is_paid_and_nothing_is_handed_out():
    """SHARE-4, PHASE-3, B-13."""
    game = inventing("kit", CHEMISTS, goods=Goods(brown=6), turn=6)
    game = run_economy(game, {})
    assert player(game, "kit").score == 1 + 1
    assert "zeth.genetic_engineering" in player(game, "zeth").deck

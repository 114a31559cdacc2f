"""Kjas: a longer track, a colony bid that splits at its turn, and three territory tiles."""

import pytest

from elysian.actions import Buy, Pass, PutIntoPlay, SplitBid, UpgradeCard
from elysian.deals import Lend
from elysian.draft import IllegalAction
from elysian.events import BidSplit
from elysian.goods import Goods
from elysian.rules import new_game
from tests.support.species_tables import acting, at_auction, colony_track, holder, run
from tests.support.table import deal, happened, hold, play, player, run_economy, stock, table, until

FIVE = ("kjas", "imdril", "zeth", "unity", "yengii")
TRACK = ("colony.acrux", "colony.spica", "colony.vega", "colony.wezen", "colony.rigel", "colony.hadar")
TWO = ("colony.regulus", "colony.mimosa")


def auction(*colonies_held, species=FIVE, **ships):
    """An auction of six colonies (1 1 1 2 3 3) where the Kjas hold some already."""
    game = hold(table(*species), "kjas", *colonies_held)
    return at_auction(colony_track(game, *TRACK), **ships)


# ---------------------------------------------------------------- the track


@pytest.mark.parametrize("others", range(3, 9))
def test_the_kjas_lengthen_the_colony_track_and_nothing_else(others):
    """KJAS-1, SETUP-5, SETUP-7."""
    names = ("zeth", "unity", "kit", "yengii", "imdril", "faderan", "eni_et", "caylion")[:others]
    game = new_game((*names, "kjas"), seed=1)
    assert len(game.colony_track) == others + 2
    assert len(game.research_track) == others + 1
    if others > 3:
        without = new_game(names, seed=1)
        assert len(without.colony_track) == len(without.research_track) == others


# ---------------------------------------------------------------- splitting a bid


def test_the_halves_of_a_split_bid_wait_for_their_turns_among_the_others():
    """D-47, KJAS-2, KJAS-3."""
    game = hold(table(*FIVE), "zeth", "colony.peacock")
    game = hold(hold(game, "unity", "colony.castor"), "kjas", *TWO)
    game = colony_track(game, *TRACK)
    game = at_auction(game, kjas=(5, 0), imdril=(4, 0), zeth=(3, 0), unity=(2, 0))
    assert acting(game) == ("kjas", 5)
    game = play(game, ("kjas", SplitBid()))
    order = []
    while game.step == "colony_auction":
        order.append(acting(game))
        who, _ = order[-1]
        cheapest = next(card for card in game.colony_track if card is not None)
        game = play(game, (who, Buy(card=cheapest) if who == "kjas" else Pass()))
    assert order == [("imdril", 4), ("zeth", 3), ("kjas", 3), ("unity", 2), ("kjas", 2)]


def test_both_halves_may_act_before_a_rival_they_tie_with():
    """D-48, KJAS-3, BID-5."""
    game = hold(table(*FIVE), "yengii", "colony.peacock", "colony.castor", "colony.toliman")
    game = at_auction(colony_track(hold(game, "kjas", *TWO), *TRACK), kjas=(4, 0), yengii=(2, 0))
    game = play(game, ("kjas", SplitBid()))
    assert acting(game) == ("kjas", 2)
    game = play(game, ("kjas", Buy(card="colony.acrux")))
    assert acting(game) == ("kjas", 2)  # three colonies each, 6 beats 5
    game = play(game, ("kjas", Buy(card="colony.spica")))
    assert acting(game) == ("yengii", 2)


def test_a_colony_bought_with_the_first_half_counts_in_the_tie_of_the_second():
    """KJAS-3, BID-5."""
    species = ("kjas", "imdril", "zeth", "unity", "faderan")
    game = hold(table(*species), "faderan", "colony.peacock", "colony.castor")
    game = at_auction(colony_track(hold(game, "kjas", *TWO), *TRACK), kjas=(4, 0), faderan=(2, 0))
    game = play(game, ("kjas", SplitBid()))
    assert acting(game) == ("faderan", 2)  # two each, 7 beats 6
    game = play(game, ("faderan", Buy(card="colony.acrux")))
    assert acting(game) == ("kjas", 2)
    game = hold(table(*species), "faderan", *TWO)
    game = at_auction(colony_track(hold(game, "kjas", "colony.peacock"), *TRACK), kjas=(4, 0), faderan=(2, 0))
    game = play(game, ("kjas", SplitBid()))
    assert acting(game) == ("kjas", 2)  # one colony against two
    bought = play(game, ("kjas", Buy(card="colony.acrux")))
    assert acting(bought) == ("faderan", 2)
    passed = play(game, ("kjas", Pass()))
    assert acting(passed) == ("kjas", 2)


@pytest.mark.parametrize(("ships", "halves"), [(2, (1, 1)), (3, (2, 1)), (5, (3, 2)), (8, (4, 4))])
def test_an_odd_bid_splits_into_a_larger_and_a_smaller_half(ships, halves):
    """KJAS-2."""
    game = auction(kjas=(ships, 0))
    (split,) = [e for e in happened(game, "kjas", SplitBid()) if isinstance(e, BidSplit)]
    assert tuple(half.ships for half in split.halves) == halves


def test_each_half_pays_for_its_own_colony():
    """KJAS-3, BID-6, BID-8."""
    game = play(auction(kjas=(5, 0)), ("kjas", SplitBid()))
    game = play(game, ("kjas", Buy(card="colony.rigel")))
    assert player(game, "kjas").stock.ship == 2
    game = play(game, ("kjas", Buy(card="colony.wezen")))
    assert player(game, "kjas").stock.ship == 0
    assert {"colony.rigel", "colony.wezen"} <= set(player(game, "kjas").cards)


def test_a_half_that_passes_keeps_its_ships():
    """KJAS-3."""
    game = play(auction(kjas=(5, 0)), ("kjas", SplitBid()), ("kjas", Pass()))
    game = play(game, ("kjas", Buy(card="colony.wezen")))
    assert player(game, "kjas").stock.ship == 3


def test_the_minimum_is_held_against_each_half():
    """KJAS-3, BID-6."""
    game = play(auction(kjas=(5, 0)), ("kjas", SplitBid()), ("kjas", Pass()))
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("kjas", Buy(card="colony.rigel")))  # minimum 3 against 2


def test_an_unsplit_bid_buys_one_colony_for_all_its_ships():
    """KJAS-2, BID-8."""
    game = play(auction(kjas=(5, 0)), ("kjas", Buy(card="colony.acrux")))
    assert game.step != "colony_auction"
    assert player(game, "kjas").stock.ship == 0


def test_a_half_is_not_split_again():
    """KJAS-3."""
    game = play(auction(kjas=(8, 0)), ("kjas", SplitBid()))
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("kjas", SplitBid()))
    game = play(game, ("kjas", Pass()))
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("kjas", SplitBid()))


def test_a_bid_of_one_splits_into_one_and_nothing():
    """KJAS-4."""
    game = play(auction(kjas=(1, 0), imdril=(1, 0)), ("imdril", Pass()), ("kjas", SplitBid()))
    assert acting(game) == ("kjas", 1)
    game = play(game, ("kjas", Buy(card="colony.acrux")))
    assert game.step != "colony_auction"  # the half of nothing had to pass
    assert player(game, "kjas").stock.ship == 0


def test_only_the_kjas_split():
    """KJAS-2."""
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(auction(imdril=(4, 0)), ("imdril", SplitBid()))


def test_research_bids_are_not_split():
    """KJAS-2."""
    game = auction(kjas=(0, 4))
    assert game.step == "research_auction"
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("kjas", SplitBid()))


def test_the_split_is_decided_at_their_turn_and_not_before():
    """KJAS-5."""
    game = run_economy(stock(table(*FIVE), "kjas", ship=4), {})
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("kjas", SplitBid()))
    game = auction(kjas=(4, 0), imdril=(5, 0))
    with pytest.raises(IllegalAction, match="not_your_turn"):
        play(game, ("kjas", SplitBid()))
    game = play(game, ("imdril", Pass()), ("kjas", SplitBid()))
    assert acting(game) == ("kjas", 2)


# ---------------------------------------------------------------- territory tiles

FOUR = ("kjas", "kit", "unity", "zeth")
DESERT, ICE, JUNGLE, OCEAN = "colony.acrux", "colony.spica", "colony.rigel", "colony.hadar"
BALKANIZED, HADSJA, VAGNLEG = (
    "kjas.balkanized_states_colonies",
    "kjas.hadsja_vassal_territory",
    "kjas.vagnleg_suzerainty",
)


@pytest.mark.parametrize(
    ("tile", "price", "colonies", "points"),
    [
        (BALKANIZED, Goods(brown=1, yellow=2), (DESERT, ICE), 1),
        (HADSJA, Goods(yellow=3), (DESERT, JUNGLE), 2),
        (VAGNLEG, Goods(yellow=3), (OCEAN, DESERT), 2),
    ],
)
def test_a_tile_enters_play_for_goods_and_two_climates(tile, price, colonies, points):
    """KJAS-6."""
    game = stock(hold(table(*FOUR), "kjas", *colonies), "kjas", price)
    game = play(game, ("kjas", PutIntoPlay(card=tile, colonies=colonies)))
    assert (player(game, "kjas").stock, player(game, "kjas").score) == (Goods(), points)
    assert tile in player(game, "kjas").cards
    assert game.colonies.cards[-2:] == colonies


@pytest.mark.parametrize(
    ("tile", "price", "colonies", "points"),
    [
        (BALKANIZED, Goods(brown=2), (OCEAN, JUNGLE, DESERT), 2),
        (HADSJA, Goods(yellow=2), (ICE, DESERT, OCEAN), 3),
        (VAGNLEG, Goods(yellow=2), (JUNGLE, ICE, DESERT), 3),
    ],
)
def test_a_tile_is_flipped_for_goods_and_three_climates_in_any_order(tile, price, colonies, points):
    """KJAS-6, VIO-7."""
    game = stock(hold(table(*FOUR), "kjas", tile, *colonies), "kjas", price)
    game = play(game, ("kjas", UpgradeCard(card=tile, colonies=colonies)))
    assert (player(game, "kjas").stock, player(game, "kjas").score) == (Goods(), points)
    assert player(game, "kjas").cards[tile].flipped


def test_three_climates_are_not_met_by_two_colonies_of_one():
    """KJAS-6, VIO-6."""
    colonies = (OCEAN, DESERT, "colony.vega")  # two deserts, no jungle
    game = stock(hold(table(*FOUR), "kjas", BALKANIZED, *colonies), "kjas", brown=2)
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("kjas", UpgradeCard(card=BALKANIZED, colonies=colonies)))


def test_the_tiles_enter_in_any_order_even_all_in_one_turn():
    """KJAS-6."""
    colonies = (DESERT, "colony.vega", "colony.peacock", ICE, JUNGLE, OCEAN)
    game = stock(hold(table(*FOUR), "kjas", *colonies), "kjas", yellow=8, brown=1)
    game = play(
        game,
        ("kjas", PutIntoPlay(card=VAGNLEG, colonies=(DESERT, OCEAN))),
        ("kjas", PutIntoPlay(card=BALKANIZED, colonies=(ICE, "colony.vega"))),
        ("kjas", PutIntoPlay(card=HADSJA, colonies=("colony.peacock", JUNGLE))),
    )
    assert player(game, "kjas").score == 5


def test_a_tile_cannot_be_flipped_before_it_is_in_play():
    """KJAS-6, UPG-1."""
    colonies = (OCEAN, JUNGLE, DESERT)
    game = stock(hold(table(*FOUR), "kjas", *colonies), "kjas", brown=2)
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kjas", UpgradeCard(card=BALKANIZED, colonies=colonies)))


@pytest.mark.parametrize(
    ("tile", "paid", "made", "donated", "points"),
    [
        (
            BALKANIZED,
            Goods(blue=1, green=1, ultratech=1),
            Goods(black=1, brown=1, ship=2, yellow=1),
            Goods(white=3, green=1, brown=1),
            1,
        ),
        (
            HADSJA,
            Goods(black=2, yellow=3),
            Goods(ultratech=1, blue=2, brown=2, green=3, white=2, ship=2),
            Goods(),
            0,
        ),
        (
            VAGNLEG,
            Goods(white=2, brown=4),
            Goods(yellow=1, brown=1, ultratech=1, green=1, ship=1),
            Goods(),
            2,
        ),
    ],
)
def test_a_flipped_tile_runs_all_its_converters(tile, paid, made, donated, points):
    """KJAS-6, ECON-6."""
    game = stock(hold(table(*FOUR), "kjas", tile, flipped=True), "kjas", paid)
    runs = tuple(run(tile, n) for n in range(3 if tile == BALKANIZED else 2))
    kjas = player(run_economy(game, {"kjas": runs}), "kjas")
    assert (kjas.stock, kjas.donation, kjas.score) == (made, donated, points)


def test_the_added_converter_is_not_there_before_the_tile_is_flipped():
    """KJAS-6."""
    game = stock(hold(table(*FOUR), "kjas", HADSJA), "kjas", yellow=3)
    with pytest.raises(IllegalAction, match="no_such_converter"):
        run_economy(game, {"kjas": (run(HADSJA, 1),)})


def test_a_tile_is_lent_for_a_turn_and_is_no_colony():
    """KJAS-6, TRADE-6."""
    game = hold(table(*FOUR), "kjas", HADSJA)
    game = stock(deal(game, 0, (2,), Lend(giver=0, to=2, card=HADSJA)), "unity", black=2)
    game = hold(game, "unity", "colony.acrux")  # all that the Unity support
    game = run_economy(game, {"unity": (run(HADSJA),)})
    assert player(game, "unity").stock == Goods(ultratech=1, blue=1, brown=1, green=1)
    assert "colony.acrux" in player(game, "unity").cards
    assert holder(until(game, "trade", turn=2), HADSJA) == "kjas"

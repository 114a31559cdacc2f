"""Caylion: half bids for colonies, seedlings that run twice, upgrades with a jungle colony."""

import pytest
from msgspec.structs import replace

from elysian.actions import Buy, Pass, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import Give
from elysian.draft import IllegalAction
from elysian.events import CardBought
from elysian.goods import Goods
from elysian.state import Held
from tests.support.species_tables import acting, at_auction, colonies_on_top, colony_track, held, relics, run
from tests.support.table import (
    bid,
    close_trading,
    deal,
    happened,
    hold,
    play,
    player,
    run_economy,
    seat_of,
    stock,
    swap,
    table,
    until,
)

FIVE = ("caylion", "faderan", "eni_et", "unity", "kit")
FOUR = ("caylion", "unity", "kit", "kjas")


def give(game, giver, to, *cards):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Give(giver=a, to=b, cards=cards))


# ---------------------------------------------------------------- bids


def auction_of_five(**ships):
    game = colony_track(
        table(*FIVE), "colony.acrux", "colony.spica", "colony.vega", "colony.wezen", "colony.rigel"
    )
    return at_auction(game, **ships)


def test_five_ships_of_the_caylion_stand_between_a_bid_of_three_and_one_of_two():
    """D-41, CAY-1, BID-4."""
    game = auction_of_five(faderan=(3, 0), caylion=(5, 0), eni_et=(2, 0))
    assert acting(game) == ("faderan", 3)
    game = play(game, ("faderan", Pass()))
    assert acting(game) == ("caylion", 5)
    game = play(game, ("caylion", Pass()))
    assert acting(game) == ("eni_et", 2)


def test_the_half_value_counts_against_the_minimum_and_every_ship_is_paid():
    """D-41, CAY-1, BID-6."""
    game = auction_of_five(caylion=(5, 0))
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("caylion", Buy(card="colony.wezen")))  # minimum 3 against 2.5
    game = play(game, ("caylion", Buy(card="colony.vega")))  # minimum 2
    assert "colony.vega" in player(game, "caylion").cards
    assert player(game, "caylion").stock.ship == 0


@pytest.mark.parametrize(
    ("ships", "card"), [(2, "colony.acrux"), (4, "colony.vega"), (6, "colony.rigel")], ids=["1", "2", "3"]
)
def test_twice_the_minimum_in_ships_just_reaches_a_colony(ships, card):
    """CAY-1."""
    game = play(auction_of_five(caylion=(ships, 0)), ("caylion", Buy(card=card)))
    assert card in player(game, "caylion").cards


@pytest.mark.parametrize(("ships", "card"), [(3, "colony.vega"), (5, "colony.rigel")], ids=["2", "3"])
def test_one_ship_less_than_twice_the_minimum_does_not_reach_a_colony(ships, card):
    """CAY-1."""
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(auction_of_five(caylion=(ships, 0)), ("caylion", Buy(card=card)))


def test_one_ship_bid_for_colonies_must_pass_and_is_kept():
    """D-42, CAY-1, BID-6."""
    game = auction_of_five(caylion=(1, 0), kit=(1, 0))
    assert acting(game) == ("kit", 1)
    game = play(game, ("kit", Pass()))
    assert game.step != "colony_auction"
    assert player(game, "caylion").stock.ship == 1


def test_a_half_value_ties_with_an_equal_bid_and_the_fewer_colonies_decide():
    """CAY-1, BID-4."""
    game = hold(table(*FIVE), "eni_et", "colony.regulus")
    game = at_auction(colony_track(game, "colony.acrux"), eni_et=(2, 0), caylion=(4, 0))
    assert acting(game) == ("caylion", 4)
    game = hold(table(*FIVE), "caylion", "colony.regulus")
    game = at_auction(colony_track(game, "colony.acrux"), eni_et=(2, 0), caylion=(4, 0))
    assert acting(game) == ("eni_et", 2)


def test_research_bids_of_the_caylion_count_in_full():
    """D-43, CAY-1."""
    game = table("caylion", "zeth", "unity", "kit", "faderan")
    game = at_auction(game, caylion=(0, 3), zeth=(0, 2))
    assert game.step == "research_auction"
    assert acting(game) == ("caylion", 3)
    card = game.research_track[game.research_minimums.index(3)]
    game = play(game, ("caylion", Buy(card=card)))
    assert card in player(game, "caylion").cards
    assert player(game, "caylion").stock.ship == 0


# ---------------------------------------------------------------- seedlings


def test_the_starting_colony_has_a_seedling():
    """CAY-2, SETUP-8."""
    game = table(*FOUR, bare=False)
    colonies = [h for card, h in player(game, "caylion").cards.items() if card.startswith("colony.")]
    assert [h.seedling for h in colonies] == [True]
    others = [h for p in game.players if p.species != "caylion" for h in p.cards.values()]
    assert not any(h.seedling for h in others)


def test_a_colony_bought_from_the_track_gets_a_seedling_only_from_the_caylion():
    """CAY-2."""
    game = colony_track(table(*FOUR), "colony.acrux", "colony.spica")
    game = at_auction(game, caylion=(4, 0), kit=(1, 0))
    game = play(game, ("caylion", Buy(card="colony.acrux")), ("kit", Buy(card="colony.spica")))
    assert held(game, "caylion", "colony.acrux").seedling
    assert not held(game, "kit", "colony.spica").seedling


def test_a_colony_received_by_trade_gets_no_seedling():
    """D-35, CAY-2."""
    game = give(hold(table(*FOUR), "kit", "colony.regulus"), "kit", "caylion", "colony.regulus")
    assert not held(game, "caylion", "colony.regulus").seedling
    with pytest.raises(IllegalAction, match="already_ran"):
        run_economy(game, {"caylion": (run("colony.regulus"), run("colony.regulus"))})


def test_a_research_team_bought_by_the_caylion_gets_no_seedling():
    """CAY-2."""
    game = at_auction(table(*FOUR), caylion=(0, 1))
    card = game.research_track[0]
    game = play(game, ("caylion", Buy(card=card)))
    assert not held(game, "caylion", card).seedling


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_seedling_colony_runs_up_to_twice(times):
    """CAY-3, ECON-3."""
    game = hold(table(*FOUR), "caylion", "colony.regulus", seedling=True)
    game = run_economy(game, {"caylion": (run("colony.regulus"),) * times})
    assert player(game, "caylion").stock == Goods(white=times)


def test_a_seedling_colony_never_runs_three_times():
    """CAY-3."""
    game = hold(table(*FOUR), "caylion", "colony.regulus", seedling=True)
    with pytest.raises(IllegalAction, match="already_ran"):
        run_economy(game, {"caylion": (run("colony.regulus"),) * 3})


def test_both_runs_of_a_seedling_colony_are_paid_from_the_stock_before_the_phase():
    """D-33, CAY-3, ECON-4."""
    game = hold(table(*FOUR), "caylion", "colony.antares", flipped=True, seedling=True)
    twice = (run("colony.antares"), run("colony.antares"))
    rich = run_economy(stock(game, "caylion", green=2), {"caylion": twice})
    assert player(rich, "caylion").stock == Goods(ultratech=2)
    poor = stock(game, "caylion", green=1)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        run_economy(poor, {"caylion": twice})
    assert player(run_economy(poor, {"caylion": twice[:1]}), "caylion").stock == Goods(ultratech=1)


def test_a_traded_seedling_colony_runs_twice_for_its_new_holder():
    """D-34, CAY-4, X-4."""
    game = hold(table(*FOUR), "caylion", "colony.regulus", seedling=True)
    game = give(game, "caylion", "unity", "colony.regulus")
    game = run_economy(game, {"unity": (run("colony.regulus"), run("colony.regulus"))})
    assert player(game, "unity").stock == Goods(white=2)


def test_a_seedling_colony_that_comes_back_still_has_its_seedling():
    """CAY-4."""
    game = hold(table(*FOUR), "caylion", "colony.regulus", seedling=True)
    game = give(game, "caylion", "unity", "colony.regulus")
    game = give(game, "unity", "kit", "colony.regulus")
    game = give(game, "kit", "caylion", "colony.regulus")
    assert held(game, "caylion", "colony.regulus").seedling


def test_terraforming_costs_the_same_and_the_back_runs_twice_too():
    """CAY-4, UPG-4."""
    game = stock(hold(table(*FOUR), "caylion", "colony.regulus", seedling=True), "caylion", yellow=1)
    game = play(game, ("caylion", UpgradeCard(card="colony.regulus")))
    assert player(game, "caylion").stock == Goods()
    game = run_economy(game, {"caylion": (run("colony.regulus"), run("colony.regulus"))})
    assert player(game, "caylion").stock == Goods(yellow=2)


def test_a_consumed_seedling_colony_is_drawn_again_without_its_seedling():
    """D-36, CAY-4, VIO-6."""
    game = table("caylion", "faderan", "unity", "kit")
    game = hold(game, "caylion", "colony.sirius", flipped=True, seedling=True)  # an ice colony
    game = give(game, "caylion", "faderan", "colony.sirius")
    game = stock(relics(game, "relic.stars_ruin"), "faderan", white=4)
    game = play(game, ("faderan", RunConverter(card="faderan.relic_deck", colonies=("colony.sirius",))))
    assert game.colonies.cards[-1] == "colony.sirius"
    game = hold(relics(game, "relic.automated_transport_network"), "faderan", "colony.spica")
    game = stock(colonies_on_top(game, "colony.sirius"), "faderan", white=4)
    game = replace(game, ran=frozenset())
    game = play(game, ("faderan", RunConverter(card="faderan.relic_deck", colonies=("colony.spica",))))
    assert not held(game, "faderan", "colony.sirius").seedling
    assert not held(game, "faderan", "colony.sirius").flipped


def test_a_seedling_colony_discarded_for_support_loses_its_seedling():
    """CAY-4, ECON-2."""
    game = hold(table(*FOUR), "unity", "colony.regulus", seedling=True)
    game = hold(game, "unity", "colony.spica", flipped=True, seedling=True)
    game = until(colony_track(game, "colony.acrux"), "plan")
    assert game.colonies.cards[-1] == "colony.spica"
    game = at_auction(colony_track(game, "colony.spica"), kit=(1, 0))
    game = play(game, ("kit", Buy(card="colony.spica")))
    assert held(game, "kit", "colony.spica") == Held()


# ---------------------------------------------------------------- a seedling colony counts as one


def test_seedling_colonies_need_one_support_each():
    """CAY-5, ECON-1."""
    game = hold(table(*FOUR), "caylion", "colony.regulus", "colony.spica", "colony.acrux", seedling=True)
    game = until(game, "plan")
    assert [card for card in player(game, "caylion").cards if card.startswith("colony.")] == [
        "colony.regulus",
        "colony.spica",
        "colony.acrux",
    ]


def test_a_seedling_colony_counts_once_in_ties():
    """CAY-5, BID-5."""
    game = hold(table(*FIVE), "caylion", "colony.regulus", seedling=True)
    game = hold(game, "eni_et", "colony.spica", "colony.vega")
    game = at_auction(colony_track(game, "colony.acrux"), eni_et=(2, 0), caylion=(4, 0))
    assert acting(game) == ("caylion", 4)


def test_a_seedling_colony_is_one_colony_as_an_input():
    """CAY-5, VIO-7."""
    game = hold(table(*FOUR), "kjas", "colony.acrux", seedling=True)
    game = stock(game, "kjas", yellow=3)
    for colonies in [("colony.acrux",), ("colony.acrux", "colony.acrux")]:
        with pytest.raises(IllegalAction, match="wrong_colonies"):
            play(game, ("kjas", PutIntoPlay(card="kjas.hadsja_vassal_territory", colonies=colonies)))


def test_seedlings_do_not_run_out_before_the_last_auction():
    """CAY-6."""
    game = table(*FOUR, bare=False)
    bought = 0
    for _ in range(5):
        game = run_economy(game, {})
        game = bid(stock(game, "caylion", ship=8), caylion=(8, 0))
        card = next(card for card in game.colony_track if card is not None)
        events = happened(game, "caylion", Buy(card=card))
        bought += sum(isinstance(e, CardBought) and e.seedling for e in events)
        game = until(play(game, ("caylion", Buy(card=card))), "trade")
    assert bought == 5


# ---------------------------------------------------------------- upgrades

PRICES = {
    "caylion.lunar_mining_consortium": Goods(black=2),
    "caylion.oceanic_processing": Goods(black=2),
    "caylion.planetary_ecological_dominance": Goods(blue=2),
    "caylion.distributed_telenet": Goods(blue=2),
}


@pytest.mark.parametrize("card", PRICES)
def test_two_large_cubes_and_a_jungle_colony_upgrade_a_card_for_a_point_and_a_yellow(card):
    """CAY-7."""
    game = stock(hold(table(*FOUR), "caylion", "colony.regulus"), "caylion", PRICES[card])
    game = play(game, ("caylion", UpgradeCard(card=card, colonies=("colony.regulus",))))
    caylion = player(game, "caylion")
    assert (caylion.stock, caylion.score) == (Goods(yellow=1), 1)
    assert caylion.cards[card].flipped
    assert game.colonies.cards[-1] == "colony.regulus"


def test_the_yellow_of_an_upgrade_can_be_traded_at_once():
    """D-17, CAY-7, VIO-3."""
    game = stock(hold(table(*FOUR), "caylion", "colony.regulus"), "caylion", blue=2)
    game = play(
        game,
        (
            "caylion",
            UpgradeCard(card="caylion.planetary_ecological_dominance", colonies=("colony.regulus",)),
        ),
    )
    game = swap(game, "caylion", Goods(yellow=1), "kit")
    assert player(game, "kit").stock == Goods(yellow=1)


def test_an_upgrade_takes_no_colony_of_another_climate():
    """CAY-7, VIO-6."""
    game = stock(hold(table(*FOUR), "caylion", "colony.regulus", flipped=True), "caylion", blue=2)
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(
            game,
            ("caylion", UpgradeCard(card="caylion.distributed_telenet", colonies=("colony.regulus",))),
        )


def test_the_yellow_of_an_upgrade_in_the_last_window_is_there_for_the_economy():
    """CAY-7, PHASE-2."""
    game = stock(hold(table(*FOUR), "caylion", "colony.regulus"), "caylion", blue=2)
    game = close_trading(game)
    assert game.step == "window"
    game = play(
        game,
        ("caylion", UpgradeCard(card="caylion.distributed_telenet", colonies=("colony.regulus",))),
    )
    assert player(game, "caylion").stock == Goods(yellow=1)

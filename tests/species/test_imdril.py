"""Im'dril: fleets that switch converters on, and no home for colonies."""

import pytest

from elysian.actions import Buy, Invent, PutIntoPlay, UpgradeCard
from elysian.deals import Deed, Give, Lend, License, Undertake
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import Goods
from tests.support.arrange import at_auction, colony_track, holder, run
from tests.support.table import (
    change,
    deal,
    hold,
    play,
    player,
    put_away,
    run_economy,
    seat_of,
    stock,
    table,
    until,
)

FOUR = ("imdril", "kit", "unity", "caylion")
EXPLORE = run("imdril.galactic_exploration")
ASSEMBLE = run("imdril.microgravity_assembly")

FLEETS = {
    "imdril.fleet_3": (3, Goods(ultratech=2, black=1)),
    "imdril.fleet_2_black": (2, Goods(black=2, brown=3)),
    "imdril.fleet_2_ultratech": (2, Goods(ultratech=1, brown=3)),
    "imdril.fleet_1_black": (1, Goods(black=3)),
    "imdril.fleet_1_brown": (1, Goods(black=1, brown=3)),
    "imdril.fleet_1_ultratech": (1, Goods(ultratech=1, black=1)),
}


def lend(game, to, *cards, giver="imdril"):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), *(Lend(giver=a, to=b, card=card) for card in cards))


# ---------------------------------------------------------------- colonies


def test_the_imdril_give_up_every_colony_at_the_support_check():
    """IMD-1, ECON-1."""
    game = until(hold(table(*FOUR), "imdril", "colony.regulus", "colony.spica"), "plan")
    assert not any(CATALOG.cards[card].is_colony for card in player(game, "imdril").cards)
    assert set(game.colonies.cards[-2:]) == {"colony.regulus", "colony.spica"}


def test_the_imdril_may_buy_a_colony_and_trade_it_before_the_check():
    """IMD-1."""
    game = colony_track(table(*FOUR), "colony.acrux")
    game = at_auction(game, imdril=(1, 0))
    game = until(play(game, ("imdril", Buy(card="colony.acrux"))), "trade", turn=2)
    assert holder(game, "colony.acrux") == "imdril"
    game = deal(game, 0, (1,), Give(giver=0, to=1, cards=("colony.acrux",)))
    assert holder(until(game, "plan"), "colony.acrux") == "kit"


def test_the_imdril_may_put_a_colony_into_a_converter_before_the_check():
    """IMD-1, VIO-6."""
    game = hold(table(*FOUR), "imdril", "colony.regulus")
    game = stock(lend(game, "imdril", "caylion.distributed_telenet", giver="caylion"), "imdril", blue=2)
    game = play(
        game,
        ("imdril", UpgradeCard(card="caylion.distributed_telenet", colonies=("colony.regulus",))),
    )
    assert player(game, "imdril").stock == Goods(yellow=1)


# ---------------------------------------------------------------- fleets


def test_the_starting_fleet_switches_on_one_card_that_needs_two():
    """D-38, IMD-2."""
    game = stock(table(*FOUR), "imdril", black=2, brown=4)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"imdril": (EXPLORE, ASSEMBLE)})
    game = run_economy(game, {"imdril": (EXPLORE,)})
    assert player(game, "imdril").stock == Goods(brown=4, green=1, white=2, blue=1, ultratech=1)


def test_a_fleet_discovered_this_turn_switches_on_the_second_card():
    """D-39, IMD-2, IMD-3, UPG-5."""
    game = stock(table(*FOUR), "imdril", black=2, brown=7, ultratech=1)
    game = play(game, ("imdril", PutIntoPlay(card="imdril.fleet_2_ultratech")))
    assert (player(game, "imdril").stock, player(game, "imdril").score) == (Goods(black=2, brown=4), 1)
    game = run_economy(game, {"imdril": (EXPLORE, ASSEMBLE)})
    assert player(game, "imdril").stock == Goods(
        green=1, white=2, black=1, blue=2, yellow=2, ultratech=1, ship=4
    )


def test_fleets_are_not_used_up():
    """IMD-2."""
    game = run_economy(stock(table(*FOUR), "imdril", black=2), {"imdril": (EXPLORE,)})
    game = stock(until(game, "trade", turn=2), "imdril", black=2)
    game = run_economy(game, {"imdril": (EXPLORE,)})
    assert player(game, "imdril").stock.ultratech == 1


@pytest.mark.parametrize("card", FLEETS)
def test_a_fleet_is_discovered_for_its_price_and_scores_a_point(card):
    """IMD-3, VIO-4."""
    support, price = FLEETS[card]
    game = stock(table(*FOUR), "imdril", price)
    game = play(game, ("imdril", PutIntoPlay(card=card)))
    assert (player(game, "imdril").stock, player(game, "imdril").score) == (Goods(), 1)
    assert CATALOG.cards[card].front.fleets == support


def test_several_fleets_are_discovered_in_one_turn_in_any_order():
    """IMD-3."""
    game = stock(table(*FOUR), "imdril", black=4, brown=3)
    game = play(
        game,
        ("imdril", PutIntoPlay(card="imdril.fleet_1_brown")),
        ("imdril", PutIntoPlay(card="imdril.fleet_1_black")),
    )
    assert player(game, "imdril").score == 2


def test_a_fleet_is_discovered_once_and_by_the_imdril_only():
    """IMD-3, VIO-4."""
    game = stock(stock(table(*FOUR), "imdril", black=6), "kit", black=3)
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("kit", PutIntoPlay(card="imdril.fleet_1_black")))
    game = play(game, ("imdril", PutIntoPlay(card="imdril.fleet_1_black")))
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("imdril", PutIntoPlay(card="imdril.fleet_1_black")))


def test_a_fleet_costs_exactly_its_price_and_wild_cubes_may_stand_in():
    """IMD-3, UNI-3."""
    game = stock(table(*FOUR), "imdril", black=2, wild_large=1, wild_small=1)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(
            game,
            (
                "imdril",
                PutIntoPlay(card="imdril.fleet_1_black", pay=Goods(black=2, wild_small=1)),
            ),
        )
    pay = Goods(black=2, wild_large=1)
    game = play(game, ("imdril", PutIntoPlay(card="imdril.fleet_1_black", pay=pay)))
    assert player(game, "imdril").stock == Goods(wild_small=1)


def test_one_fleet_serves_two_cards_that_need_one_each():
    """IMD-2, IMD-7."""
    game = hold(table(*FOUR), "imdril", "imdril.nanotechnology", "imdril.genetic_engineering")
    game = stock(game, "imdril", brown=3, green=3)
    game = run_economy(game, {"imdril": (run("imdril.nanotechnology"), run("imdril.genetic_engineering"))})
    assert player(game, "imdril").stock == Goods(green=1, white=1, blue=1, yellow=1, ultratech=1)


def test_a_promise_to_run_a_fleets_converter_is_kept_by_discovering_it():
    """IMD-3, VIO-4, TRADE-10."""
    deed = Deed(who=0, verb="run", subject="imdril.fleet_1_black")
    game = deal(table(*FOUR), 0, (1,), Undertake(to=1, deed=deed, turn=1, by="trade"))
    assert player(until(game, "plan"), "imdril").score == -2
    game = stock(game, "imdril", black=3)
    game = play(game, ("imdril", PutIntoPlay(card="imdril.fleet_1_black")))
    assert player(until(game, "plan"), "imdril").score == 1


def test_two_fleets_of_one_together_serve_a_card_that_needs_two():
    """IMD-2."""
    game = put_away(table(*FOUR), "imdril.starting_fleet")
    game = stock(hold(game, "imdril", "imdril.fleet_1_black"), "imdril", black=2)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"imdril": (EXPLORE,)})
    game = hold(game, "imdril", "imdril.fleet_1_brown")
    assert player(run_economy(game, {"imdril": (EXPLORE,)}), "imdril").stock.ultratech == 1


def test_each_support_symbol_serves_once():
    """IMD-2."""
    game = hold(table(*FOUR), "imdril", "imdril.nanotechnology")
    game = stock(game, "imdril", black=2, brown=3)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"imdril": (EXPLORE, run("imdril.nanotechnology"))})


@pytest.mark.parametrize("flipped", [False, True], ids=["front", "back"])
@pytest.mark.parametrize("technology", sorted(CATALOG.technologies))
def test_every_technology_of_the_imdril_needs_one_support(technology, flipped):
    """IMD-7."""
    card = CATALOG.cards[CATALOG.species_technology["imdril", technology]]
    cost = card.face(flipped).converters[0].costs[0].goods
    game = stock(hold(table(*FOUR), "imdril", card.id, flipped=flipped), "imdril", cost)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(put_away(game, "imdril.starting_fleet"), {"imdril": (run(card.id),)})
    game = hold(put_away(game, "imdril.starting_fleet"), "imdril", "imdril.fleet_1_brown")
    game = run_economy(game, {"imdril": (run(card.id),)})
    assert player(game, "imdril").stock.covers(card.face(flipped).converters[0].gain - points(card, flipped))


def points(card, flipped):
    return Goods(point=card.face(flipped).converters[0].gain.point)


def test_one_support_switches_on_both_converters_of_the_construction_yards():
    """IMD-6."""
    game = put_away(table(*FOUR), "imdril.starting_fleet")
    game = hold(game, "imdril", "imdril.asteroid_mining", flipped=True)
    game = stock(hold(game, "imdril", "imdril.fleet_1_brown"), "imdril", yellow=1)
    both = (run("imdril.asteroid_mining", 0), run("imdril.asteroid_mining", 1))
    game = run_economy(game, {"imdril": both})
    assert player(game, "imdril").stock == Goods(brown=2, ship=1, green=1, blue=1)


def test_the_second_converter_of_the_construction_yards_alone_needs_the_support_too():
    """IMD-6."""
    game = put_away(table(*FOUR), "imdril.starting_fleet")
    game = hold(game, "imdril", "imdril.asteroid_mining", flipped=True)
    game = stock(game, "imdril", yellow=1)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"imdril": (run("imdril.asteroid_mining", 1),)})


def test_an_upgraded_card_needs_one_support_less():
    """IMD-2, UPG-1."""
    game = hold(table(*FOUR), "imdril", "imdril.microgravity_assembly", flipped=True)
    game = hold(game, "imdril", "imdril.galactic_exploration", flipped=True)
    game = stock(game, "imdril", black=2, brown=4)
    game = run_economy(game, {"imdril": (EXPLORE, ASSEMBLE)})
    assert player(game, "imdril").stock.ship == 4


# ---------------------------------------------------------------- lending


def test_a_lent_card_runs_for_a_borrower_who_has_the_fleet_too():
    """D-40, IMD-5, X-9."""
    game = stock(table(*FOUR), "kit", brown=4)
    alone = lend(game, "kit", "imdril.microgravity_assembly")
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(alone, {"kit": (ASSEMBLE,)})
    game = lend(game, "kit", "imdril.microgravity_assembly", "imdril.starting_fleet")
    game = run_economy(game, {"kit": (ASSEMBLE,)})
    assert player(game, "kit").stock == Goods(black=1, blue=1, yellow=2, ship=4)


def test_a_lent_fleet_does_not_serve_the_imdril():
    """D-40, IMD-4."""
    game = stock(lend(table(*FOUR), "kit", "imdril.starting_fleet"), "imdril", black=2)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"imdril": (EXPLORE,)})


def test_a_lent_card_with_too_small_a_fleet_stays_off():
    """X-9, IMD-5."""
    game = hold(table(*FOUR), "imdril", "imdril.fleet_1_black")
    game = stock(lend(game, "kit", "imdril.microgravity_assembly", "imdril.fleet_1_black"), "kit", brown=4)
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(game, {"kit": (ASSEMBLE,)})


def test_a_fleet_lent_on_serves_its_last_holder_and_goes_home_to_the_imdril():
    """IMD-4, TRADE-7."""
    game = lend(table(*FOUR), "kit", "imdril.microgravity_assembly", "imdril.starting_fleet")
    game = lend(game, "unity", "imdril.microgravity_assembly", "imdril.starting_fleet", giver="kit")
    game = stock(game, "unity", brown=2, wild_small=2)
    game = run_economy(game, {"unity": (run("imdril.microgravity_assembly", brown=2, wild_small=2),)})
    assert player(game, "unity").stock == Goods(black=1, blue=1, yellow=2, ship=4)
    game = until(game, "trade", turn=2)
    assert holder(game, "imdril.starting_fleet") == "imdril"
    assert holder(game, "imdril.microgravity_assembly") == "imdril"


def test_cards_without_the_symbol_need_no_fleet_in_the_hands_of_the_imdril():
    """IMD-5."""
    game = lend(table(*FOUR), "kit", "imdril.starting_fleet")
    game = lend(game, "imdril", "caylion.planetary_ecological_dominance", giver="caylion")
    game = run_economy(game, {"imdril": (run("caylion.planetary_ecological_dominance"),)})
    assert player(game, "imdril").stock == Goods(green=3, white=1, ship=1)


# ---------------------------------------------------------------- violet converters


def test_violet_converters_need_no_fleet():
    """IMD-8."""
    game = lend(table(*FOUR), "kit", "imdril.starting_fleet")
    game = hold(game, "imdril", "imdril.nanotechnology", "research.sociologists", "colony.regulus")
    game = stock(game, "imdril", black=7, yellow=1)
    game = play(
        game,
        ("imdril", UpgradeCard(card="imdril.microgravity_assembly", way=0)),
        ("imdril", UpgradeCard(card="colony.regulus")),
        ("imdril", Invent(card="research.sociologists", cost=1)),
        ("imdril", PutIntoPlay(card="imdril.fleet_1_black")),
    )
    assert player(game, "imdril").stock == Goods()


def test_a_licensed_technology_of_the_imdril_needs_its_fleet():
    """X-8, IMD-7."""
    game = table("imdril", "yengii", "kit", "unity")
    game = change(game, "yengii", invented=("research.computational_theoreticians",))
    game = deal(game, "yengii", ["imdril"], License(giver=1, to=0, technology="quantum_computers"))
    game = stock(game, "imdril", black=2)
    lent = lend(game, "kit", "imdril.starting_fleet")
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(lent, {"imdril": (run("imdril.quantum_computers"),)})
    game = run_economy(game, {"imdril": (run("imdril.quantum_computers"),)})
    assert player(game, "imdril").stock == Goods(brown=1, blue=1, yellow=1)

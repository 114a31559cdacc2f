"""Violet converters, and how cards enter play."""

import pytest
from msgspec.structs import replace

from elysian.actions import Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Cost
from elysian.goods import Goods
from elysian.options import options
from elysian.rules import IllegalAction
from elysian.rules.paying import hand_in
from elysian.state import Run
from tests.support.table import (
    change,
    goods_of,
    hold,
    lend,
    play,
    player,
    run_economy,
    seat_of,
    stock,
    swap,
    table,
    until,
)

FOUR = ("faderan", "kit", "kjas", "yengii")
PARADISE = "relic.paradise_converter"
DECK = "faderan.relic_deck"
TILE = "kjas.balkanized_states_colonies"


def paradise(*colonies, who="faderan", species=FOUR):
    """A table where somebody holds the Paradise Converter and some colonies."""
    return hold(hold(table(*species), who, PARADISE), who, *colonies)


def relics_on_top(game, *relics):
    """The table with these relic worlds on top of their deck."""
    return replace(game, relics=(*relics, *(card for card in game.relics if card not in relics)))


def colonies_on_top(game, *colonies):
    """The table with these colonies on top of their deck."""
    cards = (*colonies, *(card for card in game.colonies.cards if card not in colonies))
    return replace(game, colonies=replace(game.colonies, cards=cards, known=0))


def test_what_is_suggested_gives_up_a_colony_of_the_climate_that_is_printed():
    """VIO-7."""
    game = stock(hold(table(*FOUR), "faderan", "colony.acrux", "colony.spica"), "faderan", white=4)
    runs = [choice.action for choice in options(game, seat_of(game, "faderan")).choices]
    assert RunConverter(card=DECK, pay=Goods(white=4), colonies=("colony.spica",)) in runs


def test_what_is_suggested_gives_up_one_colony_for_each_climate():
    """VIO-7."""
    game = stock(hold(table(*FOUR), "kjas", "colony.spica", "colony.acrux"), "kjas", brown=1, yellow=2)
    entries = [choice.action for choice in options(game, seat_of(game, "kjas")).choices]
    colonies = ("colony.acrux", "colony.spica")
    assert PutIntoPlay(card=TILE, pay=Goods(brown=1, yellow=2), colonies=colonies) in entries


def test_no_colony_is_given_up_where_none_is_asked_for():
    """VIO-6."""
    game = stock(hold(table(*FOUR), "kjas", "colony.acrux", "research.sociologists"), "kjas", white=8)
    cost = Cost(goods=Goods(white=1))
    assert hand_in(game, seat_of(game, "kjas"), TILE, cost, None, ()).goods == Goods(white=1)
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        hand_in(game, seat_of(game, "kjas"), TILE, cost, None, ("colony.acrux",))


# ---------------------------------------------------------------- when and by whom


def test_a_violet_converter_runs_in_the_trade_phase():
    """VIO-1."""
    game = paradise("colony.acrux")
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    assert player(game, "faderan").score == 2


@pytest.mark.parametrize("step", ["plan", "bid"])
def test_a_violet_converter_does_not_run_outside_the_trade_phase(step):
    """VIO-1."""
    game = until(paradise("colony.acrux"), step)
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))


def test_violet_converters_still_run_after_trading_has_closed():
    """VIO-1, B-10."""
    game = until(paradise("colony.acrux"), "window")
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    assert player(game, "faderan").score == 2


def test_a_violet_converter_runs_once_a_turn():
    """VIO-1, B-8."""
    game = paradise("colony.acrux", "colony.spica")
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.spica",))))


def test_the_relic_deck_runs_once_a_turn_though_every_card_prints_the_converter():
    """D-18, VIO-1, FAD-1."""
    game = hold(table(*FOUR), "faderan", "colony.spica", "colony.mimosa")
    game = relics_on_top(stock(game, "faderan", white=8), "relic.library_of_entelechy")
    game = play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.spica",))))
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.mimosa",))))


def test_a_violet_converter_runs_again_in_the_next_turn():
    """ENDT-2, VIO-1."""
    game = paradise("colony.acrux", "colony.spica")
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    game = until(game, "trade", turn=2)
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.spica",))))
    assert player(game, "faderan").score == 4


def test_a_borrower_runs_a_violet_converter_and_keeps_what_comes_out():
    """VIO-2."""
    game = lend(hold(paradise(), "kit", "colony.acrux"), "faderan", "kit", PARADISE)
    game = play(game, ("kit", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    assert (player(game, "kit").score, player(game, "faderan").score) == (2, 0)


def test_an_owner_does_not_run_a_violet_converter_while_the_card_is_lent():
    """VIO-2."""
    game = lend(paradise("colony.acrux"), "faderan", "kit", PARADISE)
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))


def test_lending_a_card_does_not_let_its_violet_converter_run_twice():
    """VIO-1, VIO-2."""
    game = hold(paradise("colony.acrux"), "kit", "colony.spica")
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    game = lend(game, "faderan", "kit", PARADISE)
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("kit", RunConverter(card=PARADISE, colonies=("colony.spica",))))


def test_a_white_converter_does_not_run_in_the_trade_phase():
    """VIO-1."""
    game = hold(table(*FOUR), "kit", "colony.acrux")
    with pytest.raises(IllegalAction, match="no_such_converter"):
        play(game, ("kit", RunConverter(card="colony.acrux")))


def test_there_is_no_converter_before_the_first():
    """VIO-1."""
    game = stock(hold(paradise("colony.acrux"), "faderan", "research.sociologists"), "faderan", white=9)
    below = (
        (RunConverter(card=PARADISE, converter=-1, colonies=("colony.acrux",)), "no_such_converter"),
        (RunConverter(card=PARADISE, cost=-1, colonies=("colony.acrux",)), "no_such_cost"),
        (UpgradeCard(card="colony.acrux", way=-1), "no_such_upgrade"),
        (Invent(card="research.sociologists", cost=-2), "no_such_cost"),
    )
    for action, code in below:
        with pytest.raises(IllegalAction, match=code):
            play(game, ("faderan", action))


# ---------------------------------------------------------------- input and output


def test_the_output_of_a_violet_converter_may_be_traded_at_once():
    """D-17, VIO-3, CAY-7."""
    game = table("caylion", "kit", "zeth", "yengii")
    game = stock(hold(game, "caylion", "colony.regulus"), "caylion", blue=2)
    dominance = "caylion.planetary_ecological_dominance"
    game = play(game, ("caylion", UpgradeCard(card=dominance, colonies=("colony.regulus",))))
    assert player(game, "caylion").score == 1
    assert player(game, "caylion").cards[dominance].flipped
    assert game.colonies.cards[-1] == "colony.regulus"
    game = swap(game, "caylion", Goods(yellow=1), "kit")
    assert player(game, "kit").stock == Goods(yellow=1)


def test_the_output_of_a_violet_converter_is_input_for_another():
    """VIO-3."""
    game = table("caylion", "kit", "zeth", "yengii")
    game = stock(hold(game, "caylion", "colony.regulus", "colony.atria"), "caylion", blue=2)
    dominance = "caylion.planetary_ecological_dominance"
    game = play(
        game,
        ("caylion", UpgradeCard(card=dominance, colonies=("colony.regulus",))),
        ("caylion", UpgradeCard(card="colony.atria")),
    )
    assert player(game, "caylion").cards["colony.atria"].flipped
    assert player(game, "caylion").stock == Goods()


def test_a_violet_converter_is_paid_from_stock_and_not_from_the_donation_card():
    """VIO-3, DON-2."""
    game = change(hold(table(*FOUR), "faderan", "colony.spica"), "faderan", donation=Goods(white=4))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.spica",))))


# ---------------------------------------------------------------- putting cards into play


def tile_ready(game, *colonies):
    """The table with what the tile costs in the stock of the Kjas, and these colonies."""
    return stock(hold(game, "kjas", *colonies), "kjas", brown=1, yellow=2, blue=1)


def test_an_owner_puts_a_card_into_play_and_uses_it_this_turn():
    """VIO-4."""
    game = tile_ready(table(*FOUR), "colony.acrux", "colony.spica")
    game = play(game, ("kjas", PutIntoPlay(card=TILE, colonies=("colony.spica", "colony.acrux"))))
    assert not player(game, "kjas").cards[TILE].flipped
    assert TILE not in player(game, "kjas").deck
    assert player(game, "kjas").score == 1
    game = run_economy(game, {"kjas": (Run(card=TILE),)})
    assert player(game, "kjas").stock == Goods(black=1, brown=1)


def test_only_its_owner_puts_a_card_into_play():
    """VIO-4."""
    game = stock(hold(table(*FOUR), "kit", "colony.acrux", "colony.spica"), "kit", brown=1, yellow=2)
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("kit", PutIntoPlay(card=TILE, colonies=("colony.acrux", "colony.spica"))))


def test_a_card_in_play_is_not_put_into_play_again():
    """VIO-4."""
    game = tile_ready(hold(table(*FOUR), "kjas", TILE), "colony.acrux", "colony.spica")
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("kjas", PutIntoPlay(card=TILE, colonies=("colony.acrux", "colony.spica"))))


def test_a_card_without_the_symbol_is_not_put_into_play():
    """VIO-4."""
    with pytest.raises(IllegalAction, match="no_entry_converter"):
        play(table(*FOUR), ("kit", PutIntoPlay(card="kit.nanotechnology")))


def test_no_other_converter_of_a_card_out_of_play_runs():
    """VIO-4."""
    game = tile_ready(table(*FOUR), "colony.castor", "colony.regulus", "colony.acrux")
    game = stock(game, "kjas", brown=2)
    colonies = ("colony.castor", "colony.regulus", "colony.acrux")
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kjas", UpgradeCard(card=TILE, colonies=colonies)))


def test_the_top_card_of_the_relic_deck_enters_play():
    """VIO-5, FAD-2."""
    game = stock(hold(table(*FOUR), "faderan", "colony.spica"), "faderan", white=4)
    game = relics_on_top(game, "relic.thils_demiring")
    game = play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.spica",))))
    assert "relic.thils_demiring" in player(game, "faderan").cards
    assert "relic.thils_demiring" not in game.relics
    assert goods_of(game, "faderan") == Goods(green=1, brown=1, white=1)


def test_the_top_cards_of_the_colony_deck_enter_play():
    """VIO-5, FAD-10."""
    game = stock(hold(table(*FOUR), "faderan", "colony.spica"), "faderan", white=4)
    game = relics_on_top(game, "relic.automated_transport_network")
    top = game.colonies.cards[:2]
    game = play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.spica",))))
    assert all(card in player(game, "faderan").cards for card in top)
    assert not set(top) & set(game.colonies.cards)


# ---------------------------------------------------------------- colonies as input


def test_a_colony_counts_with_the_climate_of_its_current_side():
    """VIO-6."""
    game = hold(tile_ready(table(*FOUR), "colony.spica"), "kjas", "colony.regulus", flipped=True)
    game = play(game, ("kjas", PutIntoPlay(card=TILE, colonies=("colony.regulus", "colony.spica"))))
    assert TILE in player(game, "kjas").cards


def test_a_colony_of_another_climate_is_no_input():
    """VIO-6."""
    game = tile_ready(table(*FOUR), "colony.spica", "colony.regulus")
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("kjas", PutIntoPlay(card=TILE, colonies=("colony.regulus", "colony.spica"))))


def test_a_colony_of_somebody_else_is_no_input():
    """VIO-6."""
    game = hold(tile_ready(table(*FOUR), "colony.acrux"), "kit", "colony.spica")
    with pytest.raises(IllegalAction, match="not_your_colony"):
        play(game, ("kjas", PutIntoPlay(card=TILE, colonies=("colony.acrux", "colony.spica"))))


def test_a_colony_put_in_goes_under_the_deck_front_side_up_and_without_token():
    """VIO-6."""
    game = hold(paradise(species=(*FOUR, "caylion")), "faderan", "colony.acrux", flipped=True, seedling=True)
    game = play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux",))))
    assert "colony.acrux" not in player(game, "faderan").cards
    assert game.colonies.cards[-1] == "colony.acrux"
    assert game.colonies.known == 1
    game = colonies_on_top(game, "colony.acrux")
    game = stock(hold(game, "faderan", "colony.spica"), "faderan", white=4)
    game = relics_on_top(game, "relic.automated_transport_network")
    game = play(game, ("faderan", RunConverter(card=DECK, colonies=("colony.spica",))))
    drawn = player(game, "faderan").cards["colony.acrux"]
    assert (drawn.flipped, drawn.seedling) == (False, False)


def test_a_nullspace_colony_put_in_leaves_the_game():
    """D-78, VIO-6, KIT-5, B-24."""
    game = stock(hold(table(*FOUR), "faderan", "nullspace.kln_qn"), "faderan", white=4)
    game = play(game, ("faderan", RunConverter(card=DECK, colonies=("nullspace.kln_qn",))))
    assert game.removed == ("nullspace.kln_qn",)
    assert "nullspace.kln_qn" not in game.colonies.cards
    game = stock(game, "kit", yellow=2)
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("kit", PutIntoPlay(card="nullspace.kln_qn")))


def test_each_colony_of_an_input_is_another_card():
    """VIO-7."""
    game = hold(table(*FOUR), "kjas", "colony.acrux", "colony.vega")
    kjas, deserts = seat_of(game, "kjas"), Cost(colonies=(("desert", 2),))
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        hand_in(game, kjas, TILE, deserts, None, ("colony.acrux", "colony.acrux"))
    paid = hand_in(game, kjas, TILE, deserts, None, ("colony.acrux", "colony.vega"))
    assert paid.under == ("colony.acrux", "colony.vega")


@pytest.mark.parametrize("colonies", [(), ("colony.acrux",), ("colony.acrux", "colony.acrux")])
def test_no_fewer_colonies_are_put_in_than_are_printed(colonies):
    """VIO-6, VIO-7."""
    game = tile_ready(table(*FOUR), "colony.acrux", "colony.spica")
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("kjas", PutIntoPlay(card=TILE, colonies=colonies)))


def test_no_more_colonies_are_put_in_than_are_printed():
    """VIO-6."""
    game = paradise("colony.acrux", "colony.spica")
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("faderan", RunConverter(card=PARADISE, colonies=("colony.acrux", "colony.spica"))))

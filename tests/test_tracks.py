"""The tracks move on, cards go home and marks are cleared when a turn ends."""

import pytest
from msgspec.structs import replace

from elysian.actions import Buy, RunConverter, Steal, UpgradeCard
from elysian.deals import Give
from elysian.goods import Goods
from elysian.rules import new_game
from elysian.state import Pile
from tests.support.table import (
    bid,
    deal,
    hold,
    lend,
    next_turn,
    play,
    player,
    run_economy,
    seat_of,
    stock,
    swap,
    table,
    until,
)

FOUR = ("eni_et", "kit", "faderan", "yengii")
SIX = (*FOUR, "zeth", "unity")
EIGHT = (*SIX, "caylion", "kjas")


# ---------------------------------------------------------------- refresh


def test_cards_at_minimum_one_go_under_the_deck_the_rest_slides_and_the_deck_fills_up():
    """D-51, TRACK-1."""
    game = run_economy(table(*SIX), {})
    a, b, c, d, e, f = game.colony_track
    assert game.colony_minimums == (1, 1, 1, 2, 3, 3)
    deck = game.colonies.cards
    game = stock(stock(game, "faderan", ship=3), "kit", ship=1)
    game = bid(game, faderan=(3, 0), kit=(1, 0))
    game = until(play(game, ("faderan", Buy(card=e)), ("kit", Buy(card=b))), "trade", turn=2)
    assert game.colony_track == (d, f, *deck[:4])
    assert game.colonies.cards == (*deck[4:], a, c)
    assert game.colony_minimums[:2] == (1, 1)


def test_both_tracks_are_refreshed():
    """TRACK-1."""
    game = table(*FOUR)
    first, second, third, fourth = game.research_track
    deck = game.research.cards
    game = next_turn(game)
    assert game.research_track == (third, fourth, *deck[:2])
    assert game.research.cards == (*deck[2:], first, second)


def test_what_went_under_a_deck_is_open_to_all():
    """TRACK-1, COMP-5."""
    game = next_turn(table(*FOUR))
    assert game.colonies.known == 2
    assert game.research.known == 2


def test_in_the_first_edition_only_the_first_colony_of_four_players_goes():
    """TRACK-1, B-5."""
    game = table(*FOUR, edition="2017")
    first, second, third, fourth = game.colony_track
    game = next_turn(game)
    assert game.colony_track[:3] == (second, third, fourth)
    assert game.colonies.cards[-1] == first


def test_a_deck_is_never_reshuffled():
    """TRACK-2."""
    game = table(*FOUR)
    a, b, c, d = game.colony_track
    spare = game.colonies.cards[:3]
    game = next_turn(replace(game, colonies=Pile(cards=spare)))
    assert game.colony_track == (c, d, *spare[:2])
    assert game.colonies == Pile(cards=(spare[2], a, b), known=2)
    game = next_turn(game)
    assert game.colony_track == (*spare[:2], spare[2], a)
    assert game.colonies == Pile(cards=(b, c, d), known=3)


def test_cards_that_went_under_a_short_deck_are_drawn_from_it_in_their_order():
    """TRACK-1, TRACK-2."""
    game = table(*FOUR)
    a, b, c, d = game.colony_track
    last = game.colonies.cards[0]
    game = next_turn(replace(game, colonies=Pile(cards=(last,))))
    assert game.colony_track == (c, d, last, a)
    assert game.colonies == Pile(cards=(b,), known=1)


def test_spaces_stay_empty_when_the_deck_is_empty():
    """TRACK-2."""
    game = table(*FOUR)
    third = game.colony_track[2]
    game = replace(game, colonies=Pile(), colony_track=(None, None, third, None))
    game = next_turn(game)
    assert game.colony_track == (third, None, None, None)
    assert game.colonies.cards == ()


def test_tracks_and_bonuses_fit_the_number_of_players():
    """D-52, SETUP-5, SETUP-7, KJAS-1."""
    game = new_game(EIGHT, seed=1)
    assert len(game.colony_track) == 9
    assert game.colony_minimums == (1, 1, 1, 1, 2, 2, 3, 4, 4)
    assert len(game.research_track) == 8
    assert game.research_minimums == (1, 1, 1, 1, 2, 2, 3, 4)
    assert game.bonus == ((7, 2), (6, 2), (5, 1), (4, 1), (2, 0), (0, 0))


# ---------------------------------------------------------------- cards go home


def test_lent_species_cards_return_at_the_end_of_the_turn():
    """ENDT-1, D-09, TRADE-6."""
    game = lend(table(*FOUR, turn=2), "eni_et", "kit", "eni_et.mutual_understanding")
    game = run_economy(game, {})
    assert "eni_et.mutual_understanding" in player(game, "kit").cards
    game = until(game, "trade", turn=3)
    assert "eni_et.mutual_understanding" in player(game, "eni_et").cards
    assert "eni_et.mutual_understanding" not in player(game, "kit").cards


def test_a_card_lent_on_returns_to_its_owner():
    """ENDT-1, TRADE-7."""
    game = lend(table(*FOUR), "eni_et", "kit", "eni_et.deep_hunting")
    game = next_turn(lend(game, "kit", "yengii", "eni_et.deep_hunting"))
    assert "eni_et.deep_hunting" in player(game, "eni_et").cards


def test_a_returned_card_shows_the_side_it_was_turned_to():
    """ENDT-1."""
    game = stock(hold(table(*FOUR), "kit", "colony.castor"), "kit", blue=2)
    game = lend(game, "eni_et", "kit", "eni_et.deep_hunting")
    game = play(game, ("kit", UpgradeCard(card="eni_et.deep_hunting", colonies=("colony.castor",))))
    game = next_turn(game)
    assert player(game, "eni_et").cards["eni_et.deep_hunting"].flipped


def test_both_halves_of_a_lent_pair_return():
    """ENDT-1, KIT-2."""
    game = next_turn(lend(table(*FOUR), "kit", "yengii", "kit.hand_crafted"))
    assert {"kit.hand_crafted", "kit.polyutility_components"} <= set(player(game, "kit").cards)


@pytest.mark.parametrize("card", ["colony.acrux", "nullspace.kln_qn", "research.sociologists"])
def test_borderless_cards_stay_where_they_were_traded_to(card):
    """ENDT-1, TRADE-6."""
    game = hold(table(*FOUR), "kit", card)
    kit, yengii = seat_of(game, "kit"), seat_of(game, "yengii")
    game = next_turn(deal(game, kit, (yengii,), Give(giver=kit, to=yengii, cards=(card,))))
    assert card in player(game, "yengii").cards


def test_the_gift_of_the_duruntai_does_not_return():
    """ENDT-1, FAD-13."""
    gift = "relic.gift_of_the_duruntai"
    game = hold(table(*FOUR), "faderan", gift)
    faderan, kit = seat_of(game, "faderan"), seat_of(game, "kit")
    game = next_turn(deal(game, faderan, (kit,), Give(giver=faderan, to=kit, cards=(gift,))))
    assert gift in player(game, "kit").cards


# ---------------------------------------------------------------- marks


def test_marks_of_the_turn_are_cleared():
    """ENDT-2."""
    game = hold(table(*SIX), "faderan", "relic.paradise_converter", "colony.acrux")
    game = play(game, ("faderan", RunConverter(card="relic.paradise_converter", colonies=("colony.acrux",))))
    game = swap(stock(game, "zeth", green=1, white=2), "zeth", Goods(green=1), "kit")
    game = until(stock(game, "faderan", green=2), "steal")
    bribery = Steal(
        card="zeth.systemic_bribery", target=seat_of(game, "faderan"), cost=1, take=Goods(green=2)
    )
    game = play(game, ("zeth", bribery))
    assert game.ran
    assert game.traded
    assert game.robbed
    game = until(game, "trade", turn=2)
    assert game.turn == 2
    assert (game.ran, game.traded, game.robbed, game.done) == (frozenset(),) * 4
    assert (game.invented, game.plans, game.bids, game.queue) == ((), {}, {}, ())

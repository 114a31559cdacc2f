"""Zeth: whom they may steal from, what a theft costs and what it takes."""

from typing import Any

import pytest
from msgspec.structs import replace

from elysian.actions import Done, Gift, GiveGifts, Release, Steal
from elysian.deals import Deed, Forbear, Give, Lend, NoSteal, Note, Pledge, Undertake
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.species.zeth import Stolen
from tests.support.arrange import run, stealing
from tests.support.table import (
    bid,
    change,
    close_trading,
    deal,
    happened,
    hold,
    offer,
    play,
    player,
    run_economy,
    stock,
    swap,
    table,
    until,
)

FOUR = ("zeth", "kit", "unity", "kjas")
ZETH, KIT, UNITY, KJAS = range(4)

MARKET, BRIBERY, NETWORK = "zeth.black_market", "zeth.systemic_bribery", "zeth.smuggling_network"


def victims(turn=1, **species):
    """A table where the Zeth can pay for every theft and others have something to lose."""
    game = stock(table(*FOUR, turn=turn), "zeth", black=9, yellow=9, white=9)
    for who in ("kit", "unity", "kjas"):
        game = stock(game, who, species.get(who, Goods(blue=2, green=2, ultratech=1)))
    return game


def market(target, cost=1, **take):
    return Steal(card=MARKET, target=target, cost=cost, take=Goods(**(take or {"blue": 1})))


def robbed(game, target):
    """Whether a Black Market theft from a seat goes through."""
    return any(isinstance(event, Stolen) for event in happened(game, "zeth", market(target)))


# ---------------------------------------------------------------- when, and by whom


@pytest.mark.parametrize("step", ["trade", "window", "plan", "bid", "colony_auction"])
def test_thefts_wait_for_the_steal_step(step):
    """ZETH-1, ZETH-11."""
    game = stock(victims(), "kit", ship=1, blue=1)
    if step == "colony_auction":
        game = bid(run_economy(game, {}), kit=(1, 0))
    elif step != "trade":
        game = until(game, step)
    assert game.step == step
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("zeth", market(KIT)))


def test_the_steal_step_comes_after_the_research_auction_and_before_the_tracks_move():
    """ZETH-11, PHASE-2."""
    game = bid(run_economy(stock(victims(), "kit", ship=1, blue=1), {}), kit=(0, 1))
    assert game.step == "research_auction"
    before = game.colony_track
    game = until(game, "steal")
    assert game.colony_track == before
    game = play(game, ("zeth", Done()))
    assert (game.turn, game.step) == (2, "trade")


@pytest.mark.parametrize("edition", ["2017", "2020", "de2021"])
def test_in_the_last_turn_the_zeth_steal_before_scoring(edition):
    """D-74, ZETH-11, B-16, PHASE-3."""
    game = table(*FOUR, turn=6, edition=edition)
    game = stock(stock(game, "zeth", black=1), "kit", blue=2)
    game = run_economy(game, {})
    assert game.step == "steal"
    game = play(game, ("zeth", market(KIT)))
    game = until(game, "over")
    assert game.scores[KIT].goods == 0  # one large cube is worth nothing
    assert player(game, "zeth").stock == Goods(blue=1)


def test_nobody_else_steals():
    """ZETH-1."""
    game = stock(stealing(victims()), "kit", black=1)
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", Steal(card=MARKET, target=UNITY, cost=1, take=Goods(blue=1))))


def test_a_red_converter_is_no_part_of_an_economy_plan():
    """ZETH-1."""
    with pytest.raises(IllegalAction, match="no_such_converter"):
        run_economy(victims(), {"zeth": (run(MARKET, cost=1),)})


@pytest.mark.parametrize(
    ("theft", "code"),
    [
        ({"card": "zeth.cascading_deception"}, "no_such_converter"),
        ({"converter": 1}, "no_such_converter"),
        ({"cost": 2}, "no_such_cost"),
        ({"pay": Goods(black=1, white=1, green=-1)}, "wrong_payment"),
        ({"pay": Goods(black=1, wild_small=1, green=-1)}, "wrong_payment"),
        ({"take": Goods(blue=2, yellow=-1)}, "cannot_take_that"),
        ({"card": "zeth.nanotechnology"}, "not_your_card"),
        ({"target": ZETH}, "bad_target"),
        ({"target": 4}, "bad_target"),
    ],
)
def test_a_theft_names_a_red_converter_one_of_its_inputs_another_player_and_whole_cubes(theft, code):
    """ZETH-1, ZETH-2, ZETH-5."""
    action = replace(market(KIT), **theft)
    with pytest.raises(IllegalAction, match=code):
        play(stealing(victims()), ("zeth", action))


@pytest.mark.parametrize("colour", ["black", "blue", "yellow"])
def test_a_large_cube_of_any_colour_is_stolen(colour):
    """ZETH-5."""
    cube = Goods(**{colour: 1})
    game = stealing(stock(victims(kit=cube), "zeth", black=1))
    game = play(game, ("zeth", market(KIT, **{colour: 1})))
    assert player(game, "zeth").stock == cube


@pytest.mark.parametrize("colour", ["green", "white", "brown"])
def test_a_small_cube_of_any_colour_is_stolen(colour):
    """ZETH-5."""
    game = stealing(stock(victims(kit=Goods(**{colour: 2})), "zeth", white=2))
    game = play(game, ("zeth", Steal(card=BRIBERY, target=KIT, cost=1, take=Goods(**{colour: 2}))))
    assert player(game, "zeth").stock == Goods(**{colour: 2})


def test_each_red_converter_runs_once_in_a_turn():
    """ZETH-1."""
    game = play(stealing(victims()), ("zeth", market(KIT)))
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("zeth", market(UNITY)))
    game = stock(until(game, "trade", turn=2), "kit", blue=1)
    game = play(stealing(game), ("zeth", market(KIT)))
    assert player(game, "kit").stock.blue == 0


def test_stealing_is_the_choice_of_the_zeth():
    """ZETH-12."""
    game = play(stealing(victims()), ("zeth", Done()))
    assert (game.turn, game.step) == (2, "trade")
    assert player(game, "kit").stock == Goods(blue=2, green=2, ultratech=1)


def test_the_zeth_choose_the_order_of_their_thefts_and_see_each_result():
    """ZETH-12."""
    game = stealing(stock(victims(), "zeth", white=2, yellow=2))
    bribe = Steal(card=BRIBERY, target=UNITY, cost=1, take=Goods(green=2))
    robbery = Steal(card=NETWORK, target=KIT, cost=1, take=Goods(ultratech=1))
    for first, second in [(bribe, robbery), (robbery, bribe)]:  # the white cubes pay for one of them only
        with pytest.raises(IllegalAction, match="lacks_goods"):
            play(game, ("zeth", first), ("zeth", second))
    game = play(game, ("zeth", bribe))
    assert player(game, "zeth").stock == Goods(green=2, yellow=2)


def test_what_was_stolen_pays_for_the_next_theft():
    """ZETH-12, ZETH-5."""
    game = victims(kit=Goods(black=1), unity=Goods(green=2, envoy=1))
    game = stealing(stock(game, "zeth", black=1))
    game = play(
        game,
        ("zeth", market(KIT, black=1)),
        ("zeth", Steal(card=BRIBERY, target=UNITY, cost=0, take=Goods(green=2))),
    )
    assert player(game, "zeth").stock == Goods(green=2)


def test_without_anybody_to_steal_from_the_turn_just_ends():
    """ZETH-2, PHASE-2."""
    game = bid(run_economy(victims(kit=Goods(), unity=Goods(wild_small=3), kjas=Goods(ship=2)), {}))
    assert (game.turn, game.step) == (2, "trade")


# ---------------------------------------------------------------- safety


def refused(game, target, code):
    with pytest.raises(IllegalAction, match=code):
        play(game, ("zeth", market(target)))


def test_a_trade_with_the_zeth_makes_safe_for_this_turn_only():
    """D-67, ZETH-2, ZETH-3, ZETH-13, ENDT-2."""
    game = stock(victims(turn=2), "kit", blue=2, green=1)
    game = swap(game, "kit", Goods(green=1), "zeth", Goods(white=1))
    game = stealing(game)
    refused(game, KIT, "target_is_safe")
    game = until(game, "trade", turn=3)
    game = play(stealing(stock(game, "zeth", black=1)), ("zeth", market(KIT)))
    assert player(game, "kit").stock.blue == 1


@pytest.mark.parametrize("giver", ["zeth", "kit"])
def test_the_smallest_trade_in_either_direction_makes_safe(giver):
    """ZETH-3."""
    other = "kit" if giver == "zeth" else "zeth"
    game = stock(victims(), "kit", white=1, blue=1)
    refused(stealing(swap(game, giver, Goods(white=1), other)), KIT, "target_is_safe")


@pytest.mark.parametrize(
    "clause",
    [
        Pledge(what=Give(giver=KIT, to=ZETH, goods=Goods(green=1)), due=2),
        Pledge(what=Give(giver=ZETH, to=KIT, goods=Goods(green=1)), due=3),
        Forbear(who=KIT, to=ZETH, what=NoSteal(target=ZETH), until=1),
        Undertake(to=ZETH, deed=Deed(who=KIT, verb="run", subject="kit.hand_crafted"), turn=2, by="economy"),
        Note(text="a free word"),
    ],
    ids=["owed by the other", "owed by the zeth", "forbearance", "undertaking", "word"],
)
def test_a_trade_that_is_only_a_promise_makes_safe(clause):
    """ZETH-3."""
    refused(stealing(deal(victims(), "kit", ["zeth"], clause)), KIT, "target_is_safe")


def test_every_party_of_a_deal_with_the_zeth_is_safe():
    """ZETH-3, TRADE-5."""
    game = deal(
        victims(),
        "kit",
        ["zeth", "unity"],
        Give(giver=KIT, to=UNITY, goods=Goods(green=1)),
        Give(giver=UNITY, to=ZETH, goods=Goods(green=1)),
    )
    game = stealing(game)
    refused(game, KIT, "target_is_safe")
    refused(game, UNITY, "target_is_safe")
    assert robbed(game, KJAS)


def test_a_trade_without_the_zeth_protects_nobody():
    """ZETH-3."""
    game = stealing(swap(victims(), "kit", Goods(green=1), "unity", Goods(green=1)))
    assert robbed(game, KIT)


def test_an_offer_the_zeth_did_not_take_protects_nobody():
    """ZETH-4, TRADE-4."""
    game = stealing(offer(victims(), "kit", ["zeth"], Give(giver=KIT, to=ZETH, goods=Goods(green=1))))
    assert robbed(game, KIT)


def test_the_delivery_of_an_older_promise_makes_safe():
    """ZETH-3, TRADE-11."""
    owed = Pledge(what=Give(giver=KIT, to=ZETH, goods=Goods(green=1)), due=2)
    game = until(deal(victims(), "kit", ["zeth"], owed), "trade", turn=2)
    assert player(game, "zeth").stock.green == 1
    refused(stealing(game), KIT, "target_is_safe")


def test_a_promise_of_which_nothing_was_delivered_does_not_make_safe():
    """ZETH-3."""
    owed = Pledge(what=Give(giver=KIT, to=ZETH, goods=Goods(yellow=1)), due=2)
    game = until(deal(victims(), "kit", ["zeth"], owed), "steal")
    game = stock(until(game, "trade", turn=2), "kit", blue=1)
    assert robbed(stealing(game), KIT)


def test_a_loan_to_or_from_the_zeth_makes_safe():
    """ZETH-3, X-17."""
    game = deal(victims(), "kit", ["zeth"], Lend(giver=KIT, to=ZETH, card="kit.hand_crafted"))
    game = deal(game, "zeth", ["unity"], Lend(giver=ZETH, to=UNITY, card="zeth.cascading_deception"))
    game = stealing(game)
    refused(game, KIT, "target_is_safe")
    refused(game, UNITY, "target_is_safe")


def test_a_deal_made_while_bidding_protects_nobody():
    """ZETH-3, TRADE-15."""
    game = run_economy(victims(), {})
    card = game.colony_track[0]
    promise = Pledge(
        what=Give(giver=KIT, to=ZETH, goods=Goods(green=1)),
        due=2,
        only_if=Deed(who=KIT, verb="buy", subject=card),
    )
    game = until(deal(game, "kit", ["zeth"], promise), "steal")
    assert robbed(game, KIT)


@pytest.mark.parametrize(("giver", "to"), [(KIT, ZETH), (ZETH, KIT)], ids=["to the zeth", "by the zeth"])
def test_a_forced_gift_makes_nobody_safe(giver, to):
    """ZETH-4, DON-7."""
    game = close_trading(change(victims(), giver, donation=Goods(white=1)))
    game = play(game, (giver, GiveGifts(gifts=(Gift(to=to, goods=Goods(white=1)),))))
    assert robbed(stealing(game), KIT)


def test_each_player_is_stolen_from_once_in_a_turn():
    """D-69, ZETH-2."""
    game = play(stealing(victims()), ("zeth", market(KIT)))
    bribe: Any = {"card": BRIBERY, "cost": 1, "take": Goods(green=2)}
    with pytest.raises(IllegalAction, match="already_robbed"):
        play(game, ("zeth", Steal(target=KIT, **bribe)))
    game = play(game, ("zeth", Steal(target=UNITY, **bribe)))
    assert game.robbed == {KIT, UNITY}


@pytest.mark.parametrize("target", [ZETH, 4, -1])
def test_the_target_is_another_player_at_the_table(target):
    """ZETH-2."""
    refused(stealing(victims()), target, "bad_target")


# ---------------------------------------------------------------- promises not to steal


def sworn(until_turn=1):
    promise = Forbear(who=ZETH, to=KIT, what=NoSteal(target=UNITY), until=until_turn)
    return deal(victims(), "zeth", ["kit"], promise)


def test_a_promise_not_to_steal_protects_a_player_who_did_not_trade():
    """TRADE-10, ZETH-2."""
    game = stealing(sworn())
    refused(game, UNITY, "promised_not_to")
    assert robbed(game, KJAS)


def test_a_theft_that_was_promised_is_kept_by_the_theft():
    """TRADE-10, ZETH-1."""
    deed = Deed(who=ZETH, verb="run", subject=MARKET)
    paid = Pledge(what=Give(giver=KJAS, to=ZETH, goods=Goods(green=2)), due=2, only_if=deed)
    clauses = (Undertake(to=KJAS, deed=deed, turn=1, by="confluence"), paid)
    game = stealing(deal(victims(), "zeth", ["kjas"], *clauses))
    with pytest.raises(IllegalAction, match="keep_your_word"):
        play(game, ("zeth", Done()))
    assert until(game, "trade").obligations == {}
    game = play(game, ("zeth", market(KIT)), ("zeth", Done()))
    assert (player(game, "zeth").score, game.obligations) == (0, {})
    assert player(game, "zeth").stock.green == 2


def test_a_promise_not_to_steal_can_be_released():
    """TRADE-10."""
    game = stealing(sworn())
    game = play(game, ("kit", Release(obligation=next(iter(game.obligations)))))
    assert robbed(game, UNITY)


def test_a_promise_not_to_steal_ends_with_its_last_turn():
    """TRADE-10."""
    game = until(sworn(until_turn=2), "trade", turn=2)
    refused(stealing(stock(stock(game, "unity", blue=1), "zeth", black=1)), UNITY, "promised_not_to")
    game = until(game, "trade", turn=3)
    game = stealing(stock(stock(game, "unity", blue=1), "zeth", black=1))
    assert robbed(game, UNITY)


# ---------------------------------------------------------------- cards that stay at home

RED = (MARKET, BRIBERY, NETWORK, "zeth.envoys")


@pytest.mark.parametrize("flipped", [False, True], ids=["front", "back"])
@pytest.mark.parametrize("card", RED)
def test_the_red_cards_cannot_be_traded(card, flipped):
    """D-72, ZETH-9."""
    game = hold(victims(), "zeth", card, flipped=flipped)
    with pytest.raises(IllegalAction, match="not_tradable"):
        deal(game, "zeth", ["kit"], Lend(giver=ZETH, to=KIT, card=card))
    with pytest.raises(IllegalAction, match="not_tradable"):
        deal(game, "zeth", ["kit"], Pledge(what=Lend(giver=ZETH, to=KIT, card=card), due=2))


@pytest.mark.parametrize("card", ["zeth.cascading_deception", "zeth.nanotechnology"])
def test_the_other_cards_of_the_zeth_can_be_lent(card):
    """D-72, ZETH-9."""
    game = deal(hold(victims(), "zeth", card), "zeth", ["kit"], Lend(giver=ZETH, to=KIT, card=card))
    assert card in player(game, "kit").cards


def test_a_theft_tells_everybody_what_was_paid_and_taken():
    """ZETH-5, COMP-5."""
    (stolen,) = [e for e in happened(stealing(victims()), "zeth", market(KIT)) if isinstance(e, Stolen)]
    assert (stolen.target, stolen.paid, stolen.taken) == (KIT, Goods(black=1), Goods(blue=1))

"""Zeth: the price of a theft, what it takes, and the envoys that make it cheaper."""

from typing import Any

import pytest

from elysian.actions import AcceptDeal, Gift, GiveGifts, Steal, TimeUp
from elysian.deals import Give, Pledge
from elysian.draft import IllegalAction
from elysian.goods import NOTHING, Goods
from elysian.options import options
from tests.support.species_tables import run, stealing
from tests.support.table import (
    change,
    close_trading,
    deal,
    hold,
    newest,
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
SET = Goods(envoy=1, blue=1, yellow=1, ultratech=1, brown=1)


def night(card, target, flipped=False, **own):
    """The steal step: the Kit have this stock, the Zeth exactly these goods and this card's side."""
    game = hold(table(*FOUR), "zeth", card, flipped=flipped)
    return stealing(stock(stock(game, "kit", target), "zeth", **own))


# ---------------------------------------------------------------- prices

FRONT, BACK = False, True


@pytest.mark.parametrize(
    ("card", "flipped", "cost", "envoys", "price", "take"),
    [
        (MARKET, FRONT, 0, 2, Goods(), Goods(blue=1)),
        (MARKET, FRONT, 1, 0, Goods(black=1), Goods(yellow=1)),
        (MARKET, BACK, 0, 3, Goods(), Goods(blue=1, yellow=1)),
        (MARKET, BACK, 1, 1, Goods(black=1), Goods(blue=2)),
        (MARKET, BACK, 2, 0, Goods(black=2), Goods(yellow=2)),
        (BRIBERY, FRONT, 0, 1, Goods(black=1), Goods(green=1, white=1)),
        (BRIBERY, FRONT, 1, 0, Goods(white=2), Goods(green=2)),
        (BRIBERY, BACK, 0, 3, Goods(), Goods(green=2, white=1)),
        (BRIBERY, BACK, 1, 1, Goods(black=1), Goods(green=1, white=2)),
        (BRIBERY, BACK, 2, 0, Goods(white=2), Goods(green=2, white=1)),
        (NETWORK, FRONT, 0, 3, Goods(black=1), Goods(ultratech=1)),
        (NETWORK, FRONT, 1, 0, Goods(yellow=2, white=1), Goods(ultratech=1)),
        (NETWORK, BACK, 0, 2, Goods(black=1), Goods(ultratech=1, green=1)),
        (NETWORK, BACK, 1, 0, Goods(yellow=2), Goods(ultratech=1, white=1)),
    ],
)
def test_a_theft_takes_what_is_shown_for_any_one_of_its_prices(card, flipped, cost, envoys, price, take):
    """ZETH-5, ZETH-7."""
    target = Goods(blue=2, yellow=2, green=2, white=2, ultratech=2, envoy=envoys)
    game = stock(night(card, target, flipped), "zeth", price)
    steal = Steal(card=card, target=KIT, cost=cost, take=take)
    if envoys:
        fewer = change(game, "kit", stock=target - Goods(envoy=1))
        with pytest.raises(IllegalAction, match="too_few_envoys"):
            play(fewer, ("zeth", steal))
    game = play(game, ("zeth", steal))
    assert player(game, "zeth").stock == take
    assert player(game, "kit").stock == target - take  # the envoys stay


def test_a_theft_that_cannot_be_paid_does_not_happen():
    """ZETH-5."""
    game = night(MARKET, Goods(blue=1), white=1)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=1, take=Goods(blue=1))))


def test_a_price_is_paid_with_wild_cubes_of_its_size():
    """X-3, ZETH-5, UNI-3."""
    game = night(NETWORK, Goods(ultratech=1), yellow=1, wild_large=1, wild_small=1)
    theft: Any = {"card": NETWORK, "target": KIT, "cost": 1, "take": Goods(ultratech=1)}
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(game, ("zeth", Steal(pay=Goods(yellow=1, wild_large=2), **theft)))
    pay = Goods(yellow=1, wild_large=1, wild_small=1)
    game = play(game, ("zeth", Steal(pay=pay, **theft)))
    assert player(game, "zeth").stock == Goods(ultratech=1)


def test_donation_goods_of_the_zeth_do_not_pay_for_thefts():
    """ZETH-5, DON-2."""
    game = change(night(MARKET, Goods(blue=1)), "zeth", donation=Goods(black=1))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=1, take=Goods(blue=1))))


# ---------------------------------------------------------------- what is taken


@pytest.mark.parametrize("take", [Goods(green=2), Goods(green=1, white=1), Goods(white=1, brown=1)])
def test_the_zeth_choose_the_colour_of_each_cube(take):
    """ZETH-5."""
    game = night(BRIBERY, Goods(green=2, white=1, brown=1), white=2)
    game = play(game, ("zeth", Steal(card=BRIBERY, target=KIT, cost=1, take=take)))
    assert player(game, "zeth").stock == take


@pytest.mark.parametrize(
    "take",
    [
        Goods(),
        Goods(blue=1, yellow=1),
        Goods(green=1),
        Goods(wild_large=1),
        Goods(ship=1),
        Goods(ultratech=1),
        Goods(black=1),
        Goods(blue=1, ship=1),
        Goods(blue=1, envoy=1),
    ],
)
def test_a_theft_takes_exactly_what_its_icons_show(take):
    """ZETH-5."""
    target = Goods(blue=1, yellow=1, green=1, wild_large=1, ship=1, ultratech=1, envoy=1)
    game = night(MARKET, target, black=1)
    with pytest.raises(IllegalAction, match="cannot_take_that"):
        play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=1, take=take)))


def test_of_wild_and_coloured_cubes_only_the_coloured_are_taken():
    """D-70, ZETH-5, X-2, UNI-6, B-17."""
    game = stock(table(*FOUR), "unity", wild_large=2, blue=1, wild_small=1)
    game = stealing(stock(game, "zeth", black=1))
    with pytest.raises(IllegalAction, match="cannot_take_that"):
        play(game, ("zeth", Steal(card=MARKET, target=UNITY, cost=1, take=Goods(wild_large=1))))
    game = play(game, ("zeth", Steal(card=MARKET, target=UNITY, cost=1, take=Goods(blue=1))))
    assert player(game, "unity").stock == Goods(wild_large=2, wild_small=1)


def test_octagons_of_the_unity_are_not_wild():
    """X-2."""
    game = stock(table(*FOUR), "unity", ultratech=1, wild_large=1)
    game = stealing(stock(game, "zeth", yellow=2, white=1))
    game = play(game, ("zeth", Steal(card=NETWORK, target=UNITY, cost=1, take=Goods(ultratech=1))))
    assert player(game, "unity").stock == Goods(wild_large=1)


def test_goods_on_a_donation_card_are_out_of_reach():
    """ZETH-5, DON-9."""
    game = change(night(MARKET, Goods(green=1), black=1), "kit", donation=Goods(blue=3))
    with pytest.raises(IllegalAction, match="nothing_to_steal"):
        play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=1, take=Goods(blue=1))))


def test_from_a_target_with_less_the_zeth_pay_in_full_and_take_what_there_is():
    """D-75, ZETH-6."""
    game = night(BRIBERY, Goods(brown=1, ship=2), white=2)
    game = play(game, ("zeth", Steal(card=BRIBERY, target=KIT, cost=1, take=Goods(brown=1))))
    assert player(game, "zeth").stock == Goods(brown=1)
    assert player(game, "kit").stock == Goods(ship=2)


def test_a_theft_of_two_kinds_takes_the_one_that_is_there():
    """ZETH-6."""
    game = night(NETWORK, Goods(white=1), flipped=True, yellow=2)
    game = play(game, ("zeth", Steal(card=NETWORK, target=KIT, cost=1, take=Goods(white=1))))
    assert player(game, "zeth").stock == Goods(white=1)


def test_a_theft_that_can_take_nothing_is_not_run():
    """ZETH-6."""
    game = night(MARKET, Goods(green=3), black=1)
    with pytest.raises(IllegalAction, match="nothing_to_steal"):
        play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=1, take=NOTHING)))


# ---------------------------------------------------------------- envoys


def test_two_envoys_make_a_theft_free_and_stay_for_the_rest_of_the_game():
    """D-71, ZETH-7."""
    game = night(MARKET, Goods(envoy=2, blue=1, yellow=1))
    game = play(game, ("zeth", Steal(card=MARKET, target=KIT, cost=0, take=Goods(yellow=1))))
    assert player(game, "zeth").stock == Goods(yellow=1)
    assert player(until(game, "trade", turn=2), "kit").stock.envoy == 2


def test_the_envoys_of_one_player_do_not_help_against_another():
    """ZETH-7."""
    game = change(night(MARKET, Goods(envoy=2, blue=1)), "unity", stock=Goods(blue=1))
    with pytest.raises(IllegalAction, match="too_few_envoys"):
        play(game, ("zeth", Steal(card=MARKET, target=UNITY, cost=0, take=Goods(blue=1))))


@pytest.mark.parametrize("to", ["zeth", "unity"])
def test_an_envoy_that_has_arrived_cannot_be_traded_away(to):
    """ZETH-7, TRADE-3."""
    game = stock(table(*FOUR), "kit", envoy=1)
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        swap(game, "kit", Goods(envoy=1), to)
    what = Give(giver=KIT, to=game.settings.species.index(to), goods=Goods(envoy=1))
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        deal(game, "kit", [to], Pledge(what=what, due=2))


def sent(turn=1, **envoys):
    """The Trade Phase after the Zeth have run their Envoys card."""
    game = table(*FOUR, turn=turn)
    for who, n in envoys.items():
        game = stock(game, who, envoy=n)
    game = run_economy(stock(game, "zeth", white=3), {"zeth": (run("zeth.envoys"),)})
    return until(game, "trade", turn=turn + 1)


def test_the_envoys_card_makes_a_set_that_is_all_for_others():
    """ZETH-10, DON-1."""
    zeth = player(sent(), "zeth")
    assert (zeth.stock, zeth.to_give_away) == (NOTHING, SET)


def test_the_back_of_the_envoys_card_scores_and_sends_another_set():
    """ZETH-10, DON-4."""
    game = stock(hold(table(*FOUR), "zeth", "zeth.envoys", flipped=True), "zeth", white=3)
    game = until(run_economy(game, {"zeth": (run("zeth.envoys"),)}), "trade", turn=2)
    assert player(game, "zeth").score == 1
    everything = Goods(envoy=1, point=1, ultratech=1)
    game = deal(game, "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=everything))
    assert (player(game, "kit").stock, player(game, "kit").score) == (Goods(envoy=1, ultratech=1), 1)


def test_a_set_may_be_traded_to_one_player_in_several_deals():
    """ZETH-10, TRADE-2."""
    game = deal(sent(), "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=Goods(ultratech=1)))
    game = deal(game, "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=SET - Goods(ultratech=1)))
    assert player(game, "kit").stock == SET
    assert player(game, "zeth").to_give_away == NOTHING


def test_a_set_cannot_be_traded_to_two_players():
    """D-73, ZETH-10."""
    game = deal(sent(), "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=Goods(ultratech=1)))
    rest = Give(giver=ZETH, to=UNITY, donation=SET - Goods(ultratech=1))
    with pytest.raises(IllegalAction, match="must_go_to_one"):
        deal(game, "zeth", ["unity"], rest)


def test_one_deal_cannot_split_a_set_either():
    """D-73, ZETH-10."""
    game = offer(
        sent(),
        "zeth",
        ["kit", "unity"],
        Give(giver=ZETH, to=KIT, donation=Goods(ultratech=1)),
        Give(giver=ZETH, to=UNITY, donation=Goods(envoy=1)),
    )
    game = play(game, ("kit", AcceptDeal(deal=newest(game))))
    with pytest.raises(IllegalAction, match="must_go_to_one"):
        play(game, ("unity", AcceptDeal(deal=newest(game))))


def test_what_is_left_of_a_set_goes_as_a_gift_to_the_same_player():
    """ZETH-10, DON-6."""
    game = deal(sent(), "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=Goods(ultratech=1)))
    game = close_trading(game)
    rest = SET - Goods(ultratech=1)
    with pytest.raises(IllegalAction, match="must_go_to_one"):
        play(game, ("zeth", GiveGifts(gifts=(Gift(to=UNITY, goods=rest),))))
    game = play(game, ("zeth", GiveGifts(gifts=(Gift(to=KIT, goods=rest),))))
    assert player(game, "kit").stock == SET


def test_a_set_given_as_a_gift_goes_to_one_player():
    """ZETH-10, DON-6."""
    game = close_trading(sent())
    gifts = (Gift(to=KIT, goods=Goods(envoy=1)), Gift(to=UNITY, goods=SET - Goods(envoy=1)))
    with pytest.raises(IllegalAction, match="must_go_to_one"):
        play(game, ("zeth", GiveGifts(gifts=gifts)))
    game = play(game, ("zeth", GiveGifts(gifts=(Gift(to=UNITY, goods=SET),))))
    assert player(game, "unity").stock == SET


def test_when_time_runs_out_the_rest_of_a_set_follows_its_first_part():
    """ZETH-10, DON-8."""
    game = deal(sent(), "zeth", ["unity"], Give(giver=ZETH, to=UNITY, donation=Goods(ultratech=1)))
    game = change(game, "zeth", donation=Goods(green=1))
    game = play(close_trading(game), (None, TimeUp()))
    assert player(game, "unity").stock == SET
    assert player(game, "kit").stock == Goods(green=1)


def test_other_donation_goods_of_the_zeth_go_where_they_like():
    """ZETH-10, DON-6."""
    game = change(sent(), "zeth", donation=Goods(green=1, brown=1))
    game = deal(game, "zeth", ["kit"], Give(giver=ZETH, to=KIT, donation=Goods(ultratech=1)))
    free = Give(giver=ZETH, to=UNITY, donation=Goods(green=1, brown=1))
    game = deal(game, "zeth", ["unity"], free)
    assert player(game, "unity").stock == Goods(green=1, brown=1)


def test_an_envoy_given_as_a_gift_works_in_the_same_turn_and_makes_nobody_safe():
    """D-68, ZETH-4, ZETH-7."""
    game = close_trading(change(sent(turn=2), "kit", stock=Goods(envoy=1, yellow=1)))
    game = play(game, ("zeth", GiveGifts(gifts=(Gift(to=KIT, goods=SET),))))
    game = play(stealing(game), ("zeth", Steal(card=MARKET, target=KIT, cost=0, take=Goods(yellow=1))))
    assert player(game, "kit").stock.envoy == 2


def test_the_seventh_envoy_is_the_last():
    """ZETH-8, COMP-3."""
    assert player(sent(kit=4, unity=2), "zeth").to_give_away == SET
    without = player(sent(kit=4, unity=2, kjas=1), "zeth")
    assert without.to_give_away == SET - Goods(envoy=1)


def test_an_envoy_that_is_still_to_be_given_away_is_one_of_the_seven():
    """ZETH-8, COMP-3."""
    game = stock(stock(stock(table(*FOUR), "zeth", white=3), "kit", envoy=4), "unity", envoy=2)
    for waiting, made in ((0, 1), (1, 0)):
        ready = change(until(game, "plan"), "zeth", tied=Goods(envoy=waiting))
        ready = run_economy(ready, {"zeth": (run("zeth.envoys"),)})
        assert player(ready, "zeth").to_give_away.envoy == waiting + made


def test_in_the_last_turn_the_zeth_keep_the_set():
    """ZETH-10, END-2."""
    game = stock(table(*FOUR, turn=6), "zeth", white=3)
    game = run_economy(game, {"zeth": (run("zeth.envoys"),)})
    assert player(game, "zeth").stock.covers(SET - Goods(envoy=1))
    assert player(game, "zeth").to_give_away == NOTHING


def test_the_zeth_may_promise_an_envoy_they_have_not_made_yet():
    """TRADE-2, TRADE-9."""
    game = table("zeth", "kit", "unity", "yengii")
    clause = Pledge(what=Give(giver=0, to=1, goods=Goods(envoy=1)), due=2)
    game = deal(game, "zeth", ["kit"], clause)
    game = change(until(game, "bid"), "zeth", tied=Goods(envoy=1, blue=1))
    game = until(game, "trade", turn=2)
    assert player(game, "kit").stock.envoy == 1
    assert player(game, "zeth").tied_to == 1


def test_nobody_else_may_promise_an_envoy():
    """ZETH-7, TRADE-3."""
    game = stock(table("zeth", "kit", "unity", "yengii"), "kit", envoy=1)
    clause = Pledge(what=Give(giver=1, to=2, goods=Goods(envoy=1)), due=2)
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        offer(game, "kit", ["unity"], clause)


def test_a_promise_is_paid_from_stock_before_a_set_that_must_go_to_one_player():
    """TRADE-11, ZETH-10."""
    game = table("zeth", "kit", "unity", "yengii")
    octagon = Pledge(what=Give(giver=0, to=1, goods=Goods(ultratech=1)), due=2)
    cube = Pledge(what=Give(giver=0, to=2, goods=Goods(blue=1)), due=2)
    game = deal(deal(game, "zeth", ["kit"], octagon), "zeth", ["unity"], cube)
    game = until(game, "bid")
    game = change(game, "zeth", stock=Goods(ultratech=1), tied=Goods(ultratech=1, blue=1, envoy=1))
    game = until(game, "trade", turn=2)
    assert player(game, "zeth").tied == Goods(ultratech=1, envoy=1)
    assert player(game, "zeth").tied_to == 2
    assert not game.obligations


# ---------------------------------------------------------------- what is offered


def test_the_zeth_are_offered_every_theft_they_can_make_now_and_no_other():
    """ZETH-2, ZETH-12."""
    game = stock(swap(stock(table(*FOUR), "kjas", green=1), "kjas", Goods(green=1), "zeth"), "kjas", blue=1)
    game = stealing(stock(stock(stock(game, "zeth", black=2), "kit", envoy=1, green=3), "unity", blue=1))
    offered = {choice.action for choice in options(game, ZETH).choices if isinstance(choice.action, Steal)}
    bribe = Steal(card=BRIBERY, target=KIT, cost=0, take=Goods(green=2), pay=Goods(black=1))
    market = Steal(card=MARKET, target=UNITY, cost=1, take=Goods(blue=1), pay=Goods(black=1))
    assert offered == {bribe, market}
    game = play(game, ("zeth", market))
    assert bribe in {choice.action for choice in options(game, ZETH).choices}
    assert (play(game, ("zeth", bribe)).turn, game.turn) == (
        2,
        1,
    )  # only safe Kjas are left: the night is over

"""When the clock runs out, every seat that is waited for does the cautious thing."""

import pytest

from elysian.actions import AcceptDeal, LayPlan, PlaceBid, TimeUp
from elysian.deals import Give, Pledge
from elysian.events import DealsLapsed, DoneSaid, TimeCalled
from elysian.goods import Goods
from elysian.rules import new_game, waiting
from elysian.state import Handicap, Run
from tests.support.table import (
    bid,
    change,
    close_trading,
    deal,
    happened,
    hold,
    newest,
    offer,
    play,
    player,
    run_economy,
    stock,
    table,
    until,
    why_not,
)

FOUR = ("kit", "unity", "kjas", "zeth")
KIT, UNITY, KJAS, ZETH = range(4)


def after_time(game):
    """The table after the clock ran out once."""
    return play(game, (None, TimeUp()))


def test_only_the_clock_calls_time():
    """OPT-1."""
    assert why_not(table(*FOUR), KIT, TimeUp()) == "not_your_clock"


def test_a_handicap_cube_nobody_chose_has_the_first_colour_there_is():
    """OPT-2."""
    handicaps = (Handicap(seat=1, cubes=-1), Handicap(seat=2, cubes=1))
    game = new_game(FOUR, 1, "de2021", handicaps=handicaps)
    ended = after_time(game)
    assert ended.step == "trade"
    assert player(game, UNITY).stock - player(ended, UNITY).stock == Goods(wild_small=1)
    assert player(ended, KJAS).stock - player(game, KJAS).stock == Goods(green=1)


def test_when_time_is_up_trading_closes_and_offers_lapse():
    """OPT-1, TRADE-14."""
    game = offer(stock(table(*FOUR), KIT, green=1), KIT, (UNITY,), Give(giver=0, to=1, goods=Goods(green=1)))
    events = happened(game, None, TimeUp())
    assert [event.by for event in events if isinstance(event, DoneSaid)] == [0, 1, 2, 3]
    assert DealsLapsed(deals=("d1",)) in events
    assert after_time(game).step == "window"


def test_a_soft_timer_leaves_offers_and_trading_open():
    """OPT-1."""
    game = stock(table(*FOUR, edition="de2021", trade_minutes=8), KIT, green=1)
    game = offer(game, KIT, (UNITY,), Give(giver=0, to=1, goods=Goods(green=1)))
    assert happened(game, None, TimeUp()) == (TimeCalled(),)
    game = play(after_time(game), (UNITY, AcceptDeal(deal="d1")))
    assert player(game, UNITY).stock == Goods(green=1)


def test_a_soft_timer_is_soft_only_for_trading():
    """OPT-1."""
    game = close_trading(table(*FOUR, edition="de2021", trade_minutes=8))
    assert after_time(game).step == "plan"


def unpaid():
    """A promise of the Kit that cannot be kept, trading having closed."""
    owed = Pledge(what=Give(giver=KIT, to=UNITY, goods=Goods(ultratech=1)), due=1, at="close")
    return close_trading(deal(stock(table(*FOUR), KIT, white=1), KIT, (UNITY,), owed))


def test_a_debtor_who_offers_nothing_in_time_pays_the_penalty():
    """TRADE-11."""
    game = after_time(unpaid())
    assert (game.step, player(game, KIT).score) == ("window", -2)


def test_compensation_nobody_answered_in_time_is_not_accepted():
    """TRADE-11."""
    give = Give(giver=KIT, to=UNITY, goods=Goods(white=1))
    game = offer(unpaid(), KIT, (UNITY,), give, settles=("d1.1",))
    assert waiting(game) == (UNITY,)
    assert DealsLapsed(deals=(newest(game),)) in happened(game, None, TimeUp())
    game = after_time(game)
    assert (player(game, KIT).score, player(game, KIT).stock) == (-2, Goods(white=1))


def test_donation_goods_nobody_gave_in_time_go_to_the_next_player():
    """DON-8, SETUP-9."""
    game = change(table(*FOUR), KIT, donation=Goods(white=2))
    game = after_time(close_trading(change(game, ZETH, donation=Goods(point=1, blue=1))))
    assert game.step == "window"
    assert player(game, UNITY).stock == Goods(white=2)
    assert (player(game, KIT).stock, player(game, KIT).score) == (Goods(blue=1), 1)


def test_tied_goods_of_which_nothing_has_gone_go_to_the_next_player():
    """DON-8, ZETH-10."""
    game = change(table(*FOUR), ZETH, donation=Goods(green=1), tied=Goods(envoy=1, blue=1))
    game = after_time(close_trading(game))
    assert player(game, KIT).stock == Goods(green=1, envoy=1, blue=1)


def test_tied_goods_follow_those_that_have_already_gone():
    """DON-8, ZETH-10."""
    game = change(table(*FOUR), ZETH, donation=Goods(green=1), tied=Goods(envoy=1, blue=1))
    game = deal(game, ZETH, (KJAS,), Give(giver=ZETH, to=KJAS, donation=Goods(envoy=1)))
    game = after_time(close_trading(game))
    assert (player(game, KJAS).stock, player(game, KIT).stock) == (Goods(envoy=1, blue=1), Goods(green=1))
    assert player(game, ZETH).to_give_away == Goods()


def test_the_last_violet_window_closes():
    """PHASE-2."""
    game = close_trading(table(*FOUR))
    assert (game.step, after_time(game).step) == ("window", "plan")


def test_the_latest_colonies_are_given_up_those_terraformed_or_with_a_seedling_last():
    """ECON-1."""
    game = hold(table(*FOUR, "caylion"), UNITY, "colony.acrux", "colony.vega")
    game = hold(game, UNITY, "colony.spica", flipped=True)
    game = hold(game, UNITY, "colony.rigel", seedling=True)
    game = after_time(until(game, "support"))
    kept = [card for card in player(game, UNITY).cards if card.startswith("colony.")]
    assert kept == ["colony.spica"]
    assert game.colonies.cards[-3:] == ("colony.vega", "colony.acrux", "colony.rigel")


def test_without_a_plan_everything_runs_that_costs_nothing():
    """ECON-12, ECON-7."""
    game = hold(stock(table(*FOUR), KJAS, blue=2), KJAS, "colony.acrux")
    game = after_time(until(game, "plan"))
    assert game.step == "bid"
    assert player(game, KJAS).stock == Goods(blue=2, brown=3, ship=3)


def test_a_free_colony_with_a_seedling_runs_twice_without_a_plan():
    """ECON-12."""
    game = after_time(until(hold(table(*FOUR, "caylion"), KJAS, "colony.spica", seedling=True), "plan"))
    assert player(game, KJAS).stock == Goods(brown=2, ship=3, white=2)


def test_a_saved_plan_is_carried_out():
    """ECON-12."""
    runs = (Run(card="kjas.starstrider_jumpcores"),)
    game = play(stock(table(*FOUR), KJAS, blue=2), (KJAS, LayPlan(runs=runs, ready=False)))
    game = after_time(until(game, "plan"))
    assert player(game, KJAS).stock == Goods(green=1, ship=4)


def test_of_a_saved_plan_only_what_still_fits_is_carried_out():
    """ECON-12."""
    runs = (Run(card="kjas.starstrider_jumpcores"), Run(card="kjas.underground_cities"))
    game = play(table(*FOUR), (KJAS, LayPlan(runs=runs, ready=False)))
    game = after_time(until(game, "plan"))
    assert player(game, KJAS).stock == Goods(brown=2, ship=3)


def test_a_saved_plan_to_run_nothing_is_respected():
    """ECON-12, ECON-3."""
    game = play(table(*FOUR), (KJAS, LayPlan(runs=(), ready=False)))
    assert player(after_time(until(game, "plan")), KJAS).stock == Goods()


def test_a_plan_that_was_laid_in_time_stands():
    """ECON-12."""
    game = play(until(table(*FOUR), "plan"), (KJAS, LayPlan(runs=())))
    game = after_time(game)
    assert (game.step, player(game, KJAS).stock) == ("bid", Goods())


def test_one_who_did_not_bid_in_time_bids_nothing():
    """BID-2."""
    game = run_economy(stock(stock(table(*FOUR), KIT, ship=1), UNITY, ship=1), {})
    game = after_time(play(game, (KIT, PlaceBid(colony=1))))
    assert (game.step, [bidder.seat for bidder in game.queue]) == ("colony_auction", [KIT])
    assert player(game, UNITY).stock == Goods(ship=1)


@pytest.mark.parametrize(("bids", "step"), [((1, 0), "colony_auction"), ((0, 1), "research_auction")])
def test_a_bidder_who_does_not_choose_in_time_passes_and_keeps_the_ships(bids, step):
    """BID-6."""
    game = bid(run_economy(stock(table(*FOUR), KIT, ship=1), {}), kit=bids)
    assert (game.step, waiting(game)) == (step, (KIT,))
    game = after_time(game)
    assert (game.turn, player(game, KIT).stock) == (2, Goods(ship=1))


def test_only_the_bidder_whose_turn_it_is_runs_out_of_time():
    """BID-6."""
    game = stock(stock(table(*FOUR), KIT, ship=2), UNITY, ship=1)
    game = after_time(bid(run_economy(game, {}), kit=(2, 0), unity=(1, 0)))
    assert (game.step, waiting(game)) == ("colony_auction", (UNITY,))


def test_zeth_who_do_not_steal_in_time_steal_nothing():
    """ZETH-12."""
    game = stock(stock(table(*FOUR), KIT, blue=1), ZETH, black=1)
    game = until(run_economy(game, {}), "steal")
    assert waiting(game) == (ZETH,)
    game = after_time(game)
    assert (game.turn, player(game, KIT).stock) == (2, Goods(blue=1))


def test_the_time_of_one_seat_is_up_and_the_others_go_on():
    """OPT-1: a seat that the table does not wait for says that it is done, and nobody else does."""
    game = table(*FOUR)
    events = happened(game, None, TimeUp(seat=KJAS))
    assert [event.by for event in events if isinstance(event, DoneSaid)] == [KJAS]
    game = play(game, (None, TimeUp(seat=KJAS)))
    assert game.step == "trade"
    assert why_not(game, None, TimeUp(seat=KJAS)) == "not_waited_for"
    assert why_not(game, KJAS, TimeUp(seat=KJAS)) == "not_your_clock"


def test_a_seat_whose_time_is_up_pays_what_it_owes():
    """TRADE-10, OPT-1."""
    owed = Pledge(what=Give(giver=KIT, to=UNITY, goods=Goods(yellow=1)), due=2)
    game = until(deal(table(*FOUR), KIT, (UNITY,), owed), "trade", 2)
    game = stock(stock(game, KIT, yellow=1), UNITY, yellow=0)
    game = close_trading(play(game, (None, TimeUp(seat=KIT))))
    assert player(until(game, "plan"), UNITY).stock.yellow == 1

"""The turn: its phases and steps in their order, and what is left of them in the last turn."""

import pytest

from elysian.actions import (
    Done,
    Gift,
    GiveGifts,
    Invent,
    LayPlan,
    NotDone,
    PlaceBid,
    Steal,
    TimeUp,
    UpgradeCard,
)
from elysian.deals import Give, Lend, Pledge
from elysian.events import (
    BidsRevealed,
    CardsReturned,
    Event,
    GameScored,
    ObligationBroken,
    ProductionRun,
    StepBegan,
    TechnologiesShared,
    TracksRefreshed,
    TurnBegan,
)
from elysian.goods import Goods
from elysian.rules import decide, waiting
from elysian.species.zeth import Stolen
from elysian.state import Run
from tests.support.table import (
    change,
    close_trading,
    deal,
    hold,
    next_turn,
    play,
    player,
    promise,
    run_economy,
    seat_of,
    stock,
    table,
    until,
    why_not,
)

FOUR = ("kit", "unity", "kjas", "zeth")


def played_out(game, step="over", turn=None):
    """The events until a step is reached, everybody doing the cautious thing."""
    events: list[Event] = []
    while not (game.step == step and turn in (None, game.turn)):
        more, game = decide(game, None, TimeUp())
        events += more
    return events


def test_a_game_has_six_turns():
    """PHASE-1."""
    events = played_out(table(*FOUR, bare=False))
    assert [event.turn for event in events if isinstance(event, TurnBegan)] == [2, 3, 4, 5, 6]
    assert isinstance(events[-1], GameScored)


def test_each_turn_goes_from_trade_to_economy_to_confluence():
    """PHASE-1."""
    game = table(*FOUR, bare=False)
    phases = [game.phase]
    while game.turn == 1:
        game = play(game, (None, TimeUp()))
        if game.phase != phases[-1]:
            phases.append(game.phase)
    assert phases == ["trade", "economy", "confluence", "trade"]


def everything_happens(turn):
    """A table at which every step of a turn has something to do."""
    game = table(*FOUR, turn=turn)
    game = stock(game, "kit", white=6, ship=2)
    game = hold(game, "kit", "research.sociologists")
    game = hold(game, "unity", "colony.acrux", "colony.spica")
    game = change(game, "kjas", donation=Goods(brown=1))
    unpaid = Pledge(what=Give(giver=1, to=0, goods=Goods(black=1)), due=turn, at="close")
    game = deal(game, "unity", ("kit",), unpaid)
    game = deal(game, "kjas", ("kit",), Lend(giver=2, to=0, card="kjas.underground_cities"))
    return play(game, ("kit", Invent(card="research.sociologists")))


def test_the_steps_of_a_turn_come_in_their_order():
    """PHASE-2."""
    events = played_out(everything_happens(turn=2), "trade", turn=3)
    order = [
        event.step
        if isinstance(event, StepBegan)
        else f"{event.track} bids revealed"
        if isinstance(event, BidsRevealed)
        else type(event).__name__
        for event in events
        if isinstance(
            event,
            StepBegan
            | BidsRevealed
            | ObligationBroken
            | TechnologiesShared
            | TracksRefreshed
            | CardsReturned
            | TurnBegan,
        )
    ]
    assert order == [
        "settle",
        "ObligationBroken",
        "gifts",
        "window",
        "support",
        "plan",
        "TechnologiesShared",
        "bid",
        "colony bids revealed",
        "colony_auction",
        "research bids revealed",
        "research_auction",
        "steal",
        "TracksRefreshed",
        "CardsReturned",
        "TurnBegan",
    ]


def test_promises_are_settled_before_donation_goods_are_given_away():
    """PHASE-2."""
    game = change(table(*FOUR), "kjas", donation=Goods(brown=1))
    owed = Pledge(what=Give(giver=2, to=0, goods=Goods(brown=1)), due=1, at="close")
    game = close_trading(deal(game, "kjas", ("kit",), owed))
    assert game.step == "window"
    assert player(game, "kit").stock == Goods(brown=1)


def test_forced_gifts_can_be_used_in_the_last_violet_window():
    """PHASE-2."""
    game = hold(change(table(*FOUR), "kjas", donation=Goods(blue=1)), "kit", "colony.mimosa")
    game = close_trading(game)
    game = play(game, ("kjas", GiveGifts(gifts=(Gift(to=0, goods=Goods(blue=1)),))))
    assert game.step == "window"
    game = play(game, ("kit", UpgradeCard(card="colony.mimosa")))
    assert player(game, "kit").cards["colony.mimosa"].flipped


def test_violet_converters_still_run_after_trading_has_closed():
    """PHASE-2, B-10."""
    game = hold(stock(table(*FOUR), "kit", white=6), "kit", "research.sociologists")
    game = play(close_trading(game), ("kit", Invent(card="research.sociologists")))
    assert player(game, "kit").score == 1
    game = until(game, "plan")
    assert why_not(game, "kit", Invent(card="research.sociologists")) == "wrong_step"


def test_the_last_violet_window_waits_for_everybody():
    """PHASE-2."""
    game = close_trading(table(*FOUR))
    for seat in (0, 1, 2):
        game = play(game, (seat, Done()))
    assert game.step == "window"
    game = play(game, (0, NotDone()), (3, Done()), (0, Done()))
    assert game.step == "plan"


def test_colony_support_is_checked_before_any_white_converter_runs():
    """PHASE-2."""
    game = hold(table(*FOUR), "unity", "colony.acrux", "colony.spica")
    game = until(game, "support")
    assert why_not(game, "unity", LayPlan(runs=(Run(card="colony.acrux"),))) == "only_saved"


def test_shared_technologies_come_too_late_for_the_converters_of_the_turn():
    """PHASE-2."""
    game = hold(stock(table(*FOUR), "kit", white=6), "kit", "research.sociologists")
    game = stock(game, "kjas", yellow=2)
    game = until(play(game, ("kit", Invent(card="research.sociologists"))), "plan")
    shared = "kjas.ubiquitous_cultural_repository"
    assert why_not(game, "kjas", LayPlan(runs=(Run(card=shared),))) == "not_your_card"
    assert shared in player(run_economy(game, {}), "kjas").cards


def test_a_borrowed_card_is_still_there_in_the_economy_phase_and_gone_in_the_next_turn():
    """PHASE-2."""
    game = deal(table(*FOUR), "kjas", ("kit",), Lend(giver=2, to=0, card="kjas.underground_cities"))
    game = run_economy(game, {"kit": (Run(card="kjas.underground_cities"),)})
    assert game.step == "bid"
    assert "kjas.underground_cities" in player(game, "kit").cards
    assert player(game, "kit").stock == Goods(brown=2, ship=3)
    game = until(game, "trade", turn=2)
    assert "kjas.underground_cities" in player(game, "kjas").cards
    assert "kjas.underground_cities" not in player(game, "kit").cards


def test_the_steal_comes_after_both_auctions_and_before_the_refresh():
    """PHASE-2, B-15."""
    game = stock(stock(table(*FOUR), "zeth", black=1), "kit", blue=1, ship=1)
    game = run_economy(game, {})
    before = game.colony_track
    game = play(game, *((seat, PlaceBid()) for seat in game.seats()))
    assert game.step == "steal"
    assert game.colony_track == before
    game = play(game, ("zeth", Steal(card="zeth.black_market", cost=1, target=0, take=Goods(blue=1))))
    assert game.turn == 2
    assert player(game, "zeth").stock == Goods(blue=1)


# ---------------------------------------------------------------- the last turn


def test_the_last_turn_has_no_bidding():
    """PHASE-3, B-14."""
    events = played_out(everything_happens(turn=6))
    steps = [event.step for event in events if isinstance(event, StepBegan)]
    assert steps == ["settle", "gifts", "window", "support", "plan", "steal"]
    assert not any(isinstance(event, BidsRevealed | TracksRefreshed | TurnBegan) for event in events)


def test_inventions_of_the_last_turn_earn_the_sharing_bonus_but_reach_nobody():
    """PHASE-3, B-13."""
    game = hold(stock(table(*FOUR, turn=6), "kit", white=6), "kit", "research.sociologists")
    game = play(game, ("kit", Invent(card="research.sociologists")))
    game = run_economy(game, {})
    assert game.step == "over"
    assert player(game, "kit").score == 1 + 2
    assert "unity.ubiquitous_cultural_repository" in player(game, "unity").deck


def test_donation_outputs_of_the_last_turn_are_kept_by_their_producer():
    """PHASE-3."""
    game = stock(table("eni_et", "kit", "unity", "kjas", turn=6), "eni_et", ultratech=1)
    game = run_economy(game, {"eni_et": (Run(card="eni_et.universal_applied_metaethics"),)})
    assert player(game, "eni_et").stock == Goods(white=3)
    assert player(game, "eni_et").donation == Goods()


def test_donation_goods_of_turn_five_are_still_given_away_in_the_last_trade_phase():
    """PHASE-3."""
    game = stock(table("eni_et", "kit", "unity", "kjas", turn=5), "eni_et", ultratech=1)
    game = run_economy(game, {"eni_et": (Run(card="eni_et.universal_applied_metaethics"),)})
    game = close_trading(until(game, "trade", turn=6))
    assert game.step == "gifts"
    game = play(game, ("eni_et", GiveGifts(gifts=(Gift(to=1, goods=Goods(white=3)),))))
    assert player(game, "kit").stock == Goods(white=3)


def test_in_the_last_turn_the_zeth_steal_before_the_game_is_scored():
    """PHASE-3, B-16, END-1."""
    game = stock(stock(table(*FOUR, turn=6), "zeth", black=1), "kit", ultratech=1, blue=1)
    game = run_economy(game, {})
    assert (game.step, game.scores) == ("steal", ())
    events, game = decide(game, 3, Steal(card="zeth.black_market", cost=1, target=0, take=Goods(blue=1)))
    assert isinstance(events[0], Stolen)
    game = until(game, "over")
    assert player(game, "zeth").stock == Goods(blue=1)
    assert [score.goods for score in game.scores] == [6, 0, 0, 0]


def test_the_last_economy_phase_runs_before_the_score_is_counted():
    """PHASE-3."""
    game = run_economy(table(*FOUR, turn=6), {"kjas": (Run(card="kjas.underground_cities"),)})
    game = until(game, "over")
    assert game.scores[seat_of(game, "kjas")].goods == 6


def test_a_game_that_is_over_takes_no_more_actions():
    """PHASE-1."""
    game = until(run_economy(table(*FOUR, turn=6), {}), "over")
    assert why_not(game, "kit", Done()) == "game_over"
    assert why_not(game, None, TimeUp()) == "game_over"


def test_promises_of_the_last_turn_are_settled_in_it():
    """PHASE-3."""
    owed = Pledge(what=Give(giver=1, to=0, goods=Goods(black=1)), due=6)
    game = deal(table(*FOUR, turn=5), "unity", ("kit",), owed)
    name = promise(game)
    game = until(next_turn(game), "window", turn=6)
    assert name not in game.obligations
    assert player(game, "unity").score == -1


@pytest.mark.parametrize("turn", [1, 3, 5])
def test_every_turn_but_the_last_runs_production_and_then_bids(turn):
    """PHASE-1."""
    game = until(table(*FOUR, turn=turn), "plan")
    events = played_out(game, "bid")
    assert any(isinstance(event, ProductionRun) for event in events)
    assert until(game, "bid").turn == turn


def test_a_done_may_be_taken_back_until_trading_closes():
    """TRADE-14."""
    game = play(table(*FOUR), (0, Done()), (1, Done()), (0, NotDone()), (2, Done()))
    assert (game.step, waiting(game)) == ("trade", (0, 3))
    assert why_not(game, 0, NotDone()) == "not_said_done"
    assert play(game, (0, Done())).step != "trade"


def test_trading_closes_when_all_but_one_are_done():
    """D-15, TRADE-14: the sixth seat is not waited for."""
    game = table("kit", "unity", "kjas", "zeth", "caylion", "eni_et")
    for seat in range(4):
        game = play(game, (seat, Done()))
        assert game.step == "trade"
    assert play(game, (4, Done())).step != "trade"

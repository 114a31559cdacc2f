"""Faderan: acknowledgements, the relic deck, the detector and the gift that stays away."""

import pytest

from elysian.actions import AcceptDeal, Invent, LayPlan, RunConverter, UpgradeCard
from elysian.deals import Give, Lend, Pledge
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.species.faderan import AcknowledgementReturned
from elysian.state import Held
from tests.support.arrange import holder, relics
from tests.support.table import (
    change,
    close_trading,
    deal,
    goods_of,
    happened,
    hold,
    newest,
    offer,
    play,
    player,
    seat_of,
    stock,
    swap,
    table,
    until,
)

FOUR = ("faderan", "kit", "zeth", "yengii")
ACK = Goods(acknowledgement=1)
GIFT = "relic.gift_of_the_duruntai"


def give(game, giver, to, *cards, **goods):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Give(giver=a, to=b, goods=Goods(**goods), cards=cards))


# ---------------------------------------------------------------- acknowledgements


@pytest.mark.parametrize(("edition", "count"), [("2020", 11), ("de2021", 11), ("2017", 10)])
def test_the_faderan_start_with_the_acknowledgements_of_the_box(edition, count):
    """FAD-9, COMP-3, B-1."""
    game = table(*FOUR, bare=False, edition=edition)
    assert player(game, "faderan").stock.acknowledgement == count


def test_the_faderan_cannot_hand_out_more_acknowledgements_than_there_are():
    """FAD-9."""
    game = table(*FOUR, bare=False)
    game = give(game, "faderan", "kit", acknowledgement=6)
    game = give(game, "faderan", "zeth", acknowledgement=5)
    game = offer(game, "faderan", ["yengii"], Give(giver=0, to=3, goods=ACK))
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("yengii", AcceptDeal(deal=newest(game))))


def test_the_faderan_trade_acknowledgements_to_anybody_who_agrees():
    """FAD-5, TRADE-4."""
    game = table(*FOUR)
    game = offer(game, "faderan", ["kit"], Give(giver=0, to=1, goods=Goods(acknowledgement=2)))
    assert player(game, "kit").stock.acknowledgement == 0
    game = play(game, ("kit", AcceptDeal(deal=newest(game))))
    assert player(game, "kit").stock.acknowledgement == 2
    assert player(game, "faderan").stock.acknowledgement == 9


@pytest.mark.parametrize("to", ["zeth", "faderan"])
def test_a_holder_can_pass_an_acknowledgement_to_nobody(to):
    """D-63, FAD-6."""
    game = stock(table(*FOUR), "kit", acknowledgement=1)
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        swap(game, "kit", ACK, to)


def test_a_holder_cannot_promise_an_acknowledgement():
    """FAD-6, TRADE-3."""
    game = stock(table(*FOUR), "kit", acknowledgement=1)
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        deal(game, "kit", ["zeth"], Pledge(what=Give(giver=1, to=2, goods=ACK), due=2))


def test_the_faderan_may_promise_an_acknowledgement_for_later():
    """FAD-5, TRADE-9."""
    game = table(*FOUR)
    game = deal(game, "faderan", ["kit"], Pledge(what=Give(giver=0, to=1, goods=ACK), due=2))
    assert player(game, "kit").stock.acknowledgement == 0
    assert player(until(game, "trade", turn=2), "kit").stock.acknowledgement == 1


def test_an_acknowledgement_is_worth_nothing_at_the_end():
    """FAD-7, SCORE-2."""
    game = stock(table(*FOUR, turn=6, precise_scoring=True), "yengii", acknowledgement=9)
    game = until(game, "plan")
    for seat in game.seats():
        game = play(game, (seat, LayPlan(runs=())))
    game = until(game, "over")
    assert game.scores[seat_of(game, "yengii")].goods == 0


def test_an_acknowledgement_pays_for_nothing():
    """FAD-7."""
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", white=5, acknowledgement=1)
    with pytest.raises(IllegalAction, match="wrong_payment"):
        play(
            game,
            ("kit", Invent(card="research.sociologists", pay=Goods(white=5, acknowledgement=1))),
        )


def inventing(who, *teams, acknowledgements, turn=1):
    """A table where somebody holds teams, acknowledgements and enough to invent them all with white."""
    game = hold(table(*FOUR, turn=turn), who, *teams)
    return stock(game, who, white=40, acknowledgement=acknowledgements)


def test_an_invention_returns_one_acknowledgement_and_scores_a_point():
    """FAD-8."""
    game = inventing("kit", "research.sociologists", acknowledgements=2)
    game = play(game, ("kit", Invent(card="research.sociologists")))
    assert player(game, "kit").stock == Goods(white=34, acknowledgement=1)
    assert player(game, "faderan").stock == Goods(acknowledgement=10)
    assert player(game, "faderan").score == 1
    assert player(game, "kit").score == 1  # the printed point, nothing for the token


def test_two_acknowledgements_return_with_three_inventions():
    """D-61, FAD-8, INV-3."""
    teams = ("research.sociologists", "research.computational_theoreticians", "research.organic_architects")
    game = inventing("kit", *teams, acknowledgements=2)
    for card in teams:
        game = play(game, ("kit", Invent(card=card)))
    assert player(game, "kit").stock.acknowledgement == 0
    assert player(game, "faderan").score == 2
    assert player(game, "faderan").stock.acknowledgement == 11


def test_an_era_four_invention_returns_an_acknowledgement_too():
    """D-62, FAD-8, INV-5, X-11."""
    card = "research.cultural_polymorphologists"
    game = play(inventing("kit", card, acknowledgements=1), ("kit", Invent(card=card)))
    assert player(game, "kit").stock.acknowledgement == 0
    assert player(game, "faderan").score == 1


def test_inventions_of_the_yengii_return_acknowledgements():
    """FAD-8, X-7."""
    game = inventing("yengii", "research.sociologists", acknowledgements=1)
    game = play(game, ("yengii", Invent(card="research.sociologists")))
    assert player(game, "yengii").stock.acknowledgement == 0
    assert player(game, "faderan").score == 1


def test_inventions_of_the_faderan_return_nothing():
    """X-12, FAD-8."""
    game = inventing("faderan", "research.sociologists", acknowledgements=11)
    game = stock(game, "kit", acknowledgement=1)
    events = happened(game, "faderan", Invent(card="research.sociologists"))
    assert not any(isinstance(event, AcknowledgementReturned) for event in events)
    game = play(game, ("faderan", Invent(card="research.sociologists")))
    assert player(game, "faderan").score == 1  # the printed point only
    assert player(game, "faderan").stock.acknowledgement == 10


def test_only_the_inventor_returns_an_acknowledgement():
    """FAD-8."""
    game = inventing("kit", "research.sociologists", acknowledgements=0)
    game = stock(game, "zeth", acknowledgement=1)
    game = play(game, ("kit", Invent(card="research.sociologists")))
    assert player(game, "zeth").stock.acknowledgement == 1
    assert player(game, "faderan").score == 0


def test_an_acknowledgement_that_came_back_can_be_traded_again():
    """FAD-9, FAD-8."""
    game = inventing("kit", "research.sociologists", acknowledgements=1)
    game = play(game, ("kit", Invent(card="research.sociologists")))
    game = give(game, "faderan", "zeth", acknowledgement=1)
    assert player(game, "zeth").stock.acknowledgement == 1


# ---------------------------------------------------------------- the relic deck


def digging(*top, white=4, ice=("colony.spica",)):
    """A table where the Faderan can run the relic deck's converter."""
    game = hold(table(*FOUR), "faderan", *ice)
    return stock(relics(game, *top), "faderan", white=white)


def dig(colony="colony.spica", **more):
    return RunConverter(card="faderan.relic_deck", colonies=(colony,), **more)


def test_four_white_cubes_and_an_ice_colony_bring_the_top_relic_world_into_play():
    """FAD-1, FAD-2."""
    game = play(digging("relic.the_grand_armilla", "relic.stars_ruin"), ("faderan", dig()))
    faderan = player(game, "faderan")
    assert faderan.cards["relic.the_grand_armilla"].owner == 0
    assert (goods_of(game, "faderan"), faderan.score) == (Goods(), 1)
    assert game.relics == ("relic.stars_ruin",)
    assert game.colonies.cards[-1] == "colony.spica"


def test_the_relic_decks_converter_runs_once_in_a_turn():
    """D-18, FAD-1, VIO-1."""
    game = digging("relic.stars_ruin", "relic.thils_demiring", white=8, ice=("colony.spica", "colony.mimosa"))
    game = play(game, ("faderan", dig()))
    with pytest.raises(IllegalAction, match="already_ran"):
        play(game, ("faderan", dig("colony.mimosa")))
    game = until(game, "trade", turn=2)
    game = play(stock(game, "faderan", white=4), ("faderan", dig("colony.mimosa")))
    assert "relic.thils_demiring" in player(game, "faderan").cards


def test_the_relic_decks_converter_asks_for_an_ice_colony():
    """FAD-1, VIO-6."""
    game = digging("relic.stars_ruin", ice=("colony.acrux",))
    with pytest.raises(IllegalAction, match="wrong_colonies"):
        play(game, ("faderan", dig("colony.acrux")))
    game = play(change(game, "faderan", stock=Goods(white=6)), ("faderan", UpgradeCard(card="colony.acrux")))
    game = play(game, ("faderan", dig("colony.acrux")))  # its back is ice
    assert "relic.stars_ruin" in player(game, "faderan").cards


def test_nobody_else_runs_the_relic_decks_converter():
    """FAD-1, FAD-14."""
    game = stock(hold(digging("relic.stars_ruin"), "kit", "colony.mimosa"), "kit", white=4)
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", dig("colony.mimosa")))
    with pytest.raises(IllegalAction, match="not_tradable"):
        deal(game, "faderan", ["kit"], Lend(giver=0, to=1, card="faderan.relic_deck"))


def test_nobody_else_draws_a_relic_world_whatever_lies_in_front_of_them():
    """FAD-14."""
    game = hold(table(*FOUR), "kit", "relic.relic_detector", "colony.acrux")
    game = stock(relics(game, "relic.stars_ruin"), "kit", green=3)
    with pytest.raises(IllegalAction, match="only_its_owner"):
        play(game, ("kit", RunConverter(card="relic.relic_detector", colonies=("colony.acrux",))))


def test_an_empty_relic_deck_cannot_be_dug_for():
    """FAD-15."""
    with pytest.raises(IllegalAction, match="deck_is_empty"):
        play(digging(), ("faderan", dig()))


def test_relic_worlds_are_not_colonies():
    """FAD-4."""
    game = digging("relic.stars_ruin")
    game = hold(game, "faderan", "relic.relic_detector", "relic.the_grand_armilla", "relic.thils_demiring")
    game = stock(game, "faderan", green=3)
    with pytest.raises(IllegalAction, match="not_your_colony"):
        play(
            game,
            (
                "faderan",
                RunConverter(card="relic.relic_detector", colonies=("relic.the_grand_armilla",)),
            ),
        )
    game = hold(game, "faderan", "colony.vega", "colony.acrux", "colony.rigel")  # four with Spica
    assert len(player(until(game, "plan"), "faderan").cards) == len(player(game, "faderan").cards)


def test_a_lent_relic_world_goes_home_and_its_entry_does_not_happen_again():
    """FAD-3."""
    game = hold(table(*FOUR), "faderan", "relic.barian_trade_armada", "relic.the_grand_armilla")
    game = deal(
        game,
        "faderan",
        ["kit"],
        Lend(giver=0, to=1, card="relic.barian_trade_armada"),
        Lend(giver=0, to=1, card="relic.the_grand_armilla"),
    )
    assert (player(game, "kit").stock, player(game, "kit").score) == (Goods(), 0)
    game = until(game, "bid")  # everybody runs what is free
    assert player(game, "kit").stock.ship >= 4
    game = until(game, "trade", turn=2)
    assert holder(game, "relic.the_grand_armilla") == "faderan"
    assert (player(game, "faderan").score, player(game, "kit").score) == (0, 0)


# ---------------------------------------------------------------- the gift


def test_the_first_trade_of_the_gift_pays_its_receiver_and_the_faderan():
    """D-65, FAD-13."""
    game = give(hold(table(*FOUR), "faderan", GIFT), "faderan", "kit", GIFT)
    assert player(game, "kit").stock == Goods(ultratech=1, blue=1, green=1, brown=1)
    assert goods_of(game, "faderan") == Goods(blue=1)
    game = give(game, "kit", "zeth", GIFT)
    assert player(game, "kit").stock == Goods(ultratech=1, blue=1, green=1, brown=1)
    assert player(game, "zeth").stock == Goods()
    assert goods_of(game, "faderan") == Goods(blue=1)
    assert holder(until(game, "trade", turn=2), GIFT) == "zeth"


def test_next_turn_the_gift_pays_again():
    """FAD-13."""
    game = give(hold(table(*FOUR), "faderan", GIFT), "faderan", "kit", GIFT)
    game = until(game, "trade", turn=2)
    game = give(stock(stock(game, "zeth"), "faderan"), "kit", "zeth", GIFT)
    assert player(game, "zeth").stock == Goods(ultratech=1, blue=1, green=1, brown=1)
    assert goods_of(game, "faderan") == Goods(blue=1)


def test_the_faderan_who_receive_the_gift_get_both_parts():
    """FAD-13."""
    game = give(hold(table(*FOUR), "kit", GIFT), "kit", "faderan", GIFT)
    assert goods_of(game, "faderan") == Goods(ultratech=1, blue=2, green=1, brown=1)
    assert player(game, "kit").stock == Goods()


def test_the_gift_that_comes_back_in_the_same_turn_pays_once():
    """FAD-13."""
    game = give(hold(table(*FOUR), "faderan", GIFT), "faderan", "kit", GIFT)
    game = give(game, "kit", "faderan", GIFT)
    assert goods_of(game, "faderan") == Goods(blue=1)


def test_the_gift_pays_when_a_promise_delivers_it():
    """FAD-13, TRADE-11."""
    game = hold(table(*FOUR), "faderan", GIFT)
    game = deal(game, "faderan", ["kit"], Pledge(what=Give(giver=0, to=1, cards=(GIFT,)), due=2))
    assert player(game, "kit").stock == Goods()
    game = until(game, "trade", turn=2)
    assert player(game, "kit").stock.covers(Goods(ultratech=1, blue=1, green=1, brown=1))
    assert holder(game, GIFT) == "kit"


def test_the_goods_of_the_gift_cannot_pay_within_the_same_deal():
    """FAD-13, TRADE-4."""
    game = offer(
        hold(table(*FOUR), "faderan", GIFT),
        "faderan",
        ["kit"],
        Give(giver=0, to=1, cards=(GIFT,)),
        Give(giver=1, to=0, goods=Goods(ultratech=1)),
    )
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(game, ("kit", AcceptDeal(deal=newest(game))))


def test_the_gift_is_given_and_never_lent():
    """FAD-13, TRADE-6."""
    game = hold(table(*FOUR), "faderan", GIFT)
    with pytest.raises(IllegalAction, match="not_lent_but_given"):
        deal(game, "faderan", ["kit"], Lend(giver=0, to=1, card=GIFT))


def test_the_gift_is_not_traded_after_trading_has_closed():
    """FAD-13, TRADE-1."""
    game = close_trading(hold(table(*FOUR), "faderan", GIFT))
    with pytest.raises(IllegalAction, match="wrong_step"):
        give(game, "faderan", "kit", GIFT)


def test_the_gift_is_drawn_without_any_effect():
    """FAD-10, FAD-13."""
    game = play(digging(GIFT), ("faderan", dig()))
    assert (goods_of(game, "faderan"), player(game, "faderan").score) == (Goods(), 0)
    assert player(game, "faderan").cards[GIFT] == Held()

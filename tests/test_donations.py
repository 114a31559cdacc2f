"""Donation goods: made for others, waiting on the donation card, traded or given away by force."""

import pytest

from elysian.actions import AcceptDeal, Gift, GiveGifts, Invent, PlaceBid, ProposeDeal, Steal, UpgradeCard
from elysian.deals import Give, Lend
from elysian.events import DealStruck, GiftGiven
from elysian.goods import Goods
from elysian.rules import waiting
from elysian.state import Run
from tests.support.table import (
    bid,
    change,
    close_trading,
    deal,
    goods_of,
    happened,
    hold,
    next_turn,
    play,
    player,
    run_economy,
    stock,
    swap,
    table,
    until,
    why_not,
)

FIVE = ("eni_et", "kit", "zeth", "kjas", "unity")
ENI_ET, KIT, ZETH, KJAS, UNITY = range(5)
METAETHICS = "eni_et.universal_applied_metaethics"
WHITES = Goods(white=3)


def donating(goods=WHITES, seat=ENI_ET, species=FIVE, **more):
    """A table with goods on a donation card."""
    return change(table(*species, **more), seat, donation=goods)


def test_goods_on_the_donation_card_are_given_once():
    """DON-1."""
    gives = tuple(Give(giver=ENI_ET, to=to, donation=Goods(white=2)) for to in (KIT, ZETH))
    parties = (ENI_ET, KIT, ZETH)
    for there, code in ((4, None), (3, "lacks_donation")):
        game = play(donating(Goods(white=there)), (ENI_ET, ProposeDeal(parties=parties, clauses=gives)))
        game = play(game, (KIT, AcceptDeal(deal="d1")))
        assert why_not(game, ZETH, AcceptDeal(deal="d1")) == code


# ---------------------------------------------------------------- making them


def test_donation_outputs_go_to_the_donation_card():
    """DON-1."""
    game = run_economy(stock(table(*FIVE), ENI_ET, ultratech=1), {ENI_ET: (Run(card=METAETHICS),)})
    area = player(game, ENI_ET)
    assert (area.stock, area.donation, area.score) == (Goods(), WHITES, 1)


def test_a_donation_point_does_not_go_to_the_score():
    """DON-1."""
    game = hold(table("faderan", "kit", "zeth", "kjas"), "faderan", "relic.library_of_entelechy")
    game = run_economy(game, {"faderan": (Run(card="relic.library_of_entelechy"),)})
    area = player(game, "faderan")
    assert (area.score, area.donation) == (0, Goods(point=1, black=1, green=1, white=1))


def test_a_borrower_donates_what_a_borrowed_converter_makes():
    """DON-1."""
    game = deal(stock(table(*FIVE), KIT, ultratech=1), ENI_ET, (KIT,), Lend(giver=0, to=1, card=METAETHICS))
    game = run_economy(game, {KIT: (Run(card=METAETHICS),)})
    assert (player(game, KIT).donation, player(game, ENI_ET).donation) == (WHITES, Goods())
    assert player(game, KIT).score == 1


# ---------------------------------------------------------------- not for their producer


def test_donation_goods_are_no_input():
    """DON-2."""
    game = hold(donating(Goods(ultratech=1)), ENI_ET, "colony.antares")
    assert why_not(game, ENI_ET, UpgradeCard(card="colony.antares")) == "lacks_goods"


def test_donation_goods_do_not_pay_for_an_invention():
    """D-05, DON-2."""
    game = hold(stock(donating(), ENI_ET, white=3), ENI_ET, "research.computational_theoreticians")
    assert why_not(game, ENI_ET, Invent(card="research.computational_theoreticians")) == "lacks_goods"


def test_donation_goods_may_be_exchanged_for_equal_ones():
    """D-06, DON-5."""
    species = ("eni_et", "yengii", "zeth", "kjas")
    game = stock(stock(donating(species=species), "eni_et", white=3), "yengii", white=3)
    game = hold(game, "eni_et", "research.computational_theoreticians")
    exchange = (Give(giver=0, to=1, donation=WHITES), Give(giver=1, to=0, goods=WHITES))
    game = deal(game, 0, (1,), *exchange)
    game = play(game, ("eni_et", Invent(card="research.computational_theoreticians")))
    assert (player(game, "eni_et").score, player(game, "eni_et").stock) == (1, Goods())
    assert player(game, "yengii").stock == WHITES


def test_donation_ships_are_neither_announced_nor_bid():
    """D-07, DON-3."""
    game = table("caylion", "kit", "zeth", "kjas", turn=3)
    game = hold(stock(game, "caylion", white=5), "caylion", "caylion.social_exodus")
    game = run_economy(game, {"caylion": (Run(card="caylion.social_exodus"),)})
    area = player(game, "caylion")
    assert (area.stock, area.donation.ship) == (Goods(black=1, ship=2), 2)
    assert why_not(game, "caylion", PlaceBid(colony=2, research=1)) == "too_many_ships"
    assert why_not(game, "caylion", PlaceBid(colony=2)) is None


def test_donation_goods_are_not_traded_as_if_they_were_in_stock():
    """DON-2."""
    game = play(
        donating(), (ENI_ET, ProposeDeal(parties=(0, 1), clauses=(Give(giver=0, to=1, goods=WHITES),)))
    )
    assert why_not(game, KIT, AcceptDeal(deal="d1")) == "lacks_goods"


def test_stock_is_not_traded_as_if_it_were_on_the_donation_card():
    """DON-4."""
    game = stock(table(*FIVE), ENI_ET, white=3)
    clause = Give(giver=0, to=1, donation=WHITES)
    game = play(game, (ENI_ET, ProposeDeal(parties=(0, 1), clauses=(clause,))))
    assert why_not(game, KIT, AcceptDeal(deal="d1")) == "lacks_donation"


# ---------------------------------------------------------------- trading them


def test_donation_goods_wait_for_the_next_trade_phase():
    """DON-2, DON-4."""
    game = run_economy(stock(table(*FIVE), ENI_ET, ultratech=1), {ENI_ET: (Run(card=METAETHICS),)})
    game = until(game, "trade")
    assert (game.turn, player(game, ENI_ET).donation) == (2, WHITES)
    game = deal(game, ENI_ET, (KIT,), Give(giver=0, to=1, donation=Goods(white=2)))
    assert (player(game, KIT).stock, player(game, ENI_ET).donation) == (Goods(white=2), Goods(white=1))


def test_a_traded_donation_point_is_scored_and_cannot_be_traded_on():
    """D-02, DON-4."""
    game = table("faderan", "yengii", "kit", "kjas", turn=3)
    game = stock(change(game, "faderan", donation=Goods(point=1)), "yengii", white=2)
    trade = (Give(giver=0, to=1, donation=Goods(point=1)), Give(giver=1, to=0, goods=Goods(white=2)))
    game = deal(game, 0, (1,), *trade)
    assert (player(game, "yengii").score, goods_of(game, "faderan")) == (1, Goods(white=2))
    on = ProposeDeal(parties=(1, 2), clauses=(Give(giver=1, to=2, goods=Goods(point=1)),))
    assert why_not(game, "yengii", on) == "points_not_tradable"
    again = ProposeDeal(parties=(1, 2), clauses=(Give(giver=1, to=2, donation=Goods(point=1)),))
    game = play(game, ("yengii", again))
    assert why_not(game, "kit", AcceptDeal(deal="d2")) == "lacks_donation"


def test_donation_goods_are_ordinary_goods_for_their_receiver_at_once():
    """D-16, DON-4."""
    game = hold(donating(Goods(black=1)), UNITY, "colony.castor")
    game = deal(game, ENI_ET, (UNITY,), Give(giver=ENI_ET, to=UNITY, donation=Goods(black=1)))
    game = play(game, (UNITY, UpgradeCard(card="colony.castor")))
    assert player(game, UNITY).cards["colony.castor"].flipped


def test_a_received_donation_ship_can_be_bid():
    """DON-4."""
    game = deal(donating(Goods(ship=1)), ENI_ET, (KIT,), Give(giver=0, to=1, donation=Goods(ship=1)))
    assert bid(run_economy(game, {}), kit=(1, 0)).queue[0].ships == 1


def test_one_trade_may_take_from_stock_and_donation_card():
    """DON-4."""
    game = stock(donating(), ENI_ET, white=1)
    clause = Give(giver=0, to=1, goods=Goods(white=1), donation=WHITES)
    assert player(deal(game, ENI_ET, (KIT,), clause), KIT).stock == Goods(white=4)


def test_two_players_may_give_of_their_donations_in_one_trade():
    """DON-4, TRADE-5."""
    game = change(donating(), ZETH, donation=Goods(brown=2))
    clauses = (
        Give(giver=ENI_ET, to=KIT, donation=WHITES),
        Give(giver=ZETH, to=KIT, donation=Goods(brown=1)),
        Give(giver=ZETH, to=KJAS, donation=Goods(brown=1)),
    )
    game = deal(game, ENI_ET, (ZETH, KIT, KJAS), *clauses)
    assert player(game, KIT).stock == Goods(white=3, brown=1)
    assert player(game, KJAS).stock == Goods(brown=1)
    assert player(game, ENI_ET).donation == player(game, ZETH).donation == Goods()


def test_a_trade_of_donation_goods_is_a_trade():
    """DON-4, DON-7."""
    game = deal(donating(), ENI_ET, (ZETH,), Give(giver=0, to=ZETH, donation=WHITES))
    assert (ENI_ET, ZETH) in game.traded


# ---------------------------------------------------------------- forced gifts


def gives(*gifts):
    """Gifts from the donation card."""
    return GiveGifts(gifts=tuple(Gift(to=to, goods=goods) for to, goods in gifts))


def test_a_forced_gift_needs_no_consent_and_is_no_trade():
    """D-03, DON-6, DON-7, B-11."""
    game = close_trading(donating(Goods(white=1, brown=1), seat=KIT))
    assert (game.step, waiting(game)) == ("gifts", (KIT,))
    gift = gives((UNITY, Goods(white=1, brown=1)))
    events = happened(game, KIT, gift)
    assert any(isinstance(event, GiftGiven) for event in events)
    assert not any(isinstance(event, DealStruck) for event in events)
    game = play(game, (KIT, gift))
    assert player(game, UNITY).stock == Goods(white=1, brown=1)
    assert game.traded == frozenset()


def test_units_may_go_to_different_players():
    """D-04, DON-6."""
    game = close_trading(donating())
    one = Goods(white=1)
    game = play(game, (ENI_ET, gives((KIT, one), (ZETH, one), (KJAS, one))))
    assert [player(game, seat).stock for seat in (KIT, ZETH, KJAS)] == [one, one, one]
    assert player(game, ENI_ET).donation == Goods()
    assert game.step == "window"


def test_everything_left_must_be_given_away():
    """DON-6."""
    game = play(close_trading(donating()), (ENI_ET, gives((KIT, Goods(white=1)))))
    assert (game.step, waiting(game)) == ("gifts", (ENI_ET,))
    assert play(game, (ENI_ET, gives((KIT, Goods(white=2))))).step == "window"


def test_a_given_donation_point_is_scored():
    """DON-6, DON-4."""
    game = play(close_trading(donating(Goods(point=2))), (ENI_ET, gives((KIT, Goods(point=2)))))
    assert player(game, KIT).score == 2


@pytest.mark.parametrize(
    ("gift", "code"),
    [
        (gives(), "empty_gift"),
        (gives((KIT, Goods())), "empty_gift"),
        (gives((KIT, Goods(white=1, green=-1))), "empty_gift"),
        (gives((ENI_ET, Goods(white=1))), "bad_receiver"),
        (gives((9, Goods(white=1))), "bad_receiver"),
        (gives((KIT, Goods(white=4))), "lacks_donation"),
        (gives((KIT, Goods(white=2)), (ZETH, Goods(white=2))), "lacks_donation"),
        (gives((KIT, Goods(green=1))), "lacks_donation"),
    ],
)
def test_gifts_are_from_the_donation_card_to_other_players(gift, code):
    """DON-6."""
    assert why_not(close_trading(donating()), ENI_ET, gift) == code


def test_nobody_gives_before_trading_has_closed():
    """DON-6."""
    assert why_not(donating(), ENI_ET, gives((KIT, WHITES))) == "wrong_step"


def test_what_was_traded_away_need_not_be_given():
    """DON-6."""
    game = close_trading(deal(donating(), ENI_ET, (KIT,), Give(giver=0, to=1, donation=WHITES)))
    assert game.step == "window"


def test_a_forced_gift_from_or_to_the_zeth_does_not_make_safe():
    """DON-7."""
    game = stock(stock(donating(), ZETH, black=1), ENI_ET, blue=1)
    game = play(close_trading(game), (ENI_ET, gives((ZETH, WHITES))))
    game = until(run_economy(game, {}), "steal")
    theft = Steal(card="zeth.black_market", cost=1, target=ENI_ET, take=Goods(blue=1))
    assert why_not(game, ZETH, theft) is None


def test_all_goods_of_one_run_of_the_envoys_go_to_one_player():
    """DON-6, ZETH-10."""
    game = stock(table(*FIVE), ZETH, white=3)
    game = run_economy(game, {ZETH: (Run(card="zeth.envoys"),)})
    game = close_trading(until(game, "trade"))
    two = gives((KIT, Goods(blue=1, envoy=1)), (KJAS, Goods(yellow=1)))
    assert why_not(game, ZETH, two) == "must_go_to_one"
    game = play(game, (ZETH, gives((KIT, Goods(blue=1, yellow=1, brown=1, ultratech=1, envoy=1)))))
    assert player(game, KIT).stock == Goods(blue=1, yellow=1, brown=1, ultratech=1, envoy=1)


# ---------------------------------------------------------------- staying there


def test_donation_goods_cannot_be_stolen():
    """DON-9."""
    game = stock(stock(table(*FIVE), ENI_ET, ultratech=1), ZETH, white=2)
    game = run_economy(game, {ENI_ET: (Run(card=METAETHICS),)})
    game = stock(game, KIT, green=2)
    game = until(game, "steal")
    theft = Steal(card="zeth.systemic_bribery", cost=1, target=ENI_ET, take=Goods(white=2))
    assert why_not(game, ZETH, theft) == "nothing_to_steal"


def test_donation_goods_stay_where_they_are_until_the_next_trade_phase():
    """DON-9."""
    game = run_economy(stock(table(*FIVE), ENI_ET, ultratech=1), {ENI_ET: (Run(card=METAETHICS),)})
    for step in ("bid", "trade"):
        game = until(game, step)
        assert player(game, ENI_ET).donation == WHITES


def test_donation_goods_pile_up_beside_stock_of_the_same_kind():
    """DON-9, DON-2."""
    game = swap(stock(donating(), KIT, white=1), KIT, Goods(white=1), ENI_ET)
    area = player(game, ENI_ET)
    assert (area.stock, area.donation) == (Goods(white=1), WHITES)
    assert player(next_turn(game), ENI_ET).donation == Goods()

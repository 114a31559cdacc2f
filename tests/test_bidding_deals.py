"""Deals while bidding: only about the cards bid on, binding, and nothing changes hands yet."""

import pytest

from elysian.actions import AcceptDeal, Buy, Deliver, Pass, PlaceBid, ProposeDeal, SplitBid, TimeUp
from elysian.deals import Deed, Forbear, Give, Lend, License, NoBid, NoSteal, NoTake, Note, Pledge, Undertake
from elysian.events import DealsLapsed
from elysian.goods import Goods
from elysian.rules import refusal, waiting
from tests.support.table import (
    bid,
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

FIVE = ("kit", "unity", "kjas", "zeth", "yengii")
KIT, UNITY, KJAS, ZETH, YENGII = range(5)
GREEN = Goods(green=1)


def bidding():
    """The table when bids are to be placed; Kit and Unity have ships, the Unity green cubes."""
    game = stock(stock(table(*FIVE), KIT, ship=2), UNITY, green=2, ship=1)
    return run_economy(game, {})


def pays(card, who=KIT, payer=UNITY):
    """The payer owes the other a green cube if a card is bought."""
    return Pledge(
        what=Give(giver=payer, to=who, goods=GREEN), due=2, only_if=Deed(who=who, verb="buy", subject=card)
    )


def proposed(*clauses):
    return ProposeDeal(parties=(KIT, UNITY), clauses=clauses)


def test_a_deal_about_who_buys_a_card_is_binding_in_the_next_trade_phase():
    """TRADE-15."""
    game = bidding()
    card = game.colony_track[0]
    game = bid(deal(game, UNITY, (KIT,), pays(card)), kit=(1, 0))
    assert player(game, KIT).stock == Goods(ship=2)
    game = until(play(game, (KIT, Buy(card=card))), "trade")
    assert player(game, KIT).stock == Goods(ship=1, green=1)


def test_a_deal_about_a_card_nobody_bought_comes_to_nothing():
    """TRADE-15."""
    game = bidding()
    game = until(bid(deal(game, UNITY, (KIT,), pays(game.colony_track[0])), kit=(1, 0)), "plan", turn=2)
    assert game.obligations == {}
    assert player(game, UNITY).stock.green == 2


def test_a_card_being_bid_on_may_be_promised_for_the_next_trade_phase():
    """TRADE-15."""
    game = bidding()
    card = game.colony_track[0]
    game = deal(game, KIT, (UNITY,), Pledge(what=Give(giver=KIT, to=UNITY, cards=(card,)), due=2))
    game = until(play(bid(game, kit=(1, 0)), (KIT, Buy(card=card))), "trade")
    assert card in player(game, UNITY).cards


@pytest.mark.parametrize(
    "clause",
    [
        Give(giver=UNITY, to=KIT, goods=GREEN),
        Lend(giver=UNITY, to=KIT, card="unity.adaptive_fabrication"),
    ],
)
def test_nothing_changes_hands_while_bidding(clause):
    """TRADE-15."""
    game = bidding()
    assert why_not(game, KIT, proposed(clause, pays(game.colony_track[0]))) == "nothing_moves_now"


def test_no_licence_is_given_while_bidding():
    """TRADE-15."""
    game = bidding()
    clauses = (
        License(giver=YENGII, to=KIT, technology="nanotechnology"),
        pays(game.colony_track[0], YENGII, KIT),
    )
    assert why_not(game, KIT, ProposeDeal(parties=(KIT, YENGII), clauses=clauses)) == "nothing_moves_now"


def test_a_promise_is_not_paid_while_bidding():
    """TRADE-15."""
    game = deal(
        stock(table(*FIVE), UNITY, green=1),
        UNITY,
        (KIT,),
        Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2),
    )
    game = run_economy(game, {})
    assert why_not(game, UNITY, Deliver(obligation="d1.1")) == "wrong_step"


@pytest.mark.parametrize(
    "clause",
    [
        Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2),
        Undertake(
            to=KIT,
            deed=Deed(who=UNITY, verb="run", subject="unity.adaptive_fabrication"),
            turn=2,
            by="economy",
        ),
        Forbear(who=KIT, to=UNITY, what=NoSteal(target=UNITY), until=1),
        Note(text="good luck"),
    ],
)
def test_nothing_else_is_negotiated_while_bidding(clause):
    """TRADE-15."""
    assert why_not(bidding(), KIT, proposed(clause)) == "only_about_bids"


def test_cards_that_are_not_being_bid_on_are_no_matter_for_a_deal_while_bidding():
    """TRADE-15."""
    game = hold(bidding(), KJAS, "colony.acrux")
    for clause in (
        pays("colony.acrux"),
        Forbear(who=KIT, to=UNITY, what=NoTake(card="colony.acrux"), until=1),
        Undertake(to=UNITY, deed=Deed(who=KIT, verb="buy", subject="colony.acrux"), turn=2, by="confluence"),
    ):
        assert why_not(game, KIT, proposed(clause)) == "only_about_bids"


def test_a_price_may_be_promised_for_leaving_a_card_to_another():
    """TRADE-15."""
    game = bidding()
    first, second = game.colony_track[:2]
    leave = Forbear(who=KIT, to=UNITY, what=NoTake(card=first), until=1)
    price = Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2)
    game = bid(deal(game, UNITY, (KIT,), leave, price), kit=(2, 0), unity=(1, 0))
    assert why_not(game, KIT, Buy(card=first)) == "promised_not_to_take"
    game = play(game, (KIT, Buy(card=second)), (UNITY, Buy(card=first)))
    assert player(until(game, "trade"), KIT).stock == GREEN


def buys(card, who=KIT, to=UNITY):
    """A promise to take a card."""
    return Undertake(to=to, deed=Deed(who=who, verb="buy", subject=card), turn=1, by="confluence")


def test_one_who_promised_to_buy_and_could_not_pays_for_it_in_the_next_trade_phase():
    """TRADE-15, TRADE-11."""
    game = bidding()
    game = until(bid(deal(game, KIT, (UNITY,), buys(game.colony_track[0]))), "trade")
    assert (player(game, KIT).score, len(game.obligations)) == (0, 1)
    assert player(until(game, "window"), KIT).score == -2


def test_a_promised_card_is_taken_when_the_bid_reaches_it():
    """TRADE-10."""
    game = bidding()
    first, second = game.colony_track[:2]
    game = bid(deal(game, KIT, (UNITY,), buys(first)), kit=(1, 0))
    for other in (Pass(), Buy(card=second)):
        assert why_not(game, KIT, other) == "keep_your_word"
    game = play(game, (KIT, Buy(card=first)))
    assert (first in player(game, KIT).cards, game.obligations) == (True, {})


def test_time_up_takes_the_promised_card():
    """TRADE-10."""
    game = bidding()
    card = game.colony_track[0]
    game = play(bid(deal(game, KIT, (UNITY,), buys(card)), kit=(1, 0)), (None, TimeUp()))
    assert card in player(game, KIT).cards


def test_a_bid_that_is_promised_whole_is_not_split():
    """TRADE-10, KJAS-2."""
    game = stock(bidding(), KJAS, ship=4)
    card = game.colony_track[0]
    game = deal(game, KJAS, (UNITY,), buys(card, who=KJAS))
    game = bid(game, kjas=(4, 0))
    assert why_not(game, KJAS, SplitBid()) == "keep_your_word"


def at_least(n, who=KIT, to=UNITY, track="colony"):
    """A promise to bid."""
    return Undertake(to=to, deed=Deed(who=who, verb="bid", subject=track, least=n), turn=1, by="confluence")


def test_who_promised_to_bid_at_least_so_much_bids_it():
    """TRADE-10."""
    game = deal(bidding(), UNITY, (KIT,), at_least(2))
    assert why_not(game, KIT, PlaceBid(colony=1, research=1)) == "keep_your_word"
    assert why_not(game, KIT, PlaceBid(colony=2)) is None
    assert play(game, (None, TimeUp())).obligations == {}


def test_the_only_ship_goes_where_a_bid_was_promised():
    """TRADE-10."""
    for track, elsewhere in (("colony", PlaceBid(research=1)), ("research", PlaceBid(colony=1))):
        game = deal(stock(bidding(), KIT, ship=1), UNITY, (KIT,), at_least(1, track=track))
        illegal = refusal(game, KIT, elsewhere)
        assert illegal is not None
        assert (illegal.code, illegal.facts["deed"]) == ("keep_your_word", PlaceBid(**{track: 1}))


def test_who_lacks_the_ships_for_a_promised_bid_bids_freely_and_settles_later():
    """TRADE-10, TRADE-11."""
    game = deal(bidding(), UNITY, (KIT,), at_least(3))
    assert why_not(game, KIT, PlaceBid(research=1)) is None
    assert player(until(game, "window", turn=2), KIT).score == -2


def test_of_two_promised_bids_the_debtor_keeps_which_he_will():
    """TRADE-10."""
    game = deal(bidding(), UNITY, (KIT,), at_least(2), at_least(1, track="research"))
    assert why_not(game, KIT, PlaceBid(colony=2)) is None
    assert why_not(game, KIT, PlaceBid(research=1)) is None
    assert why_not(game, KIT, PlaceBid(colony=1)) == "keep_your_word"


@pytest.mark.parametrize("locked", [0, 1, 2])
def test_an_offer_about_a_bid_tells_nothing_of_the_bid_that_lies_locked(locked):
    """D-87, TRADE-10."""
    game = stock(bidding(), ZETH, ship=1)
    for seat in (UNITY, KJAS, YENGII):
        game = play(game, (seat, PlaceBid()))
    game = play(game, (KIT, PlaceBid(colony=locked)))
    game = offer(game, ZETH, (KIT,), at_least(2, to=ZETH))
    game = play(game, (KIT, AcceptDeal(deal=newest(game))))
    assert waiting(game) == (KIT, ZETH)
    assert why_not(game, KIT, PlaceBid(colony=1)) == "keep_your_word"


def test_nothing_is_promised_about_bids_when_all_are_locked():
    """D-87, TRADE-10."""
    game = bid(bidding(), kit=(1, 1))
    assert why_not(game, KIT, proposed(at_least(1, track="research"))) == "too_late"
    paid = Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2, only_if=at_least(1).deed)
    assert why_not(game, KIT, proposed(paid)) == "too_late"


def test_a_price_may_hang_on_a_bid():
    """TRADE-10, TRADE-15."""
    paid = Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2, only_if=at_least(2).deed)
    game = deal(bidding(), UNITY, (KIT,), paid)
    for ships, got in ((2, GREEN), (1, Goods())):
        after = until(bid(game, kit=(ships, 0)), "trade", turn=2)
        assert player(after, KIT).stock == Goods(ship=2) + got


def test_one_who_promises_about_bids_after_bidding_bids_again():
    """TRADE-15."""
    game = play(bidding(), (KIT, PlaceBid(colony=2)), (UNITY, PlaceBid(colony=1)))
    cap = Forbear(who=KIT, to=UNITY, what=NoBid(track="colony", most=1), until=1)
    game = deal(game, UNITY, (KIT,), cap)
    assert KIT in waiting(game)
    assert UNITY not in waiting(game)
    assert why_not(game, KIT, PlaceBid(colony=2)) == "promised_not_to_bid"
    assert why_not(game, KIT, PlaceBid(colony=1, research=1)) is None


@pytest.mark.parametrize("step", ["colony_auction", "research_auction"])
def test_bids_that_lie_open_are_no_matter_for_a_promise(step):
    """TRADE-15, BID-2."""
    game = bid(bidding(), kit=(1, 1))
    game = until(game, step)
    cap = Forbear(who=KIT, to=UNITY, what=NoBid(track="research", most=0), until=1)
    assert why_not(game, KIT, proposed(cap)) == "too_late"


def test_an_offer_about_bids_cannot_be_accepted_when_they_lie_open():
    """TRADE-15, BID-2."""
    cap = Forbear(who=KIT, to=UNITY, what=NoBid(track="research", most=0), until=1)
    price = Pledge(what=Give(giver=UNITY, to=KIT, goods=GREEN), due=2)
    game = bid(offer(bidding(), UNITY, (KIT,), cap, price), kit=(1, 1))
    assert game.step == "colony_auction"
    assert why_not(game, KIT, AcceptDeal(deal=newest(game))) == "too_late"


@pytest.mark.parametrize(("step", "space"), [("colony_auction", 0), ("research_auction", 0)])
def test_deals_about_the_cards_are_made_during_the_auctions_too(step, space):
    """TRADE-15."""
    game = until(bid(bidding(), kit=(1, 1)), step)
    track = game.colony_track if step == "colony_auction" else game.research_track
    game = deal(game, UNITY, (KIT,), pays(track[space]))
    game = until(play(game, (KIT, Buy(card=track[space]))), "trade")
    assert player(game, KIT).stock.green == 1


def test_colonies_are_no_matter_for_a_deal_when_their_auction_is_over():
    """TRADE-15."""
    game = bidding()
    colony = game.colony_track[0]
    leave = Forbear(who=KIT, to=UNITY, what=NoTake(card=colony), until=1)
    game = bid(offer(game, UNITY, (KIT,), leave), kit=(0, 1))
    assert game.step == "research_auction"
    for clause in (leave, buys(colony), pays(colony)):
        assert why_not(game, KIT, proposed(clause)) == "only_about_bids"
    assert why_not(game, KIT, AcceptDeal(deal=newest(game))) == "only_about_bids"


def test_a_card_that_is_bought_is_no_matter_for_an_offer_still_open():
    """TRADE-15."""
    game = bidding()
    colony = game.colony_track[0]
    leave = Forbear(who=KIT, to=UNITY, what=NoTake(card=game.colony_track[1]), until=1)
    game = bid(offer(game, KIT, (UNITY,), buys(colony), leave), kit=(2, 0), unity=(1, 0))
    assert why_not(game, UNITY, AcceptDeal(deal=newest(game))) is None
    game = play(game, (KIT, Buy(card=colony)))
    assert why_not(game, UNITY, AcceptDeal(deal=newest(game))) == "only_about_bids"


def test_offers_made_while_bidding_lapse_when_the_auctions_are_over():
    """TRADE-15."""
    game = bidding()
    game = bid(offer(game, UNITY, (KIT,), pays(game.research_track[0])), kit=(0, 1))
    assert game.step == "research_auction"
    events = happened(game, KIT, Buy(card=game.research_track[0]))
    assert DealsLapsed(deals=("d1",)) in events


def test_a_deal_made_while_bidding_is_no_trade_of_the_trade_phase():
    """TRADE-15, ZETH-3."""
    game = bidding()
    leave = Forbear(who=ZETH, to=KIT, what=NoTake(card=game.colony_track[0]), until=1)
    assert deal(game, KIT, (ZETH,), leave).traded == frozenset()


def test_nothing_is_negotiated_in_the_economy_phase():
    """TRADE-15."""
    game = until(stock(table(*FIVE), UNITY, green=1), "plan")
    assert why_not(game, KIT, proposed(pays(game.colony_track[0]))) == "wrong_step"


def test_what_is_promised_while_bidding_is_due_in_the_next_turn_at_the_earliest():
    """TRADE-15."""
    game = bidding()
    card = game.colony_track[0]
    now = Pledge(what=Give(giver=KIT, to=UNITY, cards=(card,)), due=1, at="close")
    assert why_not(game, KIT, proposed(now)) == "too_late"

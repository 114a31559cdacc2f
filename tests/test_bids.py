"""Bids: ships split in secret, locked, and revealed one track after the other."""

import pytest

from elysian.actions import Buy, Pass, PlaceBid, TimeUp
from elysian.events import BidPlaced, BidsRevealed
from elysian.goods import Goods
from elysian.options import options
from elysian.rules import IllegalAction, waiting
from elysian.state import Bid, Run
from elysian.view import all_seen_by, view
from tests.support.table import bid, change, happened, hold, play, player, run_economy, stock, table

FOUR = ("zeth", "faderan", "yengii", "kit")


def bidding(**ships):
    """A table at the bids with these ships in stock, by species."""
    game = run_economy(table(*FOUR), {})
    for who, count in ships.items():
        game = stock(game, who, ship=count)
    return game


def bids(*pairs):
    """Bids of the four seats in order."""
    return [(seat, PlaceBid(colony=c, research=r)) for seat, (c, r) in enumerate(pairs)]


def test_everybody_knows_how_many_ships_everybody_has():
    """BID-1."""
    game = bidding(zeth=3, kit=5)
    for seat in (0, 1, 2, 3, None):
        assert [other.stock.ship for other in view(game, seat).players] == [3, 0, 0, 5]
    assert options(game, 3).ships == 5


def test_donation_ships_are_neither_announced_nor_bid():
    """BID-1, DON-3."""
    game = change(bidding(kit=2), "kit", donation=Goods(ship=2))
    assert view(game, 0).players[3].stock.ship == 2
    assert options(game, 3).ships == 2
    with pytest.raises(IllegalAction, match="too_many_ships"):
        play(game, ("kit", PlaceBid(colony=2, research=1)))


def test_ships_made_in_a_turn_with_donation_ships_are_announced_without_them():
    """D-07, DON-3, BID-1."""
    game = hold(table("caylion", *FOUR, turn=3), "caylion", "caylion.social_exodus")
    game = run_economy(stock(game, "caylion", white=5), {"caylion": (Run(card="caylion.social_exodus"),)})
    assert options(game, 0).ships == 2
    assert player(game, "caylion").donation.ship == 2


@pytest.mark.parametrize(("colony", "research"), [(0, 0), (3, 0), (0, 3), (1, 2), (1, 1)])
def test_ships_are_split_into_two_bids_and_a_rest(colony, research):
    """BID-2."""
    game = play(bidding(zeth=3), ("zeth", PlaceBid(colony=colony, research=research)))
    assert game.bids[0] == Bid(colony=colony, research=research)
    assert player(game, "zeth").stock.ship == 3


@pytest.mark.parametrize(("colony", "research"), [(4, 0), (0, 4), (2, 2)])
def test_no_more_ships_are_bid_than_there_are(colony, research):
    """BID-2."""
    with pytest.raises(IllegalAction, match="too_many_ships"):
        play(bidding(zeth=3), ("zeth", PlaceBid(colony=colony, research=research)))


@pytest.mark.parametrize(("colony", "research"), [(-1, 0), (4, -1)])
def test_a_bid_is_not_negative(colony, research):
    """BID-2."""
    with pytest.raises(IllegalAction, match="bad_quantity"):
        play(bidding(zeth=3), ("zeth", PlaceBid(colony=colony, research=research)))


def test_a_bid_may_be_changed_until_everybody_has_bid():
    """BID-2."""
    game = play(bidding(zeth=3), ("zeth", PlaceBid(colony=3)), ("zeth", PlaceBid(research=1)))
    assert game.bids[0] == Bid(research=1)
    assert waiting(game) == (1, 2, 3)


def test_bids_are_locked_for_both_auctions():
    """BID-2."""
    game = bid(bidding(zeth=3), zeth=(2, 1))
    assert game.step == "colony_auction"
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("zeth", PlaceBid(colony=3)))
    game = play(game, ("zeth", Pass()))
    assert game.step == "research_auction"
    with pytest.raises(IllegalAction, match="wrong_step"):
        play(game, ("zeth", PlaceBid(research=3)))


def test_whoever_does_not_bid_in_time_bids_nothing():
    """BID-2."""
    game = play(bidding(zeth=3, kit=2), ("kit", PlaceBid(colony=1)), (None, TimeUp()))
    assert game.bids[0] == Bid()
    assert [bidder.seat for bidder in game.queue] == [3]


# ---------------------------------------------------------------- secrecy


def test_a_bid_is_secret_until_it_is_revealed():
    """BID-2, COMP-5."""
    game = bidding(zeth=3)
    events = happened(game, "zeth", PlaceBid(colony=2, research=1))
    assert all_seen_by(game, 0, events) == (BidPlaced(by=0, bid=Bid(colony=2, research=1)),)
    for other in (1, 2, 3, None):
        assert all_seen_by(game, other, events) == (BidPlaced(by=0, bid=None),)
    game = play(game, ("zeth", PlaceBid(colony=2, research=1)))
    assert view(game, 0).bid == Bid(colony=2, research=1)
    assert all(view(game, other).bid is None for other in (1, 2, 3, None))


def test_colony_bids_are_revealed_together_when_the_last_has_bid():
    """BID-3."""
    game = play(bidding(zeth=3, kit=2), *bids((2, 1), (0, 0), (0, 0)))
    assert game.queue == ()
    events = happened(game, "kit", PlaceBid(colony=1, research=1))
    revealed = [event for event in events if isinstance(event, BidsRevealed)]
    assert [event.track for event in revealed] == ["colony"]
    assert [bidder.ships for bidder in revealed[0].bids] == [2, 0, 0, 1]


def test_revealed_bids_say_in_which_order_they_act_and_what_broke_each_tie():
    """BID-4, BID-5."""
    game = play(bidding(zeth=3, kit=3), *bids((2, 0), (0, 0), (0, 0)))
    events = happened(game, "kit", PlaceBid(colony=2, research=0))
    (revealed,) = (event for event in events if isinstance(event, BidsRevealed))
    first, second = revealed.order
    after = play(game, ("kit", PlaceBid(colony=2)))
    assert first.seat in waiting(after)
    assert first.counts == second.counts
    assert first.ahead in ("cards", "tiebreaker")
    assert second.ahead is None


def test_research_bids_stay_secret_until_the_colony_auction_is_over():
    """BID-3."""
    game = bid(bidding(zeth=3, kit=2), zeth=(2, 1), kit=(1, 1))
    assert view(game, 1).queue == game.queue
    assert {bidder.ships for bidder in game.queue} == {2, 1}
    assert view(game, 1).bid == Bid()
    game = play(game, ("zeth", Pass()))
    events = happened(game, "kit", Pass())
    revealed = [event for event in events if isinstance(event, BidsRevealed)]
    assert [event.track for event in revealed] == ["research"]
    assert [bidder.ships for bidder in revealed[0].bids] == [1, 0, 0, 1]


def test_the_colony_auction_is_finished_before_the_research_auction():
    """BID-3."""
    game = bid(bidding(zeth=3, kit=2), zeth=(2, 1), kit=(1, 1))
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("zeth", Buy(card=game.research_track[0])))
    game = play(game, ("zeth", Buy(card=game.colony_track[0])))
    assert game.step == "colony_auction"
    assert play(game, ("kit", Pass())).step == "research_auction"


def test_ships_kept_from_a_colony_bid_do_not_strengthen_the_research_bid():
    """D-49, BID-7."""
    game = bid(bidding(zeth=5), zeth=(3, 1))
    game = play(game, ("zeth", Pass()))
    assert [bidder.ships for bidder in game.queue] == [1]
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("zeth", Buy(card=game.research_track[2])))
    game = play(game, ("zeth", Buy(card=game.research_track[0])))
    assert player(game, "zeth").stock.ship == 4


def test_the_options_say_what_each_bid_counts_for_and_reaches():
    """BID-4, BID-6: a bid that counts half reaches less."""
    game = stock(stock(run_economy(table("caylion", *FOUR), {}), "caylion", ship=4), "zeth", ship=2)
    half = {(one.track, one.ships): one for one in options(game, 0).bids}
    assert sorted(half) == [(track, ships) for track in ("colony", "research") for ships in range(5)]
    assert [half["colony", ships].counts for ships in range(5)] == [0, 0.5, 1, 1.5, 2]
    assert half["research", 3].counts == 3
    spaces = list(zip(game.colony_track, game.colony_minimums, strict=True))
    assert half["colony", 0].reaches == half["colony", 1].reaches == ()
    assert half["colony", 4].reaches == tuple(card for card, minimum in spaces if minimum <= 2)
    whole = {(one.track, one.ships): one for one in options(game, 1).bids}
    assert whole["colony", 2].reaches == half["colony", 4].reaches
    assert options(run_economy(table(*FOUR), {}), 0).bids[0].reaches == ()
    assert options(table(*FOUR), 0).bids == ()

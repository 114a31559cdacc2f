"""Auctions: the order of play, buying, passing, and the split bid."""

import pytest

from elysian.actions import Buy, Invent, Pass, SplitBid
from elysian.deals import Track
from elysian.events import BidPassed
from elysian.goods import Goods
from elysian.rules import IllegalAction, waiting
from elysian.rules.confluence import affordable, next_bidder
from elysian.view import view
from tests.support.table import bid, happened, hold, play, player, run_economy, stock, table


def auction(*species, colonies=None, teams=None, **ships):
    """A table at the auctions: bids (colony, research), colonies and research teams held, by species."""
    game = table(*species)
    on_the_track = {*game.colony_track, *game.research_track}
    spare = iter(card for card in game.colonies.cards if card not in on_the_track)
    spare_teams = iter(card for card in game.research.cards if card not in on_the_track)
    for who, count in (teams or {}).items():
        game = hold(game, who, *(next(spare_teams) for _ in range(count)))
    game = run_economy(game, {})
    for who, count in (colonies or {}).items():
        game = hold(game, who, *(next(spare) for _ in range(count)))
    for who, (colony, research) in ships.items():
        game = stock(game, who, ship=colony + research)
    return bid(game, **ships)


def turn_of(game):
    """The species whose turn it is."""
    (seat,) = waiting(game)
    return game.settings.species[seat]


def reach(game):
    """The minimums of the spaces the next bidder may buy from."""
    bidder = next_bidder(game)
    return [game.colony_minimums[space] for space, _ in affordable(game, "colony", bidder)]


def buy_first(game):
    """The table after the next bidder bought the first card in reach."""
    track: Track = "colony" if game.step == "colony_auction" else "research"
    bidder = next_bidder(game)
    return play(game, (bidder.seat, Buy(card=affordable(game, track, bidder)[0][1])))


def order_of(game):
    """The species in the order they act, everybody passing."""
    step, order = game.step, []
    while game.step == step:
        order.append(turn_of(game))
        game = play(game, (order[-1], Pass()))
    return order


# ---------------------------------------------------------------- the order of play


def test_the_highest_bid_acts_first():
    """BID-4."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(1, 0), faderan=(2, 0), yengii=(3, 0))
    assert order_of(game) == ["yengii", "faderan", "zeth"]


def test_nobody_acts_out_of_turn():
    """BID-4."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(1, 0), faderan=(2, 0))
    for action in (Pass(), Buy(card=game.colony_track[0])):
        with pytest.raises(IllegalAction, match="not_your_turn"):
            play(game, ("zeth", action))


def test_a_caylion_colony_bid_counts_half_unrounded_and_is_paid_in_full():
    """D-41, CAY-1, BID-4, BID-6."""
    five = ("faderan", "caylion", "eni_et", "zeth", "kit")
    game = auction(*five, faderan=(3, 0), caylion=(5, 0), eni_et=(2, 0))
    assert order_of(game) == ["faderan", "caylion", "eni_et"]
    game = play(game, ("faderan", Pass()))
    assert reach(game) == [1, 1, 2]
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("caylion", Buy(card=game.colony_track[3])))
    game = play(game, ("caylion", Buy(card=game.colony_track[2])))
    assert player(game, "caylion").stock.ship == 0


def test_a_caylion_bid_of_one_ship_must_pass_and_keep_it():
    """D-42, CAY-1, BID-6."""
    game = auction("faderan", "caylion", "eni_et", "zeth", caylion=(1, 0))
    assert game.step != "colony_auction"
    assert player(game, "caylion").stock.ship == 1


def test_a_caylion_research_bid_is_a_normal_bid():
    """D-43, CAY-1."""
    game = auction("faderan", "caylion", "eni_et", "zeth", caylion=(0, 3), zeth=(0, 2))
    assert turn_of(game) == "caylion"
    game = play(game, ("caylion", Buy(card=game.research_track[3])))
    assert game.research_minimums[3] == 3
    assert turn_of(game) == "zeth"


def test_a_tie_goes_to_the_player_with_fewer_cards_of_that_type():
    """D-44, BID-4."""
    game = auction(
        "faderan", "yengii", "zeth", "eni_et",
        colonies={"faderan": 2, "yengii": 1}, faderan=(1, 0), yengii=(1, 0),
    )  # fmt: skip
    assert turn_of(game) == "yengii"


def test_a_tie_in_cards_too_goes_to_the_higher_tiebreaker():
    """D-44, BID-4."""
    game = auction(
        "yengii", "faderan", "zeth", "eni_et",
        colonies={"faderan": 1, "yengii": 1}, faderan=(1, 0), yengii=(1, 0),
    )  # fmt: skip
    assert turn_of(game) == "faderan"


def test_research_teams_do_not_count_in_a_tie_for_colonies():
    """BID-5."""
    game = auction("yengii", "faderan", "zeth", "eni_et", teams={"faderan": 2}, faderan=(1, 0), yengii=(1, 0))
    assert turn_of(game) == "faderan"


def test_colonies_do_not_count_in_a_tie_for_research():
    """BID-5."""
    game = auction(
        "yengii", "faderan", "zeth", "eni_et", colonies={"faderan": 2}, faderan=(0, 1), yengii=(0, 1)
    )
    assert turn_of(game) == "faderan"


def test_terraformed_and_nullspace_colonies_count_in_a_tie():
    """BID-5, KIT-4."""
    game = run_economy(table("yengii", "faderan", "kit", "eni_et"), {})
    game = hold(hold(game, "faderan", "colony.acrux", flipped=True), "faderan", "nullspace.kln_qn")
    game = hold(game, "yengii", "colony.spica")
    game = stock(stock(game, "faderan", ship=1), "yengii", ship=1)
    assert turn_of(bid(game, faderan=(1, 0), yengii=(1, 0))) == "yengii"


def test_the_kit_win_every_tie_for_colonies():
    """D-45, KIT-7, X-15."""
    game = auction(
        "kit", "zeth", "faderan", "eni_et", colonies={"kit": 5, "zeth": 1}, kit=(3, 0), zeth=(3, 0)
    )
    assert turn_of(game) == "kit"


def test_in_a_tie_for_research_the_kit_count_their_teams():
    """D-45, KIT-7."""
    game = auction("kit", "zeth", "faderan", "eni_et", teams={"kit": 2, "zeth": 1}, kit=(0, 2), zeth=(0, 2))
    assert turn_of(game) == "zeth"


def test_with_as_many_teams_the_kit_win_a_tie_for_research():
    """KIT-7."""
    game = auction(
        "imdril", "kit", "faderan", "eni_et", teams={"kit": 1, "imdril": 1}, kit=(0, 2), imdril=(0, 2)
    )
    assert turn_of(game) == "kit"


def test_invented_technologies_do_not_count_as_research_teams():
    """D-46, YEN-4, INV-6, BID-5."""
    teams = ("research.sociologists", "research.mechanical_engineers", "research.linguistic_analysts")
    game = stock(table("unity", "yengii", "zeth", "kit"), "yengii", white=6, yellow=4, green=6)
    game = hold(hold(game, "yengii", *teams), "unity", "research.memetic_artists", "research.metaethicists")
    game = play(game, *(("yengii", Invent(card=team)) for team in teams))
    game = run_economy(hold(game, "yengii", "research.organic_chemists"), {})
    game = stock(stock(game, "yengii", ship=2), "unity", ship=2)
    assert len(player(game, "yengii").invented) == 3
    assert turn_of(bid(game, yengii=(0, 2), unity=(0, 2))) == "yengii"


# ---------------------------------------------------------------- buying and passing


def test_all_ships_bid_are_paid_whatever_the_minimum():
    """D-50, BID-6."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(4, 0))
    first = game.colony_track[0]
    game = play(stock(game, "zeth", ship=5), ("zeth", Buy(card=first)))
    assert player(game, "zeth").stock == Goods(ship=1)
    assert first in player(game, "zeth").cards


def test_whoever_passes_keeps_the_ships():
    """BID-6."""
    game = play(auction("zeth", "faderan", "yengii", "eni_et", zeth=(4, 0)), ("zeth", Pass()))
    assert player(game, "zeth").stock == Goods(ship=4)


def test_a_card_above_the_bid_is_not_bought():
    """BID-6."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(2, 0))
    assert reach(game) == [1, 1, 2]
    with pytest.raises(IllegalAction, match="cannot_buy"):
        play(game, ("zeth", Buy(card=game.colony_track[3])))


def test_a_card_that_is_not_on_the_track_is_not_bought():
    """BID-6."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(4, 0))
    for card in (game.colonies.cards[0], "no.card", "zeth.envoys"):
        with pytest.raises(IllegalAction, match="cannot_buy"):
            play(game, ("zeth", Buy(card=card)))


def test_a_bid_that_reaches_no_card_any_more_is_passed():
    """BID-6, BID-10."""
    game = auction("zeth", "faderan", "yengii", "kit", zeth=(1, 0), faderan=(1, 0), yengii=(1, 0), kit=(3, 0))
    game = play(game, ("kit", Buy(card=game.colony_track[0])))
    events = happened(game, "faderan", Buy(card=game.colony_track[1]))
    passed = [event for event in events if isinstance(event, BidPassed)]
    assert passed == [BidPassed(by=2, track="colony", ships=1), BidPassed(by=0, track="colony", ships=1)]
    game = buy_first(game)
    assert (player(game, "zeth").stock.ship, player(game, "yengii").stock.ship) == (1, 1)


def test_a_bid_of_nothing_takes_no_part():
    """BID-6."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(1, 0))
    assert [bidder.seat for bidder in game.queue] == [0]


def test_a_player_buys_at_most_one_card_per_track():
    """BID-8."""
    game = auction("zeth", "faderan", "yengii", "eni_et", zeth=(3, 0), faderan=(1, 0))
    game = buy_first(game)
    with pytest.raises(IllegalAction, match="not_your_turn"):
        play(game, ("zeth", Buy(card=game.colony_track[1])))


def test_a_player_may_buy_from_both_tracks():
    """BID-8."""
    game = buy_first(auction("eni_et", "faderan", "yengii", "unity", eni_et=(1, 1)))
    with_colony = len(player(game, "eni_et").cards)
    game = buy_first(game)
    assert len(player(game, "eni_et").cards) == with_colony + 1
    assert player(game, "eni_et").stock.ship == 0


def test_bought_cards_arrive_front_side_up():
    """BID-9."""
    game = auction("eni_et", "faderan", "yengii", "unity", eni_et=(1, 1))
    colony, team = game.colony_track[0], game.research_track[0]
    game = play(game, ("eni_et", Buy(card=colony)), ("eni_et", Buy(card=team)))
    for card in (colony, team):
        held = player(game, "eni_et").cards[card]
        assert (held.flipped, held.seedling, held.owner) == (False, False, None)


def test_a_space_stays_empty_for_the_rest_of_the_auction():
    """BID-10."""
    game = auction("eni_et", "faderan", "yengii", "unity", eni_et=(1, 0), faderan=(2, 0))
    third = game.colony_track[2]
    deck = game.colonies
    game = play(game, ("faderan", Buy(card=third)))
    assert game.colony_track[2] is None
    assert third not in game.colony_track
    assert game.colonies == deck


# ---------------------------------------------------------------- the split bid


def kjas_game(colonies, **ships):
    """An auction with the Kjas in the first seat."""
    return auction("kjas", "imdril", "zeth", "unity", "yengii", colonies=colonies, **ships)


def test_both_halves_of_a_split_bid_wait_for_their_turn():
    """D-47, KJAS-2, KJAS-3, BID-4."""
    game = kjas_game(
        {"kjas": 2, "zeth": 1, "unity": 1}, kjas=(5, 0), imdril=(4, 0), zeth=(3, 0), unity=(2, 0)
    )
    game = play(game, ("kjas", SplitBid()))
    order = []
    while game.step == "colony_auction":
        order.append((turn_of(game), next_bidder(game).ships))
        action = Buy(card=game.colony_track[2]) if order[-1] == ("kjas", 3) else Pass()
        game = play(game, (order[-1][0], action))
    assert order == [("imdril", 4), ("zeth", 3), ("kjas", 3), ("unity", 2), ("kjas", 2)]


def test_a_colony_bought_with_the_first_half_counts_in_a_tie_of_the_second():
    """D-48, KJAS-3, BID-5."""
    game = play(kjas_game({"kjas": 2, "yengii": 3}, kjas=(4, 0), yengii=(2, 0)), ("kjas", SplitBid()))
    assert turn_of(game) == "kjas"
    game = buy_first(game)
    assert turn_of(game) == "kjas"  # three colonies each, and six is more than five
    game = kjas_game({"kjas": 2, "yengii": 2}, kjas=(4, 0), yengii=(2, 0))
    game = buy_first(play(game, ("kjas", SplitBid())))
    assert turn_of(game) == "yengii"


def test_each_half_is_paid_on_its_own_and_buys_a_colony():
    """KJAS-3, BID-8."""
    game = play(kjas_game({}, kjas=(5, 0)), ("kjas", SplitBid()))
    assert next_bidder(game).ships == 3
    game = buy_first(game)
    assert player(game, "kjas").stock.ship == 2
    assert reach(game) == [1, 1, 2]
    game = buy_first(game)
    assert player(game, "kjas").stock.ship == 0
    assert game.step != "colony_auction"


def test_a_half_is_not_split_again():
    """KJAS-3."""
    game = play(kjas_game({}, kjas=(5, 0)), ("kjas", SplitBid()))
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("kjas", SplitBid()))


def test_a_bid_of_one_may_be_split_and_the_other_half_passes():
    """KJAS-4."""
    game = play(kjas_game({}, kjas=(1, 0)), ("kjas", SplitBid()))
    assert [bidder.ships for bidder in game.queue] == [1, 0]
    first = game.colony_track[0]
    events = happened(game, "kjas", Buy(card=first))
    assert BidPassed(by=0, track="colony", ships=0) in events
    game = buy_first(game)
    assert first in player(game, "kjas").cards
    assert player(game, "kjas").stock.ship == 0


def test_only_the_kjas_split_and_only_for_colonies():
    """KJAS-2."""
    game = kjas_game({}, kjas=(0, 2), zeth=(2, 0))
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("zeth", SplitBid()))
    game = play(game, ("zeth", Pass()))
    assert game.step == "research_auction"
    with pytest.raises(IllegalAction, match="cannot_split"):
        play(game, ("kjas", SplitBid()))


def test_the_view_says_in_which_order_bids_act_and_why():
    """BID-4, BID-5: the bid, then fewer cards, then the tiebreaker."""
    game = auction(
        "zeth", "faderan", "unity", "kit", "caylion",
        zeth=(2, 0), faderan=(2, 0), unity=(3, 0), kit=(2, 0), caylion=(4, 0),
        colonies={"faderan": 1},
    )  # fmt: skip
    seen = view(game, None).standing
    assert seen[0].seat == game.settings.species.index("unity") == waiting(game)[0]
    assert seen[0].ahead == "bid"
    assert [(one.ships, one.counts) for one in seen if one.seat == 4] == [(4, 2.0)]
    assert seen[1].seat == 3
    assert (seen[1].ahead, seen[1].held) == ("cards", -1)
    assert seen[-1].ahead is None
    order = [one.seat for one in seen]
    while game.step == "colony_auction":
        (seat,) = waiting(game)
        assert seat == order.pop(0)
        game = play(game, (game.settings.species[seat], Pass()))
    assert view(game, None).standing == ()

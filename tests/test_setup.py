"""Components and set-up: what the box holds, what everybody begins with, what may be known."""

from typing import Any

import pytest
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    DeclineDeal,
    DiscardColonies,
    PlaceBid,
    ProposeDeal,
    TimeUp,
    WithdrawDeal,
)
from elysian.deals import ANYONE, Give, Pledge
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import DealOffered, DealsLapsed, DealStruck
from elysian.goods import Goods
from elysian.rules import new_game, start
from elysian.state import Run, Settings
from elysian.view import all_seen_by, seen_by, view
from tests.support.table import (
    bid,
    change,
    deal,
    happened,
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
    why_not,
)

FOUR = ("caylion", "eni_et", "faderan", "yengii")
NINE = ("caylion", "eni_et", "faderan", "imdril", "kjas", "kit", "unity", "yengii", "zeth")


# ---------------------------------------------------------------- components


def test_the_supply_of_goods_never_runs_out():
    """COMP-1."""
    game = stock(table("unity", "kit", "kjas", "eni_et"), "unity", wild_small=60, wild_large=60)
    game = run_economy(game, {"unity": (Run(card="unity.adaptive_fabrication"),)})
    assert player(game, "unity").stock == Goods(wild_small=61, wild_large=61, ship=1)


def test_every_colony_and_research_team_of_the_box_is_somewhere_exactly_once():
    """COMP-2, SETUP-6."""
    game = table(*NINE, bare=False)
    held = [card for area in game.players for card in area.cards]
    colonies = [c for c in held if c.startswith("colony.")] + [*game.colony_track, *game.colonies.cards]
    teams = [c for c in held if c.startswith("research.")] + [*game.research_track, *game.research.cards]
    assert (len(colonies), len(set(colonies))) == (40, 40)
    assert (len(teams), len(set(teams))) == (41, 41)
    assert sorted(game.relics) == sorted(CATALOG.relics)


def test_the_acknowledgements_in_the_box_lie_with_the_faderan():
    """COMP-3."""
    game = table(*FOUR, bare=False)
    assert [area.stock.acknowledgement for area in game.players] == [0, 0, 11, 0]


def test_ships_of_another_species_are_as_good_as_ones_own():
    """COMP-6."""
    game = stock(stock(table(*FOUR), "eni_et", ship=1), "yengii", ship=2)
    game = until(swap(game, "yengii", Goods(ship=2), "eni_et"), "bid")
    ships = player(game, "eni_et").stock.ship
    assert ships >= 3
    game = play(game, ("eni_et", PlaceBid(colony=ships)))
    assert game.bids[1].colony == ships


# ---------------------------------------------------------------- what may be known


def test_nobody_else_can_know_a_score():
    """COMP-5."""
    game = table(*FOUR)
    richer = change(game, "yengii", score=20)
    for seat in (0, 1, 2, None):
        assert view(richer, seat) == view(game, seat)
    assert view(richer, 3).score == 20


def test_stocks_donation_cards_and_species_decks_are_public():
    """COMP-5."""
    game = change(stock(table(*FOUR), "faderan", white=2), "faderan", donation=Goods(point=1))
    seen = view(game, 0).players[2]
    area = player(game, "faderan")
    assert (seen.stock, seen.donation) == (Goods(white=2, acknowledgement=11), Goods(point=1))
    assert (seen.deck, seen.cards) == (area.deck, area.cards)


def test_only_the_top_of_a_deck_is_open():
    """COMP-5."""
    game = table(*FOUR)
    first, *rest = game.colonies.cards
    shuffled = replace(game, colonies=replace(game.colonies, cards=(first, *rest[::-1])))
    assert view(shuffled, 0) == view(game, 0)
    assert view(game, 0).colony_deck.top == first
    other_top = replace(game, colonies=replace(game.colonies, cards=(*rest, first)))
    assert view(other_top, 0).colony_deck.top == rest[0]


def test_the_order_of_the_relic_deck_is_known_to_nobody():
    """COMP-5."""
    game = table(*FOUR)
    shuffled = replace(game, relics=game.relics[::-1])
    assert all(view(shuffled, seat) == view(game, seat) for seat in (*game.seats(), None))


def test_what_was_put_under_a_deck_is_known_in_its_order():
    """COMP-5."""
    game = hold(table(*FOUR, "unity"), "unity", "colony.acrux", "colony.spica", "colony.vega")
    game = play(until(game, "support"), ("unity", DiscardColonies(cards=("colony.vega", "colony.acrux"))))
    assert view(game, 0).colony_deck.under == ("colony.vega", "colony.acrux")


def test_ships_set_aside_are_secret_until_all_bids_are_revealed():
    """COMP-5."""
    game = until(stock(table(*FOUR), "yengii", ship=5), "bid")
    one = play(game, ("yengii", PlaceBid(colony=1)))
    other = play(game, ("yengii", PlaceBid(colony=2, research=3)))
    assert view(one, 0) == view(other, 0)
    assert view(other, 3).bid is not None
    (event,) = happened(game, "yengii", PlaceBid(colony=1))
    heard: Any = seen_by(game, 0, event)
    assert heard.bid is None
    revealed = bid(game, yengii=(2, 3))
    assert [(b.seat, b.ships) for b in view(revealed, 0).queue] == [(3, 2)]


def test_deals_are_public_once_they_are_struck():
    """COMP-5."""
    game = table(*FOUR, private_offers=True)
    later = Pledge(what=Give(giver=0, to=1, goods=Goods(green=1)), due=2)
    game = offer(game, 0, (1,), later)
    assert [bool(view(game, who).deals) for who in (1, 2, None)] == [True, False, False]
    struck = deal(game, 0, (1,), later)
    assert [owed.clause for owed in view(struck, 2).obligations.values()] == [later]
    event = DealStruck(by=1, deal=newest(game), parties=(0, 1))
    assert seen_by(game, 2, event) == event


def test_of_a_private_offer_others_hear_nothing_until_it_is_struck():
    """COMP-5."""
    game = table(*FOUR, private_offers=True)
    give = Give(giver=0, to=1, goods=Goods(green=1))
    made = ProposeDeal(parties=(0, 1, 2), clauses=(give,))
    offered = play(game, (0, made))
    for table_then, who, action in (
        (game, 0, made),
        (offered, 1, AcceptDeal(deal="d1")),
        (offered, 1, DeclineDeal(deal="d1")),
        (offered, 0, WithdrawDeal(deal="d1")),
        (offered, None, TimeUp()),
    ):
        events = happened(table_then, who, action)
        about = [e for e in events if isinstance(e, DealOffered | DealsLapsed) or hasattr(e, "deal")]
        assert about
        assert all(event in all_seen_by(table_then, 2, events) for event in about)
        for stranger in (3, None):
            assert not any(event in all_seen_by(table_then, stranger, events) for event in about)
    for asked in (AcceptDeal(deal="d1"), DeclineDeal(deal="d1"), WithdrawDeal(deal="d1")):
        assert why_not(offered, 3, asked) == "no_such_offer"
    answer = ProposeDeal(parties=(3, 0), clauses=(Give(giver=0, to=3, goods=Goods(green=1)),), answers="d1")
    assert why_not(offered, 3, answer) == "no_such_offer"


def test_an_offer_to_anyone_is_for_all_to_see_at_every_table():
    """COMP-5."""
    game = table(*FOUR, private_offers=True)
    made = ProposeDeal(parties=(0, ANYONE), clauses=(Give(giver=0, to=ANYONE, goods=Goods(green=1)),))
    events = happened(game, 0, made)
    assert all_seen_by(game, 3, events) == all_seen_by(game, None, events) == events
    assert list(view(play(game, (0, made)), 3).deals) == ["d1"]


def test_offers_are_open_to_all_unless_the_table_wants_them_private():
    """COMP-5."""
    game = offer(table(*FOUR), 0, (1,), Give(giver=0, to=1, goods=Goods(green=1)))
    assert view(game, 2).deals == game.deals != {}


def test_what_chance_decided_is_not_told_with_the_start_of_the_game():
    """COMP-5."""
    event = start(Settings(species=FOUR), 1)
    heard: Any = seen_by(new_game(FOUR, 1), 0, event)
    assert (heard.colonies, heard.research, heard.relics) == (event.colonies[:1], event.research[:1], ())
    assert heard.colony_track == event.colony_track


# ---------------------------------------------------------------- set-up


@pytest.mark.parametrize("players", [2, 3])
def test_fewer_than_four_players_cannot_begin(players):
    """SETUP-1."""
    with pytest.raises(IllegalAction, match="bad_player_count"):
        new_game(NINE[:players], seed=1)


def test_more_than_nine_players_cannot_begin():
    """SETUP-1."""
    with pytest.raises(IllegalAction, match="bad_player_count"):
        new_game((*NINE, "kit"), seed=1)


def test_three_players_may_play_where_that_is_allowed():
    """SETUP-1, SETUP-5, SETUP-7."""
    game = new_game(("kit", "unity", "zeth"), seed=1, allow_three=True)
    assert game.colony_minimums == game.research_minimums == (1, 2, 3)
    assert game.bonus == new_game(FOUR, seed=1).bonus


def test_no_species_is_played_twice():
    """SETUP-1."""
    with pytest.raises(IllegalAction, match="species_twice"):
        new_game(("kit", "unity", "zeth", "kit"), seed=1)


def test_a_species_nobody_knows_cannot_play():
    """SETUP-1."""
    with pytest.raises(IllegalAction, match="unknown_species"):
        new_game(("kit", "unity", "zeth", "klingons"), seed=1)


@pytest.mark.parametrize("species", NINE)
def test_starting_cards_are_in_play_front_side_up_and_all_others_in_the_deck(species):
    """SETUP-2."""
    others = [name for name in NINE if name != species][:3]
    area = player(table(species, *others), species)
    own = [card for card in CATALOG.cards.values() if card.species == species and card.kind != "relic"]
    assert set(area.cards) == {card.id for card in own if card.start}
    assert set(area.deck) == {card.id for card in own if not card.start}
    assert not any(held.flipped for held in area.cards.values())


def test_species_decks_are_not_shuffled():
    """SETUP-2."""
    one, other = table(*FOUR, seed=1), table(*FOUR, seed=2)
    assert [area.deck for area in one.players] == [area.deck for area in other.players]


@pytest.mark.parametrize(
    ("species", "colonies", "research"),
    [
        ("caylion", 1, 0),
        ("eni_et", 1, 0),
        ("faderan", 1, 1),
        ("imdril", 0, 1),
        ("kjas", 2, 0),
        ("kit", 1, 1),
        ("unity", 1, 1),
        ("yengii", 1, 1),
        ("zeth", 1, 1),
    ],
)
def test_each_species_is_dealt_its_colonies_and_its_era_one_research_team(species, colonies, research):
    """SETUP-3, SETUP-8, B-32."""
    others = [name for name in NINE if name != species][:3]
    cards = player(table(species, *others, bare=False), species).cards
    settled = [card for card in cards if CATALOG.cards[card].kind == "colony"]
    teams = [card for card in cards if CATALOG.cards[card].kind == "research"]
    assert (len(settled), len(teams)) == (colonies, research)
    assert all(CATALOG.cards[card].era == 1 for card in teams)
    assert not any(cards[card].flipped for card in (*settled, *teams))


def test_chance_deals_other_cards_in_another_game_and_the_same_in_the_same():
    """SETUP-3."""
    assert new_game(NINE, seed=1) == new_game(NINE, seed=1)
    one, other = new_game(NINE, seed=1), new_game(NINE, seed=2)
    assert one.colony_track != other.colony_track
    assert one.relics != other.relics
    games = [new_game(NINE, seed=seed) for seed in range(6)]
    for kind in ("colony", "research"):
        dealt = [{c for c in player(game, "kit").cards if CATALOG.cards[c].kind == kind} for game in games]
        assert any(cards != dealt[0] for cards in dealt)


def test_the_starting_colony_of_the_caylion_has_a_seedling():
    """SETUP-8."""
    game = new_game(NINE, seed=1)
    seeded = [(area.species, c) for area in game.players for c, held in area.cards.items() if held.seedling]
    assert len(seeded) == 1
    assert seeded[0][0] == "caylion"
    assert CATALOG.cards[seeded[0][1]].kind == "colony"


def test_the_technology_deck_goes_from_era_one_to_four_each_shuffled_on_its_own():
    """SETUP-4."""
    orders = []
    for seed in (1, 2):
        game = new_game(FOUR, seed=seed)
        cards = [*game.research_track, *game.research.cards]
        eras = [CATALOG.cards[card].era for card in cards]
        assert eras == sorted(eras)
        orders.append([[card for card in cards if CATALOG.cards[card].era == era] for era in (1, 2, 3, 4)])
    for era, (one, other) in enumerate(zip(*orders, strict=True), start=1):
        assert one != other
        assert era == 1 or set(one) == set(other)


@pytest.mark.parametrize(
    ("players", "minimums"),
    [
        (4, (1, 1, 2, 3)),
        (5, (1, 1, 2, 3, 3)),
        (6, (1, 1, 1, 2, 3, 3)),
        (7, (1, 1, 1, 2, 2, 3, 4)),
        (8, (1, 1, 1, 1, 2, 2, 3, 4)),
    ],
)
def test_tracks_are_as_long_as_there_are_players(players, minimums):
    """SETUP-5, SETUP-6, B-5."""
    game = new_game([name for name in NINE if name != "kjas"][:players], seed=1)
    assert game.colony_minimums == game.research_minimums == minimums
    assert len(game.colony_track) == len(game.research_track) == players
    assert None not in (*game.research_track, *game.colony_track)


@pytest.mark.parametrize(
    ("players", "minimums", "research"),
    [
        (4, (1, 1, 2, 3, 3), (1, 1, 2, 3)),
        (9, (1, 1, 1, 1, 1, 2, 2, 3, 4, 4), (1, 1, 1, 1, 2, 2, 3, 4, 4)),
    ],
)
def test_the_kjas_lengthen_the_colony_track_alone(players, minimums, research):
    """SETUP-5."""
    game = new_game(("kjas", *(name for name in NINE if name != "kjas"))[:players], seed=1)
    assert game.colony_minimums == minimums
    assert len(game.colony_track) == players + 1
    assert game.research_minimums == research
    assert len(game.research_track) == players


@pytest.mark.parametrize(
    ("players", "bonus"),
    [
        (4, ((6, 3), (5, 2), (4, 2), (4, 1), (3, 1), (2, 0))),
        (5, ((6, 3), (6, 2), (5, 1), (4, 1), (3, 1), (1, 0))),
        (6, ((6, 3), (6, 2), (5, 1), (4, 1), (2, 0), (1, 0))),
        (7, ((7, 2), (6, 2), (5, 1), (4, 1), (2, 0), (0, 0))),
        (9, ((7, 2), (6, 2), (5, 1), (4, 1), (2, 0), (0, 0))),
    ],
)
def test_the_sharing_bonus_follows_the_number_of_players_the_kjas_counting_once(players, bonus):
    """SETUP-7."""
    game = new_game(("kjas", *(name for name in NINE if name != "kjas"))[:players], seed=1)
    assert game.bonus == bonus


def test_everybody_begins_with_the_goods_of_the_board():
    """SETUP-8."""
    game = new_game(NINE, seed=1)
    caylion = Goods(black=2, green=5, white=4, brown=2, ship=1)
    assert player(game, "caylion").stock == caylion
    assert player(game, "unity").stock == Goods(ultratech=1, wild_large=3, wild_small=4)
    zeth = Goods(blue=2, yellow=1, black=2, green=1, white=1, brown=2, ship=1)
    assert player(game, "zeth").stock == zeth
    assert [area.score for area in game.players] == [0] * 9


def test_where_no_rule_gives_an_order_seats_act_in_seat_order():
    """SETUP-9."""
    game = hold(table("unity", "zeth", "kjas", "imdril"), "imdril", "colony.vega")
    game = hold(game, "unity", "colony.acrux", "colony.spica")
    game = until(until(game, "support"), "plan")
    assert game.colonies.cards[-2:] == ("colony.spica", "colony.vega")

"""Kit: pairs that are one converter, nullspace colonies, no limit and the first choice in ties."""

import pytest

from elysian.actions import AcceptDeal, DiscardColonies, Pass, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import Deed, Give, Lend, Undertake
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import Goods
from tests.support.arrange import acting, at_auction, colony_track, held, holder, relics, run
from tests.support.table import (
    change,
    deal,
    hold,
    newest,
    offer,
    play,
    player,
    run_economy,
    seat_of,
    stock,
    table,
    until,
)

FOUR = ("kit", "unity", "zeth", "faderan")
NULLSPACE = CATALOG.by_kind("nullspace")


def lend(game, giver, to, card):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Lend(giver=a, to=b, card=card))


def give(game, giver, to, *cards):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Give(giver=a, to=b, cards=cards))


# ---------------------------------------------------------------- pairs

CRAFT = ("kit.hand_crafted", "kit.polyutility_components")
LAB = ("kit.anarchic_sacrificial", "kit.high_risk_laboratories")
SOCIAL = ("kit.expansive_social", "kit.diffusion")


@pytest.mark.parametrize(
    ("pair", "flipped", "paid", "made", "donated"),
    [
        (CRAFT, (False, False), Goods(), Goods(ultratech=1, ship=1), Goods()),
        (CRAFT, (True, False), Goods(), Goods(ultratech=1, green=1, brown=1, ship=1), Goods()),
        (CRAFT, (False, True), Goods(), Goods(ultratech=1, blue=1, ship=1), Goods()),
        (CRAFT, (True, True), Goods(), Goods(ultratech=1, green=1, brown=1, blue=1, ship=1), Goods()),
        (LAB, (False, False), Goods(ultratech=1), Goods(white=1, green=1, brown=2), Goods()),
        (LAB, (True, False), Goods(ultratech=1), Goods(black=1, white=1, green=1, brown=2), Goods()),
        (LAB, (False, True), Goods(ultratech=1), Goods(white=2, green=2, brown=2), Goods()),
        (LAB, (True, True), Goods(ultratech=1), Goods(black=1, white=2, green=2, brown=2), Goods()),
        (SOCIAL, (False, False), Goods(green=5), Goods(blue=1, yellow=1, black=1, ship=4), Goods()),
        (
            SOCIAL,
            (True, False),
            Goods(green=5),
            Goods(blue=1, yellow=1, black=1, ship=4, white=1, brown=1),
            Goods(),
        ),
        (
            SOCIAL,
            (False, True),
            Goods(green=5),
            Goods(blue=1, yellow=1, black=1, ship=4),
            Goods(white=1, brown=1),
        ),
        (
            SOCIAL,
            (True, True),
            Goods(green=5),
            Goods(blue=1, yellow=1, black=1, ship=4, white=1, brown=1),
            Goods(white=1, brown=1),
        ),
    ],
)
def test_a_pair_takes_and_makes_what_both_halves_show(pair, flipped, paid, made, donated):
    """KIT-1, KIT-2."""
    game = hold(table(*FOUR), "kit", pair[0], flipped=flipped[0])
    game = stock(hold(game, "kit", pair[1], flipped=flipped[1]), "kit", paid)
    kit = player(run_economy(game, {"kit": (run(pair[0]),)}), "kit")
    assert (kit.stock, kit.donation) == (made, donated)


@pytest.mark.parametrize("pair", [CRAFT, LAB, SOCIAL])
def test_a_pair_runs_once_and_not_by_halves(pair):
    """KIT-1, ECON-3."""
    game = stock(table(*FOUR), "kit", green=10, ultratech=2)
    with pytest.raises(IllegalAction, match="already_ran"):
        run_economy(game, {"kit": (run(pair[0]), run(pair[0]))})
    with pytest.raises(IllegalAction, match="no_such_converter"):
        run_economy(game, {"kit": (run(pair[0]), run(pair[1]))})


def test_a_promise_to_run_either_half_is_kept_by_running_the_pair():
    """KIT-1, TRADE-10."""
    for half in CRAFT:
        deed = Deed(who=0, verb="run", subject=half)
        game = deal(table(*FOUR), 0, (1,), Undertake(to=1, deed=deed, turn=1, by="economy"))
        kept = run_economy(game, {"kit": (run(CRAFT[0]),)})
        assert (player(kept, "kit").score, kept.obligations) == (0, {})
        with pytest.raises(IllegalAction, match="keep_your_word"):
            run_economy(game, {})


@pytest.mark.parametrize("half", SOCIAL)
def test_a_pair_is_lent_as_one_card_and_comes_home_as_one(half):
    """KIT-2, X-10."""
    game = stock(lend(table(*FOUR), "kit", "unity", half), "unity", green=3, wild_small=2)
    assert {holder(game, card) for card in SOCIAL} == {"unity"}
    game = run_economy(game, {"unity": (run(SOCIAL[0], green=3, wild_small=2),)})
    assert player(game, "unity").stock == Goods(blue=1, yellow=1, black=1, ship=4)
    game = until(game, "trade", turn=2)
    assert {holder(game, card) for card in SOCIAL} == {"kit"}


@pytest.mark.parametrize("halves", [SOCIAL, SOCIAL[::-1]], ids=["leading half first", "other half first"])
def test_a_pair_named_by_both_halves_is_lent_once(halves):
    """KIT-2."""
    lent = [Lend(giver=0, to=1, card=half) for half in halves]
    game = deal(table(*FOUR), "kit", ["unity"], *lent)
    assert {holder(game, card) for card in SOCIAL} == {"unity"}
    game = offer(table(*FOUR), "kit", ["unity"], lent[0], lent[0])
    with pytest.raises(IllegalAction, match="lacks_card"):
        play(game, ("unity", AcceptDeal(deal=newest(game))))


def test_the_halves_of_a_pair_cannot_go_to_two_players():
    """KIT-2."""
    game = offer(
        table(*FOUR),
        "kit",
        ["unity", "zeth"],
        Lend(giver=0, to=1, card=SOCIAL[0]),
        Lend(giver=0, to=2, card=SOCIAL[1]),
    )
    game = play(game, ("unity", AcceptDeal(deal=newest(game))))
    with pytest.raises(IllegalAction, match="lacks_card"):
        play(game, ("zeth", AcceptDeal(deal=newest(game))))


def test_a_borrower_lends_a_pair_on_as_one():
    """KIT-2, TRADE-7."""
    game = lend(lend(table(*FOUR), "kit", "unity", CRAFT[0]), "unity", "zeth", CRAFT[1])
    assert {holder(game, card) for card in CRAFT} == {"zeth"}
    with pytest.raises(IllegalAction, match="not_your_card"):
        run_economy(game, {"kit": (run(CRAFT[0]),)})


def test_each_half_is_upgraded_on_its_own():
    """KIT-2, UPG-2."""
    game = hold(table(*FOUR), "kit", "kit.clinical_immortality", "kit.hyperspace_mining")
    game = play(game, ("kit", UpgradeCard(card=LAB[0], way=0)))
    assert (held(game, "kit", LAB[0]).flipped, held(game, "kit", LAB[1]).flipped) == (True, False)
    game = play(game, ("kit", UpgradeCard(card=LAB[1], way=0)))
    assert held(game, "kit", LAB[1]).flipped
    assert set(player(game, "kit").spent.values()) == set(LAB)


def test_a_lent_pair_cannot_be_upgraded_by_spending_a_technology():
    """X-10, UPG-2, X-16."""
    game = hold(table(*FOUR), "kit", "kit.clinical_immortality")
    game = hold(lend(game, "kit", "unity", LAB[0]), "unity", "unity.clinical_immortality")
    with pytest.raises(IllegalAction, match="not_your_card"):
        play(game, ("kit", UpgradeCard(card=LAB[0], way=0)))
    with pytest.raises(IllegalAction, match="only_its_owner"):
        play(game, ("unity", UpgradeCard(card=LAB[0], way=0)))


# ---------------------------------------------------------------- nullspace colonies


@pytest.mark.parametrize("card", NULLSPACE)
def test_a_nullspace_colony_enters_play_for_its_yellow_cubes_and_runs_this_turn(card):
    """KIT-3, VIO-4."""
    price = CATALOG.cards[card].entry.cost.goods
    converter = CATALOG.cards[card].front.converters[0]
    assert price in (Goods(yellow=1), Goods(yellow=2))
    game = stock(table(*FOUR), "kit", price + converter.costs[0].goods)
    game = play(game, ("kit", PutIntoPlay(card=card)))
    assert (player(game, "kit").stock, player(game, "kit").score) == (converter.costs[0].goods, 0)
    game = run_economy(game, {"kit": (run(card),)})
    assert player(game, "kit").stock == converter.gain


def test_any_number_of_nullspace_colonies_enter_play_in_one_turn():
    """KIT-3, KIT-6."""
    game = stock(table(*FOUR), "kit", yellow=19)
    for card in NULLSPACE:
        game = play(game, ("kit", PutIntoPlay(card=card)))
    game = until(game, "plan")
    assert set(NULLSPACE) <= set(player(game, "kit").cards)  # and none is given up


def test_nobody_else_puts_a_nullspace_colony_into_play():
    """KIT-4, VIO-4."""
    game = stock(table(*FOUR), "unity", yellow=2)
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("unity", PutIntoPlay(card="nullspace.kln_qn")))


def test_a_nullspace_colony_has_no_second_side():
    """KIT-4."""
    game = stock(hold(table(*FOUR), "kit", "nullspace.kln_qn"), "kit", green=9, yellow=9)
    with pytest.raises(IllegalAction, match="no_such_upgrade"):
        play(game, ("kit", UpgradeCard(card="nullspace.kln_qn")))


def test_a_traded_nullspace_colony_stays_with_its_new_holder():
    """KIT-4, TRADE-6."""
    game = give(hold(table(*FOUR), "kit", "nullspace.kln_qn"), "kit", "zeth", "nullspace.kln_qn")
    game = run_economy(game, {"zeth": (run("nullspace.kln_qn"),)})
    assert player(game, "zeth").stock.white == 1
    assert holder(until(game, "trade", turn=2), "nullspace.kln_qn") == "zeth"


def test_a_nullspace_colony_is_not_lent():
    """KIT-4, TRADE-6."""
    game = hold(table(*FOUR), "kit", "nullspace.kln_qn")
    with pytest.raises(IllegalAction, match="not_lent_but_given"):
        lend(game, "kit", "zeth", "nullspace.kln_qn")


def test_a_nullspace_colony_counts_for_support_and_is_removed_when_given_up():
    """KIT-4, KIT-5, ECON-2."""
    game = hold(table(*FOUR), "unity", "nullspace.kln_qn", "colony.acrux")
    before = game.colonies.cards
    game = until(game, "support")
    game = play(game, ("unity", DiscardColonies(cards=("nullspace.kln_qn",))))
    assert game.removed == ("nullspace.kln_qn",)
    assert game.colonies.cards == before


def test_a_nullspace_colony_counts_in_ties():
    """KIT-4, BID-5."""
    game = hold(table(*FOUR), "faderan", "nullspace.kln_qn")
    game = at_auction(colony_track(game, "colony.acrux"), faderan=(1, 0), zeth=(1, 0))
    assert acting(game) == ("zeth", 1)  # though the Faderan have the better tiebreaker


def test_a_consumed_nullspace_colony_leaves_the_game_for_good():
    """D-78, KIT-5, VIO-6."""
    game = hold(table(*FOUR), "faderan", "nullspace.kln_qn")
    game = stock(relics(game, "relic.stars_ruin"), "faderan", white=4)
    dig = RunConverter(card="faderan.relic_deck", colonies=("nullspace.kln_qn",))
    before = game.colonies.cards
    game = play(game, ("faderan", dig))
    assert game.removed == ("nullspace.kln_qn",)
    assert game.colonies.cards == before
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(stock(game, "kit", yellow=2), ("kit", PutIntoPlay(card="nullspace.kln_qn")))


# ---------------------------------------------------------------- no limit, and ties


def test_the_kit_keep_any_number_of_colonies():
    """KIT-6, ECON-1."""
    many = CATALOG.colonies[:20]
    game = until(hold(table(*FOUR), "kit", *many), "plan")
    assert set(many) <= set(player(game, "kit").cards)


def test_the_kit_win_every_tie_for_colonies_whatever_they_hold():
    """D-45, KIT-7."""
    five = ("colony.regulus", "colony.spica", "colony.vega", "colony.rigel", "colony.wezen")
    game = hold(table(*FOUR), "kit", *five)
    game = at_auction(colony_track(game, "colony.acrux"), kit=(3, 0), zeth=(3, 0), faderan=(3, 0))
    assert acting(game) == ("kit", 3)


def test_a_higher_bid_still_comes_before_the_kit():
    """KIT-7, BID-4."""
    game = at_auction(colony_track(table(*FOUR), "colony.acrux"), kit=(3, 0), zeth=(4, 0))
    assert acting(game) == ("zeth", 4)


def test_in_ties_for_research_the_teams_count_first_and_then_the_kit_win():
    """D-45, KIT-7."""
    game = hold(table(*FOUR), "kit", "research.sociologists", "research.organic_chemists")
    game = hold(game, "zeth", "research.metaethicists")
    bids = {"kit": (0, 2), "zeth": (0, 2), "faderan": (0, 2)}
    fewest_first = at_auction(game, **bids)
    assert acting(fewest_first) == ("faderan", 2)
    assert acting(play(fewest_first, ("faderan", Pass()))) == ("zeth", 2)
    even = hold(table(*FOUR), "kit", "research.sociologists")
    even = at_auction(hold(even, "zeth", "research.metaethicists"), kit=(0, 2), zeth=(0, 2))
    assert acting(even) == ("kit", 2)


def test_the_kit_hold_the_stock_they_started_with():
    """KIT-1, SETUP-8."""
    kit = player(table(*FOUR, bare=False), "kit")
    assert kit.stock == Goods(ultratech=1, blue=1, yellow=1, black=1, green=3, white=2, brown=3)
    assert set(CRAFT + LAB + SOCIAL) <= set(kit.cards)
    assert set(NULLSPACE) <= set(kit.deck)


def test_a_wild_cube_pays_for_a_nullspace_colony():
    """KIT-3, UNI-3."""
    game = change(table(*FOUR), "kit", stock=Goods(wild_large=1, yellow=1))
    pay = Goods(wild_large=1, yellow=1)
    game = play(game, ("kit", PutIntoPlay(card="nullspace.kln_qn", pay=pay)))
    assert player(game, "kit").stock == Goods()

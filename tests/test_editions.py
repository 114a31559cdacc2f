"""The editions and the options: what each preset does, and what is the same in all of them."""

import pytest

from elysian.actions import (
    ChooseHandicap,
    Done,
    Gift,
    GiveGifts,
    Invent,
    LayPlan,
    RunConverter,
    Steal,
    TimeUp,
    UpgradeCard,
)
from elysian.deals import Give, Lend, Pledge
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import TimeCalled
from elysian.goods import Goods
from elysian.rules import new_game, waiting
from elysian.state import Handicap, Run
from tests.support.table import (
    change,
    close_trading,
    deal,
    goods_of,
    happened,
    hold,
    play,
    player,
    run_economy,
    stock,
    table,
    until,
    why_not,
)

EDITIONS = ("2017", "2020", "de2021")
FOUR = ("kit", "unity", "faderan", "zeth")
TEAM = "research.sociologists"

in_each_edition = pytest.mark.parametrize("edition", EDITIONS)


def inventing(species, team=TEAM, **settings):
    """The table after the first seat invented."""
    game = hold(stock(table(*species, **settings), 0, Goods(white=30)), 0, team)
    return play(game, (0, Invent(card=team)))


# ---------------------------------------------------------------- where the presets differ


@pytest.mark.parametrize(("edition", "tokens"), [("2017", 10), ("2020", 11), ("de2021", 11)])
def test_each_edition_has_its_number_of_acknowledgements(edition, tokens):
    """B-1."""
    assert player(new_game(FOUR, 1, edition), "faderan").stock.acknowledgement == tokens


@pytest.mark.parametrize(("edition", "browns"), [("2017", 0), ("2020", 2), ("de2021", 2)])
def test_the_zeth_began_without_brown_cubes_in_2017(edition, browns):
    """SETUP-8."""
    assert player(new_game(FOUR, 1, edition), "zeth").stock.brown == browns


@pytest.mark.parametrize(
    ("edition", "colony"), [("2017", (1, 2, 2, 3)), ("2020", (1, 1, 2, 3)), ("de2021", (1, 1, 2, 3))]
)
def test_the_colony_track_for_four_was_dearer_in_2017(edition, colony):
    """B-5."""
    game = new_game(FOUR, 1, edition)
    assert (game.colony_minimums, game.research_minimums) == (colony, (1, 1, 2, 3))
    assert new_game(("kjas", *FOUR[1:]), 1, edition).colony_minimums == (1, 1, 2, 3, 3)


@in_each_edition
def test_three_players_are_too_few_in_every_edition(edition):
    """B-7."""
    with pytest.raises(IllegalAction, match="bad_player_count"):
        new_game(FOUR[:3], 1, edition)


def test_an_edition_nobody_printed_is_refused():
    with pytest.raises(IllegalAction, match="unknown_edition"):
        new_game(FOUR, 1, "1999")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edition", "at_once", "at_sharing"), [("2017", 1, 7), ("2020", 1, 7), ("de2021", 7, 7)]
)
def test_the_sharing_bonus_comes_at_sharing_or_in_the_german_edition_at_once(edition, at_once, at_sharing):
    """B-12, D-28."""
    game = inventing(FOUR, edition=edition)
    assert player(game, "kit").score == at_once
    assert player(run_economy(game, {}), "kit").score == at_sharing


@in_each_edition
def test_the_bonus_for_the_last_turns_inventions_is_paid_in_every_edition(edition):
    """B-13."""
    game = inventing(FOUR, edition=edition, turn=6)
    assert player(run_economy(game, {}), "kit").score == 1 + 2


@pytest.mark.parametrize(("edition", "twelfths"), [("2017", 53), ("2020", 41), ("de2021", 41)])
def test_precise_scoring_counts_every_piece_at_the_values_of_the_edition(edition, twelfths):
    """OPT-3, B-26."""
    game = table("kit", "unity", "faderan", "kjas", edition=edition, precise_scoring=True, turn=6)
    left = Goods(ultratech=2, yellow=2, black=2, wild_large=1, white=2, green=2, ship=3)
    game = run_economy(change(stock(game, 0, left), 0, score=40), {})
    assert (game.scores[0].goods, game.scores[0].total) == (twelfths, 480 + twelfths)


def test_scoring_is_rough_unless_the_table_wants_it_precise():
    """OPT-3."""
    game = stock(table("kit", "unity", "faderan", "kjas", turn=6), 0, white=2, black=1)
    assert run_economy(game, {}).scores[0].goods == 0


# ---------------------------------------------------------------- what is the same in all of them


@in_each_edition
def test_a_violet_converter_runs_once_a_turn(edition):
    """B-8."""
    game = hold(table(*FOUR, edition=edition), 2, "relic.paradise_converter", "colony.acrux", "colony.vega")
    game = play(game, (2, RunConverter(card="relic.paradise_converter", colonies=("colony.acrux",))))
    again = RunConverter(card="relic.paradise_converter", colonies=("colony.vega",))
    assert why_not(game, 2, again) == "already_ran"


@in_each_edition
def test_paradise_converter_is_violet(edition):
    """B-33."""
    game = hold(table(*FOUR, edition=edition), 2, "relic.paradise_converter", "colony.acrux")
    ran = play(game, (2, RunConverter(card="relic.paradise_converter", colonies=("colony.acrux",))))
    assert player(ran, "faderan").score == 2
    game = until(game, "plan")
    assert why_not(game, 2, LayPlan(runs=(Run(card="relic.paradise_converter"),))) == "no_such_converter"


@in_each_edition
def test_trading_closes_when_all_but_one_are_done(edition):
    """B-9."""
    game = play(table(*FOUR, edition=edition), *((seat, Done()) for seat in (0, 1, 2)))
    assert game.step == "window"


@in_each_edition
def test_technologies_are_still_invented_after_trading_has_closed(edition):
    """B-10."""
    game = hold(stock(table(*FOUR, edition=edition), 0, white=6), 0, TEAM)
    assert why_not(close_trading(game), 0, Invent(card=TEAM)) is None


@in_each_edition
def test_gifts_cannot_be_refused_and_are_no_trade(edition):
    """B-11."""
    game = close_trading(change(table(*FOUR, edition=edition), 0, donation=Goods(white=1)))
    game = play(game, (0, GiveGifts(gifts=(Gift(to=3, goods=Goods(white=1)),))))
    assert (player(game, "zeth").stock, game.traded) == (Goods(white=1), frozenset())


@in_each_edition
def test_the_last_turn_has_no_confluence_phase_but_the_steal(edition):
    """B-14, B-15, B-16."""
    game = stock(stock(table(*FOUR, edition=edition, turn=6), 0, blue=1), 3, black=1)
    game = run_economy(game, {})
    assert game.step == "steal"
    game = play(game, (3, Steal(card="zeth.black_market", cost=1, target=0, take=Goods(blue=1))))
    assert (game.step, player(game, "zeth").stock) == ("over", Goods(blue=1))


@in_each_edition
def test_wild_cubes_cannot_be_stolen(edition):
    """B-17."""
    game = stock(stock(table(*FOUR, edition=edition), 1, wild_large=2, blue=1), 3, black=1)
    game = until(run_economy(game, {}), "steal")
    theft = Steal(card="zeth.black_market", cost=1, target=1, take=Goods(wild_large=1))
    assert why_not(game, 3, theft) == "cannot_take_that"


@in_each_edition
def test_wild_cubes_pass_through_an_interest_converter(edition):
    """B-18."""
    card = "eni_et.mutual_understanding"
    game = stock(table("eni_et", *FOUR[1:], edition=edition), "unity", wild_small=1, green=1)
    game = deal(game, 0, (1,), Lend(giver=0, to=1, card=card))
    game = run_economy(game, {1: (Run(card=card, pay=Goods(wild_small=1, green=1)),)})
    assert player(game, "unity").stock == Goods(wild_small=1, green=3)


@in_each_edition
def test_a_broken_promise_is_compensated_by_consent_or_costs_points_even_below_zero(edition):
    """B-19, B-20."""
    owed = Pledge(what=Give(giver=0, to=1, goods=Goods(ultratech=1)), due=1, at="close")
    game = stock(table(*FOUR, edition=edition), 0, white=1)
    game = close_trading(deal(game, 0, (1,), owed))
    assert player(play(game, (0, Done())), 0).score == -2
    paid = deal(game, 0, (1,), Give(giver=0, to=1, goods=Goods(white=1)), settles=("d1.1",))
    assert (player(paid, 0).score, player(paid, 1).stock) == (0, Goods(white=1))


@in_each_edition
def test_a_card_is_spent_for_an_upgrade_only_while_its_owner_holds_both(edition):
    """B-21."""
    game = table("kjas", *FOUR[1:], edition=edition)
    game = hold(game, 0, "kjas.nanotechnology", "kjas.genetic_engineering")
    upgrade = UpgradeCard(card="kjas.genetic_engineering", way=0)
    assert why_not(game, 0, upgrade) is None
    parted = deal(game, 0, (1,), Lend(giver=0, to=1, card="kjas.nanotechnology"))
    assert why_not(parted, 0, upgrade) == "lacks_technology"
    game = hold(game, 1, f"{FOUR[1]}.nanotechnology")
    game = deal(game, 0, (1,), Lend(giver=0, to=1, card="kjas.genetic_engineering"))
    assert why_not(game, 0, upgrade) == "not_your_card"
    assert why_not(game, 1, upgrade) == "only_its_owner"


@in_each_edition
def test_an_era_four_invention_earns_the_sharing_bonus(edition):
    """B-22."""
    game = inventing(FOUR, "research.cultural_polymorphologists", edition=edition, turn=5)
    assert player(run_economy(game, {}), 0).score == 8 + 3


@in_each_edition
def test_technologies_of_the_yengii_are_not_shared(edition):
    """B-23."""
    game = run_economy(inventing(("yengii", *FOUR[1:]), edition=edition), {})
    assert "unity.ubiquitous_cultural_repository" in player(game, "unity").deck
    assert player(game, "yengii").score == 1 + 3


@in_each_edition
def test_a_consumed_nullspace_colony_leaves_the_game(edition):
    """B-24."""
    game = hold(table(*FOUR, edition=edition), 2, "relic.paradise_converter", "nullspace.zd_nx")
    game = play(game, (2, RunConverter(card="relic.paradise_converter", colonies=("nullspace.zd_nx",))))
    assert game.removed == ("nullspace.zd_nx",)
    assert "nullspace.zd_nx" not in (*game.colonies.cards, *player(game, "kit").deck)


@in_each_edition
def test_a_long_loan_is_made_again_each_turn(edition):
    """B-25."""
    loan = Pledge(what=Lend(giver=0, to=1, card="kjas.underground_cities"), due=2, at="close")
    game = table("kjas", *FOUR[1:], edition=edition)
    game = deal(game, 0, (1,), Lend(giver=0, to=1, card="kjas.underground_cities"), loan)
    game = until(run_economy(game, {}), "trade")
    assert "kjas.underground_cities" in player(game, 0).cards
    assert "kjas.underground_cities" in player(until(game, "window"), 1).cards


@in_each_edition
def test_the_last_economy_phase_makes_exactly_the_colours_printed(edition):
    """B-28."""
    game = hold(table(*FOUR, edition=edition, turn=6), 2, "relic.library_of_entelechy")
    game = run_economy(game, {2: (Run(card="relic.library_of_entelechy"),)})
    assert goods_of(game, 2) == Goods(black=1, green=1, white=1)


@in_each_edition
def test_players_who_tie_at_the_end_win_together(edition):
    """B-29."""
    game = table("kit", "unity", "faderan", "kjas", edition=edition, turn=6)
    game = run_economy(change(change(game, 0, score=9), 3, score=9), {})
    assert [score.winner for score in game.scores] == [True, False, False, True]


def test_disputed_cards_read_as_in_the_newer_printing():
    """B-34."""
    (control,) = CATALOG.cards["imdril.galactic_telecomm_control"].front.converters
    assert control.gain == Goods(green=1, white=1, brown=1, point=3)


# ---------------------------------------------------------------- options


def test_there_is_no_trade_timer_unless_one_is_agreed():
    """OPT-1."""
    assert new_game(FOUR, 1).settings.trade_minutes is None


@pytest.mark.parametrize("minutes", [0, -5])
def test_a_trade_timer_runs_for_some_minutes(minutes):
    """OPT-1."""
    with pytest.raises(IllegalAction, match="bad_timer"):
        new_game(FOUR, 1, trade_minutes=minutes)


@pytest.mark.parametrize("edition", ["2017", "2020"])
def test_the_trade_timer_ends_trading(edition):
    """OPT-1."""
    game = play(table(*FOUR, edition=edition, trade_minutes=10), (None, TimeUp()))
    assert game.step == "window"


def test_the_german_trade_timer_is_only_a_reminder():
    """OPT-1."""
    game = table(*FOUR, edition="de2021", trade_minutes=8)
    assert happened(game, None, TimeUp()) == (TimeCalled(),)
    game = play(game, (None, TimeUp()))
    assert (game.step, waiting(game)) == ("trade", (0, 1, 2, 3))


@in_each_edition
def test_a_handicap_adds_or_removes_one_small_cube_of_the_colour_named(edition):
    """OPT-2, B-27."""
    handicaps = (Handicap(seat=0, cubes=1, colour="white"), Handicap(seat=2, cubes=-1, colour="brown"))
    plain, game = new_game(FOUR, 1, edition), new_game(FOUR, 1, edition, handicaps=handicaps)
    assert player(game, 0).stock - player(plain, 0).stock == Goods(white=1)
    assert player(plain, 2).stock - player(game, 2).stock == Goods(brown=1)
    assert game.step == "trade"


@pytest.mark.parametrize("edition", ["2017", "2020"])
def test_the_colour_of_a_handicap_is_named_at_set_up(edition):
    """B-27."""
    with pytest.raises(IllegalAction, match="handicap_needs_colour"):
        new_game(FOUR, 1, edition, handicaps=(Handicap(seat=0, cubes=1),))


def test_in_the_german_edition_the_player_chooses_the_colour_before_the_first_turn():
    """OPT-2, B-27."""
    game = new_game(FOUR, 1, "de2021", handicaps=(Handicap(seat=2, cubes=-1),))
    before = player(game, 2).stock
    assert (game.step, waiting(game)) == ("handicap", (2,))
    assert why_not(game, 0, Done()) == "wrong_step"
    assert why_not(game, 0, ChooseHandicap(colour="white")) == "not_waited_for"
    assert why_not(game, 2, ChooseHandicap(colour="green")) == "bad_handicap_colour"
    game = play(game, (2, ChooseHandicap(colour="brown")))
    assert (game.step, before - player(game, 2).stock) == ("trade", Goods(brown=1))
    assert why_not(game, 2, ChooseHandicap(colour="white")) == "wrong_step"


@pytest.mark.parametrize(
    ("handicaps", "code"),
    [
        ((Handicap(seat=0, cubes=2, colour="white"),), "bad_handicap"),  # type: ignore[arg-type]
        ((Handicap(seat=4, cubes=1, colour="white"),), "bad_handicap"),
        (
            (Handicap(seat=0, cubes=1, colour="white"), Handicap(seat=0, cubes=1, colour="green")),
            "bad_handicap",
        ),
        ((Handicap(seat=0, cubes=1, colour="black"),), "bad_handicap_colour"),
        ((Handicap(seat=2, cubes=-1, colour="green"),), "bad_handicap_colour"),
    ],
)
def test_a_handicap_is_one_small_cube_of_one_player(handicaps, code):
    """OPT-2."""
    with pytest.raises(IllegalAction, match=code):
        new_game(FOUR, 1, handicaps=handicaps)


def test_a_wild_cube_can_be_removed_from_one_who_has_nothing_else():
    """OPT-2."""
    game = new_game(FOUR, 1, handicaps=(Handicap(seat=1, cubes=-1, colour="wild_small"),))
    assert player(game, "unity").stock.wild_small == 3


def test_a_wild_cube_is_added_where_wild_cubes_are_part_of_the_start():
    """OPT-2."""
    plain = new_game(FOUR, 1)
    grey = Handicap(seat=FOUR.index("unity"), cubes=1, colour="wild_small")
    game = new_game(FOUR, 1, handicaps=(grey,))
    assert player(game, "unity").stock == player(plain, "unity").stock + Goods(wild_small=1)
    with pytest.raises(IllegalAction, match="bad_handicap_colour"):
        new_game(FOUR, 1, handicaps=(Handicap(seat=FOUR.index("kit"), cubes=1, colour="wild_small"),))

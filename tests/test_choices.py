"""Promises of a choice: who chooses, when, and what changes hands when nobody did."""

import pytest

from elysian.actions import (
    AcceptDeal,
    ChooseGoods,
    ProposeDeal,
)
from elysian.deals import ANYONE, Lot, OneOf, Pledge
from elysian.goods import CUBES, LARGE_CUBES, SMALL_CUBES, Goods
from elysian.plan_preview import planned
from elysian.rules.owing import owed_by
from elysian.view import seen_by, view
from elysian.worth.plans import hand_of
from tests.support.table import (
    deal,
    happened,
    next_turn,
    offer,
    play,
    player,
    pledged,
    stock,
    table,
    until,
    why_not,
)

FIVE = ("kit", "unity", "kjas", "eni_et", "yengii")
KIT, UNITY, KJAS, ENI_ET, YENGII = range(5)
GREEN = Goods(green=1)


def promised(game, *clauses):
    """The table after the Kit and the Unity agreed on promises."""
    return deal(game, KIT, (UNITY,), *clauses)


def chooses(*lots, by="creditor", due=2, at="start", giver=KIT, to=UNITY):
    """A promise of one of several lots."""
    return Pledge(what=OneOf(giver=giver, to=to, lots=lots, chosen_by=by), due=due, at=at)


def small(n):
    """Some small cubes of any colour."""
    return Lot(cubes=n, kinds=SMALL_CUBES)


ULTRATECH = Lot(goods=Goods(ultratech=1))
HAS = {"green": 2, "white": 1, "brown": 1}


@pytest.mark.parametrize(
    ("chosen", "gets"),
    [
        (None, Goods(green=2)),
        (Goods(white=1, brown=1), Goods(white=1, brown=1)),
        (Goods(white=2), Goods(white=1, green=1)),
    ],
)
def test_what_the_creditor_chose_in_advance_changes_hands_as_far_as_it_is_there(chosen, gets):
    """D-82, TRADE-17."""
    game = promised(stock(table(*FIVE), KIT, Goods(**HAS)), chooses(small(2)))
    if chosen is not None:
        game = play(game, (UNITY, ChooseGoods(obligation="d1.1", goods=chosen)))
    game = next_turn(game)
    assert (player(game, UNITY).stock, game.obligations, game.choices) == (gets, {}, {})


def test_a_choice_may_be_changed_and_taken_back_until_it_is_due():
    """TRADE-17."""
    game = promised(stock(table(*FIVE), KIT, Goods(**HAS)), chooses(small(1), at="close"))
    for goods in (Goods(white=1), Goods(brown=1)):
        game = play(game, (UNITY, ChooseGoods(obligation="d1.1", goods=goods)))
    assert view(game, UNITY).choices == {"d1.1": Goods(brown=1)}
    assert player(until(next_turn(game), "window"), UNITY).stock == Goods(brown=1)
    game = play(game, (UNITY, ChooseGoods(obligation="d1.1", goods=Goods())))
    assert view(game, UNITY).choices == {}


def test_a_choice_is_known_to_the_one_who_chose_alone():
    """TRADE-17, COMP-5."""
    game = promised(stock(table(*FIVE), KIT, Goods(**HAS)), chooses(small(2)))
    choice = ChooseGoods(obligation="d1.1", goods=Goods(white=1, brown=1))
    (event,) = happened(game, UNITY, choice)
    assert seen_by(game, UNITY, event) == event
    assert [seen_by(game, seat, event) for seat in (None, KIT, KJAS)] == [None, None, None]
    game = play(game, (UNITY, choice))
    assert [view(game, seat).choices for seat in (None, KIT, KJAS)] == [{}, {}, {}]


@pytest.mark.parametrize(
    ("who", "goods", "code"),
    [
        (KIT, Goods(green=2), "no_such_promise"),
        (UNITY, Goods(green=3), "none_of_the_lots"),
        (UNITY, Goods(blue=2), "none_of_the_lots"),
        (UNITY, Goods(ultratech=2), "none_of_the_lots"),
        (UNITY, Goods(green=1, wild_small=1), None),
    ],
)
def test_who_may_choose_chooses_one_of_the_lots(who, goods, code):
    """TRADE-17."""
    game = promised(table(*FIVE), chooses(small(2)))
    assert why_not(game, who, ChooseGoods(obligation="d1.1", goods=goods)) == code


def test_it_is_too_late_to_choose_when_a_promise_is_due():
    """TRADE-17."""
    game = next_turn(promised(table(*FIVE), chooses(small(2))))
    assert why_not(game, UNITY, ChooseGoods(obligation="d1.1", goods=Goods(green=2))) == "too_late"


def test_a_debtor_who_did_not_choose_gives_what_is_lowest_by_book_value():
    """TRADE-17, COMP-4."""
    game = stock(table(*FIVE), KIT, ultratech=2, green=2, blue=3, wild_small=2)
    lots = (ULTRATECH, small(2), Lot(cubes=2, kinds=CUBES))
    assert player(next_turn(promised(game, chooses(*lots, by="debtor"))), UNITY).stock == Goods(green=2)
    assert player(next_turn(promised(game, chooses(*lots))), UNITY).stock == Goods(ultratech=1)
    mixed = chooses(Lot(cubes=3, kinds=CUBES), by="debtor")
    assert player(next_turn(promised(game, mixed)), UNITY).stock == Goods(green=2, wild_small=1)


def test_a_debtor_may_choose_as_well():
    """TRADE-17."""
    game = stock(table(*FIVE), KIT, ultratech=1, green=3)
    game = promised(game, chooses(ULTRATECH, small(3), by="debtor"))
    game = play(game, (KIT, ChooseGoods(obligation="d1.1", goods=Goods(ultratech=1))))
    assert player(next_turn(game), UNITY).stock == Goods(ultratech=1)


def test_a_creditor_may_choose_only_what_the_debtor_has():
    """TRADE-17."""
    game = promised(stock(table(*FIVE), KIT, green=3), chooses(ULTRATECH, small(3)))
    game = play(game, (UNITY, ChooseGoods(obligation="d1.1", goods=Goods(ultratech=1))))
    assert player(next_turn(game), UNITY).stock == Goods(green=3)


def test_cubes_of_one_size_or_some_colours_are_asked_for():
    """TRADE-17."""
    game = stock(table(*FIVE), KIT, ultratech=1, green=5, white=1, blue=1, wild_large=1)
    large = Lot(cubes=2, kinds=LARGE_CUBES)
    assert player(next_turn(promised(game, chooses(large))), UNITY).stock == Goods(blue=1, wild_large=1)
    pale = Lot(cubes=1, kinds=("white", "brown"))
    assert player(next_turn(promised(game, chooses(pale))), UNITY).stock == Goods(white=1)


def test_what_a_choice_will_take_this_turn_is_set_aside_in_the_debtors_plan():
    """TRADE-17; what the creditor chose in secret shows in no plan of the debtor."""
    game = stock(table(*FIVE), KIT, green=2, blue=1, white=1)
    lots = (Lot(goods=Goods(blue=1)), small(2))
    ours = promised(game, chooses(*lots, by="debtor", due=1, at="close"))
    assert planned(ours, KIT, ()).owed == Goods(blue=1)
    assert planned(ours, KIT, ()).left == Goods(green=2, white=1)
    chosen = play(ours, (KIT, ChooseGoods(obligation="d1.1", goods=Goods(green=1, white=1))))
    assert planned(chosen, KIT, ()).owed == Goods(green=1, white=1)
    theirs = promised(game, chooses(*lots, due=1, at="close"))
    secret = play(theirs, (UNITY, ChooseGoods(obligation="d1.1", goods=Goods(white=2))))
    assert planned(theirs, KIT, ()) == planned(secret, KIT, ())
    assert planned(theirs, UNITY, ()).owed == Goods()


def test_nothing_is_set_aside_yet_for_a_choice_of_a_later_turn():
    """TRADE-17."""
    game = promised(stock(table(*FIVE), KIT, Goods(**HAS)), chooses(small(2), due=3))
    for turn, aside in ((1, Goods()), (2, Goods()), (3, Goods(green=2))):
        owed = owed_by(KIT, game.obligations.values(), turn, Goods(**HAS), {})
        assert (owed.now, owed.next) == (aside, Goods())


def test_a_plan_of_a_debtor_leaves_what_a_choice_will_take():
    """TRADE-17: what goes at the close of trading pays for no converter."""
    game = stock(table(*FIVE), KIT, green=2, white=1)
    owing = promised(game, chooses(small(2), by="debtor", due=1, at="close"))
    assert hand_of(view(game, KIT), KIT).stock == Goods(green=2, white=1)
    assert hand_of(view(owing, KIT), KIT).stock == Goods(white=1)


def test_a_part_of_a_single_lot_is_handed_over_and_the_rest_stays_owed():
    """TRADE-17, TRADE-11."""
    game = next_turn(promised(stock(table(*FIVE), KIT, green=1), chooses(small(3))))
    assert player(game, UNITY).stock == GREEN
    assert pledged(game.obligations["d1.1"]).lots == (small(2),)
    assert player(until(game, "window"), KIT).score == -2


def test_a_choice_that_cannot_be_served_costs_what_the_cheapest_lot_costs():
    """TRADE-17, TRADE-11."""
    game = next_turn(promised(table(*FIVE), chooses(small(3), ULTRATECH, Lot(goods=Goods(ship=4)))))
    assert player(until(game, "window"), KIT).score == -2
    game = next_turn(promised(stock(table(*FIVE), KIT, green=2), chooses(small(3), ULTRATECH)))
    assert player(game, UNITY).stock == Goods()
    game = until(game, "window")
    assert (player(game, KIT).score, player(game, UNITY).stock) == (-1, Goods(green=2))


@pytest.mark.parametrize(
    ("lots", "code"),
    [
        ((), "empty_clause"),
        ((Lot(),), "empty_clause"),
        ((Lot(cubes=2),), "empty_clause"),
        ((Lot(kinds=("green",)),), "empty_clause"),
        ((Lot(cubes=1, kinds=("ultratech",)),), "bad_quantity"),
        ((Lot(cubes=1, kinds=("green", "green")),), "bad_quantity"),
        ((Lot(cubes=-1, kinds=("green",)),), "bad_quantity"),
        ((Lot(goods=Goods(point=1)),), "tokens_not_tradable"),
        ((Lot(goods=Goods(green=1)),) * 7, "empty_clause"),
    ],
)
def test_a_lot_names_cubes_ships_and_octagons(lots, code):
    """TRADE-17."""
    assert why_not(table(*FIVE), KIT, ProposeDeal(parties=(0, 1), clauses=(chooses(*lots),))) == code


def test_whoever_takes_an_open_offer_may_be_the_one_who_chooses():
    """TRADE-17, TRADE-4."""
    game = stock(table(*FIVE), KIT, Goods(**HAS))
    game = offer(game, KIT, (ANYONE,), chooses(small(2), to=ANYONE))
    game = play(game, (KJAS, AcceptDeal(deal="d1")))
    assert why_not(game, KJAS, ChooseGoods(obligation="d1.1", goods=Goods(white=2))) is None

"""Offers: who may make, take, counter, decline and withdraw them, and when trading closes."""

import pytest

from elysian.actions import AcceptDeal, DeclineDeal, Done, NotDone, ProposeDeal, WithdrawDeal
from elysian.deals import ANYONE, Deed, Forbear, Give, Lend, License, NoSteal, Note, Pledge, Undertake
from elysian.events import DealsLapsed, DealStruck
from elysian.goods import Goods
from elysian.rules import waiting
from elysian.rules.deals import MOST_OFFERS
from elysian.view import view
from tests.table import (
    deal,
    happened,
    newest,
    offer,
    play,
    player,
    promise,
    stock,
    swap,
    table,
    until,
    why_not,
)

SIX = ("kit", "unity", "kjas", "eni_et", "faderan", "yengii")
GREEN = Goods(green=1)
FREE_GREEN = Give(giver=0, to=1, goods=GREEN)
FREE_GREEN_TO_ANYONE = Give(giver=0, to=ANYONE, goods=GREEN)


def with_greens(count=1, **more):
    """Six players, the first with green cubes."""
    return stock(table(*SIX, **more), 0, green=count)


# ---------------------------------------------------------------- making one


@pytest.mark.parametrize("parties", [(0,), (1, 2), (0, 1, 1), (0, 6), (0, -2), ()])
def test_an_offer_has_its_proposer_and_somebody_else_as_parties(parties):
    """TRADE-4."""
    assert (
        why_not(with_greens(), 0, ProposeDeal(parties=parties, clauses=(Note(text="hm"),))) == "bad_parties"
    )


@pytest.mark.parametrize(
    "clause",
    [
        Give(giver=0, to=2, goods=GREEN),
        Give(giver=2, to=1, goods=GREEN),
        Give(giver=0, to=0, goods=GREEN),
        Give(giver=0, to=ANYONE, goods=GREEN),
        Lend(giver=2, to=0, card="kjas.underground_cities"),
        License(giver=5, to=0, technology="nanotechnology"),
        Pledge(what=Give(giver=2, to=0, goods=GREEN), due=2),
        Undertake(
            to=0, deed=Deed(who=2, verb="run", subject="kjas.underground_cities"), turn=1, by="economy"
        ),
        Forbear(who=2, to=0, what=NoSteal(target=0), until=1),
    ],
)
def test_clauses_bind_only_parties_of_the_deal(clause):
    """TRADE-4, TRADE-5."""
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=(clause,))) == "bad_parties"


def test_an_offer_says_something():
    """TRADE-4."""
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=())) == "empty_offer"


def test_a_clause_hands_something_over():
    """TRADE-4."""
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=(Give(giver=0, to=1),))) == (
        "empty_clause"
    )


@pytest.mark.parametrize("count", [-1, 10_000])
def test_goods_are_counted_in_whole_pieces_from_zero(count):
    """TRADE-4."""
    clause = Give(giver=0, to=1, goods=Goods(green=count))
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=(clause,))) == "bad_quantity"


def test_one_card_is_named_once_in_a_clause():
    """TRADE-4."""
    clause = Give(giver=0, to=1, cards=("colony.acrux", "colony.acrux"))
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=(clause,))) == "bad_quantity"


def test_a_seat_has_only_so_many_offers_on_the_table():
    """TRADE-4."""
    game = with_greens()
    for _ in range(MOST_OFFERS):
        game = offer(game, 0, (1,), FREE_GREEN)
    again = ProposeDeal(parties=(0, 1), clauses=(FREE_GREEN,))
    assert why_not(game, 0, again) == "too_many_offers"
    game = play(game, (0, WithdrawDeal(deal="d1")))
    assert why_not(game, 0, again) is None


def test_an_offer_reserves_nothing():
    """TRADE-4."""
    game = offer(offer(with_greens(), 0, (1,), FREE_GREEN), 0, (2,), Give(giver=0, to=2, goods=GREEN))
    game = play(game, (2, AcceptDeal(deal="d2")))
    assert player(game, 2).stock == GREEN
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "lacks_goods"


def test_an_offer_that_cannot_be_met_now_can_be_accepted_when_it_can():
    """TRADE-4, TRADE-8."""
    game = offer(stock(with_greens(0), 2, green=1), 0, (1,), FREE_GREEN)
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "lacks_goods"
    game = swap(game, 2, GREEN, 0)
    game = play(game, (1, AcceptDeal(deal="d1")))
    assert player(game, 1).stock == GREEN


# ---------------------------------------------------------------- answering one


def test_nobody_accepts_an_offer_twice():
    """TRADE-4."""
    game = offer(with_greens(), 0, (1, 2), FREE_GREEN)
    assert why_not(game, 0, AcceptDeal(deal="d1")) == "already_accepted"
    game = play(game, (1, AcceptDeal(deal="d1")))
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "already_accepted"


@pytest.mark.parametrize("answer", [AcceptDeal, DeclineDeal, WithdrawDeal])
def test_an_offer_is_answered_only_by_its_parties(answer):
    """TRADE-4."""
    game = offer(with_greens(), 0, (1,), FREE_GREEN)
    assert why_not(game, 2, answer(deal="d1")) == "no_such_offer"
    assert why_not(game, 1, answer(deal="d9")) == "no_such_offer"


def test_a_declined_offer_is_gone_for_all():
    """TRADE-4."""
    game = offer(with_greens(), 0, (1, 2), FREE_GREEN)
    game = play(game, (1, AcceptDeal(deal="d1")), (2, DeclineDeal(deal="d1")))
    assert why_not(game, 2, AcceptDeal(deal="d1")) == "no_such_offer"
    assert player(game, 0).stock == GREEN


def test_a_withdrawn_offer_is_gone():
    """TRADE-4."""
    game = play(offer(with_greens(), 0, (1,), FREE_GREEN), (0, WithdrawDeal(deal="d1")))
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "no_such_offer"


def test_only_the_proposer_withdraws_and_only_others_decline():
    """TRADE-4."""
    game = offer(with_greens(), 0, (1,), FREE_GREEN)
    assert why_not(game, 1, WithdrawDeal(deal="d1")) == "no_such_offer"
    assert why_not(game, 0, DeclineDeal(deal="d1")) == "no_such_offer"


def test_a_counter_offer_leaves_the_first_offer_open():
    """TRADE-4."""
    game = stock(offer(with_greens(), 0, (1,), FREE_GREEN), 1, white=1)
    game = offer(game, 1, (0,), FREE_GREEN, Give(giver=1, to=0, goods=Goods(white=1)), answers="d1")
    assert game.deals["d2"].answers == "d1"
    taken = play(game, (1, AcceptDeal(deal="d1")))
    assert player(taken, 1).stock == Goods(green=1, white=1)
    assert "d2" in taken.deals
    countered = play(game, (0, AcceptDeal(deal="d2")))
    assert player(countered, 0).stock == Goods(white=1)
    assert "d1" in countered.deals


def test_a_counter_offer_answers_an_offer_one_has_a_say_in():
    """TRADE-4."""
    game = offer(with_greens(), 0, (1,), FREE_GREEN)
    counter = ProposeDeal(parties=(2, 0), clauses=(Note(text="me too"),), answers="d1")
    assert why_not(game, 2, counter) == "no_such_offer"


# ---------------------------------------------------------------- to anyone


def test_whoever_accepts_an_open_offer_first_has_it():
    """TRADE-4."""
    game = offer(with_greens(2), 0, (ANYONE,), FREE_GREEN_TO_ANYONE)
    assert view(game, None).deals
    game = play(game, (3, AcceptDeal(deal="d1")))
    assert player(game, 3).stock == GREEN
    assert why_not(game, 4, AcceptDeal(deal="d1")) == "no_such_offer"


def test_an_open_offer_asks_its_taker_for_what_it_names():
    """TRADE-4."""
    asks = Give(giver=ANYONE, to=0, goods=Goods(ultratech=1))
    game = offer(stock(with_greens(), 4, ultratech=1), 0, (ANYONE,), FREE_GREEN_TO_ANYONE, asks)
    assert why_not(game, 3, AcceptDeal(deal="d1")) == "lacks_goods"
    game = play(game, (4, AcceptDeal(deal="d1")))
    assert (player(game, 4).stock, player(game, 0).stock) == (GREEN, Goods(ultratech=1))


def test_promises_of_an_open_offer_name_whoever_took_it():
    """TRADE-9."""
    owed = Pledge(
        what=Give(giver=ANYONE, to=0, goods=Goods(white=1)),
        due=2,
        only_if=Deed(who=ANYONE, verb="run", subject="kjas.underground_cities"),
    )
    game = offer(with_greens(), 0, (ANYONE,), FREE_GREEN_TO_ANYONE, owed)
    game = play(game, (2, AcceptDeal(deal="d1")))
    stands = game.obligations[promise(game)]
    assert (stands.debtor, stands.clause.only_if.who, stands.parties) == (2, 2, (0, 2))


def test_an_open_offer_with_a_named_party_needs_both():
    """TRADE-5."""
    game = offer(with_greens(), 0, (1, ANYONE), FREE_GREEN_TO_ANYONE)
    game = play(game, (5, AcceptDeal(deal="d1")))
    assert not game.deals["d1"].is_open
    assert why_not(game, 4, AcceptDeal(deal="d1")) == "no_such_offer"
    game = play(game, (1, AcceptDeal(deal="d1")))
    assert player(game, 5).stock == GREEN


def test_a_named_party_does_not_take_the_open_place_as_well():
    """TRADE-5."""
    game = play(offer(with_greens(), 0, (1, ANYONE), FREE_GREEN_TO_ANYONE), (1, AcceptDeal(deal="d1")))
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "already_accepted"


def test_an_open_offer_cannot_be_declined_for_the_others():
    """TRADE-4."""
    game = offer(with_greens(), 0, (ANYONE,), FREE_GREEN_TO_ANYONE)
    assert why_not(game, 3, DeclineDeal(deal="d1")) == "no_such_offer"


# ---------------------------------------------------------------- when trading closes


def test_trading_closes_when_all_players_but_one_are_done():
    """D-15, TRADE-14, B-9."""
    game = with_greens()
    for seat in range(4):
        game = play(game, (seat, Done()))
    assert game.step == "trade"
    game = play(game, (4, Done()))
    assert game.step == "window"


def test_a_done_may_be_taken_back_while_trading_is_open():
    """TRADE-14."""
    game = with_greens()
    for seat in range(4):
        game = play(game, (seat, Done()))
    game = play(game, (0, NotDone()), (4, Done()))
    assert game.step == "trade"
    assert waiting(game) == (0, 5)
    assert play(game, (5, Done())).step == "window"


def test_done_is_said_once_and_taken_back_once():
    """TRADE-14."""
    game = play(with_greens(), (0, Done()))
    assert why_not(game, 0, Done()) == "already_done"
    assert why_not(game, 1, NotDone()) == "not_said_done"


def test_a_done_cannot_be_taken_back_after_trading_has_closed():
    """TRADE-14."""
    game = until(with_greens(), "plan")
    assert why_not(game, 0, NotDone()) == "wrong_step"


def test_one_who_is_done_may_still_accept_an_offer():
    """TRADE-14."""
    game = offer(play(with_greens(), (1, Done())), 0, (1,), FREE_GREEN)
    assert player(play(game, (1, AcceptDeal(deal="d1"))), 1).stock == GREEN


def test_offers_lapse_when_trading_closes():
    """TRADE-14, TRADE-15."""
    game = offer(with_greens(), 0, (1,), FREE_GREEN)
    for seat in range(4):
        game = play(game, (seat, Done()))
    events = happened(game, 4, Done())
    assert DealsLapsed(deals=("d1",)) in events
    game = play(game, (4, Done()))
    assert why_not(game, 1, AcceptDeal(deal="d1")) == "no_such_offer"


# ---------------------------------------------------------------- words


def test_words_are_recorded_but_not_enforced():
    """TRADE-10."""
    game = offer(with_greens(), 0, (1,), Note(text="I owe you one"))
    (struck,) = [e for e in happened(game, 1, AcceptDeal(deal="d1")) if isinstance(e, DealStruck)]
    assert (struck.notes, struck.obligations) == (("I owe you one",), ())
    game = until(play(game, (1, AcceptDeal(deal="d1"))), "plan")
    assert player(game, 0).score == 0


def test_a_note_says_something():
    """TRADE-10."""
    assert why_not(with_greens(), 0, ProposeDeal(parties=(0, 1), clauses=(Note(text="  "),))) == "empty_note"


def test_each_deal_has_a_name_of_its_own():
    """TRADE-10."""
    game = deal(with_greens(2), 0, (1,), FREE_GREEN)
    assert newest(offer(game, 0, (1,), FREE_GREEN)) == "d2"

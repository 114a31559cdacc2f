"""Settling promises that could not be kept: compensation, or points to the supply."""

from random import Random

import pytest
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    DeclineDeal,
    Deliver,
    Done,
    ProposeDeal,
    Release,
    TimeUp,
    UpgradeCard,
)
from elysian.deals import Deed, Give, Lend, License, Pledge, Undertake
from elysian.events import ObligationBroken
from elysian.goods import NOTHING, Goods
from elysian.options import options
from elysian.players.levels import make
from elysian.rules import waiting
from elysian.view import view
from tests.support.table import (
    change,
    close_trading,
    deal,
    happened,
    hold,
    next_turn,
    offer,
    play,
    player,
    pledged,
    stock,
    swap,
    table,
    until,
    why_not,
)

FIVE = ("imdril", "kit", "kjas", "zeth", "yengii")
IMDRIL, KIT, KJAS, ZETH, YENGII = range(5)


def owes(what, due=1, at="close"):
    """A promise."""
    return Pledge(what=what, due=due, at=at)


def owing(goods, stock_of=NOTHING, score=0, to=KIT, others=()):
    """The table after trading closed on a promise of the Im'dril."""
    game = change(stock(table(*FIVE), IMDRIL, stock_of), IMDRIL, score=score)
    game = deal(game, IMDRIL, (to, *others), owes(Give(giver=IMDRIL, to=to, goods=goods)))
    return close_trading(game)


def broken_promise(score):
    """D-11's promise, made in turn 2 and due in turn 3, with one green cube to keep it."""
    game = change(stock(table(*FIVE, turn=2), IMDRIL, green=1), IMDRIL, score=score)
    what = Give(giver=IMDRIL, to=KIT, goods=Goods(ultratech=1, green=2), cards=("colony.acrux",))
    game = next_turn(deal(game, IMDRIL, (KIT,), owes(what, due=3, at="start")))
    return close_trading(game)


# ---------------------------------------------------------------- what it costs


def test_a_broken_promise_hands_over_what_there_is_and_costs_points_for_the_rest():
    """D-11, TRADE-11."""
    game = broken_promise(score=10)
    assert (game.step, waiting(game)) == ("settle", (IMDRIL,))
    events = happened(game, IMDRIL, Done())
    assert ObligationBroken(by=IMDRIL, obligation="d1.1", points=5) in events
    game = play(game, (IMDRIL, Done()))
    assert player(game, KIT).stock == Goods(green=1)
    assert (player(game, IMDRIL).score, player(game, KIT).score) == (5, 0)
    assert game.obligations == {}


def test_a_score_may_become_negative():
    """D-12, TRADE-11."""
    assert player(play(broken_promise(score=3), (IMDRIL, Done())), IMDRIL).score == -2


@pytest.mark.parametrize(
    ("goods", "points"),
    [
        (Goods(green=1), 1),
        (Goods(white=2), 2),
        (Goods(brown=1), 1),
        (Goods(black=1), 1),
        (Goods(blue=1, yellow=1), 2),
        (Goods(wild_small=1, wild_large=1), 2),
        (Goods(ship=3), 3),
        (Goods(ultratech=2), 4),
        (Goods(point=1), 2),
        (Goods(green=2, ship=1, ultratech=1, point=1), 7),
    ],
)
def test_missing_cubes_and_ships_cost_one_point_octagons_and_points_two(goods, points):
    """TRADE-11."""
    assert player(play(owing(goods), (IMDRIL, Done())), IMDRIL).score == -points


@pytest.mark.parametrize(
    "what",
    [
        Give(giver=YENGII, to=KIT, cards=("colony.acrux",)),
        Give(giver=YENGII, to=KIT, cards=("research.sociologists",)),
        Lend(giver=YENGII, to=KIT, card="yengii.nanotechnology"),
        License(giver=YENGII, to=KIT, technology="nanotechnology"),
    ],
)
def test_a_missing_card_loan_or_licence_costs_two_points(what):
    """TRADE-11."""
    game = close_trading(deal(table(*FIVE), YENGII, (KIT,), owes(what)))
    assert player(play(game, (YENGII, Done())), YENGII).score == -2


def test_a_missing_pair_costs_as_much_as_one_card():
    """TRADE-11."""
    lend = Lend(giver=KIT, to=KJAS, card="kit.hand_crafted")
    game = deal(table(*FIVE), KIT, (KJAS,), owes(lend))
    game = deal(game, KIT, (ZETH,), Lend(giver=KIT, to=ZETH, card="kit.hand_crafted"))
    assert player(play(close_trading(game), (KIT, Done())), KIT).score == -2


def test_a_missing_acknowledgement_costs_one_point():
    """TRADE-11."""
    game = stock(table("faderan", "kit", "kjas", "unity"), "kjas", acknowledgement=11)
    game = deal(game, 0, (1,), owes(Give(giver=0, to=1, goods=Goods(acknowledgement=1))))
    assert player(play(close_trading(game), (0, Done())), 0).score == -1


def test_goods_on_the_donation_card_are_handed_over_too():
    """TRADE-11."""
    game = change(stock(table(*FIVE), IMDRIL, green=1), IMDRIL, donation=Goods(green=1))
    game = deal(game, IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(green=3))))
    game = play(close_trading(game), (IMDRIL, Done()))
    assert (player(game, KIT).stock, player(game, IMDRIL).score) == (Goods(green=2), -1)


def test_a_promise_kept_in_full_costs_nothing_and_asks_nobody():
    """TRADE-11."""
    game = owing(Goods(green=1), stock_of=Goods(green=1))
    assert (game.step, player(game, IMDRIL).score) == ("window", 0)


def test_each_promise_is_settled_on_its_own():
    """TRADE-11, TRADE-12."""
    game = stock(table(*FIVE), IMDRIL, green=2)
    for to in (KIT, KJAS):
        game = deal(game, IMDRIL, (to,), owes(Give(giver=IMDRIL, to=to, goods=Goods(green=2))))
    game = play(close_trading(game), (IMDRIL, Done()), (IMDRIL, Done()))
    assert (player(game, KIT).stock, player(game, KJAS).stock) == (Goods(green=2), Goods())
    assert player(game, IMDRIL).score == -2


def test_a_loan_promised_for_several_turns_is_made_again_each_turn():
    """TRADE-13."""
    loans = [
        owes(Lend(giver=KJAS, to=ZETH, card="kjas.underground_cities"), due=turn, at="start")
        for turn in (2, 3)
    ]
    game = deal(table(*FIVE), KJAS, (ZETH,), *loans)
    for _ in (2, 3):
        game = next_turn(game)
        assert "kjas.underground_cities" in player(game, ZETH).cards
    assert player(next_turn(game), KJAS).score == 0


def test_not_lending_again_what_was_promised_costs_two_points():
    """D-14, TRADE-13, B-25."""
    loans = [owes(Lend(giver=KJAS, to=ZETH, card="kjas.underground_cities"), due=turn) for turn in (2, 3)]
    game = next_turn(next_turn(deal(table(*FIVE), KJAS, (ZETH,), *loans)))
    game = deal(game, KJAS, (KIT,), Lend(giver=KJAS, to=KIT, card="kjas.underground_cities"))
    assert player(game, KJAS).score == 0
    game = play(close_trading(game), (KJAS, Done()))
    assert player(game, KJAS).score == -2


def test_what_a_debtor_receives_from_one_promise_keeps_the_next():
    """TRADE-11."""
    game = stock(table(*FIVE), KJAS, green=1)
    for debtor, creditor in ((KIT, ZETH), (IMDRIL, KIT), (KJAS, IMDRIL)):
        clause = owes(Give(giver=debtor, to=creditor, goods=Goods(green=1)))
        game = deal(game, debtor, (creditor,), clause)
    game = close_trading(game)
    assert (game.step, player(game, ZETH).stock) == ("window", Goods(green=1))
    assert [area.score for area in game.players] == [0, 0, 0, 0, 0]


# ---------------------------------------------------------------- compensation


def four_ships(game):
    """The compensation of D-13."""
    return ProposeDeal(
        parties=(IMDRIL, KIT),
        clauses=(owes(Give(giver=IMDRIL, to=KIT, goods=Goods(ship=4)), due=game.turn + 1, at="start"),),
        settles=("d1.1",),
    )


def test_accepted_compensation_fulfils_the_promise():
    """D-13, TRADE-11."""
    game = broken_promise(score=3)
    game = play(game, (IMDRIL, four_ships(game)))
    assert waiting(game) == (KIT,)
    game = play(game, (KIT, AcceptDeal(deal="d2")))
    assert (game.step, player(game, IMDRIL).score) == ("window", 3)
    assert [pledged(owed).goods for owed in game.obligations.values()] == [Goods(ship=4)]
    game = next_turn(stock(game, IMDRIL, ship=4))
    assert player(game, KIT).stock.ship == 4


def test_compensation_may_be_handed_over_at_once():
    """TRADE-11."""
    game = owing(Goods(green=2), stock_of=Goods(white=2))
    game = deal(game, IMDRIL, (KIT,), Give(giver=IMDRIL, to=KIT, goods=Goods(white=2)), settles=("d1.1",))
    assert (player(game, KIT).stock, player(game, IMDRIL).score) == (Goods(white=2), 0)


def test_a_creditor_may_decline_and_the_debtor_may_offer_again():
    """TRADE-11."""
    game = broken_promise(score=3)
    game = play(game, (IMDRIL, four_ships(game)), (KIT, DeclineDeal(deal="d2")))
    assert waiting(game) == (IMDRIL,)
    game = play(game, (IMDRIL, four_ships(game)), (KIT, DeclineDeal(deal="d3")), (IMDRIL, Done()))
    assert (game.step, player(game, IMDRIL).score) == ("window", -2)


def test_every_party_of_the_deal_must_accept_compensation():
    """TRADE-11."""
    game = owing(Goods(green=1), stock_of=Goods(white=1), others=(KJAS,))
    give = Give(giver=IMDRIL, to=KIT, goods=Goods(white=1))
    two = ProposeDeal(parties=(IMDRIL, KIT), clauses=(give,), settles=("d1.1",))
    assert why_not(game, IMDRIL, two) == "no_such_promise"
    game = offer(game, IMDRIL, (KIT, KJAS), give, settles=("d1.1",))
    game = play(game, (KIT, AcceptDeal(deal="d2")))
    assert (game.step, waiting(game)) == ("settle", (KJAS,))
    game = play(game, (KJAS, AcceptDeal(deal="d2")))
    assert (game.step, player(game, IMDRIL).score) == ("window", 0)


def test_nothing_but_compensation_is_offered_after_trading_has_closed():
    """TRADE-11, TRADE-1."""
    game = owing(Goods(green=1), stock_of=Goods(white=1))
    give = Give(giver=IMDRIL, to=KIT, goods=Goods(white=1))
    assert why_not(game, IMDRIL, ProposeDeal(parties=(IMDRIL, KIT), clauses=(give,))) == "only_compensation"


def test_the_creditor_may_propose_compensation_as_well():
    """TRADE-11."""
    game = owing(Goods(green=1), stock_of=Goods(white=1))
    give = Give(giver=IMDRIL, to=KIT, goods=Goods(white=1))
    game = play(game, (KIT, ProposeDeal(parties=(KIT, IMDRIL), clauses=(give,), settles=("d1.1",))))
    assert waiting(game) == (IMDRIL,)
    assert why_not(game, IMDRIL, Done()) == "answer_the_offer"
    game = play(game, (IMDRIL, AcceptDeal(deal="d2")))
    assert (game.step, player(game, KIT).stock, player(game, IMDRIL).score) == ("window", Goods(white=1), 0)


def test_nobody_but_debtor_and_creditor_proposes_compensation():
    """TRADE-11."""
    game = owing(Goods(green=1), stock_of=Goods(white=1), others=(KJAS,))
    give = Give(giver=IMDRIL, to=KIT, goods=Goods(white=1))
    asked = ProposeDeal(parties=(KJAS, IMDRIL, KIT), clauses=(give,), settles=("d1.1",))
    assert why_not(game, KJAS, asked) == "only_compensation"


def test_compensation_is_for_promises_that_are_due():
    """TRADE-11."""
    game = table(*FIVE)
    later = owes(Give(giver=IMDRIL, to=KIT, goods=Goods(blue=1)), due=3)
    game = deal(game, IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(green=1))), later)
    game = close_trading(game)
    assert why_not(game, IMDRIL, ProposeDeal(parties=(0, 1), clauses=(), settles=("d1.2",))) == (
        "only_compensation"
    )


def test_compensation_stays_among_the_parties_of_the_promise():
    """TRADE-11, TRADE-1."""
    game = owing(Goods(green=1), stock_of=Goods(white=2))
    give = Give(giver=IMDRIL, to=KIT, goods=Goods(white=1))
    aside = Give(giver=IMDRIL, to=ZETH, goods=Goods(white=1))
    three = ProposeDeal(parties=(IMDRIL, KIT, ZETH), clauses=(give, aside), settles=("d1.1",))
    assert why_not(game, IMDRIL, three) == "only_compensation"
    assert why_not(game, IMDRIL, ProposeDeal(parties=(0, 1), clauses=(give,), settles=("d1.1",))) is None


def test_nothing_that_is_due_later_is_delivered_after_trading_has_closed():
    """TRADE-11, TRADE-1."""
    game = stock(table(*FIVE), IMDRIL, white=1)
    game = deal(game, IMDRIL, (ZETH,), owes(Give(giver=IMDRIL, to=ZETH, goods=Goods(white=1)), due=3))
    game = deal(game, IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(green=1))))
    game = close_trading(game)
    assert (game.step, why_not(game, IMDRIL, Deliver(obligation="d1.1"))) == ("settle", "not_due_yet")


def test_a_creditor_may_still_release_the_debtor():
    """TRADE-9, TRADE-11."""
    game = play(owing(Goods(green=1)), (KIT, Release(obligation="d1.1")))
    assert (game.step, player(game, IMDRIL).score) == ("window", 0)


def test_one_who_is_asked_to_accept_compensation_answers_the_offer():
    """TRADE-11."""
    game = broken_promise(score=3)
    game = play(game, (IMDRIL, four_ships(game)))
    assert why_not(game, KIT, Done()) == "answer_the_offer"
    assert why_not(game, KJAS, Done()) == "not_waited_for"


def test_what_the_debtor_makes_before_settling_is_handed_over():
    """TRADE-11."""
    game = hold(stock(table("caylion", "kit", "kjas", "zeth"), 0, blue=2), 0, "colony.rigel")
    game = deal(game, 0, (1,), owes(Give(giver=0, to=1, goods=Goods(yellow=1))))
    game = close_trading(game)
    upgrade = UpgradeCard(card="caylion.planetary_ecological_dominance", colonies=("colony.rigel",))
    game = play(game, (0, upgrade), (0, Done()))
    assert (player(game, 1).stock, player(game, 0).score) == (Goods(yellow=1), 1)


def test_several_debtors_settle_at_the_same_time():
    """TRADE-11."""
    game = deal(table(*FIVE), IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(green=1))))
    game = deal(game, KJAS, (KIT,), owes(Give(giver=KJAS, to=KIT, goods=Goods(ultratech=1))))
    game = close_trading(game)
    assert waiting(game) == (IMDRIL, KJAS)
    game = play(game, (KJAS, Done()), (IMDRIL, Done()))
    assert (player(game, IMDRIL).score, player(game, KJAS).score) == (-1, -2)


def test_a_creditor_pays_on_with_what_he_received_at_the_same_settlement():
    """TRADE-11."""
    game = stock(table(*FIVE), IMDRIL, blue=1)
    game = deal(game, IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(blue=1))))
    game = deal(game, KIT, (KJAS,), owes(Give(giver=KIT, to=KJAS, goods=Goods(blue=1))))
    game = close_trading(game)
    assert (game.step, player(game, KJAS).stock) == ("window", Goods(blue=1))


def test_a_debt_can_be_paid_with_goods_bought_after_the_phase_began():
    """TRADE-11, TRADE-8."""
    game = stock(table(*FIVE), KJAS, green=1)
    game = deal(
        game, IMDRIL, (KIT,), owes(Give(giver=IMDRIL, to=KIT, goods=Goods(green=1)), due=2, at="start")
    )
    game = swap(next_turn(game), KJAS, Goods(green=1), IMDRIL)
    assert player(until(game, "window"), KIT).stock == Goods(green=1)


# ---------------------------------------------------------------- deeds

UPGRADE = Undertake(to=KIT, deed=Deed(who=KJAS, verb="upgrade", subject="colony.acrux"), turn=1, by="trade")


def at_the_window():
    """The last window of a Trade Phase in which the Kjas cannot do what they undertook."""
    game = stock(hold(table(*FIVE), KJAS, "colony.acrux"), KJAS, green=1)
    return close_trading(deal(game, KJAS, (KIT,), UPGRADE))


@pytest.mark.parametrize(("proposer", "other"), [(KJAS, KIT), (KIT, KJAS)])
def test_compensation_for_a_deed_is_agreed_in_the_last_window(proposer, other):
    """TRADE-11, D-81."""
    game = at_the_window()
    give = Give(giver=KJAS, to=KIT, goods=Goods(green=1))
    game = offer(game, proposer, (other,), give, settles=("d1.1",))
    for seat in game.seats():
        if seat != other:
            game = play(game, (seat, Done()))
    assert (game.step, waiting(game)) == ("window", (other,))
    assert why_not(game, other, Done()) == "answer_the_offer"
    game = play(game, (other, AcceptDeal(deal="d2")), (other, Done()))
    assert (game.step, player(game, KJAS).score, player(game, KIT).stock) == ("plan", 0, Goods(green=1))


@pytest.mark.parametrize("level", ["novice", "standard"])
def test_a_bot_turns_down_to_make_up_for_a_deed_that_it_did_after_all(level):
    """TRADE-11: the window does not end while somebody is asked, not even for what was kept meanwhile."""
    game = at_the_window()
    give = Give(giver=KJAS, to=KIT, goods=Goods(green=1))
    game = offer(game, KIT, (KJAS,), give, settles=("d1.1",))
    game = replace(game, obligations={})
    assert why_not(game, KJAS, Done()) == "answer_the_offer"
    assert options(game, KJAS).cautious == DeclineDeal(deal="d2")
    chosen = make(level).choose(view(game, KJAS), options(game, KJAS), Random(1))
    assert isinstance(chosen, DeclineDeal)


def test_a_deed_without_compensation_costs_two_points_when_the_window_ends():
    """TRADE-11, D-81."""
    game = at_the_window()
    assert player(game, KJAS).score == 0
    assert player(until(game, "plan"), KJAS).score == -2


def test_nothing_but_compensation_is_offered_in_the_last_window():
    """TRADE-11, TRADE-1."""
    game = at_the_window()
    give = Give(giver=KJAS, to=KIT, goods=Goods(green=1))
    assert why_not(game, KJAS, ProposeDeal(parties=(KJAS, KIT), clauses=(give,))) == "only_compensation"
    three = ProposeDeal(parties=(KJAS, KIT, ZETH), clauses=(give,), settles=("d1.1",))
    assert why_not(game, KJAS, three) == "only_compensation"


def test_an_offer_nobody_answers_lapses_when_time_is_up():
    """TRADE-11."""
    game = offer(at_the_window(), KJAS, (KIT,), settles=("d1.1",))
    assert player(play(game, (None, TimeUp())), KJAS).score == -2


def test_an_offer_that_one_seat_does_not_answer_in_time_lapses_and_the_seat_is_done():
    """TRADE-11: the table no longer waits for it."""
    game = offer(at_the_window(), KJAS, (KIT,), settles=("d1.1",))
    game = play(game, (None, TimeUp(seat=KIT)))
    assert not game.deals
    assert KIT not in waiting(game)


def test_only_debtor_and_creditor_of_what_is_open_may_make_offers_after_trading():
    """TRADE-11."""
    game = at_the_window()
    assert [seat for seat in game.seats() if options(game, seat).may_propose] == [KIT, KJAS]


def runs(by, turn=1):
    """The Kjas undertake to run a card that they do not hold."""
    deed = Deed(who=KJAS, verb="run", subject="colony.acrux")
    return Undertake(to=KIT, deed=deed, turn=turn, by=by)


@pytest.mark.parametrize("by", ["economy", "confluence"])
def test_a_later_deed_that_could_not_be_done_is_settled_in_the_next_trade_phase(by):
    """TRADE-11."""
    game = stock(table(*FIVE), KJAS, green=1)
    game = until(deal(game, KJAS, (KIT,), runs(by)), "trade", turn=2)
    assert (player(game, KJAS).score, len(game.obligations)) == (0, 1)
    game = close_trading(game)
    assert (game.step, waiting(game)) == ("settle", (KJAS,))
    settled = deal(game, KIT, (KJAS,), Give(giver=KJAS, to=KIT, goods=Goods(green=1)), settles=("d1.1",))
    assert (settled.step, player(settled, KJAS).score) == ("window", 0)
    assert player(play(game, (KJAS, Done())), KJAS).score == -2


def test_a_deed_done_when_its_time_is_over_does_not_keep_it():
    """TRADE-11, TRADE-10."""
    game = until(deal(table(*FIVE), KJAS, (KIT,), runs("economy")), "bid")
    game = hold(game, KJAS, "colony.acrux")
    assert list(until(game, "trade", turn=2).obligations) == ["d1.1"]


def test_a_deed_of_the_last_turn_is_settled_at_once():
    """TRADE-11."""
    game = deal(table(*FIVE, turn=6), KJAS, (KIT,), runs("confluence", turn=6))
    game = until(game, "over")
    assert game.scores[KJAS].points == -2

"""Promises of goods, cards, loans and licences: when they fall due and what is handed over for them."""

import pytest
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Buy,
    Deliver,
    Done,
    Invent,
    ProposeDeal,
    Release,
    TimeUp,
    UpgradeCard,
)
from elysian.deals import Deed, Give, Lend, License, Note, Obligation, Pledge
from elysian.events import ObligationMet
from elysian.goods import NOTHING, Goods
from elysian.options import options
from elysian.rules import waiting
from elysian.rules.owing import goods_of, owed_by
from elysian.state import PlayerState, Run
from tests.support.table import (
    bid,
    change,
    close_trading,
    deal,
    happened,
    hold,
    newest,
    next_turn,
    offer,
    play,
    player,
    pledged,
    promise,
    run_economy,
    stock,
    swap,
    table,
    until,
    why_not,
)

FIVE = ("kit", "unity", "kjas", "eni_et", "yengii")
KIT, UNITY, KJAS, ENI_ET, YENGII = range(5)
GREEN = Goods(green=1)


def owes(goods=GREEN, due=2, at="start", giver=KIT, to=UNITY, cards=(), only_if=None):
    """A promise of goods or borderless cards."""
    return Pledge(what=Give(giver=giver, to=to, goods=goods, cards=cards), due=due, at=at, only_if=only_if)


def promised(game, *clauses):
    """The table after the Kit and the Unity agreed on promises."""
    return deal(game, KIT, (UNITY,), *clauses)


def test_what_is_owed_for_a_deed_of_ones_own_is_set_aside_and_for_a_strangers_only_once_it_is_done():
    """TRADE-10."""
    for doer, aside in ((KIT, GREEN), (KJAS, NOTHING)):
        deed = Deed(who=doer, verb="bid", subject="colony", least=1)
        game = promised(stock(table(*FIVE), KIT, green=1), owes(only_if=deed))
        assert owed_by(KIT, game.obligations.values(), 1, GREEN, {}).next == aside


# ---------------------------------------------------------------- falling due


def test_a_promise_is_kept_by_itself_when_the_trade_phase_it_is_due_in_begins():
    """TRADE-9, TRADE-11."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes())
    assert player(game, UNITY).stock == Goods()
    game = next_turn(game)
    assert (player(game, UNITY).stock, game.obligations) == (GREEN, {})


def test_a_promise_binds_over_several_turns():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(due=4))
    for _ in (2, 3):
        game = next_turn(game)
        assert player(game, UNITY).stock == Goods()
    assert player(next_turn(game), UNITY).stock == GREEN


def test_a_promise_due_when_trading_closes_waits_until_then():
    """TRADE-11."""
    game = next_turn(promised(stock(table(*FIVE), KIT, green=1), owes(at="close")))
    assert player(game, UNITY).stock == Goods()
    assert player(close_trading(game), UNITY).stock == GREEN


def test_a_promise_may_be_due_when_trading_closes_in_the_same_turn():
    """TRADE-9, TRADE-11."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(due=1, at="close"))
    assert player(close_trading(game), UNITY).stock == GREEN


@pytest.mark.parametrize(("due", "at"), [(2, "start"), (1, "start"), (1, "close")])
def test_a_promise_cannot_be_due_in_the_past(due, at):
    """TRADE-9."""
    game = table(*FIVE, turn=2)
    assert why_not(game, KIT, ProposeDeal(parties=(0, 1), clauses=(owes(due=due, at=at),))) == "too_late"


def test_what_was_produced_in_between_keeps_a_promise():
    """TRADE-9."""
    game = deal(table(*FIVE), KJAS, (UNITY,), owes(Goods(brown=2), giver=KJAS))
    game = run_economy(game, {KJAS: (Run(card="kjas.underground_cities"),)})
    game = until(game, "trade")
    assert (player(game, UNITY).stock, player(game, KJAS).stock) == (Goods(brown=2), Goods(ship=3))


def test_a_promise_due_after_the_last_turn_is_refused_when_offered():
    """D-86, TRADE-10, TRADE-12."""
    game = stock(table(*FIVE, turn=6), KIT, green=1)
    assert why_not(game, KIT, ProposeDeal(parties=(0, 1), clauses=(owes(due=7),))) == "after_the_end"


def test_a_promise_of_older_rules_for_after_the_last_turn_lapses():
    """TRADE-12."""
    game = promised(stock(table(*FIVE, turn=5), KIT, green=1), owes(due=6, at="close"))
    old = game.obligations["d1.1"]
    late = replace(old, clause=replace(old.clause, due=7))
    game = until(replace(game, obligations={"d1.1": late}), "over")
    assert (game.obligations, player(game, KIT).score) == ({}, 0)


def test_the_goods_of_a_promise_are_handed_over_from_the_donation_card_as_well():
    """TRADE-11."""
    game = change(stock(table(*FIVE), KIT, green=1), KIT, donation=GREEN)
    game = close_trading(promised(game, owes(Goods(green=2), due=1, at="close")))
    assert player(game, UNITY).stock == Goods(green=2)
    assert player(game, KIT).to_give_away == Goods()


def test_a_promised_point_comes_from_the_donation_card_and_not_from_the_score():
    """TRADE-11, TRADE-3."""
    game = change(table(*FIVE), KIT, donation=Goods(point=1), score=9)
    game = close_trading(promised(game, owes(Goods(point=2), due=1, at="close")))
    assert (player(game, UNITY).score, player(game, KIT).score) == (1, 9)
    assert pledged(game.obligations["d1.1"]).goods == Goods(point=1)


def test_a_promise_names_goods_and_not_the_pile_they_come_from():
    """TRADE-11."""
    clause = Pledge(what=Give(giver=KIT, to=UNITY, donation=GREEN), due=2)
    assert why_not(table(*FIVE), KIT, ProposeDeal(parties=(0, 1), clauses=(clause,))) == "pledge_names_goods"


def test_a_promised_colony_changes_hands_for_good():
    """TRADE-10, TRADE-6."""
    game = hold(table(*FIVE), KIT, "colony.acrux")
    game = next_turn(promised(game, owes(Goods(), cards=("colony.acrux",))))
    assert "colony.acrux" in player(game, UNITY).cards


def test_a_promised_loan_is_made_when_it_is_due_and_ends_with_that_turn():
    """TRADE-10, TRADE-6."""
    loan = Pledge(what=Lend(giver=KJAS, to=UNITY, card="kjas.underground_cities"), due=2)
    game = next_turn(deal(table(*FIVE), KJAS, (UNITY,), loan))
    assert "kjas.underground_cities" in player(game, UNITY).cards
    assert "kjas.underground_cities" in player(next_turn(game), KJAS).cards


def test_a_promised_loan_is_kept_by_a_card_that_is_already_there():
    """TRADE-10."""
    lend = Lend(giver=KJAS, to=UNITY, card="kjas.underground_cities")
    game = deal(table(*FIVE), KJAS, (UNITY,), Pledge(what=lend, due=1, at="close"))
    game = close_trading(deal(game, KJAS, (UNITY,), lend))
    assert (game.step, game.obligations) == ("window", {})


def test_a_promised_licence_puts_the_card_into_play_when_it_is_due():
    """TRADE-10."""
    game = hold(stock(table(*FIVE), YENGII, white=6), YENGII, "research.sociologists")
    licence = License(giver=YENGII, to=KIT, technology="ubiquitous_cultural_repository")
    game = deal(game, YENGII, (KIT,), Pledge(what=licence, due=2))
    game = play(game, (YENGII, Invent(card="research.sociologists")))
    assert "kit.ubiquitous_cultural_repository" in player(game, KIT).deck
    assert "kit.ubiquitous_cultural_repository" in player(next_turn(game), KIT).cards


def test_a_promised_licence_lapses_when_there_is_nothing_left_to_license():
    """TRADE-10."""
    licence = License(giver=YENGII, to=KIT, technology="nanotechnology")
    game = deal(table(*FIVE), YENGII, (KIT,), Pledge(what=licence, due=2))
    game = until(next_turn(hold(game, KIT, "kit.nanotechnology")), "window")
    assert (game.obligations, player(game, YENGII).score) == ({}, 0)


def test_the_delivery_of_a_promise_is_a_trade():
    """TRADE-11, B-2."""
    game = next_turn(promised(stock(table(*FIVE), KIT, green=1), owes()))
    assert (KIT, UNITY) in game.traded


# ---------------------------------------------------------------- in part, early, in order


def test_what_the_debtor_has_changes_hands_and_the_rest_stays_owed():
    """TRADE-11."""
    game = next_turn(promised(stock(table(*FIVE), KIT, green=2, white=1), owes(Goods(green=3, ship=1))))
    assert player(game, UNITY).stock == Goods(green=2)
    assert pledged(game.obligations["d1.1"]).goods == Goods(green=1, ship=1)


def test_the_rest_is_paid_when_trading_closes_if_the_debtor_has_it_by_then():
    """TRADE-11."""
    game = next_turn(promised(stock(stock(table(*FIVE), KIT, green=2), KJAS, green=1), owes(Goods(green=3))))
    game = close_trading(swap(game, KJAS, GREEN, KIT))
    assert player(game, UNITY).stock == Goods(green=3)
    assert game.step == "window"


@pytest.mark.parametrize(("due", "at"), [(5, "start"), (1, "close")])
def test_nothing_is_handed_over_before_it_is_due_without_the_creditors_consent(due, at):
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(due=due, at=at))
    assert why_not(game, KIT, Deliver(obligation="d1.1")) == "not_due_yet"


def test_with_the_creditors_consent_a_promise_is_kept_early_and_makes_safe():
    """D-80, TRADE-9, ZETH-3."""
    game = stock(table("kit", "zeth", "kjas", "unity", turn=2), 0, ultratech=1)
    game = deal(game, 0, (1,), owes(Goods(ultratech=3), due=6, to=1))
    game = replace(game, traded=frozenset())
    assert why_not(game, 0, Deliver(obligation="d1.1")) == "not_due_yet"
    one = Give(giver=0, to=1, goods=Goods(ultratech=1))
    game = deal(game, 0, (1,), one, owes(Goods(ultratech=2), due=6, to=1), settles=("d1.1",))
    assert player(game, 1).stock == Goods(ultratech=1)
    assert (0, 1) in game.traded
    assert [pledged(o).goods for o in game.obligations.values()] == [Goods(ultratech=2)]


def test_keeping_a_promise_early_is_among_the_choices_as_an_offer():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(due=5))
    (early,) = (c.action for c in options(game, KIT).choices if isinstance(c.action, ProposeDeal))
    game = play(game, (KIT, early), (UNITY, AcceptDeal(deal="d2")))
    assert (player(game, UNITY).stock, game.obligations) == (GREEN, {})


def test_what_is_due_is_delivered_and_no_longer_offered():
    """TRADE-9, TRADE-11."""
    game = stock(stock(table(*FIVE), KIT, green=1), KJAS, green=1)
    game = swap(next_turn(promised(game, owes(Goods(green=2)))), KJAS, GREEN, KIT)
    actions = [choice.action for choice in options(game, KIT).choices]
    assert Deliver(obligation="d1.1") in actions
    assert not any(isinstance(action, ProposeDeal) for action in actions)


def test_a_debtor_may_pay_in_parts_what_is_due():
    """TRADE-11."""
    game = promised(stock(stock(table(*FIVE), KIT, green=1), KJAS, green=1), owes(Goods(green=2)))
    game = next_turn(game)
    assert why_not(game, KIT, Deliver(obligation="d1.1")) == "nothing_to_deliver"
    game = play(swap(game, KJAS, GREEN, KIT), (KIT, Deliver(obligation="d1.1")))
    assert (player(game, UNITY).stock, game.obligations) == (Goods(green=2), {})


def test_a_loan_for_a_later_turn_is_not_made_early():
    """TRADE-13."""
    loan = Pledge(what=Lend(giver=KJAS, to=UNITY, card="kjas.underground_cities"), due=2)
    game = deal(table(*FIVE), KJAS, (UNITY,), loan)
    assert why_not(game, KJAS, Deliver(obligation="d1.1")) == "not_due_yet"


def test_only_the_debtor_delivers():
    """TRADE-11."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(due=5))
    assert why_not(game, UNITY, Deliver(obligation="d1.1")) == "no_such_promise"
    assert why_not(game, KIT, Deliver(obligation="d7.1")) == "no_such_promise"


def two_creditors(green, due=2, at="start"):
    """The table after the Kit promised two green each, first to the Kjas, then to the Unity."""
    game = stock(table(*FIVE), KIT, green=green)
    game = deal(game, KIT, (KJAS,), owes(Goods(green=2), due=due, at=at, to=KJAS))
    return promised(game, owes(Goods(green=2), due=due, at=at))


def got(game):
    """The green cubes of the Kjas and the Unity."""
    return player(game, KJAS).stock.green, player(game, UNITY).stock.green


@pytest.mark.parametrize(
    "otherwise",
    [
        (KIT, Done()),
        (KIT, ProposeDeal(parties=(KIT, ENI_ET), clauses=(Note(text="hello"),))),
        (None, TimeUp()),
    ],
)
def test_without_a_choice_the_oldest_promise_is_served_first(otherwise):
    """TRADE-11, TRADE-12."""
    game = next_turn(two_creditors(green=3))
    assert (set(game.serving), got(game)) == ({KIT}, (0, 0))
    assert got(play(game, otherwise)) == (2, 1)
    assert play(game, otherwise).serving == frozenset()


def test_the_debtor_chooses_whom_to_serve_when_the_phase_begins():
    """D-83, TRADE-12."""
    game = play(next_turn(two_creditors(green=2)), (KIT, Deliver(obligation="d2.1")))
    assert (got(game), game.serving) == ((0, 2), frozenset())
    assert list(game.obligations) == ["d1.1"]
    assert game.step == "trade"


def test_the_debtor_chooses_whom_to_serve_when_trading_has_closed():
    """TRADE-12."""
    game = close_trading(two_creditors(green=2, due=1, at="close"))
    assert (game.step, waiting(game), got(game)) == ("settle", (KIT,), (0, 0))
    chosen = play(game, (KIT, Deliver(obligation="d2.1")))
    assert got(chosen) == (0, 2)
    assert got(play(game, (KIT, Done()))) == got(play(game, (None, TimeUp()))) == (2, 0)


def test_who_has_enough_for_all_is_not_asked():
    """TRADE-12."""
    game = next_turn(two_creditors(green=4))
    assert (got(game), game.serving, game.obligations) == ((2, 2), frozenset(), {})


def test_the_debtor_chooses_who_gets_a_card_that_was_promised_to_two():
    """TRADE-10, TRADE-12."""
    card, cities = ("colony.acrux",), "kjas.underground_cities"
    runs = Deed(who=KJAS, verb="run", subject=cities)
    game = promised(hold(table(*FIVE), KIT, *card), owes(NOTHING, cards=card))
    game = deal(game, KIT, (KJAS,), owes(NOTHING, to=KJAS, cards=card, only_if=runs))
    game = until(run_economy(game, {KJAS: (Run(card=cities),)}), "trade")
    assert (set(game.serving), "colony.acrux" in player(game, KIT).cards) == ({KIT}, True)
    chosen = play(game, (KIT, Deliver(obligation="d2.1")))
    assert "colony.acrux" in player(chosen, KJAS).cards
    assert "colony.acrux" in player(play(game, (KIT, Done())), UNITY).cards


def test_nobody_spends_what_creditors_wait_for_before_they_are_served():
    """TRADE-12."""
    game = next_turn(two_creditors(green=3))
    game = offer(game, KIT, (ENI_ET,), Give(giver=KIT, to=ENI_ET, goods=GREEN))
    assert got(game) == (2, 1)
    assert why_not(game, ENI_ET, AcceptDeal(deal=newest(game))) == "lacks_goods"


def test_a_wild_cube_does_not_keep_a_promise_of_a_coloured_one():
    """TRADE-12."""
    game = next_turn(promised(stock(table(*FIVE), KIT, wild_small=3), owes()))
    assert player(game, UNITY).stock == Goods()
    assert "d1.1" in game.obligations


def test_the_creditor_may_accept_a_wild_cube_instead():
    """TRADE-12, TRADE-9."""
    game = next_turn(promised(stock(table(*FIVE), KIT, wild_small=1), owes()))
    wild = Give(giver=KIT, to=UNITY, goods=Goods(wild_small=1))
    game = close_trading(deal(game, KIT, (UNITY,), wild, settles=("d1.1",)))
    assert (player(game, UNITY).stock, player(game, KIT).score) == (Goods(wild_small=1), 0)


# ---------------------------------------------------------------- only if something is done

DONE_BY_KJAS = [
    ("run", "kjas.underground_cities"),
    ("invent", "ubiquitous_cultural_repository"),
    ("upgrade", "colony.acrux"),
    ("buy", "track"),
]


@pytest.mark.parametrize(("verb", "subject"), DONE_BY_KJAS)
@pytest.mark.parametrize("does_it", [True, False])
def test_a_promise_may_hang_on_a_deed(verb, subject, does_it):
    """TRADE-10."""
    game = hold(stock(table(*FIVE), KIT, green=1), KJAS, "colony.acrux", "research.sociologists")
    game = stock(game, KJAS, white=8, ship=1)
    subject = game.colony_track[0] if subject == "track" else subject
    game = promised(game, owes(only_if=Deed(who=KJAS, verb=verb, subject=subject)))
    if does_it and verb == "invent":
        game = play(game, (KJAS, Invent(card="research.sociologists")))
    if does_it and verb == "upgrade":
        game = play(game, (KJAS, UpgradeCard(card="colony.acrux")))
    runs = (Run(card="kjas.underground_cities"),) if does_it and verb == "run" else ()
    game = bid(run_economy(game, {KJAS: runs}), kjas=(1, 0) if does_it and verb == "buy" else (0, 0))
    if does_it and verb == "buy":
        game = play(game, (KJAS, Buy(card=subject)))
    game = until(until(game, "trade", turn=2), "plan")
    assert player(game, UNITY).stock == (GREEN if does_it else Goods())
    assert (game.obligations, player(game, KIT).score) == ({}, 0)


def test_a_deed_done_by_somebody_else_does_not_count():
    """TRADE-10."""
    deed = Deed(who=UNITY, verb="run", subject="kjas.underground_cities")
    game = promised(stock(table(*FIVE), KIT, green=1), owes(only_if=deed))
    game = run_economy(game, {KJAS: (Run(card="kjas.underground_cities"),)})
    assert not game.obligations["d1.1"].met


def test_a_condition_that_comes_true_in_the_trade_phase_of_the_promise_is_in_time():
    """TRADE-10."""
    deed = Deed(who=UNITY, verb="upgrade", subject="colony.mimosa")
    game = hold(stock(table(*FIVE), KIT, green=1), UNITY, "colony.mimosa")
    game = promised(stock(game, UNITY, blue=1), owes(due=1, at="close", only_if=deed))
    assert why_not(game, KIT, Deliver(obligation="d1.1")) == "condition_not_met"
    events = happened(game, UNITY, UpgradeCard(card="colony.mimosa"))
    assert ObligationMet(obligation="d1.1") in events
    game = play(game, (UNITY, UpgradeCard(card="colony.mimosa")))
    assert player(close_trading(game), UNITY).stock == GREEN


def test_a_condition_that_comes_true_in_the_last_window_is_in_time():
    """TRADE-12."""
    deed = Deed(who=UNITY, verb="upgrade", subject="colony.mimosa")
    game = hold(stock(table(*FIVE), KIT, green=1), UNITY, "colony.mimosa")
    game = close_trading(promised(stock(game, UNITY, blue=1), owes(due=1, at="close", only_if=deed)))
    assert game.step == "window"
    game = until(play(game, (UNITY, UpgradeCard(card="colony.mimosa"))), "plan")
    assert (player(game, UNITY).stock, game.obligations) == (GREEN, {})


@pytest.mark.parametrize(
    ("verb", "subject", "code"),
    [
        ("run", "research.sociologists", "impossible_deed"),
        ("run", "nanotechnology", "impossible_deed"),
        ("invent", "colony.acrux", "impossible_deed"),
        ("upgrade", "relic.stars_ruin", "impossible_deed"),
        ("buy", "kjas.underground_cities", "impossible_deed"),
        ("run", "colony.atlantis", "unknown_card"),
    ],
)
def test_a_promise_hangs_only_on_deeds_that_can_be_done(verb, subject, code):
    """TRADE-10."""
    clause = owes(only_if=Deed(who=UNITY, verb=verb, subject=subject))
    assert why_not(table(*FIVE), KIT, ProposeDeal(parties=(0, 1), clauses=(clause,))) == code


# ---------------------------------------------------------------- changing and letting go


def test_the_creditor_may_release_the_debtor():
    """TRADE-9."""
    game = promised(table(*FIVE), owes(due=1, at="close"))
    game = close_trading(play(game, (UNITY, Release(obligation="d1.1"))))
    assert (game.step, player(game, KIT).score) == ("window", 0)


@pytest.mark.parametrize("who", [KIT, KJAS])
def test_nobody_but_the_creditor_releases(who):
    """TRADE-9."""
    game = promised(table(*FIVE), owes())
    assert why_not(game, who, Release(obligation="d1.1")) == "no_such_promise"


def test_the_parties_may_cancel_a_promise():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes())
    game = deal(game, KIT, (UNITY,), settles=("d1.1",))
    assert player(next_turn(game), KIT).stock == GREEN


def test_the_parties_may_change_a_promise():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes())
    game = deal(game, UNITY, (KIT,), owes(due=3), settles=("d1.1",))
    game = next_turn(game)
    assert player(game, UNITY).stock == Goods()
    assert player(next_turn(game), UNITY).stock == GREEN


def test_a_promise_is_changed_only_with_every_party_of_its_deal():
    """TRADE-9."""
    game = deal(stock(table(*FIVE), KIT, green=1), KIT, (UNITY, KJAS), owes())
    assert why_not(game, KIT, ProposeDeal(parties=(0, 1), clauses=(), settles=("d1.1",))) == "no_such_promise"
    game = deal(game, KIT, (UNITY, KJAS), settles=("d1.1",))
    assert game.obligations == {}


def test_a_promise_is_replaced_only_once():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=2), owes())
    for _ in range(2):
        game = offer(game, KIT, (UNITY,), Give(giver=KIT, to=UNITY, goods=GREEN), settles=("d1.1",))
    game = play(game, (UNITY, AcceptDeal(deal="d2")))
    assert why_not(game, UNITY, AcceptDeal(deal="d3")) == "no_such_promise"


def test_every_promise_of_a_deal_stands_on_its_own():
    """TRADE-9."""
    game = promised(stock(table(*FIVE), KIT, green=1), owes(), owes(Goods(white=1), due=3))
    assert [promise(game, n) in game.obligations for n in (1, 2)] == [True, True]
    game = next_turn(game)
    assert list(game.obligations) == ["d1.2"]


def test_a_promised_card_is_owed_beside_what_was_promised_before():
    """TRADE-10."""
    cards = ("zeth.one", "zeth.two")
    promises = [
        Obligation(
            id=f"o{n}",
            deal="d1",
            parties=(0, 1),
            made=1,
            clause=Pledge(due=2, what=Give(giver=0, to=1, cards=(card,))),
        )
        for n, card in enumerate(cards)
    ]
    assert owed_by(0, promises, 1, Goods(), {}).cards == {*cards}


def test_what_a_seat_has_to_give_away_together_is_among_its_goods():
    """ZETH-10."""
    area = PlayerState(species="zeth", stock=Goods(green=1), donation=Goods(ship=1), tied=Goods(envoy=2))
    assert goods_of(area) == Goods(green=1, ship=1, envoy=2)

"""Promises to do something by a time, and promises not to do something."""

import pytest

from elysian.actions import (
    AcceptDeal,
    Buy,
    Done,
    Gift,
    GiveGifts,
    Invent,
    LayPlan,
    ProposeDeal,
    PutIntoPlay,
    Release,
    TimeUp,
    UpgradeCard,
)
from elysian.book_value import book
from elysian.deals import (
    ANYONE,
    Deed,
    Forbear,
    Give,
    NoSteal,
    Pledge,
)
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import ObligationBroken, ObligationKept
from elysian.goods import Goods
from elysian.options import options
from elysian.payment import suggest
from elysian.rules import refusal
from elysian.state import Run
from tests.support.promisers import CITIES, FOUR, KIT, KJAS, UNITY, ZETH, ready_kjas, undertakes
from tests.support.table import (
    bid,
    change,
    close_trading,
    deal,
    happened,
    hold,
    next_turn,
    offer,
    play,
    player,
    put_away,
    run_economy,
    stock,
    table,
    until,
    why_not,
)

# ---------------------------------------------------------------- undertakings


def test_an_invention_that_was_promised_is_made_in_time():
    """TRADE-10."""
    clause = undertakes("invent", "ubiquitous_cultural_repository", "trade")
    game = deal(ready_kjas(), KJAS, (KIT,), clause)
    events = happened(game, KJAS, Invent(card="research.sociologists"))
    assert ObligationKept(obligation="d1.1") in events
    game = until(play(game, (KJAS, Invent(card="research.sociologists"))), "plan")
    assert player(game, KJAS).score == 1


def test_an_era_four_invention_is_promised_by_its_research_team():
    """TRADE-10."""
    team = "research.cultural_polymorphologists"
    game = stock(hold(table(*FOUR), KJAS, team), KJAS, white=18)
    game = deal(game, KJAS, (KIT,), undertakes("invent", team, "trade"))
    assert play(game, (KJAS, Invent(card=team))).obligations == {}


def test_an_upgrade_that_was_promised_is_made_in_time():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade"))
    game = play(game, (KJAS, UpgradeCard(card="colony.acrux")))
    assert game.obligations == {}
    assert player(until(game, "plan"), KJAS).score == 0


def test_a_converter_that_was_promised_is_run_in_time():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy"))
    game = run_economy(game, {KJAS: (Run(card=CITIES),)})
    assert (game.obligations, player(game, KJAS).score) == ({}, 0)


def test_a_card_that_was_promised_to_be_bought_is_bought_in_time():
    """TRADE-10."""
    game = ready_kjas()
    card = game.colony_track[0]
    game = bid(run_economy(deal(game, KJAS, (KIT,), undertakes("buy", card, "confluence")), {}), kjas=(1, 0))
    game = until(play(game, (KJAS, Buy(card=card))), "trade")
    assert (game.obligations, player(game, KJAS).score) == ({}, 0)


DEEDS = [
    ("invent", "ubiquitous_cultural_repository", Invent(card="research.sociologists", pay=Goods(white=6))),
    ("upgrade", "colony.acrux", UpgradeCard(card="colony.acrux", pay=Goods(white=2))),
]


@pytest.mark.parametrize(("verb", "subject", "deed"), DEEDS)
def test_nobody_is_done_who_can_do_what_was_undertaken(verb, subject, deed):
    """D-81, TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes(verb, subject, "trade"))
    refused = refusal(game, KJAS, Done())
    assert (refused.code, refused.facts["obligation"]) == ("keep_your_word", "d1.1")
    assert (refused.facts["deed"], options(game, KJAS).must) == (deed, deed)
    game = play(game, (KJAS, refused.facts["deed"]))
    assert (why_not(game, KJAS, Done()), options(game, KJAS).must) == (None, None)


@pytest.mark.parametrize(("verb", "subject", "deed"), DEEDS)
def test_who_lacks_the_means_is_done_and_settles_at_the_end_of_the_window(verb, subject, deed):
    """D-81, TRADE-10, TRADE-11."""
    game = stock(deal(ready_kjas(), KJAS, (KIT,), undertakes(verb, subject, "trade")), KJAS, white=1)
    game = close_trading(play(game, (KJAS, Done())))
    assert (game.step, player(game, KJAS).score) == ("window", 0)
    game = until(game, "plan")
    assert (player(game, KJAS).score, player(game, KIT).score, game.obligations) == (-2, 0, {})


def test_what_a_gift_makes_possible_is_done_in_the_window():
    """D-81, TRADE-10."""
    game = stock(deal(ready_kjas(), KJAS, (KIT,), undertakes(*DEEDS[0][:2], "trade")), KJAS, white=5)
    game = change(game, UNITY, donation=Goods(white=1))
    game = close_trading(play(game, (KJAS, Done())))
    assert game.step == "gifts"
    game = play(game, (UNITY, GiveGifts(gifts=(Gift(to=KJAS, goods=Goods(white=1)),))))
    assert (game.step, why_not(game, KJAS, Done())) == ("window", "keep_your_word")
    assert why_not(game, UNITY, Done()) is None


def test_time_up_does_the_deed():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade"))
    game = until(game, "window")
    assert player(game, KJAS).cards["colony.acrux"].flipped
    assert game.obligations == {}


def test_nobody_leaves_the_window_with_a_deed_undone_that_has_become_possible():
    """TRADE-10."""
    game = hold(stock(table("caylion", *FOUR[1:]), 0, blue=2), 0, "colony.rigel", "colony.polaris")
    card = CATALOG.cards["colony.polaris"].upgrades[0].cost.goods
    clause = undertakes("upgrade", "colony.polaris", "trade", who=0, to=UNITY)
    game = close_trading(deal(game, 0, (UNITY,), clause))
    game = play(game, (0, Done()))
    game = stock(game, 0, card)
    for seat in (1, 2, 3):
        game = play(game, (seat, Done()))
    assert player(game, 0).cards["colony.polaris"].flipped
    assert player(game, 0).score == 0


def test_time_up_pays_the_least_by_the_reference_card():
    """TRADE-10, COMP-4."""
    game = hold(table(*FOUR), KJAS, "research.sociologists")
    costs = CATALOG.cards["research.sociologists"].research.costs
    cheap = min((cost.goods for cost in costs), key=book)
    game = stock(game, KJAS, costs[0].goods + costs[1].goods)
    game = deal(game, KJAS, (KIT,), undertakes("invent", "ubiquitous_cultural_repository", "trade"))
    assert refusal(game, KJAS, Done()).facts["deed"].pay == cheap


def test_goods_already_due_come_before_a_deed():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade"))
    owed = Pledge(what=Give(giver=KJAS, to=ZETH, goods=Goods(white=7)), due=1, at="close")
    assert why_not(game, KJAS, Done()) == "keep_your_word"
    assert why_not(deal(game, KJAS, (ZETH,), owed), KJAS, Done()) is None


def test_of_deeds_that_cannot_be_paid_together_the_debtor_does_which_he_will():
    """TRADE-10."""
    game = stock(ready_kjas(), KJAS, white=7)
    for verb, subject, _ in DEEDS:
        game = deal(game, KJAS, (KIT,), undertakes(verb, subject, "trade"))
    assert refusal(game, KJAS, Done()).facts["obligation"] == "d1.1"
    for _, _, deed in DEEDS:
        assert why_not(play(game, (KJAS, deed)), KJAS, Done()) is None


def test_a_deed_for_a_later_turn_or_phase_does_not_press():
    """TRADE-10."""
    game = ready_kjas()
    game = deal(game, KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade", turn=2))
    game = deal(game, KJAS, (KIT,), undertakes("run", CITIES, "economy"))
    assert why_not(game, KJAS, Done()) is None
    assert why_not(until(run_economy(game, {KJAS: (Run(card=CITIES),)}), "trade"), KJAS, Done()) == (
        "keep_your_word"
    )


def test_a_deed_whose_phase_comes_later_still_presses_when_it_can_be_done_for_the_last_time():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "confluence"))
    assert why_not(game, KJAS, Done()) == "keep_your_word"


def test_a_plan_contains_a_promised_run_that_can_be_paid():
    """TRADE-10."""
    game = until(deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy")), "plan")
    assert why_not(game, KJAS, LayPlan(runs=())) == "keep_your_word"
    assert why_not(game, KJAS, LayPlan(runs=(), ready=False)) is None
    assert why_not(game, KJAS, LayPlan(runs=(Run(card=CITIES),))) is None
    game = play(game, (KJAS, LayPlan(runs=(), ready=False)), (None, TimeUp()))
    assert (game.obligations, player(game, KJAS).score) == ({}, 0)


def test_a_run_that_was_not_promised_is_no_excuse_for_leaving_out_one_that_was():
    """TRADE-10."""
    jumpcores, immortality = "kjas.starstrider_jumpcores", "kjas.clinical_immortality"
    game = stock(hold(table(*FOUR), KJAS, immortality), KJAS, blue=2)
    game = until(deal(game, KJAS, (KIT,), undertakes("run", jumpcores, "economy")), "plan")
    assert why_not(game, KJAS, LayPlan(runs=(Run(card=immortality),))) == "keep_your_word"
    assert why_not(game, KJAS, LayPlan(runs=(Run(card=jumpcores),))) is None


def test_when_time_is_up_a_promised_run_goes_before_one_that_was_saved():
    """TRADE-10."""
    jumpcores, immortality = "kjas.starstrider_jumpcores", "kjas.clinical_immortality"
    game = stock(hold(table(*FOUR), KJAS, immortality), KJAS, blue=2)
    game = until(deal(game, KJAS, (KIT,), undertakes("run", jumpcores, "economy")), "plan")
    game = play(game, (KJAS, LayPlan(runs=(Run(card=immortality),), ready=False)), (None, TimeUp()))
    assert game.obligations == {}
    assert player(game, KJAS).stock.ship == CATALOG.cards[jumpcores].front.converters[0].gain.ship


def unity_plans(**goods):
    """The Unity at their plan, having promised to run two cards."""
    cards = [c for c in player(table(*FOUR), UNITY).cards if CATALOG.cards[c].front.converters][:2]
    game = stock(table(*FOUR), UNITY, **goods)
    for card in cards:
        game = deal(game, UNITY, (KIT,), undertakes("run", card, "economy", who=UNITY))
    return until(game, "plan"), cards


def test_of_promised_runs_that_cannot_be_paid_together_any_may_be_planned():
    """TRADE-10."""
    game, cards = unity_plans(wild_small=99, wild_large=99, ultratech=99)
    costs = [CATALOG.cards[card].front.converters[0].costs[0] for card in cards]
    pays = [suggest(cost, player(game, UNITY).stock) for cost in costs]
    for n, card in enumerate(cards):
        run = Run(card=card, pay=pays[n])
        assert why_not(game, UNITY, LayPlan(runs=(run,))) == "keep_your_word"
        alone = stock(game, UNITY, pays[n])
        assert why_not(alone, UNITY, LayPlan(runs=(run,))) is None


def test_an_undertaking_for_a_later_turn_is_judged_in_that_turn():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy", turn=2))
    game = next_turn(game)
    assert player(game, KJAS).score == 0
    with pytest.raises(IllegalAction, match="keep_your_word"):
        run_economy(game, {})


def test_a_card_is_put_into_play_as_was_promised():
    """TRADE-10."""
    game = stock(table(*FOUR), KIT, yellow=1)
    game = deal(game, KIT, (UNITY,), undertakes("enter", "nullspace.zd_nx", "trade", who=KIT, to=UNITY))
    assert why_not(game, KIT, Done()) == "keep_your_word"
    assert play(game, (KIT, PutIntoPlay(card="nullspace.zd_nx"))).obligations == {}


@pytest.mark.parametrize(
    ("clause", "turn", "code"),
    [
        (undertakes("enter", "nullspace.zd_nx", "trade"), 1, "impossible_deed"),
        (undertakes("enter", CITIES, "trade"), 1, "impossible_deed"),
        (undertakes("run", CITIES, "trade"), 1, "too_late"),
        (undertakes("run", CITIES, "trade", turn=2), 1, None),
        (undertakes("run", CITIES, "trade", turn=7), 6, "after_the_end"),
        (undertakes("buy", "colony.vega", "confluence"), 1, "too_late"),
        (undertakes("buy", "colony.vega", "confluence", turn=2), 1, None),
        (undertakes("buy", "colony.vega", "confluence", turn=6), 6, "too_late"),
        (undertakes("buy", "colony.vega", "economy", turn=1), 1, "too_late"),
        (undertakes("invent", "nanotechnology", "trade"), 1, "too_late"),
        (undertakes("invent", "nanotechnology", "trade", turn=2), 1, None),
        (undertakes("bid", "moon", "confluence"), 1, "malformed"),
        (undertakes("bid", "colony", "confluence"), 1, "bad_quantity"),
        (undertakes("run", "eni_et.mutual_understanding", "economy"), 1, "out_of_the_game"),
    ],
)
def test_what_can_never_be_done_is_refused_when_it_is_offered(clause, turn, code):
    """D-86, TRADE-10."""
    game = put_away(put_away(ready_kjas(turn=turn), CATALOG.team("nanotechnology")), "colony.vega")
    assert why_not(game, KJAS, ProposeDeal(parties=(KJAS, KIT), clauses=(clause,))) == code


def test_an_undertaking_kept_early_is_kept():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy", turn=2))
    assert run_economy(game, {KJAS: (Run(card=CITIES),)}).obligations == {}


@pytest.mark.parametrize(
    ("verb", "subject", "deed"),
    [
        ("upgrade", "colony.acrux", UpgradeCard(card="colony.acrux")),
        ("invent", "ubiquitous_cultural_repository", Invent(card="research.sociologists")),
    ],
)
def test_what_is_already_done_cannot_be_promised_any_more(verb, subject, deed):
    """TRADE-10."""
    promised = ProposeDeal(parties=(KJAS, KIT), clauses=(undertakes(verb, subject, "trade", turn=2),))
    price = Pledge(
        what=Give(giver=KIT, to=KJAS, goods=Goods(green=1)),
        due=2,
        only_if=Deed(who=KJAS, verb=verb, subject=subject),
    )
    paid = ProposeDeal(parties=(KJAS, KIT), clauses=(price,))
    game = play(ready_kjas(), (KJAS, promised), (KJAS, paid))
    assert why_not(game, KIT, AcceptDeal(deal="d1")) is None
    game = play(game, (KJAS, deed))
    for name, again in (("d1", promised), ("d2", paid)):
        assert why_not(game, KIT, AcceptDeal(deal=name)) == "too_late"
        assert why_not(game, KJAS, again) == "too_late"
    assert why_not(next_turn(game), KJAS, promised) == "too_late"


def test_a_fleet_already_found_cannot_be_promised_any_more():
    """TRADE-10, IMD-3."""
    game = stock(table("imdril", *FOUR[1:]), 0, ultratech=1, black=1)
    fleet = "imdril.fleet_1_ultratech"
    clause = undertakes("run", fleet, "trade", who=0, to=UNITY)
    promised = ProposeDeal(parties=(0, UNITY), clauses=(clause,))
    game = play(game, (0, promised), (0, PutIntoPlay(card=fleet)))
    assert why_not(game, UNITY, AcceptDeal(deal="d1")) == "too_late"
    assert why_not(game, 0, promised) == "too_late"


def test_a_card_without_a_converter_cannot_be_promised_to_run():
    """TRADE-10."""
    for subject in ("relic.stars_ruin", "imdril.starting_fleet", "research.sociologists"):
        clause = undertakes("run", subject, "economy")
        assert why_not(table(*FOUR), KJAS, ProposeDeal(parties=(KJAS, KIT), clauses=(clause,))) == (
            "impossible_deed"
        )


def test_whoever_takes_an_open_offer_is_bound_by_what_it_asks_of_anyone():
    """TRADE-10, TRADE-4."""
    clauses = (
        undertakes("buy", "colony.acrux", "confluence", who=ANYONE, turn=2),
        Forbear(who=ANYONE, to=KIT, what=NoSteal(target=KIT), until=2),
        Forbear(who=KIT, to=ANYONE, what=NoSteal(target=ANYONE), until=2),
        Pledge(
            what=Give(giver=KIT, to=ANYONE, goods=Goods(green=1)),
            due=2,
            only_if=Deed(who=ANYONE, verb="buy", subject="colony.acrux"),
        ),
    )
    game = offer(table(*FOUR), KIT, (ANYONE,), *clauses)
    owed = play(game, (ZETH, AcceptDeal(deal="d1"))).obligations
    assert [one.clause for one in owed.values()] == [
        undertakes("buy", "colony.acrux", "confluence", who=ZETH, turn=2),
        Forbear(who=ZETH, to=KIT, what=NoSteal(target=KIT), until=2),
        Forbear(who=KIT, to=ZETH, what=NoSteal(target=ZETH), until=2),
        Pledge(
            what=Give(giver=KIT, to=ZETH, goods=Goods(green=1)),
            due=2,
            only_if=Deed(who=ZETH, verb="buy", subject="colony.acrux"),
        ),
    ]


def test_somebody_elses_deed_does_not_keep_an_undertaking():
    """TRADE-10."""
    game = deal(ready_kjas(), UNITY, (KIT,), undertakes("run", CITIES, "economy", who=UNITY))
    game = run_economy(game, {KJAS: (Run(card=CITIES),)})
    assert list(game.obligations) == ["d1.1"]


def test_a_released_undertaking_costs_nothing():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy"))
    assert why_not(game, KJAS, Release(obligation="d1.1")) == "no_such_promise"
    game = run_economy(play(game, (KIT, Release(obligation="d1.1"))), {})
    assert player(game, KJAS).score == 0


def test_an_undertaking_in_the_last_turn_is_judged_before_the_game_is_scored():
    """TRADE-10."""
    game = deal(ready_kjas(turn=6), UNITY, (KIT,), undertakes("run", CITIES, "confluence", turn=6, who=UNITY))
    game = until(run_economy(game, {}), "over")
    assert player(game, UNITY).score == -2
    assert game.scores[UNITY].points == -2


def test_an_undertaking_cannot_be_due_in_the_past():
    """TRADE-9, TRADE-10."""
    clause = undertakes("run", CITIES, "confluence", turn=1)
    assert (
        why_not(ready_kjas(turn=2), KJAS, ProposeDeal(parties=(KJAS, KIT), clauses=(clause,))) == "too_late"
    )
    game = until(ready_kjas(), "bid")
    clauses = (undertakes("buy", game.colony_track[0], "economy"),)
    assert why_not(game, KJAS, ProposeDeal(parties=(KJAS, KIT), clauses=clauses)) == "too_late"


def test_a_broken_undertaking_is_told_to_all():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade"))
    game = close_trading(stock(game, KJAS, green=1))
    game = play(game, *((seat, Done()) for seat in (0, 1, 2)))
    assert ObligationBroken(by=KJAS, obligation="d1.1", points=2) in happened(game, 3, Done())

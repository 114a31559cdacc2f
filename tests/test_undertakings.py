"""Promises to do something by a time, and promises not to do something."""

import pytest

from elysian.actions import (
    AcceptDeal,
    Buy,
    Done,
    Invent,
    Pass,
    PlaceBid,
    ProposeDeal,
    PutIntoPlay,
    Release,
    Steal,
    UpgradeCard,
)
from elysian.deals import ANYONE, Deed, Forbear, Give, NoBid, NoSteal, NoTake, Pledge, Undertake
from elysian.events import ObligationBroken, ObligationKept
from elysian.goods import Goods
from elysian.state import Run
from tests.support.table import (
    bid,
    close_trading,
    deal,
    happened,
    hold,
    next_turn,
    offer,
    play,
    player,
    run_economy,
    stock,
    table,
    until,
    why_not,
)

FOUR = ("kit", "unity", "kjas", "zeth")
KIT, UNITY, KJAS, ZETH = range(4)
CITIES = "kjas.underground_cities"


def undertakes(verb, subject, by, turn=1, who=KJAS, to=KIT):
    """A promise to do something."""
    return Undertake(to=to, deed=Deed(who=who, verb=verb, subject=subject), turn=turn, by=by)


def ready_kjas(**more):
    """A table at which the Kjas can do every kind of deed."""
    game = hold(table(*FOUR, **more), KJAS, "colony.acrux", "research.sociologists")
    return stock(game, KJAS, white=8, ship=1)


def reach(game, step):
    """The table at a later step, nobody having run a white converter."""
    if step in ("window", "plan"):
        return until(game, step)
    return run_economy(game, {}) if step == "bid" else next_turn(game)


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


@pytest.mark.parametrize(
    ("verb", "subject", "by", "still_open", "over"),
    [
        ("invent", "ubiquitous_cultural_repository", "trade", "window", "plan"),
        ("upgrade", "colony.acrux", "trade", "window", "plan"),
        ("run", CITIES, "economy", "plan", "bid"),
        ("run", CITIES, "confluence", "bid", "trade"),
        ("buy", "colony.vega", "confluence", "bid", "trade"),
    ],
)
def test_an_undertaking_not_done_in_time_costs_what_a_missing_card_costs(verb, subject, by, still_open, over):
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes(verb, subject, by))
    assert player(reach(game, still_open), KJAS).score == 0
    game = reach(game, over)
    assert (player(game, KJAS).score, player(game, KIT).score) == (-2, 0)
    assert game.obligations == {}


def test_an_undertaking_for_a_later_turn_is_judged_in_that_turn():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy", turn=2))
    game = next_turn(game)
    assert player(game, KJAS).score == 0
    assert player(run_economy(game, {}), KJAS).score == -2


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
        undertakes("buy", "colony.acrux", "confluence", who=ANYONE),
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
        undertakes("buy", "colony.acrux", "confluence", who=ZETH),
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
    assert player(game, UNITY).score == -2


def test_a_released_undertaking_costs_nothing():
    """TRADE-10."""
    game = deal(ready_kjas(), KJAS, (KIT,), undertakes("run", CITIES, "economy"))
    assert why_not(game, KJAS, Release(obligation="d1.1")) == "no_such_promise"
    game = run_economy(play(game, (KIT, Release(obligation="d1.1"))), {})
    assert player(game, KJAS).score == 0


def test_an_undertaking_in_the_last_turn_is_judged_before_the_game_is_scored():
    """TRADE-10."""
    game = deal(ready_kjas(turn=6), KJAS, (KIT,), undertakes("run", CITIES, "confluence", turn=6))
    game = until(run_economy(game, {}), "over")
    assert player(game, KJAS).score == -2
    assert game.scores[KJAS].points == -2


def test_an_undertaking_for_a_turn_after_the_last_lapses():
    """TRADE-12."""
    game = deal(ready_kjas(turn=6), KJAS, (KIT,), undertakes("run", CITIES, "trade", turn=7))
    game = until(run_economy(game, {}), "over")
    assert (player(game, KJAS).score, game.obligations) == (0, {})


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
    game = close_trading(deal(ready_kjas(), KJAS, (KIT,), undertakes("upgrade", "colony.acrux", "trade")))
    game = play(game, *((seat, Done()) for seat in (0, 1, 2)))
    assert ObligationBroken(by=KJAS, obligation="d1.1", points=2) in happened(game, 3, Done())


# ---------------------------------------------------------------- forbearances


def at_the_steal(until_turn=1, target=KIT, turn=1):
    """A table at the steal, the Zeth having promised not to steal from a seat."""
    game = stock(stock(table(*FOUR, turn=turn), ZETH, black=2), KIT, blue=1)
    promise = Forbear(who=ZETH, to=UNITY, what=NoSteal(target=target), until=until_turn)
    return deal(game, ZETH, (UNITY,), promise)


THEFT = Steal(card="zeth.black_market", cost=1, target=KIT, take=Goods(blue=1))


def test_a_promise_not_to_steal_makes_the_theft_illegal():
    """TRADE-10."""
    game = until(run_economy(at_the_steal(), {}), "steal")
    assert why_not(game, ZETH, THEFT) == "promised_not_to"


def test_a_promise_not_to_steal_protects_only_the_seat_it_names():
    """TRADE-10."""
    game = until(run_economy(at_the_steal(target=KJAS), {}), "steal")
    assert why_not(game, ZETH, THEFT) is None


def test_a_forbearance_ends_when_its_beneficiary_releases_it():
    """TRADE-10."""
    game = until(run_economy(at_the_steal(), {}), "steal")
    assert why_not(game, KIT, Release(obligation="d1.1")) == "no_such_promise"
    game = play(game, (UNITY, Release(obligation="d1.1")))
    assert why_not(game, ZETH, THEFT) is None


@pytest.mark.parametrize(("until_turn", "code"), [(1, None), (2, "promised_not_to")])
def test_a_forbearance_holds_up_to_and_with_its_last_turn(until_turn, code):
    """TRADE-10."""
    game = next_turn(at_the_steal(until_turn))
    game = until(run_economy(game, {}), "steal")
    assert why_not(game, ZETH, THEFT) == code


def forbears(game, what, until_turn=1):
    """The table after the Kit promised the Unity not to do something."""
    return deal(game, KIT, (UNITY,), Forbear(who=KIT, to=UNITY, what=what, until=until_turn))


def test_a_promise_not_to_take_a_card_makes_buying_it_illegal():
    """TRADE-10."""
    game = stock(table(*FOUR), KIT, ship=1)
    first, second = game.colony_track[:2]
    game = bid(run_economy(forbears(game, NoTake(card=first)), {}), kit=(1, 0))
    assert why_not(game, KIT, Buy(card=first)) == "cannot_buy"
    assert why_not(game, KIT, Buy(card=second)) is None
    game = play(game, (UNITY, Release(obligation="d1.1")))
    assert why_not(game, KIT, Buy(card=first)) is None


def test_one_who_may_take_nothing_passes():
    """TRADE-10, BID-6."""
    game = stock(table(*FOUR), KIT, ship=1)
    for card in game.colony_track[:2]:
        game = forbears(game, NoTake(card=card))
    game = bid(run_economy(game, {}), kit=(1, 0))
    assert game.turn == 2
    assert player(game, KIT).stock == Goods(ship=1)


def test_a_promise_not_to_bid_caps_the_bid_on_that_track():
    """TRADE-10."""
    game = forbears(stock(table(*FOUR), KIT, ship=5), NoBid(track="colony", most=1))
    game = run_economy(game, {})
    assert why_not(game, KIT, PlaceBid(colony=2)) == "promised_not_to_bid"
    assert why_not(game, KIT, PlaceBid(colony=1, research=4)) is None
    game = play(game, (UNITY, Release(obligation="d1.1")))
    assert why_not(game, KIT, PlaceBid(colony=5)) is None


def test_a_forbearance_that_was_kept_is_over():
    """TRADE-10."""
    game = forbears(stock(table(*FOUR), KIT, ship=5), NoBid(track="research", most=0))
    game = next_turn(game)
    assert (game.obligations, player(game, KIT).score) == ({}, 0)
    assert why_not(run_economy(game, {}), KIT, PlaceBid(research=5)) is None


@pytest.mark.parametrize(
    ("what", "until_turn", "code"),
    [
        (NoBid(track="colony", most=0), 1, "too_late"),
        (NoBid(track="colony", most=-1), 2, "bad_quantity"),
        (NoTake(card="colony.atlantis"), 2, "unknown_card"),
        (NoSteal(target=7), 2, "bad_parties"),
    ],
)
def test_a_forbearance_is_about_something_that_can_still_happen(what, until_turn, code):
    """TRADE-10."""
    clause = Forbear(who=KIT, to=UNITY, what=what, until=until_turn)
    assert why_not(table(*FOUR, turn=2), KIT, ProposeDeal(parties=(0, 1), clauses=(clause,))) == code


def test_promising_not_to_take_leaves_the_ships_with_the_one_who_passes():
    """TRADE-10, BID-6."""
    game = stock(table(*FOUR), KIT, ship=1)
    game = bid(run_economy(forbears(game, NoTake(card=game.colony_track[0])), {}), kit=(1, 0))
    assert player(play(game, (KIT, Pass())), KIT).stock == Goods(ship=1)

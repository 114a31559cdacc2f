"""Promises not to do something, and promises that cannot both be kept."""

import pytest

from elysian.actions import (
    AcceptDeal,
    Buy,
    Invent,
    Pass,
    PlaceBid,
    ProposeDeal,
    Release,
    Steal,
)
from elysian.deals import (
    ANYONE,
    Deed,
    Forbear,
    Give,
    Lend,
    License,
    NoBid,
    NoHand,
    NoInvent,
    NoLicense,
    NoSteal,
    NoTake,
    NoTrade,
    Pledge,
    Undertake,
)
from elysian.goods import Goods
from tests.support.promisers import CITIES, FOUR, KIT, KJAS, UNITY, ZETH, ready_kjas, undertakes
from tests.support.table import (
    bid,
    deal,
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
    assert why_not(game, KIT, Buy(card=first)) == "promised_not_to_take"
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


# ---------------------------------------------------------------- restraint in trading


def sworn(game, what, who=KIT, to=UNITY, until_turn=2):
    """The table after a seat promised another not to do something."""
    return deal(game, who, (to,), Forbear(who=who, to=to, what=what, until=until_turn))


def test_a_promise_not_to_trade_bars_every_deal_with_that_seat():
    """TRADE-10."""
    game = sworn(stock(table(*FOUR), KIT, green=3), NoTrade(partner=ZETH))
    give = Give(giver=KIT, to=ZETH, goods=Goods(green=1))
    aside = Give(giver=KIT, to=KJAS, goods=Goods(green=1))
    for parties, clauses in (((KIT, ZETH), (give,)), ((KIT, ZETH, KJAS), (aside,))):
        assert why_not(game, KIT, ProposeDeal(parties=parties, clauses=clauses)) == "promised_not_to_trade"
    assert why_not(game, ZETH, ProposeDeal(parties=(ZETH, KIT), clauses=(give,))) == "promised_not_to_trade"
    game = offer(game, KIT, (ANYONE,), Give(giver=KIT, to=ANYONE, goods=Goods(green=1)))
    assert why_not(game, ZETH, AcceptDeal(deal="d2")) == "promised_not_to_trade"
    assert why_not(game, KJAS, AcceptDeal(deal="d2")) is None
    released = play(game, (UNITY, Release(obligation="d1.1")))
    assert why_not(released, ZETH, AcceptDeal(deal="d2")) is None


def test_what_is_already_owed_is_delivered_to_one_whom_nobody_trades_with():
    """TRADE-10."""
    owed = Pledge(what=Give(giver=KIT, to=ZETH, goods=Goods(green=1)), due=2)
    game = sworn(deal(stock(table(*FOUR), KIT, green=1), KIT, (ZETH,), owed), NoTrade(partner=ZETH))
    assert player(next_turn(game), ZETH).stock == Goods(green=1)


def yengii():
    """The Yengii have invented a technology."""
    game = hold(stock(table("yengii", "kit", "caylion", "zeth"), 0, white=6), 0, "research.sociologists")
    return play(game, (0, Invent(card="research.sociologists")))


REPOSITORY = "ubiquitous_cultural_repository"


def test_an_exclusive_licence_bars_every_other():
    """D-85, TRADE-10."""
    clauses = (
        License(giver=0, to=1, technology=REPOSITORY),
        Forbear(who=0, to=1, what=NoLicense(technology=REPOSITORY, but=1), until=6),
    )
    game = deal(yengii(), 0, (1,), *clauses)
    other = ProposeDeal(parties=(0, 2), clauses=(License(giver=0, to=2, technology=REPOSITORY),))
    assert why_not(game, 0, other) == why_not(game, 2, other) == "promised_not_to_license"
    game = play(game, (1, Release(obligation="d1.1")))
    assert why_not(game, 0, other) is None


def test_a_licence_is_not_promised_beside_an_exclusive_one_of_the_same_technology():
    """D-85, TRADE-10."""
    given = Pledge(what=License(giver=0, to=1, technology=REPOSITORY), due=2)
    for technology, but, code in (
        (REPOSITORY, 2, "contradicts_itself"),
        (REPOSITORY, 1, None),
        ("nanotechnology", 2, None),
    ):
        keeps = Forbear(who=0, to=2, what=NoLicense(technology=technology, but=but), until=3)
        for clauses in ((given, keeps), (keeps, given)):
            assert why_not(yengii(), 0, ProposeDeal(parties=(0, 1, 2), clauses=clauses)) == code


def test_an_open_offer_does_not_get_round_an_exclusive_licence():
    """D-85, TRADE-10."""
    game = offer(yengii(), 0, (ANYONE,), License(giver=0, to=ANYONE, technology=REPOSITORY))
    game = deal(game, 0, (1,), Forbear(who=0, to=1, what=NoLicense(technology=REPOSITORY, but=1), until=6))
    assert why_not(game, 2, AcceptDeal(deal="d1")) == "promised_not_to_license"
    assert why_not(game, 1, AcceptDeal(deal="d1")) is None


KEPT = "promised_not_to_hand"


@pytest.mark.parametrize(("but", "codes"), [(UNITY, (None, KEPT)), (None, (KEPT, KEPT))])
def test_a_card_may_be_kept_for_one_seat_or_for_nobody(but, codes):
    """TRADE-10."""
    game = hold(table(*FOUR), KIT, "colony.acrux")
    game = sworn(sworn(game, NoHand(card="colony.acrux", but=but)), NoHand(card="kit.hand_crafted", but=but))
    for to, code in zip((UNITY, KJAS), codes, strict=True):
        give = Give(giver=KIT, to=to, cards=("colony.acrux",))
        half = Lend(giver=KIT, to=to, card="kit.polyutility_components")
        for clause in (give, half):
            assert why_not(game, KIT, ProposeDeal(parties=(KIT, to), clauses=(clause,))) == code
            both = (Give(giver=to, to=KIT, goods=Goods(green=1)), clause)
            assert why_not(game, KIT, ProposeDeal(parties=(KIT, to), clauses=both)) == code


def test_what_was_promised_not_to_be_invented_is_not():
    """TRADE-10."""
    game = sworn(ready_kjas(), NoInvent(subject=REPOSITORY), who=KJAS)
    invent = Invent(card="research.sociologists")
    assert why_not(game, KJAS, invent) == "promised_not_to_invent"
    assert why_not(play(game, (UNITY, Release(obligation="d1.1"))), KJAS, invent) is None
    game = stock(next_turn(next_turn(game)), KJAS, white=6)
    assert why_not(game, KJAS, invent) is None


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (NoTrade(partner=KIT), "bad_parties"),
        (NoTrade(partner=9), "bad_parties"),
        (NoHand(card="colony.atlantis", but=None), "unknown_card"),
        (NoHand(card="colony.acrux", but=9), "bad_parties"),
        (NoHand(card="caylion.nanotechnology", but=None), "out_of_the_game"),
        (NoLicense(technology="atlantology", but=UNITY), "unknown_technology"),
        (NoInvent(subject="colony.acrux"), "impossible_deed"),
    ],
)
def test_restraint_names_what_is_there(what, code):
    """TRADE-10."""
    clause = Forbear(who=KIT, to=UNITY, what=what, until=2)
    assert why_not(table(*FOUR), KIT, ProposeDeal(parties=(KIT, UNITY), clauses=(clause,))) == code


def pledge(what, due=2):
    """A promise to hand something over."""
    return Pledge(what=what, due=due)


def forbids(what, who=KJAS, to=UNITY, until_turn=2):
    """A promise of restraint."""
    return Forbear(who=who, to=to, what=what, until=until_turn)


THREE = Deed(who=KJAS, verb="bid", subject="colony", least=3)
BIDS_THREE = Undertake(to=KIT, deed=THREE, turn=2, by="confluence")
CONTRADICTIONS = [
    (undertakes("invent", REPOSITORY, "trade", turn=2), forbids(NoInvent(subject=REPOSITORY))),
    (undertakes("buy", "colony.vega", "confluence", turn=2), forbids(NoTake(card="colony.vega"))),
    (undertakes("buy", "colony.vega", "confluence", turn=2), forbids(NoBid(track="colony", most=0))),
    (
        Undertake(
            to=KIT, deed=Deed(who=KJAS, verb="bid", subject="colony", least=3), turn=2, by="confluence"
        ),
        forbids(NoBid(track="colony", most=2)),
    ),
    (
        pledge(Give(giver=KJAS, to=KIT, cards=("colony.acrux",))),
        forbids(NoHand(card="colony.acrux", but=UNITY)),
    ),
    (pledge(Lend(giver=KJAS, to=KIT, card=CITIES)), forbids(NoHand(card=CITIES, but=None))),
    (
        pledge(Give(giver=KJAS, to=KIT, cards=("colony.acrux",))),
        pledge(Give(giver=KJAS, to=UNITY, cards=("colony.acrux",)), due=3),
    ),
    (
        pledge(Lend(giver=KJAS, to=KIT, card=CITIES)),
        pledge(Lend(giver=KJAS, to=UNITY, card=CITIES)),
    ),
]


@pytest.mark.parametrize(("one", "other"), CONTRADICTIONS)
def test_a_promise_that_contradicts_a_standing_one_is_refused_when_offered(one, other):
    """TRADE-10."""
    parties = (KJAS, KIT, UNITY)
    game = ready_kjas()
    for first, second in ((one, other), (other, one)):
        both = ProposeDeal(parties=parties, clauses=(first, second))
        assert why_not(game, KJAS, both) == "contradicts_itself"
        after = deal(game, KJAS, (KIT, UNITY), first)
        again = ProposeDeal(parties=parties, clauses=(second,))
        assert why_not(after, KJAS, again) == "contradicts"
        instead = ProposeDeal(parties=parties, clauses=(second,), settles=("d1.1",))
        assert why_not(after, KJAS, instead) is None


def test_a_card_may_be_lent_to_one_in_this_turn_and_to_another_in_the_next():
    """TRADE-10."""
    clauses = (
        pledge(Lend(giver=KJAS, to=KIT, card=CITIES), due=2),
        pledge(Lend(giver=KJAS, to=UNITY, card=CITIES), due=3),
    )
    assert why_not(ready_kjas(), KJAS, ProposeDeal(parties=(KJAS, KIT, UNITY), clauses=clauses)) is None


def test_what_a_restraint_leaves_open_may_be_promised():
    """TRADE-10."""
    one = pledge(Give(giver=KJAS, to=KIT, cards=("colony.acrux",)))
    other = forbids(NoHand(card="colony.acrux", but=KIT))
    assert why_not(ready_kjas(), KJAS, ProposeDeal(parties=(KJAS, KIT, UNITY), clauses=(one, other))) is None


def test_a_promise_that_may_be_kept_when_a_restraint_is_over_does_not_contradict_it():
    """TRADE-10."""
    one = undertakes("invent", REPOSITORY, "trade", turn=3)
    other = forbids(NoInvent(subject=REPOSITORY))
    assert why_not(ready_kjas(), KJAS, ProposeDeal(parties=(KJAS, KIT, UNITY), clauses=(one, other))) is None


def test_a_bid_may_be_promised_that_a_bound_on_bids_allows():
    """TRADE-10: who bids at most three may promise to bid two, and not four."""
    game = deal(
        stock(table(*FOUR), KIT, ship=5),
        KIT,
        (UNITY,),
        Forbear(who=KIT, to=UNITY, what=NoBid(track="colony", most=3), until=1),
    )

    def promise(least):
        deed = Deed(who=KIT, verb="bid", subject="colony", least=least)
        undertaking = Undertake(to=ZETH, deed=deed, turn=1, by="confluence")
        return why_not(game, KIT, ProposeDeal(parties=(KIT, ZETH), clauses=(undertaking,)))

    assert promise(2) is None
    assert promise(3) is None
    assert promise(4) == "contradicts"


def test_a_card_is_promised_to_two_where_either_promise_has_a_condition():
    """TRADE-10: only one of them may come true."""
    card, bids = "colony.acrux", Deed(who=ZETH, verb="bid", subject="colony", least=1)
    game = hold(table(*FOUR), KIT, card)

    def both(first, second):
        pledges = (
            Pledge(what=Give(giver=KIT, to=UNITY, cards=(card,)), due=2, only_if=first),
            Pledge(what=Give(giver=KIT, to=ZETH, cards=(card,)), due=2, only_if=second),
        )
        return why_not(game, KIT, ProposeDeal(parties=(KIT, UNITY, ZETH), clauses=pledges))

    assert both(None, None) == "contradicts_itself"
    assert both(bids, None) is None
    assert both(None, bids) is None

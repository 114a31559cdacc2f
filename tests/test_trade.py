"""Trading: what may change hands, all at once or not at all, and what comes back."""

from itertools import permutations

import pytest

from elysian.actions import AcceptDeal, Invent, ProposeDeal, UpgradeCard
from elysian.deals import Give, Lend, License
from elysian.draft import IllegalAction
from elysian.events import DealStruck
from elysian.goods import Goods
from elysian.rules import decide, refusal
from elysian.state import Run
from tests.support.table import (
    change,
    deal,
    happened,
    hold,
    newest,
    next_turn,
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

FIVE = ("kit", "unity", "kjas", "eni_et", "faderan")
KIT, UNITY, KJAS, ENI_ET, FADERAN = range(5)


def proposal(*clauses, parties=(0, 1)):
    return ProposeDeal(parties=parties, clauses=clauses)


# ---------------------------------------------------------------- when


@pytest.mark.parametrize("step", ["window", "plan", "steal"])
def test_nothing_is_traded_outside_trading_time(step):
    """TRADE-1, TRADE-15."""
    game = stock(table("kit", "unity", "kjas", "zeth"), "kit", green=5)
    game = until(game, step)
    assert why_not(game, 0, proposal(Give(giver=0, to=1, goods=Goods(green=1)))) == "wrong_step"


def test_nothing_is_traded_while_donation_goods_are_given_away():
    """TRADE-1."""
    game = until(change(stock(table(*FIVE), KIT, green=1), KJAS, donation=Goods(white=1)), "gifts")
    assert why_not(game, 0, proposal(Give(giver=0, to=1, goods=Goods(green=1)))) == "wrong_step"


# ---------------------------------------------------------------- what


@pytest.mark.parametrize(
    "goods",
    [
        Goods(green=1),
        Goods(white=1),
        Goods(brown=1),
        Goods(black=1),
        Goods(blue=1),
        Goods(yellow=1),
        Goods(wild_small=1),
        Goods(wild_large=1),
        Goods(ultratech=1),
        Goods(ship=1),
    ],
)
def test_cubes_octagons_and_ships_can_be_traded(goods):
    """TRADE-2."""
    game = swap(stock(table(*FIVE), KIT, goods), KIT, goods, UNITY)
    assert (player(game, KIT).stock, player(game, UNITY).stock) == (Goods(), goods)


@pytest.mark.parametrize(
    "card",
    ["colony.acrux", "nullspace.zd_nx", "research.sociologists", "relic.gift_of_the_duruntai"],
)
def test_borderless_cards_can_be_traded_for_good(card):
    """TRADE-2, TRADE-6."""
    game = hold(table(*FIVE), KIT, card)
    game = deal(game, KIT, (KJAS,), Give(giver=KIT, to=KJAS, cards=(card,)))
    assert card in player(game, KJAS).cards
    assert card in player(next_turn(game), KJAS).cards


def test_a_terraformed_colony_is_traded_as_it_lies():
    """TRADE-2."""
    game = hold(table(*FIVE), KIT, "colony.acrux", flipped=True)
    game = deal(game, KIT, (KJAS,), Give(giver=KIT, to=KJAS, cards=("colony.acrux",)))
    assert player(game, KJAS).cards["colony.acrux"].flipped


def test_a_seedling_goes_with_its_colony():
    """TRADE-3."""
    game = hold(table("caylion", "kit", "unity", "kjas"), "caylion", "colony.acrux", seedling=True)
    game = deal(game, 0, (1,), Give(giver=0, to=1, cards=("colony.acrux",)))
    assert player(game, "kit").cards["colony.acrux"].seedling


def test_the_faderan_trade_acknowledgements():
    """TRADE-2."""
    game = stock(table(*FIVE), FADERAN, acknowledgement=11)
    game = swap(game, FADERAN, Goods(acknowledgement=2), KIT)
    assert player(game, KIT).stock.acknowledgement == 2


def test_nobody_else_trades_acknowledgements():
    """TRADE-3."""
    game = stock(table(*FIVE), KIT, acknowledgement=1)
    give = proposal(Give(giver=KIT, to=UNITY, goods=Goods(acknowledgement=1)))
    assert why_not(game, KIT, give) == "tokens_not_tradable"


def test_an_open_offer_cannot_ask_anyone_for_tokens():
    """TRADE-3."""
    asked = Give(giver=-1, to=KIT, goods=Goods(acknowledgement=1))
    assert why_not(table(*FIVE), KIT, proposal(asked, parties=(KIT, -1))) == "tokens_not_tradable"


def test_an_envoy_that_has_arrived_cannot_be_traded_on():
    """TRADE-3."""
    game = change(table("zeth", "kit", "unity", "kjas"), "zeth", tied=Goods(envoy=1))
    game = deal(game, 0, (1,), Give(giver=0, to=1, donation=Goods(envoy=1)))
    assert player(game, "kit").stock == Goods(envoy=1)
    on = proposal(Give(giver=1, to=2, goods=Goods(envoy=1)), parties=(1, 2))
    assert why_not(game, 1, on) == "tokens_not_tradable"


def test_a_licence_is_traded_by_the_yengii_and_by_nobody_else():
    """TRADE-2."""
    game = table("yengii", "kit", "unity", "kjas")
    game = hold(stock(game, "yengii", white=6), "yengii", "research.sociologists")
    game = play(game, ("yengii", Invent(card="research.sociologists")))
    tech = "ubiquitous_cultural_repository"
    licensed = deal(game, 0, (1,), License(giver=0, to=1, technology=tech))
    assert f"kit.{tech}" in player(licensed, "kit").cards
    on = proposal(License(giver=1, to=2, technology=tech), parties=(1, 2))
    assert why_not(licensed, 1, on) == "cannot_license"


def test_a_technology_nobody_invented_cannot_be_licensed():
    """TRADE-4."""
    game = table("yengii", "kit", "unity", "kjas")
    game = offer(game, 0, (1,), License(giver=0, to=1, technology="nanotechnology"))
    assert why_not(game, 1, AcceptDeal(deal=newest(game))) == "cannot_license"


def test_points_in_score_cannot_be_traded():
    """D-01, TRADE-3."""
    game = change(stock(table("kit", "zeth", "unity", "kjas"), "zeth", ultratech=1), "kit", score=12)
    clauses = (
        Give(giver=0, to=1, goods=Goods(point=1)),
        Give(giver=1, to=0, goods=Goods(ultratech=1)),
    )
    assert why_not(game, "kit", proposal(*clauses)) == "points_not_tradable"


def test_a_card_out_of_play_cannot_be_traded():
    """TRADE-3."""
    game = offer(table(*FIVE), KJAS, (KIT,), Lend(giver=KJAS, to=KIT, card="kjas.nanotechnology"))
    assert why_not(game, KIT, AcceptDeal(deal=newest(game))) == "lacks_card"


def test_a_spent_card_cannot_be_traded():
    """TRADE-3."""
    game = hold(table(*FIVE), KJAS, "kjas.nanotechnology", "kjas.genetic_engineering")
    game = play(game, (KJAS, UpgradeCard(card="kjas.genetic_engineering", way=0)))
    assert why_not(
        game, KJAS, proposal(Lend(giver=KJAS, to=KIT, card="kjas.nanotechnology"), parties=(KJAS, KIT))
    ) == ("out_of_the_game")


def test_a_card_on_a_track_cannot_be_traded():
    """TRADE-3."""
    game = table(*FIVE)
    card = game.colony_track[0]
    game = offer(game, KIT, (UNITY,), Give(giver=KIT, to=UNITY, cards=(card,)))
    illegal = refusal(game, UNITY, AcceptDeal(deal=newest(game)))
    assert illegal is not None
    assert (illegal.code, illegal.facts) == ("lacks_card", {"seat": KIT, "card": card})


def test_an_invented_technology_cannot_be_traded():
    """TRADE-3."""
    game = hold(stock(table(*FIVE), KIT, white=6), KIT, "research.sociologists")
    game = play(game, (KIT, Invent(card="research.sociologists")))
    give = Give(giver=KIT, to=UNITY, cards=("research.sociologists",))
    assert why_not(game, KIT, proposal(give)) == "out_of_the_game"


@pytest.mark.parametrize("card", ["zeth.envoys", "zeth.black_market"])
def test_cards_that_say_so_cannot_be_traded(card):
    """TRADE-3."""
    game = table("zeth", "kit", "unity", "kjas")
    assert why_not(game, 0, proposal(Lend(giver=0, to=1, card=card))) == "not_tradable"


def test_a_species_card_is_lent_and_never_given():
    """TRADE-6."""
    game = table(*FIVE)
    given = Give(giver=KJAS, to=KIT, cards=("kjas.underground_cities",))
    assert why_not(game, KJAS, proposal(given, parties=(KJAS, KIT))) == "only_lent"


def test_a_borderless_card_is_given_and_never_lent():
    """TRADE-6."""
    game = hold(table(*FIVE), KIT, "colony.acrux")
    assert why_not(game, KIT, proposal(Lend(giver=KIT, to=UNITY, card="colony.acrux"))) == (
        "not_lent_but_given"
    )


# ---------------------------------------------------------------- consent, all or nothing


def test_a_deal_is_all_or_nothing():
    """TRADE-4."""
    game = stock(table(*FIVE), KIT, green=1)
    clauses = (Give(giver=0, to=1, goods=Goods(green=1)), Give(giver=1, to=0, goods=Goods(black=1)))
    game = offer(game, KIT, (UNITY,), *clauses)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        decide(game, UNITY, AcceptDeal(deal=newest(game)))
    assert player(game, KIT).stock == Goods(green=1)


def test_a_deal_waits_for_the_consent_of_every_party():
    """TRADE-4."""
    game = stock(table(*FIVE), KIT, green=2)
    gives = [Give(giver=KIT, to=to, goods=Goods(green=1)) for to in (UNITY, KJAS)]
    game = play(offer(game, KIT, (UNITY, KJAS), *gives), (UNITY, AcceptDeal(deal="d1")))
    assert player(game, UNITY).stock == Goods()
    game = play(game, (KJAS, AcceptDeal(deal="d1")))
    assert player(game, UNITY).stock == player(game, KJAS).stock == Goods(green=1)


def test_something_for_nothing_is_a_trade_if_the_receiver_wants_it():
    """TRADE-4."""
    game = offer(stock(table(*FIVE), KIT, green=1), KIT, (UNITY,), Give(giver=0, to=1, goods=Goods(green=1)))
    assert player(game, UNITY).stock == Goods()
    game = play(game, (UNITY, AcceptDeal(deal="d1")))
    assert player(game, UNITY).stock == Goods(green=1)
    assert (KIT, UNITY) in game.traded


def test_one_may_ask_for_something_and_give_nothing():
    """TRADE-4."""
    game = deal(stock(table(*FIVE), UNITY, green=1), KIT, (UNITY,), Give(giver=1, to=0, goods=Goods(green=1)))
    assert player(game, KIT).stock == Goods(green=1)


def test_nothing_moves_in_a_three_way_trade_when_one_party_cannot_give():
    """D-08, TRADE-4, TRADE-5."""
    game = table("kit", "zeth", "unity", "kjas")
    game = stock(stock(game, "kit", yellow=1), "unity", green=2)
    game = offer(
        game,
        "kit",
        ("zeth", "unity"),
        Give(giver=0, to=1, goods=Goods(yellow=1)),
        Give(giver=1, to=2, goods=Goods(black=1)),
        Give(giver=2, to=0, goods=Goods(green=2)),
    )
    game = play(game, ("zeth", AcceptDeal(deal="d1")))
    assert why_not(game, "unity", AcceptDeal(deal="d1")) == "lacks_goods"
    assert [area.stock for area in game.players[:3]] == [Goods(yellow=1), Goods(), Goods(green=2)]


def test_a_three_way_trade_moves_everything_in_a_ring():
    """TRADE-5."""
    game = stock(stock(stock(table(*FIVE), KIT, yellow=1), UNITY, black=1), KJAS, green=2)
    game = deal(
        game,
        KIT,
        (UNITY, KJAS),
        Give(giver=KIT, to=UNITY, goods=Goods(yellow=1)),
        Give(giver=UNITY, to=KJAS, goods=Goods(black=1)),
        Give(giver=KJAS, to=KIT, goods=Goods(green=2)),
    )
    assert [area.stock for area in game.players[:3]] == [Goods(green=2), Goods(yellow=1), Goods(black=1)]


def test_goods_may_pass_through_several_hands_in_one_trade():
    """TRADE-5, TRADE-8."""
    game = stock(table(*FIVE), KIT, blue=1)
    game = deal(
        game,
        UNITY,
        (KIT, KJAS),
        Give(giver=UNITY, to=KJAS, goods=Goods(blue=1)),
        Give(giver=KIT, to=UNITY, goods=Goods(blue=1)),
    )
    assert [area.stock for area in game.players[:3]] == [Goods(), Goods(), Goods(blue=1)]


def test_one_cube_cannot_be_given_twice():
    """TRADE-4."""
    game = stock(table(*FIVE), KIT, blue=1)
    gives = [Give(giver=KIT, to=to, goods=Goods(blue=1)) for to in (UNITY, KJAS)]
    game = play(offer(game, KIT, (UNITY, KJAS), *gives), (UNITY, AcceptDeal(deal="d1")))
    assert why_not(game, KJAS, AcceptDeal(deal="d1")) == "lacks_goods"


def test_donation_goods_may_pass_through_a_second_hand_in_one_trade():
    """TRADE-5, DON-4."""
    game = change(table(*FIVE), KIT, donation=Goods(blue=1))
    game = deal(
        game,
        KIT,
        (UNITY, KJAS),
        Give(giver=KIT, to=UNITY, donation=Goods(blue=1)),
        Give(giver=UNITY, to=KJAS, goods=Goods(blue=1)),
    )
    assert (player(game, KJAS).stock, player(game, KIT).donation) == (Goods(blue=1), Goods())


def test_donation_goods_that_belong_together_may_pass_through_a_second_hand_in_one_trade():
    """TRADE-5, TRADE-16, ZETH-10."""
    game = change(table("zeth", "kit", "unity", "kjas"), 0, tied=Goods(blue=1, yellow=1))
    game = deal(
        game,
        0,
        (1, 2),
        Give(giver=0, to=1, donation=Goods(blue=1, yellow=1)),
        Give(giver=1, to=2, goods=Goods(blue=1)),
    )
    assert [player(game, seat).stock for seat in (1, 2)] == [Goods(yellow=1), Goods(blue=1)]


def test_a_colony_may_pass_through_a_second_hand_in_one_trade():
    """TRADE-5."""
    game = hold(table(*FIVE), KIT, "colony.acrux")
    acrux = ("colony.acrux",)
    gives = (Give(giver=KIT, to=UNITY, cards=acrux), Give(giver=UNITY, to=KJAS, cards=acrux))
    game = deal(game, KIT, (UNITY, KJAS), *gives)
    assert "colony.acrux" in player(game, KJAS).cards


# ---------------------------------------------------------------- loans


def test_a_lent_species_card_is_back_with_its_owner_in_the_next_turn():
    """D-09, TRADE-6, ENDT-1."""
    card = "eni_et.mutual_understanding"
    game = deal(table(*FIVE, turn=2), ENI_ET, (KJAS,), Lend(giver=ENI_ET, to=KJAS, card=card))
    assert card in player(game, KJAS).cards
    game = next_turn(game)
    assert card in player(game, ENI_ET).cards
    assert card not in player(game, KJAS).cards


def test_a_borrower_may_lend_on_and_the_card_still_goes_home():
    """D-10, TRADE-7."""
    card = "eni_et.mutual_understanding"
    game = stock(stock(table(*FIVE), KIT, green=2), KJAS, green=2)
    game = deal(game, ENI_ET, (KJAS,), Lend(giver=ENI_ET, to=KJAS, card=card))
    game = deal(game, KJAS, (KIT,), Lend(giver=KJAS, to=KIT, card=card))
    run = Run(card=card, pay=Goods(green=2))
    with pytest.raises(IllegalAction, match="not_your_card"):
        run_economy(game, {KJAS: (run,)})
    game = run_economy(game, {KIT: (run,)})
    assert player(game, KIT).stock == Goods(green=4)
    game = until(game, "trade")
    assert [seat for seat in game.seats() if card in game.players[seat].cards] == [ENI_ET]


def test_a_card_may_be_lent_and_lent_on_in_one_trade():
    """TRADE-7."""
    card = "kjas.underground_cities"
    lends = (Lend(giver=KJAS, to=KIT, card=card), Lend(giver=KIT, to=UNITY, card=card))
    game = deal(table(*FIVE), KJAS, (KIT, UNITY), *lends)
    assert card in player(game, UNITY).cards


def test_a_card_that_was_lent_away_cannot_be_lent_again():
    """TRADE-7."""
    card = "kjas.underground_cities"
    game = deal(table(*FIVE), KJAS, (KIT,), Lend(giver=KJAS, to=KIT, card=card))
    game = offer(game, KJAS, (UNITY,), Lend(giver=KJAS, to=UNITY, card=card))
    assert why_not(game, UNITY, AcceptDeal(deal=newest(game))) == "lacks_card"


# ---------------------------------------------------------------- using what one got


def test_goods_received_can_be_used_in_the_same_trade_phase():
    """TRADE-8."""
    game = stock(hold(table(*FIVE), KIT, "colony.mimosa"), UNITY, blue=1)
    game = swap(game, UNITY, Goods(blue=1), KIT)
    assert player(play(game, (KIT, UpgradeCard(card="colony.mimosa"))), KIT).cards["colony.mimosa"].flipped


def test_a_research_team_received_can_be_used_in_the_same_trade_phase():
    """TRADE-8."""
    game = hold(stock(table(*FIVE), KIT, white=6), UNITY, "research.sociologists")
    game = deal(game, UNITY, (KIT,), Give(giver=UNITY, to=KIT, cards=("research.sociologists",)))
    assert player(play(game, (KIT, Invent(card="research.sociologists"))), KIT).score == 1


def test_a_trade_marks_its_parties_as_having_traded_until_the_turn_ends():
    """B-2."""
    game = deal(
        stock(table(*FIVE), KIT, green=1), KIT, (UNITY, KJAS), Give(giver=0, to=1, goods=Goods(green=1))
    )
    assert game.traded == {(a, b) for a in (0, 1, 2) for b in (0, 1, 2) if a != b}
    assert next_turn(game).traded == frozenset()


# ---------------------------------------------------------------- in whatever order


def in_every_order(game, parties, *clauses):
    """The tables after one deal, its clauses put in each order."""
    for order in permutations(clauses):
        yield deal(game, parties[0], parties[1:], *order)


def test_a_card_passes_through_several_hands_whatever_the_order_of_the_clauses():
    """D-84, TRADE-16."""
    game = hold(table("kit", "zeth", "caylion", "unity"), 0, "colony.polaris")
    passes = (
        Give(giver=0, to=1, cards=("colony.polaris",)),
        Give(giver=1, to=2, cards=("colony.polaris",)),
    )
    for after in in_every_order(game, (0, 1, 2), *passes):
        assert "colony.polaris" in player(after, 2).cards
        assert until(after, "plan").obligations == {}


def test_nothing_is_told_of_hands_through_which_nothing_but_a_passing_card_goes():
    """D-84, TRADE-16: what is handed over is told in the order of its way, and no empty hand with it."""
    game = hold(table("kit", "zeth", "caylion", "unity"), 0, "colony.polaris")
    passes = (
        Give(giver=1, to=2, cards=("colony.polaris",)),
        Give(giver=0, to=1, cards=("colony.polaris",)),
    )
    game = offer(game, 0, (1, 2), *passes)
    game = play(game, (1, AcceptDeal(deal=newest(game))))
    [struck] = [
        one for one in happened(game, 2, AcceptDeal(deal=newest(game))) if isinstance(one, DealStruck)
    ]
    assert [(one.giver, one.to, one.cards) for one in struck.moved] == [
        (0, 1, ("colony.polaris",)),
        (1, 2, ("colony.polaris",)),
    ]


def test_a_card_may_come_back_on_its_way():
    """TRADE-16."""
    game = hold(table(*FIVE), KIT, "colony.polaris")
    ways = ((KIT, UNITY), (UNITY, KIT), (KIT, KJAS))
    clauses = [Give(giver=a, to=b, cards=("colony.polaris",)) for a, b in ways]
    for after in in_every_order(game, (KIT, UNITY, KJAS), *clauses):
        assert "colony.polaris" in player(after, KJAS).cards


def test_a_pair_passes_through_several_hands_as_one():
    """TRADE-16, KIT-2."""
    clauses = (
        Lend(giver=KIT, to=UNITY, card="kit.hand_crafted"),
        Lend(giver=UNITY, to=KJAS, card="kit.hand_crafted"),
    )
    for after in in_every_order(table(*FIVE), (KIT, UNITY, KJAS), *clauses):
        assert {"kit.hand_crafted", "kit.polyutility_components"} <= set(player(after, KJAS).cards)


def test_a_card_that_somebody_on_its_way_never_gets_stops_the_deal():
    """TRADE-16."""
    game = hold(table(*FIVE), KIT, "colony.polaris")
    for ways in (((UNITY, KJAS),), ((KIT, UNITY), (KIT, KJAS)), ((KIT, UNITY), (KJAS, UNITY))):
        clauses = [Give(giver=a, to=b, cards=("colony.polaris",)) for a, b in ways]
        game = offer(game, KIT, (UNITY, KJAS), *clauses)
        game = play(game, (UNITY, AcceptDeal(deal=newest(game))))
        assert why_not(game, KJAS, AcceptDeal(deal=newest(game))) == "lacks_card"


def test_a_card_that_enters_by_a_licence_may_be_lent_in_the_same_deal():
    """TRADE-16, YEN-5."""
    game = table("yengii", "kit", "unity", "kjas")
    game = play(
        hold(stock(game, 0, white=6), 0, "research.sociologists"), (0, Invent(card="research.sociologists"))
    )
    clauses = (
        License(giver=0, to=1, technology="ubiquitous_cultural_repository"),
        Lend(giver=1, to=2, card="kit.ubiquitous_cultural_repository"),
    )
    for after in in_every_order(game, (0, 1, 2), *clauses):
        assert "kit.ubiquitous_cultural_repository" in player(after, 2).cards


def test_donation_goods_that_belong_together_find_their_one_receiver_in_either_order():
    """TRADE-16, ZETH-10."""
    game = table("zeth", "kit", "unity", "kjas")
    game = change(game, 0, donation=Goods(green=1), tied=Goods(green=1, blue=1))
    clauses = (
        Give(giver=0, to=1, donation=Goods(green=1, blue=1)),
        Give(giver=0, to=2, donation=Goods(green=1)),
    )
    for after in in_every_order(game, (0, 1, 2), *clauses):
        assert (player(after, 1).stock, player(after, 2).stock) == (Goods(green=1, blue=1), Goods(green=1))

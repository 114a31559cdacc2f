"""Where two species meet."""

import pytest

from elysian.actions import Buy, Invent, Pass, PutIntoPlay, RunConverter, SplitBid, Steal, UpgradeCard
from elysian.deals import Give, Lend, License, Pledge
from elysian.draft import IllegalAction
from elysian.goods import Goods
from tests.support.arrange import (
    acting,
    at_auction,
    colonies_on_top,
    colony_track,
    held,
    holder,
    relics,
    run,
    stealing,
)
from tests.support.table import (
    change,
    deal,
    hold,
    play,
    player,
    run_economy,
    seat_of,
    stock,
    swap,
    table,
    until,
)


def lend(game, giver, to, card):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Lend(giver=a, to=b, card=card))


def give(game, giver, to, *cards, **goods):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Give(giver=a, to=b, goods=Goods(**goods), cards=cards))


def steal(game, target):
    """A Black Market theft of a blue cube."""
    action = Steal(card="zeth.black_market", target=seat_of(game, target), cost=1, take=Goods(blue=1))
    return play(game, ("zeth", action))


# ---------------------------------------------------------------- wild cubes and interest


def test_the_unity_keep_their_wild_cubes_in_a_borrowed_interest_converter():
    """X-1, UNI-6, ENI-4."""
    game = lend(table("eni_et", "unity", "kit", "zeth"), "eni_et", "unity", "eni_et.elders_wisdom")
    game = stock(game, "unity", wild_large=3, blue=3)
    game = run_economy(game, {"unity": (run("eni_et.elders_wisdom", wild_large=3, blue=3),)})
    assert player(game, "unity").stock == Goods(wild_large=3, blue=7)


def test_wild_cubes_do_not_open_an_interest_converter_to_the_eni_et():
    """X-1, ENI-2."""
    game = stock(table("eni_et", "unity", "kit", "zeth"), "eni_et", wild_small=2)
    plan = (run("eni_et.mutual_understanding", colour="green", wild_small=2),)
    with pytest.raises(IllegalAction, match="only_others_run_it"):
        run_economy(game, {"eni_et": plan})


# ---------------------------------------------------------------- the Zeth and others


def test_the_unity_buy_safety_with_a_wild_cube_like_anybody_else():
    """X-2, ZETH-3."""
    game = stock(table("zeth", "unity", "kit", "yengii"), "unity", wild_small=1, blue=1)
    game = stock(game, "zeth", black=1)
    assert player(steal(stealing(game), "unity"), "unity").stock == Goods(wild_small=1)
    game = hold(swap(game, "unity", Goods(wild_small=1), "zeth"), "kit")
    with pytest.raises(IllegalAction, match="target_is_safe"):
        steal(stealing(stock(game, "kit", blue=1)), "unity")


def test_wild_cubes_pay_for_a_theft():
    """X-3, UNI-3."""
    game = stock(stock(table("zeth", "unity", "kit", "yengii"), "kit", blue=1), "zeth", wild_large=1)
    action = Steal(card="zeth.black_market", target=2, cost=1, take=Goods(blue=1), pay=Goods(wild_large=1))
    game = play(stealing(game), ("zeth", action))
    assert player(game, "zeth").stock == Goods(blue=1)


@pytest.mark.parametrize("direction", [("faderan", "zeth"), ("zeth", "faderan")], ids=["to", "by"])
def test_a_trade_of_the_gift_with_the_zeth_makes_safe(direction):
    """X-14, FAD-13."""
    giver, to = direction
    gift = "relic.gift_of_the_duruntai"
    game = stock(hold(table("zeth", "faderan", "kit", "yengii"), giver, gift), "faderan", blue=1)
    game = stock(stock(game, "zeth", black=1), "kit", blue=1)
    assert steal(stealing(game), "faderan").robbed == {1}
    game = give(game, giver, to, gift)
    with pytest.raises(IllegalAction, match="target_is_safe"):
        steal(stealing(game), "faderan")


def acknowledged(game):
    return give(stock(game, "faderan", blue=1), "faderan", "zeth", acknowledgement=1)


def licensed(game):
    game = change(game, "yengii", invented=("research.computational_theoreticians",))
    clause = License(giver=3, to=0, technology="quantum_computers")
    return deal(game, "yengii", ["zeth"], clause)


def card_given(game):
    return give(hold(game, "kit", "colony.regulus"), "kit", "zeth", "colony.regulus")


@pytest.mark.parametrize(
    ("traded", "who"),
    [(acknowledged, "faderan"), (licensed, "yengii"), (card_given, "kit")],
    ids=["acknowledgement", "licence", "card"],
)
def test_whatever_is_handed_to_the_zeth_makes_safe(traded, who):
    """X-17, ZETH-3."""
    game = table("zeth", "faderan", "kit", "yengii")
    for species in ("faderan", "kit", "yengii"):
        game = stock(game, species, blue=1)
    game = stealing(traded(stock(game, "zeth", black=1)))
    with pytest.raises(IllegalAction, match="target_is_safe"):
        steal(game, who)
    other = "kit" if who != "kit" else "yengii"
    assert player(steal(game, other), other).stock.blue == 0


def test_a_promised_licence_delivered_to_the_zeth_makes_safe():
    """X-17, YEN-9, ZETH-3."""
    game = table("zeth", "faderan", "kit", "yengii")
    game = change(game, "yengii", invented=("research.computational_theoreticians",))
    clause = Pledge(what=License(giver=3, to=0, technology="quantum_computers"), due=2)
    game = until(deal(game, "yengii", ["zeth"], clause), "trade", turn=2)
    game = stock(stock(stock(game, "yengii", blue=1), "kit", blue=1), "zeth", black=1)
    with pytest.raises(IllegalAction, match="target_is_safe"):
        steal(stealing(game), "yengii")


def test_the_faderan_who_hand_out_tokens_of_their_own_keep_an_envoy():
    """ZETH-7, FAD-5."""
    game = stock(table("zeth", "faderan", "kit", "yengii"), "faderan", envoy=1)
    with pytest.raises(IllegalAction, match="tokens_not_tradable"):
        swap(game, "faderan", Goods(envoy=1, acknowledgement=1), "kit")


# ---------------------------------------------------------------- seedlings


def test_a_seedling_colony_runs_twice_for_whoever_holds_it_and_comes_home_so():
    """X-4, CAY-3."""
    game = hold(table("caylion", "imdril", "kit", "zeth"), "caylion", "colony.alnitak", seedling=True)
    game = stock(give(game, "caylion", "kit", "colony.alnitak"), "kit", ultratech=1, green=2)
    game = play(game, ("kit", UpgradeCard(card="colony.alnitak")))
    game = run_economy(game, {"kit": (run("colony.alnitak"), run("colony.alnitak"))})
    assert player(game, "kit").stock == Goods(ultratech=2)


def test_a_nullspace_colony_in_caylion_hands_runs_once():
    """X-5, CAY-2."""
    game = hold(table("caylion", "kit", "unity", "zeth"), "kit", "nullspace.kln_qn")
    game = give(game, "kit", "caylion", "nullspace.kln_qn")
    assert not held(game, "caylion", "nullspace.kln_qn").seedling
    with pytest.raises(IllegalAction, match="already_ran"):
        run_economy(game, {"caylion": (run("nullspace.kln_qn"), run("nullspace.kln_qn"))})


def test_colonies_of_the_transport_network_have_no_seedling_even_for_the_caylion():
    """X-6, CAY-2."""
    game = hold(table("caylion", "faderan", "unity", "zeth"), "faderan", "colony.spica")
    game = colonies_on_top(game, "colony.acrux", "colony.vega")
    game = stock(relics(game, "relic.automated_transport_network"), "faderan", white=4)
    game = play(game, ("faderan", RunConverter(card="faderan.relic_deck", colonies=("colony.spica",))))
    game = give(game, "faderan", "caylion", "colony.acrux", "colony.vega")
    assert not held(game, "caylion", "colony.acrux").seedling
    assert not held(game, "caylion", "colony.vega").seedling


# ---------------------------------------------------------------- inventions


def test_an_invention_of_the_yengii_returns_an_acknowledgement_and_is_not_shared():
    """X-7, YEN-1, YEN-3, FAD-8."""
    game = hold(table("yengii", "faderan", "kit", "zeth"), "yengii", "research.sociologists")
    game = stock(game, "yengii", white=6, acknowledgement=2)
    game = play(game, ("yengii", Invent(card="research.sociologists")))
    assert player(game, "yengii").stock == Goods(acknowledgement=1)
    game = run_economy(game, {})
    assert player(game, "yengii").score == 1 + 3
    assert player(game, "faderan").score == 1
    assert "kit.ubiquitous_cultural_repository" not in player(game, "kit").cards


def test_era_four_returns_an_acknowledgement_to_a_faderan_without_any_left():
    """X-11, FAD-8."""
    game = hold(table("unity", "faderan", "kit", "zeth"), "unity", "research.autonomic_teleoperators")
    game = stock(stock(game, "unity", wild_large=12, acknowledgement=1), "kit", acknowledgement=10)
    invent = Invent(card="research.autonomic_teleoperators", pay=Goods(wild_large=12))
    game = play(game, ("unity", invent))
    assert player(game, "unity").score == 8
    assert (player(game, "faderan").score, player(game, "faderan").stock) == (1, Goods(acknowledgement=1))


def test_stars_ruin_scores_the_ordinary_bonus_at_a_table_with_the_yengii():
    """X-13."""
    game = hold(table("yengii", "faderan", "kit", "zeth", turn=2), "faderan", "colony.spica")
    game = stock(relics(game, "relic.stars_ruin"), "faderan", white=4)
    game = play(game, ("faderan", RunConverter(card="faderan.relic_deck", colonies=("colony.spica",))))
    assert player(game, "faderan").score == 2 + 5


@pytest.mark.parametrize("borrower", ["kit", "yengii"])
def test_a_cache_lent_away_still_makes_inventions_cheaper(borrower):
    """FAD-11, FAD-3."""
    cache = "relic.contextual_integrator_cache"
    game = hold(table("yengii", "faderan", "kit", "zeth"), "faderan", cache)
    game = hold(lend(game, "faderan", borrower, cache), "yengii", "research.sociologists")
    game = stock(game, "yengii", white=5, acknowledgement=1)
    game = play(game, ("yengii", Invent(card="research.sociologists")))
    assert player(game, "yengii").stock == Goods()


# ---------------------------------------------------------------- bids


def test_the_kit_come_first_among_equal_halves():
    """X-15, KIT-7, KJAS-3, CAY-1."""
    game = table("kit", "kjas", "caylion", "imdril")
    game = hold(game, "kit", "colony.regulus", "colony.spica", "colony.vega")
    game = colony_track(game, "colony.acrux", "colony.rigel", "colony.hadar", "colony.wezen")
    game = at_auction(game, kit=(2, 0), kjas=(4, 0), caylion=(4, 0))
    assert acting(game) == ("kjas", 4)
    game = play(game, ("kjas", SplitBid()))
    assert acting(game) == ("kit", 2)
    game = play(game, ("kit", Buy(card="colony.acrux")))
    assert acting(game) == ("kjas", 2)  # no colonies either, 6 beats 1
    game = play(game, ("kjas", Buy(card="colony.rigel")))
    assert acting(game) == ("caylion", 4)  # none against one
    assert acting(play(game, ("caylion", Pass()))) == ("kjas", 2)


# ---------------------------------------------------------------- owners


def test_a_lent_card_still_belongs_to_its_owner_for_spending():
    """X-16, UPG-2."""
    game = hold(table("kit", "yengii", "unity", "zeth"), "zeth", "zeth.nanotechnology")
    game = hold(lend(game, "zeth", "kit", "zeth.nanotechnology"), "kit", "kit.genetic_engineering")
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(game, ("kit", UpgradeCard(card="kit.genetic_engineering", way=0)))
    with pytest.raises(IllegalAction, match="lacks_technology"):
        play(game, ("zeth", UpgradeCard(card="zeth.black_market", way=0)))


def test_a_borrower_of_a_fleet_discovers_none():
    """X-16, VIO-4."""
    game = lend(table("imdril", "kit", "unity", "zeth"), "imdril", "kit", "imdril.starting_fleet")
    game = stock(game, "kit", black=3)
    with pytest.raises(IllegalAction, match="not_in_your_deck"):
        play(game, ("kit", PutIntoPlay(card="imdril.fleet_1_black")))


def test_a_licence_is_for_the_licensees_own_card_even_while_another_is_borrowed():
    """X-16, YEN-5."""
    game = hold(table("yengii", "kit", "unity", "zeth"), "yengii", "yengii.quantum_computers")
    game = change(game, "yengii", invented=("research.computational_theoreticians",))
    game = lend(game, "yengii", "kit", "yengii.quantum_computers")
    game = deal(game, "yengii", ["kit"], License(giver=0, to=1, technology="quantum_computers"))
    assert {"kit.quantum_computers", "yengii.quantum_computers"} <= set(player(game, "kit").cards)
    game = until(game, "trade", turn=2)
    assert holder(game, "yengii.quantum_computers") == "yengii"
    assert holder(game, "kit.quantum_computers") == "kit"


def test_a_licensed_card_of_the_imdril_waits_for_a_fleet():
    """X-8, IMD-7."""
    game = table("yengii", "imdril", "unity", "zeth")
    game = change(game, "yengii", invented=("research.computational_theoreticians",))
    game = deal(game, "yengii", ["imdril"], License(giver=0, to=1, technology="quantum_computers"))
    assert "imdril.quantum_computers" in player(game, "imdril").cards
    busy = (run("imdril.asteroid_mining"), run("imdril.quantum_computers"))
    with pytest.raises(IllegalAction, match="too_few_fleets"):
        run_economy(stock(game, "imdril", black=2), {"imdril": busy})


def test_a_borrowed_pair_costs_the_borrower_the_whole_input():
    """X-10, KIT-1."""
    game = lend(table("kit", "eni_et", "unity", "zeth"), "kit", "eni_et", "kit.diffusion")
    game = stock(game, "eni_et", green=4)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        run_economy(game, {"eni_et": (run("kit.expansive_social"),)})
    game = run_economy(stock(game, "eni_et", green=5), {"eni_et": (run("kit.expansive_social"),)})
    assert player(game, "eni_et").stock == Goods(black=1, blue=1, yellow=1, ship=4)


def test_the_network_lent_away_and_back_serves_the_faderan_at_the_check():
    """X-6, ECON-1."""
    five = ("colony.spica", "colony.acrux", "colony.vega", "colony.rigel", "colony.wezen")
    game = hold(table("faderan", "imdril", "unity", "zeth"), "faderan", *five)
    game = hold(game, "faderan", "relic.automated_transport_network")
    game = lend(game, "faderan", "imdril", "relic.automated_transport_network")
    game = lend(game, "imdril", "faderan", "relic.automated_transport_network")
    assert set(five) <= set(player(until(game, "plan"), "faderan").cards)

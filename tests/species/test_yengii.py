"""Yengii: technologies that are licensed instead of shared."""

import pytest

from elysian.actions import AcceptDeal, Deliver, Invent, UpgradeCard
from elysian.deals import Give, License, Pledge
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.positions import Area, Placed, rearrange
from tests.support.species_tables import acting, at_auction, run
from tests.support.table import (
    change,
    close_trading,
    deal,
    hold,
    newest,
    offer,
    play,
    player,
    put_away,
    run_economy,
    seat_of,
    stock,
    table,
    until,
)

FIVE = ("yengii", "kit", "faderan", "unity", "zeth")
TEAM, TECHNOLOGY = "research.computational_theoreticians", "quantum_computers"


def invented(turn=2, team=TEAM, by="yengii", **more):
    """A table where somebody has just invented a technology with white or yellow cubes."""
    game = stock(hold(table(*FIVE, turn=turn, **more), by, team), by, white=12, yellow=7)
    return play(game, (by, Invent(card=team)))


def license_(game, to, technology=TECHNOLOGY, giver="yengii"):
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), License(giver=a, to=b, technology=technology))


def has(game, who, technology=TECHNOLOGY):
    """Whether a species has its card of a technology in play."""
    return CATALOG.species_technology[who, technology] in player(game, who).cards


# ---------------------------------------------------------------- not shared


def test_nobody_else_gets_the_card_of_a_technology_the_yengii_invent():
    """YEN-1, SHARE-1."""
    game = until(invented(), "trade", turn=3)
    assert has(game, "yengii")
    assert not any(has(game, who) for who in FIVE[1:])
    assert TEAM not in game.shared


def test_the_yengii_receive_the_technologies_of_others():
    """YEN-2, SHARE-1."""
    game = invented(by="kit")
    assert not has(game, "yengii")
    game = until(game, "bid")
    assert all(has(game, who) for who in FIVE)


@pytest.mark.parametrize(("turn", "bonus"), [(1, 3), (2, 2), (3, 1), (5, 1), (6, 0)])
def test_the_yengii_get_their_own_sharing_bonus(turn, bonus):
    """YEN-3, SHARE-2."""
    game = invented(turn)
    assert player(game, "yengii").score == 1
    game = run_economy(game, {})
    assert player(game, "yengii").score == 1 + bonus


def test_a_technology_of_era_two_scores_its_points_and_later_the_yengii_bonus():
    """D-60, YEN-3."""
    game = invented(turn=3, team="research.metaethicists")
    assert player(game, "yengii").score == 4
    assert player(run_economy(game, {}), "yengii").score == 5


def test_the_yengii_get_their_bonus_for_era_four_as_well():
    """YEN-3, YEN-1."""
    game = hold(table(*FIVE, turn=3), "yengii", "research.cultural_polymorphologists")
    game = stock(game, "yengii", white=18)
    game = play(game, ("yengii", Invent(card="research.cultural_polymorphologists")))
    assert player(run_economy(game, {}), "yengii").score == 8 + 1


def test_under_the_german_rules_the_yengii_bonus_is_paid_at_once():
    """YEN-3, B-12."""
    game = invented(turn=2, edition="de2021")
    assert player(game, "yengii").score == 1 + 2
    assert player(run_economy(game, {}), "yengii").score == 1 + 2


def test_invented_cards_stay_with_the_yengii_and_do_not_count_as_teams():
    """D-46, YEN-4, INV-6."""
    game = hold(table(*FIVE), "yengii", "research.sociologists")
    splayed = (TEAM, "research.organic_chemists", "research.nuclear_physicists")
    for card in splayed:
        game = put_away(game, card)
    game = change(game, "yengii", invented=splayed)
    game = hold(game, "unity", "research.metaethicists", "research.organic_architects")
    assert acting(at_auction(game, yengii=(0, 2), unity=(0, 2))) == ("yengii", 2)


def test_an_invented_card_stays_splayed_and_cannot_be_traded():
    """YEN-4, INV-6, TRADE-3."""
    game = until(invented(), "trade", turn=3)
    assert player(game, "yengii").invented == (TEAM,)
    with pytest.raises(IllegalAction, match="out_of_the_game"):
        offer(game, "yengii", ["kit"], Give(giver=0, to=1, cards=(TEAM,)))


# ---------------------------------------------------------------- licences


def test_a_licence_puts_the_licensees_own_card_into_play_at_once_and_for_good():
    """D-58, YEN-5."""
    game = license_(invented(), "kit")
    assert has(game, "kit")
    game = run_economy(stock(game, "kit", black=2), {"kit": (run("kit.quantum_computers"),)})
    gain = CATALOG.cards["kit.quantum_computers"].front.converters[0].gain
    assert player(game, "kit").stock == gain
    game = until(game, "trade", turn=3)
    assert has(game, "kit")
    assert not any(has(game, who) for who in ("faderan", "unity", "zeth"))


def test_a_technology_is_licensed_to_as_many_players_as_want_it():
    """YEN-5."""
    game = invented()
    for who in FIVE[1:]:
        game = license_(game, who)
    assert all(has(game, who) for who in FIVE)


def test_one_deal_may_license_to_several_players():
    """YEN-5, TRADE-5."""
    game = deal(
        invented(),
        "yengii",
        ["kit", "zeth"],
        License(giver=0, to=1, technology=TECHNOLOGY),
        License(giver=0, to=4, technology=TECHNOLOGY),
    )
    assert has(game, "kit")
    assert has(game, "zeth")


def test_a_licence_needs_the_licensees_consent():
    """YEN-5, TRADE-4."""
    game = offer(invented(), "yengii", ["kit"], License(giver=0, to=1, technology=TECHNOLOGY))
    assert not has(game, "kit")
    with pytest.raises(IllegalAction, match="no_such_offer"):
        play(game, ("zeth", AcceptDeal(deal=newest(game))))


def test_a_technology_invented_in_an_earlier_turn_can_still_be_licensed():
    """YEN-5."""
    game = license_(until(invented(), "trade", turn=4), "kit")
    assert has(game, "kit")


def test_a_technology_the_yengii_only_received_is_not_theirs_to_license():
    """YEN-5."""
    game = until(invented(by="kit"), "trade", turn=3)
    card = CATALOG.species_technology["unity", TECHNOLOGY]
    area = player(game, "unity")
    game = change(
        game,
        "unity",
        cards={c: h for c, h in area.cards.items() if c != card},
        deck=(*area.deck, card),
    )
    with pytest.raises(IllegalAction, match="cannot_license"):
        license_(game, "unity")


def test_a_technology_nobody_has_invented_is_not_licensed():
    """YEN-5."""
    with pytest.raises(IllegalAction, match="cannot_license"):
        license_(table(*FIVE), "kit")


def test_nobody_but_the_yengii_licenses():
    """YEN-5."""
    game = invented(by="kit")
    with pytest.raises(IllegalAction, match="cannot_license"):
        license_(game, "unity", giver="kit")


def test_a_licence_cannot_be_passed_on():
    """YEN-6."""
    game = license_(invented(), "kit")
    with pytest.raises(IllegalAction, match="cannot_license"):
        license_(game, "unity", giver="kit")


def test_a_licence_does_nothing_for_a_player_who_has_the_card():
    """YEN-6."""
    game = license_(invented(), "kit")
    with pytest.raises(IllegalAction, match="already_has_technology"):
        license_(game, "kit")


def test_a_licence_does_not_bring_a_spent_card_back():
    """D-59, YEN-6, D-19."""
    game = hold(license_(invented(), "kit"), "kit", "kit.universal_translator")
    game = play(game, ("kit", UpgradeCard(card="kit.universal_translator", way=1)))
    assert "kit.quantum_computers" in player(game, "kit").spent
    with pytest.raises(IllegalAction, match="already_has_technology"):
        license_(game, "kit")


def test_two_licences_of_one_technology_for_one_player_cannot_stand_in_a_deal():
    """YEN-6."""
    clause = License(giver=0, to=1, technology=TECHNOLOGY)
    game = offer(invented(), "yengii", ["kit"], clause, clause)
    with pytest.raises(IllegalAction, match="already_has_technology"):
        play(game, ("kit", AcceptDeal(deal=newest(game))))


def test_licences_are_given_while_trading_lasts():
    """YEN-5, TRADE-1."""
    game = close_trading(invented())
    with pytest.raises(IllegalAction, match="wrong_step"):
        license_(game, "kit")


def test_a_licensee_has_not_invented_anything():
    """YEN-7, FAD-8."""
    game = stock(invented(), "kit", acknowledgement=1)
    game = license_(game, "kit")
    assert player(game, "kit").stock.acknowledgement == 1
    assert player(game, "faderan").score == 0
    game = run_economy(game, {})
    assert player(game, "kit").score == 0  # and no bonus


def test_whoever_invents_decides_whether_a_technology_is_shared():
    """YEN-8."""
    sold = hold(table(*FIVE, turn=2), "yengii", TEAM)
    sold = stock(deal(sold, "yengii", ["kit"], Give(giver=0, to=1, cards=(TEAM,))), "kit", white=6)
    sold = until(play(sold, ("kit", Invent(card=TEAM))), "bid")
    assert all(has(sold, who) for who in FIVE)
    bought = hold(table(*FIVE, turn=2), "kit", TEAM)
    bought = stock(deal(bought, "kit", ["yengii"], Give(giver=1, to=0, cards=(TEAM,))), "yengii", white=6)
    bought = until(play(bought, ("yengii", Invent(card=TEAM))), "bid")
    assert [who for who in FIVE if has(bought, who)] == ["yengii"]


# ---------------------------------------------------------------- promised licences


def promise(game, due=3, **more):
    what = License(giver=0, to=1, technology=TECHNOLOGY)
    return deal(game, "yengii", ["kit"], Pledge(what=what, due=due, **more))


def test_a_promised_licence_is_given_when_it_falls_due():
    """YEN-9, TRADE-11."""
    game = promise(invented())
    assert not has(game, "kit")
    game = until(game, "trade", turn=3)
    assert has(game, "kit")
    assert game.obligations == {}


def test_a_licence_may_be_promised_for_a_technology_still_to_be_invented():
    """YEN-9, TRADE-9."""
    game = promise(table(*FIVE, turn=2), at="close")
    game = stock(hold(until(game, "trade", turn=3), "yengii", TEAM), "yengii", white=6)
    game = until(play(game, ("yengii", Invent(card=TEAM))), "plan")
    assert has(game, "kit")


def test_a_promised_licence_of_what_is_invented_late_is_given_by_hand():
    """YEN-9, TRADE-11."""
    game = stock(hold(table(*FIVE), "yengii", TEAM), "yengii", white=12, yellow=7)
    licence = License(giver=0, to=1, technology=TECHNOLOGY)
    game = deal(game, "yengii", ["kit"], Pledge(what=licence, due=2))
    game = until(game, "trade", turn=2)
    with pytest.raises(IllegalAction, match="nothing_to_deliver"):
        play(game, ("yengii", Deliver(obligation="d1.1")))
    game = play(game, ("yengii", Invent(card=TEAM)), ("yengii", Deliver(obligation="d1.1")))
    assert (has(game, "kit"), game.obligations) == (True, {})


def test_a_promised_licence_that_is_not_given_costs_what_a_card_costs():
    """YEN-9, TRADE-11."""
    game = until(promise(table(*FIVE, turn=2)), "plan", turn=3)
    assert player(game, "yengii").score == -2
    assert not has(game, "kit")


def test_a_promised_licence_lapses_when_the_licensee_got_the_card_otherwise():
    """YEN-6, YEN-9."""
    game = until(promise(promise(invented())), "plan", turn=3)  # the second finds it given
    assert player(game, "yengii").score == 1 + 2  # the invention and its bonus, no penalty
    assert game.obligations == {}


def test_nobody_but_the_yengii_promises_a_licence():
    """YEN-5, YEN-9."""
    what = License(giver=1, to=3, technology=TECHNOLOGY)
    with pytest.raises(IllegalAction, match="cannot_license"):
        deal(table(*FIVE), "kit", ["unity"], Pledge(what=what, due=2))


def test_no_licence_is_promised_for_a_spent_card():
    """YEN-6, YEN-9."""
    upgraded = Placed("kit.universal_translator", flipped=True, spent="kit.quantum_computers")
    game = rearrange(invented(), seats={"kit": Area(also=[upgraded])})
    with pytest.raises(IllegalAction, match="already_has_technology"):
        promise(game)


def test_a_licensed_card_can_be_spent_and_lent_like_any_other():
    """YEN-5, UPG-2."""
    game = license_(invented(), "kit")
    game = play(game, ("kit", UpgradeCard(card="kit.polyutility_components", way=1)))
    assert player(game, "kit").cards["kit.polyutility_components"].flipped


def test_goods_may_be_paid_for_a_licence_in_the_same_deal():
    """YEN-5, TRADE-4."""
    game = stock(invented(), "kit", ultratech=1)
    terms = (License(giver=0, to=1, technology=TECHNOLOGY), Give(giver=1, to=0, goods=Goods(ultratech=1)))
    paid = deal(game, "yengii", ["kit"], *terms)
    assert has(paid, "kit")
    assert player(paid, "yengii").stock.ultratech == 1
    broke = offer(stock(game, "kit"), "yengii", ["kit"], *terms)
    with pytest.raises(IllegalAction, match="lacks_goods"):
        play(broke, ("kit", AcceptDeal(deal=newest(broke))))

"""Positions: what is named lies as it was named, everything is sound, and what cannot be is refused."""

from __future__ import annotations

import doctest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from elysian.actions import Done
from elysian.deals import Deed, Forbear, Give, NoSteal, Pledge, Undertake
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.options import options
from elysian.positions import Area, ImpossiblePosition, Placed, Promise, arrange, rearrange
from elysian.rules import decide, new_game, waiting
from elysian.state import Run, State
from tests.support.driver import game as played
from tests.support.driver import some_settings
from tests.support.invariants import check_invariants

FOUR = ("caylion", "zeth", "faderan", "kit")
OWED = Pledge(what=Give(giver=1, to=0, goods=Goods(green=2)), due=4)


def owed(clause: Any, turn: int = 3, made: int | None = None, **more: Any) -> State:
    return arrange(FOUR, turn=turn, promises=[Promise(clause, made)], **more)


def test_what_is_not_named_is_as_the_seed_set_it_up() -> None:
    """SETUP-1."""
    assert arrange(FOUR, seed=9) == new_game(FOUR, seed=9)
    german = arrange(FOUR, seed=9, options={"edition": "de2021"})
    assert german == new_game(FOUR, seed=9, edition="de2021")


def test_goods_cards_and_points_lie_where_they_were_named() -> None:
    area = Area(
        goods=Goods(green=2, ship=1),
        donation=Goods(white=1),
        score=7,
        cards=["caylion.nanotechnology", Placed("colony.acrux", flipped=True, seedling=True)],
    )
    game = arrange(FOUR, seats={"caylion": area})
    caylion = game.players[0]
    assert (caylion.stock, caylion.donation, caylion.score) == (area.goods, area.donation, 7)
    assert list(caylion.cards) == ["caylion.nanotechnology", "colony.acrux"]
    assert caylion.cards["colony.acrux"].flipped
    assert caylion.cards["colony.acrux"].seedling
    check_invariants(game)


def test_a_species_card_in_front_of_another_is_lent() -> None:
    """TRADE-6."""
    game = arrange(FOUR, seats={"zeth": Area(also=["caylion.nanotechnology"])})
    assert game.players[1].cards["caylion.nanotechnology"].owner == 0
    check_invariants(game)


def test_a_bare_table_has_the_starting_cards_and_nothing_else() -> None:
    game = arrange(FOUR, bare=True)
    kinds = {CATALOG.cards[card].kind for player in game.players for card in player.cards}
    assert not kinds & {"colony", "research"}
    assert sum((player.stock for player in game.players), Goods()) == Goods(acknowledgement=11)
    check_invariants(game)


def test_the_tracks_and_the_tops_of_the_decks_are_as_named() -> None:
    colonies, teams = ("colony.acrux", None, "colony.spica"), ("research.sociologists",)
    game = arrange(
        FOUR,
        colony_track=colonies,
        research_track=teams,
        colonies=["colony.regulus"],
        research=["research.computational_theoreticians"],
        relics=["relic.stars_ruin"],
    )
    assert game.colony_track == (*colonies, None)
    assert game.research_track == (*teams, None, None, None)
    tops = game.colonies.cards[0], game.research.cards[0], game.relics[0]
    assert tops == ("colony.regulus", "research.computational_theoreticians", "relic.stars_ruin")
    check_invariants(game)


def test_a_shared_technology_lies_in_the_middle_and_in_front_of_everybody() -> None:
    """SHARE-1."""
    game = arrange(FOUR, shared=["nanotechnology"])
    assert game.shared == (CATALOG.technologies["nanotechnology"].research,)
    assert all(f"{player.species}.nanotechnology" in player.cards for player in game.players)
    check_invariants(game)


def test_a_technology_somebody_keeps_is_in_front_of_nobody_else() -> None:
    """YEN-1."""
    game = arrange(("yengii", *FOUR), seats={"yengii": Area(invented=["nanotechnology"])})
    having = [player.species for player in game.players if f"{player.species}.nanotechnology" in player.cards]
    assert having == ["yengii"]
    check_invariants(game)


def test_an_upgraded_card_lies_over_the_technology_that_paid_for_it() -> None:
    """UPG-2."""
    upgraded = Placed("kit.universal_translator", flipped=True, spent="kit.quantum_computers")
    game = arrange(FOUR, seats={"kit": Area(also=[upgraded])})
    assert game.players[3].spent == {"kit.quantum_computers": "kit.universal_translator"}
    check_invariants(game)
    back = rearrange(game, put_back=["kit.universal_translator"])
    assert back.players[3].spent == {}
    check_invariants(back)


def test_acknowledgements_nobody_was_given_are_with_their_species() -> None:
    """FAD-9."""
    game = arrange(FOUR, seats={"zeth": Area(goods=Goods(acknowledgement=4)), "faderan": Area(goods=Goods())})
    assert game.players[2].stock == Goods(acknowledgement=7)
    check_invariants(game)


def test_promises_stand_as_if_they_had_been_agreed_on() -> None:
    """TRADE-9."""
    forbearing = Forbear(who=1, to=2, what=NoSteal(target=2), until=3)
    doing = Undertake(to=3, deed=Deed(who=0, verb="invent", subject="nanotechnology"), turn=4, by="trade")
    game = arrange(FOUR, turn=3, promises=[OWED, Promise(forbearing, made=1), doing])
    assert [(one.id, one.clause, one.made) for one in game.obligations.values()] == [
        ("d1.1", OWED, 3),
        ("d2.1", forbearing, 1),
        ("d3.1", doing, 3),
    ]
    assert not game.traded
    check_invariants(game)


def test_what_seats_have_answered_is_answered() -> None:
    """BID-2, TRADE-14."""
    game = arrange(FOUR, step="bid", seats={"zeth": Area(goods=Goods(ship=3), bid=(2, 1))})
    assert (waiting(game), game.bids[1].colony, game.bids[1].research) == ((0, 2, 3), 2, 1)
    game = arrange(FOUR, seats={"zeth": Area(done=True), "kit": Area(done=True)})
    assert waiting(game) == (0, 2)
    assert decide(game, 0, Done())[1].step != "trade"


def test_another_moment_forgets_what_was_said_in_the_one_before() -> None:
    game = arrange(FOUR, seats={"zeth": Area(done=True)})
    assert rearrange(game, step="window").done == frozenset()
    assert rearrange(game, turn=2).done == frozenset()
    assert rearrange(game, turn=1, step="trade") == game


IMPOSSIBLE: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown card": ("no card 'colony.x'", {"seats": {0: Area(also=["colony.x"])}}),
    "absent species": ("not at this table", {"seats": {0: Area(also=["unity.nanotechnology"])}}),
    "two places": ("in two places", {"colonies": ["colony.acrux"], "colony_track": ["colony.acrux"]}),
    "two areas": (
        "in two places",
        {"seats": {0: Area(also=["colony.acrux"]), 1: Area(also=["colony.acrux"])}},
    ),
    "negative goods": ("less than no green", {"seats": {0: Area(goods=Goods() - Goods(green=1))}}),
    "points in stock": ("Points are its score", {"seats": {0: Area(goods=Goods(point=1))}}),
    "token to give away": ("no envoy", {"seats": {0: Area(donation=Goods(envoy=1))}}),
    "too many envoys": ("7 envoys", {"seats": {0: Area(goods=Goods(envoy=8))}}),
    "too many acknowledgements": (
        "11 acknowledgements",
        {"seats": {0: Area(goods=Goods(acknowledgement=12))}},
    ),
    "lost acknowledgements": ("11 acknowledgements", {"seats": {2: Area(goods=Goods(acknowledgement=3))}}),
    "seedling on a card": (
        "no colony",
        {"seats": {0: Area(also=[Placed("caylion.nanotechnology", seedling=True)])}},
    ),
    "too many seedlings": (
        "6 seedlings",
        {"seats": {0: Area(also=[Placed(card, seedling=True) for card in CATALOG.colonies[:7]])}},
    ),
    "no other side": ("no other side", {"seats": {2: Area(also=[Placed("relic.stars_ruin", flipped=True)])}}),
    "half a card": ("halves of one card", {"put_back": ["kit.hand_crafted"]}),
    "spent on nothing": (
        "cannot have been spent",
        {"seats": {0: Area(also=[Placed("colony.acrux", spent="caylion.nanotechnology")])}},
    ),
    "wrong track": ("another kind", {"colony_track": ["research.sociologists"]}),
    "a later era": ("earlier era", {"research": CATALOG.research[2][:1]}),
    "long track": ("has 4 spaces", {"research_track": [None] * 5}),
    "no technology": ("no technology", {"shared": ["colony.acrux"]}),
    "turn seven": ("no turn 7", {"turn": 7}),
    "unknown step": ("no step 'lunch'", {"step": "lunch"}),
    "an auction": ("cannot be arranged", {"step": "colony_auction"}),
    "the end": ("cannot be arranged", {"step": "over"}),
    "nobody waited for": ("nobody is waited for", {"step": "gifts"}),
    "all are done": (
        "would be over",
        {"seats": {seat: Area(done=True) for seat in (0, 1, 2)}},
    ),
    "above support": (
        "must give up",
        {"step": "plan", "seats": {0: Area(also=CATALOG.colonies[:6])}},
    ),
    "a bid without ships": (
        "nothing to bid with",
        {"step": "bid", "seats": {0: Area(goods=Goods(), bid=(1, 0))}},
    ),
    "a bid while trading": ("cannot have answered", {"seats": {0: Area(bid=(0, 0))}}),
    "a plan without its card": (
        "cannot have answered",
        {"step": "plan", "seats": {0: Area(plan=[Run(card="zeth.nanotechnology")])}},
    ),
    "nobody's seat": ("Nobody at this table", {"seats": {"unity": Area()}}),
    "no seat": ("Nobody at this table", {"seats": {4: Area()}}),
    "a seat twice": ("named twice", {"seats": {0: Area(), "caylion": Area()}}),
    "a promise to oneself": (
        "one seat of the table to another",
        {"promises": [Pledge(what=Give(giver=1, to=1, goods=Goods(green=1)), due=4)]},
    ),
    "a promise to nobody": (
        "one seat of the table to another",
        {"promises": [Pledge(what=Give(giver=1, to=7, goods=Goods(green=1)), due=4)]},
    ),
    "a promise of tomorrow": ("no promise can have been made", {"promises": [Promise(OWED, made=2)]}),
    "a promise that is over": (
        "is over",
        {"turn": 3, "promises": [Promise(Pledge(what=OWED.what, due=2), made=1)]},
    ),
    "a promise of nothing": ("The promise", {"promises": [Pledge(what=Give(giver=1, to=0), due=4)]}),
}


@pytest.mark.parametrize(("why", "what"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_table_no_game_comes_to_is_refused_with_a_sentence(why: str, what: dict[str, Any]) -> None:
    with pytest.raises(ImpossiblePosition, match=why):
        arrange(FOUR, **what)


def test_a_line_up_that_cannot_play_is_refused_with_the_sentence_of_the_rules() -> None:
    """SETUP-1."""
    with pytest.raises(ImpossiblePosition, match="players"):
        arrange(("kit", "zeth"))
    with pytest.raises(ImpossiblePosition, match="klingon"):
        arrange(("kit", "zeth", "unity", "klingon"))


def test_a_change_of_an_unknown_name_is_no_change_that_was_overlooked() -> None:
    with pytest.raises(TypeError, match="trun"):
        arrange(FOUR, trun=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_arranged_is_sound_and_can_be_played_on(seed: int) -> None:
    """COMP-2."""
    rng = Random(seed)
    settings = some_settings(rng)
    drawn = rng.sample([*CATALOG.colonies, *(card for era in CATALOG.research for card in era)], 12)
    areas = {}
    for seat, species in enumerate(settings.species):
        own = [card for card in CATALOG.deck_of[species] if CATALOG.cards[card].technology]
        placed = [Placed(card, flipped=rng.random() < 0.5) for card in rng.sample(own, 3)]
        areas[seat] = Area(
            goods=Goods(green=rng.randrange(5), ship=rng.randrange(9)), also=[*placed, drawn.pop()]
        )
    colonies = [card for card in drawn if CATALOG.cards[card].kind == "colony"][:3]
    game = arrange(settings.species, seed=seed, turn=1 + rng.randrange(6), seats=areas, colony_track=colonies)
    check_invariants(game)
    assert game == rearrange(game)
    for seat in game.seats():
        for choice in options(game, seat).choices[:20]:
            check_invariants(decide(game, seat, choice.action)[1])


def test_any_table_of_a_game_can_be_rearranged() -> None:
    """Only what is named changes, wherever the game has come to."""
    for _, _, _, _, state in played(some_settings(Random(5)), 5, 600):
        if state.step in ("over", "colony_auction", "research_auction"):
            continue
        assert rearrange(state) == state
        kept = {card for player in state.players for card in player.cards}
        card = next(card for card in CATALOG.colonies if card not in kept)
        if state.step not in ("plan", "support"):
            check_invariants(rearrange(state, seats={1: Area(also=[card])}))


def test_the_page_about_positions_is_true() -> None:
    page = Path(__file__).resolve().parent.parent / "docs" / "positions.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0

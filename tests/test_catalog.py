"""The cards of the box: compared with facts written down apart from them, and with themselves."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import convert, to_builtins

from elysian.catalog import Card, Face, pair_converter
from elysian.deck import CATALOG
from elysian.goods import SMALL, Goods
from tests.support.card_facts import (
    Facts,
    bag,
    converter_facts,
    expressed,
    expressed_species,
    face_facts,
    read_facts,
    worth,
)

FACTS: dict[str, Facts] = {fact["number"]: fact for fact in read_facts("cards")}
PAIRS: list[Facts] = read_facts("pairs")
BOARDS: Facts = read_facts("species")
SETUP: Facts = read_facts("setup")
PRINTED = sorted(card.id for card in CATALOG.cards.values() if card.kind != "board")


# ---- compared with the facts


@pytest.mark.parametrize("card", PRINTED)
def test_a_card_says_what_is_printed_on_it(card):
    """COMP-2."""
    ours = CATALOG.cards[card]
    assert expressed(ours, CATALOG) == FACTS[ours.number]


def test_every_printed_number_is_accounted_for():
    """COMP-2."""
    played = {card.number for card in CATALOG.cards.values() if card.kind != "board"}
    bonuses = {card.number for card in CATALOG.confluence}
    assert played | bonuses | set(CATALOG.unplayed) == set(FACTS)
    assert {FACTS[number]["kind"] for number in CATALOG.unplayed} == {"reference", "donation", "starting"}


def test_a_pair_makes_the_printed_converter_in_each_of_its_four_states():
    """KIT-1."""
    by_number = {card.number: card for card in CATALOG.cards.values()}
    for pair in PAIRS:
        lead, mate = by_number[str(pair["left_card"])], by_number[str(pair["right_card"])]
        assert (lead.leads, lead.mate, mate.mate) == (True, mate.id, lead.id)
        for state in pair["states"]:
            left, right = lead.face(state["left"] == "back"), mate.face(state["right"] == "back")
            assert converter_facts(pair_converter(left, right)) == state["converter"]
            assert f"{left.name} {right.name}" == state["name"]


@pytest.mark.parametrize("species", sorted(CATALOG.species))
def test_a_species_starts_as_its_board_says(species):
    """SETUP-8."""
    ours = CATALOG.species[species]
    fact = {**BOARDS[ours.name]}
    parts = fact.pop("components")
    assert str(fact.pop("starting_card")) in CATALOG.unplayed
    assert expressed_species(ours, CATALOG) == fact
    kinds = Counter(card.kind for card in CATALOG.cards.values() if card.species == species)
    counted = {
        "acknowledgement_tokens": ours.stock.acknowledgement,
        "envoy_tokens": ours.supply.envoy,
        "relic_worlds": kinds["relic"],
        "fleet_cards": kinds["fleet"],
        "territory_tiles": kinds["territory"],
        "nullspace_colonies": kinds["nullspace"],
        "computer_worlds": kinds["computer"],
    }
    for part, count in counted.items():
        assert parts.get(part, 0) == count


def test_the_start_cards_say_the_same_as_the_boards():
    """SETUP-8."""
    by_name = {facts.name: facts for facts in CATALOG.species.values()}
    for fact in FACTS.values():
        if fact["kind"] == "starting":
            ours = by_name[fact["species"]]
            assert fact["starting_resources"] == bag(ours.stock) - Counter(acknowledgement=11)
            assert fact["starting_colonies"] == ours.colonies
            assert fact["starting_research_teams"] == ours.research


def test_the_sharing_bonuses_are_those_of_the_cards():
    """SETUP-7."""
    for card in CATALOG.confluence:
        fact = FACTS[card.number]
        assert (fact["turn"], fact["player_counts"]) == (card.turn, list(card.players))
        assert (fact["sharing_bonus"], fact["yengii_sharing_bonus"]) == (card.bonus, card.unshared)
    for players, fact in SETUP["sharing_bonus_by_player_count"].items():
        assert CATALOG.bonus(int(players)) == tuple(zip(fact["normal"], fact["yengii"], strict=True))


@pytest.mark.parametrize("kind", ["colony", "research"])
def test_the_tracks_ask_the_printed_bids(kind):
    """SETUP-5."""
    for length, bids in SETUP["bid_tracks"][kind].items():
        assert CATALOG.minimums(int(length), "2020", kind) == tuple(bids)


def test_the_technologies_and_decks_are_those_of_the_box():
    """COMP-2."""
    number = {card.id: int(card.number) for card in CATALOG.cards.values() if card.number.isdigit()}
    decks = SETUP["decks"]
    for era, deck in enumerate(CATALOG.research, start=1):
        assert [number[card] for card in deck] == decks["research"][f"era_{era}"]
    assert [number[card] for card in CATALOG.colonies] == decks["colony"]
    assert [number[card] for card in CATALOG.relics] == decks["relic_world"]
    assert [number[card] for card in CATALOG.by_kind("nullspace")] == decks["nullspace_colony"]
    assert sorted(int(card.number) for card in CATALOG.confluence) == decks["confluence"]
    assert {technology.name for technology in CATALOG.technologies.values()} == set(SETUP["technologies"])
    for technology in CATALOG.technologies.values():
        fact = SETUP["technologies"][technology.name]
        assert (technology.era, number[technology.research]) == (fact["era"], fact["research_team"])


# ---- the comparison itself


def numbers_in(said: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the numbers of a card are."""
    if type(said) is int:
        yield path
    elif isinstance(said, dict):
        for key, value in said.items():
            yield from numbers_in(value, (*path, key))
    elif isinstance(said, list | tuple):
        for place, value in enumerate(said):
            yield from numbers_in(value, (*path, place))


def misprint(card: Card, path: tuple[str | int, ...]) -> Card:
    """The card with one number too high."""
    content = convert(to_builtins(card), dict[str, Any])
    inner: Any = content
    for step in path[:-1]:
        if isinstance(inner[step], tuple):
            inner[step] = list(inner[step])
        inner = inner[step]
    inner[path[-1]] += 1
    return convert(content, Card)


@pytest.mark.parametrize("card", random.Random(389).sample(PRINTED, 40))
def test_a_misprint_is_noticed(card):
    ours = CATALOG.cards[card]
    said = expressed(ours, CATALOG)
    truth = FACTS[ours.number]
    assert truth == said
    for path in numbers_in(to_builtins(ours)):
        assert expressed(misprint(ours, path), CATALOG) != truth, path


# ---- compared with themselves


DECKS = {
    "caylion": 25,
    "eni_et": 31,
    "faderan": 25 + 1,  # and the back of the relic deck
    "imdril": 32,
    "kit": 27,
    "kjas": 24 + 3,  # and the tiles
    "unity": 28,
    "yengii": 26,
    "zeth": 26,
}
FACES = {  # what all converters of a deck give, less what they take, front and back
    "caylion": (80.0, 146.5),
    "colony": (40.0, 65.0),
    "eni_et": (105.0, 184.0),
    "faderan": (76.0, 150.0),
    "imdril": (91.5, 155.5),
    "kit": (81.0, 152.5),
    "kjas": (92.0, 171.5),
    "nullspace": (10.0, 0.0),
    "relic": (24.0, 0.0),
    "unity": (82.0, 146.0),
    "yengii": (83.5, 154.5),
    "zeth": (80.0, 146.5),
}


def test_the_box_holds_389_cards_and_three_tiles():
    """COMP-2."""
    kinds = Counter(card.kind for card in CATALOG.cards.values())
    boards = kinds.pop("board")
    assert (sum(kinds.values()) + len(CATALOG.confluence) + len(CATALOG.unplayed), boards) == (392, 1)
    assert kinds == {
        "technology": 189,
        "starting": 44,
        "fleet": 7,
        "computer": 4,
        "territory": 3,
        "relic": 12,
        "nullspace": 13,
        "colony": 40,
        "research": 41,
    }
    assert {species: len(deck) for species, deck in CATALOG.deck_of.items()} == DECKS
    assert [len(era) for era in CATALOG.research] == [7, 7, 7, 20]


def gained(face: Face | None) -> float:
    """What running everything on a side brings, less the dearest way to pay for it."""
    said = face_facts(face) or {"converters": []}
    half = said.get("half_converter")
    halves = [] if half is None else [{**half, "inputs": half["inputs"] or [{}]}]
    return sum(
        worth(converter["output"]) + worth(converter["donation"]) - max(map(cubes_of, converter["inputs"]))
        for converter in said["converters"] + halves
    )


def cubes_of(cost: Facts) -> float:
    return worth({word: count for word, count in cost.items() if not word.startswith("colony_")})


@pytest.mark.parametrize("deck", sorted(FACES))
def test_the_printed_values_of_a_deck_add_up(deck):
    """COMP-2."""
    cards = [card for card in CATALOG.cards.values() if card.id.startswith(f"{deck}.")]
    assert (sum(gained(card.front) for card in cards), sum(gained(card.back) for card in cards)) == FACES[
        deck
    ]


def test_every_species_has_a_card_of_every_technology():
    """COMP-2."""
    assert len(CATALOG.technologies) == 21
    assert set(CATALOG.species_technology) == {
        (species, technology) for species in CATALOG.species for technology in CATALOG.technologies
    }
    for (_, technology), card in CATALOG.species_technology.items():
        assert CATALOG.cards[card].front.name == CATALOG.technologies[technology].name
        assert CATALOG.cards[card].era == CATALOG.technologies[technology].era


def sizes(face: Face | None) -> Any:
    """A technology's converter with the colours taken out."""
    assert face is not None
    (converter,) = face.converters
    (cost,) = converter.costs

    def sized(goods: Goods, small: int = 0, large: int = 0) -> tuple[int, ...]:
        g = goods
        return (
            g.green + g.white + g.brown + g.wild_small + small,
            g.black + g.blue + g.yellow + g.wild_large + large,
            g.ultratech,
            g.ship,
            g.point,
        )

    return sized(cost.goods, cost.any_small, cost.any_large), sized(converter.gain), sized(converter.donate)


@pytest.mark.parametrize("technology", sorted(CATALOG.technologies))
def test_a_technology_has_the_same_sizes_in_every_species(technology):
    """COMP-2."""
    cards = {
        species: CATALOG.cards[CATALOG.species_technology[species, technology]] for species in CATALOG.species
    }
    assert len({sizes(card.front) for card in cards.values()}) == 1
    assert len({sizes(card.back) for species, card in cards.items() if species != "unity"}) == 1
    assert len({card.upgrades for card in cards.values()}) == 1
    for card in cards.values():
        assert card.back is not None
        (front,), (back,) = card.front.converters, card.back.converters
        assert back.gain.covers(front.gain)
        assert back.donate.covers(front.donate)
        eras = [CATALOG.technologies[way.technology or ""].era for way in card.upgrades]
        assert eras == [card.era] * 2


def test_a_colony_makes_one_small_cube_until_it_is_terraformed():
    """COMP-2."""
    cards = [CATALOG.cards[card] for card in CATALOG.colonies]
    climates = Counter(card.front.climate for card in cards)
    assert climates == {"desert": 10, "ice": 10, "jungle": 10, "ocean": 10}
    assert len({card.front.name for card in cards}) == 40
    for card in cards:
        assert card.back is not None
        assert card.back.climate not in (None, card.front.climate)
        ((front,), (back,), (way,)) = card.front.converters, card.back.converters, card.upgrades
        assert way.cost is not None
        ((kind, count),) = front.gain.items()
        assert (kind in SMALL, count, front.costs[0].is_free()) == (True, 1, True)
        price = way.cost.goods
        if price.ultratech:
            assert (back.gain, back.costs[0].goods) == (Goods(ultratech=1), front.gain)
        elif worth(bag(price)) == 1.5:
            assert (back.gain, back.costs[0].is_free()) == (price, True)
        else:
            assert (len(price), back.costs[0].is_free()) == (2, True)
            assert back.gain == front.gain + price.units()[0]


def test_the_costs_of_a_research_team_are_worth_the_same():
    """COMP-2."""
    for era, deck in enumerate(CATALOG.research, start=1):
        for card in deck:
            research = CATALOG.cards[card].research
            assert research is not None
            (value,) = {worth(bag(cost.goods)) for cost in research.costs}
            assert len(research.costs) == (3 if era == 4 else 2)
            assert (research.technology is None) == (era == 4)
            if era == 4:
                assert research.points == value / 3 * 2 - 4


def test_only_one_species_needs_fleets_and_on_every_card():
    """IMD-7."""
    for card in CATALOG.cards.values():
        for face in filter(None, (card.front, card.back)):
            needs = card.species == "imdril" and card.kind != "fleet"
            assert bool(face.fleets_needed) == needs


def test_relics_and_nullspace_colonies_are_traded_as_printed():
    """KIT-4, FAD-13, FAD-14, ZETH-9."""
    kept = {card.id for card in CATALOG.cards.values() if card.keeps}
    assert kept == {*CATALOG.by_kind("nullspace"), "relic.gift_of_the_duruntai"}
    assert {card.id for card in CATALOG.cards.values() if not card.tradable} == {
        "faderan.relic_deck",
        "relic.relic_detector",
        "zeth.smuggling_network",
        "zeth.envoys",
        "zeth.systemic_bribery",
        "zeth.black_market",
    }


def test_the_editions_differ_where_they_are_said_to():
    """SETUP-5, SETUP-8, COMP-3."""
    faderan, zeth = CATALOG.species["faderan"], CATALOG.species["zeth"]
    assert [faderan.stock_in(e).acknowledgement for e in ("2017", "2020", "de2021")] == [10, 11, 11]
    assert faderan.stock - faderan.stock_in("2017") == Goods(acknowledgement=1)
    assert zeth.stock - zeth.stock_in("2017") == Goods(brown=2)
    assert zeth.supply == Goods(envoy=7)
    assert [species for species, facts in CATALOG.species.items() if facts.editions] == ["faderan", "zeth"]
    assert CATALOG.minimums(4, "2017", "colony") == (1, 2, 2, 3)
    assert CATALOG.minimums(4, "2017", "research") == (1, 1, 2, 3)
    assert CATALOG.minimums(5, "2017", "colony") == CATALOG.minimums(5, "2020", "colony")


def test_a_track_is_as_long_as_it_says_and_never_gets_cheaper():
    """SETUP-5."""
    assert sorted(CATALOG.tracks) == list(range(3, 11))
    for length, bids in CATALOG.tracks.items():
        assert (len(bids), list(bids), bids[0]) == (length, sorted(bids), 1)


def test_three_players_use_the_sharing_bonuses_of_four():
    """SETUP-7."""
    assert CATALOG.bonus(3) == CATALOG.bonus(4) == ((6, 3), (5, 2), (4, 2), (4, 1), (3, 1), (2, 0))


def test_two_whole_cards_are_no_pair():
    front = CATALOG.cards["colony.acrux"].front
    with pytest.raises(ValueError, match="not two halves"):
        pair_converter(front, front)

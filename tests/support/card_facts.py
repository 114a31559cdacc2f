"""Says a card of ours in the words of the card facts, which were written down apart from it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from elysian.catalog import Card, Catalog, Converter, Cost, Face, SpeciesFacts
from elysian.goods import Goods

WORDS = {
    "green": "food",
    "white": "culture",
    "brown": "industry",
    "black": "information",
    "blue": "biotech",
    "yellow": "power",
    "wild_small": "small_wild",
    "wild_large": "large_wild",
}
ARROWS = {"economy": "white", "trade": "violet", "steal": "red"}
KINDS = {
    "starting": "species_card",
    "technology": "species_card",
    "computer": "species_card",
    "relic": "relic_world",
    "nullspace": "nullspace_colony",
    "research": "research_team",
}
WORTH = {"ultratech": 3, "point": 3, "envoy": 0, "envoys_on_target": 0}
LARGE = {"information", "biotech", "power", "large_wild", "any_large", "same_large"}
DRAW = "draw_top_relic_world_into_play"

FOLDER = Path(__file__).resolve().parents[1] / "facts"

Facts = dict[str, Any]


def read_facts(name: str) -> Any:
    """One of the files of facts."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def bag(goods: Goods) -> Counter[str]:
    return Counter({WORDS.get(kind, kind): count for kind, count in goods.items()})


def paid(cost: Cost) -> Facts:
    asked = {
        **bag(cost.goods),
        "any_small": cost.any_small,
        "any_large": cost.any_large,
        "same_small": cost.same_small,
        "same_large": cost.same_large,
        "envoys_on_target": cost.envoys,
        **{f"colony_{climate}": count for climate, count in cost.colonies},
    }
    return {word: count for word, count in asked.items() if count}


def worth(things: Facts) -> float:
    return sum(count * WORTH.get(word, 1.5 if word in LARGE else 1) for word, count in things.items())


def converter_facts(converter: Converter) -> Facts:
    small = any(cost.same_small for cost in converter.costs)
    output = {
        **bag(converter.gain),
        ("same_small" if small else "same_large"): converter.same,
        "any_small": converter.take_small,
        "any_large": converter.take_large,
    }
    output["ultratech"] = output.get("ultratech", 0) + converter.take_ultratech
    said: Facts = {
        "arrow": ARROWS[converter.when],
        "inputs": [paid(cost) for cost in converter.costs],
        "output": {word: count for word, count in output.items() if count},
        "donation": dict(bag(converter.donate)),
    }
    if converter.when != "trade":
        said["value_in"] = [worth(cost) for cost in said["inputs"]]
        said["value_out"] = worth(said["output"]) + worth(said["donation"])
    if converter.when == "steal":
        said["steals"] = True
    if converter.to_one:
        said["donation_all_to_one_player"] = True
    if converter.draws == "relic":
        said["effects"] = [DRAW]
    return said


def face_facts(face: Face | None) -> Facts | None:
    if face is None:
        return None
    said: Facts = {
        "name": face.name,
        "converters": [converter_facts(converter) for converter in face.converters],
    }
    if face.climate is not None:
        said["climate"] = face.climate
    if face.fleets_needed:
        said["fleet_support_required"] = face.fleets_needed
    if face.fleets:
        said["fleet_support_provided"] = face.fleets
    if face.half is not None:
        said["half_converter"] = {
            "inputs": None if face.half.cost is None else [paid(face.half.cost)],
            "output": dict(bag(face.half.gain)),
            "donation": dict(bag(face.half.donate)),
        }
    return said


def violet(cost: Cost, gain: Goods, effect: str) -> Facts:
    return {
        "arrow": "violet",
        "inputs": [paid(cost)],
        "output": dict(bag(gain)),
        "donation": {},
        "effects": [effect],
    }


def enters(card: Card, catalog: Catalog) -> Facts:
    if card.kind == "colony":
        return {"how": "colony_bid_or_setup"}
    if card.kind == "research":
        return {"how": "research_bid_or_setup"}
    if card.technology is not None:
        return {"how": "technology", "technology": catalog.technologies[card.technology].name}
    if card.kind == "relic":
        (deck,) = catalog.cards["faderan.relic_deck"].front.converters
        limited = {**converter_facts(deck), "limit": "once per turn"}
        return {"how": "relic_deck", "converter": limited, "on_entry": on_entry(card)}
    if card.start:
        return {"how": "starting"}
    assert card.entry is not None
    assert card.entry.cost is not None
    put = violet(card.entry.cost, card.entry.gain, "put_this_card_into_play")
    return {"how": "converter", "converter": put}


def on_entry(card: Card) -> Facts:
    if card.entry is None:
        return {}
    said: Facts = dict(bag(card.entry.gain))
    if card.entry.colonies:
        said["draw_colonies_from_deck"] = card.entry.colonies
    if card.entry.sharing_bonus:
        said["sharing_bonus"] = 1
    if card.entry.rule == "acknowledged":
        said |= {"point_per_3_acknowledgements_held_by_others": 1, "rounding": "up"}
    return said


def effect(card: Card) -> Facts:
    said = {
        "receiver_gains": dict(bag(card.when_traded)),
        "faderan_gain": dict(bag(card.owner_when_traded)),
        "invention_cost_reduction": card.cheaper,
        "colony_support_bonus_for_holder": card.front.support,
        "may_not_be_traded": not card.tradable,
        "kept": card.keeps,
    }
    return {key: value for key, value in said.items() if value}


def upgrades(card: Card, catalog: Catalog) -> list[Facts]:
    said: list[Facts] = []
    for way in card.upgrades:
        if way.technology is not None:
            name = catalog.technologies[way.technology].name
            said.append({"type": "technology", "technology": name})
        else:
            assert way.cost is not None
            paid_for = violet(way.cost, way.gain, "upgrade_this_card")
            said.append({"type": "converter", "converter": paid_for})
    return said


def expressed(card: Card, catalog: Catalog) -> Facts:
    """The card in the shape of the facts; every number of it is in there."""
    front = face_facts(card.front)
    assert front is not None
    said: Facts = {
        "number": card.number,
        "kind": KINDS.get(card.kind, card.kind),
        "species": None if card.species is None else catalog.species[card.species].name,
        "enters": enters(card, catalog),
        "era": card.era,
        "front": front,
        "back": face_facts(card.back),
        "upgrades": upgrades(card, catalog),
    }
    if card.research is not None:
        front["converters"] = [
            {
                "arrow": "violet",
                "inputs": [paid(cost) for cost in card.research.costs],
                "output": {"point": card.research.points, "sharing_bonus": 1},
                "donation": {},
                "effects": ["invent_technology"],
            }
        ]
        said["back"] = said["back"] or {"name": None, "converters": []}
        named = card.research.technology
        said["technology"] = None if named is None else catalog.technologies[named].name
        said["shared"] = named is not None
    if card.kind == "fleet":
        front["name"] = None
    if card.kind == "relic":
        said["effect"] = effect(card)
    elif not card.tradable:
        said["may_not_be_traded"] = True
    if said["kind"] == "species_card":
        eras = {catalog.technologies[way.technology].era for way in card.upgrades if way.technology}
        (said["upgrade_era"],) = eras
    if card.lent_only:
        said |= {"owner_may_not_run": True, "interest_converter": True}
    if card.kind == "computer":
        said["computer_world"] = True
    if card.mate is not None:
        other = int(catalog.cards[card.mate].number)
        said["kit_half"] = {"side": "left" if card.leads else "right", "other_half": other}
    return said


def expressed_species(facts: SpeciesFacts, catalog: Catalog) -> Facts:
    """The board of a species in the shape of the facts."""
    stock = bag(facts.stock)
    del stock["acknowledgement"]
    cards = [catalog.cards[card] for card in catalog.deck_of[facts.id]]
    said: Facts = {
        "full_name": facts.full_name,
        "starting_resources": dict(stock),
        "starting_value": worth(stock),
        "starting_colonies": facts.colonies,
        "starting_research_teams": facts.research,
        "starting_cards": [int(card.number) for card in cards if card.start and card.kind != "board"],
        "colony_support": "infinity" if facts.support == float("inf") else facts.support,
        "tiebreaker": "infinity" if facts.tiebreaker == float("inf") else facts.tiebreaker,
        "difficulty": facts.difficulty,
        "impact": facts.impact,
    }
    if facts.seedling:
        said["starting_colony_has_seedling"] = True
    return said

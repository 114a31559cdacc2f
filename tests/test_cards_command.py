"""The command that prints cards."""

import json

import pytest

from elysian.deck import CATALOG
from elysian.text.cards import WIDTH, show


def test_a_card_is_printed_with_both_sides_and_its_upgrades():
    assert show("Deep Hunting", False).splitlines() == [
        "Deep Hunting   [eni_et.deep_hunting]",
        "  Eni Et Ascendancy, card 46, starting; in play from the start",
        "  front: Deep Hunting",
        "         --> 1T, 1S   (0 : 2.5)",
        "  back:  Pelagic Bounty",
        "         --> 1W, 1T, 1S   (0 : 3.5)",
        "  upgrade: pay 2T, 1 ocean colony and gain 1*; or spend the card of Genetic",
        "    Engineering",
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("paradise", "1 any colony ==> 2*"),
        ("black market", "2 envoys there / 1B ~~> 1 large   (0 / 1.5 : 1.5)"),
        ("zeth.envoys", "3W --> +1N, +1T, +1Y, +1U, +1 envoy (all to one player)   (3 : 7)"),
        ("relic_deck", "4W, 1 ice colony ==> the top relic"),
        ("hand_crafted", "both backs: --> 1G, 1N, 1T, 1U, 1S   (0 : 7.5)"),
        ("cultural charity", "8 small of one colour --> 13 of that colour   (8 : 13)"),
        ("color space", "into play: 2 any large, 1 any colony ==> this card, 1*"),
        ("limit", "1U --> 3a, 1A   (3 : 4.5)"),
        ("star's ruin", "on entry: 2*, the sharing bonus"),
        ("duruntai", "first trade in a turn: 1G, 1N, 1T, 1U to the receiver, 1T to its owner"),
        ("integrator cache", "on entry: 1* for every three acknowledgements that others hold, rounded up"),
        ("transport network", "its holder supports 2 more colonies"),
        ("fleet_3", "provides 3 fleet support"),
        ("mechanical engineers", "invent: 4Y / 2U ==> 1* and the sharing bonus, Nanotechnology"),
    ],
)
def test_every_sign_of_a_card_has_its_words(name, line):
    assert line in [printed.strip() for printed in show(name, False).splitlines()]


@pytest.mark.parametrize("name", [None, "o", *CATALOG.cards])
def test_what_is_printed_fits_the_screen(name):
    assert all(len(line) <= WIDTH for line in show(name, False).splitlines())


def test_several_matches_are_listed():
    assert show("nanotech", False).startswith("10 cards match 'nanotech':\n")


def test_the_list_holds_every_card():
    listed = show(None, False)
    assert all(f" {card} " in listed for card in CATALOG.cards)


def test_an_unknown_card_is_answered_with_near_names():
    with pytest.raises(LookupError, match=r"'nanotechnolgy'\. Did you mean Nanotechnology"):
        show("nanotechnolgy", False)
    with pytest.raises(LookupError, match="No card is called ''"):
        show("", False)


def test_the_json_holds_every_field_of_every_card():
    said = json.loads(show(None, True))
    assert set(said["cards"]) == set(CATALOG.cards)
    for card in said["cards"].values():
        assert set(card) == set(type(CATALOG.cards[card["id"]]).__struct_fields__)
    assert said["species"]["kit"]["support"] == "unlimited"
    assert said["cards"]["colony.acrux"]["front"]["converters"][0]["gain"] == {"brown": 1}


def test_the_cache_says_that_its_discount_may_be_declined():
    """FAD-11."""
    said = " ".join(show("integrator cache", False).split())
    assert "costs 1 cube less; who pays the full price keeps the acknowledgement" in said

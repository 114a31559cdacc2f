"""A file of cards that contradicts itself is refused, and the message says where."""

import shutil
from pathlib import Path

import pytest

import elysian
from elysian.deck import CATALOG, read_catalog
from elysian.deck.printed import CatalogError


@pytest.fixture
def copy(tmp_path):
    """A copy of every file of cards."""
    package = Path(elysian.__file__).parent
    for folder in ("cards", "species"):
        (tmp_path / folder).mkdir()
        for file in (package / folder).glob("*.toml"):
            shutil.copy(file, tmp_path / folder)
    return tmp_path


def misprint(copy: Path, file: str, old: str, new: str) -> None:
    """Replace the first occurrence of some text in a file."""
    (path,) = copy.glob(f"*/{file}")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_copy_reads_as_the_same_catalog(copy):
    assert read_catalog(copy) == CATALOG


FIRST = """number   = 1
kind     = "technology"
era      = 1
"""

MISPRINTS = {
    "unknown key": (
        "caylion.toml",
        FIRST,
        FIRST + "colour = 1\n",
        "nanotechnology",
        "unknown field `colour`",
    ),
    "unknown key in the head": (
        "caylion.toml",
        "count ",
        "amount = 1\ncount ",
        "head",
        "unknown field `amount`",
    ),
    "unknown good": (
        "caylion.toml",
        "{ brown = 3 }",
        "{ grey = 3 }",
        "nanotechnology",
        "unknown field `grey`",
    ),
    "unknown good in a gift": (
        "faderan_relics.toml",
        "{ ship = 4 }",
        "{ boat = 4 }",
        "the_grand_armilla",
        "unknown field `boat`",
    ),
    "unknown technology to enter by": (
        "zeth.toml",
        'tech     = "nanotechnology"',
        'tech     = "alchemy"',
        "nanotechnology",
        "unknown technology alchemy",
    ),
    "unknown technology to upgrade by": (
        "caylion.toml",
        '{ tech = "genetic_engineering" }',
        '{ tech = "alchemy" }',
        "nanotechnology",
        "unknown technology alchemy",
    ),
    "unknown climate": (
        "colonies.toml",
        'climate = "desert"',
        'climate = "swamp"',
        "acrux",
        "Invalid enum value 'swamp'",
    ),
    "unknown climate of a colony that is paid": (
        "caylion.toml",
        "{ jungle = 1 }",
        "{ swamp = 1 }",
        "lunar_mining_consortium",
        "Invalid enum value 'swamp'",
    ),
    "duplicate id": ("colonies.toml", 'id       = "spica"', 'id       = "acrux"', "acrux", "id colony.acrux"),
    "duplicate number": ("colonies.toml", "number   = 280", "number   = 279", "spica", "number 279"),
    "number of an unplayed card": (
        "caylion.toml",
        "unplayed = [25, 375]",
        "unplayed = [25, 279]",
        "unplayed card 279",
        "number 279",
    ),
    "duplicate number of a bonus": (
        "confluence.toml",
        "number   = 364",
        "number   = 363",
        "card 363",
        "number 363",
    ),
    "wrong count": (
        "colonies.toml",
        "count = 40",
        "count = 41",
        "deck",
        "41 cards are announced, 40 are there",
    ),
    "wrong count of bonuses": (
        "confluence.toml",
        "= 12",
        "= 11",
        "deck",
        "11 cards are announced, 12 are there",
    ),
    "a turn without bonus": (
        "confluence.toml",
        "players  = [4, 5, 6]",
        "players  = [4, 5]",
        "6 players",
        "not one card for each turn",
    ),
    "missing mate": (
        "kit.toml",
        'mate     = "hand_crafted"',
        'mate     = "hand_made"',
        "polyutility_components",
        "its mate kit.hand_made is missing",
    ),
    "mate of another": (
        "kit.toml",
        'mate     = "hand_crafted"',
        'mate     = "expansive_social"',
        "polyutility_components",
        "does not make a pair with kit.expansive_social",
    ),
    "two that lead": (
        "kit.toml",
        'mate     = "hand_crafted"',
        'mate     = "hand_crafted"\nleads = true',
        "polyutility_components",
        "does not make a pair",
    ),
    "colony in a white converter": (
        "faderan_relics.toml",
        'when = "trade", in = { colonies = { any = 1 } }',
        "in = { colonies = { any = 1 } }",
        "paradise_converter",
        "a white converter cannot take a colony",
    ),
    "back without upgrade": (
        "colonies.toml",
        "upgrade  = [ { pay = { white = 2 } } ]\n",
        "",
        "acrux",
        "no way to upgrade",
    ),
    "upgrade without back": (
        "kit_nullspace.toml",
        "keeps    = true",
        "upgrade = [ { pay = { yellow = 1 } } ]",
        "zd_nx",
        "no back",
    ),
    "upgrade that asks nothing": (
        "colonies.toml",
        "upgrade  = [ { pay = { white = 2 } } ]",
        "upgrade  = [ { gain = { point = 1 } } ]",
        "acrux",
        "either paid or by a technology",
    ),
    "unknown owner": ("kit_nullspace.toml", 'owner = "kit"', 'owner = "tik"', "zd_nx", "unknown species tik"),
    "unknown deck to draw from": (
        "faderan.toml",
        'draws = "relic"',
        'draws = "relict"',
        "relic_deck",
        "unknown deck relict",
    ),
    "a technology twice in a species": (
        "caylion.toml",
        'tech     = "genetic_engineering"',
        'tech     = "nanotechnology"',
        "genetic_engineering",
        "caylion.nanotechnology is of the same technology",
    ),
    "a technology with two teams": (
        "research.toml",
        'tech = "quantum_computers"',
        'tech = "nanotechnology"',
        "computational_theoreticians",
        "nanotechnology has a team already",
    ),
    "a technology without a name": (
        "research.toml",
        'back     = { name = "Nanotechnology" }\n',
        "",
        "mechanical_engineers",
        "has no name or no era",
    ),
    "an unknown track": ("tracks.toml", "[editions.2017.colony]", "[editions.2017.moon]", "tracks", "'moon'"),
    "no TOML at all": ("tracks.toml", "[minimums]", "[minimums", "", "Expected"),
}


@pytest.mark.parametrize("misprinted", sorted(MISPRINTS))
def test_a_misprint_is_refused_with_file_and_card(copy, misprinted):
    """COMP-2."""
    file, old, new, card, message = MISPRINTS[misprinted]
    misprint(copy, file, old, new)
    with pytest.raises(CatalogError) as refused:
        read_catalog(copy)
    said = str(refused.value)
    assert said.startswith(f"{file}: {card}")
    assert message in said

"""What is printed, for pages that draw it: cards, species, technologies, and the words of a language."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from elysian.catalog import Card, SpeciesFacts
from elysian.deck import CATALOG
from elysian.messages import languages, load
from elysian.messages.words import Good
from elysian.species import rules_of


class Words(Struct, frozen=True):
    """The words of one language a page needs."""

    language: str
    goods: dict[str, Good]
    steps: dict[str, str]
    phases: dict[str, str]
    tracks: dict[str, str]
    climates: dict[str, str]


class Printed(Struct, frozen=True):
    """Everything that is printed."""

    cards: dict[str, Card]
    species: dict[str, SpeciesFacts]
    technologies: dict[str, Any]
    words: Words
    languages: tuple[str, ...]
    levels: tuple[str, ...]
    licensors: tuple[str, ...]  # species that keep what they invent, and may license it (YEN-1, YEN-5)


@cache
def printed(language: str, levels: tuple[str, ...]) -> bytes:
    """It as JSON; the same for everybody."""
    words = load(language)
    return msgspec.json.encode(
        Printed(
            cards=dict(CATALOG.cards),
            species={id: facts.in_language(language) for id, facts in CATALOG.species.items()},
            technologies=dict(CATALOG.technologies),
            words=Words(words.language, words.good, words.step, words.phase, words.track, words.climate),
            languages=languages(),
            levels=levels,
            licensors=tuple(id for id in CATALOG.species if not rules_of(id).shares),
        )
    )

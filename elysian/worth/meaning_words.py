"""What a deal means to the one who reads it, in the language of the reader: at most two short sentences."""

from __future__ import annotations

from collections.abc import Sequence

from elysian.messages import DEFAULT, Telling, load
from elysian.worth.meaning import Meaning, PlanDeed

NAMED = 2  # deeds in one sentence


def told(meaning: Meaning, species: Sequence[str], language: str = DEFAULT) -> tuple[str, ...]:
    """What the deal lets the reader do, what it stops, and plainly when it is a loss."""
    words, telling = load(language).means, Telling(load(language), species)

    def say(steps: Sequence[PlanDeed]) -> str:
        said = [words[step.verb].format(what=telling.subject(step.verb, step.card)) for step in steps[:NAMED]]
        return said[0] if len(said) == 1 else words["and"].format(one=said[0], other=said[1])

    sentences = []
    starts, stops = meaning.starts, meaning.stops
    if starts and stops:
        sentences.append(words["swap"].format(deeds=say(starts), stops=say(stops[:1])))
    elif starts and meaning.still:
        sentences.append(words["starts_still"].format(deeds=say(starts), still=say(meaning.still[:1])))
    elif starts:
        sentences.append(words["starts"].format(deeds=say(starts)))
    elif stops:
        sentences.append(words["stops"].format(deeds=say(stops)))
    elif not meaning.shared:
        sentences.append(words["keeps" if meaning.gain >= 0 else "loses"])
    if meaning.gain < 0:
        sentences.append(words["loss"])
    elif meaning.shared:
        sentences.append(words["shared"].format(what=telling.technology(meaning.shared[0])))
    return tuple(f"{one}." for one in sentences)

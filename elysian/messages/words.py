"""The words of each language, read from one file per language; a new language is a new file."""

import tomllib
from functools import cache
from importlib.resources import files

from msgspec import Struct, ValidationError, convert

DEFAULT = "en"


class Good(Struct, frozen=True, forbid_unknown_fields=True):
    """The words for one kind of goods."""

    letter: str
    one: str
    many: str


class Messages(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the program says in one language."""

    code: str  # what its file is called
    language: str  # its own name for itself
    refused: dict[str, str]
    refused_you: dict[str, str]  # the same said to the one the refusal is about
    event: dict[str, str]
    action: dict[str, str]
    good: dict[str, Good]
    step: dict[str, str]
    phase: dict[str, str]
    track: dict[str, str]
    climate: dict[str, str]
    printed: dict[str, str]  # what `elysian cards` prints, in this language, longer before shorter
    clause: dict[str, str]
    you: dict[str, str]  # the same said to the one who gives or does it; `whom` names the one who gets it
    word: dict[str, str]
    offer: dict[str, str]  # what is wrong with a typed offer
    reason: dict[str, str]  # why a computer player offers, accepts or declines
    review: dict[str, str]  # what mattered in a finished game
    means: dict[str, str]  # what an offer changes in the plan of the one who reads it
    terminal: dict[str, str]
    command: dict[str, str]  # what may be typed for a command besides its English name


@cache
def languages() -> tuple[str, ...]:
    """The languages there are."""
    names = (file.name for file in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load(language: str = DEFAULT) -> Messages:
    """The words of a language; raises `ValueError` that names the languages there are."""
    if language not in languages():
        raise ValueError(f"There is no language {language!r}; choose one of: {', '.join(languages())}.")
    content = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    try:
        return convert({**tomllib.loads(content), "code": language}, Messages)
    except (ValidationError, tomllib.TOMLDecodeError) as wrong:
        raise ValueError(f"messages/{language}.toml: {wrong}") from None

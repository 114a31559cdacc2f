"""Refused: the one way the server says no; and the sentences of the server in each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.messages import DEFAULT, explain, languages, load


class Refused(Exception):  # noqa: N818 - as with IllegalAction, nothing has gone wrong
    """Nothing has changed; `status` is that of an HTTP answer."""

    def __init__(self, code: str, status: int = 409, **facts: object) -> None:
        """Refuse with a code of the word files."""
        super().__init__(code, facts)
        self.code = code
        self.status = status
        self.facts = facts


@cache
def _words(language: str) -> dict[str, dict[str, str]]:
    text = files("elysian.server").joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def language_of(asked: str | None) -> str:
    """The first language asked for that there is; else English."""
    for part in (asked or "").split(","):
        name = part.partition(";")[0].strip().partition("-")[0].lower()
        if name in languages():
            return name
    return DEFAULT


def sentence(
    refused: Refused | IllegalAction,
    species: Sequence[str] = (),
    language: str = DEFAULT,
    you: int | None = None,
) -> str:
    """Why, for the one who asked, who sits at seat `you`."""
    own = _words(language)["refused"].get(refused.code) if isinstance(refused, Refused) else None
    if own is None:
        return explain(refused.code, refused.facts, species, language, you)
    return own.format_map({name: _said(fact, language) for name, fact in refused.facts.items()})


def _said(fact: object, language: str) -> str:
    """A fact in words: a species by its name, anything else as it is."""
    known = CATALOG.species.get(fact) if isinstance(fact, str) else None
    return known.in_language(language).name if known is not None else str(fact)[:80]


def codes(language: str = DEFAULT) -> Mapping[str, str]:
    """Every code of the server with its sentence."""
    return _words(language)["refused"]


def told_event(event: Any, before: Any, after: Any, language: str = DEFAULT) -> str:
    """A table event in words; empty when there is nothing to say."""
    template = _words(language)["event"].get(event.__struct_config__.tag, "")
    if not template:
        return ""
    facts = {field: getattr(event, field) for field in event.__struct_fields__}
    for field in ("seat", "by"):
        if type(facts.get(field)) is int:
            facts[field] = name_at(facts[field], before, after)
    if "step" in facts:
        facts["step"] = load(language).step[facts["step"]]
    return template.format_map(facts)


def told_notice(what: str, language: str = DEFAULT, **facts: object) -> str:
    """What a notice says."""
    return _words(language_of(language))["notice"][what].format_map(facts)


def name_at(seat: int, before: Any, after: Any) -> str:
    """The name of whoever sits, or sat, at a seat."""
    for lobby in (after, before):
        if seat < len(lobby.chairs) and lobby.chairs[seat].name:
            return str(lobby.chairs[seat].name)
    return f"#{seat + 1}"

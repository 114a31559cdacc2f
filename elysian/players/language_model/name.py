"""The name of a model's seat: `llm:MODEL@URL`, with a budget behind # if it is not the usual one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from elysian.players.plugins import UnknownPlayer

PREFIX = "llm:"
URL = "ELYSIAN_LLM_URL"  # of the endpoint, where the name leaves it out
KEY = "ELYSIAN_LLM_KEY"  # of the endpoint; it is sent there and written nowhere
SPELLING = re.compile(r"llm:(?P<model>[^#]+?)(?:@(?P<url>https?://[^#\s]+))?(?:#(?P<budget>.*))?")
MOST = 1_000_000_000


class SeatedModel(Struct, frozen=True):
    """Which model plays, where it is asked, and what a game may cost."""

    model: str
    url: str
    tokens: int = 200_000  # of a game, prompts and answers together
    seconds: int = 3600  # of a game, waiting for answers
    timeout: int = 60  # seconds for one answer


def is_model(name: str) -> bool:
    """Whether a name is that of a language model."""
    return name.startswith(PREFIX)


def seated_model(name: str, environment: Mapping[str, str] = os.environ) -> SeatedModel:
    """The model a name means; raises UnknownPlayer with a sentence."""
    match = SPELLING.fullmatch(name)
    if match is None:
        raise UnknownPlayer(f"{name!r} names no model; write llm:MODEL@URL, or llm:MODEL and set {URL}.")
    url = match["url"] or environment.get(URL, "")
    if not url:
        raise UnknownPlayer(f"Where is {match['model']!r}? Write llm:{match['model']}@URL, or set {URL}.")
    _check(url)
    return SeatedModel(model=match["model"], url=url.rstrip("/"), **_budget(match["budget"] or ""))


def _check(url: str) -> None:
    """Names stand in records, so nothing secret may stand in a name."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UnknownPlayer(f"{url!r} is no address of an endpoint; write http://HOST/v1 or https://HOST/v1.")
    if parts.username or parts.password or parts.query:
        raise UnknownPlayer(f"An address goes into records: leave names, keys and ?… out of it, set {KEY}.")


def _budget(text: str) -> dict[str, int]:
    budget: dict[str, int] = {}
    for part in filter(None, text.split("&")):
        name, _, number = part.partition("=")
        known = name in ("tokens", "seconds", "timeout")
        if not known or not number.isdecimal() or not 0 < int(number[:12]) <= MOST:
            raise UnknownPlayer(
                f"{part!r} is no budget; write #tokens=100000&seconds=600&timeout=60, or some of them."
            )
        budget[name] = int(number)
    return budget

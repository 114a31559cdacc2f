"""Players by name: the levels of our own, plug-ins, and language models."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from elysian import __version__
from elysian.deals import Seat
from elysian.messages import DEFAULT
from elysian.players import plugins
from elysian.players.base import Player
from elysian.players.fair import Fair
from elysian.players.language_model.name import is_model, seated_model
from elysian.players.random.player import RandomPlayer
from elysian.players.trader.level import LEVELS as TRADERS
from elysian.players.trader.player import Trader

LEVELS = ("random", "fair", *TRADERS)


def make(
    level: str,
    people: frozenset[Seat] = frozenset(),
    language: str = DEFAULT,
    transcript: Path | None = None,
) -> Player:
    """A fresh player for one seat of one game; `people` are the seats it never closes trading on.

    A plug-in is made without arguments; a language model writes to `transcript`, if it is given one, and
    says what it says in `language`: the others give reasons that each reader reads in their own.
    Raises UnknownPlayer with a sentence.
    """
    if level == "random":
        return RandomPlayer()
    if level == "fair":
        return Fair(people)
    if level in TRADERS:
        return Trader(level, people)
    if is_model(level):
        from elysian.players.language_model.player import make_model

        return make_model(level, people, language, transcript)
    check_levels((level,))
    return plugins.plug_in(level)()


def check_levels(levels: Iterable[str]) -> None:
    """Raise UnknownPlayer with a sentence for a name that no player can be loaded by."""
    for level in levels:
        if level in LEVELS:
            continue
        if is_model(level):
            seated_model(level)
            continue
        if not plugins.is_plug_in(level):
            known = ", ".join((*LEVELS, *plugins.installed()))
            raise plugins.UnknownPlayer(
                f"There is no level {level!r}; the levels are {known}. "
                "A player of your own is named as package.module:Class, a language model as llm:MODEL@URL."
            )
        plugins.plug_in(level)


def versions(levels: Iterable[str]) -> dict[str, str]:
    """What each player is, by name: the package it comes from, with its version."""
    ours = f"elysian {__version__}"
    return {
        level: ours if level in LEVELS or is_model(level) else plugins.version_of(level) for level in levels
    }


def listens(level: str) -> bool:
    """Whether players of this name want to hear what happens, not only to see what is (`hear`)."""
    return level not in LEVELS and (is_model(level) or hasattr(plugins.plug_in(level), "hear"))


__all__ = ["LEVELS", "check_levels", "is_model", "listens", "make", "versions"]

"""Players by name: the levels of our own, from random moves to plans for the whole table, and plug-ins."""

from __future__ import annotations

from collections.abc import Iterable

from elysian import __version__
from elysian.deals import Seat
from elysian.messages import DEFAULT
from elysian.players import plugins
from elysian.players.base import Player
from elysian.players.fair import Fair
from elysian.players.random.player import RandomPlayer
from elysian.players.trader.player import LEVELS as TRADERS
from elysian.players.trader.player import Trader

LEVELS = ("random", "fair", *TRADERS)


def make(level: str, people: frozenset[Seat] = frozenset(), language: str = DEFAULT) -> Player:
    """A fresh player for one seat of one game; `people` are the seats it never closes trading on.

    A plug-in is made without arguments. Raises UnknownPlayer with a sentence.
    """
    if level == "random":
        return RandomPlayer()
    if level == "fair":
        return Fair(people, language=language)
    if level in TRADERS:
        return Trader(level, people, language=language)
    check_levels((level,))
    return plugins.plug_in(level)()


def check_levels(levels: Iterable[str]) -> None:
    """Raise UnknownPlayer with a sentence for a name that no player can be loaded by."""
    for level in levels:
        if level in LEVELS:
            continue
        if not plugins.is_plug_in(level):
            known = ", ".join((*LEVELS, *plugins.installed()))
            raise plugins.UnknownPlayer(
                f"There is no level {level!r}; the levels are {known}. "
                "A player of your own is named as package.module:Class."
            )
        plugins.plug_in(level)


def versions(levels: Iterable[str]) -> dict[str, str]:
    """What each player is, by name: the package it comes from, with its version."""
    ours = f"elysian {__version__}"
    return {level: ours if level in LEVELS else plugins.version_of(level) for level in levels}


__all__ = ["LEVELS", "check_levels", "make", "versions"]

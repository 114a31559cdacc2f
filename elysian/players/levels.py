"""Levels: the computer players by name, from random moves to plans for the whole table."""

from __future__ import annotations

from elysian.deals import Seat
from elysian.messages import DEFAULT
from elysian.players.base import Player
from elysian.players.fair import Fair
from elysian.players.random.player import RandomPlayer
from elysian.players.trader.player import LEVELS as TRADERS
from elysian.players.trader.player import Trader

LEVELS = ("random", "fair", *TRADERS)


def make(level: str, people: frozenset[Seat] = frozenset(), language: str = DEFAULT) -> Player:
    """A fresh player for one seat of one game; `people` are the seats it never closes trading on."""
    if level == "random":
        return RandomPlayer()
    if level == "fair":
        return Fair(people, language=language)
    if level not in TRADERS:
        raise ValueError(f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    return Trader(level, people, language=language)


__all__ = ["LEVELS", "make"]

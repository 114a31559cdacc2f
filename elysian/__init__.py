"""Elysian: an unofficial implementation of the board game Sidereal Confluence."""

from elysian.draft import IllegalAction
from elysian.goods import Goods
from elysian.options import options
from elysian.rules import decide, evolve, new_game, refusal, waiting
from elysian.view import seen_by, view

__version__ = "0.1.0"

__all__ = [
    "Goods",
    "IllegalAction",
    "decide",
    "evolve",
    "new_game",
    "options",
    "refusal",
    "seen_by",
    "view",
    "waiting",
]

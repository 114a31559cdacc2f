"""Elysian: an unofficial implementation of the board game Sidereal Confluence."""

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # typing alone would take as long to import as all the rest of a quick answer
if TYPE_CHECKING:
    from elysian.draft import IllegalAction
    from elysian.goods import Goods
    from elysian.options import options
    from elysian.rules import decide, new_game, refusal, waiting
    from elysian.rules.evolve import evolve
    from elysian.view import seen_by, view

# Each name is fetched when it is first asked for: the command line, which passes through here, need not wait
# for the cards to be read before it says what it can do.
_HOMES = {
    "Goods": "elysian.goods",
    "IllegalAction": "elysian.draft",
    "decide": "elysian.rules",
    "evolve": "elysian.rules.evolve",
    "new_game": "elysian.rules",
    "options": "elysian.options",
    "refusal": "elysian.rules",
    "seen_by": "elysian.view",
    "view": "elysian.view",
    "waiting": "elysian.rules",
}


class _Library(ModuleType):
    """This package, whose `options` and `view` are the functions although modules bear these names too."""

    def __getattr__(self, name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(_HOMES[name]), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # Whoever imports the module elysian.view would otherwise put it in the place of the function.
        if name in _HOMES and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Library

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

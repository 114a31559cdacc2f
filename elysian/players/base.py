"""The player: something that is given a view and its options, and returns an action."""

from random import Random
from typing import Protocol, runtime_checkable

from elysian.actions import Action
from elysian.options import Options
from elysian.text.heard import Heard
from elysian.view import View


class Player(Protocol):
    """One seat of one game; what it remembers from one choice to the next is its own affair."""

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """The action the seat asks for; None when it has nothing to do now."""


@runtime_checkable
class Listener(Protocol):
    """A player that is also told what happens, as far as its seat may hear of it."""

    def hear(self, heard: Heard) -> None:
        """Something happened since the player was last asked."""

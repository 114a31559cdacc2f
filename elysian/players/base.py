"""The player: something that is given a view and its options, and returns an action."""

from random import Random
from typing import Protocol, runtime_checkable

from elysian.actions import Action
from elysian.options import Choice, Options
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


class NotAnAction(ValueError):  # noqa: N818 - says what it is
    """A player returned what is neither an action nor None; the message says who, and what to return."""


def chosen(player: Player, view: View, options: Options, rng: Random) -> Action | None:
    """What a player chooses; raises NotAnAction, as refusing it over and over would not say why."""
    action: object = player.choose(view, options, rng)
    if action is None or isinstance(action, Action):
        return action
    who = f"{type(player).__module__}:{type(player).__qualname__}"
    if isinstance(action, Choice):
        raise NotAnAction(f"{who} returned a Choice; return choice.action.")
    what = f"the class {action.__name__}" if isinstance(action, type) else f"{action!r:.60}"
    raise NotAnAction(f"{who} returned {what}; return an action, such as Done(), or None.")

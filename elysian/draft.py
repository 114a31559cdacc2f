"""Draft: events piling up on a state while an action is being decided."""

from collections.abc import Callable
from typing import Any

from elysian.events import Event
from elysian.state import State

Evolve = Callable[[State, Event], State]


class IllegalAction(Exception):  # noqa: N818 - the rulebook's word, not an "error" of the program
    """The one refusal: a code and the facts its sentence needs; nothing has changed."""

    def __init__(self, code: str, **facts: Any) -> None:
        """Refuse with a code of the message files."""
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        """The code and its facts, for logs and tests."""
        return f"{self.code} {self.facts}" if self.facts else self.code


class Draft:
    """What has happened so far in deciding one action; dropped whole when the action is refused."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: State, evolve: Evolve) -> None:
        """Begin on `state` with nothing happened."""
        self.state = state
        self.events: list[Event] = []
        self._evolve = evolve

    def emit(self, event: Event) -> None:
        """Record the event; from here on `state` is the world as it has become."""
        self.events.append(event)
        self.state = self._evolve(self.state, event)

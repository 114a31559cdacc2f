"""What somebody outside can do at a seat, wherever the game is played."""

from __future__ import annotations

from typing import Protocol

from elysian.actions import Action
from elysian.text.heard import Heard
from elysian.text.seat import SeatText


class SeatAway(Exception):  # noqa: N818 - says what it is
    """The seat cannot be reached, or there is no game yet; the message is a sentence."""


class SeatFromOutside(Protocol):
    """One seat of one game; every method may take a while and may raise SeatAway."""

    def text(self) -> SeatText:
        """The table as it is now."""

    def heard(self) -> list[Heard]:
        """What happened since this was last asked."""

    def company(self) -> list[str]:
        """Who sits at the table and what it is called, where that is more than the species say."""

    def do(self, action: Action) -> None:
        """Act; raises ValueError with a sentence when that is not allowed."""

    def wait(self, seconds: float) -> None:
        """Let others act until this seat is asked for something, or so much time has passed."""

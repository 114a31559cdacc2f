"""What a person was shown that they could offer: for a while bots leave it possible."""

from __future__ import annotations

from msgspec import Struct

from elysian.deals import Deal


class Shown(Struct, frozen=True):
    """The answer to one person's last search, evened offer or quote."""

    turn: int
    at: int  # ms
    times: int  # how often they were shown something this turn
    deals: tuple[Deal, ...]

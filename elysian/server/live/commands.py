"""Commands: what waits in a table's inbox, and the memory of those that were answered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from elysian.actions import Action
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.server.ops.errors import Refused, sentence
from elysian.server.protocol.messages import Accepted, Refusal, Talk
from elysian.server.table_state.actions import AnyWish
from elysian.server.table_state.state import Lobby

Reply = Callable[[Accepted | Refusal], None]


class Wish(Struct, frozen=True):
    """A command of a person, with the id its client made."""

    person: str
    id: str
    asked: AnyWish | Talk
    reply: Reply
    language: str = "en"

    def digest(self) -> bytes:
        """What tells this command from another under the same id."""
        return hashlib.blake2b(msgspec.json.encode(self.asked), digest_size=16).digest()


class Errand(Struct, frozen=True):
    """Something the server does at a table for somebody; what it returns are the events."""

    events: Callable[[Lobby], tuple[Any, ...]]
    done: Callable[[int | Exception], None] = lambda outcome: None
    seat: Seat | None = None


class Move(Struct, frozen=True):
    """A move of a bot, made on the view after line `n`."""

    seat: Seat
    action: Action
    n: int
    done: Callable[[bool], None] = lambda accepted: None


class TimesUp(Struct, frozen=True):
    """The clock that was set for this time has run out."""

    due: int


Command = Wish | Errand | Move | TimesUp


class Stored(Struct, frozen=True):
    """A refusal as it is kept for a repeated id."""

    code: str
    facts: dict[str, Any]
    status: int
    ours: bool  # a refusal by the server, not by the rules


def keep(refused: Refused | IllegalAction) -> bytes:
    """A refusal as bytes."""
    ours = isinstance(refused, Refused)
    status = refused.status if isinstance(refused, Refused) else 409
    facts = msgspec.to_builtins(dict(refused.facts), str_keys=True, enc_hook=repr)
    return msgspec.json.encode(Stored(refused.code, facts, status, ours))


def kept(raw: bytes) -> Refused | IllegalAction:
    """The refusal that was kept."""
    stored = msgspec.json.decode(raw, type=Stored)
    if stored.ours:
        return Refused(stored.code, stored.status, **stored.facts)
    return IllegalAction(stored.code, **stored.facts)


def refusal(
    id: str | None,
    refused: Refused | IllegalAction,
    species: tuple[str, ...] = (),
    language: str = "en",
    you: int | None = None,
) -> Refusal:
    """The message that tells somebody why."""
    facts = msgspec.to_builtins(dict(refused.facts), str_keys=True, enc_hook=repr)
    said = sentence(refused, species, language, you)
    return Refusal(id=id, code=refused.code, sentence=said, facts=facts)


class Known:
    """Ids that may have been answered before; certain about those that were not."""

    BITS = 1 << 16

    def __init__(self) -> None:
        """Begin with none; eight thousand bytes serve the longest game."""
        self._bits = bytearray(self.BITS // 8)

    def _places(self, person: str, id: str) -> tuple[int, int]:
        number = hash((person, id))
        return number % self.BITS, (number >> 24) % self.BITS

    def add(self, person: str, id: str) -> None:
        """Remember an id."""
        for place in self._places(person, id):
            self._bits[place >> 3] |= 1 << (place & 7)

    def maybe(self, person: str, id: str) -> bool:
        """False: it was certainly not answered before; True: the store knows."""
        return all(self._bits[place >> 3] >> (place & 7) & 1 for place in self._places(person, id))

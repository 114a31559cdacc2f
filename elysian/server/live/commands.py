"""Commands: what waits in a table's inbox, and how a refusal is kept for a repeated id."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from elysian.actions import Action
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.server.ops.errors import Refused, sentence
from elysian.server.protocol.messages import Accepted, Rejected, TalkMessage
from elysian.server.table_state.actions import ClientAction
from elysian.server.table_state.state import Lobby
from elysian.state import State

Reply = Callable[[Accepted | Rejected], None]


class Connection(Protocol):
    """What a command came on: what its person hears of it goes out as one."""

    def hold(self) -> None:
        """Keep what is sent from now on, until `let_go`."""

    def let_go(self) -> None:
        """Send all that was kept as one."""


class PersonCommand(Struct, frozen=True):
    """A command of a person.

    The id its client made is its idempotency key: sent again, for instance after a lost connection, it gets
    the stored answer and has no second effect.
    """

    person: str
    id: str
    asked: ClientAction | TalkMessage
    reply: Reply
    language: str = "en"
    on: Connection | None = None  # None: whoever asked hears only the reply

    @property
    def key(self) -> tuple[str, str]:
        """What its answer is stored under."""
        return self.person, self.id

    def digest(self) -> bytes:
        """What tells this command from another under the same id."""
        return hashlib.blake2b(msgspec.json.encode(self.asked), digest_size=16).digest()


class SystemCommand(Struct, frozen=True):
    """Something the server itself does at a table, for instance to seat somebody; `events` says what."""

    events: Callable[[Lobby], tuple[Any, ...]]
    done: Callable[[int | Exception], None] = lambda outcome: None
    seat: Seat | None = None


class BotMove(Struct, frozen=True):
    """A move of a bot, made on the view after line `n`."""

    seat: Seat
    action: Action
    n: int
    done: Callable[[bool], None] = lambda accepted: None


class RunOrder(Struct, frozen=True):
    """See to the orders of a seat: what is to be done is decided where the table stands then.

    `worthy` are the offers that were found good enough on the game as it was `seen`.
    """

    seat: Seat
    worthy: frozenset[tuple[int, str]] = frozenset()  # an order, and an offer
    seen: State | None = None  # None: nothing was appraised
    done: Callable[[bool], None] = lambda fired: None


class TimesUp(Struct, frozen=True):
    """The clock that was set for this time has run out."""

    due: int


Command = PersonCommand | SystemCommand | BotMove | RunOrder | TimesUp


class StoredRefusal(Struct, frozen=True):
    """A refusal as it is kept for a repeated id; the sentence is made anew, in the language of who asks.

    It is kept in memory only; refusals that were stored in earlier days are still read.
    """

    code: str
    facts: dict[str, Any]
    status: int
    ours: bool  # a refusal by the server, not by the rules


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(facts, str_keys=True, enc_hook=repr)
    return plain


def encode_refusal(refused: Refused | IllegalAction) -> bytes:
    """A refusal as it is kept."""
    status = refused.status if isinstance(refused, Refused) else 409
    stored = StoredRefusal(refused.code, _plain(dict(refused.facts)), status, isinstance(refused, Refused))
    return msgspec.json.encode(stored)


def decode_refusal(raw: bytes) -> Refused | IllegalAction:
    """The refusal that was stored."""
    stored = msgspec.json.decode(raw, type=StoredRefusal)
    if stored.ours:
        return Refused(stored.code, stored.status, **stored.facts)
    return IllegalAction(stored.code, **stored.facts)


def rejection(
    id: str | None,
    refused: Refused | IllegalAction,
    species: tuple[str, ...] = (),
    language: str = "en",
    you: int | None = None,
) -> Rejected:
    """The message that tells somebody why."""
    said = sentence(refused, species, language, you)
    return Rejected(id=id, code=refused.code, sentence=said, facts=_plain(dict(refused.facts)))

"""Bodies: what is sent and answered over HTTP."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from elysian.deals import Seat
from elysian.server.background.mail import MailState
from elysian.server.ops.reach import Link
from elysian.server.protocol.messages import Id, SeenLine
from elysian.server.reports.listing import TableFace
from elysian.server.store.tokens import Scope
from elysian.server.table_state.actions import ClientAction, SeatNumber, Text
from elysian.server.table_state.table_options import LevelName, TableOptions

Name = Annotated[str, Meta(max_length=100)]
Secret = Annotated[str, Meta(max_length=100)]
Version = Annotated[str, Meta(max_length=60)]


class MyTable(Struct, frozen=True):
    """A table one sits at."""

    table: str
    title: str
    seat: Seat
    status: str
    your_move: bool
    handing: bool = False  # others are about to give one's seat away


class InGroup(Struct, frozen=True):
    """A group one is in."""

    group: str
    name: str
    tables: int  # of it, that are not over


class Me(Struct, frozen=True):
    """Who one is here."""

    name: str | None  # None: nobody yet
    tables: tuple[MyTable, ...] = ()
    groups: tuple[InGroup, ...] = ()


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """What one wants to be called."""

    name: Name


class Exchange(Struct, frozen=True, forbid_unknown_fields=True):
    """A code made on another device."""

    code: Secret


class Recovery(Struct, frozen=True):
    """A code to be kept elsewhere: it brings one back when every browser is lost."""

    code: str


class AskForSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat of a running game one asks for."""

    name: Name | None = None  # None: as one is called already
    seat: SeatNumber | None = None  # None: that of the same name
    invitation: Secret = ""


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to be let in: what it is called, and what it may do."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(max_length=3)] = ("read", "play")


class MyToken(Struct, frozen=True):
    """A token of one's own; the secret is told once, when it is made."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    made: int  # ms since 1970
    used: int | None  # when it was last seen, to about a day; None: never


class MadeToken(Struct, frozen=True):
    """A new token, with the secret nobody can show again."""

    token: str
    of: MyToken


class From(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to go on from: one of this server that is over, or a record; up to line or entry `n`."""

    table: Annotated[str, Meta(max_length=40)] | None = None  # None: from the record
    record: str | None = None  # None: from the table
    n: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None  # None: to its end


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    options: TableOptions = TableOptions()
    name: Name | None = None  # None: as one is called already
    seat: SeatNumber | None = 0  # None: one only watches
    bots: Annotated[dict[str, LevelName], Meta(max_length=9)] = {}  # seat -> level
    continue_from: From | None = field(default=None, name="from")  # None: a new game


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True):
    """How one wants to be at a table."""

    name: Name | None = None  # None: as one is called already
    seat: SeatNumber | None = None  # None: the first that is free
    watch: bool = False
    invitation: Secret = ""
    version: Version = ""  # of a bot: what it is, with its version; told with the seat and in the record


class Joined(Struct, frozen=True):
    """Where one is now."""

    table: str
    seat: Seat | None  # None: a watcher
    invitation: str


class DoIt(Struct, frozen=True, forbid_unknown_fields=True):
    """A command, as on the socket."""

    id: Id
    action: ClientAction


class SayIt(Struct, frozen=True, forbid_unknown_fields=True):
    """Something said, or an offer typed in short form, as on the socket."""

    id: Id
    text: Text
    to: SeatNumber | None = None  # None: to everybody


class Listed(Struct, frozen=True):
    """A table that is listed."""

    table: str
    face: TableFace


class LogPage(Struct, frozen=True):
    """A part of a table's log, as one may see it."""

    lines: tuple[SeenLine, ...]
    more: bool


class PushKey(Struct, frozen=True):
    """The public key push subscriptions are made with."""

    key: str


class Tested(Struct, frozen=True):
    """By how many ways a test notice was taken, and what became of mail."""

    taken: int
    mail: MailState


class MailAddress(Struct, frozen=True, forbid_unknown_fields=True):
    """Where one would like to have mail."""

    address: Annotated[str, Meta(max_length=300)]


class MailCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that was sent to an address."""

    address: Annotated[str, Meta(max_length=300)]
    code: Annotated[str, Meta(max_length=40)]


class Reach(Struct, frozen=True):
    """Under which addresses the table is found; none: as one came. Who sits at the machine may open it."""

    links: tuple[Link, ...]
    may_open: bool


class ToDraw(Struct, frozen=True, forbid_unknown_fields=True):
    """What a QR code is to say."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Drawn(Struct, frozen=True):
    """A QR code, row by row: 1 is dark. The margin is not in it."""

    rows: tuple[str, ...]


class Health(Struct, frozen=True):
    """Whether the server can serve."""

    ready: bool
    problems: tuple[str, ...] = ()  # what the operator should look at, by the codes of refusals

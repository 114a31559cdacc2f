"""Route: one thing that can be asked for over HTTP, and what is checked before it is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from elysian.server.edge.http import (
    SMALL,
    Request,
)
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Rejected
from elysian.server.store.tokens import Scope

if TYPE_CHECKING:
    from elysian.server.server import Server


Handler = Callable[["Server", Request], Awaitable[Any]]


class Route(Struct, frozen=True):
    """One thing that can be asked for over HTTP."""

    method: str
    path: str
    handler: Handler
    says: str
    answer: Any = None  # None: nothing comes back
    body: Any = None  # None: nothing is sent
    keyed: bool = False  # only for people with a key, and bots with a token
    query: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()  # of the server, by which an address is bounded besides
    largest: int = SMALL
    kind: str = "application/json"
    scope: Scope | None = None  # what a token needs; None: as `of_token` says

    @property
    def of_token(self) -> Scope | None:
        """What a token needs; None: it is not let in, as to an account, or where nobody has thought of it."""
        reads = self.method == "GET" and not self.path.startswith("/api/me/")
        return self.scope or ("read" if reads else None)


class CommandRefused(Exception):  # noqa: N818 - a refusal that has its sentence already
    """A command was refused; the table has said why."""

    def __init__(self, refusal: Rejected) -> None:
        """Carry the table's words."""
        super().__init__(refusal.code)
        self.refusal = refusal


async def table_asked_for(server: Server, request: Request) -> Table:
    """The table a path names, if this person may know of it; raises Refused."""
    table = await server.tables.get(request.where["table"])
    await check_open(server, table, request)
    return table


async def check_open(server: Server, table: Table, request: Request) -> None:
    """Raises Refused unless this person sits at the table or may watch it."""
    person = None if request.person is None else request.person.id
    if table.lobby.seat_of(person) is not None:
        return
    if not table.lobby.may_watch(person) or await has_left(server, table, person):
        raise Refused("no_such_table", status=404)


async def has_left(server: Server, table: Table, person: str | None) -> bool:
    """Whether somebody without a seat came as one of the group the table is for, and is in it no more."""
    lobby = table.lobby
    if person is None or lobby.seat_of(person) is not None or not lobby.is_of_group(person):
        return False
    return not await server.groups.has(lobby.options.group, person)

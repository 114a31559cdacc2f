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
from elysian.server.ops.rate_limit import RateLimits, owner_of
from elysian.server.protocol.messages import Rejected
from elysian.server.store.people import Account
from elysian.server.store.tokens import Scope, Token

if TYPE_CHECKING:
    from elysian.server.server import Server

OPENINGS = ("openings", "openings_a_day")  # every table that is opened counts against both

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


def check_limits(server: Server, request: Request, names: tuple[str, ...]) -> None:
    """Count this against the address and against the person; raises Refused when it was too often."""
    for name in names:
        limits: RateLimits = getattr(server, name)
        accounts = [request.block, request.owner]
        if request.token is not None and name in OPENINGS:
            accounts.append(owner_of(request.token.owner))  # all bots of a person open no more than a person
        if not all(limits.allows(who) for who in dict.fromkeys(accounts)):
            raise Refused("too_many", status=429)


def check_scope(token: Token, scope: Scope | None) -> None:
    """Whether a token may do that; raises Refused."""
    if scope is None:
        raise Refused("person_needed", status=403)
    if scope not in token.scopes:
        raise Refused("scope_needed", status=403, scope=scope)


class CommandRefused(Exception):  # noqa: N818 - a refusal that has its sentence already
    """A command was refused; the table has said why."""

    def __init__(self, refusal: Rejected) -> None:
        """Carry the table's words."""
        super().__init__(refusal.code)
        self.refusal = refusal


def person_of(request: Request) -> Account:
    """Who asks, where only people with a key may."""
    assert request.person is not None  # the route is only for people with a key
    return request.person


async def table_asked_for(server: Server, request: Request) -> Table:
    """The table a path names, if this person may know of it; raises Refused."""
    table = await server.tables.get(request.where["table"])
    person = None if request.person is None else request.person.id
    if table.lobby.seat_of(person) is None and not table.lobby.may_watch(person):
        raise Refused("no_such_table", status=404)
    return table


async def named(server: Server, request: Request, name: str | None) -> Account:
    """The person of this browser, under the name they ask for; made when there is none yet."""
    if request.person is None:
        if name is None:
            raise Refused("key_needed", status=401)
        request.person, request.cookie = await server.people.make(name)
    elif name is not None and name != request.person.name:
        if request.token is not None:
            raise Refused("bot_name", status=400)
        request.person = await server.people.rename(request.person, name)
    return request.person

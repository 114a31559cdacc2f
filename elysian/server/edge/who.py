"""Who asks over HTTP (authentication, permissions): by which name, how often, what a token lets a bot do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elysian.server.edge.http import Request
from elysian.server.ops.errors import Refused
from elysian.server.ops.rate_limit import RateLimits, owner_of
from elysian.server.store.people import Account
from elysian.server.store.tokens import Scope, Token

if TYPE_CHECKING:
    from elysian.server.server import Server

OPENINGS = ("openings", "openings_a_day")


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


def person_of(request: Request) -> Account:
    """Who asks, on a route that is only for people with a key."""
    assert request.person is not None
    return request.person


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

"""The HTTP routes: one table of them, from which requests are answered and the OpenAPI page is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from elysian.options import Options, options
from elysian.record import dump
from elysian.server.background.notices import check_notices
from elysian.server.edge.bodies import (
    DoIt,
    Exchange,
    Health,
    Joined,
    JoinTable,
    Listed,
    Log,
    Me,
    MyTable,
    NewName,
    NewTable,
    PushKey,
)
from elysian.server.edge.http import LARGE, SMALL, Answer, Call, packed, unpacks, whole_number
from elysian.server.edge.printed import Printed, printed
from elysian.server.live.records import continued, record_of
from elysian.server.live.table import PAGE, Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Accepted, Refusal, Welcome
from elysian.server.reports.results import Face
from elysian.server.reports.statistics import History, Statistics, history, statistics
from elysian.server.reports.story import Moment, Story, moment, story
from elysian.server.store.people import Code, Notices, Person
from elysian.server.table_state.decide import join
from elysian.server.table_state.events import RematchOpened, TableEnded

if TYPE_CHECKING:
    from elysian.server.server import Server

Handler = Callable[["Server", Call], Awaitable[Any]]


class Route(Struct, frozen=True):
    """One thing that can be asked for over HTTP."""

    method: str
    path: str
    handler: Handler
    says: str
    answer: Any = None  # None: nothing comes back
    body: Any = None  # None: nothing is sent
    keyed: bool = False  # only for people with a key
    query: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()  # of the server, by which an address is bounded besides
    largest: int = SMALL
    kind: str = "application/json"


# ---------------------------------------------------------------- oneself


async def _me(server: Server, call: Call) -> Me:
    if call.person is None:
        return Me(name=None)
    tables = []
    for table, seat, raw in await server.store.tables_of(call.person.id):
        face = msgspec.json.decode(raw, type=Face)
        tables.append(MyTable(table, face.title, seat, face.status, seat in face.waits_for))
    return Me(name=call.person.name, tables=tuple(tables))


async def _be(server: Server, call: Call) -> Me:
    await _named(server, call, call.body.name)
    return await _me(server, call)


async def _named(server: Server, call: Call, name: str | None) -> Person:
    """The person of this browser, under the name they ask for; made when there is none yet."""
    if call.person is None:
        if name is None:
            raise Refused("key_needed", status=401)
        call.person, call.cookie = await server.people.make(name)
    elif name is not None and name != call.person.name:
        call.person = await server.people.rename(call.person, name)
    return call.person


async def _leave(server: Server, call: Call) -> None:
    assert call.key is not None
    await server.people.end(call.key)
    server.end_sockets(_person(call).id, call.key)
    call.cookie = ""


async def _code(server: Server, call: Call) -> Code:
    return await server.people.code(_person(call))


async def _exchange(server: Server, call: Call) -> Me:
    if not server.tries.allows(call.address):
        raise Refused("too_many", status=429)
    call.person, call.cookie = await server.people.exchange(call.body.code)
    return await _me(server, call)


async def _notices(server: Server, call: Call) -> Notices:
    return await server.people.notices(_person(call).id)


async def _set_notices(server: Server, call: Call) -> Notices:
    check_notices(call.body, server.settings)
    await server.people.set_notices(_person(call).id, call.body)
    return await server.people.notices(_person(call).id)


async def _push(server: Server, call: Call) -> PushKey:
    return PushKey(key=server.notifier.keys.public if server.notifier.keys else "")


async def _games(server: Server, call: Call) -> tuple[History, ...]:
    return await history(server.database, _person(call).id)


def _person(call: Call) -> Person:
    assert call.person is not None  # the route is only for people with a key
    return call.person


# ---------------------------------------------------------------- tables


async def _tables(server: Server, call: Call) -> tuple[Listed, ...]:
    return tuple(
        Listed(game, msgspec.json.decode(raw, type=Face)) for game, raw in await server.store.listed()
    )


async def _open(server: Server, call: Call) -> Joined:
    asked: NewTable = call.body
    bots = {seat: level for key, level in asked.bots.items() if (seat := whole_number(key)) is not None}
    if len(bots) < len(asked.bots):
        raise Refused("no_such_seat", status=400)
    record, wanted = None, asked.options
    if asked.continue_from is not None:
        person = None if call.person is None else call.person.id
        record, wanted = await continued(server.tables, person, asked.continue_from, wanted)
    wanted = server.tables.check(wanted, bots)  # who is refused is not made, nor renamed
    host = await _named(server, call, asked.name)
    table, seat = await server.tables.open(wanted, host, asked.seat, bots, record)
    return Joined(table.game, seat, table.lobby.invitation)


async def _table(server: Server, call: Call) -> Table:
    """The table a path names, if this person may know of it; raises Refused."""
    table = await server.tables.get(call.where["table"])
    person = None if call.person is None else call.person.id
    if table.lobby.seat_of(person) is None and not table.lobby.may_watch(person):
        raise Refused("no_such_table", status=404)
    return table


async def _here(server: Server, call: Call) -> Welcome:
    table = await _table(server, call)
    return table.welcome(table.lobby.seat_of(None if call.person is None else call.person.id))


async def _join(server: Server, call: Call) -> Joined:
    asked: JoinTable = call.body
    table = await server.tables.get(call.where["table"])
    if not server.tries.allows(call.address) and asked.invitation:
        raise Refused("too_many", status=429)
    if call.person is None and asked.name is None:
        raise Refused("key_needed", status=401)
    how = asked.seat, asked.watch, asked.invitation
    me = call.person or Person("?", asked.name or "")
    join(table.lobby, me.id, asked.name or me.name, *how)  # who is refused is not made, nor renamed
    person = await _named(server, call, asked.name)
    name = person.name
    await server.people.notices(person.id)  # their hours are known before the clock asks for them
    await table.errand(lambda lobby: join(lobby, person.id, name, *how))
    seat = table.lobby.seat_of(person.id)
    return Joined(table.game, seat, table.lobby.invitation if seat is not None else "")


async def _rematch(server: Server, call: Call) -> Joined:
    """A new table with the same options and bots; the second to ask joins the first's."""
    table = await _table(server, call)
    person, lobby = _person(call), table.lobby
    seat = lobby.seat_of(person.id)
    if seat is None:
        raise Refused("not_seated", status=403)
    if lobby.status not in ("over", "ended"):
        raise Refused("rematch_open")
    if lobby.rematch is None:
        bots = {s: chair.bot for s, chair in enumerate(lobby.chairs) if chair.bot}
        fresh, _ = await server.tables.open(
            lobby.options, Person(person.id, lobby.chairs[seat].name), seat, bots
        )
        opened = RematchOpened(table=fresh.game, invitation=fresh.lobby.invitation)
        await table.errand(lambda lobby: () if lobby.rematch else (opened,), seat)
        if table.lobby.rematch != fresh.game:
            await fresh.errand(lambda lobby: (TableEnded(),))  # somebody asked at the same moment
    new = await server.tables.get(table.lobby.rematch or "")
    name = lobby.chairs[seat].name
    await new.errand(lambda now: join(now, person.id, name, invitation=now.invitation))
    return Joined(new.game, new.lobby.seat_of(person.id), new.lobby.invitation)


async def _do(server: Server, call: Call) -> Accepted:
    table = await _table(server, call)
    answer = await server.ask(table, _person(call).id, call.body.id, call.body.action, call.language)
    if isinstance(answer, Refusal):
        raise Answered(answer)
    return answer


class Answered(Exception):  # noqa: N818 - a refusal that has its sentence already
    """A command was refused; the table has said why."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the table's words."""
        super().__init__(refusal.code)
        self.refusal = refusal


async def _options(server: Server, call: Call) -> Options:
    table = await _table(server, call)
    seat = table.lobby.seat_of(_person(call).id)
    if seat is None:
        raise Refused("not_seated", status=403)
    if table.state is None:
        raise Refused("no_game")
    return options(table.state, seat, with_refused=call.query.get("refused") == "true")


async def _log(server: Server, call: Call) -> Log:
    table = await _table(server, call)
    since = whole_number(call.query.get("since", "0"))
    if since is None:
        raise Refused("no_such_line", status=400)
    seat = table.lobby.seat_of(None if call.person is None else call.person.id)
    lines = await table.missed(seat, since, call.language, PAGE)
    return Log(lines=tuple(lines), more=since + len(lines) < table.n)


async def _record(server: Server, call: Call) -> Answer:
    table = await _over(server, call)
    return Answer(body=dump(record_of(await server.store.lines(table.game))), kind="application/jsonl")


async def _over(server: Server, call: Call) -> Table:
    """The table a path names, once its game is over and nothing in it is secret; raises Refused."""
    table = await _table(server, call)
    if table.lobby.status != "over":
        raise Refused("game_on", status=403)
    return table


async def _at(server: Server, call: Call) -> Moment:
    table = await _over(server, call)
    n = whole_number(call.query.get("n", ""))
    if n is None or not 0 < n <= table.n:
        raise Refused("no_such_line", status=400)
    lines = await server.store.lines(table.game, 0, n)
    return await asyncio.to_thread(moment, lines, n)


async def _story(server: Server, call: Call) -> Story:
    table = await _over(server, call)
    return await server.bots.apart(table.game, story, await server.store.lines(table.game))


# ---------------------------------------------------------------- everything else


async def _catalog(server: Server, call: Call) -> Answer:
    return _printed(call.language, unpacks(call), server.levels)


@cache
def _printed(language: str, pack: bool, levels: tuple[str, ...]) -> Answer:
    cached = ((b"cache-control", b"public, max-age=3600"), (b"vary", b"accept-language"))
    answer = Answer(body=printed(language, levels), headers=cached)
    return packed(answer) if pack else answer


async def _statistics(server: Server, call: Call) -> Statistics:
    return await statistics(server.database)


async def _health(server: Server, call: Call) -> Answer:
    ready = server.ready
    if ready:
        try:
            await server.database.read("SELECT 1")
        except Refused:
            ready = False
    return Answer(status=200 if ready else 503, body=msgspec.json.encode(Health(ready=ready)))


async def _metrics(server: Server, call: Call) -> Answer:
    return Answer(body=server.metrics.text().encode(), kind="text/plain; version=0.0.4; charset=utf-8")


async def _openapi(server: Server, call: Call) -> Answer:
    from elysian.server.edge.openapi import openapi

    return Answer(body=msgspec.json.encode(openapi()))


OPENINGS = ("openings", "openings_a_day")

ROUTES = (
    Route("GET", "/api/me", _me, "Who one is here, and the tables one sits at.", Me),
    Route("POST", "/api/me", _be, "Take a name; a key is made for a browser that has none.", Me, NewName),
    Route("DELETE", "/api/me", _leave, "End this browser's key.", keyed=True),
    Route("POST", "/api/me/codes", _code, "A one-time code for another device.", Code, keyed=True),
    Route("POST", "/api/me/exchange", _exchange, "Exchange a code for a key of this browser.", Me, Exchange),
    Route("GET", "/api/me/notices", _notices, "How one is told that it is one's move.", Notices, keyed=True),
    Route("PUT", "/api/me/notices", _set_notices, "Be told so from now on.", Notices, Notices, keyed=True),
    Route("GET", "/api/me/games", _games, "One's own finished games.", tuple[History, ...], keyed=True),
    Route("GET", "/api/push", _push, "The key push subscriptions are made with.", PushKey),
    Route("GET", "/api/tables", _tables, "Public tables.", tuple[Listed, ...]),
    Route("POST", "/api/tables", _open, "Open a table.", Joined, NewTable, largest=LARGE, rates=OPENINGS),
    Route("GET", "/api/tables/{table}", _here, "The whole table as one may see it.", Welcome),
    Route("POST", "/api/tables/{table}/join", _join, "Sit down, or be let in to watch.", Joined, JoinTable),
    Route("POST", "/api/tables/{table}/rematch", _rematch, "Another game.", Joined, keyed=True),
    Route(
        "POST", "/api/tables/{table}/do", _do, "Ask for something, as on the socket.", Accepted, DoIt, True
    ),
    Route(
        "GET",
        "/api/tables/{table}/options",
        _options,
        "What one can do now.",
        Options,
        None,
        True,
        ("refused",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/log",
        _log,
        "What happened after a line.",
        Log,
        query=("since",),
        rates=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/record",
        _record,
        "The record, once it is over.",
        str,
        kind="application/jsonl",
        rates=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/at",
        _at,
        "The table after a line, once the game is over.",
        Moment,
        query=("n",),
        rates=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/story",
        _story,
        "The game in numbers, once it is over.",
        Story,
        rates=("logs",),
    ),
    Route(
        "GET",
        "/api/catalog",
        _catalog,
        "What is printed, and the words for it.",
        Printed,
        query=("language",),
    ),
    Route("GET", "/api/statistics", _statistics, "Scores over finished games.", Statistics),
    Route("GET", "/api/openapi.json", _openapi, "This page.", dict[str, Any]),
    Route("GET", "/healthz", _health, "Whether the server can serve.", Health),
    Route("GET", "/metrics", _metrics, "Counts for Prometheus.", str, kind="text/plain"),
)

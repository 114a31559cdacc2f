"""What is asked of tables: open, find, join, watch, do, say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from elysian.options import Options
from elysian.server.background.streams import open_tables
from elysian.server.edge.bodies import (
    AskForSeat,
    DoIt,
    Joined,
    JoinTable,
    Listed,
    NewTable,
    SayIt,
)
from elysian.server.edge.groups import ask_members, check_group, options_again
from elysian.server.edge.http import (
    LARGE,
    LINES,
    Request,
    Streamed,
    whole_number,
)
from elysian.server.edge.route import CommandRefused, Route, has_left, table_asked_for
from elysian.server.edge.streams import OwnStream, TableStream
from elysian.server.edge.websocket import since_of
from elysian.server.edge.who import OPENINGS, check_limits, named, person_of
from elysian.server.live.continuing import continued
from elysian.server.live.queries import answer
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Accepted, Ask, Choices, OpenTable, Rejected, TalkMessage, Welcome
from elysian.server.reports.listing import read_face
from elysian.server.store.people import Account
from elysian.server.table_state.actions import ClientAction
from elysian.server.table_state.decide import join
from elysian.server.table_state.events import RematchOpened, TableEnded
from elysian.server.table_state.fresh_species import rotated
from elysian.server.table_state.hand_over import ask_seat

if TYPE_CHECKING:
    from elysian.server.server import Server


async def _tables(server: Server, request: Request) -> tuple[Listed, ...]:
    faces = [(game, read_face(raw)) for game, raw in await server.store.listed()]
    return tuple(Listed(game, face) for game, face in faces if face is not None)


async def _open(server: Server, request: Request) -> Joined:
    asked: NewTable = request.body
    bots = {seat: level for key, level in asked.bots.items() if (seat := whole_number(key)) is not None}
    if len(bots) < len(asked.bots):
        raise Refused("no_such_seat", status=400)
    record, standing, wanted = None, None, asked.options
    if asked.continue_from is not None:
        person = None if request.person is None else request.person.id
        record, standing, wanted = await continued(server.tables, person, asked.continue_from, wanted)
    wanted = server.tables.check(wanted, bots)  # who is refused is not made, nor renamed
    await check_group(server, request, wanted)
    host = await named(server, request, asked.name)
    table, seat = await server.tables.open(wanted, host, asked.seat, bots, record, standing)
    await ask_members(server, table, host)
    return Joined(table.game, seat, table.lobby.invitation)


async def _here(server: Server, request: Request) -> Welcome:
    table = await table_asked_for(server, request)
    seat = table.lobby.seat_of(None if request.person is None else request.person.id)
    return table.welcome(seat, request.language)


async def _join(server: Server, request: Request) -> Joined:
    asked: JoinTable = request.body
    table = await server.tables.get(request.where["table"])
    if asked.invitation and not table.lobby.invites(asked.invitation):
        check_limits(server, request, ("tries",))  # a good one is no try, however many come with it
    if request.person is None and asked.name is None:
        raise Refused("key_needed", status=401)
    if request.person is not None and await has_left(server, table, request.person.id):
        raise Refused("not_invited", status=403)
    program = None if request.token is None else asked.version
    how = asked.seat, asked.watch, asked.invitation, program
    me = request.person or Account("?", asked.name or "")
    would = join(table.lobby, me.id, asked.name or me.name, *how)  # who is refused is not made, nor renamed
    if would and not table.lobby.invites(asked.invitation):
        check_limits(server, request, ("joins",))  # who was not asked to come does not take every seat
    person = await named(server, request, asked.name)
    name = person.name
    await server.people.notices(person.id)  # their hours are known before the clock asks for them
    await table.submit(lambda lobby: join(lobby, person.id, name, *how))
    seat = table.lobby.seat_of(person.id)
    return Joined(table.game, seat, table.lobby.invitation if seat is not None else "")


async def _ask_seat(server: Server, request: Request) -> None:
    """Ask for a seat of a running game; who may not know of the table learns nothing of it."""
    asked: AskForSeat = request.body
    table = await server.tables.get(request.where["table"])
    invited = table.lobby.invites(asked.invitation)
    if not invited:
        check_limits(server, request, ("tries",) if asked.invitation else ("joins",))
        await table_asked_for(server, request)
    if request.person is None and asked.name is None:
        raise Refused("key_needed", status=401)
    if request.person is not None and await has_left(server, table, request.person.id):
        raise Refused("no_such_table", status=404)
    how = asked.seat, asked.invitation
    me = request.person or Account("?", asked.name or "")
    ask_seat(table.lobby, me.id, asked.name or me.name, *how)  # who is refused is not made, nor renamed
    person = await named(server, request, asked.name)
    await table.submit(lambda lobby: ask_seat(lobby, person.id, person.name, *how))


async def _rematch(server: Server, request: Request) -> Joined:
    """A new table with the same options and bots; the second to ask joins the first's.

    With `rotate` everybody is given the species of the seat before theirs.
    """
    table = await table_asked_for(server, request)
    person, lobby = person_of(request), table.lobby
    seat = lobby.seat_of(person.id)
    if seat is None:
        raise Refused("not_seated", status=403)
    if lobby.status not in ("over", "ended"):
        raise Refused("rematch_open")
    chair = lobby.chairs[seat]
    if lobby.rematch is None:
        check_limits(server, request, OPENINGS)
        bots = {s: chair.bot for s, chair in enumerate(lobby.chairs) if chair.bot}
        rotate = request.query.get("rotate") == "true"
        options, species = await options_again(server, lobby), rotated(lobby) if rotate else ()
        if species:
            options = replace(options, species="choice")
        host = Account(person.id, chair.name, chair.program)
        fresh, _ = await server.tables.open(options, host, seat, bots, species=species)
        opened = RematchOpened(table=fresh.game, invitation=fresh.lobby.invitation)
        await table.submit(lambda lobby: () if lobby.rematch else (opened,), seat)
        if table.lobby.rematch != fresh.game:
            await fresh.submit(lambda lobby: (TableEnded(),))  # somebody asked at the same moment
        else:
            await ask_members(server, fresh, host)
    new = await server.tables.get(table.lobby.rematch or "")
    await new.submit(
        lambda now: join(
            now,
            person.id,
            chair.name,
            seat if now.chairs[seat : seat + 1] and now.chairs[seat].free else None,
            invitation=now.invitation,
            program=chair.program,
        )
    )
    return Joined(new.game, new.lobby.seat_of(person.id), new.lobby.invitation)


async def _do(server: Server, request: Request) -> Accepted:
    return await _asked(server, request, request.body.action)


async def _say(server: Server, request: Request) -> Accepted:
    check_limits(server, request, ("talk",))
    body: SayIt = request.body
    return await _asked(server, request, TalkMessage(id=body.id, text=body.text, to=body.to))


async def _asked(server: Server, request: Request, wish: ClientAction | TalkMessage) -> Accepted:
    """What becomes of a wish of somebody without a socket; bots stand in one line. Raises CommandRefused."""
    table = await table_asked_for(server, request)
    size = len(msgspec.json.encode(request.body))
    if not server.admits(request.owner, request.block, size):
        raise Refused("too_many", status=429)
    server.check_log(table, person_of(request).id, size)
    what = table, person_of(request).id, request.body.id, wish, request.language
    if request.token is None:
        answer = await server.ask(*what)
    else:
        async with server.bots_line.turn():
            answer = await server.ask(*what)
    if isinstance(answer, Rejected):
        raise CommandRefused(answer)
    return answer


async def _seats(server: Server, request: Request) -> tuple[OpenTable, ...]:
    return await open_tables(server.store)


async def _stream(server: Server, request: Request) -> Streamed:
    seconds = _stream_limits(server, request)
    return Streamed(lambda receive, send: OwnStream(server, request, send, seconds).run(receive))


async def _table_stream(server: Server, request: Request) -> Streamed:
    table, since = await table_asked_for(server, request), since_of(request)
    if since is not None and since > table.n:
        raise Refused("no_such_line", status=400)
    seconds = _stream_limits(server, request)
    return Streamed(
        lambda receive, send: TableStream(server, table, request, send, seconds).run(receive, since)
    )


def _stream_limits(server: Server, request: Request) -> int | None:
    """For how many seconds a stream is wanted; None: for ever. Raises Refused."""
    limits = server.settings.limits
    most = limits.sockets if request.token is None else limits.streams
    if server.sockets[request.block] >= most:
        raise Refused("too_many", status=429)
    asked = request.query.get("seconds")
    seconds = None if asked is None else whole_number(asked)
    if asked is not None and seconds is None:
        raise Refused("out_of_range", status=400, what="", where="seconds")
    return seconds


async def _options(server: Server, request: Request) -> Options:
    table = await table_asked_for(server, request)
    seat = table.lobby.seat_of(person_of(request).id)
    ask = Ask(id="", what="options", refused=request.query.get("refused") == "true")
    found = await answer(table, seat, ask, request.language)
    if not isinstance(found, Choices) or found.options is None:
        raise Refused("no_game")
    return found.options


ROUTES = (
    Route("GET", "/api/tables", _tables, "Public tables.", tuple[Listed, ...]),
    Route(
        "POST", "/api/tables/{table}/seat", _ask_seat, "Ask for a seat of a running game.", None, AskForSeat
    ),
    Route(
        "POST",
        "/api/tables",
        _open,
        "Open a table.",
        Joined,
        NewTable,
        largest=LARGE,
        limits=OPENINGS,
        scope="host",
    ),
    Route("GET", "/api/seats", _seats, "Seats that are open to bots.", tuple[OpenTable, ...]),
    Route(
        "GET",
        "/api/stream",
        _stream,
        "What one is needed for, and open seats, as they come.",
        str,
        keyed=True,
        query=("seconds", "view"),
        kind=LINES,
    ),
    Route("GET", "/api/tables/{table}", _here, "The whole table as one may see it.", Welcome),
    Route("POST", "/api/tables/{table}/join", _join, "Sit down, or watch.", Joined, JoinTable, scope="play"),
    Route(
        "POST",
        "/api/tables/{table}/rematch",
        _rematch,
        "Another game.",
        Joined,
        keyed=True,
        query=("rotate",),
        scope="host",
    ),
    Route(
        "POST",
        "/api/tables/{table}/do",
        _do,
        "Ask for something, as on the socket.",
        Accepted,
        DoIt,
        True,
        scope="play",
    ),
    Route(
        "POST",
        "/api/tables/{table}/say",
        _say,
        "Say something, or type an offer, as on the socket.",
        Accepted,
        SayIt,
        True,
        scope="play",
    ),
    Route(
        "GET",
        "/api/tables/{table}/stream",
        _table_stream,
        "What the socket tells, as lines.",
        str,
        query=("since", "seconds"),
        kind=LINES,
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
)

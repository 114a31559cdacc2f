"""The routes of groups: to whoever is not in a group, it does not exist."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from elysian.record import dump
from elysian.server.edge.bodies import Joined, Listed, Name, Secret
from elysian.server.edge.http import LINES, Receive, Request, Send, Streamed
from elysian.server.edge.route import Route
from elysian.server.edge.who import check_limits, named, person_of
from elysian.server.live.log_reader import PAGE
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.reports.groups import GroupReport, NamedSeat, group_report, group_seats
from elysian.server.reports.listing import read_face
from elysian.server.store.groups import Group, Member, handle_of
from elysian.server.store.people import Account
from elysian.server.table_state.events import GuestAdmitted, Line
from elysian.server.table_state.record import public_record, record_of
from elysian.server.table_state.state import Lobby
from elysian.server.table_state.table_options import TableOptions

if TYPE_CHECKING:
    from elysian.server.server import Server

GroupName = Annotated[str, Meta(max_length=100)]


class NewGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """A group to be made, or its new name."""

    name: GroupName


class GroupInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    """What lets one into a group."""

    invitation: Secret


class JoinGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """How one joins a group."""

    invitation: Secret
    name: Name | None = None  # None: as one is called already


class MyGroup(Struct, frozen=True):
    """A group one is in, with its tables that are not over."""

    group: str
    name: str
    members: int
    tables: tuple[Listed, ...]


class InvitedTo(Struct, frozen=True):
    """What one is told of a group before one joins."""

    name: str
    members: int
    joined: bool  # one is in it already


class GroupMember(Struct, frozen=True):
    """Somebody in a group."""

    person: str  # in this group; it tells nothing of them elsewhere
    name: str
    since: int
    owner: bool


class GroupPage(Struct, frozen=True):
    """All one sees of a group one is in."""

    group: str
    name: str
    you: str
    owner: bool
    invitation: str
    members: tuple[GroupMember, ...]
    tables: tuple[Listed, ...]
    report: GroupReport


# ---------------------------------------------------------------- being in a group


async def my_groups(server: Server, request: Request) -> tuple[MyGroup, ...]:
    """The groups one is in."""
    return tuple([await _mine(server, one) for one in await server.groups.of(person_of(request).id)])


async def _mine(server: Server, group: Group) -> MyGroup:
    members = await server.groups.members(group.id)
    return MyGroup(group.id, group.name, len(members), await _tables(server, group.id))


async def _tables(server: Server, group: str) -> tuple[Listed, ...]:
    faces = [(game, read_face(raw)) for game, raw in await server.groups.tables(group)]
    return tuple(Listed(game, face) for game, face in faces if face is not None)


async def new_group(server: Server, request: Request) -> MyGroup:
    """A group of one, to which others are invited."""
    made = await server.groups.make(person_of(request).id, request.body.name, server.settings.limits.groups)
    return await _mine(server, made)


async def invited_to(server: Server, request: Request) -> InvitedTo:
    """Which group an invitation is to."""
    group = await _invited(server, request)
    members = await server.groups.members(group.id)
    me = None if request.person is None else request.person.id
    return InvitedTo(group.name, len(members), me in [one.person for one in members])


async def _invited(server: Server, request: Request) -> Group:
    """The group of a good invitation; a bad one counts as a try. Raises Refused."""
    try:
        return await server.groups.invited(request.where["group"], request.body.invitation)
    except Refused:
        check_limits(server, request, ("tries",))
        raise


async def join_group(server: Server, request: Request) -> MyGroup:
    """Be in a group, by its invitation."""
    group = await _invited(server, request)
    limits = server.settings.limits
    if len(await server.groups.members(group.id)) >= limits.members and request.person is None:
        raise Refused("group_full", most=limits.members)  # who is refused is not made
    person = await named(server, request, request.body.name)
    await server.groups.join(group, person.id, limits.members, limits.groups)
    return await _mine(server, group)


async def group_page(server: Server, request: Request) -> GroupPage:
    """All one sees of a group."""
    me = person_of(request).id
    group = await server.groups.get(request.where["group"], me)
    members = await server.groups.members(group.id)
    _, report = await _remembered(server, group, members)
    return GroupPage(
        group=group.id,
        name=group.name,
        you=handle_of(group.id, me),
        owner=group.owner == me,
        invitation=group.invitation,
        members=tuple(
            GroupMember(handle_of(group.id, one.person), one.name, one.since, one.person == group.owner)
            for one in members
        ),
        tables=await _tables(server, group.id),
        report=report,
    )


async def _remembered(
    server: Server, group: Group, members: list[Member]
) -> tuple[list[NamedSeat], GroupReport]:
    """What a group remembers; worked out once for the same results and names."""
    rows = await group_seats(server.database, group.id, (one.person for one in members))
    key = blake2b(msgspec.json.encode(rows), digest_size=16).hexdigest()
    report: GroupReport = await server.group_reports.get(key, lambda: asyncio.to_thread(group_report, rows))
    return rows, report


async def rename_group(server: Server, request: Request) -> MyGroup:
    """Call a group something else."""
    group = await server.groups.owned(request.where["group"], person_of(request).id)
    return await _mine(server, await server.groups.rename(group, request.body.name))


async def renew_invitation(server: Server, request: Request) -> GroupInvitation:
    """End the invitation of a group, and have another."""
    group = await server.groups.owned(request.where["group"], person_of(request).id)
    check_limits(server, request, ("tries",))
    return GroupInvitation((await server.groups.renew(group)).invitation)


async def leave_group(server: Server, request: Request) -> None:
    """Leave a group; its owner may send others away."""
    me, who = person_of(request).id, request.where["person"]
    group = await server.groups.get(request.where["group"], me)
    if who in ("me", handle_of(group.id, me)):
        await server.groups.leave(group, me)
        gone = me
    else:
        gone = await server.groups.send_away(await server.groups.owned(group.id, me), who)
    server.end_membership(group.id, gone)


async def delete_group(server: Server, request: Request) -> None:
    """Delete a group and all it remembers."""
    group = await server.groups.owned(request.where["group"], person_of(request).id)
    await server.groups.delete(group.id)


# ---------------------------------------------------------------- tables of a group


async def check_group(server: Server, request: Request, options: TableOptions) -> None:
    """A table is opened for a group by somebody who is in it; raises Refused."""
    if options.group:
        await server.groups.get(options.group, None if request.person is None else request.person.id)


async def ask_members(server: Server, table: Table, host: Account) -> None:
    """Whoever is in the group of a new table may come to it, and is told of it."""
    group = table.lobby.options.group
    if not group:
        return
    others = [one.person for one in await server.groups.members(group) if one.person != host.id]
    await table.submit(
        lambda lobby: tuple(GuestAdmitted(person=one) for one in others if one not in lobby.guests)
    )
    server.notifier.ask_to(table, others, host.name, await server.groups.name_of(group))


async def options_again(server: Server, lobby: Lobby) -> TableOptions:
    """The options of another game: for the same group as long as somebody who played is in it."""
    options = lobby.options
    if options.group:
        members = {one.person for one in await server.groups.members(options.group)}
        if members.isdisjoint(chair.person for chair in lobby.chairs):
            return replace(options, group="")
    return options


async def come_to_table(server: Server, request: Request) -> Joined:
    """Be let in to a table of a group one is in, also if it was opened before one came; raises Refused."""
    person = person_of(request)
    group = await server.groups.get(request.where["group"], person.id)
    table = await server.tables.get(request.where["table"])
    if table.lobby.options.group != group.id:
        raise Refused("no_such_table", status=404)
    if person.id in table.lobby.barred:
        raise Refused("barred", status=403)
    seat = table.lobby.seat_of(person.id)
    if seat is None and person.id not in table.lobby.guests:
        await table.submit(
            lambda lobby: () if person.id in lobby.guests else (GuestAdmitted(person=person.id),)
        )
    return Joined(table.game, seat, table.lobby.invitation)


# ---------------------------------------------------------------- taking it along


async def export_group(server: Server, request: Request) -> Streamed:
    """All a group remembers as lines: the group, its games, and on request their records."""
    me = person_of(request).id
    group = await server.groups.get(request.where["group"], me)
    if me in server.exporting:
        raise Refused("too_many", status=429)  # one at a time, and of each one game in memory
    members = await server.groups.members(group.id)
    rows, report = await _remembered(server, group, members)
    records = request.query.get("records") == "true"

    async def lines() -> AsyncIterator[dict[str, Any]]:
        yield _head(group, members, rows)
        for game in report.games:
            yield {"game": msgspec.to_builtins(game)}
        yield {"report": msgspec.to_builtins(replace(report, games=()))}
        own = {row.game for row in rows if row.seat.person == handle_of(group.id, me)}
        for game in report.games if records else ():
            yield {"table": game.table, **await _record(server, game.table, game.table in own)}

    async def run(receive: Receive, send: Send) -> None:
        server.exporting.add(me)
        gone = asyncio.create_task(_gone(receive))
        try:
            async for line in lines():
                if gone.done():
                    return
                raw = msgspec.json.encode(line) + b"\n"
                await send({"type": "http.response.body", "body": raw, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            server.exporting.discard(me)

    return Streamed(run)


def _head(group: Group, members: list[Member], rows: list[NamedSeat]) -> dict[str, Any]:
    names = {row.seat.person: row.name for row in rows if row.seat.person is not None}
    names |= {handle_of(group.id, one.person): one.name for one in members}
    return {
        "what": "elysian group",
        "name": group.name,
        "made": group.made,
        "members": [handle_of(group.id, one.person) for one in members],
        "names": names,
    }


async def _gone(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        continue


async def _record(server: Server, game: str, played: bool) -> dict[str, Any]:
    """The lines of a record; what was between two is for those who played, and why it is missing is said."""
    stored: list[Line] = []
    while page := await server.store.lines(game, len(stored), PAGE):
        stored += page

    def dumped() -> list[Any]:
        record = record_of(stored)
        raw = dump(record if played else public_record(record))
        return [msgspec.json.decode(line) for line in raw.splitlines()]

    try:
        return {"record": await asyncio.to_thread(dumped)}
    except Refused as refused:
        return {"refused": refused.code}


ROUTES = (
    Route("GET", "/api/groups", my_groups, "The groups one is in.", tuple[MyGroup, ...], keyed=True),
    Route(
        "POST",
        "/api/groups",
        new_group,
        "Make a group.",
        MyGroup,
        NewGroup,
        True,
        limits=("new_groups",),
    ),
    Route("GET", "/api/groups/{group}", group_page, "What a group remembers.", GroupPage, keyed=True),
    Route("PUT", "/api/groups/{group}", rename_group, "Rename a group.", MyGroup, NewGroup, True),
    Route("DELETE", "/api/groups/{group}", delete_group, "Delete a group.", keyed=True),
    Route(
        "POST", "/api/groups/{group}/invited", invited_to, "Which group it is.", InvitedTo, GroupInvitation
    ),
    Route("POST", "/api/groups/{group}/join", join_group, "Join a group.", MyGroup, JoinGroup),
    Route(
        "POST",
        "/api/groups/{group}/invitations",
        renew_invitation,
        "Another invitation; the old one ends.",
        GroupInvitation,
        keyed=True,
    ),
    Route(
        "DELETE",
        "/api/groups/{group}/members/{person}",
        leave_group,
        "Leave a group, or send somebody away.",
        keyed=True,
    ),
    Route(
        "POST",
        "/api/groups/{group}/tables/{table}",
        come_to_table,
        "Be let in to a table of a group.",
        Joined,
        keyed=True,
    ),
    Route(
        "GET",
        "/api/groups/{group}/export",
        export_group,
        "All of a group, as lines.",
        str,
        keyed=True,
        query=("records",),
        limits=("logs",),
        kind=LINES,
    ),
)

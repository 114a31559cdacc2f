"""What is asked about games that were played: log, record, story, review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from elysian.record import Record, dump
from elysian.server.edge.bodies import (
    LogPage,
)
from elysian.server.edge.http import (
    Request,
    Response,
    whole_number,
)
from elysian.server.edge.route import Route, table_asked_for
from elysian.server.live.log_reader import PAGE
from elysian.server.live.table import Table
from elysian.server.live.wording import worded_view
from elysian.server.ops.errors import Refused
from elysian.server.reports.review_words import ToldReview, told_review
from elysian.server.reports.story import PastTable, Story, past_table, story
from elysian.server.table_state.events import Line
from elysian.server.table_state.record import public_record, record_of

if TYPE_CHECKING:
    from elysian.server.server import Server


async def _log(server: Server, request: Request) -> LogPage:
    table = await table_asked_for(server, request)
    since = whole_number(request.query.get("since", "0"))
    if since is None:
        raise Refused("no_such_line", status=400)
    seat = table.lobby.seat_of(None if request.person is None else request.person.id)
    lines = await table.missed(seat, since, request.language)
    return LogPage(lines=tuple(lines), more=since + len(lines) < table.n)


async def _record(server: Server, request: Request) -> Response:
    """Those who played get all of it; others nothing that was said between two."""
    table = await _over(server, request)
    person = None if request.person is None else request.person.id
    if table.lobby.seat_of(person) is None:
        body = await _dumped(server, table, public_record)
    else:
        body = await _dumped(server, table, lambda record: record)
    return Response(body=body, kind="application/jsonl")


async def _dumped(server: Server, table: Table, as_told: Callable[[Record], Record]) -> bytes:
    """A record, read page by page: others are served between two of them."""
    lines: list[Line] = []
    while len(lines) < table.n:
        lines += await server.store.lines(table.game, len(lines), PAGE)
    return await asyncio.to_thread(lambda: dump(as_told(record_of(lines))))


async def _over(server: Server, request: Request) -> Table:
    """The table a path names, once its game is over and nothing in it is secret; raises Refused."""
    table = await table_asked_for(server, request)
    if table.lobby.status != "over":
        raise Refused("game_on", status=403)
    return table


async def _at(server: Server, request: Request) -> PastTable:
    table = await _over(server, request)
    n = whole_number(request.query.get("n", ""))
    if n is None or not 0 < n <= table.n:
        raise Refused("no_such_line", status=400)
    found = past_table((await table.log.table_at(n)).state, n)
    return found if found.view is None else replace(found, view=worded_view(found.view, request.language))


async def _story(server: Server, request: Request) -> Story:
    table = await _over(server, request)
    told: Story = await server.stories.get(table.game, partial(_tell_story, server, table.game))
    return told


async def _tell_story(server: Server, game: str) -> Story:
    """All stories are on one account: whoever asks for many keeps nobody but others who ask for them."""
    lines = await server.store.lines(game)
    told: Story = await server.pool.run(game, story, lines, urgent=False, patience=None, account="stories")
    return told


async def _review(server: Server, request: Request) -> ToldReview:
    """How one's own seat played, or the seat that is named; nothing in it is secret any more."""
    table = await _over(server, request)
    asked = request.query.get("seat")
    own = table.lobby.seat_of(None if request.person is None else request.person.id)
    seat = own if asked is None else whole_number(asked)
    if seat is None or seat >= len(table.lobby.chairs):
        raise Refused("no_such_seat", status=400)
    assert table.state is not None
    levels = {n: chair.bot for n, chair in enumerate(table.lobby.chairs) if chair.bot is not None}
    found = await server.reviews.of(table.game, seat, levels)
    return told_review(found, table.state.settings.species, request.language)


ROUTES = (
    Route(
        "GET",
        "/api/tables/{table}/log",
        _log,
        "What happened after a line.",
        LogPage,
        query=("since",),
        limits=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/record",
        _record,
        "The record, once it is over.",
        str,
        kind="application/jsonl",
        limits=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/at",
        _at,
        "The table after a line, once the game is over.",
        PastTable,
        query=("n",),
        limits=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/story",
        _story,
        "The game in numbers, once it is over.",
        Story,
        limits=("logs",),
    ),
    Route(
        "GET",
        "/api/tables/{table}/review",
        _review,
        "What mattered to a seat, what would have been better, and by how much, once the game is over.",
        ToldReview,
        query=("seat", "language"),
        limits=("logs",),
    ),
)

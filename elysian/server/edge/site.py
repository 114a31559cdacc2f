"""What is asked of the server itself: catalogue, reach, statistics, health."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from elysian.server.edge.bodies import (
    Drawn,
    Health,
    Reach,
    ToDraw,
)
from elysian.server.edge.catalog_page import Printed, printed
from elysian.server.edge.http import (
    Request,
    Response,
    encodings,
    packed,
    sits_here,
)
from elysian.server.edge.route import Route
from elysian.server.ops.errors import Refused
from elysian.server.reports.statistics import Statistics, statistics

if TYPE_CHECKING:
    from elysian.server.server import Server


async def _catalog(server: Server, request: Request) -> Response:
    return _printed(request.language, "gzip" in encodings(request), server.levels)


@cache
def _printed(language: str, pack: bool, levels: tuple[str, ...]) -> Response:
    cached = ((b"cache-control", b"public, max-age=3600"), (b"vary", b"accept-language"))
    answer = Response(body=printed(language, levels), headers=cached)
    return packed(answer) if pack else answer


async def _reach(server: Server, request: Request) -> Reach:
    return Reach(server.links, server.listen is not None and not server.opened and sits_here(request))


async def _open_reach(server: Server, request: Request) -> Reach:
    if not sits_here(request):
        raise Refused("not_at_home", status=403)
    await server.open_to_network()
    return Reach(server.links, may_open=False)


async def _qr(server: Server, request: Request) -> Drawn:
    import segno  # only where a code is drawn

    code = segno.make(request.body.text, error="m", micro=False, boost_error=False)
    return Drawn(tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix))


async def _statistics(server: Server, request: Request) -> Statistics:
    return await statistics(server.database)


async def _health(server: Server, request: Request) -> Response:
    """A damaged table is told but does not count: the others are served."""
    ready, problems = server.ready and server.storage is None, server.problems()
    if ready:
        try:
            await server.database.read("SELECT 1")
        except Refused as refused:
            ready, problems = False, (refused.code, *problems)
    return Response(status=200 if ready else 503, body=msgspec.json.encode(Health(ready, problems)))


async def _metrics(server: Server, request: Request) -> Response:
    return Response(body=server.metrics.text().encode(), kind="text/plain; version=0.0.4; charset=utf-8")


async def _openapi(server: Server, request: Request) -> Response:
    return _described()


@cache
def _described() -> Response:
    from elysian.server.edge.openapi import openapi

    return Response(body=msgspec.json.encode(openapi()))


ROUTES = (
    Route(
        "GET",
        "/api/catalog",
        _catalog,
        "What is printed, and the words for it.",
        Printed,
        query=("language",),
    ),
    Route("GET", "/api/reach", _reach, "Under which addresses others find the table.", Reach),
    Route("POST", "/api/reach", _open_reach, "Open one's own table to the network.", Reach),
    Route("POST", "/api/qr", _qr, "A QR code of a link.", Drawn, ToDraw, limits=("logs",)),
    Route("GET", "/api/statistics", _statistics, "Scores over finished games.", Statistics),
    Route("GET", "/api/openapi.json", _openapi, "This page.", dict[str, Any]),
    Route("GET", "/healthz", _health, "Whether the server can serve.", Health),
    Route("GET", "/metrics", _metrics, "Counts for Prometheus.", str, kind="text/plain"),
)

"""The ASGI application: finds the route or the socket, and answers every refusal with a sentence."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec

from elysian.draft import IllegalAction
from elysian.messages import sentence as rules_sentence
from elysian.server.edge.connections import frames_of
from elysian.server.edge.http import (
    LINES,
    SMALL,
    AsgiScope,
    Problem,
    Receive,
    Request,
    Response,
    Send,
    Streamed,
    begin_stream,
    body_of,
    check_framing,
    check_host,
    check_origin,
    decode,
    encodings,
    request_of,
    send_response,
    shows_pages,
)
from elysian.server.edge.route import CommandRefused, Route, check_open
from elysian.server.edge.routes import ROUTES
from elysian.server.edge.static_files import Page
from elysian.server.edge.websocket import Socket, check_protocol, since_of
from elysian.server.edge.who import check_limits, check_scope
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused, sentence
from elysian.server.ops.rate_limit import block_of
from elysian.server.server import Server
from elysian.server.store.people import Account

SOCKET = re.compile(r"/api/tables/(?P<table>[A-Za-z0-9_-]{1,40})/socket")
SAFE = ("GET", "HEAD", "OPTIONS")


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[A-Za-z0-9_-]{1,40})", path))


class App:
    """What uvicorn calls for every connection."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.page = Page(server.settings.page)
        self._warned = False  # of a proxy that is not named
        self.routes = [(_pattern(route.path), route) for route in ROUTES]
        self.decoders = {
            route.handler: msgspec.json.Decoder(route.body) for route in ROUTES if route.body is not None
        }

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """One connection, or the life of the server."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.server.start()
        except (OSError, ValueError, Refused) as problem:
            words = sentence(problem) if isinstance(problem, Refused) else str(problem)
            await send({"type": "lifespan.startup.failed", "message": words})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.server.close()
        await send({"type": "lifespan.shutdown.complete"})

    # ------------------------------------------------------------ HTTP

    async def _http(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        request = request_of(scope)
        answer: Response | Streamed
        try:
            answer = await self._answer(request, receive)
        except (Refused, IllegalAction, CommandRefused) as refused:
            answer = _problem(request, refused)
            self.server.metrics.count("refusals")
        except asyncio.CancelledError:
            raise
        except Exception as problem:
            self.server.failed(request.path, problem)
            answer = _problem(request, Refused("busy", status=500))
        self.server.metrics.count("requests")
        if isinstance(answer, Streamed):
            await self._stream(request, answer, receive, send)
            return
        await send_response(send, answer, request, self.server.settings)

    async def _stream(self, request: Request, stream: Streamed, receive: Receive, send: Send) -> None:
        """Tell lines until either side ends it; it is counted like a socket."""
        if request.method == "HEAD":
            await send_response(send, Response(kind=LINES), request, self.server.settings)
            return
        sockets, block = self.server.sockets, request.block
        sockets[block] += 1
        try:
            await begin_stream(send, self.server.settings)
            await stream.run(receive, send)
        finally:
            sockets[block] -= 1
            if not sockets[block]:
                del sockets[block]

    async def _answer(self, request: Request, receive: Receive) -> Response | Streamed:
        server = self.server
        check_framing(request)
        route = self._find(request)
        if route is None:
            check_host(request, server.settings)
            return self._page_of(request)
        if not request.path.startswith("/api"):
            return await route.handler(server, request)  # type: ignore[no-any-return]
        await self._check(request, route)
        if route.body is not None:
            raw = await body_of(receive, request, route.largest)
            decoder = self.decoders[route.handler]
            if len(raw) > SMALL:  # others are served meanwhile
                request.body = await asyncio.to_thread(decode, decoder, raw, request)
            else:
                request.body = decode(decoder, raw, request)
        result = await route.handler(server, request)
        if isinstance(result, Response | Streamed):
            return result
        if route.answer is None:
            return Response(status=204)
        return Response(body=msgspec.json.encode(result))

    def _page_of(self, request: Request) -> Response:
        """A file of the page, or the page itself that says there is nothing here; raises Refused."""
        reads = encodings(request)
        found = self.page.find(request.path, reads) if request.method in SAFE else None
        if found is None and request.method in SAFE and shows_pages(request):
            found = self.page.nowhere(reads)
        if found is None:
            raise Refused("no_such_route", status=404)
        return found

    async def _check(self, request: Request, route: Route) -> None:
        """Whether somebody may ask this at all, before a body is read; raises Refused."""
        server = self.server
        self._look_for_proxy(request)
        if not server.ready:
            raise Refused("closing", status=503)
        if request.bearer is None and not server.requests.allows(request.address):
            raise Refused("too_many", status=429)
        if request.method in SAFE:
            check_host(request, server.settings)
        else:
            check_origin(request, server.settings)
        await self._who(request)
        if request.token is not None:
            if not server.requests.allows(request.owner):
                raise Refused("too_many", status=429)
            check_scope(request.token, route.of_token)
        check_limits(server, request, route.limits)  # before a large body is read
        if route.keyed and request.person is None:
            raise Refused("key_needed", status=401)

    def _look_for_proxy(self, request: Request) -> None:
        """Say once that a proxy should be named: behind it everybody is one address, with one budget."""
        forwarded = request.headers.get("x-forwarded-for")
        if self._warned or forwarded is None:
            return
        if request.address not in [block_of(one.strip()) for one in forwarded.split(",")]:
            self._warned = True
            self.server.log.say("proxy not named", address=request.address, name_it_by="--proxies")

    def _find(self, request: Request) -> Route | None:
        """The route of a request; raises Refused when there is one, but not for this method."""
        wanted = "GET" if request.method == "HEAD" else request.method
        others = []
        for pattern, route in self.routes:
            match = pattern.fullmatch(request.path)
            if match is None:
                continue
            if route.method == wanted:
                request.where = match.groupdict()
                return route
            others.append(route.method)
        if others:
            raise Refused("not_allowed", status=405, allow=", ".join(sorted(others)))
        return None

    async def _who(self, request: Request) -> None:
        """Whose key the browser has; unknown keys are counted, so that none is found by trying."""
        if request.bearer is not None:
            await self._bot(request, request.bearer)
            return
        if request.key is None:
            return
        request.person = await self.server.people.by_key(request.key)
        if request.person is None and not self.server.tries.allows(request.address):
            raise Refused("too_many", status=429)

    async def _bot(self, request: Request, secret: str) -> None:
        """Which bot shows its token; what must be looked up is counted on the address, the rest is not."""
        server = self.server
        if not server.tokens.remembers(secret) and not server.lookups.allows(request.address):
            raise Refused("too_many", status=429)
        token = await server.tokens.by_secret(secret)
        if token is None:
            if not server.tries.allows(request.address):
                raise Refused("too_many", status=429)
            raise Refused("bad_token", status=401)
        request.token, request.key = token, secret
        request.person = Account(token.id, token.name, program="")

    # ------------------------------------------------------------ the socket

    async def _socket(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        request = request_of(scope)
        sockets, address = self.server.sockets, request.address
        await receive()  # websocket.connect
        sockets[address] += 1  # before anything is waited for, so that many at once are all counted
        try:
            await self._meet(request, receive, send)
        except RuntimeError:
            return  # the other side has gone; where uvicorn says so itself, it is left to uvicorn
        finally:
            sockets[address] -= 1
            if not sockets[address]:
                del sockets[address]

    async def _meet(self, request: Request, receive: Receive, send: Send) -> None:
        try:
            table, since = await self._admit(request)
        except (Refused, IllegalAction) as refused:
            await _deny(send, _problem(request, refused))
            return
        except Exception as problem:
            self.server.failed(request.path, problem)
            await _deny(send, _problem(request, Refused("busy", status=500)))
            return
        await send({"type": "websocket.accept", "headers": []})
        await Socket(self.server, table, request, send, frames_of(send)).run(receive, since)

    async def _admit(self, request: Request) -> tuple[Table, int | None]:
        """The table a socket is asked for, and the last line its client has; raises Refused."""
        server = self.server
        found = SOCKET.fullmatch(request.path)
        if found is None:
            raise Refused("no_such_route", status=404)
        check_origin(request, server.settings)
        check_protocol(request)
        since = since_of(request)
        if not server.ready:
            raise Refused("closing", status=503)
        if server.sockets[request.address] > server.settings.limits.sockets:
            raise Refused("too_many", status=429)
        if request.bearer is None and not server.requests.allows(request.address):
            raise Refused("too_many", status=429)
        await self._who(request)
        if request.token is not None:
            check_scope(request.token, "play")
        table = await server.tables.get(found["table"])
        await check_open(server, table, request)
        if since is not None and since > table.n:
            raise Refused("no_such_line", status=400)
        return table, since


async def _deny(send: Send, answer: Response) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer.body)).encode())]
    await send({"type": "websocket.http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": answer.body})


def _problem(request: Request, refused: Refused | IllegalAction | CommandRefused) -> Response:
    headers: tuple[tuple[bytes, bytes], ...] = ((b"cache-control", b"no-store"),)
    facts: dict[str, Any] = {}
    if isinstance(refused, CommandRefused):
        words, code, status = refused.refusal.sentence, refused.refusal.code, 409
        facts = refused.refusal.facts
    elif isinstance(refused, Refused):
        words, code, status = sentence(refused, (), request.language), refused.code, refused.status
        facts = dict(refused.facts)
        if status == 405:
            headers = (*headers, (b"allow", str(facts.pop("allow", "")).encode()))
        if status in (429, 503):
            headers = (*headers, (b"retry-after", b"10"))
        if code == "bad_framing":
            headers = (*headers, (b"connection", b"close"))
    else:
        words, code, status = rules_sentence(refused, (), request.language), refused.code, 409
        facts = dict(refused.facts)
    plain = msgspec.to_builtins(facts, str_keys=True, enc_hook=repr)
    return Response(status, msgspec.json.encode(Problem(code, words, plain)), headers=headers)

"""HTTP without a framework: a request read within bounds, an answer with the headers every answer has."""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.server.ops.errors import Refused, language_of
from elysian.server.ops.rate_limit import block_of, owner_of
from elysian.server.ops.reach import where_is
from elysian.server.ops.settings import ServerSettings
from elysian.server.protocol.decode import read
from elysian.server.store.people import Account
from elysian.server.store.tokens import Token

AsgiScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

COOKIE = "elysian"
SMALL = 64 * 1024
LARGE = 4 * 1024 * 1024  # a record that is to be continued
PATIENCE = 30.0  # seconds for a body to arrive
YEAR = 365 * 24 * 3600

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
ALWAYS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class Request(Struct):
    """One request, as a handler sees it."""

    method: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    address: str  # the block it is in
    language: str
    key: str | None = None  # None: the browser has none
    bearer: str | None = None  # the token a bot shows; None: it is no bot
    person: Account | None = None  # None: nobody the server knows
    token: Token | None = None  # None: it is no bot
    body: Any = None
    where: dict[str, str] = {}  # the named parts of the path
    cookie: str | None = None  # the key to be set; empty: to be taken away

    @property
    def owner(self) -> str:
        """On whose account it is: a person, or the address of somebody without a key."""
        return self.address if self.person is None else owner_of(self.person.id)

    @property
    def block(self) -> str:
        """Whose budget it is counted on besides: the address's, or of a bot once more its own."""
        return self.address if self.token is None else self.owner


class Response(Struct, frozen=True):
    """What goes back."""

    status: int = 200
    body: bytes = b""
    kind: str = "application/json"
    headers: tuple[tuple[bytes, bytes], ...] = ((b"cache-control", b"no-store"),)


class Streamed(Struct, frozen=True):
    """An answer that is told line by line, as long as both sides like."""

    run: Callable[[Receive, Send], Awaitable[None]]


LINES = "application/x-ndjson"
WORTH_PACKING = 1024  # bytes


def packed(answer: Response) -> Response:
    """The answer compressed, where that makes it shorter; for what is the same for everybody."""
    body = gzip.compress(answer.body, mtime=0) if len(answer.body) > WORTH_PACKING else answer.body
    return encoded(answer, body, "gzip") if len(body) < len(answer.body) else answer


def encoded(answer: Response, body: bytes, encoding: str) -> Response:
    """The answer with its body in another encoding."""
    headers = (*answer.headers, (b"content-encoding", encoding.encode()), (b"vary", b"accept-encoding"))
    return replace(answer, body=body, headers=headers)


def encodings(request: Request) -> frozenset[str]:
    """The encodings that the client can read."""
    given = (
        one.replace(" ", "").partition(";") for one in request.headers.get("accept-encoding", "").split(",")
    )
    return frozenset(name.lower() for name, _, weight in given if weight not in ("q=0", "q=0.0"))


def shows_pages(request: Request) -> bool:
    """Whether a browser asks for something to show, and not a program for an answer."""
    return "text/html" in request.headers.get("accept", "") and not request.path.startswith("/api")


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    code: str
    sentence: str
    facts: dict[str, Any] = {}


def headers_of(scope: AsgiScope) -> dict[str, str]:
    """The headers by name, in small letters."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def request_of(scope: AsgiScope) -> Request:
    """What is asked for, without the body."""
    headers = headers_of(scope)
    client = scope.get("client")
    query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
    return Request(
        method=scope.get("method", "GET"),
        path=scope["path"],
        query=query,
        headers=headers,
        address=block_of(client[0] if client else ""),
        language=language_of(query.get("language") or headers.get("accept-language")),
        key=key_in(headers.get("cookie", "")),
        bearer=bearer_in(headers.get("authorization", "")),
    )


def bearer_in(authorization: str) -> str | None:
    """The token in an Authorization header; None when there is none."""
    scheme, _, secret = authorization.strip().partition(" ")
    return secret.strip()[:200] if scheme.lower() == "bearer" and secret.strip() else None


def key_in(cookies: str) -> str | None:
    """The key in a Cookie header; None when there is none."""
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE and value:
            return value
    return None


def whole_number(text: str) -> int | None:
    """A number of at most nine digits, written as we write it; None when it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def check_framing(request: Request) -> None:
    """A request that says in two ways where it ends may end elsewhere for a proxy; raises Refused."""
    if "transfer-encoding" in request.headers and "content-length" in request.headers:
        raise Refused("bad_framing", status=400)


def check_origin(request: Request, settings: ServerSettings) -> None:
    """Only our own page and trusted ones may speak to us (CSRF); a client without a browser names none."""
    check_host(request, settings)
    origin = request.headers.get("origin")
    if origin is None:
        return
    own = urlsplit(settings.base_url) if settings.base_url else None
    allowed = {one.rstrip("/") for one in settings.origins}
    if own is not None:
        allowed.add(f"{own.scheme}://{own.netloc}")
    if own is None or settings.at_home:  # at home some come by the network, some by the address outside
        host = request.headers.get("host", "")
        allowed |= {f"http://{host}", f"https://{host}"}
    if origin not in allowed:
        raise Refused("bad_origin", status=403)


def check_host(request: Request, settings: ServerSettings) -> None:
    """The name we are called by must be ours; an address, or this machine's own name, always is."""
    try:
        host = urlsplit("//" + request.headers.get("host", "")).hostname or ""
    except ValueError:  # brackets that hold no address
        raise Refused("bad_host", status=400) from None
    names = {"localhost", settings.host}
    for url in (settings.base_url, *settings.origins):
        names.add(urlsplit(url).hostname or "")
    if host in names and host:
        return
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise Refused("bad_host", status=400) from None


def sits_here(request: Request) -> bool:
    """Whether somebody asks from the machine itself: by its address, and under its own name.

    Through a tunnel everybody seems to come from here, but under the name of the tunnel.
    """
    try:
        host = urlsplit("//" + request.headers.get("host", "")).hostname or ""
        return all(where_is(one) == "machine" for one in (host, request.address))
    except ValueError:
        return False


async def body_of(receive: Receive, request: Request, largest: int) -> bytes:
    """The whole body; raises Refused when it is too large or does not come."""
    declared = whole_number(request.headers.get("content-length", "0"))
    if declared is None or declared > largest:
        raise Refused("large_body", status=413)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Refused("not_json", status=400)
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > largest:
                    raise Refused("large_body", status=413)
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        raise Refused("not_json", status=408) from None


def decode(decoder: msgspec.json.Decoder[Any], raw: bytes, request: Request) -> Any:
    """The body as its type; raises Refused when it is not that."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("not_json", status=415)
    return read(decoder, raw)


async def begin_stream(send: Send, settings: ServerSettings) -> None:
    """The head of an answer whose lines are yet to come; a proxy must not hold them back."""
    answer = Response(kind=LINES)
    headers = [(b"x-accel-buffering", b"no"), *_headers(answer, settings)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


def _headers(answer: Response, settings: ServerSettings) -> list[tuple[bytes, bytes]]:
    headers = [(b"content-type", answer.kind.encode()), *ALWAYS, *answer.headers]
    if settings.secure:
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    return headers


async def send_response(
    send: Send, answer: Response, request: Request | None, settings: ServerSettings
) -> None:
    """Put an answer on its way."""
    headers = [(b"content-length", str(len(answer.body)).encode()), *_headers(answer, settings)]
    if request is not None and request.cookie is not None:
        headers.append((b"set-cookie", _cookie(request, settings).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    head = request is not None and request.method == "HEAD"
    await send({"type": "http.response.body", "body": b"" if head else answer.body})


def _cookie(request: Request, settings: ServerSettings) -> str:
    key = request.cookie
    age = YEAR if key else 0
    # At home somebody may also come by plain HTTP in the network, where a Secure cookie would not come back.
    outside = not settings.at_home or request.headers.get("host") == urlsplit(settings.base_url).netloc
    secure = "; Secure" if settings.secure and outside else ""
    return f"{COOKIE}={key}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}"

"""The HTTP routes: one table of them, from which requests are answered and the OpenAPI page is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.options import Options
from elysian.record import Record, dump
from elysian.server.background.mail import PERSON, MailState
from elysian.server.background.notices import check_notices
from elysian.server.background.streams import open_tables
from elysian.server.edge.bodies import (
    AskForSeat,
    DoIt,
    Drawn,
    Exchange,
    Health,
    InGroup,
    Joined,
    JoinTable,
    Listed,
    LogPage,
    MadeToken,
    MailAddress,
    MailCode,
    Me,
    MyTable,
    MyToken,
    NewName,
    NewTable,
    NewToken,
    PushKey,
    Reach,
    Recovery,
    SayIt,
    Tested,
    ToDraw,
)
from elysian.server.edge.catalog_page import Printed, printed
from elysian.server.edge.groups import (
    GroupInvitation,
    GroupPage,
    InvitedTo,
    JoinGroup,
    MyGroup,
    NewGroup,
    ask_members,
    check_group,
    come_to_table,
    delete_group,
    export_group,
    group_page,
    invited_to,
    join_group,
    leave_group,
    my_groups,
    new_group,
    options_again,
    rename_group,
    renew_invitation,
)
from elysian.server.edge.http import (
    LARGE,
    LINES,
    SMALL,
    Request,
    Response,
    Streamed,
    encodings,
    packed,
    sits_here,
    whole_number,
)
from elysian.server.edge.mail_page import mail_page
from elysian.server.edge.streams import OwnStream, TableStream
from elysian.server.edge.websocket import since_of
from elysian.server.edge.who import OPENINGS, check_limits, named, person_of
from elysian.server.live.continuing import continued
from elysian.server.live.log_reader import PAGE
from elysian.server.live.queries import answer
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Accepted, Ask, Choices, OpenTable, Rejected, TalkMessage, Welcome
from elysian.server.reports.listing import read_face
from elysian.server.reports.review_words import ToldReview, told_review
from elysian.server.reports.statistics import History, Statistics, history, statistics
from elysian.server.reports.story import PastTable, Story, past_table, story
from elysian.server.store.mail_codes import clean_address
from elysian.server.store.people import Account, Code, Notices, digest
from elysian.server.store.tokens import Scope, Token
from elysian.server.table_state.actions import ClientAction
from elysian.server.table_state.decide import join
from elysian.server.table_state.events import Line, RematchOpened, TableEnded
from elysian.server.table_state.fresh_species import rotated
from elysian.server.table_state.hand_over import ask_seat
from elysian.server.table_state.record import public_record, record_of

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


# ---------------------------------------------------------------- oneself


async def _me(server: Server, request: Request) -> Me:
    if request.person is None:
        return Me(name=None)
    tables = []
    for table, seat, raw in await server.store.tables_of(request.person.id):
        face = read_face(raw)
        if face is not None:
            mine = seat in face.waits_for, seat in face.handing
            tables.append(MyTable(table, face.title, seat, face.status, *mine))
    groups = tuple(InGroup(*one) for one in await server.groups.with_tables(request.person.id))
    return Me(name=request.person.name, tables=tuple(tables), groups=groups)


async def _be(server: Server, request: Request) -> Me:
    await named(server, request, request.body.name)
    return await _me(server, request)


async def _leave(server: Server, request: Request) -> None:
    assert request.key is not None
    await server.people.end(request.key)
    server.end_key(person_of(request).id, digest(request.key))
    request.cookie = ""


async def _leave_elsewhere(server: Server, request: Request) -> None:
    assert request.key is not None
    person = person_of(request).id
    for hashed in await server.people.end_others(person, request.key):
        server.end_key(person, hashed)


async def _code(server: Server, request: Request) -> Code:
    return await server.people.code(person_of(request))


async def _exchange(server: Server, request: Request) -> Me:
    check_limits(server, request, ("tries",))
    request.person, request.cookie = await server.people.exchange(request.body.code)
    return await _me(server, request)


async def _recovery(server: Server, request: Request) -> Recovery:
    return Recovery(await server.people.recovery(person_of(request)))


async def _recover(server: Server, request: Request) -> Me:
    check_limits(server, request, ("tries",))
    request.person, request.cookie, lost = await server.people.recover(request.body.code)
    for hashed in lost:
        server.end_key(request.person.id, hashed)
    return await _me(server, request)


async def _tokens(server: Server, request: Request) -> tuple[MyToken, ...]:
    return tuple(_mine(one) for one in await server.tokens.of(person_of(request).id))


def _mine(token: Token) -> MyToken:
    return MyToken(token.id, token.name, token.scopes, token.made, token.used)


async def _new_token(server: Server, request: Request) -> MadeToken:
    asked: NewToken = request.body
    most = server.settings.limits.tokens
    token, secret = await server.tokens.make(person_of(request).id, asked.name, asked.scopes, most)
    return MadeToken(secret, _mine(token))


async def _revoke(server: Server, request: Request) -> None:
    bot = request.where["token"]
    server.end_key(bot, await server.tokens.revoke(person_of(request).id, bot))


async def _notices(server: Server, request: Request) -> Notices:
    return await server.people.notices(person_of(request).id)


async def _set_notices(server: Server, request: Request) -> Notices:
    check_notices(request.body, await server.people.notices(person_of(request).id), server.settings)
    await server.people.set_notices(person_of(request).id, request.body)
    return await server.people.notices(person_of(request).id)


async def _test_notices(server: Server, request: Request) -> Tested:
    check_limits(server, request, ("tries",))
    return Tested(*await server.notifier.test(person_of(request).id))


async def _mail_state(server: Server, request: Request) -> MailState:
    return server.mailer.state(person_of(request).id)


async def _mail_to(server: Server, request: Request) -> None:
    """Send a code to an address; nothing else is sent there until it has come back."""
    if not server.mailer.offered:
        raise Refused("no_mail", status=400)
    address = clean_address(request.body.address)
    check_limits(server, request, ("mails",))
    person = person_of(request).id
    code = await server.mail_codes.make(person, address)
    await server.mailer.confirm(person, address, code, request.language)


async def _confirm_mail(server: Server, request: Request) -> Notices:
    check_limits(server, request, ("tries",))
    person, address = person_of(request).id, clean_address(request.body.address)
    await server.mail_codes.redeem(person, address, request.body.code)
    notices = await server.people.notices(person)
    await server.people.set_notices(person, replace(notices, email=address, language=request.language))
    return await server.people.notices(person)


async def _ask_to_end_mail(server: Server, request: Request) -> Response:
    """A page with a button: programs that look at every link of a mail must end nothing."""
    return mail_page("mail_stop_ask", request.language, button=True)


async def _end_mail(server: Server, request: Request) -> Response:
    """End mail by the word in it; what the word says to a stranger is always the same."""
    check_limits(server, request, ("tries",))
    word = request.where["word"]
    person = word[:PERSON]
    notices = await server.people.notices(person)
    if notices.email is not None and server.mailer.ends(word, person, notices.email):
        await server.notifier.end_mail(person, notices.email)
    return mail_page("mail_stopped", request.language)


async def _push(server: Server, request: Request) -> PushKey:
    return PushKey(key=server.notifier.keys.public if server.notifier.keys else "")


async def _games(server: Server, request: Request) -> tuple[History, ...]:
    return await history(server.database, person_of(request).id)


# ---------------------------------------------------------------- tables


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


async def _table(server: Server, request: Request) -> Table:
    """The table a path names, if this person may know of it; raises Refused."""
    table = await server.tables.get(request.where["table"])
    person = None if request.person is None else request.person.id
    if table.lobby.seat_of(person) is None and not table.lobby.may_watch(person):
        raise Refused("no_such_table", status=404)
    return table


async def _here(server: Server, request: Request) -> Welcome:
    table = await _table(server, request)
    return table.welcome(table.lobby.seat_of(None if request.person is None else request.person.id))


async def _join(server: Server, request: Request) -> Joined:
    asked: JoinTable = request.body
    table = await server.tables.get(request.where["table"])
    if asked.invitation and not table.lobby.invites(asked.invitation):
        check_limits(server, request, ("tries",))  # a good one is no try, however many come with it
    if request.person is None and asked.name is None:
        raise Refused("key_needed", status=401)
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
        await _table(server, request)
    if request.person is None and asked.name is None:
        raise Refused("key_needed", status=401)
    how = asked.seat, asked.invitation
    me = request.person or Account("?", asked.name or "")
    ask_seat(table.lobby, me.id, asked.name or me.name, *how)  # who is refused is not made, nor renamed
    person = await named(server, request, asked.name)
    await table.submit(lambda lobby: ask_seat(lobby, person.id, person.name, *how))


async def _rematch(server: Server, request: Request) -> Joined:
    """A new table with the same options and bots; the second to ask joins the first's.

    With `rotate` everybody is given the species of the seat before theirs.
    """
    table = await _table(server, request)
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
    table = await _table(server, request)
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
    table, since = await _table(server, request), since_of(request)
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


class CommandRefused(Exception):  # noqa: N818 - a refusal that has its sentence already
    """A command was refused; the table has said why."""

    def __init__(self, refusal: Rejected) -> None:
        """Carry the table's words."""
        super().__init__(refusal.code)
        self.refusal = refusal


async def _options(server: Server, request: Request) -> Options:
    table = await _table(server, request)
    seat = table.lobby.seat_of(person_of(request).id)
    ask = Ask(id="", what="options", refused=request.query.get("refused") == "true")
    found = await answer(table, seat, ask, request.language)
    if not isinstance(found, Choices) or found.options is None:
        raise Refused("no_game")
    return found.options


async def _log(server: Server, request: Request) -> LogPage:
    table = await _table(server, request)
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
    table = await _table(server, request)
    if table.lobby.status != "over":
        raise Refused("game_on", status=403)
    return table


async def _at(server: Server, request: Request) -> PastTable:
    table = await _over(server, request)
    n = whole_number(request.query.get("n", ""))
    if n is None or not 0 < n <= table.n:
        raise Refused("no_such_line", status=400)
    return past_table((await table.log.table_at(n)).state, n)


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


# ---------------------------------------------------------------- everything else


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
    Route("GET", "/api/me", _me, "Who one is here, and the tables one sits at.", Me),
    Route("POST", "/api/me", _be, "Take a name; a key is made for a browser that has none.", Me, NewName),
    Route("DELETE", "/api/me", _leave, "End this browser's key.", keyed=True),
    Route("DELETE", "/api/me/keys", _leave_elsewhere, "End the keys of all other browsers.", keyed=True),
    Route("POST", "/api/me/codes", _code, "A one-time code for another device.", Code, keyed=True),
    Route("POST", "/api/me/exchange", _exchange, "Exchange a code for a key of this browser.", Me, Exchange),
    Route("POST", "/api/me/recovery", _recovery, "A code to come back by.", Recovery, keyed=True),
    Route("POST", "/api/me/recover", _recover, "Come back; all other keys end.", Me, Exchange),
    Route("GET", "/api/me/notices", _notices, "How one is told that it is one's move.", Notices, keyed=True),
    Route("PUT", "/api/me/notices", _set_notices, "Be told so from now on.", Notices, Notices, keyed=True),
    Route("POST", "/api/me/notices/test", _test_notices, "Be told something, to see.", Tested, keyed=True),
    Route(
        "GET",
        "/api/me/mail",
        _mail_state,
        "Whether mail is sent, and what became of it.",
        MailState,
        keyed=True,
    ),
    Route("POST", "/api/me/mail", _mail_to, "Have a code sent to an address.", None, MailAddress, True),
    Route("PUT", "/api/me/mail", _confirm_mail, "Confirm an address by its code.", Notices, MailCode, True),
    Route("GET", "/api/mail/{word}", _ask_to_end_mail, "The page that ends mail.", str, kind="text/html"),
    Route("POST", "/api/mail/{word}", _end_mail, "End mail, by the word in it.", str, kind="text/html"),
    Route("GET", "/api/me/games", _games, "One's own finished games.", tuple[History, ...], keyed=True),
    Route("GET", "/api/me/tokens", _tokens, "One's tokens.", tuple[MyToken, ...], keyed=True),
    Route(
        "POST",
        "/api/me/tokens",
        _new_token,
        "Let a bot in; its token is told once.",
        MadeToken,
        NewToken,
        True,
        limits=("new_tokens",),
    ),
    Route("DELETE", "/api/me/tokens/{token}", _revoke, "Revoke a token.", keyed=True),
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
    Route("GET", "/api/push", _push, "The key push subscriptions are made with.", PushKey),
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

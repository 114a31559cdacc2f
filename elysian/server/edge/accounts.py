"""What is asked about oneself: name, keys, codes, tokens, notices, mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from elysian.server.background.mail import PERSON, MailState
from elysian.server.background.notices import check_notices
from elysian.server.edge.bodies import (
    Exchange,
    InGroup,
    MadeToken,
    MailAddress,
    MailCode,
    Me,
    MyTable,
    MyToken,
    NewName,
    NewToken,
    PushKey,
    Recovery,
    Tested,
)
from elysian.server.edge.http import (
    Request,
    Response,
)
from elysian.server.edge.mail_page import mail_page
from elysian.server.edge.route import Route
from elysian.server.edge.who import check_limits, named, person_of
from elysian.server.ops.errors import Refused
from elysian.server.reports.listing import read_face
from elysian.server.reports.statistics import History, history
from elysian.server.store.mail_codes import clean_address
from elysian.server.store.people import Code, Notices, StoredNotices, digest
from elysian.server.store.tokens import Token

if TYPE_CHECKING:
    from elysian.server.server import Server


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
    await server.people.end(person_of(request).id, request.key)
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
    assert request.key is not None
    return (await server.people.notices(person_of(request).id)).seen_from(digest(request.key))


async def _set_notices(server: Server, request: Request) -> Notices:
    assert request.key is not None
    key = digest(request.key)

    def saved(stored: StoredNotices) -> StoredNotices:
        check_notices(request.body, stored, server.settings)
        return stored.saved_from(key, request.body)

    return (await server.people.change_notices(person_of(request).id, saved)).seen_from(key)


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
    await server.people.change_notices(
        person, lambda notices: replace(notices, email=address, language=request.language)
    )
    return await _notices(server, request)


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
    Route("GET", "/api/push", _push, "The key push subscriptions are made with.", PushKey),
)

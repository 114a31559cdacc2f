"""Notices: a person who is away is told what happened to them and that it is their move, all in one."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import secrets
from collections.abc import Callable, Coroutine, Iterable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.server.background.deadlines import Deadlines
from elysian.server.background.gathering import (
    APART,
    LONGEST,
    Gathered,
    debts_of,
    gathered_words,
    happened_to,
)
from elysian.server.background.mail import Mailer, MailState
from elysian.server.background.outbound import post
from elysian.server.background.webpush import Keys, encrypted, make_keys, vapid
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused, told_notice
from elysian.server.ops.logs import Log
from elysian.server.ops.metrics import Metrics
from elysian.server.ops.settings import ServerSettings
from elysian.server.reports.listing import face_of
from elysian.server.store.database import Conflict, Database, Unstored
from elysian.server.store.held import HeldNotices, NoticeWords
from elysian.server.store.people import Notices, People, StoredNotices, Subscription
from elysian.server.store.schema import insert
from elysian.server.table_state.fold import TableState

PATIENCE = 10.0
LONGEST_URL = 2000
MOST_AT_ONCE = 8
STORED = 1.0  # seconds after which what is gathered outlives a crash
LATE = 30_000  # ms after which it is told by another that finds it stored
LONGEST_SLEEP = 6 * 3600 * 1000  # ms after which quiet hours are looked at again: somebody may change them
MOST_REFUSED = 3  # mails in a row that are refused for good, after which no more are sent
GONE = (404, 410)  # what a push service says of a browser that no longer listens


def check_notices(notices: Notices, stored: Notices, settings: ServerSettings) -> None:
    """Notices go only where the operator lets them, and mail only to a confirmed address; raises Refused."""
    if notices.email not in (None, stored.email):
        raise Refused("mail_unconfirmed", status=400)
    if notices.webhook is not None and not _allowed(notices.webhook, settings.webhook_hosts):
        raise Refused("bad_webhook", status=400)
    if notices.push is not None:
        try:
            encrypted(b"", notices.push.p256dh, notices.push.auth)
        except ValueError:
            raise Refused("bad_push", status=400) from None
        if not _allowed(notices.push.endpoint, settings.push_hosts):
            raise Refused("bad_push", status=400)


def _allowed(url: str, hosts: tuple[str, ...]) -> bool:
    """HTTPS to a host on the list or below it; plain HTTP only to one that is listed with its port."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if (
        len(url) > LONGEST_URL
        or not (url.isascii() and url.isprintable())
        or " " in url
        or parts.username is not None
    ):
        return False
    if f"{host}:{port}" in hosts:
        return parts.scheme in ("http", "https")
    return (
        parts.scheme == "https"
        and port in (None, 443)
        and any(host == h or host.endswith("." + h) for h in hosts)
    )


def _may_be_private(url: str, hosts: tuple[str, ...]) -> bool:
    """Whether the operator has listed this very host and port: then it may be in a private network."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" in hosts


class Notifier:
    """Tells people who are away."""

    def __init__(
        self,
        settings: ServerSettings,
        people: People,
        held: HeldNotices,
        mailer: Mailer,
        metrics: Metrics,
        log: Log,
    ) -> None:
        self.settings = settings
        self.people = people
        self.held = held
        self.mailer = mailer
        self.metrics = metrics
        self.log = log
        self.keys: Keys | None = None
        self.deadlines = Deadlines(people.now, self._warn)
        self._told: dict[tuple[str, Seat], tuple[Any, ...]] = {}
        self._looked: dict[str, int] = {}  # the line up to which a table was looked at
        self._gathered: dict[tuple[str, Seat], Gathered] = {}
        self._sent: dict[tuple[str, Seat], float] = {}  # when, on the loop's clock
        self._telling: set[tuple[str, str]] = set()  # games and people who are just told what was held back
        self._sending: set[str] = set()  # what was gathered, and goes out
        self._over: set[str] = set()  # what was held back, and was sent, but is still stored
        self._under_way: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)

    async def open(self, database: Database) -> None:
        """Read the keys for push and mail, or make them; without them nobody is told so."""
        try:
            self.keys = Keys(await self._secret(database, "push", make_keys))
            self.mailer.key = await self._secret(database, "mail", lambda: secrets.token_bytes(32))
        except (Unstored, ValueError, TypeError) as problem:
            # Whatever is wrong with it, people can play.
            self.log.say("no key for notices", kind=type(problem).__name__)

    async def _secret(self, database: Database, name: str, make: Callable[[], bytes]) -> bytes:
        query = "SELECT value FROM secrets WHERE name = ?"
        rows = await database.read(query, name)
        if not rows:
            try:
                await database.write([(insert("secrets"), (name, make()))])
            except Conflict:
                self.log.say("key made elsewhere", name=name)
            rows = await database.read(query, name)
        return bytes(rows[0][0])

    async def close(self) -> None:
        """Wait for what is under way."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=PATIENCE)

    def look(self, table: Table, before: TableState | None) -> None:
        """Tell everybody who is newly waited for and not here."""
        lobby, state = table.lobby, table.state
        self.deadlines.look(table)
        self._look_at_seats(table, before)
        looked = self._looked.get(table.game, table.n - 1)
        self._looked[table.game] = table.n
        absent = lobby.people() - table.watchers.present()
        if before is None or lobby.paused or not absent:
            return
        new = [one for one in table.tail if one[0].n > looked]
        moment = (None, None) if state is None else (state.turn, state.step)
        waited, fired = face_of(table.current).waits_for, table.firings.at(table.current)
        for seat in absent:
            key = table.game, seat
            move = seat in waited and self._told.get(key) != moment
            move = move and seat not in fired  # else an order does it at once
            if move:
                self._told[key] = moment
            found = debts_of(seat, before, table.current) + happened_to(seat, new)
            if move or found:
                self._gather(table, seat, move, found)

    def _warn(self, table: Table) -> None:
        """The time of those waited for runs out soon."""
        absent = table.lobby.people() - table.watchers.present()
        for seat in absent & set(face_of(table.current).waits_for):
            self._gather(table, seat, True, [])
            self._gathered[table.game, seat].deadline = table.lobby.due

    def _gather(self, table: Table, seat: Seat, move: bool, found: list[Any]) -> None:
        """Add to the one notice a person gets of a table; it goes out soon, or when the last is long past."""
        key, loop = (table.game, seat), asyncio.get_running_loop()
        person = table.lobby.chairs[seat].person
        assert person is not None
        soon = loop.time() + self.settings.gather
        last = self._sent.get(key)
        due = soon if move or last is None else max(soon, last + APART)
        one = self._gathered.get(key)
        if one is None:
            one = Gathered(table, seat, person, due)
            self._gathered[key] = one
            loop.call_at(due, self._send, one)
        elif due < one.due:
            one.due = due
            loop.call_at(due, self._send, one)
        one.move = one.move or move
        one.add(found)
        if one.soon is None:
            one.soon = loop.call_later(STORED, self._store, one)

    def _store(self, one: Gathered) -> None:
        """What is gathered is stored as it is by now: this process may not live to tell it."""
        one.soon = None
        if self._gathered.get(one.key) is one:
            one.storing = self._begin(self._stored(one, one.storing))

    async def _stored(self, one: Gathered, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        notices = await self.people.notices(one.person)
        if not notices.reached or self._gathered.get(one.key) is not one:
            return
        wait = 1000 * max(0.0, one.due - asyncio.get_running_loop().time())
        due = self.people.now() + int(wait) + LATE
        with contextlib.suppress(Conflict, Unstored):  # then it is told, unless this process ends
            await self.held.keep(one.id, one.person, one.table.game, due, one.words(notices.language))

    async def _let_go(self, one: Gathered) -> None:
        """It was told, or need not be: nobody shall find it stored."""
        await one.settled()
        if one.storing is not None:
            with contextlib.suppress(Conflict, Unstored):
                await self.held.drop([one.id])

    def flush(self) -> None:
        """Send what was gathered, as the server is about to stop: nobody gathers it again."""
        for one in list(self._gathered.values()):
            self._send(one)

    def _send(self, one: Gathered) -> None:
        """What was gathered goes out, unless its person has come back meanwhile, or it went already."""
        if self._gathered.get(one.key) is not one:
            return
        if one.seat in one.table.watchers.present():
            del self._gathered[one.key]
            self._begin(self._let_go(one))
            return
        self._begin(self._send_in_hours(one))

    async def _send_in_hours(self, one: Gathered) -> None:
        notices = await self.people.notices(one.person)
        quiet = self._quiet(notices)
        if self._gathered.get(one.key) is not one:
            return
        del self._gathered[one.key]
        self._sending.add(one.id)
        self._sent[one.key] = asyncio.get_running_loop().time()
        words = one.words(notices.language)
        try:
            if quiet:
                await self._hold(one, words, quiet)
            else:
                await self._send_words(one.table, one.seat, notices, words)
                await self._let_go(one)
        finally:
            self._sending.discard(one.id)

    def _quiet(self, notices: Notices) -> int:
        """Ms until a person wants to be told something; they may change their mind, and are asked again."""
        until = 0 if notices.hours is None else notices.hours.until_open(self.people.now())
        return min(until, LONGEST_SLEEP)

    async def _hold(self, one: Gathered, words: NoticeWords, quiet: int) -> None:
        """Keep it for when they are up, also if the server is not up all the time."""
        await one.settled()
        try:
            await self.held.keep(one.id, one.person, one.table.game, self.people.now() + quiet, words)
            self.metrics.count("notices_held")
        except (Conflict, Unstored) as problem:
            self.log.say("notice not kept", kind=type(problem).__name__)
            if self._gathered.setdefault(one.key, one) is one:
                asyncio.get_running_loop().call_later(PATIENCE, self._send, one)

    def tell_held(self, table: Table, person: str) -> None:
        """Their quiet hours may be over: tell somebody what was held back; whoever keeps the table does."""
        if (table.game, person) not in self._telling:
            self._telling.add((table.game, person))
            self._begin(self._tell_held(table, person))

    async def _tell_held(self, table: Table, person: str) -> None:
        """Send it, then forget it: who is killed in between tells it twice, which is better than never."""
        try:
            before = self._ours()
            found = await self.held.of(person, table.game)
            held = [one for one in found if one.id not in before | self._ours()]
            notices, seat = await self.people.notices(person), table.lobby.seat_of(person)
            quiet = self._quiet(notices)
            if quiet:
                await self.held.put_off(held, self.people.now() + quiet)
                return
            fresh = [one for one in held if one.id not in self._over]
            if fresh and seat is not None and seat not in table.watchers.present():
                words = gathered_words(one.words for one in fresh)
                await self._send_words(table, seat, notices, words)
            ids = {one.id for one in held}
            self._over |= ids
            await self.held.drop(ids)
            self._over -= ids
        except Unstored as problem:
            self.log.say("held notice waits", kind=type(problem).__name__)
        finally:
            self._telling.discard((table.game, person))

    def _ours(self) -> set[str]:
        """What is stored only in case of a crash: this process gathers it, or is about to tell it."""
        return {one.id for one in self._gathered.values()} | self._sending

    def seen(self, person: str, game: str, language: str | None) -> None:
        """A person has come to a table: what was held back for them they see there, in their language."""
        self._begin(self._seen(person, game, language))

    async def _seen(self, person: str, game: str, language: str | None) -> None:
        with contextlib.suppress(Unstored):
            await self.held.seen(person, game)
            if language is not None:
                await self.people.reads(person, language)

    async def _send_words(self, table: Table, seat: Seat, notices: StoredNotices, words: NoticeWords) -> None:
        """Tell what happened at a table, and of a move, a deadline and an offer what is still true."""
        chair, language, lines = table.lobby.chairs[seat], notices.language, list(words.lines)
        if words.more:
            lines.append(told_notice("more", language, n=words.more))
        left = (words.deadline or 0) - self.people.now()
        if words.deadline == table.lobby.due and left > 0:
            lines.insert(0, told_notice("deadline", language, left=_span(left)))
        if words.move and seat in face_of(table.current).waits_for:
            lines.insert(0, told_notice("your_move", language, name=chair.name))
        deals = {} if table.state is None else table.state.deals
        offer = next((offer for offer in words.offers if offer in deals), None)
        if lines and chair.person is not None:
            title = table.lobby.options.title or "Elysian"
            await self._deliver(chair.person, notices, title, "\n".join(lines), table.game, offer)

    async def test(self, person: str) -> tuple[int, MailState]:
        """Tell a person that they can be told; by how many ways that was taken, and what became of mail."""
        notices = await self.people.notices(person)
        text = told_notice("test", notices.language)
        return await self._deliver(person, notices, "Elysian", text, ""), self.mailer.state(person)

    def ask_to(self, table: Table, people: Iterable[str], name: str, group: str) -> None:
        """Tell the people of a group that there is a table for them, unless they sleep."""
        for person in people:
            self._begin(self._ask_to(table, person, name, group))

    async def _ask_to(self, table: Table, person: str, name: str, group: str) -> None:
        notices = await self.people.notices(person)
        if notices.hours is None or not notices.hours.until_open(self.people.now()):
            text = told_notice("group_table", notices.language, name=name, group=group)
            await self._deliver(person, notices, table.lobby.options.title or group, text, table.game)

    def _look_at_seats(self, table: Table, before: TableState | None) -> None:
        """Tell whoever is about to lose their seat, wherever they can be told."""
        known = {ask.ask for ask in before.lobby.asks if ask.due is not None} if before is not None else set()
        for ask in table.lobby.asks:
            person = table.lobby.chairs[ask.seat].person
            if before is not None and ask.due is not None and ask.ask not in known and person:
                self._begin(self._tell(table, person, ask.seat, "seat_asked", other=ask.name))

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        self.deadlines.forget(table)
        self._looked.pop(table.game, None)
        for seat in range(len(table.lobby.chairs)):
            for memory in (self._told, self._sent):
                memory.pop((table.game, seat), None)

    def _begin(self, telling: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(telling)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _tell(self, table: Table, person: str, seat: Seat, what: str, **facts: str) -> None:
        """Tell a person one thing at once, whatever else is being gathered for them."""
        notices = await self.people.notices(person)
        text = told_notice(what, notices.language, name=table.lobby.chairs[seat].name, **facts)
        await self._deliver(person, notices, table.lobby.options.title or "Elysian", text, table.game)

    async def _deliver(
        self, person: str, notices: StoredNotices, title: str, text: str, game: str, offer: str | None = None
    ) -> int:
        """Send a text every way a person wants, with a link to the table or the offer; how many took it."""
        text, taken = text[:LONGEST], 0
        base = self.settings.base_url.rstrip("/")
        path = f"/t/{game}{f'#offer={offer}' if offer else ''}" if game else ""
        link = base and base + path
        if notices.webhook is not None:
            # What people wrote is in it: a chat must not show their words as a link to somewhere else.
            told = f"{title}: {text}".replace("](", "] (")
            body = {"content": f"{told} {link}".strip(), "allowed_mentions": {"parse": []}}
            kind = {"content-type": "application/json"}
            taken += 200 <= await self._post(notices.webhook, msgspec.json.encode(body), kind) < 300
        note = msgspec.json.encode({"title": title, "body": text, "table": game, "offer": offer})
        for browser in notices.pushes:
            taken += await self._push(person, browser, note)
        if notices.email is not None and self.mailer.offered:
            taken += await self._mail(person, notices.email, title, f"{text}\n\n{link}", notices.language)
        return taken

    async def _push(self, person: str, browser: Subscription, note: bytes) -> bool:
        """Tell one browser; one that no longer listens is told no more."""
        if self.keys is None:
            return False
        contact = self.settings.contact or self.settings.base_url
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": "86400",
            "urgency": "high",
            "authorization": vapid(self.keys, browser.endpoint, contact),
        }
        status = await self._post(browser.endpoint, encrypted(note, browser.p256dh, browser.auth), headers)
        if status in GONE:
            await self.people.change_notices(person, lambda notices: notices.without_browser(browser))
        return 200 <= status < 300

    async def _mail(self, person: str, address: str, title: str, text: str, language: str) -> bool:
        """Send a mail; an address that refuses several in a row is written to no more."""
        taken = await self.mailer.notify(person, address, title, text, language)
        if self.mailer.state(person).refused >= MOST_REFUSED:
            await self.end_mail(person, address)
        return taken

    async def end_mail(self, person: str, address: str) -> None:
        """No more mail to this address for this person."""
        await self.people.change_notices(
            person, lambda notices: replace(notices, email=None) if notices.email == address else notices
        )

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """Send a notice; the status it was answered with, 0 when there was none."""
        private = _may_be_private(url, (*self.settings.webhook_hosts, *self.settings.push_hosts))
        status = 0
        async with self._places:
            try:
                status = await asyncio.to_thread(post, url, body, headers, PATIENCE, private)
            except (OSError, ValueError, http.client.HTTPException) as problem:
                self.log.say("notice failed", kind=type(problem).__name__)
        self.metrics.count("notices" if 200 <= status < 300 else "notices_failed")
        return status


def _span(ms: int) -> str:
    """How long that is, in hours or minutes, as every language writes them."""
    minutes = max(1, round(ms / 60_000))
    return f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"

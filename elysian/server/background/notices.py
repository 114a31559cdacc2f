"""Notices: a person who is away is told that it is their move, by webhook or web push."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.server.background.webpush import Keys, encrypted, make_keys, vapid
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused, told_notice
from elysian.server.ops.logs import Log
from elysian.server.ops.metrics import Metrics
from elysian.server.ops.settings import ServerSettings
from elysian.server.reports.listing import face_of
from elysian.server.store.database import Conflict, Database, Unstored
from elysian.server.store.people import Notices, People
from elysian.server.store.schema import insert
from elysian.server.table_state.fold import TableState

PATIENCE = 10.0
LONGEST_URL = 2000
MOST_AT_ONCE = 8
GONE = (404, 410)  # what a push service says of a browser that no longer listens


def check_notices(notices: Notices, settings: ServerSettings) -> None:
    """Notices go only where the operator lets them; raises Refused."""
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


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Notifier:
    """Tells people who are away."""

    def __init__(self, settings: ServerSettings, people: People, metrics: Metrics, log: Log) -> None:
        self.settings = settings
        self.people = people
        self.metrics = metrics
        self.log = log
        self.keys: Keys | None = None
        self._told: dict[tuple[str, Seat], tuple[Any, ...]] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MOST_AT_ONCE)
        self._opener = urllib.request.build_opener(_NoRedirect)

    async def open(self, database: Database) -> None:
        """Read the key push services know this server by, or make it; without it nobody is told by push."""
        try:
            self.keys = Keys(await self._push_key(database))
        except (Unstored, ValueError, TypeError) as problem:
            # Whatever is wrong with it, people can play.
            self.log.say("no push key", kind=type(problem).__name__)

    async def _push_key(self, database: Database) -> bytes:
        query = "SELECT value FROM secrets WHERE name = 'push'"
        rows = await database.read(query)
        if not rows:
            try:
                await database.write([(insert("secrets"), ("push", make_keys()))])
            except Conflict:
                self.log.say("push key made elsewhere")
            rows = await database.read(query)
        return bytes(rows[0][0])

    async def close(self) -> None:
        """Wait for what is under way."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=PATIENCE)

    def look(self, table: Table, before: TableState | None) -> None:
        """Tell everybody who is newly waited for and not here."""
        lobby, state = table.lobby, table.state
        self._look_at_seats(table, before)
        absent = lobby.people() - table.watchers.present()
        if before is None or lobby.paused or not absent:
            return
        moment = (None, None) if state is None else (state.turn, state.step)
        for seat in face_of(table.current).waits_for:
            person, key = lobby.chairs[seat].person, (table.game, seat)
            if person is None or seat not in absent:
                continue
            if self._told.get(key) == moment:
                continue
            self._told[key] = moment
            self._begin(self._tell(table, person, seat, "your_move"))

    def _look_at_seats(self, table: Table, before: TableState | None) -> None:
        """Tell whoever is about to lose their seat, wherever they can be told."""
        known = {ask.ask for ask in before.lobby.asks if ask.due is not None} if before is not None else set()
        for ask in table.lobby.asks:
            person = table.lobby.chairs[ask.seat].person
            if before is not None and ask.due is not None and ask.ask not in known and person:
                self._begin(self._tell(table, person, ask.seat, "seat_asked", other=ask.name))

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        for seat in range(len(table.lobby.chairs)):
            self._told.pop((table.game, seat), None)

    def _begin(self, telling: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(telling)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _tell(self, table: Table, person: str, seat: Seat, what: str, **facts: str) -> None:
        notices = await self.people.notices(person)
        name = table.lobby.chairs[seat].name
        title = table.lobby.options.title or "Elysian"
        text = f"{title}: {told_notice(what, notices.language, name=name, **facts)}"
        link = f"{self.settings.base_url.rstrip('/')}/t/{table.game}" if self.settings.base_url else ""
        if notices.webhook is not None:
            body = {"content": f"{text} {link}".strip(), "allowed_mentions": {"parse": []}}
            await self._post(notices.webhook, msgspec.json.encode(body), {"content-type": "application/json"})
        if notices.push is not None and self.keys is not None:
            note = msgspec.json.encode({"title": title, "body": text, "table": table.game})
            push = notices.push
            headers = {
                "content-type": "application/octet-stream",
                "content-encoding": "aes128gcm",
                "ttl": "86400",
                "urgency": "high",
                "authorization": vapid(
                    self.keys, push.endpoint, self.settings.contact or self.settings.base_url
                ),
            }
            status = await self._post(push.endpoint, encrypted(note, push.p256dh, push.auth), headers)
            if status in GONE:
                await self.people.set_notices(person, replace(notices, push=None))

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """Send a notice; the status it was answered with, 0 when there was none."""

        def post() -> int:
            request = urllib.request.Request(url, data=body, headers={"user-agent": "Elysian", **headers})
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return int(answer.status)

        async with self._places:
            try:
                status = await asyncio.to_thread(post)
                self.metrics.count("notices")
                return status
            except (OSError, ValueError, http.client.HTTPException) as problem:
                self.metrics.count("notices_failed")
                self.log.say("notice failed", kind=type(problem).__name__)
                return problem.code if isinstance(problem, urllib.error.HTTPError) else 0

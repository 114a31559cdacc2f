"""Streams: lines of JSON over HTTP, for whoever has no socket; what they ask for they ask by POST.

`TableStream` tells what a socket tells. `OwnStream` is for a bot (or a person) at any number of tables: it
says when a seat of theirs is needed, with what it can do then, and where seats are open.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import msgspec

from elysian.deals import Seat
from elysian.options import options
from elysian.rules import waiting
from elysian.server.background.streams import open_tables
from elysian.server.edge.http import Receive, Request, Send
from elysian.server.edge.websocket import LAST_WORDS, Outbox, Socket
from elysian.server.live.table import Table
from elysian.server.live.wording import worded_view
from elysian.server.ops.errors import Refused
from elysian.server.protocol.close_codes import GOING_AWAY, SEAT_LOST
from elysian.server.protocol.messages import Needed, OpenSeats, OpenTable, StreamEnded, TableNow, encode
from elysian.server.reports.listing import read_face
from elysian.view import view

if TYPE_CHECKING:
    from elysian.server.server import Server

GOES_ON = ("waiting", "drafting", "playing")
FINISHED = 1000  # the close code of a stream that has lasted as long as it was asked to


class Lines(Outbox):
    """An outbox whose frames are lines of an HTTP answer."""

    __slots__ = ()
    _seconds: float | None  # it ends after so long; None: never
    _entered: asyncio.Event  # all that was there at the beginning has been told

    async def _put(self, frame: bytes) -> None:
        await self._send({"type": "http.response.body", "body": frame + b"\n", "more_body": True})

    async def _last_words(self) -> None:
        last = encode(StreamEnded(code=self._close or FINISHED)) + b"\n"
        try:
            async with asyncio.timeout(LAST_WORDS):
                await self._send({"type": "http.response.body", "body": last, "more_body": False})
        except (TimeoutError, OSError, RuntimeError):
            return  # whoever does not read is not told

    async def _read(self, receive: Receive) -> None:
        """Wait until the other side goes, or the time is up; an empty line now and then shows we are here."""
        await self._entered.wait()
        loop = asyncio.get_running_loop()
        until = None if self._seconds is None else loop.time() + self._seconds
        ping = self.server.settings.ping
        while self._close is None:
            left = ping if until is None else min(ping, until - loop.time())
            if left <= 0:
                self.close(FINISHED)
                await asyncio.Event().wait()  # until the last words are said
            try:
                async with asyncio.timeout(left):
                    message = await receive()
            except TimeoutError:
                self.send(b"")
                continue
            if message["type"] == "http.disconnect":
                return


class TableStream(Lines, Socket):
    """What a socket at a table is told, as lines."""

    __slots__ = ("_entered", "_seconds")

    def __init__(
        self, server: Server, table: Table, request: Request, send: Send, seconds: int | None
    ) -> None:
        """Connect somebody to a table."""
        Socket.__init__(self, server, table, request, send)
        self._seconds, self._entered = seconds, asyncio.Event()

    async def _enter(self, since: int | None) -> None:
        await super()._enter(since)
        self._entered.set()


class SeatWatch:
    """Somebody's stream at one of their tables; a Watcher that only wants to know that something happened."""

    def __init__(self, stream: OwnStream, table: Table, seat: Seat) -> None:
        self.stream, self.table = stream, table
        self.person, self.language = stream.person, stream.language
        self.seat: Seat | None = seat
        self.status = ""  # as it was last told
        self.told: object = None  # what was needed when it was last told
        self.acted = 0  # the line of the seat's latest action, as far as is known

    def send(self, frame: bytes) -> None:
        """Something happened; what, is looked at when it is this table's turn."""
        self.stream.changed(self)

    async def taken(self) -> None:
        """Return at once: frames are not kept here, so none can wait to be taken."""

    def close(self, code: int) -> None:
        """The seat is lost, or the server leaves the table."""
        self.table.watchers.discard(self)
        self.stream.lost(self, code)

    def used(self, person: str, hashed: str) -> bool:
        """Of a key that has ended the stream itself is told."""
        return False

    def news(self) -> object:
        """What the seat is needed for; while this is the same, there is nothing new to say."""
        lobby, state, seat = self.table.lobby, self.table.state, self.seat
        if lobby.status == "drafting":
            return ("draft", lobby.order[:1]) if lobby.order[:1] == (seat,) else None
        if state is None or lobby.status != "playing" or lobby.paused or seat is None:
            return None
        lines = (line.n for line, _, _ in self.table.tail if line.seat == seat)
        self.acted = max(self.acted, *lines, 0)
        waited = seat in waiting(state)
        offers = tuple(
            deal.id
            for deal in state.deals.values()
            if (seat in deal.parties or deal.is_open) and seat not in deal.accepted
        )
        own = tuple(deal.id for deal in state.deals.values() if deal.proposer == seat)
        return (state.turn, state.step, waited, offers, own, self.acted) if waited or offers else None


class OwnStream(Lines):
    """Everything one person or bot is needed for, at all of their tables, and the open seats."""

    __slots__ = ("_at", "_entered", "_news", "_seats", "_seconds", "_view", "_woken")

    def __init__(self, server: Server, request: Request, send: Send, seconds: int | None) -> None:
        """Connect somebody; with the query `view` every need comes with the view."""
        super().__init__(server, request, send)
        self._seconds, self._entered = seconds, asyncio.Event()
        self._view = request.query.get("view") == "true"
        self._at: dict[str, SeatWatch] = {}
        self._news: dict[SeatWatch, None] = {}  # in the order in which something happened
        self._seats: bytes | None = None  # as they were last told
        self._woken = asyncio.Event()

    # ------------------------------------------------------------ what happens

    def changed(self, watch: SeatWatch) -> None:
        """Something happened at a table."""
        self._news[watch] = None
        self._woken.set()

    def lost(self, watch: SeatWatch, code: int) -> None:
        """The seat is no longer theirs, or the table leaves memory."""
        table = watch.table
        if self._at.get(table.game) is watch:
            del self._at[table.game]
            self._news.pop(watch, None)
            if code == SEAT_LOST:
                self.send(encode(TableNow(table.game, table.lobby.options.title, watch.seat or 0, "left")))

    def look(self, table: Table) -> None:
        """The seats of a table have changed: one of them may be ours now."""
        seat = table.lobby.seat_of(self.person)
        if table.game not in self._at and seat is not None and table.lobby.status in GOES_ON:
            self._at[table.game] = SeatWatch(self, table, seat)
            self.changed(self._at[table.game])

    def tell_seats(self, tables: tuple[OpenTable, ...]) -> None:
        """The open seats, where they are not as they were."""
        frame = encode(OpenSeats(tables=tables))
        if frame != self._seats:
            self._seats = frame
            self.send(frame)

    # ------------------------------------------------------------ its life

    async def run(self, receive: Receive) -> None:
        """Live until either side ends the connection."""
        server = self.server
        self._writer = asyncio.create_task(self._write())
        tasks = (self._writer, asyncio.create_task(self._read(receive)), asyncio.create_task(self._tell()))
        self._owed = 0  # from the first line on, only so much may wait
        server.streams.add(self)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._close is not None and not self._writer.done():
                await asyncio.wait((self._writer,), timeout=LAST_WORDS)
        finally:
            server.streams.discard(self)
            for watch in list(self._at.values()):
                watch.table.go(watch)
            self._forget()
            gone = tasks[1].done() and self._close is None
            for task in tasks:
                task.cancel()
            for problem in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(problem, Exception) and not isinstance(problem, OSError | RuntimeError):
                    server.failed("stream", problem)
            if not gone:
                await self._last_words()

    async def _tell(self) -> None:
        """Say what is new, one table after the other; bots stand in one line for what it costs."""
        try:
            await self._go_on()
        except Refused:
            self.close(GOING_AWAY)  # the database is away; who comes back later begins anew

    async def _go_on(self) -> None:
        server = self.server
        await self.find_tables()
        self.tell_seats(await open_tables(server.store))
        while True:
            while self._news:
                watch = next(iter(self._news))
                del self._news[watch]
                async with server.bots_line.turn():
                    await self._say(watch)
            self._entered.set()
            await self._woken.wait()
            self._woken.clear()

    async def find_tables(self) -> None:
        """Every table they sit at; what cannot be read just now is left out."""
        assert self.person is not None
        for game, _, raw in await self.server.store.tables_of(self.person):
            face = read_face(raw)
            if game in self._at or face is None or face.status not in GOES_ON:
                continue
            with contextlib.suppress(Refused):
                self.look(await self.server.tables.get(game))

    async def _say(self, watch: SeatWatch) -> None:
        table = watch.table
        if watch not in table.watchers:
            if self._at.get(table.game) is not watch:
                return  # lost meanwhile
            await table.enter(watch, None)
        if watch.seat is None or self._close is not None:
            return
        state, status = table.state, table.lobby.status
        if status != watch.status:
            watch.status = status
            points = [score.total / 12 for score in state.scores] if state is not None else []
            title = table.lobby.options.title
            self.send(encode(TableNow(table.game, title, watch.seat, status, tuple(points))))
            if status not in GOES_ON:
                del self._at[table.game]
                table.go(watch)
                return
        news = watch.news()
        if news is not None and news != watch.told:
            self.send(encode(self._needed(watch)))
        watch.told = news

    def _needed(self, watch: SeatWatch) -> Needed:
        table, seat, state = watch.table, watch.seat, watch.table.state
        if state is None or seat is None:
            return Needed(table=table.game, n=table.n, seat=seat or 0, turn=0, step="draft", waited=True)
        return Needed(
            table=table.game,
            n=table.n,
            seat=seat,
            turn=state.turn,
            step=state.step,
            waited=seat in waiting(state),
            options=options(state, seat),
            view=worded_view(view(state, seat), self.language) if self._view else msgspec.UNSET,
        )

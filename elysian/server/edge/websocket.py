"""The socket: one connection to a table; frames in within bounds, frames out without waiting."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.server.edge.http import Receive, Request, Send, whole_number
from elysian.server.live.commands import PersonCommand, rejection
from elysian.server.live.queries import QUERIES, answer
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.ops.rate_limit import RateLimit
from elysian.server.protocol.close_codes import BINARY, TOO_FAST, TOO_SLOW
from elysian.server.protocol.decode import id_in, read_frame
from elysian.server.protocol.messages import PROTOCOL, Accepted, Ask, Do, Rejected, TalkMessage, encode
from elysian.server.store.people import digest

if TYPE_CHECKING:
    from elysian.server.server import Server


LAST_WORDS = 1.0  # seconds to say why a connection is ended


class Direct(Protocol):
    """A connection on which texts need not wait for tasks to wake up."""

    heard: Callable[[str], bool] | None  # takes a text now; False: it must wait its turn

    def send_at_once(self, *frames: bytes) -> bool:
        """Put texts on their way now, as one; False: they must wait."""


class Outbox:
    """What is on its way to somebody: frames wait here while they read, so many and no more."""

    __slots__ = (
        "_bytes",
        "_close",
        "_direct",
        "_held",
        "_idle",
        "_limits",
        "_out",
        "_owed",
        "_owner",
        "_reads",
        "_send",
        "_taken",
        "_writer",
        "key",
        "language",
        "person",
        "server",
    )

    def __init__(self, server: Server, request: Request, send: Send, direct: Direct | None = None) -> None:
        """Begin with what is known of the request: who asks, in which language, by which key."""
        self.server = server
        self._direct = direct
        self.person = None if request.person is None else request.person.id
        self.language = request.language
        self._reads = self.language if "language" in request.query else None  # None: nobody said
        self.key = request.key
        self._limits = server.settings.limits
        self._send = send
        self._out: deque[bytes] = deque()
        self._held: list[bytes] | None = None  # what goes out together; None: each frame for itself
        self._bytes = 0
        self._owner = request.owner
        self._owed = -1  # bytes it was sent on its entry, as far as they wait; -1: it is not in yet
        self._taken: asyncio.Future[None] | None = None  # what somebody waits for who sends page by page
        self._idle: asyncio.Future[None] | None = None  # what the writer waits for; None: it is at work
        self._close: int | None = None
        self._writer: asyncio.Task[None] | None = None  # None: not connected yet

    def used(self, person: str, hashed: str) -> bool:
        """Whether it was opened by this person with the key of that digest."""
        return self.person == person and digest(self.key or "") == hashed

    # ------------------------------------------------------------ out

    @property
    def waiting(self) -> int:
        """Bytes that wait for the other side."""
        return self._bytes

    def send(self, frame: bytes) -> None:
        """Put a frame on its way; who reads too slowly is sent away, and may come back."""
        if self._close is not None:
            return
        if self._held is not None:
            self._held.append(frame)
        elif not self._sent_now(frame):
            self._queue(frame)

    def hold(self) -> None:
        """Keep what is sent from now on, until `let_go`: the system is called once for all of it."""
        if self._held is None:
            self._held = []

    def let_go(self) -> None:
        """Send all that was kept as one."""
        held, self._held = self._held, None
        if held and not self._sent_now(*held):
            for frame in held:
                if self._close != TOO_SLOW:  # for the one before
                    self._queue(frame)

    def _sent_now(self, *frames: bytes) -> bool:
        """Whether these need not wait for the writer to wake up: nothing waits, and it has nothing to do."""
        free = not self._out and self._idle is not None
        return free and self._direct is not None and self._direct.send_at_once(*frames)

    def _queue(self, frame: bytes) -> None:
        self._out.append(frame)
        self._bytes += len(frame)
        owed = self._owed + self._limits.queued_bytes
        if self._owed >= 0 and (len(self._out) > self._limits.queue or self._bytes > owed):
            self.drop()
        else:
            self.server.backlog.add(self, self._owner, len(frame))
        self._rouse()

    def drop(self) -> None:
        """Send away one who reads too slowly, with all that waits for them."""
        self.close(TOO_SLOW)
        self._forget()
        if self._writer is not None:
            self._writer.cancel()  # it waits for a reader who does not read

    def _forget(self) -> None:
        self._out.clear()
        self.server.backlog.forget(self, self._owner)
        self._bytes = 0

    async def taken(self) -> None:
        """Wait until nothing waits any more; one who takes too long is sent away. Raises Refused."""
        if self._bytes and self._close is None:
            self._taken = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(self._limits.page_patience):
                    await self._taken
            except TimeoutError:
                self.drop()
        if self._close is not None:
            raise Refused("too_slow", status=408)

    def close(self, code: int) -> None:
        """End the connection after what is on its way."""
        if self._close is None:
            self._close = code
        self._rouse()
        if self._taken is not None and not self._taken.done():
            self._taken.set_result(None)

    def _rouse(self) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    async def _put(self, frame: bytes) -> None:
        """Send one frame."""
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _write(self) -> None:
        """Send what is to be sent, until the connection is to be closed."""
        while True:
            while self._out:
                frame = self._out.popleft()
                await self._put(frame)
                self._bytes -= len(frame)  # only now: until then it waits, here or in the system's hands
                self.server.backlog.remove(self, self._owner, len(frame))
            self._owed = min(self._owed, 0)
            if self._taken is not None and not self._taken.done():
                self._taken.set_result(None)
            if self._close is not None:
                return
            self._idle = asyncio.get_running_loop().create_future()
            await self._idle
            self._idle = None


class Socket(Outbox):
    """A connection to a table; a Watcher."""

    __slots__ = ("_address", "_asked", "_broken", "_busy", "_search", "seat", "table")

    def __init__(
        self, server: Server, table: Table, request: Request, send: Send, direct: Direct | None = None
    ) -> None:
        """Connect somebody to a table."""
        super().__init__(server, request, send, direct)
        self.table = table
        self.seat: Seat | None = table.lobby.seat_of(self.person)
        self._search: asyncio.Task[None] | None = None  # a question whose answer is looked for
        self._asked: Ask | None = None  # a question that was read already, and waits for the reading task
        self._busy = False  # something is answered, and what comes meanwhile waits
        self._address = request.block
        self._broken = RateLimit(self._limits.broken, 60.0)

    # ------------------------------------------------------------ in

    async def run(self, receive: Receive, since: int | None) -> None:
        """Live until either side ends the connection."""
        writer = self._writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(receive))
        self._listens(self._hear)
        entering = asyncio.create_task(self._enter(since))
        try:
            await asyncio.wait((entering, writer, reader), return_when=asyncio.FIRST_COMPLETED)
            if entering.done():  # else they have gone before all was read
                entering.result()
                await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
            if self._close == TOO_SLOW:
                writer.cancel()
            elif self._close is not None and not writer.done():
                await asyncio.wait((writer,), timeout=LAST_WORDS)
        except (Refused, IllegalAction) as refused:
            self.send(encode(rejection(None, refused, (), self.language)))
            self.close(TOO_FAST)
            await asyncio.wait((writer,), timeout=LAST_WORDS)
        finally:
            self._listens(None)
            entering.cancel()
            await asyncio.wait((entering,))
            self.table.go(self)
            self._forget()
            if self._search is not None:
                self._search.cancel()
            ended = reader.done() and self._close is None
            for task in (reader, writer):
                task.cancel()
            for problem in await asyncio.gather(reader, writer, return_exceptions=True):
                if isinstance(problem, Exception) and not isinstance(problem, OSError | RuntimeError):
                    self.server.failed(self.table.game, problem)  # any other says that the client has gone
            if not ended:
                await self._last_words()

    def _listens(self, hear: Callable[[str], bool] | None) -> None:
        if self._direct is not None:
            self._direct.heard = hear

    async def _enter(self, since: int | None) -> None:
        """Come in; whoever has missed something is told one connection after the other."""
        if since is None:
            await self.table.enter(self, None)
        else:
            async with self.server.catch_ups.turn(self._owner):
                await self.table.enter(self, since)
        self._owed = self._bytes
        if self.person is not None and self.seat is not None:
            self.server.notifier.seen(self.person, self.table.game, self._reads)

    async def _last_words(self) -> None:
        try:
            async with asyncio.timeout(LAST_WORDS):
                await self._send({"type": "websocket.close", "code": self._close or 1000})
        except (TimeoutError, OSError, RuntimeError):
            return  # whoever does not read is not told

    async def _read(self, receive: Receive) -> None:
        while self._close is None:
            message = await receive()
            if message["type"] == "websocket.disconnect" or self._close is not None:
                return
            frame = message.get("text")
            if frame is None:
                self.close(BINARY)
                return
            asked, self._asked = self._asked, None
            self._busy = True
            try:
                asked = asked or self._take(frame)
                if asked is not None:
                    await self._reply_to(asked)
            except Exception as problem:
                self._failed(frame, problem)
            finally:
                self._busy = False

    def _hear(self, frame: str) -> bool:
        """Take a frame now; False: it is for the reading task, because an answer must be waited for."""
        if self._busy or self._close is not None:
            return False
        try:
            self._asked = self._take(frame)
        except Exception as problem:
            self._failed(frame, problem)
        return self._asked is None

    def _failed(self, frame: str, problem: Exception) -> None:
        """A mistake of ours ends neither the connection nor goes unseen."""
        self.server.failed(self.table.game, problem)
        self._refuse(id_in(frame), Refused("busy", status=503))

    async def _reply_to(self, ask: Ask) -> None:
        if QUERIES[ask.what].is_long:
            self._look_up(ask)
        else:
            await self._ask(ask)

    def _take(self, frame: str) -> Ask | None:
        """Do what a frame asks for, as far as nobody must wait for it; the question it is, if it is one."""
        self.server.metrics.count("frames")
        now = time.monotonic()
        if not self.server.admits(self._owner, self._address, len(frame)):
            self.close(TOO_FAST)
            return None
        try:
            message = read_frame(frame)
        except Refused as refused:
            self.send(encode(rejection(id_in(frame), refused, (), self.language)))
            if refused.code in ("bad_json", "bad_text") and not self._broken.allows(now):
                self.close(TOO_FAST)
            return None
        if isinstance(message, Ask):
            return message
        self._command(message, len(frame))
        return None

    def _command(self, message: Do | TalkMessage, size: int) -> None:
        if isinstance(message, TalkMessage) and not self.server.talk.allows(self._owner):
            self.close(TOO_FAST)
            return
        if self.person is None:
            self._refuse(message.id, Refused("not_seated", status=403))
            return
        try:
            self.server.check_log(self.table, self.person, size)
        except Refused as refused:
            self._refuse(message.id, refused)
            return
        asked: Any = message if isinstance(message, TalkMessage) else message.action
        self.table.put(
            PersonCommand(
                person=self.person,
                id=message.id,
                asked=asked,
                reply=self.server.timed(self._reply),
                language=self.language,
                on=self,
            )
        )
        if isinstance(message, TalkMessage):
            self.server.bot_talk.hear(self.table, self.seat, message, self.language)

    def _reply(self, message: Accepted | Rejected) -> None:
        self.send(encode(message))

    def _refuse(self, id: str | None, refused: Refused | IllegalAction) -> None:
        self.send(encode(rejection(id, refused, (), self.language)))

    def _look_up(self, ask: Ask) -> None:
        """Answer when it is found; one at a time."""
        if self._search is not None and not self._search.done():
            self._refuse(ask.id, Refused("busy", status=503))
            return
        self._search = asyncio.create_task(self._find(ask))

    async def _find(self, ask: Ask) -> None:
        try:
            await self._ask(ask)
        except Exception as problem:  # as in _read: a mistake of ours is seen, and the asker is told
            self.server.failed(self.table.game, problem)
            self._refuse(ask.id, Refused("busy", status=503))

    async def _ask(self, ask: Ask) -> None:
        try:
            self.send(encode(await answer(self.table, self.seat, ask, self.language)))
        except Refused as refused:
            self._refuse(ask.id, refused)


def since_of(request: Request) -> int | None:
    """The last line a client has; None: it has nothing; raises Refused."""
    asked = request.query.get("since")
    since = None if asked is None else whole_number(asked)
    if asked is not None and since is None:
        raise Refused("no_such_line", status=400)
    return since


def check_protocol(request: Request) -> None:
    """A page from before a change of the protocol is told to load itself anew."""
    if request.query.get("protocol", str(PROTOCOL)) != str(PROTOCOL):
        raise Refused("upgrade_required", status=426)

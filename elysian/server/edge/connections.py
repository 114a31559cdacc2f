"""Connections: those of uvicorn, bounded in number; they end even when the other side does nothing at all."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from elysian.server.ops.rate_limit import block_of

LINGER = 3.0  # seconds for the last frames of a socket that is closed
SLOWLY = 0.05  # seconds between two readings of what nobody wants
RESERVE = 128  # files kept for everything but connections
GOODBYE = 1000  # bytes; theirs has a hundred or so
WHOLE_TEXT = 0x81  # the first byte of a frame: a text that ends with it


class Doors:
    """How many connections may be open: each takes one of the files a process may have.

    One address has so many, and where all of them become too many, the one longest idle makes room for the
    next. So nobody is locked out by others who come and say nothing.
    """

    def __init__(self, each: int, files: int, proxies: str) -> None:
        """Allow so many to each address but the named proxies, behind which there are many people."""
        self._each, self._most = each, max(1, files - RESERVE)
        self._proxies = [one.strip() for one in proxies.split(",") if one.strip()]
        self._by: Counter[str] = Counter()
        self._open: dict[Requests, str] = {}  # those that came, or were served, longest ago first

    def admit(self, connection: Requests, address: str, together: int) -> bool:
        """Whether one more may come; `together` are all open ones, with those that have become sockets."""
        block = block_of(address)
        self._open[connection] = block
        self._by[block] += 1
        if self._by[block] > self._each and not self._is_proxy(address):
            return False
        if together > self._most:
            idle = next((one for one in self._open if one.idle), connection)
            idle.transport.abort()
            return idle is not connection
        return True

    def served(self, connection: Requests) -> None:
        """It has brought a request."""
        if connection in self._open:
            self._open[connection] = self._open.pop(connection)

    def leave(self, connection: Requests) -> None:
        """It has ended, or is a socket now."""
        block = self._open.pop(connection, None)
        if block is not None:
            self._by[block] -= 1
            if not self._by[block]:
                del self._by[block]

    def _is_proxy(self, address: str) -> bool:
        if address in self._proxies or "*" in self._proxies:
            return True
        try:
            found = ipaddress.ip_address(address)
            return any(found in ipaddress.ip_network(one) for one in self._proxies if "/" in one)
        except ValueError:
            return False


class Requests(H11Protocol):
    """A connection for requests; one that is slower than our patience is cut."""

    doors = Doors(1_000_000, 1_000_000, "")
    _look: asyncio.TimerHandle | None = None
    _was_stuck = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Look after the connection from its beginning."""
        super().connection_made(transport)
        if not self.doors.admit(self, self.client[0] if self.client else "", len(self.connections)):
            transport.abort()
            return
        self._look_later()

    @property
    def idle(self) -> bool:
        """Whether nothing is asked on it just now."""
        return (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        """Read on; the body of what is refused already slowly, so that others need not wait for it.

        It is read at all because who is still sending would not get to our answer.
        """
        super().data_received(data)
        answered = self.cycle is not None and self.cycle.response_complete
        if answered and self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self.flow.pause_reading()
            self.loop.call_later(SLOWLY, self.flow.resume_reading)

    def on_response_complete(self) -> None:
        """It was of use: others make room first."""
        self.doors.served(self)
        super().on_response_complete()

    def _look_later(self) -> None:
        self._look = self.loop.call_later(self.timeout_keep_alive, self._look_after)

    def _look_after(self) -> None:
        """Cut a connection that has brought no request, or for a whole while has taken nothing."""
        stuck = self.flow.write_paused
        if self.cycle is None or (stuck and self._was_stuck):
            self.transport.abort()
            return
        self._was_stuck = stuck
        self._look_later()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; whoever still works on its beginning has nobody to answer."""
        super().send_400_response(msg)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a socket, which is asked for signs of life."""
        self._leave()
        self.doors.leave(self)
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """The server stops: what is on its way has a moment, then it is thrown away."""
        super().shutdown()
        self.loop.call_later(LINGER, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to look after."""
        self._leave()
        self.doors.leave(self)
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None


@lru_cache(maxsize=32)
def _serialized(text: bytes) -> bytes:
    """A text as the bytes of its frame, the same for everybody it is sent to."""
    size = len(text)
    if size < 126:
        return bytes((WHOLE_TEXT, size)) + text
    if size < 1 << 16:
        return bytes((WHOLE_TEXT, 126)) + size.to_bytes(2, "big") + text
    return bytes((WHOLE_TEXT, 127)) + size.to_bytes(8, "big") + text


class Frames(WebSocketsSansIOProtocol):
    """A socket; once it is closed, what the other side does not read is thrown away."""

    _full = False  # so much waits that the other side must read before more is sent
    heard: Callable[[str], bool] | None = None  # takes a text now; False: it must wait its turn
    _first = False  # of what has come together nothing was taken yet

    def data_received(self, data: bytes) -> None:
        """Read what has come; of many texts that come together the first is taken now.

        After our goodbye only theirs is waited for. Whoever goes on sending is not read any more: to take
        apart what is thrown away anyway would keep everybody waiting.
        """
        if self.close_sent and len(data) > GOODBYE:
            self.transport.pause_reading()
            return
        self._first = True
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Hand a text to whoever listens, without a task that must wake up for it.

        Others wait their turn, as on any connection, until that task has taken them one by one: nobody who
        sends many at once has them all looked at before anything else happens.
        """
        first, self._first = self._first, False
        whole = len(self.frames) == 1 and self.curr_msg_data_type == "text" and not self.close_sent
        if first and whole and self.heard is not None and self.queue.empty():
            try:
                text = self.frames[0].decode()
            except UnicodeDecodeError:
                return super().send_receive_event_to_app()  # which ends the connection
            if self.heard(text):
                self.frames = []
                return None
        return super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """It reads more slowly than we write."""
        self._full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._full = False
        super().resume_writing()

    def send_at_once(self, *frames: bytes) -> bool:
        """Put texts on their way now, as one; False: they would have to wait, or can no longer be sent.

        What everybody at a table is told goes out by this way, without a task that must wake up for it.
        """
        # Open is a connection from our yes to either side's goodbye.
        if self._full or self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(b"".join(map(_serialized, frames)))
        return True

    async def send(self, message: Any) -> None:
        """Send; after a close frame the connection ends soon, a refusal is all there will be."""
        try:
            await super().send(message)
        finally:  # also when the close frame does not get through
            if message["type"] == "websocket.close":
                self._end_soon()
            elif message["type"] == "websocket.http.response.body":
                self.handshake_complete = True  # else every refusal is logged as a mistake

    # Whoever ends a connection, what waits in it is kept until the other side has read it, and would be kept
    # for ever by one who says goodbye and reads no more. Every way out therefore has an end.

    def keepalive_timeout(self) -> None:
        """Nobody is there; nobody will read what is left."""
        super().keepalive_timeout()
        self._end_soon()

    def handle_close(self, event: Frame) -> None:
        """The other side says goodbye."""
        super().handle_close(event)
        self._end_soon()

    def handle_parser_exception(self) -> None:
        """The other side does not keep to the protocol."""
        super().handle_parser_exception()
        self._end_soon()

    def shutdown(self) -> None:
        """The server stops."""
        super().shutdown()
        self._end_soon()

    def _end_soon(self) -> None:
        self.loop.call_later(LINGER, self.transport.abort)


def frames_of(send: Any) -> Frames | None:
    """The connection whose `send` this is, where texts need not wait for tasks; None: it is another kind."""
    connection = getattr(send, "__self__", None)
    return connection if isinstance(connection, Frames) else None

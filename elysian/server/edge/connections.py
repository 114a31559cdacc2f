"""Connections: those of uvicorn, which end even when the other side neither sends, reads nor goes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    import h11
    from websockets.frames import Frame

LINGER = 3.0  # seconds for the last frames of a socket that is closed


class Requests(H11Protocol):
    """A connection for requests; one that is slower than our patience is cut."""

    _look: asyncio.TimerHandle | None = None
    _was_stuck = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Look after the connection from its beginning."""
        super().connection_made(transport)
        self._look_later()

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
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """The server stops: what is on its way has a moment, then it is thrown away."""
        super().shutdown()
        self.loop.call_later(LINGER, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to look after."""
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None


class Frames(WebSocketsSansIOProtocol):
    """A socket; once it is closed, what the other side does not read is thrown away."""

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

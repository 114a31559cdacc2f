"""What comes on a connection is read as fast as it is wanted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from elysian.server.edge.connections import _serialized
from elysian.server.edge.main import config_of
from elysian.server.ops.settings import ServerSettings

SIZE = 4_000_000
HEAD = f"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: {SIZE}\r\n\r\n".encode()


class Wire(asyncio.Transport):
    """The other end, as far as it is told when to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True
        self.told = b""

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def write(self, data: Any) -> None:
        self.told += data

    def close(self) -> None:
        self.reads = False

    def is_closing(self) -> bool:
        return False


async def connected(app: Any) -> tuple[Any, Wire]:
    config = config_of(ServerSettings(), app)
    config.load()
    wire = Wire()
    protocol: Any = config.http_protocol_class
    connection = protocol(config, ServerState(), {})
    connection.connection_made(wire)
    return connection, wire


async def refuses(scope: Any, receive: Any, send: Any) -> None:
    """An application that looks at no body."""
    await send({"type": "http.response.start", "status": 429, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def reads(scope: Any, receive: Any, send: Any) -> None:
    """An application that takes a body to its end."""
    while (await receive())["more_body"]:
        continue
    await refuses(scope, receive, send)


def test_the_body_of_what_is_refused_already_is_read_slowly_but_to_its_end() -> None:
    async def run() -> None:
        connection, wire = await connected(refuses)
        connection.data_received(HEAD)
        while not wire.told:
            await asyncio.sleep(0)
        assert wire.told.startswith(b"HTTP/1.1 429")
        for sent in range(0, SIZE, 1_000_000):
            connection.data_received(bytes(1_000_000))
            assert wire.reads == (sent + 1_000_000 == SIZE), "there is a pause until all has come"
            while not wire.reads:
                await asyncio.sleep(0.01)
        wire.told = b""
        connection.data_received(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not wire.told:
            await asyncio.sleep(0)
        connection.connection_lost(None)

    asyncio.run(run())


def test_a_body_that_is_wanted_is_read_as_it_comes() -> None:
    async def run() -> None:
        connection, wire = await connected(reads)
        connection.data_received(HEAD)
        for _ in range(0, SIZE, 50_000):
            connection.data_received(bytes(50_000))
            assert wire.reads
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        while not wire.told:
            await asyncio.sleep(0)
        connection.connection_lost(None)

    asyncio.run(run())


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_text_is_framed_as_the_protocol_says(size: int) -> None:
    text = b"x" * size
    assert _serialized(text) == Frame(Opcode.TEXT, text).serialize(mask=False)

"""What comes on a connection is read as fast as it is wanted."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from elysian.server.edge.connections import Frames, _serialized, frames_of
from elysian.server.edge.main import config_of
from elysian.server.ops.settings import ServerSettings
from tools.drive.raw import Raw
from tools.drive.server import Served, full_table

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


HELLO = (
    b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def sent(*texts: bytes) -> bytes:
    return b"".join(Frame(Opcode.TEXT, text).serialize(mask=True) for text in texts)


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_of_texts_that_come_together_the_first_is_taken_now_and_the_others_wait_their_turn() -> None:
    """In the order in which they came, and nothing is read from who has some that wait."""
    now: list[str] = []
    later: list[str] = []
    wants, may_go_on = [True], asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        def hear(text: str) -> bool:
            if wants[0]:
                now.append(text)
            return wants[0]

        await receive()
        await send({"type": "websocket.accept"})
        frames = frames_of(send)
        assert frames is not None
        frames.heard = hear
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            later.append(message["text"])
            await may_go_on.wait()

    async def run() -> None:
        config = config_of(ServerSettings(), app)  # type: ignore[arg-type]
        config.load()
        wire, connection = Wire(), Frames(config, ServerState(), {})
        connection.connection_made(wire)
        connection.data_received(HELLO)
        await turns()
        connection.data_received(sent(b"1"))
        assert (now, wire.reads) == (["1"], True), "without a task that wakes up"
        connection.data_received(sent(b"2", b"3", b"4"))
        assert (now, later, wire.reads) == (["1", "2"], [], False)
        connection.data_received(sent(b"5"))
        await turns()
        assert (now, later, wire.reads) == (["1", "2"], ["3"], False)
        may_go_on.set()
        await turns()
        assert (now, later, wire.reads) == (["1", "2"], ["3", "4", "5"], True)
        wants[0] = False
        connection.data_received(sent(b"6"))
        await turns()
        assert (now, later[3:]) == (["1", "2"], ["6"])
        wants[0] = True
        slow = sent(b"7")
        connection.data_received(slow[:4])
        connection.data_received(slow[4:])
        assert now == ["1", "2", "7"], "when the last of its bytes has come"
        connection.data_received(Frame(Opcode.TEXT, b"\xff").serialize(mask=True))
        assert len(now) == 3
        assert wire.told.endswith(Frame(Opcode.CLOSE, b"\x03\xef").serialize(mask=False))

    asyncio.run(run())


def test_what_is_asked_and_done_in_one_breath_is_answered_in_order(served: Served) -> None:
    """Though what is done is taken at once, and what is asked must be waited for."""
    game, people = full_table(served)
    frames = b""
    for n in range(8):
        asks = {"kind": "ask", "id": f"{n:08d}", "what": "options"}
        says = {"kind": "talk", "id": f"{n:08d}", "text": f"Word {n}"}
        frames += sent(json.dumps(asks if n % 2 else says).encode())
    with Raw(served, game, f"Cookie: elysian={people[0].key}") as raw:
        raw.send(frames)
        heard: list[dict[str, Any]] = []
        while len(heard) < 8:
            message = json.loads(raw.text())
            if message.get("id"):
                heard.append(message)
    said = [one for one in heard if one["kind"] == "accepted"]
    found = [one for one in heard if one not in said]
    assert [one["id"] for one in found] == [f"{n:08d}" for n in (1, 3, 5, 7)]
    assert [one["id"] for one in said] == [f"{n:08d}" for n in (0, 2, 4, 6)]
    assert [one["n"] for one in said] == sorted(one["n"] for one in said)


def test_who_goes_on_sending_after_our_goodbye_is_not_read_any_more() -> None:
    """To take apart what is thrown away anyway kept everybody waiting; their own goodbye is still heard."""

    async def goodbye(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 4008})

    async def run(then: bytes) -> tuple[Wire, Frames]:
        config = config_of(ServerSettings(), goodbye)  # type: ignore[arg-type]
        config.load()
        wire, connection = Wire(), Frames(config, ServerState(), {})
        connection.connection_made(wire)
        connection.data_received(HELLO)
        await turns()
        assert wire.reads
        connection.data_received(then)
        return wire, connection

    wire, connection = asyncio.run(run(sent(b"x" * 16_000)))
    assert not wire.reads
    assert connection.conn.events_received() == []  # not a byte of it was looked at
    assert connection.conn.close_rcvd is None
    _, connection = asyncio.run(run(Frame(Opcode.CLOSE, b"\x0f\xa8").serialize(mask=True)))
    assert connection.conn.close_rcvd is not None

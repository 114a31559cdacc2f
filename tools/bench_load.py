"""What the server benchmark is made of: the two servers, people at tables, and what a process has used."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn

from elysian.actions import TimeUp
from elysian.record import Record
from elysian.rules import begin, decide, refusal, waiting
from elysian.server.edge.asgi import App
from elysian.server.edge.main import config_of
from elysian.server.ops.settings import ServerSettings
from elysian.server.table_state.order_moves import nothing_to_decide
from elysian.state import State
from tools.drive.server import OPEN_LIMITS

ROOT = Path(__file__).parents[1]
NO_LIMITS = dict.fromkeys((*OPEN_LIMITS, "connections"), 1 << 40)
STARTS_WITHIN = 60.0
WAIT = 60.0  # seconds for an answer; more means something is broken
TEXT, PING, PONG = 0x81, 0x89, 0x8A  # the first byte of a frame
LOOKED_AT = 200  # bytes of a text


# ---------------------------------------------------------------- the two servers


class Bare:
    """The reference: whatever comes in is sent to everybody in the room, on the same server stack."""

    def __init__(self) -> None:
        """Begin with no rooms."""
        self.rooms: dict[str, set[Any]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection, or the life of the server."""
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
        if scope["type"] != "websocket":
            return
        room = self.rooms.setdefault(scope["path"], set())
        await receive()
        await send({"type": "websocket.accept"})
        room.add(send)
        while (message := await receive())["type"] != "websocket.disconnect":
            for other in room:
                await other({"type": "websocket.send", "text": message["text"]})
        room.discard(send)


def serve_bare(port: int) -> None:
    """Run the reference until it is ended."""
    uvicorn.Server(config_of(ServerSettings(port=port), cast(App, Bare()))).run()


class Process:
    """A server in a process of its own, and what that process has used."""

    def __init__(self, folder: Path, arguments: list[str], port: int, root: Path = ROOT) -> None:
        """Start it with the code of a checkout and wait until it answers."""
        self.port = port
        with (folder / "server.log").open("ab") as log:
            environment = {**os.environ, "PYTHONPATH": str(root)}
            self.process = subprocess.Popen(arguments, stdout=log, stderr=log, cwd=folder, env=environment)
        deadline = time.monotonic() + STARTS_WITHIN
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "server.log").read_text())
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            ask(self.port, "GET", "/healthz")
        except (OSError, http.client.HTTPException):
            return False
        return True

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(30)

    def cpu(self) -> float:
        """The CPU seconds of all its threads."""
        return self._scheduled(0)

    def kept_waiting(self) -> float:
        """The seconds its threads could have worked, had the machine had a processor for them."""
        return self._scheduled(1)

    def _scheduled(self, field: int) -> float:
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[field]) for one in threads) / 1e9

    def memory(self) -> int:
        """The bytes it holds."""
        rollup = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return 1024 * sum(int(kb) for kb in re.findall(r"^Private_\w+:\s+(\d+)", rollup, re.M))


@contextmanager
def tables_at(folder: Path, port: int, root: Path = ROOT) -> Iterator[Process]:
    """The table server of a checkout."""
    arguments = [sys.executable, "-m", "elysian", "serve", "--port", str(port)]
    arguments += ["--database", f"sqlite:///{folder / 'tables.db'}", "--limits", json.dumps(NO_LIMITS)]
    served = Process(folder, arguments, port, root)
    try:
        yield served
    finally:
        served.stop()


@contextmanager
def bare_at(folder: Path, port: int) -> Iterator[Process]:
    """The reference server."""
    served = Process(folder, [sys.executable, __file__, str(port)], port)
    try:
        yield served
    finally:
        served.stop()


# ---------------------------------------------------------------- HTTP


def ask(port: int, method: str, path: str, body: Any = None, key: str = "") -> tuple[Any, str]:
    """The answer to a request, and the key it sets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    headers = {"Content-Type": "application/json", **({"Cookie": f"elysian={key}"} if key else {})}
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        raw = answer.read()
        if answer.status >= 400 and path.startswith("/api"):
            raise RuntimeError(raw.decode())
        cookie = answer.getheader("set-cookie") or ""
        is_json = (answer.getheader("content-type") or "").startswith("application/json")
        return (json.loads(raw) if is_json else raw), cookie.partition("=")[2].partition(";")[0]
    finally:
        connection.close()


def people(port: int, count: int) -> list[str]:
    """The keys of so many people."""
    return [ask(port, "POST", "/api/me", {"name": f"Person {n}"})[1] for n in range(count)]


def lay_table(port: int, keys: list[str], head: str) -> str:
    """A table with these people at which the game of a record's first line has just begun."""
    source = {"record": head, "n": 0}
    opened, _ = ask(port, "POST", "/api/tables", {"options": {}, "seat": 0, "from": source}, keys[0])
    table = str(opened["table"])
    for seat, key in enumerate(keys[1:], 1):
        ask(port, "POST", f"/api/tables/{table}/join", {"seat": seat}, key)
    begin = {"id": f"start-{table}", "action": {"kind": "start_game"}}
    ask(port, "POST", f"/api/tables/{table}/do", begin, keys[0])
    return table


# ---------------------------------------------------------------- sockets


class Step(NamedTuple):
    """A command of a recorded game: who, the action as JSON, and how many lines come of it."""

    seat: int
    action: str
    lines: int = 1  # its own, and those of steps in which others have nothing to decide


def steps_of(record: Record, encoded: list[bytes]) -> list[Step]:
    """What people do who play a recorded game at a table, which does for them what they need not decide."""
    state, steps = begin(record.head.started), []
    for entry, raw in zip(record.entries, encoded, strict=True):
        assert entry.seat is not None, "a game with a clock cannot be replayed by clients alone"
        if refusal(state, entry.seat, entry.action) is not None:
            continue  # the table has done it before
        _, state = decide(state, entry.seat, entry.action)
        lines = 1
        while (spared := _spared(state)) is not None:
            _, state = decide(state, None, TimeUp(seat=spared))
            lines += 1
        action = json.loads(raw)["action"]
        # At a table a counter-offer closes the offer it answers; in the record that may be taken later.
        action.pop("answers", None)
        steps.append(Step(entry.seat, json.dumps(action), lines))
    assert state.step == "over", "the table plays another game than was recorded"
    return steps


def bare_steps(steps: list[Step]) -> list[Step]:
    """The same commands where each is told on, and nothing else comes of it."""
    return [Step(step.seat, step.action) for step in steps]


def _spared(state: State) -> int | None:
    """A seat that is waited for and has nothing to decide; None: there is none."""
    return next((seat for seat in sorted(waiting(state)) if nothing_to_decide(state, seat)), None)


class Wire(asyncio.Protocol):
    """A socket that costs its process next to nothing: of what comes it looks at the first letters only.

    Thousands of them must not be what the servers are waited for.
    """

    def __init__(self, heard: Callable[[Wire, bytes], None], path: str, key: str) -> None:
        """Ask for a socket; `heard` is called with the beginning of every text that comes."""
        self.told = 0  # updates it was told
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._heard, self._rest = heard, b""
        cookie = f"Cookie: elysian={key}\r\n" if key else ""
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{cookie}\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say hello."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._hello.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        if not self.open.done():
            self.open.set_exception(RuntimeError(f"no socket: {exc}"))
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Look at every frame that is there as a whole."""
        data, at = self._rest + data if self._rest else data, 0
        if not self.open.done():
            at = data.find(b"\r\n\r\n") + 4
            if at < 4:
                self._rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.open.set_exception(RuntimeError(data.decode()))
                return
            self.open.set_result(None)
        while len(data) - at >= 2:
            size, head = data[at + 1], 2
            if size > 125:
                head = 4 if size == 126 else 10
                size = int.from_bytes(data[at + 2 : at + head], "big")
            if len(data) - at < head + size:
                break
            if data[at] == TEXT:
                self._heard(self, data[at + head : at + head + min(size, LOOKED_AT)])
            elif data[at] == PING:
                self._send(PONG, data[at + head : at + head + size])
            at += head + size
        self._rest = data[at:]

    def send(self, text: str) -> None:
        """Send a text."""
        self._send(TEXT, text.encode())

    def _send(self, kind: int, body: bytes) -> None:
        size = len(body)
        length = bytes((128 | size,)) if size < 126 else bytes((254,)) + size.to_bytes(2, "big")
        self.transport.write(bytes((kind,)) + length + bytes(4) + body)  # masked, as a client must, by zeros


class Hearing:
    """Waits until so many people have been told so many updates."""

    def __init__(self, updates: int, people: int) -> None:
        """Nobody has yet."""
        self.updates, self._people = updates, people
        self.done: asyncio.Future[float] = asyncio.get_running_loop().create_future()  # when all had been

    def heard(self) -> None:
        """One more has been told as many."""
        self._people -= 1
        if not self._people and not self.done.done():
            self.done.set_result(time.perf_counter())


class Room:
    """Everybody at one table, connected; it plays one command after the other."""

    def __init__(self, table: str) -> None:
        """Nobody is connected yet."""
        self.table = table
        self.sockets: list[Wire] = []
        self.sent = 0
        self._told = 0  # updates everybody has been told
        self._hearings: list[Hearing] = []

    async def open(self, port: int, keys: list[str]) -> None:
        """Connect everybody."""
        loop, path = asyncio.get_running_loop(), f"/api/tables/{self.table}/socket"
        for key in keys:
            made = partial(Wire, self._hear, path, key)
            _, wire = await loop.create_connection(made, "127.0.0.1", port)
            async with asyncio.timeout(WAIT):
                await wire.open
            self.sockets.append(wire)

    async def close(self) -> None:
        """Disconnect everybody."""
        for wire in self.sockets:
            wire.transport.close()
        await asyncio.gather(*(wire.closed for wire in self.sockets))

    def _hear(self, wire: Wire, text: bytes) -> None:
        if text.startswith((b'{"kind":"update"', b'{"kind": "do"')):
            wire.told += 1
            for hearing in self._hearings:
                if wire.told == hearing.updates:
                    hearing.heard()
        elif text.startswith(b'{"kind":"refused"'):
            self._hearings[-1].done.set_exception(RuntimeError(text.decode(errors="replace")))

    async def play(self, step: Step) -> float:
        """Send a command and wait for all that comes of it; the seconds until everybody had its update."""
        self.sent += 1
        first, last = (Hearing(self._told + lines, len(self.sockets)) for lines in (1, step.lines))
        self._told, self._hearings = last.updates, [first, last]
        began = time.perf_counter()
        self.sockets[step.seat].send(
            f'{{"kind": "do", "id": "{self.table}-{self.sent:06d}", "action": {step.action}}}'
        )
        async with asyncio.timeout(WAIT):
            await last.done
        return await first.done - began


if __name__ == "__main__":
    serve_bare(int(sys.argv[1]))

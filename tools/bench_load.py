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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from elysian.record import Record
from elysian.server.edge.asgi import App
from elysian.server.edge.main import config_of
from elysian.server.ops.settings import ServerSettings
from tools.drive.server import OPEN_LIMITS

ROOT = Path(__file__).parents[1]
NO_LIMITS = dict.fromkeys((*OPEN_LIMITS, "connections"), 1 << 40)
STARTS_WITHIN = 60.0
WAIT = 60.0  # seconds for an answer; more means something is broken


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
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e9

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


def steps_of(record: Record, encoded: list[bytes]) -> list[tuple[int, str]]:
    """The seat and the action of every entry, as JSON."""
    steps = []
    for entry, raw in zip(record.entries, encoded, strict=True):
        assert entry.seat is not None, "a game with a clock cannot be replayed by clients alone"
        steps.append((entry.seat, json.dumps(json.loads(raw)["action"])))
    return steps


class Room:
    """Everybody at one table, connected; it plays one command after the other."""

    def __init__(self, table: str) -> None:
        """Nobody is connected yet."""
        self.table = table
        self.sockets: list[ClientConnection] = []
        self.sent = 0
        self._heard: asyncio.Future[None] | None = None
        self._missing = 0
        self._readers: list[asyncio.Task[None]] = []

    async def open(self, port: int, keys: list[str]) -> None:
        """Connect everybody."""
        for key in keys:
            headers = {"Cookie": f"elysian={key}"} if key else {}
            uri = f"ws://127.0.0.1:{port}/api/tables/{self.table}/socket"
            socket = await connect(uri, compression=None, additional_headers=headers, max_queue=None)
            self.sockets.append(socket)
            self._readers.append(asyncio.create_task(self._read(socket)))

    async def close(self) -> None:
        """Disconnect everybody."""
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, *(s.close() for s in self.sockets), return_exceptions=True)

    async def _read(self, socket: ClientConnection) -> None:
        async for frame in socket:
            assert isinstance(frame, str)
            if frame.startswith(('{"kind":"update"', '{"kind": "do"')):
                self._missing -= 1
                if self._missing == 0 and self._heard is not None and not self._heard.done():
                    self._heard.set_result(None)
            elif frame.startswith('{"kind":"refused"') and self._heard is not None:
                self._heard.set_exception(RuntimeError(frame))

    async def play(self, step: tuple[int, str]) -> float:
        """Send a command; the seconds until everybody has its update."""
        seat, action = step
        self.sent += 1
        self._heard = asyncio.get_running_loop().create_future()
        self._missing = len(self.sockets)
        began = time.perf_counter()
        await self.sockets[seat].send(
            f'{{"kind": "do", "id": "{self.table}-{self.sent:06d}", "action": {action}}}'
        )
        async with asyncio.timeout(WAIT):
            await self._heard
        return time.perf_counter() - began


if __name__ == "__main__":
    serve_bare(int(sys.argv[1]))

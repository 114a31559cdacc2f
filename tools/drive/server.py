"""A real server process, and people who speak to it over real sockets."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from elysian.server.protocol.view_delta import lay_in
from tools.drive.waiting import PATIENCE

OPEN_LIMITS = {
    "tables": 10_000,
    "tables_a_day": 10_000,
    "requests": 100_000,
    "plays": 100_000,
    "plays_of_address": 100_000,
    "bytes": 1 << 40,
    "bytes_of_address": 1 << 40,
    "bytes_of_table": 1 << 40,
    "cpu": 100_000,
    "joins": 10_000,
    "talk": 10_000,
    "logs": 10_000,
    "tries": 10_000,
    "sockets": 1000,
}
_numbers = itertools.count(1)


def new_id() -> str:
    return f"id-{os.getpid()}-{next(_numbers):06d}"


ANSWERS = ("accepted", "refused", "options", "worth", "needs", "terms", "plan", "payments", "deals", "quote")


def free_port() -> int:
    """A port nobody listens on, for a server whose address must be known before it starts."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


class Served:
    """A server process."""

    python: str = sys.executable
    program: tuple[str, ...] = ("-m", "elysian")
    imports_from = str(Path(__file__).resolve().parents[2])

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        database: str = "",
        limits: dict[str, int] | None = None,
        base_url: str = "",
    ):
        self.folder = folder
        self.database = database or f"sqlite:///{folder / 'tables.db'}"
        self.base_url = base_url
        self.arguments = (*arguments, "--base-url", base_url) if base_url else arguments
        self.limits = OPEN_LIMITS if limits is None else limits
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self) -> Served:
        log = (self.folder / "server.log").open("ab")
        start = (self.folder / "server.log").stat().st_size
        self.process = subprocess.Popen(
            [
                self.python,
                *self.program,
                "serve",
                "--port",
                "0",
                "--database",
                self.database,
                *self.flags(),
            ],
            stderr=log,
            stdout=log,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": self.imports_from},
        )
        log.close()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for line in self.log()[start:].splitlines():
                if '"listening"' in line:
                    self.port = json.loads(line)["port"]
                    return self
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.kill()
        raise AssertionError(f"the server did not start:\n{self.log()}")

    def flags(self) -> tuple[str, ...]:
        return "--limits", json.dumps(self.limits), *self.arguments

    def log(self) -> str:
        path = self.folder / "server.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        if process.poll() is None:
            process.send_signal(how)
        return process.wait(PATIENCE)

    @property
    def origin(self) -> str:
        return self.base_url or f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(folder: Path, *arguments: str, **more: Any) -> Iterator[Served]:
    served = Served(folder, *arguments, **more).start()
    try:
        yield served
    finally:
        served.stop()


class Reply:
    """An HTTP answer."""

    def __init__(self, status: int, headers: dict[str, str], raw: bytes) -> None:
        self.status, self.headers, self.raw = status, headers, raw

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


class Browser:
    """Somebody's browser: it keeps one cookie."""

    address = ""  # where a proxy says they come from

    def __init__(self, served: Served, name: str | None = None) -> None:
        self.served = served
        self.key: str | None = None
        if name is not None:
            reply = self.post("/api/me", {"name": name})
            assert reply.status == 200, (reply.raw, served.log())

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE)
        sent = {"Origin": self.served.origin}
        if self.key:
            sent["Cookie"] = f"elysian={self.key}"
        if self.address:
            sent["X-Forwarded-For"] = self.address
        raw = None
        if body is not None:
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        try:
            connection.request(method, path, raw, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            reply = Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        cookie = reply.headers.get("set-cookie", "")
        if cookie.startswith("elysian="):
            self.key = cookie.partition("=")[2].partition(";")[0] or None
        return reply

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.ask("POST", path, {} if body is None else body, **headers)

    def open(self, seat: int | None = 0, bots: dict[str, str] | None = None, **options: Any) -> str:
        reply = self.post("/api/tables", {"options": options, "seat": seat, "bots": bots or {}})
        assert reply.status == 200, reply.raw
        return str(reply.json["table"])

    def join(self, table: str, **how: Any) -> Reply:
        return self.post(f"/api/tables/{table}/join", how)

    def do(self, table: str, action: dict[str, Any], id: str | None = None) -> Reply:
        return self.post(f"/api/tables/{table}/do", {"id": id or new_id(), "action": action})

    def sit(self, table: str, since: int | None = None, **query: str) -> Seat:
        return Seat(self, table, since, **query)


class At(Browser):
    """A browser at another address, as a proxy would report it."""

    def __init__(self, served: Served, address: str, name: str | None = None) -> None:
        self.address = address
        super().__init__(served, name)


class Seat:
    """An open socket at a table; it lays every update into its view, as a page does."""

    def __init__(self, browser: Browser, table: str, since: int | None = None, **query: str) -> None:
        more = {"since": str(since)} if since is not None else {}
        words = "&".join(f"{name}={value}" for name, value in {**more, **query}.items())
        headers = {"Cookie": f"elysian={browser.key}"} if browser.key else {}
        if browser.address:
            headers["X-Forwarded-For"] = browser.address
        self._stack = ExitStack()
        opened = connect(
            f"ws://127.0.0.1:{browser.served.port}/api/tables/{table}/socket?{words}",
            origin=Origin(browser.served.origin),
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,
            open_timeout=PATIENCE,
            # The server asks whether we are here. Were we to ask too, a thread would draw from the random
            # numbers of the process while Hypothesis draws a case, and it would blame the strategy.
            ping_interval=None,
        )
        self.socket: ClientConnection = self._stack.enter_context(opened)
        self.table_id = table
        self.lines: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self.n = 0
        self.view: Any = None
        self.table: dict[str, Any] = {}
        self.you: int | None = None
        self.until("welcome")

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.messages.append(message)
        kind = message["kind"]
        if kind == "missed":
            self.lines += message["lines"]
        elif kind == "welcome":
            self.n, self.view, self.table = message["n"], message["view"], message["table"]
            self.you = message["you"]
        elif kind == "update":
            assert message["n"] == self.n + 1, "a line is missing or came twice"
            self.n = message["n"]
            self.lines.append(message)
            if "whole" in message:
                self.view = message["whole"]
            elif self.view is not None:
                self.view = lay_in(self.view, message.get("view", {}))
            self.table.update(message.get("table", {}))
        return message

    def until(self, kind: str, **facts: Any) -> dict[str, Any]:
        """The next message of a kind; patience begins anew with each that comes, however long that takes."""
        while True:
            message = self.next()
            if message["kind"] == kind and all(message.get(k) == v for k, v in facts.items()):
                return message

    def until_event(self, kind: str) -> dict[str, Any]:
        """The next event of a kind, waited for like a message."""
        while True:
            message = self.next()
            for event in message.get("events", ()) if message["kind"] == "update" else ():
                if event["kind"] == kind:
                    return event  # type: ignore[no-any-return]

    def events(self, kind: str) -> list[dict[str, Any]]:
        """All events of a kind that have come so far."""
        return [e for line in self.lines for e in line.get("events", ()) if e["kind"] == kind]

    def up_to(self, n: int) -> None:
        while self.n < n:
            self.next()

    def send(self, **message: Any) -> str:
        message.setdefault("id", new_id())
        self.socket.send(json.dumps(message))
        return str(message["id"])

    def answer(self, id: str) -> dict[str, Any]:
        while True:
            message = self.next()
            if message["kind"] in ANSWERS and message["id"] == id:
                return message

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        return self.answer(self.send(kind="do", action={"kind": kind, **fields}))

    def say(self, text: str, **more: Any) -> dict[str, Any]:
        return self.answer(self.send(kind="talk", text=text, **more))

    def finds_deals(self) -> list[dict[str, Any]]:
        """What "Find me a deal" proposes, the best first: each an action that can be sent as it is."""
        return [one["offer"] for one in self.answer(self.send(kind="ask", what="deals"))["found"]]

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


NAMES = ("Anna", "Bela", "Cleo", "Dora", "Emil", "Fritz", "Gerd", "Hugo", "Ines")


def full_table(served: Served, players: int = 4, **options: Any) -> tuple[str, list[Browser]]:
    """A table at which a game has begun, and the people at it, the host first."""
    table, people = laid_table(served, players, **options)
    assert people[0].do(table, {"kind": "start_game"}).status == 200
    return table, people


def laid_table(served: Served, players: int = 4, **options: Any) -> tuple[str, list[Browser]]:
    """The same before it has begun; all seats are taken."""
    people = [Browser(served, name) for name in NAMES[:players]]
    table = people[0].open(seats=players, **options)
    invitation = people[0].get(f"/api/tables/{table}").json["table"]["invitation"]
    for person in people[1:]:
        assert person.join(table, invitation=invitation).status == 200
    return table, people

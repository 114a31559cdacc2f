"""What a patient stranger tries at the edges: none of it is let in, told, or kept from others."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from elysian.actions import DeclineDeal
from elysian.record import Record, RecordLine, dump, load
from elysian.server.edge.asgi import App
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.ops.settings import ServerSettings
from elysian.server.protocol.close_codes import SEAT_LOST
from elysian.server.server import Server
from elysian.server.store.people import Account
from elysian.server.table_state.events import Said, SeatLeft, SeatTaken
from elysian.server.table_state.record import public_record
from elysian.server.table_state.table_options import TableOptions
from tests.support.server.forks import Forked
from tools.drive.server import OPEN_LIMITS, Browser, Served, full_table, serving
from tools.drive.waiting import PATIENCE, until

GAMES = Path(__file__).resolve().parents[2] / "games"


# ---------------------------------------------------------------- coming in


class Reader:
    """A connection of Anna's that takes what it is sent when it is told to."""

    person: str | None = "anna"
    language = "en"

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.sent: list[dict[str, Any]] = []
        self.closed: int | None = None
        self.reads = asyncio.Event()

    def send(self, frame: bytes) -> None:
        if self.closed is None:
            self.sent.append(json.loads(frame))

    async def taken(self) -> None:
        await self.reads.wait()
        if self.closed is not None:
            raise Refused("too_slow")

    def close(self, code: int) -> None:
        self.closed = self.closed or code

    def used(self, person: str, hashed: str) -> bool:
        return person == self.person and hashed == "key"


def at_a_table(folder: Path, act: Callable[[Server, Table], Awaitable[None]]) -> None:
    """A table with a long log at which Anna sits."""

    async def run() -> None:
        server = Server(ServerSettings(database=f"sqlite:///{folder / 'tables.db'}"))
        await server.start()
        try:
            table, _ = await server.tables.open(TableOptions(watchers=False), Account("host", "Bela"), 1)
            await table.submit(lambda lobby: join_as_anna())
            for n in range(300):
                await table.submit(said(n))
            await act(server, table)
        finally:
            await server.close()

    asyncio.run(run())


def said(n: int) -> Callable[[Any], tuple[Said, ...]]:
    return lambda lobby: (Said(seat=0, text=f"{n}"),)


def join_as_anna() -> tuple[Any, ...]:
    return (SeatTaken(seat=0, name="Anna", person="anna"),)


def test_who_loses_the_seat_while_history_is_read_is_sent_away_at_once(tmp_path: Path) -> None:
    async def act(server: Server, table: Table) -> None:
        reader = Reader(seat=0)
        entering = asyncio.create_task(table.enter(reader, 0))
        while not reader.sent:
            await asyncio.sleep(0.001)
        await table.submit(lambda lobby: (SeatLeft(seat=0),))
        assert reader.closed == SEAT_LOST, "they are told when they have read everything, if at all"
        heard = len(reader.sent)
        reader.reads.set()
        await asyncio.wait((entering,))
        assert isinstance(entering.exception(), Refused)
        assert (reader in set(table.watchers), len(reader.sent)) == (False, heard)

    at_a_table(tmp_path, act)


@pytest.mark.parametrize("since", [None, 302])
def test_who_has_lost_the_seat_before_coming_in_does_not_come_in(tmp_path: Path, since: int | None) -> None:
    async def act(server: Server, table: Table) -> None:
        reader = Reader(seat=0)
        await table.submit(lambda lobby: (SeatLeft(seat=0),))
        await table.enter(reader, since)
        assert (reader.closed, reader.sent, reader in set(table.watchers)) == (SEAT_LOST, [], False)

    at_a_table(tmp_path, act)


def test_a_key_that_ends_while_history_is_read_ends_the_connection(tmp_path: Path) -> None:
    async def act(server: Server, table: Table) -> None:
        reader = Reader(seat=0)
        entering = asyncio.create_task(table.enter(reader, 0))
        while not reader.sent:
            await asyncio.sleep(0.001)
        server.end_key("anna", "key")
        assert reader.closed is not None
        reader.reads.set()
        await asyncio.wait((entering,))

    at_a_table(tmp_path, act)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_while_the_server_stops_whoever_comes_is_asked_to_come_back(tmp_path: Path, kind: str) -> None:
    """Nobody is told that they asked too often."""
    sent: list[dict[str, Any]] = []
    path = "/api/tables" if kind == "http" else "/api/tables/abc/socket"
    scope = {
        "type": kind,
        "method": "GET",
        "path": path,
        "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"localhost")],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        server = Server(ServerSettings(database=f"sqlite:///{tmp_path / 'tables.db'}"))
        await App(server)(scope, receive, send)

    asyncio.run(run())
    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"])["code"] == "closing"


# ---------------------------------------------------------------- what is sent


def test_a_request_that_ends_in_two_places_is_refused_and_the_connection_ends(served: Served) -> None:
    body = b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = (
        "POST /api/me HTTP/1.1",
        f"Host: 127.0.0.1:{served.port}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Transfer-Encoding: chunked",
    )
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as raw:
        raw.sendall("\r\n".join((*head, "", "")).encode() + body)
        answer = b""
        while more := raw.recv(65536):
            answer += more
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1, "what came behind it was taken for a request"


@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_a_name_no_table_has_is_not_looked_for(
    tmp_path: Path, where: str, request: pytest.FixtureRequest
) -> None:
    database = "" if where == "sqlite" else str(request.getfixturevalue("postgres"))
    with serving(tmp_path, database=database) as served:
        anna = Browser(served, "Anna")
        reply = anna.post("/api/tables", {"from": {"table": "a\0b"}})
        assert (reply.status, reply.json["code"]) == (404, "no_such_table")
        title = anna.post("/api/tables", {"options": {"title": "a\0b"}})
        assert title.status in (200, 400), title.raw


# ---------------------------------------------------------------- what is told


def test_the_record_of_private_offers_is_for_those_who_played(served: Served) -> None:
    host, seated = Browser(served, "Anna"), Browser(served, "Bela")
    lines = (GAMES / "private-offers.jsonl").read_text(encoding="utf-8")
    players = len(json.loads(lines.splitlines()[0])["started"]["players"])
    bots = {str(seat): "random" for seat in range(1, players)}
    asked = {"from": {"record": lines}, "seat": None, "bots": bots}
    table = host.post("/api/tables", asked).json["table"]
    assert seated.join(table, seat=0).status == 200
    with seated.sit(table) as seat:
        host.do(table, {"kind": "start_game"})
        seated.do(table, {"kind": "resign"})  # a bot goes on to the end
        seat.close()
    until(lambda: host.get(f"/api/tables/{table}").json["table"]["status"] == "over")
    for stranger in (Browser(served), host, seated):
        reply = stranger.get(f"/api/tables/{table}/record")
        assert (reply.status, reply.json["code"]) == (403, "private_record")
        again = stranger.post("/api/tables", {"from": {"table": table}, "name": "Zora"})
        assert (again.status, again.json["code"]) == (403, "private_record")


def test_why_somebody_declined_is_not_in_the_record_others_get() -> None:
    record = load((GAMES / "4-players-2020-2.jsonl").read_bytes())
    declined = RecordLine(n=1, seat=0, action=DeclineDeal(deal="d1", reason="I do not trust you"), events=())
    told = dump(public_record(Record(record.head, [declined, *record.entries])))
    assert b"trust" not in told
    assert public_record(load(dump(record))).entries[0] == record.entries[0]


# ---------------------------------------------------------------- who is there


def test_a_wall_clock_that_is_set_covers_nobody(tmp_path: Path) -> None:
    """Away is who has not been there so long, not who was there an hour ago by a clock that was set."""
    skew = tmp_path / "skew"
    skew.write_text("0")
    with Forked(tmp_path, "--idle", "600", plant=f"clock={skew}") as served:
        table, people = full_table(served, cover=1)
        others, _ = full_table(served)
        with people[0].sit(table) as seat:
            until(lambda: "elysian_tables_loaded 2" in metrics(served))
            skew.write_text(str(3_600_000))
            # The other table is idle by that clock: once it is gone, everybody was looked at.
            until(lambda: "elysian_tables_loaded 1" in metrics(served))
            seat.do("done")
            assert [one["covered"] for one in seat.table["seats"]] == [False] * 4
        assert others


def metrics(served: Served) -> str:
    return Browser(served).get("/metrics").raw.decode()


# ---------------------------------------------------------------- idle connections


class FewFiles(Served):
    """A server that may have few files."""

    python = shutil.which("prlimit") or ""
    program = ("--nofile=256:256", sys.executable, "-m", "elysian")


@pytest.mark.skipif(not FewFiles.python, reason="prlimit is not installed")
@pytest.mark.parametrize("proxies", ["", "127.0.0.1"], ids=["from everywhere", "behind a proxy"])
def test_idle_connections_lock_nobody_out(tmp_path: Path, proxies: str) -> None:
    """Of more connections than there are files, the longest idle makes room for who comes next."""
    limits = {**OPEN_LIMITS, "connections": 100 if proxies else 10_000}
    served = FewFiles(tmp_path, "--proxies", proxies, limits=limits).start()
    try:
        table, people = full_table(served)
        with ExitStack() as idle, people[0].sit(table) as seat:
            for _ in range(400):
                idle.enter_context(socket.create_connection(("127.0.0.1", served.port), PATIENCE))
            assert people[1].get("/healthz").status == 200
            assert seat.do("done")["kind"] == "accepted"
            with people[1].sit(table) as another:
                assert another.do("done")["kind"] == "accepted"
    finally:
        served.stop()


def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    limits = {**OPEN_LIMITS, "connections": 20}
    with serving(tmp_path, "--proxies", "", limits=limits) as served, ExitStack() as idle:
        open_ones = [
            idle.enter_context(socket.create_connection(("127.0.0.1", served.port), PATIENCE))
            for _ in range(60)
        ]
        refused = 0
        for one in open_ones[20:]:
            try:
                refused += one.recv(1) == b""
            except ConnectionResetError:
                refused += 1
        assert refused == 40
        open_ones[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert open_ones[0].recv(12) == b"HTTP/1.1 200"

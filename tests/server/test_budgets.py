"""Budgets are of people, addresses and tables, not of connections; what is refused leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from elysian.server.edge import asgi
from elysian.server.edge import openapi as pages
from elysian.server.edge.http import decode
from elysian.server.edge.site import _described
from elysian.server.ops.rate_limit import Budgets, block_of
from elysian.server.ops.settings import ServerLimits, ServerSettings
from elysian.server.server import Server
from tests.support.server.load import begun
from tests.support.server.seats import closed
from tools.drive.server import OPEN_LIMITS, At, Browser, Seat, Served, full_table, new_id, serving

NOTE = {"kind": "note", "text": "x" * 480}
OFFER = {"kind": "propose_deal", "parties": [0, 1], "clauses": [NOTE] * 25}


def test_a_budget_comes_back_evenly_and_each_has_their_own() -> None:
    now = [0.0]
    budgets = Budgets(60, 60.0, lambda: now[0])
    budgets.spend("a", 60)
    assert not budgets.allows("a")
    assert budgets.allows("b")
    now[0] = 10.0
    assert budgets.spent("a") == 50
    budgets.spend("a", 100)
    now[0] = 99.0
    assert not budgets.allows("a")
    now[0] = 101.0
    assert budgets.allows("a")


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_counts_as_the_block_one_subscriber_has(address: str, block: str) -> None:
    assert block_of(address) == block


def test_another_address_of_the_same_block_has_no_budget_of_its_own(strict: Served) -> None:
    statuses = [At(strict, f"2001:db8:7::{n:x}", "Anna").post("/api/tables", {}).status for n in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert At(strict, "2001:db8:8::1", "Anna").post("/api/tables", {}).status == 200


def flood(seat: Seat, frames: int, size: int = 0) -> int:
    """How many of so many questions were answered before the connection ended."""
    question = json.dumps({"kind": "ask", "id": "flood-0001", "what": "options", "refused": False})
    with suppress(ConnectionClosed):
        for _ in range(frames):
            seat.socket.send(question + " " * size)
    closed(seat)
    return sum(message["kind"] in ("options", "refused") for message in seat.messages)


def test_many_connections_of_one_person_have_one_budget_of_frames(strict: Served) -> None:
    game, host = begun(strict, "10.1.0.1")
    answered = 0
    for _ in range(4):
        with host.sit(game) as seat:
            answered += flood(seat, 300)
    assert 50 < answered < 200, "of 1200, about 100 in twenty seconds"
    other, guest = begun(strict, "10.1.0.2")
    with guest.sit(other) as seat:
        assert seat.answer(seat.send(kind="ask", what="options"))["kind"] == "options"


def test_many_connections_without_a_key_have_one_budget_of_bytes(tmp_path: Path) -> None:
    with serving(tmp_path, limits={**OPEN_LIMITS, "bytes": 100_000}) as served:
        game, people = full_table(served)
        answered = 0
        for _ in range(5):
            with Browser(served).sit(game) as seat:
                answered += flood(seat, 20, size=10_000)
        assert 5 <= answered <= 12
        with people[0].sit(game) as seat:
            assert seat.do("done")["kind"] == "accepted", "those with a key are not held to it"


def test_the_log_of_a_table_grows_no_faster_than_it_may(tmp_path: Path) -> None:
    with serving(tmp_path, limits={**OPEN_LIMITS, "bytes_of_table": 60_000}) as served:
        game, people = full_table(served)
        watcher = Browser(served, "Walt")
        for _ in range(10):
            assert watcher.do(game, OFFER).json["code"] == "not_seated", "who watches takes nothing from them"
        answers = [people[0].do(game, OFFER) for _ in range(10)]
        assert 3 <= sum(answer.status == 200 for answer in answers) <= 6
        assert answers[-1].json["code"] == "too_many"
        other, others = full_table(served)
        assert others[0].do(other, OFFER).status == 200


def test_what_is_refused_is_not_stored(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        game, people = full_table(served)
        watcher = Browser(served, "Walt")
        with watcher.sit(game) as seat, people[1].sit(game) as player:
            for _ in range(20):
                assert seat.answer(seat.send(kind="do", action=OFFER))["code"] == "not_seated"
                assert player.do("not_done")["code"] == "not_said_done"
            assert player.say("/offer " + "y" * 400)["code"] == "bad_offer"
            id = new_id()
            first = player.answer(player.send(kind="do", id=id, action={"kind": "not_done"}))
            again = player.answer(player.send(kind="do", id=id, action={"kind": "not_done"}))
            assert first == again
    with sqlite3.connect(tmp_path / "tables.db") as database:
        stored = database.execute("SELECT count(*) FROM answers WHERE n IS NULL").fetchone()
    database.close()
    assert stored == (0,)


def test_the_time_the_server_decides_for_a_person_is_theirs(tmp_path: Path) -> None:
    limits = ServerLimits(cpu=2.0)
    server = Server(ServerSettings(database=f"sqlite:///{tmp_path / 'x.db'}", limits=limits))
    assert server.admits("person anna", "10.0.0.1", 10)
    server._decided("anna", 2.5)
    assert not server.admits("person anna", "10.0.0.1", 10)
    assert server.admits("person bela", "10.0.0.1", 10), "not their neighbour's"


def test_a_table_that_is_ended_and_opened_again_and_again_is_counted(strict: Served) -> None:
    host = At(strict, "10.1.1.1", "Anna")
    table, statuses = host.open(), []
    for _ in range(5):
        assert host.do(table, {"kind": "end_table"}).status == 200
        again = host.post(f"/api/tables/{table}/rematch")
        statuses.append(again.status)
        table = again.json.get("table", table)
        if again.status != 200:
            break
    assert statuses == [200, 200, 429]


def test_nobody_takes_the_seats_of_every_table(strict: Served) -> None:
    tables = [At(strict, f"10.1.2.{n}", "Anna").open() for n in range(1, 16)]
    eve = At(strict, "10.1.3.1", "Eve")
    statuses = [eve.join(table).status for table in tables]
    assert statuses == [200] * 12 + [429] * 3
    again = At(strict, "10.1.3.1", "Mallory")
    assert again.join(tables[-1]).status == 429, "nor under another name"


def test_people_behind_one_address_may_all_come_with_a_good_invitation(strict: Served) -> None:
    host = At(strict, "10.1.4.1", "Anna")
    table = host.open(public=False)
    invitation = host.get(f"/api/tables/{table}").json["table"]["invitation"]
    guests = [At(strict, "10.1.4.2", f"Guest {n}") for n in range(15)]
    assert [one.join(table, watch=True, invitation=invitation).status for one in guests] == [200] * 15
    eve = At(strict, "10.1.4.3", "Eve")
    statuses = [eve.join(table, watch=True, invitation=f"{n:012d}").status for n in range(12)]
    assert statuses == [403] * 10 + [429] * 2


def test_a_person_ends_all_their_other_keys(served: Served) -> None:
    here = Browser(served, "Anna")
    table = here.open()
    there = Browser(served)
    code = here.post("/api/me/codes").json["code"]
    assert there.post("/api/me/exchange", {"code": code}).status == 200
    unused = here.post("/api/me/codes").json["code"]
    with there.sit(table) as lost, here.sit(table) as kept:
        assert here.ask("DELETE", "/api/me/keys").status == 204
        assert closed(lost) == 4401
        assert kept.say("still here")["kind"] == "accepted"
    assert there.get("/api/me").json["name"] is None
    assert here.get("/api/me").json["name"] == "Anna"
    assert Browser(served).post("/api/me/exchange", {"code": unused}).status == 403


def test_the_openapi_page_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    real = pages.openapi

    def counting() -> dict[str, Any]:
        written.append(1)
        return real()

    monkeypatch.setattr(pages, "openapi", counting)
    _described.cache_clear()
    assert _described().body == _described().body
    assert written == [1]


def test_a_proxy_that_is_not_named_is_noticed(tmp_path: Path) -> None:
    with serving(tmp_path, "--proxies", "10.9.9.9") as served:
        for _ in range(3):
            At(served, "10.1.5.1").get("/api/me")
        assert served.log().count("proxy not named") == 1


def test_a_large_body_is_read_while_others_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    real = decode

    def watched(*asked: Any) -> Any:
        threads.append(threading.current_thread())
        return real(*asked)

    monkeypatch.setattr("elysian.server.edge.asgi.decode", watched)
    body = json.dumps({"options": {"title": "x"}, "from": {"record": "x" * 1_000_000}}).encode()
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        server = Server(ServerSettings(database=f"sqlite:///{tmp_path / 'x.db'}", drain=1))
        await server.start()
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        headers.append((b"content-length", str(len(body)).encode()))
        scope = {"type": "http", "method": "POST", "path": "/api/tables", "headers": headers}
        await asgi.App(server)({**scope, "client": ("10.0.0.1", 1)}, receive, send)
        await server.close()

    asyncio.run(run())
    assert sent[0]["status"] == 400, "it is no record"
    assert threads
    assert threading.main_thread() not in threads

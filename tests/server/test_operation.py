"""Operation: backup and restore, both databases, health, metrics, logs, limits, schema."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import asyncpg
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from elysian.record import check, load
from elysian.server.edge.openapi import openapi, socket_schema
from elysian.server.edge.routes import ROUTES
from elysian.server.ops.settings import ServerSettings
from elysian.server.server import A_FEW, BREATH, Server
from tests.support.cli import in_a_process
from tests.support.server.seats import closed, give
from tools.drive.server import OPEN_LIMITS, Browser, Served, full_table, serving
from tools.drive.waiting import until
from tools.server_schema import pages

ROOT = Path(__file__).resolve().parents[2]


def test_a_backup_taken_during_play_restores_to_the_same_tables(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        table, people = full_table(served)
        with people[0].sit(table) as seat:
            for _ in range(5):
                seat.answer(seat.send(kind="do", action=give(seat.view, 0, 1)))
            file = tmp_path / "backup.jsonl.gz"
            done = in_a_process("backup", str(file), "--database", served.database)
            assert done.returncode == 0, done.stderr
            whole = people[0].get(f"/api/tables/{table}").json
    (tmp_path / "new").mkdir()
    target = f"sqlite:///{tmp_path / 'new' / 'tables.db'}"
    restored = in_a_process("restore", str(file), "--database", target)
    assert "every table can be loaded" in restored.stdout, restored.stderr
    again = in_a_process("restore", str(file), "--database", target)
    assert (again.returncode, "not empty" in again.stderr) == (2, True)
    with serving(tmp_path / "new") as fresh:
        people[0].served = fresh
        now = people[0].get(f"/api/tables/{table}").json
        for field in ("n", "you", "view", "table"):
            assert now[field] == whole[field]
        assert people[0].do(table, {"kind": "done"}).status == 200


def test_a_backup_that_is_none_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("hello\n")
    done = in_a_process("restore", str(tmp_path / "x.jsonl"), "--database", f"sqlite:///{tmp_path / 'y.db'}")
    assert done.returncode == 2
    assert done.stderr.startswith("elysian: x.jsonl is no backup")
    missing = in_a_process(
        "backup", str(tmp_path / "z"), "--database", f"sqlite:///{tmp_path / 'nowhere.db'}"
    )
    assert "There is no database" in missing.stderr


def test_a_whole_evening_works_on_postgresql_too(postgres: str, tmp_path: Path) -> None:
    with serving(tmp_path, database=postgres) as served:
        table, people = full_table(served)
        with people[0].sit(table) as one, people[1].sit(table) as two:
            accepted = one.answer(one.send(kind="do", action=give(one.view, 0, 1)))
            two.up_to(accepted["n"])
            assert two.do("accept_deal", deal=next(iter(two.view["deals"])))["kind"] == "accepted"
        assert people[2].get("/api/statistics").status == 200
        served.kill()
        served.start()
        with people[0].sit(table, since=0) as back:
            assert [line["n"] for line in back.lines] == list(range(1, back.n + 1))
            assert back.do("done")["kind"] == "accepted"
            file = tmp_path / "backup.jsonl"
            assert in_a_process("backup", str(file), "--database", postgres).returncode == 0
            target = f"sqlite:///{tmp_path / 'copy.db'}"
            assert in_a_process("restore", str(file), "--database", target).returncode == 0


def test_when_postgresql_cuts_every_connection_players_come_back_and_go_on(
    postgres: str, tmp_path: Path
) -> None:
    with serving(tmp_path, database=postgres) as served:
        table, people = full_table(served)
        with people[0].sit(table) as seat:
            for _ in range(5):
                assert people[0].do(table, {"kind": "done"}).status == 200
                asyncio.run(_cut(postgres))
                until(lambda: people[0].do(table, {"kind": "not_done"}).status == 200)
            while seat.n < people[0].get(f"/api/tables/{table}").json["n"]:
                seat.next()
        with people[0].sit(table, since=0) as back:
            assert [line["n"] for line in back.lines] == list(range(1, back.n + 1))
            assert back.view["players"][0]["done"] is False


async def _cut(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    await connection.close()


def test_finished_games_are_exported_as_records(served: Served, tmp_path: Path) -> None:
    host = Browser(served, "Anna")
    lines = (ROOT / "games" / "4-players-2020-2.jsonl").read_text(encoding="utf-8")
    bots = {str(seat): "random" for seat in range(4)}
    table = host.post("/api/tables", {"from": {"record": lines}, "seat": None, "bots": bots}).json["table"]
    with host.sit(table) as watcher:
        host.do(table, {"kind": "start_game"})
        watcher.until_event("game_scored")
    done = in_a_process("export", str(tmp_path / "records"), "--database", served.database)
    assert done.returncode == 0, done.stderr
    assert check(load((tmp_path / "records" / f"{table}.jsonl").read_bytes())) == []


def test_health_metrics_and_the_page(served: Served) -> None:
    browser = Browser(served)
    assert browser.get("/healthz").json == {"ready": True, "problems": []}
    metrics = browser.get("/metrics").raw.decode()
    assert "elysian_tables_loaded" in metrics
    assert 'elysian_command_seconds_bucket{le="+Inf"}' in metrics
    assert b"Elysian" in browser.get("/").raw
    catalog = browser.get("/api/catalog?language=de").json
    assert len(catalog["cards"]) > 200
    assert catalog["words"] != browser.get("/api/catalog?language=en").json["words"]
    assert set(catalog["levels"]) >= {"random"}


def test_a_wrong_link_shows_a_person_the_page_and_tells_a_program_so(served: Served) -> None:
    browser, person = Browser(served), {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    shown = browser.get("/tables/that/never/were", **person)
    assert (shown.status, shown.raw) == (404, browser.get("/").raw)
    for path, headers in (("/tables/that/never/were", {}), ("/api/nothing", person)):
        assert browser.get(path, **headers).json["code"] == "no_such_route"
    assert browser.post("/tables/that/never/were", **person).json["code"] == "no_such_route"


def test_the_log_is_json_without_secrets(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        table, people = full_table(served, public=False)
        invitation = people[0].get(f"/api/tables/{table}").json["table"]["invitation"]
        code = people[0].post("/api/me/codes").json["code"]
        with people[0].sit(table) as seat:
            seat.say("a word\nfor nobody's log")
    log = served.log()
    for line in log.splitlines():
        assert {"at", "event"} <= set(json.loads(line))
    secrets = [*(person.key for person in people), invitation, code, "nobody's log", "Anna"]
    assert [secret for secret in secrets if secret and secret in log] == []


def test_limits_are_kept(tmp_path: Path) -> None:
    limits = {**OPEN_LIMITS, "tables": 2, "sockets": 2, "plays": 20, "broken": 3}
    with serving(tmp_path, limits=limits) as served:
        host = Browser(served, "Anna")
        tables = [host.post("/api/tables", {}) for _ in range(3)]
        assert [reply.status for reply in tables] == [200, 200, 429]
        assert tables[2].json["code"] == "too_many"
        table = tables[0].json["table"]
        one, two = host.sit(table), host.sit(table)
        with pytest.raises(InvalidStatus) as refused:
            host.sit(table)
        assert refused.value.response.status_code == 429
        with suppress(ConnectionClosed):  # it may end before all is sent
            for _ in range(30):
                one.send(kind="ask", what="options")
        assert closed(one) == 1008
        with suppress(ConnectionClosed):
            for _ in range(5):
                two.socket.send("not json")
        assert closed(two) == 1008
        one.close()
        two.close()
        third = host.sit(table)
        third.socket.send(b"binary")
        assert closed(third) == 1003
        third.close()
        fourth = host.sit(table)
        fourth.socket.send("x" * (16 * 1024 + 1))
        assert closed(fourth) == 1009
        fourth.close()


def test_who_does_not_read_is_sent_away_and_holds_nobody_up(tmp_path: Path) -> None:
    limits = {**OPEN_LIMITS, "queue": 100}
    with serving(tmp_path, limits=limits) as served:
        table, people = full_table(served)
        frozen = _frozen(people[1], table)
        with people[0].sit(table) as seat:
            long = "\N{GRINNING FACE}" * 500
            for _ in range(100):
                ids = [seat.send(kind="talk", text=long) for _ in range(32)]
                # Were one who does not read waited for, no answer would come.
                assert seat.answer(ids[-1])["kind"] == "accepted"
                if not _here(people[0], table, 1):
                    break
            assert not _here(people[0], table, 1), "the one who does not read is still there"
        frozen.close()


def _frozen(person: Browser, table: str):
    """A connection that opens a socket and then never reads."""
    import socket

    raw = socket.create_connection(("127.0.0.1", person.served.port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.sendall(
        (
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{person.served.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: elysian={person.key}\r\n\r\n"
        ).encode()
    )
    return raw


def _here(person: Browser, table: str, seat: int) -> bool:
    return seat in person.get(f"/api/tables/{table}").json["here"]["here"]


def test_bad_flags_end_with_a_sentence(tmp_path: Path) -> None:
    for flags in (["--database", "mysql://x"], ["--limits", "{"], ["--workers", "3"]):
        done = in_a_process("serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'a.db'}", *flags)
        assert done.returncode == 2
        assert done.stderr.startswith("elysian: ")


def test_the_schema_files_are_current() -> None:
    stale = [path.name for path, text in pages().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python -m tools.server_schema"


def test_every_route_is_in_the_openapi_page_and_every_reference_in_it_exists(served: Served) -> None:
    page = Browser(served).get("/api/openapi.json").json
    assert page == json.loads(msgspec.json.encode(openapi()))
    for route in ROUTES:
        assert page["paths"][route.path][route.method.lower()]["summary"] == route.says
    for schema, prefix in ((page, "#/components/schemas/"), (socket_schema(), "#/$defs/")):
        text = json.dumps(schema)
        known = schema["components"]["schemas"] if prefix[2] == "c" else schema["$defs"]
        for part in text.split('"$ref": "')[1:]:
            name = part.partition('"')[0]
            assert name.removeprefix(prefix) in known


def test_the_loop_rests_after_every_few_tables_that_are_looked_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who stores what people do waits for Python's lock until all have been looked after."""
    done: list[str | float] = []

    async def look(table: Any) -> None:
        done.append(table.game)

    async def rest(seconds: float) -> None:
        done.append(seconds)

    server = Server(ServerSettings(database=f"sqlite:///{tmp_path / 'tables.db'}"))
    games = [f"g{n}" for n in range(2 * A_FEW + 1)]
    server.tables.loaded.update({game: Mock(game=game) for game in games})
    monkeypatch.setattr(server, "_keep_on", look)
    monkeypatch.setattr(asyncio, "sleep", rest)
    asyncio.run(server._keep_all())
    rests = [BREATH]
    assert done == [*games[:A_FEW], *rests, *games[A_FEW : 2 * A_FEW], *rests, *games[2 * A_FEW :]]
    assert BREATH > 0

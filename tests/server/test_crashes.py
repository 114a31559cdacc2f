"""Crashes and stops: nothing that was answered is lost, nothing happens twice."""

from __future__ import annotations

import random
import sqlite3
import threading
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.server.seats import closed, give
from tools.drive.server import Served, full_table, new_id, serving
from tools.drive.waiting import until


def test_what_was_accepted_is_there_after_a_crash_and_a_repeated_id_has_no_second_effect(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path).start()
    try:
        table, people = full_table(served)
        chance = random.Random(4)
        unanswered: dict[str, dict[str, str]] = {}
        answered: dict[str, int] = {}
        for crashes in range(4):
            seat = people[0].sit(table)
            for id, action in unanswered.items():
                seat.send(kind="do", id=id, action=action)
            end = threading.Timer(chance.uniform(0.05, 0.3), served.kill)
            try:
                while True:
                    while not unanswered:
                        action = {"kind": "done" if not seat.view["players"][0]["done"] else "not_done"}
                        unanswered[seat.send(kind="do", action=action)] = action
                    for id in list(unanswered):
                        reply = seat.answer(id)
                        assert reply["kind"] == "accepted"
                        answered[id] = reply["n"]
                        del unanswered[id]
                    if len(answered) >= 6 * (crashes + 1) and not end.ident:
                        end.start()
            except (ConnectionClosed, OSError):
                seat.close()
            end.join()
            served.start()
        back = people[0].sit(table, since=0)
        assert [line["n"] for line in back.lines] == list(range(1, back.n + 1))
        assert len(answered) > 20
        assert len(set(answered.values())) == len(answered)
        assert max(answered.values()) <= back.n
        assert back.n - 5 - len(answered) <= 4, "each crash leaves at most one line that was not answered"
        id, n = next(iter(answered.items()))
        again = back.answer(back.send(kind="do", id=id, action={"kind": "done"}))
        assert (again["kind"], again["n"]) == ("accepted", n)
        back.close()
    finally:
        served.kill()


def test_a_stop_answers_what_was_asked_and_says_goodbye(tmp_path: Path) -> None:
    served = Served(tmp_path).start()
    table, people = full_table(served)
    seat = people[0].sit(table)
    sent = [seat.send(kind="do", action=give(seat.view, 0, 1)) for _ in range(10)]
    end = threading.Thread(target=served.stop)
    end.start()
    assert closed(seat) == 1001
    assert any(message["kind"] == "closing" for message in seat.messages)
    answers = {m["id"]: m for m in seat.messages if m["kind"] in ("accepted", "refused")}
    seat.close()
    end.join()
    served.start()
    try:
        with people[0].sit(table, since=0) as back:
            offers = [e for line in back.lines for e in line["events"] if e["kind"] == "deal_offered"]
            accepted = [id for id in sent if answers.get(id, {}).get("kind") == "accepted"]
            assert len(offers) >= len(accepted)
    finally:
        served.stop()


def test_the_database_is_written_with_full_care(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        full_table(served)
        connection = sqlite3.connect(tmp_path / "tables.db")
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()


def test_a_second_server_on_one_file_does_not_start(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        second = Served(tmp_path, database=served.database)
        with pytest.raises(AssertionError, match="Another server uses"):
            second.start()


def test_a_busy_database_refuses_and_then_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        table, people = full_table(served)
        blocker = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        with people[0].sit(table) as seat:
            id = new_id()
            blocker.execute("BEGIN IMMEDIATE")
            seat.send(kind="do", id=id, action={"kind": "done"})
            assert people[1].get("/healthz").status == 200  # the server does not stand still while it waits
            answer = seat.answer(id)
            assert (answer["kind"], answer["code"]) == ("refused", "storage_busy")
            blocker.execute("ROLLBACK")
            assert seat.answer(seat.send(kind="do", id=id, action={"kind": "done"}))["kind"] == "accepted"
        blocker.close()


def test_a_damaged_table_is_left_alone_and_the_others_go_on(tmp_path: Path) -> None:
    served = Served(tmp_path).start()
    try:
        bad, people = full_table(served)
        good, others = full_table(served)
        served.kill()
        connection = sqlite3.connect(tmp_path / "tables.db")
        connection.execute("UPDATE log SET line = ? WHERE game = ? AND n = 4", (b'{"n":4', bad))
        connection.commit()
        connection.close()
        served.start()
        reply = people[0].get(f"/api/tables/{bad}")
        assert (reply.status, reply.json["code"]) == (503, "table_damaged")
        assert others[0].do(good, {"kind": "done"}).status == 200
    finally:
        served.kill()


def test_an_idle_table_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    with serving(tmp_path, "--idle", "1") as served:
        table, people = full_table(served)
        until(lambda: "elysian_tables_loaded 0" in people[0].get("/metrics").raw.decode(), pause=0.2)
        with people[0].sit(table, since=2) as seat:
            assert seat.lines[0]["n"] == 3
            assert seat.do("done")["kind"] == "accepted"

"""People: keys, codes for other devices, origins and hosts, and what is never told."""

from __future__ import annotations

import json

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.server.seats import closed
from tools.drive.server import Browser, Served, full_table


def test_a_key_is_long_random_and_only_in_a_cookie(served: Served) -> None:
    reply = Browser(served).post("/api/me", {"name": "Anna"})
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    key = cookie.partition("=")[2].partition(";")[0]
    assert len(key) >= 43  # 256 bits
    assert key not in reply.raw.decode()
    other = Browser(served).post("/api/me", {"name": "Anna"}).headers["set-cookie"]
    assert key not in other


def test_a_code_moves_a_person_to_another_device_once(served: Served) -> None:
    table, people = full_table(served)
    code = people[1].post("/api/me/codes").json["code"]
    phone = Browser(served)
    assert phone.post("/api/me/exchange", {"code": code}).json["name"] == "Bela"
    assert phone.key != people[1].key
    with phone.sit(table) as there, people[1].sit(table) as here:
        assert there.you == here.you == 1
    again = Browser(served).post("/api/me/exchange", {"code": code})
    assert (again.status, again.json["code"]) == (403, "bad_code")


def test_an_ended_key_opens_nothing_and_closes_its_sockets(served: Served) -> None:
    table, people = full_table(served)
    old = people[0].key
    with people[0].sit(table) as seat:
        assert people[0].ask("DELETE", "/api/me").status == 204
        assert closed(seat) == 4401
    replay = Browser(served)
    replay.key = old
    assert replay.do(table, {"kind": "done"}).status == 401
    assert replay.get("/api/me").json["name"] is None


def test_routes_for_people_need_a_key(served: Served) -> None:
    nobody = Browser(served)
    for method, path in (("POST", "/api/me/codes"), ("GET", "/api/me/games"), ("GET", "/api/me/notices")):
        reply = nobody.ask(method, path)
        assert (reply.status, reply.json["code"]) == (401, "key_needed")
    nobody.key = "x" * 43
    assert nobody.post("/api/me/codes").status == 401


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1.evil.example",
        "file://",
        "HTTP://x",
    ],
)
def test_a_foreign_page_is_refused_before_anything_is_read(served: Served, origin: str) -> None:
    table, people = full_table(served)
    reply = people[0].post("/api/me", {"name": "Eve"}, Origin=origin)
    assert (reply.status, reply.json["code"]) == (403, "bad_origin")
    person = Browser(served)
    person.key = people[0].key
    with pytest.raises(InvalidStatus) as refused:
        _with_origin(person, table, origin)
    assert refused.value.response.status_code == 403


def _with_origin(person: Browser, table: str, origin: str) -> None:
    from websockets import Origin
    from websockets.sync.client import connect

    url = f"ws://127.0.0.1:{person.served.port}/api/tables/{table}/socket"
    with connect(url, origin=Origin(origin), additional_headers={"Cookie": f"elysian={person.key}"}):
        pass


def test_a_name_that_is_not_ours_is_refused(served: Served) -> None:
    reply = Browser(served).get("/api/me", Host="evil.example")
    assert (reply.status, reply.json["code"]) == (400, "bad_host")


def test_nobody_is_told_who_another_person_is(served: Served) -> None:
    table, people = full_table(served)
    people[1].join(table)
    watcher = Browser(served)
    with watcher.sit(table, since=0) as seat, people[2].sit(table, since=0) as third:
        told = json.dumps(seat.messages) + json.dumps(third.messages)
    keys = [str(person.key) for person in people]
    assert not [key for key in keys if key in told]
    assert '"person"' not in told
    assert '"seed"' not in told
    assert not [key for key in keys if key in served.log()]


def test_an_unknown_table_and_one_that_is_not_for_you_look_the_same(served: Served) -> None:
    hidden = Browser(served, "Anna").open(public=False)
    eve = Browser(served, "Eve")
    there, nowhere = eve.get(f"/api/tables/{hidden}"), eve.get("/api/tables/AAAAAAAAAAAA")
    assert (there.status, there.raw) == (nowhere.status, nowhere.raw) == (404, nowhere.raw)
    for table in (hidden, "AAAAAAAAAAAA"):
        with pytest.raises(InvalidStatus) as refused:
            eve.sit(table)
        assert refused.value.response.status_code == 404


def test_requests_of_the_wrong_shape_get_a_sentence(served: Served) -> None:
    person = Browser(served, "Anna")
    cases = [
        (person.ask("POST", "/api/me", b"{"), 400, "bad_json"),
        (person.post("/api/me", {"name": "Anna", "admin": True}), 400, "unknown_field"),
        (person.post("/api/me", {"name": 5}), 400, "bad_type"),
        (person.post("/api/me", {}), 400, "missing_field"),
        (person.ask("POST", "/api/me", b"{}", Content_Type="text/plain"), 415, "not_json"),
        (person.ask("POST", "/api/me", b"x" * 70_000), 413, "large_body"),
        (person.ask("PATCH", "/api/me", b"{}"), 405, "not_allowed"),
        (person.get("/api/nothing"), 404, "no_such_route"),
        (person.get("/../../etc/passwd"), 404, "no_such_route"),
        (person.get("/api/tables/..%2f..%2fx"), 404, "no_such_route"),
        (person.post("/api/tables", {"options": {"seats": 99}}), 400, "out_of_range"),
        (person.post("/api/tables", {"bots": {"0": "genius"}}), 400, "no_such_level"),
    ]
    for reply, status, code in cases:
        assert (reply.status, reply.json["code"]) == (status, code), reply.raw
        assert reply.json["sentence"].endswith("."), reply.raw


def test_every_answer_carries_the_headers_that_keep_a_page_safe(served: Served) -> None:
    for reply in (Browser(served).get("/api/me"), Browser(served).get("/nowhere"), Browser(served).get("/")):
        policy = reply.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "server" not in reply.headers
    assert Browser(served).get("/api/me").headers["cache-control"] == "no-store"

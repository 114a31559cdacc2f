"""Abuses of identity and of the web: the rows 45 to 63 of the list, each with the answer due."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.server.abuse import BAD_NAMES, FOREIGN, LOOKALIKES, MARKUP, ODD_HOSTS, ODD_PATHS, SQL
from tests.support.server.seats import closed
from tools.drive.server import Browser, Reply, Seat, Served, full_table


def refused(reply: Reply, status: int, code: str) -> bool:
    """Whether this is the answer, with a sentence."""
    assert (reply.status, reply.json["code"]) == (status, code), reply.raw
    return bool(reply.json["sentence"].endswith("."))


def with_key(served: Served, key: str | None) -> Browser:
    browser = Browser(served)
    browser.key = key
    return browser


def handshake(served: Served, table: str, **headers: str) -> int:
    """The status with which a socket is refused; 101 when it is opened."""
    url = f"ws://127.0.0.1:{served.port}/api/tables/{table}/socket"
    try:
        with connect(url, additional_headers=headers, compression=None):
            return 101
    except InvalidStatus as answer:
        return answer.response.status_code


def said(seat: Seat, text: str) -> str:
    """What the table hears when somebody says this."""
    assert seat.say(text)["kind"] == "accepted"
    (event,) = seat.lines[-1]["events"]
    return str(event["text"])


# ---------------------------------------------------------------- identity and sessions


def test_row_45_an_unknown_key_is_answered_like_none(served: Served) -> None:
    table, _ = full_table(served, public=False)
    answers = [with_key(served, key).get(f"/api/tables/{table}") for key in (None, "x" * 43, "y" * 43)]
    assert len({(answer.status, answer.raw) for answer in answers}) == 1


@pytest.mark.parametrize("where", ["query", "authorization", "path", "body", "another cookie"])
def test_row_47_a_key_counts_only_in_its_cookie(served: Served, where: str) -> None:
    anna = Browser(served, "Anna")
    assert anna.key is not None
    nobody = Browser(served)
    reply = {
        "query": lambda: nobody.get(f"/api/me?elysian={anna.key}&key={anna.key}"),
        "authorization": lambda: nobody.get("/api/me", Authorization=f"Bearer {anna.key}"),
        "path": lambda: nobody.get(f"/api/me;elysian={anna.key}"),
        "body": lambda: nobody.post("/api/me", {"name": "Eve", "key": anna.key}),
        "another cookie": lambda: nobody.get("/api/me", Cookie=f"Elysian={anna.key}; elysian2={anna.key}"),
    }[where]()
    if where in ("path", "body"):
        assert reply.status in (400, 404)
    elif where == "authorization":
        assert reply.status == 401  # only tokens of bots come that way
    else:
        assert reply.json["name"] is None
    assert anna.key not in reply.raw.decode()


def test_row_49_two_tabs_of_one_seat_are_told_the_same(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as one, people[0].sit(table) as two:
        ids = [tab.send(kind="do", action={"kind": "done"}) for tab in (one, two)]
        answers = sorted(tab.answer(id)["kind"] for tab, id in zip((one, two), ids, strict=True))
        assert answers == ["accepted", "refused"]
        two.up_to(one.n)
        one.up_to(two.n)
        assert one.lines == two.lines
        assert one.view == two.view


@pytest.mark.parametrize("how", ["resign", "leave", "remove"])
def test_row_50_who_has_left_the_table_is_gone_at_once(served: Served, how: str) -> None:
    if how == "remove":
        host, guest = Browser(served, "Anna"), Browser(served, "Bela")
        table = host.open()
        guest.join(table)
    else:
        table, (host, guest, *_) = full_table(served)
    with guest.sit(table) as seat:
        if how == "remove":
            assert host.do(table, {"kind": "remove", "seat": 1}).status == 200
        else:
            seat.send(kind="do", action={"kind": how})
        assert closed(seat) == 4403


def test_row_51_a_recorded_session_is_worth_nothing_after_the_key_has_ended(served: Served) -> None:
    table, people = full_table(served)
    old = with_key(served, people[1].key)
    assert people[1].ask("DELETE", "/api/me").status == 204
    assert refused(old.do(table, {"kind": "done"}), 401, "key_needed")
    assert refused(old.post("/api/me/codes"), 401, "key_needed")
    with old.sit(table) as watcher:
        assert watcher.you is None
        assert watcher.do("done")["code"] == "not_seated"


def test_row_52_an_invitation_does_not_unseat_anybody(served: Served) -> None:
    host = Browser(served, "Anna")
    opened = host.post("/api/tables", {"options": {"public": False}}).json
    invitation, table = opened["invitation"], opened["table"]
    assert refused(Browser(served, "Eve").join(table), 403, "not_invited")
    assert refused(Browser(served, "Eve").join(table, invitation=invitation[:-1]), 403, "not_invited")
    assert Browser(served, "Bela").join(table, seat=1, invitation=invitation).status == 200
    assert refused(Browser(served, "Eve").join(table, seat=1, invitation=invitation), 409, "seat_taken")
    for name in ("Cleo", "Dora"):
        Browser(served, name).join(table, invitation=invitation)
    assert refused(Browser(served, "Eve").join(table, invitation=invitation), 409, "table_full")


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_row_53_a_name_made_to_deceive_is_refused(served: Served, name: str) -> None:
    browser = Browser(served)
    assert refused(browser.post("/api/me", {"name": name}), 400, "bad_name")
    assert browser.key is None
    table = Browser(served, "Zoe").open()
    assert refused(browser.join(table, name=name), 400, "bad_name")
    assert browser.key is None


@pytest.mark.parametrize("name", LOOKALIKES.values(), ids=LOOKALIKES)
def test_row_53_of_two_names_that_look_alike_one_sits(served: Served, name: str) -> None:
    table = Browser(served, "Anna").open()
    browser = Browser(served)
    assert refused(browser.join(table, name=name), 409, "name_taken")
    assert browser.key is None, "who is refused is not made"


def test_row_53_who_is_refused_keeps_the_old_name(served: Served) -> None:
    table = Browser(served, "Anna").open()
    bela = Browser(served, "Bela")
    assert refused(bela.join(table, name="Anna"), 409, "name_taken")
    assert refused(
        bela.post("/api/tables", {"name": "Eve", "options": {"hardest": 1}}), 400, "too_few_species"
    )
    assert bela.get("/api/me").json["name"] == "Bela"


def test_row_54_a_key_brought_along_is_not_taken_over(served: Served) -> None:
    planted = "planted-by-somebody-else-planted-by-somebody"
    victim = with_key(served, planted)
    assert victim.post("/api/me", {"name": "Anna"}).status == 200
    assert victim.key != planted
    assert with_key(served, planted).get("/api/me").json["name"] is None
    code = victim.post("/api/me/codes").json["code"]
    device = with_key(served, planted)
    device.post("/api/me/exchange", {"code": code})
    assert device.key not in (planted, victim.key)


KEYS = {"p256dh": "BA" + "A" * 85, "auth": "A" * 22}


@pytest.mark.parametrize(
    "notices",
    [
        {"webhook": "http://127.0.0.1/"},
        {"webhook": "https://discord.com.evil.example/"},
        {"webhook": "https://discord.com@evil.example/"},
        {"webhook": "https://user@discord.com/"},
        {"webhook": "https://discord.com/a b"},
        {"webhook": "https://discord.com/\r\nX-Forged: 1"},
        {"webhook": "https://discord.com:22/"},
        {"webhook": "file:///etc/passwd"},
        {"webhook": "https://[discord.com/"},
        {"push": {"endpoint": "https://evil.example/", **KEYS}},
        {"push": {"endpoint": "https://fcm.googleapis.com/x", **KEYS}},
        {"push": {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "é", "auth": ""}},
    ],
)
def test_notices_go_nowhere_else_and_keys_must_be_keys(served: Served, notices: dict[str, Any]) -> None:
    anna = Browser(served, "Anna")
    code = "bad_push" if "push" in notices else "bad_webhook"
    assert refused(anna.ask("PUT", "/api/me/notices", notices), 400, code)
    assert anna.get("/api/me/notices").json == {}


# ---------------------------------------------------------------- the web


@pytest.mark.parametrize("origin", FOREIGN)
def test_row_55_a_page_from_elsewhere_is_refused_before_anything_is_read(served: Served, origin: str) -> None:
    origin = origin.format(host=f"127.0.0.1:{served.port}")
    table, people = full_table(served)
    cookie = f"elysian={people[0].key}"
    assert handshake(served, table, Origin=origin, Cookie=cookie) == 403
    assert refused(people[0].ask("POST", "/api/me", b"{", Origin=origin or " "), 403, "bad_origin")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_row_56_a_form_is_not_a_command(served: Served, kind: str) -> None:
    table, people = full_table(served)
    body = b'{"id": "cross-site-1", "action": {"kind": "done"}}'
    path = f"/api/tables/{table}/do"
    assert refused(people[0].ask("POST", path, body, Content_Type=kind), 415, "not_json")
    away = {"Origin": "https://evil.example"}
    assert refused(people[0].ask("POST", path, body, **away), 403, "bad_origin")
    assert refused(people[0].ask("POST", "/api/me/codes", **away), 403, "bad_origin")
    assert refused(people[0].ask("DELETE", "/api/me", **away), 403, "bad_origin")
    assert "access-control-allow-origin" not in people[0].ask("OPTIONS", path, **away).headers
    cookie = Browser(served).post("/api/me", {"name": "Anna"}).headers["set-cookie"]
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("text", [*MARKUP, *SQL])
def test_rows_57_and_61_markup_and_sql_are_only_text(served: Served, text: str) -> None:
    host = Browser(served)
    host.post("/api/me", {"name": text[:24]})
    guest = Browser(served, "Bela")
    table = guest.open(title=text, seats=4)
    with guest.sit(table) as seat:
        assert said(seat, text) == text
        assert seat.table["options"]["title"] == text
    listing = guest.get("/api/tables")
    assert listing.headers["content-type"] == "application/json"
    assert listing.headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in listing.headers["content-security-policy"]
    for path in (f"/api/tables/{table}/log?since={text}", f"/api/me?language={text}"):
        assert guest.get(path.replace(" ", "+").replace("#", "")).status in (200, 400)
    bad: list[dict[str, Any]] = [
        {"kind": "choose_species", "species": text[:20]},
        {"kind": "add_bot", "seat": 2, "level": text[:20]},
    ]
    for action in bad:
        assert guest.do(table, action).status in (400, 409)
    assert guest.post("/api/me/exchange", {"code": text}).status == 403
    assert guest.get("/api/me").json["name"] == "Bela"


def test_row_58_talk_is_cut_and_cleaned(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        assert said(seat, "a" * 10_000) == "a" * 500
        assert said(seat, "a\x00b\x1b[31mc\x7f\u202ed\ufeffe") == "ab[31mcde"
        assert len(said(seat, "Z" + "\u0301" * 400)) <= 5
        assert seat.say("\u202e\x00 ")["code"] == "nothing_said"
        assert seat.say("")["code"] == "nothing_said"


def test_row_59_nothing_that_is_sent_can_forge_a_line_of_the_log(served: Served) -> None:
    forged = '\n{"event": "forged"}\x1b[31m'
    anna = Browser(served, "Anna")
    anna.post("/api/me", {"name": forged})
    anna.open(title=forged)
    anna.get("/api/%0a%7b%22event%22:%20%22forged%22%7d%1b")
    anna.get("/api/me", User_Agent="x\x1b[31m", Cookie="elysian=\x1b[31m")
    anna.ask("GET", "/api/me", Host="[")
    handshake(served, "nowhere")
    handshake(served, "%0a%1b")
    for line in served.log().splitlines():
        assert json.loads(line)["event"] != "forged"
        assert "\x1b" not in line


@pytest.mark.parametrize("path", ODD_PATHS)
def test_row_60_a_crooked_path_leads_nowhere(served: Served, path: str) -> None:
    reply = Browser(served, "Anna").get(path)
    assert reply.status == 404
    assert reply.json["code"] in ("no_such_route", "no_such_table")


def test_row_62_no_page_can_put_ours_into_a_frame(served: Served) -> None:
    for path in ("/", "/t/AAAAAAAAAAAA", "/api/me", "/nowhere", "/healthz"):
        headers = Browser(served).get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("host", ODD_HOSTS)
def test_row_63_a_host_that_is_not_ours_is_refused(served: Served, host: str) -> None:
    anna = Browser(served, "Anna")
    assert refused(anna.get("/api/me", Host=host), 400, "bad_host")
    assert refused(anna.post("/api/tables", {}, Host=host), 400, "bad_host")
    table = anna.open()
    assert handshake(served, table, Host=host) == 400
    assert "evil" not in json.dumps(anna.get(f"/api/tables/{table}").json)

"""Notices: a person who is away hears that it is their move, at a real receiver on this machine."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from elysian.positions import arrange
from elysian.server.background.deadlines import warn_at
from elysian.server.background.gathering import gathered_words
from elysian.server.background.outbound import Private, is_public, post
from elysian.server.background.webpush import CURVE, base64url, point, unbase64url
from elysian.server.ops.errors import told_notice
from elysian.server.store import database_at
from elysian.server.store.held import HeldNotices, NoticeWords
from elysian.server.store.people import MOST_BROWSERS, Notices, StoredNotices, Subscription
from elysian.server.table_state.clock import MINUTE, Hours
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.state import Lobby
from elysian.server.table_state.table_options import Clock, TableOptions
from tests.support.server.receiver import Post, receiver
from tools.drive.days import DaysServed
from tools.drive.server import Browser, Served, full_table, serving
from tools.drive.waiting import PATIENCE, until


def test_a_webhook_hears_of_ones_move(tmp_path: Path) -> None:
    with (
        receiver() as (port, posts),
        serving(tmp_path, *told_at(port)) as served,
    ):
        table, people = _waiting_for_bela(served, {"webhook": f"http://127.0.0.1:{port}/hook"})
        path, headers, body = posts.get(timeout=PATIENCE)
        assert path == "/hook"
        assert headers["content-type"] == "application/json"
        note = json.loads(body)
        assert "Bela" in note["content"]
        assert "Friday" in note["content"]
        assert note["allowed_mentions"] == {"parse": []}
        with people[1].sit(table) as seat:
            seat.do("done")
        assert posts.empty(), "one notice for one step"


def test_what_happened_to_me_comes_as_one_notice_in_my_language(tmp_path: Path) -> None:
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
        table = people[0].open(title="Friday")
        for person in people[1:]:
            person.join(table)
        hook = {"webhook": f"http://127.0.0.1:{port}/hook", "language": "de"}
        assert people[1].ask("PUT", "/api/me/notices", hook).status == 200
        with people[1].sit(table):  # who is here needs no notice
            people[0].do(table, {"kind": "start_game"})
        until(lambda: 1 not in people[0].get(f"/api/tables/{table}").json["here"]["here"])
        stock = people[0].get(f"/api/tables/{table}").json["view"]["players"][0]["stock"]
        goods = {next(kind for kind, n in stock.items() if n): 1}
        gift = {"kind": "give", "giver": 0, "to": 1, "goods": goods}
        offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": [gift]}
        assert people[0].do(table, offer).status == 200
        note = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        assert "du bist am Zug, Bela" in note
        assert note.count("Angebot von") == 1, note
        assert posts.empty()


def test_a_word_to_one_who_is_away_is_told_as_it_was_said(tmp_path: Path) -> None:
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
        hook = {"webhook": f"http://127.0.0.1:{port}/hook"}
        assert people[1].ask("PUT", "/api/me/notices", hook).status == 200
        table = people[0].open()
        for person in people[1:]:
            person.join(table)
        with people[1].sit(table):  # who is here needs no notice
            people[0].do(table, {"kind": "start_game"})
        until(lambda: 1 not in people[0].get(f"/api/tables/{table}").json["here"]["here"])
        word = {"id": "word-to-bela", "text": "{hi}", "to": 1}
        assert people[0].post(f"/api/tables/{table}/say", word).status == 200
        assert "Anna: “{hi}”" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]


def test_nothing_people_write_becomes_a_link_with_another_name_in_a_chat(tmp_path: Path) -> None:
    """Chats draw `[words](address)` as words; in a notice that would pass for one of ours."""
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        people = [Browser(served, name) for name in ("Anna", "[Go](//evil)", "Cleo", "Dora")]
        hook = {"webhook": f"http://127.0.0.1:{port}/hook"}
        assert people[0].ask("PUT", "/api/me/notices", hook).status == 200
        table = people[0].open(title="[To the table](https://evil.example/t)")
        for person in people[1:]:
            person.join(table)
        with people[0].sit(table):  # who is here needs no notice
            people[0].do(table, {"kind": "start_game"})
        until(lambda: 0 not in people[1].get(f"/api/tables/{table}").json["here"]["here"])
        word = {"id": "word-to-anna", "text": "[accept](https://evil.example/t) @everyone", "to": 0}
        assert people[1].post(f"/api/tables/{table}/say", word).status == 200
        note = json.loads(posts.get(timeout=PATIENCE)[2])
        assert "](" not in note["content"]
        assert "[accept] (https://evil.example/t)" in note["content"], "it is told, as text"
        assert note["allowed_mentions"] == {"parse": []}


def test_a_notice_of_an_offer_leads_to_it_by_every_way(tmp_path: Path) -> None:
    browser, auth = ec.generate_private_key(CURVE), b"0123456789abcdef"
    with (
        receiver(201) as (port, posts),
        serving(tmp_path, *told_at(port), base_url="https://table.example") as served,
    ):
        people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
        table = people[0].open(title="Friday")
        for person in people[1:]:
            person.join(table)
        with people[1].sit(table):
            people[0].do(table, {"kind": "start_game"})
        until(lambda: 1 not in people[0].get(f"/api/tables/{table}").json["here"]["here"])
        subscription = {
            "endpoint": f"http://127.0.0.1:{port}/push/7",
            "p256dh": base64url(point(browser.public_key())),
            "auth": base64url(auth),
        }
        ways = {"webhook": f"http://127.0.0.1:{port}/hook", "push": subscription}
        assert people[1].ask("PUT", "/api/me/notices", ways).status == 200
        note = {"kind": "note", "text": "hello"}
        for _ in range(2):
            offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": [note]}
            assert people[0].do(table, offer).status == 200
        deals = people[0].get(f"/api/tables/{table}").json["view"]["deals"]
        latest = list(deals)[-1]
        came = {path: body for path, _, body in (posts.get(timeout=PATIENCE) for _ in range(2))}
        assert json.loads(came["/hook"])["content"].endswith(
            f"https://table.example/t/{table}#offer={latest}"
        )
        pushed = json.loads(_opened(came["/push/7"], browser, auth))
        assert (pushed["table"], pushed["offer"]) == (table, latest)


def test_what_falls_due_is_told_when_its_turn_begins(tmp_path: Path) -> None:
    """TRADE-11."""
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        table, people = full_table(served, clock={"trade": 600, "step": 1})
        stock = people[1].get(f"/api/tables/{table}").json["view"]["players"][1]["stock"]
        goods = {next(kind for kind, n in stock.items() if n): 1}
        gift = {"kind": "give", "giver": 1, "to": 0, "goods": goods}
        pledge = {"kind": "pledge", "what": gift, "due": 2}
        offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": [pledge]}
        assert people[1].do(table, offer).status == 200
        deal = next(iter(people[0].get(f"/api/tables/{table}").json["view"]["deals"]))
        assert people[0].do(table, {"kind": "accept_deal", "deal": deal}).status == 200
        hook = {"webhook": f"http://127.0.0.1:{port}/hook", "language": "de"}
        assert people[1].ask("PUT", "/api/me/notices", hook).status == 200
        for person in people[:3]:  # all but one: trading closes, and from then on the clock runs
            assert person.do(table, {"kind": "done"}).status == 200
        found = ""
        while "diese Runde fällig" not in found:
            found = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        assert found.count("diese Runde fällig") == 1
        assert "du" in found.partition("fällig: ")[2].lower(), found


def test_at_a_slow_table_one_is_warned_before_the_time_runs_out(tmp_path: Path) -> None:
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
        hook = {"webhook": f"http://127.0.0.1:{port}/hook"}
        assert people[1].ask("PUT", "/api/me/notices", hook).status == 200
        table = people[0].open(title="Friday", pace="async", clock={"trade": 12, "step": 3600})
        for person in people[1:]:
            person.join(table)
        people[0].do(table, {"kind": "start_game"})
        first = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        assert "your move" in first
        assert "runs out" not in first
        assert "your time runs out in 1 min." in json.loads(posts.get(timeout=PATIENCE)[2])["content"]


def test_the_warning_is_a_quarter_before_the_end_and_no_more_than_three_hours() -> None:
    hour = 60 * MINUTE

    def at(step: int, **more: Any) -> int | None:
        options = TableOptions(**{"pace": "async", "clock": Clock(trade=step, step=step), **more})
        lobby = Lobby(options=options, host="", chairs=(), status="playing", due=100 * hour)
        return warn_at(TableState("table", lobby, arrange(("caylion", "faderan", "kjas", "zeth"))))

    assert at(4 * 3600) == 99 * hour
    assert at(24 * 3600) == 97 * hour
    assert at(4 * 3600, pace="live") is None


def told_at(port: int) -> tuple[str, ...]:
    """Notices are sent soon, and may go to this machine."""
    return "--gather", "0.2", "--webhooks", f"127.0.0.1:{port}"


def test_a_test_notice_says_whether_it_was_taken(tmp_path: Path) -> None:
    with receiver() as (port, posts), serving(tmp_path, "--webhooks", f"127.0.0.1:{port}") as served:
        anna = Browser(served, "Anna")
        assert anna.post("/api/me/notices/test").json["taken"] == 0
        anna.ask("PUT", "/api/me/notices", {"webhook": f"http://127.0.0.1:{port}/hook"})
        assert anna.post("/api/me/notices/test").json["taken"] == 1
        assert "Elysian" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        assert Browser(served).post("/api/me/notices/test").status == 401


def test_what_was_gathered_goes_out_when_the_server_stops(tmp_path: Path) -> None:
    with receiver() as (port, posts):
        gather = "--gather", "3600", "--webhooks", f"127.0.0.1:{port}"
        with serving(tmp_path, *gather) as served:
            _waiting_for_bela(served, {"webhook": f"http://127.0.0.1:{port}/hook"})
            assert posts.empty()
        assert "your move, Bela" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        assert posts.empty()


def test_nobody_is_told_in_quiet_hours() -> None:
    day = Hours(begin=8 * 60, end=22 * 60, offset=60)  # 7 to 21 o'clock in Greenwich
    hour = 60 * MINUTE
    assert [day.until_open(at * hour) for at in (7, 12, 20)] == [0, 0, 0]
    assert [day.until_open(at * hour) // hour for at in (21, 0, 6)] == [10, 7, 1]
    night = Hours(begin=22 * 60, end=2 * 60)
    assert [night.until_open(at * hour) // hour for at in (23, 1, 2, 12)] == [0, 0, 20, 10]
    assert Hours().until_open(5 * hour) == 0


def _asleep(hours: float = 2.0) -> dict[str, int]:
    """Hours of somebody who is told nothing for so long from now on, and is up for an hour then."""
    minute = int((time.time() / 60 + 60 * hours) % 1440)
    return {"begin": minute, "end": (minute + 60) % 1440, "offset": 0}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[tuple[DaysServed, Queue[Post], str, list[Browser]]]:
    """It is Bela's move, who sleeps; the notice of it is kept."""
    with receiver() as (port, posts):
        served = DaysServed(tmp_path, *told_at(port)).start()
        try:
            hook = f"http://127.0.0.1:{port}/hook"
            table, people = _waiting_for_bela(served, {"webhook": hook, "hours": _asleep()})
            until(lambda: "elysian_notices_held_total 1" in people[0].get("/metrics").raw.decode())
            yield served, posts, table, people
        finally:
            served.kill()


Night = tuple[DaysServed, "Queue[Post]", str, list[Browser]]


def _held(served: DaysServed) -> int:
    """How many notices wait."""
    with closing(sqlite3.connect(served.folder / "tables.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM held").fetchone()[0])


def test_what_was_held_back_in_quiet_hours_is_told_once_after_a_crash(night: Night) -> None:
    served, posts, _, _ = night
    served.kill()
    assert _held(served) == 1
    served.start()
    served.passes(1)
    assert posts.empty(), "they sleep"
    served.passes(1.5)
    content = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
    assert "your move, Bela" in content
    assert "Friday" in content
    until(lambda: _held(served) == 0)
    served.stop()
    served.start()
    served.passes(2.5)
    assert posts.empty()


def test_what_was_being_gathered_is_told_once_after_a_crash(tmp_path: Path) -> None:
    with receiver() as (port, posts):
        served = DaysServed(tmp_path, "--gather", "900", "--webhooks", f"127.0.0.1:{port}").start()
        try:
            table, people = _waiting_for_bela(served, {"webhook": f"http://127.0.0.1:{port}/hook"})
            until(lambda: _held(served) == 1)
            said = people[0].post(f"/api/tables/{table}/say", {"id": "to-bela-1", "text": "Come!", "to": 1})
            assert said.status == 200
            until(lambda: b"Come!" in _held_words(served))
            served.kill()
            assert posts.empty()
            served.start()
            served.passes(0.5)
            content = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
            assert "your move, Bela" in content
            assert "Come!" in content
            until(lambda: _held(served) == 0)
            say = {"id": "to-bela-2", "text": "Are you up?", "to": 1}
            assert people[0].post(f"/api/tables/{table}/say", say).status == 200
            served.passes(0.5)
            content = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
            assert "Are you up?" in content
            assert "Come!" not in content
            until(lambda: _held(served) == 0)  # what was told leaves nothing that is told again
        finally:
            served.kill()


def _held_words(served: DaysServed) -> bytes:
    with closing(sqlite3.connect(served.folder / "tables.db")) as connection:
        return b"".join(row[0] for row in connection.execute("SELECT said FROM held"))


@pytest.mark.parametrize("why", ["turned off", "came", "left"])
def test_what_was_held_back_is_not_told_to_who_need_not_hear_it(night: Night, why: str) -> None:
    served, posts, table, people = night
    if why == "turned off":
        assert people[1].ask("PUT", "/api/me/notices", {"hours": _asleep()}).status == 200
    elif why == "came":
        people[1].sit(table).close()
    else:
        assert people[1].do(table, {"kind": "resign"}).status == 200
    served.stop()
    served.start()
    served.passes(2.5)
    until(lambda: _held(served) == 0)
    assert posts.empty()


def test_of_two_servers_one_tells_what_was_held_back_and_the_other_when_that_is_gone(
    postgres: str, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        receiver() as (port, posts),
        serving(tmp_path / "one", *told_at(port), database=postgres) as one,
        serving(tmp_path / "two", *told_at(port), database=postgres) as two,
    ):
        hook = f"http://127.0.0.1:{port}/hook"
        table, people = _waiting_for_bela(one, {"webhook": hook})
        assert "your move, Bela" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        elsewhere = Browser(two)
        elsewhere.key = people[0].key
        with elsewhere.sit(table):
            bela = _person_at(postgres, table, 1)
            for text in ("first", "second"):
                asyncio.run(_hold(postgres, bela, table, text))
                assert text in json.loads(posts.get(timeout=PATIENCE)[2])["content"]
                asyncio.run(_gone(postgres))
                assert posts.empty()
                one.kill()


async def _hold(url: str, person: str, table: str, text: str) -> None:
    database = database_at(url)
    await database.open()
    try:
        await HeldNotices(database, lambda: 0).keep(text, person, table, 0, NoticeWords(lines=(text,)))
    finally:
        await database.close()


async def _gone(url: str) -> None:
    """Wait until nothing is held back any more."""
    database = database_at(url)
    await database.open()
    try:
        while await database.read("SELECT 1 FROM held"):
            await asyncio.sleep(0.1)
    finally:
        await database.close()


def _person_at(url: str, table: str, seat: int) -> str:
    async def ask() -> str:
        database = database_at(url)
        await database.open()
        try:
            query = "SELECT person FROM seats WHERE game = ? AND seat = ?"
            return str((await database.read(query, table, seat))[0][0])
        finally:
            await database.close()

    return asyncio.run(ask())


def test_what_was_held_back_several_times_is_told_as_one_and_the_latest_is_not_cut() -> None:
    night = [NoticeWords(lines=(f"offer {n}",), offers=(f"d{n}",), move=n == 2, more=n % 2) for n in range(8)]
    words = gathered_words([*night, NoticeWords(deadline=7)])
    assert words.lines == tuple(f"offer {n}" for n in range(2, 8))
    assert (words.more, words.move, words.deadline, words.offers[:2]) == (4 + 2, True, 7, ("d7", "d6"))


def test_who_is_about_to_lose_a_seat_is_told_in_their_language(tmp_path: Path) -> None:
    with (
        receiver() as (port, posts),
        serving(tmp_path, *told_at(port)) as served,
    ):
        notices = {"webhook": f"http://127.0.0.1:{port}/hook", "language": "de"}
        table, people = _waiting_for_bela(served, notices)
        assert "du bist am Zug" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]
        found = Browser(served, "Bela")
        assert found.post(f"/api/tables/{table}/seat", {"seat": 1}).status == 204
        assert people[0].do(table, {"kind": "hand_over", "ask": 1}).status == 200
        assert "deinen Platz" in json.loads(posts.get(timeout=PATIENCE)[2])["content"]


def _waiting_for_bela(served: Served, notices: dict[str, Any]) -> tuple[str, list[Browser]]:
    people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
    reply = people[1].ask("PUT", "/api/me/notices", notices)
    assert reply.status == 200, reply.raw
    table = people[0].open(title="Friday")
    for person in people[1:]:
        person.join(table)
    people[0].do(table, {"kind": "start_game"})
    return table, people


def test_a_browser_is_reached_by_web_push_and_only_it_can_read(tmp_path: Path) -> None:
    browser, auth = ec.generate_private_key(CURVE), b"0123456789abcdef"
    with (
        receiver(201) as (port, posts),
        serving(tmp_path, *told_at(port)) as served,
    ):
        subscription = {
            "endpoint": f"http://127.0.0.1:{port}/push/7",
            "p256dh": base64url(point(browser.public_key())),
            "auth": base64url(auth),
        }
        _waiting_for_bela(served, {"push": subscription})
        path, headers, body = posts.get(timeout=PATIENCE)
        key = Browser(served).get("/api/push").json["key"]
    assert path == "/push/7"
    assert headers["content-encoding"] == "aes128gcm"
    assert "Bela" in json.loads(_opened(body, browser, auth))["body"]
    _check_signature(headers["authorization"], key, f"http://127.0.0.1:{port}")


def _subscription(port: int, name: str) -> dict[str, str]:
    key = base64url(point(ec.generate_private_key(CURVE).public_key()))
    return {"endpoint": f"http://127.0.0.1:{port}/{name}", "p256dh": key, "auth": base64url(b"0" * 16)}


def test_every_browser_is_told_until_its_key_has_ended(tmp_path: Path) -> None:
    with receiver(201) as (port, posts), serving(tmp_path, *told_at(port)) as served:

        def told() -> list[str]:
            assert desk.post("/api/me/notices/test").status == 200
            return sorted(posts.get(timeout=PATIENCE)[0] for _ in range(posts.qsize()))

        def saves(browser: Browser, name: str) -> None:
            push = _subscription(port, name)
            assert browser.ask("PUT", "/api/me/notices", {"push": push}).json["push"] == push

        desk = Browser(served, "Anna")
        saves(desk, "desk")
        code = desk.post("/api/me/codes").json["code"]
        phone = Browser(served)
        assert phone.post("/api/me/exchange", {"code": code}).status == 200
        assert phone.get("/api/me/notices").json == {}, "it knows of itself alone"
        saves(phone, "phone")
        saves(phone, "phone2")
        assert told() == ["/desk", "/phone2"]
        assert desk.get("/api/me/notices").json["push"]["endpoint"].endswith("/desk")

        recovery = desk.post("/api/me/recovery").json["code"]
        found = Browser(served)
        assert found.post("/api/me/recover", {"code": recovery}).status == 200
        desk = found
        assert told() == [], "nobody reads in a lost browser what is told"
        served.kill()
        served.start()
        saves(desk, "found")
        assert told() == ["/found"]
        assert desk.ask("DELETE", "/api/me/keys").status == 204
        assert told() == ["/found"]
        tablet = Browser(served)
        assert (
            tablet.post("/api/me/exchange", {"code": desk.post("/api/me/codes").json["code"]}).status == 200
        )
        saves(tablet, "tablet")
        assert told() == ["/found", "/tablet"]
        assert tablet.ask("DELETE", "/api/me").status == 204
        assert told() == ["/found"]


def test_notices_come_in_the_language_the_table_was_last_read_in(tmp_path: Path) -> None:
    with receiver() as (port, posts), serving(tmp_path, *told_at(port)) as served:
        table, people = full_table(served)
        bela, hook = people[1], {"webhook": f"http://127.0.0.1:{port}/hook"}
        assert bela.ask("PUT", "/api/me/notices", hook).json == hook
        bela.sit(table, language="de").close()
        until(lambda: bela.get("/api/me/notices").json == {**hook, "language": "de"})
        assert bela.post("/api/me/notices/test").json["taken"] == 1
        content = json.loads(posts.get(timeout=PATIENCE)[2])["content"]
    assert told_notice("test", "de") in content
    assert told_notice("test", "de") != told_notice("test", "en")


def test_a_browser_told_before_there_were_several_is_told_until_another_saves() -> None:
    old = msgspec.json.decode(
        b'{"push": {"endpoint": "e", "p256dh": "p", "auth": "a"}, "language": "de"}', type=StoredNotices
    )
    assert [one.endpoint for one in old.pushes] == ["e"]
    assert old.seen_from("key").push == old.push
    saved = old.saved_from("key", Notices(push=Subscription("f", "p", "a")))
    assert [one.endpoint for one in saved.pushes] == ["f"]
    assert old.without(()).pushes == ()
    many = saved
    for n in range(20):
        many = many.saved_from(f"key {n}", Notices(push=Subscription(f"{n}", "p", "a")))
    assert len(many.pushes) == MOST_BROWSERS
    assert many.without_browser(many.pushes[-1]).pushes == many.pushes[:-1]


def _opened(body: bytes, browser: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What the browser reads, by RFC 8291."""
    salt, length = body[:16], body[20]
    public, sealed = body[21 : 21 + length], body[21 + length :]
    shared = browser.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public))
    info = b"WebPush: info\0" + point(browser.public_key()) + public
    first = HKDF(SHA256(), 32, auth, info).derive(shared)
    key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(first)
    nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(first)
    note = AESGCM(key).decrypt(nonce, sealed, None)
    assert note.endswith(b"\x02")
    return note[:-1]


def _check_signature(header: str, key: str, audience: str) -> None:
    """What the push service checks, by RFC 8292; raises when it does not hold."""
    token, public = header.removeprefix("vapid t=").split(", k=")
    assert public == key
    signed, _, signature = token.rpartition(".")
    raw = unbase64url(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    known = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unbase64url(public))
    known.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    assert json.loads(unbase64url(signed.partition(".")[2]))["aud"] == audience


@pytest.mark.parametrize(
    "webhook",
    [
        "http://127.0.0.1:8000/x",
        "https://discord.com.evil.example/api",
        "http://discord.com/api",
        "https://user@discord.com/api",
        "https://discord.com:8443/api",
        "file:///etc/passwd",
        "https://[::1]/",
        "nonsense",
    ],
)
def test_notices_go_nowhere_the_operator_does_not_know(served: Served, webhook: str) -> None:
    person = Browser(served, "Anna")
    reply = person.ask("PUT", "/api/me/notices", {"webhook": webhook})
    assert (reply.status, reply.json["code"]) == (400, "bad_webhook")
    assert person.get("/api/me/notices").json == {}


def test_playing_hours_are_kept_with_the_notices(served: Served) -> None:
    person = Browser(served, "Anna")
    wanted = {
        "webhook": "https://discord.com/api/webhooks/1/x",
        "hours": {"begin": 480, "end": 1320, "offset": 60},
    }
    assert person.ask("PUT", "/api/me/notices", wanted).json == wanted


def test_playing_hours_are_known_again_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
        for person in people:
            person.ask("PUT", "/api/me/notices", {"hours": {"begin": 0, "end": 1}})  # a minute a day
        table = people[0].open(pace="async", clock={"trade": 600, "step": 7200})
        for person in people[1:]:
            person.join(table)
        people[0].do(table, {"kind": "start_game"})
        served.kill()
        served.start()
        for person in people[:3]:
            assert person.do(table, {"kind": "done"}).status == 200
        here = people[0].get(f"/api/tables/{table}").json
        assert here["view"]["step"] != "trade"
        assert here["table"]["due"] - here["now"] > 100 * 24 * 3600 * 1000


def test_a_game_over_days_gives_each_person_their_own_hours(served: Served) -> None:
    people_hours = {"begin": 0, "end": 60, "offset": 0}  # one hour a day
    people = [Browser(served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
    people[1].ask("PUT", "/api/me/notices", {"hours": people_hours})
    table = people[0].open(pace="async", clock={"trade": 7200, "step": 7200})
    for person in people[1:]:
        person.join(table)
    people[0].do(table, {"kind": "start_game"})
    here = people[0].get(f"/api/tables/{table}").json
    assert here["table"]["due"] - here["now"] > 20 * 3600 * 1000, "two hours of play take Bela at least a day"
    ordinary, others = full_table(served, pace="async", clock={"trade": 7200, "step": 7200})
    here = others[0].get(f"/api/tables/{ordinary}").json
    assert here["table"]["due"] - here["now"] <= 7_200_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_webhook_leads_nowhere_else(tmp_path: Path, status: int) -> None:
    with (
        receiver() as (inside, secret),
        receiver(status, f"http://127.0.0.1:{inside}/secret") as (port, posts),
        serving(tmp_path, "--webhooks", f"127.0.0.1:{port}") as served,
    ):
        anna = Browser(served, "Anna")
        anna.ask("PUT", "/api/me/notices", {"webhook": f"http://127.0.0.1:{port}/hook"})
        assert anna.post("/api/me/notices/test").json["taken"] == 0
        assert posts.qsize() == 1
        assert secret.empty()


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["169.254.169.254"],
        ["192.168.1.1"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["::1"],
        ["fd00::1"],
        ["fe80::1%lo"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::1"],
        ["fec0::1"],  # site-local, as some old networks still are
        ["::7f00:1"],
        ["::ffff:0:7f00:1"],
        ["64:ff9b:1::a00:1"],  # translated by a network's own rule
        ["2a00:1450::5efe:a00:1"],  # tunnelled
        ["2a00:1450::200:5efe:192.168.0.1"],
        ["8.8.8.8", "127.0.0.1"],
    ],
)
def test_a_public_name_that_answers_a_private_address_is_not_followed(
    answers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as (port, posts):

        def looked_up(host: str, asked: int, **_: Any) -> list[Any]:
            kinds = [(socket.AF_INET6 if ":" in one else socket.AF_INET, one) for one in answers]
            return [(kind, socket.SOCK_STREAM, 6, "", (one, port)) for kind, one in kinds]

        monkeypatch.setattr(socket, "getaddrinfo", looked_up)
        with pytest.raises(Private):
            post(f"http://hooks.example:{port}/hook", b"{}", {}, PATIENCE)
        assert posts.empty()


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808", "2002:808:808::1"]
)
def test_addresses_of_the_whole_internet_are_reached(address: str) -> None:
    assert is_public(address)


def test_where_the_operator_named_host_and_port_a_private_address_is_taken() -> None:
    with receiver() as (port, posts):
        body = b'{"content":"x"}'
        assert post(f"http://127.0.0.1:{port}/hook?wait=true", body, {}, PATIENCE, private=True) == 204
        path, headers, came = posts.get(timeout=PATIENCE)
        assert (path, came, headers["host"]) == ("/hook?wait=true", body, f"127.0.0.1:{port}")

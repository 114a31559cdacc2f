"""The bot API: tokens with scopes, streams as lines, seats that are marked, budgets of one's own."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elysian import __version__
from elysian.record import check, load
from tools.drive.bots import Bot, cautious, made
from tools.drive.server import Browser, Served, full_table, serving
from tools.drive.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {"python": [sys.executable, "examples/bot.py"], "javascript": ["node", "examples/bot.mjs"]}


def requests_of(served: Served) -> int:
    lines = Browser(served).get("/metrics").raw.decode().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("elysian_requests_total "))


# ---------------------------------------------------------------- tokens


def test_a_token_is_told_once_and_kept_only_as_a_digest(served: Served) -> None:
    anna = Browser(served, "Anna")
    reply = anna.post("/api/me/tokens", {"name": "Botty", "scopes": ["play", "read"]})
    secret = reply.json["token"]
    assert len(secret) >= 43 + len("elysian_")
    assert reply.json["of"]["scopes"] == ["read", "play"]
    listed = anna.get("/api/me/tokens")
    assert [one["name"] for one in listed.json] == ["Botty"]
    assert secret not in listed.raw.decode()
    database = sqlite3.connect(served.folder / "tables.db")
    rows = repr(database.execute("SELECT * FROM tokens").fetchall())
    database.close()
    assert listed.json[0]["id"] in rows
    assert secret not in rows
    assert secret not in served.log()
    assert Bot(served, secret).get("/api/me").json["name"] == "Botty"
    assert anna.get("/api/me/tokens").json[0]["used"] is not None


def test_a_revoked_token_opens_nothing_and_ends_its_streams(served: Served) -> None:
    table, people = full_table(served)
    bot = made(people[0])
    with bot.stream() as own, bot.stream(f"/api/tables/{table}/stream") as at_table:
        own.until("seats")
        at_table.until("welcome")
        (mine,) = people[0].get("/api/me/tokens").json
        assert people[0].ask("DELETE", f"/api/me/tokens/{mine['id']}").status == 204
        assert own.until("ended")["code"] == at_table.until("ended")["code"] == 4401
    reply = bot.get("/api/me")
    assert (reply.status, reply.json["code"]) == (401, "bad_token")
    assert people[0].get("/api/me/tokens").json == []
    again = people[0].ask("DELETE", f"/api/me/tokens/{mine['id']}")
    assert (again.status, again.json["code"]) == (404, "no_such_token")


def test_a_token_does_only_what_its_scopes_say(served: Served) -> None:
    anna = Browser(served, "Anna")
    table = anna.open(open_to_bots=True)
    reads, plays, hosts = made(anna, "R", "read"), made(anna, "P", "read", "play"), made(anna, "H", "host")
    refused = reads.join(table)
    assert (refused.status, refused.json["code"]) == (403, "scope_needed")
    assert "play" in refused.json["sentence"]
    assert reads.get(f"/api/tables/{table}").status == 200
    assert plays.join(table).status == 200
    assert plays.post("/api/tables").json["code"] == "scope_needed"
    assert hosts.post("/api/tables").status == 200
    assert hosts.get("/api/seats").json["code"] == "scope_needed"
    assert anna.post("/api/me/tokens", {"name": "X", "scopes": ["fly"]}).status == 400


def test_an_account_is_its_persons_alone(served: Served) -> None:
    bot = made(Browser(served, "Anna"), "Botty", "read", "play", "host")
    for method, path in (
        ("GET", "/api/me/tokens"),
        ("POST", "/api/me/tokens"),
        ("POST", "/api/me"),
        ("DELETE", "/api/me"),
        ("POST", "/api/me/codes"),
        ("GET", "/api/me/notices"),
        ("GET", "/api/me/games"),
    ):
        reply = bot.ask(method, path, {} if method == "POST" else None)
        assert (reply.status, reply.json["code"]) == (403, "person_needed"), path


def test_nobody_has_any_number_of_tokens(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"tokens": 2, "tokens_a_day": 4}) as served:
        anna, bela = Browser(served, "Anna"), Browser(served, "Bela")
        made(anna), made(anna)
        reply = anna.post("/api/me/tokens", {"name": "Third"})
        assert (reply.status, reply.json["code"]) == (409, "too_many_tokens")
        made(bela)
        assert bela.post("/api/me/tokens", {"name": "Fifth of this address"}).status == 429


# ---------------------------------------------------------------- seats


def test_a_bot_takes_a_seat_where_bots_are_asked_for_or_it_is_invited(served: Served) -> None:
    anna = Browser(served, "Anna")
    closed, opened = anna.open(), anna.open(open_to_bots=True, title="Bots welcome")
    bot = made(anna)
    refused = bot.join(closed)
    assert (refused.status, refused.json["code"]) == (403, "bots_not_asked")
    invitation = anna.get(f"/api/tables/{closed}").json["table"]["invitation"]
    assert bot.join(closed, invitation=invitation).status == 200
    seats = {one["table"]: one for one in bot.get("/api/seats").json}
    assert seats[opened]["free"] == [1, 2, 3]
    assert closed not in seats
    with bot.stream() as stream:
        assert opened in [one["table"] for one in stream.until("seats")["tables"]]
        assert bot.join(opened).status == 200
        told = stream.until("table", table=opened)
        assert (told["seat"], told["status"], told["title"]) == (1, "waiting", "Bots welcome")
        for told in stream:
            free = [one["free"] for one in told.get("tables", ()) if one["table"] == opened]
            if free == [[2, 3]]:
                break
    named = bot.join(anna.open(open_to_bots=True), name="Somebody else")
    assert (named.status, named.json["code"]) == (400, "bot_name")


def test_a_bot_is_marked_at_the_table_in_its_log_and_in_the_record(served: Served) -> None:
    anna = Browser(served, "Anna")
    table = anna.open(bots={"2": "fair", "3": "random"}, open_to_bots=True)
    bot = made(anna)
    assert bot.join(table, version="tester 1.0").status == 200
    faces = anna.get(f"/api/tables/{table}").json["table"]["seats"]
    assert [face["program"] for face in faces] == [None, "tester 1.0", None, None]
    lines = anna.get(f"/api/tables/{table}/log?since=0").json["lines"]
    taken = [event for line in lines for event in line["events"] if event["kind"] == "seat_taken"]
    assert [event.get("program") for event in taken] == [None, "tester 1.0"]
    assert anna.do(table, {"kind": "start_game"}).status == 200
    both_play_to_the_end(anna, bot, table)
    record = load(anna.get(f"/api/tables/{table}/record").raw)
    assert check(record) == []
    assert [(one.name, one.version) for one in record.head.players] == [
        ("Anna", ""),
        ("Botty", "tester 1.0"),
        ("fair", f"elysian {__version__}"),
        ("random", f"elysian {__version__}"),
    ]


def both_play_to_the_end(anna: Browser, bot: Bot, table: str) -> None:
    """The bot does what it is told is needed, the person what there is to do."""
    helper = threading.Thread(target=play, args=(bot, table))
    helper.start()
    while True:
        state = anna.get(f"/api/tables/{table}").json
        if state["table"]["status"] == "over":
            break
        options = anna.get(f"/api/tables/{table}/options").json
        action = cautious({"options": options})
        if action is not None and 0 in state["view"]["waiting"]:
            anna.do(table, action)
    helper.join(PATIENCE)
    assert not helper.is_alive()


def play(bot: Bot, table: str, until: Callable[[dict[str, Any]], bool] = lambda told: False) -> None:
    """Do what is needed until the game is over."""
    with bot.stream() as stream:
        for told in stream:
            if told["kind"] == "table" and told["status"] == "over":
                return
            if told["kind"] != "needs" or not told["waited"]:
                continue
            if until(told):
                return
            action = cautious(told)
            if action is not None:
                bot.do(table, action)


# ---------------------------------------------------------------- streams


def test_the_stream_of_a_table_tells_what_its_socket_tells(served: Served) -> None:
    table, people = full_table(served)
    bot = made(people[0])
    path = f"/api/tables/{table}/stream?since=0"
    with Browser(served).sit(table, since=0) as socket, bot.stream(path) as same:
        assert same.answer.getheader("content-type") == "application/x-ndjson"
        streamed = []
        for told in same:
            streamed.append(told)
            if told["kind"] == "welcome":  # before that it would be among what was missed
                assert people[1].do(table, {"kind": "done"}).status == 200
            if told["kind"] == "update":
                break
        socket.until("update")
    lines = ("missed", "update")
    assert [one for one in streamed if one["kind"] in lines] == [
        one for one in socket.messages if one["kind"] in lines
    ]
    (welcome,) = (one for one in streamed if one["kind"] == "welcome")
    assert welcome["view"] == socket.messages[1]["view"]


def test_a_need_is_told_once_with_what_can_be_done(served: Served) -> None:
    anna = Browser(served, "Anna")
    table = anna.open(seats=4, open_to_bots=True, bots={"2": "random", "3": "random"})
    bot = made(anna)
    bot.join(table)
    with bot.stream("/api/stream?view=true") as stream:
        stream.until("table", status="waiting")
        anna.do(table, {"kind": "start_game"})
        stream.until("table", status="playing")
        needs = stream.until("needs", table=table)
        assert (needs["seat"], needs["turn"], needs["step"], needs["waited"]) == (1, 1, "trade", True)
        assert needs["view"]["seat"] == 1
        assert {"kind": "done"} in [choice["action"] for choice in needs["options"]["choices"]]
        note = [{"kind": "note", "text": "hello"}]
        offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": note}
        assert anna.do(table, offer).status == 200
        for needs in stream:
            if needs["kind"] == "needs" and any(d["proposer"] == 0 for d in needs["view"]["deals"].values()):
                break
        kinds = [choice["action"]["kind"] for choice in needs["options"]["choices"]]
        assert "accept_deal" in kinds


def test_a_stream_ends_when_it_is_asked_to_and_says_so(served: Served) -> None:
    bot = made(Browser(served, "Anna"))
    with bot.stream("/api/stream?seconds=0") as stream:
        told = list(stream)
    assert [one["kind"] for one in told] == ["seats", "ended"]
    assert told[-1]["code"] == 1000
    for path in ("/api/stream?seconds=soon", "/api/tables/x/stream", "/api/stream"):
        reply = bot.get(path) if path != "/api/stream" else Browser(served).get(path)
        assert reply.status in (400, 401, 404), path
        assert reply.json["sentence"].endswith(".")
    assert bot.ask("HEAD", "/api/stream").status == 200


def test_a_bot_talks_and_types_offers_as_on_the_socket(served: Served) -> None:
    anna = Browser(served, "Anna")
    table = anna.open(species="random", open_to_bots=True, bots={"2": "random", "3": "random"})
    bot = made(anna)
    bot.join(table)
    with anna.sit(table) as seat:
        assert bot.post(f"/api/tables/{table}/say", {"id": "hello-all", "text": "hello"}).status == 200
        assert seat.until_event("said")["text"] == "hello"
        anna.do(table, {"kind": "start_game"})
        seat.until_event("play_began")
        reply = bot.post(f"/api/tables/{table}/say", {"id": "offer-one", "text": "/offer nonsense > none"})
        assert (reply.status, reply.json["code"]) == (409, "bad_offer")


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_example_plays_a_whole_game_without_polling(served: Served, language: str) -> None:
    """At most forty lines, at most sixty requests."""
    command = EXAMPLES[language]
    assert len((ROOT / command[1]).read_text(encoding="utf-8").splitlines()) <= 40
    anna = Browser(served, "Anna")
    token = anna.post("/api/me/tokens", {"name": "Example"}).json["token"]
    levels = {"1": "fair", "2": "random", "3": "fair"}
    with Browser(served).sit(anna.open(seat=None, bots=levels, open_to_bots=True)) as watching:
        before = requests_of(served)
        client = subprocess.Popen(
            [*command, served.origin, token], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            watching.until_event("seat_taken")
            assert anna.do(watching.table_id, {"kind": "start_game"}).status == 200
            points, problems = client.communicate(timeout=4 * PATIENCE)
        finally:
            client.kill()
        asked = requests_of(served) - before - 2  # the start, and the look at the count
    assert problems == b""
    assert float(points) > 0
    assert asked <= 60, asked


# ---------------------------------------------------------------- budgets


def test_fifty_bots_of_one_address_are_none_too_many(tmp_path: Path) -> None:
    """With the limits as they are, but for the tables somebody opens for them; people notice nothing."""
    with serving(tmp_path, limits={"tables": 20, "sockets": 5}) as served:
        anna = Browser(served, "Anna")
        bots = [made(anna, f"Botty {n}") for n in range(48)]
        tables = [anna.open(seat=None, species="random", open_to_bots=True) for _ in range(12)]

        def one(n: int) -> None:
            table = tables[n // 4]
            assert bots[n].join(table).status == 200
            with bots[n].stream() as stream:
                stream.until("table", table=table)
                joined.wait(PATIENCE)
                needs = stream.until("needs", table=table)
                while (needs["turn"], needs["step"]) != (2, "bid"):
                    action = cautious(needs) if needs["waited"] else None
                    if action is not None:
                        bots[n].do(table, action)
                    needs = stream.until("needs", table=table)
                reached.append(n)

        joined = threading.Barrier(len(bots) + 1)
        reached: list[int] = []
        threads = [threading.Thread(target=one, args=(n,)) for n in range(len(bots))]
        for thread in threads:
            thread.start()
        joined.wait(PATIENCE)
        assert [anna.do(table, {"kind": "start_game"}).status for table in tables] == [200] * 12
        for thread in threads:
            thread.join(PATIENCE)
        statuses = [status for bot in bots for status in bot.statuses]
        assert len(reached) == len(bots)
        assert len(statuses) > 300, "more than one address may ask for in a minute"
        assert 429 not in statuses
        assert anna.get("/api/me").status == 200


def test_a_bot_that_asks_too_much_is_alone_in_that(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"requests": 20}) as served:
        anna = Browser(served, "Anna")
        greedy, modest = made(anna, "Greedy"), made(anna, "Modest")
        assert [greedy.get("/api/seats").status for _ in range(21)] == [200] * 20 + [429]
        assert modest.get("/api/seats").status == anna.get("/api/me").status == 200


def test_a_bot_has_only_so_many_streams(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"streams": 2}) as served:
        bot = made(Browser(served, "Anna"))
        with bot.stream() as one, bot.stream() as two:
            one.until("seats"), two.until("seats")
            assert bot.get("/api/stream").status == 429


def test_unknown_tokens_are_tried_only_so_often(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"tries": 3}) as served:
        statuses = [Bot(served, f"elysian_{n}").get("/api/seats").status for n in range(5)]
        assert statuses == [401] * 3 + [429] * 2
        assert json.loads(Browser(served).get("/api/me").raw)["name"] is None

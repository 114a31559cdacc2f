"""Tables: opening, joining, leaving, watching, species, the host's powers, rematch and continuing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from elysian.deck import CATALOG
from elysian.record import Record, dump, load
from tests.support.server.seats import closed
from tools.drive.server import Browser, Served, full_table, serving

GAMES = Path(__file__).resolve().parents[2] / "games"
BOTS = {"1": "random", "2": "random", "3": "random"}


def test_a_table_is_opened_joined_and_listed(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open(title="Friday")
    assert table in [one["table"] for one in guest.get("/api/tables").json]
    joined = guest.join(table, seat=2)
    assert joined.json["seat"] == 2
    assert guest.join(table).json["seat"] == 2, "joining again is harmless"
    seats = guest.get(f"/api/tables/{table}").json["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Anna", "", "Bela", ""]
    assert [one["table"] for one in guest.get("/api/me").json["tables"]] == [table]


def test_a_taken_seat_a_full_table_and_a_begun_game_are_refused(served: Served) -> None:
    table, _ = full_table(served)
    late = Browser(served, "Zoe")
    assert late.join(table).json["code"] == "already_begun"
    host = Browser(served, "Anna")
    table = host.open(bots=BOTS)
    assert late.join(table, seat=0).json["code"] == "seat_taken"
    assert late.join(table, seat=7).json["code"] == "no_such_seat"
    assert late.join(table).json["code"] == "table_full"
    assert late.join("nowhere").status == 404


@pytest.mark.parametrize("name", ["anna", "Anna ", "ANNA", "Аnnа", "A\u200bnna", "Ann\u0430", "\u202eanna"])
def test_a_name_that_looks_like_another_is_refused(served: Served, name: str) -> None:
    table = Browser(served, "Anna").open()
    reply = Browser(served).join(table, name=name)
    assert reply.json["code"] in ("name_taken", "bad_name")


def test_an_invitation_opens_a_closed_table(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    opened = host.post("/api/tables", {"options": {"public": False}}).json
    table, invitation = opened["table"], opened["invitation"]
    assert table not in [one["table"] for one in guest.get("/api/tables").json]
    assert guest.get(f"/api/tables/{table}").status == 404
    assert guest.join(table).json["code"] == "not_invited"
    assert guest.join(table, invitation="wrong").json["code"] == "not_invited"
    assert guest.join(table, watch=True, invitation=invitation).json["seat"] is None
    assert guest.get(f"/api/tables/{table}").json["table"]["invitation"] == ""
    assert guest.join(table, invitation=invitation).json["seat"] == 1


def test_species_are_chosen_within_exclusions_and_difficulty(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    easy = [name for name, facts in CATALOG.species.items() if facts.difficulty <= 3]
    hard = next(name for name in CATALOG.species if name not in easy)
    table = host.open(hardest=3, exclude=[easy[0]])
    guest.join(table)
    assert host.do(table, {"kind": "choose_species", "species": hard}).json["code"] == "species_not_allowed"
    assert (
        host.do(table, {"kind": "choose_species", "species": easy[0]}).json["code"] == "species_not_allowed"
    )
    assert host.do(table, {"kind": "choose_species", "species": "martians"}).json["code"] == "no_such_species"
    assert host.do(table, {"kind": "choose_species", "species": easy[1]}).status == 200
    assert guest.do(table, {"kind": "choose_species", "species": easy[1]}).json["code"] == "species_taken"
    for seat in (2, 3):
        assert host.do(table, {"kind": "add_bot", "seat": seat, "level": "random"}).status == 200
    assert host.do(table, {"kind": "start_game"}).status == 200
    players = host.get(f"/api/tables/{table}").json["view"]["players"]
    assert players[0]["species"] == easy[1]
    assert {player["species"] for player in players} <= set(easy[1:])
    assert host.post("/api/tables", {"options": {"hardest": 1}}).json["code"] == "too_few_species"


def test_a_draft_goes_round_and_bots_pick_at_once(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open(species="draft", bots={"2": "random", "3": "random"})
    guest.join(table)
    assert host.do(table, {"kind": "choose_species", "species": "unity"}).json["code"] == "species_by_chance"
    host.do(table, {"kind": "start_game"})
    people = [host, guest]
    for _ in range(2):
        now = host.get(f"/api/tables/{table}").json["table"]
        turn = now["order"][0]
        taken = [seat["species"] for seat in now["seats"]]
        free = next(name for name in CATALOG.species if name not in taken)
        assert (
            people[1 - turn].do(table, {"kind": "choose_species", "species": free}).json["code"]
            == "not_your_pick"
        )
        assert people[turn].do(table, {"kind": "choose_species", "species": free}).status == 200
    after = host.get(f"/api/tables/{table}").json
    assert after["table"]["status"] == "playing"
    assert [p["species"] for p in after["view"]["players"]] == [s["species"] for s in after["table"]["seats"]]


def test_the_host_alone_changes_the_table_and_only_before_the_start(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open()
    guest.join(table)
    change = {"kind": "change_table", "options": {"seats": 5, "title": "Five"}}
    assert guest.do(table, change).json["code"] == "host_only"
    assert host.do(table, change).status == 200
    assert len(guest.get(f"/api/tables/{table}").json["table"]["seats"]) == 5
    assert host.do(table, {"kind": "change_table", "options": {"seats": 3}}).json["code"] == "bad_seats"
    assert host.do(table, {"kind": "start_game"}).json["code"] == "seats_free"
    table, people = full_table(served)
    assert people[0].do(table, change).json["code"] == "already_begun"
    assert people[0].do(table, {"kind": "remove", "seat": 0}).json["code"] == "already_begun"


def test_a_removed_person_loses_seat_and_socket(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open()
    guest.join(table)
    with guest.sit(table) as seat:
        host.do(table, {"kind": "remove", "seat": 1})
        assert closed(seat) == 4403
    assert guest.get(f"/api/tables/{table}").status == 404
    invitation = host.get(f"/api/tables/{table}").json["table"]["invitation"]
    assert guest.join(table, invitation=invitation).json["code"] == "barred", "a removed guest stays out"
    assert guest.do(table, {"kind": "readmit"}).status == 404
    assert host.get(f"/api/tables/{table}").json["table"]["barred"] == 1
    assert host.do(table, {"kind": "readmit"}).status == 200
    assert guest.join(table, invitation=invitation).status == 200, "until the host lets them come again"


def test_who_is_removed_from_a_game_is_gone_for_good_and_a_bot_plays_on(served: Served) -> None:
    table, (host, guest, other, *_) = full_table(served, public=False)
    with guest.sit(table) as seat:
        assert other.do(table, {"kind": "remove", "seat": 1}).json["code"] == "host_only"
        assert host.do(table, {"kind": "remove", "seat": 1}).status == 200
        assert closed(seat) == 4403
    face = host.get(f"/api/tables/{table}").json["table"]
    assert face["seats"][1]["bot"]
    assert guest.join(table, invitation=face["invitation"], watch=True).json["code"] == "barred"
    assert guest.do(table, {"kind": "done"}).status == 404
    assert host.do(table, {"kind": "remove", "seat": 1}).json["code"] == "already_begun", "a bot stays"


def test_when_the_host_leaves_the_next_person_is_host(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open()
    guest.join(table)
    assert host.do(table, {"kind": "leave"}).status == 200
    assert guest.do(table, {"kind": "add_bot", "seat": 3, "level": "random"}).status == 200
    assert host.join(table).json["seat"] == 0, "one may come back"


def test_a_person_moves_to_another_seat_and_the_socket_follows(served: Served) -> None:
    host = Browser(served, "Anna")
    table = host.open()
    with host.sit(table) as seat:
        assert seat.do("sit", seat=3)["kind"] == "accepted"
        assert seat.you == 3
        assert seat.do("choose_species", species="unity")["kind"] == "accepted"
        assert seat.table["seats"][3]["species"] == "unity"


def test_a_paused_game_stands_still(served: Served) -> None:
    table, people = full_table(served)
    assert people[1].do(table, {"kind": "pause"}).json["code"] == "host_only"
    assert people[0].do(table, {"kind": "pause"}).status == 200
    assert people[1].do(table, {"kind": "done"}).json["code"] == "paused"
    assert people[0].do(table, {"kind": "pause"}).json["code"] == "already_paused"
    assert people[0].do(table, {"kind": "resume"}).status == 200
    assert people[1].do(table, {"kind": "done"}).status == 200


def test_a_table_that_was_closed_takes_no_more_moves(served: Served) -> None:
    table, people = full_table(served)
    assert people[0].do(table, {"kind": "end_table"}).status == 200
    assert people[1].do(table, {"kind": "done"}).json["code"] == "table_ended"
    assert people[1].do(table, {"kind": "resign"}).json["code"] == "table_ended"


def test_who_resigns_is_followed_by_a_bot_and_may_watch(served: Served) -> None:
    table, people = full_table(served, cover_level="random")
    with people[1].sit(table) as leaver, people[0].sit(table) as host:
        leaver.send(kind="do", action={"kind": "resign"})
        assert closed(leaver) == 4403
        host.until_event("resigned")
        assert host.table["seats"][1]["bot"] == "random"
        with people[1].sit(table) as watcher:
            assert watcher.you is None
            assert watcher.do("done")["code"] == "not_seated"


def test_a_table_that_may_not_be_watched_is_not_there_for_others(served: Served) -> None:
    table, _ = full_table(served, watchers=False)
    assert Browser(served).get(f"/api/tables/{table}").status == 404
    assert Browser(served, "Zoe").join(table, watch=True).json["code"] == "no_watchers"


def record_of(name: str) -> str:
    return (GAMES / name).read_text(encoding="utf-8")


def test_a_game_goes_on_from_a_record(served: Served) -> None:
    host = Browser(served, "Anna")
    lines = record_of("4-players-2020-2.jsonl")
    asked = {"options": {"title": "Again"}, "from": {"record": lines, "n": 40}, "bots": BOTS}
    table = host.post("/api/tables", asked).json["table"]
    here = host.get(f"/api/tables/{table}").json
    assert here["table"]["status"] == "waiting"
    assert here["view"]["turn"] >= 1
    assert host.do(table, {"kind": "done"}).json["code"] == "not_playing"
    assert host.do(table, {"kind": "choose_species", "species": "unity"}).json["code"] == "fixed_by_record"
    assert host.do(table, {"kind": "start_game"}).status == 200
    species = json.loads(lines.splitlines()[0])["started"]["settings"]["species"]
    assert [seat["species"] for seat in here["table"]["seats"]] == species


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-40],
        lambda text: "{}",
        lambda text: text.replace('"colony_track":["', '"colony_track":["no-', 1),
        lambda text: text.replace('"allow_three":false', "", 1).replace('"species":["', '"species":["no-', 1),
        lambda text: text.replace('"n":3,', '"n":4,', 1),
    ],
)
def test_a_record_from_which_no_game_can_go_on_is_refused(served: Served, spoil) -> None:
    host = Browser(served, "Anna")
    reply = host.post("/api/tables", {"from": {"record": spoil(record_of("4-players-2020-2.jsonl"))}})
    assert (reply.status, reply.json["code"]) == (400, "bad_record")


def rich(text: str) -> str:
    """A beginning in which the first seat has 900 of everything."""
    head, rest = text.split("\n", 1)
    started = json.loads(head)
    stock = started["started"]["players"][0]["stock"]
    started["started"]["players"][0]["stock"] = dict.fromkeys([*stock, "green", "ultratech"], 900)
    return json.dumps(started) + "\n" + rest


def otherwise(text: str) -> str:
    """A game in which an action came to nothing that today's rules would let it come to."""
    record = load(text.encode())
    entries = list(record.entries)
    place = next(n for n, entry in enumerate(entries) if entry.events)
    entries[place] = replace(entries[place], seat=None if entries[place].seat is not None else 0)
    return dump(Record(record.head, entries)).decode()


@pytest.mark.parametrize(
    ("change", "standing"), [(rich, "edited"), (otherwise, "superseded"), (str, "proved")]
)
def test_a_game_that_goes_on_from_a_record_is_shown_for_what_it_is_and_never_counts(
    tmp_path: Path, change: Callable[[str], str], standing: str
) -> None:
    """Nothing in a record is believed: it is dealt and decided again, and does not count."""
    with serving(tmp_path, "--bot-pace", "0.001") as served:
        host = Browser(served, "Anna")
        record = change(record_of("4-players-2020-2.jsonl"))
        asked = {"from": {"record": record}, "seat": None, "bots": {str(n): "random" for n in range(4)}}
        reply = host.post("/api/tables", asked)
        assert reply.status == 200, reply.raw
        table = reply.json["table"]
        assert host.get(f"/api/tables/{table}").json["table"]["standing"] == standing
        with host.sit(table) as watcher:
            host.do(table, {"kind": "start_game"})
            watcher.until_event("game_scored")
        assert host.get("/api/statistics").json == {"games": 0, "lines": []}
        with closing(sqlite3.connect(tmp_path / "tables.db")) as connection:
            assert connection.execute("SELECT DISTINCT counts FROM results").fetchall() == [(0,)]


def test_a_rematch_gathers_the_same_people(served: Served) -> None:
    table, people = full_table(served, public=False)
    assert people[0].post(f"/api/tables/{table}/rematch").json["code"] == "rematch_open"
    people[0].do(table, {"kind": "end_table"})
    with people[1].sit(table) as seat:
        first = people[0].post(f"/api/tables/{table}/rematch").json
        event = seat.until_event("rematch_opened")
        assert event["table"] == first["table"] != table
        assert people[1].post(f"/api/tables/{table}/rematch").json["table"] == first["table"]
    seats = people[0].get(f"/api/tables/{first['table']}").json["table"]["seats"]
    assert [seat["name"] for seat in seats[:2]] == ["Anna", "Bela"]


def test_a_rematch_asked_for_by_all_at_once_is_one_table(served: Served) -> None:
    table, people = full_table(served)
    people[0].do(table, {"kind": "end_table"})
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda person: person.post(f"/api/tables/{table}/rematch"), people))
    assert [reply.status for reply in replies] == [200] * 4
    (new,) = {reply.json["table"] for reply in replies}
    seats = people[0].get(f"/api/tables/{new}").json["table"]["seats"]
    assert sorted(seat["name"] for seat in seats) == ["Anna", "Bela", "Cleo", "Dora"]
    waiting = [one for one in people[3].get("/api/me").json["tables"] if one["status"] == "waiting"]
    assert [one["table"] for one in waiting] == [new]

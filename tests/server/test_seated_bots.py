"""Bots in seats: they play on by themselves, wait for people, cover for them and hand back at once."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from elysian.deck import CATALOG
from elysian.messages import load as load_words
from elysian.record import check, load
from tools.drive.server import Browser, Seat, Served, full_table, serving
from tools.drive.waiting import until

ROOT = Path(__file__).resolve().parents[2]
RANDOM = {"1": "random", "2": "random", "3": "random"}


def test_a_table_of_bots_plays_by_itself_and_its_record_is_by_the_rules(served: Served) -> None:
    host = Browser(served, "Anna")
    table = host.open(seat=None, bots={"0": "random", **RANDOM})
    with Browser(served).sit(table) as watcher:
        assert host.do(table, {"kind": "start_game"}).status == 200
        assert host.get(f"/api/tables/{table}/record").json["code"] == "game_on"
        watcher.until_event("game_scored")
        assert watcher.view["step"] == "over"
        assert watcher.view == host.get(f"/api/tables/{table}").json["view"]
    record = load(host.get(f"/api/tables/{table}/record").raw)
    assert check(record) == []
    assert len(record.entries) > 50
    statistics = host.get("/api/statistics").json
    assert statistics["games"] >= 1
    assert all(line["games"] >= 1 and line["species"] for line in statistics["lines"])
    again = host.post("/api/tables", {"from": {"table": table, "n": 60}, "bots": RANDOM})
    assert again.status == 200
    assert host.get(f"/api/tables/{again.json['table']}").json["view"]["step"] != "over"


def test_bots_that_say_nothing_keep_their_word_and_the_table_goes_on(tmp_path: Path) -> None:
    """TRADE-10: two seats owe an invention before they may be done; in this game no bot ever went on."""
    silent = "tests.support.odd_players:Silent"
    lines = (ROOT / "tests" / "stored" / "owed-deeds.jsonl").read_text(encoding="utf-8")
    asked = {"from": {"record": lines}, "seat": None, "bots": {str(seat): silent for seat in range(4)}}
    with serving(tmp_path, "--bot-pace", "0", "--bots", silent) as served:
        host = Browser(served, "Anna")
        table = host.post("/api/tables", asked).json["table"]
        with host.sit(table, since=0) as watcher:
            assert host.do(table, {"kind": "start_game"}).status == 200
            while watcher.view is None or watcher.view["step"] != "plan":
                watcher.next()
            assert {event["by"] for event in watcher.events("technology_invented")} == {0, 3}
            assert len(watcher.events("obligation_kept")) == 2


def test_a_bot_whose_thought_comes_too_late_thinks_again_and_the_table_goes_on(tmp_path: Path) -> None:
    """It was refused because the table had gone on: that says nothing about what it can do now."""
    late, plain = (f"tests.support.odd_players:{name}" for name in ("Late", "Plain"))
    bots = {"0": plain, "1": plain, "2": plain, "3": late}
    with serving(tmp_path, "--bot-pace", "0", "--bots", f"{late},{plain}", "--bot-processes", "4") as served:
        host = Browser(served, "Anna")
        table = host.open(seat=None, bots=bots)
        with host.sit(table) as watcher:
            assert host.do(table, {"kind": "start_game"}).status == 200
            while watcher.view is None or watcher.view["turn"] < 2:
                watcher.next()


def test_a_bot_that_is_asked_something_does_not_first_think_of_what_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thought still stood in line, behind all that people wait for; the person waited for that too."""
    monkeypatch.setenv("GATE", str(tmp_path))
    gated = "tests.support.odd_players:Gated"
    with serving(tmp_path, "--bot-pace", "0", "--bots", gated, "--bot-processes", "1") as served:
        host = Browser(served, "Anna")
        table = host.open(bots=dict.fromkeys("123", gated))
        with host.sit(table) as seat:
            assert host.do(table, {"kind": "start_game"}).status == 200
            until(lambda: any(tmp_path.glob("seat *")))  # one thinks; by then the others stand in line
            (thinks,) = (int(path.name.removeprefix("seat ")) for path in tmp_path.glob("seat *"))
            asked = thinks % 3 + 1
            clause = {"kind": "note", "text": "hello"}
            assert seat.do("propose_deal", parties=[0, asked], clauses=[clause])["kind"] == "accepted"
            (tmp_path / "open").touch()
            assert seat.until_event("deal_declined")["by"] == asked
        assert (tmp_path / f"seat {asked}").read_text().split()[0] == "1", "of what it was asked"


def test_a_bot_that_wants_what_is_refused_answers_whoever_waits_for_it_all_the_same(tmp_path: Path) -> None:
    """A counter-offer that was not open was the last a person heard, until something else happened."""
    mistaken = "tests.support.odd_players:Mistaken"
    with serving(tmp_path, "--bot-pace", "0", "--bots", mistaken) as served:
        host = Browser(served, "Anna")
        table = host.open(bots=dict.fromkeys("123", mistaken))
        with host.sit(table) as seat:
            assert host.do(table, {"kind": "start_game"}).status == 200
            clause = {"kind": "note", "text": "hello"}
            for _ in range(6):  # more often than a bot may think in vain
                assert seat.do("propose_deal", parties=[0, 2], clauses=[clause])["kind"] == "accepted"
                assert seat.until_event("deal_declined")["by"] == 2


def test_bots_never_close_trading_on_a_person(served: Served) -> None:
    """TRADE-14."""
    host = Browser(served, "Anna")
    table = host.open(bots=RANDOM)
    host.do(table, {"kind": "start_game"})
    with host.sit(table) as seat:
        while not any(line["seat"] in (1, 2, 3) for line in seat.lines):
            seat.next()
        with suppress(TimeoutError):  # until they have nothing more to do
            for _ in range(1000):
                seat.next(2)
        assert seat.view["step"] == "trade"
        assert seat.view["players"][0]["done"] is False
        assert seat.do("done")["kind"] == "accepted"
        while seat.view["step"] == "trade":
            seat.next()


def turned_down(seat: Seat, me: int, bot: int) -> str:
    """The line of the log in which a bot says why it gives nothing for nothing."""
    sent = ""
    for _ in range(200):
        if not sent:
            good = next(kind for kind, n in seat.view["players"][bot]["stock"].items() if n)
            asked = {"kind": "give", "giver": bot, "to": me, "goods": {good: 1}}
            sent = seat.send(
                kind="do", action={"kind": "propose_deal", "parties": [me, bot], "clauses": [asked]}
            )
        # The bot's answer may come before the server's, and what was asked for may be spent meanwhile.
        message = seat.next()
        if message["kind"] == "refused" and message["id"] == sent:
            sent = ""
        if any(event["kind"] == "deal_declined" for event in message.get("events", ())):
            (told,) = message["told"]
            return str(told)
    raise AssertionError("the bot turned nothing down")


def test_what_bots_give_as_reasons_is_read_by_each_in_their_own_language(served: Served) -> None:
    """Live, in the talk, and in a log that is read later; whatever the one who asked reads."""
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open(bots={"2": "novice", "3": "novice"})
    invitation = host.get(f"/api/tables/{table}").json["table"]["invitation"]
    assert guest.join(table, invitation=invitation).status == 200
    host.do(table, {"kind": "start_game"})
    with host.sit(table) as other, guest.sit(table, language="de") as seat:
        told = turned_down(seat, 1, 2)
        assert re.search(r" lehnt das Angebot von .+ ab: .*\. „.*\.“$", told), told
        name = CATALOG.species[seat.view["players"][2]["species"]].short
        seat.say(f"{name}, 1 grün?")
        for reader, known in ((seat, "de"), (other, "en")):
            said = answered(reader, 2, 1)
            assert any(shape.fullmatch(said["text"]) for shape in shapes(known)), said
    for language, mark in (("en", " declines "), ("de", " lehnt ")):
        log = host.get(f"/api/tables/{table}/log?since=0", accept_language=language).json["lines"]
        read = [told for line in log for told in line["told"] if mark in told]
        assert read
        assert all(any(shape.search(told) for shape in shapes(language)) for told in read), read
        offers = [
            event["deal"] for line in log for event in line["events"] if event["kind"] == "deal_offered"
        ]
        for reason in (deal["reason"] for deal in offers if deal["proposer"] in (2, 3)):
            assert any(shape.fullmatch(reason) for shape in shapes(language)), reason


def shapes(language: str) -> list[re.Pattern[str]]:
    """What every reason looks like in a language, whatever it names."""
    words = load_words(language).reason.values()
    return [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) + r"\.", re.I) for text in words]


def answered(seat: Seat, bot: int, times: int) -> dict[str, Any]:
    """What a bot has said last, when it has spoken so often; it may do so before a question is confirmed."""
    while len(said := [one for one in seat.events("said") if one["seat"] == bot]) < times:
        seat.next()
    return said[-1]


def test_a_bot_that_is_asked_for_a_price_names_one_or_says_no(served: Served) -> None:
    """In the talk, in the language of the one who asked, and as an answer to the page's question."""
    host = Browser(served, "Anna")
    table = host.open(bots={"1": "standard", "2": "standard", "3": "standard"}, help="off")
    host.do(table, {"kind": "start_game"})
    with host.sit(table, language="de") as seat:
        name = CATALOG.species[seat.view["players"][1]["species"]].short
        seat.say(f"{name}, 1 grün?")
        said = answered(seat, 1, 1)
        assert re.search(r"\b(ich|mir|mich|kannst|Nein)\b", said["text"]), said
        assert not any(
            event["kind"] == "deal_offered"
            for line in seat.lines
            for event in line["events"]
            if line["seat"] == 0
        )
        seat.say(f"{name}, wie geht es dir?")
        assert answered(seat, 1, 2)["text"].startswith("Frag mich so nach "), "it says what it understands"
        wish = {"kind": "give", "giver": 2, "to": 0, "goods": {"green": 1}}
        quoted = seat.answer(seat.send(kind="ask", what="quote", clauses=[wish]))
        assert quoted["kind"] == "quote"
        assert quoted["told"].endswith(".")
        if quoted["price"] is not None:
            assert wish["goods"] in [c["goods"] for c in quoted["price"]["offer"]["clauses"]]
            assert quoted["price"]["values"] == []  # this table tells nobody what things are worth
        assert seat.answer(seat.send(kind="ask", what="quote"))["code"] == "bad_value"


def test_an_absent_person_is_covered_and_takes_over_at_once(served: Served) -> None:
    table, people = full_table(served, cover=0, cover_kind="full", cover_level="random")
    with people[0].sit(table) as host:
        while not all(seat["covered"] for seat in host.table["seats"][1:]):
            host.next()
        with people[1].sit(table) as back:
            while back.table["seats"][1]["covered"]:
                back.next()
            n = back.n
            time.sleep(0.5)
            back.say("I am here")
            moves = [line for line in back.lines if line["n"] > n and line["seat"] == 1]
            assert [line["events"][0]["kind"] for line in moves] == ["said"]


def test_a_command_of_a_covered_person_takes_the_seat_back(served: Served) -> None:
    table, people = full_table(served)
    assert people[0].do(table, {"kind": "cover", "seat": 1}).status == 200
    assert people[0].do(table, {"kind": "cover", "seat": 1}).json["code"] == "seat_is_bot"
    with people[0].sit(table) as host:
        assert host.table["seats"][1]["covered"] is True
        assert people[1].do(table, {"kind": "mute", "seat": 2}).status == 200
        host.until_event("seat_handed_back")
        assert host.table["seats"][1]["covered"] is False


def test_the_host_cannot_cover_somebody_who_is_here(served: Served) -> None:
    table, people = full_table(served)
    with people[1].sit(table):
        assert people[0].do(table, {"kind": "cover", "seat": 1}).json["code"] == "seat_present"
        assert people[2].do(table, {"kind": "cover", "seat": 1}).json["code"] == "host_only"


def test_bots_that_trade_play_with_people(served: Served) -> None:
    host = Browser(served, "Anna")
    table = host.open(bots={"1": "novice", "2": "standard", "3": "standard"})
    host.do(table, {"kind": "start_game"})
    with host.sit(table) as seat:
        while not any(line["seat"] in (1, 2, 3) for line in seat.lines):
            seat.next()


def test_when_the_process_of_the_bots_dies_another_takes_over(tmp_path: Path) -> None:
    with serving(tmp_path, "--bot-pace", "0.01") as served:
        host = Browser(served, "Anna")
        table = host.open(seat=None, bots={"0": "random", **RANDOM})
        with host.sit(table) as watcher:
            assert watcher.do("start_game")["kind"] == "accepted"
            watcher.up_to(8)
            assert served.process is not None
            for child in children(served.process.pid):
                os.kill(child, signal.SIGKILL)
            n = watcher.n
            watcher.up_to(n + 40)
            assert watcher.view["players"]


def test_a_killed_server_leaves_no_bots_behind(tmp_path: Path) -> None:
    with serving(tmp_path, "--bot-pace", "0.01") as served:
        host = Browser(served, "Anna")
        table = host.open(seat=None, bots={"0": "random", **RANDOM})
        with host.sit(table) as watcher:
            watcher.do("start_game")
            watcher.up_to(8)
            assert served.process is not None
            left = children(served.process.pid)
            assert left
        served.kill()
        until(lambda: not any(map(is_running, left)), "a bot plays on without a table")


def is_running(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def children(process: int) -> list[int]:
    """The processes in which a server's bots think, and their helpers."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(stat.parent.name))
    return found

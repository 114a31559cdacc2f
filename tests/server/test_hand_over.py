"""A seat is never lost and never stolen: recovery codes; hand-over by the holder, the host, the others."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from msgspec.structs import replace

from elysian.server.ops.errors import Refused
from elysian.server.table_state import actions as a
from elysian.server.table_state.clock import wake_at
from elysian.server.table_state.decide import Asker, Circumstances, decide_table, join
from elysian.server.table_state.events import Line, SeatAskEnded, SeatHandedOver, TableOpened
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.hand_over import MOST_ASKS, SLOW, ask_seat, come_back, due_hand_overs
from elysian.server.table_state.table_options import TableOptions
from tests.support.server.seats import closed
from tools.drive.server import Browser, Served, full_table, serving
from tools.drive.waiting import until

HOUR = 3_600_000


# ---------------------------------------------------------------- a recovery code


def test_who_lost_every_browser_comes_back_by_a_code_and_the_lost_key_ends(served: Served) -> None:
    table, people = full_table(served)
    bela = people[1]
    code = bela.post("/api/me/recovery").json["code"]
    with bela.sit(table) as lost:
        found = Browser(served)
        me = found.post("/api/me/recover", {"code": code.lower().replace("-", " ")}).json
        assert (me["name"], [one["table"] for one in me["tables"]]) == ("Bela", [table])
        assert closed(lost) == 4401
    assert bela.do(table, {"kind": "done"}).status == 401
    assert found.do(table, {"kind": "done"}).status == 200
    with found.sit(table) as seat:
        assert seat.you == 1


def test_a_recovery_code_is_good_once_and_a_new_one_ends_the_old(served: Served) -> None:
    anna = Browser(served, "Anna")
    old, new = (anna.post("/api/me/recovery").json["code"] for _ in range(2))
    for code, status in ((old, 403), (new, 200), (new, 403), ("", 403), ("recovery " + old, 403)):
        reply = Browser(served).post("/api/me/recover", {"code": code})
        assert reply.status == status, (code, reply.raw)


def test_of_two_who_use_a_recovery_code_at_once_one_comes_back(served: Served) -> None:
    anna = Browser(served, "Anna")
    code = anna.post("/api/me/recovery").json["code"]
    answers: list[int] = []
    tries = [
        Thread(target=lambda: answers.append(Browser(served).post("/api/me/recover", {"code": code}).status))
        for _ in range(6)
    ]
    for one in tries:
        one.start()
    for one in tries:
        one.join()
    assert sorted(answers) == [200, 403, 403, 403, 403, 403]


def test_a_recovery_code_is_no_key_and_no_code_for_another_device(served: Served) -> None:
    anna = Browser(served, "Anna")
    code = anna.post("/api/me/recovery").json["code"]
    eve = Browser(served)
    eve.key = code
    assert eve.get("/api/me").json["name"] is None
    assert Browser(served).post("/api/me/exchange", {"code": code}).status == 403
    assert anna.ask("DELETE", "/api/me/keys").status == 204  # whoever ends all others ends it too
    assert Browser(served).post("/api/me/recover", {"code": code}).status == 403
    assert code not in served.log()


def test_recovery_codes_are_not_found_by_trying(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"tries": 3}) as strict:
        eve = Browser(strict)
        told = [eve.post("/api/me/recover", {"code": f"{n:016d}"}).status for n in range(5)]
    assert told == [403, 403, 403, 429, 429]


# ---------------------------------------------------------------- hand-over, decided


class Four:
    """Four people whose game has begun, and time that passes when it is told to."""

    def __init__(self, **options: object) -> None:
        self.at = 0
        opened = TableOpened(options=TableOptions(**options), person="p0", invitation="come")  # type: ignore[arg-type]
        self.truth: TableState = fold(None, "t", Line(n=1, at=0, events=(opened,)))
        for n, name in enumerate(("Anna", "Bela", "Cleo", "Dora")):
            self._add(join(self.truth.lobby, f"p{n}", name, invitation="come"))
        self.does(0, a.StartGame())

    def _add(self, events: tuple[object, ...]) -> tuple[object, ...]:
        self.truth = fold(self.truth, "t", Line(n=1, at=self.at, events=events))  # type: ignore[arg-type]
        return events

    def does(
        self, seat: int, action: a.TableAction, present: frozenset[int] = frozenset()
    ) -> tuple[object, ...]:
        now = Circumstances(at=self.at, chance=Random(1), present=present)
        return self._add(decide_table(self.truth.lobby, Asker(f"p{seat}", seat), action, now))

    def asks(self, person: str, name: str, seat: int | None = None, invitation: str = "come") -> None:
        self._add(ask_seat(self.truth.lobby, person, name, seat, invitation))

    def passes(self, ms: int, present: frozenset[int] = frozenset()) -> None:
        self.at += ms
        self._add(due_hand_overs(self.truth.lobby, present, self.at))

    def holders(self) -> list[str | None]:
        return [chair.person for chair in self.truth.lobby.chairs]


@pytest.mark.parametrize(("pace", "wait"), [("live", 300_000), ("async", SLOW)])
def test_the_host_hands_a_seat_over_and_it_waits(pace: str, wait: int) -> None:
    four = Four(pace=pace)
    four.asks("new", "Bela")  # by the name alone
    four.does(0, a.HandOver(ask=1))
    assert wake_at(four.truth, fires=False) == wait, "also when nobody has the table open"
    four.passes(wait - 1)
    assert four.holders() == ["p0", "p1", "p2", "p3"]
    four.passes(1)
    assert four.holders() == ["p0", "new", "p2", "p3"]
    assert not four.truth.lobby.asks
    assert wake_at(four.truth, fires=False) is None


def test_the_others_hand_the_hosts_seat_over_when_most_say_so_and_the_table_goes_with_it() -> None:
    four = Four()
    four.asks("new", "Anna")
    four.does(1, a.HandOver(ask=1))
    with pytest.raises(Refused, match="already_vouched"):
        four.does(1, a.HandOver(ask=1))
    four.passes(HOUR)
    assert four.holders()[0] == "p0", "one of three is not most"
    four.does(2, a.HandOver(ask=1))
    four.passes(HOUR)
    assert (four.holders()[0], four.truth.lobby.host) == ("new", "new")


def test_programs_have_no_vote_on_a_seat() -> None:
    four = Four()
    programs = (replace(four.truth.lobby.chairs[seat], program="mine") for seat in (2, 3))
    chairs = (*four.truth.lobby.chairs[:2], *programs)
    four.truth = replace(four.truth, lobby=replace(four.truth.lobby, chairs=chairs))
    four.asks("eve", "Anna")
    for seat in (2, 3):  # two of three, and both are of the same person, who has no seat
        four.does(seat, a.HandOver(ask=1))
    assert four.truth.lobby.asks[0].due is None
    four.does(1, a.HandOver(ask=1))
    assert four.truth.lobby.asks[0].due is not None, "the one person beside Anna is most of the others"


def test_who_is_there_is_not_robbed_by_anybody() -> None:
    four = Four()
    four.asks("new", "Bela", 1)
    with pytest.raises(Refused, match="seat_present"):
        four.does(0, a.HandOver(ask=1), present=frozenset({1}))
    four.does(0, a.HandOver(ask=1))
    four.passes(HOUR, present=frozenset({1}))  # back in the last moment
    assert four.holders()[1] == "p1"
    assert not four.truth.lobby.asks


def test_coming_back_keeps_the_seat_and_a_refusal_lasts() -> None:
    four = Four()
    four.asks("new", "Bela")
    assert come_back(four.truth.lobby, 1) == (), "to ask is free"
    four.does(0, a.HandOver(ask=1))
    assert come_back(four.truth.lobby, 1) == (SeatAskEnded(seat=1),)
    assert come_back(four.truth.lobby, 2) == ()
    four.does(1, a.RefuseSeat(ask=1))
    four.passes(HOUR)
    assert four.holders()[1] == "p1"
    with pytest.raises(Refused, match="ask_refused"):
        four.asks("new", "Bela")


def test_a_holder_gives_the_seat_away_at_once_and_nobody_else_does() -> None:
    four = Four()
    four.asks("friend", "Emil", 1)
    with pytest.raises(Refused, match="host_only"):
        four.does(2, a.RefuseSeat(ask=1))
    events = four.does(1, a.HandOver(ask=1), present=frozenset({1}))
    assert events == (SeatHandedOver(seat=1, name="Emil", was="Bela", person="friend"),)
    assert four.holders()[1] == "friend"
    with pytest.raises(Refused, match="not_seated"):
        decide_table(four.truth.lobby, Asker("p1", None), a.HandOver(ask=1), Circumstances(0, Random(1)))


def test_a_bots_seat_waits_for_nobody() -> None:
    four = Four()
    four.does(1, a.Resign())
    four.asks("new", "Bela", 1)
    four.does(0, a.HandOver(ask=1))
    assert four.holders()[1] == "new"
    assert four.truth.lobby.chairs[1].bot is None


def test_a_hand_over_is_for_whom_it_was_said_and_not_for_the_next_who_asks() -> None:
    four = Four()
    four.asks("new", "Bela")
    four.does(1, a.RefuseSeat(ask=1))
    four.asks("eve", "Bela")
    with pytest.raises(Refused, match="no_such_ask"):
        four.does(0, a.HandOver(ask=1))


@pytest.mark.parametrize(
    ("person", "name", "seat", "invitation", "code"),
    [
        ("eve", "Eve", 1, "", "not_invited"),
        ("eve", "Eve", None, "come", "which_seat"),
        ("eve", "Cleo", 1, "come", "name_taken"),
        ("eve", "Eve", 7, "come", "no_such_seat"),
        ("eve", "", 1, "come", "bad_name"),
        ("p2", "Cleo", 1, "come", "already_seated"),
        ("other", "Emil", 3, "come", "seat_asked"),
        ("asked", "Fritz", 1, "come", "seat_asked"),
    ],
)
def test_asking_for_what_one_may_not_have_is_refused(
    person: str, name: str, seat: int | None, invitation: str, code: str
) -> None:
    four = Four(public=False)
    four.asks("asked", "Fritz", 3)
    with pytest.raises(Refused) as found:
        four.asks(person, name, seat, invitation)
    assert found.value.code == code


def test_nobody_asks_without_end() -> None:
    four = Four()
    for n in range(MOST_ASKS):
        four.asks(f"eve{n}", "Eve", 1)
        four.does(1, a.RefuseSeat(ask=n + 1))
    with pytest.raises(Refused, match="too_many"):
        four.asks("new", "Bela", 1)


# ---------------------------------------------------------------- hand-over, over real sockets


def test_a_seat_changes_hands_with_its_secrets_only_when_the_time_is_over(tmp_path: Path) -> None:
    with serving(tmp_path, "--hand-over", "1.5") as served:
        table, people = full_table(served, public=False)
        invitation = people[0].get(f"/api/tables/{table}").json["table"]["invitation"]
        people[1].do(table, {"kind": "propose_deal", "parties": [1, 2], "clauses": []})
        found = Browser(served)
        assert found.post(f"/api/tables/{table}/seat", {"name": "Bela"}).status == 404, "not without the link"
        assert found.get("/api/me").json["name"] is None, "who is refused is not made"
        asked = found.post(f"/api/tables/{table}/seat", {"name": "Bela", "invitation": invitation})
        assert asked.status == 204, asked.raw
        assert found.get(f"/api/tables/{table}").status == 404, "to ask shows nothing"
        assert people[0].do(table, {"kind": "hand_over", "ask": 1}).status == 200
        assert people[1].get("/api/me").json["tables"][0]["handing"]
        assert found.get("/api/me").json["tables"] == []
        until(lambda: found.get("/api/me").json["tables"])
        with found.sit(table, since=0) as seat:
            assert seat.you == 1
            assert '"person"' not in json.dumps(seat.messages)
        assert people[1].get("/api/me").json["tables"] == []
        assert people[1].do(table, {"kind": "done"}).status in (403, 404)
        served.kill()
        served.start()
        assert found.get("/api/me").json["tables"][0]["seat"] == 1


def test_a_connected_holder_hears_of_it_and_a_connection_ends_what_others_decided(served: Served) -> None:
    table, people = full_table(served)
    found = Browser(served, "Bela")
    assert found.post(f"/api/tables/{table}/seat", {"seat": 1}).status == 204
    with people[1].sit(table) as seat:
        assert [one["name"] for one in seat.table["asks"]] == ["Bela"]
        refused = people[0].do(table, {"kind": "hand_over", "ask": 1})
        assert refused.json["code"] == "seat_present"
    until(lambda: people[0].do(table, {"kind": "hand_over", "ask": 1}).status == 200)
    assert people[0].get(f"/api/tables/{table}").json["table"]["asks"][0]["due"]
    with people[1].sit(table) as seat:
        while seat.table["asks"]:  # it may have ended before the seat was told of anything
            seat.next()
        assert seat.you == 1

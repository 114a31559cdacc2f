"""The clock: set, paused, extended by vote, and the rules' default when it runs out."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from elysian.rules import new_game
from elysian.server.table_state.clock import DAY, MINUTE, Hours, due_after
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.state import Chair, Lobby
from elysian.server.table_state.table_options import Clock, TableOptions
from tests.support.server.steps import reach
from tools.drive.server import Browser, Served, full_table, laid_table, serving
from tools.drive.waiting import until

HOUR = 60 * MINUTE


def test_when_the_time_is_up_trading_ends_and_every_step_has_its_default(served: Served) -> None:
    """TRADE-14, OPT-1."""
    table, people = full_table(served, clock={"trade": 1, "step": 1}, edition="2020")
    with people[0].sit(table, since=0) as seat:  # what came before somebody sat down is told too
        assert seat.table["due"] is not None
        while len(seat.events("step_began")) < 5:
            seat.next()
        assert {"settle", "plan"} <= {event["step"] for event in seat.events("step_began")}
        assert all(line["seat"] is None for line in seat.lines[-3:])


def test_a_step_that_is_finished_early_sets_the_clock_anew(served: Served) -> None:
    table, people = full_table(served, clock={"trade": 500, "step": 300})
    seats = [person.sit(table) for person in people]
    reach(seats, "plan")
    began = next(line for line in seats[0].lines if any(one.get("step") == "plan" for one in line["events"]))
    assert seats[0].table["due"] == began["at"] + 300_000
    for seat in seats:
        seat.close()


def test_most_people_must_ask_for_more_time(served: Served) -> None:
    table, people = full_table(served, clock={"trade": 600, "step": 60})
    with people[0].sit(table) as seat:
        due = seat.table["due"]
        for person in people[:2]:
            assert person.do(table, {"kind": "ask_extension"}).status == 200
        assert people[0].do(table, {"kind": "ask_extension"}).json["code"] == "already_asked"
        seat.until_event("extension_asked")
        assert seat.table["due"] == due
        assert people[2].do(table, {"kind": "ask_extension"}).status == 200
        assert seat.until_event("clock_set")["due"] == due + 300_000
        assert seat.until("clock")["due"] == due + 300_000


def test_a_pause_keeps_the_time_that_is_left(served: Served) -> None:
    table, people = full_table(served, clock={"trade": 600, "step": 60})
    with people[0].sit(table) as seat:
        due, n = seat.table["due"], seat.n
        seat.do("pause")
        left = seat.table["left"]
        assert seat.table["due"] is None
        paused = next(line for line in seat.lines if line["n"] == n + 1)
        assert left == due - paused["at"]
        n = seat.n
        seat.do("resume")
        resumed = next(line for line in seat.lines if line["n"] == n + 1)
        assert seat.table["due"] == resumed["at"] + left
        assert seat.table["left"] is None


def test_anybody_asks_for_a_pause_in_words_and_most_people_grant_it(served: Served) -> None:
    table, people = full_table(served)
    assert people[1].do(table, {"kind": "pause"}).json["code"] == "host_only"
    with people[3].sit(table) as seat:
        for person in people[:2]:
            asked = person.do(table, {"kind": "ask_pause", "text": "The soup boils over."})
            assert asked.status == 200
        assert people[1].do(table, {"kind": "ask_pause"}).json["code"] == "already_asked_pause"
        assert seat.until_event("said")["text"] == "The soup boils over."
        assert not seat.table["paused"]
        assert people[2].do(table, {"kind": "ask_pause"}).status == 200
        seat.until_event("paused")
        assert people[0].do(table, {"kind": "done"}).json["code"] == "paused"
        with people[0].sit(table):
            assert people[1].do(table, {"kind": "resume"}).json["code"] == "host_only"
        until(lambda: people[1].do(table, {"kind": "resume"}).status == 200)  # the host has gone
        seat.until_event("resumed")
        assert seat.table["pause_asked"] == []


def test_who_leaves_a_waiting_room_alone_closes_it(served: Served) -> None:
    host, guest = Browser(served, "Anna"), Browser(served, "Bela")
    table = host.open(title="Nobody comes")
    guest.join(table)
    assert host.do(table, {"kind": "leave"}).status == 200
    assert table in [one["table"] for one in guest.get("/api/tables").json], "Bela is there"
    assert guest.do(table, {"kind": "leave"}).status == 200
    assert table not in [one["table"] for one in guest.get("/api/tables").json]


def test_last_call_comes_a_minute_before_the_end(served: Served) -> None:
    table, people = laid_table(served, clock={"trade": 61, "step": 600})
    with people[0].sit(table) as seat:  # before it begins: the call comes a second later, whoever listens
        assert seat.do("start_game")["kind"] == "accepted"
        call = seat.until("clock", last_call=True)
        assert round((call["due"] - call["now"]) / 1000) <= 60  # the clock that rings is not the wall's


def test_a_clock_that_ran_out_while_the_server_was_away_is_forgiven(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        table, people = full_table(served, clock={"trade": 10, "step": 600})
        served.kill()
        time.sleep(10)
        served.start()
        with people[0].sit(table) as seat:
            while seat.n < 8 and seat.table["due"] - time.time() * 1000 < 15_000:
                seat.next()
            assert seat.view["step"] == "trade"
            assert seat.table["due"] - time.time() * 1000 <= 60_000


def test_playing_hours_are_counted_and_nights_are_not() -> None:
    evening = Hours(begin=18 * 60, end=22 * 60)  # four hours a day, in Greenwich
    at = 10 * DAY + 21 * HOUR
    assert evening.after(at, HOUR) == 10 * DAY + 22 * HOUR
    assert evening.after(at, 2 * HOUR) == 11 * DAY + 19 * HOUR
    assert evening.after(10 * DAY + 3 * HOUR, HOUR) == 10 * DAY + 19 * HOUR
    night = Hours(begin=22 * 60, end=2 * 60)
    assert night.after(10 * DAY + 23 * HOUR, 2 * HOUR) == 11 * DAY + HOUR
    east = Hours(begin=8 * 60, end=20 * 60, offset=120)
    assert east.after(10 * DAY + 5 * HOUR, HOUR) == 10 * DAY + 7 * HOUR
    assert Hours().after(at, 30 * HOUR) == at + 30 * HOUR


@pytest.mark.parametrize("seed", range(20))
def test_playing_time_agrees_with_counting_minute_by_minute(seed: int) -> None:
    chance = Random(seed)
    hours = Hours(
        begin=chance.randrange(1440), end=chance.randrange(1440), offset=chance.randrange(-700, 700)
    )
    at, span = 100 * DAY + chance.randrange(1440) * MINUTE, chance.randrange(1, 3000)
    minute, counted = at // MINUTE, 0
    while counted < span:
        counted += (minute + hours.offset - hours.begin) % 1440 < hours.played()
        minute += 1
    assert hours.after(at, span * MINUTE) == minute * MINUTE


def test_in_a_game_over_days_the_hours_of_somebody_who_is_covered_hold_nobody_up() -> None:
    """Each who is waited for has the time; one for whom a bot plays needs none."""
    night = {"p1": Hours(begin=0, end=60)}  # plays an hour a day, from midnight
    game = new_game(("caylion", "kjas", "zeth", "unity"), 3)
    dues = []
    for covered in (False, True):
        chairs = tuple(Chair(person=f"p{n}", name=f"P{n}", covered=n == 1 and covered) for n in range(4))
        options = TableOptions(pace="async", clock=Clock(trade=7200, step=3600))
        lobby = Lobby(options=options, host="p0", chairs=chairs, status="playing")
        dues.append(due_after(TableState("t", lobby, game), 0, night.get))
    assert dues == [DAY + 60 * MINUTE, 120 * MINUTE]

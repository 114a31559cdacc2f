"""Several processes on one PostgreSQL: one writer per game, and a seat at any of them."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from elysian.server.protocol.close_codes import SEAT_LOST
from tests.support.server.groups import begun, gathered
from tests.support.server.seats import closed, give, same
from tools.drive.server import Browser, Seat, Served, full_table, new_id, serving
from tools.drive.waiting import until


@pytest.fixture(scope="module")
def pair(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    folders = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    pace = ("--bot-pace", "0.01")
    with (
        serving(folders[0], *pace, database=postgres) as one,
        serving(folders[1], *pace, database=postgres) as two,
    ):
        yield one, two


@pytest.fixture
def two(pair: tuple[Served, Served]) -> tuple[Served, Served]:
    """Two processes; one that a test has killed is started again."""
    for served in pair:
        if served.process is None:
            served.start()
    return pair


def at(person: Browser, served: Served) -> Browser:
    """The same person at another process."""
    other = Browser(served)
    other.key = person.key
    return other


def test_people_at_two_processes_play_one_game(two: tuple[Served, Served]) -> None:
    table, people = full_table(two[0])
    people = [at(person, two[n % 2]) for n, person in enumerate(people)]
    seats = [person.sit(table) for person in people]
    for _ in range(5):
        for seat in seats[:2]:
            other = seats[1 - (seat.you or 0)]
            offered = seat.answer(seat.send(kind="do", action=give(seat.view, seat.you, other.you)))
            assert offered["kind"] == "accepted", offered
            other.up_to(offered["n"])
            deal = next(iter(other.view["deals"]))
            taken = other.do("accept_deal", deal=deal)
            assert taken["kind"] == "accepted", taken
            seat.up_to(taken["n"])
    for seat, person in zip(seats, people, strict=True):
        assert same(seat, person)
        assert [line["n"] for line in seat.lines] == list(range(seat.lines[0]["n"], seat.n + 1))
        seat.close()


def test_commands_sent_at_once_to_two_processes_are_all_answered_and_in_one_order(
    two: tuple[Served, Served],
) -> None:
    table, people = full_table(two[0])
    seats = [at(people[0], two[0]).sit(table), at(people[1], two[1]).sit(table)]
    sent = [(seat, seat.send(kind="talk", text=f"word {n}")) for n in range(30) for seat in seats]
    numbers = [seat.answer(id)["n"] for seat, id in sent]
    assert len(set(numbers)) == len(sent)
    for seat in seats:
        seat.up_to(max(numbers))
    heard = [[(line["n"], line["told"]) for line in seat.lines] for seat in seats]
    first = max(heard[0][0][0], heard[1][0][0])
    assert [one for one in heard[0] if one[0] >= first] == [one for one in heard[1] if one[0] >= first]
    for seat in seats:
        seat.close()


def test_an_id_answered_by_one_process_has_no_second_effect_at_the_other(two: tuple[Served, Served]) -> None:
    table, people = full_table(two[0])
    here, there = at(people[0], two[0]).sit(table), at(people[0], two[1]).sit(table)
    id = new_id()
    first = here.answer(here.send(kind="talk", id=id, text="once"))
    again = there.answer(there.send(kind="talk", id=id, text="once"))
    other = there.answer(there.send(kind="talk", id=id, text="twice"))
    assert (first["kind"], again["kind"], again["n"]) == ("accepted", "accepted", first["n"])
    assert (other["kind"], other["code"]) == ("refused", "id_reused")
    here.close()
    there.close()


def test_when_one_process_is_killed_the_other_goes_on_with_its_tables(two: tuple[Served, Served]) -> None:
    table, people = full_table(two[0])
    with at(people[0], two[0]).sit(table) as here, at(people[1], two[1]).sit(table) as there:
        assert here.do("done")["kind"] == "accepted"
        two[0].kill()
        answer = there.do("done")
        assert answer["kind"] == "accepted"
    with at(people[0], two[1]).sit(table, since=0) as back:
        assert [line["n"] for line in back.lines] == list(range(1, back.n + 1))
        assert back.n == answer["n"]


def test_presence_is_known_at_every_process(two: tuple[Served, Served]) -> None:
    table, people = full_table(two[0])
    with at(people[1], two[1]).sit(table) as there:
        here = at(people[0], two[0]).sit(table)
        there.until("presence", here=[0, 1])
        here.close()
        there.until("presence", here=[1])


def test_a_key_ended_at_one_process_is_ended_at_the_other(two: tuple[Served, Served]) -> None:
    table, people = full_table(two[0])
    there = at(people[1], two[1]).sit(table)
    assert people[1].ask("DELETE", "/api/me").status == 204
    assert closed(there) == 4401


def test_bots_move_at_one_process_only_and_go_on_when_it_dies(two: tuple[Served, Served]) -> None:
    host = Browser(two[0], "Ada")
    table = host.open(seats=4, bots={"1": "random", "2": "random", "3": "random"})
    assert host.do(table, {"kind": "start_game"}).status == 200
    with at(host, two[1]).sit(table) as there:
        there.up_to(6)  # at least one move of a bot, told by the process at which nobody sits
        two[0].kill()
        assert there.do("done")["kind"] == "accepted"
        for _ in range(3):  # whoever was not done, then everybody's plan
            until_a_bot_moves(there)


def until_a_bot_moves(seat: Seat) -> None:
    while seat.next().get("seat") in (None, seat.you):
        pass


def test_who_leaves_a_group_at_one_process_looks_on_at_its_tables_at_none(two: tuple[Served, Served]) -> None:
    group, (anna, bela, cleo) = gathered(two[0], "Anna", "Bela", "Cleo")
    table = begun(group, [anna])
    with at(bela, two[1]).sit(table) as gone, at(cleo, two[1]).sit(table) as stays:
        assert bela.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
        assert closed(gone) == SEAT_LOST
        stays.up_to(anna.do(table, {"kind": "pause"}).json["n"])


def test_workers_share_a_port_and_one_that_dies_is_replaced(postgres: str, tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2", database=postgres) as served:
        table, people = full_table(served)
        seats = [person.sit(table) for person in people for _ in range(3)]
        for seat in seats[::3]:
            assert seat.do("done" if seat.you else "not_done")["kind"] in ("accepted", "refused")
        for seat in seats:
            seat.up_to(max(one.n for one in seats))
            assert seat.view["players"] == seats[0].view["players"]
            seat.close()
        assert served.process is not None
        supervisor = served.process.pid
        workers = children(supervisor)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        until(lambda: len(set(children(supervisor)) - {workers[0]}) == 2)
        assert people[0].do(table, {"kind": "end_table"}).status == 200


def children(parent: int) -> list[int]:
    """The server processes a supervisor has started; Python's own helper is none of them."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            ours = re.search(rf"^PPid:\s+{parent}$", status.read_text(), re.M)
            command = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if ours and b"spawn_main" in command:
            found.append(int(status.parent.name))
    return sorted(found)


def test_several_workers_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="Several workers need PostgreSQL"):
        Served(tmp_path, "--workers", "2").start()

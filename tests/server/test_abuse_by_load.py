"""Abuses by load: guesses, floods, slow readers, storms (rows 46, 64 to 70); and the list of all rows."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.server.abuse import FRAMES
from tests.support.server.load import begun, open_files
from tests.support.server.seats import closed
from tools.drive.raw import Raw
from tools.drive.server import OPEN_LIMITS, At, Browser, Seat, Served, full_table, serving
from tools.drive.waiting import PATIENCE, until


def url(served: Served, table: str) -> str:
    return f"ws://127.0.0.1:{served.port}/api/tables/{table}/socket"


def test_row_46_keys_and_codes_are_not_found_by_trying(strict: Served) -> None:
    known = At(strict, "10.0.0.1", "Anna")
    eve = At(strict, "10.0.0.1")
    statuses = []
    for n in range(12):
        eve.key = f"{n:043d}"
        statuses.append(eve.get("/api/me").status)
    assert statuses == [200] * 10 + [429] * 2
    eve.key = None
    assert eve.post("/api/me/exchange", {"code": "x" * 22}).status == 429
    assert known.get("/api/me").json["name"] == "Anna", "who has a key is not kept out"
    assert At(strict, "10.0.0.2").post("/api/me/exchange", {"code": "x" * 22}).status == 403


def test_row_64_a_flood_ends_the_connection_and_others_play_on(strict: Served) -> None:
    game, host = begun(strict, "10.0.1.1")
    other, guest = begun(strict, "10.0.1.2")
    with host.sit(game) as flood, guest.sit(other) as seat:
        with suppress(ConnectionClosed):  # it may end before all is sent
            for _ in range(1000):
                flood.socket.send('{"kind": "ask", "id": "flood-0001", "what": "options"}')
        assert seat.answer(seat.send(kind="ask", what="options"))["kind"] == "options"
        assert closed(flood) == 1008
        answered = [m for m in flood.messages if m["kind"] == "options"]
        assert len(answered) == 99, "the game was begun by one command of the same person"


def test_row_64_too_much_talk_ends_the_connection(strict: Served) -> None:
    game, host = begun(strict, "10.0.1.3")
    with host.sit(game) as seat:
        with suppress(ConnectionClosed):
            for n in range(31):
                seat.send(kind="talk", text=f"hello {n}")
        assert closed(seat) == 1008
    host.do(game, {"kind": "done"})
    log = host.get(f"/api/tables/{game}/log?since=0").json["lines"]
    assert sum(event["kind"] == "said" for line in log for event in line["events"]) == 30


def test_row_65_one_address_has_at_most_fifty_sockets_also_when_all_come_at_once(strict: Served) -> None:
    game, _ = begun(strict, "10.0.2.1")

    async def all_at_once() -> list[int]:
        headers = {"X-Forwarded-For": "10.0.2.2"}
        tries = [
            connect(
                url(strict, game),
                additional_headers=headers,
                compression=None,
                max_queue=None,
                open_timeout=PATIENCE,
            )
            for _ in range(80)
        ]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        opened = [one for one in outcomes if isinstance(one, ClientConnection)]
        for one in opened:
            await one.close()
        refused = [one.response.status_code for one in outcomes if isinstance(one, InvalidStatus)]
        return [len(opened), *sorted(set(refused)), len(refused)]

    assert asyncio.run(all_at_once()) == [50, 429, 30]


def test_row_65_one_address_does_not_come_and_go_without_end(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"requests": 40}) as served:
        game, host = begun(served, "10.0.2.3")
        comes_again(host, game, 35)
        with pytest.raises(InvalidStatus) as refused:
            comes_again(host, game, 10)
        assert refused.value.response.status_code == 429


def comes_again(host: Browser, game: str, times: int) -> None:
    for _ in range(times):
        host.sit(game, since=0).close()


def test_row_66_who_does_not_read_is_dropped_and_nobody_waits_for_them(tmp_path: Path) -> None:
    note = {"kind": "note", "text": "x" * 480}
    long = {"kind": "propose_deal", "parties": [0, 1], "clauses": [note] * 30}
    with serving(tmp_path, "--ping", "60") as served:
        game, people = full_table(served)
        with people[0].sit(game) as seat:
            time.sleep(0.5)  # until the connections by which the table was laid are gone
            before = open_files(served)
            with Raw(served, game, small=True) as deaf:
                seat.until("presence", watching=1)
                seat.messages.clear()
                for _ in range(400):
                    # Were one who does not read waited for, no answer would come.
                    assert seat.answer(seat.send(kind="do", action=long))["kind"] == "accepted"
                    assert seat.do("withdraw_deal", deal=next(iter(seat.view["deals"])))["kind"] == "accepted"
                    if any(m["kind"] == "presence" for m in seat.messages):
                        break
                else:
                    raise AssertionError("who does not read was not dropped")
                until(lambda: open_files(served) <= before, "the connection is still there")
                assert deaf.closed() in (1013, None)
        assert '"mistake"' not in served.log()


def test_row_66_what_somebody_comes_back_for_does_not_count_against_them(tmp_path: Path) -> None:
    limits = {**OPEN_LIMITS, "queued_bytes": 20_000}
    with serving(tmp_path, limits=limits) as served:
        game, people = full_table(served)
        for n in range(120):
            assert people[1].do(game, {"kind": "not_done" if n % 2 else "done"}).status == 200
        with people[0].sit(game, since=0) as seat:
            assert len(json.dumps(seat.messages)) > 20_000
            assert [line["n"] for line in seat.lines] == list(range(1, seat.n + 1))
            assert seat.do("done")["kind"] == "accepted"


def test_row_67_one_address_opens_three_tables_in_ten_minutes(strict: Served) -> None:
    host = At(strict, "10.0.3.1", "Anna")
    statuses = [host.post("/api/tables", {}).status for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    big = host.ask("POST", "/api/tables", b"[" * (4 << 20))
    assert big.status == 429, "a large body is not even read"
    assert At(strict, "10.0.3.2", "Bela").post("/api/tables", {}).status == 200


def test_row_68_a_storm_of_reconnects_is_served(served: Served) -> None:
    game, people = full_table(served)
    with people[0].sit(game) as seat:
        for _ in range(30):
            seat.do("done")
            seat.do("not_done")
        last = seat.n

    async def come_back(n: int) -> int:
        address = f"{url(served, game)}?since={n % last}"
        how: Any = {"compression": None, "max_queue": None, "open_timeout": PATIENCE}
        async with connect(address, additional_headers=cookie, **how) as socket:
            seen = 0
            while True:
                frame = str(await socket.recv())
                seen += frame.count('"at":')
                if frame.startswith('{"kind":"welcome"'):
                    return seen - (last - n % last)

    async def storm() -> list[int]:
        return await asyncio.gather(*(come_back(n) for n in range(200)))

    cookie = {"Cookie": f"elysian={people[1].key}"}
    assert set(asyncio.run(storm())) == {0}


def test_row_69_the_whole_log_is_not_asked_for_without_end(strict: Served) -> None:
    game, host = begun(strict, "10.0.4.1")
    statuses = [host.get(f"/api/tables/{game}/log?since=0").status for _ in range(22)]
    assert statuses == [200] * 20 + [429] * 2
    assert host.get(f"/api/tables/{game}/record").status == 429


LONG = {
    "spaces": "lend a" + " " * 15_000 + "x >",
    "parts": "1g," * 5000 + "> 1y",
    "arrows": ">" * 16_000,
    "digits": "anyone " + "9" * 16_000 + "g > 1y",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_row_70_no_text_takes_long_to_understand(seat: Seat, text: str) -> None:
    # What takes more than a moment for 16 kB takes longer than anybody waits for an answer.
    assert seat.say(text)["kind"] == "accepted"


@pytest.fixture(scope="module")
def seat(served: Served) -> Iterator[Seat]:
    game, people = full_table(served)
    with people[0].sit(game) as sitting:
        yield sitting


# ---------------------------------------------------------------- the list

SUITE = ("test_abuse", "test_abuse_of_the_web", "test_abuse_by_load")
ELSEWHERE = {
    35: ("test_secrets", "test_nobody_else_can_tell_a_secret"),
    38: ("test_secrets", "test_nobody_else_can_tell_a_secret"),
}
NOT_APPLICABLE = {
    41: "cards are printed and have names; that nobody can follow the order of a deck is tested with 38",
    43: "there is no account that sees more than a seat does, and a bot is given a seat's view",
    44: "commit and reveal is optional; no table offers it",
}


def test_every_row_of_the_list_has_a_test_or_a_reason() -> None:
    rows = {frame.row for frame in FRAMES} | set(ELSEWHERE)
    for module in SUITE:
        for name in dir(import_module(f"tests.server.{module}")):
            if match := re.match(r"test_rows?_(\d+)(?:_and_(\d+))?_", name):
                rows |= {int(row) for row in match.groups() if row}
    for module, name in ELSEWHERE.values():
        assert hasattr(import_module(f"tests.server.{module}"), name)
    assert rows & set(NOT_APPLICABLE) == set()
    assert rows | set(NOT_APPLICABLE) == set(range(1, 71))

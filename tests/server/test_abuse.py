"""The list of abuses: whatever somebody sends, a sentence comes back and nothing changes.

Each test is named after its row; test_abuse_of_the_web.py and test_abuse_by_load.py go on, and the last
of them holds the list of all rows.
"""

from __future__ import annotations

import http.client
import json
import select
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.server.abuse import FRAMES, ID, Frame
from tests.support.server.seats import closed
from tests.support.server.steps import reach
from tools.drive.raw import Raw
from tools.drive.server import Browser, Seat, Served, full_table, new_id, serving
from tools.drive.waiting import PATIENCE, until

Table = tuple[str, list[Browser]]


@pytest.fixture(scope="module")
def table(served: Served) -> Table:
    """A table for abuses that leave no trace."""
    return full_table(served)


@pytest.fixture
def seats(served: Served) -> Iterator[list[Seat]]:
    """Four people at a table of their own."""
    game, people = full_table(served)
    seats = [person.sit(game) for person in people]
    yield seats
    for seat in seats:
        seat.close()


def code_of(answer: dict[str, Any]) -> str:
    """How a command was refused; nothing when it was accepted."""
    if answer["kind"] == "accepted":
        return ""
    assert answer["kind"] == "refused"
    assert answer["sentence"].endswith(".")
    return str(answer["code"])


def deal(giver: int, to: int, goods: dict[str, int], **more: Any) -> dict[str, Any]:
    clause = {"kind": "give", "giver": giver, "to": to, "goods": goods}
    return {"kind": "propose_deal", "parties": [giver, to], "clauses": [clause], **more}


def cube(seat: Seat, giver: int) -> str:
    """A kind of good of which a seat has some to give."""
    stock = seat.view["players"][giver]["stock"]
    return next(kind for kind in stock if kind not in ("point", "envoy", "acknowledgement"))


def offered(seat: Seat, action: dict[str, Any]) -> str:
    """Put an offer on the table; its name."""
    assert code_of(seat.answer(seat.send(kind="do", action=action))) == ""
    return str(list(seat.view["deals"])[-1])


# ---------------------------------------------------------------- parsing, and moves that cannot be


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: f"{frame.row} {frame.what}")
def test_a_frame_nobody_should_send_is_refused_and_the_connection_kept(table: Table, frame: Frame) -> None:
    game, people = table
    with people[0].sit(game) as seat, people[1].sit(game) as other:
        before = seat.n
        seat.socket.send(frame.text.replace(ID, new_id()))
        assert code_of(seat.until("refused")) == frame.code
        assert seat.answer(seat.send(kind="ask", what="options"))["n"] == before
        heard = [message["kind"] for message in other.messages]
        assert set(heard) <= {"welcome", "presence", "clock"}


def test_row_1_after_five_unreadable_frames_the_next_ends_the_connection(table: Table) -> None:
    with table[1][0].sit(table[0]) as seat:
        for _ in range(6):
            seat.socket.send("{")
        assert closed(seat) == 1008
        assert [m["kind"] for m in seat.messages].count("refused") == 6


def test_row_2_a_binary_frame_ends_the_connection(table: Table) -> None:
    with table[1][0].sit(table[0]) as seat:
        seat.socket.send(b'{"kind": "ask"}')
        assert closed(seat) == 1003


def test_row_3_a_deep_body_is_refused(served: Served) -> None:
    reply = Browser(served, "Anna").ask("POST", "/api/tables", b'{"options": ' + b"[" * 100_000)
    assert (reply.status, reply.json["code"]) == (400, "bad_json")


def test_row_11_a_frame_above_16_kib_ends_the_connection(table: Table) -> None:
    with table[1][0].sit(table[0]) as seat:
        seat.socket.send('"' + "a" * (16 * 1024 - 2) + '"')
        assert code_of(seat.until("refused")) == "bad_type"
        seat.socket.send('"' + "a" * (16 * 1024 - 1) + '"')
        assert closed(seat) == 1009


def test_row_11_a_frame_that_says_it_is_huge_is_not_waited_for(served: Served, table: Table) -> None:
    with Raw(served, table[0]) as raw:
        raw.send(b"\x81\xff" + (1 << 30).to_bytes(8, "big") + b"mask" + b"abc")
        assert raw.closed() == 1009


def test_row_11_many_small_parts_do_not_make_a_larger_frame(served: Served, table: Table) -> None:
    with Raw(served, table[0]) as raw:
        raw.frame(b"a" * 8000, opcode=1, last=False)
        for _ in range(2):
            raw.frame(b"a" * 8000, opcode=0, last=False)
        assert raw.closed() == 1009


def test_row_12_a_frame_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, "--ping", "0.5") as served:
        game, people = full_table(served)
        with Raw(served, game) as half, Raw(served, game) as slow:
            half.send(b"\x81\xfe\x20\x00mask" + b"a")

            def is_gone() -> bool:
                slow.send(b"\x81" if slow.sent == 0 else b"a")
                return slow.gone

            until(is_gone, "one byte after the other kept a connection open", pause=0.2)
            assert half.closed() in (1011, None)
        assert people[0].do(game, {"kind": "done"}).status == 200


def test_row_12_a_request_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, "--ping", "4") as served:
        slow = socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
        kept = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        slow.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        asked = 0
        while not select.select([slow], [], [], 0.1)[0]:
            kept.request("GET", "/api/me")
            assert kept.getresponse().read(), "who goes on asking is kept"
            asked += 1
            assert asked < 10 * PATIENCE, "nobody has ended what never ends"
        assert asked
        assert slow.recv(1000) == b""
        slow.close()
        kept.close()


def test_row_13_nothing_is_unpacked(served: Served, table: Table) -> None:
    with Raw(served, table[0], "Sec-WebSocket-Extensions: permessage-deflate") as raw:
        assert "sec-websocket-extensions" not in raw.head.lower()
        raw.send(b"\xc1\x84mask" + b"abcd")
        assert raw.closed() == 1002


def test_row_14_another_protocol_is_refused(table: Table) -> None:
    with pytest.raises(InvalidStatus) as refused:
        table[1][0].sit(table[0], protocol="2")
    assert refused.value.response.status_code == 426


# ---------------------------------------------------------------- trades and rules


def test_row_16_more_than_one_has_may_be_offered_but_not_handed_over(seats: list[Seat]) -> None:
    name = offered(seats[0], deal(0, 1, {"yellow": 999}))
    stocks = [player["stock"] for player in seats[0].view["players"]]
    assert code_of(seats[1].do("accept_deal", deal=name)) == "lacks_goods"
    assert [player["stock"] for player in seats[1].view["players"]] == stocks


def test_row_17_a_double_click_accepts_once(seats: list[Seat]) -> None:
    name = offered(seats[0], deal(0, 1, {cube(seats[0], 0): 1}))
    id = new_id()
    for _ in range(2):
        seats[1].send(kind="do", id=id, action={"kind": "accept_deal", "deal": name})
    assert seats[1].answer(id) == seats[1].answer(id)
    events = [event["kind"] for line in seats[1].lines for event in line["events"]]
    assert events.count("deal_struck") == 1


def test_row_18_the_same_id_for_something_else_is_refused(table: Table) -> None:
    game, people = table
    id = new_id()
    people[2].do(game, {"kind": "accept_deal", "deal": "d99"}, id)
    reply = people[2].do(game, {"kind": "done"}, id)
    assert (reply.status, reply.json["code"]) == (409, "id_reused")


def test_row_19_an_offer_that_is_gone_cannot_be_accepted(seats: list[Seat]) -> None:
    colour = cube(seats[0], 0)
    withdrawn, declined, lapsed = (offered(seats[0], deal(0, 1, {colour: 1})) for _ in range(3))
    assert code_of(seats[0].do("withdraw_deal", deal=withdrawn)) == ""
    assert code_of(seats[1].do("decline_deal", deal=declined)) == ""
    for name in (withdrawn, declined):
        assert code_of(seats[1].do("accept_deal", deal=name)) == "no_such_offer"
    reach(seats, "plan")
    assert code_of(seats[1].do("accept_deal", deal=lapsed)) == "no_such_offer"


def test_row_20_of_two_who_accept_at_once_one_does(seats: list[Seat]) -> None:
    colour = cube(seats[0], 0)
    clause = {"kind": "give", "giver": 0, "to": -1, "goods": {colour: 1}}
    name = offered(seats[0], {"kind": "propose_deal", "parties": [0, -1], "clauses": [clause]})
    sent = [seat.send(kind="do", action={"kind": "accept_deal", "deal": name}) for seat in seats[1:]]
    codes = [code_of(seat.answer(id)) for seat, id in zip(seats[1:], sent, strict=True)]
    assert sorted(codes) == ["", "no_such_offer", "no_such_offer"]


def test_row_21_a_cube_promised_twice_is_handed_over_once(seats: list[Seat]) -> None:
    colour = cube(seats[0], 0)
    has = seats[0].view["players"][0]["stock"][colour]
    names = [offered(seats[0], deal(0, to, {colour: has})) for to in (1, 2)]
    sent = [
        seat.send(kind="do", action={"kind": "accept_deal", "deal": name})
        for seat, name in zip(seats[1:3], names, strict=True)
    ]
    codes = [code_of(seat.answer(id)) for seat, id in zip(seats[1:3], sent, strict=True)]
    assert sorted(codes) == ["", "lacks_goods"]
    seats[0].up_to(seats[1].n)
    assert seats[0].view["players"][0]["stock"].get(colour, 0) == 0


@pytest.mark.parametrize("private", [False, True])
def test_row_22_an_offer_for_others_is_as_unknown_as_none(served: Served, private: bool) -> None:
    game, people = full_table(served, private_offers=private)
    with people[0].sit(game) as one, people[2].sit(game) as third:
        name = offered(one, deal(0, 1, {cube(one, 0): 1}))
        third.up_to(one.n)
        there = third.do("accept_deal", deal=name)
        nowhere = third.do("accept_deal", deal="d77")
        assert code_of(there) == code_of(nowhere) == "no_such_offer"
        assert (there["sentence"], there["facts"]) == (nowhere["sentence"], nowhere["facts"])
        asked = third.answer(third.send(kind="ask", what="terms", deal=name))
        assert (asked["kind"] == "refused") == private


def test_row_24_what_is_not_ones_own_cannot_be_traded(seats: list[Seat]) -> None:
    theirs = next(iter(seats[0].view["players"][2]["cards"]))
    clause = {"kind": "give", "giver": 0, "to": 1, "cards": [theirs]}
    lend = {"kind": "lend", "giver": 0, "to": 1, "card": theirs}
    for one in (clause, lend):
        action = {"kind": "propose_deal", "parties": [0, 1], "clauses": [one]}
        answer = seats[0].answer(seats[0].send(kind="do", action=action))
        if answer["kind"] == "accepted":  # offered, perhaps for later; it cannot be struck
            name = list(seats[0].view["deals"])[-1]
            answer = seats[1].do("accept_deal", deal=name)
        assert code_of(answer) in ("lacks_card", "not_tradable", "only_lent")


def test_row_25_an_offer_never_changes_under_its_name(seats: list[Seat]) -> None:
    colour = cube(seats[0], 0)
    first = offered(seats[0], deal(0, 1, {colour: 1}))
    seats[1].up_to(seats[0].n)
    second = offered(seats[1], deal(1, 0, {cube(seats[1], 1): 1}, answers=first))
    assert first != second
    assert code_of(seats[1].do("withdraw_deal", deal=second)) == ""
    third = offered(seats[1], deal(1, 0, {cube(seats[1], 1): 1}))
    assert third not in (first, second)


def test_row_26_a_seat_has_at_most_thirty_offers_open(seats: list[Seat]) -> None:
    action = deal(0, 1, {cube(seats[0], 0): 1})
    sent = [seats[0].send(kind="do", action=action) for _ in range(31)]
    codes = [code_of(seats[0].answer(id)) for id in sent]
    assert codes == [""] * 30 + ["too_many_offers"]


def test_row_26_a_typed_offer_has_the_bounds_of_one_that_is_sent(seats: list[Seat]) -> None:
    typed = "/offer anyone " + ",".join(["1g"] * 100) + " > 1y"
    assert code_of(seats[0].say(typed)) == "out_of_range"
    assert code_of(seats[0].say("/offer anyone 1g > " + "1y+" * 500)) == "out_of_range"


def test_row_28_a_converter_does_not_run_twice(seats: list[Seat]) -> None:
    reach(seats, "plan")
    found = seats[0].answer(seats[0].send(kind="ask", what="options"))["options"]["choices"]
    runs = next(
        c["action"]["runs"] for c in found if c["action"]["kind"] == "lay_plan" and c["action"]["runs"]
    )
    answer = seats[0].do("lay_plan", runs=[runs[0], runs[0]])
    assert code_of(answer) in ("already_ran", "bad_quantity", "lacks_goods")
    assert code_of(seats[0].do("lay_plan", runs=runs)) == ""


def test_row_29_a_step_that_is_over_stays_over(seats: list[Seat]) -> None:
    reach(seats, "plan")
    assert code_of(seats[0].do("done")) == "wrong_step"
    assert code_of(seats[0].answer(seats[0].send(kind="do", action=deal(0, 1, {"green": 1})))) != ""


def test_row_30_only_what_lies_on_the_track_can_be_taken(seats: list[Seat]) -> None:
    auction(seats)
    bidder = seats[0].view["waiting"][0]
    for card in ("no card", seats[0].view["players"][0]["deck"][0], "0"):
        assert code_of(seats[bidder].do("buy", card=card)) in ("cannot_buy", "unknown_card")


def auction(seats: list[Seat]) -> None:
    """Everybody bids all ships for colonies."""
    reach(seats, "bid")
    for seat in list(seats[0].view["waiting"]):
        ships = seats[seat].view["players"][seat]["stock"].get("ship", 0)
        answer = seats[seat].do("place_bid", colony=ships, research=0)
        assert code_of(answer) == ""
    for seat in seats:
        seat.up_to(answer["n"])


def test_row_33_who_stalls_is_not_waited_for_longer_than_the_clock_runs(served: Served) -> None:
    game, people = full_table(served, clock={"trade": 1, "step": 1})
    with people[0].sit(game) as seat:
        while seat.view["step"] == "trade":
            seat.next()
        assert any(line["seat"] is None and line["events"] for line in seat.lines)


# ---------------------------------------------------------------- hidden information


def test_row_34_a_second_connection_as_a_watcher_sees_what_is_public(
    served: Served, seats: list[Seat]
) -> None:
    reach(seats, "bid")
    assert code_of(seats[0].do("place_bid", colony=0, research=0)) == ""
    with Browser(served).sit(seats[0].table_id, since=0) as watcher:
        assert watcher.you is None
        assert (watcher.view["score"], watcher.view["plan"], watcher.view["bid"]) == (None, None, None)
        assert '"colony": 0, "research": 0' not in json.dumps(watcher.messages)


def test_row_36_a_bid_stands_once_all_are_in(seats: list[Seat]) -> None:
    auction(seats)
    assert code_of(seats[0].do("place_bid", colony=0, research=0)) == "wrong_step"


def test_row_37_a_bid_above_what_one_has_is_refused_in_private(seats: list[Seat]) -> None:
    reach(seats, "bid")
    before = [len(seat.messages) for seat in seats]
    assert code_of(seats[0].do("place_bid", colony=999, research=0)) == "too_many_ships"
    assert code_of(seats[0].do("place_bid", colony=0, research=0)) == ""
    for seat, seen in zip(seats[1:], before[1:], strict=True):
        seat.up_to(seats[0].n)
        assert [m["kind"] for m in seat.messages[seen:]] == ["update"]


@pytest.mark.parametrize("what", ["", "/log", "/record", "/options", "/log?since=0"])
def test_rows_39_and_40_a_running_game_is_not_for_strangers_and_not_exported(
    served: Served, what: str
) -> None:
    private, people = full_table(served, public=False)
    eve = Browser(served, "Eve")
    assert eve.get(f"/api/tables/{private}{what}").status == 404
    assert eve.post("/api/tables", {"from": {"table": private}}).status == 404
    public, _ = full_table(served)
    reply = eve.get(f"/api/tables/{public}{what}")
    assert reply.status == (403 if what in ("/record", "/options") else 200)
    assert not [word for word in (b'"seed"', b"shuffled") if word in reply.raw]
    assert people[0].get(f"/api/tables/{private}/record").json["code"] == "game_on"
    assert people[0].post("/api/tables", {"from": {"table": private}}).json["code"] == "game_on"


def test_row_42_secrets_are_neither_cached_nor_logged_nor_counted(served: Served) -> None:
    game, people = full_table(served, public=False)
    code = people[1].post("/api/me/codes").json["code"]
    invitation = people[0].get(f"/api/tables/{game}").json["table"]["invitation"]
    with people[0].sit(game) as seat:
        seat.say("under four eyes", to=1)
    for path in (f"/api/tables/{game}", f"/api/tables/{game}/log", "/api/me", f"/api/tables/{game}/options"):
        assert people[0].get(path).headers["cache-control"] == "no-store"
    told = served.log() + people[0].get("/metrics").raw.decode()
    for secret in (code, invitation, "under four eyes", *(person.key for person in people)):
        assert secret is not None
        assert secret not in told

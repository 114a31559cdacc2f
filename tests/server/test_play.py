"""Playing over the socket: commands, updates, talk, and coming back."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from elysian.deals import ANYONE
from elysian.deck import CATALOG
from tests.support.server.seats import give, same, truth
from tests.support.server.steps import reach
from tools.drive.server import Browser, Served, full_table, new_id

# For whoever has no ships the table bids by itself.
WITHOUT_SHIPS = tuple(name for name, facts in CATALOG.species.items() if not facts.stock.ship)


def test_everyone_hears_of_a_move_and_keeps_the_view_the_server_has(served: Served) -> None:
    table, people = full_table(served)
    seats = [person.sit(table) for person in people]
    offer = seats[0].answer(seats[0].send(kind="do", action=give(seats[0].view, 0, 1)))
    assert offer["kind"] == "accepted"
    deal = next(iter(seats[0].view["deals"]))
    seats[1].up_to(offer["n"])
    assert seats[1].do("accept_deal", deal=deal)["kind"] == "accepted"
    for seat, person in zip(seats, people, strict=True):
        assert same(seat, person)
        assert seat.view["deals"] == {}
        seat.close()


def test_a_refusal_is_heard_by_the_asker_alone_and_changes_nothing(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as asker, people[1].sit(table) as other:
        before = truth(people[0], table)
        answer = asker.do("accept_deal", deal="d99")
        assert answer["kind"] == "refused"
        assert answer["code"] == "no_such_offer"
        assert answer["sentence"].endswith(".")
        assert truth(people[0], table)["n"] == before["n"]
        asker.do("done")
        other.until_event("done_said")
        assert not [m for m in other.messages if m["kind"] == "refused"]


def test_the_same_id_twice_has_one_effect_and_one_answer(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        id = new_id()
        action = give(seat.view, 0, 1)
        first = seat.answer(seat.send(kind="do", id=id, action=action))
        again = seat.answer(seat.send(kind="do", id=id, action=action))
        assert first == again
        assert len(truth(people[0], table)["view"]["deals"]) == 1
        other = seat.answer(seat.send(kind="do", id=id, action={"kind": "done"}))
        assert (other["kind"], other["code"]) == ("refused", "id_reused")


def test_a_refused_id_stays_refused(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat, people[1].sit(table) as other:
        id = new_id()
        refused = seat.answer(seat.send(kind="do", id=id, action={"kind": "not_done"}))
        assert refused["code"] == "not_said_done"
        seat.do("done")
        again = seat.answer(seat.send(kind="do", id=id, action={"kind": "not_done"}))
        assert again == refused
        assert other.view["players"][0]["done"] is False
        assert seat.view["players"][0]["done"] is True


def test_two_ids_may_be_the_same_when_they_come_from_two_people(served: Served) -> None:
    table, people = full_table(served)
    id = new_id()
    assert people[0].do(table, {"kind": "done"}, id).status == 200
    assert people[1].do(table, {"kind": "done"}, id).status == 200
    assert [p["done"] for p in truth(people[0], table)["view"]["players"]] == [True, True, False, False]


def test_a_duplicate_in_the_same_breath_has_one_effect(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        id, action = new_id(), give(seat.view, 0, 1)
        for _ in range(5):
            seat.send(kind="do", id=id, action=action)
        answers = [seat.answer(id) for _ in range(5)]
        assert {json.dumps(answer) for answer in answers} == {json.dumps(answers[0])}
        assert len(truth(people[0], table)["view"]["deals"]) == 1


def test_bids_are_told_when_all_are_in_and_not_before(served: Served) -> None:
    """BID-2."""
    table, people = full_table(served, exclude=WITHOUT_SHIPS)
    seats = [person.sit(table) for person in people]
    reach(seats, "bid")
    mine = seats[0].view["players"][0]["stock"].get("ship", 0)
    seats[0].do("place_bid", colony=mine, research=0)
    seats[1].up_to(seats[0].n)
    placed = seats[1].events("bid_placed")
    assert [(event["by"], event.get("bid")) for event in placed] == [(0, None)]
    assert seats[0].view["bid"] == {"colony": mine, "research": 0}
    assert seats[1].view["bid"] is None
    for seat in seats:
        seat.close()


def test_who_has_nothing_to_decide_is_done_at_a_live_table_and_is_told_so(served: Served) -> None:
    table, people = full_table(served)
    seats = [person.sit(table, language="de") for person in people]
    goods = seats[0].view["players"][0]["stock"]
    clause = {"kind": "give", "giver": 0, "to": 1, "goods": goods}
    assert seats[0].do("propose_deal", parties=[0, 1], clauses=[clause])["kind"] == "accepted"
    [offer] = seats[0].view["deals"]
    assert seats[1].do("accept_deal", deal=offer)["kind"] == "accepted"
    reach(seats, "bid")
    assert 0 not in seats[0].view["waiting"]
    spared = [
        (seat.you, event["seat"], told)
        for seat in seats
        for line in seat.lines
        for event, told in zip(line["events"], line["told"], strict=True)
        if event["kind"] == "step_spared" and event["step"] == "bid"
    ]
    assert (0, 0, "Für dich gibt es nichts zu entscheiden (geheime Gebote): für dich erledigt.") in spared
    assert all(you == seat for you, seat, _ in spared)
    for seat in seats:
        seat.close()


def test_what_was_missed_comes_from_any_point_and_exactly_once(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        for _ in range(30):
            seat.do("done")
            seat.do("not_done")
        last = seat.n
    whole = people[0].sit(table, since=0)
    assert [line["n"] for line in whole.lines] == list(range(1, last + 1))
    for since in (0, 1, 3, 20, last - 40, last - 5, last - 1, last):
        with people[0].sit(table, since=since) as back:
            assert [line["n"] for line in back.lines] == list(range(since + 1, last + 1))
            assert back.lines == whole.lines[since:]
            assert back.view == whole.view
    whole.close()


def test_two_devices_of_one_seat_see_the_same(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as one, people[0].sit(table) as two:
        one.do("done")
        two.until_event("done_said")
        assert one.view == two.view
        assert two.do("not_done")["kind"] == "accepted"


def test_presence_tells_who_is_here(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as host:
        with people[1].sit(table):
            assert host.until("presence", here=[0, 1])["watching"] == 0
        assert host.until("presence", here=[0])["here"] == [0]
        with Browser(served).sit(table) as watcher:
            assert watcher.you is None
            host.until("presence", watching=1)


def test_talk_goes_to_the_table_or_to_one_seat(served: Served) -> None:
    table, people = full_table(served)
    seats = [person.sit(table) for person in people]
    seats[0].say("hello\x07 there")
    assert seats[3].until_event("said")["text"] == "hello there"
    seats[0].say("only you", to=2)
    assert seats[2].until_event("said")["text"] == "hello there"
    assert seats[2].until_event("said") == {"kind": "said", "seat": 0, "text": "only you", "to": 2}
    seats[1].up_to(seats[0].n)
    assert "only you" not in json.dumps(seats[1].messages)
    assert seats[1].lines[-1]["seat"] is None
    for seat in seats:
        seat.close()


def test_a_muted_seat_is_not_heard(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as one, people[1].sit(table) as two, people[2].sit(table) as three:
        one.do("mute", seat=1)
        two.say("anybody?")
        three.until_event("said")
        one.up_to(three.n)
        assert "anybody" not in json.dumps(one.messages)
        assert "seat_muted" not in json.dumps(two.messages)
        assert one.table["muted"] == [1]
        one.do("mute", seat=1, muted=False)
        two.say("again")
        assert one.until_event("said")["text"] == "again"


def test_a_typed_offer_becomes_an_offer(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        other = CATALOG.species[seat.view["players"][1]["species"]].short
        assert seat.say(f"{other} 1g > 1s")["kind"] == "accepted"
        (deal,) = seat.view["deals"].values()
        assert deal["parties"] == [0, 1]
        assert seat.say("1g > 1y", to=2)["kind"] == "accepted"
        assert [d["parties"] for d in seat.view["deals"].values()] == [[0, 1], [0, 2]]
        assert seat.say("1g > 1w")["kind"] == "accepted"
        assert [*seat.view["deals"].values()][-1]["parties"] == [0, ANYONE]
        assert seat.say("3 > 2, as they say")["kind"] == "accepted"
        assert seat.lines[-1]["events"][0]["kind"] == "said"
        wrong = seat.say("/offer nobody 1g > 1y")
        assert (wrong["kind"], wrong["code"]) == ("refused", "bad_offer")
        assert seat.say("I am > you")["kind"] == "accepted"
        assert seat.lines[-1]["events"][0]["kind"] == "said"


def test_a_counter_offer_closes_the_offer_it_answers(served: Served) -> None:
    """Of one thread only the last terms can be accepted; an offer to anyone stays open for the others."""
    table, people = full_table(served)
    with people[0].sit(table) as one, people[1].sit(table) as two:
        one.answer(one.send(kind="do", action=give(one.view, 0, 1)))
        two.up_to(one.n)
        (first,) = two.view["deals"]
        counter = {**give(two.view, 1, 0), "answers": first}
        assert two.answer(two.send(kind="do", action=counter))["kind"] == "accepted"
        while first in two.view["deals"]:
            two.next()
        (second,) = two.view["deals"].values()
        assert second["answers"] == first
        assert code_of(one.do("accept_deal", deal=first)) == "no_such_offer"
        again = {**give(one.view, 0, 1), "answers": second["id"]}
        one.answer(one.send(kind="do", action=again))
        while second["id"] in one.view["deals"]:
            one.next()
        (third,) = one.view["deals"]
        one.do("withdraw_deal", deal=third)
        while one.view["deals"]:
            one.next()
        one.answer(one.send(kind="do", action=give(one.view, 0, ANYONE)))
        two.up_to(one.n)
        (anyone,) = two.view["deals"]
        two.answer(two.send(kind="do", action={**give(two.view, 1, 0), "answers": anyone}))
        assert len(two.view["deals"]) == 2


def code_of(answer: dict[str, Any]) -> str:
    return str(answer.get("code", ""))


def test_options_come_on_request_with_names_and_reasons(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat, Browser(served).sit(table) as watcher:
        found = seat.answer(seat.send(kind="ask", what="options", refused=True))
        assert len(found["options"]["choices"]) == len(found["told"]) == len(found["why"]) > 1
        assert any(found["why"])
        assert not all(found["why"])
        refused = watcher.answer(watcher.send(kind="ask", what="options"))
        assert refused["code"] == "not_seated"


def test_the_worth_of_an_offer_is_told_as_the_table_allows(served: Served) -> None:
    table, people = full_table(served, help="both")
    with people[0].sit(table) as seat:
        clauses = give(seat.view, 0, 1)["clauses"]
        told = seat.answer(seat.send(kind="ask", what="worth", clauses=clauses))
        assert [value["seat"] for value in told["values"]] == [0, 1]
        terms = seat.answer(seat.send(kind="ask", what="terms", clauses=clauses))
        assert [said.split()[:2] for said in terms["told"]] == [["you", "give"]]
        bid = {"who": 2, "verb": "bid", "subject": "colony", "least": 1}
        deed = {"kind": "undertake", "to": 0, "deed": bid, "turn": 1, "by": "confluence"}
        told = seat.answer(seat.send(kind="ask", what="worth", clauses=[*clauses, deed]))
        assert [value["seat"] for value in told["values"]] == [0, 1, 2], "who undertakes is a party too"
        anyone = [{**clauses[0], "to": -1}]
        told = seat.answer(seat.send(kind="ask", what="worth", clauses=anyone))
        assert [(value["seat"], value["points"] > -9) for value in told["values"]] == [(0, True)]
        # A promise that is replaced counts for the one it is owed to, so an unknown one changes nothing.
        same = seat.answer(seat.send(kind="ask", what="worth", clauses=anyone, settles=["d9.1"]))
        assert same["values"] == told["values"]
        too_much = [{**clauses[0], "goods": {"green": 90}}]
        told = seat.answer(seat.send(kind="ask", what="worth", clauses=too_much))
        assert {value["points"] for value in told["values"]} == {None}
    table, people = full_table(served, help="off")
    with people[0].sit(table) as seat:
        clauses = give(seat.view, 0, 1)["clauses"]
        assert seat.answer(seat.send(kind="ask", what="worth", clauses=clauses))["code"] == "help_off"


def test_needs_and_spares_are_told_as_the_table_allows(served: Served) -> None:
    for help, seats in (("both", [0, 1, 2, 3]), ("own", [0])):
        table, people = full_table(served, help=help)
        with people[0].sit(table) as seat:
            told = seat.answer(seat.send(kind="ask", what="needs"))
            assert [one["seat"] for one in told["seats"]] == seats
            stock = seat.view["players"][0]["stock"]
            assert all(n <= stock[kind] for kind, n in told["seats"][0]["spare"].items())
    table, people = full_table(served, help="off")
    with people[0].sit(table) as seat:
        assert seat.answer(seat.send(kind="ask", what="needs"))["code"] == "help_off"


def test_deals_are_found_for_whoever_asks_and_can_be_offered_as_they_are(served: Served) -> None:
    """With both gains where the table tells them, one's own where it tells that, not at all without help."""
    for help in ("both", "own"):
        table, people = full_table(served, help=help)
        with people[0].sit(table) as seat:
            found = seat.answer(seat.send(kind="ask", what="deals"))["found"]
            assert 0 < len(found) <= 3
            for one in found:
                told = {value["seat"]: value["points"] for value in one["values"]}
                assert set(told) == (set(one["offer"]["parties"]) if help == "both" else {0})
                assert all(points > 0 for points in told.values())
            assert seat.answer(seat.send(kind="do", action=found[0]["offer"]))["kind"] == "accepted"
            evened = seat.answer(seat.send(kind="ask", what="even", clauses=found[0]["offer"]["clauses"]))
            assert evened["kind"] == "deals"
            assert seat.answer(seat.send(kind="ask", what="even"))["code"] == "worth_needs_offer"
    table, people = full_table(served, help="off")
    with people[0].sit(table) as seat:
        assert seat.answer(seat.send(kind="ask", what="deals"))["code"] == "help_off"


def test_a_plan_is_told_with_what_it_lacks_and_leaves(served: Served) -> None:
    table, people = full_table(served, help="own")
    with people[0].sit(table) as seat:
        free = seat.answer(seat.send(kind="ask", what="plan"))["plan"]
        assert not free["missing"]["goods"]
        best = seat.answer(seat.send(kind="ask", what="best_plan"))
        assert len(best["plan"]["runs"]) >= len(free["runs"]) > 0
        assert len(best["moves"]) == len(best["told"]) == len(best["gains"])
        assert best["run_gain"] > 0
        ticked = [one["run"] for one in best["plan"]["runs"]]
        better = seat.answer(seat.send(kind="ask", what="best_plan", runs=ticked))["ahead"]
        assert better == pytest.approx(sum(best["gains"]), abs=0.05)
        idle = seat.answer(seat.send(kind="ask", what="best_plan", runs=[]))["ahead"]
        assert idle == pytest.approx(sum(best["gains"]) + best["run_gain"], abs=0.05)
        assert best["ahead"] is None
        assert not best["plan"]["missing"]["goods"]
        runs = [one["run"] for one in best["plan"]["runs"]]
        again = seat.answer(seat.send(kind="ask", what="plan", runs=runs))
        assert again["plan"] == best["plan"]
        unnamed = seat.answer(seat.send(kind="ask", what="payments"))
        assert unnamed["code"] == "missing_field"
    table, people = full_table(served, help="off")
    with people[0].sit(table) as seat:
        assert seat.answer(seat.send(kind="ask", what="best_plan"))["code"] == "help_off"
        assert seat.answer(seat.send(kind="ask", what="plan"))["kind"] == "plan"


def test_the_ways_to_pay_a_price_are_named(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as seat:
        found = seat.answer(seat.send(kind="ask", what="options", refused=True))["options"]["choices"]
        violet = [one["action"] for one in found if one["price"] and one["refused"] is None]
        kinds = ("invent", "upgrade_card", "put_into_play", "run_converter")
        for action in (one for one in violet if one["kind"] in kinds):
            ways = seat.answer(seat.send(kind="ask", what="payments", action=action))["ways"]
            assert (action.get("pay") or {}) in ways["pay"]


def test_lines_are_told_in_the_language_of_the_socket(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table, language="de") as german, people[1].sit(table) as english:
        german.do("done")
        english.up_to(german.n)
        assert german.lines[-1]["events"] == english.lines[-1]["events"]
        assert german.lines[-1]["told"] != english.lines[-1]["told"]
        assert "Das Spiel läuft." in [
            t for line in people[0].sit(table, since=0, language="de").lines for t in line["told"]
        ]


def test_numbers_are_dense_for_everybody_also_with_private_offers(served: Served) -> None:
    table, people = full_table(served, private_offers=True)
    seats = [person.sit(table) for person in people]
    last = seats[0].answer(seats[0].send(kind="do", action=give(seats[0].view, 0, 1)))["n"]
    for seat, person in zip(seats, people, strict=True):
        seat.up_to(last)
        assert all(b["n"] == a["n"] + 1 for a, b in pairwise(seat.lines))
        assert same(seat, person)
        assert bool(seat.view["deals"]) == (seat.you in (0, 1))
        assert ("propose" in json.dumps(seat.lines) or "deal_offered" in json.dumps(seat.lines)) == (
            seat.you in (0, 1)
        )
    assert seats[2].lines[-1]["seat"] is None
    back = people[2].sit(table, since=0)
    assert "deal_offered" not in json.dumps(back.lines)
    for seat in (*seats, back):
        seat.close()

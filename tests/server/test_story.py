"""The story of a finished game, and the table at any line of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from elysian.events import DealStruck, GiftGiven, ObligationBroken
from elysian.goods import Goods
from elysian.record import Record, read
from elysian.rules import begin, evolve
from elysian.server.ops.errors import Refused
from elysian.server.reports.story import Story, past_table, story, worth
from elysian.server.table_state.events import Line
from elysian.view import view
from elysian.worth import judge
from tools.drive.server import Browser, Served

GAMES = Path(__file__).resolve().parents[2] / "games"
FINISHED = sorted(GAMES.glob("*.jsonl"))


def log(record: Record) -> list[Line]:
    first = Line(n=1, at=0, events=(record.head.started,))
    rest = (Line(n=one.n + 1, at=0, seat=one.seat, events=one.events) for one in record.entries)
    return [first, *rest]


@pytest.fixture(scope="module", params=FINISHED, ids=lambda path: path.stem)
def game(request: pytest.FixtureRequest) -> tuple[Record, Story]:
    record = read(request.param)
    return record, story(log(record))


def test_the_sources_add_up_to_every_score(game: tuple[Record, Story]) -> None:
    record, told = game
    *_, last = record.states()
    assert len(told.seats) == len(last.players)
    for seat in told.seats:
        assert len(seat.turns) == 6
        assert seat.turns[-1].together() == last.players[seat.seat].score
        assert seat.turns[-1].together() + seat.leftovers == pytest.approx(seat.total)
        inventions = [turn.invention for turn in seat.turns]
        assert inventions == sorted(inventions)


def test_penalties_are_those_of_broken_promises(game: tuple[Record, Story]) -> None:
    record, told = game
    broken = [event for one in record.entries for event in one.events if isinstance(event, ObligationBroken)]
    assert sum(seat.turns[-1].penalty for seat in told.seats) == -sum(event.points for event in broken)
    assert [promise.outcome for promise in told.promises].count("broken") == len(broken)


def test_what_one_gave_another_got(game: tuple[Record, Story]) -> None:
    record, told = game
    struck = [event for one in record.entries for event in one.events if isinstance(event, DealStruck)]
    assert not any(isinstance(event, GiftGiven) for event in struck)
    assert sum(seat.gave for seat in told.seats) == pytest.approx(sum(seat.got for seat in told.seats))
    assert sum(seat.deals for seat in told.seats) == sum(len(event.parties) for event in struck)
    assert all(trade.giver != trade.to for trade in told.trades)
    assert all(price.units > 0 and price.paid > 0 for price in told.prices)
    values = [deal.value for deal in told.biggest]
    assert values == sorted(values, reverse=True)


def test_the_surplus_of_a_seat_is_what_its_deals_were_worth_to_it_when_they_were_struck() -> None:
    record = read(FINISHED[0])
    told = story(log(record))
    sums = [0.0 for _ in told.seats]
    state = begin(record.head.started)
    for event in (event for one in record.entries for event in one.events):
        if isinstance(event, DealStruck):
            deal = state.deals[event.deal]
            (taker,) = {*event.parties} - {*deal.parties} or {event.by}
            for seat in event.parties:
                clauses = deal.taken_by(taker).clauses
                sums[seat] += judge(view(state, seat), seat, clauses, settles=deal.settles).gain
        state = evolve(state, event)
    assert any(sums)
    assert [seat.surplus for seat in told.seats] == pytest.approx(sums, abs=0.2)


def test_the_book_counts_small_large_octagons_and_ships() -> None:
    assert worth(Goods(green=2, ship=1)) == 3
    assert worth(Goods(blue=2, ultratech=1, envoy=3)) == 6


def test_a_game_that_is_not_over_has_no_story() -> None:
    record = read(FINISHED[0])
    with pytest.raises(Refused, match="game_on"):
        story(log(Record(record.head, record.entries[:30])))


def test_the_table_at_a_line_is_what_a_spectator_saw() -> None:
    record = read(FINISHED[0])
    states = list(record.states())
    for n in (1, 40, len(states)):
        found = past_table(states[n - 1], n)
        assert found.view is not None
        assert (found.view.turn, found.view.step) == (states[n - 1].turn, states[n - 1].step)
        assert found.view.seat is None
        assert found.view.bid is None
        assert found.points == tuple(player.score for player in states[n - 1].players)
    assert past_table(None, 1).view is None


def test_story_and_moments_are_told_once_the_game_is_over(served: Served) -> None:
    host = Browser(served, "Anna")
    lines = (GAMES / "4-players-2020-2.jsonl").read_text(encoding="utf-8")
    bots = {str(seat): "random" for seat in range(4)}
    table = host.post("/api/tables", {"from": {"record": lines}, "seat": None, "bots": bots}).json["table"]
    for what in ("story", "at?n=3", "review"):
        assert host.get(f"/api/tables/{table}/{what}").json["code"] == "game_on"
    with host.sit(table) as watcher:
        host.do(table, {"kind": "start_game"})
        watcher.until_event("game_scored")
        n, scores = watcher.n, watcher.view["scores"]
    told = host.get(f"/api/tables/{table}/story").json
    assert [seat["total"] for seat in told["seats"]] == [score["total"] / 12 for score in scores]
    assert host.get(f"/api/tables/{table}/at?n={n}").json["view"]["step"] == "over"
    early = host.get(f"/api/tables/{table}/at?n=20").json
    assert early["view"] is None or early["view"]["turn"] == 1
    reviewed = host.get(f"/api/tables/{table}/review?seat=1").json
    assert reviewed["total"] == scores[1]["total"] / 12
    assert len(reviewed["turns"]) == 6
    assert 0 < len(reviewed["moments"]) <= 5
    assert all(one["lesson"] for one in reviewed["turns"])
    assert host.get(f"/api/tables/{table}/review?seat=1").json == reviewed
    for wrong in ("", "?seat=9", "?seat=x"):  # who only watched has no seat of their own
        assert host.get(f"/api/tables/{table}/review{wrong}").json["code"] == "no_such_seat", wrong
    for wrong in ("0", str(n + 9), "-1", "x", ""):
        reply = host.get(f"/api/tables/{table}/at?n={wrong}")
        assert (reply.status, reply.json["code"]) == (400, "no_such_line"), wrong

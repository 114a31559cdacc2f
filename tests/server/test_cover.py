"""Cover that does no harm: off unless the table chose it; then the clock alone, careful, or a whole bot."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from elysian.actions import AcceptDeal, LayPlan, ProposeDeal, TimeUp
from elysian.deals import AnyClause, Give, Pledge
from elysian.goods import Goods
from elysian.rules import decide, new_game
from elysian.server.background.away import AbsenceWatch
from elysian.server.live.commands import SystemCommand
from elysian.server.table_state.cover import cover_move
from elysian.server.table_state.events import SeatCovered
from elysian.server.table_state.state import Chair, Lobby
from elysian.server.table_state.table_options import TableOptions
from elysian.state import Run, State
from tests.support.table import stock, until
from tools.drive.server import Seat, Served, full_table

CAYLION, KJAS = 0, 1


def offered(*clauses: AnyClause, plan: tuple[Run, ...] | None = None) -> State:
    """A table at which Kjas offers Caylion something."""
    game = new_game(("caylion", "kjas", "zeth", "unity"), 3)
    if plan is not None:
        _, game = decide(game, CAYLION, LayPlan(runs=plan, ready=False))
    _, game = decide(game, KJAS, ProposeDeal(parties=(KJAS, CAYLION), clauses=clauses))
    return game


def give(giver: int, to: int, **goods: int) -> Give:
    return Give(giver=giver, to=to, goods=Goods(**goods))


def test_keeping_the_clock_accepts_nothing() -> None:
    gift = offered(give(KJAS, CAYLION, ship=1))
    assert cover_move(gift, CAYLION, careful=False) == TimeUp(seat=CAYLION)


@pytest.mark.parametrize(
    ("clauses", "accepts"),
    [
        ((give(KJAS, CAYLION, ship=1),), True),
        ((give(KJAS, CAYLION, ship=1), give(CAYLION, KJAS, green=1)), True),
        ((give(KJAS, CAYLION, ship=1), give(CAYLION, KJAS, green=2)), False),
        ((give(KJAS, CAYLION, ship=1), Pledge(what=give(CAYLION, KJAS, green=1), due=2)), False),
        ((Pledge(what=give(KJAS, CAYLION, green=9), due=2), give(CAYLION, KJAS, green=1)), False),
    ],
)
def test_careful_takes_swaps_that_are_even_or_better_and_no_promise(
    clauses: tuple[AnyClause, ...], accepts: bool
) -> None:
    game = offered(*clauses)
    assert cover_move(game, CAYLION, careful=True) == (
        AcceptDeal(deal="d1") if accepts else TimeUp(seat=CAYLION)
    )


def test_careful_gives_away_nothing_that_is_owed() -> None:
    owed = Pledge(what=give(CAYLION, KJAS, green=30), due=2)
    game = offered(give(KJAS, CAYLION, ship=1), owed)
    _, game = decide(game, CAYLION, AcceptDeal(deal="d1"))
    game = until(game, "trade", 2)
    game = stock(stock(game, CAYLION, green=3), KJAS, ship=2)
    swap = (give(KJAS, CAYLION, ship=2), give(CAYLION, KJAS, green=1))
    _, game = decide(game, KJAS, ProposeDeal(parties=(KJAS, CAYLION), clauses=swap))
    assert cover_move(game, CAYLION, careful=True) == TimeUp(seat=CAYLION)


def covered(host: Seat, seat: int = 1) -> bool:
    return bool(host.table["seats"][seat]["covered"])


def test_nobody_is_covered_unless_the_table_chose_it(served: Served) -> None:
    table, people = full_table(served)
    with people[0].sit(table) as host:
        assert host.table["options"].get("cover") is None
        assert people[0].do(table, {"kind": "done"}).status == 200
        host.up_to(people[0].do(table, {"kind": "not_done"}).json["n"])
        assert not any(covered(host, seat) for seat in range(4))


class OneTable:
    """As much of a table as who watches for absences looks at, and what is put into its inbox."""

    game, n = "t", 1
    context = SimpleNamespace(now=lambda: 0)

    def __init__(self, cover: int | None, present: set[int]) -> None:
        chairs = tuple(Chair(person=f"p{seat}", name="Anna") for seat in range(4))
        self.lobby = Lobby(options=TableOptions(cover=cover), host="p0", chairs=chairs, status="playing")
        self.watchers = SimpleNamespace(present=lambda: frozenset(present))
        self.state, self.asked = None, list[SystemCommand]()
        self.put = self.asked.append

    def covers(self) -> list[int]:
        """The seats that are covered by what was asked for."""
        events = [event for one in self.asked for event in one.events(self.lobby)]
        return [event.seat for event in events if isinstance(event, SeatCovered)]


@pytest.mark.parametrize(
    ("cover", "present", "minutes", "covered"),
    [
        (None, {0}, 10_000, []),  # the table did not choose it
        (2, {0}, 1.9, []),
        (2, {0}, 2, [1, 2, 3]),
        (2, set(), 10_000, []),  # nobody waits
    ],
)
def test_who_is_away_is_covered_only_where_and_when_the_table_chose_it(
    cover: int | None, present: set[int], minutes: float, covered: list[int]
) -> None:
    time = [0.0]
    watch, table = AbsenceWatch(lambda: time[0]), OneTable(cover, present)
    watch.look(table)  # type: ignore[arg-type]
    time[0] = 60 * minutes
    watch.look(table)  # type: ignore[arg-type]
    assert table.covers() == covered


@pytest.mark.parametrize("kind", ["clock", "careful"])
def test_a_covered_seat_finishes_steps_and_says_so_line_by_line(served: Served, kind: str) -> None:
    table, people = full_table(served, cover=0, cover_kind=kind)
    gift = {"kind": "give", "giver": 0, "to": 1, "goods": _one_of(people[0], table)}
    with people[0].sit(table) as host:
        while not all(covered(host, seat) for seat in (1, 2, 3)):
            host.next()
        assert host.do("propose_deal", parties=[0, 1], clauses=[gift])["kind"] == "accepted"
        if kind == "careful":
            # Looked for in all that came: the deal may be struck before the offer's own answer is read.
            while not host.events("deal_struck"):
                host.next()
            assert [deal["parties"] for deal in host.events("deal_struck")] == [[0, 1]]
        while host.view["step"] != "bid":
            step = host.view["step"]
            answer = host.do("lay_plan", runs=[]) if step == "plan" else host.do("done")
            while answer["kind"] == "accepted" and host.view["step"] == step:
                host.next()
    with people[1].sit(table, since=0) as back:
        while covered(back):
            back.next()
        mine = [told for line in back.lines for told in line["told"] if told]
        kinds = [event["kind"] for line in back.lines for event in line["events"] if event.get("by") == 1]
        assert ("deal_accepted" in kinds or "deal_struck" in kinds) == (kind == "careful")
        assert {"done_said", "plan_laid"} <= set(kinds), kinds
        assert mine


def _one_of(person: Any, table: str) -> dict[str, int]:
    stock = person.get(f"/api/tables/{table}").json["view"]["players"][0]["stock"]
    return {next(kind for kind, n in stock.items() if n and kind != "point"): 1}

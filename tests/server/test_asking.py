"""The page asks again only when it must: its own rules, held against every line of recorded games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from elysian.options import options
from elysian.plan_preview import planned
from elysian.record import read
from elysian.server.protocol.view_delta import view_changes
from elysian.view import view
from tools import build_web
from tools.drive.asking import Asking, asking

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.fixture(scope="module")
def pages() -> Iterator[Asking]:
    if build_web.node() is None:
        pytest.skip("there is no Node here to run the page's rules")
    with asking() as found:
        yield found


@pytest.mark.parametrize("game", ["9-players-2020.jsonl", "6-players-2020.jsonl"])
def test_where_the_page_does_not_ask_the_answer_is_the_same(pages: Asking, game: str) -> None:
    states = list(read(GAMES / game).states())
    spared = asked = 0
    for seat in (0, len(states[0].players) - 1):
        pages.open(seat, view(states[0], seat))
        for before, after in pairwise(states[:400]):
            changes = view_changes(view(before, seat), view(after, seat))
            due = pages.after(seat, seat, changes, "own")
            asked += len(due)
            if "options" not in due:
                spared += 1
                assert options(before, seat, with_refused=True) == options(after, seat, with_refused=True)
            if "plan" not in due and after.phase in ("trade", "economy"):
                runs = after.plans.get(seat) or ()
                assert planned(before, seat, runs) == planned(after, seat, runs)
    assert spared > 50
    assert asked > 50

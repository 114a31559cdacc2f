"""The page asks again what can be done only when it must: held against every line of recorded games."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from elysian.options import options
from elysian.record import read
from elysian.server.protocol.view_delta import plain
from elysian.view import view
from tools.drive.asking import concerns

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize("game", ["9-players-2020.jsonl", "6-players-2020.jsonl"])
def test_where_the_page_does_not_ask_its_choices_are_the_same(game: str) -> None:
    states = list(read(GAMES / game).states())
    spared = 0
    for before, after in pairwise(states[:400]):
        for seat in (0, len(after.players) - 1):
            if concerns(plain(view(before, seat)), plain(view(after, seat)), seat):
                continue
            spared += 1
            assert options(before, seat, with_refused=True) == options(after, seat, with_refused=True)
    assert spared > 50

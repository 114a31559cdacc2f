"""In a notebook: views, cards and records draw themselves, and the notebooks of the documentation run."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from elysian import new_game, view
from elysian.actions import ProposeDeal
from elysian.cli import app
from elysian.deals import Give, Note
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.notebook import html
from elysian.players.levels import make
from elysian.record import Record, Seated, read
from elysian.rules import begin, decide
from elysian.sim import play_game
from elysian.state import Settings
from tools import notebooks

ROOT = Path(__file__).resolve().parent.parent
SEATS = ("kit", "caylion", "faderan", "eni_et")
HOSTILE = "<script>alert(1)</script> & \"quotes\" 'too'"


def parsed(text: str) -> ElementTree.Element:
    """Every tag that opens closes again."""
    return ElementTree.fromstring(f"<div>{text}</div>")


def words(text: str) -> str:
    return " ".join(parsed(text).itertext())


def test_a_view_draws_what_a_seat_sees_and_escapes_what_people_say() -> None:
    state = new_game(SEATS, 1)
    give = Give(giver=1, to=0, goods=Goods(green=1))
    deal = ProposeDeal(parties=(1, 0), clauses=(give, Note(text=HOSTILE)), reason=HOSTILE)
    _, state = decide(state, 1, deal)
    for seat in (0, 2, None):
        drawn = view(state, seat)._repr_html_()
        assert parsed(drawn).find(".//script") is None
        said = words(drawn)
        assert all(CATALOG.species[name].name in said for name in SEATS)
        assert HOSTILE in said


def test_every_card_draws_itself() -> None:
    for card in CATALOG.cards.values():
        assert card.front.name in words(card._repr_html_())


@pytest.mark.parametrize("game", sorted((ROOT / "games").glob("*-2020.jsonl"))[:3])
def test_a_record_draws_its_result(game: Path) -> None:
    record = read(game)
    said = words(record._repr_html_())
    assert f"{len(record.entries)} actions" in said
    assert "won" in said


def test_a_record_names_its_players_and_can_be_drawn_before_its_end() -> None:
    names = tuple(Seated(name=HOSTILE, version="mine 1.0") for _ in SEATS)
    record = Record.begin(Settings(species=SEATS), 1, names)
    said = words(record._repr_html_())
    assert HOSTILE in said
    assert "mine 1.0" in said
    assert begin(record.head.started).turn == 1


def test_nothing_else_is_drawn() -> None:
    with pytest.raises(TypeError, match="int cannot be drawn"):
        html(3)


def test_the_engine_does_not_load_the_drawing() -> None:
    code = (
        "import sys, elysian.view, elysian.record, elysian.catalog; print('elysian.notebook' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_shows_when_it_is_run(path: Path) -> None:
    """`python -m tools.notebooks` runs them again after a change that makes a difference."""
    there = json.loads(path.read_text(encoding="utf-8"))
    assert there["nbformat"] == 4
    assert notebooks.executed(there) == there


def test_there_is_one_about_a_bot_and_one_about_the_environment() -> None:
    assert [path.stem for path in notebooks.notebooks()] == ["bot", "environment"]


def test_a_cell_that_fails_is_a_failure() -> None:
    broken = {"cells": [{"cell_type": "code", "source": ["1 / 0"], "outputs": [], "execution_count": None}]}
    with pytest.raises(ZeroDivisionError):
        notebooks.executed(broken)


# ---------------------------------------------------------------- the example of docs/players.md


GUIDE = ROOT / "docs" / "players.md"


def test_the_player_of_the_guide_is_the_example_and_is_never_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    example = (ROOT / "examples" / "diligent.py").read_text(encoding="utf-8")
    assert example in GUIDE.read_text(encoding="utf-8")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    result = play_game(Settings(species=SEATS), 1, [make("diligent:Diligent") for _ in SEATS], 1)
    assert result.refused == ((),) * len(SEATS)


def test_the_guides_tournament_says_what_the_guide_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    command = next(line for line in guide.splitlines() if line.startswith("elysian tournament diligent"))
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    done = CliRunner().invoke(app, command.split()[1:])
    assert done.exit_code == 0, done.output
    ratings, shares = done.stdout.split("\n\n")[1:3]  # between the title and the time it took
    assert f"{ratings}\n\n{shares}" in guide
    assert "diligent:Diligent above fair: 100 %" in shares


def test_what_the_guide_looks_at_is_there() -> None:
    looked = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert (looked.failed, looked.attempted > 0) == (0, True)

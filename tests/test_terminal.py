"""The game in the terminal: whole games, mistakes, and what it prints."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from elysian.actions import Invent, LayPlan, PlaceBid
from elysian.cli.planner import best, plan
from elysian.cli.screen import WIDTH, Screen
from elysian.cli.terminal import language_of, play
from elysian.events import GameScored
from elysian.messages import languages, load
from elysian.options import options
from elysian.record import Record, check, read, replay
from elysian.state import Settings
from elysian.view import view
from tests.table import hold, stock, table

ROOT = Path(__file__).resolve().parent.parent
SEATS = ("caylion", "zeth", "kit", "faderan")


class Typed(io.StringIO):
    """Lines of a person who looks at the screen before typing."""

    def __init__(self, out: io.StringIO, answer: Callable[[str], str]) -> None:
        super().__init__()
        self.out = out
        self.answer = answer
        self.seen = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        shown = self.out.getvalue()
        fresh, self.seen = shown[self.seen :], len(shown)
        typed = self.answer(fresh)
        return f"{typed}\n" if typed is not None else ""


def game(
    answer: Callable[[str], str | None],
    folder: Path,
    *,
    species: tuple[str, ...] = SEATS,
    seed: int = 1,
    language: str = "en",
    edition: str = "2020",
) -> tuple[str, Record]:
    """What was printed, and the record that was left."""
    out = io.StringIO()
    record = Record.begin(Settings(species=species, edition=edition), seed)  # type: ignore[arg-type]
    play(record, Typed(out, answer), out, folder, language)
    (file,) = folder.glob("*.jsonl")
    return out.getvalue(), read(file)


def lines_typed(*typed: str) -> Callable[[str], str | None]:
    """Somebody who types these lines and then goes away."""
    waiting = iter(typed)
    return lambda shown: next(waiting, None)


def cautious(language: str) -> Callable[[str], str]:
    """Somebody who says done, and what the step asks for where that is not enough."""
    terminal = load(language).terminal
    answers = {
        "not_done_bid": "bid 1 0",
        "not_done_support": "discard 1",
        "not_done_gifts": "1",
        "not_done_colony_auction": "1",
        "not_done_research_auction": "pass",
    }
    asked = {terminal[key].splitlines()[0][:40]: typed for key, typed in answers.items()}
    done = "done"

    def answer(shown: str) -> str:
        return next((typed for sentence, typed in asked.items() if sentence in shown), done)

    return answer


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line) > WIDTH]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "species", [SEATS, ("zeth", "yengii", "imdril", "unity", "eni_et"), ("kjas", *SEATS, "eni_et", "unity")]
)
def test_a_whole_game_is_played_with_done(language: str, species: tuple[str, ...], tmp_path: Path) -> None:
    edition = "de2021" if language == "de" else "2020"
    text, record = game(cautious(language), tmp_path, species=species, language=language, edition=edition)
    assert too_wide(text) == []
    assert replay(record).step == "over"
    assert check(record) == []
    assert isinstance(record.entries[-1].events[-1], GameScored)
    assert load(language).terminal["scores"] in text
    assert not re.search(r"[{}]|\bNone\b|Goods\(|_", text)


@pytest.mark.parametrize("language", languages())
def test_a_whole_game_is_played_by_the_numbers_of_the_menu(language: str, tmp_path: Path) -> None:
    terminal, step = load(language).terminal, cautious(language)
    menu = terminal["menu"]

    def answer(shown: str) -> str:
        if shown.endswith(terminal["yes_or_no"]):
            return terminal["yes"].split()[-1]
        if menu in shown and "1) " in shown:
            return "1"
        return step(shown)

    text, record = game(answer, tmp_path, language=language, seed=4)
    assert too_wide(text) == []
    assert replay(record).step == "over"
    assert check(record) == []
    assert terminal["cannot_be_undone"].partition("{")[0] in text


def test_a_game_in_a_shell_ends_with_the_scores(tmp_path: Path) -> None:
    cycle = ("done", "bid 1 1", "pass", "give zeth all", "discard 1", "y")
    result = subprocess.run(
        [sys.executable, "-m", "elysian", "play", "--seed", "7", "--species", ",".join(SEATS)],
        input="\n".join(cycle * 60),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "LC_ALL": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.stderr == ""
    assert result.returncode == 0
    assert "The result:" in result.stdout
    assert too_wide(result.stdout) == []
    assert "elysian replay elysian-7.jsonl" in result.stdout
    assert replay(read(tmp_path / "elysian-7.jsonl")).step == "over"


def test_a_stream_without_umlauts_is_written_in_plain_letters(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "elysian", "play", "--seed", "7", "--species", ",".join(SEATS)],
        input="hilfe\n",
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "de_DE", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.isascii()
    assert "Kleine Wuerfel: G gruen" in result.stdout


def test_when_there_is_nothing_more_to_read_the_game_is_stored(tmp_path: Path) -> None:
    text, record = game(lines_typed("done"), tmp_path)
    assert text.splitlines()[-2] == "You leave the table."
    assert replay(record).step == "plan"


def test_leaving_asks_first_and_says_how_to_look_at_the_game(tmp_path: Path) -> None:
    text, record = game(lines_typed("quit", "no", "quit", "y"), tmp_path)
    assert text.count("Leave the game?") == 2
    assert "Nothing was done." in text
    assert "elysian replay elysian-1.jsonl" in text
    assert all(entry.seat != 0 for entry in record.entries)


def test_a_game_that_is_stored_does_not_replace_another(tmp_path: Path) -> None:
    game(lines_typed(), tmp_path)
    out = io.StringIO()
    record = Record.begin(Settings(species=SEATS), 1)
    play(record, io.StringIO(""), out, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elysian-1-2.jsonl", "elysian-1.jsonl"]


NONSENSE = (
    "xyzzy",
    "0",
    "99",
    "1 pay nonsense",
    "1 fly",
    "accept 99",
    "accept",
    "decline x",
    "counter 4 1g > 1y",
    "withdraw 77",
    "release 1.1",
    "offer zeth 1g",
    "offer nobody 1g > 1y",
    "offer zeth 1q > 1y",
    "offer zeth 5* > 1y",
    "1g > 1y",
    "lend peacock to kit > 1g",
    "plan 99",
    "plan x",
    "bid 1 1",
    "bid x",
    "pass",
    "back",
    "discard",
    "discard 7",
    "give kit 1g",
    "give",
    "show nonsense",
    "cards nobody",
    "\x1b[2J",
    "²",
    "1" * 400,
    "offer zeth " + "9" * 400 + "g > 1y",
    "> > >",
)


@pytest.mark.parametrize("language", languages())
def test_nonsense_gets_a_sentence_and_changes_nothing(language: str, tmp_path: Path) -> None:
    seen: list[str] = []
    typed = iter(NONSENSE)

    def answer(shown: str) -> str | None:
        seen.append(shown)
        return next(typed, None)

    text, record = game(answer, tmp_path, language=language)
    assert [entry for entry in record.entries if entry.seat == 0] == []
    assert too_wide(text.replace("\x1b", "")) == []
    replies = [reply.partition("\n")[2].rpartition("\n")[0] for reply in seen[1:]]
    assert [
        said for said, reply in zip(NONSENSE, replies, strict=True) if not reply.endswith((".", "1g", "bone"))
    ] == []


@pytest.mark.parametrize(
    "command",
    [
        "help",
        "cards",
        "cards zeth",
        "tracks",
        "table",
        "menu",
        "menu all",
        "ledger",
        "offers",
        "log",
        "plan",
        "",
    ],
)
def test_looking_changes_nothing(command: str, tmp_path: Path) -> None:
    text, record = game(lines_typed(command), tmp_path)
    assert [entry for entry in record.entries if entry.seat == 0] == []
    assert too_wide(text) == []
    after = text.rpartition("Caylion> " + command)[0]
    assert after


def test_a_card_is_shown_as_the_table_prints_it(tmp_path: Path) -> None:
    text, _ = game(lines_typed("show telenet", "show colony"), tmp_path)
    assert "1B --> 1W, 1N" in text.partition("show telenet")[2]
    assert "40 cards match" in text


def test_a_typed_offer_is_said_in_words_and_lies_on_the_table(tmp_path: Path) -> None:
    text, record = game(lines_typed("offer zeth 1b > 1y @3"), tmp_path)
    assert "You offer: Caylion gives Zeth 1 black; Zeth will give Caylion 1 yellow at the start" in text
    assert [entry.action.parties for entry in record.entries if entry.seat == 0] == [(0, 1)]


def test_an_offer_is_accepted_by_its_number_after_a_question_when_it_binds(tmp_path: Path) -> None:
    text, record = game(lines_typed("accept 1", "no", "accept #1", "yes"), tmp_path, seed=11)
    assert text.count("This binds beyond the moment: Faderan will give Zeth 1 white") == 2
    assert [type(entry.action).__name__ for entry in record.entries if entry.seat == 0] == ["AcceptDeal"]


def test_a_plan_is_ticked_saved_and_run(tmp_path: Path) -> None:
    text, record = game(lines_typed("plan 2", "plan +4", "plan -2", "done", "done"), tmp_path)
    mine = [entry.action for entry in record.entries if entry.seat == 0 and isinstance(entry.action, LayPlan)]
    assert [[run.card.partition(".")[2] for run in action.runs] for action in mine] == [
        ["planetary_ecological_dominance"],
        ["planetary_ecological_dominance", "distributed_telenet"],
        ["distributed_telenet"],
        ["distributed_telenet"],
    ]
    assert [action.ready for action in mine] == [False, False, False, True]
    assert "[x] Distributed Telenet" in text


def test_the_best_plan_runs_what_is_free_and_what_gains_and_can_be_paid() -> None:
    """ECON-4."""
    state = stock(table("caylion", "zeth", "kit", "eni_et"), "caylion", green=2)
    state = hold(state, "caylion", "colony.regulus", seedling=True)
    made = best(view(state, 0), options(state, 0))
    assert [run.card for run in made.runs] == [
        "caylion.planetary_ecological_dominance",
        "colony.regulus",
        "colony.regulus",
        "caylion.oceanic_processing",
    ]
    assert made.paid.green == 2
    wanted = plan(view(state, 0), options(state, 0), [1, 3])
    assert (sorted(wanted.ticked), wanted.unpaid) == ([3], (1,))


def test_bids_are_two_numbers(tmp_path: Path) -> None:
    _, record = game(lines_typed("done", "done", "bid 1, 1"), tmp_path)
    bids = [entry.action for entry in record.entries if entry.seat == 0]
    assert bids[-1] == PlaceBid(colony=1, research=1)


def test_what_cannot_be_taken_back_asks_first(tmp_path: Path) -> None:
    """INV-1."""

    def answers() -> Iterator[str]:
        yield "1"
        yield "no"

    typed = answers()
    text, record = game(lambda shown: next(typed, None), tmp_path, seed=3)
    assert "This cannot be taken back: upgrade Lunar Mining Consortium for 2 black and Antares" in text
    assert not [entry for entry in record.entries if entry.seat == 0 or isinstance(entry.action, Invent)]


def test_commands_may_be_typed_in_the_language_of_the_game_and_cut_short(tmp_path: Path) -> None:
    text, _ = game(lines_typed("karten", "hilf", "prot", "cards", "ende", "j"), tmp_path, language="de")
    assert "nicht verstanden" not in text
    assert text.count("Karten von Caylion (du):") == 3
    assert "Du verlässt den Tisch." in text


def test_the_language_follows_the_environment_if_there_are_words_of_it() -> None:
    assert language_of({"LANG": "de_DE.UTF-8"}) == "de"
    assert language_of({"LANG": "fr_FR.UTF-8"}) == "en"
    assert language_of({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}) == "en"
    assert language_of({"LANG": "C.UTF-8"}) == language_of({}) == "en"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_only_a_terminal_that_wants_it_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Screen(Terminal()).paint("1", "x") == "\x1b[1mx\x1b[0m"
    assert Screen(io.StringIO()).paint("1", "x") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Screen(Terminal()).paint("1", "x") == "x"


def test_an_impossible_table_is_refused_with_a_sentence(tmp_path: Path) -> None:
    for arguments, said in {
        ("--players", "3"): "3 players cannot play",
        ("--species", "kit,kit,zeth,unity"): "species of its own",
        ("--edition", "1999"): "no edition 1999",
        ("--language", "xx"): "no language 'xx'; choose one of: de, en",
    }.items():
        result = subprocess.run(
            [sys.executable, "-m", "elysian", "play", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (result.returncode, result.stdout) == (2, "")
        assert said in result.stderr
    assert list(tmp_path.iterdir()) == []

"""The game in the terminal: whole games, leaving and going on, and how it is printed."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from select import select
from time import monotonic

import pytest

from elysian.actions import PlaceBid
from elysian.cli.person import Person
from elysian.cli.terminal import easiest_first, language_of, play
from elysian.events import GameScored
from elysian.messages import languages, load
from elysian.record import Record, check, read, replay
from elysian.sim.local import free_name
from elysian.state import Settings
from elysian.text.screen import HEIGHT, Screen
from tests.support.typist import MOVES, SEATS, cautious, game, lines_typed, too_wide
from tools.drive.waiting import PATIENCE

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("language", "species"),
    [
        ("en", ("eni_et", "yengii", "imdril", "unity", "zeth")),
        ("de", ("kjas", *SEATS, "eni_et", "unity")),
    ],
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

    moves = iter(range(MOVES))

    def answer(shown: str) -> str | None:
        if next(moves, None) is None:
            return None
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


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo terminal")
def test_at_a_terminal_each_page_waits_and_ctrl_d_leaves(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "elysian", "play", "--seed", "7", "--species", ",".join(SEATS)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as player:
        seen = ""
        for prompt, typed in (("goes on> ", "\n"), ("goes on> ", "\n"), ("Caylion> ", "\x04")):
            seen += read_until(ours, prompt)
            os.write(ours, typed.encode())
        seen += read_until(ours, "jsonl")
        assert player.wait(timeout=PATIENCE) == 0
    os.close(theirs)
    os.close(ours)
    assert "To go on: ./play --terminal elysian-7.jsonl" in seen
    assert "\x1b[32m3G\x1b[0m" in seen


def read_until(terminal: int, end: str) -> str:
    """What appears up to a prompt; fails when it does not come."""
    shown = ""
    deadline = monotonic() + PATIENCE
    while end not in shown:
        ready, _, _ = select([terminal], [], [], max(0, deadline - monotonic()))
        assert ready, shown
        shown += os.read(terminal, 10_000).decode(errors="replace")
    return shown


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


def test_a_game_that_was_left_goes_on_where_it_was_left(tmp_path: Path) -> None:
    game(lines_typed("plan 2", "done", "done"), tmp_path)
    (file,) = tmp_path.iterdir()
    before = read(file)
    out = io.StringIO()
    play(read(file), io.StringIO("log\nbid 1 1\n"), out, file)
    after = read(file)
    assert after.entries[: len(before.entries)] == before.entries
    assert after.entries[len(before.entries)].action == PlaceBid(colony=1, research=1)
    assert check(after) == []
    text = out.getvalue()
    assert text.startswith("Welcome back, Caylion.")
    assert "Now: secret bids." in text
    assert "Caylion produces" in text.partition("> log")[2]
    assert list(tmp_path.iterdir()) == [file]


def test_every_move_is_stored_before_the_next_is_asked_for(tmp_path: Path) -> None:
    stored: list[int] = []

    def answer(shown: str) -> str | None:
        (file,) = tmp_path.iterdir()
        stored.append(sum(entry.seat == 0 for entry in read(file).entries))
        return "done" if len(stored) < 3 else None

    game(answer, tmp_path)
    assert stored[0] == 0
    assert stored == sorted(set(stored))


def test_a_game_that_is_over_shows_its_result_and_stays_as_it_is(tmp_path: Path) -> None:
    recorded = next(path for path in sorted(ROOT.glob("games/*.jsonl")))
    file = tmp_path / "game.jsonl"
    file.write_bytes(recorded.read_bytes())
    out = io.StringIO()
    play(read(file), io.StringIO(""), out, file)
    assert "The result:" in out.getvalue()
    assert file.read_bytes() == recorded.read_bytes()


def test_the_first_screen_fits_and_says_what_to_type() -> None:
    for language in languages():
        out = io.StringIO()
        Person(Screen(out), io.StringIO(), language).welcome("Caylion", ", ".join(["Im'dril"] * 8))
        first = out.getvalue()
        assert len(first.splitlines()) < HEIGHT
        assert too_wide(first) == []
        assert load(language).command.get("help", "help") in first


def test_the_main_screen_fits_a_small_terminal(tmp_path: Path) -> None:
    moves = iter(("cards", "done", "table") * 12)
    text, _ = game(lambda shown: next(moves, None), tmp_path, species=("unity", "zeth", "eni_et", "kit"))
    screens = [part.partition("\nUnity>")[0] for part in re.split(r"^(?=== Turn)", text, flags=re.M)[1:]]
    assert len(screens) > 8
    assert [screen for screen in screens if len(screen.splitlines()) >= HEIGHT] == []


def test_the_easiest_species_drawn_is_the_persons() -> None:
    assert easiest_first(("unity", "yengii", "kit", "caylion")) == ("kit", "unity", "yengii", "caylion")


def test_leaving_asks_first_and_says_how_to_go_on(tmp_path: Path) -> None:
    text, record = game(lines_typed("quit", "no", "quit", "y"), tmp_path)
    assert text.count("Leave the game?") == 2
    assert "Nothing was done." in text
    assert "To go on: ./play --terminal elysian-1.jsonl" in text
    assert all(entry.seat != 0 for entry in record.entries)


def test_a_game_that_is_stored_does_not_replace_another(tmp_path: Path) -> None:
    game(lines_typed(), tmp_path)
    out = io.StringIO()
    record = Record.begin(Settings(species=SEATS), 1)
    play(record, io.StringIO(""), out, free_name(record, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elysian-1-2.jsonl", "elysian-1.jsonl"]


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
        ("left.jsonl",): "left.jsonl: No such file",
        ("left.jsonl", "--seed", "3"): "A stored game brings its own table",
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

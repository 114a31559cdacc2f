"""Players anybody brings: installed, or named by their class; at every table, with their version."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from elysian.actions import Done, NotDone
from elysian.players.levels import LEVELS, check_levels, make, versions
from elysian.players.plugins import UnknownPlayer
from elysian.record import Record, check, read, replay, write
from elysian.sim import play_game
from elysian.sim.local import against
from elysian.state import Settings
from tests.support.typist import SEATS, cautious, game, lines_typed
from tools.drive.server import Browser, serving

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "patient"
HERE = "tests.test_plugins"


class Wavering:
    """Says done and takes it back for ever."""

    def choose(self, view, options, rng):
        wanted = NotDone if view.me.done else Done
        return next((one.action for one in options.choices if isinstance(one.action, wanted)), None)


class Eager(Wavering):
    def __init__(self, how: str) -> None:
        self.how = how


class Timid(Wavering):
    def __init__(self) -> None:
        raise RuntimeError("not today")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as a wheel, unpacked beside other packages: all there is to installing a pure one."""
    folder = tmp_path_factory.mktemp("example")
    source = folder / "source"
    source.mkdir()
    for path in EXAMPLE.glob("*.*"):
        (source / path.name).write_bytes(path.read_bytes())
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=source,
        capture_output=True,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    packages = folder / "packages"
    zipfile.ZipFile(wheel).extractall(packages)
    return packages


def elysian(*words: str, packages: Path | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT), *([str(packages)] if packages else [])]
    return subprocess.run(
        [sys.executable, "-m", "elysian", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


# ---------------------------------------------------------------- loading


def test_an_installed_player_plays_by_its_name(installed: Path, tmp_path: Path) -> None:
    played = elysian(
        *("simulate", "--players", "4", "--bots", "patient,fair", "--json", "--records", str(tmp_path)),
        packages=installed,
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads(played.stdout)["versions"]["patient"] == "elysian-patient 1.0"
    (file,) = tmp_path.glob("*.jsonl")
    record = read(file)
    assert [one.name for one in record.head.players] == ["patient", "fair", "patient", "fair"]
    assert record.head.players[0].version == "elysian-patient 1.0"
    assert record.head.players[1].version.startswith("elysian ")
    assert check(record) == []


def test_a_name_nobody_has_is_refused_with_those_there_are(installed: Path) -> None:
    done = elysian("simulate", "--bots", "nobody", packages=installed)
    assert done.returncode == 2
    assert f"the levels are {', '.join(LEVELS)}, patient." in done.stderr


def test_a_class_in_the_current_folder_plays_a_tournament_in_worker_processes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes((EXAMPLE / "elysian_patient.py").read_bytes())
    words = ("tournament", "--bots", "mine:Patient,random", "--players", "4", "--decks", "1", "--jobs", "2")
    done = elysian(*words, "--out", "results", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    figures = json.loads((tmp_path / "results" / "figures.json").read_text())
    assert set(figures["levels"]) == {"mine:Patient", "random"}
    assert figures["versions"]["mine:Patient"].startswith("sha256 ")
    with (tmp_path / "mine.py").open("a") as file:
        file.write("# another version\n")
    other = elysian(*words, "--out", "results", cwd=tmp_path)
    assert (other.returncode, other.stdout) == (2, "")
    assert "name another folder" in other.stderr


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("grandmaster", "There is no level 'grandmaster'; the levels are random"),
        ("no_such_package.player:Best", "No module 'no_such_package' is installed or in this folder"),
        (f"{HERE}:Nobody", "there is no Nobody in it"),
        (f"{HERE}:ROOT", "is no class with a method choose(view, options, rng)"),
        (f"{HERE}:", "cannot be loaded"),
        (":Best", "cannot be loaded"),
        (f"{HERE}:Eager", "wants arguments; a player's class is made without any"),
        ("tests.support.broken_player:Broken", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_player_that_cannot_be_loaded_is_refused_with_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UnknownPlayer) as refused:
        check_levels((name,))
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


def test_what_goes_wrong_inside_a_player_is_told_as_it_is() -> None:
    with pytest.raises(RuntimeError, match="not today"):
        make(f"{HERE}:Timid")


def test_players_who_never_come_to_an_end_hear_the_clock() -> None:
    name = f"{HERE}:Wavering"
    result = play_game(Settings(species=SEATS), 1, [make(name) for _ in SEATS], 1)
    assert len(result.scores) == len(SEATS)
    assert versions((name,))[name].startswith("sha256 ")


# ---------------------------------------------------------------- mistakes of a player


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (
            "next(iter(options.choices), None)",
            "mine:Mine returned a Choice; return choice.action.",
        ),
        ("Done", "mine:Mine returned the class Done; return an action, such as Done(), or None."),
        ("'done'", "mine:Mine returned 'done'; return an action, such as Done(), or None."),
    ],
)
def test_what_is_no_action_stops_the_run_with_a_sentence(
    tmp_path: Path, returned: str, sentence: str
) -> None:
    written(tmp_path, returned)
    done = elysian("simulate", "--bots", "mine:Mine", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"elysian: {sentence}\n")


def test_what_was_refused_is_told_with_the_reason(tmp_path: Path) -> None:
    written(tmp_path, "DeclineDeal(deal='d99') if view.step == 'trade' else None")
    done = elysian("simulate", "--bots", "mine:Mine,fair", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = done.stdout.partition("refused to mine:Mine\n")[2]
    assert "times decline_deal in the step trade: " in told
    assert "refused to fair" not in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_player_that_fails_is_named_last_with_a_command_that_repeats_it(tmp_path: Path, jobs: str) -> None:
    written(tmp_path, "int('x') if view.turn == 2 else None")
    words = "tournament mine:Mine,random --players 4 --decks 1 --seed 3 --jobs"
    done = elysian(*words.split(), jobs, cwd=tmp_path)
    assert done.returncode == 1
    assert 'mine.py", line 6, in choose' in done.stderr
    who, again = done.stderr.splitlines()[-2:]
    assert re.search(r"PlayerFailed: mine:Mine, seat \d \(\w+\), turn 2, step \w+: ValueError\(", who)
    assert again.startswith("The same again: elysian simulate --species ")
    repeated = elysian(*again.partition(" elysian ")[2].split(), cwd=tmp_path)
    assert repeated.stderr.splitlines()[-2:] == [who, again]


def written(folder: Path, returned: str) -> None:
    """A file with a player that always returns this."""
    (folder / "mine.py").write_text(
        "from elysian.actions import DeclineDeal, Done\n\n\nclass Mine:\n"
        f"    def choose(self, view, options, rng):\n        return {returned}\n"
    )


# ---------------------------------------------------------------- other tables


def test_the_terminal_seats_any_player_and_seats_it_again(tmp_path: Path) -> None:
    seated = against("person", ("fair", f"{HERE}:Wavering"), len(SEATS))
    assert [one.name for one in seated] == ["person", "fair", f"{HERE}:Wavering", "fair"]
    begun = Record.begin(Settings(species=SEATS), 1, seated)
    text, record = game(lines_typed("done"), tmp_path, record=begun)
    assert "(fair)" in text
    assert f".jsonl --bots {HERE}:Wavering" in " ".join(text.split())
    assert "at random" not in text
    (file,) = tmp_path.iterdir()
    file.unlink()
    text, record = game(cautious("en"), tmp_path, record=record)
    assert replay(record).step == "over"
    assert record.head.players == seated
    offered = {entry.seat for entry in record.entries if entry.action.__class__.__name__ == "ProposeDeal"}
    assert offered <= {1, 3}


def test_a_stored_game_loads_no_class_that_was_not_named(tmp_path: Path) -> None:
    seated = against("person", (f"{HERE}:Wavering", "fair"), len(SEATS))
    write(Record.begin(Settings(species=SEATS), 1, seated), tmp_path / "game.jsonl")
    done = elysian("play", str(tmp_path / "game.jsonl"))
    assert done.returncode == 2
    assert done.stderr == (
        f"elysian: {HERE}:Wavering sits at this table. If you trust its code, name it: "
        f"--bots {HERE}:Wavering\n"
    )
    named = elysian("play", str(tmp_path / "game.jsonl"), "--bots", f"{HERE}:Wavering")
    assert (named.returncode, named.stderr) == (0, "")


def test_too_many_players_for_the_terminal_are_refused_with_a_sentence() -> None:
    done = elysian("play", "--players", "4", "--bots", "fair,fair,fair,fair")
    assert (done.returncode, done.stderr) == (2, "elysian: 4 bots, but only 3 seats beside yours.\n")


def test_a_server_seats_the_players_its_operator_names_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes((EXAMPLE / "elysian_patient.py").read_bytes())
    with serving(tmp_path, "--bot-pace", "0.01", "--bots", "mine:Patient") as served:
        host = Browser(served, "Anna")
        assert host.get("/api/catalog").json["levels"][-1] == "mine:Patient"
        bots = dict.fromkeys("0123", "mine:Patient")
        refused = host.post("/api/tables", {"options": {"seats": 4}, "bots": {"1": "json:JSONDecoder"}})
        assert (refused.status, refused.json["code"]) == (400, "no_such_level")
        table = host.open(seat=None, bots=bots)
        with Browser(served).sit(table) as watcher:
            assert host.do(table, {"kind": "start_game"}).status == 200
            watcher.until_event("game_scored")


def test_a_server_is_not_started_with_a_player_that_cannot_be_loaded(tmp_path: Path) -> None:
    done = elysian("serve", "--port", "0", "--bots", "mine:Patient", cwd=tmp_path)
    assert done.returncode == 2
    assert "No module 'mine'" in done.stderr

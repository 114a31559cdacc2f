"""The arena: games in parallel, in shards that can be resumed, with figures one can trust."""

import io
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import sleep

import pytest

from elysian.cli.simulate import games_of
from elysian.record import load
from elysian.sim import Times
from elysian.sim.figures import interval, summary
from elysian.sim.games import Game, Outcome, named, tally
from elysian.sim.progress import Progress
from elysian.sim.shards import Where, play_shard, run
from tests.support.cli import elysian, in_a_process
from tools.drive.waiting import until


def some_games(count: int = 4, levels: tuple[str, ...] = ("random",), records: bool = False) -> list[Game]:
    return named(games_of(4, (), "2020", count, 7, levels), records)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.jsonl"))}


# ---------------------------------------------------------------- figures


def test_bots_are_summed_up_by_level_species_and_seat():
    code, output = elysian("simulate", "--bots", "novice,random", "--games", "2", "--seed", "3", "--json")
    assert code == 0
    figures = json.loads(output)
    assert figures["bots"] == ["novice", "random"]
    assert {level: of["seats"] for level, of in figures["by_level"].items()} == {"novice": 4, "random": 4}
    assert [of["seats"] for of in figures["by_seat"]] == [2, 2, 2, 2]
    assert sum(of["seats"] for of in figures["by_species"].values()) == 8
    assert figures["interval"][0] <= figures["mean_score"] <= figures["interval"][1]
    assert figures["offers_made"] >= figures["offers_accepted"] == figures["deals"] > 0
    assert figures["pledges_made"] > 0
    asked = figures["by_level"]["novice"]["decisions"]
    assert asked["all"]["count"] == sum(of["count"] for about, of in asked.items() if about != "all")
    assert 0 < asked["all"]["median_ms"] <= asked["all"]["p95_ms"] <= asked["all"]["longest_ms"]


def test_bots_are_printed_in_80_columns():
    code, output = elysian("simulate", "--bots", "novice", "--species", "kit,eni_et,zeth,unity")
    assert code == 0
    assert "1 game, 4 seats of novice, edition 2020, seed 0" in output
    assert all(len(line) <= 80 for line in output.splitlines())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bots", "grandmaster"), "There is no level 'grandmaster'; the levels are random,"),
        (("--bots", "novice,random,novice,random,novice"), "5 levels, but only 4 seats."),
        (("--bots", "novice", "--players", "12"), "12 players cannot play; it takes 4 to 9."),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_an_impossible_table_of_bots_is_refused_with_a_sentence(words, sentence):
    code, output = elysian("simulate", *words)
    assert code == 2
    assert sentence in output


def test_what_a_seat_did_is_counted_from_the_record():
    (game,) = some_games(1)
    outcome, record = game.play()
    seats = tally(load(record))
    assert seats == outcome.seats
    assert sum(seat.struck for seat in seats) == outcome.counts.deals
    assert sum(seat.inventions for seat in seats) == outcome.counts.inventions
    assert sum(seat.broken for seat in seats) <= outcome.counts.promises_broken
    assert all(seat.struck <= seat.offers for seat in seats)


def test_an_interval_covers_the_mean_and_shrinks_with_more_games():
    few, many = interval([10.0, 20.0] * 5), interval([10.0, 20.0] * 80)
    assert few[0] < 15 < few[1]
    assert many[1] - many[0] < (few[1] - few[0]) / 2
    assert interval([4.0]) == (4.0, 4.0)


def test_times_add_up_and_know_their_quantiles():
    some, more = Times.of([0.001] * 90), Times.of([0.1] * 10)
    both = some + more
    assert both == Times.of([0.001] * 90 + [0.1] * 10)
    assert (both.count, both.longest) == (100, 0.1)
    assert both.mean == pytest.approx(0.0109)
    assert both.quantile(0.5) == pytest.approx(0.001, rel=0.06)
    assert both.quantile(0.95) == pytest.approx(0.1, rel=0.06)
    assert (Times().mean, Times().quantile(0.5)) == (0.0, 0.0)


# ---------------------------------------------------------------- the same everywhere


def test_the_same_seed_gives_the_same_records_whatever_the_number_of_jobs(tmp_path):
    games = some_games(3, ("novice", "random"), records=True)
    for jobs in (1, 2):
        run(games, Outcome, "test", Where(jobs=jobs, records=tmp_path / str(jobs)))
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")
    assert len(files_of(tmp_path / "1")) == 3


def test_a_game_does_not_depend_on_the_games_before_it():
    first, second = some_games(2, ("novice",))
    alone = second.play()[1]
    first.play()
    assert second.play()[1] == alone


def test_records_of_simulated_bots_re_decide(tmp_path):
    code, _ = elysian("simulate", "--bots", "novice,random", "--records", str(tmp_path))
    assert code == 0
    code, output = elysian("replay", "--check", str(tmp_path / "game-1.jsonl"))
    assert code == 0, output


# ---------------------------------------------------------------- shards


def test_a_run_that_was_broken_off_goes_on_where_it_stopped(tmp_path):
    class BrokenOff(Exception):  # noqa: N818
        pass

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise BrokenOff

    games = some_games(4)
    with pytest.raises(BrokenOff):
        run(games, Outcome, "test", Where(folder=tmp_path), stop)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("shard-*")}
    assert len(before) == 2
    told: list[tuple[int, int]] = []
    outcomes = run(games, Outcome, "test", Where(folder=tmp_path), lambda *done: told.append(done))
    assert told == [(2, 4), (3, 4), (4, 4)]
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("shard-*")}.items() >= before.items()
    whole = run(games, Outcome, "test", Where())
    assert [one.scores for one in outcomes] == [one.scores for one in whole]


@pytest.mark.parametrize("damage", [b"", b"0" * 64 + b"\n{}\n", None])
def test_a_damaged_shard_is_named_and_played_again(tmp_path, damage):
    games = some_games(2)
    first = run(games, Outcome, "test", Where(folder=tmp_path))
    path = tmp_path / "shard-00001.jsonl"
    path.write_bytes(path.read_bytes()[:-20] if damage is None else damage)
    said: list[str] = []
    again = run(games, Outcome, "test", Where(folder=tmp_path), None, said.append)
    assert said == ["shard-00001.jsonl is damaged (its checksum is wrong); it is played again."]
    assert [one.scores for one in again] == [one.scores for one in first]
    said.clear()
    run(games, Outcome, "test", Where(folder=tmp_path), None, said.append)
    assert said == []


def test_a_shard_whose_record_is_gone_is_played_again(tmp_path):
    games = some_games(2, records=True)
    where = Where(folder=tmp_path / "run", records=tmp_path / "records")
    run(games, Outcome, "test", where)
    before = files_of(tmp_path / "records")
    (tmp_path / "records" / "game-2.jsonl").unlink()
    run(games, Outcome, "test", where)
    assert files_of(tmp_path / "records") == before


def test_another_run_is_not_mixed_into_a_folder(tmp_path):
    run(some_games(1), Outcome, "one game", Where(folder=tmp_path))
    with pytest.raises(ValueError, match=r"holds another run \(one game\); name another folder"):
        run(some_games(2), Outcome, "two games", Where(folder=tmp_path))


def test_results_of_two_versions_are_not_mixed(tmp_path):
    run(some_games(1), Outcome, "test", Where(folder=tmp_path))
    about = json.loads((tmp_path / "run.json").read_bytes())
    (tmp_path / "run.json").write_text(json.dumps(about | {"code": "older"}))
    with pytest.raises(ValueError, match="was begun by another version of Elysian"):
        run(some_games(1), Outcome, "test", Where(folder=tmp_path))


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(ValueError, match="does not describe a run"):
        run(some_games(1), Outcome, "test", Where(folder=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_many_games_share_a_shard(tmp_path):
    games = some_games(1) * 250
    played = play_shard(3, tuple(games[:2]))
    assert (played.shard, len(played.answers.splitlines()), played.records) == (3, 2, {})
    assert summary(run(some_games(1), Outcome, "test", Where()), "2020", 7, ("random",), 0.0)["games"] == 1


def test_a_mistake_in_a_game_says_which_game_it_was():
    (game,) = some_games(1, ("random",))
    broken = Game(number=9, settings=game.settings, levels=("random",), seed="odd")
    with pytest.raises(ValueError, match="4 seats, but 1 players") as problem:
        play_shard(0, (broken,))
    assert "seed='odd'" in problem.value.__notes__[0]


# ---------------------------------------------------------------- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_how_far_it_is(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    tell = Progress("games", screen)
    for done in (0, 1, 4):
        tell(done, 4)
    shown = screen.getvalue()
    # One line, written over, in this order; then the cursor is there again.
    assert list(dict.fromkeys(re.findall(r"(\d) of 4 games", shown))) == ["0", "1", "4"]
    assert shown.endswith("\x1b[?25h")
    assert shown.count("\n") == 1


def test_a_run_broken_off_leaves_the_terminal_its_cursor():
    code = (
        "from tests.test_arena import Progress, Terminal; import atexit; screen = Terminal();"
        "atexit.register(lambda: print(screen.getvalue().endswith(chr(27) + '[?25h')));"
        "Progress('games', screen)(1, 4); raise KeyboardInterrupt"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TERM": "xterm"},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stdout == "True\n"


def test_nothing_but_a_terminal_is_shown_progress():
    file = io.StringIO()
    Progress("games", file)(1, 2)
    assert file.getvalue() == ""


def test_a_file_is_told_in_lines_how_far_it_is_if_that_is_asked_for():
    file = io.StringIO()
    tell = Progress("games", file, lines=True)
    tell(0, 2)
    tell(2, 2)
    assert file.getvalue() == "0 of 2 games\n2 of 2 games\n"


# ---------------------------------------------------------------- a cluster


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'elysian[cluster]'")
def test_a_local_ray_of_two_workers_plays_the_same_games(tmp_path):
    words = ("simulate", "--bots", "random", "--games", "4", "--seed", "5", "--json")
    here = in_a_process(*words, "--records", str(tmp_path / "here"))
    there = in_a_process(
        *words,
        "--cluster",
        "local",
        "--jobs",
        "2",
        "--records",
        str(tmp_path / "there"),
        "--out",
        str(tmp_path),
    )
    assert (here.returncode, there.returncode) == (0, 0), there.stderr
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")
    assert json.loads(there.stdout)["mean_score"] == json.loads(here.stdout)["mean_score"]
    assert len(list(tmp_path.glob("shard-*"))) == 4


def children(of: int) -> set[int]:
    """The processes that a process has started."""
    return {int(pid) for pid in Path(f"/proc/{of}/task/{of}/children").read_text().split()}


def alive(pid: int) -> bool:
    """Whether a process is there and not just its name, left for somebody to strike off the list."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are counted in /proc")
def test_workers_end_with_the_run_that_is_killed() -> None:
    words = ["simulate", "--players", "9", "--bots", "expert", "--games", "4", "--jobs", "2"]
    running = subprocess.Popen(
        [sys.executable, "-m", "elysian", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until(lambda: running.poll() is not None or len(children(running.pid)) == 3)
    started = children(running.pid)  # two workers, and what tidies up after them
    assert running.poll() is None
    sleep(1.0)
    running.kill()
    running.wait()
    until(lambda: not any(map(alive, started)))

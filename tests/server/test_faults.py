"""Faults under play: nothing acknowledged is lost, nothing happens twice, everybody ends with the same table.

ELYSIAN_FAULTS multiplies how often (`make faults TIMES=20`), ELYSIAN_SEED begins elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.support.server.evidence import Evidence, violations
from tests.support.server.faults import Game, settled
from tests.support.server.forks import Forked
from tests.support.server.postgres import Postgres
from tests.support.server.proxy import Wire
from tools.drive.waiting import PATIENCE, until

TIMES = float(os.environ.get("ELYSIAN_FAULTS", "1"))
SEED = int(os.environ.get("ELYSIAN_SEED", "1"))


def times(few: int) -> int:
    return max(1, round(few * TIMES))


def said(name: str, often: int, found: Evidence) -> None:
    """For whoever runs it with -s: how much was tried."""
    refused = sum(n is None for n in found.answers.values())
    print(
        f"\n{name}, {often} times: {len(found.accepted)} commands acknowledged, {refused} refused, "
        f"{len(found.lines)} lines, {found.back} returns"
    )


def end_under_play(served: Forked, game: Game, often: int, how: signal.Signals = signal.SIGKILL) -> None:
    """End the server at random moments: some while people come back, some when they are playing again."""
    for n in range(often):
        if n % 2:
            game.play_until(game.answered() + 4)
        timer = threading.Timer(game.chance.uniform(0.0, 0.12), served._end, (how,))
        timer.start()
        game.play(0.15)
        timer.join()
        served.start()


# ---------------------------------------------------------------- one process, SQLite


def test_a_server_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    with Forked(tmp_path) as served:
        game = Game(served, SEED)
        with settled(game, served) as found:
            end_under_play(served, game, times(50))
    said("kill -9", times(50), found[0])
    assert violations(found[0]) == {}
    assert found[0].back >= times(20)
    assert len(found[0].accepted) > times(50)


def test_a_torn_end_of_the_log_on_disk_takes_nothing_with_it(tmp_path: Path) -> None:
    with Forked(tmp_path) as served:
        game = Game(served, SEED + 9)
        with settled(game, served) as found:
            for _ in range(times(4)):
                game.play(0.3)
                served.kill()
                with (tmp_path / "tables.db-wal").open("ab") as log:
                    log.write(game.chance.randbytes(game.chance.randint(1, 9000)))
                served.start()
    said("torn write-ahead log", times(4), found[0])
    assert violations(found[0]) == {}


def test_a_disk_that_fails_ends_the_process_and_the_next_one_knows_what_is_stored(tmp_path: Path) -> None:
    with Forked(tmp_path, plant="disk_fails") as served:
        game = Game(served, SEED + 10)
        with settled(game, served) as found:
            deadline = time.monotonic() + PATIENCE
            while served.runs():
                assert time.monotonic() < deadline, "it goes on with a disk that fails"
                game.play(0.1)
            served.plant = ""
            served.start()
            game.play(0.2)
    said("failing disk", 1, found[0])
    assert violations(found[0]) == {}


def test_a_server_stopped_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    with Forked(tmp_path) as served:
        game = Game(served, SEED + 1)
        with settled(game, served) as found:
            end_under_play(served, game, times(6), signal.SIGTERM)
    said("SIGTERM", times(6), found[0])
    assert violations(found[0]) == {}
    assert found[0].back >= times(6)


def test_connections_cut_after_any_byte_miss_nothing(tmp_path: Path) -> None:
    with Forked(tmp_path) as served, Wire(served, random.Random(SEED)) as wire:
        game = Game(served, SEED + 2, through=[wire])
        with settled(game, served) as found:
            deadline = time.monotonic() + PATIENCE + TIMES * 20
            while wire.cuts < times(60):
                game.play(0.2)
                assert time.monotonic() < deadline
            wire.whole = True
    said("cut connections", wire.cuts, found[0])
    assert violations(found[0]) == {}
    assert found[0].back > times(20)


def test_a_process_that_stood_still_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    with Forked(tmp_path) as served:
        game = Game(served, SEED + 3, clock={"trade": 600, "step": 600})
        with settled(game, served) as found:
            for _ in range(times(2)):
                game.play(0.3)
                served.signal(signal.SIGSTOP)
                game.play(0.7, rounds=3)
                served.signal(signal.SIGCONT)
    said("SIGSTOP", times(2), found[0])
    assert violations(found[0]) == {}


def test_commands_sent_while_the_database_is_locked_happen_once(tmp_path: Path) -> None:
    with Forked(tmp_path) as served:
        game = Game(served, SEED + 4)
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None, check_same_thread=False)
        with settled(game, served) as found:
            for seconds in (0.3, 4.5)[: times(2)] * times(1):
                other.execute("BEGIN IMMEDIATE")
                timer = threading.Timer(seconds, other.execute, ("ROLLBACK",))
                timer.start()
                game.play(0.3, rounds=10)
                timer.join()
                game.play(0.2)
        other.close()
    said("locked database", times(1) * 2, found[0])
    assert violations(found[0]) == {}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of sixteen megabytes; skipped where none may be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_refuses_and_when_there_is_room_the_same_process_goes_on(
    tmp_path: Path, small_disk: Path
) -> None:
    with Forked(tmp_path, database=f"sqlite:///{small_disk / 'tables.db'}") as served:
        game = Game(served, SEED + 5)
        pid = served.pid
        with settled(game, served) as found:
            for _ in range(times(3)):
                game.play(0.3)
                filler = fill(small_disk / "filler")
                before, deadline = refusals(game), time.monotonic() + PATIENCE
                while refusals(game) == before:
                    assert time.monotonic() < deadline, "the disk was not full"
                    game.play(0.2, rounds=10)
                assert game.people[0].get(f"/api/tables/{game.table}").status == 200
                health = game.people[0].get("/healthz")
                assert (health.status, health.json["problems"]) == (503, ["storage_full"])
                filler.unlink()
                until(lambda: game.people[0].get("/healthz").status == 200)
            assert served.pid == pid
    said("full disk", times(3), found[0])
    assert '"storage in trouble","code":"storage_full"' in served.log()
    assert '"storage works again"' in served.log()
    assert violations(found[0]) == {}


def refusals(game: Game) -> int:
    """How often somebody heard that the disk is full."""
    seats = [player.seat for player in game.players if player.seat is not None]
    return sum(message.get("code") == "storage_full" for seat in seats for message in seat.messages)


def fill(path: Path) -> Path:
    """Write until nothing more can be written."""
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                continue
        except OSError:
            return path
    return path


def test_a_clock_that_jumps_ends_nobodys_time_and_changes_no_order(tmp_path: Path) -> None:
    skew = tmp_path / "skew"
    skew.write_text("0")
    with Forked(tmp_path, plant=f"clock={skew}") as served:
        game = Game(served, SEED + 6, clock={"trade": 900, "step": 900})
        with settled(game, served) as found:
            for hours in (1, -1, 25, -48, 0):
                skew.write_text(str(hours * 3_600_000))
                game.play(0.2)
                steps = {player.seat.view["step"] for player in game.players if player.seat is not None}
                assert steps == {"trade"}
    said("clock jumps", 5, found[0])
    assert violations(found[0]) == {}
    assert [line.n for line in found[0].lines] == list(range(1, len(found[0].lines) + 1))


# ---------------------------------------------------------------- several processes, PostgreSQL


def test_two_processes_on_one_table_killed_in_turn_lose_nothing(postgres: str, tmp_path: Path) -> None:
    found = play_at_two(postgres, tmp_path, times(8))
    said("two processes, kill -9", times(8), found)
    assert violations(found) == {}
    assert found.back >= times(8)


def test_processes_whose_sessions_the_database_ends_lose_nothing_but_their_locks(
    own_postgres: Postgres, tmp_path: Path
) -> None:
    found = play_at_two(own_postgres.url, tmp_path, 0, ends=times(6))
    said("sessions ended", times(6), found)
    assert violations(found) == {}
    assert found.back == 0


def end_sessions(url: str) -> None:
    """End every session of the database: locks, listeners and writers."""

    async def end() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        await connection.close()

    asyncio.run(end())


def play_at_two(postgres: str, folder: Path, kills: int, plant: str = "", ends: int = 0) -> Evidence:
    """Half of the people at each of two processes, which are killed in turn, or whose sessions are ended."""
    (folder / "one").mkdir()
    (folder / "two").mkdir()
    with (
        Forked(folder / "one", database=postgres, plant=plant) as one,
        Forked(folder / "two", database=postgres, plant=plant) as two,
    ):
        game = Game(one, SEED + 7, through=[one, two])
        with settled(game, one, two, patience=4 if plant else 20) as found:
            game.play(0.5)
            for kill in range(kills):
                end_under_play((one, two)[kill % 2], game, 1)
            for _ in range(ends):
                end_sessions(postgres)
                game.play(0.4)
    return found[0]


def test_play_goes_on_when_postgresql_is_restarted(own_postgres: Postgres, tmp_path: Path) -> None:
    with Forked(tmp_path, database=own_postgres.url) as served:
        game = Game(served, SEED + 8)
        pid = served.pid
        with settled(game, served) as found:
            for turn in range(times(3)):
                game.play(0.3)
                own_postgres.stop(("immediate", "fast")[turn % 2])
                game.play(0.3, rounds=5)
                own_postgres.start()
                game.play(0.3)
        assert served.pid is None
        assert pid is not None
    said("PostgreSQL restart", times(3), found[0])
    assert violations(found[0]) == {}


# ---------------------------------------------------------------- the checks see what is planted


@pytest.mark.parametrize(
    ("plant", "kills", "checks"),
    [
        # What was lost may leave a gap, or its number may have been given to another command.
        ("answers_before_storing", 6, "nothing_is_lost nothing_happens_twice"),
        ("does_not_know_ids_again", 0, "nothing_happens_twice"),
        ("stores_in_two_commits", 8, "nothing_happens_twice"),
        ("makes_goods", 0, "goods_are_conserved"),
        ("forgets_to_tell", 0, "everybody_sees_the_same"),
        ("misses_a_line", 3, "lines_are_dense"),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, plant: str, kills: int, checks: str) -> None:
    with Forked(tmp_path, plant=plant) as served:
        game = Game(served, SEED)
        with settled(game, served, patience=4) as found:
            game.play(0.5)
            end_under_play(served, game, kills)
    assert set(checks.split()) & set(violations(found[0]))


def test_two_writers_without_a_lock_are_found(postgres: str, tmp_path: Path) -> None:
    assert violations(play_at_two(postgres, tmp_path, 0, "writes_without_a_lock"))

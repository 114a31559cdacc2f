"""Faults under play: nothing acknowledged is lost, nothing happens twice, everybody ends with the same table.

ELYSIAN_FAULTS says in how many parts (`make faults TIMES=20`), each at its own table, and ELYSIAN_SEED where
chance begins.
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
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from elysian.events import DealStruck
from elysian.server.store import postgres as store_on_postgres
from elysian.server.store import schema
from elysian.server.table_state.events import OrderFired
from elysian.server.table_state.fold import fold
from tests.support.campaign import Campaign
from tests.support.server.evidence import Evidence, violations
from tests.support.server.faults import SETTLES_WITHIN, Game, settled, stored
from tests.support.server.forks import Forked, NotStarted
from tests.support.server.orders import struck, swappable
from tests.support.server.postgres import Postgres
from tests.support.server.proxy import Wire
from tools.drive.server import Browser, full_table
from tools.drive.waiting import PATIENCE, until

TIMES = float(os.environ.get("ELYSIAN_FAULTS", "1"))
SEED = int(os.environ.get("ELYSIAN_SEED", "1"))
MIDST = 4  # kills that come while orders are carried out, in every part


class Part:
    """A part of a campaign: so many faults at a table of its own."""

    def __init__(self, campaign: Campaign, seed: int, folder: Path) -> None:
        self.campaign, self.seed, self.folder = campaign, seed, folder
        self.hits = 0  # faults that came at the moment they were meant for

    def found(self, faults: int, found: Evidence) -> None:
        """Count what was tried, for whoever runs it with -s; there must be no violation."""
        assert violations(found) == {}, f"part with seed {self.seed}"
        self.campaign.counts += Counter(
            {
                "faults": faults,
                "acknowledged": len(found.accepted),
                "refused": sum(n is None for n in found.answers.values()),
                "lines": len(found.lines),
                "returns": found.back,
            }
        )


def parts(name: str, folder: Path) -> Iterator[Part]:
    """A campaign, in as many parts as ELYSIAN_FAULTS says."""
    campaign = Campaign(name, SEED, max(1, round(TIMES)))
    for part in campaign.left():
        (folder / str(part)).mkdir()
        yield Part(campaign, SEED + 100 * part, folder / str(part))


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
    for part in parts("kill -9", tmp_path):
        with Forked(part.folder) as served:
            game = Game(served, part.seed)
            with settled(game, served) as found:
                end_under_play(served, game, 25)
                served.plant = "moves_often"  # most of these come while what is stored is moved to its place
                end_under_play(served, game, 25)
        part.found(50, found[0])
        assert found[0].back >= 20
        assert len(found[0].accepted) > 50


def test_orders_are_carried_out_as_often_as_they_say_though_the_server_is_killed(tmp_path: Path) -> None:
    """Two standing offers and the rules that answer them come to eighteen deals, not one more or less.

    Only a kill between the first thing that was carried out and the last is one: there are tables until there
    were enough of those, however quick the machine is.
    """
    for part in parts("kill -9 while orders are carried out", tmp_path):
        chance = random.Random(part.seed)
        with Forked(part.folder) as served:
            while part.hits < MIDST:
                table, people = full_table(served)
                order_back_and_forth(table, people)
                hits = kill_while_orders_run(served, people[2], table, chance)
                deals, fired, by_order = carried_out(served, table)
                assert (deals, fired, by_order) == (18, 36, [9, 9, 9, 9]), f"part with seed {part.seed}"
                part.hits += hits
                part.campaign.counts += Counter({"tables": 1, "kills in the midst": hits, "deals": deals})
                served.start()


def order_back_and_forth(table: str, people: list[Browser]) -> None:
    """Two people each offer a swap that the other's rule accepts, nine times over; the rules come last."""
    mine, theirs = swappable(people[0], table)
    for seat in (0, 1):
        clauses = [
            {"kind": "give", "giver": seat, "to": -1, "goods": {mine: 1}},
            {"kind": "give", "giver": -1, "to": seat, "goods": {theirs: 1}},
        ]
        offer = {"kind": "standing_offer", "parties": [seat, -1], "clauses": clauses, "times": 9}
        assert people[seat].do(table, {"kind": "place_order", "order": offer}).status == 200
    for seat in (0, 1):
        rule = {"kind": "swap_rule", "get": {mine: 1}, "give": {theirs: 1}, "times": 9}
        assert people[seat].do(table, {"kind": "place_order", "order": rule}).status == 200


def kill_while_orders_run(served: Forked, person: Browser, table: str, chance: random.Random) -> int:
    """Kill the server at random moments until all is carried out; how many kills came in the midst of it."""
    hits = 0
    for _ in range(8):
        time.sleep(chance.uniform(0.0, 0.05))
        served.kill()
        _, fired, _ = carried_out(served, table)
        hits += 2 < fired < 36  # the two first only lay the offers down
        served.start()
        if chance.random() < 0.5:  # else the server itself finds the table again
            person.get(f"/api/tables/{table}")
    until(lambda: struck(person, table) >= 18)
    served.kill()
    return hits


def carried_out(served: Forked, table: str) -> tuple[int, int, list[int]]:
    """What is on disk while nobody runs: deals, things done by order, and how often each order counts."""
    lines, _ = stored(served.database, table)
    current, deals, fired = None, 0, 0
    for line in lines:
        current = fold(current, table, line)
        deals += sum(isinstance(event, DealStruck) for event in line.events)
        fired += sum(isinstance(event, OrderFired) for event in line.events)
    assert current is not None
    return deals, fired, [one.fired for chair in current.lobby.chairs for one in chair.orders]


def test_a_torn_end_of_the_log_on_disk_takes_nothing_with_it(tmp_path: Path) -> None:
    for part in parts("torn write-ahead log", tmp_path):
        with Forked(part.folder) as served:
            game = Game(served, part.seed + 9)
            with settled(game, served) as found:
                for _ in range(4):
                    game.play(0.3)
                    served.kill()
                    with (part.folder / "tables.db-wal").open("ab") as log:
                        log.write(game.chance.randbytes(game.chance.randint(1, 9000)))
                    served.start()
        part.found(4, found[0])


@pytest.mark.parametrize("plant", ["disk_fails", "move_fails"])
def test_a_disk_that_fails_ends_the_process_and_the_next_one_knows_what_is_stored(
    tmp_path: Path, plant: str
) -> None:
    for part in parts(f"failing disk ({plant})", tmp_path):
        with Forked(part.folder, plant=plant) as served:
            game = Game(served, part.seed + 10)
            with settled(game, served) as found:
                deadline = time.monotonic() + PATIENCE
                while served.runs():
                    assert time.monotonic() < deadline, "it goes on with a disk that fails"
                    game.play(0.1)
                served.plant = ""
                served.start()
                game.play(0.2)
        part.found(1, found[0])


def test_a_server_stopped_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    for part in parts("SIGTERM", tmp_path):
        with Forked(part.folder) as served:
            game = Game(served, part.seed + 1)
            with settled(game, served) as found:
                end_under_play(served, game, 6, signal.SIGTERM)
        part.found(6, found[0])
        assert found[0].back >= 6


def test_connections_cut_after_any_byte_miss_nothing(tmp_path: Path) -> None:
    for part in parts("cut connections", tmp_path):
        with Forked(part.folder) as served, Wire(served, random.Random(part.seed)) as wire:
            game = Game(served, part.seed + 2, through=[wire])
            with settled(game, served) as found:
                deadline = time.monotonic() + PATIENCE + 20
                while wire.cuts < 60:
                    game.play(0.2)
                    assert time.monotonic() < deadline
                wire.whole = True
        part.found(wire.cuts, found[0])
        assert found[0].back > 20


def test_a_process_that_stood_still_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    for part in parts("SIGSTOP", tmp_path):
        with Forked(part.folder) as served:
            game = Game(served, part.seed + 3, clock={"trade": 600, "step": 600})
            with settled(game, served) as found:
                for _ in range(2):
                    game.play(0.3)
                    served.signal(signal.SIGSTOP)
                    game.play(0.7, rounds=3)
                    served.signal(signal.SIGCONT)
        part.found(2, found[0])


def test_commands_sent_while_the_database_is_locked_happen_once(tmp_path: Path) -> None:
    for part in parts("locked database", tmp_path):
        with Forked(part.folder) as served:
            game = Game(served, part.seed + 4)
            other = sqlite3.connect(part.folder / "tables.db", isolation_level=None, check_same_thread=False)
            with settled(game, served) as found:
                for seconds in (0.3, 4.5):
                    other.execute("BEGIN IMMEDIATE")
                    timer = threading.Timer(seconds, other.execute, ("ROLLBACK",))
                    timer.start()
                    game.play(0.3, rounds=10)
                    timer.join()
                    game.play(0.2)
            other.close()
        part.found(2, found[0])


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
    for part in parts("full disk", tmp_path):
        path = small_disk / f"{part.seed}.db"
        with Forked(part.folder, database=f"sqlite:///{path}") as served:
            game = Game(served, part.seed + 5)
            pid = served.pid
            with settled(game, served) as found:
                for _ in range(3):
                    fill_and_empty(small_disk, game)
                assert served.pid == pid
        part.found(3, found[0])
        assert '"storage in trouble","code":"storage_full"' in served.log()
        assert '"storage works again"' in served.log()
        path.unlink()


def fill_and_empty(disk: Path, game: Game) -> None:
    """While the disk is full commands are refused, and the server says so of itself."""
    game.play(0.3)
    filler = fill(disk / "filler")
    before, deadline = refusals(game), time.monotonic() + PATIENCE
    while refusals(game) == before:
        assert time.monotonic() < deadline, "the disk was not full"
        game.play(0.2, rounds=10)
    assert game.people[0].get(f"/api/tables/{game.table}").status == 200
    health = game.people[0].get("/healthz")
    assert (health.status, health.json["problems"]) == (503, ["storage_full"])
    filler.unlink()
    until(lambda: game.people[0].get("/healthz").status == 200)


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
    for part in parts("clock jumps", tmp_path):
        skew = part.folder / "skew"
        skew.write_text("0")
        with Forked(part.folder, plant=f"clock={skew}") as served:
            game = Game(served, part.seed + 6, clock={"trade": 900, "step": 900})
            with settled(game, served) as found:
                for hours in (1, -1, 25, -48, 0):
                    skew.write_text(str(hours * 3_600_000))
                    game.play(0.2)
                    steps = {player.seat.view["step"] for player in game.players if player.seat is not None}
                    assert steps == {"trade"}
        part.found(5, found[0])
        assert [line.n for line in found[0].lines] == list(range(1, len(found[0].lines) + 1))


# ---------------------------------------------------------------- several processes, PostgreSQL


def test_two_processes_on_one_table_killed_in_turn_lose_nothing(postgres: str, tmp_path: Path) -> None:
    for part in parts("two processes, kill -9", tmp_path):
        found = play_at_two(postgres, part.folder, 8, seed=part.seed)
        part.found(8, found)
        assert found.back >= 8


def test_two_processes_restarted_in_turn_under_play_lose_nothing(postgres: str, tmp_path: Path) -> None:
    """A rolling restart: while one drains and comes back, people play at the other."""
    for part in parts("rolling restart", tmp_path):
        found = play_at_two(postgres, part.folder, 4, seed=part.seed, how=signal.SIGTERM)
        part.found(4, found)
        assert found.back >= 4


def test_a_rolling_upgrade_loses_nothing_and_leaves_no_older_process_behind(
    own_postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newer program changes the schema under play; the older one that still runs makes way by itself."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with (
        Forked(tmp_path / "one", database=own_postgres.url) as one,
        Forked(tmp_path / "two", database=own_postgres.url) as two,
    ):
        game = Game(one, SEED + 12, through=[one, two])
        with settled(game, one, two) as found:
            game.play(0.5)
            one.stop()
            one.plant = "tomorrows_schema"
            one.start()
            deadline = time.monotonic() + PATIENCE
            while two.runs():
                assert time.monotonic() < deadline, "the older one goes on"
                game.play(0.1)
            assert "newer program" in two.log()
            with pytest.raises(NotStarted, match="this program knows only"):
                two.start()
            two.plant = "tomorrows_schema"
            two.start()
            game.play(0.5)
            monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, ()))  # so that this process can look
            for module in (schema, store_on_postgres):
                monkeypatch.setattr(module, "NEWEST", len(schema.VERSIONS))
    assert violations(found[0]) == {}


def test_processes_whose_sessions_the_database_ends_lose_nothing_but_their_locks(
    own_postgres: Postgres, tmp_path: Path
) -> None:
    for part in parts("sessions ended", tmp_path):
        found = play_at_two(own_postgres.url, part.folder, 0, ends=6, seed=part.seed)
        part.found(6, found)
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


def play_at_two(
    postgres: str,
    folder: Path,
    kills: int,
    plant: str = "",
    ends: int = 0,
    seed: int = SEED,
    how: signal.Signals = signal.SIGKILL,
) -> Evidence:
    """Half of the people at each of two processes, which are ended in turn, or whose sessions are ended."""
    (folder / "one").mkdir()
    (folder / "two").mkdir()
    with (
        Forked(folder / "one", database=postgres, plant=plant) as one,
        Forked(folder / "two", database=postgres, plant=plant) as two,
    ):
        game = Game(one, seed + 7, through=[one, two])
        with settled(game, one, two, patience=4 if plant else SETTLES_WITHIN) as found:
            game.play(0.5)
            for kill in range(kills):
                end_under_play((one, two)[kill % 2], game, 1, how)
            for _ in range(ends):
                end_sessions(postgres)
                game.play(0.4)
    return found[0]


def test_play_goes_on_when_postgresql_is_restarted(own_postgres: Postgres, tmp_path: Path) -> None:
    for part in parts("PostgreSQL restart", tmp_path):
        with Forked(part.folder, database=own_postgres.url) as served:
            game = Game(served, part.seed + 8)
            pid = served.pid
            with settled(game, served) as found:
                for turn in range(3):
                    game.play(0.3)
                    own_postgres.stop(("immediate", "fast")[turn % 2])
                    game.play(0.3, rounds=5)
                    own_postgres.start()
                    game.play(0.3)
            assert served.pid is None
            assert pid is not None
        part.found(3, found[0])


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


def test_an_order_that_is_carried_out_again_after_a_kill_is_found(tmp_path: Path) -> None:
    with Forked(tmp_path, plant="forgets_what_orders_did") as served:
        found = 18
        for seed in range(SEED, SEED + 5):
            table, people = full_table(served)
            order_back_and_forth(table, people)
            kill_while_orders_run(served, people[2], table, random.Random(seed))
            found, _, _ = carried_out(served, table)
            if found > 18:
                break
            served.start()
    assert found > 18, "no kill came in the midst of it"


def test_two_writers_without_a_lock_are_found(own_postgres: Postgres, tmp_path: Path) -> None:
    # What they leave is damaged: no other test may find it.
    assert violations(play_at_two(own_postgres.url, tmp_path, 0, "writes_without_a_lock"))

"""How long people wait for the answer of a bot: many tables of one person and three bots, one server.

python -m tools.bench_answers [TABLES] [PROCESSES]: at each table a person asks a bot for something for
nothing, again and again, and waits until it is turned down; the bots meanwhile trade as they like. Trust the
CPU seconds of the workers for each answer; the waits depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from websockets.exceptions import ConnectionClosed

from tools.attacks.honest import turned_down
from tools.bench_server import share
from tools.drive.server import Browser, Served, serving

EVERY = 20.0  # seconds between two questions of a person
SECONDS = 60.0
WARM = 15.0


class Table:
    """A person, three bots, and what was waited for."""

    def __init__(self, served: Served, number: int, level: str) -> None:
        """Begin a game."""
        self.person = Browser(served, f"Person {number}")
        self.table = self.person.open(bots=dict.fromkeys("123", level))
        assert self.person.do(self.table, {"kind": "start_game"}).status == 200
        self.waits: list[float] = []
        self.chance = Random(number)

    def play(self, ends: float) -> None:
        """Ask until time is up; who is not answered in time has waited so long."""
        with suppress(ConnectionClosed), self.person.sit(self.table) as seat:
            time.sleep(self.chance.uniform(0, EVERY))
            while time.monotonic() < ends:
                began = time.monotonic()
                offered = True
                with suppress(TimeoutError):
                    offered = turned_down(seat, 1)
                if offered:
                    self.waits.append(time.monotonic() - began)
                time.sleep(max(0.5, EVERY - (time.monotonic() - began)))


def cpu_of_workers(served: Served) -> float:
    """CPU seconds of the processes in which bots think."""
    assert served.process is not None
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = status.read_text().rpartition(")")[2].split()
            if int(words[1]) == served.process.pid:
                total += (int(words[11]) + int(words[12])) / 100
    return total


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("tables", type=int, nargs="?", default=100)
    asked.add_argument("processes", type=int, nargs="?", default=1)
    asked.add_argument("--level", default="standard")
    words = asked.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--bot-processes", str(words.processes)) as served,
    ):
        tables = [Table(served, n, words.level) for n in range(words.tables)]
        ends = time.monotonic() + WARM + SECONDS
        threads = [threading.Thread(target=table.play, args=(ends,), daemon=True) for table in tables]
        for thread in threads:
            thread.start()
        time.sleep(WARM)
        for table in tables:
            table.waits = []
        before = cpu_of_workers(served)
        time.sleep(SECONDS)
        used = cpu_of_workers(served) - before
        waits = [wait for table in tables for wait in table.waits]
        print(
            f"{words.tables} tables of a person and three {words.level} bots, {words.processes} process(es)"
        )
        print(f"{len(waits)} answers in {SECONDS:.0f} s; workers used {used:.1f} s of CPU")
        if waits:
            print(f"waited {share(waits, 50):.2f} s at the median, {share(waits, 99):.2f} s at p99")


if __name__ == "__main__":
    main()

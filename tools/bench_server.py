"""Measures the table server beside a bare broadcast on the same stack; prints figures, asserts nothing.

A recorded game of nine is replayed by nine real clients at each table, over real sockets, with every
command stored in SQLite before anybody is told. Trust the ratios and the CPU times: the delays depend on
what else the machine does, which is why those of the bare broadcast are printed beside them.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from math import nan
from pathlib import Path
from statistics import median

from elysian.record import load
from tools.bench_load import (
    ROOT,
    Process,
    Room,
    Step,
    ask,
    bare_at,
    bare_steps,
    lay_table,
    people,
    steps_of,
    tables_at,
)

GAME = ROOT / "games" / "9-players-2020-2.jsonl"
TABLES = 40
RATE = 200  # commands a second, over all tables
SECONDS = 12.0  # at that rate
PLAYED = 200  # commands a table plays in the closed loop
ROUNDS = 4  # of each, in turn
LONG = 3000  # lines of a long game
BLOCK = 150  # commands measured at its start and at its end
PROPOSER = 8  # the seat that offers and withdraws in a long game
WRITES = 300  # to the disk alone
QUARTERS = 4  # of the time at that rate
WATCHERS = 3  # idle sockets a table, each time
WAVES = 5  # of them


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Bench:
    """One run: the two servers, and the figures measured on them."""

    def __init__(self, folder: Path) -> None:
        """Read the recorded game."""
        raw = GAME.read_bytes()
        record = load(raw)
        self.folder = folder
        self.head = raw.splitlines()[0].decode()
        self.steps = steps_of(record, raw.splitlines()[1:])
        self.seats = len(record.head.started.players)
        self.figures: dict[str, float] = {}

    # ------------------------------------------------------------ CPU and delay

    async def load(self, served: Process, bare: Process) -> list[Room]:
        """Closed loop for the CPU time, open loop for the delay; both servers in turn."""
        keys = people(served.port, self.seats)
        tables = [lay_table(served.port, keys, self.head) for _ in range(TABLES)]
        rooms = [Room(table) for table in tables]
        rivals = [Room(table) for table in tables]
        for room, rival in zip(rooms, rivals, strict=True):
            await room.open(served.port, keys)
            await rival.open(bare.port, keys)
        part = PLAYED // ROUNDS
        costs: dict[str, list[float]] = {"tables": [], "bare": []}
        for turn in range(ROUNDS):
            steps = self.steps[turn * part : (turn + 1) * part]
            costs["bare"].append(await cpu_per_command(bare, rivals, bare_steps(steps)))
            costs["tables"].append(await cpu_per_command(served, rooms, steps))
        self.figures["cpu"] = median(costs["tables"])
        self.figures["bare cpu"] = median(costs["bare"])
        self.figures["ratio"] = median(t / b for t, b in zip(costs["tables"], costs["bare"], strict=True))
        for name, group in (("bare ", rivals), ("", rooms)):
            start = 0 if name else ROUNDS * part
            steps = self.steps[start:]
            delays = await delays_at(group, bare_steps(steps) if name else steps)
            size = len(delays) // QUARTERS
            quarters = [delays[n * size : (n + 1) * size] for n in range(QUARTERS)]
            self.figures[f"{name}p50"] = share(delays, 50)
            self.figures[f"{name}p99"] = share(delays, 99)
            self.figures[f"{name}quiet"] = min(share(quarter, 99) for quarter in quarters)
        writes = await asyncio.to_thread(disk, self.folder)
        self.figures["disk p50"], self.figures["disk p99"] = share(writes, 50), share(writes, 99)
        for rival in rivals:
            await rival.close()
        return rooms

    # ------------------------------------------------------------ a long game

    async def long_game(self, served: Process) -> None:
        """The same commands early and late in a game, measured in turns."""
        keys = people(served.port, self.seats)
        offer = next(s.action for s in self.steps if s.seat == PROPOSER and "propose_deal" in s.action)
        long = Room(lay_table(served.port, keys, self.head))
        await long.open(served.port, keys)
        for step in islice(again(offer), LONG):
            await long.play(step)
        early: list[float] = []
        late: list[float] = []
        for _ in range(ROUNDS):
            short = Room(lay_table(served.port, keys, self.head))
            await short.open(served.port, keys)
            for step in islice(again(offer), 30):
                await short.play(step)
            early.append(await cpu_per_command(served, [short], list(islice(again(offer, 15), BLOCK))))
            done = LONG // 2 + len(late) * BLOCK // 2
            late.append(await cpu_per_command(served, [long], list(islice(again(offer, done), BLOCK))))
            await short.close()
        await long.close()
        self.figures["early"], self.figures["late"] = median(early), median(late)
        self.figures["growth"] = median(b / a for a, b in zip(early, late, strict=True))

    # ------------------------------------------------------------ memory

    async def memory(self, served: Process, tables: list[str]) -> None:
        """What a loaded table and an idle socket take; the server has just been started."""
        warm, measured = tables[: TABLES // 4], tables[TABLES // 4 :]
        for table in warm:
            ask(served.port, "GET", f"/api/tables/{table}")
        # A server by itself loads what was played last, too; on a busy machine that may come between.
        before, here = served.memory(), loaded(served)
        for table in measured:
            ask(served.port, "GET", f"/api/tables/{table}")
        more = loaded(served) - here
        self.figures["table"] = (served.memory() - before) / more if more else nan
        rooms: list[Room] = []
        costs: list[float] = []
        for _ in range(WAVES):
            before = served.memory()
            wave = [Room(table) for table in tables]
            await asyncio.gather(*(room.open(served.port, [""] * WATCHERS) for room in wave))
            await asyncio.sleep(0.5)
            costs.append((served.memory() - before) / (len(wave) * WATCHERS))
            rooms += wave
        self.figures["socket"] = median(costs[1:])  # the first come while the server warms up
        await asyncio.gather(*(room.close() for room in rooms))


def loaded(served: Process) -> int:
    """How many tables a server has in memory."""
    told, _ = ask(served.port, "GET", "/metrics")
    found = re.search(rb"^elysian_tables_loaded (\d+)", told, re.M)
    assert found is not None
    return int(found[1])


def again(offer: str, deals: int = 0) -> Iterator[Step]:
    """Offer and withdraw, for ever; so many offers were made before."""
    for number in count(deals + 1):
        yield Step(PROPOSER, offer)
        yield Step(PROPOSER, f'{{"kind": "withdraw_deal", "deal": "d{number}"}}')


async def cpu_per_command(process: Process, rooms: list[Room], steps: list[Step]) -> float:
    """CPU seconds of the server for each line that is told, when every table plays as fast as it can."""
    before = process.cpu()

    async def play(room: Room) -> None:
        for step in steps:
            await room.play(step)

    await asyncio.gather(*(play(room) for room in rooms))
    return (process.cpu() - before) / (sum(step.lines for step in steps) * len(rooms))


async def delays_at(rooms: list[Room], steps: list[Step], rate: float = RATE) -> list[float]:
    """Seconds from when each command was due to when everybody had its update, in the order they were due."""
    delays: list[tuple[float, float]] = []
    pause = len(rooms) / rate
    began = time.perf_counter() + 0.2

    async def play(place: int, room: Room) -> None:
        for turn, step in enumerate(steps[: int(SECONDS / pause)]):
            due = began + turn * pause + place * pause / len(rooms)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            late = time.perf_counter() - due
            delays.append((due, max(0.0, late) + await room.play(step)))

    await asyncio.gather(*(play(place, room) for place, room in enumerate(rooms)))
    return [delay for _, delay in sorted(delays)]


def share(values: list[float], percent: int) -> float:
    """What so many of a hundred values do not exceed."""
    return sorted(values)[len(values) * percent // 100]


def disk(folder: Path) -> list[float]:
    """Seconds of small writes that are on the disk when they return: what storing cannot beat."""
    seconds = []
    with (folder / "written").open("wb", buffering=0) as file:
        for _ in range(WRITES):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
            time.sleep(0.005)
    return seconds


# ---------------------------------------------------------------- the report


def report(figures: dict[str, float]) -> None:
    """Print each figure beside its goal."""
    print(f"{'':44}{'measured':>10}  {'goal':>8}")
    for words, unit, value, goal in lines_of(figures):
        mark = "" if goal is None else ("  reached" if value <= goal else "  NOT REACHED")
        wanted = "" if goal is None else f"<= {goal:g}"
        print(f"{words:44}{value:>10.3g}  {wanted:>8} {unit}{mark}")


def lines_of(figures: dict[str, float]) -> list[tuple[str, str, float, float | None]]:
    """Words, unit, value and goal of every line."""
    cpu, bare = figures["cpu"] * 1e6, figures["bare cpu"] * 1e6
    return [
        ("CPU per command, bare broadcast to nine", "us", bare, None),
        ("CPU per command, table of nine", "us", cpu, None),
        ("  as many bare broadcasts", "x", figures["ratio"], 4),
        ("live tables per core, 1 command/s, 70 % busy", "", 0.7 / figures["cpu"], None),
        ("send to everyone's update, p50, bare", "ms", figures["bare p50"] * 1e3, None),
        ("send to everyone's update, p99, bare", "ms", figures["bare p99"] * 1e3, None),
        ("send to everyone's update, p50, tables", "ms", figures["p50"] * 1e3, None),
        ("send to everyone's update, p99, tables", "ms", figures["p99"] * 1e3, None),
        ("  p99 in the quietest quarter of the time", "ms", figures["quiet"] * 1e3, 50),
        ("a write of 4 kB to the same disk, p50", "ms", figures["disk p50"] * 1e3, None),
        ("a write of 4 kB to the same disk, p99", "ms", figures["disk p99"] * 1e3, None),
        ("memory of a loaded table", "kB", figures["table"] / 1000, 200),
        ("memory of an idle socket", "kB", figures["socket"] / 1000, 30),
        ("command 30 of a game, CPU", "us", figures["early"] * 1e6, None),
        (f"command {LONG} of a game, CPU", "us", figures["late"] * 1e6, None),
        ("  as many of command 30", "x", figures["growth"], 1.2),
    ]


async def measure(folder: Path) -> dict[str, float]:
    """Every figure."""
    bench, port = Bench(folder), free_port()
    with tables_at(folder, port) as served, bare_at(folder, free_port()) as bare:
        rooms = await bench.load(served, bare)
        for room in rooms:
            await room.close()
        await bench.long_game(served)
    with tables_at(folder, port) as served:
        await bench.memory(served, [room.table for room in rooms])
    return bench.figures


def main() -> None:
    """Measure and print."""
    if not Path("/proc/self/schedstat").exists():
        sys.exit("The benchmark reads CPU times and memory from /proc, which is not here.")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder)))
    print(f"{TABLES} tables of nine, {RATE} commands/s for the delays; {time.monotonic() - began:.0f} s\n")
    report(figures)


if __name__ == "__main__":
    main()

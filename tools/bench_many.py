"""Five hundred tables of six at a third of a core: the tail of the delays beside that of a bare broadcast.

python -m tools.bench_many [TABLES]: a recorded game is replayed by real clients at every table, at the rate
at which the server is busy a third of the time. Trust the ratio: both are measured in one run.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean

import uvloop

from elysian.record import load
from tools.bench_load import ROOT, Room, ask, bare_at, bare_steps, lay_table, people, steps_of, tables_at
from tools.bench_server import SECONDS, cpu_per_command, delays_at, disk, free_port, share

GAME = ROOT / "games" / "6-players-2020-2.jsonl"
TABLES = 500
BUSY = 0.35
WARM = 6  # commands of each table, from which the rate is told,
TRIED = 6  # and as many at that rate, from which it is told better
ROUNDS = 3  # of each server, in turn
AT_ONCE = 50  # tables that are connected at the same time


async def measure(folder: Path, tables: int) -> None:
    """Lay the tables, play at them and print."""
    raw = GAME.read_bytes()
    record = load(raw)
    steps, head = steps_of(record, raw.splitlines()[1:]), raw.splitlines()[0].decode()
    with tables_at(folder, free_port()) as served, bare_at(folder, free_port()) as bare:
        keys = people(served.port, len(record.head.started.players))
        names = [lay_table(served.port, keys, head) for _ in range(tables)]
        rooms, rivals = [Room(name) for name in names], [Room(name) for name in names]
        for group, port in ((rooms, served.port), (rivals, bare.port)):
            for n in range(0, tables, AT_ONCE):
                await asyncio.gather(*(room.open(port, keys) for room in group[n : n + AT_ONCE]))
        bare_cost = await cpu_per_command(bare, rivals, bare_steps(steps[:WARM]))
        cost = await cpu_per_command(served, rooms, steps[:WARM])
        rate = BUSY / cost
        before, began = served.cpu(), time.monotonic()
        await delays_at(rooms, steps[WARM : WARM + TRIED], rate)  # in small lots a command costs more
        rate *= BUSY * (time.monotonic() - began) / (served.cpu() - before)
        await delays_at(rivals, bare_steps(steps[WARM : WARM + TRIED]), rate)
        print(f"{tables} tables of {len(keys)}, {rate:.0f} commands/s")
        print(f"CPU per command {1e6 * cost:.0f} us, {cost / bare_cost:.1f} x the bare broadcast")
        delays: dict[str, list[float]] = {"bare": [], "tables": []}
        busy: dict[str, list[float]] = {"bare": [], "tables": []}
        kept: dict[str, list[float]] = {"bare": [], "tables": []}
        part = int(SECONDS * rate / tables)  # commands of a table in a round
        for turn in range(ROUNDS):
            left = steps[WARM + TRIED :][turn * part : (turn + 1) * part]
            for name, process, group in (("bare", bare, rivals), ("tables", served, rooms)):
                before, began, waited = process.cpu(), time.monotonic(), process.kept_waiting()
                asked = left if process is served else bare_steps(left)
                delays[name] += await delays_at(group, asked, rate)
                took = time.monotonic() - began
                busy[name].append((process.cpu() - before) / took)
                kept[name].append((process.kept_waiting() - waited) / took)
        for name, found in delays.items():
            told = f"p50 {1e3 * share(found, 50):.1f} ms, p99 {1e3 * share(found, 99):.1f} ms"
            print(f"{name:7} {told}, {len(found)} commands, {100 * fmean(busy[name]):.0f} % busy;", end=" ")
            print(f"the machine kept it waiting for {100 * fmean(kept[name]):.0f} % of the time")
        writes = await asyncio.to_thread(disk, folder)
        print(
            f"a write to the disk: p50 {1e3 * share(writes, 50):.1f} ms, p99 {1e3 * share(writes, 99):.1f} ms"
        )
        ratio = share(delays["tables"], 99) / share(delays["bare"], 99)
        print(f"p99 {ratio:.1f} x the bare broadcast (goal: 5)")
        metrics, _ = ask(served.port, "GET", "/metrics")
        for line in re.findall(rb"^elysian_collection\w* .*$", metrics, re.M):
            print(line.decode())
        for room in (*rooms, *rivals):
            await room.close()


def main() -> None:
    """Measure and print."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(measure(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else TABLES))


if __name__ == "__main__":
    main()

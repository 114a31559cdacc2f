"""How much bots think in a second with one worker process and with two: the pool alone, nobody at tables.

python -m tools.bench_pool [--level LEVEL] [--processes N ...]: sixteen tables always have a thought in line.
Each is a new bot's, about a place in a recorded game nobody has thought about yet: nothing is remembered.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import time
from collections.abc import Iterator
from random import Random

from elysian.deals import Seat
from elysian.options import options
from elysian.players.trader.company import Company
from elysian.record import load
from elysian.server.background.bot_mind import choose
from elysian.server.background.worker_pool import WorkerPool
from elysian.state import State
from elysian.view import view
from tools.bench_load import ROOT

TABLES = 16
SECONDS = 15.0
ROUNDS = 2  # of each, in turn

Places = Iterator[tuple[int, tuple[State, Seat]]]


def places() -> Places:
    """Where somebody may think about trade, all over the recorded games, in an order drawn once."""
    found = [
        (state, seat)
        for path in sorted((ROOT / "games").glob("*.jsonl"))
        for state in load(path.read_bytes()).states()
        if state.step == "trade"
        for seat in state.seats()
        if seat not in state.done
    ]
    Random(1).shuffle(found)
    return enumerate(found)


async def thoughts(processes: int, level: str, left: Places) -> tuple[float, list[float]]:
    """Thoughts a second, and the seconds of the processor each took."""
    pool, took = WorkerPool(processes, lambda: None), [0.0]
    company = Company(people=frozenset({0}))

    async def table(until: float) -> None:
        while time.monotonic() < until:
            n, (state, seat) = next(left)
            what = ("chance", level, company, "en", view(state, seat), options(state, seat))
            await pool.run(f"table{n}/{seat}", choose, f"table{n}", *what, spent=took.append)

    try:
        for seconds in (3.0, SECONDS):  # first the processes start
            took.clear()
            began = time.monotonic()
            await asyncio.gather(*(table(began + seconds) for _ in range(TABLES)))
        return len(took) / (time.monotonic() - began), took
    finally:
        pool.close()


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--level", default="standard")
    asked.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    words = asked.parse_args()
    left = places()
    rates: dict[int, list[float]] = {count: [] for count in words.processes}
    for _, count in itertools.product(range(ROUNDS), words.processes):
        rate, took = asyncio.run(thoughts(count, words.level, left))
        rates[count].append(rate)
        mean = 1000 * sum(took) / len(took)
        print(
            f"{count} process(es): {rate:.1f} thoughts of {words.level} a second, {mean:.0f} ms of CPU each"
        )
    first = sum(rates[words.processes[0]])
    for count, some in rates.items():
        print(f"{count} process(es): {sum(some) / len(some):.1f} a second, {sum(some) / first:.2f} x")


if __name__ == "__main__":
    main()

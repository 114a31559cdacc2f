"""How much bots think in a second with one worker process and with two: the pool alone, nobody at tables.

python -m tools.bench_pool [--level LEVEL] [--processes N ...]: sixteen tables always have a thought in line.
Each is a new bot's, about a place in a recorded game nobody has thought about yet: nothing is remembered.
Beside it, in the same run, what the machine gives at all: as many processes that share nothing and wait for
nobody, each with thoughts of its own one after the other.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
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
WARM = 3.0  # seconds in which processes start
ROUNDS = 2  # of each, in turn
EACH = 1500  # places a process that shares nothing may think about

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
        for seconds in (WARM, SECONDS):
            took.clear()
            began = time.monotonic()
            await asyncio.gather(*(table(began + seconds) for _ in range(TABLES)))
        return len(took) / (time.monotonic() - began), took
    finally:
        pool.close()


def alone(processes: int, level: str, left: Places) -> tuple[float, list[float]]:
    """The same by processes that share nothing: no pool, no line, nothing sent to and fro but the count."""
    context = multiprocessing.get_context("fork")  # each has the places already
    ends: list[Connection] = []
    for _ in range(processes):
        end, other = context.Pipe(duplex=False)
        own = list(itertools.islice(left, EACH))
        context.Process(target=_thinks, args=(other, level, own), daemon=True).start()
        ends.append(end)
    found = [end.recv() for end in ends]
    return sum(rate for rate, _ in found), [one for _, took in found for one in took]


def _thinks(told: Connection, level: str, places: list[tuple[int, tuple[State, Seat]]]) -> None:
    company, took = Company(people=frozenset({0})), [0.0]
    began, until = time.monotonic(), 0.0
    for seconds in (WARM, SECONDS):
        took.clear()
        began, until = time.monotonic(), time.monotonic() + seconds
        for n, (state, seat) in places:
            used = time.process_time()
            what = "chance", level, company, "en", view(state, seat), options(state, seat)
            choose(f"{seconds}/{n}", *what)
            took.append(time.process_time() - used)
            if time.monotonic() > until:
                break
    told.send((len(took) / (time.monotonic() - began), took))


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--level", default="standard")
    asked.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    words = asked.parse_args()
    left = places()
    kinds = ("pool", "alone")
    rates: dict[tuple[str, int], list[float]] = {one: [] for one in itertools.product(kinds, words.processes)}
    for _ in range(ROUNDS):
        for kind, count in rates:
            if kind == "pool":
                rate, took = asyncio.run(thoughts(count, words.level, left))
            else:
                rate, took = alone(count, words.level, left)
            rates[kind, count].append(rate)
            mean = 1000 * sum(took) / len(took)
            print(f"{kind}, {count} process(es): {rate:.1f} thoughts of {words.level} a second,", end=" ")
            print(f"{mean:.0f} ms of CPU each", flush=True)
    for (kind, count), some in rates.items():
        first, machine = sum(rates[kind, words.processes[0]]), sum(rates["alone", count])
        print(f"{kind}, {count} process(es): {sum(some) / len(some):.1f} a second,", end=" ")
        print(f"{sum(some) / first:.2f} x one, {sum(some) / machine:.2f} x as many that share nothing")


if __name__ == "__main__":
    main()

"""Bots' work is shared fairly: between people, between their tables, and nothing takes for ever."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from elysian.actions import ProposeDeal, TimeUp
from elysian.deals import Note
from elysian.rules import begin, decide
from elysian.rules.setup import start
from elysian.server.background import worker_pool
from elysian.server.background.bots import is_waited_for
from elysian.server.background.fair_queue import FairQueue, Job
from elysian.server.background.worker_pool import AskedPool, TooSlow, WorkerPool
from elysian.server.live.kept import Kept
from elysian.server.ops.errors import Refused
from elysian.server.ops.rate_limit import Budgets
from elysian.state import Settings
from elysian.view import view


def job(number: int, *account: str, urgent: bool = True) -> Job:
    outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    return Job(account, urgent, number, 1.0, int, (), outcome)


async def served(queue: FairQueue, count: int, seconds: float = 1.0) -> list[Job]:
    done = []
    for _ in range(count):
        done.append(await queue.get())
        queue.spend(done[-1], seconds)
    return done


def test_who_asks_for_much_waits_for_nobody_but_themselves() -> None:
    """First come, first served would do all of Eve's hundred before Anna's three."""

    async def run() -> None:
        queue = FairQueue()
        for number in range(100):
            queue.put(job(number, "eve", f"table {number % 3}"))
        for number in range(100, 103):
            queue.put(job(number, "anna", "table 9"))
        first = Counter(one.account[0] for one in await served(queue, 6))
        assert first == {"eve": 3, "anna": 3}
        late = job(500, "bela", "table 8")
        queue.put(late)
        assert late in await served(queue, 2), "whoever comes late is not behind all that came before"

    asyncio.run(run())


def test_the_tables_of_one_person_share_what_that_person_has() -> None:
    async def run() -> None:
        queue = FairQueue()
        for number in range(90):
            queue.put(job(number, "eve", "large"))
        for number in range(90, 93):
            queue.put(job(number, "eve", "small"))
        assert Counter(one.account[1] for one in await served(queue, 6)) == {"large": 3, "small": 3}

    asyncio.run(run())


def test_nobody_saves_up_time_by_being_away() -> None:
    async def run() -> None:
        queue = FairQueue()
        for number in range(50):
            queue.put(job(number, "anna", "a"))
        await served(queue, 20)
        for number in range(100, 150):
            queue.put(job(number, "eve", "e"))
        turns = Counter(one.account[0] for one in await served(queue, 10))
        assert turns["anna"] >= 4, "as if Eve had waited all the time"

    asyncio.run(run())


def test_a_new_table_does_not_keep_an_old_one_of_the_same_person_waiting() -> None:
    async def run() -> None:
        queue = FairQueue()
        for number in range(50):
            queue.put(job(number, "anna", "old"))
        await served(queue, 20)
        for number in range(100, 150):
            queue.put(job(number, "anna", "new"))
        turns = Counter(one.account[1] for one in await served(queue, 10))
        assert turns["old"] >= 4, "else it waits until the new one has used up as much"

    asyncio.run(run())


def test_what_a_person_waits_for_goes_first_and_what_nobody_waits_for_is_dropped() -> None:
    async def run() -> None:
        queue = FairQueue()
        idle, asked, gone = job(1, "a", "t", urgent=False), job(2, "a", "t"), job(3, "b", "u")
        for one in (idle, asked, gone):
            queue.put(one)
        gone.outcome.cancel()
        assert await served(queue, 2) == [asked, idle]
        assert len(queue) == 0

    asyncio.run(run())


def test_nobody_waits_for_bots_among_themselves() -> None:
    """A table of bots alone, which anybody can open, comes after those at which people sit."""
    game = begin(start(Settings(species=("kit", "unity", "kjas", "zeth")), "seed"))
    _, offered = decide(game, 0, ProposeDeal(parties=(0, 1), clauses=(Note(text="hello"),)))
    _, planning = decide(game, None, TimeUp())
    nobody, anna = frozenset[int](), frozenset({0})
    waited = {
        (state.step, people): is_waited_for(view(state, 1), 1, people)
        for state in (offered, planning)
        for people in (nobody, anna)
    }
    assert waited == {
        ("trade", nobody): False,
        ("trade", anna): True,
        ("window", nobody): False,
        ("window", anna): True,
    }
    assert not is_waited_for(view(game, 1), 1, anna), "nothing was asked"
    assert not is_waited_for(view(offered, 2), 2, anna), "somebody else was asked"


def for_ever() -> None:
    while True:
        time.sleep(0.01)


def test_a_computation_that_does_not_end_is_ended_and_the_next_has_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent: list[float] = []

    async def run() -> None:
        pool = WorkerPool(1, lambda: None)
        try:
            first = await pool.run("g/0", os.getpid)
            with monkeypatch.context() as short:
                short.setattr(worker_pool, "LIMIT", 0.2)  # for this alone, however busy the machine is
                with pytest.raises(TooSlow):
                    await pool.run("g/0", for_ever, spent=spent.append)
            assert await pool.run("g/0", os.getpid) != first
        finally:
            pool.close()

    asyncio.run(run())
    assert spent[0] >= 0.2, "it is on the account of who asked"


def test_nobody_waits_for_a_long_thought_that_nobody_waits_for() -> None:
    """A thought of bots alone, a story and a review have processes of their own, which stand back."""

    async def run() -> None:
        pool = WorkerPool(1, lambda: None)
        try:
            long = [
                asyncio.create_task(pool.run("bots/0", for_ever, urgent=False, aside=True)),
                asyncio.create_task(pool.run("story", for_ever, urgent=False, patience=None)),
            ]
            assert await pool.run("people/0", os.getpid) != os.getpid()
            assert await pool.run("people/1", os.nice, 0) == os.nice(0)
            assert not any(task.done() for task in long), "they go on beside"
            for task in long:
                task.cancel()
        finally:
            pool.close()
        again = WorkerPool(1, lambda: None)
        try:
            nice = await again.run("bots/0", os.nice, 0, aside=True)
            assert nice == min(19, os.nice(0) + worker_pool.ASIDE)
        finally:
            again.close()

    asyncio.run(run())


def until_there(file: str) -> None:
    while not Path(file).exists():
        time.sleep(0.01)


async def one_deep_in_thought(pool: WorkerPool, answered: Path) -> tuple[int, list[str], asyncio.Task[None]]:
    """One of two processes thinks until a file is there: which, whose work goes to it, and its thought."""
    home = await pool.run("a/0", os.getpid)
    owners = [f"t{n}/0" for n in range(60)]
    same = [owner for owner in owners if await pool.run(owner, os.getpid, urgent=False) == home]
    long = asyncio.create_task(pool.run("a/0", until_there, str(answered)))
    while pool._workers[0].is_free and pool._workers[1].is_free:
        await asyncio.sleep(0.01)
    return home, same, long


def test_an_answer_somebody_waits_for_does_not_stand_behind_a_long_thought_while_a_process_is_free(
    tmp_path: Path,
) -> None:
    answered = tmp_path / "answered"

    async def run() -> None:
        pool = WorkerPool(2, lambda: None)
        try:
            home, same, long = await one_deep_in_thought(pool, answered)
            idle = asyncio.create_task(pool.run(same[0], os.getpid, urgent=False))
            assert await pool.run(same[1], os.getpid) != home, "it was worked out elsewhere"
            assert not long.done()
            assert not idle.done(), "what is not urgent stays with the process that remembers its bot"
            answered.touch()
            await long
            assert await idle == home
            assert await pool.run(same[1], os.getpid) == home, "as soon as it can, it goes home"
        finally:
            pool.close()

    asyncio.run(run())


def test_a_process_that_has_nothing_to_do_takes_from_a_long_line_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not first looked on for a while; what waits alone may be remembered, and does wait for home."""
    monkeypatch.setattr(worker_pool, "MOVES_ON", 3600.0)
    answered = tmp_path / "answered"

    async def run() -> None:
        pool = WorkerPool(2, lambda: None)
        try:
            home, same, long = await one_deep_in_thought(pool, answered)
            idle = asyncio.create_task(pool.run(same[0], os.getpid, urgent=False))
            line = [asyncio.create_task(pool.run(owner, os.getpid)) for owner in same[1:5]]
            done: set[asyncio.Task[int]] = set()
            while len(done) < 3:
                found, _ = await asyncio.wait(line, return_when=asyncio.FIRST_COMPLETED)
                done |= found
                line = [one for one in line if one not in found]
            assert home not in {one.result() for one in done}, "all but the last of the line"
            assert not line[0].done()
            assert not idle.done()
            answered.touch()
            await long
            assert [await line[0], await idle] == [home, home]
        finally:
            pool.close()

    asyncio.run(run())


ENDED_IN_THOUGHT = """
import asyncio, os, signal, time
from elysian.server.background.worker_pool import WorkerPool

async def run():
    pool = WorkerPool(1, lambda: None)
    await pool.run("g/0", os.getpid)
    thought = asyncio.create_task(pool.run("g/0", time.sleep, 600))
    await asyncio.sleep(0.2)
    pool.close()
    thought.cancel()

asyncio.run(run())
os.kill(os.getpid(), signal.SIGTERM)  # as a server ends once it has drained
"""


def test_a_server_that_is_stopped_while_a_bot_thinks_leaves_nothing_that_python_would_complain_of() -> None:
    """Its log has one JSON object a line, to the end."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDED_IN_THOUGHT], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (-signal.SIGTERM, "")


def test_who_asks_pays_for_the_processors_time_not_for_a_busy_machine() -> None:
    spent: list[float] = []

    async def asked() -> None:
        pool = WorkerPool(1, lambda: None)
        try:
            await pool.run("g/0", time.sleep, 1.0, spent=spent.append)
        finally:
            pool.close()

    asyncio.run(asked())
    assert spent[0] < 1.0, "sleeping keeps the process, but not the processor"


def test_what_somebody_asks_is_on_their_account_and_bounded() -> None:
    class Slow(WorkerPool):
        async def run(self, *_: Any, **about: Any) -> Any:
            await asyncio.sleep(0)
            about["spent"](4.0)

    async def run() -> None:
        budget = Budgets(10.0, 60.0, lambda: 1000.0)
        pool = AskedPool(Slow(1, lambda: None), lambda owner: owner.partition("/")[2], budget)
        for _ in range(3):
            await pool.run("g/anna", int)
        with pytest.raises(Refused, match="too_many"):
            await pool.run("g/anna", int)
        await pool.run("g/bela", int)
        many = [pool.run("g/cleo", int) for _ in range(worker_pool.QUESTIONS + 2)]
        outcomes = await asyncio.gather(*many, return_exceptions=True)
        assert sum(isinstance(one, Refused) for one in outcomes) == 2

    asyncio.run(run())


def test_what_never_changes_is_worked_out_once_however_many_ask() -> None:
    made: list[str] = []

    async def make() -> int:
        made.append("x")
        await asyncio.sleep(0)
        return len(made)

    async def fail() -> int:
        raise Refused("busy")

    async def run() -> None:
        kept = Kept(2)
        assert await asyncio.gather(*(kept.get("a", make) for _ in range(5))) == [1] * 5
        assert await kept.get("a", make) == 1
        with pytest.raises(Refused):
            await kept.get("b", fail)
        assert await kept.get("b", make) == 2
        await kept.get("c", make)
        assert await kept.get("a", make) == 4, "the longest unasked for was forgotten"

    asyncio.run(run())

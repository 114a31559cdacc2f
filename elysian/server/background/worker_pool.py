"""Thinking: bots and valuations in processes of their own; whoever a person waits for thinks first."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

from elysian.actions import Action
from elysian.deals import AnyClause, Deal, Seat
from elysian.options import Options
from elysian.players import Player
from elysian.players.levels import make
from elysian.view import View
from elysian.worth import SeatNeeds, after, judge, needs_of

REMEMBERED = 400  # players one process keeps

# ---------------------------------------------------------------- in the worker process

_players: dict[tuple[str, Seat, str, frozenset[Seat], str], tuple[Player, Random]] = {}


def _settle_in() -> None:
    """A worker leaves when the server does, however that ends; Ctrl-C is for the server to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_leave_after, args=(parent,), daemon=True).start()


def _leave_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)


def think(
    game: str, level: str, people: frozenset[Seat], language: str, view: View, options: Options
) -> Action | None:
    """What the bot at a seat does; it remembers what it did before, as long as this process lives."""
    assert view.seat is not None
    key = game, view.seat, level, people, language
    if key not in _players:
        while len(_players) >= REMEMBERED:
            del _players[next(iter(_players))]
        _players[key] = make(level, people, language), Random(f"{game}/{view.seat}/{view.turn}")
    player, rng = _players[key]
    return player.choose(view, options, rng)


def weigh(
    view: View, seats: tuple[Seat, ...], clauses: tuple[AnyClause, ...], settles: tuple[str, ...] = ()
) -> list[tuple[Seat, float | None]]:
    """What clauses are worth to each of these seats; None when nobody can hand over what they say."""
    deal = Deal(id="", proposer=seats[0], parties=(), clauses=clauses)
    others = [seat for seat in range(len(view.players)) if seat not in seats]
    # Anyone is the first who could take it.
    named = (deal.taken_by(seat).clauses for seat in others or seats[:1])
    possible = next((one for one in named if after(view, one) is not None), None)
    return [
        (seat, None if possible is None else round(judge(view, seat, possible, settles=settles).gain, 2))
        for seat in seats
    ]


def stand(view: View, seats: tuple[Seat, ...]) -> list[SeatNeeds]:
    """What each of these seats needs and can spare."""
    return [needs_of(view, seat) for seat in seats]


# ---------------------------------------------------------------- in the server

_Thought = tuple[bool, int, Callable[..., Any], tuple[Any, ...], "asyncio.Future[Any]"]


class Desk:
    """One worker process and those who wait for it; one that dies is replaced."""

    def __init__(self, died: Callable[[], None]) -> None:
        """Be ready; the process is started for the first thought. `died` is called when one was lost."""
        self._died = died
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: asyncio.PriorityQueue[_Thought] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._work: asyncio.Task[None] | None = None

    async def run(self, urgent: bool, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function comes to; the urgent go first. None when the process died of it."""
        if self._work is None:
            self._work = asyncio.create_task(self._work_on())
        outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((not urgent, next(self._numbers), function, arguments, outcome))
        return await outcome

    async def _work_on(self) -> None:
        while True:
            _, _, function, arguments, outcome = await self._waiting.get()
            if outcome.done():
                continue  # nobody waits for it any more
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _settle_in)
            result, problem = None, None
            try:
                result = await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)
            except BrokenProcessPool:
                self._pool = None
                self._died()
            except Exception as mistake:
                problem = mistake
            if not outcome.done():
                outcome.set_exception(problem) if problem else outcome.set_result(result)

    def close(self) -> None:
        """Do not wait for a bot that is deep in thought."""
        if self._work is not None:
            self._work.cancel()
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                with contextlib.suppress(OSError):
                    process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)

"""Bots in seats: they think in processes of their own and move at a human pace."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import zlib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

from elysian.actions import (
    Action,
    ChooseHandicap,
    DiscardColonies,
    Done,
    GiveGifts,
    LayPlan,
    Pass,
    PlaceBid,
)
from elysian.deals import AnyClause, Seat
from elysian.options import Options, options
from elysian.players import Player
from elysian.players.levels import LEVELS, make
from elysian.rules import waiting
from elysian.server.commands import Move
from elysian.server.metrics import Metrics
from elysian.server.refusal import Refused
from elysian.server.table import Table
from elysian.server.wire import Ask, SeatWorth, Worth
from elysian.view import View, view
from elysian.worth import worth

OPEN = ("trade", "settle", "gifts", "bid", "colony_auction", "research_auction")
PATIENCE = 20.0  # seconds a bot may think
GIVES_UP = 3  # so often a bot that is waited for may have nothing to do, or be refused
REMEMBERED = 400  # players one process keeps


def levels() -> tuple[str, ...]:
    """The levels there are."""
    return LEVELS


# ---------------------------------------------------------------- in the worker process


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


_players: dict[tuple[str, Seat, str, frozenset[Seat]], tuple[Player, Random]] = {}


def think(game: str, level: str, people: frozenset[Seat], view: View, options: Options) -> Action | None:
    """What the bot at a seat does; it remembers what it did before, as long as this process lives."""
    assert view.seat is not None
    key = game, view.seat, level, people
    if key not in _players:
        while len(_players) >= REMEMBERED:
            del _players[next(iter(_players))]
        _players[key] = make(level, people), Random(f"{game}/{view.seat}/{view.turn}")
    player, rng = _players[key]
    return player.choose(view, options, rng)


def weigh(view: View, seats: tuple[Seat, ...], clauses: tuple[AnyClause, ...]) -> list[tuple[Seat, float]]:
    """What clauses are worth to each of these seats."""
    return [(seat, round(worth(view, seat, clauses), 2)) for seat in seats]


# ---------------------------------------------------------------- in the server

_DEFAULTS = (LayPlan, PlaceBid, GiveGifts, DiscardColonies, Pass, ChooseHandicap, Done)


def ready_made(found: Options) -> Action | None:
    """The cautious choice of a step, for a bot that has no better idea."""
    for kind in _DEFAULTS:
        for choice in found.choices:
            if isinstance(choice.action, kind):
                return choice.action
    return None


class Bots:
    """All bots of one process; each thinks about one thing at a time."""

    def __init__(self, processes: int, pace: float, metrics: Metrics) -> None:
        """Let bots think in so many processes, and move no faster than `pace` seconds."""
        self.pace = pace
        self.metrics = metrics
        self._pools: list[ProcessPoolExecutor | None] = [None] * max(1, processes)
        self._turns: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self._rested: dict[tuple[str, Seat], int] = {}  # the line after which a bot had nothing to do
        self._vain: dict[tuple[str, Seat], int] = {}  # how often in a row
        self._chance = Random()
        self._closed = False

    def close(self) -> None:
        """Send everybody home."""
        self._closed = True
        for turn in self._turns.values():
            turn.cancel()
        for pool in self._pools:
            if pool is not None:
                _end(pool)

    # ------------------------------------------------------------ whose turn it is

    def look(self, table: Table) -> None:
        """Let every bot at the table think that has something to think about."""
        lobby, state = table.lobby, table.state
        if self._closed or state is None or lobby.status != "playing" or lobby.paused:
            return
        people = lobby.people()
        if len(people) == len(lobby.chairs):
            return
        waited = waiting(state)
        for seat, chair in enumerate(lobby.chairs):
            key = table.game, seat
            if seat in people or chair.free or key in self._turns:
                continue
            if self._rested.get(key) == table.n or (seat not in waited and state.step not in OPEN):
                continue
            turn = asyncio.create_task(self._turn(table, seat))
            self._turns[key] = turn
            turn.add_done_callback(partial(self._after, table, key))

    def _after(self, table: Table, key: tuple[str, Seat], done: asyncio.Task[None]) -> None:
        self._turns.pop(key, None)
        if not done.cancelled() and done.exception() is not None:
            self.metrics.count("mistakes")
            self._rested[key] = table.n
        if not done.cancelled():
            self.look(table)

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        for memory in (self._rested, self._vain):
            for seat in range(len(table.lobby.chairs)):
                memory.pop((table.game, seat), None)

    def at_work(self, table: Table) -> bool:
        """Whether a bot is thinking about this table."""
        return any(game == table.game for game, _ in self._turns)

    # ------------------------------------------------------------ one turn

    async def _turn(self, table: Table, seat: Seat) -> None:
        await asyncio.sleep(self.pace * (1 + self._chance.random()))
        lobby, state, n, key = table.lobby, table.state, table.n, (table.game, seat)
        if state is None or lobby.status != "playing" or lobby.paused or seat in lobby.people():
            return
        chair = lobby.chairs[seat]
        level = chair.bot or lobby.options.cover_level
        seen, found = view(state, seat), options(state, seat)
        action: Action | None = None
        try:
            async with asyncio.timeout(PATIENCE):
                action = await self._run(key, think, table.game, level, lobby.people(), seen, found)
        except TimeoutError:
            self._vain[key] = GIVES_UP
        if action is None and self._in_vain(table, key, seat):
            action = ready_made(found)
        if action is None:
            return
        accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def done(outcome: bool) -> None:
            if not accepted.done():
                accepted.set_result(outcome)

        table.put(Move(seat=seat, action=action, n=n, done=done))
        if await accepted:
            self.metrics.count("bot_moves")
            self._vain.pop(key, None)
        elif self._in_vain(table, key, seat):
            self._rested[key] = table.n  # not even the cautious choice was open

    def _in_vain(self, table: Table, key: tuple[str, Seat], seat: Seat) -> bool:
        """Count a thought that led to nothing; True when only bots are waited for and it was one too many."""
        state = table.state
        assert state is not None
        waited = set(waiting(state))
        if waited & table.lobby.people() or seat not in waited:
            self._rested[key] = table.n  # until something happens
            return False
        self._vain[key] = self._vain.get(key, 0) + 1
        return self._vain[key] > GIVES_UP

    # ------------------------------------------------------------ processes

    async def _run(self, key: tuple[str, Seat], function: Any, *arguments: Any) -> Any:
        """Run something in the process that remembers this bot; a process that dies is replaced."""
        place = zlib.crc32(f"{key[0]}/{key[1]}".encode()) % len(self._pools)
        pool = self._pools[place]
        if pool is None:
            context = multiprocessing.get_context("spawn")
            pool = self._pools[place] = ProcessPoolExecutor(1, context, _settle_in)
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        except BrokenProcessPool:
            if self._pools[place] is pool:
                self._pools[place] = None
                self.metrics.count("mistakes")
            return None

    async def worth(self, table: Table, seat: Seat, ask: Ask, everybody: bool) -> Worth:
        """What an offer is worth to a seat, or to everybody in it; raises Refused."""
        state, n = table.state, table.n
        assert state is not None
        seen = view(state, seat)
        clauses = ask.clauses
        if ask.deal is not None:
            deal = seen.deals.get(ask.deal)
            if deal is None:
                raise Refused("no_such_deal", status=404)
            clauses = (deal.taken_by(seat) if deal.is_open and deal.proposer != seat else deal).clauses
        if not clauses:
            raise Refused("worth_needs_offer", status=400)
        seats = tuple(parties_of(clauses, len(seen.players)) | {seat}) if everybody else (seat,)
        try:
            async with asyncio.timeout(PATIENCE):
                values = await self._run((table.game, seat), weigh, seen, seats, clauses)
        except (TimeoutError, LookupError, ValueError, TypeError, AssertionError):
            values = None
        if values is None:
            raise Refused("busy", status=503)
        return Worth(
            id=ask.id, n=n, values=tuple(SeatWorth(seat=one, points=points) for one, points in values)
        )


def parties_of(clauses: tuple[AnyClause, ...], players: int) -> set[Seat]:
    """The seats that give or get something."""
    found: set[Seat] = set()
    for clause in clauses:
        what = getattr(clause, "what", clause)
        for part in (clause, what):
            found |= {getattr(part, name) for name in ("giver", "to", "who") if hasattr(part, name)}
    return {seat for seat in found if 0 <= seat < players}


def _end(pool: ProcessPoolExecutor) -> None:
    """Do not wait for a bot that is deep in thought."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=False, cancel_futures=True)

"""Bots in seats: they think in processes of their own and move at a human pace."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, TypeVar

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
from elysian.messages import DEFAULT
from elysian.options import Options, options
from elysian.players.levels import LEVELS
from elysian.rules import waiting
from elysian.server.background.worker_pool import Desk, stand, think, weigh
from elysian.server.live.commands import Move
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.ops.metrics import Metrics
from elysian.server.protocol.messages import Ask, Needs, SeatWorth, Worth
from elysian.view import View, view
from elysian.worth import Plan, best_plan

OPEN = ("trade", "settle", "gifts", "bid", "colony_auction", "research_auction")
PATIENCE = 20.0  # seconds a bot may think
GIVES_UP = 3  # so often a bot that is waited for may have nothing to do, or be refused

T = TypeVar("T")


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

    def __init__(
        self, processes: int, pace: float, metrics: Metrics, levels: tuple[str, ...] = LEVELS
    ) -> None:
        """Let bots of these levels think in so many processes, and move no faster than `pace` seconds."""
        self.pace = pace
        self.levels = levels
        self.metrics = metrics
        self._desks = [Desk(lambda: metrics.count("mistakes")) for _ in range(max(1, processes))]
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
        for desk in self._desks:
            desk.close()

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
        urgent = state.step not in OPEN or _is_asked(seen, seat, lobby.people())
        try:
            if level not in self.levels:
                # A stored table may name a class; only what the operator named is ever loaded.
                raise LookupError(f"no player {level!r} was named when the server was started")
            async with asyncio.timeout(PATIENCE):
                action = await self._desk(key).run(
                    urgent, think, table.game, level, lobby.people(), spoken(table), seen, found
                )
        except TimeoutError:
            self._vain[key] = GIVES_UP
        except Exception:  # whatever is wrong with a bot, the table must not wait for it
            self.metrics.count("mistakes")
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

    def _desk(self, key: tuple[str, Seat]) -> Desk:
        """The process that remembers this bot."""
        return self._desks[zlib.crc32(f"{key[0]}/{key[1]}".encode()) % len(self._desks)]

    async def worth(self, table: Table, seat: Seat, ask: Ask, everybody: bool) -> Worth:
        """What an offer is worth to a seat, or to everybody in it; raises Refused."""
        state, n = table.state, table.n
        assert state is not None
        seen = view(state, seat)
        clauses, settles = ask.clauses, ask.settles
        if ask.deal is not None:
            deal = seen.deals.get(ask.deal)
            if deal is None:
                raise Refused("no_such_deal", status=404)
            clauses = (deal.taken_by(seat) if deal.is_open and deal.proposer != seat else deal).clauses
            settles = deal.settles
        if not clauses and not settles:
            raise Refused("worth_needs_offer", status=400)
        seats = tuple(parties_of(clauses, len(seen.players)) | {seat}) if everybody else (seat,)
        try:
            async with asyncio.timeout(PATIENCE):
                values = await self._desk((table.game, seat)).run(True, weigh, seen, seats, clauses, settles)
        except TimeoutError:
            values = None
        except (LookupError, ValueError, TypeError, AssertionError):  # such clauses make no sense
            raise Refused("bad_value", status=400, what="worth", where="clauses") from None
        if values is None:
            raise Refused("busy", status=503)
        return Worth(
            id=ask.id, n=n, values=tuple(SeatWorth(seat=one, points=points) for one, points in values)
        )

    async def needs(self, table: Table, seat: Seat, ask: Ask, everybody: bool) -> Needs:
        """What a seat, or everybody, needs and can spare; raises Refused."""
        state, n = table.state, table.n
        assert state is not None
        seen = view(state, seat)
        seats = tuple(range(len(seen.players))) if everybody else (seat,)
        try:
            async with asyncio.timeout(PATIENCE):
                found = await self._desk((table.game, seat)).run(True, stand, seen, seats)
        except TimeoutError:
            found = None
        if found is None:
            raise Refused("busy", status=503)
        return Needs(id=ask.id, n=n, seats=tuple(found))

    async def best_plan(self, table: Table, seat: Seat) -> Plan:
        """The best a seat can do by itself this turn; raises Refused."""
        assert table.state is not None
        seen = view(table.state, seat)
        try:
            async with asyncio.timeout(PATIENCE):
                found: Plan | None = await self._desk((table.game, seat)).run(True, best_plan, seen, seat)
        except TimeoutError:
            found = None
        if found is None:
            raise Refused("busy", status=503)
        return found

    async def apart(self, game: str, function: Callable[..., T], *arguments: Any) -> T:
        """Something long, worked out where no table waits for it; raises Refused."""
        found: T | None = await self._desk((game, 0)).run(False, function, *arguments)
        if found is None:
            raise Refused("busy", status=503)
        return found


def spoken(table: Table) -> str:
    """The language most of the people at the table read, for what bots say to them; in doubt English."""
    reads = {(one.seat, one.language) for one in table.watchers if one.seat is not None}
    heard = [language for _, language in reads]
    return max(sorted({DEFAULT, *heard}), key=lambda one: (heard.count(one), one == DEFAULT))


def _is_asked(seen: View, seat: Seat, people: frozenset[Seat]) -> bool:
    """Whether a person waits for this seat's answer to an offer."""
    return any(
        deal.proposer in people and seat in deal.parties and seat not in deal.accepted
        for deal in seen.deals.values()
    )


def parties_of(clauses: tuple[AnyClause, ...], players: int) -> set[Seat]:
    """The seats that give or get something."""
    found: set[Seat] = set()
    for clause in clauses:
        what = getattr(clause, "what", clause)
        for part in (clause, what):
            found |= {getattr(part, name) for name in ("giver", "to", "who") if hasattr(part, name)}
    return {seat for seat in found if 0 <= seat < players}

"""Bots in seats: they think in processes of their own and move at a human pace."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import Any

from elysian.actions import AcceptDeal, Action, TimeUp
from elysian.deals import Seat
from elysian.messages import DEFAULT
from elysian.options import Options, options
from elysian.players import Heard
from elysian.players.levels import LEVELS, is_model, listens
from elysian.players.trader.company import Company
from elysian.rules import waiting
from elysian.server.background.bot_mind import choose
from elysian.server.background.manners import asks_people, fits, taken_back
from elysian.server.background.pacing import Pacing
from elysian.server.background.threads import WaitingThreads
from elysian.server.background.worker_pool import LONGEST, TooSlow, WorkerDied, WorkerPool
from elysian.server.live.audience import events_for, reason_of
from elysian.server.live.commands import BotMove
from elysian.server.live.table import Table
from elysian.server.live.wording import telling_in
from elysian.server.ops.metrics import Metrics
from elysian.server.table_state.events import Said, TableEvent
from elysian.state import State
from elysian.view import View, view

OPEN = ("trade", "settle", "gifts", "bid", "colony_auction", "research_auction")
ENDPOINTS = 16  # answers of language models that are waited for at once
THOUGHTS = 3  # so often in a row a bot may think of asking people who have no time
GIVES_UP = 3  # so often a bot that is waited for may have nothing to do, or be refused


class Bots:
    """All bots of one process; each thinks about one thing at a time."""

    def __init__(
        self,
        pool: WorkerPool,
        pace: float,
        metrics: Metrics,
        pacing: Pacing,
        levels: tuple[str, ...] = LEVELS,
        chance: Random | None = None,
        transcripts: str = "",
    ) -> None:
        """Let bots of these levels think in these processes, and move no faster than `pace` seconds."""
        self.pool = pool
        self.pace = pace
        self.levels = levels
        self.transcripts = transcripts
        self.threads = WaitingThreads(ENDPOINTS)
        self.metrics = metrics
        self.pacing = pacing
        self._denied: set[tuple[str, Seat]] = set()  # bots that could not look for deals with each other
        self._alarms: dict[str, asyncio.TimerHandle] = {}  # when a table's pace allows more
        self._turns: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self._rested: dict[tuple[str, Seat], int] = {}  # the line after which a bot had nothing to do
        self._vain: dict[tuple[str, Seat], int] = {}  # how often in a row
        self._refused: dict[tuple[str, Seat], tuple[int, int]] = {}  # after which line, and how often since
        self._kept: dict[tuple[str, Seat], tuple[int, Action]] = {}  # moves that wait for the pace, by turn
        self._heard: dict[tuple[str, Seat], int] = {}  # the last line a bot that listens was told of
        self._in_line: dict[tuple[str, Seat], int] = {}  # whose thought has not begun; what they had heard
        self._chance = chance or Random()
        self._closed = False

    def close(self) -> None:
        """Let no bot move any more."""
        self._closed = True
        for turn in self._turns.values():
            turn.cancel()
        for alarm in self._alarms.values():
            alarm.cancel()

    # ------------------------------------------------------------ whose turn it is

    def look(self, table: Table) -> None:
        """Let every bot at the table think that has something to think about."""
        lobby, state = table.lobby, table.state
        if self._closed or state is None or lobby.status != "playing" or lobby.paused:
            return
        people = lobby.people()
        if len(people) == len(lobby.chairs):
            return
        self.pacing.look(table)
        self._set_alarm(table)
        waited = waiting(state)
        for seat, chair in enumerate(lobby.chairs):
            key = table.game, seat
            if key in self._in_line and is_waited_for(state, seat, people):
                self._call_back(key)
            if seat in people or chair.free or key in self._turns or lobby.keeps_clock(seat):
                continue
            if self._rested.get(key) == table.n or (seat not in waited and state.step not in OPEN):
                continue
            turn = asyncio.create_task(self._turn(table, seat))
            self._turns[key] = turn
            turn.add_done_callback(partial(self._after, table, key))

    def _call_back(self, key: tuple[str, Seat]) -> None:
        """A bot whose answer a person now waits for thinks of that, not of what still stands in line.

        What it would have thought of is past, and stands behind all that people wait for.
        """
        self._heard[key] = self._in_line.pop(key)
        self._turns[key].cancel()

    def _set_alarm(self, table: Table) -> None:
        """Bots look again when the pace of their table allows more, though nothing has happened."""
        self._stop_alarm(table)
        wakes_in = self.pacing.wakes_in(table)
        if wakes_in is not None:
            loop = asyncio.get_running_loop()
            self._alarms[table.game] = loop.call_later(wakes_in, self._rung, table)

    def _stop_alarm(self, table: Table) -> None:
        alarm = self._alarms.pop(table.game, None)
        if alarm is not None:
            alarm.cancel()

    def _rung(self, table: Table) -> None:
        for seat in range(len(table.lobby.chairs)):
            self._rested.pop((table.game, seat), None)
        self.look(table)

    def _look_again(self, table: Table) -> None:
        """Whoever had nothing to do because it was another's turn thinks again."""
        for key in [key for key in self._denied if key[0] == table.game]:
            self._denied.discard(key)
            self._rested.pop(key, None)
        self.look(table)

    def _after(self, table: Table, key: tuple[str, Seat], done: asyncio.Task[None]) -> None:
        self._turns.pop(key, None)
        self._in_line.pop(key, None)
        if not done.cancelled() and done.exception() is not None:
            self.metrics.count("mistakes")
            self._rested[key] = table.n
        if not self._closed:
            freed = self.pacing.ended(table, key[1])
            (self._look_again if freed else self.look)(table)

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        self.pacing.forget(table)
        self._stop_alarm(table)
        self._denied = {key for key in self._denied if key[0] != table.game}
        for seat in range(len(table.lobby.chairs)):
            self._kept.pop((table.game, seat), None)
            for memory in (self._rested, self._vain, self._refused, self._heard):
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
        if lobby.keeps_clock(seat):
            return
        chair = lobby.chairs[seat]
        level = chair.bot or lobby.options.cover_level
        found = options(state, seat)
        action: Action | None = None
        if level in self.levels:
            action = await self._paced(table, seat, level, found)
        else:
            # A stored table may name a class; only what the operator named is ever loaded.
            self.metrics.count("mistakes")
            self._vain[key] = GIVES_UP
        if action is None and table.n == n and self._in_vain(table, key, seat):
            # While it owes a deed nothing is suggested: then the rules do what is cautious.
            action = found.cautious or TimeUp(seat=seat)
        if action is None:
            return  # where the table has gone on meanwhile, it thinks again
        accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def done(outcome: bool) -> None:
            if not accepted.done():
                accepted.set_result(outcome)

        table.put(BotMove(seat=seat, action=action, n=n, done=done))
        if await accepted:
            self.metrics.count("bot_moves")
            self._vain.pop(key, None)
        elif table.n == n:
            self._was_refused(table, key, seat)

    async def _paced(self, table: Table, seat: Seat, level: str, found: Options) -> Action | None:
        """What the bot does at the people's pace; a move that must wait is kept."""
        key, state = (table.game, seat), table.state
        assert state is not None
        company = self.pacing.company(table, seat)
        (self._denied.discard if company.may_deal else self._denied.add)(key)
        action = self._waited_with(key, state)
        for _ in range(THOUGHTS):
            if action is None:
                action = await self._thought(table, seat, level, company, found)
            if action is None or fits(company, state, seat, action):
                return action
            if not asks_people(company, action):
                self._kept.setdefault(key, (state.turn, action))
                return taken_back(company, state, seat)
            action = None  # they have no time, and may never have: it thinks of something else
        return None

    async def _thought(
        self, table: Table, seat: Seat, level: str, company: Company, found: Options
    ) -> Action | None:
        """What the bot thinks of; if that is nothing, what has lain too long before people goes."""
        key, state = (table.game, seat), table.state
        assert state is not None
        seen = view(state, seat)
        urgent = is_waited_for(seen, seat, table.lobby.people())
        who = table.lobby.chance_of(seat), level, company, spoken(table)
        heard, told = self._heard.get(key, 0), self._told(table, key, level)
        if not (urgent or is_model(level)):
            self._in_line[key] = heard
        action = await self._think(key, urgent, *who, seen, found, *told)
        return action or taken_back(company, state, seat)

    def _waited_with(self, key: tuple[str, Seat], state: State) -> Action | None:
        """The move that was kept until the pace allows it; who is asked something thinks of that first."""
        turn, action = self._kept.get(key, (0, None))
        if turn != state.turn or state.step != "trade":
            self._kept.pop(key, None)
            return None
        asked = [one for one in state.deals.values() if key[1] in one.parties and key[1] not in one.accepted]
        if any(not isinstance(action, AcceptDeal) or one.id != action.deal for one in asked):
            return None
        del self._kept[key]
        return action

    async def _think(self, key: tuple[str, Seat], urgent: bool, *what: Any) -> Action | None:
        """What the bot decides in its process; None: nothing, or nothing in time."""
        game, seat = key
        chosen: Action | None
        try:
            if is_model(what[1]):  # it waits for another machine, and no other bot shall wait for that
                chosen = await self.threads.run(choose, game, *what)
            else:
                terms = _terms(urgent, what[2]) | {"begun": partial(self._in_line.pop, key, None)}
                chosen = await self.pool.run(f"{game}/{seat}", choose, game, *what, **terms)
            return chosen
        except WorkerDied:
            return None  # whatever it died of; another process takes the next thought
        except TooSlow:
            self._vain[key] = GIVES_UP
        except Exception:  # whatever is wrong with a bot, the table must not wait for it
            self.metrics.count("mistakes")
            self._vain[key] = GIVES_UP
        return None

    def _told(self, table: Table, key: tuple[str, Seat], level: str) -> tuple[Any, ...]:
        """For a bot that listens, what it has not heard of yet and is still in memory; else nothing."""
        if not listens(level):
            return ()
        since, self._heard[key] = self._heard.get(key, 0), table.n
        heard: list[Heard] = []
        telling = telling_in(spoken(table))
        for line, before, _ in table.tail:
            if line.n <= since or before.state is None:
                continue
            seen = events_for(before, key[1], line.events)
            heard += (
                Heard(by=one.seat, words=telling.reason(one.text)) for one in seen if isinstance(one, Said)
            )
            of_the_game = tuple(one for one in seen if not isinstance(one, TableEvent))
            if of_the_game:
                why = telling.reason(reason_of(before, line))
                heard.append(Heard(by=line.seat, events=of_the_game, words=why))
        return tuple(heard), self.transcripts

    def _was_refused(self, table: Table, key: tuple[str, Seat], seat: Seat) -> None:
        """Let a bot whose answer somebody waits for think again; it knows now what cannot be had.

        They must not go without an answer because the counter-offer it wanted was not open.
        """
        if self._in_vain(table, key, seat):
            self._rested[key] = table.n  # not even the cautious choice was open
            return
        assert table.state is not None
        n, times = self._refused.get(key, (0, 0))
        times = times + 1 if n == table.n else 1
        self._refused[key] = table.n, times
        if times <= GIVES_UP and is_waited_for(table.state, seat, table.lobby.people()):
            self._rested.pop(key, None)

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


def _terms(urgent: bool, company: Company) -> dict[str, Any]:
    """How a thought is worked out: at a table of bots alone nobody waits, and the bots are patient."""
    return {"urgent": urgent} if company.people else {"urgent": False, "aside": True, "patience": LONGEST}


def spoken(table: Table) -> str:
    """The language most of the people at the table read, for what models say to them; in doubt English."""
    reads = {(one.seat, one.language) for one in table.watchers if one.seat is not None}
    heard = [language for _, language in reads]
    return max(sorted({DEFAULT, *heard}), key=lambda one: (heard.count(one), one == DEFAULT))


def is_waited_for(seen: View | State, seat: Seat, people: frozenset[Seat]) -> bool:
    """Whether a person waits for this seat: for its answer to an offer, or to go on at all."""
    if seen.step not in OPEN:
        return bool(people)
    return any(
        deal.proposer in people and seat in deal.parties and seat not in deal.accepted
        for deal in seen.deals.values()
    )

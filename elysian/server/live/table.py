"""Table: one loaded game; one task decides, stores, and only then tells."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from elysian.deals import Deal, Seat
from elysian.server.cluster.bus import BusMessage
from elysian.server.cluster.lease import Lease
from elysian.server.live.audience import UpdateEncoder, seen_line
from elysian.server.live.batch import Batch
from elysian.server.live.commands import (
    BotMove,
    Command,
    PersonCommand,
    RunOrder,
    SystemCommand,
    rejection,
)
from elysian.server.live.context import Context, Watcher
from elysian.server.live.log_reader import PAGE, LogReader, framed
from elysian.server.live.shown import Shown
from elysian.server.live.watchers import Watchers
from elysian.server.live.wording import worded_view
from elysian.server.ops.errors import Refused
from elysian.server.protocol.close_codes import GOING_AWAY, SEAT_LOST
from elysian.server.protocol.messages import (
    ClockNow,
    Closing,
    SeenLine,
    Welcome,
    encode,
    table_view,
)
from elysian.server.reports.listing import index_of
from elysian.server.reports.results import DealTally, results_of
from elysian.server.store import Conflict, StoredAnswer, TableIndex, Unstored
from elysian.server.table_state.actions import StartGame
from elysian.server.table_state.decide import Circumstances
from elysian.server.table_state.events import Line, SeatHandedBack
from elysian.server.table_state.fold import Damaged, TableState, fold
from elysian.server.table_state.fresh_species import BACK
from elysian.server.table_state.hand_over import come_back
from elysian.server.table_state.order_moves import Firings
from elysian.server.table_state.state import Lobby
from elysian.state import State
from elysian.view import view

MOST_AT_ONCE = 64  # commands decided in one go
TAIL = 32  # lines kept in memory for those who come back
RECENT = 64  # answers kept in memory; older ones are known by their key in the database
AGAIN = 0.3  # seconds until the database is asked again
GIVES_UP = 8.0  # seconds for which commands wait for it


class Table:
    """One loaded game."""

    def __init__(self, game: str, context: Context) -> None:
        """Name a table; `load` reads it."""
        self.game = game
        self.context = context
        self.n = 0
        self.current: TableState
        self.tally = DealTally()
        self.recent: OrderedDict[tuple[str, str], StoredAnswer] = OrderedDict()
        self.tail: deque[tuple[Line, TableState, TableState]] = deque(maxlen=TAIL)
        self.watchers = Watchers(game, context.bus)
        self.coming: set[Watcher] = set()  # those who are still told what they missed
        self.encoder = UpdateEncoder()
        self.firings = Firings()
        self.log = LogReader(game, context.store, context.history)
        self.index: TableIndex | None = None  # what is listed; None: not known
        self.lease = Lease(game, context.store.database, context.bus)
        self.stale = False  # what is in memory may not be what was told
        self.repeats = False  # an id in the inbox may have been answered already: look it up
        self.shown: dict[Seat, Shown] = {}  # what each person was last told they could offer
        self.touched = context.now()  # when somebody last had to do with it
        self._inbox: deque[Command] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._following = asyncio.Lock()
        self._failing: float | None = None  # since when nothing can be stored; None: it can

    @property
    def lobby(self) -> Lobby:
        """Who sits where."""
        return self.current.lobby

    @property
    def state(self) -> State | None:
        """The game; None before it begins."""
        return self.current.state

    # ------------------------------------------------------------ loading

    async def load(self) -> None:
        """Fold the stored lines; raises Refused when there are none, Damaged when they cannot be read."""
        # In this order: another process may write meanwhile, and what was answered before is there after.
        newest = await self.context.store.newest_answer(self.game)
        lines = await self.context.store.lines(self.game)
        if len(lines) < newest:
            raise Damaged(f"table {self.game}: line {newest} was answered but is not there")
        if not lines:
            raise Refused("no_such_table", status=404)
        current: TableState | None = None
        tally = DealTally()
        self.tail.clear()
        for line in lines:
            before, current = current, fold(current, self.game, line)
            self.log.passed(line.n, current)
            if before is not None:
                tally = tally.counting(line, before)
                if len(lines) - line.n < TAIL:
                    self.tail.append((line, before, current))
            if line.n % PAGE == 0:
                await asyncio.sleep(0)  # a long game must not stop the others
        assert current is not None
        self.current, self.n, self.tally = current, len(lines), tally
        self.recent, self.index, self.stale = OrderedDict(), None, False

    def start(self) -> None:
        """Begin to work through the inbox."""
        self._task = asyncio.create_task(self._work(), name=f"table {self.game}")

    async def stop(self, code: int = GOING_AWAY, sentence: str = "") -> None:
        """Answer what is in the inbox, then send everybody away."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            await self._task
        for watcher in self.watchers:
            if sentence:
                watcher.send(encode(Closing(sentence=sentence)))
            watcher.close(code)

    @property
    def busy(self) -> bool:
        """Whether something waits in the inbox."""
        return bool(self._inbox)

    # ------------------------------------------------------------ the inbox

    def put(self, command: Command) -> None:
        """Leave a command for the table."""
        self.touched = self.context.now()
        if self._closed:
            self._fail(command, Refused("closing", status=503))
            return
        self._inbox.append(command)
        self._wake.set()

    async def submit(self, events: Callable[[Lobby], tuple[Any, ...]], seat: Seat | None = None) -> int:
        """Do something at the table and wait until it is stored; the number of the last line."""
        outcome: asyncio.Future[int | Exception] = asyncio.get_running_loop().create_future()

        def done(result: int | Exception) -> None:
            if not outcome.done():
                outcome.set_result(result)

        self.put(SystemCommand(events, done, seat))
        result = await outcome
        if isinstance(result, Exception):
            raise result
        return result

    def show(self, seat: Seat, deals: tuple[Deal, ...]) -> None:
        """A person has been told what they could offer."""
        if self.state is not None and deals:
            turn, before = self.state.turn, self.shown.get(seat)
            times = before.times + 1 if before is not None and before.turn == turn else 1
            self.shown[seat] = Shown(turn=turn, at=self.context.now(), times=times, deals=deals)

    def wake(self) -> None:
        """Something has happened that the table must look at."""
        self._wake.set()

    async def _work(self) -> None:
        while self._inbox or not self._closed:
            # Before making way, not after: what others tell us meanwhile must not be slept over.
            self._wake.clear()
            await self._make_way()
            if not self._inbox:
                await self._wake.wait()
                continue
            commands = [self._inbox.popleft() for _ in range(min(MOST_AT_ONCE, len(self._inbox)))]
            try:
                await self._handle(commands)
                self._failing, self.repeats = None, False
            except (Conflict, Refused) as problem:
                if isinstance(problem, Damaged):
                    self.context.damaged(self.game, problem)
                # Before going on, read what is really there: a line of another process, or an id of ours.
                self.lease.behind = self.repeats = True
                if not await self._try_again(problem, commands):
                    refused = problem if isinstance(problem, Refused) else Refused("busy", status=503)
                    for command in commands:
                        self._fail(command, refused)
            except Exception as problem:
                self.stale = True
                self.context.failed(self.game, problem)
                for command in commands:
                    self._fail(command, Refused("busy", status=503))

    async def _make_way(self) -> None:
        """Let another process write that has asked for it; hear what others have written."""
        lease = self.lease
        try:
            if lease.wanted and lease.mine:
                await lease.give()
            if lease.behind and not lease.mine and not self._inbox:
                await self.follow()
        except Exception as problem:  # whatever it is, the table goes on
            if isinstance(problem, Damaged):
                self.context.damaged(self.game, problem)
            elif not isinstance(problem, Refused):
                self.context.failed(self.game, problem)
            asyncio.get_running_loop().call_later(AGAIN, self._wake.set)

    async def _try_again(self, problem: Exception, commands: list[Command]) -> bool:
        """Whether these commands can wait: another has written meanwhile, or the database comes back."""
        lost = isinstance(problem, Unstored) and problem.code == "storage_lost"
        if not (lost or isinstance(problem, Conflict)):
            return False
        now = time.monotonic()
        again, self._failing = self._failing is not None, self._failing or now
        if now - self._failing > GIVES_UP:
            return False
        self._inbox.extendleft(reversed(commands))
        if lost:
            await asyncio.sleep(AGAIN)
        elif again:  # once may be an id of our own; twice, another process writes what we think is ours
            await self.lease.give()
        return True

    def _fail(self, command: Command, refused: Refused) -> None:
        """Nothing came of it; the same id may be tried again."""
        if isinstance(command, PersonCommand):
            command.reply(rejection(command.id, refused, language=command.language))
        elif isinstance(command, SystemCommand):
            command.done(refused)
        elif isinstance(command, BotMove | RunOrder):
            command.done(False)

    async def _handle(self, commands: list[Command]) -> None:
        """Decide these commands one after the other, store what came of them, then tell it."""
        if self.stale:
            await self.load()
            for watcher in self.watchers:
                watcher.send(encode(self.welcome(watcher.seat, watcher.language)))
        await self.lease.take()
        if self.lease.behind:
            await self.follow()
        before = self.current
        now = await self._circumstances(commands)
        batch = Batch(before, self.n, self.tally, now, self.firings)
        for command in commands:
            await self._decide(batch, command)
        if batch.lines or batch.answers:
            await self._store(batch)
        self._remember(batch)
        if batch.lines:
            self.current, self.n, self.tally = batch.current, batch.n, batch.tally
            self.lease.told(self.n)
        self._tell_all(batch, commands)
        if batch.lines:
            self.context.changed(self, before)

    def _tell_all(self, batch: Batch, commands: list[Command]) -> None:
        """Tell the lines, then answer; whoever asked hears both at once, on the connection they asked on."""
        asking = {one.on for one in commands if isinstance(one, PersonCommand) and one.on}
        for connection in asking:
            connection.hold()
        try:
            self._tell(batch.lines)
            for reply in batch.replies:
                reply()
        finally:
            for connection in asking:
                connection.let_go()

    async def _decide(self, batch: Batch, command: Command) -> None:
        """Add what a command comes to; a person's is on their account."""
        if not isinstance(command, PersonCommand):
            batch.decide(command)
            return
        answer = await self._answer(batch, command)
        if answer is not None:
            batch.repeat(command, answer)
            return
        began, replies = time.thread_time(), len(batch.replies)
        batch.decide(command)
        self.context.decided(command.person, time.thread_time() - began)
        if command.key in batch.refusals:
            # It may be refused because it has happened: asked before a crash, and asked again after it.
            answer = await self.context.store.answer(self.game, *command.key)
            if answer is not None:
                del batch.refusals[command.key], batch.replies[replies:]
                batch.repeat(command, answer)

    async def _circumstances(self, commands: list[Command]) -> Circumstances:
        begins = any(isinstance(one, PersonCommand) and isinstance(one.asked, StartGame) for one in commands)
        people = [chair.person for chair in self.lobby.chairs if chair.person] if begins else []
        return Circumstances(
            played={one: await self.context.store.species_of(one, BACK) for one in people},
            at=self.context.now(),
            chance=self.context.chance,
            present=self.watchers.present(),
            levels=self.context.levels,
            versions=self.context.versions,
            hours=self.context.hours,
            wait=self.context.wait,
        )

    async def _answer(self, batch: Batch, command: PersonCommand) -> StoredAnswer | None:
        """What the same id was answered before; None: it is new, or the store will say that it is not.

        Commands are idempotent by their id. The latest answers are in memory; an older id runs into its own
        key in the database when it is stored, nothing of it happens, and it is looked up on the second try.
        Refusals are not stored; before one is told, it is looked up whether the id was accepted before.
        """
        key = command.key
        answer = batch.answers.get(key) or batch.refusals.get(key) or self.recent.get(key)
        if answer is None and (self.lease.shared or self.repeats):
            answer = await self.context.store.answer(self.game, *command.key)
        return answer

    async def _store(self, batch: Batch) -> None:
        lobby, after, at = self.current.lobby, batch.current, batch.now.at
        seats: list[tuple[str, Seat | None]] = []
        over = after.lobby.status == "over" and lobby.status != "over"
        if lobby is not after.lobby:
            people = {c.person for c in (*lobby.chairs, *after.lobby.chairs) if c.person}
            seats = [
                (person, after.lobby.seat_of(person))
                for person in sorted(people)
                if lobby.seat_of(person) != after.lobby.seat_of(person)
            ]
        fires = bool(self.firings.at(after))
        index = index_of(after, at, self.index, fires) if batch.lines else None
        await self.context.store.append(
            self.game,
            [line for line, _, _ in batch.lines],
            list(batch.answers.values()),
            index,
            seats,
            results_of(after, batch.tally, at) if over else (),
            listed=self.index,
        )
        self.index = index or self.index

    def _remember(self, batch: Batch) -> None:
        for answers in (batch.answers, batch.refusals):
            self.recent.update(answers)
        while len(self.recent) > RECENT:
            self.recent.popitem(last=False)

    # ------------------------------------------------------------ telling

    async def follow(self) -> None:
        """Read and tell what others have stored; raises Refused or Damaged."""
        async with self._following:
            self.lease.behind = False
            try:
                lines = await self.context.store.lines(self.game, self.n)
            except Refused:
                self.lease.behind = True
                raise
            first = current = self.current
            tally, told = self.tally, []
            for line in lines:
                before, current = current, fold(current, self.game, line)
                tally = tally.counting(line, before)
                told.append((line, before, current))
            if told:
                self.current, self.n, self.tally, self.index = current, told[-1][0].n, tally, None
                self._tell(told)
                self.context.changed(self, first)

    def _tell(self, lines: list[tuple[Line, TableState, TableState]]) -> None:
        for line, before, after in lines:
            self.tail.append((line, before, after))
            self.log.passed(line.n, after)
            readers = [(watcher, (watcher.seat, watcher.language)) for watcher in self.watchers]
            frames = self.encoder.updates(line, before, after, {audience for _, audience in readers})
            for watcher, audience in readers:
                watcher.send(frames[audience])
            if before.lobby is not after.lobby:
                self._reseat(before.lobby, after.lobby)

    def _reseat(self, before: Lobby, after: Lobby) -> None:
        """Connections follow their person to another seat; of those who may no longer be there, they end."""
        for watcher in (*self.watchers, *self.coming):
            seat = watcher.seat
            if self._lost(watcher, after):
                watcher.close(SEAT_LOST)
            elif seat != watcher.seat and watcher not in self.coming:
                watcher.send(encode(self.welcome(watcher.seat, watcher.language)))
        if before.due != after.due or before.left != after.left:
            self.watchers.broadcast(encode(ClockNow(now=self.context.now(), due=after.due, left=after.left)))

    def send_off(self, person: str) -> None:
        """Whoever has no seat here may no longer look on; their connections to this process end."""
        for watcher in (*self.watchers, *self.coming):
            if watcher.person == person and watcher.seat is None:
                watcher.close(SEAT_LOST)

    def welcome(self, seat: Seat | None, language: str) -> Welcome:
        """The whole truth as a seat may know it."""
        return Welcome(
            n=self.n,
            you=seat,
            table=table_view(self.game, self.lobby, seat),
            view=None if self.state is None else worded_view(view(self.state, seat), language),
            here=self.watchers.presence(),
            now=self.context.now(),
        )

    async def missed(self, seat: Seat | None, since: int, language: str) -> list[SeenLine]:
        """Lines after `since` as a seat may see them, a page at most; raises Refused."""
        if not 0 <= since <= self.n:
            raise Refused("no_such_line", status=400)
        if self._at_hand(since):
            return self._remembered(since, seat, language)
        return await self.log.read(since, min(since + PAGE, self.n), seat, language)

    def _at_hand(self, since: int) -> bool:
        """Whether all lines after `since` are in memory."""
        return since >= self.n - len(self.tail)

    def _remembered(self, since: int, seat: Seat | None, language: str) -> list[SeenLine]:
        kept = [one for one in self.tail if one[0].n > since]
        return [seen_line(before, after, seat, line, language) for line, before, after in kept]

    # ------------------------------------------------------------ coming and going

    async def enter(self, watcher: Watcher, since: int | None) -> None:
        """Let a connection in: what it missed, the whole table, then every update; raises Refused.

        A page is read when the one before it has been taken: nothing piles up for one who reads slowly.
        """
        if since is not None and not 0 <= since <= self.n:
            raise Refused("no_such_line", status=400)
        self.coming.add(watcher)
        try:
            since = await self._catch_up(watcher, since)
        finally:
            self.coming.discard(watcher)
        if self._lost(watcher, self.lobby):  # while they read, or before they could
            watcher.close(SEAT_LOST)
            return
        if since is not None:  # nothing is waited for from here on, so no line is missed or comes twice
            for frame in framed(self._remembered(since, watcher.seat, watcher.language)):
                watcher.send(frame)
        self.watchers.add(watcher)
        watcher.send(encode(self.welcome(watcher.seat, watcher.language)))
        self._came_or_went()
        seat = watcher.seat
        if seat is not None and self.lobby.chairs[seat].covered:
            back = SeatHandedBack(seat=seat)
            self.put(SystemCommand(lambda lobby: (back,) if lobby.chairs[seat].covered else ()))
        if come_back(self.lobby, seat):
            self.put(SystemCommand(lambda lobby: come_back(lobby, seat)))

    async def _catch_up(self, watcher: Watcher, since: int | None) -> int | None:
        """Tell a connection what it missed, until the rest is at hand; the last line it was told."""
        while since is not None and not self._at_hand(since):
            frames, since = await self.log.page(since, self.n, watcher.seat, watcher.language)
            for frame in frames:
                watcher.send(frame)  # to one who was sent away meanwhile nothing is sent
                await watcher.taken()
        return since

    def _lost(self, watcher: Watcher, lobby: Lobby) -> bool:
        """Whether somebody may no longer be connected as they are; who now sits elsewhere is moved there."""
        seat = lobby.seat_of(watcher.person)
        if (watcher.seat is not None and seat is None) or (
            seat is None and not lobby.may_watch(watcher.person)
        ):
            return True
        watcher.seat = seat
        return False

    def go(self, watcher: Watcher) -> None:
        """A connection has ended."""
        self.watchers.discard(watcher)
        self._came_or_went()

    def _came_or_went(self) -> None:
        self.touched = self.context.now()
        self.watchers.publish()
        self.watchers.tell_presence()

    def heard(self, message: BusMessage) -> None:
        """Another process has said something about this game."""
        lease = self.lease
        if message.kind == "told" and message.n > self.n and not lease.mine:
            lease.behind = True
            self.wake()
        elif message.kind == "want" and lease.mine:
            lease.wanted = True
            self.wake()
        elif message.kind == "free":
            lease.freed.set()
        elif message.kind == "who" and self.watchers:
            self.watchers.publish()
        elif message.kind == "here":
            self.watchers.heard(message)

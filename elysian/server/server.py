"""Server: everything one process keeps, from its start to its stop."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from random import Random, SystemRandom
from typing import Any

from elysian.draft import IllegalAction
from elysian.players.levels import LEVELS, versions
from elysian.server.background.away import AbsenceWatch
from elysian.server.background.bot_talk import BotTalk
from elysian.server.background.bots import Bots
from elysian.server.background.deadlines import LONGEST
from elysian.server.background.hand_overs import HandOvers
from elysian.server.background.mail import Mailer
from elysian.server.background.notices import Notifier
from elysian.server.background.orders import OrderDesk
from elysian.server.background.pacing import Pacing
from elysian.server.background.reviews import Reviews
from elysian.server.background.streams import Streams
from elysian.server.background.timers import Timers
from elysian.server.background.worker_pool import AskedPool, WorkerPool
from elysian.server.cluster.bus import Bus, BusMessage
from elysian.server.live.commands import PersonCommand, Reply
from elysian.server.live.context import Context
from elysian.server.live.kept import Kept
from elysian.server.live.log_reader import LogPages
from elysian.server.live.registry import Tables
from elysian.server.live.table import Table
from elysian.server.ops.backlog import Backlog
from elysian.server.ops.collection import Collection
from elysian.server.ops.errors import Refused, sentence
from elysian.server.ops.logs import Log, where
from elysian.server.ops.metrics import Metrics
from elysian.server.ops.rate_limit import Budgets, RateLimits, RestingLine, Turns, owner_of
from elysian.server.ops.reach import first_links, link_to, own_addresses
from elysian.server.ops.settings import ServerSettings
from elysian.server.protocol.close_codes import KEY_ENDED
from elysian.server.protocol.messages import Accepted, Rejected
from elysian.server.store import Conflict, Damaged, Store, Unstored, database_at
from elysian.server.store.groups import Groups
from elysian.server.store.held import HeldNotices
from elysian.server.store.mail_codes import MailCodes
from elysian.server.store.people import People
from elysian.server.store.schema import insert
from elysian.server.store.tokens import Tokens
from elysian.server.table_state.fold import TableState

WARNINGS = 60  # ticks between two looks for slow tables whose time runs out
HELD = 5  # ticks between two looks for notices that were held back
RECALLED = 600_000  # ms; what was played at the last is what was touched so shortly before
UNKEPT = 3  # ticks between two looks for tables nobody keeps
TICK = 1.0  # seconds between looks at what is idle, away or due
A_FEW = 10  # tables that are looked after before others may do something,
BREATH = 0.001  # for so many seconds; what is stored meanwhile need not wait for Python's lock
PROBE = f"{insert('secrets')} ON CONFLICT (name) DO UPDATE SET value = excluded.value"
STORIES = 200  # of finished games, kept in memory
GROUPS = 50  # of which what they remember is kept worked out
GOODBYE = 2.0  # seconds for the last words to everybody


def now_ms() -> int:
    """The time, in ms since 1970."""
    return time.time_ns() // 1_000_000


class Server:
    """One process of the table server."""

    def __init__(
        self,
        settings: ServerSettings,
        now: Callable[[], int] = now_ms,
        log: Log | None = None,
        pool: WorkerPool | None = None,
        chance: Random | None = None,
    ) -> None:
        """Be ready to start; clock, workers and chance are given where a run must be the same every time."""
        limits = settings.limits
        self.settings = settings
        self.now = now
        self.log = log or Log()
        self.metrics = Metrics()
        self.database = database_at(settings.database, self._broken, self._lost, self._troubled)
        self.storage: str | None = None  # why nothing can be stored; None: it can
        self.store = Store(self.database)
        self.store.damaged = self._damaged
        self.people = People(self.database, now)
        self.tokens = Tokens(self.database, now)
        self.groups = Groups(self.database, now)
        self.levels = (*LEVELS, *settings.plug_ins)
        self.people.changed = self._person_changed
        self.history = LogPages()
        self.stories = Kept(STORIES)
        self.group_reports = Kept(GROUPS)
        self.bus = Bus(self.database)
        self.pool = pool or WorkerPool(settings.bots, lambda: self.metrics.count("mistakes"), self._host_of)
        self.questions = Budgets(limits.questions, 60.0, time.monotonic)
        self.chance = chance or SystemRandom()
        self.searches = Budgets(limits.search, 60.0, time.monotonic)
        self.tables = Tables(self._context())
        self.bus.heard, self.bus.left = self._heard, self.tables.left
        pacing = Pacing(now, settings.offer_idle, settings.bot_pace)
        self.bots = Bots(
            self.pool, settings.bot_pace, self.metrics, pacing, self.levels, self.chance, settings.transcripts
        )
        self.bot_talk = BotTalk()
        self.reviews = Reviews(self.pool, self.store)
        self.timers = Timers(now)
        self.absences = AbsenceWatch()
        self.hand_overs = HandOvers(now)
        self.orders = OrderDesk()
        self.mailer = Mailer(settings, self.metrics, self.log)
        self.mail_codes = MailCodes(self.database, now)
        held = HeldNotices(self.database, now)
        self.notifier = Notifier(settings, self.people, held, self.mailer, self.metrics, self.log)
        clock = time.monotonic
        self.requests = RateLimits(limits.requests, 60.0, clock)
        self.tries = RateLimits(limits.tries, 60.0, clock)
        self.mails = RateLimits(limits.mails, 3600.0, clock)
        self.joins = RateLimits(limits.joins, 600.0, clock)
        self.plays = RateLimits(limits.plays, 20.0, clock)
        self.plays_of_address = RateLimits(limits.plays_of_address, 20.0, clock)
        self.talk = RateLimits(limits.talk, 60.0, clock)
        self.bytes = Budgets(limits.bytes, 60.0, clock)
        self.bytes_of_address = Budgets(limits.bytes_of_address, 60.0, clock)
        self.bytes_of_table = Budgets(limits.bytes_of_table, 60.0, clock)
        self.cpu = Budgets(limits.cpu, 60.0, clock)
        self.openings = RateLimits(limits.tables, 600.0, clock)
        self.openings_a_day = RateLimits(limits.tables_a_day, 86_400.0, clock)
        self.logs = RateLimits(limits.logs, 10.0, clock)
        self.lookups = RateLimits(limits.lookups, 60.0, clock)
        self.new_tokens = RateLimits(limits.tokens_a_day, 86_400.0, clock)
        self.new_groups = RateLimits(limits.groups_a_day, 86_400.0, clock)
        self.exporting: set[str] = set()  # people who just take along what a group remembers
        self.streams = Streams(self.store)
        self.bots_line = RestingLine(limits.bots_at_once)  # so that people never wait for many of them
        self.sockets: Counter[str] = Counter()  # by address, or by bot
        self.backlog = Backlog(limits.queued_bytes_each, limits.queued_bytes_all)
        self.catch_ups = Turns()
        self.collection = Collection()
        self.ready = False
        self.stop: Callable[[], None] = lambda: None  # asks the process to end
        self.links = first_links(settings)
        self.opened = bool(settings.friends)  # to others in the network
        self.listen: Callable[[str], Awaitable[None]] | None = None  # on one more address; None: it cannot
        self._ticking: asyncio.Task[None] | None = None
        self._learning: set[asyncio.Task[None]] = set()
        self._ticks = 0
        self._refused = ""  # why a tick last failed
        self._drained = False
        self._gauges()

    def _context(self) -> Context:
        return Context(
            store=self.store,
            history=self.history,
            bus=self.bus,
            pool=AskedPool(self.pool, self._asker_of, self.questions),
            chance=self.chance,
            searches=self.searches,
            now=self.now,
            levels=self.levels,
            wait=int(1000 * self.settings.hand_over),
            versions=versions(self.levels),
            hours=self.people.hours,
            meet=self.people.notices,
            changed=self._changed,
            dropped=self._dropped,
            failed=self.failed,
            damaged=self._damaged,
            decided=self._decided,
        )

    def _gauges(self) -> None:
        self.metrics.gauge("tables_loaded", "Tables in memory.", lambda: len(self.tables.loaded))
        self.metrics.gauge("tables_damaged", "Tables that cannot be read.", lambda: len(self.tables.damaged))
        longest = "Seconds of the longest pause for garbage while people played."
        self.metrics.gauge("collection_pause_max", longest, lambda: self.collection.longest)
        used = "Seconds of the processor it took at most."
        self.metrics.gauge("collection_pause_cpu_max", used, lambda: self.collection.most)
        self.metrics.gauge("sockets", "Open sockets.", lambda: sum(self.sockets.values()))

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Open the database and begin; what the start costs does not grow with the games stored."""
        try:
            await self.database.open()
            await self.notifier.open(self.database)
        except BaseException:
            await self.database.close()  # else its threads would keep the process
            raise
        self._ticking = asyncio.create_task(self._tick())
        self.ready = True
        self.log.say("started", database=self.settings.database.partition(":")[0])

    async def drain(self) -> None:
        """Answer what has been asked, then send everybody away; nothing new is begun.

        It is done once, and takes no longer than it may: the database must be let go whatever happens.
        """
        self.ready = False
        if self._drained:
            return
        self._drained = True
        self.notifier.flush()  # while it is known who is here
        try:
            async with asyncio.timeout(self.settings.drain):
                await self._drain()
        except TimeoutError:
            self.log.say("drain cut short", tables=len(self.tables.loaded))

    async def _drain(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ticking
            self._ticking = None
        self.timers.close()
        self.bots.close()
        self.orders.close()
        self.bot_talk.close()
        self.reviews.close()
        self.pool.close()
        self.history.close()
        self.bus.close()
        self.streams.close()
        await self.tables.close(sentence(Refused("closing")))
        deadline = time.monotonic() + GOODBYE
        while self.sockets and time.monotonic() < deadline:
            await asyncio.sleep(0.01)  # until everybody has been told

    async def close(self) -> None:
        """Drain, and close the database."""
        await self.drain()
        try:
            async with asyncio.timeout(GOODBYE):
                await self.notifier.close()
        except TimeoutError:
            self.log.say("notices cut short")
        finally:
            await self.database.close()
        self.log.say("stopped")

    def _broken(self) -> None:
        """The disk has failed: nothing that is written can be trusted, so the process ends."""
        self.log.say("storage broken")
        self.ready = False
        self.stop()

    def _troubled(self, code: str | None) -> None:
        """Writes fail, for this reason, or can be stored again."""
        self.log.say("storage works again" if code is None else "storage in trouble", code=code)
        self.storage = code

    def _damaged(self, game: str, problem: Damaged) -> None:
        """A table cannot be read: it is left alone, and the others go on."""
        if game not in self.tables.damaged:
            self.metrics.count("mistakes")
            self.log.say("table damaged", table=game, problem=str(problem))
            self.tables.quarantine(game, problem)

    def problems(self) -> tuple[str, ...]:
        """What an operator should look at."""
        found = [] if self.storage is None else [self.storage]
        return (*found, *(("table_damaged",) if self.tables.damaged else ()))

    def _lost(self) -> None:
        """The locks went with their session: others may write our games, and must be heard."""
        if self.ready:
            self.log.say("locks lost")
        for table in self.tables.loaded.values():
            table.lease.lost()
            self.bots.forget(table)
            self.orders.forget(table)
            self.timers.forget(table)
            table.wake()

    def failed(self, game: str, problem: Exception) -> None:
        """A mistake of ours: counted, and told without any value that might be secret."""
        self.metrics.count("mistakes")
        self.log.say("mistake", table=game, kind=type(problem).__name__, where=where(problem))

    # ------------------------------------------------------------ tables

    def _changed(self, table: Table, before: TableState | None) -> None:
        """A table was loaded or has a new line: where it is kept, bots, clock and notices look at it."""
        self.metrics.count("lines")
        self.collection.line()
        if before is None:
            self.bus.publish("who", game=table.game)
        elif before.lobby is not table.lobby and table.lease.shared:
            self._meet(table)
        if before is None or before.lobby is not table.lobby:
            self.streams.look(table)
        if not table.lease.keeps:
            return
        self.orders.look(table)
        self.bots.look(table)
        self.timers.look(table, loaded=before is None)
        self.notifier.look(table, before)

    def _host_of(self, owner: str) -> str:
        """On whose account bots think: the host's, however many tables that is."""
        table = self.tables.loaded.get(owner.partition("/")[0])
        return owner_of(table.lobby.host) if table is not None and table.lobby.host else owner

    def _asker_of(self, owner: str) -> str:
        """On whose account a seat asks: of the person who sits there."""
        game, _, seat = owner.partition("/")
        table = self.tables.loaded.get(game)
        person = None if table is None else table.lobby.chairs[int(seat)].person
        return owner_of(person) if person else owner

    def _dropped(self, table: Table) -> None:
        for one in (self.bots, self.orders, self.timers, self.absences, self.notifier):
            one.forget(table)

    async def _tick(self) -> None:
        """Look for tables that are idle, that are due, and seats to be covered."""
        while True:
            await asyncio.sleep(TICK)
            self._ticks += 1
            self.bus.tick()
            self.collection.tick(self.metrics.counts["lines"] + self.metrics.counts["frames"])
            for look in (
                self._make_way,
                self._probe,
                self._recall,
                self._wake_due,
                self._warn_due,
                self._tell_held,
                self._keep_all,
                self._drop_idle,
                self.streams.tick,
            ):
                try:  # each for itself: what fails for one does not stop the others
                    await look()
                except Refused as refused:
                    if self._refused != refused.code:  # once, not every second
                        self.log.say("tick refused", code=refused.code)
                    self._refused = refused.code
                except Exception as problem:
                    self.failed("tick", problem)

    async def _make_way(self) -> None:
        """Stop when a newer program has changed the database: what it writes may not be for us to read."""
        if self._ticks % UNKEPT == 0 and self.ready and await self.database.newer():
            self.log.say("a newer program uses the database")
            self.stop()

    async def _probe(self) -> None:
        """While nothing can be stored, try whether it can again: nobody else may dare to."""
        if self.storage is not None and self.ready:
            with contextlib.suppress(Unstored, Conflict):
                await self.database.write([(PROBE, ("probe", str(self.now()).encode()))])

    async def _recall(self) -> None:
        """After a start, load what was played at the last: a crash may have come before a rule fired."""
        if self._ticks == 1:
            for game in await self.store.latest(RECALLED):
                with contextlib.suppress(Refused, IllegalAction):
                    await self.tables.keep(game)

    async def _wake_due(self) -> None:
        for game in await self.store.due(self.now() + 2 * int(TICK * 1000)):
            with contextlib.suppress(Refused, IllegalAction):
                await self.tables.keep(game)

    async def _warn_due(self) -> None:
        """Load tables whose clock runs out before long: those waited for are warned."""
        if self._ticks % WARNINGS == 0:
            for game in await self.store.due(self.now() + LONGEST + 1000 * WARNINGS):
                if game not in self.tables.loaded and not self.notifier.deadlines.knows(game):
                    with contextlib.suppress(Refused, IllegalAction):
                        await self.tables.keep(game)

    async def _tell_held(self) -> None:
        """Quiet hours are over: whoever keeps the table tells what was held back."""
        if self._ticks % HELD == 0:
            for person, game in await self.notifier.held.due(self.now()):
                with contextlib.suppress(Refused, IllegalAction):
                    await self.tables.keep(game)
                table = self.tables.loaded.get(game)
                if table is not None and table.lease.keeps:
                    self.notifier.tell_held(table, person)

    async def _keep_all(self) -> None:
        """Look after every table, a few at a time: nobody waits until all have been looked after."""
        for n, table in enumerate(list(self.tables.loaded.values())):
            if n and n % A_FEW == 0:
                await asyncio.sleep(BREATH)
            if self.tables.loaded.get(table.game) is table:  # else it has gone meanwhile
                await self._keep_on(table)

    async def _drop_idle(self) -> None:
        since = self.now() - int(self.settings.idle * 1000)
        await self.tables.drop_idle(since, self._keep)

    async def _keep_on(self, table: Table) -> None:
        """Look after a table; one that nobody keeps any more is kept here."""
        if table.lease.keeps:
            self.orders.look_again(table)
            self.absences.look(table)
            self.hand_overs.look(table)
        elif self._ticks % UNKEPT == 0 and await table.lease.keep():
            self._changed(table, None)

    def _meet(self, table: Table) -> None:
        """Everybody's hours are known before the clock asks for them."""
        for chair in table.lobby.chairs:
            if chair.person:
                self._begin(self.people.notices(chair.person))

    # ------------------------------------------------------------ other processes

    def _heard(self, message: BusMessage) -> None:
        """Another process has said something about a game, or has changed something of a person."""
        if message.kind == "ungrouped":
            self._send_off(message.group, message.person)
            return
        if message.kind != "person":
            if message.kind == "told" and message.game not in self.tables.loaded:
                self.streams.heard()
            self.tables.heard(message)
            return
        self._begin(self.people.learn(message.person))
        if message.key:
            self.tokens.forget(message.key)
            self._end_sockets(message.person, message.key)

    def _person_changed(self, person: str, ended_key: str = "") -> None:
        """What other processes remember of a person no longer holds; the key of that digest has ended."""
        self.bus.publish("person", person=person, key=ended_key)

    def _begin(self, asking: Coroutine[Any, Any, object]) -> None:
        async def ask() -> None:
            with contextlib.suppress(Refused):
                await asking

        task = asyncio.get_running_loop().create_task(ask())
        self._learning.add(task)
        task.add_done_callback(self._learning.discard)

    def _keep(self, table: Table) -> bool:
        return self.bots.at_work(table) or self.notifier.deadlines.waits(table)

    # ------------------------------------------------------------ who can come

    async def open_to_network(self) -> None:
        """Let others in the networks of this machine come too; raises Refused when there is no network."""
        if self.listen is None:
            raise Refused("not_at_home", status=403)
        if self.opened:
            return
        problem = "-"
        for address in self.settings.addresses or own_addresses():
            try:
                await self.listen(address)
            except OSError as found:
                problem = found.strerror or type(found).__name__
                continue
            self.opened = True
            self.links = (link_to(f"http://{address}:{self.settings.port}"), *self.links)
        if not self.opened:
            raise Refused("no_network", problem=problem)

    # ------------------------------------------------------------ for the edges

    def admits(self, owner: str, address: str, size: int) -> bool:
        """Whether somebody may send so much now; it is counted before it is read, whatever it says."""
        within = self.bytes.charge(owner, size)
        within = self.bytes_of_address.charge(address, size) and within
        return (
            self.plays.allows(owner)
            and self.plays_of_address.allows(address)
            and within
            and self.cpu.allows(owner)
        )

    def check_log(self, table: Table, person: str, size: int) -> None:
        """Count what somebody at a table sends to it; raises Refused when its log would grow too fast.

        Who only watches is refused by the table, stores nothing, and takes nothing from those who play.
        """
        if table.lobby.seat_of(person) is None and person != table.lobby.host:
            return
        if not self.bytes_of_table.allows(table.game):
            raise Refused("too_many", status=429)
        self.bytes_of_table.spend(table.game, size)

    def _decided(self, person: str, seconds: float) -> None:
        """A command of a person was decided in so much time of the processor."""
        self.cpu.spend(owner_of(person), seconds)

    def timed(self, reply: Reply) -> Reply:
        """The same reply, with the time it took counted."""
        began = time.perf_counter()

        def answer(message: Accepted | Rejected) -> None:
            self.metrics.time(time.perf_counter() - began)
            if isinstance(message, Rejected):
                self.metrics.count("refusals")
            reply(message)

        return answer

    async def ask(
        self, table: Table, person: str, id: str, action: Any, language: str
    ) -> Accepted | Rejected:
        """What becomes of a command; for those who have no socket."""
        answer: asyncio.Future[Accepted | Rejected] = asyncio.get_running_loop().create_future()

        def reply(message: Accepted | Rejected) -> None:
            if not answer.done():
                answer.set_result(message)

        table.put(
            PersonCommand(person=person, id=id, asked=action, reply=self.timed(reply), language=language)
        )
        return await answer

    def end_key(self, person: str, hashed: str) -> None:
        """Whoever used the key of that digest is gone from every table, at every process."""
        self._end_sockets(person, hashed)
        self._person_changed(person, hashed)

    def end_membership(self, group: str, person: str) -> None:
        """Whoever is in a group no more looks on at none of its tables, at no process."""
        self._send_off(group, person)
        self.bus.publish("ungrouped", group=group, person=person)

    def _send_off(self, group: str, person: str) -> None:
        for table in self.tables.loaded.values():
            if table.lobby.options.group == group and table.lobby.is_of_group(person):
                table.send_off(person)

    def _end_sockets(self, person: str, hashed: str) -> None:
        for table in self.tables.loaded.values():
            for watcher in (*table.watchers, *table.coming):
                if watcher.used(person, hashed):
                    watcher.close(KEY_ENDED)
        self.streams.end_key(person, hashed)

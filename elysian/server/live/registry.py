"""Registry: the tables that are loaded; each when somebody asks for it, until nobody does any more."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Coroutine
from typing import Any

from elysian.deals import Seat
from elysian.record import Record, RecordStanding
from elysian.server.cluster.bus import BusMessage
from elysian.server.live.context import Context
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused, sentence
from elysian.server.protocol.close_codes import GOING_AWAY
from elysian.server.reports.listing import index_of
from elysian.server.store import Conflict
from elysian.server.store.people import Account
from elysian.server.table_state import events as e
from elysian.server.table_state.decide import check_options, join
from elysian.server.table_state.fold import Damaged, TableState, fold
from elysian.server.table_state.table_options import TableOptions

NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
ID_BYTES = 9  # of a table's name; whoever knows it has been told


class Tables:
    """The tables of one server process."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.loaded: dict[str, Table] = {}
        self.damaged: dict[str, str] = {}
        self._dropping: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, game: str) -> Table:
        """The table of that name, loaded; raises Refused when there is none that could be."""
        if NAME.fullmatch(game) is None:  # not every database would take it for a name, and none has it
            raise Refused("no_such_table", status=404)
        table = self.loaded.get(game)
        if table is not None:
            if not table.lease.mine:
                try:
                    await table.follow()  # another process may have written it
                except Damaged as problem:
                    self.context.damaged(game, problem)
                    raise
            return table
        if game in self.damaged:
            raise Refused("table_damaged", status=503)
        while (table := await self._begin(game)) is None:
            continue  # it was only to be loaded if nobody else keeps it
        return table

    async def keep(self, game: str) -> None:
        """Load a table, unless another process keeps it; raises Refused."""
        if game not in self.loaded and game not in self._loading and game not in self.damaged:
            await self._begin(game, unkept=True)

    async def _begin(self, game: str, unkept: bool = False) -> Table | None:
        if game not in self._loading:
            self._loading[game] = asyncio.create_task(self._load(game, unkept))
            self._loading[game].add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(self._loading[game])

    async def _load(self, game: str, unkept: bool) -> Table | None:
        table = Table(game, self.context)
        if unkept and not await table.lease.keep():
            return None
        try:
            await table.lease.begin()
            await table.load()
            for chair in table.lobby.chairs:
                if chair.person:
                    await self.context.meet(chair.person)
        except BaseException as problem:
            if isinstance(problem, Damaged):
                self.context.damaged(game, problem)
            await table.lease.end()
            raise
        table.start()
        self.loaded[game] = table
        if not table.lease.mine:
            await table.follow()  # what was stored before we could hear of it
        self.context.changed(table, None)
        return table

    def quarantine(self, game: str, problem: Damaged) -> None:
        """Leave a damaged table alone from now on: nothing more is read of it, and nothing written."""
        self.damaged[game] = str(problem)
        table = self.loaded.get(game)
        if table is not None:
            dropping = asyncio.create_task(self.drop(table, GOING_AWAY, sentence(problem)))
            self._dropping.add(dropping)
            dropping.add_done_callback(self._dropping.discard)

    async def drop(self, table: Table, code: int = GOING_AWAY, words: str = "") -> None:
        """Forget a table; whoever comes next loads it again."""
        if self.loaded.get(table.game) is table:
            del self.loaded[table.game]
        self.context.dropped(table)
        await table.stop(code, words)
        await table.lease.end()

    async def drop_idle(self, since: int, keep: Callable[[Table], bool]) -> int:
        """Drop every table unused since then; how many they were."""
        idle = [
            t
            for t in self.loaded.values()
            if t.touched < since and not t.watchers and not t.busy and not keep(t)
        ]
        for table in idle:
            await self.drop(table)
        return len(idle)

    async def close(self, words: str) -> None:
        """Answer what has been asked, then send everybody away."""
        stopping: list[Coroutine[Any, Any, None]] = [
            self.drop(t, GOING_AWAY, words) for t in list(self.loaded.values())
        ]
        await asyncio.gather(*stopping)

    def heard(self, message: BusMessage) -> None:
        """Another process has said something about a game."""
        table = self.loaded.get(message.game)
        if table is not None:
            table.heard(message)

    def left(self, worker: str) -> None:
        """Whoever was connected through a process that is gone no longer counts as present."""
        for table in self.loaded.values():
            table.watchers.left(worker)

    # ------------------------------------------------------------ opening

    def check(self, options: TableOptions, bots: dict[Seat, str]) -> TableOptions:
        """The options, tidied; raises Refused or IllegalAction when no table can be laid so."""
        for place, level in bots.items():
            if not 0 <= place < options.seats:
                raise Refused("no_such_seat", status=400)
            if level not in self.context.levels:
                raise Refused("no_such_level", status=400, level=level, levels=", ".join(self.context.levels))
        return check_options(options, self.context.levels)

    async def open(
        self,
        options: TableOptions,
        host: Account | None,
        seat: Seat | None = 0,
        bots: dict[Seat, str] | None = None,
        record: Record | None = None,
        standing: RecordStanding | None = None,
        known_as: dict[Seat, tuple[str, str]] | None = None,
        species: tuple[str, ...] = (),
    ) -> tuple[Table, Seat | None]:
        """A new table with its host at a seat, and where that is; raises Refused.

        Without a host it is a table of bots. A record comes with its standing.
        `known_as` are other people who sit from the start, `species` what is laid at the seats.
        """
        options = self.check(options, bots or {})
        game = secrets.token_urlsafe(ID_BYTES)
        first = e.TableOpened(
            options=options,
            person="" if host is None else host.id,
            invitation=secrets.token_urlsafe(ID_BYTES),
            continues=record is not None,
            standing=standing,
        )
        at = self.context.now()
        lines = [e.Line(n=1, at=at, events=(first,))]
        current = fold(None, game, lines[0])
        if record is not None:
            current = self._lay(record, lines, current, at)
        if species:
            laid = tuple(e.SpeciesChosen(seat=at, species=name) for at, name in enumerate(species))
            current = self._add(lines, current, at, laid)
        seated: list[Any] = []
        for place, (person, name) in (known_as or {}).items():
            seated += join(current.lobby, person, name, place, invitation=first.invitation)
        for place, level in (bots or {}).items():
            seated.append(e.BotSeated(seat=place, level=level))
        if seated:
            current = self._add(lines, current, at, tuple(seated))
        if host is not None and seat is not None:
            at_seat = None if seat < 0 else seat
            taken = join(current.lobby, host.id, host.name, at_seat, program=host.program)
            current = self._add(lines, current, at, taken)
        people = [(c.person, s) for s, c in enumerate(current.lobby.chairs) if c.person]
        index = index_of(current, at, None, fires=False)  # no game has begun
        try:
            await self.context.store.append(game, lines, index=index, seats=people)
        except Conflict:
            raise Refused("busy", status=503) from None
        return await self.get(game), current.lobby.seat_of(host.id if host else None)

    def _add(self, lines: list[e.Line], current: TableState, at: int, events: tuple[Any, ...]) -> TableState:
        line = e.Line(n=len(lines) + 1, at=at, events=events)
        lines.append(line)
        return fold(current, current.table, line)

    def _lay(self, record: Record, lines: list[e.Line], current: TableState, at: int) -> TableState:
        """Lay a recorded game on the new table, line by line, with its species at its seats."""
        species = record.head.started.settings.species
        chosen = tuple(e.SpeciesChosen(seat=seat, species=name) for seat, name in enumerate(species))
        current = self._add(
            lines, current, at, (*chosen, e.Shuffled(seed=str(record.head.seed)), record.head.started)
        )
        for entry in record.entries:
            line = e.Line(n=len(lines) + 1, at=at, seat=entry.seat, action=entry.action, events=entry.events)
            lines.append(line)
            current = fold(current, current.table, line)
        return current

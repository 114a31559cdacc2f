"""Tables: those that are loaded; one is loaded when somebody asks for it and dropped when nobody does."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from random import Random, SystemRandom
from typing import Any

from elysian.deals import Seat
from elysian.record import Record
from elysian.server.live.audience import Truth
from elysian.server.live.batch import fold
from elysian.server.live.context import Surroundings
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import encode
from elysian.server.reports.results import face_of
from elysian.server.store import Conflict, Damaged, Index, Store
from elysian.server.store.people import Person
from elysian.server.table_state import events as e
from elysian.server.table_state.actions import TableOptions
from elysian.server.table_state.clock import Hours, wake_at
from elysian.server.table_state.decide import check_options, join

ID_BYTES = 9  # of a table's name; whoever knows it has been told


async def _nobody(person: str) -> None:
    """Without people to ask, nothing is known of anybody."""


class Tables:
    """The tables of one server process."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        levels: tuple[str, ...],
        hours: Callable[[str], Hours | None],
        changed: Callable[[Table, Truth | None], None],
        failed: Callable[[str, Exception], None],
        chance: Random | None = None,
    ) -> None:
        """Begin with none; `changed` is called whenever a table has been loaded or has stored something."""
        self.store = store
        self.loaded: dict[str, Table] = {}
        self.damaged: dict[str, str] = {}
        self.changed = changed
        self.dropped: Callable[[Table], None] = lambda table: None  # called when a table leaves memory
        self.here: Callable[[Table], None] = lambda table: None  # called when somebody has come or gone
        self.meet: Callable[[str], Awaitable[object]] = (
            _nobody  # called for everybody at a table, before it is used
        )
        self.around = Surroundings(
            store=store,
            chance=chance or SystemRandom(),
            now=now,
            levels=levels,
            hours=hours,
            changed=changed,
            failed=failed,
            here=lambda table: self.here(table),
        )
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, game: str) -> Table:
        """The table of that name, loaded; raises Refused when there is none that could be."""
        table = self.loaded.get(game)
        if table is not None:
            if not table.hold.mine:
                await table.follow()  # another process may have written it
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
        table = Table(game, self.around)
        if unkept and not await table.hold.keep():
            return None
        try:
            await table.hold.begin()
            await table.load()
        except Damaged as problem:
            self.damaged[game] = str(problem)
            self.around.failed(game, problem)
            await table.hold.end()
            raise Refused("table_damaged", status=503) from None
        except Refused:
            await table.hold.end()
            raise
        for chair in table.lobby.chairs:
            if chair.person:
                await self.meet(chair.person)
        table.start()
        self.loaded[game] = table
        if not table.hold.mine:
            await table.follow()  # what was stored before we could hear of it
        self.changed(table, None)
        return table

    async def drop(self, table: Table, code: int = 1001, sentence: str = "") -> None:
        """Forget a table; whoever comes next loads it again."""
        if self.loaded.get(table.game) is table:
            del self.loaded[table.game]
        self.dropped(table)
        await table.stop(code, sentence)
        await table.hold.end()

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

    async def close(self, sentence: str) -> None:
        """Answer what has been asked, then send everybody away."""
        stopping: list[Coroutine[Any, Any, None]] = [
            self.drop(t, 1001, sentence) for t in list(self.loaded.values())
        ]
        await asyncio.gather(*stopping)

    # ------------------------------------------------------------ opening

    def check(self, options: TableOptions, bots: dict[Seat, str]) -> TableOptions:
        """The options, tidied; raises Refused or IllegalAction when no table can be laid so."""
        for place, level in bots.items():
            if not 0 <= place < options.seats:
                raise Refused("no_such_seat", status=400)
            if level not in self.around.levels:
                raise Refused("no_such_level", status=400, level=level, levels=", ".join(self.around.levels))
        return check_options(options, self.around.levels)

    async def open(
        self,
        options: TableOptions,
        host: Person | None,
        seat: Seat | None = 0,
        bots: dict[Seat, str] | None = None,
        record: Record | None = None,
        known_as: dict[Seat, tuple[str, str]] | None = None,
    ) -> tuple[Table, Seat | None]:
        """A new table with its host at a seat, and where that is; raises Refused.

        Without a host it is a table of bots. `known_as` are other people who sit from the start.
        """
        options = self.check(options, bots or {})
        game = secrets.token_urlsafe(ID_BYTES)
        first = e.TableOpened(
            options=options,
            person="" if host is None else host.id,
            invitation=secrets.token_urlsafe(ID_BYTES),
            continues=record is not None,
        )
        at = self.around.now()
        lines = [e.Line(n=1, at=at, events=(first,))]
        truth = fold(None, game, lines[0])
        if record is not None:
            truth = self._lay(record, lines, truth, at)
        seated: list[Any] = []
        for place, (person, name) in (known_as or {}).items():
            seated += join(truth.lobby, person, name, place, invitation=first.invitation)
        for place, level in (bots or {}).items():
            seated.append(e.BotSeated(seat=place, level=level))
        if seated:
            truth = self._add(lines, truth, at, tuple(seated))
        if host is not None and seat is not None:
            taken = join(truth.lobby, host.id, host.name, None if seat < 0 else seat)
            truth = self._add(lines, truth, at, taken)
        people = [(c.person, s) for s, c in enumerate(truth.lobby.chairs) if c.person]
        index = Index(truth.lobby.status, options.public, at, wake_at(truth), encode(face_of(truth)))
        try:
            await self.store.append(game, lines, index=index, seats=people)
        except Conflict:
            raise Refused("busy", status=503) from None
        return await self.get(game), truth.lobby.seat_of(host.id if host else None)

    def _add(self, lines: list[e.Line], truth: Truth, at: int, events: tuple[Any, ...]) -> Truth:
        line = e.Line(n=len(lines) + 1, at=at, events=events)
        lines.append(line)
        return fold(truth, truth.table, line)

    def _lay(self, record: Record, lines: list[e.Line], truth: Truth, at: int) -> Truth:
        """Lay a recorded game on the new table, line by line, with its species at its seats."""
        species = record.head.started.settings.species
        chosen = tuple(e.SpeciesChosen(seat=seat, species=name) for seat, name in enumerate(species))
        truth = self._add(
            lines, truth, at, (*chosen, e.Shuffled(seed=str(record.head.seed)), record.head.started)
        )
        for entry in record.entries:
            line = e.Line(n=len(lines) + 1, at=at, seat=entry.seat, action=entry.action, events=entry.events)
            lines.append(line)
            truth = fold(truth, truth.table, line)
        return truth

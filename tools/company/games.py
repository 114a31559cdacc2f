"""Games of scripted people with bots, each at a server of its own."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from random import Random

from msgspec import Struct

from elysian.server.ops.logs import Log
from elysian.server.ops.settings import ServerLimits, ServerSettings
from elysian.server.server import Server
from elysian.server.table_state.actions import StartGame
from elysian.server.table_state.events import Line
from elysian.server.table_state.table_options import BotPace, TableOptions
from tools.company.people import ME, MEASURED, PEOPLE, ScriptedPerson
from tools.drive.skipped_time import HereAndNow, SkippedTime

IDLE = ServerSettings().offer_idle


class Cell(Struct, frozen=True):
    """Games of one kind."""

    level: str
    seats: int
    person: str
    games: int


def cells() -> Iterator[Cell]:
    """What is measured in full."""
    for level in ("standard", "expert"):
        for seats in (5, 4, 7):
            for person in MEASURED:
                yield Cell(level, seats, person, 20 if (level, seats) == ("standard", 5) else 6)


async def play(
    loop: SkippedTime, cell: Cell, seed: int, person: bool, pace: BotPace = "normal", idle: float = IDLE
) -> tuple[list[Line], ScriptedPerson | None]:
    """One game at a server of its own, where offers to people lie `idle` seconds; the lines it stored."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(
            database=f"sqlite:///{folder}/company.db", limits=ServerLimits(search=1e9), offer_idle=idle
        )
        chance = Random(f"company/{seed}")
        began = 1_700_000_000_000
        server = Server(
            settings, lambda: began + int(loop.time() * 1000), Log(io.StringIO()), HereAndNow(), chance
        )
        for work in ("read", "write"):
            setattr(server.database, work, loop.waits_for(getattr(server.database, work)))
        await server.start()
        try:
            played = await _at(server, cell, person, pace)
            assert not server.metrics.counts["mistakes"], "a bot met a mistake of ours"
            return played
        finally:
            await server.close()


async def _at(
    server: Server, cell: Cell, person: bool, pace: BotPace
) -> tuple[list[Line], ScriptedPerson | None]:
    host, _ = await server.people.make("Anna")
    seats = range(int(person), cell.seats)
    table, _ = await server.tables.open(
        TableOptions(seats=cell.seats, species="random", bots=pace),
        host,
        ME if person else None,
        dict.fromkeys(seats, cell.level),
    )
    guest = PEOPLE[cell.person](server, table, host, cell.level)
    guest.seat = ME if person else None
    await server.ask(table, host.id, "start", StartGame(), "en")
    await table.enter(guest, None)
    if person:
        await guest.play()
    else:
        while table.state is None or table.state.step != "over":
            guest.news.clear()
            await guest.quiet(600.0)
    return await server.store.lines(table.game), guest if person else None

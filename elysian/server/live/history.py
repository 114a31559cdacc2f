"""Looking back: lines of a log as a seat may see them, from any point of the game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from elysian.deals import Seat
from elysian.server.live.audience import Truth, seen_line
from elysian.server.live.batch import fold
from elysian.server.protocol.messages import SeenLine
from elysian.server.table_state.events import Line

AT_ONCE = 200  # lines folded before others get their turn


async def seen_lines(
    game: str, lines: Sequence[Line], since: int, seat: Seat | None, language: str
) -> list[SeenLine]:
    """The lines after `since` as a seat may see them; `lines` is the log from its beginning."""
    truth: Truth | None = None
    seen: list[SeenLine] = []
    for line in lines:
        before, truth = truth, fold(truth, game, line)
        if line.n > since:
            seen.append(seen_line(before or truth, truth, seat, line, language))
        if line.n % AT_ONCE == 0:
            await asyncio.sleep(0)
    return seen

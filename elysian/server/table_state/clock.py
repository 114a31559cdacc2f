"""The clock of a table: when a step ends; playing hours; what a line means for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from elysian.rules import waiting
from elysian.server.table_state.events import ClockSet, ClockStopped
from elysian.server.table_state.fold import TableState
from elysian.state import State

MINUTE = 60_000
BEGUN = ("drafting", "playing")
AT_ONCE = 0  # a time that has always come
DAY = 24 * 60 * MINUTE
# In these steps one seat is waited for after the other, and each has its own time.
ONE_BY_ONE = ("support", "colony_auction", "research_auction", "steal", "settle")


class Hours(Struct, frozen=True, forbid_unknown_fields=True):
    """When a person plays: from minute to minute of the day, as far from Greenwich as they live."""

    begin: Annotated[int, Meta(ge=0, le=1439)] = 0
    end: Annotated[int, Meta(ge=0, le=1440)] = 1440
    offset: Annotated[int, Meta(ge=-840, le=840)] = 0  # minutes east of Greenwich

    def played(self) -> int:
        """Minutes of a day in which they play."""
        return (self.end - self.begin) % 1440 or 1440

    def until_open(self, at: int) -> int:
        """Ms until they play again; 0: they do so now."""
        window = self.played() * MINUTE
        past = (at + (self.offset - self.begin) * MINUTE) % DAY
        return 0 if past < window else DAY - past

    def after(self, at: int, span: int) -> int:
        """The moment when `span` ms of playing time have passed since `at`."""
        window = self.played() * MINUTE
        if window >= DAY:
            return at + span
        shift = (self.offset - self.begin) * MINUTE  # the day is counted from when their hours begin
        day, past = divmod(at + shift, DAY)
        past = min(past, window)
        days, rest = divmod(past + span, window)
        if rest == 0 and days:
            days, rest = days - 1, window
        return (day + days) * DAY + rest - shift


def clock_events(
    before: TableState, after: TableState, at: int, hours: Callable[[str], Hours | None], called: bool = False
) -> tuple[Any, ...]:
    """What a line means for the clock: set anew when something new is waited for, stopped at the end."""
    lobby, state = after.lobby, after.state
    if state is None or lobby.options.clock is None:
        return ()
    if lobby.status != "playing":
        return (ClockStopped(),) if lobby.due is not None else ()
    if lobby.paused or before.lobby.paused:
        return ()
    fresh = (
        before.state is None or before.lobby.status != "playing" or _moment(before.state) != _moment(state)
    )
    if fresh:
        return (ClockSet(due=due_after(after, at, hours)),)
    # Where the end of the time is only a reminder (OPT-1), it is called once.
    return (ClockStopped(),) if called and lobby.due is not None else ()


def _moment(state: State) -> tuple[Any, ...]:
    """What the table waits for; when this changes, the time begins anew."""
    return state.turn, state.step, waiting(state) if state.step in ONE_BY_ONE else ()


def due_after(current: TableState, at: int, hours: Callable[[str], Hours | None]) -> int:
    """When the step ends; in a game over days, when the last of those waited for has had the time."""
    lobby, state = current.lobby, current.state
    assert state is not None
    assert lobby.options.clock is not None
    span = 1000 * (lobby.options.clock.trade if state.step == "trade" else lobby.options.clock.step)
    if lobby.options.pace == "live":
        return at + span
    people = [lobby.chairs[seat].person for seat in waiting(state) if seat in lobby.people()]
    return max(((hours(person) or Hours()).after(at, span) for person in people if person), default=at + span)


def wake_at(current: TableState, fires: bool) -> int | None:
    """When the server must look at a table even if nobody comes; None: never. `fires`: an order waits."""
    times = (
        _game_wakes(current, fires),
        *(ask.due for ask in current.lobby.asks if current.lobby.status in BEGUN),
    )
    return min((at for at in times if at is not None), default=None)


def _game_wakes(current: TableState, fires: bool) -> int | None:
    lobby, state = current.lobby, current.state
    if state is None or lobby.status != "playing" or lobby.paused:
        return None
    if lobby.people().isdisjoint(waiting(state)):
        return AT_ONCE  # only bots are waited for
    return AT_ONCE if fires else lobby.due

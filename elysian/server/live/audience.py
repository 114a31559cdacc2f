"""Audience: a stored line as each seat may see it, encoded once for all who see the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from elysian.actions import DeclineDeal, WithdrawDeal
from elysian.deals import Reason, Seat
from elysian.events import DealDeclined, DealWithdrawn
from elysian.messages import Telling, load
from elysian.rules import begin
from elysian.server.live.wording import worded_changes, worded_events
from elysian.server.ops.errors import told_event
from elysian.server.protocol.messages import SeenLine, Update, encode, table_changes, table_view
from elysian.server.protocol.view_delta import ViewChanges, own_changes, view_changes
from elysian.server.table_state.events import Line, TableEvent, heard_by, heard_otherwise
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.state import Lobby
from elysian.state import State
from elysian.view import Last, View, hearing_otherwise, is_for_all, seen_by, view

T = TypeVar("T")
ENDING, ENDED = (DeclineDeal, WithdrawDeal), (DealDeclined, DealWithdrawn)  # what has a reason


def muted_by(lobby: Lobby, seat: Seat | None) -> frozenset[Seat]:
    """The seats a seat will not hear."""
    return frozenset(other for by, other in lobby.muted if by == seat) if lobby.muted else frozenset()


def events_for(before: TableState, seat: Seat | None, events: Iterable[Any]) -> tuple[Any, ...]:
    """Everything of a line's events that a seat may hear of."""
    muted = muted_by(before.lobby, seat)
    seen = []
    for event in events:
        if isinstance(event, TableEvent):
            heard: Any = heard_by(seat, muted, event)
        else:
            # The first event deals the game; nothing before it could be hidden.
            heard = seen_by(before.state or begin(event), seat, event)
        if heard is not None:
            seen.append(heard)
    return tuple(seen)


def all_hear_alike(before: TableState, events: Iterable[Any]) -> bool:
    """Whether everybody hears of all these events; of what happens at the table that depends on who asks."""
    state = before.state
    return state is not None and all(
        not isinstance(event, TableEvent) and is_for_all(state, event) for event in events
    )


def hear_otherwise(before: TableState, events: Iterable[Any]) -> frozenset[Seat] | None:
    """The seats that hear otherwise of these events than a spectator; None: each must be asked for."""
    if before.state is None:
        return None
    seats: set[Seat] = set()
    for event in events:
        table = isinstance(event, TableEvent)
        some = heard_otherwise(event) if table else hearing_otherwise(before.state, event)
        if some is None:
            return None
        seats.update(some)
    return frozenset(seats)


def tell_all(
    before: TableState, after: TableState, events: Iterable[Any], language: str, reason: str | Reason = ""
) -> tuple[str, ...]:
    """Each event in words, for one who may hear of all of them; an offer goes with the reason given."""
    state = after.state or before.state
    species = () if state is None else state.settings.species
    promises, offers = ({}, {}) if state is None else (state.obligations, state.deals)
    if before.state is not None and before.state is not state:
        promises = _with_gone(before.state.obligations, promises)
        offers = _with_gone(before.state.deals, offers)
    telling = Telling(load(language), species, promises, offers=offers)
    return tuple(
        [
            told_event(event, before.lobby, after.lobby, language)
            if isinstance(event, TableEvent)
            else telling.event(event, reason if reason and isinstance(event, ENDED) else "")
            for event in events
        ]
    )


def _with_gone(before: dict[str, T], after: dict[str, T]) -> dict[str, T]:
    """What lies on the table, and what lay there before: a line may name either."""
    return after if before is after else {**before, **after}


def reason_of(before: TableState, line: Line) -> str | Reason:
    """Why a bot declined or withdrew an offer; people say theirs in the talk, where they can be muted."""
    if line.seat is None or not isinstance(line.action, ENDING):
        return ""
    return "" if line.seat in before.lobby.people() else line.action.reason


def seen_line(
    before: TableState, after: TableState, seat: Seat | None, line: Line, language: str
) -> SeenLine:
    """A line as a seat may see it; of a line it may hear nothing of, not even who asked."""
    events = events_for(before, seat, line.events)
    told = tell_all(before, after, events, language, reason_of(before, line))
    words = worded_events(events, language)
    return SeenLine(n=line.n, at=line.at, seat=line.seat if events else None, events=words, told=told)


class Sentences:
    """What is told of one line, made once for all who hear the same events in the same language."""

    def __init__(self, before: TableState, after: TableState, reason: str | Reason) -> None:
        """Nothing has been told yet."""
        self._before, self._after, self._reason = before, after, reason
        # With the events themselves: as long as these are kept, no other event can have their identity.
        self._told: dict[tuple[str, tuple[int, ...]], tuple[tuple[Any, ...], tuple[str, ...]]] = {}

    def of(self, events: tuple[Any, ...], language: str) -> tuple[str, ...]:
        """Each of these events in words."""
        heard = language, tuple(map(id, events))
        if heard not in self._told:
            told = tell_all(self._before, self._after, events, language, self._reason)
            self._told[heard] = events, told
        return self._told[heard][1]


Audience = tuple[Seat | None, str]  # a seat, None for a watcher; and its language


class UpdateEncoder:
    """Makes the updates of one table; remembers the last public view, so that each is made once."""

    def __init__(self) -> None:
        self._last: Last | None = None

    def public(self, state: State) -> View:
        """What everybody may know."""
        if self._last is None or self._last[0] is not state:
            self._last = state, view(state, None, self._last)
        return self._last[1]

    def updates(
        self, line: Line, before: TableState, after: TableState, audiences: Iterable[Audience]
    ) -> Mapping[Audience, bytes]:
        """The frame for each of these; what several see alike is made and encoded once."""
        changes, own = self._changes(before, after), _own_changes(before, after)
        moved = before.lobby is not after.lobby
        alike = all_hear_alike(before, line.events)
        common_events = line.events if alike else events_for(before, None, line.events)
        otherwise = frozenset() if alike else hear_otherwise(before, line.events)
        common: dict[str, bytes] = {}
        sentences = Sentences(before, after, reason_of(before, line))
        frames: dict[Audience, bytes] = {}
        for reader in audiences:
            seat, language = reader
            events = common_events
            if seat is not None and (otherwise is None or seat in otherwise):
                events = events_for(before, seat, line.events)
            if moved or seat in own or not (events is common_events or _same(events, common_events)):
                told = sentences.of(events, language)
                mine = {**changes, **own[seat]} if seat in own else changes
                frames[reader] = self._frame(line, before, after, reader, events, told, mine)
                continue
            if language not in common:
                told = sentences.of(common_events, language)
                watcher = (None, language)
                common[language] = self._frame(line, before, after, watcher, common_events, told, changes)
            frames[reader] = common[language]
        return frames

    def _changes(self, before: TableState, after: TableState) -> ViewChanges:
        if before.state is None or after.state is None or before.state is after.state:
            return {}
        return view_changes(self.public(before.state), self.public(after.state))

    def _frame(
        self,
        line: Line,
        before: TableState,
        after: TableState,
        reader: Audience,
        events: tuple[Any, ...],
        told: tuple[str, ...],
        changes: ViewChanges,
    ) -> bytes:
        seat, language = reader
        begins = before.state is None and after.state is not None
        table: ViewChanges = {}
        if before.lobby is not after.lobby:
            table = table_changes(
                table_view(before.table, before.lobby, seat), table_view(after.table, after.lobby, seat)
            )
        return encode(
            Update(
                n=line.n,
                at=line.at,
                seat=line.seat if events else None,
                events=worded_events(events, language),
                told=told,
                view=worded_changes(changes, language),
                table=table,
                whole=view(after.state, seat) if begins and after.state is not None else None,
            )
        )


def _own_changes(before: TableState, after: TableState) -> Mapping[Seat | None, ViewChanges]:
    if before.state is None or after.state is None or before.state is after.state:
        return {}
    return own_changes(before.state, after.state)


def _same(these: tuple[Any, ...], those: tuple[Any, ...]) -> bool:
    """Whether the same is heard; what is kept from each of several seats is left out for each of them."""
    return len(these) == len(those) and all(a is b or a == b for a, b in zip(these, those, strict=True))

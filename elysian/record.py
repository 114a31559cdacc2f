"""Records: a game as lines of JSON; replayed by folding its events, checked by deciding its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Action, TimeUp
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.drawn import drawn
from elysian.events import BidsRevealed, Event, GameStarted
from elysian.rules import DECIDERS, EVOLVERS, begin, decide, evolve, start
from elysian.species import SPECIES
from elysian.state import Settings, State

FORMAT = 1

# Proved: the seed deals this beginning, and today's rules decide every action so. Superseded: they decide
# some action otherwise. Edited: the seed does not deal this beginning.
RecordStanding = Literal["proved", "superseded", "edited"]

if TYPE_CHECKING:
    AnyAction = Action
    AnyEvent = Event
else:
    # Species bring verbs of their own, so the unions are made when the program starts.
    AnyAction = Union[(*DECIDERS, TimeUp)]
    AnyEvent = Union[tuple(EVOLVERS)]  # noqa: UP007


class DamagedRecord(ValueError):  # noqa: N818 - says what it is
    """A record that cannot be read; the message names the line."""


class Seated(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sat at a seat: the name of a player, and the package it came from with its version."""

    name: str
    version: str = ""  # a person has none


class Head(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: how the game began."""

    format: int
    seed: int | str
    started: GameStarted
    players: tuple[Seated, ...] = ()  # by seat; empty: not told


class RecordLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action and what came of it."""

    n: int
    seat: Seat | None  # None: the table's clock
    action: AnyAction
    events: tuple[AnyEvent, ...]


class Difference(Struct, frozen=True):
    """An entry that today's rules would decide otherwise."""

    n: int
    recorded: tuple[Event, ...]
    decided: tuple[Event, ...] | str  # the code of a refusal, or what made a decision impossible


class Record(Struct):
    """A whole game."""

    head: Head
    entries: list[RecordLine]

    @classmethod
    def begin(cls, settings: Settings, seed: int | str, players: tuple[Seated, ...] = ()) -> Record:
        """Set a new game up; raises IllegalAction for an impossible line-up."""
        head = Head(format=FORMAT, seed=seed, started=start(settings, seed), players=players)
        return cls(head=head, entries=[])

    def add(self, seat: Seat | None, action: Action, events: Iterable[Event]) -> RecordLine:
        """Note one decided action."""
        entry = RecordLine(n=len(self.entries) + 1, seat=seat, action=action, events=tuple(events))
        self.entries.append(entry)
        return entry

    def states(self) -> Iterator[State]:
        """The table at the start and after every entry."""
        state = begin(self.head.started)
        yield state
        for entry in self.entries:
            for event in entry.events:
                state = evolve(state, event)
            yield state

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return drawn(self)


_HEAD = msgspec.json.Decoder(Head)
_ENTRY = msgspec.json.Decoder(RecordLine)
_ACTION = msgspec.json.Decoder(AnyAction)

# From an old format number to the function that lifts a line, as plain data, to the next one.
UPCASTERS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def decode_action(line: bytes | str) -> Action:
    """The action a JSON text asks for; raises IllegalAction("malformed") when it is none."""
    try:
        action: Action = _ACTION.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise IllegalAction("malformed", problem=str(problem)) from None
    return action


def dump(record: Record) -> bytes:
    """The record as lines of JSON."""
    return b"\n".join(msgspec.json.encode(line) for line in (record.head, *record.entries)) + b"\n"


def write(record: Record, path: Path | str) -> None:
    """Store the record as a file."""
    Path(path).write_bytes(dump(record))


def load(content: bytes) -> Record:
    """The record in these lines; raises DamagedRecord naming the first line that is wrong."""
    lines = content.splitlines()
    if not lines:
        raise DamagedRecord("the record is empty")
    version = _version(lines[0])
    head: Head = _line(_HEAD, lines[0], 1, version)
    species = head.started.settings.species
    if species != tuple(player.species for player in head.started.players) or not set(species) <= set(
        SPECIES
    ):
        raise DamagedRecord("line 1: the species do not fit the seats")
    if head.players and len(head.players) != len(species):
        raise DamagedRecord("line 1: the players do not fit the seats")
    entries: list[RecordLine] = []
    for number, line in enumerate(lines[1:], start=2):
        entry: RecordLine = _line(_ENTRY, line, number, version)
        if entry.n != number - 1:
            raise DamagedRecord(f"line {number}: entry {entry.n} stands where {number - 1} is due")
        entries.append(entry)
    return Record(head=head, entries=entries)


def read(path: Path | str) -> Record:
    """The record in a file; raises DamagedRecord, or OSError when there is no such file."""
    return load(Path(path).read_bytes())


def _version(line: bytes) -> int:
    try:
        version = msgspec.json.decode(line)["format"]
    except (msgspec.MsgspecError, ValueError, TypeError, KeyError, RecursionError):
        raise DamagedRecord("line 1: this is not the head of a recorded game") from None
    if type(version) is not int or not 1 <= version <= FORMAT:
        raise DamagedRecord(f"line 1: format {version} is not known here (the newest is {FORMAT})")
    return version


def _line(decoder: msgspec.json.Decoder[Any], line: bytes, number: int, version: int) -> Any:
    try:
        if version == FORMAT:
            return decoder.decode(line)
        plain = msgspec.json.decode(line)
        for older in range(version, FORMAT):
            plain = UPCASTERS[older](plain)
        return decoder.decode(msgspec.json.encode(plain))
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise DamagedRecord(f"line {number}: {problem}") from None


# What folding or deciding raises when the lines do not fit together.
_MISFIT = (LookupError, ValueError, StopIteration, TypeError, AttributeError, AssertionError)


def _fold(state: State, entry: RecordLine) -> State:
    try:
        for event in entry.events:
            state = evolve(state, event)
    except _MISFIT as problem:
        raise DamagedRecord(f"entry {entry.n} does not fit the game before it ({problem!r})") from None
    return state


def replay(record: Record) -> State:
    """The table after the last entry, by folding the events; raises DamagedRecord when they do not fit."""
    state = begin(record.head.started)
    for entry in record.entries:
        state = _fold(state, entry)
    return state


def _with_order(recorded: tuple[Event, ...], decided: tuple[Event, ...] | str) -> tuple[Event, ...]:
    """The recorded events, with the order of opened bids where the record is older than that."""
    orders = (event.order for event in decided if isinstance(event, BidsRevealed))
    return tuple(
        replace(event, order=next(orders, ()))
        if isinstance(event, BidsRevealed) and not event.order
        else event
        for event in recorded
    )


def check(record: Record) -> list[Difference]:
    """The entries that today's rules would decide otherwise; each is judged on the recorded game."""
    differences = []
    state = begin(record.head.started)
    for entry in record.entries:
        decided: tuple[Event, ...] | str
        try:
            decided, _ = decide(state, entry.seat, entry.action)
        except IllegalAction as illegal:
            decided = illegal.code
        except _MISFIT as problem:
            decided = repr(problem)  # the record names a card, seat or promise that cannot be
        if decided != entry.events and decided != _with_order(entry.events, decided):
            differences.append(Difference(n=entry.n, recorded=entry.events, decided=decided))
        state = _fold(state, entry)
    return differences


def prove(record: Record) -> RecordStanding:
    """What a record can be trusted for; raises DamagedRecord when no game can go on from it.

    A record that is not proved may say anything. It is a game all the same while every card is in one place
    and nobody holds less than nothing.
    """
    started = record.head.started
    try:
        dealt = start(started.settings, record.head.seed)
    except IllegalAction as illegal:
        raise DamagedRecord(f"line 1: nobody can play so ({illegal.code})") from None
    differences = check(record)
    if dealt == started and not differences:
        return "proved"
    box = _cards_in(begin(dealt))
    fixed = ("colony_minimums", "research_minimums", "bonus")
    if _cards_in(begin(started)) != box or any(getattr(started, x) != getattr(dealt, x) for x in fixed):
        raise DamagedRecord("line 1: it was not set up with the cards of the game")
    last = replay(record)
    if _cards_in(last) != box:
        raise DamagedRecord("a card is lost, or in two places")
    if any(min(player.stock.counts()) < 0 for player in last.players):
        raise DamagedRecord("somebody has less than nothing")
    return "edited" if dealt != started else "superseded"


def _cards_in(state: State) -> list[str]:
    """Every card of the table, wherever it lies."""
    lying = [
        card
        for player in state.players
        for card in (*player.cards, *player.deck, *player.spent, *player.invented)
    ]
    lying += [card for card in (*state.colony_track, *state.research_track) if card is not None]
    lying += [*state.colonies.cards, *state.research.cards, *state.relics, *state.shared, *state.removed]
    return sorted(lying)

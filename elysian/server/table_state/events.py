"""Table events: what happened at the table outside the game, and what each seat may hear of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union, get_args

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import snake
from elysian.deals import Reason, Seat
from elysian.events import Event, GameStarted
from elysian.goods import NOTHING, Goods
from elysian.record import FORMAT, RecordStanding
from elysian.rules import EVOLVERS
from elysian.server.table_state.actions import LoggedAction
from elysian.server.table_state.orders import AnyOrder
from elysian.server.table_state.table_options import TableOptions
from elysian.state import Step


class TableEvent(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
):
    """Something that happened at the table."""


class TableOpened(TableEvent, frozen=True):
    """A table stands; person and invitation are for the server alone."""

    options: TableOptions
    person: str = ""
    invitation: str = ""
    format: int = FORMAT
    continues: bool = False  # the game of this table comes out of a record
    standing: RecordStanding | None = None  # what that record can be trusted for; None: there is none


class TableChanged(TableEvent, frozen=True):
    """Other options were agreed on."""

    options: TableOptions


class SeatTaken(TableEvent, frozen=True):
    """A person sat down, moved to this seat or changed their name; the person is for the server alone.

    A bot with a token sits down so too; `program` is what it calls itself, with its version.
    """

    seat: Seat
    name: str
    person: str = ""
    program: str | None = None  # None: a person


class SeatLeft(TableEvent, frozen=True):
    """Nobody sits there any more."""

    seat: Seat


class BotSeated(TableEvent, frozen=True):
    """A bot sits there."""

    seat: Seat
    level: str


class SpeciesChosen(TableEvent, frozen=True):
    """The seat will play this species; None is no wish."""

    seat: Seat
    species: str | None = None


class HostChanged(TableEvent, frozen=True):
    """Another person is the host; None: a table of bots, run by the server."""

    seat: Seat | None = None
    person: str = ""


class GuestAdmitted(TableEvent, frozen=True):
    """Somebody may watch; who it is stays with the server.

    `invited`: by the table's own invitation; else, at a table of a group, as one who is in it.
    """

    person: str = ""
    invited: bool = False


class PersonBarred(TableEvent, frozen=True):
    """The host has sent somebody away for good."""

    seat: Seat
    person: str = ""


class BarsLifted(TableEvent, frozen=True):
    """Whoever the host has sent away may come again."""


class DraftBegan(TableEvent, frozen=True):
    """The seats pick their species in this order."""

    order: tuple[Seat, ...]


class Shuffled(TableEvent, frozen=True):
    """The seed the decks were shuffled by; for the server alone until the game is over.

    Bots draw their chance from it. A game that goes on from a record is given another, for its bots alone:
    the seed of a record is known to whoever has it.
    """

    seed: str = ""


class PlayBegan(TableEvent, frozen=True):
    """The game is on; the versions of the levels that play or may have to, for its record."""

    versions: dict[str, str] = {}


class Paused(TableEvent, frozen=True):
    """The game stands still."""


class Resumed(TableEvent, frozen=True):
    """The game goes on."""


class ClockSet(TableEvent, frozen=True):
    """The step ends at this time, in ms since 1970."""

    due: int


class ClockStopped(TableEvent, frozen=True):
    """No clock runs; `left` ms are kept for when it goes on."""

    left: int | None = None  # None: nothing is kept


class ExtensionAsked(TableEvent, frozen=True):
    """A seat would like more time."""

    seat: Seat


class PauseAsked(TableEvent, frozen=True):
    """A seat would like a pause."""

    seat: Seat


class SeatCovered(TableEvent, frozen=True):
    """A bot plays while the person is away."""

    seat: Seat


class SeatHandedBack(TableEvent, frozen=True):
    """The person is back and plays."""

    seat: Seat


class Resigned(TableEvent, frozen=True):
    """The person gave the seat up; a bot plays on."""

    seat: Seat
    level: str


class SeatAsked(TableEvent, frozen=True):
    """Somebody without a seat asks for this one; the person is for the server alone."""

    seat: Seat
    name: str
    ask: int
    person: str = ""


class SeatVouched(TableEvent, frozen=True):
    """Somebody at the table says that whoever asked for the seat should have it."""

    seat: Seat
    by: Seat | None = None  # None: the host, who has no seat


class HandOverSet(TableEvent, frozen=True):
    """The seat changes hands at this time, in ms since 1970, unless its holder comes back."""

    seat: Seat
    due: int


class SeatAskEnded(TableEvent, frozen=True):
    """The seat stays with its holder."""

    seat: Seat
    refused: bool = False  # whoever asked need not ask again


class SeatHandedOver(TableEvent, frozen=True):
    """Another person sits there; the person is for the server alone."""

    seat: Seat
    name: str
    was: str = ""  # who sat there; empty: a bot
    person: str = ""


class SeatMuted(TableEvent, frozen=True):
    """A seat hears another no more, or again; only that seat learns of it."""

    by: Seat
    seat: Seat
    muted: bool = True


class OrderPlaced(TableEvent, frozen=True):
    """A seat has laid down what is to be done for it; only that seat learns of it."""

    seat: Seat
    id: int
    order: AnyOrder


class OrderCancelled(TableEvent, frozen=True):
    """An order holds no more; only its seat learns of it."""

    seat: Seat
    id: int


class OrderFired(TableEvent, frozen=True):
    """What stands beside this was done by an order; only its seat learns of it."""

    seat: Seat
    id: int
    turn: int
    offer: str | None = None  # what was put on the table; None: nothing was
    deal: str | None = None  # what was accepted; None: nothing was


class StepSpared(TableEvent, frozen=True):
    """The seat had nothing to decide in the step, and was done with it; only that seat is told."""

    seat: Seat
    step: Step


class WantsShown(TableEvent, frozen=True):
    """A seat shows everybody what it wants and has to spare."""

    seat: Seat
    wants: Goods = NOTHING
    haves: Goods = NOTHING


class Said(TableEvent, frozen=True):
    """Talk; with `to`, only for that seat."""

    seat: Seat
    text: str | Reason  # a bot's answer: each reader gets it in their own language
    to: Seat | None = None


class RematchOpened(TableEvent, frozen=True):
    """A new table stands for the same people; the invitation is for those at the table."""

    table: str
    invitation: str = ""


class TableEnded(TableEvent, frozen=True):
    """The host closed the table."""


AnyTableEvent = (
    TableOpened
    | TableChanged
    | SeatTaken
    | SeatLeft
    | BotSeated
    | SpeciesChosen
    | HostChanged
    | GuestAdmitted
    | PersonBarred
    | BarsLifted
    | DraftBegan
    | Shuffled
    | PlayBegan
    | Paused
    | Resumed
    | ClockSet
    | ClockStopped
    | ExtensionAsked
    | PauseAsked
    | SeatCovered
    | SeatHandedBack
    | Resigned
    | SeatAsked
    | SeatVouched
    | HandOverSet
    | SeatAskEnded
    | SeatHandedOver
    | SeatMuted
    | OrderPlaced
    | OrderCancelled
    | OrderFired
    | StepSpared
    | WantsShown
    | Said
    | RematchOpened
    | TableEnded
)

if TYPE_CHECKING:
    LoggedEvent = Event | TableEvent
else:
    LoggedEvent = Union[(GameStarted, *EVOLVERS, *get_args(AnyTableEvent))]


class Line(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of a table's log: what was asked for, and what came of it."""

    n: int
    at: int  # ms since 1970
    seat: Seat | None = None  # None: the table itself
    action: LoggedAction | None = None  # None: nobody asked
    events: tuple[LoggedEvent, ...] = ()


# ---------------------------------------------------------------- what a seat may hear

Hearing = Callable[[Any, Seat | None, frozenset[Seat]], TableEvent | None]


def _all(event: TableEvent, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return event


def _nobody(event: TableEvent, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return None


def _without_person(event: Any, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return replace(event, person="")  # type: ignore[no-any-return]


def _opened(event: TableOpened, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return replace(event, person="", invitation="")


def _said(event: Said, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    if event.seat in muted and event.seat != seat:
        return None
    return event if event.to is None or (seat is not None and seat in (event.to, event.seat)) else None


def _muted(event: SeatMuted, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return event if seat == event.by else None


def _owner(event: Any, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return event if seat == event.seat else None


def _rematch(event: RematchOpened, seat: Seat | None, muted: frozenset[Seat]) -> TableEvent | None:
    return event if seat is not None else replace(event, invitation="")


# Every table event is listed: one that is not would be heard by nobody, and a test fails.
HEARD: dict[type[TableEvent], Hearing] = {
    TableOpened: _opened,
    TableChanged: _all,
    SeatTaken: _without_person,
    SeatLeft: _all,
    BotSeated: _all,
    SpeciesChosen: _all,
    HostChanged: _without_person,
    GuestAdmitted: _nobody,
    PersonBarred: _without_person,
    BarsLifted: _all,
    DraftBegan: _all,
    Shuffled: _nobody,
    PlayBegan: _all,
    Paused: _all,
    Resumed: _all,
    ClockSet: _all,
    ClockStopped: _all,
    ExtensionAsked: _all,
    PauseAsked: _all,
    SeatCovered: _all,
    SeatHandedBack: _all,
    Resigned: _all,
    SeatAsked: _without_person,
    SeatVouched: _all,
    HandOverSet: _all,
    SeatAskEnded: _all,
    SeatHandedOver: _without_person,
    SeatMuted: _muted,
    OrderPlaced: _owner,
    OrderCancelled: _owner,
    OrderFired: _owner,
    StepSpared: _owner,
    WantsShown: _all,
    Said: _said,
    RematchOpened: _rematch,
    TableEnded: _all,
}


ALIKE = (_all, _nobody, _without_person, _opened)  # do not ask who hears it


def heard_otherwise(event: TableEvent) -> tuple[Seat, ...] | None:
    """The seats that hear otherwise of a table event than a spectator; None: `heard_by` must be asked."""
    hearing = HEARD.get(type(event), _nobody)
    if hearing is _owner:
        owned: Any = event
        return (owned.seat,)
    return () if hearing in ALIKE else None


def heard_by(seat: Seat | None, muted: frozenset[Seat], event: TableEvent) -> TableEvent | None:
    """The table event as a seat may hear of it, None when it may not; `muted` are seats it will not hear."""
    return HEARD.get(type(event), _nobody)(event, seat, muted)

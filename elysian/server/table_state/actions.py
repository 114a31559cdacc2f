"""Table actions: what somebody asks of the table itself, one frozen Struct per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Union, get_args

from msgspec import Meta, Struct

from elysian.actions import Action, TimeUp, snake
from elysian.deals import Seat
from elysian.rules import DECIDERS
from elysian.state import Edition, Handicap

LONGEST_TALK = 500  # code points

Text = Annotated[str, Meta(max_length=16 * 1024)]  # cut to LONGEST_TALK when it is said
Level = Annotated[str, Meta(max_length=20)]
SpeciesId = Annotated[str, Meta(max_length=20)]
SeatNumber = Annotated[int, Meta(ge=0, le=8)]
Seconds = Annotated[int, Meta(ge=1, le=30 * 24 * 3600)]


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long trading, and every other step, may take."""

    trade: Seconds = 600
    step: Seconds = 180


class TableOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is agreed about a table before the game begins."""

    title: Annotated[str, Meta(max_length=60)] = ""
    seats: Annotated[int, Meta(ge=3, le=9)] = 4
    edition: Edition = "2020"
    precise_scoring: bool = False
    precise_when_tied: bool = False
    handicaps: Annotated[tuple[Handicap, ...], Meta(max_length=9)] = ()
    private_offers: bool = False
    allow_three: bool = False
    species: Literal["choice", "random", "draft"] = "choice"
    exclude: Annotated[tuple[SpeciesId, ...], Meta(max_length=9)] = ()
    hardest: Annotated[int, Meta(ge=1, le=6)] | None = None  # None: any difficulty
    public: bool = True
    watchers: bool = True
    help: Literal["off", "own", "both"] = "own"
    cover: Annotated[int, Meta(ge=0, le=1440)] | None = 2  # minutes; None: nobody covers an absent seat
    cover_level: Level = "standard"
    pace: Literal["live", "async"] = "live"
    clock: Clock | None = None  # None: no clock


class TableAction(
    Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
):
    """What somebody asks of the table."""


class ChangeTable(TableAction, frozen=True):
    """Agree on other options; before the game begins."""

    options: TableOptions


class Sit(TableAction, frozen=True):
    """Move to a free seat; before the game begins."""

    seat: SeatNumber


class Leave(TableAction, frozen=True):
    """Get up; once the game has begun a bot plays on."""


class ChooseSpecies(TableAction, frozen=True):
    """Play this species; None is no wish."""

    species: SpeciesId | None = None


class AddBot(TableAction, frozen=True):
    """Seat a bot."""

    seat: SeatNumber
    level: Level = "standard"


class Remove(TableAction, frozen=True):
    """Free a seat. A person who sat there stays out; once the game has begun a bot plays on for them."""

    seat: SeatNumber


class StartGame(TableAction, frozen=True):
    """Begin: the draft, if there is one, else the game."""


class Pause(TableAction, frozen=True):
    """Stop the clock and the game."""


class Resume(TableAction, frozen=True):
    """Go on after a pause."""


class AskExtension(TableAction, frozen=True):
    """Ask for more time; granted when most people at the table ask."""


class Cover(TableAction, frozen=True):
    """Let a bot play for a seat whose person is away, until they are back."""

    seat: SeatNumber


class Resign(TableAction, frozen=True):
    """Give one's seat to a bot for good."""


class Mute(TableAction, frozen=True):
    """Hear nothing more of what a seat says, or hear it again."""

    seat: SeatNumber
    muted: bool = True


class EndTable(TableAction, frozen=True):
    """Close the table; a game that is not over stays unfinished."""


class Say(TableAction, frozen=True):
    """Say something to the table, or to one seat."""

    text: Text
    to: SeatNumber | None = None  # None: to everybody


AnyTableAction = (
    ChangeTable
    | Sit
    | Leave
    | ChooseSpecies
    | AddBot
    | Remove
    | StartGame
    | Pause
    | Resume
    | AskExtension
    | Cover
    | Resign
    | Mute
    | EndTable
)

if TYPE_CHECKING:
    ClientAction = Action | TableAction
    LoggedAction = Action | TableAction
else:
    # What a client may ask for with `do`: verbs of the game and of the table.
    ClientAction = Union[(*DECIDERS, *get_args(AnyTableAction))]
    # What a line may hold besides: talk, and the table's clock.
    LoggedAction = Union[(*DECIDERS, *get_args(AnyTableAction), Say, TimeUp)]

__all__ = ["AnyTableAction", "ClientAction", "Clock", "LoggedAction", "Seat", "TableAction", "TableOptions"]

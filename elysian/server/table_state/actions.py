"""Table actions: what somebody asks of the table itself, one frozen Struct per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union, get_args

from msgspec import Meta, Struct

from elysian.actions import Action, TimeUp, snake
from elysian.deals import Seat
from elysian.goods import NOTHING, Goods
from elysian.rules import DECIDERS
from elysian.server.table_state.orders import AnyOrder
from elysian.server.table_state.table_options import LevelName, SpeciesId, TableOptions

LONGEST_TALK = 500  # code points

Text = Annotated[str, Meta(max_length=16 * 1024)]  # cut to LONGEST_TALK when it is said
AskNumber = Annotated[int, Meta(ge=1, le=1000)]
OrderNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=8)]


class TableAction(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
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
    level: LevelName = "standard"


class Readmit(TableAction, frozen=True):
    """Let everybody the host has sent away come again."""


class Remove(TableAction, frozen=True):
    """Free a seat. A person who sat there stays out; once the game has begun a bot plays on for them."""

    seat: SeatNumber


class StartGame(TableAction, frozen=True):
    """Begin: the draft, if there is one, else the game."""


class Pause(TableAction, frozen=True):
    """Stop the clock and the game."""


class Resume(TableAction, frozen=True):
    """Go on after a pause."""


class AskPause(TableAction, frozen=True):
    """Ask for a pause, in words if one likes; granted when most people at the table ask."""

    text: Text = ""


class AskExtension(TableAction, frozen=True):
    """Ask for more time, in words if one likes; granted when most people at the table ask."""

    text: Text = ""


class Cover(TableAction, frozen=True):
    """Let a bot play for a seat whose person is away, until they are back."""

    seat: SeatNumber


class Resign(TableAction, frozen=True):
    """Give one's seat to a bot for good."""


class HandOver(TableAction, frozen=True):
    """Give one's seat to whoever asked for it, or say that another's should be given to them."""

    ask: AskNumber


class RefuseSeat(TableAction, frozen=True):
    """Say no to whoever asked for one's seat; the host may do so for any seat."""

    ask: AskNumber


class Mute(TableAction, frozen=True):
    """Hear nothing more of what a seat says, or hear it again."""

    seat: SeatNumber
    muted: bool = True


class PlaceOrder(TableAction, frozen=True):
    """Lay down what the server shall do for one's seat when its time comes."""

    order: AnyOrder


class CancelOrder(TableAction, frozen=True):
    """Take an order back; an offer it has on the table stays there as any other."""

    order: OrderNumber


class ShowWants(TableAction, frozen=True):
    """Show everybody what one wants and has to spare."""

    wants: Goods = NOTHING
    haves: Goods = NOTHING


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
    | Readmit
    | Remove
    | StartGame
    | Pause
    | Resume
    | AskPause
    | AskExtension
    | Cover
    | Resign
    | HandOver
    | RefuseSeat
    | Mute
    | PlaceOrder
    | CancelOrder
    | ShowWants
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

__all__ = ["AnyTableAction", "ClientAction", "LoggedAction", "Seat", "TableAction"]

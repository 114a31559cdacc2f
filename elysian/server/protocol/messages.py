"""Messages: those of the socket, both ways."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from elysian.actions import Invent, ProposeDeal, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import AnyClause, Seat
from elysian.goods import NOTHING, Goods
from elysian.options import Options
from elysian.plan_preview import Payments, Planned
from elysian.record import RecordStanding
from elysian.server.protocol.view_delta import ViewChanges
from elysian.server.table_state.actions import ClientAction, SeatNumber, Text
from elysian.server.table_state.events import LoggedEvent
from elysian.server.table_state.orders import PlacedOrder
from elysian.server.table_state.state import Chair, Lobby, SeatAsk
from elysian.server.table_state.table_options import TableOptions
from elysian.state import Run
from elysian.view import View
from elysian.worth import SeatNeeds

PROTOCOL = 1
LARGEST_FRAME = 16 * 1024

Id = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Name = Annotated[str, Meta(max_length=40)]  # of an offer or a promise


VioletMove = Invent | UpgradeCard | PutIntoPlay | RunConverter

# ---------------------------------------------------------------- what a client sends


class Do(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind", tag="do"):
    """A wish: a move in the game, or something asked of the table."""

    id: Id
    action: ClientAction


class TalkMessage(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind", tag="talk"):
    """Something said, or an offer typed in short form."""

    id: Id
    text: Text
    to: SeatNumber | None = None  # None: to everybody


class Ask(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind", tag="ask"):
    """A question that changes nothing."""

    id: Id
    what: Literal[
        "options", "worth", "terms", "needs", "plan", "best_plan", "payments", "deals", "even", "quote"
    ]
    refused: bool = False  # options: also what is not open, with the reason
    deal: Name | None = None  # worth and terms: of this offer
    clauses: Annotated[tuple[AnyClause, ...], Meta(max_length=60)] = ()  # worth, terms, even, quote: of these
    settles: Annotated[tuple[Name, ...], Meta(max_length=60)] = ()  # worth: promises that it would replace
    runs: Annotated[tuple[Run, ...], Meta(max_length=99)] | None = None  # plan: of these; None: what is free
    action: VioletMove | None = None  # payments: for this


FromClient = Do | TalkMessage | Ask


# ---------------------------------------------------------------- what the server sends


class SeenLine(Struct, frozen=True, gc=False):
    """A line as one seat may see it."""

    n: int
    at: int
    seat: Seat | None  # None: the table itself
    events: tuple[LoggedEvent, ...]
    told: tuple[str, ...]  # each event in words; empty where there is nothing to say


class SeatFace(Struct, frozen=True):
    """What everybody may know of a seat outside the game."""

    seat: Seat
    name: str  # empty: a bot, or nobody
    bot: str | None  # its level; None: a person, or nobody
    species: str | None  # None: not chosen yet
    covered: bool
    host: bool
    program: str | None = None  # what plays here by a token, with its version; None: a person, or no one
    wants: Goods = NOTHING  # as the seat itself shows it
    haves: Goods = NOTHING


class SeatAskFace(Struct, frozen=True):
    """Somebody without a seat who has asked for one."""

    ask: int
    seat: Seat
    name: str
    vouched: tuple[Seat, ...]  # who says they should have it
    due: int | None  # when it changes hands, unless the holder comes back; None: that is not decided


class TableView(Struct, frozen=True):
    """What one seat may know of the table besides the game."""

    table: str
    options: TableOptions
    status: Literal["waiting", "drafting", "playing", "over", "ended"]
    seats: tuple[SeatFace, ...]
    order: tuple[Seat, ...]
    paused: bool
    due: int | None  # None: no clock runs
    left: int | None  # ms kept for after a pause
    asked: tuple[Seat, ...]
    pause_asked: tuple[Seat, ...]
    asks: tuple[SeatAskFace, ...]
    continues: bool
    standing: RecordStanding | None  # what the record it continues can be trusted for; None: there is none
    rematch: str | None
    muted: tuple[Seat, ...]  # by oneself
    orders: tuple[PlacedOrder, ...]  # one's own
    barred: int  # so many people were sent away by the host
    invitation: str  # empty for those without a seat
    chance: str  # the seed of the decks and of the bots' chance; empty until the game is over


class Presence(Struct, frozen=True):
    """Who is connected."""

    here: tuple[Seat, ...]
    watching: int


class Missed(Struct, frozen=True, tag_field="kind", tag="missed"):
    """Lines that came while the client was away."""

    lines: tuple[SeenLine, ...]


class Welcome(Struct, frozen=True, tag_field="kind", tag="welcome"):
    """The whole truth as of line n."""

    n: int
    you: Seat | None  # None: a watcher
    table: TableView
    view: View | None  # None: the game has not begun
    here: Presence
    now: int
    protocol: int = PROTOCOL


class Update(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="kind", tag="update"):
    """A line as it happens, and what it changed."""

    n: int
    at: int
    seat: Seat | None
    events: tuple[LoggedEvent, ...]
    told: tuple[str, ...]
    view: ViewChanges = {}
    table: ViewChanges = {}
    whole: View | None = None  # the first view, when the game begins


class Accepted(Struct, frozen=True, gc=False, tag_field="kind", tag="accepted"):
    """The command is stored as line n."""

    id: str
    n: int


class Rejected(Struct, frozen=True, gc=False, tag_field="kind", tag="refused"):
    """Nothing has changed."""

    id: str | None  # None: the frame had none that could be read
    code: str
    sentence: str
    facts: dict[str, Any] = {}


class Choices(Struct, frozen=True, tag_field="kind", tag="options"):
    """What one can do now."""

    id: str
    n: int
    options: Options | None  # None: no game is on
    told: tuple[str, ...] = ()  # what each choice is called
    why: tuple[str | None, ...] = ()  # why it is not open; None: it is
    must: str = ""  # what the deed is called that keeps one's word and comes before Done


class ToldTerms(Struct, frozen=True, tag_field="kind", tag="terms"):
    """What clauses mean, in words."""

    id: str
    told: tuple[str, ...]


class SeatWorth(Struct, frozen=True):
    """What clauses are worth to a seat, in points; null: nobody can hand over what they say."""

    seat: Seat
    points: float | None


class Worth(Struct, frozen=True, tag_field="kind", tag="worth"):
    """What an offer is worth, and what it changes in the plan of the one who asks, in words."""

    id: str
    n: int
    values: tuple[SeatWorth, ...]
    means: tuple[str, ...] = ()


class Needs(Struct, frozen=True, tag_field="kind", tag="needs"):
    """What seats need and can spare by their best plans."""

    id: str
    n: int
    seats: tuple[SeatNeeds, ...]


class PlanAnswer(Struct, frozen=True, tag_field="kind", tag="plan"):
    """What some white converters take and make; the best plan comes with the moves it begins with."""

    id: str
    n: int
    plan: Planned
    moves: tuple[VioletMove, ...] = ()
    told: tuple[str, ...] = ()  # what each move is called
    gains: tuple[float, ...] = ()  # what each move adds to those before it, in points
    runs: tuple[Run, ...] = ()  # white converters once all moves are made; the plan above needs none of them
    run_gain: float = 0.0
    ahead: float | None = None  # what all of it brings beyond the runs named with the question


class Proposal(Struct, frozen=True):
    """An offer one could make, and what it is worth: to oneself, or to everybody where the table tells."""

    offer: ProposeDeal
    values: tuple[SeatWorth, ...]
    means: tuple[str, ...] = ()  # what it changes in one's own plan, in words


class Proposals(Struct, frozen=True, tag_field="kind", tag="deals"):
    """Offers that bring everybody in them something and that the bots in them take, the best first."""

    id: str
    n: int
    found: tuple[Proposal, ...]


class Quoted(Struct, frozen=True, tag_field="kind", tag="quote"):
    """What a bot says it would want for something."""

    id: str
    n: int
    told: str
    price: Proposal | None  # None: it names none


class Ways(Struct, frozen=True, tag_field="kind", tag="payments"):
    """In which ways a price can be paid."""

    id: str
    n: int
    ways: Payments


class Present(Struct, frozen=True, tag_field="kind", tag="presence"):
    """Somebody came or went."""

    here: tuple[Seat, ...]
    watching: int


class ClockNow(Struct, frozen=True, tag_field="kind", tag="clock"):
    """How the clock stands; times in ms since 1970."""

    now: int
    due: int | None
    left: int | None
    last_call: bool = False


class Closing(Struct, frozen=True, tag_field="kind", tag="closing"):
    """The server is about to stop."""

    sentence: str


FromServer = (
    Missed
    | Welcome
    | Update
    | Accepted
    | Rejected
    | Choices
    | ToldTerms
    | Worth
    | Needs
    | PlanAnswer
    | Proposals
    | Quoted
    | Ways
    | Present
    | ClockNow
    | Closing
)


# ---------------------------------------------------------------- lines of /api/stream


class OpenTable(Struct, frozen=True):
    """A table that waits for players and is open to bots."""

    table: str
    title: str
    edition: str
    pace: str
    seats: int
    free: tuple[Seat, ...]


class OpenSeats(Struct, frozen=True, tag_field="kind", tag="seats"):
    """Every table with open seats; told at the beginning and whenever it is otherwise."""

    tables: tuple[OpenTable, ...]


class TableNow(Struct, frozen=True, tag_field="kind", tag="table"):
    """A table one sits at: told when one sits down, and whenever its status changes."""

    table: str
    title: str
    seat: Seat
    status: Literal[
        "waiting", "drafting", "playing", "over", "ended", "left"
    ]  # left: one no longer sits there
    points: tuple[float, ...] = ()  # by seat, once the game is over


class Needed(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="needs"):
    """One's seat is waited for, or somebody waits for its answer; told once for each such moment."""

    table: str
    n: int
    seat: Seat
    turn: int
    step: str  # of the game; "draft": a species is to be chosen
    waited: bool  # False: there are only offers to be answered
    options: Options | None = None  # what one can do; None: in a draft
    view: View | msgspec.UnsetType = msgspec.UNSET  # where it was asked for


class StreamEnded(Struct, frozen=True, tag_field="kind", tag="ended"):
    """The last line of a stream; the codes are those a socket is closed with, 1000 when its time was up."""

    code: int


FromStream = OpenSeats | TableNow | Needed | StreamEnded

ENCODER = msgspec.json.Encoder()
encode = ENCODER.encode


# ---------------------------------------------------------------- the table's face


def seat_face(lobby: Lobby, seat: Seat, chair: Chair) -> SeatFace:
    """What everybody may know of a seat."""
    return SeatFace(
        seat=seat,
        name=chair.name,
        bot=chair.bot,
        species=chair.species,
        covered=chair.covered,
        host=bool(chair.person) and chair.person == lobby.host,
        program=chair.program,
        wants=chair.wants,
        haves=chair.haves,
    )


def _ask_face(ask: SeatAsk) -> SeatAskFace:
    vouched = tuple(sorted(seat for seat in ask.vouched if seat is not None))
    return SeatAskFace(ask.ask, ask.seat, ask.name, vouched, ask.due)


def table_view(table: str, lobby: Lobby, seat: Seat | None) -> TableView:
    """What a seat may know of the table; it has no place for anybody's person or key."""
    return TableView(
        table=table,
        options=lobby.options,
        status=lobby.status,
        seats=tuple(seat_face(lobby, number, chair) for number, chair in enumerate(lobby.chairs)),
        order=lobby.order,
        paused=lobby.paused,
        due=lobby.due,
        left=lobby.left,
        asked=tuple(sorted(lobby.asked)),
        pause_asked=tuple(sorted(lobby.pause_asked)),
        asks=tuple(_ask_face(ask) for ask in lobby.asks),
        continues=lobby.continues,
        standing=lobby.standing,
        rematch=lobby.rematch,
        muted=tuple(sorted(other for by, other in lobby.muted if by == seat)),
        orders=() if seat is None else lobby.chairs[seat].orders,
        barred=len(lobby.barred),
        invitation=lobby.invitation if seat is not None else "",
        chance=lobby.seed if lobby.status == "over" else "",
    )


def table_changes(before: TableView, after: TableView) -> ViewChanges:
    """The fields of the table's face that a line replaced."""
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in TableView.__struct_fields__)
    return {name: new for name, old, new in pairs if old != new}

"""Wire: the messages of the socket, both ways, and how strictly a frame is read."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from elysian.deals import AnyClause, Seat
from elysian.options import Options
from elysian.server.actions import AnyWish, SeatNumber, TableOptions, Text
from elysian.server.changes import Changes
from elysian.server.events import AnyHappening
from elysian.server.refusal import Refused
from elysian.server.seating import Chair, Lobby
from elysian.view import View
from elysian.worth import SeatNeeds

PROTOCOL = 1
LARGEST_FRAME = 16 * 1024
DEEPEST = 32  # of a frame's brackets

Id = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]


# ---------------------------------------------------------------- what a client sends


class Do(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="do"):
    """A wish: a move in the game, or something asked of the table."""

    id: Id
    action: AnyWish


class Talk(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="talk"):
    """Something said, or an offer typed in short form."""

    id: Id
    text: Text
    to: SeatNumber | None = None  # None: to everybody


class Ask(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ask"):
    """A question that changes nothing."""

    id: Id
    what: Literal["options", "worth", "terms", "needs"]
    refused: bool = False  # options: also what is not open, with the reason
    deal: Annotated[str, Meta(max_length=40)] | None = None  # worth and terms: of this offer
    clauses: Annotated[tuple[AnyClause, ...], Meta(max_length=60)] = ()  # worth and terms: of these clauses


FromClient = Do | Talk | Ask


# ---------------------------------------------------------------- what the server sends


class SeenLine(Struct, frozen=True):
    """A line as one seat may see it."""

    n: int
    at: int
    seat: Seat | None  # None: the table itself
    events: tuple[AnyHappening, ...]
    told: tuple[str, ...]  # each event in words; empty where there is nothing to say


class SeatFace(Struct, frozen=True):
    """What everybody may know of a seat outside the game."""

    seat: Seat
    name: str  # empty: a bot, or nobody
    bot: str | None  # its level; None: a person, or nobody
    species: str | None  # None: not chosen yet
    covered: bool
    host: bool


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
    continues: bool
    rematch: str | None
    muted: tuple[Seat, ...]  # by oneself
    invitation: str  # empty for those without a seat


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


class Update(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="update"):
    """A line as it happens, and what it changed."""

    n: int
    at: int
    seat: Seat | None
    events: tuple[AnyHappening, ...]
    told: tuple[str, ...]
    view: Changes = {}
    table: Changes = {}
    whole: View | None = None  # the first view, when the game begins


class Accepted(Struct, frozen=True, tag_field="kind", tag="accepted"):
    """The command is stored as line n."""

    id: str
    n: int


class Refusal(Struct, frozen=True, tag_field="kind", tag="refused"):
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


class Terms(Struct, frozen=True, tag_field="kind", tag="terms"):
    """What clauses mean, in words."""

    id: str
    told: tuple[str, ...]


class SeatWorth(Struct, frozen=True):
    """What clauses are worth to a seat, in points."""

    seat: Seat
    points: float


class Worth(Struct, frozen=True, tag_field="kind", tag="worth"):
    """What an offer is worth."""

    id: str
    n: int
    values: tuple[SeatWorth, ...]


class Needs(Struct, frozen=True, tag_field="kind", tag="needs"):
    """What seats need and can spare by their best plans."""

    id: str
    n: int
    seats: tuple[SeatNeeds, ...]


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
    | Refusal
    | Choices
    | Terms
    | Worth
    | Needs
    | Present
    | ClockNow
    | Closing
)

ENCODER = msgspec.json.Encoder()
encode = ENCODER.encode


# ---------------------------------------------------------------- reading a frame

_FRAME = msgspec.json.Decoder(FromClient)
_ID = re.compile(r'"id"\s*:\s*"([A-Za-z0-9_-]{8,64})"')


def id_in(frame: str) -> str | None:
    """The id of a frame that could not be read, so that its refusal finds its way."""
    found = _ID.search(frame)
    return found[1] if found else None


def read_frame(frame: str | bytes) -> FromClient:
    """The message in a frame; raises Refused that says what is wrong with it."""
    return read(_FRAME, frame)  # type: ignore[no-any-return]


def read(decoder: msgspec.json.Decoder[Any], text: str | bytes) -> Any:
    """Decode strictly; raises Refused: bad_json, bad_text, duplicate_key, or what does not fit where."""
    try:
        raw = text.encode() if isinstance(text, str) else text
        raw.decode()
    except UnicodeError:
        raise Refused("bad_text", status=400) from None
    _check_shape(raw)
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as problem:
        raise misfit(str(problem)) from None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("bad_text" if _HALF.search(raw) else "bad_json", status=400) from None


def _check_shape(raw: bytes) -> None:
    """Refuse deep nesting before it is walked, numbers no page could hold, and keys that are given twice."""
    if _LONG.search(raw) and (number := _LONG.search(_STRING.sub(b"", raw))):
        raise Refused("out_of_range", status=400, what="", where=f"{number[0].decode()}…")
    if _is_deep(raw) and _is_deep(_STRING.sub(b"", raw)):
        raise Refused("bad_json", status=400)
    if raw.count(b":") > 1:
        _check_keys(raw)


def _is_deep(raw: bytes) -> bool:
    depth = 0
    for sign in raw.translate(None, _NO_BRACKETS):
        depth += 1 if sign in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # half of a sign, perhaps without its other half
# A string that is never closed goes to the end, so that nothing is looked through twice.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_LONG = re.compile(rb"[0-9]{16}")
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in b"[]{}")
_TOKEN = re.compile(_STRING.pattern + rb"|[{}\[\],:]", re.DOTALL)


def _check_keys(raw: bytes) -> None:
    """Both of two equal keys might be meant, so neither is believed."""
    open_objects: list[set[bytes] | None] = []
    last: bytes | None = None
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token == b"{":
            open_objects.append(set())
        elif token == b"[":
            open_objects.append(None)
        elif token in (b"}", b"]"):
            if open_objects:
                open_objects.pop()
        elif token == b":" and last is not None and open_objects:
            keys = open_objects[-1]
            if keys is not None:
                key = _spelled_out(last)
                if key in keys:
                    raise Refused("bad_json", status=400)
                keys.add(key)
        last = token


def _spelled_out(key: bytes) -> bytes:
    """A key without escapes, as it is meant."""
    if b"\\" not in key:
        return key
    try:
        return b'"' + msgspec.json.decode(key, type=str).encode() + b'"'
    except (msgspec.MsgspecError, ValueError):
        raise Refused("bad_json", status=400) from None


# What msgspec says of a value that does not fit, and what we call it.
_MISFITS = (
    (re.compile(r"contains unknown field `(?P<what>[^`]{0,40})"), "unknown_field"),
    (re.compile(r"Invalid value '(?P<what>[^']{0,40})"), "unknown_command"),
    (re.compile(r"missing required field `(?P<what>[^`]{0,40})"), "missing_field"),
    (re.compile(r"(?:>= |<= |out of range|too big|too large)"), "out_of_range"),
    (re.compile(r"of length|matching regex"), "out_of_range"),
)
_WHERE = re.compile(r"at `\$\.?(?P<where>[^`]*)`")


def misfit(problem: str) -> Refused:
    """A refusal for a message of the wrong shape."""
    place = _WHERE.search(problem)
    where = place["where"] if place else ""
    for pattern, code in _MISFITS:
        found = pattern.search(problem)
        if found:
            if code == "unknown_command" and not where.endswith("kind"):
                code = "bad_value"
            what = found.groupdict().get("what") or ""
            return Refused(code, status=400, what=what, where=where)
    return Refused("bad_type", status=400, what="", where=where)


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
    )


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
        continues=lobby.continues,
        rematch=lobby.rematch,
        muted=tuple(sorted(other for by, other in lobby.muted if by == seat)),
        invitation=lobby.invitation if seat is not None else "",
    )


def table_changes(before: TableView, after: TableView) -> Changes:
    """The fields of the table's face that a line replaced."""
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in TableView.__struct_fields__)
    return {name: new for name, old, new in pairs if old != new}

"""Table options: what is agreed about a table before the game begins."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from elysian.state import Edition, Handicap

LevelName = Annotated[str, Meta(max_length=100)]  # a plug-in or a language model has a longer name
SpeciesId = Annotated[str, Meta(max_length=20)]
GroupId = Annotated[str, Meta(max_length=40)]
BotPace = Literal["slow", "normal", "fast"]
Seconds = Annotated[int, Meta(ge=1, le=30 * 24 * 3600)]


class Clock(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How long trading, and every other step, may take."""

    trade: Seconds = 600
    step: Seconds = 180


class TableOptions(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What is agreed about a table before the game begins."""

    title: Annotated[str, Meta(max_length=60)] = ""
    seats: Annotated[int, Meta(ge=3, le=9)] = 4
    edition: Edition = "2020"
    precise_scoring: bool = False
    precise_when_tied: bool = False
    handicaps: Annotated[tuple[Handicap, ...], Meta(max_length=9)] = ()
    private_offers: bool = False
    allow_three: bool = False
    species: Literal["choice", "random", "draft", "fresh"] = "choice"  # fresh: nobody what they lately had
    exclude: Annotated[tuple[SpeciesId, ...], Meta(max_length=9)] = ()
    hardest: Annotated[int, Meta(ge=1, le=6)] | None = None  # None: any difficulty
    public: bool = True
    watchers: bool = True
    open_to_bots: bool = False  # bots with a token may take free seats without an invitation
    help: Literal["off", "own", "both"] = "own"
    cover: Annotated[int, Meta(ge=0, le=1440)] | None = None  # minutes; None: an absent seat is not covered
    cover_kind: Literal["clock", "careful", "full"] = "clock"  # what is done for it; full: a bot plays
    cover_level: LevelName = "standard"  # of that bot, and of one who plays on for who has left
    pace: Literal["live", "async"] = "live"
    bots: BotPace = "normal"  # how long bots leave people to themselves
    clock: Clock | None = None  # None: no clock
    group: GroupId = ""  # whose game it is; empty: no group's

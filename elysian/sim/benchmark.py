"""The benchmark: a fixed protocol any player can be measured by, and a file of results that can be checked.

A protocol never changes under its version: the decks, line-ups and seats are the same for everybody. Every
deck is played with the player on one seat among its opponents, on half of the seats (and again on the
other half), and on all seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from statistics import fmean
from typing import Any, Literal

import msgspec
from msgspec import Struct

from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.events import DealStruck, ObligationBroken, ObligationKept, PledgePaid
from elysian.players import Player
from elysian.players.levels import make, versions
from elysian.record import Record, Seated, dump
from elysian.rules import begin, evolve
from elysian.sim import REFUSED, Times, play_game
from elysian.sim.figures import interval
from elysian.state import Settings
from elysian.view import view
from elysian.worth import gain_of

VERSION = 1
Part = Literal["one", "half", "whole"]
PARTS: tuple[Part, ...] = ("one", "half", "whole")


class Protocol(Struct, frozen=True):
    """What is played: so many decks of each table size, against whom."""

    name: str
    decks: dict[int, int]  # seats -> how many decks; a shorter protocol plays the first of the longer one's
    opponent: str = "standard"

    @property
    def title(self) -> str:
        """The name with the version, as results cite it."""
        return f"{self.name}-{VERSION}"


PROTOCOLS = {
    one.name: one
    for one in (
        Protocol("full", {4: 12, 6: 6}),
        Protocol("small", {4: 4}),
        Protocol("trial", {4: 4}, "fair"),  # seconds, to see that a player gets through; no result to cite
    )
}


def protocol_named(name: str) -> Protocol:
    """The protocol of that name, with or without its version; raises ValueError with a sentence."""
    plain, _, version = name.partition("-")
    if plain not in PROTOCOLS or version not in ("", str(VERSION)):
        known = ", ".join(one.title for one in PROTOCOLS.values())
        raise ValueError(f"There is no protocol {name!r}; the protocols are {known}.")
    return PROTOCOLS[plain]


class BenchmarkGame(Struct, frozen=True):
    """One game of a protocol; the same game gives the same record wherever it is played."""

    number: int
    part: Part
    deck: str
    settings: Settings
    levels: tuple[str, ...]  # by seat
    seats: tuple[Seat, ...]  # of the player that is measured
    name: str = ""

    @property
    def seed(self) -> str:
        """Of the deck; games of the same deck differ in who sits where."""
        return f"benchmark-{VERSION}/{self.deck}"

    @property
    def seated(self) -> tuple[Seated, ...]:
        """Who sits where, as the record says it."""
        of = versions(self.levels)
        return tuple(Seated(name=level, version=of[level]) for level in self.levels)

    def again(self) -> str:
        """Which piece of work it is, for whoever looks for a mistake."""
        return f"while playing {self!r}"

    def play(self) -> tuple[BenchmarkOutcome, bytes]:
        """The outcome with its record."""
        players = [make(level) for level in self.levels]
        # A default that came from another process is only left out of the record when it is read anew.
        settings = msgspec.convert(msgspec.to_builtins(self.settings), Settings)
        result = play_game(settings, self.seed, players, self.seed, self.seated)
        asks = tuple(of if seat in self.seats else "" for seat, of in enumerate(result.asks))
        record = dump(result.record)
        outcome = BenchmarkOutcome(
            number=self.number,
            part=self.part,
            deck=self.deck,
            seats=self.seats,
            points=tuple(score.total / 12 for score in result.scores),
            winners=tuple(score.seat for score in result.scores if score.winner),
            dealings=dealings(result.record, self.seats),
            asks=asks,
            usage=_usage(players[seat] for seat in self.seats),
            record=record.decode(),
            times=sum((of for seat in self.seats for of in result.times[seat].values()), Times()),
        )
        return outcome, record


class Dealings(Struct, frozen=True):
    """What the measured seats dealt and promised in a game."""

    deals: int = 0  # with at least one opponent
    gain: float = 0.0  # of those deals, for the measured seats, when they were struck
    whole: float = 0.0  # the same for all parties
    kept: int = 0  # promises
    broken: int = 0


class BenchmarkOutcome(Struct, frozen=True):
    """A game of a protocol that is over."""

    number: int
    part: Part
    deck: str
    seats: tuple[Seat, ...]
    points: tuple[float, ...]  # by seat
    winners: tuple[Seat, ...]
    dealings: Dealings
    asks: tuple[str, ...]  # of the measured seats; empty for the others
    usage: dict[str, int]  # whatever the player counts, for instance tokens of a language model
    record: str  # lines of JSON
    times: Times = Times()  # CPU time of its decisions; differs from run to run, and is kept apart

    @property
    def refused(self) -> int:
        """Actions of the measured seats that the rules refused."""
        return sum(of.count(REFUSED) for of in self.asks)

    def mean(self, own: bool) -> float:
        """The mean points of the measured seats, or of the others."""
        return fmean(points for seat, points in enumerate(self.points) if (seat in self.seats) == own)


# ---------------------------------------------------------------- what is played


def schedule(protocol: Protocol, player: str) -> list[BenchmarkGame]:
    """Every game of a protocol with this player, in order."""
    games: list[BenchmarkGame] = []
    for size, count in protocol.decks.items():
        for n in range(count):
            deck = f"{size}/{n}"
            for part, seats in seatings(size, n):
                levels = tuple(player if seat in seats else protocol.opponent for seat in range(size))
                games.append(
                    BenchmarkGame(
                        number=len(games),
                        part=part,
                        deck=deck,
                        settings=settings_of(deck),
                        levels=levels,
                        seats=seats,
                    )
                )
    return games


def seatings(size: int, n: int) -> Iterator[tuple[Part, tuple[Seat, ...]]]:
    """Where the player sits on the n-th deck of a size: a Latin square over `size` decks, and both halves."""
    yield "one", (n % size,)
    drawn = Random(f"benchmark-{VERSION}/{size}/{n}/half").sample(range(size), size // 2)
    yield "half", tuple(sorted(drawn))
    yield "half", tuple(seat for seat in range(size) if seat not in drawn)
    yield "whole", tuple(range(size))


def settings_of(deck: str) -> Settings:
    """The table a deck is played at: its species are drawn once for all."""
    rng = Random(f"benchmark-{VERSION}/{deck}/species")
    return Settings(species=tuple(rng.sample(sorted(CATALOG.species), int(deck.partition("/")[0]))))


class Reference(Struct, frozen=True):
    """What the central player reached on a deck, and what nobody can surpass; all seats together."""

    central: float
    bound: float


@cache
def references() -> Mapping[str, Reference]:
    """The reference of every deck, measured once for this version of the protocol (tools/benchmark.py)."""
    raw = files("elysian.sim").joinpath(f"benchmark-{VERSION}.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, Reference])


# ---------------------------------------------------------------- what is measured


def dealings(record: Record, seats: tuple[Seat, ...]) -> Dealings:
    """What these seats dealt and promised, read from a record."""
    deals, gain, whole, kept, broken = 0, 0.0, 0.0, 0, 0
    state = begin(record.head.started)
    for entry in record.entries:
        for event in entry.events:
            if isinstance(event, DealStruck) and 0 < len(set(event.parties) & set(seats)) < len(
                event.parties
            ):
                deal = state.deals[event.deal]
                gains = {s: gain_of(view(state, s), s, deal, event.parties) for s in event.parties}
                deals += 1
                whole += sum(gains.values())
                gain += sum(worth for seat, worth in gains.items() if seat in seats)
            elif isinstance(event, ObligationKept | PledgePaid | ObligationBroken):
                owed = state.obligations.get(event.obligation)
                if owed is not None and owed.debtor in seats:
                    broken += isinstance(event, ObligationBroken)
                    kept += isinstance(event, ObligationKept)
                    kept += isinstance(event, PledgePaid) and event.left is None
            state = evolve(state, event)
    return Dealings(deals=deals, gain=round(gain, 2), whole=round(whole, 2), kept=kept, broken=broken)


def _usage(players: Iterable[Player]) -> dict[str, int]:
    """What players counted themselves: an optional attribute `usage`, of which whole numbers are taken."""
    total: dict[str, int] = {}
    for player in players:
        usage = getattr(player, "usage", None)
        if isinstance(usage, Struct):
            usage = msgspec.structs.asdict(usage)  # as a language model's seat has it
        for word, number in usage.items() if isinstance(usage, Mapping) else ():
            if isinstance(word, str) and type(number) is int:
                total[word] = total.get(word, 0) + number
    return dict(sorted(total.items()))


def figures(outcomes: Sequence[BenchmarkOutcome]) -> dict[str, Any]:
    """What came of the games; everything in it can be read from them again."""
    sizes = sorted({len(one.points) for one in outcomes})
    tables = [
        _row(size, part, some)
        for size in sizes
        for part in PARTS
        if (some := [one for one in outcomes if one.part == part and len(one.points) == size])
    ]
    deals = [one.dealings for one in outcomes]
    gain, whole = sum(one.gain for one in deals), sum(one.whole for one in deals)
    kept, broken = sum(one.kept for one in deals), sum(one.broken for one in deals)
    usage: dict[str, int] = {}
    for one in outcomes:
        for word, number in one.usage.items():
            usage[word] = usage.get(word, 0) + number
    return {
        "games": len(outcomes),
        "tables": tables,
        "welfare": _welfare([one for one in outcomes if one.part == "whole"]),
        "deals": sum(one.deals for one in deals),
        "gain": round(gain, 2),
        "gain_of_all": round(whole, 2),
        "share_of_gain": round(gain / whole, 4) if whole > 0 else None,
        "promises_kept": kept,
        "promises_broken": broken,
        "share_kept": round(kept / (kept + broken), 4) if kept + broken else None,
        "refused": sum(one.refused for one in outcomes),
        "usage": dict(sorted(usage.items())),
    }


def _row(size: int, part: Part, outcomes: list[BenchmarkOutcome]) -> dict[str, Any]:
    own = [one.mean(True) for one in outcomes]
    row: dict[str, Any] = {
        "seats": size,
        "part": part,
        "games": len(outcomes),
        "points": round(fmean(own), 3),
        "interval": _rounded(interval(own)),
        "by_game": [round(points, 3) for points in own],
    }
    if part != "whole":
        ahead = [one.mean(True) - one.mean(False) for one in outcomes]
        row |= {
            "others": round(fmean(one.mean(False) for one in outcomes), 3),
            "ahead": round(fmean(ahead), 3),
            "ahead_interval": _rounded(interval(ahead)),
            "won": sum(bool(set(one.winners) & set(one.seats)) for one in outcomes),
        }
    return row


def _welfare(whole: list[BenchmarkOutcome]) -> dict[str, Any] | None:
    """The points of whole tables beside those of the central player and the bound on the same decks."""
    known = references()
    pairs = [(sum(one.points), known[one.deck]) for one in whole if one.deck in known]
    if not pairs:
        return None
    reached = sum(total for total, _ in pairs)
    return {
        "games": len(pairs),
        "of_central": round(reached / sum(of.central for _, of in pairs), 4),
        "interval": _rounded(interval([total / of.central for total, of in pairs]), 4),
        "of_bound": round(reached / sum(of.bound for _, of in pairs), 4),
    }


def _rounded(ends: tuple[float, float], digits: int = 3) -> list[float]:
    return [round(end, digits) for end in ends]


__all__ = [
    "PROTOCOLS",
    "VERSION",
    "BenchmarkGame",
    "BenchmarkOutcome",
    "Dealings",
    "Protocol",
    "dealings",
    "figures",
    "protocol_named",
    "references",
    "schedule",
    "seatings",
    "settings_of",
]

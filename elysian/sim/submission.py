"""Submissions: the file of a benchmark's results, and how it is checked by somebody who trusts nobody.

A file is gzipped lines of JSON: what was measured, every game with its record, and last, apart from what two
runs can be compared by, how long it took.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian import __version__
from elysian.actions import Action
from elysian.deals import Seat
from elysian.players.levels import check_levels, make, versions
from elysian.record import DamagedRecord, Record, check, load
from elysian.rules.setup import start
from elysian.sim import SILENT, Times, play_again
from elysian.sim.benchmark import (
    BenchmarkGame,
    BenchmarkOutcome,
    Protocol,
    dealings,
    figures,
    protocol_named,
    schedule,
)
from elysian.sim.welfare import scores_of

FORMAT = 1
CLOSE = 0.02  # by so much gains may differ from machine to machine, as solvers round


class SubmissionHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: who was measured by what, and the figures."""

    format: int
    protocol: str
    player: str
    version: str
    elysian: str
    figures: dict[str, Any]


class SubmissionTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how long the decisions took, and a digest of all lines before it."""

    compared: str
    decisions: int
    cpu_seconds: float
    mean_ms: float
    p95_ms: float


class Submission(Struct, frozen=True):
    """What a file of results holds, read or to be written."""

    head: SubmissionHead
    games: tuple[BenchmarkOutcome, ...]
    times: SubmissionTimes


class DamagedSubmission(ValueError):  # noqa: N818 - says what it is
    """A file that holds no results; the message says where."""


def submission(protocol: Protocol, player: str, outcomes: Sequence[BenchmarkOutcome]) -> Submission:
    """The results of a finished run."""
    of = versions((player,))[player]
    head = SubmissionHead(FORMAT, protocol.title, player, of, __version__, figures(outcomes))
    times = sum((one.times for one in outcomes), Times())
    games = tuple(replace(one, times=Times()) for one in outcomes)
    return Submission(
        head=head,
        games=games,
        times=SubmissionTimes(
            compared=hashlib.sha256(_compared(head, games)).hexdigest(),
            decisions=times.count,
            cpu_seconds=round(times.seconds, 3),
            mean_ms=round(1000 * times.mean, 3),
            p95_ms=round(1000 * times.quantile(0.95), 3),
        ),
    )


def _compared(head: SubmissionHead, games: Sequence[BenchmarkOutcome]) -> bytes:
    """What two runs of the same deterministic player have in common, to the byte."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (head, *games))


def encode(results: Submission) -> bytes:
    """The bytes of a file of results; the same results give the same bytes."""
    lines = _compared(results.head, results.games) + msgspec.json.encode(results.times) + b"\n"
    return gzip.compress(lines, mtime=0)


def read(path: Path) -> Submission:
    """The results in a file; raises DamagedSubmission, or OSError when there is no such file."""
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DamagedSubmission(f"{path} is no file of results: it is not gzipped, or cut short.") from None
    if len(lines) < 3:
        raise DamagedSubmission(f"{path} is no file of results: it has {len(lines)} lines.")
    try:
        head = msgspec.json.decode(lines[0], type=SubmissionHead)
        if head.format != FORMAT:
            raise DamagedSubmission(f"{path}: format {head.format} is not known here, only {FORMAT}.")
        games = tuple(msgspec.json.decode(line, type=BenchmarkOutcome) for line in lines[1:-1])
        return Submission(head, games, msgspec.json.decode(lines[-1], type=SubmissionTimes))
    except msgspec.MsgspecError as problem:
        raise DamagedSubmission(f"{path} is no file of results: {problem}.") from None


# ---------------------------------------------------------------- checking


def problems(results: Submission, opponents: bool = False) -> Iterator[str]:
    """Everything that is wrong with results, each in a sentence; raises ValueError for an unknown protocol.

    Every action is decided again by today's rules, and every figure is made again from the records. With
    `opponents` the other seats choose anew too: what they did must be what such players do.
    """
    protocol = protocol_named(results.head.protocol)
    due = schedule(protocol, results.head.player)
    if len(results.games) != len(due):
        yield f"{protocol.title} has {len(due)} games, but the file has {len(results.games)}."
        return
    for game, outcome in zip(due, results.games, strict=True):
        for problem in _problems(game, outcome, results.head, opponents):
            yield f"Game {game.number + 1} ({game.part} of deck {game.deck}): {problem}"
    if msgspec.json.encode(figures(results.games)) != msgspec.json.encode(results.head.figures):
        yield "The figures are not those of the games."
    if hashlib.sha256(_compared(results.head, results.games)).hexdigest() != results.times.compared:
        yield "The digest in the last line is not that of the lines before it."


def _problems(
    game: BenchmarkGame, outcome: BenchmarkOutcome, head: SubmissionHead, opponents: bool
) -> Iterator[str]:
    told = (outcome.number, outcome.part, outcome.deck, outcome.seats)
    if told != (game.number, game.part, game.deck, game.seats):
        yield "it is not the game that is due here."
        return
    try:
        record = load(outcome.record.encode())
        differences = check(record)
        points = scores_of(record)
    except (DamagedRecord, ValueError) as problem:
        yield f"its record cannot be used: {problem}."
        return
    if record.head.seed != game.seed or record.head.started != start(game.settings, game.seed):
        yield "its record begins with other decks than the protocol says."
        return
    if tuple(one.name for one in record.head.players) != game.levels or any(
        record.head.players[seat].version != head.version for seat in game.seats
    ):
        yield "other players sat there than the protocol says."
    for one in differences[:1]:
        yield f"today's rules decide entry {one.n} otherwise."
    if points != outcome.points:
        yield f"the points are {points}, not {outcome.points}."
    yield from _dealt(record, outcome)
    if opponents:
        yield from _played_otherwise(game, outcome, record)


def _dealt(record: Record, outcome: BenchmarkOutcome) -> Iterator[str]:
    found, told = dealings(record, outcome.seats), outcome.dealings
    counted = (found.deals, found.kept, found.broken) == (told.deals, told.kept, told.broken)
    slack = CLOSE * (1 + found.deals)
    if not counted or abs(found.gain - told.gain) > slack or abs(found.whole - told.whole) > slack:
        yield f"its dealings are {found}, not {told}."


class _Nobody:
    """Sits where the record is followed, and is never asked."""

    def choose(self, *_: Any) -> None:
        return None


def _played_otherwise(game: BenchmarkGame, outcome: BenchmarkOutcome, record: Record) -> Iterator[str]:
    others = [level for seat, level in enumerate(game.levels) if seat not in game.seats]
    check_levels(others)
    players = [_Nobody() if seat in game.seats else make(name) for seat, name in enumerate(game.levels)]
    asks = tuple(of or SILENT if seat in game.seats else "" for seat, of in enumerate(outcome.asks))
    again = play_again(record, players, asks, game.seed)
    if _moves(again) != _moves(record):
        same = next(n for n, (a, b) in enumerate(zip_longest(_moves(again), _moves(record))) if a != b)
        yield f"the opponents do not play like {', '.join(sorted(set(others)))} from entry {same + 1} on."


def _moves(record: Record) -> list[tuple[Seat | None, Action]]:
    """Who did what; the reasons they gave are words, and may be put otherwise in another version."""
    return [
        (one.seat, replace(one.action, reason="") if hasattr(one.action, "reason") else one.action)
        for one in record.entries
    ]


__all__ = ["DamagedSubmission", "Submission", "encode", "problems", "read", "submission"]

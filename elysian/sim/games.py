"""Games to be played and what is kept of them; a thousand records would fill the memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Pledge, Seat
from elysian.events import DealOffered, DealStruck, Event, ObligationBroken, TechnologyInvented
from elysian.players import Player
from elysian.players.language_model.transcript import transcript_file
from elysian.players.language_model.usage import Usage
from elysian.players.levels import is_model, make, versions
from elysian.players.trader.level import LEVELS as TRADERS
from elysian.players.trader.player import Trader
from elysian.record import Record, Seated, dump
from elysian.sim import Counts, RefusedAction, Times, play_game
from elysian.state import FinalScore, Settings
from elysian.worth import Prices


class Game(Struct, frozen=True):
    """One game to be played; the same game gives the same record wherever it is played."""

    number: int
    settings: Settings
    levels: tuple[str, ...]  # the names of the players, by seat
    seed: int | str
    prices: Prices | None = None  # None: the bots' own
    name: str = ""  # of its record; "": none is kept
    transcripts: str = ""  # the folder for what language models say; "": none are kept

    def play(self) -> tuple[Outcome, bytes]:
        """The outcome, and the record as it would be stored."""
        began = process_time()
        players = [
            seated(level, self.prices, self._transcript(seat)) for seat, level in enumerate(self.levels)
        ]
        # A default that came from another process is only left out of the record when it is read anew.
        settings = msgspec.convert(msgspec.to_builtins(self.settings), Settings)
        of = versions(self.levels)
        who = tuple(Seated(name=level, version=of[level]) for level in self.levels)
        result = play_game(settings, self.seed, players, self.seed, who)
        outcome = Outcome(
            number=self.number,
            species=self.settings.species,
            levels=self.levels,
            scores=result.scores,
            counts=result.counts,
            seats=tally(result.record),
            times=result.times,
            seconds=process_time() - began,
            usage=usage_of(players),
            refused=result.refused,
        )
        return outcome, dump(result.record)

    def again(self) -> str:
        """How to play this game once more, for whoever looks for a mistake in a player."""
        seed, _, number = str(self.seed).rpartition("/")
        if self.prices is not None or not seed.isdecimal():
            return f"while playing {self!r}"
        return (
            f"The same again: elysian simulate --species {','.join(self.settings.species)} "
            f"--bots {','.join(self.levels)} --seed {seed} --games {int(number) + 1} "
            f"--edition {self.settings.edition}"
        )

    def _transcript(self, seat: Seat) -> Path | None:
        """The file for what a language model says at a seat, not there yet; None: none is kept."""
        if not self.transcripts or not is_model(self.levels[seat]):
            return None
        file = transcript_file(Path(self.transcripts, self.name), seat)
        file.unlink(missing_ok=True)  # of a run that was broken off
        return file


class Tally(Struct, frozen=True):
    """What one seat did, in numbers."""

    offers: int = 0  # made
    struck: int = 0  # of the own offers, those that became deals
    deals: int = 0  # it was a party to
    inventions: int = 0
    pledges: int = 0  # made
    broken: int = 0  # pledges

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, f) + getattr(other, f) for f in self.__struct_fields__))


class Outcome(Struct, frozen=True):
    """A game that is over, without its record."""

    number: int
    species: tuple[str, ...]
    levels: tuple[str, ...]
    scores: tuple[FinalScore, ...]
    counts: Counts
    seats: tuple[Tally, ...]
    times: tuple[dict[str, Times], ...]
    seconds: float  # of CPU time
    usage: tuple[Usage | None, ...] = ()  # of language models, by seat; empty: none plays
    refused: tuple[tuple[RefusedAction, ...], ...] = ()  # by seat

    def points(self, seat: Seat) -> float:
        """The final score of a seat, in points."""
        return self.scores[seat].total / 12

    @property
    def mean(self) -> float:
        """The mean score of the table."""
        return sum(score.total for score in self.scores) / 12 / len(self.scores)


def seated(level: str, prices: Prices | None, transcript: Path | None = None) -> Player:
    """A fresh player; prices other than its own only change those who use any."""
    if prices is not None and level in TRADERS:
        return Trader(level, rates=prices)
    return make(level, transcript=transcript)


def usage_of(players: list[Player]) -> tuple[Usage | None, ...]:
    """What language models used, by seat; empty when none plays."""
    used = tuple(getattr(player, "usage", None) for player in players)
    return used if any(isinstance(one, Usage) for one in used) else ()


def tally(record: Record) -> tuple[Tally, ...]:
    """What each seat of a recorded game did."""
    seats = [Tally() for _ in record.head.started.players]
    offered: dict[str, Seat] = {}
    pledged: set[str] = set()
    for entry in record.entries:
        for event in entry.events:
            for seat, more in _told(event, offered, pledged):
                seats[seat] = seats[seat] + more
    return tuple(seats)


def _told(event: Event, offered: dict[str, Seat], pledged: set[str]) -> Iterator[tuple[Seat, Tally]]:
    """What one event adds; remembers who offered which deal, and what was pledged."""
    if isinstance(event, DealOffered):
        offered[event.deal.id] = event.deal.proposer
        yield event.deal.proposer, Tally(offers=1)
    elif isinstance(event, DealStruck):
        yield offered[event.deal], Tally(struck=1)
        yield from ((party, Tally(deals=1)) for party in event.parties)
        for promise in event.obligations:
            if isinstance(promise.clause, Pledge):
                pledged.add(promise.id)
                yield promise.debtor, Tally(pledges=1)
    elif isinstance(event, TechnologyInvented):
        yield event.by, Tally(inventions=1)
    elif isinstance(event, ObligationBroken) and event.obligation in pledged:
        yield event.by, Tally(broken=1)


def named(games: list[Game], keep: bool) -> list[Game]:
    """The games with names for their records, if those are to be kept."""
    width = len(str(len(games)))
    return [replace(g, name=f"game-{g.number + 1:0{width}}.jsonl") if keep else g for g in games]


def kept(games: list[Game], folder: Path | None) -> list[Game]:
    """The games with names for their records in a folder; what language models say is put beside them."""
    if folder is None:
        return games
    return [
        replace(game, transcripts=str(folder)) if any(map(is_model, game.levels)) else game
        for game in named(games, keep=True)
    ]


__all__ = ["Game", "Outcome", "Tally", "kept", "named", "seated", "tally", "usage_of"]

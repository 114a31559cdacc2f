"""Welfare: what a table reached, beside what a central player reaches on its decks and what nobody can."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from time import process_time
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from elysian.record import Head, Record, dump, load, replay
from elysian.rules import begin
from elysian.sim.central import LIMITS, Central, bettered
from elysian.sim.figures import interval
from elysian.worth.bound import proven_bound


class Measure(Struct, frozen=True):
    """One game to be measured."""

    number: int
    head: Head
    scored: tuple[float, ...] | None = None  # by seat; None: nobody has played it
    known: bytes = b""  # a record of the best play that is known; the central player begins with it
    central: bool = True  # False: only the bound, which is quick
    work: int = LIMITS.work
    name: str = ""

    def again(self) -> str:
        """Which piece of work it is, for whoever looks for a mistake."""
        return f"while playing {replace(self, known=b'')!r}"

    def play(self) -> tuple[Measured, bytes]:
        """What the central player and the bound come to, and the central player's record."""
        began = process_time()
        started = self.head.started
        most = proven_bound(begin(started))
        reached: tuple[float, ...] | None = None
        record = b""
        if self.central:
            limits = replace(LIMITS, work=self.work)
            # A default that came from another process is only left out of the record when it is read anew.
            head = msgspec.json.decode(msgspec.json.encode(self.head), type=Head)
            played = (
                bettered(load(self.known), limits)
                if self.known
                else Central(Record(head=head, entries=[]), limits).play()
            )
            reached, record = scores_of(played), dump(played)
        measured = Measured(
            number=self.number,
            species=started.settings.species,
            scored=self.scored,
            reached=reached,
            bound=most,
            seconds=process_time() - began,
        )
        return measured, record


class Measured(Struct, frozen=True):
    """The same decks, played, centrally planned, and bounded; in points."""

    number: int
    species: tuple[str, ...]
    scored: tuple[float, ...] | None
    reached: tuple[float, ...] | None  # by seat, of the central player
    bound: float  # all seats together
    seconds: float


def scores_of(record: Record) -> tuple[float, ...]:
    """The final scores of a game by seat; raises ValueError when it is not over."""
    state = replay(record)
    if not state.scores:
        raise ValueError(f"The game stops in turn {state.turn}; only a finished one can be measured.")
    return tuple(score.total / 12 for score in state.scores)


def welfare(games: Sequence[Measured]) -> dict[str, Any]:
    """Means per seat and ratios; a ratio is that of the sums, so that high games count more."""
    figures: dict[str, Any] = {
        "games": len(games),
        "bound_mean": round(fmean(game.bound / len(game.species) for game in games), 3),
    }
    reached = [(sum(game.reached), game) for game in games if game.reached is not None]
    scored = [(sum(game.scored), game) for game in games if game.scored is not None]
    if reached:
        figures["central_mean"] = round(fmean(total / len(game.species) for total, game in reached), 3)
        figures["central_to_bound"] = _ratio([(total, game.bound) for total, game in reached])
    if scored:
        figures["scored_mean"] = round(fmean(total / len(game.species) for total, game in scored), 3)
        figures["scored_to_bound"] = _ratio([(total, game.bound) for total, game in scored])
    both = [(total, sum(game.reached)) for total, game in scored if game.reached is not None]
    if both:
        figures["welfare"] = _ratio(both)
        figures["welfare_interval"] = [round(end, 4) for end in interval([a / b for a, b in both])]
    figures["by_game"] = [
        {
            "number": game.number,
            "species": list(game.species),
            "scored": None if game.scored is None else list(game.scored),
            "central": None if game.reached is None else list(game.reached),
            "bound": round(game.bound, 2),
        }
        for game in games
    ]
    figures["cpu_seconds"] = round(sum(game.seconds for game in games), 2)
    return figures


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    return round(sum(a for a, _ in pairs) / sum(b for _, b in pairs), 4)


__all__ = ["Measure", "Measured", "scores_of", "welfare"]

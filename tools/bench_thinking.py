"""What bots spend their time on: CPU seconds of whole games by part, and how often each part was called.

python -m tools.bench_thinking [--level LEVEL] [--players N] [--games N] [--seed N] [--first N]: the games
that `elysian simulate` plays with that seed. The last word about a game is its record's fingerprint: two
states of the code that print the same one have played the same game.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from time import process_time
from typing import Any

from elysian import sim
from elysian.cli.simulate import games_of
from elysian.players.trader import search
from elysian.players.trader.player import Trader
from elysian.worth import DealModel, plans
from elysian.worth.milp import Programme


class Clock:
    """Seconds and calls of each part, without the parts within it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}
        self._within = [0.0]

    def add(self, part: str, seconds: float) -> None:
        """One call of a part."""
        self.seconds[part] = self.seconds.get(part, 0.0) + seconds
        self.calls[part] = self.calls.get(part, 0) + 1

    def measured(self, function: Callable[..., Any], part: Callable[..., str]) -> Callable[..., Any]:
        """The same function, measured; `part` names it by its result and what it was given."""

        @wraps(function)
        def run(*given: Any, **named: Any) -> Any:
            self._within.append(0.0)
            began = process_time()
            result = function(*given, **named)
            used = process_time() - began
            self.add(part(result, *given), used - self._within.pop())
            self._within[-1] += used
            return result

        return run


def called(name: str) -> Callable[..., str]:
    """A part with one name."""
    return lambda *_: name


def deal_part(found: object, model: DealModel, *_: object) -> str:
    """A search by how many seats it joins and whether it finds anything."""
    size = {2: "pairs", 3: "rings"}.get(len(model.parties), "tables")
    return f"{size}: {'nothing' if found is None else 'a deal'} found"


def measure(clock: Clock) -> None:
    """Measure every part from now on."""
    places: tuple[tuple[Any, str, Callable[..., str]], ...] = (
        (DealModel, "__init__", called("models of deals built")),
        (DealModel, "promise", called("relaxations of deals")),
        (DealModel, "deal", deal_part),
        (plans, "_modelled", called("models of plans built or changed")),
        (plans, "_solve", called("plans read")),
        (Trader, "choose", called("everything else a bot thinks")),
        (sim, "decide", called("rules, views, options")),
        (sim, "view", called("rules, views, options")),
        (sim, "options", called("rules, views, options")),
        (search.DealSearch, "best", called("looking, without what it finds to do")),
    )
    for where, name, part in places:
        setattr(where, name, clock.measured(getattr(where, name), part))
    solve = Programme.solve
    measured = clock.measured(solve, called("plans solved"))

    def solved(programme: Programme, limits: Any) -> Any:
        # A search is one part with its solving; a plan is not.
        return (measured if limits == plans.ALONE else solve)(programme, limits)

    Programme.solve = solved  # type: ignore[method-assign, assignment]


def main() -> None:
    """Play and print."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--level", default="expert")
    said.add_argument("--players", type=int, default=7)
    said.add_argument("--games", type=int, default=1)
    said.add_argument("--seed", type=int, default=1)
    said.add_argument("--first", type=int, default=0, help="leave so many games out")
    said.add_argument("--plain", action="store_true", help="whole games only")
    words = said.parse_args()
    clock = Clock()
    if not words.plain:
        measure(clock)
    line = games_of(words.players, (), "2020", words.first + words.games, words.seed, (words.level,))
    total = 0.0
    for game in line[words.first :]:
        outcome, record = game.play()
        total += outcome.seconds
        print(
            f"game {game.number}: {outcome.seconds:.1f} s, {outcome.mean:.2f} points, "
            f"{outcome.counts.deals} deals, {sha256(record).hexdigest()[:12]}",
            flush=True,
        )
    if words.plain:
        return
    print(f"| {words.level}, {words.players} players, {words.games} games | calls | s | ms a call |")
    print("| --- | ---: | ---: | ---: |")
    clock.add("everything else", total - sum(clock.seconds.values()))
    for part, seconds in sorted(clock.seconds.items(), key=lambda item: -item[1]):
        calls = clock.calls[part]
        print(f"| {part} | {calls} | {seconds:.2f} | {1000 * seconds / calls:.2f} |")
    print(f"| all | | {total:.2f} | |")


if __name__ == "__main__":
    main()

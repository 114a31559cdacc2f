"""Measures the engine beside a named reference in the same run; prints figures, asserts nothing.

The reference is catanatron's random players (a Catan engine on the package index). Both are timed in CPU
seconds, in turns, and the best of several rounds counts, because machines are shared and noisy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import mean

from elysian.options import options
from elysian.players.random.player import RandomPlayer
from elysian.record import Record, replay
from elysian.rules import begin, decide
from elysian.sim import play_game
from elysian.state import Settings, State
from elysian.view import view

ROUNDS = 5
LINE_UPS = {
    4: ("kit", "faderan", "zeth", "unity"),
    7: ("kit", "caylion", "kjas", "faderan", "imdril", "eni_et", "unity"),
    9: ("caylion", "eni_et", "faderan", "imdril", "kjas", "kit", "unity", "yengii", "zeth"),
}


def cpu(work: Callable[[], int]) -> float:
    """How many things the work does in a CPU second."""
    began = time.process_time()
    count = work()
    return count / (time.process_time() - began)


def catanatron_games() -> Callable[[], int] | None:
    """Random games of the reference, counting actions; None where it is not installed."""
    try:
        from catanatron import Color, Game
        from catanatron import RandomPlayer as CatanPlayer
    except ImportError:
        return None
    colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)

    def games() -> int:
        actions = 0
        for seed in range(8):
            game = Game([CatanPlayer(colour) for colour in colours], seed=seed)
            game.play()
            actions += len(game.state.actions)
        return actions

    return games


def recorded(players: int) -> list[Record]:
    """Random games, recorded before anything is timed."""
    settings = Settings(species=LINE_UPS[players])
    seats = range(players)
    return [play_game(settings, seed, [RandomPlayer() for _ in seats], seed).record for seed in range(3)]


def redecide(records: list[Record]) -> Callable[[], int]:
    """Decide every recorded action again."""

    def work() -> int:
        for record in records:
            state = begin(record.head.started)
            for entry in record.entries:
                _, state = decide(state, entry.seat, entry.action)
        return sum(len(record.entries) for record in records)

    return work


def refold(records: list[Record]) -> Callable[[], int]:
    """Fold every recorded event again."""

    def work() -> int:
        for record in records:
            replay(record)
        return sum(len(entry.events) for record in records for entry in record.entries)

    return work


def sampled(records: list[Record]) -> list[State]:
    """Every fifteenth table of the recorded games."""
    return [state for record in records for n, state in enumerate(record.states()) if n % 15 == 0]


def look(states: list[State], ask: Callable[[State, int], object]) -> Callable[[], int]:
    """Ask every seat's question at every sampled table."""

    def work() -> int:
        asked = 0
        for state in states:
            for seat in state.seats():
                ask(state, seat)
                asked += 1
        return asked

    return work


def main() -> None:
    """Print the table."""
    jobs: dict[str, Callable[[], int]] = {}
    reference = catanatron_games()
    if reference is None:
        print("catanatron is not installed here (./play --bench installs it): ratios are left out.\n")
    else:
        jobs["catanatron"] = reference
    for players in LINE_UPS:
        records = recorded(players)
        actions = mean(len(record.entries) for record in records)
        events = mean(sum(len(entry.events) for entry in record.entries) for record in records)
        print(f"{players} players: {actions:.0f} actions and {events:.0f} events a game")
        states = sampled(records)
        jobs[f"decide {players}"] = redecide(records)
        jobs[f"replay {players}"] = refold(records)
        jobs[f"view {players}"] = look(states, view)
        jobs[f"options {players}"] = look(states, options)
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, work in jobs.items():
            best[name] = max(best[name], cpu(work))
    report(best)


def report(best: dict[str, float]) -> None:
    """Print each rate, and what was to be reached."""
    reference = best.get("catanatron")
    print()
    if reference:
        print(f"catanatron, random players      {reference:>9,.0f} actions per CPU second")
    for players in LINE_UPS:
        decided = best[f"decide {players}"]
        print(f"\n{players} players")
        for name, unit, goal in (("decide", "actions", 1.5), ("replay", "events", 2.5)):
            rate = best[f"{name} {players}"]
            ratio = f"  {rate / reference:4.2f} x catanatron (goal {goal})" if reference else ""
            print(f"  {name:<28}  {rate:>9,.0f} {unit} per CPU second{ratio}")
        for name, most in (("view", 10), ("options", 100)):
            rate = best[f"{name} {players}"]
            cost = decided / rate
            print(
                f"  {name:<28}  {1e6 / rate:>9,.0f} us, as {cost:.1f} decided actions (goal {most} at most)"
            )


if __name__ == "__main__":
    main()

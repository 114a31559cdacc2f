"""Speed of the environment beside catanatron's, in the same run: steps of a random policy per CPU second.

A step is everything a learner pays for one decision: the observation with its mask, and acting. Ours has four
candidate offers and asks every seat; catanatron's plays its random opponent within the step. Rounds of both
take turns, and each one's best counts, because other work on the machine only ever slows them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

from elysian.envs import elysian_v0

ROUNDS = 12
STEPS = 1500
GOAL = 1.0
FOLDER = Path(__file__).resolve().parent.parent / "build" / "catanatron_gym"  # put there by make bench-envs

Play = Callable[[Random, int], int]


def ours(players: int, offers: int) -> Play:
    """Steps of a random policy at a table of ours."""
    env = elysian_v0.raw_env(players=players, offers=offers)

    def play(rng: Random, steps: int) -> int:
        taken = 0
        while taken < steps:
            env.reset(seed=rng.randrange(1 << 30))
            while True:
                seen, _, over, _, _ = env.last()
                if over or seen is None:
                    break
                legal = seen["action_mask"].nonzero()[0]
                env.step(legal[int(rng.random() * len(legal))])
                taken += 1
        return taken

    return play


def theirs() -> Play | None:
    """The same for catanatron's environment; None where it is not installed."""
    sys.path.append(str(FOLDER))
    warnings.simplefilter("ignore")
    try:
        from catanatron_gym.envs.catanatron_env import CatanatronEnv
    except ImportError:
        return None
    env = CatanatronEnv()

    def play(rng: Random, steps: int) -> int:
        taken = 0
        while taken < steps:
            env.reset(seed=rng.randrange(1 << 30))
            over = False
            while not over:
                legal = env.get_valid_actions()
                _, _, ended, cut, _ = env.step(legal[int(rng.random() * len(legal))])
                over = ended or cut
                taken += 1
        return taken

    return play


def main() -> None:
    """Print the rates and the ratio."""
    jobs: dict[str, Play] = {f"elysian, {n} players": ours(n, 4) for n in (4, 6)}
    reference = theirs()
    if reference is None:
        print("catanatron_gym is not installed here (make bench-envs installs it): the ratio is left out.")
    else:
        jobs["catanatron_gym"] = reference
    rates: dict[str, list[float]] = {name: [] for name in jobs}
    for played in range(ROUNDS):
        for name, play in jobs.items():
            began = process_time()
            steps = play(Random(played), STEPS)
            rates[name].append(steps / (process_time() - began))
    for name, of in rates.items():
        ordered = sorted(of)
        line = (
            f"{name:<20} best {ordered[-1]:>7,.0f}, median {ordered[len(of) // 2]:>7,.0f} steps a CPU second"
        )
        if reference is not None and name != "catanatron_gym":
            best = ordered[-1] / max(rates["catanatron_gym"])
            pairs = sorted(a / b for a, b in zip(of, rates["catanatron_gym"], strict=True))
            line += (
                f"   {best:.2f} x catanatron_gym (median of rounds {pairs[len(pairs) // 2]:.2f}, goal {GOAL})"
            )
        print(line)


if __name__ == "__main__":
    main()

"""How long a bot thinks about the swap of a person it has never met, with nothing remembered.

python -m tools.bench_strangers [--level LEVEL] [--offers N]: tables while trading, of games of `novice`; at
each a person offers a cube or a ship for one of another kind, by lot. CPU time of the answer, which is a
yes, a no or another offer.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

from elysian.actions import ProposeDeal
from elysian.deals import Give
from elysian.goods import Goods
from elysian.options import options
from elysian.players.levels import make
from elysian.players.trader import search
from elysian.players.trader.player import Trader
from elysian.rules import begin, decide
from elysian.sim import play_game
from elysian.species import SPECIES
from elysian.state import Settings, State
from elysian.view import view
from elysian.worth import plans
from elysian.worth.problem import FLOWS

SIZES = (4, 6, 7)  # players


def tables(chance: Random) -> list[State]:
    """Tables while trading, in an order by lot."""
    found = []
    for seed, n in enumerate(SIZES):
        species = tuple(chance.sample(sorted(SPECIES), n))
        record = play_game(Settings(species=species), seed, [make("novice") for _ in species], seed).record
        state = begin(record.head.started)
        for entry in record.entries:
            if state.step == "trade":
                found.append(state)
            _, state = decide(state, entry.seat, entry.action)
    chance.shuffle(found)
    return found


def forget() -> None:
    """Nothing is remembered of any search or plan."""
    search._MEMORY.clear()
    search._models.kept.clear()
    plans._SOLVED.clear()
    plans._models.kept.clear()


def asked(state: State, chance: Random) -> tuple[State, int, int] | None:
    """The table with a swap that a person offers, who and whom; None where there is nothing to swap."""
    person, bot = chance.sample(range(len(state.players)), 2)
    have, wanted = (
        [kind for kind in FLOWS if getattr(state.players[seat].stock, kind)] for seat in (person, bot)
    )
    pairs = [(mine, yours) for mine in have for yours in wanted if mine != yours]
    if not pairs or {person, bot} & state.done:
        return None
    mine, yours = chance.choice(pairs)
    clauses = (
        Give(giver=person, to=bot, goods=Goods(**{mine: 1})),
        Give(giver=bot, to=person, goods=Goods(**{yours: 1})),
    )
    _, then = decide(state, person, ProposeDeal(parties=(person, bot), clauses=clauses))
    return then, person, bot


def main() -> None:
    """Measure and print."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--level", default="expert")
    said.add_argument("--offers", type=int, default=100)
    said.add_argument("--seed", type=int, default=1)
    words = said.parse_args()
    chance = Random(words.seed)
    some = tables(chance)
    times: dict[str, list[float]] = {"all": []}
    while len(times["all"]) < words.offers:
        table = asked(chance.choice(some), chance)
        if table is None:
            continue
        then, person, bot = table
        forget()
        trader = Trader(words.level, people=frozenset({person}))
        seen, choices = view(then, bot), options(then, bot)
        began = process_time()
        action = trader.choose(seen, choices, chance)
        used = process_time() - began
        for name in ("all", type(action).__name__):
            times.setdefault(name, []).append(used)
    for name, every in sorted(times.items()):
        every.sort()
        middle, slow = (1000 * every[int(share * (len(every) - 1))] for share in (0.5, 0.95))
        print(f"{name:<14}{len(every):>5}{middle:>9.1f} ms median{slow:>9.1f} ms p95")


if __name__ == "__main__":
    main()

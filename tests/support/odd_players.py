"""Players of a kind we do not have, for tests of tables that must go on whatever a player does."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from elysian.actions import Action, DeclineDeal, WithdrawDeal
from elysian.options import Options
from elysian.view import View


class Silent:
    """Says nothing, whatever is asked."""

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        return None


class Plain:
    """Does at once what the rules suggest."""

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        return options.cautious


class Late:
    """In trade says nothing three times, and then too late something that nobody can do any more."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        self.asked += 1
        if self.asked > 4:
            return options.cautious
        if self.asked == 4:
            time.sleep(5.0)  # the others are done meanwhile, and the table waits for this seat alone
            return WithdrawDeal(deal="d999")
        return None


class Gated:
    """Notes in the folder GATE how many offers it was asked about, then thinks until the gate is open."""

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        gate = Path(os.environ["GATE"])
        with (gate / f"seat {view.seat}").open("a") as file:
            file.write(f"{len(view.deals)}\n")
        while not (gate / "open").exists():
            time.sleep(0.01)
        return next((DeclineDeal(deal=name) for name in view.deals), None)


class Mistaken:
    """Asked something, wants what the rules refuse, and only then answers."""

    def __init__(self) -> None:
        self.tried: set[str] = set()

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        for name, deal in view.deals.items():
            if view.seat not in deal.parties or deal.proposer == view.seat:
                continue
            if name in self.tried:
                return DeclineDeal(deal=name)
            self.tried.add(name)
            return WithdrawDeal(deal="d999")
        return None

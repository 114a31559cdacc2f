"""What a table could score together: all that can be run, turned over, invented or bought until the end.

Relaxed to fractions, and told the order of the decks, it is a bound that no play can surpass. With whole
numbers in the turn at hand it is the plan of a central player. `docs/arena.md` says what is relaxed.
"""

from __future__ import annotations

from elysian.state import State
from elysian.worth.bound.flows import BoundStep
from elysian.worth.bound.tracks import Tracks
from elysian.worth.milp import Solution, SolverLimits

RELAXED = SolverLimits(work=10**9, gap=0.0, points=0.0, seconds=600.0)


class Horizon(Tracks):
    """The rest of the game from a state on, its decks in the order they lie."""

    def __init__(self, state: State, whole: bool = False, once: bool = False) -> None:
        """Lay it out; `whole`: what is done in the turn at hand is done wholly or not at all.

        `once`: in every turn, what can be done only once is done wholly or not at all: cards are bought,
        invented, put into play and turned over; what is run stays in fractions.
        """
        super().__init__(state, whole, once)
        self.add_tracks()
        self.bind_bids()
        if once:
            self.bind_draws()
        self.add_research()
        for seat in state.seats():
            self.add_cards(seat)
        self.add_relics()
        self.add_colonies()
        self.bind_discounts()
        self._bind_fleets()
        self.bind_goods(self.ships)

    def _bind_fleets(self) -> None:
        """Each support symbol serves one card a turn (IMD-2)."""
        for turn in self.acting:
            needed, there = self.fleets[turn, "needed"], self.fleets[turn, "there"]
            if needed:
                self.programme.bind([*needed, *((v, -n) for v, n in there)], most=0.0)


def upper_bound(state: State) -> float:
    """Points that all seats together cannot surpass from here, however they play: in fractions, quickly."""
    solution = Horizon(state).solve(RELAXED)
    if solution is None:
        raise ArithmeticError("the relaxed programme has no answer")
    return solution.worth


def proven_bound(state: State) -> float:
    """The same, about a tenth lower for some seconds of work.

    What is done once is done wholly or not at all. That programme is too large to be solved, but what the
    solver has proved of it before it begins to branch holds for every play.
    """
    horizon = Horizon(state, once=True)
    horizon.lay_down_points()
    return horizon.programme.proven()


__all__ = ["BoundStep", "Horizon", "Solution", "SolverLimits", "proven_bound", "upper_bound"]

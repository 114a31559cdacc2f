"""An integer programme: variables with a worth, rows that bind them, and the solver behind it.

The same programme must give the same answer on every machine, or a seed would not mean a game: one
thread, a fixed seed, and a limit on the solver's work instead of its time. Another version of the solver
may search in another order and find another of two equally good answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import highspy

# The solver is imported when something is to be solved: whoever plays without bots need not have it.

INFINITE = inf
FEASIBLE = 2  # HiGHS' word for a point that keeps every row
# Searches that cost more than they find on programmes of a few hundred variables.
QUICK = {
    "mip_allow_restart": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_root_reduced_cost": False,
    "mip_heuristic_run_feasibility_jump": False,
}


class SolverLimits(Struct, frozen=True):
    """How long and how exactly to search."""

    work: int = 200  # how often the solver may look up from its work; the same on every machine
    gap: float = 0.001  # of the worth
    points: float = 0.001  # the same in points
    seconds: float = 10.0  # a last safety; a search that ends by it may end otherwise elsewhere


class Solution(Struct, frozen=True):
    """The best answer found; `exact` when it is proven to be within the gap."""

    worth: float
    values: list[float]
    exact: bool

    def __getitem__(self, variable: int) -> float:
        """The value of a variable."""
        return self.values[variable]

    def count(self, variable: int) -> int:
        """The value of a whole-numbered variable."""
        return round(self.values[variable])


class Programme:
    """Maximise the worth of the variables; everything is added before it is solved."""

    def __init__(self) -> None:
        self.worth: list[float] = []
        self.least: list[float] = []
        self.most: list[float] = []
        self.whole: list[bool] = []
        self.rows: list[list[tuple[int, float]]] = []
        self.row_least: list[float] = []
        self.row_most: list[float] = []
        self.constant = 0.0

    def variable(
        self, worth: float = 0.0, least: float = 0.0, most: float = INFINITE, whole: bool = True
    ) -> int:
        """A new variable between two bounds."""
        self.worth.append(worth)
        self.least.append(least)
        self.most.append(most)
        self.whole.append(whole)
        return len(self.worth) - 1

    def choice(self, worth: float = 0.0) -> int:
        """A yes or a no."""
        return self.variable(worth, most=1.0)

    def bind(
        self, terms: Iterable[tuple[int, float]], least: float = -INFINITE, most: float = INFINITE
    ) -> None:
        """The sum of the terms lies between two bounds."""
        # The solver refuses a row that names a variable twice.
        summed: dict[int, float] = {}
        for variable, times in terms:
            summed[variable] = summed.get(variable, 0.0) + times
        self.rows.append(list(summed.items()))
        self.row_least.append(least)
        self.row_most.append(most)

    def bound(self) -> float | None:
        """What no whole-numbered answer can surpass; None when there is no answer at all."""
        solver = _solver()
        lp = self._lp()
        lp.integrality_ = []
        # Solved once and thrown away: looking for simplifications takes longer than the relaxation itself.
        solver.setOptionValue("presolve", "off")
        solver.passModel(lp)
        solver.run()
        info = solver.getInfo()
        return float(info.objective_function_value) if info.primal_solution_status == FEASIBLE else None

    def solve(self, limits: SolverLimits) -> Solution | None:
        """The best answer within the limits; None when none was found."""
        if limits.work <= 0 or limits.seconds <= 0:
            return None
        import highspy

        solver = _solver()
        for option, value in QUICK.items():
            solver.setOptionValue(option, value)
        solver.setOptionValue("time_limit", limits.seconds)
        solver.setOptionValue("mip_rel_gap", limits.gap)
        solver.setOptionValue("mip_abs_gap", limits.points)
        solver.passModel(self._lp())
        left = limits.work

        # The solver asks at fixed points of its search whether to go on; counting them measures work.
        def look_up(event: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                event.interrupt()

        solver.cbMipInterrupt.subscribe(look_up)
        solver.run()
        info = solver.getInfo()
        if info.primal_solution_status != FEASIBLE:
            return None
        return Solution(
            worth=info.objective_function_value,
            values=list(solver.getSolution().col_value),
            exact=solver.getModelStatus() == highspy.HighsModelStatus.kOptimal,
        )

    def _lp(self) -> highspy.HighsLp:
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_col_ = len(self.worth)
        lp.num_row_ = len(self.rows)
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.offset_ = self.constant
        lp.col_cost_ = np.array(self.worth)
        lp.col_lower_ = np.array(self.least)
        lp.col_upper_ = np.array(self.most)
        lp.row_lower_ = np.array(self.row_least)
        lp.row_upper_ = np.array(self.row_most)
        starts = [0]
        index: list[int] = []
        value: list[float] = []
        for row in self.rows:
            for variable, times in row:
                index.append(variable)
                value.append(times)
            starts.append(len(index))
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(index, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(value)
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[whole] for whole in self.whole]
        return lp


def _solver() -> highspy.Highs:
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("random_seed", 1)
    return solver

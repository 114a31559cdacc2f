"""An integer programme: variables with a worth, rows that bind them, and the solver behind it.

The same programme must give the same answer on every machine, or a seed would not mean a game: one
thread, a fixed seed, and a limit on the solver's work instead of its time. Another version of the solver
may search in another order and find another of two equally good answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf
from threading import local
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import highspy

# The solver is imported when something is to be solved: whoever plays without bots need not have it.

INFINITE = inf
FEASIBLE = 2  # HiGHS' word for a point that keeps every row
DEVEX = 1  # and for weights that are estimated
WHOLE = 1e-6  # so near to a whole number is one
# Searches that cost more than they find on programmes of a few hundred variables.
QUICK = {
    "mip_allow_restart": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_feasibility_jump": False,
}
ROUNDS = 3  # of tightening bounds: more find next to nothing
CUTS = 20  # kept at a time: more make every relaxation dearer than they make such a search shorter


class SolverLimits(Struct, frozen=True):
    """How long and how exactly to search."""

    work: int = 200  # how often the solver may look up from its work; the same on every machine
    gap: float = 0.001  # of the worth
    points: float = 0.001  # the same in points
    seconds: float = 60.0  # a last safety; a search that ends by it may end otherwise elsewhere
    # A search near the relaxation: what that leaves out, and what would cost more than this a piece, stays
    # out. It finds as much in about half the time, but what it does not find may still be there.
    near: float = INFINITE  # points
    worth: float = -INFINITE  # nothing found yet, and no hope of so much: the search ends


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
    """Maximise the worth of the variables; everything is added before it is solved.

    Afterwards only the constant and the bounds of rows may change, for another programme of the same shape.
    """

    def __init__(self) -> None:
        self.worth: list[float] = []
        self.least: list[float] = []
        self.most: list[float] = []
        self.whole: list[bool] = []
        # Rows one after the other: `starts` says where each begins in `terms` and `times`.
        self.starts: list[int] = [0]
        self.terms: list[int] = []
        self.times: list[float] = []
        self.row_least: list[float] = []
        self.row_most: list[float] = []
        self.constant = 0.0
        self._arrays: tuple[Any, ...] = ()  # variables and rows as the solver takes them, once they are known
        # Of the relaxation: its variables, what a piece of each costs, and the bounds it had.
        self._relaxed: tuple[Any, Any, tuple[Any, Any]] | None = None

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
        self.worth.append(worth)
        self.least.append(0.0)
        self.most.append(1.0)
        self.whole.append(True)
        return len(self.worth) - 1

    def bind(
        self, terms: Collection[tuple[int, float]], least: float = -INFINITE, most: float = INFINITE
    ) -> int:
        """The sum of the terms lies between two bounds; the number of the row."""
        row = dict(terms)
        if len(row) < len(terms):
            row = summed(terms)
        self.terms += row
        self.times += row.values()
        self.starts.append(len(self.terms))
        self.row_least.append(least)
        self.row_most.append(most)
        return len(self.row_least) - 1

    def bound(self) -> float | None:
        """What no whole-numbered answer can surpass; None when there is no answer at all."""
        import numpy as np

        tight = self._tightened()
        if tight is None:
            return None
        solver = _solvers.relaxing()
        self._pass(solver, whole=False, bounds=tight)
        solver.run()
        info = solver.getInfo()
        if info.primal_solution_status != FEASIBLE:
            return None
        solution = solver.getSolution()
        self._relaxed = np.array(solution.col_value), np.abs(solution.col_dual), tight
        return float(info.objective_function_value)

    def proven(self) -> float:
        """What no whole-numbered answer can surpass, after cuts: dearer than `bound`, and lower."""
        solver = _solver()
        for option, value in QUICK.items():
            solver.setOptionValue(option, value)
        # Only the proof is wanted, and branching adds next to nothing to it on large programmes.
        solver.setOptionValue("mip_heuristic_effort", 0.0)
        solver.setOptionValue("mip_max_nodes", 1)
        self._pass(solver, whole=True)
        solver.run()
        return float(solver.getInfo().mip_dual_bound)

    def solve(self, limits: SolverLimits) -> Solution | None:
        """The best answer within the limits; None when none was found."""
        if limits.work <= 0 or limits.seconds <= 0:
            return None
        import highspy

        bounds = self._near(limits.near)
        if bounds is None:
            return None
        solver = _solvers.searching(limits)
        self._pass(solver, whole=True, bounds=bounds)
        try:
            solver.run()
        except (ValueError, IndexError, RuntimeError):
            # HiGHS has thrown an error of its own at a sound programme: no answer, and a new solver.
            _solvers.forget()
            return None
        info = solver.getInfo()
        if info.primal_solution_status != FEASIBLE:
            return None
        return Solution(
            worth=info.objective_function_value,
            values=list(solver.getSolution().col_value),
            exact=solver.getModelStatus() == highspy.HighsModelStatus.kOptimal,
        )

    def _near(self, near: float) -> tuple[Any, Any] | tuple[()] | None:
        """Bounds that leave out what is far from the relaxation; None when that has no answer."""
        import numpy as np

        if near == INFINITE:
            return ()
        if self._relaxed is None and self.bound() is None:
            return None
        assert self._relaxed is not None
        values, costs, (least, most) = self._relaxed
        rounded = np.round(values)
        # A variable at a bound of the relaxation has a reduced cost: what the worth of any answer loses for
        # each piece by which it differs there.
        far = np.array(self.whole) & (np.abs(values - rounded) < WHOLE) & (costs > near)
        return np.where(far, rounded, least), np.where(far, rounded, most)

    def _tightened(self) -> tuple[Any, Any] | None:
        """The bounds that rows and whole numbers leave to each variable; None when one has none left.

        An invention that needs two goods where there is one is 0, and not a half: without this half of what a
        relaxation promises are such fractions.
        """
        import numpy as np

        _, least, most, starts, columns, times, kinds = self._as_arrays()
        n = len(self.row_least)
        rows = np.repeat(np.arange(n), np.diff(starts))
        counts = times != 0.0
        rows, columns, times = rows[counts], columns[counts], times[counts]
        row_least, row_most = np.array(self.row_least)[rows], np.array(self.row_most)[rows]
        up, whole = times > 0.0, kinds > 0
        for _ in range(ROUNDS):
            # What the rest of its row leaves to each term, and with that to its variable.
            low = _rest(np.where(up, least[columns], most[columns]) * times, rows, n, -INFINITE)
            high = _rest(np.where(up, most[columns], least[columns]) * times, rows, n, INFINITE)
            some, more = (row_least - high) / times, (row_most - low) / times
            new_least, new_most = least.copy(), most.copy()
            np.maximum.at(new_least, columns, np.where(up, some, more))
            np.minimum.at(new_most, columns, np.where(up, more, some))
            new_least = np.where(whole, np.ceil(new_least - WHOLE), new_least)
            new_most = np.where(whole, np.floor(new_most + WHOLE), new_most)
            # A bound that moves by next to nothing stays: else the last digit would depend on the order.
            larger, less = new_least > least + WHOLE, new_most < most - WHOLE
            if not (larger.any() or less.any()):
                break
            least, most = np.where(larger, new_least, least), np.where(less, new_most, most)
            if (least > most).any():
                return None
        return least, most

    def _pass(self, solver: highspy.Highs, whole: bool, bounds: tuple[Any, Any] | tuple[()] = ()) -> None:
        """Hand the programme to a solver, which forgets what it had before; with these bounds, if any."""
        import highspy
        import numpy as np

        worth, least, most, starts, terms, times, kinds = self._as_arrays()
        if bounds:
            least, most = bounds
        solver.passModel(
            len(self.worth),
            len(self.row_least),
            len(self.terms),
            int(highspy.MatrixFormat.kRowwise),
            int(highspy.ObjSense.kMaximize),
            self.constant,
            worth,
            least,
            most,
            np.array(self.row_least, dtype=np.float64),
            np.array(self.row_most, dtype=np.float64),
            starts,
            terms,
            times,
            kinds if whole else np.zeros_like(kinds),
        )

    def _as_arrays(self) -> tuple[Any, ...]:
        """Variables and rows as the solver takes them."""
        import numpy as np

        if not self._arrays:
            self._arrays = (
                np.array(self.worth, dtype=np.float64),
                np.array(self.least, dtype=np.float64),
                np.array(self.most, dtype=np.float64),
                np.array(self.starts, dtype=np.int32),
                np.array(self.terms, dtype=np.int32),
                np.array(self.times, dtype=np.float64),
                np.array(self.whole, dtype=np.int32),
            )
        return self._arrays


def _rest(parts: Any, rows: Any, n: int, infinite: float) -> Any:
    """What the other terms of its row add up to, for each term; infinite when one of them is."""
    import numpy as np

    endless = np.isinf(parts)
    if not endless.any():
        return np.bincount(rows, parts, n)[rows] - parts
    finite = np.where(endless, 0.0, parts)
    sums = np.bincount(rows, finite, n)[rows] - finite
    return np.where(np.bincount(rows, endless, n)[rows] > endless, infinite, sums)


def summed(terms: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The terms with each variable named once: the solver refuses a row that names one twice."""
    row: dict[int, float] = {}
    for variable, times in terms:
        row[variable] = row.get(variable, 0.0) + times
    return row


class _Solvers(local):
    """The solvers of one thread, made once: setting one up takes as long as a small relaxation."""

    def __init__(self) -> None:
        self._relaxing: highspy.Highs | None = None
        self._searching: highspy.Highs | None = None
        self._left = 0
        self._worth = -INFINITE

    def relaxing(self) -> highspy.Highs:
        """One that solves without whole numbers."""
        if self._relaxing is None:
            self._relaxing = _solver()
            # Solved once and thrown away: looking for simplifications takes longer than the relaxation.
            self._relaxing.setOptionValue("presolve", "off")
            # The same for scaling numbers that are all near 1, and for exact weights of the steps to choose
            # from.
            self._relaxing.setOptionValue("simplex_scale_strategy", 0)
            self._relaxing.setOptionValue("simplex_dual_edge_weight_strategy", DEVEX)
        return self._relaxing

    def searching(self, limits: SolverLimits) -> highspy.Highs:
        """One that solves in whole numbers, within these limits."""
        if self._searching is None:
            self._searching = _solver()
            for option, value in QUICK.items():
                self._searching.setOptionValue(option, value)
            self._searching.setOptionValue("mip_pool_soft_limit", CUTS)
            self._searching.cbMipInterrupt.subscribe(self._look_up)
        self._left, self._worth = limits.work, limits.worth
        solver = self._searching
        solver.setOptionValue("time_limit", limits.seconds)
        solver.setOptionValue("mip_rel_gap", limits.gap)
        solver.setOptionValue("mip_abs_gap", limits.points)
        # A quick search of what the relaxation holds for cheap pays where all is near it.
        solver.setOptionValue("mip_heuristic_run_root_reduced_cost", limits.near < INFINITE)
        return solver

    def forget(self) -> None:
        """Whatever solved in whole numbers is not used again."""
        self._searching = None

    def _look_up(self, event: Any) -> None:
        """The solver asks at fixed points of its search whether to go on; counting them measures work."""
        self._left -= 1
        told = event.data_out
        hopeless = told.mip_dual_bound < self._worth and told.mip_primal_bound == -INFINITE
        # Said each time: what was asked of the solver for the last programme still stands.
        event.data_in.user_interrupt = self._left < 0 or hopeless


_solvers = _Solvers()


def _solver() -> highspy.Highs:
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("random_seed", 1)
    return solver

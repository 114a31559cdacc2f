"""A deal of many seats: first what they could do together, then how to cut it.

One programme that asks for both at once finds next to nothing in time: what everybody gains by lies far from
its relaxation. What all could do if nobody minded how it is cut is found in a third of a second, and a cut of
that plan, or of most of it, in less.
"""

from __future__ import annotations

from msgspec.structs import replace

from elysian.worth.deal_model import DealModel
from elysian.worth.milp import INFINITE, SolverLimits
from elysian.worth.parties import DealPolicy, FoundDeal, Party
from elysian.worth.prices import Prices

TOGETHER = SolverLimits(work=60, gap=0.02, points=1.0, near=0.4)
CUT = SolverLimits(work=60, gap=0.03, points=0.5, near=3.0)
EQUAL = 0.6  # of an equal share, for everybody: what pays for evenness is lost to all


def table_deal(ring: list[Party], prices: Prices, policy: DealPolicy) -> FoundDeal | None:
    """A deal that all these seats gain by, and nobody far less than an equal share; None: none was found."""
    together = DealModel(ring, prices, replace(policy, least=-INFINITE, fairness=0.0, share=0.0))
    if together.promise() < policy.least * len(ring):
        return None
    plan = together.programme.solve(TOGETHER)
    if plan is None:
        return None
    cut = DealModel(ring, prices, replace(policy, share=EQUAL))
    for seat, part in cut.parts.items():
        # Nobody does more than was planned, or the search would begin anew; less, where nobody pays for it.
        for chosen, planned in zip(part.chosen, together.parts[seat].chosen, strict=True):
            cut.programme.most[chosen.variable] = plan.count(planned.variable)
    return cut.deal(CUT)


__all__ = ["table_deal"]

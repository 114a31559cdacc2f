"""Several seats' plans in one programme: the deal that makes them better off together, and fairly."""

from __future__ import annotations

from elysian.worth.deal_model import Desk
from elysian.worth.milp import Limits, Programme
from elysian.worth.parties import Found, Party, Wish
from elysian.worth.prices import Prices


class Search:
    """Looks for the best deal among some seats by everybody's own valuation."""

    def __init__(self, parties: list[Party], prices: Prices, wish: Wish) -> None:
        """Put everybody's plans side by side."""
        self.programme = Programme()
        self.desk = Desk(self.programme, parties, prices, wish)

    def promise(self) -> float:
        """What no deal can surpass: all gains and once more the smallest; 0 when there is none."""
        return self.programme.bound() or 0.0

    def deal(self, limits: Limits) -> Found | None:
        """The best deal found; None when there is none worth it."""
        solution = self.programme.solve(limits)
        return None if solution is None else self.desk.read(solution)

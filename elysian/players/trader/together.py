"""Deals of the whole table: who looks for them, who proposes them, and who waits until one is struck."""

from __future__ import annotations

from collections.abc import Container

from elysian.deals import Seat
from elysian.players.trader.leeway import Leeway
from elysian.players.trader.search import WHOLE, DealSearch
from elysian.view import View
from elysian.worth import FoundDeal

WAITS = 2  # so often a seat that is asked leaves the rest of the table time for the same thing


class Together:
    """What one seat knows of deals of the whole table in a turn.

    All look at the same programme and find the same deal. Whoever gains no more than an equal share of it
    proposes it: so nobody is ever asked to agree to a cut that its maker chose for himself.
    """

    def __init__(self, looks: int) -> None:
        """Look in vain so often in a turn."""
        self._looks = looks
        self._in_vain = 0
        self._leeway = Leeway(WAITS)

    def forget(self) -> None:
        """A new turn has begun."""
        self._in_vain = 0
        self._leeway.forget()

    def found(
        self,
        view: View,
        me: Seat,
        search: DealSearch,
        refused: set[object],
        without: Container[Seat],
        distrusted: Container[Seat],
    ) -> FoundDeal | None:
        """The deal of the whole table; None: there is none, or it was looked for in vain before."""
        if self._in_vain >= self._looks:
            return None
        found = search.together(view, me, refused, without, distrusted)
        self._in_vain += found is None
        return found

    def is_mine(self, found: FoundDeal, me: Seat) -> bool:
        """Whether it is for this seat to propose the deal."""
        return found.gains[me] <= found.surplus / len(found.gains)

    def waits_for(self, found: FoundDeal) -> bool:
        """Whether others are left time to propose the deal."""
        return self._leeway.grants(found.clauses)

    def waits(self, view: View) -> bool:
        """Whether this seat has agreed to such a deal and leaves the others time to answer."""
        agreed = [
            (deal.id, deal.accepted)
            for deal in view.deals.values()
            if len(deal.parties) >= WHOLE and view.seat in deal.accepted
        ]
        return any(self._leeway.grants(one) for one in agreed)


__all__ = ["Together"]

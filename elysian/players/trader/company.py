"""Company: what a bot is told of the people at its table; whoever has the clock tells it anew each time."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from elysian.deals import Deal, Seat
from elysian.state import State
from elysian.view import View
from elysian.worth import Prices, after, judge


class Company(Struct, frozen=True):
    """The people at a table, and what their pace allows just now; without people everything is allowed."""

    people: frozenset[Seat] = frozenset()
    may_deal: bool = True  # with other bots
    reachable: frozenset[Seat] | None = None  # people who have time for another offer; None: all of them
    overdue: frozenset[str] = frozenset()  # offers to people that have lain unanswered long enough
    fresh: frozenset[str] = frozenset()  # offers that have just reached people, who must be able to read them
    shown: tuple[Deal, ...] = ()  # what people were just told they could offer, and may be reading

    def trading(self, view: View) -> frozenset[Seat]:
        """The people who have not done trading."""
        return frozenset(seat for seat in self.people if not view.players[seat].done)

    def asked(self, table: View | State) -> list[Deal]:
        """Offers of bots that a person may be looking at."""
        return [
            deal
            for deal in table.deals.values()
            if deal.proposer not in self.people and self.people & {*deal.parties} - {*deal.accepted}
        ]

    def may_be_offered(self, view: View) -> list[Deal]:
        """What people may be about to offer, or have offered and only bots have to answer."""
        offered = [deal for deal in view.deals.values() if deal.proposer in self.people and not deal.is_open]
        waiting = [deal for deal in offered if not self.people & {*deal.parties} - {*deal.accepted}]
        return [*self.shown, *waiting]


def broken_by(view: View, struck: Deal, standing: list[Deal], rates: Prices) -> list[Deal]:
    """The standing offers that could no longer be kept, or only at a loss to the seat that made them."""
    if not standing:
        return []
    then = after(view, struck.clauses, struck.settles)
    if then is None:
        return []
    return [deal for deal in standing if _is_broken(view, then, deal, rates)]


def taken_away_by(
    view: View, struck: Deal, offers: list[Deal], takes: Callable[[View, Seat, Deal], bool]
) -> list[Deal]:
    """The offers that a party to a deal would take now, but no more once the deal is struck."""
    touched = [(deal, {*deal.parties} & {*struck.parties} - {deal.proposer}) for deal in offers]
    then = after(view, struck.clauses, struck.settles) if any(seats for _, seats in touched) else None
    if then is None:
        return []
    return [
        deal
        for deal, seats in touched
        if any(takes(view, seat, deal) and not takes(then, seat, deal) for seat in seats)
    ]


def _is_broken(view: View, then: View, deal: Deal, rates: Prices) -> bool:
    if after(view, deal.clauses, deal.settles) is None:
        return False  # it cannot be taken as things stand
    if after(then, deal.clauses, deal.settles) is None:
        return True
    return deal.proposer == view.seat and judge(then, view.seat, deal.clauses, rates).gain < 0

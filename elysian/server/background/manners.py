"""Manners: what the people's pace allows of a bot's moves, whichever mind it has.

A bot that is told of its company keeps to this by itself; one that is not is held back here.
"""

from __future__ import annotations

from elysian.actions import AcceptDeal, Action, ProposeDeal, WithdrawDeal
from elysian.deals import ANYONE, Deal, Reason, Seat
from elysian.players.trader.company import Company
from elysian.state import State
from elysian.view import View, view
from elysian.worth import after


def fits(company: Company, state: State, seat: Seat, action: Action) -> bool:
    """Whether a bot may do this now, or must wait with it."""
    if state.step != "trade" or company.reachable is None:
        return True
    if isinstance(action, ProposeDeal):
        return _may_propose(company, state, action)
    deal = state.deals.get(action.deal) if isinstance(action, AcceptDeal | WithdrawDeal) else None
    if deal is None:
        return True
    if isinstance(action, WithdrawDeal):
        return not _is_being_read(company, state, seat, deal)
    if company.people & {deal.proposer, *deal.parties}:
        return True
    if deal.is_open and not company.may_deal:
        return False
    return not _takes_away(company, view(state, seat), deal.taken_by(seat) if deal.is_open else deal)


def asks_people(company: Company, action: Action) -> bool:
    """Whether a move is an offer to people."""
    return isinstance(action, ProposeDeal) and bool(company.people & {*action.parties})


def _may_propose(company: Company, state: State, action: ProposeDeal) -> bool:
    """People are asked while they have time, bots one at a time; a person's own offer is answered at once."""
    assert company.reachable is not None
    answered = None if action.answers is None else state.deals.get(action.answers)
    if answered is not None and answered.proposer in company.people:
        return True
    asked = company.people & {*action.parties}
    if asked and ANYONE not in action.parties:
        return asked <= company.reachable
    return company.may_deal


def _is_being_read(company: Company, state: State, seat: Seat, deal: Deal) -> bool:
    """Whether an offer has just reached a person, can be taken, and nothing of theirs stands against it."""
    asked = company.people & {*deal.parties}
    instead = any(one.proposer in asked and seat in one.parties for one in state.deals.values())
    if deal.id not in company.fresh or asked & state.done or instead:
        return False
    return after(view(state, seat), deal.clauses, deal.settles) is not None


def _takes_away(company: Company, seen: View, deal: Deal) -> bool:
    """Whether a deal between bots hands over what a person is asked about or may be about to offer for."""
    standing = [one for one in (*company.asked(seen), *company.shown) if one.id != deal.id]
    then = after(seen, deal.clauses, deal.settles) if standing else None
    return then is not None and any(
        after(seen, one.clauses, one.settles) is not None and after(then, one.clauses, one.settles) is None
        for one in standing
    )


def taken_back(company: Company, state: State, seat: Seat) -> WithdrawDeal | None:
    """What a bot with nothing else to do takes back from people: what lay too long or became impossible."""
    for deal in company.asked(state) if company.reachable is not None else ():
        if deal.proposer != seat:
            continue
        if after(view(state, seat), deal.clauses, deal.settles) is None:
            return WithdrawDeal(deal=deal.id, reason=Reason(code="taken_gone"))
        if deal.id in company.overdue:
            return WithdrawDeal(deal=deal.id, reason=Reason(code="taken_idle"))
    return None

"""Deals: offering, accepting, and striking them all at once."""

from __future__ import annotations

from elysian.actions import AcceptDeal, Action, DeclineDeal, ProposeDeal, WithdrawDeal
from elysian.deals import (
    Binding,
    Deal,
    Forbear,
    NoBid,
    Note,
    Obligation,
    Seat,
    Undertake,
)
from elysian.draft import Draft, IllegalAction
from elysian.events import DealAccepted, DealDeclined, DealOffered, DealStruck, DealWithdrawn
from elysian.rules.clauses import check_proposal, check_reason, check_timely
from elysian.rules.conflicts import BINDING, check_conflicts
from elysian.rules.duties import is_past
from elysian.rules.hands import carried_out
from elysian.rules.promises import after_trade
from elysian.state import State

MOST_OFFERS = 30  # open at once, per seat


def propose(now: Draft, seat: Seat, action: ProposeDeal) -> None:
    """An offer lies on the table; it reserves nothing and is judged when struck (TRADE-4)."""
    state = now.state
    if len(state.deals) >= MOST_OFFERS:
        mine = [deal for deal in state.deals.values() if deal.proposer == seat]
        if len(mine) >= MOST_OFFERS:
            raise IllegalAction("too_many_offers", most=MOST_OFFERS)
    check_proposal(state, seat, action)
    deal = Deal(
        id=f"d{state.made + 1}",
        proposer=seat,
        parties=action.parties,
        clauses=action.clauses,
        accepted=(seat,),
        answers=action.answers,
        settles=action.settles,
        reason=action.reason,
    )
    now.emit(DealOffered(deal=deal))


def offer_for(state: State, seat: Seat, deal: str) -> Deal:
    """The open offer this seat has a say in; one that is not for it looks as if it did not exist."""
    offer = state.deals.get(deal)
    if offer is None or (seat not in offer.parties and not offer.is_open):
        raise IllegalAction("no_such_offer")
    return offer


def accept(now: Draft, seat: Seat, action: AcceptDeal) -> None:
    """One more party agrees; when it is the last, the deal is struck."""
    offer = offer_for(now.state, seat, action.deal)
    if seat in offer.accepted:
        raise IllegalAction("already_accepted")
    check_reason(action.reason)
    as_anyone = seat not in offer.parties
    if as_anyone:
        offer = offer.taken_by(seat)
    if len(offer.accepted) + 1 < len(offer.parties):
        now.emit(DealAccepted(by=seat, deal=offer.id, as_anyone=as_anyone))
    else:
        strike(now, seat, offer)


def decline(now: Draft, seat: Seat, action: DeclineDeal) -> None:
    """A named party turns the offer down; it is gone for all."""
    offer = offer_for(now.state, seat, action.deal)
    if seat not in offer.parties or seat == offer.proposer:
        raise IllegalAction("no_such_offer")
    check_reason(action.reason)
    now.emit(DealDeclined(by=seat, deal=offer.id))


def withdraw(now: Draft, seat: Seat, action: WithdrawDeal) -> None:
    """The proposer takes the offer back."""
    offer = offer_for(now.state, seat, action.deal)
    if offer.proposer != seat:
        raise IllegalAction("no_such_offer")
    check_reason(action.reason)
    now.emit(DealWithdrawn(by=seat, deal=offer.id))


def closing(state: State, seat: Seat, action: Action) -> Action | None:
    """What a seat also does that has just made a counter-offer: it closes the offer which that answers.

    So of one thread only the last terms can be accepted. An offer to anyone stays open for the others.
    """
    if not isinstance(action, ProposeDeal) or action.answers is None:
        return None
    offer = state.deals.get(action.answers)
    if offer is None or seat not in offer.parties:
        return None
    if offer.proposer == seat:
        return WithdrawDeal(deal=offer.id)
    return DeclineDeal(deal=offer.id, reason=action.reason)


# ---------------------------------------------------------------- striking


def strike(now: Draft, seat: Seat, deal: Deal) -> None:
    """Everything in the deal happens at once, or nothing does (TRADE-4)."""
    _check_still_possible(now.state, deal)
    moved, licensed = carried_out(now.state, deal.clauses)
    bindings: list[Binding] = []
    notes: list[str] = []
    for clause in deal.clauses:
        if isinstance(clause, BINDING):
            bindings.append(clause)
        elif isinstance(clause, Note):
            notes.append(clause.text)
    now.emit(
        DealStruck(
            by=seat,
            deal=deal.id,
            parties=deal.parties,
            moved=moved,
            licensed=licensed,
            obligations=tuple(
                Obligation(
                    id=f"{deal.id}.{n}",
                    deal=deal.id,
                    parties=deal.parties,
                    clause=clause,
                    made=now.state.turn,
                )
                for n, clause in enumerate(bindings, start=1)
            ),
            notes=tuple(notes),
            settled=deal.settles,
            rebid=_must_bid_again(now.state, deal),
        )
    )
    after_trade(now, moved)


def _check_still_possible(state: State, deal: Deal) -> None:
    """An offer made in another step, or about promises that are gone, cannot be struck."""
    for owed in deal.settles:
        if owed not in state.obligations:
            raise IllegalAction("no_such_promise")
    for clause in deal.clauses:
        if isinstance(clause, (Forbear, Undertake)):
            turn = clause.until if isinstance(clause, Forbear) else clause.turn
            if turn < state.turn or (isinstance(clause, Undertake) and is_past(state, clause)):
                raise IllegalAction("too_late")
    check_timely(state, deal.clauses)
    check_conflicts(state, deal.parties, deal.clauses, deal.settles)


def _must_bid_again(state: State, deal: Deal) -> tuple[Seat, ...]:
    """Whoever promises about bids while bidding bids anew, so that nothing of a secret bid shows."""
    if state.step != "bid":
        return ()
    capped = {c.who for c in deal.clauses if isinstance(c, Forbear) and isinstance(c.what, NoBid)}
    bound = {c.deed.who for c in deal.clauses if isinstance(c, Undertake) and c.deed.verb == "bid"}
    return tuple(sorted(capped | bound))

"""Order moves: which order of a seat is to be carried out now, and how; a pure function of the table.

Whatever is done is decided by the rules on the table as it stands, one thing at a time: two rules cannot give
the same cube away, and none takes what its seat owes. An order makes at most as many deals as it says, so
that two that answer each other come to an end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, Buy, Done, PlaceBid, ProposeDeal, TimeUp
from elysian.deals import Deal, Give, Seat
from elysian.goods import NOTHING, Goods
from elysian.options import has_white_run, may_propose, other_choices, violet_choices
from elysian.rules import decide, refusal, waiting
from elysian.server.ops.errors import Refused
from elysian.server.table_state import events as e
from elysian.server.table_state.cover import struck
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.orders import (
    AnyOrder,
    PlacedOrder,
    StandingOffer,
    SwapRule,
    TurnAhead,
    WorthRule,
)
from elysian.state import State

Worthy = frozenset[tuple[int, str]]  # an order, and an offer that is worth as much as it asks for

AUCTIONS = ("colony_auction", "research_auction")


class Firing(Struct, frozen=True):
    """What is to be done for a seat."""

    action: Action
    order: PlacedOrder | None = None  # None: by no order; there is nothing to decide


def check_order(state: State | None, seat: Seat, order: AnyOrder) -> None:
    """Raises Refused or IllegalAction for an order that can never be carried out."""
    if state is None:
        raise Refused("no_game")
    last = order.turn if isinstance(order, TurnAhead) else order.until
    if last < state.turn:
        raise Refused("order_past", status=400)
    if isinstance(order, StandingOffer) and state.step == "trade":
        decide(state, seat, ProposeDeal(parties=order.parties, clauses=order.clauses))


def next_firing(current: TableState, seat: Seat, worthy: Worthy = frozenset()) -> Firing | None:
    """What is to be done for a seat now; None: nothing. `worthy` is what was found to be worth enough."""
    lobby, state = current.lobby, current.state
    chair = lobby.chairs[seat]
    if state is None or lobby.status != "playing" or lobby.paused or chair.person is None:
        return None
    orders = [one for one in chair.orders if one.holds(state.turn)]
    if state.step == "trade":  # deals are all that is ever done for anybody in it
        for one in orders:
            action = _deal_of(state, seat, one, worthy)
            if action is not None:
                return Firing(action, one)
        return None
    # Nobody shall have to come, or to press a button, for nothing; a program is asked all the same.
    spared = not chair.covered and chair.program is None
    if not (spared or orders) or seat not in waiting(state):
        return None
    for one in orders:
        action = _finish(state, seat, one.order) if isinstance(one.order, TurnAhead) else None
        if action is not None:
            return Firing(action, one)
    return Firing(TimeUp(seat=seat)) if spared and nothing_to_decide(state, seat) else None


class Firings:
    """What is to be done for the seats of one table, worked out once for each line, however many ask."""

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self._of: TableState | None = None
        self._found: dict[Seat, Firing] = {}

    def at(self, current: TableState) -> Mapping[Seat, Firing]:
        """By seat; without what only somebody's judgement of an offer would add."""
        last, self._of = self._of, current
        if last is not None and last is not current and _is_one_less(last, current):
            waited = waiting(current.state) if current.state else ()
            self._found = {seat: firing for seat, firing in self._found.items() if seat in waited}
        elif last is not current:
            found = ((seat, next_firing(current, seat)) for seat in _looked_at(current))
            self._found = {seat: firing for seat, firing in found if firing is not None}
        return self._found


def _is_one_less(last: TableState, current: TableState) -> bool:
    """Whether nothing has happened but that somebody is done: to all others it is as it was.

    So it is where they have laid a plan or placed a bid, too; an order may look at these.
    """
    before, now = last.state, current.state
    if before is None or now is None or last.lobby is not current.lobby or not before.done < now.done:
        return False
    if now.step == "window":
        return replace(before, done=now.done) == now
    return (
        now.step in ("plan", "bid")
        and not any(chair.orders for chair in current.lobby.chairs)
        and replace(before, done=now.done, plans=now.plans, bids=now.bids) == now
    )


def _looked_at(current: TableState) -> tuple[Seat, ...]:
    """The seats for which something may be to be done: of all others `next_firing` says that nothing is."""
    state = current.state
    if state is None:
        return ()
    if state.step == "trade":
        return tuple(seat for seat, chair in enumerate(current.lobby.chairs) if chair.orders)
    return waiting(state)


def fired_events(current: TableState, seat: Seat, firing: Firing) -> tuple[Any, ...]:
    """What the log keeps of what is done for a seat: by which order, or that there was nothing to decide."""
    if current.state is None:
        return ()
    if firing.order is None:
        return (e.StepSpared(seat=seat, step=current.state.step),)
    state, action = current.state, firing.action
    offer = f"d{state.made + 1}" if isinstance(action, ProposeDeal) else None
    deal = action.deal if isinstance(action, AcceptDeal) else None
    return (e.OrderFired(seat=seat, id=firing.order.id, turn=state.turn, offer=offer, deal=deal),)


def same_ground(seen: State, now: State | None, seat: Seat) -> bool:
    """Whether what a deal is worth to a seat is still what it was: nothing of its own has changed."""
    return (
        now is not None
        and (seen.turn, seen.step) == (now.turn, now.step)
        and seen.players[seat] == now.players[seat]
        and seen.obligations == now.obligations
    )


# ---------------------------------------------------------------- deals


def _deal_of(state: State, seat: Seat, placed: PlacedOrder, worthy: Worthy) -> Action | None:
    order = placed.order
    if isinstance(order, StandingOffer):
        return _offer_again(state, seat, placed, order)
    if isinstance(order, SwapRule):
        found = (deal for deal in state.deals.values() if _is_swap(order, seat, deal))
    elif isinstance(order, WorthRule):
        found = (deal for deal in state.deals.values() if (placed.id, deal.id) in worthy)
    else:
        return None
    for deal in found:
        if struck(state, seat, deal) is not None:
            return AcceptDeal(deal=deal.id)
    return None


def _offer_again(state: State, seat: Seat, placed: PlacedOrder, order: StandingOffer) -> Action | None:
    """The offer, unless it lies there; one that was declined or taken back rests until the next turn."""
    if placed.offer is not None and (placed.offer in state.deals or placed.turn == state.turn):
        return None
    _, gives = _swapped(seat, order.clauses)
    offer = ProposeDeal(parties=order.parties, clauses=order.clauses)
    if not state.players[seat].stock.covers(gives) or refusal(state, seat, offer) is not None:
        return None
    return offer


def _is_swap(rule: SwapRule, seat: Seat, deal: Deal) -> bool:
    """Whether an offer brings what a rule asks for, and takes no more than it gives."""
    if deal.proposer == seat or (seat not in deal.parties and not deal.is_open):
        return False
    clauses = deal.clauses if seat in deal.parties else deal.taken_by(seat).clauses
    if not all(isinstance(one, Give) and not one.cards and not one.donation for one in clauses):
        return False
    gets, gives = _swapped(seat, clauses)
    return gets.covers(rule.get) and rule.give.covers(gives)


def _swapped(seat: Seat, clauses: tuple[Any, ...]) -> tuple[Goods, Goods]:
    gets = gives = NOTHING
    for clause in clauses:
        if isinstance(clause, Give) and clause.to == seat:
            gets = gets + clause.goods + clause.donation
        if isinstance(clause, Give) and clause.giver == seat:
            gives = gives + clause.goods
    return gets, gives


def to_appraise(current: TableState, seat: Seat) -> Iterator[tuple[PlacedOrder, Deal]]:
    """The offers a rule could accept that asks what they are worth."""
    state = current.state
    if state is None or state.step != "trade" or current.lobby.status != "playing" or current.lobby.paused:
        return
    for one in current.lobby.chairs[seat].orders:
        if isinstance(one.order, WorthRule) and one.holds(state.turn):
            for deal in state.deals.values():
                if _at_once(seat, deal) and struck(state, seat, deal) is not None:
                    yield one, deal


def _at_once(seat: Seat, deal: Deal) -> bool:
    """Whether everything in an offer changes hands at once, and no card of the seat does."""
    if deal.proposer == seat or (seat not in deal.parties and not deal.is_open):
        return False
    clauses = deal.clauses if seat in deal.parties else deal.taken_by(seat).clauses
    return all(isinstance(one, Give) and not (one.giver == seat and one.cards) for one in clauses)


# ---------------------------------------------------------------- steps


def _finish(state: State, seat: Seat, ahead: TurnAhead) -> Action | None:
    """What a turn laid down ahead says of the step; None: it is for the person."""
    if state.step == "window":
        return None if _is_asked(state, seat) else TimeUp(seat=seat)
    if state.step == "plan" and seat in state.plans:
        return TimeUp(seat=seat)
    if state.step == "bid" and ahead.bid is not None:
        return _bid(state, seat, ahead.bid)
    if state.step in AUCTIONS and ahead.bid is not None:
        buys = (Buy(card=card) for card in ahead.picks)
        return next((buy for buy in buys if refusal(state, seat, buy) is None), TimeUp(seat=seat))
    return None


def _bid(state: State, seat: Seat, wished: PlaceBid) -> Action | None:
    """The bid, with as many ships as there are; None: a promise forbids it."""
    ships = state.players[seat].stock.ship
    colony = min(wished.colony, ships)
    bid = PlaceBid(colony=colony, research=min(wished.research, ships - colony))
    return bid if refusal(state, seat, bid) is None else None


def nothing_to_decide(state: State, seat: Seat) -> bool:
    """Whether a seat that is waited for can do one thing only, as everybody can see.

    Only what is public counts, so that nobody learns a secret from who is asked: where offers are private,
    one that lies before a seat makes no difference to its bid, and can be answered after it. Trading is never
    nothing, nor is a promise one may still release, choose for or make good.
    """
    if state.step == "window":
        return (
            not may_propose(state, seat)
            and not violet_choices(state, seat)
            and all(isinstance(one.action, Done) for one in other_choices(state, seat))
            and refusal(state, seat, Done()) is None  # it owes no deed, and no answer to an offer
        )
    if state.step == "plan":
        return not has_white_run(state, seat)
    if state.step == "bid":
        asked = not state.settings.private_offers and _is_asked(state, seat)
        return not state.players[seat].stock.ship and not asked
    return False


def _is_asked(state: State, seat: Seat) -> bool:
    return any(seat in deal.parties and seat not in deal.accepted for deal in state.deals.values())

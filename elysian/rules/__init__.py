"""The rules joined together: decide and evolve."""

from __future__ import annotations

from typing import Any

from elysian import actions as a
from elysian.deals import Seat
from elysian.draft import Draft, IllegalAction
from elysian.events import Event
from elysian.rules import confluence, deals, donations, economy, flow, promises, violet
from elysian.rules.deals import closing
from elysian.rules.evolve import EVOLVERS, evolve
from elysian.rules.flow import waiting
from elysian.rules.setup import begin, start
from elysian.species import SPECIES, Decider
from elysian.state import Edition, Settings, State

DECIDERS: dict[type[Any], Decider] = {
    a.ProposeDeal: deals.propose,
    a.AcceptDeal: deals.accept,
    a.DeclineDeal: deals.decline,
    a.WithdrawDeal: deals.withdraw,
    a.Deliver: promises.deliver,
    a.ChooseGoods: promises.choose_goods,
    a.Release: promises.release,
    a.Done: flow.done,
    a.NotDone: flow.not_done,
    a.ChooseHandicap: flow.choose_handicap,
    a.RunConverter: violet.run_converter,
    a.PutIntoPlay: violet.put_into_play,
    a.UpgradeCard: violet.upgrade_card,
    a.Invent: violet.invent,
    a.GiveGifts: donations.give_gifts,
    a.DiscardColonies: economy.discard_colonies,
    a.LayPlan: economy.lay_plan,
    a.PlaceBid: confluence.place_bid,
    a.Buy: confluence.buy,
    a.Pass: confluence.pass_,
    a.SplitBid: confluence.split_bid,
}
# What a debtor may do before he has chosen whom to serve; anything else serves in order first (TRADE-12).
_BEFORE_SERVING = (a.Deliver, a.ChooseGoods, a.Done, a.DeclineDeal, a.WithdrawDeal, a.Release, a.LayPlan)
for _species in SPECIES.values():
    DECIDERS.update(_species.deciders)


def decide(state: State, seat: Seat | None, action: a.Action) -> tuple[tuple[Event, ...], State]:
    """What happens when a seat asks for an action, and the table after it; raises IllegalAction.

    The table's clock asks with no seat.
    """
    now = Draft(state, evolve)
    _ask(now, seat, action)
    flow.advance(now)
    return tuple(now.events), now.state


def refusal(state: State, seat: Seat | None, action: a.Action) -> IllegalAction | None:
    """Why the action would be refused; None when it is legal."""
    try:
        _ask(Draft(state, evolve), seat, action)
    except IllegalAction as illegal:
        return illegal
    return None


def _ask(now: Draft, seat: Seat | None, action: a.Action) -> None:
    state = now.state
    if type(action) is a.TimeUp:
        if seat is not None:
            raise IllegalAction("not_your_clock")
        flow.time_up(now, action)
        return
    if state.step == "over":
        raise IllegalAction("game_over")
    if type(seat) is not int or not 0 <= seat < len(state.players):
        raise IllegalAction("no_such_seat")
    decider = DECIDERS.get(type(action))
    if decider is None:
        raise IllegalAction("unknown_action")
    if state.step == "handicap" and not isinstance(action, a.ChooseHandicap):
        raise IllegalAction("wrong_step", step=state.step)
    if seat in state.serving and not isinstance(action, _BEFORE_SERVING):
        promises.serve_in_order(now, seat)
    decider(now, seat, action)


def new_game(
    species: tuple[str, ...] | list[str], seed: int | str, edition: Edition = "2020", **options: Any
) -> State:
    """A table set up for these species, seat by seat; raises IllegalAction for an impossible line-up."""
    return begin(start(Settings(species=tuple(species), edition=edition, **options), seed))


__all__ = [
    "DECIDERS",
    "EVOLVERS",
    "IllegalAction",
    "begin",
    "closing",
    "decide",
    "evolve",
    "new_game",
    "refusal",
    "start",
    "waiting",
]

"""The order of a turn: whom each step waits for, and what happens when nobody is waited for any more."""

from __future__ import annotations

from collections.abc import Callable

from elysian.actions import Buy, ChooseHandicap, Done, NotDone, Pass, TimeUp
from elysian.deals import Seat
from elysian.draft import Draft, IllegalAction
from elysian.events import (
    DealsLapsed,
    DoneSaid,
    DoneTakenBack,
    HandicapChosen,
    PlanLaid,
    StepBegan,
    TimeCalled,
    TurnBegan,
)
from elysian.goods import Goods
from elysian.rules import promises
from elysian.rules.confluence import (
    auction_of,
    buy,
    default_bid,
    next_bidder,
    pass_,
    pass_over,
    place_bid,
    promised_buys,
    refresh,
    return_cards,
    reveal,
    share,
)
from elysian.rules.donations import give_all_to_next
from elysian.rules.economy import default_plan, discard_by_default, over_support, produce
from elysian.rules.keeping import check_word, keep_word
from elysian.rules.scoring import score
from elysian.rules.setup import handicap_colours
from elysian.species import rules_of
from elysian.state import TURNS, Handicap, State, Step

# ---------------------------------------------------------------- whom the table waits for


def waiting(state: State) -> tuple[Seat, ...]:
    """The seats that can hold the table up in this step."""
    return _WAITING[state.step](state)


def _not_done(state: State) -> tuple[Seat, ...]:
    done = state.done
    return tuple([seat for seat in range(len(state.players)) if seat not in done])


def _handicapped(state: State) -> tuple[Seat, ...]:
    return tuple(h.seat for h in state.settings.handicaps if h.colour is None and h.seat not in state.done)


def _asked(state: State) -> set[Seat]:
    """Who is asked to accept compensation."""
    return {seat for deal in state.deals.values() for seat in deal.parties if seat not in deal.accepted}


def _settling(state: State) -> tuple[Seat, ...]:
    """Debtors who may still offer compensation, and those asked to accept it (TRADE-11)."""
    offering = {deal.proposer for deal in state.deals.values()}
    debtors = {owed.debtor for owed in promises.to_settle(state)} - state.done - offering
    return tuple(sorted(_asked(state) | debtors))


def _in_window(state: State) -> tuple[Seat, ...]:
    """Everybody who is not done, and those asked to accept compensation for a deed (TRADE-11)."""
    return tuple(sorted({*_not_done(state), *_asked(state)})) if state.deals else _not_done(state)


def _donating(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat, player in enumerate(state.players) if player.to_give_away)


def _over_support(state: State) -> tuple[Seat, ...]:
    """One after the other in seat order, so that it is the order under the deck (ECON-2)."""
    for seat, player in enumerate(state.players):
        if over_support(player):
            return (seat,)
    return ()


def _bidding(state: State) -> tuple[Seat, ...]:
    bidder = next_bidder(state)
    return () if bidder is None else (bidder.seat,)


def _thieves(state: State) -> tuple[Seat, ...]:
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if rules_of(player.species).steals and rules_of(player.species).can_steal(state, seat)
    )


def _stealing(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in _thieves(state) if seat not in state.done)


def _nobody(state: State) -> tuple[Seat, ...]:
    return ()


_WAITING: dict[Step, Callable[[State], tuple[Seat, ...]]] = {
    "handicap": _handicapped,
    "trade": _not_done,
    "settle": _settling,
    "gifts": _donating,
    "window": _in_window,
    "support": _over_support,
    "plan": _not_done,
    "bid": _not_done,
    "colony_auction": _bidding,
    "research_auction": _bidding,
    "steal": _stealing,
    "over": _nobody,
}


# ---------------------------------------------------------------- going on


def advance(now: Draft) -> None:
    """Go on to the next step as often as nobody is waited for (PHASE-2)."""
    while now.state.step != "over":
        state = now.state
        if state.step == "trade":
            # Trading closes when all players but one are done (TRADE-14).
            if len(state.done) < len(state.players) - 1:
                return
        else:
            if state.step in ("colony_auction", "research_auction"):
                pass_over(now)
            if waiting(now.state):
                return
        _FINISH[state.step](now)


def _begin(now: Draft, step: Step) -> None:
    now.emit(StepBegan(step=step))


def _lapse_offers(now: Draft) -> None:
    if now.state.deals:
        now.emit(DealsLapsed(deals=tuple(now.state.deals)))


def _after_handicap(now: Draft) -> None:
    _begin(now, "trade")


def _after_trade(now: Draft) -> None:
    _lapse_offers(now)
    _begin(now, "settle")
    promises.pledges_close(now)


def _after_settle(now: Draft) -> None:
    _lapse_offers(now)
    promises.settle(now)
    _begin(now, "gifts" if _donating(now.state) else "window")


def _after_gifts(now: Draft) -> None:
    _begin(now, "window")


def _after_window(now: Draft) -> None:
    _lapse_offers(now)
    # Nobody leaves the Trade Phase with a deed undone that was open (TRADE-10); what is due comes first.
    if now.state.obligations:
        promises.hand_over_all(now)
        for seat in now.state.seats():
            keep_word(now, seat)
        promises.window_ended(now)
    _begin(now, "support" if _over_support(now.state) else "plan")


def _after_support(now: Draft) -> None:
    _begin(now, "plan")


def _after_plan(now: Draft) -> None:
    produce(now)
    last = now.state.turn == TURNS
    share(now, last_turn=last)
    if last:
        _steal_or_end(now)  # all that is left of the last Confluence Phase (PHASE-3)
    else:
        _begin(now, "bid")


def _after_bid(now: Draft) -> None:
    reveal(now, "colony")
    _begin(now, "colony_auction")


def _after_colony_auction(now: Draft) -> None:
    reveal(now, "research")
    _begin(now, "research_auction")


def _after_research_auction(now: Draft) -> None:
    _lapse_offers(now)
    _steal_or_end(now)


def _steal_or_end(now: Draft) -> None:
    if _thieves(now.state):
        _begin(now, "steal")
    else:
        _after_steal(now)


def _after_steal(now: Draft) -> None:
    if now.state.turn == TURNS:
        promises.game_ended(now)
        score(now)
        return
    promises.turn_ended(now)
    refresh(now)
    return_cards(now)
    now.emit(TurnBegan(turn=now.state.turn + 1))
    promises.pledges_begin(now)


_FINISH: dict[Step, Callable[[Draft], None]] = {
    "handicap": _after_handicap,
    "trade": _after_trade,
    "settle": _after_settle,
    "gifts": _after_gifts,
    "window": _after_window,
    "support": _after_support,
    "plan": _after_plan,
    "bid": _after_bid,
    "colony_auction": _after_colony_auction,
    "research_auction": _after_research_auction,
    "steal": _after_steal,
}


# ---------------------------------------------------------------- done, and the clock


def done(now: Draft, seat: Seat, action: Done) -> None:
    """A seat has nothing more to do in this step (TRADE-14)."""
    state = now.state
    if state.step not in ("trade", "settle", "window", "steal"):
        raise IllegalAction("wrong_step", step=state.step)
    if seat in state.done:
        raise IllegalAction("already_done")
    if state.step in ("settle", "steal") and seat not in waiting(state):
        raise IllegalAction("not_waited_for")
    if state.deals and state.step in ("settle", "window") and seat in _asked(state):
        raise IllegalAction("answer_the_offer")
    if seat in state.serving:
        promises.serve_in_order(now, seat)
        if state.step == "settle" and seat not in waiting(now.state):
            return
    if state.obligations and state.step != "settle":
        check_word(now.state, seat)
    now.emit(DoneSaid(by=seat))


def not_done(now: Draft, seat: Seat, action: NotDone) -> None:
    """A "done" is taken back while trading is open (TRADE-14)."""
    if now.state.step not in ("trade", "window"):
        raise IllegalAction("wrong_step", step=now.state.step)
    if seat not in now.state.done:
        raise IllegalAction("not_said_done")
    now.emit(DoneTakenBack(by=seat))


def choose_handicap(now: Draft, seat: Seat, action: ChooseHandicap) -> None:
    """The player names the colour of the handicap cube (OPT-2, German edition)."""
    if now.state.step != "handicap":
        raise IllegalAction("wrong_step", step=now.state.step)
    if seat not in waiting(now.state):
        raise IllegalAction("not_waited_for")
    handicap = _handicap_of(now.state, seat)
    if action.colour not in handicap_colours(now.state.players[seat].stock, handicap):
        raise IllegalAction("bad_handicap_colour", colour=str(action.colour))
    _set_handicap(now, handicap, action.colour)


def _handicap_of(state: State, seat: Seat) -> Handicap:
    return next(handicap for handicap in state.settings.handicaps if handicap.seat == seat)


def _set_handicap(now: Draft, handicap: Handicap, colour: str) -> None:
    cube = Goods(**{colour: 1})
    if handicap.cubes > 0:
        now.emit(HandicapChosen(by=handicap.seat, gained=cube))
    else:
        now.emit(HandicapChosen(by=handicap.seat, lost=cube))


def time_up(now: Draft, action: TimeUp) -> None:
    """The clock ran out: every seat that is waited for does the cautious thing."""
    state = now.state
    if state.step == "over":
        raise IllegalAction("game_over")
    if action.seat is not None:
        _time_up_for(now, action.seat)
        return
    soft = state.settings.edition == "de2021" and state.settings.trade_minutes is not None
    if state.step == "trade" and soft:
        now.emit(TimeCalled())
        return
    if state.step in ("settle", "window"):
        _lapse_offers(now)
    for seat in waiting(now.state):
        _default(now, seat)


def _time_up_for(now: Draft, seat: Seat) -> None:
    """The table does not wait for one seat: it accepts nothing, and does the cautious thing."""
    if seat not in waiting(now.state):
        raise IllegalAction("not_waited_for")
    if now.state.step in ("settle", "window"):
        asked = tuple(deal.id for deal in now.state.deals.values() if seat in deal.parties)
        if asked:
            now.emit(DealsLapsed(deals=asked))
        if seat not in waiting(now.state):
            return
    _default(now, seat)


def _default(now: Draft, seat: Seat) -> None:
    step = now.state.step
    if step == "handicap":
        handicap = _handicap_of(now.state, seat)
        _set_handicap(now, handicap, handicap_colours(now.state.players[seat].stock, handicap)[0])
    elif step == "gifts":
        give_all_to_next(now, seat)
    elif step == "support":
        discard_by_default(now, seat)
    elif step == "plan":
        now.emit(PlanLaid(by=seat, runs=default_plan(now.state, seat)))
    elif step == "bid":
        place_bid(now, seat, default_bid(now.state, seat))
    elif step in ("colony_auction", "research_auction"):
        _take_or_pass(now, seat)
    else:
        if seat in now.state.serving:
            promises.serve_in_order(now, seat)
        if step != "settle":
            keep_word(now, seat)
        now.emit(DoneSaid(by=seat))


def _take_or_pass(now: Draft, seat: Seat) -> None:
    """A card that was promised is taken; else the ships stay."""
    bidder = next_bidder(now.state)
    assert bidder is not None
    promised = promised_buys(now.state, auction_of(now.state), bidder)
    if promised:
        buy(now, seat, Buy(card=promised[0][1]))
    else:
        pass_(now, seat, Pass())

"""Orders: standing offers, rules and turns laid down ahead are carried out, no more often than they say."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Buy,
    ChooseGoods,
    DeclineDeal,
    LayPlan,
    PlaceBid,
    ProposeDeal,
    Release,
    TimeUp,
    WithdrawDeal,
)
from elysian.deals import ANYONE, Forbear, Give, NoBid, NoTrade, Pledge
from elysian.draft import IllegalAction
from elysian.events import DealOffered, DealStruck
from elysian.goods import Goods
from elysian.options import options
from elysian.record import read
from elysian.rules import decide, new_game, waiting
from elysian.rules.economy import default_plan
from elysian.server.live.batch import Batch
from elysian.server.live.commands import PersonCommand, RunOrder
from elysian.server.ops.errors import Refused, told_event
from elysian.server.protocol.messages import Accepted, Rejected, table_view
from elysian.server.reports.results import DealTally
from elysian.server.table_state import actions as a
from elysian.server.table_state import events as e
from elysian.server.table_state import order_moves
from elysian.server.table_state.clock import AT_ONCE, wake_at
from elysian.server.table_state.decide import Asker, Circumstances, decide_table
from elysian.server.table_state.events import heard_by
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.order_moves import (
    Firing,
    Firings,
    check_order,
    next_firing,
    nothing_to_decide,
    same_ground,
    to_appraise,
)
from elysian.server.table_state.orders import (
    MOST_ORDERS,
    AnyOrder,
    PlacedOrder,
    StandingOffer,
    SwapRule,
    TurnAhead,
    WorthRule,
)
from elysian.server.table_state.state import Chair, Lobby
from elysian.server.table_state.table_options import TableOptions
from elysian.state import State
from tests.support.driver import game, some_settings
from tests.support.server.orders import struck, swappable
from tests.support.table import newest, stock, until
from tools.drive.server import OPEN_LIMITS, Browser, Served, full_table, serving
from tools.drive.waiting import until as wait_until

A, B, C, D = range(4)
NOW = Circumstances(at=1000, chance=Random(1))
GAMES = Path(__file__).resolve().parents[2] / "games"
STILL_OPEN = (AcceptDeal, DeclineDeal, WithdrawDeal, Release, ChooseGoods)  # after one has bid, too
GREEN, YELLOW = Goods(green=1), Goods(yellow=1)


def give(giver: int, to: int, **goods: int) -> Give:
    return Give(giver=giver, to=to, goods=Goods(**goods))


class Desk:
    """A table of four people, whose orders are carried out until nothing more is to be done."""

    def __init__(self, game: State | None = None, pace: str = "live") -> None:
        if game is None:
            game = new_game(("caylion", "kjas", "zeth", "unity"), 3)
            for seat in range(4):
                game = stock(game, seat, green=4, yellow=4, white=4, ship=4)
        chairs = tuple(Chair(person=f"p{seat}", name=f"P{seat}") for seat in range(4))
        options = TableOptions(pace=pace)  # type: ignore[arg-type]
        lobby = Lobby(options=options, host="p0", chairs=chairs, status="playing")
        self.current = TableState("t", lobby, game)
        self.lines: list[e.Line] = []

    @property
    def state(self) -> State:
        assert self.current.state is not None
        return self.current.state

    def batch(self, *commands: PersonCommand | RunOrder) -> None:
        batch = Batch(self.current, len(self.lines), DealTally(), NOW)
        for command in commands:
            batch.decide(command)
        self.current = batch.current
        self.lines += [line for line, _, _ in batch.lines]
        for reply in batch.replies:
            reply()

    def do(self, seat: int, action: Any) -> Accepted | Rejected:
        answers: list[Accepted | Rejected] = []
        self.batch(PersonCommand(f"p{seat}", f"id-{len(self.lines)}-{seat}", action, answers.append))
        return answers[0]

    def place(self, seat: int, order: AnyOrder) -> None:
        assert isinstance(self.do(seat, a.PlaceOrder(order)), Accepted)

    def run(self, most: int = 200) -> int:
        """Carry out what is to be done; how much that was."""
        for n in range(most):
            due = [seat for seat in range(4) if next_firing(self.current, seat) is not None]
            if not due:
                return n
            self.batch(*(RunOrder(seat) for seat in due))
        raise AssertionError("orders without an end")

    def struck(self) -> list[DealStruck]:
        return [one for line in self.lines for one in line.events if isinstance(one, DealStruck)]

    def offered(self) -> list[DealOffered]:
        return [one for line in self.lines for one in line.events if isinstance(one, DealOffered)]

    def goods(self, seat: int) -> Goods:
        return self.state.players[seat].stock


def swap_offer(seat: int, to: int = ANYONE, times: int = 1, until: int = 6) -> StandingOffer:
    """A green for a yellow."""
    clauses = give(seat, to, green=1), give(to, seat, yellow=1)
    return StandingOffer(parties=(seat, to), clauses=clauses, times=times, until=until)


# ---------------------------------------------------------------- standing offers


def test_a_standing_offer_lies_there_again_until_it_was_struck_as_often_as_it_says() -> None:
    desk = Desk()
    desk.place(A, swap_offer(A, times=2))
    desk.run()
    for taker in (B, C):
        [deal] = desk.state.deals
        assert isinstance(desk.do(taker, AcceptDeal(deal=deal)), Accepted)
        desk.run()
    assert not desk.state.deals
    assert len(desk.struck()) == len(desk.offered()) == 2
    assert desk.current.lobby.chairs[A].orders[0].is_used_up


def test_an_offer_that_was_declined_rests_until_the_next_turn() -> None:
    desk = Desk()
    desk.place(A, swap_offer(A, B, times=9))
    desk.run()
    [deal] = desk.state.deals
    desk.do(B, DeclineDeal(deal=deal))
    assert desk.run() == 0
    desk.current = replace(desk.current, state=stock(until(desk.state, "trade", 2), A, green=4))
    desk.run()
    assert len(desk.offered()) == 2


def test_a_standing_offer_ends_with_its_turn() -> None:
    desk = Desk()
    desk.place(A, swap_offer(A, times=9, until=1))
    desk.current = replace(desk.current, state=stock(until(desk.state, "trade", 2), A, green=4))
    assert desk.run() == 0


def test_nothing_is_offered_that_is_not_there() -> None:
    desk = Desk()
    desk.current = replace(desk.current, state=stock(desk.state, A, yellow=1))
    desk.place(A, swap_offer(A))
    assert desk.run() == 0


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize(
    ("clauses", "accepts"),
    [
        ((give(B, A, green=2), give(A, B, yellow=1)), True),
        ((give(B, A, green=3), give(A, B, yellow=1)), True),
        ((give(B, A, green=2),), True),
        ((give(B, A, green=1), give(A, B, yellow=1)), False),
        ((give(B, A, green=2), give(A, B, yellow=2)), False),
        ((give(B, A, green=2), give(A, B, white=1)), False),
        ((give(B, A, green=2), Pledge(what=give(A, B, yellow=1), due=2)), False),
        ((Pledge(what=give(B, A, green=2), due=2), give(A, B, yellow=1)), False),
    ],
)
@pytest.mark.parametrize("to", [A, ANYONE])
def test_any_two_green_for_a_yellow(clauses: tuple[Any, ...], accepts: bool, to: int) -> None:
    desk = Desk()
    desk.place(A, SwapRule(get=Goods(green=2), give=YELLOW))
    turned = tuple(_with(clause, to) for clause in clauses)
    assert isinstance(desk.do(B, ProposeDeal(parties=(B, to), clauses=turned)), Accepted)
    desk.run()
    assert bool(desk.struck()) == accepts


def test_what_others_give_each_other_is_not_what_a_rule_asks_for() -> None:
    desk = Desk()
    desk.place(A, SwapRule(get=Goods(green=2), give=YELLOW))
    for taker, firings in ((C, 0), (A, 1)):
        clauses = (give(B, taker, green=2), give(A, B, yellow=1))
        assert isinstance(desk.do(B, ProposeDeal(parties=(B, A, C), clauses=clauses)), Accepted)
        assert isinstance(desk.do(C, AcceptDeal(deal=newest(desk.state))), Accepted)
        assert desk.run() == firings


def _with(clause: Any, to: int) -> Any:
    """The clause with whoever may accept in the place of the seat with the rule."""
    if isinstance(clause, Pledge):
        return replace(clause, what=_with(clause.what, to))
    return replace(
        clause, giver=to if clause.giver == A else clause.giver, to=to if clause.to == A else clause.to
    )


def test_two_rules_cannot_give_the_same_cube_away() -> None:
    desk = Desk()
    desk.current = replace(desk.current, state=stock(desk.state, A, yellow=1))
    desk.place(A, SwapRule(get=GREEN, give=YELLOW, times=9))
    desk.place(A, SwapRule(get=Goods(white=1), give=YELLOW, times=9))
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=1), give(A, B, yellow=1))))
    desk.do(C, ProposeDeal(parties=(C, A), clauses=(give(C, A, white=1), give(A, C, yellow=1))))
    # Even when both are asked for in one go, each is decided on the table as it then is.
    desk.batch(RunOrder(A), RunOrder(A), RunOrder(A))
    assert len(desk.struck()) == 1
    assert desk.goods(A).yellow == 0


def test_rules_and_standing_offers_that_answer_each_other_come_to_an_end() -> None:
    desk = Desk()
    desk.place(A, swap_offer(A, times=9))
    desk.place(A, SwapRule(get=GREEN, give=YELLOW, times=9))
    back = StandingOffer(
        parties=(B, ANYONE), clauses=(give(B, ANYONE, green=1), give(ANYONE, B, yellow=1)), times=9
    )
    desk.place(B, back)
    desk.place(B, SwapRule(get=GREEN, give=YELLOW, times=9))
    before = desk.goods(A) + desk.goods(B)
    desk.run()
    assert 0 < len(desk.struck()) <= 18
    assert desk.goods(A) + desk.goods(B) == before


def test_a_rule_takes_nothing_that_is_owed() -> None:
    desk = Desk()
    owed = Pledge(what=give(A, B, yellow=30), due=2)
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=1), owed)))
    desk.do(A, AcceptDeal(deal="d1"))
    game = stock(until(desk.state, "trade", 2), A, yellow=1)
    desk.current = replace(desk.current, state=stock(game, C, green=2))
    desk.place(A, SwapRule(get=GREEN, give=YELLOW))
    swap = ProposeDeal(parties=(C, A), clauses=(give(C, A, green=1), give(A, C, yellow=1)))
    assert isinstance(desk.do(C, swap), Accepted)
    assert desk.run() == 0


def test_a_rule_breaks_no_promise() -> None:
    desk = Desk()
    word = Forbear(who=A, to=B, what=NoTrade(partner=C), until=1)
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=1), word)))
    desk.do(A, AcceptDeal(deal="d1"))
    desk.place(A, SwapRule(get=GREEN, give=YELLOW, times=9))
    desk.do(C, ProposeDeal(parties=(C, ANYONE), clauses=(give(C, ANYONE, green=1),)))
    assert desk.run() == 0


def test_what_an_offer_is_worth_counts_only_on_the_game_it_was_found_on() -> None:
    desk = Desk()
    desk.place(A, WorthRule(least=0.5))
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=2),)))
    [(order, deal)] = to_appraise(desk.current, A)
    seen, worthy = desk.state, frozenset({(order.id, deal.id)})
    changed = stock(desk.state, A, green=1)
    assert not same_ground(seen, changed, A)
    here = desk.current
    desk.current = replace(here, state=changed)
    desk.batch(RunOrder(A, worthy, seen))
    assert not desk.struck()
    desk.current = here
    desk.batch(RunOrder(A, worthy, seen))
    assert len(desk.struck()) == 1


def test_a_rule_about_worth_binds_to_nothing_and_sells_no_card() -> None:
    desk = Desk()
    desk.place(A, WorthRule(least=0.1))
    card = next(iter(new_game(("caylion", "kjas", "zeth", "unity"), 3).players[A].cards))
    for clause in (Pledge(what=give(A, B, yellow=1), due=2), Give(giver=A, to=B, cards=(card,))):
        desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=2), clause)))
    assert not list(to_appraise(desk.current, A))


# ---------------------------------------------------------------- a turn laid down ahead


def test_a_turn_laid_down_ahead_needs_nobody_after_trading() -> None:
    """PHASE-2, BID-2: the window, the plan, the bid and the purchase come of what was laid down."""
    desk = Desk()
    pick = desk.state.colony_track[-1]
    picks = tuple(card for card in (*desk.state.colony_track, *desk.state.research_track) if card)
    assert pick is not None
    desk.do(A, LayPlan(runs=(), ready=False))
    desk.place(A, TurnAhead(turn=1, bid=PlaceBid(colony=3, research=9), picks=picks))
    game = desk.state
    while game.step == "trade":
        _, game = decide(game, None, TimeUp())
    desk.current = replace(desk.current, state=game)
    asked: set[str] = set()
    while desk.state.turn == 1:
        desk.run()
        step = desk.state.step
        if A in waiting(desk.state):
            asked.add(step)
        if desk.state.turn == 1:
            _, game = decide(desk.state, None, TimeUp(seat=waiting(desk.state)[0]))
            desk.current = replace(desk.current, state=game)
    assert not asked
    made = [line.action for line in desk.lines if isinstance(line.action, PlaceBid)]
    ships = game.players[A].stock.ship
    assert made[0].colony == 3
    assert ships >= 0
    assert any(isinstance(line.action, Buy) for line in desk.lines)


def test_a_turn_ahead_without_a_plan_or_a_bid_leaves_them_to_the_person() -> None:
    desk = Desk()
    desk.place(A, TurnAhead(turn=1))
    for step in ("plan", "bid"):
        desk.current = replace(desk.current, state=until(desk.state, step, 1))
        desk.run()
        assert A in waiting(desk.state)


@pytest.mark.parametrize("pace", ["live", "async"])
def test_a_step_with_nothing_to_decide_is_done_for_a_person_who_is_told(pace: str) -> None:
    game = until(new_game(("caylion", "kjas", "zeth", "unity"), 3), "bid", 1)
    desk = Desk(stock(stock(game, A, green=1), B, ship=1), pace=pace)
    firing = next_firing(desk.current, A)
    assert firing is not None
    assert firing.action == TimeUp(seat=A)
    assert next_firing(desk.current, B) is None
    desk.batch(RunOrder(A))
    spared = e.StepSpared(seat=A, step="bid")
    assert desk.lines[-1].events[0] == spared
    assert [heard_by(seat, frozenset(), spared) for seat in (A, B, None)] == [spared, None, None]
    assert told_event(spared, desk.current.lobby, desk.current.lobby, "de").endswith("für dich erledigt.")


def test_what_was_worth_something_in_trade_is_asked_anew_in_another_step_or_turn() -> None:
    seen = Desk().state
    assert same_ground(seen, replace(seen, made=seen.made + 1), A)
    assert not same_ground(seen, replace(seen, step="plan"), A)
    assert not same_ground(seen, replace(seen, turn=seen.turn + 1), A)
    assert not same_ground(seen, None, A)


def test_trading_a_program_and_an_offer_that_waits_are_never_skipped() -> None:
    game = until(new_game(("caylion", "kjas", "zeth", "unity"), 3), "bid", 1)
    game = stock(stock(game, A, green=1), B, ship=1)
    chair = replace(Desk(game).current.lobby.chairs[A], program="mine")
    desk = Desk(game)
    lobby = desk.current.lobby
    desk.current = TableState("t", replace(lobby, chairs=(chair, *lobby.chairs[1:])), game)
    assert next_firing(desk.current, A) is None
    bare = stock(new_game(("caylion", "kjas", "zeth", "unity"), 3), A)
    assert next_firing(Desk(bare).current, A) is None
    asks = (
        Pledge(what=give(B, A, green=1), only_if=None, due=2),
        Forbear(who=A, to=B, what=NoBid(track="colony", most=0), until=1),
    )
    _, offered = decide(game, B, ProposeDeal(parties=(B, A), clauses=asks))
    assert next_firing(Desk(offered).current, A) is None


@pytest.mark.parametrize("game", ["4-players-2020", "9-players-2017-2", "private-offers", "three-players"])
def test_who_is_asked_tells_no_secret_and_nobody_is_spared_who_could_choose(game: str) -> None:
    """COMP-5: whether a seat has something to decide can be seen by all, whatever it has planned or bid."""
    found: Counter[str] = Counter()
    for state in read(GAMES / f"{game}.jsonl").states():
        for seat in waiting(state) if state.step in ("window", "plan", "bid") else ():
            spared = nothing_to_decide(state, seat)
            found[f"{state.step} {spared}"] += 1
            players = tuple(replace(player, score=player.score + 7) for player in state.players)
            assert spared == nothing_to_decide(replace(state, players=players, plans={}, bids={}), seat)
            if spared:
                asides = STILL_OPEN if state.step == "bid" else ()
                [one] = [one for one in options(state, seat).choices if not isinstance(one.action, asides)]
                assert decide(state, None, TimeUp(seat=seat)) == decide(state, seat, one.action)
    assert found["window True"] + found["bid True"] > 5
    assert found["window False"] + found["bid False"] > 5


@pytest.mark.parametrize("game", ["4-players-2020", "9-players-2020-2", "three-players"])
def test_what_is_to_be_done_for_seats_is_the_same_whether_or_not_it_was_looked_at_before(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a window in which one after the other is done, the others are not looked at anew each time."""
    asked: Counter[str] = Counter()
    states = list(read(GAMES / f"{game}.jsonl").states())
    chairs = tuple(Chair(person=f"p{seat}", name=f"P{seat}") for seat in states[0].seats())
    lobby, knowing = replace(Desk().current.lobby, chairs=chairs), Firings()

    def counted(current: TableState, seat: int) -> Firing | None:
        asked["looked"] += 1
        return next_firing(current, seat)

    for state in states:
        current = TableState("t", lobby, state)
        fresh = Firings().at(current)
        monkeypatch.setattr(order_moves, "next_firing", counted)
        assert knowing.at(current) == fresh
        monkeypatch.undo()
        asked["waited"] += len(waiting(state)) if state.step != "trade" else 0
    assert asked["looked"] < 0.9 * asked["waited"]


class Visitor:
    """Somebody who looks in for a moment: lays down the rest of the turn, and does what is waited for."""

    def __init__(self, desk: Desk, seat: int) -> None:
        self.desk, self.seat = desk, seat
        self.visits: Counter[int] = Counter()  # by turn

    def look_in(self) -> None:
        desk, seat = self.desk, self.seat
        turn = desk.state.turn
        self.visits[turn] += 1
        if desk.state.phase in ("trade", "economy") and seat not in desk.state.plans:
            assert isinstance(
                desk.do(seat, LayPlan(runs=default_plan(desk.state, seat), ready=False)), Accepted
            )
        picks = tuple(card for card in (*desk.state.colony_track, *desk.state.research_track) if card)
        desk.place(seat, TurnAhead(turn=turn, bid=PlaceBid(colony=2, research=2), picks=picks))
        desk.run()
        while desk.state.turn == turn and seat in waiting(desk.state):
            chosen = options(desk.state, seat).cautious
            assert chosen is not None
            assert isinstance(desk.do(seat, chosen), Accepted)
            desk.run()


@pytest.mark.parametrize(
    "species", [("caylion", "kjas", "unity", "imdril"), ("eni_et", "kit", "yengii", "faderan")]
)
def test_a_whole_game_over_days_needs_two_visits_a_turn(species: tuple[str, ...]) -> None:
    desk = Desk(new_game(species, 5), pace="async")
    people = [Visitor(desk, seat) for seat in range(4)]
    while desk.state.step != "over":
        for person in people:  # each once in half a day, wanted or not
            if person.seat in waiting(desk.state):
                person.look_in()
    assert desk.current.lobby.status == "over"
    turns = [visits for person in people for visits in person.visits.values()]
    assert len(turns) >= 18  # in each turn all but one must come
    assert max(turns) <= 2, [dict(person.visits) for person in people]


# ---------------------------------------------------------------- bounds, and who knows


def test_a_seat_has_only_so_many_orders_and_what_is_used_up_makes_room() -> None:
    desk = Desk()
    for _ in range(MOST_ORDERS):
        desk.place(A, SwapRule(get=GREEN))
    answer = desk.do(A, a.PlaceOrder(SwapRule(get=GREEN)))
    assert isinstance(answer, Rejected)
    assert answer.code == "too_many_orders"
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=1),)))
    desk.run()
    desk.place(A, SwapRule(get=GREEN))


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (SwapRule(get=Goods()), "empty_order"),
        (StandingOffer(parties=(A, B), clauses=()), "empty_offer"),
        (StandingOffer(parties=(B, C), clauses=(give(B, C, green=1),)), "bad_parties"),
        (StandingOffer(parties=(A, B), clauses=(give(A, B, point=1),)), "points_not_tradable"),
    ],
)
def test_an_order_that_can_never_be_carried_out_is_refused(order: AnyOrder, code: str) -> None:
    answer = Desk().do(A, a.PlaceOrder(order))
    assert isinstance(answer, Rejected)
    assert answer.code == code


def test_an_order_for_a_turn_that_is_over_is_refused() -> None:
    with pytest.raises(Refused, match="order_past"):
        check_order(until(Desk().state, "trade", 2), A, SwapRule(get=GREEN, until=1))


def test_an_order_can_be_taken_back_by_its_owner_alone() -> None:
    desk = Desk()
    desk.place(A, SwapRule(get=GREEN))
    with pytest.raises((Refused, IllegalAction)):
        decide_table(desk.current.lobby, Asker("p1", B), a.CancelOrder(order=1), NOW)
    assert isinstance(desk.do(A, a.CancelOrder(order=1)), Accepted)
    assert not desk.current.lobby.chairs[A].orders


def test_only_the_owner_knows_of_orders_and_everybody_of_wants() -> None:
    desk = Desk()
    desk.place(A, SwapRule(get=GREEN, give=YELLOW))
    desk.do(A, a.ShowWants(wants=GREEN, haves=YELLOW))
    desk.do(B, ProposeDeal(parties=(B, A), clauses=(give(B, A, green=1), give(A, B, yellow=1))))
    desk.run()
    told = {seat: table_view("t", desk.current.lobby, seat) for seat in (A, B, None)}
    assert [len(told[seat].orders) for seat in (A, B, None)] == [1, 0, 0]
    assert all(view.seats[A].wants == GREEN and view.seats[A].haves == YELLOW for view in told.values())
    events = [one for line in desk.lines for one in line.events if isinstance(one, e.TableEvent)]
    secret = (e.OrderPlaced, e.OrderFired)
    assert {type(one) for one in events} == {*secret, e.WantsShown}
    for one in events:
        for seat in (A, B, None):
            known = e.heard_by(seat, frozenset(), one) is not None
            assert known == (seat == A or not isinstance(one, secret))


def test_whoever_takes_a_seat_over_has_no_orders_of_the_one_before() -> None:
    desk = Desk()
    desk.place(A, SwapRule(get=GREEN))
    line = e.Line(n=1, at=1, events=(e.SeatHandedOver(seat=A, name="Ida", person="p9"),))
    assert not fold(desk.current, "t", line).lobby.chairs[A].orders


def test_a_table_with_an_order_to_carry_out_is_looked_after_though_nobody_comes() -> None:
    desk, firings = Desk(), Firings()
    wakes: list[int | None] = []
    for change in (lambda: None, lambda: desk.place(A, swap_offer(A)), desk.run):
        change()
        wakes.append(wake_at(desk.current, fires=bool(firings.at(desk.current))))
    assert wakes == [None, AT_ONCE, None]


def test_what_is_to_be_done_for_all_seats_is_what_is_to_be_done_for_each() -> None:
    """In every step of whole games, with orders of every kind and without."""
    for seed in range(3):
        settings = some_settings(Random(seed), 4)
        lobby = Desk().current.lobby
        without = replace(lobby, chairs=(replace(lobby.chairs[0], orders=()), *lobby.chairs[1:]))
        knowing = Firings()
        for before, *_ in game(settings, f"firings/{seed}", 400, clock=0.03):
            ahead = (PlacedOrder(id=1, order=TurnAhead(turn=before.turn, bid=PlaceBid())),)
            chairs = (replace(lobby.chairs[0], orders=ahead), *lobby.chairs[1:])
            for table, firings in ((without, knowing), (replace(lobby, chairs=chairs), Firings())):
                now = TableState("t", table, before)
                each = {seat: next_firing(now, seat) for seat in range(4)}
                assert firings.at(now) == {seat: one for seat, one in each.items() if one is not None}


def test_what_was_carried_out_is_in_the_log_once() -> None:
    """The log folded anew knows what is left of every order: after a crash nothing is done again."""
    desk = Desk()
    first = desk.current
    desk.place(A, swap_offer(A, times=3))
    desk.place(B, SwapRule(get=GREEN, give=YELLOW, times=2))
    desk.run()
    again = first
    for n, line in enumerate(desk.lines):
        again = fold(again, "t", line)
        for seat in range(4):
            firing = next_firing(again, seat)
            if firing is not None and n + 1 == len(desk.lines):
                raise AssertionError("it would be done again")
    assert again.lobby == desk.current.lobby
    assert len(desk.struck()) == 2


# ---------------------------------------------------------------- on the server


def test_rules_and_standing_offers_are_struck_while_nobody_is_there(served: Served) -> None:
    table, people = full_table(served)
    mine, theirs = swappable(people[0], table)
    rule = {"kind": "swap_rule", "get": {mine: 1}, "give": {theirs: 1}}
    assert people[1].do(table, {"kind": "place_order", "order": rule}).status == 200
    clauses = [
        {"kind": "give", "giver": 0, "to": -1, "goods": {mine: 1}},
        {"kind": "give", "giver": -1, "to": 0, "goods": {theirs: 1}},
    ]
    offer = {"kind": "standing_offer", "parties": [0, -1], "clauses": clauses}
    assert people[0].do(table, {"kind": "place_order", "order": offer}).status == 200
    wait_until(
        lambda: not people[0].get(f"/api/tables/{table}").json["view"]["deals"] and struck(people[1], table)
    )
    log = people[2].get(f"/api/tables/{table}/log").json
    assert not re.search(r'"kind":\s*"\w*order', json.dumps(log))
    own = people[1].get(f"/api/tables/{table}").json["table"]["orders"]
    assert [one["fired"] for one in own] == [1]


def test_a_rule_about_worth_asks_what_the_page_says(served: Served) -> None:
    table, people = full_table(served)
    order = {"kind": "worth_rule", "least": 0.2}
    assert people[1].do(table, {"kind": "place_order", "order": order}).status == 200
    mine, theirs = swappable(people[0], table)
    bad = [{"kind": "give", "giver": 1, "to": 0, "goods": {theirs: 1}}]
    good = [{"kind": "give", "giver": 0, "to": 1, "goods": {mine: 1}}]
    for clauses in (bad, good):
        asked = people[0].do(table, {"kind": "propose_deal", "parties": [0, 1], "clauses": clauses})
        assert asked.status == 200
    wait_until(lambda: struck(people[1], table) == 1)
    deals = people[0].get(f"/api/tables/{table}").json["view"]["deals"]
    assert list(deals) == ["d1"]


def test_after_a_crash_a_rule_about_worth_fires_though_nobody_comes(tmp_path: Path) -> None:
    """What an offer is worth was still being worked out; the table is loaded again all the same."""
    with serving(tmp_path) as served:
        table, people = full_table(served)
        order = {"kind": "worth_rule", "least": 0.2}
        assert people[1].do(table, {"kind": "place_order", "order": order}).status == 200
        mine, _ = swappable(people[0], table)
        gift = [{"kind": "give", "giver": 0, "to": 1, "goods": {mine: 1}}]
        offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": gift}
        assert people[0].do(table, offer).status == 200
        served.kill()
        served.start()
        wait_until(lambda: b"elysian_tables_loaded 1" in people[0].get("/metrics").raw)
        wait_until(lambda: struck(people[0], table) == 1)


def test_offers_that_are_appraised_for_a_rule_cost_who_made_them(tmp_path: Path) -> None:
    """Otherwise a flood of offers would take the answers of whom they are made to."""
    limits = {**OPEN_LIMITS, "questions": 0.000_001}  # one answer, and no more for long
    with serving(tmp_path, limits=limits) as served:
        table, people = full_table(served)
        _, theirs = swappable(people[0], table)
        rule = {"kind": "worth_rule", "least": 50}
        assert people[1].do(table, {"kind": "place_order", "order": rule}).status == 200
        bad = [{"kind": "give", "giver": 1, "to": 0, "goods": {theirs: 1}}]
        offer = {"kind": "propose_deal", "parties": [0, 1], "clauses": bad}
        assert people[0].do(table, offer).status == 200
        ask = {"kind": "ask", "what": "worth", "clauses": bad}
        with people[0].sit(table) as flood:
            wait_until(lambda: flood.answer(flood.send(**ask))["kind"] == "refused")
        with people[1].sit(table) as seat:
            assert seat.answer(seat.send(**ask))["kind"] == "worth", "theirs is left to them"
            assert seat.answer(seat.send(**ask))["kind"] == "refused", "and not more than that"


def test_an_offer_that_could_not_be_appraised_at_once_is_when_it_can_be(tmp_path: Path) -> None:
    """Nobody need come or do anything for that."""
    with serving(tmp_path, limits={**OPEN_LIMITS, "questions": 0.2}) as served:
        table, people = full_table(served)
        rule = {"kind": "worth_rule", "least": 0.2}
        assert people[1].do(table, {"kind": "place_order", "order": rule}).status == 200
        with people[0].sit(table) as seat:
            while seat.answer(seat.send(kind="ask", what="best_plan"))["kind"] != "refused":
                continue
            mine, _ = swappable(people[0], table)
            gift = [{"kind": "give", "giver": 0, "to": 1, "goods": {mine: 1}}]
            assert seat.do("propose_deal", parties=[0, 1], clauses=gift)["kind"] == "accepted"
        wait_until(lambda: struck(people[1], table) == 1)


def test_a_standing_offer_and_live_trades_race_for_the_same_goods(served: Served) -> None:
    """Everybody takes what lies there as fast as they can, and its owner gives the same goods away."""
    table, people = full_table(served)
    before = stocks(people[0], table)
    mine, theirs = swappable(people[0], table)
    terms = [
        {"kind": "give", "giver": 0, "to": -1, "goods": {mine: 1}},
        {"kind": "give", "giver": -1, "to": 0, "goods": {theirs: 1}},
    ]
    order = {"kind": "standing_offer", "parties": [0, -1], "clauses": terms, "times": 9}
    rule = {"kind": "swap_rule", "get": {mine: 1}, "give": {theirs: 1}, "times": 9}
    assert people[0].do(table, {"kind": "place_order", "order": order}).status == 200
    assert people[2].do(table, {"kind": "place_order", "order": rule}).status == 200

    def takes(person: Browser) -> None:
        for _ in range(12):
            for deal in person.get(f"/api/tables/{table}").json["view"]["deals"]:
                person.do(table, {"kind": "accept_deal", "deal": deal})

    def gives(person: Browser) -> None:
        handed = [{"kind": "give", "giver": 0, "to": 3, "goods": {mine: 1}}]
        for _ in range(12):
            person.do(table, {"kind": "propose_deal", "parties": [0, 3], "clauses": handed})

    racing = [Thread(target=takes, args=(person,)) for person in (people[1], people[2], people[3])]
    racing += [Thread(target=gives, args=(people[0],)), Thread(target=gives, args=(people[0],))]
    for one in racing:
        one.start()
    for one in racing:
        one.join()
    after = stocks(people[0], table)
    assert sum(after, Counter()) == sum(before, Counter()), "nothing was made, and nothing lost"
    assert all(n >= 0 for stock in after for n in stock.values())
    log = people[0].get(f"/api/tables/{table}/log").json["lines"]
    events = [event for line in log for event in line["events"]]
    made = {event["offer"] for event in events if event["kind"] == "order_fired" and event.get("offer")}
    kept = [event for event in events if event["kind"] == "deal_struck" and event["deal"] in made]
    [placed] = people[0].get(f"/api/tables/{table}").json["table"]["orders"]
    assert placed["fired"] == len(kept) <= 9
    left = [deal for deal in made if deal in people[0].get(f"/api/tables/{table}").json["view"]["deals"]]
    assert len(left) <= 1, "of a standing offer one lies there at a time"


def stocks(person: Browser, table: str) -> list[Counter[str]]:
    """What lies before everybody."""
    players = person.get(f"/api/tables/{table}").json["view"]["players"]
    return [Counter(player["stock"]) for player in players]

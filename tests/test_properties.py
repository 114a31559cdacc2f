"""Any action at any time is either refused, and nothing changes, or leaves a sound table behind."""

from __future__ import annotations

import os
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from elysian import record as records
from elysian.actions import AcceptDeal, Action, TimeUp
from elysian.draft import IllegalAction
from elysian.options import options
from elysian.rules import begin, decide, evolve
from elysian.state import State
from elysian.view import view
from tests.support.campaign import Campaign
from tests.support.driver import EDITIONS, any_move, game, legal_move, pick, some_deal, some_settings
from tests.support.invariants import check_invariants
from tests.support.wild import nudged, wild_move

SOAK = os.environ.get("ELYSIAN_SOAK") == "1"
GAMES = 25  # of a share, in a part
SHARES = 8  # so that several processes can play them
PARTS = 10 if SOAK else 1
STEPS = 60

seeds = st.integers(min_value=0, max_value=2**32 - 1)


class AnyTable(RuleBasedStateMachine):
    """A table of any line-up, edition and options, from any moment of its game on."""

    state: State
    part = 0

    @initialize(seed=seeds, forward=st.sampled_from((0, 0, 20, 60, 120, 200, 300)))
    def set_up(self, seed: int, forward: int) -> None:
        rng = Random(f"settings/{self.part}/{seed}")
        chosen = some_settings(rng)
        self.record = records.Record.begin(chosen, seed)
        self.state = self.replayed = begin(self.record.head.started)
        check_invariants(self.state)
        for _ in range(forward):
            seat, action = any_move(self.state, rng)
            try:
                events, after = decide(self.state, seat, action)
            except IllegalAction:
                continue
            if after.step == "over":
                break
            self.state = self.replayed = after
            self.record.add(seat, action, events)

    @rule(seed=seeds)
    def a_legal_move(self, seed: int) -> None:
        self.ask(*legal_move(self.state, Random(seed)))

    @rule(seed=seeds)
    def another_legal_move(self, seed: int) -> None:
        self.ask(*any_move(self.state, Random(seed)))

    @rule(seed=seeds)
    def an_offer(self, seed: int) -> None:
        self.ask(*some_deal(self.state, Random(seed)))

    @rule(seed=seeds)
    def an_absurd_offer(self, seed: int) -> None:
        rng = Random(seed)
        self.ask(*nudged(self.state, rng, some_deal(self.state, rng)))

    @precondition(lambda self: self.state.deals)
    @rule(seed=seeds)
    def an_answer(self, seed: int) -> None:
        rng = Random(seed)
        deal = pick(rng, list(self.state.deals.values()))
        for seat in self.state.seats():
            if deal.id in self.state.deals and (deal.is_open or seat in deal.parties):
                self.ask(seat, AcceptDeal(deal=deal.id))

    @rule(seed=seeds)
    def anything_at_all(self, seed: int) -> None:
        rng = Random(seed)
        for _ in range(3):
            self.ask(*wild_move(self.state, rng))

    @rule(seed=seeds)
    def a_legal_move_spoilt(self, seed: int) -> None:
        rng = Random(seed)
        self.ask(*nudged(self.state, rng, any_move(self.state, rng)))

    @rule(due=st.integers(0, 3))
    def the_clock(self, due: int) -> None:
        if not due:
            self.ask(None, TimeUp())

    @rule(seed=seeds)
    def what_is_offered_is_legal(self, seed: int) -> None:
        """Every choice of a seat would be decided, and looking changes nothing."""
        seat = pick(Random(seed), list(self.state.seats()))
        for choice in options(self.state, seat).choices:
            assert decide(self.state, seat, choice.action)[0]
        assert view(self.state, seat).score == self.state.players[seat].score
        assert self.state == self.replayed

    def ask(self, seat: int | None, action: Action) -> None:
        """Put an action to the table and look at everything that comes of it."""
        before = self.state
        image = msgspec.json.encode(before)
        try:
            events, after = decide(before, seat, action)
        except IllegalAction:
            events, after = (), before
        assert msgspec.json.encode(before) == image, "the table before was changed"
        if not events:
            return
        state = before
        for event in events:
            was, state = state, evolve(state, event)
            check_invariants(state, event, was)
        assert state == after
        check_invariants(after)
        line = msgspec.json.encode(self.record.add(seat, action, events))
        for event in msgspec.json.decode(line, type=records.RecordLine).events:
            self.replayed = evolve(self.replayed, event)
        assert self.replayed == after
        self.state = after

    def teardown(self) -> None:
        if not hasattr(self, "record"):
            return
        loaded = records.load(records.dump(self.record))
        assert records.replay(loaded) == self.state
        assert records.check(loaded) == []


@pytest.mark.parametrize("share", range(SHARES))
def test_any_action_at_any_time_is_refused_or_leaves_a_sound_table(share: int) -> None:
    """TRADE-1, TRADE-4, FAD-9."""
    campaign = Campaign(f"any action, share {share}", 0, PARTS)
    for part in campaign.left():
        run_state_machine_as_test(
            type("AnyTable", (AnyTable,), {"part": share + SHARES * part}),
            settings=settings(
                max_examples=GAMES,
                stateful_step_count=STEPS,
                deadline=None,
                derandomize=not SOAK,
                database=None,
                # A failing game is told by its seeds; making it shorter takes minutes.
                phases=(Phase.generate, Phase.shrink) if SOAK else (Phase.generate,),
                suppress_health_check=list(HealthCheck),
            ),
        )
        campaign.counts["tables"] += GAMES


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", range(4, 10))
def test_random_games_come_to_an_end(players: int, edition: str) -> None:
    """PHASE-1, END-1."""
    for n in Campaign(f"random games, {players} of {edition}", 0, PARTS).left():
        seed = f"{players}/{edition}/{n}"
        entries = list(game(some_settings(Random(seed), players, edition=edition), seed, 5000))
        last = entries[-1][4]
        assert last.step == "over"
        assert last.turn == 6
        for before, seat, _, events, after in entries:
            assert events
            assert seat is None or seat in before.seats()
            check_invariants(after)

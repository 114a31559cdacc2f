"""The environment: PettingZoo's own tests, what lies in the slots, what is seen, rewards, and free offers."""

from __future__ import annotations

import os
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.example_envs import generated_agents_env_v0

from elysian.actions import AcceptDeal, Done, PlaceBid, ProposeDeal
from elysian.deals import Give
from elysian.deck import CATALOG
from elysian.envs import elysian_v0
from elysian.envs.encoding import CARDS, HELD, SPECIES, legend
from elysian.envs.free_offers import FreeOffers
from elysian.envs.games import ranks
from elysian.envs.offers import TRADED, Candidates
from elysian.envs.slots import FIXED, GROUPS, STARTS, action_of, name_of
from elysian.goods import Goods
from elysian.options import options
from elysian.rules import refusal
from elysian.state import State
from elysian.view import view
from tests.support.driver import game, some_settings

STEPS = int(os.environ.get("ELYSIAN_ENV_STEPS", "6000"))  # make envs: 100000
NINE = tuple(sorted(CATALOG.species))


def some_slot(mask: Any, rng: Random) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def steps(env: Any, rng: Random) -> Any:
    """One game of a random policy: the agent, what it sees and which slot it takes, before it is taken."""
    while not env.terminations[env.agent_selection]:
        seen = env.observe(env.agent_selection)
        slot = some_slot(seen["action_mask"], rng)
        yield env.agent_selection, seen, slot
        env.step(slot)


# ---------------------------------------------------------------- the interfaces

# What PettingZoo warns of although it allows it: observations are dictionaries, ours of several arrays.
ALLOWED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


@pytest.fixture
def _as_pettingzoo_allows() -> Any:
    with warnings.catch_warnings():
        for words in ALLOWED:
            warnings.filterwarnings("ignore", message=words)
        yield


@pytest.mark.usefixtures("_as_pettingzoo_allows")
@pytest.mark.parametrize("make", [elysian_v0.env, elysian_v0.raw_env])
@pytest.mark.parametrize("reward", elysian_v0.REWARDS)
def test_it_is_an_environment_of_pettingzoo(make: Any, reward: Any) -> None:
    api_test(make(reward=reward, seed=1), num_cycles=150)


@pytest.mark.usefixtures("_as_pettingzoo_allows")
@pytest.mark.parametrize("players", [4, 9])
def test_the_parallel_one_is_too(players: int) -> None:
    parallel_api_test(elysian_v0.parallel_env(players=players, seed=1), num_cycles=120)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(elysian_v0.env, num_cycles=80)
    parallel_seed_test(elysian_v0.parallel_env, num_cycles=30)


def test_another_seed_gives_another_game_and_resets_go_on() -> None:
    def first(env: Any, seed: int | None) -> bytes:
        env.reset(seed=seed)
        seen: bytes = env.observe("player_0")["observation"]["cards"].tobytes()
        return seen

    one, other = elysian_v0.raw_env(seed=5), elysian_v0.raw_env(seed=5)
    assert first(one, 1) != first(one, 2)
    assert first(one, 1) == first(other, 1)
    assert [first(one, None) for _ in range(3)] == [first(other, None) for _ in range(3)]
    assert len({first(one, None) for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"players": 12}, "12 players cannot play"),
        ({"players": 3}, "3 players cannot play"),
        ({"species": ("kit", "zeth")}, "4 players, but 2 species are named."),
        ({"species": ("kit", "zeth", "unity", "borg")}, "borg"),
        ({"edition": "1999"}, "1999"),
        ({"reward": "fame"}, "There is no reward 'fame'; there are score, rank, delta."),
        ({"offers": -1}, "-1 offers to choose from cannot be; 0 to 64 can."),
    ],
)
def test_an_impossible_table_is_refused_with_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    for make in (elysian_v0.env, elysian_v0.raw_env, elysian_v0.parallel_env):
        with pytest.raises(ValueError, match=r"\.$") as refused:
            make(**wrong)
        assert sentence in str(refused.value)


# ---------------------------------------------------------------- slots


def test_no_action_the_mask_allows_is_refused() -> None:
    rng = Random(1)
    taken, used = 0, set[str]()
    envs = [
        elysian_v0.raw_env(players=n, edition=edition, offers=6)
        for n, edition in zip(range(4, 10), ("2020", "2017", "de2021") * 2, strict=True)
    ]
    while taken < STEPS:
        env = rng.choice(envs)
        env.reset(seed=rng.randrange(1 << 30))
        for _, _, slot in steps(env, rng):
            taken += 1
            used.add(name_of(slot).split()[0])
            assert all(info == {} for info in env.infos.values())
        assert all(info == {} for info in env.infos.values())
    assert {"wait", "done", "accept", "decline", "invent", "upgrade", "plan", "bid", "buy", "offer"} <= used


def test_what_lies_in_the_slots_is_what_the_rules_allow() -> None:
    """What is remembered from one step to the next is what would be found afresh."""
    rng = Random(2)
    for seed in range(3):
        env = elysian_v0.raw_env(players=5 + seed, offers=3)
        env.reset(seed=seed)
        for agent, _, _ in steps(env, rng):
            seat, state = env.games.seat_of[agent], env.games.episode.state
            _, slots = env.games.slots(seat)
            lies = slots.actions
            there = [action_of(one) for one in lies.values() if one is not None]
            assert all(refusal(state, seat, action) is None for action in there if action is not None)
            found = {choice.action for choice in options(state, seat).choices}
            ready = {a for a in there if not isinstance(a, ProposeDeal | PlaceBid)}
            assert len({a for a in found if not isinstance(a, PlaceBid)} - ready) == slots.left_out


def test_options_are_what_is_left_of_all_when_the_refused_are_taken_away() -> None:
    for seed in range(4):
        for state, *_ in game(some_settings(Random(seed), 4 + seed), f"options/{seed}", 200):
            for seat in state.seats():
                every = options(state, seat, with_refused=True).choices
                assert options(state, seat).choices == tuple(one for one in every if one.refused is None)


def test_an_empty_slot_is_to_wait_and_told() -> None:
    env = elysian_v0.raw_env()
    env.reset(seed=1)
    agent, before = env.agent_selection, env.games.episode.state
    mask = env.observe(agent)["action_mask"]
    env.step(int((mask == 0).nonzero()[0][0]))
    assert env.infos[agent] == {"refused": "empty_slot"}
    assert env.games.episode.state is before


def test_when_everybody_waits_the_clock_runs_out() -> None:
    env = elysian_v0.raw_env(players=4)
    env.reset(seed=3)
    asked = 0
    while not env.terminations[env.agent_selection]:
        env.step(0)
        asked += 1
    assert env.games.episode.state.turn == 6
    assert asked < 4 * 6 * 12


def test_every_place_has_a_name_and_no_two_are_the_same() -> None:
    names = [name_of(place) for place in range(FIXED + 4)]
    assert len(set(names)) == len(names) == FIXED + 4
    assert names[0] == "wait"
    assert names[FIXED] == "offer 0"
    assert [name for name, _ in GROUPS] == list(STARTS)
    assert set(legend()) == {"goods", "cards", "species", "steps", "slots"}


# ---------------------------------------------------------------- offers


def test_candidate_offers_are_legal_different_and_can_be_struck() -> None:
    for state in trading(3):
        for seat in state.seats():
            offers = Candidates(6).of(view(state, seat))
            assert len({offer.clauses for offer in offers}) == len(offers)
            for offer in offers:
                assert refusal(state, seat, offer) is None
                for clause in offer.clauses:
                    assert isinstance(clause, Give)
                    assert state.players[clause.giver].stock.covers(clause.goods)


def test_the_best_candidate_suits_both_sides() -> None:
    env = elysian_v0.raw_env(players=6)
    env.reset(seed=4)
    games = env.games
    gains = []
    for seat in range(6):
        seen = games.episode.view(seat)
        best, wants = games.candidates.of(seen)[0], games.candidates._of
        give, get = (clause.goods.items()[0] for clause in best.clauses if isinstance(clause, Give))
        (other,) = set(best.parties) - {seat}
        mine, theirs = wants(seen, seat), wants(seen, other)
        gains.append(mine.more[get[0]] - {kind: cost for kind, _, cost in mine.there}[give[0]] * give[1])
        gains.append(theirs.more[give[0]] * give[1] - {kind: cost for kind, _, cost in theirs.there}[get[0]])
    assert min(gains) >= 0
    assert max(gains) > 0


def trading(games: int) -> list[State]:
    """Tables in the middle of trading."""
    found = []
    for seed in range(games):
        env = elysian_v0.raw_env(players=4 + seed)
        env.reset(seed=seed)
        for n, _ in enumerate(steps(env, Random(seed))):
            if n % 40 == 0 and env.games.episode.state.step == "trade":
                found.append(env.games.episode.state)
    return found


# ---------------------------------------------------------------- what is seen


def test_everybody_sees_themselves_first() -> None:
    species = ("kit", "zeth", "unity", "caylion", "yengii")
    env = elysian_v0.raw_env(players=5, species=species)
    env.reset(seed=1)
    for seat in range(5):
        seen = env.observe(f"player_{seat}")["observation"]
        for after in range(5):
            who = (seat + after) % 5
            player = env.games.episode.state.players[who]
            assert seen["seats"][after][SPECIES[species[who]]] == 1
            held = {name for name, n in CARDS.items() if seen["cards"][after][n] & HELD}
            assert held == set(player.cards)
            assert tuple(seen["seats"][after][len(SPECIES) : len(SPECIES) + 13]) == player.stock.counts()


def test_an_observation_is_the_same_whatever_was_looked_at_before() -> None:
    """Rows are remembered from look to look; a fresh table sees the same."""
    rng = Random(7)
    env, fresh = elysian_v0.raw_env(players=6), elysian_v0.raw_env(players=6).games
    env.reset(seed=9)
    for n, (agent, seen, _) in enumerate(steps(env, rng)):
        if n % 5:
            continue
        fresh.go_on(env.games.episode.state, 0)
        again = fresh.observe(env.games.seat_of[agent])
        assert env.observation_space(agent).contains(seen)
        assert np.array_equal(seen["action_mask"], again["action_mask"])
        for name, part in seen["observation"].items():
            assert np.array_equal(part, again["observation"][name]), name


# ---------------------------------------------------------------- rewards


@pytest.mark.parametrize("reward", elysian_v0.REWARDS)
def test_rewards_add_up_to_what_they_say(reward: Any) -> None:
    env = elysian_v0.raw_env(reward=reward)
    env.reset(seed=6)
    total = dict.fromkeys(env.agents, 0.0)
    rng = Random(3)
    while not env.terminations[env.agent_selection]:
        env.step(some_slot(env.observe(env.agent_selection)["action_mask"], rng))
        for agent, earned in env.rewards.items():
            total[agent] += earned
    scores = sorted(env.games.episode.state.scores, key=lambda score: score.seat)
    points = [score.total / 12 for score in scores]
    if reward == "rank":
        assert sum(total.values()) == pytest.approx(0)
        assert max(total, key=total.__getitem__) == f"player_{points.index(max(points))}"
    else:
        assert list(total.values()) == pytest.approx(points)


def test_those_who_are_level_share_their_places() -> None:
    env = elysian_v0.raw_env()
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(0)
    scores = env.games.episode.state.scores
    same = [type(score)(score.seat, 10, 0, 120, True) for score in scores]
    assert ranks(same) == [0, 0, 0, 0]


# ---------------------------------------------------------------- all at once


def test_of_two_who_want_the_same_the_second_is_refused_and_told() -> None:
    rng, refusals = Random(1), 0
    env = elysian_v0.parallel_env(players=6, seed=1)
    for _ in range(2):
        seen, _ = env.reset()
        while env.agents:
            actions = {agent: some_slot(seen[agent]["action_mask"], rng) for agent in env.agents}
            seen, _, _, _, infos = env.step(actions)
            refusals += sum("refused" in info for info in infos.values())
            assert all(info in ({},) or set(info) == {"refused"} for info in infos.values())
    assert refusals


def test_a_tick_of_waiting_lets_the_clock_run_out() -> None:
    env = elysian_v0.parallel_env(seed=1)
    env.reset(seed=1)
    ticks = 0
    while env.agents:
        env.step(dict.fromkeys(env.agents, 0))
        ticks += 1
    assert ticks < 100


# ---------------------------------------------------------------- free offers


def test_a_policy_words_its_own_offer() -> None:
    env = FreeOffers(elysian_v0.env())
    env.reset(seed=1)
    agent = env.agent_selection
    seat = env.raw.games.seat_of[agent]
    seen = env.observe(agent)
    assert env.observation_space(agent).contains(seen)
    assert seen["action_mask"][-1] == 1
    mine = env.raw.games.episode.state.players[seat].stock
    kind = next(kind for kind in TRADED if getattr(mine, kind))
    give, get = np.zeros(len(TRADED), int), np.zeros(len(TRADED), int)
    give[TRADED.index(kind)] = 1
    get[TRADED.index("ultratech")] = 2
    env.step({"slot": env.own, "partner": 2, "give": give, "get": get})
    (deal,) = env.raw.games.episode.state.deals.values()
    assert deal.parties == (seat, (seat + 2) % 4)
    assert [clause.goods for clause in deal.clauses] == [Goods(**{kind: 1}), Goods(ultratech=2)]  # type: ignore[union-attr]
    while env.agent_selection == agent:
        env.step({"slot": 0, "partner": 1, "give": give, "get": get})
    empty = np.zeros(len(TRADED), int)
    agent = env.agent_selection
    env.step({"slot": env.own, "partner": 1, "give": empty, "get": empty})
    assert env.raw.infos[agent] == {"refused": "empty_offer"}


def test_a_random_policy_with_free_offers_plays_to_the_end() -> None:
    env = FreeOffers(elysian_v0.env())
    env.reset(seed=2)
    rng = Random(2)
    for n, agent in enumerate(env.agent_iter()):
        seen, _, over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        env.action_space(agent).seed(n)
        env.step({**env.action_space(agent).sample(), "slot": some_slot(seen["action_mask"], rng)})
    assert env.raw.games.episode.is_over
    with pytest.raises(TypeError, match="elysian_v0"):
        FreeOffers(generated_agents_env_v0.env())


def test_offers_can_be_accepted_by_the_slot_of_the_same_number_as_they_are_declined() -> None:
    env = elysian_v0.raw_env()
    env.reset(seed=1)
    for agent, _, _ in steps(env, Random(1)):
        lies = env.games.slots(env.games.seat_of[agent])[1].actions
        for place, one in lies.items():
            action = action_of(one)
            if isinstance(action, AcceptDeal):
                other = lies.get(place - STARTS["accept"] + STARTS["decline"])
                assert other is None or action_of(other).deal == action.deal  # type: ignore[attr-defined]
        assert action_of(lies.get(STARTS["done"])) in (None, Done())

"""The game for PettingZoo: `env()` and `raw_env()` one seat at a time, `parallel_env()` all at once.

Every seat is an agent, `player_0` and so on. An action is the number of a slot (`elysian.envs.slots`); the
mask in the observation says which are taken, and what lies there can be done. Slot 0 waits. A seat is asked
again when something has happened; when everybody waits, or a step has gone on for long, the clock runs out:
those who are waited for do the cautious thing.

The version in the name goes up whenever the same seed and actions would give other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from elysian.actions import AcceptDeal, Action, DeclineDeal, WithdrawDeal
from elysian.deals import ANYONE, Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.envs.encoding import Encoder, Observation, observation_space, same
from elysian.envs.episode import OPEN, Episode
from elysian.envs.offers import Candidates
from elysian.envs.slots import FIXED, Slots, action_of, lay
from elysian.messages import sentence
from elysian.options import Choice, bid_choices, may_propose, other_choices, violet_choices
from elysian.rules import begin, refusal, start, waiting
from elysian.rules.setup import check_settings
from elysian.state import Edition, FinalScore, Settings, State

Reward = Literal["score", "rank", "delta"]
REWARDS: tuple[Reward, ...] = ("score", "rank", "delta")
MOST_OFFERS = 64
ANSWERS = (AcceptDeal, DeclineDeal, WithdrawDeal)
EMPTY = "empty_slot"  # what the info says when nothing lies in the slot chosen


class _Games:
    """What the two environments share: games by seed, what lies in the slots of a seat, and rewards."""

    def __init__(
        self,
        players: int,
        species: Sequence[str] | None,
        edition: str,
        offers: int,
        reward: Reward,
        seed: int | None,
    ) -> None:
        """Check what is asked for; raises ValueError with a sentence."""
        if reward not in REWARDS:
            raise ValueError(f"There is no reward {reward!r}; there are {', '.join(REWARDS)}.")
        if not 0 <= offers <= MOST_OFFERS:
            raise ValueError(f"{offers} offers to choose from cannot be; 0 to {MOST_OFFERS} can.")
        if species is not None and len(species) != players:
            raise ValueError(f"{players} players, but {len(species)} species are named.")
        self.players, self.species, self.edition = players, species, cast(Edition, edition)
        self.offers, self.reward = offers, reward
        self.agents = [f"player_{seat}" for seat in range(players)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents)}
        self._seeds = Random(seed)
        self._settings(Random(0))  # an impossible table is refused at once
        self.space = observation_space(players, offers)
        self.actions = spaces.Discrete(FIXED + offers)

    def _settings(self, rng: Random) -> Settings:
        names = self.species
        if names is None:
            known = sorted(CATALOG.species)
            names = rng.sample(known, min(self.players, len(known)))
        settings = Settings(species=tuple(names), edition=self.edition)
        try:
            check_settings(settings)
            if len(names) != self.players:
                raise IllegalAction("bad_player_count", players=self.players, fewest=4, most=len(names))
        except IllegalAction as illegal:
            raise ValueError(sentence(illegal, tuple(names))) from None
        return settings

    def begin(self, seed: int | None) -> None:
        """A new game; without a seed the next of the environment's own."""
        chosen = self._seeds.randrange(1 << 32) if seed is None else seed
        self.go_on(begin(start(self._settings(Random(f"{chosen}/species")), chosen)), chosen)

    def go_on(self, state: State, seed: int) -> None:
        """Play from this table on, with nothing remembered of another."""
        self.episode = Episode(state, seed)
        self.encoder = Encoder(self.players, self.offers)
        self.candidates = Candidates(self.offers)
        self._laid: dict[Seat, tuple[State, bool, Slots]] = {}
        self._violet: dict[Seat, tuple[tuple[object, ...], tuple[Choice, ...]]] = {}
        self._answers: dict[tuple[object, ...], tuple[tuple[object, ...], IllegalAction | None]] = {}
        self._scored = [0.0] * self.players

    # ------------------------------------------------------------ one seat

    def slots(self, seat: Seat) -> tuple[bool, Slots]:
        """Whether a seat may propose, and what lies in its slots; computed once, for a seat that may act."""
        episode = self.episode
        kept = self._laid.get(seat)
        if kept is None or kept[0] is not episode.state:
            state = episode.state
            if state.step in OPEN or seat in waiting(state):
                view, choices = episode.view(seat), self._choices(seat)
                slots = lay(view, choices, bid_choices(state, seat), self.candidates.of(view))
                kept = state, may_propose(state, seat), slots
            else:
                kept = state, False, Slots({0: None})
            self._laid[seat] = kept
        return kept[1], kept[2]

    def _choices(self, seat: Seat) -> tuple[Choice, ...]:
        return self._inventions(seat) + other_choices(self.episode.state, seat, self._judge)

    def _inventions(self, seat: Seat) -> tuple[Choice, ...]:
        """The violet choices of a seat, judged anew when something they hang on has changed."""
        state = self.episode.state
        me = state.players[seat]
        hangs_on = (
            me,
            state.players if me.stock.acknowledgement else None,  # others may make inventions cheaper
            state.ran,
            state.obligations,
            state.invented,
            state.shared,
            state.relics,
            state.colonies,
            state.step,
            state.turn,
        )
        kept = self._violet.get(seat)
        if kept is None or not same(kept[0], hangs_on):
            kept = self._violet[seat] = hangs_on, violet_choices(state, seat)
        return kept[1]

    def _judge(self, state: State, seat: Seat, action: Action) -> IllegalAction | None:
        """Why an action is refused; of an answer to an offer, remembered while what it hangs on stands."""
        if type(action) not in ANSWERS:
            return refusal(state, seat, action)
        deal = state.deals[action.deal]  # type: ignore[attr-defined]
        players = state.players
        hangs_on = (
            deal,
            state.step,
            state.turn,
            state.obligations,
            state.colony_track,
            state.research_track,
            players[seat],
            *[players[party] for party in deal.parties if party != ANYONE],
        )
        key = seat, type(action), deal.id
        kept = self._answers.get(key)
        if kept is None or not same(kept[0], hangs_on):
            kept = self._answers[key] = hangs_on, refusal(state, seat, action)
        return kept[1]

    def observe(self, seat: Seat) -> Observation:
        """The observation of a seat, made of its view and its options."""
        proposing, slots = self.slots(seat)
        return self.encoder.encode(self.episode.view(seat), slots, proposing)

    def chosen(self, seat: Seat, place: int) -> tuple[Action | None, str | None]:
        """What lies in a slot; or the reason why nothing does, and then the seat waits."""
        taken = self.slots(seat)[1].actions
        if place not in taken:
            return None, EMPTY
        return action_of(taken[place]), None

    def rewards(self) -> list[float]:
        """What each seat has earned since it was last asked for, by its own points alone until the end."""
        state = self.episode.state
        if self.reward != "delta" and not state.scores:
            return [0.0] * self.players
        if self.reward == "rank":
            return ranks(state.scores)
        now = [score.total / 12 for score in by_seat(state.scores)]
        if not state.scores:
            now = [float(player.score) for player in state.players]
        earned = [after - before for after, before in zip(now, self._scored, strict=True)]
        self._scored = now
        return earned


def by_seat(scores: Sequence[FinalScore]) -> list[FinalScore]:
    """The final scores, the first seat first."""
    return sorted(scores, key=lambda score: score.seat)


def ranks(scores: Sequence[FinalScore]) -> list[float]:
    """From 1 for the best to -1 for the last, evenly; those who are level share their places."""
    totals = [score.total for score in by_seat(scores)]
    spread = max(1, len(totals) - 1)
    return [
        1 - 2 * (sum(one > mine for one in totals) + (totals.count(mine) - 1) / 2) / spread for mine in totals
    ]


class raw_env(AECEnv[str, Observation, int | np.integer[Any] | None]):  # noqa: N801 - the name is PettingZoo's
    """One seat at a time, in an order drawn from the seed among those who have something to decide."""

    metadata: dict[str, Any] = {"name": "elysian_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        species: Sequence[str] | None = None,
        edition: str = "2020",
        offers: int = 4,
        reward: Reward = "score",
        seed: int | None = None,
    ) -> None:
        """A table of so many seats; species are drawn for each game unless they are named, seat by seat.

        `offers` deals are thought of for whoever may propose one. The reward is the final `score`, the final
        `rank` from 1 to -1, or every change of the own score (`delta`, which adds up to the final score).
        `seed` decides the games of resets without a seed. Raises ValueError with a sentence.
        """
        super().__init__()
        self.games = _Games(players, species, edition, offers, reward, seed)
        self.possible_agents = list(self.games.agents)
        self.agents: list[str] = []
        self.render_mode = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self.games.space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """One number for each slot; each agent's own space, so that it can be seeded."""
        return self._spaces()[agent]

    def _spaces(self) -> dict[str, spaces.Discrete]:
        if not hasattr(self, "_action_spaces"):
            places = int(self.games.actions.n)
            self._action_spaces = {agent: spaces.Discrete(places) for agent in self.possible_agents}
        return self._action_spaces

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the same seed gives the same game."""
        self.games.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.games.episode.next_seat()]

    def observe(self, agent: str) -> Observation:
        """What the agent sees and may do now."""
        return self.games.observe(self.games.seat_of[agent])

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Do what lies in a slot; where nothing does the seat waits, and its info says so."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(cast(Any, action))
            return
        wanted, refused = self.games.chosen(self.games.seat_of[agent], int(cast(int, action)))
        self.act(wanted, refused)

    def act(self, action: Action | None, refused: str | None = None) -> None:
        """Let the selected agent do any action of the rules; what they refuse is told in its info."""
        agent, games = self.agent_selection, self.games
        self._cumulative_rewards[agent] = 0.0
        refused = games.episode.act(games.seat_of[agent], action) or refused
        self.infos[agent] = {} if refused is None else {"refused": refused}
        following = games.episode.next_seat()
        over = games.episode.is_over
        if over or games.reward == "delta":
            for one, earned in zip(self.possible_agents, games.rewards(), strict=True):
                self.rewards[one] = earned
            self._accumulate_rewards()
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
            following = 0
        self.agent_selection = self.possible_agents[following]

    def render(self) -> None:
        """Nothing: `elysian replay` and the web table draw games."""

    def close(self) -> None:
        """Nothing is held open."""


class parallel_env(ParallelEnv[str, Observation, int | np.integer[Any]]):  # noqa: N801 - the name is PettingZoo's
    """All seats at once: a tick is resolved in an order drawn from the seed.

    What became impossible through somebody who came first is refused: it changes nothing, and info says so.
    """

    metadata: dict[str, Any] = {"name": "elysian_v0", "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        species: Sequence[str] | None = None,
        edition: str = "2020",
        offers: int = 4,
        reward: Reward = "score",
        seed: int | None = None,
    ) -> None:
        """As for `raw_env`."""
        self.games = _Games(players, species, edition, offers, reward, seed)
        self.possible_agents = list(self.games.agents)
        self.agents: list[str] = []
        self.render_mode = None
        places = int(self.games.actions.n)
        self._action_spaces = {agent: spaces.Discrete(places) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self.games.space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """One number for each slot."""
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game; the same seed gives the same game."""
        self.games.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.games.observe(self.games.seat_of[agent]) for agent in self.agents}

    def step(
        self, actions: dict[str, int | np.integer[Any]]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Everybody's action, one after the other; the clock runs out when all that was done is waiting."""
        games, episode = self.games, self.games.episode
        wanted = {
            agent: games.chosen(games.seat_of[agent], int(place))
            for agent, place in actions.items()
            if agent in self.agents
        }
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        before = episode.state
        order = list(wanted)
        episode.order.shuffle(order)
        for agent in order:
            action, refused = wanted[agent]
            if episode.is_over:
                refused = "game_over" if action is not None else None
            else:
                refused = episode.act(games.seat_of[agent], action) or refused
            if refused is not None:
                infos[agent] = {"refused": refused}
        if episode.state is before and not episode.is_over:
            episode.call_time()
        earned = games.rewards()
        over = episode.is_over
        done = dict.fromkeys(self.agents, over)
        results = (
            self._observations(),
            {agent: earned[games.seat_of[agent]] for agent in self.agents},
            done,
            dict.fromkeys(self.agents, False),
            infos,
        )
        if over:
            self.agents = []
        return results

    def render(self) -> None:
        """Nothing: `elysian replay` and the web table draw games."""

    def close(self) -> None:
        """Nothing is held open."""


def env(
    players: int = 4,
    species: Sequence[str] | None = None,
    edition: str = "2020",
    offers: int = 4,
    reward: Reward = "score",
    seed: int | None = None,
) -> AECEnv[str, Observation, Any]:
    """The environment with PettingZoo's checks on the order of calls and on actions out of bounds."""
    raw = raw_env(players, species, edition, offers, reward, seed)
    checked = wrappers.AssertOutOfBoundsWrapper(raw)
    return wrappers.OrderEnforcingWrapper(checked)


def mask_of(observation: Observation) -> NDArray[np.int8]:
    """Which slots are taken."""
    return cast("NDArray[np.int8]", observation["action_mask"])


__all__ = ["REWARDS", "Reward", "env", "mask_of", "parallel_env", "ranks", "raw_env"]

"""The game for PettingZoo: `env()` and `raw_env()` one seat at a time, `parallel_env()` all at once.

Every seat is an agent, `player_0` and so on. An action is the number of a slot (`elysian.envs.slots`); the
mask in the observation says which are taken, and what lies there can be done. Slot 0 waits. A seat is asked
again when something has happened; when everybody waits, or a step has gone on for long, the clock runs out:
those who are waited for do the cautious thing.

The version in the name goes up whenever the same seed and actions would give other numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from elysian.actions import Action
from elysian.envs.encoding import Observation
from elysian.envs.games import REWARDS, Games, Reward


class _Seats:
    """What both have in common: who sits there, and what they may be told and may do."""

    render_mode = None

    def _sit_down(self, games: Games) -> None:
        """Every seat is an agent; nobody plays before the first reset."""
        self.games = games
        self.possible_agents = list(games.agents)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self.games.space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """One number for each slot."""
        return self.games.actions[agent]

    def render(self) -> None:
        """Nothing: `elysian replay` and the web table draw games."""

    def close(self) -> None:
        """Nothing is held open."""


class raw_env(_Seats, AECEnv[str, Observation, int | np.integer[Any] | None]):  # noqa: N801 - the name is PettingZoo's
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
        self._sit_down(Games(players, species, edition, offers, reward, seed))

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


class parallel_env(_Seats, ParallelEnv[str, Observation, int | np.integer[Any]]):  # noqa: N801 - the name is PettingZoo's
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
        self._sit_down(Games(players, species, edition, offers, reward, seed))

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
        self, actions: Mapping[str, int | np.integer[Any]]
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


__all__ = ["REWARDS", "Reward", "env", "parallel_env", "raw_env"]

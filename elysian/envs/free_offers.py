"""Free offers: a wrapper in which a policy words its own swaps of goods beside the slots.

An action is a slot and the terms of an offer; the terms count only in the last slot, which the mask marks as
taken while the seat may propose. An offer the rules refuse is as if the seat had waited; its info says why.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from elysian.actions import ProposeDeal
from elysian.deals import AnyClause, Give, Seat
from elysian.envs.elysian_v0 import raw_env
from elysian.envs.encoding import Observation
from elysian.envs.offers import TRADED
from elysian.goods import Goods

MOST_OF_A_KIND = 9


class FreeOffers(BaseWrapper[str, Observation, Any]):
    """The environment with one slot more: the offer of one's own."""

    def __init__(self, env: AECEnv[str, Observation, Any]) -> None:
        """Wrap `env()` or `raw_env()` of elysian_v0."""
        super().__init__(env)
        inner = env.unwrapped
        if not isinstance(inner, raw_env):
            raise TypeError("Only the environment elysian_v0 can be given free offers.")
        self.raw = inner
        self.own = int(cast(spaces.Discrete, inner.action_space(inner.possible_agents[0])).n)
        counts = [MOST_OF_A_KIND + 1] * len(TRADED)
        self._action_spaces = {
            agent: spaces.Dict(
                {
                    "slot": spaces.Discrete(self.own + 1),
                    "partner": spaces.Discrete(
                        len(inner.possible_agents) - 1, start=1
                    ),  # seats after this one
                    "give": spaces.MultiDiscrete(counts),  # in the order of elysian.envs.offers.TRADED
                    "get": spaces.MultiDiscrete(counts),
                }
            )
            for agent in inner.possible_agents
        }
        inner_space = cast(spaces.Dict, inner.observation_space(inner.possible_agents[0]))
        self._space = spaces.Dict(
            {**inner_space.spaces, "action_mask": spaces.Box(0, 1, (self.own + 1,), np.int8)}
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """As without the wrapper, with a mask longer by one."""
        return self._space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """A slot, and the terms of an offer."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What the agent sees and may do now."""
        seen = self.raw.observe(agent)
        may_propose = self.raw.games.slots(self.raw.games.seat_of[agent])[0]
        return {**seen, "action_mask": np.append(seen["action_mask"], np.int8(may_propose))}

    def step(self, action: Any) -> None:
        """Do what lies in the slot, or propose what was worded."""
        if action is None or int(action["slot"]) != self.own:
            self.env.step(None if action is None else int(action["slot"]))
            return
        self.raw.act(self._worded(action))

    def _worded(self, action: Any) -> ProposeDeal:
        me: Seat = self.raw.games.seat_of[self.raw.agent_selection]
        other = (me + int(action["partner"])) % len(self.raw.possible_agents)
        give, get = (
            Goods(**{kind: int(n) for kind, n in zip(TRADED, action[side], strict=True)})
            for side in ("give", "get")
        )
        clauses: tuple[AnyClause, ...] = tuple(
            Give(giver=giver, to=to, goods=goods)
            for giver, to, goods in ((me, other, give), (other, me, get))
            if goods
        )
        return ProposeDeal(parties=(me, other), clauses=clauses)


__all__ = ["FreeOffers"]

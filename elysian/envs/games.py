"""Games of an environment: begun by seed, what lies in the slots of a seat, what it sees and earns."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal, cast

from gymnasium import spaces

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


class Games:
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
        # Each agent's own, so that each can be seeded.
        self.actions = {agent: spaces.Discrete(FIXED + offers) for agent in self.agents}

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
        hangs_on: tuple[object, ...] = deal, state.step
        if type(action) is AcceptDeal:  # strikes it, where it is the last to agree
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


__all__ = ["REWARDS", "Games", "Reward", "by_seat", "ranks"]

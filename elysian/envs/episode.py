"""An episode: one game, whom it asks next, and the clock that ends what nobody ends."""

from __future__ import annotations

from random import Random

from elysian.actions import Action, TimeUp
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.rules import decide, waiting
from elysian.state import PHASE_OF, State
from elysian.view import Last, View, view

# Steps in which a seat that nobody waits for may still have an offer to answer.
OPEN = ("trade", "settle", "bid", "colony_auction", "research_auction")
PACE = 40  # actions a seat in one step, then the clock runs out; a table of people trades no longer


class Episode:
    """One game; the same table, seed and actions give the same episode."""

    def __init__(self, state: State, seed: int | str) -> None:
        """Play on from a table; `seed` is for the order in which its seats are asked."""
        self.state = state
        self.order = Random(f"{seed}/order")
        self.idle: set[Seat] = set()  # said "wait" since the last thing that happened
        self._pace = 0
        self._last: Last | None = None  # what somebody saw last
        self._seen: dict[Seat, Last] = {}

    @property
    def is_over(self) -> bool:
        """Whether the game has been scored."""
        return self.state.step == "over"

    # ------------------------------------------------------------ whom to ask

    def asked(self) -> list[Seat]:
        """Those with something to decide: whom the table waits for, and whoever has an offer to answer."""
        state = self.state
        seats = set(waiting(state))
        if state.deals and state.step in OPEN:
            for deal in state.deals.values():
                if deal.is_open:
                    seats.update(seat for seat in state.seats() if seat != deal.proposer)
                else:
                    seats.update(seat for seat in deal.parties if seat not in deal.accepted)
        return sorted(seats - self.idle)

    def next_seat(self) -> Seat:
        """Whom to ask next, by chance of the episode's own; while nobody is left the clock runs out."""
        asked = self.asked()
        while not asked:
            if self.is_over:
                return 0
            self.call_time()
            asked = self.asked()
        return asked[0] if len(asked) == 1 else self.order.choice(asked)

    def call_time(self) -> None:
        """Whoever is waited for does the cautious thing."""
        _, self.state = decide(self.state, None, TimeUp())
        self.idle.clear()
        self._pace = 0

    # ------------------------------------------------------------ acting

    def act(self, seat: Seat, action: Action | None) -> str | None:
        """Do it, or wait when it is None; the code of the refusal when the rules refuse it."""
        if action is None:
            self.idle.add(seat)
            return None
        before = self.state
        try:
            _, self.state = decide(before, seat, action)
        except IllegalAction as illegal:
            self.idle.add(seat)
            return illegal.code
        self.idle.clear()
        self._pace = self._pace + 1 if self.state.step == before.step else 0
        if self._pace >= PACE * len(self.state.players) and not self.is_over:
            self.call_time()
        return None

    # ------------------------------------------------------------ seeing

    def view(self, seat: Seat) -> View:
        """What the seat sees; areas that have not changed are the same objects as before."""
        seen = self._seen.get(seat)
        if seen is None or seen[0] is not self.state:
            seen = self._last = self.state, view(self.state, seat, self._last)
            self._seen[seat] = seen
        return seen[1]


STEPS = tuple(PHASE_OF)  # in the order of a turn

__all__ = ["OPEN", "PACE", "STEPS", "Episode"]

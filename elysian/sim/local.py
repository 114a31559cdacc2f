"""A game in this process, one seat played from outside: by a person at a terminal, or over MCP."""

from __future__ import annotations

from pathlib import Path
from random import Random

from elysian.actions import Action, Done, TimeUp
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.events import Event
from elysian.messages import DEFAULT
from elysian.options import options
from elysian.players import Listener, Player, chosen
from elysian.players.language_model.transcript import transcript_file
from elysian.players.levels import make, versions
from elysian.players.random.player import RandomPlayer
from elysian.record import Record, Seated, replay, write
from elysian.rules import closing, decide, waiting
from elysian.state import State
from elysian.text.heard import overheard
from elysian.view import view

ME: Seat = 0
RANDOM = "random"
OFFERS = 2  # of each random seat in a Trade Phase
IDLE_ROUNDS = 3  # so often everybody is asked in vain before the clock runs out
PATIENCE = 60  # rounds of trading after the one outside is done


def against(me: str, bots: tuple[str, ...], seats: int) -> tuple[Seated, ...]:
    """Who sits at the first seat and, dealt round the others, the players named; without any nothing."""
    if not bots:
        return ()
    of = versions(bots)
    others = (bots[n % len(bots)] for n in range(seats - 1))
    return (Seated(name=me), *(Seated(name=name, version=of[name]) for name in others))


def free_name(record: Record, folder: Path) -> Path:
    """A file that is not there yet, named after the seed."""
    stem = f"elysian-{record.head.seed}"
    path = folder / f"{stem}.jsonl"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}.jsonl"
        number += 1
    return path


class LocalGame:
    """The table while it is being played; whoever is outside has the first seat."""

    def __init__(self, record: Record, file: Path, language: str = DEFAULT) -> None:
        """Sit down at a table; `file` always holds what was played so far. Raises DamagedRecord."""
        self.record = record
        self.file = file
        self.stored = len(record.entries)  # entries in the file
        self.state: State = replay(record)
        self.seats = self.state.settings.species
        self.rng = Random(f"{record.head.seed}/terminal/{self.stored}")
        self.others = {seat: self._player(seat, language) for seat in self.state.seats() if seat != ME}

    def level(self, seat: Seat) -> str:
        """The name of the player at a seat."""
        players = self.record.head.players
        return players[seat].name if players else RANDOM

    def _player(self, seat: Seat, language: str) -> Player:
        """Whoever the record says sits there; raises UnknownPlayer."""
        level = self.level(seat)
        if level == RANDOM:
            return RandomPlayer(offers=OFFERS)
        return make(level, frozenset({ME}), language, transcript_file(self.file, seat))

    def asked(self) -> bool:
        """Whether the one outside has something to decide; the last look at converters may hold nothing."""
        if ME not in waiting(self.state):
            return False
        only_done = [choice.action for choice in options(self.state, ME).choices] == [Done()]
        if self.state.step in ("window", "steal") and only_done:
            self.do(ME, Done())
            return False
        return True

    # ------------------------------------------------------------ everybody else

    def trade_round(self) -> None:
        """Everybody else acts once; nobody closes trading while the first seat is not done (TRADE-14)."""
        for seat in self.rng.sample(list(self.others), len(self.others)):
            if self.state.step != "trade":
                return
            action = self._choice(seat)
            last = len(self.state.done) + 2 >= len(self.seats) and ME not in self.state.done
            if action is not None and not (last and isinstance(action, Done)):
                self._try(seat, action)

    def others_move(self) -> None:
        """The others act until the step is over or the first seat is asked again."""
        step = self.state.turn, self.state.step
        idle = 0
        for _ in range(PATIENCE):
            before = len(self.record.entries)
            if self.state.step == "trade":
                self.trade_round()
            else:
                self._answers()
            if (self.state.turn, self.state.step) != step or ME in waiting(self.state):
                return
            idle = idle + 1 if len(self.record.entries) == before else 0
            if idle == IDLE_ROUNDS:
                break
        self.do(None, TimeUp())

    def _answers(self) -> None:
        """Those the table waits for answer."""
        for seat in waiting(self.state):
            if seat in self.others and seat in waiting(self.state):
                action = self._choice(seat)
                if action is not None:
                    self._try(seat, action)

    def _choice(self, seat: Seat) -> Action | None:
        return chosen(self.others[seat], view(self.state, seat), options(self.state, seat), self.rng)

    def _try(self, seat: Seat, action: Action) -> None:
        try:
            self.do(seat, action)
        except IllegalAction:
            return  # random offers are not tried out first

    # ------------------------------------------------------------ the record

    def do(self, seat: Seat | None, action: Action) -> None:
        """Decide the action, note it, and let everybody hear what they may; raises IllegalAction.

        A counter-offer closes the offer it answers.
        """
        before = self.state
        events, self.state = decide(before, seat, action)
        self.record.add(seat, action, events)
        for other, player in self.others.items():
            if isinstance(player, Listener):
                heard = overheard(before, other, seat, action, events)
                if heard is not None:
                    player.hear(heard)
        self.hear(before, self.state, seat, action, events)
        also = None if seat is None else closing(self.state, seat, action)
        if also is not None:
            self.do(seat, also)

    def hear(
        self, before: State, after: State, seat: Seat | None, action: Action, events: tuple[Event, ...]
    ) -> None:
        """Something happened at the table."""

    def store(self) -> None:
        """Write the record beside its file and put it there at once: whatever happens, one is whole."""
        fresh = self.file.with_suffix(".part")
        write(self.record, fresh)
        fresh.replace(self.file)
        self.stored = len(self.record.entries)

"""Whole games without people: every seat is a player that chooses on its view."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, DeclineDeal, Done, ProposeDeal, TimeUp
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.events import (
    DealStruck,
    Event,
    ObligationBroken,
    ObligationKept,
    PledgePaid,
    TechnologyInvented,
)
from elysian.messages import sentence
from elysian.options import options
from elysian.players import Listener, NotAnAction, Player, chosen
from elysian.record import Record, Seated
from elysian.rules import begin, decide, waiting
from elysian.sim.times import Times
from elysian.state import FinalScore, Settings, State
from elysian.text.heard import overheard
from elysian.view import view

# Steps in which a seat that nobody waits for can still act: deals, releases, violet converters.
OPEN = ("trade", "settle", "gifts", "bid", "colony_auction", "research_auction")
WAITED_FOR = 0.8  # how often the next to be asked is one the table waits for, where others may act too
IDLE_ROUNDS = 3  # so often everybody is asked in vain before the clock runs out
ACTIONS_A_MINUTE = 10  # how fast random seats trade, where trading is timed
ACTED, REFUSED, SILENT = "!", "x", "."
ENDLESS = 1000  # actions a seat in one step; players who go on, saying done and not done, hear the clock

# What a decision was about: judging somebody's offer, making one, or anything else.
ABOUT: dict[type[Action], str] = {AcceptDeal: "answer", DeclineDeal: "answer", ProposeDeal: "offer"}


class Counts(Struct, frozen=True):
    """What happened, in numbers."""

    actions: int = 0
    events: int = 0
    refusals: int = 0
    deals: int = 0
    inventions: int = 0
    promises_made: int = 0
    promises_kept: int = 0
    promises_broken: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f) + getattr(other, f) for f in self.__struct_fields__))


class PlayerFailed(RuntimeError):  # noqa: N818 - says what it is
    """A player raised something while it chose; the message says who and when, the cause where."""


class RefusedAction(Struct, frozen=True):
    """What the rules refused a seat, for one reason."""

    step: str
    action: str  # its kind
    code: str
    sentence: str  # of the first time
    times: int = 1


class Result(Struct, frozen=True):
    """A game that is over."""

    record: Record
    scores: tuple[FinalScore, ...]
    counts: Counts
    times: tuple[dict[str, Times], ...] = ()  # by seat: CPU time of "answer", "offer" and "other" decisions
    asks: tuple[str, ...] = ()  # by seat, what came of each time it was asked: ACTED, REFUSED or SILENT
    refused: tuple[tuple[RefusedAction, ...], ...] = ()  # by seat


def play_game(
    settings: Settings,
    seed: int | str,
    players: Sequence[Player],
    rng_seed: int | str,
    seated: tuple[Seated, ...] = (),
) -> Result:
    """Play one game to its end; raises IllegalAction for an impossible line-up.

    `seed` shuffles the decks; `rng_seed` is for the players, each with chance of its own, and for the
    order in which they are asked; `seated` says in the record who they are. The same arguments give the
    same record.
    """
    if len(players) != len(settings.species):
        raise ValueError(f"{len(settings.species)} seats, but {len(players)} players")
    record = Record.begin(settings, seed, seated)
    return _Table(record, begin(record.head.started), players, rng_seed).play()


def play_on(state: State, players: Sequence[Player], rng_seed: int | str) -> Result:
    """Play a game from here to its end; the record holds what happened from here on."""
    record = Record.begin(state.settings, rng_seed)
    return _Table(record, state, players, rng_seed).play()


def play_again(record: Record, players: Sequence[Player], asks: Sequence[str], rng_seed: int | str) -> Record:
    """The same game once more, in which seats with `asks` do what the record says and all others choose anew.

    With the same players and chance it is the same record: so it can be seen whether those who are said to
    have sat at the other seats would have played so.
    """
    head = record.head
    again = Record.begin(head.started.settings, head.seed, head.players)
    return _Again(record, asks, again, begin(again.head.started), players, rng_seed).play().record


class _Table:
    """The game while it is being played."""

    def __init__(self, record: Record, state: State, players: Sequence[Player], rng_seed: int | str) -> None:
        self.record = record
        self.state = state
        self.players = players
        self.rngs = [Random(f"{rng_seed}/{seat}") for seat in range(len(players))]
        self.order = Random(f"{rng_seed}/order")
        self.asks = [""] * len(players)
        self.idle: set[Seat] = set()  # asked in vain since the last action
        self.rounds = 0
        self.pace = 0  # actions in this Trade Phase
        self.seconds: list[dict[str, list[float]]] = [{} for _ in players]
        self.refused: list[dict[tuple[str, str, str], RefusedAction]] = [{} for _ in players]
        self.listeners = [(s, one) for s, one in enumerate(players) if isinstance(one, Listener)]

    def play(self) -> Result:
        while self.state.step != "over":
            if self._time_is_up():
                self._call_time()
                continue
            seat = self._next_seat()
            if seat is None:
                self.idle.clear()
                self.rounds += 1
                continue
            action = self._ask(seat)
            acted = action is not None and self._do(seat, action)
            self.asks[seat] += ACTED if acted else SILENT if action is None else REFUSED
            if not acted:
                self.idle.add(seat)
        times = tuple({about: Times.of(some) for about, some in of.items()} for of in self.seconds)
        return Result(
            record=self.record,
            scores=self.state.scores,
            counts=self._counts(),
            times=times,
            asks=tuple(self.asks),
            refused=tuple(tuple(of.values()) for of in self.refused),
        )

    def _ask(self, seat: Seat) -> Action | None:
        """What the seat wants to do, and the time it took to say so."""
        seen, choices = view(self.state, seat), options(self.state, seat)
        before = process_time()
        try:
            action = chosen(self.players[seat], seen, choices, self.rngs[seat])
        except (NotAnAction, ImportError):  # an extra that is not installed is no mistake of the player
            raise
        except Exception as problem:
            when = f"turn {seen.turn}, step {seen.step}"
            raise PlayerFailed(f"{self._who(seat)} {when}: {problem!r}") from problem
        about = ABOUT.get(type(action), "other") if action is not None else "other"
        self.seconds[seat].setdefault(about, []).append(process_time() - before)
        return action

    def _who(self, seat: Seat) -> str:
        """A seat for whoever looks for a mistake: the player, if the record names it, and the species."""
        seated = self.record.head.players
        name = seated[seat].name if seated else type(self.players[seat]).__name__
        return f"{name}, seat {seat} ({self.state.settings.species[seat]}),"

    def _next_seat(self) -> Seat | None:
        """Whom to ask next; None when everybody has been asked in vain."""
        waited = waiting(self.state)
        asked = [seat for seat in waited if seat not in self.idle]
        others: list[Seat] = []
        if self.state.step in OPEN:
            others = [s for s in self.state.seats() if s not in waited and s not in self.idle]
        if not asked and not others:
            return None
        if not others or (asked and self.order.random() < WAITED_FOR):
            return self.order.choice(asked)
        return self.order.choice(others)

    def _do(self, seat: Seat | None, action: Action) -> bool:
        """Decide the action and note it; False when it is refused."""
        table = self.state
        before = table.step, table.turn
        try:
            events, self.state = decide(table, seat, action)
        except IllegalAction as illegal:
            if seat is not None:
                self._note(seat, action, illegal)
            return False
        self.record.add(seat, action, events)
        for ear, listener in self.listeners:
            heard = overheard(table, ear, seat, action, events)
            if heard is not None:
                listener.hear(heard)
        self.idle.clear()
        self.rounds = 0
        self.pace = self.pace + 1 if before == (self.state.step, self.state.turn) else 0
        return True

    def _note(self, seat: Seat, action: Action, illegal: IllegalAction) -> None:
        """Remember why a seat was refused, each reason once."""
        of, kind = self.refused[seat], str(action.__struct_config__.tag)
        key = self.state.step, kind, illegal.code
        if key in of:
            of[key] = replace(of[key], times=of[key].times + 1)
        else:
            why = sentence(illegal, self.state.settings.species)
            of[key] = RefusedAction(step=self.state.step, action=kind, code=illegal.code, sentence=why)

    # ------------------------------------------------------------ the clock

    def _time_is_up(self) -> bool:
        minutes = self.state.settings.trade_minutes
        timed = minutes is not None and self.state.step == "trade"
        return self._is_stuck() or (timed and self.pace == (minutes or 0) * ACTIONS_A_MINUTE)

    def _is_stuck(self) -> bool:
        """Whether nobody does anything any more, or all go on for ever."""
        return self.rounds >= IDLE_ROUNDS or self._goes_on_for_ever()

    def _goes_on_for_ever(self) -> bool:
        return self.pace >= ENDLESS * len(self.players)

    def _call_time(self) -> None:
        """The clock runs out; where that is only a reminder (OPT-1), those who are stuck count as done."""
        stuck, endless = self._is_stuck(), self._goes_on_for_ever()
        step = self.state.step, self.state.turn
        self._do(None, TimeUp())
        if stuck:
            late = waiting(self.state)
            # Trading closes when all but one are done; one who is still waited for alone owes a deed.
            for seat in late if endless or len(late) == 1 else late[:-1]:
                if (self.state.step, self.state.turn) != step or step[0] != "trade":
                    return
                if not self._do(seat, Done()):
                    self._do(None, TimeUp(seat=seat))

    # ------------------------------------------------------------ numbers

    def _counts(self) -> Counts:
        counts = Counts(actions=len(self.record.entries), refusals="".join(self.asks).count(REFUSED))
        for entry in self.record.entries:
            for event in entry.events:
                counts = counts + _count(event)
        return counts


class _Again(_Table):
    """A game in which some seats follow a record."""

    def __init__(self, followed: Record, asks: Sequence[str], *more: Any) -> None:
        super().__init__(*more)
        self.followed = followed
        self.left = [iter(of) if of else None for of in asks]

    def _ask(self, seat: Seat) -> Action | None:
        asks, entries, n = self.left[seat], self.followed.entries, len(self.record.entries)
        if asks is None:
            return super()._ask(seat)
        return entries[n].action if next(asks, SILENT) == ACTED and n < len(entries) else None


def _count(event: Event) -> Counts:
    one = Counts(events=1)
    if isinstance(event, DealStruck):
        return replace(one, deals=1, promises_made=len(event.obligations))
    if isinstance(event, TechnologyInvented):
        return replace(one, inventions=1)
    if isinstance(event, ObligationKept) or (isinstance(event, PledgePaid) and event.left is None):
        return replace(one, promises_kept=1)
    if isinstance(event, ObligationBroken):
        return replace(one, promises_broken=1)
    return one


__all__ = ["Counts", "PlayerFailed", "RefusedAction", "Result", "Times", "play_again", "play_game", "play_on"]

"""Deciding: what a few commands come to, one after the other, before anything of it is stored."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from elysian.actions import Action, ProposeDeal, TimeUp
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import GameStarted
from elysian.rules import begin, decide, evolve
from elysian.server.live.audience import Truth
from elysian.server.live.commands import Command, Errand, Move, TimesUp, Wish, keep, kept, refusal
from elysian.server.ops.errors import Refused
from elysian.server.protocol.decode import read
from elysian.server.protocol.messages import Accepted, Talk, encode
from elysian.server.reports.results import Tally
from elysian.server.store import Answer, Damaged
from elysian.server.table_state.actions import LONGEST_TALK, AnyDone, Say, TableAction
from elysian.server.table_state.clock import Hours, clock_events
from elysian.server.table_state.decide import Asker, Moment, decide_table
from elysian.server.table_state.events import Line, SeatHandedBack, TableEvent, TableOpened
from elysian.server.table_state.state import evolve_table, opened
from elysian.state import State
from elysian.typed_offers import parse_offer
from elysian.view import view

_OFFER = msgspec.json.Decoder(ProposeDeal)
NO_RULES = (LookupError, ValueError, TypeError, AttributeError, AssertionError)


class Circumstances(Struct, frozen=True):
    """What a decision depends on besides the table."""

    at: int  # ms since 1970
    chance: Random
    present: frozenset[Seat]
    levels: tuple[str, ...]
    hours: Callable[[str], Hours | None]


def fold(truth: Truth | None, game: str, line: Line) -> Truth:
    """The table after a line; raises Damaged when the line does not fit."""
    try:
        if truth is None:
            first = line.events[0]
            if not isinstance(first, TableOpened):
                raise Damaged(f"table {game}: the log does not begin with a table")
            truth = Truth(game, opened(first))
        lobby, state = truth.lobby, truth.state
        for event in line.events:
            lobby, state = _evolve(lobby, state, event)
    except NO_RULES as problem:
        raise Damaged(f"table {game}, line {line.n}: {problem!r}") from None
    return Truth(game, lobby, state)


def _evolve(lobby: Any, state: State | None, event: Any) -> tuple[Any, State | None]:
    if isinstance(event, GameStarted):
        return lobby, begin(event)
    if not isinstance(event, TableEvent):
        assert state is not None
        state = evolve(state, event)
    return evolve_table(lobby, event), state


class Batch:
    """Commands decided in one go: lines and answers to be stored together, replies for afterwards."""

    def __init__(self, truth: Truth, n: int, tally: Tally, now: Circumstances) -> None:
        """Begin where the table stands."""
        self.truth, self.n, self.tally, self.now = truth, n, tally, now
        self.lines: list[tuple[Line, Truth, Truth]] = []  # with the table before and after
        self.answers: dict[tuple[str, str], Answer] = {}
        self.replies: list[Callable[[], None]] = []

    # ------------------------------------------------------------ commands

    def decide(self, command: Command) -> None:
        """Add what a command comes to."""
        if isinstance(command, Wish):
            self._wish(command)
        elif isinstance(command, Errand):
            self._errand(command)
        elif isinstance(command, Move):
            self._move(command)
        else:
            self._times_up(command)

    def repeat(self, wish: Wish, answer: Answer) -> None:
        """The same id again: the same answer, unless it now means something else."""
        if answer.asked != wish.digest():
            self._refuse(wish, Refused("id_reused"))
        elif answer.n is not None:
            self._accept(wish, answer.n)
        else:
            assert answer.refused is not None
            self._refuse(wish, kept(answer.refused))

    def _wish(self, wish: Wish) -> None:
        key = wish.person, wish.id
        try:
            n = self._ask(wish)
        except (IllegalAction, Refused) as refused:
            self.answers[key] = Answer(wish.person, wish.id, wish.digest(), refused=keep(refused))
            self._refuse(wish, refused)
            return
        self.answers[key] = Answer(wish.person, wish.id, wish.digest(), n=n)
        self._accept(wish, n)

    def _accept(self, wish: Wish, n: int) -> None:
        self.replies.append(lambda: wish.reply(Accepted(id=wish.id, n=n)))

    def _refuse(self, wish: Wish, refused: Refused | IllegalAction) -> None:
        species = () if self.truth.state is None else self.truth.state.settings.species
        seat = self.truth.lobby.seat_of(wish.person)
        message = refusal(wish.id, refused, species, wish.language, seat)
        self.replies.append(lambda: wish.reply(message))

    def _ask(self, wish: Wish) -> int:
        """Do what a person asks for; raises Refused or IllegalAction."""
        lobby = self.truth.lobby
        seat = lobby.seat_of(wish.person)
        back = (SeatHandedBack(seat=seat),) if seat is not None and lobby.chairs[seat].covered else ()
        asked = wish.asked
        if isinstance(asked, Talk):
            asked = self._said(asked, seat, wish.language)
        if isinstance(asked, TableAction):
            now = self.now
            moment = Moment(at=now.at, chance=now.chance, present=now.present, levels=now.levels)
            events = decide_table(lobby, Asker(wish.person, seat), asked, moment)
            return self._line(seat, asked, (*back, *events))
        if seat is None:
            raise Refused("not_seated", status=403)
        return self._line(seat, asked, (*back, *self._play(seat, asked)))

    def _said(self, talk: Talk, seat: Seat | None, language: str) -> Action | TableAction:
        """What is typed in short form is an offer; anything else is talk."""
        state, text = self.truth.state, talk.text.strip()
        said = Say(text=talk.text[: 4 * LONGEST_TALK], to=talk.to)
        demanded = text.lower().startswith(("/offer ", "offer "))
        if (
            state is None
            or seat is None
            or self.truth.lobby.status != "playing"
            or not (demanded or ">" in text)
        ):
            return said
        if len(text) > LONGEST_TALK:
            if demanded:
                raise Refused("out_of_range", status=400, what="", where="text")
            return said
        typed = text.removeprefix("/")
        if talk.to is not None and 0 <= talk.to < len(state.players) and talk.to != seat and not demanded:
            typed = f"{CATALOG.species[state.players[talk.to].species].id} {typed}"
        elif talk.to is None and text[:1].isdigit():  # said to all: whoever likes it may take it
            typed = f"anyone {typed}"
        try:
            offer = parse_offer(typed, view(state, seat), language)
        except ValueError as problem:
            if demanded:
                raise Refused("bad_offer", status=400, problem=str(problem)) from None
            return said
        kept: ProposeDeal = read(_OFFER, encode(offer))  # within the bounds of one that is sent
        return kept

    def _play(self, seat: Seat | None, action: Action) -> tuple[Any, ...]:
        """What a move comes to by the rules; raises Refused or IllegalAction."""
        state, lobby = self.truth.state, self.truth.lobby
        if state is None:
            raise Refused("no_game")
        if lobby.status == "ended":
            raise Refused("table_ended")
        if lobby.status == "waiting":
            raise Refused("not_playing")
        if lobby.paused:
            raise Refused("paused")
        events, _ = decide(state, seat, action)
        return events

    def _errand(self, errand: Errand) -> None:
        try:
            events = errand.events(self.truth.lobby)
        except (Refused, IllegalAction) as refused:
            problem: Exception = refused
            self.replies.append(lambda: errand.done(problem))
            return
        if events:
            self._line(errand.seat, None, events)
        n = self.n
        self.replies.append(lambda: errand.done(n))

    def _move(self, move: Move) -> None:
        """A bot's move; dropped when the person is back, or when it would close trading on a person."""
        lobby, before = self.truth.lobby, self.truth.state
        accepted = False
        if before is not None and move.seat not in lobby.people():
            try:
                events, after = decide(before, move.seat, move.action)
                closes = before.step == "trade" and (after.step, after.turn) != ("trade", before.turn)
                if not (closes and lobby.people() - before.done) and not lobby.paused:
                    self._play(move.seat, move.action)
                    self._line(move.seat, move.action, events)
                    accepted = True
            except (IllegalAction, Refused):
                accepted = False
        self.replies.append(lambda: move.done(accepted))

    def _times_up(self, command: TimesUp) -> None:
        if self.truth.lobby.due != command.due or self.truth.lobby.paused:
            return
        try:
            events = self._play(None, TimeUp())
        except (IllegalAction, Refused):
            return
        self._line(None, TimeUp(), events)

    # ------------------------------------------------------------ lines

    def _line(self, seat: Seat | None, action: AnyDone | None, events: tuple[Any, ...]) -> int:
        """Add a line, with what it means for the clock; without events there is none to add."""
        if not events:
            return self.n
        before = self.truth
        line = Line(n=self.n + 1, at=self.now.at, seat=seat, action=action, events=events)
        after = fold(before, before.table, line)
        timed = clock_events(before, after, self.now.at, self.now.hours, isinstance(action, TimeUp))
        if timed:
            line = Line(n=line.n, at=line.at, seat=seat, action=action, events=(*events, *timed))
            after = fold(before, before.table, line)
        self.lines.append((line, before, after))
        self.truth, self.n = after, line.n
        self.tally = self.tally.counting(line, before.state)
        return line.n

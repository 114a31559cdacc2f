"""Batch: what a few commands come to, one after the other, before anything of it is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from elysian.actions import Action, ProposeDeal, TimeUp
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.rules import closing, decide
from elysian.server.live.commands import (
    BotMove,
    Command,
    PersonCommand,
    RunOrder,
    SystemCommand,
    TimesUp,
    decode_refusal,
    encode_refusal,
    rejection,
)
from elysian.server.ops.errors import Refused
from elysian.server.protocol.decode import read
from elysian.server.protocol.messages import Accepted, TalkMessage, encode
from elysian.server.reports.results import DealTally
from elysian.server.store import StoredAnswer
from elysian.server.table_state.actions import LONGEST_TALK, LoggedAction, PlaceOrder, Say, TableAction
from elysian.server.table_state.clock import clock_events
from elysian.server.table_state.decide import Asker, Circumstances, decide_table
from elysian.server.table_state.events import Line, SeatHandedBack
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.hand_over import come_back
from elysian.server.table_state.order_moves import (
    Firings,
    check_order,
    fired_events,
    next_firing,
    same_ground,
)
from elysian.state import State
from elysian.typed_offers import parse_offer
from elysian.view import view

_OFFER = msgspec.json.Decoder(ProposeDeal)

Decided = tuple[tuple[Any, ...], State]  # events of the game, and the game after them


class Batch:
    """Commands decided in one go: lines and answers to be stored together, replies for afterwards."""

    def __init__(
        self,
        current: TableState,
        n: int,
        tally: DealTally,
        now: Circumstances,
        firings: Firings | None = None,
    ) -> None:
        """Begin where the table stands; `firings` knows what is to be done for its seats."""
        self.current, self.n, self.tally, self.now = current, n, tally, now
        self.firings = firings or Firings()
        self.lines: list[tuple[Line, TableState, TableState]] = []  # with the table before and after
        self.answers: dict[tuple[str, str], StoredAnswer] = {}  # to be stored: something came of them
        self.refusals: dict[tuple[str, str], StoredAnswer] = {}  # to be remembered for a while
        self.replies: list[Callable[[], None]] = []

    # ------------------------------------------------------------ commands

    def decide(self, command: Command) -> None:
        """Add what a command comes to."""
        if isinstance(command, PersonCommand):
            self._person(command)
        elif isinstance(command, SystemCommand):
            self._system(command)
        elif isinstance(command, BotMove):
            self._bot(command)
        elif isinstance(command, RunOrder):
            self._run_order(command)
        else:
            self._times_up(command)

    def repeat(self, command: PersonCommand, answer: StoredAnswer) -> None:
        """The same id again: the same answer, unless it now means something else."""
        if answer.asked != command.digest():
            self._refuse(command, Refused("id_reused"))
        elif answer.n is not None:
            self._accept(command, answer.n)
        else:
            assert answer.refused is not None
            self._refuse(command, decode_refusal(answer.refused))

    def _person(self, command: PersonCommand) -> None:
        person, id, asked = command.person, command.id, command.digest()
        try:
            n = self._do(command)
        except (IllegalAction, Refused) as refused:
            # Nothing came of it, so nothing is stored: whoever is refused cannot fill the disk. Asked again
            # when it is forgotten, the same is decided anew, which can have no second effect.
            self.refusals[command.key] = StoredAnswer(person, id, asked, refused=encode_refusal(refused))
            self._refuse(command, refused)
            return
        self.answers[command.key] = StoredAnswer(person, id, asked, n=n)
        self._accept(command, n)

    def _accept(self, command: PersonCommand, n: int) -> None:
        self.replies.append(lambda: command.reply(Accepted(id=command.id, n=n)))

    def _refuse(self, command: PersonCommand, refused: Refused | IllegalAction) -> None:
        state = self.current.state
        species = () if state is None else state.settings.species
        seat = self.current.lobby.seat_of(command.person)
        message = rejection(command.id, refused, species, command.language, seat)
        self.replies.append(lambda: command.reply(message))

    def _do(self, command: PersonCommand) -> int:
        """Do what a person asks for; raises Refused or IllegalAction."""
        lobby = self.current.lobby
        seat = lobby.seat_of(command.person)
        # Whoever does something is back: their seat is theirs again before it happens.
        back: tuple[Any, ...] = come_back(lobby, seat)
        if seat is not None and lobby.chairs[seat].covered:
            back = (SeatHandedBack(seat=seat), *back)
        asked = command.asked
        if isinstance(asked, TalkMessage):
            asked = self._said(asked, seat, command.language)
        if isinstance(asked, PlaceOrder) and seat is not None:
            check_order(self.current.state, seat, asked.order)
        if isinstance(asked, TableAction):
            events = decide_table(lobby, Asker(command.person, seat), asked, self.now)
            return self._line(seat, asked, (*back, *events))
        if seat is None:
            raise Refused("not_seated", status=403)
        n = self._line(seat, asked, back, self._play(seat, asked))
        self._close_answered(seat, asked)
        return n

    def _close_answered(self, seat: Seat, action: Action) -> None:
        """A counter-offer closes the offer it answers."""
        state = self.current.state
        also = None if state is None else closing(state, seat, action)
        if also is not None:
            self._line(seat, also, (), self._play(seat, also))

    def _said(self, talk: TalkMessage, seat: Seat | None, language: str) -> Action | TableAction:
        """What is typed in short form is an offer; anything else is talk."""
        state, text = self.current.state, talk.text.strip()
        said = Say(text=talk.text[: 4 * LONGEST_TALK], to=talk.to)
        demanded = text.lower().startswith(("/offer ", "offer "))
        playing = state is not None and seat is not None and self.current.lobby.status == "playing"
        if not playing or not (demanded or ">" in text):
            return said
        assert state is not None
        assert seat is not None
        if len(text) > LONGEST_TALK:
            if demanded:
                raise Refused("out_of_range", status=400, what="", where="text")
            return said
        try:
            offer = parse_offer(_addressed(text, talk.to, seat, state, demanded), view(state, seat), language)
        except ValueError as problem:
            if demanded:
                raise Refused("bad_offer", status=400, problem=str(problem)) from None
            return said
        bounded: ProposeDeal = read(_OFFER, encode(offer))  # within the bounds of one that is sent
        return bounded

    def _play(self, seat: Seat | None, action: Action) -> Decided:
        """What a move comes to by the rules; raises Refused or IllegalAction."""
        state, lobby = self.current.state, self.current.lobby
        if state is None:
            raise Refused("no_game")
        if lobby.status == "ended":
            raise Refused("table_ended")
        if lobby.status == "waiting":
            raise Refused("not_playing")
        if lobby.paused:
            raise Refused("paused")
        return decide(state, seat, action)

    def _system(self, command: SystemCommand) -> None:
        try:
            events = command.events(self.current.lobby)
        except (Refused, IllegalAction) as refused:
            problem: Exception = refused
            self.replies.append(lambda: command.done(problem))
            return
        if events:
            self._line(command.seat, None, events)
        n = self.n
        self.replies.append(lambda: command.done(n))

    def _bot(self, move: BotMove) -> None:
        """A bot's move; dropped when the person is back, or when it would close trading on a person."""
        lobby, before = self.current.lobby, self.current.state
        accepted = False
        if before is not None and move.seat not in lobby.people():
            try:
                by = None if isinstance(move.action, TimeUp) else move.seat
                events, after = self._play(by, move.action)
                closes = before.step == "trade" and (after.step, after.turn) != ("trade", before.turn)
                if not (closes and lobby.people() - before.done):
                    self._line(by, move.action, (), (events, after))
                    self._close_answered(move.seat, move.action)
                    accepted = True
            except (IllegalAction, Refused):
                accepted = False
        self.replies.append(lambda: move.done(accepted))

    def _run_order(self, command: RunOrder) -> None:
        """What an order of a seat comes to now; it stands in one line with what it did, so never twice."""
        current, done = self.current, False
        worthy = command.worthy
        if command.seen is None or not same_ground(command.seen, current.state, command.seat):
            worthy = frozenset()
        if worthy:
            firing = next_firing(current, command.seat, worthy)
        else:
            firing = self.firings.at(current).get(command.seat)
        if firing is not None:
            by = None if isinstance(firing.action, TimeUp) else command.seat
            try:
                decided = self._play(by, firing.action)
                self._line(by, firing.action, fired_events(current, command.seat, firing), decided)
                done = True
            except (IllegalAction, Refused):
                done = False
        self.replies.append(lambda: command.done(done))

    def _times_up(self, command: TimesUp) -> None:
        if self.current.lobby.due != command.due or self.current.lobby.paused:
            return
        try:
            decided = self._play(None, TimeUp())
        except (IllegalAction, Refused):
            return
        self._line(None, TimeUp(), (), decided)

    # ------------------------------------------------------------ lines

    def _line(
        self,
        seat: Seat | None,
        action: LoggedAction | None,
        events: tuple[Any, ...],
        decided: Decided | None = None,
    ) -> int:
        """Add a line of table events and of a move, if there is one; without events there is none to add.

        What was decided is what is kept: the game is not folded again from its events.
        """
        before = self.current
        if decided is None:
            after = before.after(events)
        else:
            events = (*events, *decided[0])
            after = before.decided(events, decided[1])
        if not events:
            return self.n
        called = isinstance(action, TimeUp) and action.seat is None
        timed = clock_events(before, after, self.now.at, self.now.hours, called)
        if timed:
            events, after = (*events, *timed), after.decided(timed, after.state)
        line = Line(n=self.n + 1, at=self.now.at, seat=seat, action=action, events=events)
        self.lines.append((line, before, after))
        self.current, self.n = after, line.n
        self.tally = self.tally.counting(line, before)
        return line.n


def _addressed(text: str, to: Seat | None, seat: Seat, state: State, demanded: bool) -> str:
    """A typed offer with the name of whoever it is for, when the talk it came as says that."""
    typed = text.removeprefix("/")
    if to is not None and 0 <= to < len(state.players) and to != seat and not demanded:
        return f"{CATALOG.species[state.players[to].species].id} {typed}"
    if to is None and text[:1].isdigit():  # said to all: whoever likes it may take it
        return f"anyone {typed}"
    return typed

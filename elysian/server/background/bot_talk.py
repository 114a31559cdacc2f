"""Bot talk: a bot that is asked in the talk what it would want for something answers there."""

from __future__ import annotations

import asyncio
import contextlib

from elysian.deals import Give, Reason, Seat
from elysian.server.live.commands import SystemCommand
from elysian.server.live.queries import Question, bot_levels
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import Ask, TalkMessage
from elysian.server.table_state.actions import LONGEST_TALK
from elysian.server.table_state.events import Said
from elysian.typed_offers import asked_seat, parse_question
from elysian.view import view


class BotTalk:
    """The answers of all bots of one process; one question of a seat at a time."""

    def __init__(self) -> None:
        self._answering: dict[tuple[str, Seat], asyncio.Task[None]] = {}

    def hear(self, table: Table, seat: Seat | None, talk: TalkMessage, language: str) -> None:
        """Somebody said something: a question to a bot is answered, anything else is nothing to us."""
        state = table.state
        if seat is None or state is None or len(talk.text) > LONGEST_TALK or state.step != "trade":
            return
        wish = parse_question(talk.text, view(state, seat), talk.to, language)
        if wish is None:
            self._explain(table, seat, talk, asked_seat(talk.text, view(state, seat), talk.to, language))
            return
        if (table.game, seat) in self._answering:
            return
        asked = Question(table, seat, Ask(id="", what="quote", clauses=(wish,)), language, state)
        if wish.giver not in asked.levels:
            return  # a person answers for themselves
        task = asyncio.create_task(self._answer(asked, wish, talk.to))
        self._answering[table.game, seat] = task
        task.add_done_callback(lambda _: self._answering.pop((table.game, seat), None))

    def _explain(self, table: Table, seat: Seat, talk: TalkMessage, bot: Seat | None) -> None:
        """A bot that is asked something else says what it understands."""
        if bot is None or bot not in bot_levels(table.lobby):
            return
        private = None if talk.to is None else seat
        said = Said(seat=bot, text=Reason(code="ask_me"), to=private)
        table.put(SystemCommand(events=lambda _: (said,), seat=bot))

    async def _answer(self, asked: Question, wish: Give, to: Seat | None) -> None:
        with contextlib.suppress(Refused):
            said, _ = await asked.quote(wish)
            private = None if to is None else asked.seat
            answer = tuple(Said(seat=wish.giver, text=why, to=private) for why in said.told)
            asked.table.put(SystemCommand(events=lambda _: answer, seat=wish.giver))

    def close(self) -> None:
        """Nobody is answered any more."""
        for task in self._answering.values():
            task.cancel()

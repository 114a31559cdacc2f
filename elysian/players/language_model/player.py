"""The player: asks its model when there is something to decide, and plays plainly when it has no answer."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, DeclineDeal, Done, ProposeDeal
from elysian.deals import Seat
from elysian.messages import DEFAULT
from elysian.options import Options
from elysian.players.fair import Fair
from elysian.players.language_model.endpoint import Call, Completion, Endpoint, EndpointFailed
from elysian.players.language_model.name import KEY, SeatedModel, seated_model
from elysian.players.language_model.transcript import Transcript
from elysian.players.language_model.usage import Usage
from elysian.text.heard import Heard
from elysian.text.quoted import unquotable
from elysian.text.screen import is_for
from elysian.text.seat import ACT, ANSWER, LOOK, OFFER, RULES, RULES_IN_SHORT, WAIT, SeatText
from elysian.view import View

ROUNDS = 4  # answers of the model for one decision: it may look something up, or mend a mistake
FAILURES = 3  # decisions in a row for which there was no answer; then the model is not asked any more
NOTE = 300  # characters of what the model wrote that it reads again next time
REMEMBERED = 60  # things heard while the model was not asked
READING = (LOOK, RULES)
TOOLS = (*READING, OFFER, ANSWER, ACT, WAIT)  # the choices are in the text: they need no tool
HOW = """
Act by tools only; several calls in one answer are done in their order. What you write beside them is a note \
to yourself that you read again next time; nobody else does."""


class LanguageModel:
    """One seat of one game, played by a model at an endpoint."""

    def __init__(
        self,
        model: SeatedModel,
        people: frozenset[Seat] = frozenset(),
        language: str = DEFAULT,
        transcript: Path | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        """Sit down; `people` are the seats of persons, and `language` is what they read."""
        self.model = model
        self.people = people
        self.language = language
        self.usage = Usage()
        self.endpoint = endpoint or Endpoint(model.url, model.model, os.environ.get(KEY, ""))
        self.transcript = Transcript(transcript)
        self.tools = [
            {
                "type": "function",
                "function": {"name": one.name, "description": one.description, "parameters": one.schema},
            }
            for one in TOOLS
        ]
        self._seat: Seat | None = None
        self._plain = Fair(people)
        self._failures = 0  # in a row
        self._spent = False  # the model is not asked any more in this game
        self._told = False  # the table knows
        self._heard: list[Heard] = []
        self._log: list[str] = []
        self._note = ""
        self._queue: list[Action] = []
        self._turn = 0  # the last of which the model has seen what is for sale
        self._moment: tuple[int, str] = (0, "")
        self._waits_at: object = None  # what the table looked like when the model chose to wait
        self._tried: Action | None = None  # and not heard of since
        self._refused = 0  # in a row
        self._listens = False

    # ------------------------------------------------------------ what the table asks

    def hear(self, heard: Heard) -> None:
        """Something happened at the table."""
        self._listens = True
        if self._tried is not None and heard.by is not None and heard.events:
            self._heard_of_oneself(heard)
        self._heard.append(heard)
        del self._heard[:-REMEMBERED]

    def _heard_of_oneself(self, heard: Heard) -> None:
        if heard.by == self._seat:
            self._tried, self._refused = None, 0

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        """The action the model asks for; when it gives none, what a plain player does."""
        self._seat = view.seat
        if not _has_something(view, options):
            return None
        moment = view.turn, view.step
        if moment != self._moment:
            self._moment, self._queue, self._waits_at, self._refused = moment, [], None, 0
        if self._listens and self._tried is not None:
            self._refused += 1
            self._queue = []
        if self._spent or self._refused >= FAILURES:
            return self._plainly(view, options, rng)
        seen = _what_matters(view)
        if seen == self._waits_at:
            return None
        text = SeatText(view, options)
        queued = self._next_queued(text, options)
        if queued is not None:
            return self._try(queued)
        try:
            action = self._ask(text, options)
        except EndpointFailed as failed:
            return self._failed(str(failed), view, options, rng)
        self._failures = 0
        if action is None or (isinstance(action, Done) and self._would_close(view)):
            self._waits_at = seen
            return None
        return self._try(action)

    def _would_close(self, view: View) -> bool:
        """Whether to be done would close trading on a person (TRADE-14)."""
        late = {area.seat for area in view.players if not area.done} - {view.seat}
        return view.step == "trade" and len(late) == 1 and bool(late & self.people)

    def _try(self, action: Action) -> Action:
        self._tried = action
        self.transcript.add("played", action=msgspec.to_builtins(action))
        return action

    # ------------------------------------------------------------ the model

    def _ask(self, text: SeatText, options: Options) -> Action | None:
        """What the model decides; None: it waits. Raises EndpointFailed."""
        messages = [
            {"role": "system", "content": self._system(text)},
            {"role": "user", "content": self._situation(text)},
        ]
        if not self.usage.requests:
            self.transcript.add("head", model=msgspec.to_builtins(self.model), tools=self.tools)
        turn, step = self._moment
        self.transcript.add("asked", turn=turn, step=step, messages=messages)
        for _ in range(ROUNDS):
            answer = self._complete(messages)
            messages.append(answer.message)
            if answer.text.strip():
                self._note = unquotable(answer.text, NOTE)
            action, waits, results = self._follow(answer.calls, text)
            if action is not None or (waits and not _must_act(text.view)):
                return action
            if not answer.calls:
                results = [{"role": "user", "content": "Act by calling a tool."}]
            elif waits:
                results[-1]["content"] = "The table waits for you: act."
            messages += results
            self.transcript.add("asked", turn=turn, step=step, messages=results)
        if not _must_act(text.view):
            return None
        raise EndpointFailed("the model does not act")

    def _complete(self, messages: list[dict[str, Any]]) -> Completion:
        """One answer, within the budget."""
        usage, model = self.usage, self.model
        if usage.prompt_tokens + usage.completion_tokens >= model.tokens:
            self._spent = True
            raise EndpointFailed("the tokens for this game are spent")
        if usage.seconds >= model.seconds:
            self._spent = True
            raise EndpointFailed("the time for this game is spent")
        began = time.monotonic()
        try:
            usage.requests += 1
            answer = self.endpoint.complete(
                messages, self.tools, min(model.timeout, model.seconds - usage.seconds)
            )
        finally:
            seconds = time.monotonic() - began
            usage.seconds += seconds
        usage.prompt_tokens += answer.prompt_tokens
        usage.completion_tokens += answer.completion_tokens
        usage.estimated = usage.estimated or answer.estimated
        self.transcript.add(
            "answered",
            message=answer.message,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            estimated=answer.estimated,
            seconds=round(seconds, 3),
        )
        return answer

    def _system(self, text: SeatText) -> str:
        talk = f"\nNotes and reasons in the language {self.language}." if self.language != DEFAULT else ""
        return f"You are {text.draw.telling.seat(text.view.me.seat)}. {RULES_IN_SHORT}{HOW}{talk}"

    def _situation(self, text: SeatText) -> str:
        """News, one's own note, and the table."""
        news = text.news(self._heard)
        self._log = [*self._log, *news][-REMEMBERED:]
        self._heard = []
        if self._tried is not None and self._listens:
            label = text.draw.telling.action(self._tried)
            news.append(f"The rules did not allow what you did last: {label}.")
        self._tried = None
        note = f"Your note: {self._note}\n" if self._note else ""
        fresh, self._turn = text.view.turn != self._turn, text.view.turn
        return note + text.moment(news, fresh)

    def _follow(
        self, calls: Iterable[Call], text: SeatText
    ) -> tuple[Action | None, bool, list[dict[str, Any]]]:
        """The first action the calls ask for, the others in the queue; else whether to wait, and answers."""
        actions: list[Action] = []
        results: list[dict[str, Any]] = []
        waits = False
        for call in calls:
            said = call.problem
            if not said and call.name == WAIT.name:
                waits, said = True, "You wait."
            elif not said:
                try:
                    if call.name in (OFFER.name, ANSWER.name, ACT.name):
                        actions.append(text.action(call.name, call.arguments))
                        said = "It is done when the table comes to it."
                    else:
                        said = text.answers(call.name, call.arguments, self._log)
                except ValueError as problem:
                    said = str(problem)
            results.append({"role": "tool", "tool_call_id": call.id, "content": said})
        self._queue = actions[1:]
        return (actions[0] if actions else None), waits, results

    def _next_queued(self, text: SeatText, options: Options) -> Action | None:
        """What the model said it would do after its last action, if that still makes sense."""
        ready_made = {type(choice.action) for choice in options.choices}
        open_now = [choice.action for choice in options.choices]
        while self._queue:
            action = self._queue.pop(0)
            plain = replace(action, reason="") if isinstance(action, AcceptDeal | DeclineDeal) else action
            if text.problem(action):
                continue
            if isinstance(action, ProposeDeal) or type(action) not in ready_made or plain in open_now:
                return action
        return None

    # ------------------------------------------------------------ without the model

    def _failed(self, why: str, view: View, options: Options, rng: Random) -> Action | None:
        self._failures += 1
        self._spent = self._spent or self._failures >= FAILURES
        self.usage.why = unquotable(why)
        return self._plainly(view, options, rng)

    def _plainly(self, view: View, options: Options, rng: Random) -> Action | None:
        """What a plain player does; the first thing it says tells the table why."""
        self.usage.why = self.usage.why or "the model's actions are refused"
        action = self._plain.choose(view, options, rng)
        if action is None:
            return None
        self._tried = None
        self.usage.plain += 1
        if not self._told and isinstance(action, AcceptDeal | DeclineDeal | ProposeDeal):
            self._told = self._spent
            action = replace(action, reason=f"I play without my model: {self.usage.why}.")
        self.transcript.add("plain", why=self.usage.why, action=msgspec.to_builtins(action))
        return action


def make_model(
    name: str,
    people: frozenset[Seat] = frozenset(),
    language: str = DEFAULT,
    transcript: Path | None = None,
) -> LanguageModel:
    """A seat for the model of that name; raises UnknownPlayer with a sentence."""
    return LanguageModel(seated_model(name), people, language, transcript)


def _must_act(view: View) -> bool:
    """Whether the table stands still until this seat acts; while it trades one may always wait."""
    return view.seat in view.waiting and view.step != "trade"


def _has_something(view: View, options: Options) -> bool:
    """Whether a question to the model is worth its price: one is waited for, or somebody offers something."""
    if view.seat in view.waiting and not (view.step == "trade" and view.me.done):
        return True
    return any(
        isinstance(choice.action, AcceptDeal) and is_for(view.deals[choice.action.deal], view.seat)
        for choice in options.choices
    )


def _what_matters(view: View) -> object:
    """What must have changed before a model that waits is asked again."""
    return (
        view.turn,
        view.step,
        view.me.stock,
        tuple(view.me.cards),
        tuple(sorted(name for name, deal in view.deals.items() if is_for(deal, view.seat))),
        tuple(sorted(name for name, deal in view.deals.items() if deal.proposer == view.seat)),
        sum(area.done for area in view.players),
    )

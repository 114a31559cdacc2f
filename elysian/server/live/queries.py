"""Queries: the one road for questions, which change nothing; a table from the kind of question to its answer.

The socket and HTTP both ask here. What takes long is worked out in the worker pool, on the view of the seat
that asks, so that no answer can rest on what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Deal, Give, Seat, parties_to
from elysian.messages import Telling, describe, explain, label, load
from elysian.options import options
from elysian.plan_preview import payments, planned
from elysian.players.suggestions import offered, proposal
from elysian.players.talking import Quote
from elysian.rules.economy import default_plan
from elysian.server.live import appraisal
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import (
    Ask,
    Choices,
    Needs,
    PlanAnswer,
    Proposal,
    Proposals,
    Quoted,
    SeatWorth,
    ToldTerms,
    VioletMove,
    Ways,
    Worth,
)
from elysian.server.table_state.state import Lobby
from elysian.state import Run, State
from elysian.view import View, view
from elysian.worth import FoundDeal, Meaning
from elysian.worth.meaning_words import told as told_meaning

QueryAnswer = Choices | ToldTerms | Worth | Needs | PlanAnswer | Proposals | Quoted | Ways


class Question(Struct, frozen=True):
    """A question of a seat, and the game it is about."""

    table: Table
    seat: Seat
    ask: Ask
    language: str
    state: State

    @property
    def species(self) -> tuple[str, ...]:
        """Who plays, for the sentences of an answer."""
        return self.state.settings.species

    def seen(self) -> View:
        """The game as the seat may know it."""
        return view(self.state, self.seat)

    async def work_out(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Something long, in the worker pool; raises Refused."""
        owner = f"{self.table.game}/{self.seat}"
        return await self.table.context.pool.run(owner, function, *arguments)

    @property
    def levels(self) -> dict[Seat, str]:
        """The bots at the table, and those that sit in for somebody."""
        return bot_levels(self.table.lobby)

    def means(self, meaning: Meaning | None) -> tuple[str, ...]:
        """What a deal means to the one who asks, in words; nothing of one that cannot be."""
        return () if meaning is None else told_meaning(meaning, self.species, self.language)

    async def search(self, function: Callable[..., Any], *arguments: Any) -> appraisal.Found:
        """A search for deals, on the account of the one who asks; raises Refused."""
        found: appraisal.Found = await self._paid(function, *arguments)
        self._spend(found.seconds)
        now = self.table.state
        if found.deals and now is not None and now is not self.state:
            # It took a while: what has become impossible meanwhile, or is taken no more, is not suggested.
            seen = view(now, self.seat)
            found = await self.work_out(appraisal.still_good, seen, self.seat, self.levels, found)
        self._show(found.deals)
        return found

    def _show(self, found: tuple[FoundDeal, ...]) -> None:
        """Bots leave possible for a while what the one who asks is told they could offer."""
        self.table.show(self.seat, tuple(offered(self.seat, one.clauses) for one in found))

    async def _paid(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if not self.table.context.searches.allows(self._person):
            raise Refused("too_many", status=429)
        return await self.work_out(function, self.seen(), self.seat, self.levels, *arguments)

    def _spend(self, seconds: float) -> None:
        self.table.context.searches.spend(self._person, seconds)

    @property
    def _person(self) -> str:
        return self.table.lobby.chairs[self.seat].person or ""

    async def quote(self, wish: Give) -> tuple[Quote, Meaning | None]:
        """What a bot says when it is asked for a price, on the asker's account; raises Refused."""
        said, meaning, seconds = await self._paid(appraisal.quoted, wish)
        self._spend(seconds)
        self._show(() if said.price is None else (said.price,))
        return said, meaning

    def deal(self) -> Deal | None:
        """The offer that is asked about; None: loose clauses are; raises Refused."""
        if self.ask.deal is None:
            return None
        deal = self.seen().deals.get(self.ask.deal)
        if deal is None:
            raise Refused("no_such_deal", status=404)
        return deal if self.seat == deal.proposer else deal.taken_by(self.seat)


def bot_levels(lobby: Lobby) -> dict[Seat, str]:
    """The levels of the bots at a table, and of those that sit in for somebody."""
    return {
        seat: chair.bot or lobby.options.cover_level
        for seat, chair in enumerate(lobby.chairs)
        if not chair.free and (chair.bot or chair.covered)
    }


async def answer(table: Table, seat: Seat | None, ask: Ask, language: str) -> QueryAnswer:
    """The answer to a question; raises Refused where it has none or the table does not allow it."""
    kind = QUERIES[ask.what]
    if seat is None:
        raise Refused("not_seated", status=403)
    if table.state is None:
        if ask.what == "options":
            return Choices(id=ask.id, n=table.n, options=None)
        raise Refused("no_game")
    if kind.is_help and table.lobby.options.help == "off":
        raise Refused("help_off", status=403)
    return await kind.answer(Question(table, seat, ask, language, table.state))


async def _options(asked: Question) -> Choices:
    """What a seat can do now, each choice by name, and why it is not open."""
    seat, state = asked.seat, asked.state
    found = options(state, seat, with_refused=asked.ask.refused)
    species, language = asked.species, asked.language
    return Choices(
        id=asked.ask.id,
        n=asked.table.n,
        options=found,
        told=tuple(
            label(c.action, species, language, state.obligations, c.gain, seat) for c in found.choices
        ),
        why=tuple(
            None if c.refused is None else explain(c.refused.code, c.refused.facts, species, language, seat)
            for c in found.choices
        ),
        must="" if found.must is None else label(found.must, species, language, state.obligations, you=seat),
    )


async def _terms(asked: Question) -> ToldTerms:
    """What each clause of an offer means to the one who asks."""
    deal = asked.deal()
    clauses = asked.ask.clauses if deal is None else deal.clauses
    try:
        said = tuple(describe(clause, asked.species, asked.language, asked.seat) for clause in clauses)
    except (LookupError, ValueError, TypeError) as problem:
        raise Refused("bad_value", status=400, what=str(problem), where="clauses") from None
    return ToldTerms(id=asked.ask.id, told=said)


async def _worth(asked: Question) -> Worth:
    """What an offer is worth to the seat that asks, or to everybody in it."""
    n, seen, deal = asked.table.n, asked.seen(), asked.deal()
    clauses, settles = asked.ask.clauses, asked.ask.settles
    if deal is not None:
        clauses, settles = deal.clauses, deal.settles
    if not clauses and not settles:
        raise Refused("worth_needs_offer", status=400)
    seats: tuple[Seat, ...] = (asked.seat,)
    if asked.table.lobby.options.help == "both":
        # Whoever takes an offer to anyone is not known yet, and a clause may name seats that are not there.
        named = {seat for seat in parties_to(clauses) if 0 <= seat < len(seen.players)}
        seats = tuple(sorted(named | {asked.seat}))
    try:
        values = await asked.work_out(appraisal.worth_of, seen, seats, asked.levels, clauses, settles)
    except (LookupError, ValueError, TypeError, AssertionError):  # such clauses make no sense
        raise Refused("bad_value", status=400, what="worth", where="clauses") from None
    points = tuple(
        SeatWorth(seat=one, points=None if meaning is None else round(meaning.gain, 2))
        for one, meaning in values
    )
    mine = next((meaning for one, meaning in values if one == asked.seat), None)
    return Worth(id=asked.ask.id, n=n, values=points, means=asked.means(mine))


async def _needs(asked: Question) -> Needs:
    """What the seat that asks, or everybody, needs and can spare."""
    n, seen = asked.table.n, asked.seen()
    both = asked.table.lobby.options.help == "both"
    seats = tuple(range(len(seen.players))) if both else (asked.seat,)
    known = await asked.work_out(appraisal.needs_of_all, seen, seats, asked.levels)
    return Needs(id=asked.ask.id, n=n, seats=tuple(known))


async def _deals(asked: Question) -> Proposals:
    """What the seat that asks could offer, searched as a bot would for itself."""
    if asked.state.step != "trade":
        return _proposals(asked, appraisal.Found(deals=(), meanings=(), seconds=0.0))
    return _proposals(asked, await asked.search(appraisal.find_deals))


async def _even(asked: Question) -> Proposals:
    """The offer the seat is putting together, cut so that both gain alike."""
    if not asked.ask.clauses:
        raise Refused("worth_needs_offer", status=400)
    try:
        found = await asked.search(appraisal.even_out, asked.ask.clauses)
    except (LookupError, ValueError, TypeError, AssertionError):  # such clauses make no sense
        raise Refused("bad_value", status=400, what="even", where="clauses") from None
    return _proposals(asked, found)


async def _quote(asked: Question) -> Quoted:
    """What a bot would want for something; whoever is no bot is asked in the talk."""
    wish = asked.ask.clauses[0] if len(asked.ask.clauses) == 1 else None
    if not isinstance(wish, Give) or wish.to != asked.seat or wish.giver not in asked.levels:
        raise Refused("bad_value", status=400, what="quote", where="clauses")
    said, meaning = await asked.quote(wish)
    price = None if said.price is None else _proposal(asked, said.price, meaning)
    telling = Telling(load(asked.language), asked.species)
    told = " ".join(map(telling.reason, said.told))
    return Quoted(id=asked.ask.id, n=asked.table.n, told=told, price=price)


def _proposals(asked: Question, found: appraisal.Found) -> Proposals:
    pairs = zip(found.deals, found.meanings, strict=True)
    return Proposals(
        id=asked.ask.id,
        n=asked.table.n,
        found=tuple(_proposal(asked, one, meaning) for one, meaning in pairs),
    )


def _proposal(asked: Question, found: FoundDeal, meaning: Meaning | None) -> Proposal:
    """A deal that was found, with as much as the table tells of what it is worth."""
    told_of = {"both": set(found.gains), "own": {asked.seat}, "off": set[Seat]()}[
        asked.table.lobby.options.help
    ]
    values = (SeatWorth(seat=s, points=round(gain, 2)) for s, gain in found.gains.items() if s in told_of)
    return Proposal(
        offer=proposal(asked.seat, found),
        values=tuple(values),
        means=asked.means(meaning) if asked.seat in told_of else (),
    )


async def _plan(asked: Question) -> PlanAnswer:
    """What white converters take and make: those asked for, or what costs nothing."""
    runs = asked.ask.runs
    if runs is None:
        runs = default_plan(asked.state, asked.seat)
    if any(run.pay is not None and not run.pay.is_count() for run in runs):
        raise Refused("bad_value", status=400, what="pay", where="runs")
    return _planned(asked, asked.state, runs)


async def _best_plan(asked: Question) -> PlanAnswer:
    """The best the seat can do by itself this turn, step by step.

    The plan that comes with it is the best without any of its moves: ticking it wastes nothing.
    """
    best = await asked.work_out(appraisal.best_steps, asked.seen(), asked.seat, None, asked.ask.runs)
    moves = tuple(move for move in best.moves if isinstance(move, VioletMove))
    # It took a while: what it comes to is said of the game as it is now.
    now = asked.table.state or asked.state
    return replace(
        _planned(asked, now, best.runs_now),
        moves=moves,
        told=tuple(label(move, asked.species, asked.language, now.obligations) for move in moves),
        gains=tuple(round(gain, 2) for gain in best.gains),
        runs=best.runs,
        run_gain=round(best.run_gain, 2),
        ahead=None if best.ahead is None else round(best.ahead, 2),
    )


def _planned(asked: Question, state: State, runs: tuple[Run, ...]) -> PlanAnswer:
    return PlanAnswer(id=asked.ask.id, n=asked.table.n, plan=planned(state, asked.seat, runs))


async def _payments(asked: Question) -> Ways:
    """In which ways a violet converter can be paid."""
    if asked.ask.action is None:
        raise Refused("missing_field", status=400, what="action", where="")
    return Ways(id=asked.ask.id, n=asked.table.n, ways=payments(asked.state, asked.seat, asked.ask.action))


class Query(Struct, frozen=True):
    """A kind of question."""

    answer: Callable[[Question], Awaitable[QueryAnswer]]
    is_help: bool = False  # only where the table has agreed that the server helps
    is_long: bool = False  # the one who asks does other things meanwhile


QUERIES: dict[str, Query] = {
    "options": Query(_options),
    "terms": Query(_terms),
    "worth": Query(_worth, is_help=True),
    "needs": Query(_needs, is_help=True),
    "plan": Query(_plan),
    "best_plan": Query(_best_plan, is_help=True),
    "payments": Query(_payments),
    "deals": Query(_deals, is_help=True, is_long=True),
    "even": Query(_even, is_help=True),
    "quote": Query(_quote),  # the bot itself answers, whatever help the table has agreed on
}

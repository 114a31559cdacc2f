"""Scripted people: they read, answer, ask for help and play by the best plan, all through the server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, ClassVar

from elysian.actions import AcceptDeal, DeclineDeal, Done, ProposeDeal, WithdrawDeal
from elysian.deals import Deal, Seat
from elysian.options import options
from elysian.players.levels import make
from elysian.server.live.queries import answer
from elysian.server.live.table import Table
from elysian.server.protocol.messages import Ask, PlanAnswer, Proposals, Rejected, Worth
from elysian.server.server import Server
from elysian.server.store.people import Account
from elysian.view import View, view

ME: Seat = 0
GOOD = 0.1  # points from which on an offer is good for a person


class ScriptedPerson:
    """One who reads every offer, accepts what is good for them, and plays the rest by the best plan."""

    reads: ClassVar[float] = 8.0  # seconds for each offer
    lingers: ClassVar[float] = 60.0  # seconds without an offer after which they have done trading
    helped: ClassVar[bool] = False  # looks for deals with the server's help
    plans: ClassVar[bool] = True  # plays by the best plan; else the cautious default of every step

    def __init__(self, server: Server, table: Table, who: Account, level: str) -> None:
        self.server, self.table, self.who = server, table, who
        self.seat: Seat | None = ME
        self.person: str | None = who.id
        self.language = "en"
        self.hand = make(level)  # how they bid, buy, plan and give
        self.chance = Random(0)
        self.news = asyncio.Event()
        self.read: set[str] = set()
        self.asked = 0
        self.tried: set[object] = set()  # terms suggested to them and sent
        self.suggested: list[float] = []  # what each of those was said to be worth to them
        self.vanished: list[str] = []  # offers that went while they read them
        self.outdated = 0  # suggestions whose goods moved while they read them
        self.refused = 0

    # ------------------------------------------------------------ a connection to the table

    def send(self, frame: bytes) -> None:
        """Something has happened."""
        self.news.set()

    async def taken(self) -> None:
        """Nothing piles up."""

    def close(self, code: int) -> None:
        """The table has gone."""
        self.news.set()

    def used(self, person: str, hashed: str) -> bool:
        """They have no key."""
        return False

    async def do(self, action: Any) -> bool:
        """Ask for an action; whether it was accepted."""
        self.asked += 1
        outcome = await self.server.ask(self.table, self.who.id, f"c{self.asked}", action, self.language)
        self.refused += isinstance(outcome, Rejected)
        return not isinstance(outcome, Rejected)

    async def ask(self, what: Any, **about: Any) -> Any:
        """Ask a question as the page does."""
        return await answer(self.table, ME, Ask(id="q", what=what, **about), self.language)

    @property
    def seen(self) -> View:
        """The game as they see it."""
        assert self.table.state is not None
        return view(self.table.state, ME)

    # ------------------------------------------------------------ playing

    async def play(self) -> None:
        """Play to the end of the game."""
        while self.seen.step != "over":
            self.news.clear()
            if self.seen.step == "trade":
                await self.trade()
            elif not await self.step():
                await self.quiet(600.0)

    async def quiet(self, seconds: float) -> bool:
        """Wait for news; True when so much time has passed without any."""
        try:
            async with asyncio.timeout(seconds):
                await self.news.wait()
        except TimeoutError:
            return True
        return False

    async def step(self) -> bool:
        """Do what a step other than trading asks for; whether there was something."""
        assert self.table.state is not None
        found = options(self.table.state, ME)
        action = None if self.plans or ME not in self.seen.waiting else found.cautious
        if action is None:
            action = self.hand.choose(self.seen, found, self.chance)
        if action is None or isinstance(action, AcceptDeal | DeclineDeal | ProposeDeal):
            return False
        await asyncio.sleep(2.0)
        return await self.do(action)

    async def trade(self) -> None:
        """Read one offer, or wait for one; after a while without any, be done."""
        if self.seen.players[ME].done:
            await self.quiet(600.0)
            return
        offer = next(self.unread(), None)
        if offer is not None:
            await self.reply(offer)
            return
        if self.helped and await self.look_for_a_deal():
            return
        began = asyncio.get_running_loop().time()
        while self.seen.step == "trade" and next(self.unread(), None) is None:
            left = self.lingers - (asyncio.get_running_loop().time() - began)
            self.news.clear()
            if await self.quiet(left):
                await self.finish()
                return

    def unread(self) -> Iterator[Deal]:
        """Offers to them that they have not read, the oldest first."""
        for name, deal in self.seen.deals.items():
            concerns = ME in deal.parties or deal.is_open
            if concerns and deal.proposer != ME and ME not in deal.accepted and name not in self.read:
                yield deal

    async def reply(self, offer: Deal) -> None:
        """Read an offer, and accept it if it is good."""
        self.read.add(offer.id)
        await asyncio.sleep(self.reads)
        if offer.id not in self.seen.deals:
            self.vanished.append(offer.id)
            return
        told: Worth = await self.ask("worth", deal=offer.id)
        points = next(one.points for one in told.values if one.seat == ME)
        if points is not None and points >= GOOD:
            await self.do(AcceptDeal(deal=offer.id))
        elif ME in offer.parties:
            await self.do(DeclineDeal(deal=offer.id))

    async def look_for_a_deal(self) -> bool:
        """Offer the best that the server finds for them, once; False where it finds nothing new."""
        told: Proposals = await self.ask("deals")
        found = next((one for one in told.found if one.offer.clauses not in self.tried), None)
        if found is None:
            return False
        offer = found.offer
        then = self.standing(offer.parties)
        await asyncio.sleep(self.reads)
        if self.seen.step != "trade" or self.standing(offer.parties) != then:
            self.outdated += 1  # the page has taken it away: the goods have moved, search again
            return True
        self.tried.add(offer.clauses)
        self.suggested.append(next(v.points for v in found.values if v.seat == ME) or 0.0)
        if not await self.do(offer):
            return True
        mine = [deal.id for deal in self.seen.deals.values() if deal.proposer == ME]
        for _ in range(20):  # bots answer soon
            self.news.clear()
            if not mine or mine[-1] not in self.seen.deals or await self.quiet(10.0):
                break
        for name in [deal.id for deal in self.seen.deals.values() if deal.proposer == ME]:
            await self.do(WithdrawDeal(deal=name))
        return True

    def standing(self, seats: Iterable[Seat]) -> object:
        """What seats have to trade with: the page shows a suggestion as long as this stays the same."""
        return [(self.seen.players[seat].stock, tuple(self.seen.players[seat].cards)) for seat in seats]

    async def finish(self) -> None:
        """Play what the best plan does with violet converters, and be done."""
        for _ in range(30):
            best: PlanAnswer | None = await self.ask("best_plan") if self.plans else None
            if best is None or not best.moves or not await self.do(best.moves[0]):
                break
        while self.seen.step == "trade" and not self.seen.players[ME].done:
            assert self.table.state is not None
            # Nobody is done who can still keep their word: the page names the deed, and they do it.
            last = options(self.table.state, ME).must or Done()
            if not await self.do(last) and self.seen.step == "trade":
                raise RuntimeError(f"refused: {last}")  # asked again for ever, the game would never end


class Reader(ScriptedPerson):
    """Reads eight seconds an offer and accepts what is good."""


class Helped(ScriptedPerson):
    """Also lets the server look for deals."""

    helped = True


class Silent(ScriptedPerson):
    """Never answers, and never has done trading, for a quarter of an hour of the first turn."""

    async def play(self) -> None:
        """Look on."""
        await asyncio.sleep(900.0)


class Asker(ScriptedPerson):
    """Never answers either, but asks again and again what could be offered, and offers nothing."""

    async def play(self) -> None:
        """Ask every ten seconds for a quarter of an hour."""
        for _ in range(90):
            await self.ask("deals")
            await asyncio.sleep(10.0)


class Answerer(ScriptedPerson):
    """Only answers: everything else is left to the cautious default."""

    reads = 2.0
    plans = False


MEASURED = ("reader", "helped", "answers")
PEOPLE: dict[str, type[ScriptedPerson]] = {
    "reader": Reader,
    "helped": Helped,
    "answers": Answerer,
    "silent": Silent,
    "asks": Asker,
}

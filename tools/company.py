"""Company: how scripted people fare at a real server with bots, on a clock that skips waiting.

`python -m tools.company` plays what is missing of the cells below and prints them; `--games 1 --seats 4` is a
little of it. Every game is kept with its seed in results/company.jsonl, so it goes on where it was stopped.
Each person's game is paired with one in which a bot has the same seat, species and decks.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from elysian.actions import AcceptDeal, DeclineDeal, Done, ProposeDeal, WithdrawDeal
from elysian.deals import AnyClause, Deal, Forbear, Give, Handing, OneOf, Pledge, Seat, Undertake
from elysian.deck import CATALOG
from elysian.events import DealOffered, DealStruck, GameScored
from elysian.messages import load as load_messages
from elysian.options import options
from elysian.players.levels import make
from elysian.server.background.bots import ready_made
from elysian.server.live.queries import answer
from elysian.server.live.table import Table
from elysian.server.ops.logs import Log
from elysian.server.ops.settings import ServerLimits, ServerSettings
from elysian.server.protocol.messages import Ask, PlanAnswer, Proposals, Rejected, Worth
from elysian.server.server import Server
from elysian.server.store.people import Account
from elysian.server.table_state.actions import StartGame
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.table_options import BotPace, TableOptions
from elysian.view import View, view
from elysian.worth import after
from tools.drive.skipped_time import HereAndNow, SkippedTime, run

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "results" / "company.jsonl"
ME: Seat = 0
GOOD = 0.1  # points from which on an offer is good for a person
SOON = 20.0  # seconds in which no offer should be taken back


# ---------------------------------------------------------------- people


class Person:
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
        action = None if self.plans or ME not in self.seen.waiting else ready_made(found)
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
        self.tried.add(offer.clauses)
        self.suggested.append(next(v.points for v in found.values if v.seat == ME) or 0.0)
        await asyncio.sleep(self.reads)
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

    async def finish(self) -> None:
        """Play what the best plan does with violet converters, and be done."""
        for _ in range(30):
            told: PlanAnswer | None = await self.ask("best_plan") if self.plans else None
            if told is None or not told.moves or not await self.do(told.moves[0]):
                break
        if self.seen.step == "trade":
            await self.do(Done())


class Reader(Person):
    """Reads eight seconds an offer and accepts what is good."""


class Helped(Person):
    """Also lets the server look for deals."""

    helped = True


class Silent(Person):
    """Never answers, and never has done trading, for a quarter of an hour of the first turn."""

    async def play(self) -> None:
        """Look on."""
        await asyncio.sleep(900.0)


class Asker(Person):
    """Never answers either, but asks again and again what could be offered, and offers nothing."""

    async def play(self) -> None:
        """Ask every ten seconds for a quarter of an hour."""
        for _ in range(90):
            await self.ask("deals")
            await asyncio.sleep(10.0)


class Answerer(Person):
    """Only answers: everything else is left to the cautious default."""

    reads = 2.0
    plans = False


MEASURED = ("reader", "helped", "answers")
PEOPLE: dict[str, type[Person]] = {
    "reader": Reader,
    "helped": Helped,
    "answers": Answerer,
    "silent": Silent,
    "asks": Asker,
}


# ---------------------------------------------------------------- games


class Figures(Struct, frozen=True):
    """One game of one person, and of the bot in their place."""

    label: str
    level: str
    seats: int
    person: str
    seed: int
    species: str
    points: float
    bots: float  # the mean of the bots at the person's table
    paired: float  # what a bot makes in the same seat
    among: float  # the mean of the other bots at that table
    offers: int  # that reached the person
    struck: int  # of those
    kinds: tuple[int, ...]  # of things in each offer
    both_ways: int  # offers with the same kind on both sides
    cards: int  # in all these offers
    vanished: int  # went while being read
    soon: int  # taken back within 20 s although still possible
    drafts: int
    drafts_struck: int
    deals: int  # between bots
    colonies: int  # changed hands at the table
    colonies_back: int  # of these, to somebody who had held it before
    minutes: float  # of the clock


class Cell(Struct, frozen=True):
    """Games of one kind."""

    level: str
    seats: int
    person: str
    games: int


def cells() -> Iterator[Cell]:
    """What is measured in full."""
    for level in ("standard", "expert"):
        for seats in (5, 4, 7):
            for person in MEASURED:
                yield Cell(level, seats, person, 20 if (level, seats) == ("standard", 5) else 6)


async def play(
    loop: SkippedTime, cell: Cell, seed: int, person: bool, pace: BotPace = "normal"
) -> tuple[list[Line], Person | None]:
    """One game at a server of its own; the lines it stored."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(database=f"sqlite:///{folder}/company.db", limits=ServerLimits(search=1e9))
        chance = Random(f"company/{seed}")
        began = 1_700_000_000_000
        server = Server(
            settings, lambda: began + int(loop.time() * 1000), Log(io.StringIO()), HereAndNow(), chance
        )
        for work in ("read", "write"):
            setattr(server.database, work, loop.waits_for(getattr(server.database, work)))
        await server.start()
        try:
            played = await _at(server, cell, person, pace)
            assert not server.metrics.counts["mistakes"], "a bot met a mistake of ours"
            return played
        finally:
            await server.close()


async def _at(server: Server, cell: Cell, person: bool, pace: BotPace) -> tuple[list[Line], Person | None]:
    host, _ = await server.people.make("Anna")
    seats = range(int(person), cell.seats)
    table, _ = await server.tables.open(
        TableOptions(seats=cell.seats, species="random", bots=pace),
        host,
        ME if person else None,
        dict.fromkeys(seats, cell.level),
    )
    guest = PEOPLE[cell.person](server, table, host, cell.level)
    guest.seat = ME if person else None
    await server.ask(table, host.id, "start", StartGame(), "en")
    await table.enter(guest, None)
    if person:
        await guest.play()
    else:
        while table.state is None or table.state.step != "over":
            guest.news.clear()
            await guest.quiet(600.0)
    return await server.store.lines(table.game), guest if person else None


def measure(label: str, cell: Cell, seed: int, paired: list[Line]) -> Figures:
    """Play a person's game and put it beside the bot's."""
    lines, guest = run(partial(play, cell=cell, seed=seed, person=True))
    assert guest is not None
    scores, without = _scores(lines), _scores(paired)
    offers = list(_offers(lines))
    mine = [o for o in offers if o.deal.proposer != ME and (ME in o.deal.parties or o.deal.is_open)]
    moved = [name for o in offers if o.struck for name in _colonies(o.deal)]
    return Figures(
        label=label,
        level=cell.level,
        seats=cell.seats,
        person=cell.person,
        seed=seed,
        species=guest.seen.players[ME].species,
        points=scores[ME],
        bots=fmean(scores[1:]),
        paired=without[ME],
        among=fmean(without[1:]),
        offers=len(mine),
        struck=sum(o.struck for o in mine),
        kinds=tuple(len(things(o.deal.clauses)) for o in mine),
        both_ways=sum(is_both_ways(o.deal) for o in mine),
        cards=sum(_cards(o.deal) for o in mine),
        vanished=len(guest.vanished),
        soon=sum(o.taken_back_soon for o in mine),
        drafts=len(guest.suggested),
        drafts_struck=sum(o.struck for o in offers if o.deal.proposer == ME),
        deals=sum(o.struck and ME not in o.deal.parties for o in offers),
        colonies=len(moved),
        colonies_back=_back(offers),
        minutes=round((lines[-1].at - lines[0].at) / 60_000, 1),
    )


# ---------------------------------------------------------------- reading a log


class Offered(Struct):
    """An offer, and what became of it."""

    deal: Deal
    at: int
    struck: bool = False
    taken_back_soon: bool = False


def _offers(lines: list[Line]) -> Iterator[Offered]:
    found: dict[str, Offered] = {}
    current: TableState | None = None
    for line in lines:
        before, current = current, fold(current, "company", line)
        if isinstance(line.action, WithdrawDeal) and before is not None and before.state is not None:
            offer = found[line.action.deal]
            possible = after(view(before.state, offer.deal.proposer), offer.deal.clauses) is not None
            instead = load_messages("en").reason["taken_instead"] in line.action.reason
            early = line.at - offer.at < SOON * 1000 and not instead
            offer.taken_back_soon = possible and early and ME not in before.state.done
        for event in line.events:
            if isinstance(event, DealOffered):
                found[event.deal.id] = Offered(event.deal, line.at)
            elif isinstance(event, DealStruck):
                found[event.deal].struck = True
    yield from found.values()


def things(clauses: tuple[AnyClause, ...]) -> set[tuple[Any, ...]]:
    """The different things an offer names, each for each giver: kinds of goods, cards, promises, deeds."""
    found: set[tuple[Any, ...]] = set()
    for clause in clauses:
        later = isinstance(clause, Pledge)
        what: Any = clause.what if isinstance(clause, Pledge) else clause
        if isinstance(what, Give):
            for goods in (what.goods, what.donation):
                found |= {(what.giver, kind, later) for kind, _ in goods.items()}
            found |= {(what.giver, card, later) for card in what.cards}
        elif isinstance(what, Handing | OneOf | Undertake | Forbear):
            found.add((repr(what), later))
    return found


def is_both_ways(deal: Deal) -> bool:
    """Whether the same kind of goods goes both ways."""
    ways = [thing[:2] for thing in things(deal.clauses) if len(thing) == 3]
    return any(kind == other and giver != by for giver, kind in ways for by, other in ways)


def _cards(deal: Deal) -> int:
    return sum(len(clause.cards) for clause in deal.clauses if isinstance(clause, Give))


def _colonies(deal: Deal) -> list[tuple[str, Seat, Seat]]:
    return [
        (name, clause.giver, clause.to)
        for clause in deal.clauses
        if isinstance(clause, Give)
        for name in clause.cards
        if CATALOG.cards[name].is_colony
    ]


def _back(offers: list[Offered]) -> int:
    held: dict[str, set[Seat]] = {}
    back = 0
    for name, giver, to in (one for offer in offers if offer.struck for one in _colonies(offer.deal)):
        former = held.setdefault(name, set())
        former.add(giver)
        back += to in former
    return back


def _scores(lines: list[Line]) -> list[float]:
    scored = next(event for line in lines for event in line.events if isinstance(event, GameScored))
    return [score.total / 12 for score in scored.scores]


# ---------------------------------------------------------------- keeping and printing


def load(path: Path = KEPT) -> list[Figures]:
    """The games that were played."""
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Figures) for line in path.read_bytes().splitlines()]


def table(kept: list[Figures]) -> str:
    """A line for each cell: the person beside bots, and what they were offered."""
    head = (
        "label level seats person games points bots paired of-paired offers struck kinds p90 both gone soon"
    )
    head += " drafts taken deals colonies back minutes"
    rows = [head.split()]
    for key in dict.fromkeys((f.label, f.level, f.seats, f.person) for f in kept):
        some = [f for f in kept if (f.label, f.level, f.seats, f.person) == key]
        kinds = sorted(n for f in some for n in f.kinds) or [0]
        tenth = quantiles(kinds, n=10, method="inclusive") if len(kinds) > 1 else kinds * 9
        share = sum(f.points for f in some) / max(0.1, sum(f.paired for f in some))
        means = [fmean(getattr(f, name) for f in some) for name in ("points", "bots", "paired")]
        counts = [fmean(getattr(f, name) for f in some) for name in ("offers", "struck")]
        rest = ("drafts", "drafts_struck", "deals", "colonies", "colonies_back", "minutes")
        rows.append(
            [
                *map(str, key),
                str(len(some)),
                *(f"{mean:.1f}" for mean in means),
                f"{share:.0%}",
                *(f"{count:.1f}" for count in counts),
                f"{tenth[4]:.0f}",
                f"{tenth[8]:.0f}",
                *(f"{sum(getattr(f, n) for f in some)}" for n in ("both_ways", "vanished", "soon")),
                *(f"{fmean(getattr(f, name) for f in some):.1f}" for name in rest),
            ]
        )
    wide = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(row, wide, strict=True)) for row in rows)


def main() -> None:
    """Play what is missing, and print everything."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--label", default="now", help="what these games are kept as")
    asked.add_argument("--level", help="only bots of this level")
    asked.add_argument("--seats", type=int, help="only tables of this size")
    asked.add_argument("--person", choices=MEASURED, help="only this person")
    asked.add_argument("--games", type=int, help="so many of each cell")
    asked.add_argument("--first", type=int, default=1, help="the first seed")
    asked.add_argument("--print", action="store_true", help="play nothing")
    words = asked.parse_args()
    kept = load()
    chosen = [
        cell
        for cell in cells()
        if words.level in (None, cell.level)
        and words.seats in (None, cell.seats)
        and words.person in (None, cell.person)
    ]
    for seed in range(words.first, words.first + (words.games or 20)) if not words.print else ():
        paired: dict[tuple[str, int], list[Line]] = {}
        for cell in chosen:
            there = any(
                (f.label, f.level, f.seats, f.person, f.seed)
                == (words.label, cell.level, cell.seats, cell.person, seed)
                for f in kept
            )
            if there or seed >= words.first + (words.games or cell.games):
                continue
            key = cell.level, cell.seats
            if key not in paired:
                paired[key], _ = run(partial(play, cell=cell, seed=seed, person=False))
            kept.append(measure(words.label, cell, seed, paired[key]))
            with KEPT.open("ab") as out:
                out.write(msgspec.json.encode(kept[-1]) + b"\n")
            print(msgspec.json.encode(kept[-1]).decode(), flush=True)
    print(table(kept))


if __name__ == "__main__":
    main()

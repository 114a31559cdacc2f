"""Figures: what a stored game says of a person and what they were offered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean
from time import process_time

from msgspec import Struct

from elysian.actions import WithdrawDeal
from elysian.deals import Deal, Give, Seat
from elysian.deck import CATALOG
from elysian.events import DealOffered, DealStruck, GameScored
from elysian.messages import Telling
from elysian.messages import load as load_messages
from elysian.players.trader.readable import things
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold
from elysian.view import view
from elysian.worth import after, worth
from tools.company.deeds import named_deeds
from tools.company.games import Cell, play
from tools.company.people import ME
from tools.drive.skipped_time import run

SOON = 20.0  # seconds in which no offer should be taken back


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
    vanished: int  # went while being read, except by a deal of the person's own
    soon: int  # taken back within 20 s although still possible
    drafts: int
    drafts_struck: int
    deals: int  # between bots
    colonies: int  # changed hands at the table
    colonies_back: int  # of these, to somebody who had held it before
    minutes: float  # of the clock
    outdated: int = 0  # suggestions whose goods moved while the person read them: not offered, searched anew
    drafts_lost: int = 0  # suggestions that were worth less than nothing to the person
    named: int = 0  # deeds that bots gave as reasons for deals with the person that were struck
    done: int = 0  # of those, in the same turn
    named_among: int = 0  # the same between bots
    done_among: int = 0
    cpu: float = 0.0  # seconds that the person's game took to play


class Paired(Struct, frozen=True):
    """The game in which a bot has the person's place."""

    points: float
    among: float


def with_a_bot(cell: Cell, seed: int) -> Paired:
    """Play the game in which a bot sits where the person would."""
    lines, _ = run(partial(play, cell=cell, seed=seed, person=False))
    scores = _scores(lines)
    return Paired(scores[ME], fmean(scores[1:]))


def measure(label: str, cell: Cell, seed: int, paired: Paired) -> Figures:
    """Play a person's game and put it beside the bot's."""
    began = process_time()
    lines, guest = run(partial(play, cell=cell, seed=seed, person=True))
    cpu = round(process_time() - began, 1)
    assert guest is not None
    scores = _scores(lines)
    offers = list(_offers(lines))
    mine = [o for o in offers if o.deal.proposer != ME and (ME in o.deal.parties or o.deal.is_open)]
    deeds = named_deeds((line.seat, line.action, line.events) for line in lines)
    to_me, among = ([d for d in deeds if (ME in d.parties) == with_me] for with_me in (True, False))
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
        paired=paired.points,
        among=paired.among,
        offers=len(mine),
        struck=sum(o.struck for o in mine),
        kinds=tuple(len(things(o.deal.clauses)) for o in mine),
        both_ways=sum(is_both_ways(o.deal) for o in mine),
        cards=sum(_cards(o.deal) for o in mine),
        vanished=sum(o.deal.id in guest.vanished and not o.by_me for o in mine),
        soon=sum(o.taken_back_soon for o in mine),
        drafts=len(guest.suggested),
        drafts_struck=sum(o.struck for o in offers if o.deal.proposer == ME),
        deals=sum(o.struck and ME not in o.deal.parties for o in offers),
        colonies=len(moved),
        colonies_back=_back(offers),
        minutes=round((lines[-1].at - lines[0].at) / 60_000, 1),
        outdated=guest.outdated,
        drafts_lost=sum(o.brought < 0 for o in offers),
        named=len(to_me),
        done=sum(deed.done for deed in to_me),
        named_among=len(among),
        done_among=sum(deed.done for deed in among),
        cpu=cpu,
    )


# ---------------------------------------------------------------- reading a log


class Offered(Struct):
    """An offer, and what became of it."""

    deal: Deal
    at: int
    struck: bool = False
    taken_back_soon: bool = False
    by_me: bool = False  # became impossible by another deal of the person
    brought: float = 0.0  # what it was worth to the person when they offered it


def _offers(lines: list[Line]) -> Iterator[Offered]:
    found: dict[str, Offered] = {}
    current: TableState | None = None
    for line in lines:
        before, current = current, fold(current, "company", line)
        if isinstance(line.action, WithdrawDeal) and before is not None and before.state is not None:
            offer = found[line.action.deal]
            possible = after(view(before.state, offer.deal.proposer), offer.deal.clauses) is not None
            english = Telling(load_messages("en"), ())  # games of before say it in words
            instead = load_messages("en").reason["taken_instead"] in english.reason(line.action.reason)
            early = line.at - offer.at < SOON * 1000 and not instead
            offer.taken_back_soon = possible and early and ME not in before.state.done
        for event in line.events:
            if isinstance(event, DealOffered):
                found[event.deal.id] = Offered(event.deal, line.at, brought=_worth_to_me(before, event.deal))
            elif isinstance(event, DealStruck):
                found[event.deal].struck = True
                if ME in event.parties:
                    _spoil(found, before, current)
    yield from found.values()


def _spoil(found: dict[str, Offered], before: TableState | None, now: TableState) -> None:
    """Note the offers to the person that could be kept before a deal of theirs, and not any more."""
    if before is None or before.state is None or now.state is None:
        return
    for name, deal in before.state.deals.items():
        if ME in deal.parties and deal.proposer != ME and name in now.state.deals:
            could, can = (after(view(s, ME), deal.clauses, deal.settles) for s in (before.state, now.state))
            found[name].by_me |= could is not None and can is None


def _worth_to_me(before: TableState | None, deal: Deal) -> float:
    if deal.proposer != ME or before is None or before.state is None:
        return 0.0
    return worth(view(before.state, ME), ME, deal.clauses)


def is_both_ways(deal: Deal) -> bool:
    """Whether the same kind of goods goes both ways."""
    ways = [thing[:2] for thing in things(deal.clauses) if not isinstance(thing, str)]
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

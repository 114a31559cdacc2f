"""Figures: what a stored game says of a person and what they were offered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean
from typing import Any

from msgspec import Struct

from elysian.actions import WithdrawDeal
from elysian.deals import AnyClause, Deal, Forbear, Give, Handing, OneOf, Pledge, Seat, Undertake
from elysian.deck import CATALOG
from elysian.events import DealOffered, DealStruck, GameScored
from elysian.messages import Telling
from elysian.messages import load as load_messages
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold
from elysian.view import view
from elysian.worth import after
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
    vanished: int  # went while being read
    soon: int  # taken back within 20 s although still possible
    drafts: int
    drafts_struck: int
    deals: int  # between bots
    colonies: int  # changed hands at the table
    colonies_back: int  # of these, to somebody who had held it before
    minutes: float  # of the clock


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
            english = Telling(load_messages("en"), ())  # games of before say it in words
            instead = load_messages("en").reason["taken_instead"] in english.reason(line.action.reason)
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

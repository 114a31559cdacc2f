"""Encoding: a view and the slots of a seat as numbers; seats are counted from the viewer, who is number 0.

Whole numbers everywhere: goods are counts in the order of `elysian.goods.KINDS`, a card is its number in
`CARDS` (0: none). What has not changed since the last look is copied, not computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import is_
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from elysian.actions import (
    AcceptDeal,
    Buy,
    ChooseHandicap,
    DeclineDeal,
    Deliver,
    Done,
    Invent,
    LayPlan,
    NotDone,
    Pass,
    PlaceBid,
    ProposeDeal,
    PutIntoPlay,
    Release,
    RunConverter,
    SplitBid,
    UpgradeCard,
    WithdrawDeal,
)
from elysian.deals import ANYONE, Deal, Give, Obligation, Pledge, Seat
from elysian.deck import CATALOG
from elysian.envs.episode import STEPS
from elysian.envs.slots import FIXED, STARTS, Slots
from elysian.goods import KINDS, MOST, NOTHING
from elysian.options import Choice
from elysian.view import SeatView, View

CARDS = {name: n for n, name in enumerate(sorted(CATALOG.cards), start=1)}
SPECIES = {name: n for n, name in enumerate(sorted(CATALOG.species))}
EDITIONS = ("2017", "2020", "de2021")
TRACK = 12  # places of a track and of a line of bidders
OPEN_OFFERS = 12
PROMISES = 12
GOODS = len(KINDS)

# Bits of what is said of a card in a seat's row.
HELD, FLIPPED, SEEDLING, LENT, OUT_OF_PLAY, SPENT, INVENTED = (1 << n for n in range(7))
# And of one that is nobody's.
SHARED, REMOVED, UNDER_DECK = 1, 2, 4

SEAT_NUMBERS = len(SPECIES) + 3 * GOODS + 6
TABLE_NUMBERS = len(STEPS) + len(EDITIONS) + 14
OFFER_NUMBERS = 6 + 2 * GOODS
PROMISE_NUMBERS = 5 + GOODS
SLOT_NUMBERS = 5 + 2 * GOODS

Numbers = NDArray[np.int16]
Observation = dict[str, Any]


def observation_space(players: int, offers: int) -> spaces.Dict:
    """The space of what `Encoder.encode` makes."""

    def numbers(*shape: int) -> spaces.Box:
        return spaces.Box(-MOST, MOST, shape, np.int16)

    return spaces.Dict(
        {
            "observation": spaces.Dict(
                {
                    "table": numbers(TABLE_NUMBERS),
                    "tracks": numbers(4, TRACK),
                    "seats": numbers(players, SEAT_NUMBERS),
                    "cards": spaces.Box(0, 127, (players, len(CARDS) + 1), np.uint8),
                    "middle": spaces.Box(0, 7, (len(CARDS) + 1,), np.uint8),
                    "bidders": numbers(TRACK, 3),
                    "offers": numbers(OPEN_OFFERS, OFFER_NUMBERS),
                    "promises": numbers(PROMISES, PROMISE_NUMBERS),
                    "slots": numbers(FIXED + offers, SLOT_NUMBERS),
                }
            ),
            "action_mask": spaces.Box(0, 1, (FIXED + offers,), np.int8),
        }
    )


class Encoder:
    """Encodes the views of one table; only what a view and its options say goes in."""

    def __init__(self, players: int, offers: int) -> None:
        """Begin with nothing remembered."""
        self.players = players
        self.places = FIXED + offers
        # The rows of all seats, twice over: those from any seat on are one slice.
        self._seats = np.zeros((2 * players, SEAT_NUMBERS), np.int16)
        self._cards = np.zeros((2 * players, len(CARDS) + 1), np.uint8)
        self._seen: list[SeatView | None] = [None] * players
        self._held: list[tuple[object, ...]] = [()] * players
        self._tracks: tuple[tuple[object, ...], Numbers] | None = None
        self._middle: tuple[tuple[object, ...], NDArray[np.uint8]] | None = None
        self._offers: dict[tuple[Seat, int], tuple[Deal, Numbers, Numbers]] = {}
        self._rows: dict[object, Numbers] = {}

    def encode(self, view: View, slots: Slots, may_propose: bool) -> Observation:
        """What the viewer sees and may do, as the arrays of `observation_space`."""
        me = view.seat
        assert me is not None
        self._look_at(view.players)
        seats = self._seats[me : me + self.players].copy()
        for seat in view.waiting:
            seats[(seat - me) % self.players, -1] = 1
        rows, mask = self._slots(view, slots, me)
        return {
            "observation": {
                "table": np.array(_table(view, may_propose), np.int16),
                "tracks": self._tracks_of(view),
                "seats": seats,
                "cards": self._cards[me : me + self.players].copy(),
                "middle": self._middle_of(view),
                "bidders": _bidders(view),
                "offers": self._open_offers(view, me),
                "promises": self._promises(view, me),
                "slots": rows,
            },
            "action_mask": mask,
        }

    # ------------------------------------------------------------ seats and cards

    def _look_at(self, areas: tuple[SeatView, ...]) -> None:
        """Write the rows of those areas that are others than at the last look."""
        for seat, seen in enumerate(areas):
            if self._seen[seat] is seen:
                continue
            self._seen[seat] = seen
            self._seats[seat] = self._seats[seat + self.players] = _seat(seen)
            held = seen.cards, seen.deck, seen.spent, seen.invented
            if not self._held[seat] or not same(self._held[seat], held):
                self._held[seat] = held
                self._cards[seat] = self._cards[seat + self.players] = _cards(seen)

    def _tracks_of(self, view: View) -> Numbers:
        parts = (view.colony_track, view.research_track, view.colony_minimums, view.research_minimums)
        kept = self._tracks
        if kept is None or not same(kept[0], parts):
            rows = np.zeros((4, TRACK), np.int16)
            for n, track in enumerate(parts[:2]):
                ids = [0 if card is None else CARDS[str(card)] for card in track]
                rows[n, : len(ids)] = ids
            for n, minimums in enumerate(parts[2:], start=2):
                rows[n, : len(minimums)] = minimums
            kept = self._tracks = parts, rows
        return kept[1].copy()

    def _middle_of(self, view: View) -> NDArray[np.uint8]:
        parts = (view.shared, view.removed, view.colony_deck.under, view.research_deck.under)
        kept = self._middle
        if kept is None or kept[0] != parts:
            row = np.zeros(len(CARDS) + 1, np.uint8)
            for names, bit in zip(parts, (SHARED, REMOVED, UNDER_DECK, UNDER_DECK), strict=True):
                for name in names:
                    row[CARDS[name]] |= bit
            kept = self._middle = parts, row
        return kept[1].copy()

    # ------------------------------------------------------------ deals and promises

    def _open_offers(self, view: View, me: Seat) -> Numbers:
        rows = np.zeros((OPEN_OFFERS, OFFER_NUMBERS), np.int16)
        for n, deal in enumerate(view.deals.values()):
            if n == OPEN_OFFERS:
                break
            rows[n] = self._offer(deal, me)[1]
        return rows

    def _offer(self, deal: Deal, me: Seat) -> tuple[Deal, Numbers, Numbers]:
        """The offer, its row among the offers, and its row in the slots of those who answer it."""
        key = me, id(deal)
        kept = self._offers.get(key)
        if kept is None or kept[0] is not deal:
            mine = me in deal.parties or deal.is_open
            numbers = _clauses(deal.taken_by(me) if deal.is_open and deal.proposer != me else deal, me)
            after = (deal.proposer - me) % self.players
            row = [1, after, mine, me in deal.accepted, len(deal.parties), *numbers]
            kept = deal, np.array(row, np.int16), np.array([1, 0, 0, after, *numbers], np.int16)
            self._offers[key] = kept
        return kept

    def _promises(self, view: View, me: Seat) -> Numbers:
        rows = np.zeros((PROMISES, PROMISE_NUMBERS), np.int16)
        for n, owed in enumerate(view.obligations.values()):
            if n == PROMISES:
                break
            rows[n] = self._promise(owed, me)
        return rows

    def _promise(self, owed: Obligation, me: Seat) -> list[int]:
        clause = owed.clause
        what = clause.what if isinstance(clause, Pledge) else None
        return [
            1,
            (owed.debtor - me) % self.players,
            (owed.creditor - me) % self.players,
            clause.due if isinstance(clause, Pledge) else 0,
            owed.met,
            *(what.goods.counts() if isinstance(what, Give) else (0,) * GOODS),
        ]

    # ------------------------------------------------------------ slots

    def _slots(self, view: View, slots: Slots, me: Seat) -> tuple[Numbers, NDArray[np.int8]]:
        rows = np.zeros((self.places, SLOT_NUMBERS), np.int16)
        mask = np.zeros(self.places, np.int8)
        for place, taken in slots.actions.items():
            mask[place] = 1
            if type(taken) is Choice:
                rows[place] = self._choice(view, taken, me)
            elif taken is not None:
                rows[place] = _proposal(taken, me, self.players)
        return rows, mask

    def _choice(self, view: View, choice: Choice, me: Seat) -> Numbers:
        action = choice.action
        kind = type(action)
        if kind in _PLAIN:
            return _TAKEN
        if isinstance(action, AcceptDeal | DeclineDeal | WithdrawDeal):
            return self._offer(view.deals[action.deal], me)[2]
        if isinstance(action, Deliver | Release):
            owed = self._promise(view.obligations[action.obligation], me)
            partner = owed[2 if isinstance(action, Deliver) else 1]
            return np.array([1, 0, owed[3], partner, 0, *owed[5:], *(0,) * GOODS], np.int16)
        known = self._rows.get(action)
        if known is None:
            card, way = _subject(action)
            pay = getattr(action, "pay", None)
            colonies = len(getattr(action, "colonies", ()))
            known = np.array(
                [
                    *(1, CARDS.get(card, 0), way, -1, colonies),
                    *choice.gain.counts(),
                    *(pay.counts() if pay is not None else (0,) * GOODS),
                ],
                np.int16,
            )
            self._rows[action] = known
        return known


@lru_cache(maxsize=50_000)
def _proposal(offer: ProposeDeal, me: Seat, players: int) -> Numbers:
    other = next(party for party in offer.parties if party != me)
    deal = Deal(id="", proposer=me, parties=offer.parties, clauses=offer.clauses)
    after = -1 if other == ANYONE else (other - me) % players
    return np.array([1, 0, 0, after, *_clauses(deal, me)], np.int16)


def same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Whether the parts are the very same objects; no part of a state ever changes, so they say the same."""
    return all(map(is_, some, others))


def _seat(seen: SeatView) -> Numbers:
    row = np.zeros(SEAT_NUMBERS, np.int16)
    row[SPECIES[seen.species]] = 1
    row[len(SPECIES) : -1] = (
        *seen.stock.counts(),
        *seen.donation.counts(),
        *seen.tied.counts(),
        -1 if seen.support is None else seen.support,
        seen.done,
        len(seen.cards),
        len(seen.deck),
        len(seen.invented),
    )
    return row  # the last number says whether the table waits for the seat


def _cards(seen: SeatView) -> NDArray[np.uint8]:
    row = np.zeros(len(CARDS) + 1, np.uint8)
    for name, held in seen.cards.items():
        lent = held.owner is not None and held.owner != seen.seat
        row[CARDS[name]] = HELD + FLIPPED * held.flipped + SEEDLING * held.seedling + LENT * lent
    for names, bit in ((seen.deck, OUT_OF_PLAY), (seen.spent, SPENT), (seen.invented, INVENTED)):
        for name in names:
            row[CARDS[name]] |= bit
    return row


def _subject(action: Any) -> tuple[str, int]:
    """The card an action is about, and which of its ways or input sets."""
    if isinstance(action, Invent | RunConverter):
        return action.card, action.cost
    if isinstance(action, UpgradeCard):
        return action.card, action.way
    if isinstance(action, PutIntoPlay | Buy):
        return action.card, 0
    return getattr(action, "card", ""), getattr(action, "target", 0)


def _clauses(deal: Deal, me: Seat) -> list[int]:
    """How many clauses are more than goods handed over now, then what comes to the viewer and what goes."""
    other = 0
    comes = goes = NOTHING
    for clause in deal.clauses:
        if not isinstance(clause, Give):
            other += 1
            continue
        other += len(clause.cards)
        if clause.to == me:
            comes = comes + clause.goods + clause.donation
        elif clause.giver == me:
            goes = goes + clause.goods
    return [other, *comes.counts(), *goes.counts()]


_STEP = {step: [int(step == one) for one in STEPS] for step in STEPS}
_EDITION = {edition: [int(edition == one) for one in EDITIONS] for edition in EDITIONS}


def _table(view: View, may_propose: bool) -> list[int]:
    me = view.me
    ordinary, unshared = view.bonus[min(view.turn, len(view.bonus)) - 1]
    return [
        view.turn,
        *_STEP[view.step],
        *_EDITION[view.settings.edition],
        view.seat in view.waiting,
        me.done,
        may_propose,
        view.score or 0,
        view.relics,
        view.colony_deck.count,
        view.research_deck.count,
        0 if view.colony_deck.top is None else CARDS[view.colony_deck.top],
        0 if view.research_deck.top is None else CARDS[view.research_deck.top],
        ordinary,
        unshared,
        -1 if view.bid is None else view.bid.colony,
        -1 if view.bid is None else view.bid.research,
    ]


# What is asked for without a card or a price is all said by its place.
_PLAIN = frozenset((Done, NotDone, Pass, SplitBid, PlaceBid, LayPlan, ChooseHandicap))
_TAKEN = np.array([1] + [0] * (SLOT_NUMBERS - 1), np.int16)
_NO_BIDDERS = np.zeros((TRACK, 3), np.int16)


def _bidders(view: View) -> Numbers:
    if not view.standing or view.seat is None:
        return _NO_BIDDERS.copy()
    rows = np.zeros((TRACK, 3), np.int16)
    for n, one in enumerate(view.standing[:TRACK]):
        rows[n] = ((one.seat - view.seat) % len(view.players), one.ships, min(int(2 * one.counts), MOST))
    return rows


def legend() -> Mapping[str, object]:
    """What the numbers mean, for a person who reads them."""
    return {"goods": KINDS, "cards": tuple(CARDS), "species": tuple(SPECIES), "steps": STEPS, "slots": STARTS}


__all__ = ["CARDS", "SPECIES", "Encoder", "Observation", "legend", "observation_space", "same"]

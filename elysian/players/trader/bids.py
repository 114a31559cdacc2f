"""Bidding: how many ships to set aside for the tracks, and which card to take for them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log
from random import Random

from elysian.actions import PlaceBid
from elysian.deals import CardId, Forbear, NoBid, Seat, Undertake
from elysian.deck import CATALOG
from elysian.options import Options
from elysian.species import rules_of
from elysian.view import View
from elysian.worth import Prices, card_worth

Card = tuple[int, float]  # minimum bid, worth to me

WHIM = 1.0  # ships by whose price a split may be worse than the best and still be taken now and then


def best_bid(view: View, rates: Prices, rng: Random) -> tuple[int, int]:
    """The split of the ships that promises most against bids of the others that chance imagines.

    All that this depends on besides chance is public: a bid that is the best answer to the likeliest bids of
    the others is known to whoever has this program. A sealed bid needs chance that nobody else has.
    """
    ships = view.me.stock.ship
    price = rates.of("ship", view.turn)
    most = _allowed(view, ships)
    halves = {area.seat: imagined_split(area.stock.ship, rng) for area in view.players}
    others = {area.seat: area.stock.ship - halves[area.seat] for area in view.players}
    colony = [_promise(view, rates, "colony", n, halves) for n in range(most["colony"] + 1)]
    research = [_promise(view, rates, "research", n, others) for n in range(most["research"] + 1)]
    best, most_liked = (0, 0), float("-inf")
    for c, from_colony in enumerate(colony):
        for r, from_research in enumerate(research[: ships + 1 - c]):
            # Ships come back unless a card was bought with them.
            paid = price * (c * (from_colony > 0) + r * (from_research > 0))
            liked = from_colony + from_research - paid + WHIM * price * _whim(rng)
            if liked > most_liked:
                best, most_liked = (c, r), liked
    return best


def _whim(rng: Random) -> float:
    """Noise by which the better of two is chosen the more often the better it is (a logit choice)."""
    return -log(-log(rng.uniform(1e-12, 1 - 1e-12)))


def imagined_split(ships: int, rng: Random) -> int:
    """How many of so many ships somebody may set aside for one of the two tracks: each as likely as not."""
    return rng.getrandbits(ships).bit_count() if ships else 0


def promised_bid(view: View, options: Options, colony: int, research: int) -> PlaceBid:
    """The same bid with as many ships as the seat has promised at least (TRADE-10)."""
    least = {
        track: min((bid.ships for bid in options.bids if bid.track == track), default=0)
        for track in ("colony", "research")
    }
    ships = view.me.stock.ship
    colony = max(least["colony"], min(colony, ships - least["research"]))
    return PlaceBid(colony=colony, research=max(least["research"], min(research, ships - colony)))


def _allowed(view: View, ships: int) -> dict[str, int]:
    """Ships that may be bid on each track, after what the seat has promised (TRADE-10)."""
    most = {"colony": ships, "research": ships}
    for owed in view.obligations.values():
        clause = owed.clause
        if isinstance(clause, Forbear) and clause.who == view.seat and clause.until >= view.turn:
            what = clause.what
            if isinstance(what, NoBid):
                most[what.track] = min(most[what.track], what.most)
    return most


def _cards(view: View, track: str, rates: Prices) -> list[Card]:
    assert view.seat is not None
    cards = view.colony_track if track == "colony" else view.research_track
    minimums = view.colony_minimums if track == "colony" else view.research_minimums
    return [
        (minimum, card_worth(view, view.seat, card, rates, bought=True))
        for card, minimum in zip(cards, minimums, strict=True)
        if card is not None
    ]


def _strength(view: View, seat: Seat, track: str, ships: int) -> float:
    species = rules_of(view.players[seat].species)
    return species.colony_bid(ships) if track == "colony" else ships


def _promise(view: View, rates: Prices, track: str, ships: int, rivals: Mapping[Seat, int]) -> float:
    """What the card is worth that will probably be left for so many ships, against these bids."""
    me = view.seat
    assert me is not None
    strength = _strength(view, me, track, ships)
    reach = sorted(
        (worth for minimum, worth in _cards(view, track, rates) if minimum <= strength), reverse=True
    )
    if not reach:
        return 0.0
    before = Fraction(0)
    for area in view.players:
        if area.seat != me:
            rival = _strength(view, area.seat, track, rivals[area.seat])
            before += 1 if rival > strength else Fraction(1, 2) if rival == strength else 0
    # Rivals want other cards about half of the time.
    place = int(before * Fraction(3, 5))
    return reach[place] if place < len(reach) else 0.0


def best_buy(view: View, cards: list[CardId], rates: Prices) -> CardId | None:
    """The card most worth having, if it is worth the ships bid for it; one that was promised, in any case."""
    if not cards or view.seat is None:
        return None
    me = view.seat
    promised = {
        clause.deed.subject
        for owed in view.obligations.values()
        if isinstance(clause := owed.clause, Undertake)
        and clause.deed.who == me
        and clause.deed.verb == "buy"
    }
    for card in cards:
        if card in promised:
            return card
    bidder = next((b for b in view.queue if b.seat == me), None)
    price = rates.of("ship", view.turn) * (bidder.ships if bidder else 0)
    worths = {card: card_worth(view, me, card, rates, bought=True) for card in cards}
    best = max(cards, key=worths.__getitem__)
    return best if worths[best] > price else None


def splits(view: View, rates: Prices) -> bool:
    """Whether two cards for half the ships each are worth more than the best for all of them (KJAS-2)."""
    me = view.seat
    bidder = next((b for b in view.queue if b.seat == me), None)
    if bidder is None or bidder.half or bidder.ships < 2 or me is None:
        return False
    cards = sorted(_cards(view, "colony", rates), key=lambda card: -card[1])
    half = bidder.ships // 2
    rivals = sum(1 for b in view.queue if b.seat != me and b.ships > half)
    left = [worth for minimum, worth in cards if minimum <= half][rivals:]
    whole = [worth for minimum, worth in cards if minimum <= bidder.ships]
    room = view.me.support is None or view.me.support > sum(
        1 for name in view.me.cards if CATALOG.cards[name].is_colony
    )
    return room and len(left) >= 2 and bool(whole) and left[0] + left[1] > whole[0]

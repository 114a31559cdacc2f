"""Bidding: how many ships to set aside for the tracks, and which card to take for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from random import Random

from elysian.actions import PlaceBid
from elysian.deals import CardId, Forbear, NoBid, Seat, Undertake
from elysian.deck import CATALOG
from elysian.options import Options
from elysian.species import rules_of
from elysian.view import View
from elysian.worth import Prices, card_worth

BidCard = tuple[int, float]  # minimum bid, worth to me
Rival = tuple[float, int, float, Seat]  # what a bid counts, its ships, a lot for ties, whose it is

SAMPLES = 24  # tables of bids that are imagined
TO_COLONIES, TO_RESEARCH = 0.35, 0.5  # how likely somebody bids a ship on each track
CROWD = 8  # ships of a rival that are thought of
ENOUGH = 12  # ships, the most that are bid on a track
WHIM = 1.0  # ships by whose price a split may be worse than the best and still be taken now and then


def best_bid(view: View, rates: Prices, rng: Random) -> tuple[int, int]:
    """The split of the ships that promises most against bids of the others that chance imagines.

    All that this depends on besides chance is public: a bid that is the best answer to the likeliest bids of
    the others is known to whoever has this program. A sealed bid needs chance that nobody else has.
    """
    ships = view.me.stock.ship
    price = rates.of("ship", view.turn)
    most = _allowed(view, ships)
    rivals = [area.seat for area in view.players if area.seat != view.seat]
    imagined = [
        {seat: imagined_bid(view.players[seat].stock.ship, rng) for seat in rivals} for _ in range(SAMPLES)
    ]
    colony, research = (
        _promises(view, rates, track, most[track], [_standing(view, track, n, one, rng) for one in imagined])
        for n, track in enumerate(("colony", "research"))
    )
    best, most_liked = (0, 0), float("-inf")
    for c, from_colony in enumerate(colony):
        for r, from_research in enumerate(research[: ships + 1 - c]):
            liked = from_colony + from_research + WHIM * price * _whim(rng)
            if liked > most_liked:
                best, most_liked = (c, r), liked
    return best


def _whim(rng: Random) -> float:
    """Noise by which the better of two is chosen the more often the better it is (a logit choice)."""
    return -log(-log(rng.uniform(1e-12, 1 - 1e-12)))


def imagined_split(ships: int, rng: Random) -> int:
    """How many of so many ships somebody may set aside for one of the two tracks: each as likely as not."""
    return rng.getrandbits(ships).bit_count() if ships else 0


def imagined_bid(ships: int, rng: Random) -> tuple[int, int]:
    """How somebody may bid on the tracks of colonies and of research, the rest kept."""
    lots = [rng.random() for _ in range(min(ships, CROWD))]
    return sum(lot < TO_COLONIES for lot in lots), sum(lot > 1 - TO_RESEARCH for lot in lots)


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


def _track(view: View, track: str) -> tuple[tuple[CardId | None, ...], tuple[int, ...]]:
    if track == "colony":
        return view.colony_track, view.colony_minimums
    return view.research_track, view.research_minimums


def _cards(view: View, track: str, rates: Prices) -> list[BidCard]:
    return [
        (minimum, _worth(view, card, rates))
        for card, minimum in zip(*_track(view, track), strict=True)
        if card is not None
    ]


def _worth(view: View, card: CardId, rates: Prices) -> float:
    """What a card is worth to me: to use it myself, or to sell it to whom it serves best."""
    assert view.seat is not None
    others = (card_worth(view, area.seat, card, rates) for area in view.players if area.seat != view.seat)
    return max(card_worth(view, view.seat, card, rates, bought=True), rates.resold * max(others, default=0.0))


def _strength(view: View, seat: Seat, track: str, ships: int) -> float:
    species = rules_of(view.players[seat].species)
    return species.colony_bid(ships) if track == "colony" else ships


def _standing(
    view: View, track: str, n: int, bids: Mapping[Seat, tuple[int, int]], rng: Random
) -> list[Rival]:
    """The rivals on a track as they would act, the highest bid first; who is before me in a tie is chance."""
    rivals = [
        (_strength(view, seat, track, bid[n]), bid[n], rng.random(), seat) for seat, bid in bids.items()
    ]
    return sorted((rival for rival in rivals if rival[1]), reverse=True)


def _promises(
    view: View, rates: Prices, track: str, most: int, imagined: Sequence[list[Rival]]
) -> list[float]:
    """What each number of ships wins on the whole, less the ships; rivals take what they like best."""
    me = view.seat
    assert me is not None
    cards = [(card, minimum) for card, minimum in zip(*_track(view, track), strict=True) if card is not None]
    likes = {
        area.seat: sorted(
            ((card_worth(view, area.seat, card, rates, bought=True), n) for n, (card, _) in enumerate(cards)),
            reverse=True,
        )
        for area in view.players
        if area.seat != me
    }
    mine = sorted(((_worth(view, card, rates), n) for n, (card, _) in enumerate(cards)), reverse=True)
    minimums = [minimum for _, minimum in cards]
    price = rates.of("ship", view.turn)
    promises = [0.0]
    for ships in range(1, min(most, ENOUGH) + 1):
        strength = _strength(view, me, track, ships)
        won = 0.0
        for rivals in imagined:
            gone: set[int] = set()
            for theirs, paid, lot, seat in rivals:
                if (theirs, lot) > (strength, 0.5):
                    taken = _taken(likes[seat], minimums, theirs, paid * price, gone)
                    gone |= set() if taken is None else {taken[1]}
            taken = _taken(mine, minimums, strength, ships * price, gone)
            won += 0.0 if taken is None else taken[0] - ships * price
        promises.append(won / len(imagined))
    return promises


def _taken(
    likes: Sequence[tuple[float, int]], minimums: Sequence[int], strength: float, price: float, gone: set[int]
) -> tuple[float, int] | None:
    """The best card that is left for a bid, if it is worth it."""
    for worth, n in likes:
        if worth <= price:
            return None
        if n not in gone and minimums[n] <= strength:
            return worth, n
    return None


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
    worths = {card: _worth(view, card, rates) for card in cards}
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

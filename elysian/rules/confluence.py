"""The Confluence Phase: sharing, secret bids, both auctions, the refresh of the tracks."""

from __future__ import annotations

from itertools import zip_longest
from typing import Literal

from elysian.actions import Buy, Pass, PlaceBid, SplitBid
from elysian.deals import CardId, NoBid, NoTake, Obligation, Seat, Track, Undertake
from elysian.deck import CATALOG
from elysian.deeds import deed_done, is_late
from elysian.draft import Draft, IllegalAction
from elysian.event_parts import Bonus, Entered, Refreshed, Returned, Standing
from elysian.events import (
    BidPassed,
    BidPlaced,
    BidSplit,
    BidsRevealed,
    CardBought,
    CardsReturned,
    TechnologiesShared,
    TracksRefreshed,
)
from elysian.rules.duties import bids_promised, duties
from elysian.rules.paying import colonies_held, teams_held
from elysian.rules.violet import sharing_bonus
from elysian.species import rules_of
from elysian.state import Bid, Bidder, Pile, State, forbearances

# ---------------------------------------------------------------- sharing


def share(now: Draft, last_turn: bool) -> None:
    """Technologies invented this turn are shared and the bonus is paid (SHARE-1, SHARE-2)."""
    state = now.state
    if not state.invented:
        return
    at_once = state.settings.edition == "de2021"
    bonuses = tuple(
        Bonus(seat=made.seat, card=made.card, points=0 if at_once else sharing_bonus(state, made.seat))
        for made in state.invented
    )
    entered: list[Entered] = []
    middle: list[CardId] = []
    for made in state.invented:
        if last_turn or not rules_of(state.players[made.seat].species).shares:
            continue
        middle.append(made.card)
        research = CATALOG.cards[made.card].research
        if research is None or research.technology is None:
            continue
        for seat, player in enumerate(state.players):
            card = CATALOG.species_technology[player.species, research.technology]
            if card in player.deck:
                entered.append(Entered(seat=seat, card=card))
    now.emit(TechnologiesShared(shared=tuple(middle), entered=tuple(entered), bonuses=bonuses))


# ---------------------------------------------------------------- bids


def place_bid(now: Draft, seat: Seat, action: PlaceBid) -> None:
    """Ships are split in secret; the split may be changed until everybody has one (BID-2)."""
    if now.state.step != "bid":
        raise IllegalAction("wrong_step", step=now.state.step)
    if action.colony < 0 or action.research < 0:
        raise IllegalAction("bad_quantity")
    ships = now.state.players[seat].stock.ship
    if action.colony + action.research > ships:
        raise IllegalAction("too_many_ships", ships=ships)
    bids = {"colony": action.colony, "research": action.research}
    if now.state.obligations:
        for promise in forbearances(now.state, seat):
            if isinstance(promise, NoBid) and bids[promise.track] > promise.most:
                raise IllegalAction("promised_not_to_bid", most=promise.most)
        _check_promised_bids(now.state, seat, bids)
    now.emit(BidPlaced(by=seat, bid=Bid(colony=action.colony, research=action.research)))


def _check_promised_bids(state: State, seat: Seat, bids: dict[str, int]) -> None:
    """Who promised to bid and has the ships must; of promises that ask for too many, any may be kept."""
    owing = duties(state, seat, "bid")
    least = {"colony": 0, "research": 0}
    for _, deed in owing:
        if bids[deed.subject] >= deed.least:
            least[deed.subject] = max(least[deed.subject], deed.least)
    for owed, deed in owing:
        more = {**least, deed.subject: max(least[deed.subject], deed.least)}
        if bids[deed.subject] < deed.least and sum(more.values()) <= state.players[seat].stock.ship:
            way = PlaceBid(colony=more["colony"], research=more["research"])
            raise IllegalAction("keep_your_word", obligation=owed.id, deed=way)


def default_bid(state: State, seat: Seat) -> PlaceBid:
    """Time is up: no ships but those a seat has promised to bid."""
    least = bids_promised(state, seat)
    return PlaceBid(colony=least["colony"], research=least["research"])


def reveal(now: Draft, track: Track) -> None:
    """All bids for a track are opened together (BID-3)."""
    state = now.state
    bids = []
    for seat in state.seats():
        bid = state.bids.get(seat, Bid())
        bids.append(Bidder(seat=seat, ships=bid.colony if track == "colony" else bid.research))
    order = standing(state, track, tuple(bidder for bidder in bids if bidder.ships))
    now.emit(BidsRevealed(track=track, bids=tuple(bids), order=order))
    for bidder in bids if state.obligations else ():
        deed_done(now, bidder.seat, "bid", track, bidder.ships)


def auction_of(state: State) -> Track:
    """The track being resolved; raises outside the auctions."""
    if state.step == "colony_auction":
        return "colony"
    if state.step == "research_auction":
        return "research"
    raise IllegalAction("wrong_step", step=state.step)


def strength(state: State, track: Track, bidder: Bidder) -> float:
    """What a bid counts for (BID-4)."""
    if track == "colony":
        return rules_of(state.players[bidder.seat].species).colony_bid(bidder.ships)
    return bidder.ships


def rank(state: State, track: Track, bidder: Bidder) -> tuple[float, int, float]:
    """Higher acts earlier: the bid, then fewer cards of that type, then the tiebreaker (BID-4, BID-5)."""
    player = state.players[bidder.seat]
    if track == "colony":
        held = rules_of(player.species).colonies_in_ties(len(colonies_held(player)))
    else:
        held = len(teams_held(player))
    return strength(state, track, bidder), -held, CATALOG.species[player.species].tiebreaker


def standing(state: State, track: Track, bidders: tuple[Bidder, ...]) -> tuple[Standing, ...]:
    """These bids in the order in which they act, each with what puts it before the next (BID-4, BID-5)."""
    ranked = sorted(((rank(state, track, one), one) for one in bidders), key=lambda r: r[0], reverse=True)
    order = []
    for (mine, one), following in zip_longest(ranked, ranked[1:]):
        ahead: Literal["bid", "cards", "tiebreaker"] | None = None
        if following is not None and following[0] != mine:
            first = next(n for n, (a, b) in enumerate(zip(mine, following[0], strict=True)) if a != b)
            ahead = ("bid", "cards", "tiebreaker")[first]
        tiebreaker = None if mine[2] == float("inf") else float(mine[2])
        order.append(Standing(one.seat, one.ships, float(mine[0]), -mine[1], tiebreaker, one.half, ahead))
    return tuple(order)


def next_bidder(state: State) -> Bidder | None:
    """Whose turn it is in the auction; None when everybody has acted."""
    if not state.queue:
        return None
    track = auction_of(state)
    if len(state.queue) == 1:
        return state.queue[0]
    bids = [strength(state, track, bidder) for bidder in state.queue]
    best = max(bids)
    if bids.count(best) == 1:
        return state.queue[bids.index(best)]
    # Cards are counted only where bids are tied.
    tied = [bidder for bidder, bid in zip(state.queue, bids, strict=True) if bid == best]
    return max(tied, key=lambda bidder: rank(state, track, bidder))


def affordable(state: State, track: Track, bidder: Bidder) -> list[tuple[int, CardId]]:
    """The spaces and cards a bid reaches, less what the seat has promised not to take (BID-6)."""
    cards = state.colony_track if track == "colony" else state.research_track
    minimums = state.colony_minimums if track == "colony" else state.research_minimums
    bid = strength(state, track, bidder)
    barred = _barred(state, bidder.seat) if state.obligations else ()
    return [
        (space, card)
        for space, (card, minimum) in enumerate(zip(cards, minimums, strict=True))
        if card is not None and minimum <= bid and card not in barred
    ]


def _barred(state: State, seat: Seat) -> set[CardId]:
    return {p.card for p in forbearances(state, seat) if isinstance(p, NoTake)}


def promised_buys(state: State, track: Track, bidder: Bidder) -> list[tuple[Obligation, CardId]]:
    """The promises to take a card that the bid reaches, oldest first: one of them must be kept (TRADE-10)."""
    wanted = [
        (owed, owed.clause.deed.subject)
        for owed in state.obligations.values()
        if isinstance(owed.clause, Undertake)
        and (owed.clause.deed.who, owed.clause.deed.verb) == (bidder.seat, "buy")
        and not is_late(state, owed)
    ]
    reached = {card for _, card in affordable(state, track, bidder)} if wanted else set()
    return [promise for promise in wanted if promise[1] in reached]


def _check_promised_buy(state: State, track: Track, bidder: Bidder, card: CardId | None) -> None:
    promised = promised_buys(state, track, bidder) if state.obligations else []
    if promised and card not in {wanted for _, wanted in promised}:
        owed, wanted = promised[0]
        raise IllegalAction("keep_your_word", obligation=owed.id, deed=Buy(card=wanted))


def _my_turn(state: State, seat: Seat) -> tuple[Track, Bidder]:
    track = auction_of(state)
    bidder = next_bidder(state)
    if bidder is None or bidder.seat != seat:
        raise IllegalAction("not_your_turn")
    return track, bidder


def buy(now: Draft, seat: Seat, action: Buy) -> None:
    """Take one card with a minimum up to the bid and return all ships bid (BID-6)."""
    track, bidder = _my_turn(now.state, seat)
    spaces = {card: space for space, card in affordable(now.state, track, bidder)}
    if action.card not in spaces:
        if action.card in _barred(now.state, seat):
            raise IllegalAction("promised_not_to_take", card=str(action.card))
        raise IllegalAction("cannot_buy", card=str(action.card))
    _check_promised_buy(now.state, track, bidder, action.card)
    seedling = track == "colony" and rules_of(now.state.players[seat].species).settles_with_seedling
    now.emit(
        CardBought(
            by=seat,
            track=track,
            space=spaces[action.card],
            card=action.card,
            ships=bidder.ships,
            seedling=seedling,
        )
    )
    deed_done(now, seat, "buy", action.card)


def pass_(now: Draft, seat: Seat, action: Pass) -> None:
    """Take nothing and keep the ships (BID-6)."""
    track, bidder = _my_turn(now.state, seat)
    _check_promised_buy(now.state, track, bidder, None)
    now.emit(BidPassed(by=seat, track=track, ships=bidder.ships))


def split_bid(now: Draft, seat: Seat, action: SplitBid) -> None:
    """The bid becomes two halves, the larger rounded up; both wait for their turn (KJAS-2)."""
    track, bidder = _my_turn(now.state, seat)
    if track != "colony" or not rules_of(now.state.players[seat].species).splits_colony_bid or bidder.half:
        raise IllegalAction("cannot_split")
    # Halves come later and reach less: a promised card is taken with the whole bid.
    _check_promised_buy(now.state, track, bidder, None)
    lower = bidder.ships // 2
    now.emit(
        BidSplit(
            by=seat,
            halves=tuple(
                Bidder(seat=seat, ships=ships, half=True) for ships in (bidder.ships - lower, lower)
            ),
        )
    )


def pass_over(now: Draft) -> None:
    """Whoever can buy nothing must pass (BID-6)."""
    while bidder := next_bidder(now.state):
        track = auction_of(now.state)
        if affordable(now.state, track, bidder):
            return
        now.emit(BidPassed(by=bidder.seat, track=track, ships=bidder.ships))


# ---------------------------------------------------------------- the end of a turn


def refresh(now: Draft) -> None:
    """Both tracks move on (TRACK-1)."""
    state = now.state
    now.emit(
        TracksRefreshed(
            colony=_refreshed(state.colony_track, state.colony_minimums, state.colonies),
            research=_refreshed(state.research_track, state.research_minimums, state.research),
        )
    )


def _refreshed(track: tuple[CardId | None, ...], minimums: tuple[int, ...], pile: Pile) -> Refreshed:
    """Cards at minimum 1 go under the deck, the rest slide left, the deck fills up (TRACK-1, TRACK-2)."""
    spaces = list(zip(track, minimums, strict=True))
    under = tuple(card for card, minimum in spaces if card is not None and minimum == 1)
    stays = [card for card, minimum in spaces if card is not None and minimum > 1]
    new = (pile.cards + under)[: len(track) - len(stays)]
    empty: list[None] = [None] * (len(track) - len(stays) - len(new))
    return Refreshed(under=under, track=(*stays, *new, *empty), drawn=len(new))


def return_cards(now: Draft) -> None:
    """Species cards go home, with the side they now show (ENDT-1)."""
    cards = tuple(
        Returned(card=card, holder=seat, owner=held.owner)
        for seat, player in enumerate(now.state.players)
        for card, held in player.cards.items()
        if held.owner is not None and held.owner != seat
    )
    if cards:
        now.emit(CardsReturned(cards=cards))

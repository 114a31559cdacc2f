"""options(): what a seat can do now; candidates are made loosely and judged by the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    Buy,
    ChooseGoods,
    ChooseHandicap,
    DeclineDeal,
    Deliver,
    DiscardColonies,
    Done,
    Gift,
    GiveGifts,
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
from elysian.catalog import Converter, Cost, Research
from elysian.deals import CardId, Give, License, NoBid, Obligation, OneOf, Pledge, Seat, Track, sides
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import NOTHING, SMALL, Goods
from elysian.payment import cheaper, short, suggest
from elysian.rules import refusal
from elysian.rules.choosing import served
from elysian.rules.clauses import BIDDING
from elysian.rules.confluence import affordable, auction_of, default_bid, next_bidder, strength
from elysian.rules.duties import bids_promised
from elysian.rules.economy import default_plan, over_support
from elysian.rules.keeping import open_deed
from elysian.rules.paying import colonies_held, converters_of, fleets_of, suggested
from elysian.rules.promises import at_hand, is_due, to_settle
from elysian.rules.violet import STEPS, invention_discount
from elysian.species import rules_of
from elysian.state import Bidder, PlayerState, State, forbearances

WhyNot = Callable[[State, Seat, Action], IllegalAction | None]


class Refusal(Struct, frozen=True):
    """Why a choice is not open, as a code of the message files and its facts."""

    code: str
    facts: dict[str, object]


class Choice(Struct, frozen=True):
    """One ready-made action; where the price leaves colours or colonies open, it suggests some."""

    action: Action
    price: Cost | None = None  # None: it has no price
    gain: Goods = NOTHING
    refused: Refusal | None = None  # None: legal now


class RunChoice(Struct, frozen=True):
    """A white converter that could be part of a plan."""

    card: CardId
    converter: int
    printed: Converter
    times: int
    fleets_needed: int


class BidChoice(Struct, frozen=True):
    """A number of ships one may bid for a track, what they count for, and the cards they reach."""

    track: Track
    ships: int
    counts: float
    reaches: tuple[CardId, ...]


# The kinds of action that end a step, or go on in it, without a decision of one's own. Where nobody may be
# done before an offer is answered (TRADE-11), it is declined.
SUGGESTED = (LayPlan, PlaceBid, GiveGifts, DiscardColonies, Pass, ChooseHandicap, Done, DeclineDeal)


class Options(Struct, frozen=True):
    """The finite choices, and the bounds of the open ones."""

    seat: Seat
    choices: tuple[Choice, ...]
    may_propose: bool
    must: Action | None = None  # keeps the seat's word and comes before it is done; None: nothing does
    runs: tuple[RunChoice, ...] = ()
    fleets: int = 0
    ships: int | None = None  # the most a bid may add up to; None: no bid is asked for
    bids: tuple[BidChoice, ...] = ()
    discard: int = 0  # colonies that must be given up
    give_away: Goods = NOTHING  # donation goods that must be given as gifts

    @property
    def cautious(self) -> Action | None:
        """What the rules themselves suggest for this step, for who has no better idea."""
        for kind in SUGGESTED:
            for choice in self.choices:
                if isinstance(choice.action, kind):
                    return choice.action
        return None


def options(state: State, seat: Seat, with_refused: bool = False) -> Options:
    """Everything a seat can do now; `with_refused` adds what it cannot, with the reason."""
    player = state.players[seat]
    violet = _judged(state, seat, _violet(state, seat), with_refused) if state.step in STEPS else ()
    planning = state.phase in ("trade", "economy")
    return Options(
        seat=seat,
        choices=(*violet, *_judged(state, seat, _others(state, seat), with_refused)),
        may_propose=may_propose(state, seat),
        must=None if (found := open_deed(state, seat)) is None else found[1],
        runs=white_runs(state, seat) if planning else (),
        fleets=fleets_of(player.cards),
        ships=player.stock.ship if state.step == "bid" else None,
        bids=bid_choices(state, seat),
        discard=over_support(player) if state.step == "support" else 0,
        give_away=player.to_give_away if state.step == "gifts" else NOTHING,
    )


def violet_choices(state: State, seat: Seat) -> tuple[Choice, ...]:
    """What a seat can invent, upgrade, put into play and run now.

    Offers on the table, who is done, plans and bids make no difference to these.
    """
    return _judged(state, seat, _violet(state, seat)) if state.step in STEPS else ()


def other_choices(state: State, seat: Seat, why: WhyNot = refusal) -> tuple[Choice, ...]:
    """All other ready-made actions of a seat: answers to offers and to what the step asks for.

    `why` says why one is refused; somebody who asks often may remember what it said.
    """
    return _judged(state, seat, _others(state, seat), why=why)


def _judged(
    state: State,
    seat: Seat,
    candidates: Iterator[Choice],
    with_refused: bool = False,
    why: WhyNot = refusal,
) -> tuple[Choice, ...]:
    choices = []
    for choice in candidates:
        if not with_refused and _is_out_of_reach(state, seat, choice):
            continue  # nobody need judge what cannot be paid for
        illegal = why(state, seat, choice.action)
        if illegal is None:
            choices.append(choice)
        elif with_refused:
            choices.append(_refused(state, seat, choice, illegal))
    return tuple(choices)


def _is_out_of_reach(state: State, seat: Seat, choice: Choice) -> bool:
    """Whether no payment was found for its price, or the card to be spent for it is not held."""
    action = choice.action
    if choice.price is not None:
        return getattr(action, "pay", NOTHING) is None
    if not isinstance(action, UpgradeCard):
        return False
    technology = CATALOG.cards[action.card].upgrades[action.way].technology or ""
    player = state.players[seat]
    return CATALOG.species_technology.get((player.species, technology)) not in player.cards


def may_propose(state: State, seat: Seat) -> bool:
    """Whether a seat may put an offer on the table in this step."""
    if state.step in ("settle", "window"):
        return any(seat in (owed.debtor, owed.creditor) for owed in to_settle(state))
    return state.step == "trade" or state.step in BIDDING


def white_runs(state: State, seat: Seat) -> tuple[RunChoice, ...]:
    """The white converters of all cards held; whether their inputs are there is for the plan to say."""
    return tuple(_white_runs(state, seat))


def has_white_run(state: State, seat: Seat) -> bool:
    """Whether a seat holds a white converter: the first one found will do."""
    return next(_white_runs(state, seat), None) is not None


def _white_runs(state: State, seat: Seat) -> Iterator[RunChoice]:
    player = state.players[seat]
    return (
        RunChoice(
            card=card,
            converter=n,
            printed=converter,
            times=2 if held.seedling else 1,
            fleets_needed=CATALOG.cards[card].face(held.flipped).fleets_needed,
        )
        for card, held in player.cards.items()
        if not (CATALOG.cards[card].lent_only and held.owner == seat)
        for n, converter in enumerate(converters_of(player.cards, card))
        if converter.when == "economy"
    )


def bid_choices(state: State, seat: Seat) -> tuple[BidChoice, ...]:
    """Every bid that is allowed while bids are asked for."""
    return tuple(_bids(state, seat)) if state.step == "bid" else ()


def _bids(state: State, seat: Seat) -> Iterator[BidChoice]:
    """Every bid a seat's ships and promises allow, with what it could take now (BID-4, BID-6)."""
    tracks: tuple[Track, ...] = ("colony", "research")
    least = bids_promised(state, seat)
    for track in tracks:
        promised = [
            promise.most
            for promise in forbearances(state, seat)
            if isinstance(promise, NoBid) and promise.track == track
        ]
        for ships in range(least[track], min((state.players[seat].stock.ship, *promised)) + 1):
            bidder = Bidder(seat=seat, ships=ships)
            reaches = tuple(card for _, card in affordable(state, track, bidder)) if ships else ()
            yield BidChoice(track, ships, float(strength(state, track, bidder)), reaches)


# ---------------------------------------------------------------- candidates


def _others(state: State, seat: Seat) -> Iterator[Choice]:
    yield from _deals(state, seat)
    yield from _answers(state, seat)
    yield from map(Choice, rules_of(state.players[seat].species).candidates(state, seat))


def _refused(state: State, seat: Seat, choice: Choice, illegal: IllegalAction) -> Choice:
    """A choice that is not open; one that is too dear names a payment, and the reason is what it lacks."""
    action = choice.action
    violet = action if isinstance(action, Invent | UpgradeCard | RunConverter | PutIntoPlay) else None
    if violet is not None and violet.pay is None and choice.price is not None:
        lacks, there = short(choice.price, state.players[seat].stock)
        any_colour = Goods(wild_small=lacks.any_small, wild_large=lacks.any_large)
        action = replace(violet, pay=there + lacks.goods + any_colour)
        illegal = refusal(state, seat, action) or illegal
    return replace(choice, action=action, refused=Refusal(code=illegal.code, facts=dict(illegal.facts)))


def _violet(state: State, seat: Seat) -> Iterator[Choice]:
    player = state.players[seat]
    discount = invention_discount(state.players, seat)
    for name, held in player.cards.items():
        card = CATALOG.cards[name]
        if card.research is not None:
            yield from _inventions(player, name, card.research, discount)
        if not held.flipped:
            for way, upgrade in enumerate(card.upgrades):
                pay, colonies = suggested(player, name, upgrade.cost)
                action = UpgradeCard(card=name, way=way, pay=pay, colonies=colonies)
                yield Choice(action, upgrade.cost, upgrade.gain)
        for n, converter in enumerate(card.face(held.flipped).converters):
            if converter.when != "trade":
                continue
            for alternative, cost in enumerate(converter.costs):
                pay, colonies = suggested(player, name, cost)
                run = RunConverter(card=name, converter=n, cost=alternative, pay=pay, colonies=colonies)
                yield Choice(run, cost, converter.gain)
    for name in player.deck:
        entry = CATALOG.cards[name].entry
        if entry is not None and entry.cost is not None:
            pay, colonies = suggested(player, name, entry.cost)
            yield Choice(PutIntoPlay(card=name, pay=pay, colonies=colonies), entry.cost, entry.gain)


def _inventions(player: PlayerState, name: CardId, research: Research, discount: int) -> Iterator[Choice]:
    for alternative, printed in enumerate(research.costs):
        cost = cheaper(printed, discount) if discount else printed
        pay = suggest(cost, player.stock)
        yield Choice(Invent(card=name, cost=alternative, pay=pay), cost, Goods(point=research.points))


def _deals(state: State, seat: Seat) -> Iterator[Choice]:
    for name, deal in state.deals.items():
        if deal.proposer == seat:
            yield Choice(WithdrawDeal(deal=name))
        elif seat in deal.parties or deal.is_open:
            yield Choice(AcceptDeal(deal=name))
            yield Choice(DeclineDeal(deal=name))
    for name, owed in state.obligations.items():
        debtor, creditor = sides(owed.clause)
        if debtor == seat and isinstance(owed.clause, Pledge):
            yield Choice(Deliver(obligation=name))
        if creditor == seat:
            yield Choice(Release(obligation=name))
        if seat in (debtor, creditor):
            yield from _promised(state, seat, owed)


def _promised(state: State, seat: Seat, owed: Obligation) -> Iterator[Choice]:
    """What can be said about a promise before it is due: what shall keep it, or that it be kept now."""
    clause = owed.clause
    if not isinstance(clause, Pledge) or is_due(state, owed):
        return
    what = clause.what
    if isinstance(what, OneOf) and what.chooser == seat:
        at_most = at_hand(state, what)
        for lot in what.lots:
            goods = served(replace(what, lots=(lot,)), at_most, None)
            yield Choice(ChooseGoods(obligation=owed.id, goods=goods))
    if owed.debtor != seat or state.step != "trade" or owed.waits:
        return
    if isinstance(what, Give | License):
        # Before it is due the creditor has a say (TRADE-9).
        others = tuple(party for party in owed.parties if party != seat)
        yield Choice(ProposeDeal(parties=(seat, *others), clauses=(what,), settles=(owed.id,)))


def _answers(state: State, seat: Seat) -> Iterator[Choice]:
    """What the step itself asks a seat for."""
    player = state.players[seat]
    step = state.step
    if step in ("trade", "settle", "window", "steal"):
        yield Choice(NotDone() if seat in state.done else Done())
    elif step == "handicap":
        yield from (Choice(ChooseHandicap(colour=colour)) for colour in (*SMALL, "wild_small"))
    elif step == "gifts" and player.to_give_away:
        everything = player.to_give_away
        for other in state.seats():
            yield Choice(GiveGifts(gifts=(Gift(to=other, goods=everything),)))
    elif step == "support":
        colonies = sorted(colonies_held(player), key=lambda card: player.cards[card].flipped)
        yield Choice(DiscardColonies(cards=tuple(colonies[: over_support(player)])))
    elif step == "plan":
        yield Choice(LayPlan(runs=default_plan(state, seat)))
    elif step == "bid":
        yield Choice(default_bid(state, seat))
    elif step in ("colony_auction", "research_auction"):
        yield from _auctioned(state, seat)


def _auctioned(state: State, seat: Seat) -> Iterator[Choice]:
    bidder = next_bidder(state)
    if bidder is not None and bidder.seat == seat:
        for _, card in affordable(state, auction_of(state), bidder):
            yield Choice(Buy(card=card))
        yield Choice(Pass())
        yield Choice(SplitBid())

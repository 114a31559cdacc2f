"""Deals: offering, accepting, and striking them all at once."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.actions import AcceptDeal, DeclineDeal, ProposeDeal, WithdrawDeal
from elysian.deals import CardId, Deal, Forbear, Give, Lend, License, NoBid, Note, Obligation, Seat, Undertake
from elysian.deck import CATALOG
from elysian.draft import Draft, IllegalAction
from elysian.events import DealAccepted, DealDeclined, DealOffered, DealStruck, DealWithdrawn
from elysian.goods import NOTHING, Goods
from elysian.parts import Licensed, Moved
from elysian.rules.clauses import check_proposal, check_reason, check_timely
from elysian.rules.donations import split_donation
from elysian.rules.promises import after_trade, with_mate
from elysian.species import rules_of
from elysian.state import Player, State

MOST_OFFERS = 30  # open at once, per seat


def propose(now: Draft, seat: Seat, action: ProposeDeal) -> None:
    """An offer lies on the table; it reserves nothing and is judged when struck (TRADE-4)."""
    state = now.state
    if sum(1 for deal in state.deals.values() if deal.proposer == seat) >= MOST_OFFERS:
        raise IllegalAction("too_many_offers", most=MOST_OFFERS)
    check_proposal(state, seat, action)
    deal = Deal(
        id=f"d{state.made + 1}",
        proposer=seat,
        parties=action.parties,
        clauses=action.clauses,
        accepted=(seat,),
        answers=action.answers,
        settles=action.settles,
        reason=action.reason,
    )
    now.emit(DealOffered(deal=deal))


def offer_for(state: State, seat: Seat, deal: str) -> Deal:
    """The open offer this seat has a say in; one that is not for it looks as if it did not exist."""
    offer = state.deals.get(deal)
    if offer is None or (seat not in offer.parties and not offer.is_open):
        raise IllegalAction("no_such_offer")
    return offer


def accept(now: Draft, seat: Seat, action: AcceptDeal) -> None:
    """One more party agrees; when it is the last, the deal is struck."""
    offer = offer_for(now.state, seat, action.deal)
    if seat in offer.accepted:
        raise IllegalAction("already_accepted")
    check_reason(action.reason)
    as_anyone = seat not in offer.parties
    if as_anyone:
        offer = offer.taken_by(seat)
    if len(offer.accepted) + 1 < len(offer.parties):
        now.emit(DealAccepted(by=seat, deal=offer.id, as_anyone=as_anyone))
    else:
        strike(now, seat, offer)


def decline(now: Draft, seat: Seat, action: DeclineDeal) -> None:
    """A named party turns the offer down; it is gone for all."""
    offer = offer_for(now.state, seat, action.deal)
    if seat not in offer.parties or seat == offer.proposer:
        raise IllegalAction("no_such_offer")
    check_reason(action.reason)
    now.emit(DealDeclined(by=seat, deal=offer.id))


def withdraw(now: Draft, seat: Seat, action: WithdrawDeal) -> None:
    """The proposer takes the offer back."""
    offer = offer_for(now.state, seat, action.deal)
    if offer.proposer != seat:
        raise IllegalAction("no_such_offer")
    now.emit(DealWithdrawn(by=seat, deal=offer.id))


# ---------------------------------------------------------------- striking


def strike(now: Draft, seat: Seat, deal: Deal) -> None:
    """Everything in the deal happens at once, or nothing does (TRADE-4)."""
    _check_still_possible(now.state, deal)
    hands = _Hands(now.state)
    bindings = []
    notes = []
    for clause in deal.clauses:
        if isinstance(clause, Give):
            hands.give(clause)
        elif isinstance(clause, Lend):
            hands.lend(clause)
        elif isinstance(clause, License):
            hands.license(clause)
        elif isinstance(clause, Note):
            notes.append(clause.text)
        else:
            bindings.append(clause)
    hands.check_stocks()
    moved = tuple(hands.moved)
    now.emit(
        DealStruck(
            by=seat,
            deal=deal.id,
            parties=deal.parties,
            moved=moved,
            licensed=tuple(hands.licensed),
            obligations=tuple(
                Obligation(
                    id=f"{deal.id}.{n}",
                    deal=deal.id,
                    parties=deal.parties,
                    clause=clause,
                    made=now.state.turn,
                )
                for n, clause in enumerate(bindings, start=1)
            ),
            notes=tuple(notes),
            settled=deal.settles,
            rebid=_must_bid_again(now.state, deal),
        )
    )
    after_trade(now, moved)


def _check_still_possible(state: State, deal: Deal) -> None:
    """An offer made in another step, or about promises that are gone, cannot be struck."""
    for owed in deal.settles:
        if owed not in state.obligations:
            raise IllegalAction("no_such_promise")
    for clause in deal.clauses:
        if isinstance(clause, Forbear | Undertake):
            turn = clause.until if isinstance(clause, Forbear) else clause.turn
            if turn < state.turn:
                raise IllegalAction("too_late")
    check_timely(state, deal.clauses)


def _must_bid_again(state: State, deal: Deal) -> tuple[Seat, ...]:
    """Whoever promises about bids while bidding bids anew, so that nothing of a secret bid shows."""
    if state.step != "bid":
        return ()
    return tuple(
        sorted({c.who for c in deal.clauses if isinstance(c, Forbear) and isinstance(c.what, NoBid)})
    )


class _Hands:
    """Who would hold what if the clauses were carried out; raises where somebody cannot."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.moved: list[Moved] = []
        self.licensed: list[Licensed] = []
        self._players: dict[Seat, Player] = {}  # donation cards and cards as they would become
        self._net: dict[Seat, Goods] = {}  # what comes in
        self._out: dict[Seat, Goods] = {}

    def _player(self, seat: Seat) -> Player:
        return self._players.get(seat) or self.state.players[seat]

    def give(self, clause: Give) -> None:
        """Goods from stock are judged at the end, all clauses together; the rest at once."""
        giver = self._player(clause.giver)
        free, tied, missing = split_donation(giver, clause.to, clause.donation)
        if missing:
            if giver.to_give_away.covers(clause.donation):
                raise IllegalAction("must_go_to_one", seat=giver.tied_to)
            raise IllegalAction("lacks_donation", seat=clause.giver, goods=missing)
        if clause.donation:
            left = giver.tied - tied
            bound = (clause.to if tied else giver.tied_to) if left else None
            giver = replace(giver, donation=giver.donation - free, tied=left, tied_to=bound)
            self._players[clause.giver] = giver
        received = clause.goods + free + tied if clause.donation else clause.goods
        self._net[clause.to] = self._net.get(clause.to, NOTHING) + received
        self._out[clause.giver] = self._out.get(clause.giver, NOTHING) + clause.goods
        self._carry(clause.giver, clause.to, clause.cards)
        self.moved.append(
            Moved(
                giver=clause.giver,
                to=clause.to,
                goods=clause.goods,
                donation=free,
                tied=tied,
                cards=clause.cards,
            )
        )

    def lend(self, clause: Lend) -> None:
        """A species card, or a pair, goes to the borrower for the rest of the turn (TRADE-6, KIT-2)."""
        lent = Moved(giver=clause.giver, to=clause.to, cards=with_mate(clause.card))
        if len(lent.cards) > 1 and replace(lent, cards=lent.cards[::-1]) in self.moved:
            return  # its other half was named before and took it along
        self._carry(clause.giver, clause.to, lent.cards)
        self.moved.append(lent)

    def license(self, clause: License) -> None:
        """The licensee's own card enters play, if the licensor invented it (YEN-5, YEN-6)."""
        licensor, to = self.state.players[clause.giver], self._player(clause.to)
        if not rules_of(licensor.species).licenses(licensor, clause.technology):
            raise IllegalAction("cannot_license", technology=clause.technology)
        card = CATALOG.species_technology[to.species, clause.technology]
        if card not in to.deck:
            raise IllegalAction("already_has_technology", seat=clause.to, technology=clause.technology)
        self._players[clause.to] = replace(to, deck=tuple(c for c in to.deck if c != card))
        self.licensed.append(
            Licensed(giver=clause.giver, to=clause.to, technology=clause.technology, card=card)
        )

    def _carry(self, giver: Seat, to: Seat, cards: tuple[CardId, ...]) -> None:
        for card in cards:
            hand = self._player(giver)
            held = hand.cards.get(card)
            if held is None:
                raise IllegalAction("lacks_card", seat=giver, card=card)
            self._players[giver] = replace(hand, cards={c: h for c, h in hand.cards.items() if c != card})
            receiver = self._player(to)
            self._players[to] = replace(receiver, cards={**receiver.cards, card: held})

    def check_stocks(self) -> None:
        """A cube may pass through several hands as long as nobody ends below zero."""
        for seat, out in self._out.items():
            stock = self.state.players[seat].stock
            if not stock.covers(out):
                stock = stock + self._net.get(seat, NOTHING)
                if not stock.covers(out):
                    raise IllegalAction("lacks_goods", seat=seat, goods=stock.missing(out))

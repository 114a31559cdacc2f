"""Promises: what falls due, what is handed over for it, what a broken one costs."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.actions import Deliver, Release
from elysian.deals import CardId, Forbear, Give, Handing, Lend, Obligation, Pledge, Seat, Undertake
from elysian.deck import CATALOG
from elysian.draft import Draft, IllegalAction
from elysian.events import (
    Gained,
    ObligationBroken,
    ObligationKept,
    ObligationLapsed,
    ObligationReleased,
    PledgePaid,
)
from elysian.goods import NOTHING
from elysian.parts import Licensed, Moved
from elysian.rules.donations import split_donation
from elysian.species import rules_of
from elysian.state import Phase, State

CARD_PENALTY = 2


# ---------------------------------------------------------------- handing over


def deliver(now: Draft, seat: Seat, action: Deliver) -> None:
    """The debtor pays a pledge before the table asks for it, as far as possible (TRADE-11, TRADE-12)."""
    if now.state.step not in ("trade", "settle"):
        raise IllegalAction("wrong_step", step=now.state.step)
    owed = now.state.obligations.get(action.obligation)
    if owed is None or owed.debtor != seat or not isinstance(owed.clause, Pledge):
        raise IllegalAction("no_such_promise")
    if owed.clause.only_if is not None and not owed.met:
        raise IllegalAction("condition_not_met")
    # A card lent too early goes home too early; after trading has closed only what is due is left.
    lending = isinstance(owed.clause.what, Lend)
    if owed.clause.due != now.state.turn and (lending or now.state.step == "settle"):
        raise IllegalAction("not_due_yet", turn=owed.clause.due)
    if not hand_over(now, owed):
        raise IllegalAction("nothing_to_deliver")


def hand_over(now: Draft, owed: Obligation) -> bool:
    """What the debtor has of a pledge changes hands; False when that is nothing."""
    assert isinstance(owed.clause, Pledge)
    what = owed.clause.what
    if isinstance(what, Give):
        return _hand_goods(now, owed, what)
    if isinstance(what, Lend):
        return _hand_card(now, owed, what)
    return _hand_licence(now, owed, what.to, what.technology)


def _hand_goods(now: Draft, owed: Obligation, what: Give) -> bool:
    # First what is bound to the creditor, then free donation goods, stock, and a set not begun yet:
    # so a set that must go to one player is not bound to this one without need.
    debtor = now.state.players[what.giver]
    begun = debtor if debtor.tied_to == what.to else replace(debtor, tied=NOTHING)
    donation, tied, rest = split_donation(begun, what.to, what.goods)
    from_stock = debtor.stock.common(rest)
    if not rules_of(debtor.species).may_hand_on(from_stock):
        from_stock = replace(from_stock, envoy=0, acknowledgement=0)
    rest = rest - from_stock
    if rest and debtor.tied_to is None:
        _, tied, rest = split_donation(replace(debtor, donation=NOTHING), what.to, rest)
    cards = tuple(card for card in what.cards if card in debtor.cards)
    if not (donation or tied or from_stock or cards):
        return False
    left = replace(what, goods=rest, cards=tuple(card for card in what.cards if card not in cards))
    moved = Moved(giver=what.giver, to=what.to, goods=from_stock, donation=donation, tied=tied, cards=cards)
    _paid(now, owed, moved, left if left.goods or left.cards else None)
    return True


def _hand_card(now: Draft, owed: Obligation, what: Lend) -> bool:
    if what.card in now.state.players[what.to].cards:
        now.emit(ObligationKept(obligation=owed.id))
        return True
    if what.card not in now.state.players[what.giver].cards:
        return False
    _paid(now, owed, Moved(giver=what.giver, to=what.to, cards=with_mate(what.card)), None)
    return True


def _paid(now: Draft, owed: Obligation, moved: Moved, left: Handing | None) -> None:
    now.emit(PledgePaid(obligation=owed.id, parties=(moved.giver, moved.to), moved=moved, left=left))
    after_trade(now, (moved,))


def _hand_licence(now: Draft, owed: Obligation, to: Seat, technology: str) -> bool:
    card = CATALOG.species_technology[now.state.players[to].species, technology]
    if card not in now.state.players[to].deck:
        now.emit(ObligationLapsed(obligation=owed.id))  # there is nothing left to license (YEN-6)
        return True
    debtor = now.state.players[owed.debtor]
    if not rules_of(debtor.species).licenses(debtor, technology):
        return False
    licensed = Licensed(giver=owed.debtor, to=to, technology=technology, card=card)
    now.emit(PledgePaid(obligation=owed.id, parties=(owed.debtor, to), licensed=licensed))
    return True


def with_mate(card: CardId) -> tuple[CardId, ...]:
    """A pair travels as one card (KIT-2)."""
    mate = CATALOG.cards[card].mate
    return (card,) if mate is None else (card, mate)


def after_trade(now: Draft, moved: tuple[Moved, ...]) -> None:
    """Cards that pay when they are traded pay, the first time in a turn (FAD-13)."""
    for transfer in moved:
        for name in transfer.cards:
            card = CATALOG.cards[name]
            if not card.when_traded or (name, -1) in now.state.ran:
                continue
            now.emit(Gained(seat=transfer.to, goods=card.when_traded, card=name, once=True))
            owner = now.state.seat_of(card.species or "")
            if owner is not None and card.owner_when_traded:
                now.emit(Gained(seat=owner, goods=card.owner_when_traded, card=name))


# ---------------------------------------------------------------- falling due


def is_due(state: State, owed: Obligation) -> bool:
    """Whether a pledge should have been paid by now and its condition, if any, has come true."""
    clause = owed.clause
    if not isinstance(clause, Pledge) or (clause.only_if is not None and not owed.met):
        return False
    if clause.due != state.turn:
        return clause.due < state.turn
    return clause.at == "start" or state.step != "trade"


def pledges_begin(now: Draft) -> None:
    """The Trade Phase begins: what is due at its start changes hands, oldest first (TRADE-11)."""
    _hand_over_due(now)


def pledges_close(now: Draft) -> None:
    """Trading has closed: everything due this turn changes hands as far as possible; the rest may lapse."""
    _hand_over_due(now)
    for owed in tuple(now.state.obligations.values()):
        clause = owed.clause
        if isinstance(clause, Pledge) and clause.due <= now.state.turn and not is_due(now.state, owed):
            now.emit(ObligationLapsed(obligation=owed.id))  # the condition never came true


def _hand_over_due(now: Draft) -> None:
    """Oldest first, and again as long as what one received can keep a promise of its own (TRADE-11)."""
    while any(hand_over(now, owed) for owed in unpaid(now.state)):
        pass


def unpaid(state: State) -> list[Obligation]:
    """Pledges that have fallen due and are still owed."""
    return [owed for owed in state.obligations.values() if is_due(state, owed)]


def settle_unpaid(now: Draft) -> None:
    """No compensation was agreed: the debtor hands over what there is and pays for the rest (TRADE-11)."""
    _hand_over_due(now)
    for owed in unpaid(now.state):
        assert isinstance(owed.clause, Pledge)
        points = penalty(owed.clause.what)
        now.emit(ObligationBroken(by=owed.debtor, obligation=owed.id, points=points))


def penalty(missing: Handing) -> int:
    """1 point per cube, ship or token, 2 per octagon, point, card or licence (TRADE-11)."""
    if not isinstance(missing, Give):
        return CARD_PENALTY
    goods = missing.goods
    return len(goods) + goods.ultratech + goods.point + CARD_PENALTY * len(missing.cards)


def phase_ended(now: Draft, phase: Phase) -> None:
    """Undertakings due by now and not done cost what a missing card costs (TRADE-10)."""
    order = ("trade", "economy", "confluence")
    for owed in tuple(now.state.obligations.values()):
        clause = owed.clause
        if (
            isinstance(clause, Undertake)
            and clause.turn == now.state.turn
            and order.index(clause.by) <= order.index(phase)
        ):
            now.emit(ObligationBroken(by=owed.debtor, obligation=owed.id, points=CARD_PENALTY))


def turn_ended(now: Draft) -> None:
    """Forbearances whose time is over have been kept."""
    for owed in tuple(now.state.obligations.values()):
        if isinstance(owed.clause, Forbear) and owed.clause.until <= now.state.turn:
            now.emit(ObligationKept(obligation=owed.id))


def game_ended(now: Draft) -> None:
    """What would fall due after the last turn lapses (TRADE-12)."""
    for owed in tuple(now.state.obligations.values()):
        now.emit(ObligationLapsed(obligation=owed.id))


def release(now: Draft, seat: Seat, action: Release) -> None:
    """The seat a promise is owed to lets it go; the debtor loses nothing."""
    owed = now.state.obligations.get(action.obligation)
    if owed is None or owed.creditor != seat:
        raise IllegalAction("no_such_promise")
    now.emit(ObligationReleased(by=seat, obligation=owed.id))

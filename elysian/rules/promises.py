"""Promises: what falls due, what is handed over for it, what a broken one costs."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from elysian.actions import ChooseGoods, Deliver, Release
from elysian.deals import CardId, Forbear, Give, Lend, Obligation, OneOf, Owing, Pledge, Seat, Undertake
from elysian.deck import CATALOG
from elysian.deeds import is_late
from elysian.draft import Draft, IllegalAction
from elysian.event_parts import Licensed, Moved
from elysian.events import (
    CreditorsServed,
    CreditorsWait,
    Gained,
    GoodsChosen,
    ObligationBroken,
    ObligationKept,
    ObligationLapsed,
    ObligationReleased,
    PledgePaid,
)
from elysian.goods import NOTHING, Goods
from elysian.rules import choosing
from elysian.rules.donations import split_donation
from elysian.species import rules_of
from elysian.state import State

CARD_PENALTY = 2


# ---------------------------------------------------------------- handing over


def deliver(now: Draft, seat: Seat, action: Deliver) -> None:
    """The debtor hands over what has fallen due, as far as possible, and whom first (TRADE-11, TRADE-12)."""
    if now.state.step not in ("trade", "settle", "window"):
        raise IllegalAction("wrong_step", step=now.state.step)
    owed = now.state.obligations.get(action.obligation)
    if owed is None or owed.debtor != seat or not isinstance(owed.clause, Pledge):
        raise IllegalAction("no_such_promise")
    if owed.waits:
        raise IllegalAction("condition_not_met")
    if not is_due(now.state, owed):
        # Before its time nothing is forced on a creditor: that takes a deal (TRADE-9).
        raise IllegalAction("not_due_yet", turn=owed.clause.due, seat=owed.creditor)
    if not hand_over(now, owed):
        raise IllegalAction("nothing_to_deliver")
    if seat in now.state.serving and not contested(now.state, seat):
        serve_in_order(now, seat)


def choose_goods(now: Draft, seat: Seat, action: ChooseGoods) -> None:
    """Who may choose lays a choice, or takes it back, until the promise is due (TRADE-17)."""
    owed = now.state.obligations.get(action.obligation)
    what = owed.clause.what if owed is not None and isinstance(owed.clause, Pledge) else None
    if owed is None or not isinstance(what, OneOf) or what.chooser != seat:
        raise IllegalAction("no_such_promise")
    if is_due(now.state, owed):
        raise IllegalAction("too_late")
    if action.goods and not (
        action.goods.is_count() and any(choosing.fits(lot, action.goods) for lot in what.lots)
    ):
        raise IllegalAction("none_of_the_lots")
    now.emit(GoodsChosen(by=seat, obligation=owed.id, goods=action.goods))


def hand_over(now: Draft, owed: Obligation) -> bool:
    """What the debtor has of a pledge changes hands; False when that is nothing."""
    assert isinstance(owed.clause, Pledge)
    what = owed.clause.what
    if isinstance(what, Give):
        return _hand_goods(now, owed, what)
    if isinstance(what, OneOf):
        return _hand_choice(now, owed, what)
    if isinstance(what, Lend):
        return _hand_card(now, owed, what)
    return _hand_licence(now, owed, what.to, what.technology)


def _hand_goods(now: Draft, owed: Obligation, what: Give) -> bool:
    moved, rest = _taken(now.state, what.giver, what.to, what.goods)
    cards = tuple(card for card in what.cards if card in now.state.players[what.giver].cards)
    if rest == what.goods and not cards:
        return False
    left = replace(what, goods=rest, cards=tuple(card for card in what.cards if card not in cards))
    _paid(now, owed, replace(moved, cards=cards), left if left.goods or left.cards else None)
    return True


def _hand_choice(now: Draft, owed: Obligation, what: OneOf) -> bool:
    goods = choosing.served(what, at_hand(now.state, what), now.state.choices.get(owed.id))
    if not goods:
        return False
    moved, _ = _taken(now.state, what.giver, what.to, goods)
    whole = any(choosing.fits(lot, goods) for lot in what.lots)
    left = None if whole else replace(what, lots=tuple(choosing.less(lot, goods) for lot in what.lots))
    _paid(now, owed, moved, left)
    return True


def at_hand(state: State, what: Owing) -> Goods:
    """What a debtor could hand a creditor: stock, and what of the donation card may go there."""
    debtor = state.players[what.giver]
    return debtor.stock + debtor.donation + (debtor.tied if debtor.tied_to in (None, what.to) else NOTHING)


def _taken(state: State, giver: Seat, to: Seat, goods: Goods) -> tuple[Moved, Goods]:
    """Where what there is of some goods comes from, and what is missing."""
    # First what is bound to the creditor, then free donation goods, stock, and a set not begun yet:
    # so a set that must go to one player is not bound to this one without need.
    debtor = state.players[giver]
    begun = debtor if debtor.tied_to == to else replace(debtor, tied=NOTHING)
    donation, tied, rest = split_donation(begun, to, goods)
    from_stock = debtor.stock.common(rest)
    if not rules_of(debtor.species).may_hand_on(from_stock):
        from_stock = replace(from_stock, envoy=0, acknowledgement=0)
    rest = rest - from_stock
    if rest and debtor.tied_to is None:
        _, tied, rest = split_donation(replace(debtor, donation=NOTHING), to, rest)
    return Moved(giver=giver, to=to, goods=from_stock, donation=donation, tied=tied), rest


def _hand_card(now: Draft, owed: Obligation, what: Lend) -> bool:
    if what.card in now.state.players[what.to].cards:
        now.emit(ObligationKept(obligation=owed.id))
        return True
    if what.card not in now.state.players[what.giver].cards:
        return False
    _paid(now, owed, Moved(giver=what.giver, to=what.to, cards=with_mate(what.card)), None)
    return True


def _paid(now: Draft, owed: Obligation, moved: Moved, left: Owing | None) -> None:
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
    if not isinstance(clause, Pledge) or owed.waits:
        return False
    if clause.due != state.turn:
        return clause.due < state.turn
    return clause.at == "start" or state.step != "trade"


def pledges_begin(now: Draft) -> None:
    """The Trade Phase begins: what is due at its start changes hands (TRADE-11)."""
    _hand_over_due(now)


def pledges_close(now: Draft) -> None:
    """Trading has closed: everything due this turn changes hands as far as possible."""
    for seat in sorted(now.state.serving):
        serve_in_order(now, seat)
    _hand_over_due(now)


def _hand_over_due(now: Draft) -> None:
    """Oldest first, and again as long as what one received can keep a promise of its own (TRADE-11).

    Who has too little for all who wait for the same is asked whom to serve (TRADE-12).
    """
    while any(hand_over(now, owed) for owed in unpaid(now.state) if not contested(now.state, owed.debtor)):
        pass
    due = unpaid(now.state)
    for seat in sorted({owed.debtor for owed in due}):
        if contested(now.state, seat):
            mine = tuple(owed.id for owed in due if owed.debtor == seat)
            now.emit(CreditorsWait(by=seat, obligations=mine))


def contested(state: State, seat: Seat) -> bool:
    """Whether a seat has something, but too little, that it owes to two creditors by now."""
    due = [owed for owed in unpaid(state) if owed.debtor == seat]
    if len(due) < 2 or len({owed.creditor for owed in due}) < 2:
        return False
    wanted: dict[str, Counter[Seat]] = {}
    for owed in due:
        for thing, n in _wanted(state, owed):
            wanted.setdefault(thing, Counter())[owed.creditor] += n
    player = state.players[seat]
    goods = dict((player.stock + player.to_give_away).items())
    for thing, by in wanted.items():
        there = goods.get(thing, 0) or int(thing in player.cards)
        if len(by) > 1 and 0 < there < by.total():
            return True
    return False


def _wanted(state: State, owed: Obligation) -> list[tuple[str, int]]:
    assert isinstance(owed.clause, Pledge)
    what = owed.clause.what
    if isinstance(what, OneOf):
        return choosing.served(what, at_hand(state, what), state.choices.get(owed.id)).items()
    if isinstance(what, Give):
        return [*what.goods.items(), *((card, 1) for card in what.cards)]
    return [(what.card, 1)] if isinstance(what, Lend) else []


def serve_in_order(now: Draft, seat: Seat) -> None:
    """No choice was made, or nothing is left to choose: in the order in which the promises were made."""
    while any(hand_over(now, owed) for owed in unpaid(now.state) if owed.debtor == seat):
        pass
    now.emit(CreditorsServed(by=seat))


def unpaid(state: State) -> list[Obligation]:
    """Pledges that have fallen due and are still owed."""
    return [owed for owed in state.obligations.values() if is_due(state, owed)]


def to_settle(state: State) -> list[Obligation]:
    """What is settled in this step: pledges that are due, and deeds for which there is no time left."""
    return [owed for owed in state.obligations.values() if is_due(state, owed) or _is_over(state, owed)]


def _is_over(state: State, owed: Obligation) -> bool:
    """Whether a deed is up for settlement: in the last window one of this Trade Phase (TRADE-11)."""
    clause = owed.clause
    if not isinstance(clause, Undertake):
        return False
    ending = state.step == "window" and (clause.turn, clause.by) == (state.turn, "trade")
    return ending or is_late(state, owed)


def owed_now(state: State, seat: Seat) -> tuple[Goods, frozenset[CardId]]:
    """What a seat has yet to hand over in this turn: it comes before any deed (TRADE-10)."""
    goods = NOTHING
    cards: set[CardId] = set()
    for owed in state.obligations.values():
        clause = owed.clause
        if not isinstance(clause, Pledge) or owed.debtor != seat or clause.due > state.turn or owed.waits:
            continue
        what = clause.what
        if isinstance(what, Give):
            goods = goods + what.goods
            cards.update(what.cards)
        elif isinstance(what, OneOf):
            # Without the choice, which may be somebody else's secret.
            goods = goods + choosing.served(what, at_hand(state, what), None)
        elif isinstance(what, Lend):
            cards.update(with_mate(what.card))
    return goods, frozenset(cards)


def hand_over_all(now: Draft) -> None:
    """What is due and there changes hands, the oldest promise first; nobody is asked any more."""
    for seat in sorted(now.state.serving):
        serve_in_order(now, seat)
    while any(hand_over(now, owed) for owed in unpaid(now.state)):
        pass


def settle(now: Draft) -> None:
    """No compensation was agreed: the debtor hands over what there is and pays for the rest (TRADE-11)."""
    hand_over_all(now)
    for owed in to_settle(now.state):
        # A deed costs what a missing card costs.
        what = owed.clause.what if isinstance(owed.clause, Pledge) else None
        points = CARD_PENALTY if what is None else _settled(now, owed, what)
        now.emit(ObligationBroken(by=owed.debtor, obligation=owed.id, points=points))


def _settled(now: Draft, owed: Obligation, what: Owing) -> int:
    """The points for what is missing; of a choice, the part that costs the debtor least goes over first."""
    if not isinstance(what, OneOf):
        return penalty(what)
    goods, lacks = choosing.most_of(what, at_hand(now.state, what))
    if goods:
        moved, _ = _taken(now.state, what.giver, what.to, goods)
        _paid(now, owed, moved, replace(what, lots=(lacks,)))
    return choosing.missing_points(lacks)


def penalty(missing: Owing) -> int:
    """1 point per cube, ship or token, 2 per octagon, point, card or licence (TRADE-11)."""
    if isinstance(missing, OneOf):
        return min(map(choosing.missing_points, missing.lots))
    if not isinstance(missing, Give):
        return CARD_PENALTY
    goods = missing.goods
    return len(goods) + goods.ultratech + goods.point + CARD_PENALTY * len(missing.cards)


def window_ended(now: Draft) -> None:
    """The Trade Phase is over: what was due in it is settled, what hung on a deed never done lapses."""
    settle(now)
    for owed in tuple(now.state.obligations.values()):
        if isinstance(owed.clause, Pledge) and owed.clause.due <= now.state.turn:
            now.emit(ObligationLapsed(obligation=owed.id))


def turn_ended(now: Draft) -> None:
    """Forbearances whose time is over have been kept."""
    for owed in tuple(now.state.obligations.values()):
        if isinstance(owed.clause, Forbear) and owed.clause.until <= now.state.turn:
            now.emit(ObligationKept(obligation=owed.id))


def game_ended(now: Draft) -> None:
    """Deeds of the last turn are settled at once; whatever else stands lapses (TRADE-11)."""
    for owed in tuple(now.state.obligations.values()):
        if isinstance(owed.clause, Undertake) and owed.clause.turn <= now.state.turn:
            now.emit(ObligationBroken(by=owed.debtor, obligation=owed.id, points=CARD_PENALTY))
        else:
            now.emit(ObligationLapsed(obligation=owed.id))


def release(now: Draft, seat: Seat, action: Release) -> None:
    """The seat a promise is owed to lets it go; the debtor loses nothing."""
    owed = now.state.obligations.get(action.obligation)
    if owed is None or owed.creditor != seat:
        raise IllegalAction("no_such_promise")
    now.emit(ObligationReleased(by=seat, obligation=owed.id))

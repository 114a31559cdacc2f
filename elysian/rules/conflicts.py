"""Conflicts: what a seat has promised not to do, and promises that cannot both be kept (TRADE-10)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from elysian.deals import (
    ANYONE,
    AnyClause,
    Binding,
    CardId,
    Forbear,
    Give,
    Lend,
    License,
    NoBid,
    NoHand,
    NoInvent,
    NoLicense,
    NoTake,
    NoTrade,
    Obligation,
    Pledge,
    Seat,
    Undertake,
    sides,
)
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.state import State

BINDING = (Pledge, Undertake, Forbear)  # a tuple is tested faster than a union, and every offer comes by here
HANDING = (Give, Lend, License)


def check_conflicts(
    state: State, parties: tuple[Seat, ...], clauses: tuple[AnyClause, ...], settles: tuple[str, ...]
) -> None:
    """Raise where a deal does what a party promised not to do, or promises what another promise bars."""
    new = [clause for clause in clauses if isinstance(clause, BINDING)]
    if len(new) > 1 and any(_contradict(one, other) for one, other in combinations(new, 2)):
        raise IllegalAction("contradicts_itself")
    if not state.obligations:
        return
    debtors = {sides(clause)[0] for clause in new} if new else set()
    for owed in state.obligations.values():
        if owed.id in settles:
            continue
        standing = owed.clause
        if isinstance(standing, Forbear) and state.turn <= standing.until:
            _check_barred(owed, standing, parties, clauses)
        if debtors and sides(standing)[0] in debtors and any(_contradict(one, standing) for one in new):
            raise IllegalAction("contradicts", obligation=owed.id)


def _check_barred(
    owed: Obligation, clause: Forbear, parties: tuple[Seat, ...], clauses: Iterable[AnyClause]
) -> None:
    what = clause.what
    if isinstance(what, NoTrade):
        if clause.who in parties and what.partner in parties:
            raise IllegalAction("promised_not_to_trade", seat=what.partner, obligation=owed.id)
        return
    if not isinstance(what, (NoHand, NoLicense)):
        return
    for part in clauses:
        if not isinstance(part, HANDING) or part.giver != clause.who:
            continue
        if isinstance(what, NoHand) and what.card in _cards(part) and part.to not in (what.but, ANYONE):
            raise IllegalAction("promised_not_to_hand", card=what.card, obligation=owed.id)
        if (
            isinstance(what, NoLicense)
            and isinstance(part, License)
            and part.technology == what.technology
            and part.to not in (what.but, ANYONE)
        ):
            raise IllegalAction("promised_not_to_license", technology=what.technology, obligation=owed.id)


def _cards(part: Give | Lend | License) -> tuple[CardId, ...]:
    if isinstance(part, Give):
        return part.cards
    if isinstance(part, License):
        return ()
    mate = CATALOG.cards[part.card].mate
    return (part.card,) if mate is None else (part.card, mate)


def _contradict(one: Binding, other: Binding) -> bool:
    """Whether two promises of the same debtor cannot both be kept, whatever else happens."""
    debtor = sides(one)[0]
    if debtor != sides(other)[0] or debtor == ANYONE:
        return False
    if isinstance(one, Pledge) and isinstance(other, Pledge):
        return _promised_twice(one, other)
    if isinstance(other, Forbear):
        one, other = other, one
    if not isinstance(one, Forbear) or isinstance(other, Forbear):
        return False
    return _bars(one, other)


def _bars(restraint: Forbear, promise: Pledge | Undertake) -> bool:
    what = restraint.what
    if isinstance(promise, Pledge):
        given = promise.what
        if promise.due > restraint.until or isinstance(what, NoTrade) or given.to == ANYONE:
            return False
        if isinstance(what, NoHand):
            return isinstance(given, Give | Lend) and what.card in _cards(given) and given.to != what.but
        return (
            isinstance(what, NoLicense)
            and isinstance(given, License)
            and given.technology == what.technology
            and given.to != what.but
        )
    deed = promise.deed
    if promise.turn > restraint.until:
        return False  # it may be done when the restraint is over
    if isinstance(what, NoInvent):
        return deed.verb == "invent" and deed.subject == what.subject
    if isinstance(what, NoTake):
        return deed.verb == "buy" and deed.subject == what.card
    if isinstance(what, NoBid) and deed.verb == "bid":
        return deed.subject == what.track and deed.least > what.most
    if isinstance(what, NoBid) and deed.verb == "buy":
        return what.most == 0 and CATALOG.cards[deed.subject].kind == what.track
    return False


def _promised_twice(one: Pledge, other: Pledge) -> bool:
    """The same card for good to two, or lent to two in the same turn, both without condition."""
    if one.only_if is not None or other.only_if is not None or one.what.to == other.what.to:
        return False
    a, b = one.what, other.what
    if isinstance(a, Give) and isinstance(b, Give):
        return not set(a.cards).isdisjoint(b.cards)
    return isinstance(a, Lend) and isinstance(b, Lend) and one.due == other.due and a.card in _cards(b)

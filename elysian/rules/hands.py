"""Hands: who would hold what if the clauses of a deal were carried out, in whatever order (TRADE-16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from elysian.deals import AnyClause, CardId, Give, Lend, License, Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.event_parts import Licensed, Moved
from elysian.goods import NOTHING, Goods
from elysian.rules.donations import split_donation
from elysian.rules.promises import with_mate
from elysian.species import rules_of
from elysian.state import PlayerState, State

Leg = tuple[Seat, Seat]  # from whom, to whom


def carried_out(state: State, clauses: Sequence[AnyClause]) -> tuple[tuple[Moved, ...], tuple[Licensed, ...]]:
    """What moves and what is licensed by a deal; raises IllegalAction where somebody cannot."""
    licences = [clause for clause in clauses if isinstance(clause, License)]
    licensed = _licensed(state, licences) if licences else ()
    moved = _moved(state, clauses)
    _check_stocks(state, moved)
    if not any(one.cards for one in moved):
        return tuple(moved), licensed
    return _in_order(state, moved, {one.card: one.to for one in licensed}), licensed


def _licensed(state: State, clauses: Sequence[License]) -> tuple[Licensed, ...]:
    """The licensees' own cards enter play, if the licensor invented them (YEN-5, YEN-6)."""
    licensed: list[Licensed] = []
    for clause in clauses:
        licensor, to = state.players[clause.giver], state.players[clause.to]
        if not rules_of(licensor.species).licenses(licensor, clause.technology):
            raise IllegalAction("cannot_license", technology=clause.technology)
        card = CATALOG.species_technology[to.species, clause.technology]
        if card not in to.deck or any(one.card == card for one in licensed):
            raise IllegalAction("already_has_technology", seat=clause.to, technology=clause.technology)
        licensed.append(Licensed(giver=clause.giver, to=clause.to, technology=clause.technology, card=card))
    return tuple(licensed)


# ---------------------------------------------------------------- goods


def _moved(state: State, clauses: Sequence[AnyClause]) -> list[Moved]:
    """Every clause that hands something over, as a transfer; donation goods are taken from their piles."""
    moved: list[Moved] = []
    piles: dict[Seat, list[tuple[Goods, Goods]]] = {}
    donating = [clause for clause in clauses if isinstance(clause, Give) and clause.donation]
    if donating:
        piles = {giver: _donated(state, giver, donating) for giver in {clause.giver for clause in donating}}
    for clause in clauses:
        if isinstance(clause, Give):
            free, tied = piles[clause.giver].pop(0) if clause.donation else (NOTHING, NOTHING)
            moved.append(
                Moved(
                    giver=clause.giver,
                    to=clause.to,
                    goods=clause.goods,
                    donation=free,
                    tied=tied,
                    cards=clause.cards,
                )
            )
        elif isinstance(clause, Lend):
            # A species card, or a pair, goes to the borrower for the rest of the turn (TRADE-6, KIT-2).
            lent = Moved(giver=clause.giver, to=clause.to, cards=with_mate(clause.card))
            if len(lent.cards) > 1 and replace(lent, cards=lent.cards[::-1]) in moved:
                continue  # its other half was named before and took it along
            moved.append(lent)
    return moved


def _donated(state: State, giver: Seat, gives: Sequence[Give]) -> list[tuple[Goods, Goods]]:
    """The free and the tied part of each of a giver's donations; a set that belongs together goes to one."""
    mine = [clause for clause in gives if clause.giver == giver]
    player = state.players[giver]
    first: IllegalAction | None = None
    # As the clauses stand; else with the set for one receiver or the other: their order never matters.
    for start in (player, *(replace(player, tied_to=clause.to) for clause in mine if _unbound(player))):
        try:
            return _split(start, giver, mine)
        except IllegalAction as illegal:
            first = first or illegal
    assert first is not None
    raise first


def _unbound(player: PlayerState) -> bool:
    return bool(player.tied) and player.tied_to is None


def _split(player: PlayerState, seat: Seat, mine: Sequence[Give]) -> list[tuple[Goods, Goods]]:
    parts = []
    for clause in mine:
        free, tied, missing = split_donation(player, clause.to, clause.donation)
        if missing:
            if player.to_give_away.covers(clause.donation):
                raise IllegalAction("must_go_to_one", seat=player.tied_to)
            raise IllegalAction("lacks_donation", seat=seat, goods=missing)
        left = player.tied - tied
        bound = (clause.to if tied else player.tied_to) if left else None
        player = replace(player, donation=player.donation - free, tied=left, tied_to=bound)
        parts.append((free, tied))
    return parts


def _check_stocks(state: State, moved: Iterable[Moved]) -> None:
    """A cube may pass through several hands as long as nobody ends below zero."""
    coming: dict[Seat, Goods] = {}
    going: dict[Seat, Goods] = {}
    for one in moved:
        received = one.goods + one.donation + one.tied if one.donation or one.tied else one.goods
        coming[one.to] = coming.get(one.to, NOTHING) + received
        going[one.giver] = going.get(one.giver, NOTHING) + one.goods
    for seat, out in going.items():
        stock = state.players[seat].stock
        if not stock.covers(out):
            stock = stock + coming.get(seat, NOTHING)
            if not stock.covers(out):
                raise IllegalAction("lacks_goods", seat=seat, goods=stock.missing(out))


# ---------------------------------------------------------------- cards


def _in_order(state: State, moved: list[Moved], entered: dict[CardId, Seat]) -> tuple[Moved, ...]:
    """The transfers so that every card is where it leaves from: as written, else by the path of each card."""
    legs: dict[CardId, list[Leg]] = {}
    for one in moved:
        for card in one.cards:
            legs.setdefault(card, []).append((one.giver, one.to))
    again: set[CardId] = set()
    for card, path in legs.items():
        holder = _holder(state, card, entered)
        if not _follows(holder, path):
            again.add(card)
    if not again:
        return tuple(moved)
    bare = [replace(one, cards=tuple(card for card in one.cards if card not in again)) for one in moved]
    paths = {card: _trail(card, _holder(state, card, entered), legs[card]) for card in legs if card in again}
    carried = [Moved(giver=giver, to=to, cards=(card,)) for card, path in paths.items() for giver, to in path]
    kept = [one for one in bare if one.goods or one.donation or one.tied or one.cards]
    return (*kept, *carried)


def _holder(state: State, card: CardId, entered: dict[CardId, Seat]) -> Seat | None:
    if card in entered:
        return entered[card]
    return next((seat for seat, player in enumerate(state.players) if card in player.cards), None)


def _follows(holder: Seat | None, path: Iterable[Leg]) -> bool:
    for giver, to in path:
        if giver != holder:
            return False
        holder = to
    return True


def _trail(card: CardId, holder: Seat | None, legs: list[Leg]) -> list[Leg]:
    """An order of the legs in which each begins where the card lies; raises where there is none.

    Every leg is walked once: a path is followed to its end, and detours are put in on the way back.
    """
    left: dict[Seat, list[Seat]] = {}
    for giver, to in legs[::-1]:
        left.setdefault(giver, []).append(to)
    if holder is None:
        raise IllegalAction("lacks_card", seat=legs[0][0], card=card)
    walked: list[Seat] = [holder]
    path: list[Seat] = []
    while walked:
        if left.get(walked[-1]):
            walked.append(left[walked[-1]].pop())
        else:
            path.append(walked.pop())
    seats = path[::-1]
    trail = list(pairwise(seats))
    if len(trail) < len(legs) or sorted(trail) != sorted(legs):
        raise IllegalAction("lacks_card", seat=_short(holder, legs), card=card)
    return trail


def _short(holder: Seat, legs: list[Leg]) -> Seat:
    """The first who hands the card on without having it."""
    for giver, to in legs:
        if giver != holder:
            return giver
        holder = to
    return legs[0][0]

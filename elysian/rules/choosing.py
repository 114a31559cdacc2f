"""Promises of a choice: what may keep them, what does when nobody chose, what is then left (TRADE-17)."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.deals import Lot, OneOf
from elysian.goods import BOOK, KINDS, NOTHING, Goods, book


def fits(lot: Lot, goods: Goods) -> bool:
    """Whether these goods are the lot: its goods, and the right number of cubes of the right kinds."""
    if not goods.covers(lot.goods):
        return False
    cubes = goods - lot.goods
    return len(cubes) == lot.cubes and all(kind in lot.kinds for kind, _ in cubes.items())


def served(what: OneOf, have: Goods, chosen: Goods | None) -> Goods:
    """What changes hands when the promise is due and the debtor has so much.

    A whole lot, the chosen one if it is there; of a single lot also a part.
    """
    wish = chosen or NOTHING
    whole = {n: goods for n, lot in enumerate(what.lots) if fits(lot, goods := _taken(what, lot, have, wish))}
    for n, lot in enumerate(what.lots):
        if n in whole and wish and fits(lot, wish):
            return whole[n]
    if whole:
        cheapest = min(whole, key=lambda n: book(whole[n]) if what.chosen_by == "debtor" else n)
        return whole[cheapest]
    return _taken(what, what.lots[0], have, wish) if len(what.lots) == 1 else NOTHING


def most_of(what: OneOf, have: Goods) -> tuple[Goods, Lot]:
    """No lot is there in full: a part of the one that then costs the debtor least, and what it lacks."""
    parts = [(goods := _taken(what, lot, have, NOTHING), less(lot, goods)) for lot in what.lots]
    return min(parts, key=lambda part: missing_points(part[1]))


def less(lot: Lot, goods: Goods) -> Lot:
    """What is left of a lot when these goods have been handed over for it."""
    named = lot.goods.common(goods)
    return replace(lot, goods=lot.goods - named, cubes=lot.cubes - len(goods - named))


def missing_points(lot: Lot) -> int:
    """What a lot that is missing costs: 1 point per cube or ship, 2 per octagon (TRADE-11)."""
    return len(lot.goods) + lot.goods.ultratech + lot.cubes


def _taken(what: OneOf, lot: Lot, have: Goods, wish: Goods) -> Goods:
    """As much of a lot as there is: what was wished for, then the fullest colours, wild cubes last."""
    taken = lot.goods.common(have)
    left = have - taken
    if wish and fits(lot, wish):
        wished = left.common(wish - lot.goods)
        taken, left = taken + wished, left - wished
    cheap = what.chosen_by == "debtor"
    for _ in range(lot.cubes - len(taken - taken.common(lot.goods))):
        there = [kind for kind in KINDS if kind in lot.kinds and getattr(left, kind)]
        if not there:
            break
        one = Goods(**{min(there, key=lambda kind: _rank(kind, left, cheap)): 1})
        taken, left = taken + one, left - one
    return taken


def _rank(kind: str, left: Goods, cheap: bool) -> tuple[int, bool, int, int]:
    return BOOK[kind] if cheap else 0, kind.startswith("wild"), -getattr(left, kind), KINDS.index(kind)

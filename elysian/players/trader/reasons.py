"""Reasons: why a seat offers, accepts or declines a deal, in one sentence that names one thing.

The sentence names the deed that the deal makes possible, or that it would prevent, and of the goods only
those that this deed is paid with. It says nothing about goods the seat could spare: the next offer may ask
for them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from zlib import crc32

from elysian.deals import AnyClause, CardId, Give, Handing, Lend, License, Reason, Seat, Undertake
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.messages import DEFAULT, load
from elysian.worth import Judgement, PlanDeed
from elysian.worth.meaning import VERBS, meaning_of

DEEDS = (*(verb for verb, _ in VERBS), "shared")
DeedName = tuple[str, str]  # a verb, and a card or technology
FEW = 3  # kinds of things a sentence may name


def for_it(
    seat: Seat,
    clauses: Sequence[AnyClause],
    judged: Judgement,
    likely: Container[DeedName] | None = None,
    last: bool = False,
) -> Reason:
    """Why a seat wants a deal: the one thing it can do with it that it could not do without.

    Of deeds that another deal may undo only the `likely` ones are named, if that is said, and those that the
    seat gives its word for in this deal. In the last turn nothing is kept.
    """
    got, cards = _goods(seat, clauses, "to"), _cards(seat, clauses, "to")
    starts = meaning_of(judged).starts
    why = "end" if last else "useful" if starts and likely is not None else "welcome"
    if likely is not None:
        sworn = {c.deed.subject for c in clauses if isinstance(c, Undertake) and c.deed.who == seat}
        named = [(step, subject_of(step)) for step in starts]
        starts = tuple(step for step, what in named if what in sworn or (step.verb, what) in likely)
    for step in starts:
        used = step.pay.common(got)
        if used:
            return Reason(code=_shape(step.verb, clauses), goods=used, subject=subject_of(step))
        if step.card in cards:
            return Reason(code=f"card_{step.verb}", subject=subject_of(step))
    if judged.shared and not last:
        return Reason(code="shared", subject=judged.shared[0])
    if starts and starts[0].verb != "run":
        return Reason(code=f"frees_{starts[0].verb}", subject=subject_of(starts[0]))
    return _by_goods(why, got, cards, clauses)


def against(seat: Seat, clauses: Sequence[AnyClause], judged: Judgement) -> Reason:
    """Why a deal would cost a seat more than it brings: the deed it would prevent."""
    given, cards = _goods(seat, clauses, "giver"), _cards(seat, clauses, "giver")
    for step in meaning_of(judged).stops:
        used = step.pay.common(given)
        if used:
            return Reason(code=f"loses_{step.verb}", goods=used, subject=subject_of(step))
        if step.card in cards:
            return Reason(code=f"loses_card_{step.verb}", subject=subject_of(step))
    return Reason(code="costs")


def deed_of(reason: str | Reason) -> DeedName | None:
    """The deed a reason for a deal names, in whatever shape; None: none."""
    if not isinstance(reason, Reason) or not reason.subject:
        return None
    verb = reason.code.removeprefix("card_").removeprefix("frees_").split("_")[0]
    return (verb, reason.subject) if verb in DEEDS else None


def subject_of(step: PlanDeed) -> str:
    """What a deed is done with; of an invention, what is invented."""
    research = CATALOG.cards[step.card].research
    technology = None if research is None or step.verb != "invent" else research.technology
    return step.card if technology is None else technology


def _by_goods(why: str, got: Goods, cards: Sequence[CardId], clauses: Sequence[AnyClause]) -> Reason:
    """No deed is named: what comes is worth more than what goes."""
    if (got or cards) and len(got.items()) + len(cards) <= FEW:
        return Reason(code=_shape(why, clauses), goods=got, cards=tuple(cards))
    return Reason(code="asked")


def _shape(why: str, clauses: Sequence[AnyClause]) -> str:
    """One of the ways to say it, always the same for the same terms; every language has as many."""
    words = load(DEFAULT).reason
    shapes = [name for name in (why, f"{why}_2", f"{why}_3") if name in words]
    return shapes[crc32(repr(tuple(clauses)).encode()) % len(shapes)]


def _handings(clauses: Sequence[AnyClause]) -> list[Handing]:
    """What changes hands now; what is only promised helps no plan of this turn."""
    return [clause for clause in clauses if isinstance(clause, Give | Lend | License)]


def _goods(seat: Seat, clauses: Sequence[AnyClause], side: str) -> Goods:
    total = NOTHING
    for what in _handings(clauses):
        if isinstance(what, Give) and getattr(what, side) == seat:
            total = total + what.goods + (what.donation if side == "to" else NOTHING)
    return total


def _cards(seat: Seat, clauses: Sequence[AnyClause], side: str) -> list[str]:
    found: list[str] = []
    for what in _handings(clauses):
        if getattr(what, side) != seat:
            continue
        if isinstance(what, Give):
            found += what.cards
        elif isinstance(what, Lend):
            found.append(what.card)
        else:
            found.append(CATALOG.technologies[what.technology].research)
    return found

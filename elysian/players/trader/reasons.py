"""Reasons: why a seat offers, accepts or declines a deal, in one sentence that names one thing.

The sentence names the deed that the deal makes possible, or that it would prevent, and of the goods only
those that this deed is paid with. It says nothing about goods the seat could spare: the next offer may ask
for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from elysian.deals import AnyClause, Give, Handing, Lend, License, Seat
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.messages import DEFAULT, Telling, load
from elysian.worth import Judgement, PlanDeed
from elysian.worth.meaning import meaning_of

FEW = 3  # kinds of things a sentence may name


class Reasons:
    """Words for one table in one language."""

    def __init__(self, species: Sequence[str], language: str = DEFAULT) -> None:
        self.words = load(language).reason
        self.telling = Telling(load(language), species)

    def say(self, why: str, **facts: str) -> str:
        """A sentence of the message file, begun large and ended with a full stop."""
        text = self.words[why].format(**facts)
        return f"{text[:1].upper()}{text[1:]}."

    def for_it(self, seat: Seat, clauses: Sequence[AnyClause], judged: Judgement) -> str:
        """Why a seat wants a deal: the one thing it can do with it that it could not do without."""
        got, cards = _goods(seat, clauses, "to"), _cards(seat, clauses, "to")
        starts = meaning_of(judged).starts
        for step in starts:
            used, with_card = step.pay.common(got), step.card in cards
            if used or with_card:
                named = self._named(used, () if not with_card or used else (step.card,))
                shape = self._shape(step.verb, clauses) if used else f"card_{step.verb}"
                return self.say(shape, got=named, what=self.name(step))
        if judged.shared:
            return self.say("shared", what=self.telling.technology(judged.shared[0]))
        if starts and starts[0].verb != "run":
            return self.say(f"frees_{starts[0].verb}", what=self.name(starts[0]))
        return self._by_goods(got, cards, clauses)

    def against(self, seat: Seat, clauses: Sequence[AnyClause], judged: Judgement) -> str:
        """Why a deal would cost a seat more than it brings: the deed it would prevent."""
        given, cards = _goods(seat, clauses, "giver"), _cards(seat, clauses, "giver")
        for step in meaning_of(judged).stops:
            used, with_card = step.pay.common(given), step.card in cards
            if used or with_card:
                named = self._named(used, (step.card,) if with_card and not used else ())
                shape = f"loses_{step.verb}" if used else f"loses_card_{step.verb}"
                return self.say(shape, given=named, what=self.name(step))
        return self.say("costs")

    def name(self, step: PlanDeed) -> str:
        """What a deed is done with; of an invention, what is invented."""
        return self.telling.subject(step.verb, step.card)

    def _by_goods(self, got: Goods, cards: Sequence[str], clauses: Sequence[AnyClause]) -> str:
        """No deed hangs on it: what comes is kept, and worth more than what goes."""
        few = len(got.items()) + len(cards) <= FEW
        if (got or cards) and few:
            return self.say(self._shape("welcome", clauses), got=self._named(got, cards))
        return self.say("asked")

    def _shape(self, why: str, clauses: Sequence[AnyClause]) -> str:
        """One of the ways to say it, always the same for the same terms."""
        shapes = [name for name in (why, f"{why}_2", f"{why}_3") if name in self.words]
        return shapes[crc32(repr(tuple(clauses)).encode()) % len(shapes)]

    def _named(self, goods: Goods, cards: Sequence[str]) -> str:
        return self.telling.handed(goods, NOTHING, cards)


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

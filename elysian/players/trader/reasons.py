"""Reasons: one true sentence for every offer and answer, read off the plans with and without the deal."""

from __future__ import annotations

from collections.abc import Sequence

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import AnyClause, Give, Handing, Lend, License, Seat
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.messages import DEFAULT, Telling, load
from elysian.messages.telling import card_name
from elysian.state import Run
from elysian.worth import Judgement, SeatPlan

KINDS = (
    ("invent", Invent),
    ("upgrade", UpgradeCard),
    ("enter", PutIntoPlay),
    ("violet", RunConverter),
    ("run", Run),
)


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
        """Why a seat wants a deal: what it can do with it that it could not do without."""
        got, given = self._handed(seat, clauses, "to"), self._handed(seat, clauses, "giver")
        new = _only_in(judged.after, judged.before)
        if new is not None and got:
            why = self.words[new[0]].format(got=got, what=self._name(new[1]))
        elif judged.shared:
            return self.say("shared", what=self.telling.technology(judged.shared[0]))
        elif got and given:
            return self.say("better", got=got, given=given)
        elif got:
            return self.say("welcome", got=got)
        else:
            return self.say("asked")
        if not given:
            return f"{why}."
        used = _used(judged.before)
        idle = not used.common(_goods(seat, clauses, "giver")) and not _cards(seat, clauses)
        text = self.words["idle" if idle else "spare"].format(why=why, given=given)
        return f"{text}."

    def against(self, seat: Seat, clauses: Sequence[AnyClause], judged: Judgement) -> str:
        """Why a deal would cost a seat more than it brings."""
        given = self._handed(seat, clauses, "giver")
        lost = _only_in(judged.before, judged.after)
        if lost is None or not given:
            return self.say("costs")
        return self.say(f"loses_{lost[0]}", given=given, what=self._name(lost[1]))

    def _name(self, move: Action | Run) -> str:
        card = getattr(move, "card", "")
        research = CATALOG.cards[card].research
        if isinstance(move, Invent) and research is not None and research.technology is not None:
            return self.telling.technology(research.technology)
        return card_name(card)

    def _handed(self, seat: Seat, clauses: Sequence[AnyClause], side: str) -> str:
        goods = donation = NOTHING
        cards: list[str] = []
        for what in _handings(clauses):
            if getattr(what, side) != seat:
                continue
            if isinstance(what, Give):
                goods, donation = goods + what.goods, donation + what.donation
                cards += what.cards
            elif isinstance(what, Lend):
                cards.append(what.card)
            else:
                cards.append(CATALOG.technologies[what.technology].research)
        return self.telling.handed(goods + donation, NOTHING, cards) if goods or donation or cards else ""


def _handings(clauses: Sequence[AnyClause]) -> list[Handing]:
    """What changes hands now; what is only promised helps no plan of this turn."""
    return [clause for clause in clauses if isinstance(clause, Give | Lend | License)]


def _goods(seat: Seat, clauses: Sequence[AnyClause], side: str) -> Goods:
    total = NOTHING
    for what in _handings(clauses):
        if isinstance(what, Give) and getattr(what, side) == seat:
            total = total + what.goods
    return total


def _cards(seat: Seat, clauses: Sequence[AnyClause]) -> bool:
    return any(
        what.giver == seat and not (isinstance(what, Give) and not what.cards) for what in _handings(clauses)
    )


def _only_in(one: SeatPlan, other: SeatPlan) -> tuple[str, Action | Run] | None:
    """The weightiest thing done in one plan and not at all in the other."""
    done = {(type(move), move.card) for move in (*other.moves, *other.runs) if hasattr(move, "card")}
    for kind, form in KINDS:
        for move in (*one.moves, *one.runs):
            if isinstance(move, form) and (form, getattr(move, "card", "")) not in done:
                return kind, move
    return None


def _used(plan: SeatPlan) -> Goods:
    """Everything a plan pays."""
    total = NOTHING
    for move in (*plan.moves, *plan.runs):
        total = total + (getattr(move, "pay", None) or NOTHING)
    return total

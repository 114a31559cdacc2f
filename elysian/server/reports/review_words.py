"""The review of a game in words, in the language of the reader."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from elysian.deals import AnyClause, Seat
from elysian.deck import CATALOG
from elysian.messages import Telling, load
from elysian.messages.telling import card_name
from elysian.server.reports.review import Moment, Review


class ToldMoment(Struct, frozen=True):
    """One thing that mattered."""

    n: int  # the line after which the table stood as it is judged
    turn: int
    kind: str
    points: float  # above zero: well done; below: what it cost
    title: str
    text: str
    parties: tuple[Seat, ...] = ()
    clauses: tuple[AnyClause, ...] = ()  # of a deal
    gains: dict[Seat, float] = {}  # of a deal nobody proposed


class ToldTurn(Struct, frozen=True):
    """One turn and what it teaches."""

    turn: int
    begin: int  # the line from which it can be played again
    points: int
    deals: int
    traded: float
    lesson: str
    cost: float  # what the lesson is about; 0: nothing was lost
    missed: ToldMoment | None


class ToldReview(Struct, frozen=True):
    """The review as a page shows it."""

    seat: Seat
    place: int
    total: float
    best: float
    verdict: str
    moments: tuple[ToldMoment, ...]
    turns: tuple[ToldTurn, ...]


def told_review(found: Review, species: Sequence[str], language: str) -> ToldReview:
    """A review in words."""
    words = _Words(species, language)
    return ToldReview(
        seat=found.seat,
        place=found.place,
        total=found.total,
        best=found.best,
        verdict=words.verdict(found),
        moments=tuple(words.moment(one) for one in found.moments),
        turns=tuple(
            ToldTurn(
                turn=one.turn,
                begin=one.begin,
                points=one.points,
                deals=one.deals,
                traded=one.traded,
                lesson=words.lesson(one.lesson, one.traded, one.deals),
                cost=0.0 if one.lesson is None else one.lesson.points,
                missed=None if one.missed is None else words.moment(one.missed),
            )
            for one in found.turns
        ),
    )


class _Words:
    def __init__(self, species: Sequence[str], language: str) -> None:
        messages = load(language)
        self.words, self.means = messages.review, messages.means
        self.telling = Telling(messages, species)
        self.names = [CATALOG.species[one].in_language(language).short for one in species]

    def verdict(self, found: Review) -> str:
        """The game in a sentence."""
        lost = [one for one in found.moments if one.points < 0]
        facts = {
            "total": self.number(found.total, signed=False),
            "place": str(found.place),
            "n": str(len(lost)),
            "points": self.number(-sum(one.points for one in lost), signed=False),
        }
        key = ("won" if found.place == 1 else "placed") + {0: "_clean", 1: "_one"}.get(len(lost), "")
        return self.words[key].format(**facts)

    def moment(self, one: Moment) -> ToldMoment:
        """What happened, and what it came to."""
        facts = self.facts(one)
        return ToldMoment(
            n=one.n,
            turn=one.turn,
            kind=one.kind,
            points=one.points,
            title=self.counted(f"{one.kind}_title", one.ships).format(**facts),
            text=self.words[f"{one.kind}_text"].format(**facts),
            parties=one.parties,
            clauses=one.clauses,
            gains=one.gains,
        )

    def lesson(self, one: Moment | None, traded: float, deals: int) -> str:
        """What a turn teaches."""
        if one is not None:
            return self.counted(f"{one.kind}_lesson", one.ships).format(**self.facts(one))
        key = "good_lesson" if deals and traded > 0 else "clean_lesson"
        return self.counted(key, deals).format(points=self.number(traded), n=str(deals))

    def counted(self, key: str, n: int) -> str:
        """The sentence about so many of them: about one there may be a sentence of its own."""
        return self.words.get(f"{key}_one", self.words[key]) if n == 1 else self.words[key]

    def facts(self, one: Moment) -> dict[str, str]:
        """What the sentences name."""
        step = one.step
        what = "" if step is None else self.telling.subject(step.verb, step.card)
        return {
            "names": ", ".join(self.names[seat] for seat in one.parties if 0 <= seat < len(self.names)),
            "points": self.number(abs(one.points), signed=False),
            "what": what,
            "deed": "" if step is None else self.means[step.verb].format(what=what),
            "card": card_name(one.card) if one.card else what,
            "n": str(one.ships),
        }

    def number(self, value: float, signed: bool = True) -> str:
        """A number as the language writes it."""
        text = f"{value:+.1f}" if signed else f"{value:.1f}"
        return text.removesuffix(".0").replace(".", self.words["decimal"])

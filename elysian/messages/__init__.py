"""What the program says to people: refusals, the log, deals, goods; one file of translations per language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elysian.actions import Action
from elysian.deals import AnyClause, Deal, Obligation
from elysian.draft import IllegalAction
from elysian.events import Event
from elysian.goods import NOTHING, Goods
from elysian.messages.telling import Telling
from elysian.messages.words import DEFAULT, Messages, languages, load


def sentence(
    illegal: IllegalAction, species: Sequence[str], language: str = DEFAULT, you: int | None = None
) -> str:
    """Why an action was refused, for the player at seat `you`; `species` are those at the table, by seat."""
    return explain(illegal.code, illegal.facts, species, language, you)


def explain(
    code: str,
    facts: Mapping[str, object],
    species: Sequence[str],
    language: str = DEFAULT,
    you: int | None = None,
) -> str:
    """The same for a refusal that travels as a code and facts."""
    return Telling(load(language), species, you=you).refusal(code, facts)


def tell(
    event: Event,
    species: Sequence[str],
    language: str = DEFAULT,
    promises: Mapping[str, Obligation] = {},
    offers: Mapping[str, Deal] | None = None,
) -> str:
    """An event as a line of the log; `promises` are those that stood before it.

    An offer has its number, unless the `offers` on the table are given: then it is told by whose it is.
    Says all that the event holds: whoever shows it to a seat gives the event as that seat may see it.
    """
    return Telling(load(language), species, promises, offers=offers).event(event)


def label(
    action: Action,
    species: Sequence[str],
    language: str = DEFAULT,
    promises: Mapping[str, Obligation] = {},
    gain: Goods = NOTHING,
    you: int | None = None,
) -> str:
    """An action as a line of a menu, with what it gains; `you` is the seat that reads it."""
    return Telling(load(language), species, promises, you).action(action, gain)


def describe(
    what: AnyClause | Deal | Obligation,
    species: Sequence[str],
    language: str = DEFAULT,
    you: int | None = None,
) -> str:
    """A clause, all clauses of a deal, or a promise, in plain words; `you` is the seat that reads them."""
    return Telling(load(language), species, you=you).terms(what)


def goods(what: Goods, language: str = DEFAULT, short: bool = False) -> str:
    """Goods in words, or `short` in counts and letters."""
    telling = Telling(load(language), ())
    return telling.letters(what) if short else telling.goods(what)


__all__ = [
    "DEFAULT",
    "Messages",
    "Telling",
    "describe",
    "explain",
    "goods",
    "label",
    "languages",
    "load",
    "sentence",
    "tell",
]

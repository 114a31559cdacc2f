"""Actions of the right shape and any content whatever: wrong seats, cards, numbers, words and times."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from elysian import actions as a
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.goods import KINDS, Goods
from elysian.rules import DECIDERS
from elysian.state import State
from tests.support.driver import chance, pick

ACTIONS = (*DECIDERS, a.TimeUp)
NUMBERS = (-(10**30), -7, -2, -1, 0, 0, 0, 1, 1, 2, 3, 6, 7, 99, 10**6, 10**30)
COUNTS = (-2, -1, 0, 1, 1, 2, 3, 10_000, 10**30)
WORDS = ("", "none", "d0", "d1.1", "colony", "Ж" * 600, "green", "point")
FIELDS = {"deal", "answers", "settles", "obligation"}
CARDS = {"card", "cards", "colonies", "subject"}
SEATS = {"parties", "giver", "to", "who", "target", "partner", "but"}


def wild_move(state: State, rng: Random) -> tuple[Any, a.Action]:
    """Any seat, or none, asks for anything."""
    seat: Seat | None = pick(rng, list(state.seats()))
    if chance(rng, 0.15):
        seat = pick(rng, (None, -1, len(state.players), 99, 10**30))
    kind = pick(rng, ACTIONS)
    if kind is a.TimeUp and chance(rng, 0.9):
        kind = a.ProposeDeal
    return seat, wild(state, rng, kind)


def wild(state: State, rng: Random, kind: type) -> Any:
    """A value of this class with any content."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    fields = {}
    for field in info.fields:
        if not field.required and chance(rng, 0.3):
            continue
        fields[field.name] = _value(state, rng, field.name, field.type)
    return kind(**fields)


def _value(state: State, rng: Random, name: str, shape: Any) -> Any:
    if isinstance(shape, inspect.UnionType):
        return _value(state, rng, name, pick(rng, shape.types))
    if isinstance(shape, inspect.VarTupleType):
        return tuple(_value(state, rng, name, shape.item_type) for _ in range(int(rng.random() * 4)))
    if isinstance(shape, inspect.StructType):
        return wild_goods(rng) if shape.cls is Goods else wild(state, rng, shape.cls)
    if isinstance(shape, inspect.NoneType):
        return None
    if isinstance(shape, inspect.BoolType):
        return chance(rng, 0.5)
    if isinstance(shape, inspect.IntType):
        return _number(state, rng, name)
    if isinstance(shape, inspect.FloatType):
        return _number(state, rng, name) + rng.random()
    if isinstance(shape, inspect.LiteralType):
        return pick(rng, shape.values if chance(rng, 0.9) else WORDS)
    assert isinstance(shape, inspect.StrType), shape
    return _word(state, rng, name)


def wild_goods(rng: Random) -> Goods:
    """A few kinds in any number."""
    return Goods(**{pick(rng, KINDS): pick(rng, COUNTS) for _ in range(int(rng.random() * 4))})


def _number(state: State, rng: Random, name: str) -> int:
    if name in SEATS and chance(rng, 0.8):
        return pick(rng, list(state.seats()))
    if name in ("due", "turn", "until") and chance(rng, 0.7):
        return state.turn + pick(rng, (0, 0, 1, 2))
    return pick(rng, NUMBERS)


def _word(state: State, rng: Random, name: str) -> str:
    if chance(rng, 0.1):
        return pick(rng, WORDS)
    if name in FIELDS:
        return pick(rng, [*state.deals, *state.obligations] or WORDS)
    if name in CARDS:
        seat = pick(rng, state.players)
        tracks = [card for card in (*state.colony_track, *state.research_track) if card]
        nearby = pick(rng, (list(seat.cards), list(seat.deck), tracks))
        return (
            pick(rng, nearby or list(CATALOG.cards)) if chance(rng, 0.8) else pick(rng, list(CATALOG.cards))
        )
    if name == "technology":
        return pick(rng, list(CATALOG.technologies))
    return pick(rng, (*WORDS, *KINDS))


def nudged(state: State, rng: Random, move: tuple[Any, a.Action]) -> tuple[Any, a.Action]:
    """A legal move with one field made wild, of an offer one field of one clause."""
    seat, action = move
    if isinstance(action, a.ProposeDeal) and action.clauses and chance(rng, 0.8):
        n = int(rng.random() * len(action.clauses))
        clause = _nudge(state, rng, action.clauses[n])
        clauses = (*action.clauses[:n], clause, *action.clauses[n + 1 :])
        return seat, msgspec.structs.replace(action, clauses=clauses)
    return (seat, _nudge(state, rng, action)) if chance(rng, 0.9) else (pick(rng, NUMBERS), action)


def _nudge(state: State, rng: Random, thing: Any) -> Any:
    info = inspect.type_info(type(thing))
    assert isinstance(info, inspect.StructType)
    if not info.fields:
        return thing
    field = pick(rng, info.fields)
    value = getattr(thing, field.name)
    if isinstance(value, msgspec.Struct) and not isinstance(value, Goods) and chance(rng, 0.7):
        return msgspec.structs.replace(thing, **{field.name: _nudge(state, rng, value)})
    return msgspec.structs.replace(thing, **{field.name: _value(state, rng, field.name, field.type)})

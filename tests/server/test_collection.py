"""Garbage: what tables hold is not looked through again and again, and what is garbage goes all the same."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from elysian.server.ops.collection import LINES, QUIET, SELDOM, SET_ASIDE, YOUNG, Collection


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Cycle:
    """Something only a collection can find."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def collection(clock: Clock) -> Iterator[Collection]:
    found = Collection(clock)
    found.begin()
    try:
        yield found
    finally:
        found.end()


def test_what_has_grown_old_is_set_aside_and_not_looked_through(collection: Collection, clock: Clock) -> None:
    tables = [[{"n": [n]}] for n in range(1000)]
    before = gc.get_freeze_count()
    clock.now += SET_ASIDE
    collection.tick(asked=1)
    assert gc.get_freeze_count() >= before + len(tables)
    assert gc.get_threshold()[2] > 1_000_000, "no full collection comes by itself"


def test_garbage_is_found_when_nobody_asks_for_anything(collection: Collection, clock: Clock) -> None:
    one = Cycle()
    gone = weakref.ref(one)
    clock.now += SET_ASIDE
    collection.tick(asked=1)
    del one
    clock.now += SELDOM
    collection.tick(asked=2)
    assert gone() is not None, "people play: nobody shall wait"
    clock.now += QUIET
    collection.tick(asked=2)
    assert gone() is None


def test_young_garbage_is_found_as_usual(collection: Collection) -> None:
    seen = [weakref.ref(Cycle()) for _ in range(20_000)]
    assert sum(one() is not None for one in seen) < 15_000


def test_what_is_young_is_looked_through_though_as_much_goes_as_is_made(
    collection: Collection, clock: Clock
) -> None:
    """Python's own count stands still where what was set aside goes as fast as new things are made."""
    old = [[n] for n in range(100 * YOUNG)]
    clock.now += SET_ASIDE
    collection.tick(asked=1)
    one = Cycle()
    gone = weakref.ref(one)
    del one
    new: list[list[int]] = []
    for n in range(50 * YOUNG):
        del old[-1]
        new.append([n])
    assert gone() is not None, "nothing was looked through: here is the reason for counting lines"
    for _ in range(LINES):
        collection.line()
    assert gone() is None
    assert new


def test_in_the_end_all_is_as_it_was() -> None:
    before = gc.get_threshold()
    collection = Collection()
    collection.begin()
    collection.end()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)

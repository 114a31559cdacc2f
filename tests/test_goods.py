"""Goods add up, come apart and compare as counts do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elysian.goods import KINDS, MOST, NOTHING, Goods

goods = st.builds(Goods, **{kind: st.integers(0, 9) for kind in KINDS})


@given(a=goods, b=goods, c=goods)
def test_goods_add_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + NOTHING == a


@given(a=goods, b=goods)
def test_what_was_added_can_be_taken_away(a, b):
    assert (a + b) - b == a
    assert (a + b).covers(b)
    assert len(a + b) == len(a) + len(b)


@given(a=goods, b=goods)
def test_goods_cover_others_when_nothing_goes_negative(a, b):
    assert a.covers(b) == all(n >= 0 for n in (a - b).counts())
    assert a.covers(b) == (not a.missing(b))


@given(a=goods, b=goods)
def test_what_is_common_and_what_is_missing_make_up_what_is_wanted(a, b):
    assert a.common(b) + a.missing(b) == b
    assert a.covers(a.common(b))
    assert a.common(b) == b.common(a)


@given(a=goods)
def test_goods_come_apart_into_units(a):
    units = a.units()
    assert len(units) == len(a)
    assert all(len(unit) == 1 for unit in units)
    assert sum(units, NOTHING) == a


@given(a=goods)
def test_goods_are_written_so_that_they_can_be_pasted_back(a):
    assert eval(repr(a), {"Goods": Goods}) == a


@given(a=goods)
def test_goods_are_true_when_there_are_any(a):
    assert bool(a) == (len(a) > 0)
    assert dict(a.items()) == {kind: n for kind, n in zip(KINDS, a.counts(), strict=True) if n}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_counted_on_its_own(kind):
    one, two = Goods(**{kind: 1}), Goods(**{kind: 2})
    assert one + one == two
    assert two - one == one
    assert two.covers(one)
    assert not one.covers(two)
    assert one.common(two) == one
    assert one.missing(two) == one
    assert one.items() == [(kind, 1)]


@pytest.mark.parametrize("wrong", [-1, MOST + 1, 1.5, True, None])
def test_a_count_is_a_whole_number_within_bounds(wrong):
    assert not Goods(green=wrong).is_count()


def test_counts_from_nothing_to_the_most_are_counts():
    assert NOTHING.is_count()
    assert Goods(green=MOST).is_count()

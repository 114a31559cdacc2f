"""Book values: what the reference card says goods are worth, the same for everybody (COMP-4).

Advice to talk about, and a fixed order where the rules need one; `elysian.worth` says what goods are worth to
a seat.
"""

from elysian.goods import LARGE_CUBES, SMALL_CUBES, Goods

# In sixths of a point, so that all are whole numbers.
BOOK = {
    **dict.fromkeys((*SMALL_CUBES, "ship"), 2),
    **dict.fromkeys(LARGE_CUBES, 3),
    "ultratech": 6,
    "point": 6,
}


def book(goods: Goods) -> int:
    """What goods are worth by the reference card, in sixths of a point."""
    return sum(BOOK.get(kind, 0) * n for kind, n in goods.items())

"""Caylion: bids for colonies count half; colonies they settle run twice."""

from fractions import Fraction

from elysian.species.base import Species


class Caylion(Species):
    """CAY-1, CAY-2."""

    settles_with_seedling = True

    def colony_bid(self, ships: int) -> Fraction:
        """Half, not rounded (CAY-1)."""
        return Fraction(ships, 2)

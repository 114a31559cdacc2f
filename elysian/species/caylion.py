"""Caylion: bids for colonies count half; colonies they settle run twice."""

from elysian.species.base import Species


class Caylion(Species):
    """CAY-1, CAY-2."""

    settles_with_seedling = True

    def colony_bid(self, ships: int) -> float:
        """Half, not rounded (CAY-1)."""
        return ships / 2  # exact: a half is one in binary too

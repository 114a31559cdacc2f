"""Kt'Zr'Kt'Rtl: no colony limit, and the first choice in every tie for colonies."""

from elysian.species.base import Species


class Kit(Species):
    """KIT-7; their pairs and nullspace colonies are data."""

    def colonies_in_ties(self, held: int) -> int:
        """Always fewer than anybody else's (KIT-7)."""
        return -1

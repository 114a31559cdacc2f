"""Kjasjavikalimm: a longer colony track, and a colony bid that can be split at their turn."""

from elysian.species.base import Species


class Kjas(Species):
    """KJAS-2; the longer track and the territory tiles are data."""

    splits_colony_bid = True

"""Unity: wild cubes and inputs of any colour; all of it is printed on the cards (UNI-1 to UNI-6)."""

from elysian.species.base import Species


class Unity(Species):
    """Plays by the common rule; wild cubes are goods like others."""

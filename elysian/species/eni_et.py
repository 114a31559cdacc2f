"""Eni Et: interest converters that only others may run; all of it is printed (ENI-1 to ENI-6)."""

from elysian.species.base import Species


class EniEt(Species):
    """Plays by the common rule; `lent_only` and `same_small` on their cards say the rest."""

"""Im'dril: no colony support, and converters that need fleets; all of it is printed (IMD-1 to IMD-8)."""

from elysian.species.base import Species


class Imdril(Species):
    """Plays by the common rule; `fleets` and `fleets_needed` on their cards say the rest."""

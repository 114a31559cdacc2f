"""A player in ten lines: invents and upgrades whatever it can, and otherwise does what the step asks for."""

from elysian.actions import Done, Invent, PutIntoPlay, UpgradeCard

FIRST = (Invent, PutIntoPlay, UpgradeCard)


class Patient:
    """One seat of one game."""

    def choose(self, view, options, rng):
        """The action the seat asks for; None when it waits for others."""
        if view.seat not in view.waiting or view.me.done:
            return None
        actions = [choice.action for choice in options.choices]
        wanted = [a for a in actions if isinstance(a, FIRST)] or [a for a in actions if isinstance(a, Done)]
        return (wanted or actions or [None])[0]

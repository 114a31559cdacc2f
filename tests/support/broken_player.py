"""A module that cannot be imported, for a test of players that cannot be loaded."""

Broken = 1 / 0

"""Elysian: an unofficial implementation of the board game Sidereal Confluence."""

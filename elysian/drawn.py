"""Drawn: how a value shows itself in a notebook; what draws it lies above and is loaded only then."""

from importlib import import_module


def drawn(value: object) -> str:
    """The value as HTML."""
    # By name, so that the engine depends on nothing: most who use it never draw.
    html: str = import_module("elysian.notebook").html(value)
    return html


__all__ = ["drawn"]

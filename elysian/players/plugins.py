"""Players anybody brings: classes made without arguments, by entry point or named package.module:Class."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import EntryPoint, distribution, entry_points, packages_distributions
from inspect import signature
from pathlib import Path
from typing import Any, cast

from elysian.players import Player

GROUP = "elysian.players"  # of entry points


class UnknownPlayer(ValueError):  # noqa: N818 - says what it is
    """A name no player can be loaded by; the message is a sentence that says why."""


def installed() -> tuple[str, ...]:
    """The names of the players that installed packages bring."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def is_plug_in(name: str) -> bool:
    """Whether a name is that of a class or of an installed player."""
    return ":" in name or name in installed()


@cache
def plug_in(name: str) -> type[Player]:
    """The class of a player somebody brings; raises UnknownPlayer. Its code is trusted and runs here."""
    point = _entry_point(name)
    module, _, attribute = (point.value if point is not None else name).partition(":")
    attribute = attribute.partition("[")[0].strip()
    if point is None and str(Path.cwd()) not in sys.path:
        # The installed command does not look where it is started, as `python -m elysian` does. Last in the
        # list, so that no file there stands in for something installed; worker processes inherit the list.
        sys.path.append(str(Path.cwd()))
    try:
        found: Any = import_module(module.strip())
        for part in attribute.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise UnknownPlayer(f"The player {name!r} cannot be loaded: there is no {attribute} in it.") from None
    except ModuleNotFoundError as missing:
        if missing.name is not None and module.strip().startswith(missing.name):
            problem = f"No module {missing.name!r} is installed or in this folder"
            raise UnknownPlayer(f"{problem}; the player {name!r} cannot be loaded.") from None
        raise UnknownPlayer(f"The player {name!r} cannot be loaded: {missing}.") from missing
    except Exception as problem:  # whatever is wrong with somebody's module
        raise UnknownPlayer(
            f"The player {name!r} cannot be loaded: {type(problem).__name__}: {problem}."
        ) from problem
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise UnknownPlayer(f"{name!r} is no class with a method choose(view, options, rng).")
    try:
        signature(found).bind()
    except TypeError:
        raise UnknownPlayer(f"{name!r} wants arguments; a player's class is made without any.") from None
    return cast("type[Player]", found)


@cache
def version_of(name: str) -> str:
    """The distribution a player comes from and its version; of a bare file, a hash of it."""
    point = _entry_point(name)
    if point is not None and point.dist is not None:
        return f"{point.dist.name} {point.dist.version}"
    module = plug_in(name).__module__
    for brings in packages_distributions().get(module.partition(".")[0], ()):
        return f"{brings} {distribution(brings).version}"
    file = getattr(sys.modules[module], "__file__", None)
    return "" if file is None else f"sha256 {sha256(Path(file).read_bytes()).hexdigest()[:12]}"


def _entry_point(name: str) -> EntryPoint | None:
    """The entry point of a name; None for a class. Raises UnknownPlayer when two packages claim the name."""
    if ":" in name:
        return None
    points = [point for point in entry_points(group=GROUP) if point.name == name]
    if len({point.value for point in points}) > 1:
        brought = " and ".join(sorted(point.dist.name if point.dist else "?" for point in points))
        raise UnknownPlayer(f"Several packages bring a player {name!r}: {brought}; name its class instead.")
    return points[0] if points else None


__all__ = ["GROUP", "UnknownPlayer", "installed", "is_plug_in", "plug_in", "version_of"]

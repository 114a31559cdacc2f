"""The rooms of the server: the map names every room."""

from __future__ import annotations

from pathlib import Path

import elysian.server

PACKAGE = Path(elysian.server.__file__).resolve().parents[1]


def test_the_map_names_every_room() -> None:
    rooms = {path.parent.name for path in (PACKAGE / "server").glob("*/__init__.py")}
    assert elysian.server.__doc__ is not None
    named = {line.split("/")[0].strip() for line in elysian.server.__doc__.splitlines() if "/ " in line}
    assert rooms <= named

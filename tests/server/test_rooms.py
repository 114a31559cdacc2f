"""The rooms of the server: every class has a name of its own, and the map names every room."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import elysian.server

PACKAGE = Path(elysian.server.__file__).resolve().parents[1]


def test_no_class_of_the_server_shares_its_name_with_another() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].add(path.relative_to(PACKAGE).as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {n: found for n, found in shared.items() if any(f.startswith("server/") for f in found)} == {}


def test_the_map_names_every_room() -> None:
    rooms = {path.parent.name for path in (PACKAGE / "server").glob("*/__init__.py")}
    assert elysian.server.__doc__ is not None
    named = {line.split("/")[0].strip() for line in elysian.server.__doc__.splitlines() if "/ " in line}
    assert rooms <= named

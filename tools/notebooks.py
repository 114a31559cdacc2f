"""Runs the notebooks of docs/notebooks and writes what their cells show into them; --check only compares.

A notebook is a list of cells in JSON and a cell is Python: that needs no kernel. What a cell shows is what it
prints and the value of its last line, as text and, where the value draws itself, as HTML.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"


def notebooks() -> list[Path]:
    """The notebooks there are."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with its code cells run in order, in a fresh namespace."""
    names: dict[str, Any] = {"__name__": "__notebook__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            shown = run("".join(cell["source"]), names, count)
            cell = {**cell, "execution_count": count, "outputs": shown}
        cells.append(cell)
    return {**notebook, "cells": cells}


def run(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What one cell shows."""
    body = ast.parse(source).body
    last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body[:-1] if last else body, []), f"cell {count}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        shown.append(
            {
                "data": _data(value),
                "execution_count": count,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return shown


def _data(value: Any) -> dict[str, list[str]]:
    draw = getattr(value, "_repr_html_", None)
    if draw is None:
        return {"text/plain": _lines(repr(value))}
    # The text of a whole view or record is of no use beside its drawing.
    return {"text/html": _lines(draw()), "text/plain": [f"<{type(value).__name__}>"]}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    """The file of a notebook."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Run them all; the exit code is 1 when one that is only checked shows something else."""
    stale = []
    for path in notebooks():
        there = path.read_text(encoding="utf-8")
        fresh = text_of(executed(json.loads(there)))
        if "--check" not in sys.argv[1:]:
            path.write_text(fresh, encoding="utf-8")
        elif fresh != there:
            stale.append(path.name)
    for name in stale:
        print(f"{name} shows something else when it is run; python -m tools.notebooks runs it.")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

"""What holds for all tests: in which order a whole run goes, and that servers deal every table alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.drive.server import Served

Served.program = ("-m", "tools.drive.dealt_alike")
TESTS = Path(__file__).parent
# What takes long and cannot be shared out: at the end of a run nothing long is left alone.
FIRST = (
    *("web", "test_web.py", "server"),
    *("test_line_ups.py", "test_exploiters.py", "test_bots.py", "test_arena.py"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order files of tests; within a file the tests stay as they are written."""
    items.sort(key=lambda item: _place(item.path.relative_to(TESTS).parts[0]))


def _place(part: str) -> int:
    return FIRST.index(part) if part in FIRST else len(FIRST)

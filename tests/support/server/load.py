"""What tests of load need of a server: a game that waits for one person, and how many files are open."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.drive.server import At, Served


def begun(served: Served, address: str) -> tuple[str, At]:
    """A game of one person and three bots that wait for them."""
    host = At(served, address, "Anna")
    table = host.open(bots={"1": "random", "2": "random", "3": "random"})
    assert host.do(table, {"kind": "start_game"}).status == 200
    return table, host


def open_files(served: Served) -> int:
    """Open connections and files of the server."""
    assert served.process is not None
    if not sys.platform.startswith("linux"):
        pytest.skip("open connections are counted as Linux does")
    return len(list(Path(f"/proc/{served.process.pid}/fd").iterdir()))

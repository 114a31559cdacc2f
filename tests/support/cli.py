"""The command `elysian`, here or in a process of its own."""

from __future__ import annotations

import subprocess
import sys

from typer.testing import CliRunner

from elysian.cli import app
from tools.drive.waiting import PATIENCE


def elysian(*words: str) -> tuple[int, str]:
    """The exit code and the output of a command; what bad input raises counts as its sentence."""
    result = CliRunner().invoke(app, words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        assert isinstance(result.exception, ValueError | OSError), result.exception
        return 2, str(result.exception)
    return result.exit_code, result.output


def in_a_process(*words: str) -> subprocess.CompletedProcess[str]:
    """The same as somebody would start it."""
    return subprocess.run(
        [sys.executable, "-m", "elysian", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * PATIENCE,
    )

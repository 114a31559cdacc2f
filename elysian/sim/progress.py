"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

WIDTH = 24


class Progress:
    """One line that is written over; usable as the `tell` of a run."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        """Count `what`, on the error stream so that the output stays clean."""
        self.what = what
        self.stream = sys.stderr if stream is None else stream
        self.began = monotonic()
        self.first: int | None = None  # what was there before we began

    def __call__(self, done: int, of: int) -> None:
        """So many are done."""
        if not self.stream.isatty():
            return
        self.first = done if self.first is None else self.first
        full = WIDTH * done // max(1, of)
        bar = "#" * full + "." * (WIDTH - full)
        end = "\n" if done == of else ""
        self.stream.write(f"\r[{bar}] {done} of {of} {self.what}{self._left(done, of)}\x1b[K{end}")
        self.stream.flush()

    def _left(self, done: int, of: int) -> str:
        new = done - (self.first or 0)
        if not new or done == of:
            return ""
        seconds = round((monotonic() - self.began) / new * (of - done))
        return f", {seconds // 60}:{seconds % 60:02} to go"


__all__ = ["Progress"]

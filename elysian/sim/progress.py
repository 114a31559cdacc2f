"""A progress bar on a terminal; anywhere else nothing, or lines if they are asked for."""

from __future__ import annotations

import atexit
import sys
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PAUSE = 10.0  # seconds between two lines


class Progress:
    """One line that is written over; usable as the `tell` of a run."""

    def __init__(self, what: str, stream: TextIO | None = None, lines: bool = False) -> None:
        """Count `what` on the error stream, so the output stays clean; in `lines` if it is no terminal."""
        self.what = what
        self.lines = lines
        self._said = -PAUSE
        self.stream = sys.stderr if stream is None else stream
        self._shown: tuple[Bar, TaskID] | None = None

    def __call__(self, done: int, of: int) -> None:
        """Show that `done` of them are done; called as often as one likes."""
        if not self.stream.isatty():
            if self.lines:
                self._line(done, of)
            return
        bar, task = self._shown = self._shown or self._begin(done, of)
        bar.update(task, completed=done, refresh=True)
        if done == of:
            bar.stop()

    def _line(self, done: int, of: int) -> None:
        """Say it in a line of its own: at first, at last, and every ten seconds between."""
        now = monotonic()
        if now - self._said >= PAUSE or done == of:
            self._said = now
            print(f"{done} of {of} {self.what}", file=self.stream, flush=True)

    def _begin(self, done: int, of: int) -> tuple[Bar, TaskID]:
        """Draw the bar; what was there before we began says nothing about how quick we are."""
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        bar = Bar(
            BarColumn(),
            TextColumn("{task.completed} of {task.total} {task.description}"),
            TimeRemainingColumn(),
            console=Console(file=self.stream),
            auto_refresh=False,
            redirect_stdout=False,  # the output may go to a file
        )
        atexit.register(bar.stop)  # a run that is broken off must not leave the terminal without its cursor
        bar.start()
        return bar, bar.add_task(self.what, total=of, completed=done)


__all__ = ["Progress"]

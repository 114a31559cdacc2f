"""`elysian web`, started as a person starts it, in a folder of its own."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.drive.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parent.parent.parent


class Started:
    """`elysian web` in a folder of its own, with a browser that writes down what it is shown."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.seen = home / "seen"
        script = home / "browser"
        script.write_text(f'#!/bin/sh\necho "$1" >> "{self.seen}"\n')
        script.chmod(script.stat().st_mode | stat.S_IEXEC)
        self.said = home / "said"
        with self.said.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "elysian", "web", *arguments],
                cwd=ROOT,
                env={**clean(), "XDG_DATA_HOME": str(home), "BROWSER": str(script)},
                stdout=out,
                stderr=out,
            )

    def address(self) -> str:
        line = until(lambda: next((one for one in self.lines() if "http://" in one), None))
        return next(word for word in line.split() if word.startswith("http://"))

    def lines(self) -> list[str]:
        return self.said.read_text().splitlines()

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


def clean() -> dict[str, str]:
    """The environment without what would change where the table is opened."""
    drop = ("ELYSIAN_PORT", "ELYSIAN_DATABASE", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return {name: value for name, value in os.environ.items() if name not in drop}


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[Started]:
    one = Started(home, *arguments)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()

"""Elysian where something is missing: ABSENT names modules that cannot be imported, nor in any process begun.

As a script it is the command `elysian`, on a machine that has nothing which only POSIX systems have.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from asyncio import SelectorEventLoop
from importlib.metadata import requires
from pathlib import Path

SCRIPT = Path(__file__).resolve()
# What Windows lacks of Python's own library, and what we install elsewhere only.
POSIX = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline", "syslog", "uvloop")
POSIX_NAMES = (
    (
        os,
        ("fork", "forkpty", "getuid", "geteuid", "getgid", "sched_getaffinity", "chown", "killpg", "setsid"),
    ),
    (socket, ("SO_REUSEPORT",)),
    (signal, ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGALRM", "setitimer")),
)


def extras() -> tuple[str, ...]:
    """The modules that the extras of this package bring."""
    names = [re.match(r"[\w-]+", line) for line in requires("elysian") or () if "extra ==" in line]
    return tuple({name[0] for name in names if name is not None} - {"elysian"})


def without(*modules: str) -> dict[str, str]:
    """The environment in which `python SCRIPT` lacks these modules."""
    return {**os.environ, "ABSENT": ",".join(modules), "PYTHONPATH": str(SCRIPT.parent.parent)}


def _take_away() -> None:
    for name in filter(None, os.environ.get("ABSENT", "").split(",")):
        sys.modules[name] = None
    if "fcntl" not in os.environ.get("ABSENT", ""):
        return
    for module, names in POSIX_NAMES:
        for name in names:
            if hasattr(module, name):
                delattr(module, name)

    def refuse(*_: object) -> None:
        raise NotImplementedError  # as the event loops of Windows do

    SelectorEventLoop.add_signal_handler = refuse  # type: ignore[method-assign, assignment]


# Also in the processes that the command starts: they run this file again, under another name.
if __name__ in ("__main__", "__mp_main__"):
    _take_away()
if __name__ == "__main__":
    from elysian.__main__ import main

    main()

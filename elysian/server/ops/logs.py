"""Logs: one JSON object a line on the error stream; keys, codes, bids and plans never come near them."""

from __future__ import annotations

import logging
import sys
import time
from typing import TextIO

import msgspec


class Log:
    """Says what happened, for operators."""

    def __init__(self, out: TextIO | None = None) -> None:
        """Write to `out`, else to the error stream."""
        self.out = out

    def say(self, event: str, **facts: object) -> None:
        """One line; signs that could be taken for the end of it are escaped."""
        line = msgspec.json.encode({"at": round(time.time(), 3), "event": event, **facts}, enc_hook=str)
        print(line.decode("utf-8", "replace"), file=self.out or sys.stderr, flush=True)


class Relay(logging.Handler):
    """What libraries have to say, as lines of our own; a traceback's values might be secret."""

    def __init__(self, log: Log) -> None:
        """Hand everything on to `log`."""
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Say the first line of it, and of a mistake its kind and place."""
        facts: dict[str, object] = {"by": record.name, "says": record.getMessage().strip().partition("\n")[0]}
        problem = record.exc_info[1] if record.exc_info else None
        if problem is not None:
            facts |= {"kind": type(problem).__name__, "where": where(problem)}
        self.log.say(record.levelname.lower(), **facts)


def where(problem: BaseException) -> str:
    """The place of a mistake in our own files, without any value that might be secret."""
    trace = problem.__traceback__
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next
    return place

"""Logs: one JSON object a line on the error stream; keys, codes, bids and plans never come near them."""

from __future__ import annotations

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

"""Transcripts: what was asked of a model and what it said, a line of JSON each, written as the game goes on.

A game that is broken off keeps what was paid for. The key of an endpoint is in none of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def transcript_file(record: Path, seat: int) -> Path:
    """Where the transcript of a seat lies: beside the record of its game."""
    return record.with_name(f"{record.stem}.seat-{seat}.transcript.jsonl")


class Transcript:
    """One seat's; without a file nothing is kept."""

    def __init__(self, file: Path | None = None) -> None:
        """Write to the end of `file`."""
        self.file = file

    def add(self, kind: str, **facts: Any) -> None:
        """One line more."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"kind": kind, **facts}, ensure_ascii=False) + "\n")

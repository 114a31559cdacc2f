"""Upcast: a line stored by any earlier version is lifted to today's format before it is read.

Games are stored for ever, and a game that is running goes on under a new version. So the format stands with
every line, not only with the table: old lines stay as they were written, new ones follow in the new format. A
line without a mark is of the first format. What lifts a line is the same as for records (elysian.record).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from elysian import record
from elysian.server.table_state.events import Line

FIRST = 1
_MARK = re.compile(rb'\{"format":([0-9]{1,6}),')
_LINE = msgspec.json.Decoder(Line)
_ENCODER = msgspec.json.Encoder()


def encode_line(line: Line) -> bytes:
    """A line as it is stored, with the mark of today's format unless that is the first."""
    raw = _ENCODER.encode(line)
    return raw if record.FORMAT == FIRST else b'{"format":%d,' % record.FORMAT + raw[1:]


def decode_line(raw: bytes) -> Line:
    """A stored line of any format; raises ValueError when it cannot be read."""
    mark = _MARK.match(raw)
    if mark is None:
        return _LINE.decode(_lifted(raw, FIRST))
    return _LINE.decode(_lifted(b"{" + raw[mark.end() :], int(mark[1])))


def _lifted(raw: bytes, version: int) -> bytes:
    if not FIRST <= version <= record.FORMAT:
        raise ValueError(f"format {version} is not known here (the newest is {record.FORMAT})")
    if version == record.FORMAT:
        return raw
    line = msgspec.json.decode(raw)
    for older in range(version, record.FORMAT):
        line = _lift(record.UPCASTERS[older], line)
    return msgspec.json.encode(line)


def _lift(upcaster: Any, line: dict[str, Any]) -> dict[str, Any]:
    """One step up; how a game started is the head of a record, but an event among others in a log."""
    lifted: dict[str, Any] = upcaster(line)
    events = [
        upcaster({"started": event})["started"] if event.get("kind") == "game_started" else event
        for event in lifted.get("events", ())
    ]
    return {**lifted, "events": events} if events else lifted

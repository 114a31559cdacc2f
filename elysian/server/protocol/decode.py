"""Decode: how strictly a frame or a body is read, and what is said of one that does not fit."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import FromClient

LONGEST_NUMBER = 15  # digits

_FRAME = msgspec.json.Decoder(FromClient)
_ID = re.compile(r'"id"\s*:\s*"([A-Za-z0-9_-]{8,64})"')


def id_in(frame: str) -> str | None:
    """The id of a frame that could not be read, so that its refusal finds its way."""
    found = _ID.search(frame)
    return found[1] if found else None


def read_frame(frame: str | bytes) -> FromClient:
    """The message in a frame; raises Refused that says what is wrong with it."""
    return read(_FRAME, frame)  # type: ignore[no-any-return]


def read(decoder: msgspec.json.Decoder[Any], text: str | bytes) -> Any:
    """Decode strictly; raises Refused: bad_json, bad_text, out_of_range, or what does not fit where."""
    try:
        text = text if isinstance(text, str) else text.decode()
        raw = text.encode()
    except UnicodeError:
        raise Refused("bad_text", status=400) from None
    try:
        _STRICT.decode(text)
        return decoder.decode(raw)
    except msgspec.ValidationError as problem:
        raise misfit(str(problem)) from None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("bad_text" if _HALF.search(raw) else "bad_json", status=400) from None


def _once(pairs: list[tuple[str, Any]]) -> None:
    """Both of two equal keys might be meant, so neither is believed; msgspec would take the last."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")


def _bounded(digits: str) -> None:
    """A page holds whole numbers of fifteen digits; Python would hold, and take its time over, any."""
    if len(digits) > LONGEST_NUMBER:
        raise Refused("out_of_range", status=400, what="", where=f"{digits[:LONGEST_NUMBER]}…")


# The standard library walks the text first, for what msgspec has no word for; its result is thrown away.
_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_int=_bounded)
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # half of a sign, perhaps without its other half


# What msgspec says of a value that does not fit, and what we call it.
_MISFITS = (
    (re.compile(r"contains unknown field `(?P<what>[^`]{0,40})"), "unknown_field"),
    (re.compile(r"Invalid value '(?P<what>[^']{0,40})"), "unknown_command"),
    (re.compile(r"missing required field `(?P<what>[^`]{0,40})"), "missing_field"),
    (re.compile(r"(?:>= |<= |out of range|too big|too large)"), "out_of_range"),
    (re.compile(r"of length|matching regex"), "out_of_range"),
)
_WHERE = re.compile(r"at `\$\.?(?P<where>[^`]*)`")


def misfit(problem: str) -> Refused:
    """A refusal for a message of the wrong shape."""
    place = _WHERE.search(problem)
    where = place["where"] if place else ""
    for pattern, code in _MISFITS:
        found = pattern.search(problem)
        if found:
            if code == "unknown_command" and not where.endswith("kind"):
                code = "bad_value"
            what = found.groupdict().get("what") or ""
            return Refused(code, status=400, what=what, where=where)
    return Refused("bad_type", status=400, what="", where=where)

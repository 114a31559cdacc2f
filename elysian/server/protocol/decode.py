"""Reading: how strictly a frame or a body is read, and what is said of one that does not fit."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from elysian.server.ops.errors import Refused
from elysian.server.protocol.messages import FromClient

DEEPEST = 32  # of a frame's brackets

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
    """Decode strictly; raises Refused: bad_json, bad_text, duplicate_key, or what does not fit where."""
    try:
        raw = text.encode() if isinstance(text, str) else text
        raw.decode()
    except UnicodeError:
        raise Refused("bad_text", status=400) from None
    _check_shape(raw)
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as problem:
        raise misfit(str(problem)) from None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("bad_text" if _HALF.search(raw) else "bad_json", status=400) from None


def _check_shape(raw: bytes) -> None:
    """Refuse deep nesting before it is walked, numbers no page could hold, and keys that are given twice."""
    if _LONG.search(raw) and (number := _LONG.search(_STRING.sub(b"", raw))):
        raise Refused("out_of_range", status=400, what="", where=f"{number[0].decode()}…")
    if _is_deep(raw) and _is_deep(_STRING.sub(b"", raw)):
        raise Refused("bad_json", status=400)
    if raw.count(b":") > 1:
        _check_keys(raw)


def _is_deep(raw: bytes) -> bool:
    depth = 0
    for sign in raw.translate(None, _NO_BRACKETS):
        depth += 1 if sign in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # half of a sign, perhaps without its other half
# A string that is never closed goes to the end, so that nothing is looked through twice.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_LONG = re.compile(rb"[0-9]{16}")
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in b"[]{}")
_TOKEN = re.compile(_STRING.pattern + rb"|[{}\[\],:]", re.DOTALL)


def _check_keys(raw: bytes) -> None:
    """Both of two equal keys might be meant, so neither is believed."""
    open_objects: list[set[bytes] | None] = []
    last: bytes | None = None
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token == b"{":
            open_objects.append(set())
        elif token == b"[":
            open_objects.append(None)
        elif token in (b"}", b"]"):
            if open_objects:
                open_objects.pop()
        elif token == b":" and last is not None and open_objects:
            keys = open_objects[-1]
            if keys is not None:
                key = _spelled_out(last)
                if key in keys:
                    raise Refused("bad_json", status=400)
                keys.add(key)
        last = token


def _spelled_out(key: bytes) -> bytes:
    """A key without escapes, as it is meant."""
    if b"\\" not in key:
        return key
    try:
        return b'"' + msgspec.json.decode(key, type=str).encode() + b'"'
    except (msgspec.MsgspecError, ValueError):
        raise Refused("bad_json", status=400) from None


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

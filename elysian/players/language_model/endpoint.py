"""An endpoint of the chat-completions protocol, asked over HTTP with what Python brings.

One request at a time, in whole: there is nothing a package would add but its size.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any

from msgspec import Struct

LARGEST = 1 << 20  # bytes of an answer that are read
TRIES = 3  # of a request that fails for a reason that may pass
PAUSE = 1.0  # seconds before the second try; before the third twice as long
LONGEST_PAUSE = 20.0  # an endpoint that asks for more is not waited for
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class EndpointFailed(Exception):  # noqa: N818 - says what it is
    """The endpoint gave no usable answer; the message is a sentence without anything secret in it."""


class Call(Struct, frozen=True):
    """A tool call as the model made it."""

    id: str
    name: str
    arguments: dict[str, Any]
    problem: str = ""  # what is wrong with its arguments; empty: nothing


class Completion(Struct, frozen=True):
    """One answer of a model."""

    message: dict[str, Any]  # as it is sent back to the model with the next question
    text: str
    calls: tuple[Call, ...]
    prompt_tokens: int
    completion_tokens: int
    estimated: bool  # the endpoint did not say; four characters count as a token


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key goes to the host that was named, and to no other."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Whatever the answer says, nothing is sent elsewhere."""
        return


class Endpoint:
    """Where a model is asked."""

    def __init__(
        self, url: str, model: str, key: str = "", sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Ask `model` at `url`; an empty key is not sent."""
        self.url = url if url.endswith("/chat/completions") else f"{url}/chat/completions"
        self.model = model
        self._key = key
        self._sleep = sleep
        self._opener = urllib.request.build_opener(NoRedirects)

    def complete(
        self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seconds: float
    ) -> Completion:
        """The model's answer within so many seconds; raises EndpointFailed."""
        body = json.dumps(
            {"model": self.model, "messages": list(messages), "tools": list(tools)}, ensure_ascii=False
        ).encode()
        until = time.monotonic() + seconds
        for attempt in range(TRIES):
            try:
                return self._read(self._post(body, until), body)
            except _Passing as failed:
                pause = max(PAUSE * 2**attempt, failed.after)
                over = attempt == TRIES - 1 or pause > LONGEST_PAUSE
                if over or time.monotonic() + pause >= until:
                    raise EndpointFailed(str(failed)) from None
                self._sleep(pause)
        raise AssertionError("unreachable")

    def _post(self, body: bytes, until: float) -> bytes:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self.url, data=body, headers=headers, method="POST")
        try:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            with self._opener.open(request, timeout=left) as answer:
                return self._whole(answer, until)
        except urllib.error.HTTPError as refused:
            with refused:
                said = f"the endpoint answers {refused.code}{self._why(refused)}"
                if refused.code in PASSING:
                    raise _Passing(said, _seconds(refused.headers.get("retry-after"))) from None
            raise EndpointFailed(said) from None
        except TimeoutError:
            raise EndpointFailed("the endpoint takes too long") from None
        except (OSError, HTTPException, ValueError) as problem:
            reason = getattr(problem, "reason", problem)
            if isinstance(reason, TimeoutError):
                raise EndpointFailed("the endpoint takes too long") from None
            raise _Passing(f"the endpoint cannot be reached ({self._hidden(str(reason))[:80]})") from None

    def _whole(self, answer: Any, until: float) -> bytes:
        """The body; one that comes in drops is not waited for, nor one that never ends."""
        parts: list[bytes] = []
        size = 0
        while part := answer.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > LARGEST:
                raise EndpointFailed("the endpoint's answer does not end")
            if time.monotonic() > until:
                raise TimeoutError
        return b"".join(parts)

    def _why(self, refused: urllib.error.HTTPError) -> str:
        """What an endpoint says about a refusal, shortened; some repeat the key they were sent."""
        try:
            said = json.loads(refused.read(4096))["error"]
            text = str(said["message"] if isinstance(said, dict) else said)
        except (ValueError, LookupError, TypeError, OSError, HTTPException):
            return ""
        return f": {self._hidden(text)[:120]}"

    def _hidden(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text

    def _read(self, raw: bytes, body: bytes) -> Completion:
        try:
            answer = json.loads(raw)
            message = answer["choices"][0]["message"]
            text = message.get("content") or ""
            calls = tuple(_call(n, one) for n, one in enumerate(message.get("tool_calls") or ()))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise EndpointFailed("the endpoint's answer cannot be read") from None
        text = text if isinstance(text, str) else ""
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        return Completion(
            message={
                "role": "assistant",
                "content": text,
                **({"tool_calls": message["tool_calls"]} if calls else {}),
            },
            text=text,
            calls=calls,
            prompt_tokens=len(body.decode()) // 4 if prompt is None else prompt,
            completion_tokens=len(raw) // 4 if completion is None else completion,
            estimated=prompt is None or completion is None,
        )


class _Passing(Exception):  # noqa: N818 - says what it is
    """A failure that may have passed in a moment."""

    def __init__(self, said: str, after: float = 0.0) -> None:
        super().__init__(said)
        self.after = after


def _call(n: int, one: dict[str, Any]) -> Call:
    function = one["function"]
    name, given = str(function["name"]), function.get("arguments") or {}
    try:
        arguments = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return Call(str(one.get("id", n)), name, {}, "The arguments are not JSON.")
    if not isinstance(arguments, dict):
        return Call(str(one.get("id", n)), name, {}, "The arguments are not an object.")
    return Call(str(one.get("id", n)), name, arguments)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _seconds(header: str | None) -> float:
    return float(header) if header is not None and header.isdecimal() and len(header) < 6 else 0.0

"""The tasks of a page, read from the browser's trace: how long each took, what it had heard, what it did.

On a busy machine a task waits for its turn; so what the page itself needs is told by the processor's time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

CATEGORIES = ["toplevel", "blink.user_timing", "devtools.timeline"]
LONG = 50.0  # ms: what browsers call a long task
WORTH_TELLING = 10.0  # ms of the processor
HEARD = "heard "  # how tools/web_watch.js marks what came in
TASK = "ThreadControllerImpl::RunTask"
WORK = {
    name: work
    for work, names in {
        "script": (
            *("FunctionCall", "v8.callFunction", "TimerFire", "EvaluateScript", "RunMicrotasks"),
            *("BlinkScheduler_PerformMicrotaskCheckpoint", "EventDispatch"),
        ),
        "style": ("UpdateLayoutTree",),
        "layout": ("Layout", "HitTest"),
        "paint": ("PrePaint", "Paint", "Layerize"),
        "memory": ("MinorGC", "MajorGC"),
        "markup": ("ParseHTML",),
    }.items()
    for name in names
}


class Task(NamedTuple):
    """One of them; all times in milliseconds."""

    at: float  # since the trace began
    clock: float
    processor: float
    heard: tuple[str, ...]
    did: dict[str, float]  # of the processor's time, the longest first

    def __str__(self) -> str:
        did = ", ".join(f"{what} {ms:.0f}" for what, ms in self.did.items() if ms >= 1)
        heard = "; ".join(self.heard) or "nothing heard"
        took = f"{self.clock:.0f} ms, {self.processor:.0f} of them worked ({did or 'nothing'})"
        return f"{took}, at {self.at / 1000:.1f} s: {heard}"


def heavy_tasks(trace: bytes) -> list[Task]:
    """Those that took long or worked for some time, of the thread that hears; the heaviest first."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    marks = [one for one in events if one["name"].startswith(HEARD) and one["ph"] in "IR"]
    threads = Counter((one["pid"], one["tid"]) for one in marks)
    if not threads:
        return []
    (main, _), began = threads.most_common(1)[0], min(one["ts"] for one in events if one.get("ts"))
    done = [one for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) == main]
    found = [
        Task(
            at=(task["ts"] - began) / 1000,
            clock=task["dur"] / 1000,
            processor=task.get("tdur", 0) / 1000,
            heard=tuple(
                dict.fromkeys(one["name"].removeprefix(HEARD) for one in marks if _within(one, task))
            ),
            did=_did(task, [one for one in done if one is not task and _within(one, task)]),
        )
        for task in done
        if task["name"] == TASK
        and (task.get("dur", 0) > 1000 * LONG or task.get("tdur", 0) > 1000 * WORTH_TELLING)
    ]
    return sorted(found, key=lambda one: -one.processor)


def _within(one: dict[str, Any], task: dict[str, Any]) -> bool:
    return bool(task["ts"] <= one["ts"] <= task["ts"] + task["dur"])


def _did(task: dict[str, Any], parts: list[dict[str, Any]]) -> dict[str, float]:
    """The processor's time by kind of work; what a part calls counts for what it called."""
    did: Counter[str] = Counter()
    for part, inner in _nested(task, sorted(parts, key=lambda one: (one["ts"], -one["dur"]))):
        did[WORK.get(part["name"], "other")] += part.get("tdur", 0) - inner
    return {what: us / 1000 for what, us in did.most_common()}


def _nested(task: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], float]]:
    """Each part with the processor's time of those it called."""
    open_parts: list[list[Any]] = [[task, 0.0]]
    for part in parts:
        while len(open_parts) > 1 and not _within(part, open_parts[-1][0]):
            yield _closed(open_parts)
        open_parts.append([part, 0.0])
    while open_parts:
        yield _closed(open_parts)


def _closed(open_parts: list[list[Any]]) -> tuple[dict[str, Any], float]:
    part, inner = open_parts.pop()
    if open_parts:
        open_parts[-1][1] += part.get("tdur", 0)
    return part, inner

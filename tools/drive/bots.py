"""Bots as programs see the server: a token, requests that carry it, streams read line by line."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from typing import Any

from tools.drive.server import Browser, Reply, Served
from tools.drive.waiting import PATIENCE

CAUTIOUS = (
    *("lay_plan", "place_bid", "give_gifts", "discard_colonies"),
    *("buy", "pass", "choose_handicap", "done"),
)


class Bot(Browser):
    """Somebody who shows a token instead of a cookie."""

    def __init__(self, served: Served, token: str) -> None:
        super().__init__(served)
        self.token = token
        self.statuses: list[int] = []

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        reply = super().ask(method, path, body, Authorization=f"Bearer {self.token}", Origin="", **headers)
        self.statuses.append(reply.status)
        return reply

    def stream(self, path: str = "/api/stream") -> Stream:
        return Stream(self, path)


class Stream:
    """An open stream."""

    def __init__(self, bot: Bot, path: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", bot.served.port, timeout=PATIENCE)
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {bot.token}"})
        self.answer = self.connection.getresponse()
        bot.statuses.append(self.answer.status)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        deadline = time.monotonic() + PATIENCE
        for line in self.answer:
            if line.strip():
                yield json.loads(line)
                deadline = time.monotonic() + PATIENCE
            assert time.monotonic() < deadline, "the stream is open and tells nothing"

    def until(self, kind: str, **facts: Any) -> dict[str, Any]:
        for told in self:
            if told["kind"] == kind and all(told.get(name) == fact for name, fact in facts.items()):
                return told
        raise AssertionError(f"the stream ended without {kind}")

    def close(self) -> None:
        self.answer.close()
        self.connection.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def made(person: Browser, name: str = "Botty", *scopes: str) -> Bot:
    """A bot of a person."""
    reply = person.post("/api/me/tokens", {"name": name, **({"scopes": scopes} if scopes else {})})
    assert reply.status == 200, reply.raw
    return Bot(person.served, reply.json["token"])


def cautious(needs: dict[str, Any]) -> dict[str, Any] | None:
    """The ready-made action of a need."""
    actions = [choice["action"] for choice in needs["options"]["choices"]]
    ready = (one for kind in CAUTIOUS for one in actions if one["kind"] == kind)
    found: dict[str, Any] | None = needs["options"]["must"] or next(ready, None)
    return found

"""A model's endpoint on this machine: real HTTP, and a mind that is a function of the tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import msgspec

from elysian.actions import Action
from elysian.options import Options
from elysian.players import Player
from elysian.players.language_model.name import seated_model
from elysian.players.language_model.player import LanguageModel
from elysian.view import View

Mind = Callable[[dict[str, Any]], Any]


class Refusal(Exception):  # noqa: N818 - an answer of HTTP that is no completion
    def __init__(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}


class Stub:
    """What was asked, and where."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    @property
    def name(self) -> str:
        return f"llm:stub@{self.url}"


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": tool, "arguments": json.dumps(arguments)},
    }


def says(*calls: dict[str, Any], text: str = "") -> dict[str, Any]:
    """A message of the model with these tool calls."""
    numbered = [{**one, "id": f"call_{n}"} for n, one in enumerate(calls, start=1)]
    return {"role": "assistant", "content": text or None, **({"tool_calls": numbered} if calls else {})}


@contextmanager
def serving_model(mind: Mind) -> Iterator[Stub]:
    """Answer completions with what the mind says; four characters of the request count as a token."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            body = json.loads(raw)
            stub.asked.append(body)
            stub.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                message = mind(body)
            except Refusal as refusal:
                self._answer(refusal.status, refusal.body, refusal.headers)
                return
            usage = {"prompt_tokens": len(raw.decode()) // 4, "completion_tokens": len(str(message)) // 4}
            answer = {"choices": [{"message": message}], "usage": usage}
            self._answer(200, json.dumps(answer).encode(), {"content-type": "application/json"})

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        stub = Stub(f"http://127.0.0.1:{server.server_port}/v1")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join()


class Shadowed(LanguageModel):
    """A model's seat whose model thinks as another player does: it acts as often, and as well."""

    def __init__(self, name: str, player: Player, minds: dict[str, Shadowed]) -> None:
        super().__init__(seated_model(name))
        self.player = player
        self.asks: tuple[View, Options, Random] | None = None
        minds[name] = self

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        self.asks = view, options, rng
        return super().choose(view, options, rng)


def shadow(minds: dict[str, Shadowed], body: dict[str, Any]) -> dict[str, Any]:
    """What the other player does on the same view, as a tool call."""
    seat = minds[f"llm:{body['model']}"]
    assert seat.asks is not None
    action = seat.player.choose(*seat.asks)
    return says(call("wait") if action is None else call("act", action=msgspec.to_builtins(action)))

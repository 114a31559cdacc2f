"""What pages ask after an update: the page's own rule, web/src/lib/asking.ts, run by Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from elysian.deals import Seat
from tools import build_web


class Asking:
    """Pages that lay updates into their views and say what they would ask."""

    def __init__(self, node: subprocess.Popen[bytes]) -> None:
        """Talk to a Node that runs web/asking.mjs."""
        self._node = node

    def open(self, page: int, view: object) -> None:
        """A page has got its first whole view."""
        self._say({"page": page, "view": view})

    def after(self, page: int, you: Seat, changes: object, help: Literal["both", "own", "off"]) -> list[str]:
        """What a page asks when these changes have come."""
        self._say({"page": page, "you": you, "changes": changes, "help": help})
        assert self._node.stdout is not None
        questions: list[str] = json.loads(self._node.stdout.readline())
        return questions

    def _say(self, told: dict[str, Any]) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(msgspec.json.encode(told) + b"\n")
        self._node.stdin.flush()


@contextmanager
def asking() -> Iterator[Asking]:
    """Pages for as long as they are needed; raises NoPage where there is no Node."""
    found = build_web.node()
    if found is None:
        raise build_web.NoPage("It takes a Node to run the page's rules.")
    build_web.install(dev=False)
    with subprocess.Popen(
        [found[0], "asking.mjs"], cwd=build_web.WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as node:
        yield Asking(node)
        assert node.stdin is not None
        node.stdin.close()

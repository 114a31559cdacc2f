"""Kept: what takes long to work out and will never be another is worked out once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any


class Kept:
    """Results by name, those longest unasked for forgotten first; of many who ask at once, one works."""

    def __init__(self, most: int) -> None:
        """Keep the results of `most` names."""
        self._most = most
        self._found: OrderedDict[str, Any] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[Any]] = {}

    async def get(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """The result of that name, made if it is not kept; raises what making it raises, and keeps none."""
        if name in self._found:
            self._found.move_to_end(name)
            return self._found[name]
        if name not in self._under_way:
            self._under_way[name] = asyncio.create_task(self._make(name, make))
            self._under_way[name].add_done_callback(lambda _: self._under_way.pop(name, None))
        return await asyncio.shield(self._under_way[name])

    async def _make(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        self._found[name] = found = await make()
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        return found

"""The same shards on a Ray cluster, whose machines have Elysian installed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from elysian.sim.shards import Played, Task, Workers, play_shard

STARTS = 4  # so often a cluster of our own is started: Ray waits 30 s for it, which a busy machine may need
AHEAD = 4  # shards asked for in advance, for every one being played


@contextmanager
def connected(address: str, jobs: int) -> Iterator[Workers]:
    """Workers on the cluster at an address; "local" starts one of `jobs` workers on this machine."""
    import ray

    if address == "local":
        settings = {"num_cpus": jobs, "include_dashboard": False}
        _join(ray, address, settings, STARTS)
    else:
        _join(ray, address, {}, 1)
    try:
        yield lambda shards: _from(ray, shards)
    finally:
        ray.shutdown()


def _join(ray: Any, address: str, settings: dict[str, Any], tries: int) -> None:
    """Connect; raises ValueError with a sentence."""
    for left in reversed(range(tries)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **settings)
            return
        except Exception as problem:  # a node that is late is told by nothing more special
            ray.shutdown()
            if not left:
                raise ValueError(f"No Ray cluster answers at {address} ({problem}).") from None


def _from(ray: Any, shards: Iterable[tuple[int, tuple[Task, ...]]]) -> Iterator[Played]:
    """Hand shards out a few at a time, so that a million of them need no memory here."""
    play = ray.remote(num_cpus=1)(play_shard)
    at_once = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: list[Any] = []
    for number, tasks in shards:
        waiting.append(play.remote(number, tasks))
        if len(waiting) >= at_once:
            (ready,), waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(ready)
    while waiting:
        (ready,), waiting = ray.wait(waiting, num_returns=1)
        yield ray.get(ready)


__all__ = ["connected"]

"""A server that deals every table alike: `python -m tools.drive.dealt_alike serve …`.

Whoever does not choose a species gets the same one at every table of as many seats, and the decks lie in the
same order, so what a test sees does not depend on chance. Whether chance is fair is told by other tests.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import partial
from random import Random
from typing import Any

from elysian.server.edge import main as edge
from elysian.server.ops.settings import ServerSettings
from elysian.server.server import Server

# Nobody at a table of up to five is dealt a species without ships, for which the table would bid by itself.
SEED = 37


class Alike(Random):
    """Chance that comes out the same whenever a table asks; how long bots think still varies."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """One order for so many things."""
        Random(SEED).shuffle(x)

    def choice(self, seq: Any) -> Any:
        """One of these things, always the same."""
        return Random(SEED).choice(seq)

    def getrandbits(self, k: int, /) -> int:
        """One number of this size."""
        return Random(SEED).getrandbits(k)


def dealing_alike(settings: ServerSettings) -> Server:
    """The server with this chance."""
    return Server(settings, chance=Alike())


if __name__ == "__main__":
    from elysian.cli import main

    edge.run = partial(edge.run, make=dealing_alike)
    main()

"""Chain: each stored line carries a digest of itself and of the one before it, back to the first.

Bytes that have changed on the disk or in a backup often still make a line that can be read, but it no longer
fits the chain. Whoever changes a line on purpose must change every digest after it, and cannot change the
digest of the whole backup that was told when it was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from elysian.server.table_state.fold import Damaged

SIZE = 16  # bytes


def link(game: str, before: bytes | None, raw: bytes) -> bytes:
    """The digest of a line; `before` is that of the line before it, None where that has none."""
    return blake2b(raw, digest_size=SIZE, key=before or game.encode()).digest()


def check_link(game: str, n: int, before: bytes | None, raw: bytes, found: bytes | None) -> None:
    """Whether a line is as it was stored; raises Damaged. Lines from before there were digests have none."""
    if found is None:
        if before is not None:
            raise Damaged(f"table {game}, line {n}: its digest is missing")
    elif found != link(game, before, raw):
        raise Damaged(f"table {game}, line {n}: it is not what was stored")


def links(game: str, before: bytes | None, lines: Iterable[bytes]) -> list[bytes]:
    """The digests of lines that follow one another."""
    found: list[bytes] = []
    for raw in lines:
        before = link(game, before, raw)
        found.append(before)
    return found

"""Matching: who hands what to whom, when it is known what everybody gives and gets."""

from __future__ import annotations


def match(
    free: dict[int, int],
    get: dict[int, int],
    out: dict[int, int],
    donation: dict[tuple[int, int], dict[str, int]],
    goods: dict[tuple[int, int], dict[str, int]],
    kind: str,
) -> None:
    """Pair off those who give with those who get, piece by piece; nobody gives to himself."""
    seats = {*free, *get, *out}
    get, free, out = ({seat: some.get(seat, 0) for seat in seats} for some in (get, free, out))
    while any(get.values()):
        # Whoever has most left to give and to get comes first, so that nobody is left with himself alone.
        tight = max(sorted(seats), key=lambda seat: get[seat] + free[seat] + out[seat])
        others = sorted(seats - {tight})
        if get[tight]:
            giver, to = max(others, key=lambda seat: free[seat] + out[seat]), tight
        else:
            giver, to = tight, max(others, key=get.__getitem__)
        source, into = (free, donation) if free[giver] else (out, goods)
        if not source[giver] or not get[to]:
            return  # only somebody's own goods are left for him
        pair = into.setdefault((giver, to), {})
        pair[kind] = pair.get(kind, 0) + 1
        source[giver] -= 1
        get[to] -= 1

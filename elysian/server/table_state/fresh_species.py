"""Fresh species: a deal in which nobody gets what they lately played; and a rematch in which all move on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from elysian.server.table_state.state import Lobby

BACK = 9  # games of a person that are looked back on


def rotated(lobby: Lobby) -> tuple[str, ...]:
    """The species of a game, each at the next seat; none where no game was begun."""
    species = tuple(chair.species for chair in lobby.chairs if chair.species)
    return (species[-1], *species[:-1]) if len(species) == len(lobby.chairs) else ()


def fresh_deal(
    people: Sequence[str | None],
    allowed: Sequence[str],
    played: Mapping[str, Sequence[str]],
    chance: Random,
) -> tuple[str, ...]:
    """A species for each seat, none twice: nobody gets what they played in as many last games as can be.

    `played` has what a person played, the latest first; None at a seat is a bot, which takes anything.
    """
    for back in range(BACK, -1, -1):
        late = [() if who is None else tuple(played.get(who, ()))[:back] for who in people]
        wishes = [[name for name in allowed if name not in some] for some in late]
        for one in wishes:
            chance.shuffle(one)
        dealt = _matched(wishes)
        if dealt is not None:
            return dealt
    raise AssertionError("there are enough species for the seats")


def _matched(wishes: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """One of the wishes of each seat, none twice, by augmenting paths; None: there is no such deal."""
    taken: dict[str, int] = {}

    def place(seat: int, tried: set[str]) -> bool:
        for name in wishes[seat]:
            if name in tried:
                continue
            tried.add(name)
            if name not in taken or place(taken[name], tried):
                taken[name] = seat
                return True
        return False

    if not all(place(seat, set()) for seat in range(len(wishes))):
        return None
    by_seat = {seat: name for name, seat in taken.items()}
    return tuple(by_seat[seat] for seat in range(len(wishes)))

"""Records the games of games/: random seats at every size of table, in every edition, with every option.

A game that games/superseded.md lists is kept as it is; its successor gets a new name.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any, get_args

from msgspec import Struct

from elysian.deck import CATALOG
from elysian.players.random.player import RandomPlayer
from elysian.record import dump
from elysian.sim import play_game
from elysian.state import Edition, Handicap, Settings

GAMES = Path(__file__).resolve().parent.parent / "games"
LISTED = re.compile(r"^- `([^`]+\.jsonl)`: \S", re.MULTILINE)


class Game(Struct, frozen=True):
    """One game to be recorded."""

    name: str
    players: int
    edition: Edition = "2020"
    options: dict[str, Any] = {}
    offers: int = 3
    asleep: float = 0.0

    def settings(self) -> Settings:
        """The table: species drawn by the game's name."""
        species = Random(self.name).sample(sorted(CATALOG.species), self.players)
        return Settings(species=tuple(species), edition=self.edition, **self.options)


def wanted() -> list[Game]:
    """Every size and edition, and a game for every option."""
    plain = [
        Game(f"{players}-players-{edition}", players, edition)
        for players in range(4, 10)
        for edition in get_args(Edition)
    ]
    coloured = (Handicap(0, 1, "green"), Handicap(2, -1, "white"))
    chosen = (Handicap(1, 1), Handicap(3, -1))
    return [
        *plain,
        Game("three-players", 3, options={"allow_three": True}),
        Game("precise-2017", 5, "2017", {"precise_scoring": True}),
        Game("precise-2020", 4, "2020", {"precise_scoring": True, "handicaps": coloured}),
        Game("handicaps-chosen", 5, "de2021", {"handicaps": chosen, "precise_scoring": True}),
        Game("private-offers", 6, options={"private_offers": True}, offers=5),
        Game("timed", 5, options={"trade_minutes": 2}),
        Game("timed-softly", 5, "de2021", {"trade_minutes": 2}),
        Game("asleep", 7, options={"trade_minutes": 10}, asleep=0.15),
        Game("asleep-chosen", 4, "de2021", {"handicaps": (Handicap(0, -1),)}, asleep=0.4),
    ]


def superseded(games: Path = GAMES) -> set[str]:
    """The files that today's rules would decide otherwise, each listed with its reason."""
    listing = games / "superseded.md"
    return set(LISTED.findall(listing.read_text(encoding="utf-8"))) if listing.exists() else set()


def file_name(game: Game, kept: set[str]) -> str:
    """The game's file, or the first successor that is not kept as it is."""
    name, n = f"{game.name}.jsonl", 1
    while name in kept:
        n += 1
        name = f"{game.name}-{n}.jsonl"
    return name


def main() -> None:
    """Play every game and write it."""
    kept = superseded()
    total = 0
    for game in wanted():
        settings = game.settings()
        players = [RandomPlayer(offers=game.offers, asleep=game.asleep) for _ in settings.species]
        result = play_game(settings, game.name, players, game.name)
        content = dump(result.record)
        name = file_name(game, kept)
        (GAMES / name).write_bytes(content)
        total += len(content)
        print(f"{name:<32}{result.counts.actions:>6} actions{len(content) // 1024:>6} kB")
    print(f"{total // 1024} kB in all")


if __name__ == "__main__":
    main()

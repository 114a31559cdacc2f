"""What a worker process does for a bot: it remembers its player, and lets it choose."""

from __future__ import annotations

from random import Random

from elysian.actions import Action
from elysian.deals import Seat
from elysian.options import Options
from elysian.players import Player
from elysian.players.levels import make
from elysian.players.trader.company import Company
from elysian.players.trader.player import Trader
from elysian.view import View

REMEMBERED = 400  # players one process keeps

_players: dict[tuple[str, Seat, str, frozenset[Seat], str], tuple[Player, Random]] = {}


def choose(
    game: str, chance: str, level: str, company: Company, language: str, view: View, options: Options
) -> Action | None:
    """What the bot at a seat does; it remembers what it did before, as long as this process lives.

    `chance` is secret: whoever knew it could choose for the bot, and would know its bid before it is shown.
    """
    assert view.seat is not None
    key = game, view.seat, level, company.people, language
    if key not in _players:
        while len(_players) >= REMEMBERED:
            del _players[next(iter(_players))]
        _players[key] = make(level, company.people, language), Random(f"{chance}/{view.turn}")
    player, rng = _players[key]
    if isinstance(player, Trader):
        player.company = company
    return player.choose(view, options, rng)

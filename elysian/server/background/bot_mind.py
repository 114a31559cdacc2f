"""What a bot does where it thinks: its player is remembered, told what happened, and asked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from elysian.actions import Action
from elysian.options import Options
from elysian.players import Heard, Listener, Player
from elysian.players.language_model.transcript import transcript_file
from elysian.players.levels import is_model, make
from elysian.players.trader.company import Company
from elysian.players.trader.player import Trader
from elysian.view import View

REMEMBERED = 400  # players one process keeps

_players: dict[tuple[Any, ...], tuple[Player, Random]] = {}
_lock = Lock()  # language models are asked in threads of one process


def choose(
    game: str,
    chance: str,
    level: str,
    company: Company,
    language: str,
    view: View,
    options: Options,
    heard: tuple[Heard, ...] = (),
    transcripts: str = "",
) -> Action | None:
    """What the bot at a seat does; it remembers what it did before, as long as this process lives.

    `chance` is secret: whoever knew it could choose for the bot, and would know its bid before it is shown.
    `heard` is what happened since it was last asked, for those who listen.
    """
    assert view.seat is not None
    # Who comes and goes must not give a model its budget anew.
    key = (game, view.seat, level) if is_model(level) else (game, view.seat, level, company.people)
    with _lock:
        if key not in _players:
            while len(_players) >= REMEMBERED:
                del _players[next(iter(_players))]
            file = transcript_file(Path(transcripts, f"{game}.jsonl"), view.seat) if transcripts else None
            _players[key] = make(level, company.people, language, file), Random(f"{chance}/{view.turn}")
        player, rng = _players[key]
    if isinstance(player, Trader):
        player.company = company
    if isinstance(player, Listener):
        for one in heard:
            player.hear(one)
    return player.choose(view, options, rng)

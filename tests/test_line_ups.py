"""Bots finish every game: all line-ups of species, in all editions, without an illegal action or a stall."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations

import pytest

from elysian.actions import ProposeDeal, WithdrawDeal
from elysian.players.levels import make
from elysian.players.trader.level import LEVELS
from elysian.record import Record
from elysian.rules import begin, evolve
from elysian.sim import Result, play_game
from elysian.state import TURNS, Settings
from tests.support.campaign import Campaign
from tests.support.driver import EDITIONS, SPECIES

SOAK = os.environ.get("ELYSIAN_SOAK") == "1"
LINE_UPS = [some for n in range(4, 10) for some in combinations(SPECIES, n)]
PARTS = 8  # the games are shared out, so that several processes can play them
SHARE = 1 if SOAK else 13  # of the line-ups, every so many are played: no multiple of the number of editions
STANDARD = range(100) if SOAK else (0, 1, 61, 95)  # the last two once asked for what they could not have


def finished(species: tuple[str, ...], number: int, level: str) -> Result:
    """A game between bots of one level, all turns played, everything they asked for allowed."""
    edition = EDITIONS[number % len(EDITIONS)]
    players = [make(level) for _ in species]
    result = play_game(Settings(species=species, edition=edition), f"line-up/{number}", players, number)
    assert result.counts.refusals == 0, (number, species)
    assert len(result.scores) == len(species)
    assert any(score.winner for score in result.scores)
    return result


def offers_a_turn(record: Record) -> int:
    """The most offers a seat made in one turn, less those it took back because others had come first."""
    state = begin(record.head.started)
    made: Counter[tuple[int | None, int]] = Counter()
    for entry in record.entries:
        made[entry.seat, state.turn] += isinstance(entry.action, ProposeDeal)
        made[entry.seat, state.turn] -= isinstance(entry.action, WithdrawDeal)
        for event in entry.events:
            state = evolve(state, event)
    assert state.turn == TURNS
    return max(made.values())


def share(part: int) -> range:
    """The numbers of the line-ups that one part plays."""
    return range(part * SHARE, len(LINE_UPS), PARTS * SHARE)


def test_there_are_382_line_ups() -> None:
    assert len(LINE_UPS) == 382


def test_every_size_is_played_in_every_edition_however_few_line_ups_are() -> None:
    played = {(len(LINE_UPS[n]), n % len(EDITIONS)) for part in range(PARTS) for n in share(part)}
    assert played >= {(size, edition) for size in range(4, 7) for edition in range(len(EDITIONS))}
    assert {edition for size, edition in played if size > 6} == set(range(len(EDITIONS)))


@pytest.mark.parametrize("part", range(PARTS))
def test_novices_finish_a_game_of_every_line_up_in_rotating_editions(part: int) -> None:
    numbers = share(part)
    for turn in Campaign(f"line-ups of novices, share {part}", 0, len(numbers)).left():
        number = numbers[turn]
        result = finished(LINE_UPS[number], number, "novice")
        assert 0 < offers_a_turn(result.record) <= LEVELS["novice"].offers


@pytest.mark.parametrize("number", STANDARD)
def test_standard_bots_finish_their_games_with_a_bounded_number_of_offers(number: int) -> None:
    for _ in Campaign(f"line-ups of standard, game {number}", 0, 1).left():
        result = finished(LINE_UPS[number * 61 % len(LINE_UPS)], number, "standard")
        assert result.counts.deals > 0
        assert 0 < offers_a_turn(result.record) <= LEVELS["standard"].offers

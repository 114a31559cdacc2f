"""Whole games of random seats: they end, they show everything the game has, and nobody can stop them."""

import ast
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

import elysian.players
from elysian.actions import Action, Done, ProposeDeal, TimeUp
from elysian.deals import Give
from elysian.deck import CATALOG
from elysian.events import GameScored, GameStarted, TimeCalled
from elysian.goods import Goods
from elysian.options import Options
from elysian.players.random.player import RandomPlayer
from elysian.record import dump, load, replay
from elysian.rules import DECIDERS, EVOLVERS
from elysian.sim import Counts, Result, play_game, play_on
from elysian.state import TURNS, Edition, Handicap, Settings
from elysian.view import View

OWED = Path(__file__).parent / "stored" / "owed-deeds.jsonl"
SIZES = range(4, 10)
EDITIONS = get_args(Edition)
MOST_GAMES = 120  # to see every kind of action and event; about thirty are enough


@cache
def game(seed: int) -> Result:
    """The game of a seed: every eighteen in a row have every size and edition; options come and go."""
    rng = Random(seed)
    size, edition = SIZES[seed % 6], EDITIONS[seed // 6 % 3]
    handicaps = (Handicap(0, 1), Handicap(1, -1)) if edition == "de2021" else (Handicap(0, 1, "green"),)
    settings = Settings(
        species=tuple(rng.sample(sorted(CATALOG.species), size)),
        edition=edition,
        precise_scoring=rng.random() < 0.3,
        handicaps=handicaps if rng.random() < 0.5 else (),
        private_offers=rng.random() < 0.3,
        trade_minutes=rng.choice((None, None, 2, 10)),
    )
    asleep = rng.choice((0.0, 0.0, 0.1))
    return play_game(settings, seed, [RandomPlayer(asleep=asleep) for _ in range(size)], seed)


@pytest.mark.parametrize("seed", range(18))
def test_random_games_end_in_every_line_up_size_and_edition(seed):
    result = game(seed)
    state = replay(result.record)
    assert (len(state.players), state.settings.edition) == (SIZES[seed % 6], EDITIONS[seed // 6 % 3])
    assert (state.step, state.turn) == ("over", TURNS)
    assert state.scores == result.scores
    assert len(result.scores) == len(state.players)


def test_every_species_plays():
    assert {name for seed in range(18) for name in species_of(game(seed))} == set(CATALOG.species)


def species_of(result: Result) -> tuple[str, ...]:
    return result.record.head.started.settings.species


def test_random_games_show_every_kind_of_action_and_event():
    missing = {*DECIDERS, TimeUp, *EVOLVERS} - {GameStarted}  # the head of the record
    for seed in range(MOST_GAMES):
        for entry in game(seed).record.entries:
            missing -= {type(entry.action), *map(type, entry.events)}
        if not missing:
            return
    assert not missing


def test_random_games_are_full_of_deals_and_promises():
    counts = sum((game(seed).counts for seed in range(18)), Counts())
    assert counts.deals > 18 * 20
    assert counts.inventions > 18 * 2
    assert counts.promises_made > counts.promises_kept > 18 * 4
    assert counts.promises_broken > 18


def test_random_seats_are_hardly_ever_refused():
    counts = sum((game(seed).counts for seed in range(18)), Counts())
    assert counts.refusals < counts.actions / 100


def test_the_same_seeds_give_the_same_game():
    settings = Settings(species=("eni_et", "kit", "unity", "yengii"))

    def bytes_of(seed, rng_seed):
        return dump(play_game(settings, seed, [RandomPlayer() for _ in range(4)], rng_seed).record)

    assert bytes_of(1, 1) == bytes_of(1, 1)
    assert bytes_of(1, 1).splitlines()[0] == bytes_of(1, 2).splitlines()[0]  # the same decks
    assert bytes_of(1, 1) != bytes_of(1, 2)
    assert bytes_of(1, 1) != bytes_of(2, 1)


def test_there_is_a_player_for_every_seat():
    with pytest.raises(ValueError, match="4 seats, but 3 players"):
        play_game(Settings(species=("eni_et", "kit", "unity", "zeth")), 1, [RandomPlayer()] * 3, 1)


# ---------------------------------------------------------------- odd players


class Idle:
    """Never does anything."""

    def choose(self, view, options, rng) -> Action | None:
        return None


class Stubborn:
    """Asks for the same impossible deal for ever."""

    def choose(self, view, options, rng) -> Action | None:
        return ProposeDeal(parties=(0, 0), clauses=(Give(giver=0, to=0, goods=Goods(point=1)),))


class Watcher(RandomPlayer):
    """Plays at random and remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seats: set[int | None] = set()

    def choose(self, view, options, rng) -> Action | None:
        self.seats |= {view.seat, options.seat}
        return super().choose(view, options, rng)


@pytest.mark.parametrize("minutes", [None, 10])
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_clock_plays_for_those_who_do_nothing(edition, minutes):
    settings = Settings(species=("zeth", "kjas", "caylion", "imdril"), edition=edition, trade_minutes=minutes)
    result = play_game(settings, 3, [Idle()] * 4, 3)
    assert len(result.scores) == 4
    assert {type(entry.action) for entry in result.record.entries} <= {TimeUp, Done}


def test_a_seat_that_is_refused_over_and_over_does_not_hold_the_game_up():
    settings = Settings(species=("zeth", "kjas", "caylion", "imdril"))
    result = play_game(settings, 3, [Stubborn(), *(RandomPlayer() for _ in range(3))], 3)
    assert len(result.scores) == 4
    assert result.counts.refusals > 0
    assert not any(entry.seat == 0 for entry in result.record.entries)


def test_a_player_is_only_ever_shown_its_own_seat():
    players = [Watcher() for _ in range(5)]
    play_game(Settings(species=("zeth", "kjas", "caylion", "imdril", "unity")), 4, players, 4)
    assert [player.seats for player in players] == [{0}, {1}, {2}, {3}, {4}]


def test_no_player_names_the_state():
    named = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(elysian.players.__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id == "State")
        or (isinstance(node, ast.alias) and node.name == "State")
        or (isinstance(node, ast.Attribute) and node.attr == "State")
    ]
    assert named == []


# ---------------------------------------------------------------- the clock of timed trading


def timed(edition: Edition) -> list[tuple[str, bool]]:
    """For every time the clock ran out while trading: the next step, and whether it was a mere reminder."""
    settings = Settings(species=("zeth", "kjas", "caylion", "faderan"), edition=edition, trade_minutes=1)
    record = play_game(settings, 5, [RandomPlayer() for _ in range(4)], 5).record
    calls: list[tuple[str, bool]] = []
    for before, after, entry in zip(record.states(), list(record.states())[1:], record.entries, strict=False):
        if isinstance(entry.action, TimeUp) and before.step == "trade":
            calls.append((after.step, isinstance(entry.events[0], TimeCalled)))
    return calls


def test_the_clock_ends_timed_trading_in_simulated_games():
    """OPT-1."""
    calls = timed("2020")
    assert calls
    assert all(step != "trade" and not reminder for step, reminder in calls)


def test_the_german_clock_only_reminds_in_simulated_games():
    """OPT-1."""
    calls = timed("de2021")
    assert calls
    assert all(step == "trade" and reminder for step, reminder in calls)


def test_a_game_ends_with_its_scores():
    last = game(0).record.entries[-1].events[-1]
    assert isinstance(last, GameScored)
    assert max(score.total for score in last.scores) == next(s.total for s in last.scores if s.winner)


class Silent:
    """Says nothing; whoever asks for ever hears of it."""

    asked = 0

    def choose(self, view: View, options: Options, rng: Random) -> Action | None:
        self.asked += 1
        assert self.asked < 1000, "the game does not go on"
        return None


def test_where_the_clock_only_reminds_who_owes_a_deed_and_says_nothing_stops_nobody():
    """OPT-1, TRADE-10: done they cannot be before the deed, so the deed is done for them."""
    state = replay(load(OWED.read_bytes()))
    settings = replace(state.settings, edition="de2021", trade_minutes=5)
    result = play_on(replace(state, settings=settings), [Silent() for _ in state.players], 1)
    assert result.scores

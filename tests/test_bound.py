"""The cooperative bound: no game surpasses it, and a central player comes close by legal play."""

import json
from pathlib import Path

import pytest

from elysian.record import Record, check, read, replay, write
from elysian.sim.central import Central, bettered, total
from elysian.sim.games import Game
from elysian.sim.welfare import Measured, scores_of, welfare
from elysian.state import Settings, State
from elysian.worth.bound import Horizon, SolverLimits, proven_bound, upper_bound
from tests.support.cli import elysian

GAMES = Path(__file__).resolve().parent.parent / "games"
QUICK = SolverLimits(work=10, gap=0.02, points=0.5, seconds=60.0)
LAZY = SolverLimits(work=0, gap=0.0, points=0.0, seconds=0.0)  # plans nothing


def cut(record: Record, turn: int, step: str) -> Record:
    """The game up to the moment when a step of a turn begins."""
    for n, state in enumerate(record.states()):
        if (state.turn, state.step) == (turn, step):
            return Record(head=record.head, entries=record.entries[:n])
    raise AssertionError(f"turn {turn} has no {step}")


def moments(record: Record) -> list[State]:
    """The table at the beginning of every Trade Phase and of every auction."""
    seen: dict[tuple[int, str], State] = {}
    for state in record.states():
        if state.step in ("trade", "bid"):
            seen.setdefault((state.turn, state.step), state)
    return list(seen.values())


# ---------------------------------------------------------------- the bound


@pytest.mark.parametrize("name", ["4-players-2017", "4-players-de2021", "precise-2020"])
def test_no_recorded_game_surpasses_its_bound_from_any_moment_on(name):
    record = read(GAMES / f"{name}.jsonl")
    total = sum(scores_of(record))
    for state in moments(record):
        assert upper_bound(state) >= total, (state.turn, state.step)


@pytest.mark.parametrize(
    "species",
    [("eni_et", "kit", "imdril", "faderan"), ("zeth", "yengii", "caylion", "unity", "kjas")],
)
def test_no_game_of_bots_surpasses_the_bound_of_its_later_turns(species):
    game = Game(number=0, settings=Settings(species=species), levels=("novice",) * len(species), seed=3)
    record = Record.begin(game.settings, game.seed)
    outcome, _ = game.play()
    assert upper_bound(replay(record)) >= sum(score.total for score in outcome.scores) / 12


def test_in_the_last_turn_the_bound_is_within_a_sixth_of_the_best_play():
    """Little is relaxed there: fractions of inventions and runs, and goods that are not rounded down."""
    state = next(s for s in moments(read(GAMES / "4-players-2020-2.jsonl")) if s.turn == 6)
    best = Horizon(state, whole=True).solve(SolverLimits(work=2000, gap=0.001, points=0.1, seconds=60.0))
    assert best is not None
    assert best.exact
    assert best.worth <= upper_bound(state) <= best.worth * 7 / 6


def test_whole_numbers_in_the_turn_at_hand_cannot_gain():
    state = next(s for s in moments(read(GAMES / "5-players-2020-2.jsonl")) if (s.turn, s.step) == (5, "bid"))
    whole = Horizon(state, whole=True).solve(QUICK)
    assert whole is not None
    assert whole.worth <= upper_bound(state) + 1e-6


@pytest.mark.parametrize("name", ["4-players-2017", "5-players-de2021-2"])
def test_no_recorded_game_surpasses_what_is_proven_and_that_lies_below_the_bound(name):
    record = read(GAMES / f"{name}.jsonl")
    total = sum(scores_of(record))
    late = [state for state in moments(record) if state.turn >= 4]
    bounds = [(proven_bound(state), upper_bound(state)) for state in late]
    assert all(total <= proven <= bound + 1e-6 for proven, bound in bounds)
    assert any(proven < bound - 1 for proven, bound in bounds)


def test_a_team_deep_in_the_deck_needs_purchases_on_dear_spaces_before():
    """TRACK-1: where only spaces of 1 are filled anew, a turn brings out as many teams as there are such."""
    state = next(
        s for s in moments(read(GAMES / "4-players-2020-2.jsonl")) if (s.turn, s.step) == (2, "trade")
    )
    ones = state.research_minimums.count(1)
    assert 0 < ones < len(state.research_minimums)

    def bought_next_turn(card: str, dear: bool) -> float:
        horizon = Horizon(state, once=True)
        for variable, _ in horizon.bought[3, card]:
            horizon.programme.worth[variable] = 1.0
        for variable, _ in () if dear else horizon.dear["research", 2]:
            horizon.programme.most[variable] = 0.0
        most = horizon.programme.bound()
        assert most is not None
        return most

    last, next_one = state.research.cards[ones - 1 : ones + 1]
    assert bought_next_turn(last, dear=False) == pytest.approx(1.0)
    assert bought_next_turn(next_one, dear=False) == pytest.approx(0.0)
    assert bought_next_turn(next_one, dear=True) == pytest.approx(1.0)


# ---------------------------------------------------------------- the central player


@pytest.mark.parametrize("name", ["4-players-2020-2", "5-players-2017-2", "5-players-de2021-2"])
def test_the_central_player_finishes_a_game_legally_and_better(name):
    record = read(GAMES / f"{name}.jsonl")
    from_here = cut(record, 5, "trade")
    bound = upper_bound(replay(from_here))
    played = Central(from_here, QUICK).play()
    assert check(played) == []
    assert sum(scores_of(record)) < sum(scores_of(played)) <= bound
    assert sum(scores_of(played)) > 0.7 * bound


def test_the_central_player_does_the_same_every_time():
    from_here = cut(read(GAMES / "4-players-2020-2.jsonl"), 6, "trade")
    assert Central(from_here, QUICK).play().entries == Central(from_here, QUICK).play().entries


def test_the_central_player_plans_without_the_order_of_the_decks():
    """What nobody has seen is shuffled: another order of hidden cards leads to the same plan."""
    from_here = cut(read(GAMES / "4-players-2020-2.jsonl"), 5, "bid")
    central = Central(from_here, QUICK)
    pile = central.state.research
    hidden = pile.cards[1 : len(pile.cards) - pile.known]
    guess = central._guess(0)
    assert guess.research.cards[0] == pile.cards[0]
    assert sorted(guess.research.cards) == sorted(pile.cards)
    assert guess.research.cards[len(hidden) + 1 :] == pile.cards[len(hidden) + 1 :]


def test_the_central_player_never_comes_to_less_than_the_play_it_begins_with():
    """Not even where it plans nothing at all: then the play is as good as it gets."""
    record = read(GAMES / "4-players-2020-2.jsonl")
    assert total(Central(Record(head=record.head, entries=[]), LAZY).play()) < total(record)
    assert bettered(record, LAZY).entries == record.entries


def test_a_central_player_out_of_time_still_finishes():
    from_here = cut(read(GAMES / "4-players-2020-2.jsonl"), 6, "trade")
    played = Central(from_here, LAZY).play()
    assert check(played) == []
    assert len(scores_of(played)) == 4


# ---------------------------------------------------------------- the command


def test_a_recorded_game_is_given_as_a_share_of_its_bound():
    code, output = elysian("bound", "--only-bound", "--json", str(GAMES / "4-players-2017-2.jsonl"))
    assert code == 0
    figures = json.loads(output)
    (game,) = figures["by_game"]
    assert sum(game["scored"]) == sum(scores_of(read(GAMES / "4-players-2017-2.jsonl")))
    assert figures["scored_to_bound"] == pytest.approx(sum(game["scored"]) / game["bound"], abs=1e-3)
    assert "welfare" not in figures


def test_of_several_plays_on_the_same_decks_the_best_is_the_one_to_better(tmp_path):
    record = read(GAMES / "4-players-2017-2.jsonl")
    write(Central(Record(head=record.head, entries=[]), LAZY).play(), tmp_path / "lazy.jsonl")
    files = [
        str(path) for path in (tmp_path, GAMES / "4-players-2017-2.jsonl")
    ]  # a folder stands for its records
    (game,) = json.loads(elysian("bound", "--only-bound", "--json", *files)[1])["by_game"]
    assert tuple(game["scored"]) == scores_of(record)


def test_the_games_of_a_seed_are_those_that_simulate_plays(tmp_path):
    code, _ = elysian("simulate", "--seed", "6", "--records", str(tmp_path))
    assert code == 0
    words = ("bound", "--only-bound", "--json")
    by_seed = json.loads(elysian(*words, "--seed", "6")[1])
    by_record = json.loads(elysian(*words, str(tmp_path / "game-1.jsonl"))[1])
    assert by_seed["bound_mean"] == by_record["bound_mean"]
    assert by_seed["by_game"][0]["species"] == by_record["by_game"][0]["species"]


def test_welfare_is_the_share_of_what_the_central_player_reaches():
    games = [
        Measured(number=n, species=("a", "b"), scored=(s, s), reached=(50.0, 50.0), bound=125.0, seconds=1.0)
        for n, s in enumerate((20.0, 30.0))
    ]
    figures = welfare(games)
    assert (figures["welfare"], figures["central_to_bound"], figures["scored_to_bound"]) == (0.5, 0.8, 0.4)
    assert figures["welfare_interval"] == [0.4, 0.6]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name recorded games, or give --seed"),
        (("--seed", "1", str(GAMES / "timed.jsonl")), "Name recorded games, or give --seed"),
        (("nowhere.jsonl",), "nowhere.jsonl"),
        (("--seed", "1", "--players", "3"), "3 players cannot play; it takes 4 to 9."),
    ],
)
def test_what_cannot_be_measured_is_refused_with_a_sentence(words, sentence):
    code, output = elysian("bound", "--only-bound", *words)
    assert code == 2
    assert sentence in output


def test_an_unfinished_game_cannot_be_measured(tmp_path):
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"\n".join((GAMES / "4-players-2017.jsonl").read_bytes().splitlines()[:40]))
    code, output = elysian("bound", "--only-bound", str(path))
    assert code == 2
    assert "half.jsonl: The game stops in turn 2; only a finished one can be measured." in output

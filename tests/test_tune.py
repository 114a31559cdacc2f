"""Tuning: prices learnt by self-play, from a file, into a file."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

import elysian.worth
from elysian.sim import Counts
from elysian.sim.games import Game, Outcome, Tally
from elysian.sim.tuning import Tuner, moved, numbers, written
from elysian.state import FinalScore, Settings
from elysian.worth import Prices, prices
from tests.support.cli import elysian as run_elysian

FILE = Path(elysian.worth.__file__).with_name("prices.toml")


def test_a_price_file_is_written_anew_with_its_comments():
    old = prices()
    new = moved(old, dict.fromkeys(numbers(old), 0.1))
    text = written(FILE.read_text(encoding="utf-8"), new)
    assert msgspec.convert(tomllib.loads(text), Prices) == new
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith("#")
    ]
    assert all(then > now for then, now in zip(new.small, old.small, strict=True))
    assert new.trust > old.trust


def outcome_of(game: Game, best: float) -> Outcome:
    """Tables that score the more, the nearer `trust` is to what is best here."""
    assert game.prices is not None
    total = round(12 * (50 - 200 * abs(game.prices.trust - best)))
    score = FinalScore(seat=0, points=0, goods=0, total=total, winner=True)
    return Outcome(
        number=game.number,
        species=game.settings.species,
        levels=game.levels,
        scores=(score,),
        counts=Counts(),
        seats=(Tally(),),
        times=({},),
        seconds=0.0,
    )


def test_numbers_move_to_where_tables_score_more():
    start = prices()
    best = start.trust * 1.4
    tuner = Tuner(level="novice", steps=40, decks=1, judging=2, seed=1)
    tuned = tuner.learn(
        start,
        lambda name, count: [(Settings(species=("kit",)), f"{name}/{n}") for n in range(count)],
        lambda games, name: [outcome_of(game, best) for game in games],
    )
    assert abs(tuned.prices.trust - best) < abs(start.trust - best) / 2
    assert tuned.judged.after > tuned.judged.before
    assert tuned.judged.interval[0] > 0
    assert len(tuned.steps) == 40


def test_both_files_of_a_step_play_the_same_decks():
    seen: dict[str, list[Game]] = {}
    tuner = Tuner(level="novice", steps=2, decks=3, judging=1, seed=1)

    def play(games: list[Game], name: str) -> list[Outcome]:
        seen[name] = games
        return [outcome_of(game, 1.0) for game in games]

    tuner.learn(
        prices(), lambda name, n: [(Settings(species=("kit",)), f"{name}/{k}") for k in range(n)], play
    )
    assert list(seen) == ["step-001", "step-002", "judge"]
    first = seen["step-001"]
    assert [game.seed for game in first[:3]] == [game.seed for game in first[3:]]
    assert first[0].prices != first[3].prices
    assert {game.seed for game in first}.isdisjoint(game.seed for game in seen["judge"])


def test_tuning_leaves_a_price_file_that_can_be_used_and_a_log(tmp_path):
    words = ("tune", str(tmp_path), "--level", "novice", "--steps", "1", "--decks", "1", "--judging", "1")
    code, output = run_elysian(*words)
    assert code == 0
    assert "points a seat before" in output
    new = prices(str(tmp_path / "prices.toml"))
    assert new != prices()
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line.get("step") for line in log] == [1, None]
    before = (tmp_path / "step-001" / "shard-00000.jsonl").stat().st_mtime_ns
    assert run_elysian(*words) == (0, output)  # nothing is played twice
    assert (tmp_path / "step-001" / "shard-00000.jsonl").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--level", "random"), "'random' has none to tune"),
        (("--level", "novice", "--start", "nowhere.toml"), "nowhere.toml"),
        (("--level", "novice", "--players", "20"), "20 players cannot play; it takes 4 to 9."),
    ],
)
def test_what_cannot_be_tuned_is_refused_with_a_sentence(tmp_path, words, sentence):
    code, output = run_elysian("tune", str(tmp_path), *words)
    assert code == 2
    assert sentence in output

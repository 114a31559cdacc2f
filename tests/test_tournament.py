"""Tournaments: balanced seats, ratings that find the stronger, and a picture of them."""

import json
from collections import Counter
from random import Random
from xml.etree import ElementTree

import pytest

from elysian.sim.games import Outcome
from elysian.sim.ratings import likely_ratings, ratings, strengths
from elysian.sim.shards import Where, run
from elysian.sim.tournament import above, picture, result, schedule
from elysian.state import Settings
from tests.support.cli import elysian

FIVE = Settings(species=("kit", "unity", "zeth", "kjas", "yengii"))
FOUR = Settings(species=("kit", "unity", "zeth", "kjas"))


# ---------------------------------------------------------------- balance


@pytest.mark.parametrize("levels", [("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d", "e", "f")])
def test_every_level_sits_once_on_every_seat_of_every_deck(levels):
    games = schedule([FIVE, FOUR], levels, seed=1)
    for settings in (FIVE, FOUR):
        of_deck = [game for game in games if game.settings == settings]
        assert len(of_deck) == len(levels)
        assert len({game.seed for game in of_deck}) == 1  # the same decks
        for seat in range(len(settings.species)):
            assert Counter(game.levels[seat] for game in of_deck) == dict.fromkeys(levels, 1)
    assert [game.number for game in games] == list(range(len(games)))


def test_half_of_each_table_is_of_either_of_two_levels():
    six = Settings(species=("kit", "unity", "zeth", "kjas", "yengii", "caylion"))
    for game in schedule([six] * 4, ("a", "b"), seed=2):
        assert Counter(game.levels) == {"a": 3, "b": 3}


# ---------------------------------------------------------------- ratings


def finishes(strength: dict[str, float], games: int, seed: int) -> list[tuple[tuple[float, str], ...]]:
    """Games in which each seat is the next to finish with a chance in proportion to its level's strength."""
    rng = Random(seed)
    drawn = []
    for _ in range(games):
        left = sorted(strength) * 2
        order: list[tuple[float, str]] = []
        while left:
            (level,) = rng.choices(left, [strength[one] for one in left])
            left.remove(level)
            order.append((float(len(left)), level))
        drawn.append(tuple(order))
    return drawn


def test_ratings_find_the_strengths_that_games_were_drawn_with():
    drawn = finishes({"weak": 1.0, "middle": 3.0, "strong": 10.0}, 600, 1)
    found = strengths(drawn, ["weak", "middle", "strong"])
    assert found["strong"] - found["weak"] == pytest.approx(400, abs=45)  # ten times as strong
    assert found["middle"] - found["weak"] == pytest.approx(191, abs=45)  # three times
    assert sum(found.values()) == pytest.approx(0)


def test_an_interval_holds_the_rating_and_shrinks_with_more_games():
    few = ratings(finishes({"a": 1.0, "b": 2.0}, 12, 3))
    many = ratings(finishes({"a": 1.0, "b": 2.0}, 200, 3))
    for rated in (few, many):
        assert all(one.low <= one.rating <= one.high for one in rated.values())
    assert many["b"].high - many["b"].low < (few["b"].high - few["b"].low) / 2
    assert many["a"].high < many["b"].low


def test_who_always_wins_is_not_infinitely_strong():
    rated = ratings([((9.0, "good"), (1.0, "bad"))] * 5)
    assert 0 < rated["good"].rating < 1000


def test_a_few_games_that_went_the_same_way_are_not_certain():
    games = [((3.0, "a"), (2.0, "b"), (1.0, "c"))] * 3
    assert likely_ratings([]) == {}
    for level, rated in likely_ratings(games).items():
        assert rated.rating == pytest.approx(ratings(games)[level].rating)
        assert rated.high - rated.low > 400


def test_a_likely_interval_holds_the_truth_nineteen_times_in_twenty():
    truth = {"weak": -400 / 3, "middle": 0.0, "strong": 400 / 3}
    held = [
        rated.low <= truth[level] <= rated.high
        for seed in range(60)
        for level, rated in likely_ratings(
            finishes({level: 10 ** (one / 400) for level, one in truth.items()}, 30, seed)
        ).items()
    ]
    assert 0.9 < sum(held) / len(held) < 0.99


def test_equal_scores_say_nothing():
    rated = ratings([((5.0, "a"), (5.0, "b"))] * 5)
    assert rated["a"].rating == rated["b"].rating == 0


# ---------------------------------------------------------------- whole tournaments


def test_novices_beat_random_seats():
    games = schedule([FOUR], ("novice", "random"), seed=4)
    outcomes = run(games, Outcome, "test", Where())
    figures = result(outcomes)
    assert list(figures["levels"]) == ["novice", "random"]
    assert figures["levels"]["novice"]["rating"] > 0 > figures["levels"]["random"]["rating"]
    assert above(outcomes)["novice"]["random"] == {
        "games": 2,
        "share": 1.0,
        "difference": pytest.approx(
            figures["levels"]["novice"]["mean"] - figures["levels"]["random"]["mean"], abs=0.01
        ),
    }
    assert above(outcomes)["random"]["novice"]["share"] == 0.0


def test_a_tournament_leaves_figures_and_a_picture(tmp_path):
    code, output = elysian("tournament", "random,novice", "--decks", "1", "--out", str(tmp_path))
    assert code == 0
    assert "novice above random: 100 % of 2 games" in output
    assert all(len(line) <= 80 for line in output.splitlines())
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert (figures["games"], figures["decks"], figures["players"]) == (2, 1, 4)
    drawn = ElementTree.parse(tmp_path / "ratings.svg").getroot()
    words = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"novice", "random", "mean points"} <= set(words)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == 2


def test_a_picture_stays_inside_its_frame():
    level = {"rating": 800.0, "rating_interval": [-700.0, 900.0], "mean": 30.0, "interval": [20.0, 40.0]}
    drawn = ElementTree.fromstring(picture({"levels": {"a & b": level, "c": level}}, "<two>"))
    width = float(drawn.get("width", "0"))
    for line in drawn.iter("{http://www.w3.org/2000/svg}line"):
        assert 0 <= float(line.get("x1", "-1")) <= float(line.get("x2", "-1")) <= width


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("novice",), "A tournament takes two different levels or more, each named once."),
        (("novice,novice",), "A tournament takes two different levels or more, each named once."),
        (("novice,wizard",), "There is no level 'wizard'"),
        (("novice,random", "--players", "2"), "2 players cannot play; it takes 4 to 9."),
    ],
)
def test_an_impossible_tournament_is_refused_with_a_sentence(words, sentence):
    code, output = elysian("tournament", *words)
    assert code == 2
    assert sentence in output

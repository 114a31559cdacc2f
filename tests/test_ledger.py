"""The ledger of recorded games: what it counts is what the game counted."""

import numpy as np

from elysian.cli.simulate import settings_of
from elysian.events import TechnologyInvented
from elysian.players.levels import make
from elysian.sim import play_game
from elysian.state import TURNS
from elysian.worth import prices
from tools.ledger import ASKED, Beginning, ledger, really_worth, table


def test_the_points_of_a_ledger_are_those_of_the_game():
    species = ("kit", "caylion", "zeth", "unity")
    played = play_game(settings_of(species, "2020"), 7, [make("novice") for _ in species], 7)
    sums, began = ledger([played.record], prices())
    assert sums["points in all", TURNS + 1] * 4 == sum(score.total for score in played.scores) / 12
    events = [event for entry in played.record.entries for event in entry.events]
    invented = sum(isinstance(event, TechnologyInvented) for event in events)
    assert invented == round(4 * sum(n for (what, _), n in sums.items() if what.startswith("inventions")))
    assert {(one.turn, one.species) for one in began} == {
        (t, s) for t in range(2, TURNS + 1) for s in species
    }
    assert len(list(table([played.record], prices()))) > TURNS


def test_what_goods_went_with_is_found_again_whatever_game_and_species_add():
    chance = np.random.default_rng(1)
    worth = (0.5, 2.0, 1.0, 0.25)
    began = []
    for game in range(30):
        for species, extra in (("kit", 5.0), ("unity", 9.0), ("zeth", 1.0)):
            had = tuple(float(n) for n in chance.integers(0, 20, len(ASKED)))
            made = extra + 3.0 * game + sum(n * times for n, times in zip(had, worth, strict=True))
            began.append(Beginning(game, 2, species, had, made))
    assert np.allclose([n for n, _ in really_worth(began)], worth)

"""The same seed and the same actions give the same bytes, whatever the process and its hash seed."""

import os
import subprocess
import sys

import pytest

from elysian.record import Record, dump
from elysian.state import Settings

SCRIPT = """
from hashlib import sha256
import msgspec
from elysian.options import options
from elysian.players.random.player import RandomPlayer
from elysian.record import dump
from elysian.sim import play_game
from elysian.state import Settings
from elysian.view import view

NINE = ("caylion", "eni_et", "faderan", "imdril", "kjas", "kit", "unity", "yengii", "zeth")
for species, edition, private in ((NINE, "2020", False), (NINE[4:], "de2021", True)):
    settings = Settings(species=species, edition=edition, private_offers=private)
    record = play_game(settings, 11, [RandomPlayer() for _ in species], 12).record
    print("record", sha256(dump(record)).hexdigest())
    shown = sha256()
    for n, state in enumerate(record.states()):
        if n % 10 == 0:
            for seat in state.seats():
                shown.update(msgspec.json.encode((view(state, seat), options(state, seat))))
    print("views", shown.hexdigest())
"""


def digests(hash_seed: str) -> list[str]:
    """What the games of the script come to in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return digests("0")


@pytest.mark.parametrize("hash_seed", ["1", "2", "random"])
def test_the_same_game_has_the_same_bytes_in_every_process(hash_seed, expected):
    assert len(set(expected)) == 4
    assert digests(hash_seed) == expected


def test_a_record_does_not_depend_on_how_its_settings_were_spelled():
    species = ("kit", "zeth", "unity", "kjas")
    spelled = Settings(species=species, edition="".join(["20", "20"]))  # type: ignore[arg-type]
    assert dump(Record.begin(spelled, 1)) == dump(Record.begin(Settings(species=species), 1))

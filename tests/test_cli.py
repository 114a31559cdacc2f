"""The commands that simulate and replay games."""

import json
from pathlib import Path

import pytest

from elysian.deck import CATALOG
from elysian.events import GameScored
from elysian.record import load
from tests.support.cli import elysian, in_a_process

GAMES = Path(__file__).resolve().parent.parent / "games"
FIGURES = {
    "games",
    "players",
    "edition",
    "seed",
    "mean_score",
    "median_score",
    "by_species",
    "actions",
    "events",
    "refusals",
    "deals",
    "inventions",
    "promises_made",
    "promises_kept",
    "promises_broken",
    "cpu_seconds",
}


def test_simulated_games_are_summed_up_as_one_json_object():
    code, output = elysian("simulate", "--games", "3", "--players", "5", "--seed", "4", "--json")
    assert code == 0
    figures = json.loads(output)
    assert set(figures) == FIGURES
    assert (figures["games"], figures["players"], figures["seed"]) == (3, 5, 4)
    assert sum(of["seats"] for of in figures["by_species"].values()) == 15
    assert set(figures["by_species"]) <= set(CATALOG.species)
    weighted = sum(of["seats"] * of["mean"] for of in figures["by_species"].values()) / 15
    assert figures["mean_score"] == pytest.approx(weighted, abs=0.01)
    assert figures["actions"] > 500
    assert figures["cpu_seconds"] > 0


def test_the_same_seed_simulates_the_same_games():
    def figures(seed: str) -> dict[str, object]:
        _, output = elysian("simulate", "--seed", seed, "--json")
        return {name: value for name, value in json.loads(output).items() if name != "cpu_seconds"}

    assert figures("8") == figures("8")
    assert figures("8") != figures("9")


def test_simulated_games_are_printed_in_80_columns():
    code, output = elysian("simulate", "--species", "kit, Eni Et,zeth,Unity", "--edition", "de2021")
    assert code == 0
    assert all(len(line) <= 80 for line in output.splitlines())
    assert "1 game, 4 random seats, edition de2021, seed 0" in output
    for name in ("Kt'Zr'Kt'Rtl", "Eni Et", "Zeth", "Unity"):
        assert name in output


@pytest.mark.parametrize("edition", ["2017", "2020", "de2021"])
def test_nine_seats_play_in_every_edition(edition):
    code, output = elysian("simulate", "--players", "9", "--edition", edition, "--json")
    assert code == 0
    assert set(json.loads(output)["by_species"]) == set(CATALOG.species)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--species", "kit,zeth,unity,martians"), "No species is called 'martians'; there are caylion, "),
        (("--players", "3"), "3 players cannot play; it takes 4 to 9."),
        (("--players", "10"), "10 players cannot play; it takes 4 to 9."),
        (("--players", "-1"), "-1 players cannot play; it takes 4 to 9."),
        (("--species", "kit,zeth,unity"), "3 players cannot play; it takes 4 to 9."),
        (("--species", "kit,zeth,unity,kit"), "Every seat needs a species of its own."),
        (("--edition", "1999"), "There is no edition 1999; choose 2017, 2020 or de2021."),
        (("--players", "5", "--species", "kit,zeth,unity,kjas"), "5 players, but 4 species are named."),
        (("--games", "0"), "--games"),
        (("--seed", "tomorrow"), "--seed"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_a_sentence(words, sentence):
    code, output = elysian("simulate", *words)
    assert code == 2
    assert sentence in output


def test_the_command_runs_as_a_program():
    done = in_a_process("simulate", "--players", "4", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["players"] == 4
    done = in_a_process("simulate", "--species", "kit,zeth,unity,martians")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("elysian: No species is called 'martians'")
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- replay


@pytest.fixture
def lines() -> list[bytes]:
    return (GAMES / "4-players-2020-2.jsonl").read_bytes().splitlines()


def saved(folder: Path, lines: list[bytes]) -> str:
    path = folder / "game.jsonl"
    path.write_bytes(b"\n".join(lines))
    return str(path)


def test_a_finished_game_is_replayed_to_its_scores():
    path = GAMES / "5-players-2017-2.jsonl"
    code, output = elysian("replay", str(path))
    assert code == 0
    final = load(path.read_bytes()).entries[-1].events[-1]
    assert isinstance(final, GameScored)
    assert "5 players, edition 2017: the game is over" in output
    for score, line in zip(final.scores, output.splitlines()[2:], strict=True):
        assert f"{score.points:>7}{score.goods / 12:>8.2f}{score.total / 12:>8.2f}" in line
        assert line.endswith("winner") == score.winner


def test_a_game_is_told_line_by_line():
    path = GAMES / "5-players-2017-2.jsonl"
    record = load(path.read_bytes())
    code, output = elysian("replay", str(path), "--tell")
    assert code == 0
    assert all(len(line) <= 80 for line in output.splitlines())
    log, _, end = output.partition("\n\n")
    assert [line for line in log.splitlines() if not line.startswith(" ")] == [
        f"turn {n}" for n in range(1, 7)
    ]
    told = sum(line.startswith("  ") and line[2] != " " for line in log.splitlines())
    assert told == sum(len(entry.events) for entry in record.entries)
    assert end == elysian("replay", str(path))[1]


def test_an_unfinished_game_is_replayed_to_turn_step_and_stocks(lines, tmp_path):
    code, output = elysian("replay", saved(tmp_path, lines[:1]))
    assert code == 0
    assert "4 players, edition 2020: turn 1, step trade" in output
    for player in load(lines[0]).head.started.players:
        assert CATALOG.species[player.species].name in output
    assert all(len(line) <= 80 for line in output.splitlines())


def test_a_game_decided_the_same_today_passes_the_check(lines, tmp_path):
    code, output = elysian("replay", saved(tmp_path, lines), "--check")
    assert code == 0
    assert f"{len(lines) - 1} actions, all decided the same today." in output


def test_the_check_lists_what_would_be_decided_otherwise(lines, tmp_path):
    n = next(n for n, line in enumerate(lines) if b'"kind":"bid_placed"' in line and b'"colony":' in line)
    entry = json.loads(lines[n])
    placed = entry["events"][0]
    placed["bid"] = {"colony": placed["bid"]["colony"] + 1, "research": placed["bid"]["research"]}
    code, output = elysian("replay", saved(tmp_path, [*lines[:n], json.dumps(entry).encode()]), "--check")
    assert code == 1
    assert f"entry {n}: seat {entry['seat']}, place_bid" in output
    assert f"1 of {n} actions would be decided otherwise today." in output


def test_the_check_names_the_reason_of_a_refusal(lines, tmp_path):
    done = b'{"n":%d,"seat":1,"action":{"kind":"done"},"events":[{"kind":"done_said","by":1}]}'
    code, output = elysian("replay", saved(tmp_path, [lines[0], done % 1, done % 2]), "--check")
    assert code == 1
    assert "today:    refused (already_done)" in output


def test_a_damaged_record_is_refused_with_its_line(lines, tmp_path):
    path = saved(tmp_path, [*lines[:7], lines[7][:30]])
    code, output = elysian("replay", path)
    assert code == 2
    assert output.startswith(f"{path}: line 8: ")
    done = in_a_process("replay", path, "--check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"elysian: {path}: line 8: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_not_there_is_named():
    done = in_a_process("replay", "nowhere.jsonl")
    assert done.returncode == 2
    assert done.stderr == "elysian: nowhere.jsonl: No such file or directory\n"

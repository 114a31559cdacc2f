"""The benchmark: a protocol that stays, results that repeat to the byte, files nobody can doctor."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from elysian.cli.benchmark import file_name
from elysian.players.fair import Fair
from elysian.record import Seated, dump, load
from elysian.rules import begin
from elysian.rules.setup import start
from elysian.sim.benchmark import (
    PROTOCOLS,
    BenchmarkOutcome,
    figures,
    protocol_named,
    references,
    schedule,
    seatings,
    settings_of,
)
from elysian.sim.submission import DamagedSubmission, Submission, encode, problems, read, submission
from elysian.worth.bound import upper_bound
from tools import benchmark

TRIAL = PROTOCOLS["trial"]
HERE = "tests.test_benchmark"


class Counting(Fair):
    """Counts what it says, as a language model's seat does."""

    def __init__(self) -> None:
        super().__init__()
        self.usage = {"prompt_tokens": 0}

    def choose(self, view, options, rng):
        self.usage["prompt_tokens"] += 10
        return super().choose(view, options, rng)


class Stubborn(Fair):
    """Asks once for something that cannot be."""

    asked = False

    def choose(self, view, options, rng):
        from elysian.actions import AcceptDeal

        if not self.asked:
            self.asked = True
            return AcceptDeal(deal="no such deal")
        return super().choose(view, options, rng)


def played(player: str, games: slice = slice(None)) -> list[BenchmarkOutcome]:
    return [game.play()[0] for game in schedule(TRIAL, player)[games]]


@pytest.fixture(scope="module")
def results() -> Submission:
    return submission(TRIAL, "fair", played("fair"))


# ---------------------------------------------------------------- the protocol


def test_a_protocol_never_changes_under_its_version() -> None:
    """Whoever changes what is played must count the version up: results would not compare any more."""
    games = [
        (game.part, game.deck, game.levels, game.seats, game.seed, game.settings.species)
        for name in ("full", "small", "trial")
        for game in schedule(PROTOCOLS[name], "somebody")
    ]
    digest = hashlib.sha256(msgspec.json.encode(games)).hexdigest()[:16]
    assert (len(games), digest) == (104, "fe7b11844195ccd7")


@pytest.mark.parametrize("size", [4, 6])
def test_the_player_sits_once_on_every_seat_and_on_both_halves(size: int) -> None:
    alone: list[int] = []
    for n in range(size):
        parts = list(seatings(size, n))
        assert [part for part, _ in parts] == ["one", "half", "half", "whole"]
        alone += parts[0][1]
        assert sorted(parts[1][1] + parts[2][1]) == list(range(size))
        assert abs(len(parts[1][1]) - len(parts[2][1])) == size % 2
    assert sorted(alone) == list(range(size))


def test_a_protocol_is_named_with_or_without_its_version() -> None:
    assert protocol_named("small") is protocol_named("small-1") is PROTOCOLS["small"]
    with pytest.raises(ValueError, match=r"no protocol 'small-2'; the protocols are full-1, small-1"):
        protocol_named("small-2")


def test_the_references_are_of_the_protocols_decks() -> None:
    full, small = ({g.deck for g in schedule(PROTOCOLS[name], "fair")} for name in ("full", "small"))
    assert small <= set(references()) <= full
    assert all(one.central <= one.bound for one in references().values())
    bound = upper_bound(begin(start(settings_of("4/0"), "benchmark-1/4/0")))
    assert round(bound, 2) == pytest.approx(references()["4/0"].bound, abs=0.02)


# ---------------------------------------------------------------- results


def test_two_runs_are_the_same_to_the_byte_but_for_the_times(results: Submission, tmp_path: Path) -> None:
    """The second one in another process, by the command."""
    words = ["benchmark", "--player", "fair", "--protocol", "trial", "--file", str(tmp_path / "again.gz")]
    subprocess.run([sys.executable, "-m", "elysian", *words], check=True, capture_output=True)
    one = gzip.decompress(encode(results)).splitlines()
    other = gzip.decompress((tmp_path / "again.gz").read_bytes()).splitlines()
    assert one[:-1] == other[:-1]
    assert results.times.compared == read(tmp_path / "again.gz").times.compared


def test_results_say_how_strong_how_cooperative_and_how_honest_a_player_is(results: Submission) -> None:
    of = results.head.figures
    rows = {row["part"]: row for row in of["tables"]}
    assert [rows[part]["games"] for part in ("one", "half", "whole")] == [4, 8, 4]
    assert rows["one"]["interval"][0] <= rows["one"]["points"] <= rows["one"]["interval"][1]
    assert rows["half"]["ahead"] == pytest.approx(0, abs=1e-9)  # against itself, on either half
    assert 0.1 < of["welfare"]["of_central"] < 0.5
    assert of["welfare"]["of_bound"] < of["welfare"]["of_central"]
    assert of["deals"] > 20
    assert 0.3 < of["share_of_gain"] < 0.7
    assert (of["refused"], of["usage"]) == (0, {})
    assert results.times.decisions > 100


def test_what_a_player_counts_itself_and_what_is_refused_is_reported() -> None:
    counted = figures(played(f"{HERE}:Counting", slice(0, 1)))
    assert counted["usage"]["prompt_tokens"] > 0
    refused = figures(played(f"{HERE}:Stubborn", slice(3, 4)))
    assert refused["refused"] == 4  # one for each seat


# ---------------------------------------------------------------- checking


def test_honest_results_pass(results: Submission, tmp_path: Path) -> None:
    (tmp_path / "fair.gz").write_bytes(encode(results))
    there = read(tmp_path / "fair.gz")
    assert list(problems(there, opponents=True)) == []


def with_game(results: Submission, n: int, **changes: object) -> Submission:
    games = list(results.games)
    games[n] = replace(games[n], **changes)
    return submission(TRIAL, "fair", games)


def doctored(results: Submission) -> Iterator[tuple[Submission, str]]:
    game = results.games[0]
    lines = game.record.splitlines()
    yield with_game(results, 0, points=(99.0, *game.points[1:])), "Game 1 (one of deck 4/0): the points are"
    yield with_game(results, 0, record="\n".join(lines[:-1])), "only a finished one can be measured"
    yield with_game(results, 0, record=results.games[4].record), "begins with other decks"
    yield with_game(results, 0, record="{}"), "its record cannot be used"
    yield with_game(results, 1, seats=(0, 1)), "not the game that is due"
    yield with_game(results, 0, dealings=replace(game.dealings, gain=99.0)), "its dealings are"
    first = next(n for n, line in enumerate(lines) if '"accept_deal"' in line)
    entry = msgspec.json.decode(lines[first])
    entry["seat"] = (entry["seat"] + 1) % 4
    changed = [*lines[:first], msgspec.json.encode(entry).decode(), *lines[first + 1 :]]
    yield with_game(results, 0, record="\n".join(changed)), "today's rules decide entry"
    boast = {**results.head.figures, "refused": -1}
    yield (
        Submission(replace(results.head, figures=boast), results.games, results.times),
        "The figures are not those of the games.",
    )
    fewer = Submission(results.head, results.games[:-1], results.times)
    yield fewer, "trial-1 has 16 games, but the file has 15."


def test_a_doctored_file_is_found_out(results: Submission) -> None:
    for wrong, sentence in doctored(results):
        found = list(problems(wrong))
        assert any(sentence in problem for problem in found), (sentence, found)


def test_opponents_who_are_not_who_they_are_said_to_be_are_found_out(results: Submission) -> None:
    """Every move is legal and every figure right; but `fair` does not play so."""
    game = schedule(TRIAL, "fair")[0]
    others = tuple(level if seat in game.seats else "random" for seat, level in enumerate(game.levels))
    outcome, raw = replace(game, levels=others).play()
    record = load(raw)
    named = tuple(Seated(name="fair", version=results.head.version) for _ in others)
    record = replace(record, head=replace(record.head, players=named))
    forged = replace(outcome, record=dump(record).decode())
    wrong = submission(TRIAL, "fair", [forged, *results.games[1:]])
    assert list(problems(wrong)) == []
    (found,) = problems(wrong, opponents=True)
    assert found.startswith("Game 1 (one of deck 4/0): the opponents do not play like fair from entry ")


def test_a_file_that_holds_no_results_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    for content, sentence in (
        (b"hello", "not gzipped"),
        (gzip.compress(b"{}\n{}\n{}\n"), "missing required field"),
        (gzip.compress(b"{}\n"), "it has 1 lines"),
    ):
        path.write_bytes(content)
        with pytest.raises(DamagedSubmission, match=sentence):
            read(path)


def test_the_command_says_what_it_needs(tmp_path: Path) -> None:
    for words, sentence in (
        ((), "Name a player by --player, or a file of results by --check."),
        (("--player", "fair", "--protocol", "huge"), "There is no protocol 'huge'"),
        (("--player", "nobody"), "There is no level 'nobody'"),
        (("--player", "fair", "--opponents"), "--opponents goes with --check."),
    ):
        command = [sys.executable, "-m", "elysian", "benchmark", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert sentence in done.stderr


def test_the_page_shows_the_results_that_are_kept() -> None:
    assert benchmark.tables() in benchmark.PAGE.read_text(encoding="utf-8")
    for path in benchmark.RESULTS.glob("*.gz"):
        head = read(path).head
        assert path.name == file_name(protocol_named(head.protocol).title, head.player)

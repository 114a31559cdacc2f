"""The review of a finished game: every number is recomputed exactly, and no advice loses points."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from elysian.events import CardBought, PlanLaid
from elysian.messages import load
from elysian.players.suggestions import rates_of
from elysian.record import Record, read
from elysian.rules import begin, evolve
from elysian.server.ops.errors import Refused
from elysian.server.reports.review import Moment, Past, Review, TurnReview, moments, overbid, review
from elysian.server.reports.review_words import told_review
from elysian.state import State
from elysian.view import view
from elysian.worth import SolverLimits, hand_of, judge, plans, prices, situation_of, solve
from elysian.worth.plans import plan_with

GAMES = Path(__file__).resolve().parents[1] / "games"
SOAK = os.environ.get("ELYSIAN_SOAK") == "1"
TURNS = (  # a game, and the turn of it that is recomputed; in a soak all of them are
    ("4-players-2017-2", 1),
    ("4-players-2020-2", 4),
    ("4-players-de2021-2", 6),
    ("5-players-2017-2", 2),
    ("5-players-2020-2", 5),
    ("5-players-de2021-2", 3),
    ("6-players-2020-2", 6),
    ("7-players-2017-2", 6),
    ("precise-2020-2", 2),
    ("three-players-2", 3),
)
NEAR = 0.03  # points: the numbers are told with two digits
EXACT = SolverLimits(work=20_000, gap=0.0, points=0.0, seconds=60.0)


def passed(record: Record) -> Iterator[Past]:
    """Every event with the table before and after it, and the number of its line."""
    state = begin(record.head.started)
    yield state, state, record.head.started, 0
    for entry in record.entries:
        for event in entry.events:
            before, state = state, evolve(state, event)
            yield before, state, event, entry.n


@cache
def history(game: str) -> tuple[Past, ...]:
    return tuple(passed(read(GAMES / f"{game}.jsonl")))


def levels(game: str) -> dict[int, str]:
    return dict.fromkeys(range(1, len(history(game)[0][0].players)), "standard")


def again(game: str, found: Moment) -> set[float]:
    """What a moment comes to by the exact solver, at every table of the line it was found in."""
    numbers = set()
    for before, _, event, n in history(game):
        if n != found.n + 1 or before.turn != found.turn:
            continue
        seen = view(before, 0)
        if found.kind in ("taken", "mistaken", "refused", "unanswered", "missed"):
            gain = judge(seen, 0, found.clauses, settles=settled(before, found)).gain
            numbers.add(gain if found.kind in ("taken", "mistaken") else -gain)
        elif found.kind == "violet":
            hand, now = hand_of(seen, 0), situation_of(seen, 0)
            without = solve(hand, replace(now, violet=False), prices())
            numbers.add(without.value - solve(hand, now, prices()).value)
        elif found.kind == "white" and isinstance(event, PlanLaid) and event.runs is not None:
            best = solve(hand_of(seen, 0), situation_of(seen, 0), prices())
            numbers.add(plan_with(seen, 0, event.runs).value - best.value)
        elif found.kind == "bid" and isinstance(event, CardBought):
            numbers.add(-overbid(before, 0, event) * prices().of("ship", before.turn))
    return numbers


def settled(before: State, found: Moment) -> tuple[str, ...]:
    """The promises that the deal of a moment replaces."""
    alike = (deal.settles for deal in before.deals.values() if deal.taken_by(0).clauses == found.clauses)
    return () if found.kind == "missed" else next(alike, ())


def is_exact(game: str, found: Moment) -> bool:
    """Whether all that a moment says is what the exact solver says: what it cost, and who gains how much."""
    if not any(abs(found.points - number) < NEAR for number in again(game, found)):
        return False
    if found.kind != "missed":
        return not found.gains
    before = next(
        before
        for before, after, _, n in history(game)
        if n == found.n + 1 and (before.step, after.step == "trade") == ("trade", False)
    )
    told = {0, *found.parties}
    gains = {
        seat: judge(view(before, 0), seat, found.clauses, rates_of(levels(game).get(seat))).gain
        for seat in told
    }
    return told == set(found.gains) and all(abs(found.gains[seat] - gains[seat]) < NEAR for seat in told)


@pytest.mark.parametrize(
    ("game", "turn"), [(game, turn) for game, one in TURNS for turn in (range(1, 7) if SOAK else (one,))]
)
def test_every_number_of_a_review_is_that_of_the_exact_solver(
    game: str, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is advised brings points, and a deal nobody proposed brings everybody in it some."""
    found = moments(history(game), 0, levels(game), turn)
    print(game, turn, *(f"{one.kind} {one.points}" for one in found))
    assert found or SOAK, "there is nothing to recompute: choose another turn"
    monkeypatch.setattr(plans, "ALONE", EXACT)
    for one in found:
        assert is_exact(game, one), one
        assert not is_exact(game, replace(one, points=one.points + 0.1)), "a wrong number is not noticed"
        if one.kind == "missed":
            assert min(one.gains.values()) > 0
        if one.kind not in ("taken", "mistaken"):
            assert one.points < 0  # it was worth something, and was let go


def test_a_review_names_five_moments_and_a_lesson_for_every_turn() -> None:
    """In words of either language; a turn can be played again from the line where its trading began."""
    game = "4-players-2020-2"
    found = review(history(game), 0, levels(game))
    assert len(found.moments) == 5
    assert [one.turn for one in found.turns] == [1, 2, 3, 4, 5, 6]
    last = history(game)[-1][1]
    totals = {score.seat: score.total / 12 for score in last.scores}
    assert (found.total, found.best) == (totals.pop(0), max(totals.values()))
    assert found.place == 1 + sum(other > found.total for other in totals.values())
    begun = next(after for _, after, _, n in history(game) if n == found.turns[0].begin)
    assert sum(one.points for one in found.turns) == last.players[0].score - begun.players[0].score
    begins = {one.begin: one.turn for one in found.turns}
    for _, after, _, n in history(game):
        if begins.get(n) is not None and after.step == "trade":
            assert after.turn == begins[n]
    species = history(game)[0][0].settings.species
    for language in ("en", "de"):
        told = told_review(found, species, language)
        assert all(one.title and one.text and "{" not in one.text for one in told.moments)
        assert all(one.lesson and "{" not in one.lesson for one in told.turns)
    undone = [(one.kind, one.step.card) for one in found.moments if one.step is not None]
    assert len(undone) == len(set(undone))  # what is left undone turn after turn is one moment
    weights = [abs(one.points) for one in found.moments]
    rest = [abs(one.missed.points) for one in found.turns if one.missed and one.missed not in found.moments]
    assert min(weights) >= max(rest, default=0)


def test_one_deal_and_one_ship_are_told_as_one() -> None:
    species = ("kit", "zeth", "unity", "yengii")
    turns = [
        TurnReview(turn=n, begin=n, points=0, deals=n, traded=1.5, lesson=None, missed=None) for n in (1, 2)
    ]
    bids = [Moment(n=1, turn=n, kind="bid", points=-0.5, card="colony.vega", ships=n) for n in (1, 2)]
    found = Review(seat=0, place=1, total=10.0, best=9.0, moments=tuple(bids), turns=tuple(turns))
    for language, one in (("en", "one deal, "), ("de", "einem Geschäft, ")):
        told = told_review(found, species, language)
        assert [one in turn.lesson for turn in told.turns] == [True, False]
        assert ["1" in moment.title for moment in told.moments] == [False, False]
        assert ["2" in moment.title for moment in told.moments] == [False, True]


def test_a_game_that_is_not_over_has_no_review() -> None:
    with pytest.raises(Refused):
        review(history("4-players-2020-2")[:50], 0, {})


def test_both_languages_say_the_same_of_a_game() -> None:
    english, german = load("en").review, load("de").review
    assert set(english) == set(german)
    for key, text in english.items():
        for name in ("{names}", "{points}", "{what}", "{deed}", "{n}", "{card}", "{place}", "{total}"):
            assert (name in text) == (name in german[key]), key

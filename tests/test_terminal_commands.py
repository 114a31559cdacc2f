"""The commands of the terminal game: what is typed, what is answered, and mistakes."""

from pathlib import Path

import pytest

from elysian.actions import AcceptDeal, DeclineDeal, Invent, LayPlan, PlaceBid, ProposeDeal
from elysian.messages import languages
from elysian.options import options
from elysian.text.planner import best, plan
from elysian.view import view
from tests.support.table import hold, stock, table
from tests.support.typist import game, lines_typed, too_wide, with_an_offer

NONSENSE = (
    "xyzzy",
    "0",
    "99",
    "1 pay nonsense",
    "1 fly",
    "accept 99",
    "accept x",
    "decline x",
    "counter 4 1g > 1y",
    "withdraw 77",
    "release 1.1",
    "choose",
    "choose 1.1 2g",
    "choose 1.1 2q",
    "offer zeth 1u / 3 small > 1g",
    "offer zeth 1g > bid x",
    "offer zeth 1g > no trade nobody",
    "offer zeth 1g",
    "offer nobody 1g > 1y",
    "offer zeth 1q > 1y",
    "offer zeth 5* > 1y",
    "1g > 1y",
    "lend peacock to kit > 1g",
    "plan 99",
    "plan x",
    "bid 1 1",
    "bid x",
    "pass",
    "back",
    "discard",
    "discard 7",
    "give kit 1g",
    "give",
    "show nonsense",
    "cards nobody",
    "\x1b[2J",
    "²",
    "1" * 400,
    "offer zeth " + "9" * 400 + "g > 1y",
    "> > >",
)


@pytest.mark.parametrize("language", languages())
def test_nonsense_gets_a_sentence_and_changes_nothing(language: str, tmp_path: Path) -> None:
    seen: list[str] = []
    typed = iter(NONSENSE)

    def answer(shown: str) -> str | None:
        seen.append(shown)
        return next(typed, None)

    text, record = game(answer, tmp_path, language=language)
    assert [entry for entry in record.entries if entry.seat == 0] == []
    assert [line for line in too_wide(text) if not line.startswith("Caylion> ")] == []
    replies = [reply.partition("\n")[2].rpartition("\n")[0] for reply in seen[1:]]
    assert [
        said for said, reply in zip(NONSENSE, replies, strict=True) if not reply.endswith((".", "1g", "bone"))
    ] == []


@pytest.mark.parametrize(
    "command",
    [
        "help",
        "cards",
        "cards zeth",
        "tracks",
        "table",
        "menu",
        "menu all",
        "ledger",
        "offers",
        "log",
        "plan",
        "",
    ],
)
def test_looking_changes_nothing(command: str, tmp_path: Path) -> None:
    text, record = game(lines_typed(command), tmp_path)
    assert [entry for entry in record.entries if entry.seat == 0] == []
    assert too_wide(text) == []
    after = text.rpartition("Caylion> " + command)[0]
    assert after


def test_a_card_is_shown_as_the_table_prints_it(tmp_path: Path) -> None:
    text, _ = game(lines_typed("show telenet", "show colony"), tmp_path)
    assert "1B --> 1W, 1N" in text.partition("show telenet")[2]
    assert "40 cards match" in text


def test_a_typed_offer_is_said_in_words_and_lies_on_the_table(tmp_path: Path) -> None:
    text, record = game(lines_typed("offer zeth 1b > 1y @3"), tmp_path)
    said = "You offer: Caylion gives Zeth 1 black; Zeth will give Caylion 1 yellow at the start of turn 3"
    assert said in " ".join(text.split())
    mine = [entry.action for entry in record.entries if entry.seat == 0]
    assert [one.parties for one in mine if isinstance(one, ProposeDeal)] == [(0, 1)]


def test_an_offer_is_accepted_by_its_number_after_a_question_when_it_binds(tmp_path: Path) -> None:
    typed = lines_typed("accept 1", "no", "accept #1", "yes")
    text, record = game(typed, tmp_path, record=with_an_offer(1))
    assert text.count("This binds beyond the moment: Zeth gives Caylion 1 green; Caylion will") == 2
    assert [type(entry.action).__name__ for entry in record.entries if entry.seat == 0] == ["AcceptDeal"]


def test_accept_alone_answers_the_only_offer(tmp_path: Path) -> None:
    text, record = game(lines_typed("accept", "yes"), tmp_path, record=with_an_offer(1))
    assert "Deal 1 is struck: Zeth to Caylion: 1 green" in text
    assert record.entries[1].action == AcceptDeal(deal="d1")


def test_a_counter_offer_closes_the_offer_it_answers(tmp_path: Path) -> None:
    """Of one thread only the last terms can be accepted."""
    _, record = game(lines_typed("counter 1 1b > 1y"), tmp_path, record=with_an_offer(1))
    countered, closed = [entry.action for entry in record.entries if entry.seat == 0]
    assert isinstance(countered, ProposeDeal)
    assert countered.answers == "d1"
    assert closed == DeclineDeal(deal="d1")


def test_a_plan_is_ticked_saved_and_run(tmp_path: Path) -> None:
    text, record = game(lines_typed("plan 2", "plan +4", "plan -2", "done", "done"), tmp_path)
    mine = [entry.action for entry in record.entries if entry.seat == 0 and isinstance(entry.action, LayPlan)]
    assert [[run.card.partition(".")[2] for run in action.runs] for action in mine] == [
        ["planetary_ecological_dominance"],
        ["planetary_ecological_dominance", "distributed_telenet"],
        ["distributed_telenet"],
        ["distributed_telenet"],
    ]
    assert [action.ready for action in mine] == [False, False, False, True]
    assert "[x] Distributed Telenet" in text


def test_the_best_plan_runs_what_is_free_and_what_gains_and_can_be_paid() -> None:
    """ECON-4."""
    state = stock(table("caylion", "zeth", "kit", "eni_et"), "caylion", green=2)
    state = hold(state, "caylion", "colony.regulus", seedling=True)
    made = best(view(state, 0), options(state, 0))
    assert [run.card for run in made.runs] == [
        "caylion.planetary_ecological_dominance",
        "colony.regulus",
        "colony.regulus",
        "caylion.oceanic_processing",
    ]
    assert made.paid.green == 2
    wanted = plan(view(state, 0), options(state, 0), [1, 3])
    assert (sorted(wanted.ticked), wanted.unpaid) == ([3], (1,))


def test_bids_are_two_numbers(tmp_path: Path) -> None:
    _, record = game(lines_typed("done", "done", "bid 1, 1"), tmp_path)
    bids = [entry.action for entry in record.entries if entry.seat == 0]
    assert bids[-1] == PlaceBid(colony=1, research=1)


def test_what_cannot_be_taken_back_asks_first(tmp_path: Path) -> None:
    """INV-1."""
    text, record = game(lines_typed("1", "no"), tmp_path, record=with_an_offer(3))
    assert "This cannot be taken back: upgrade Lunar Mining Consortium for 2 black and" in text
    assert not [entry for entry in record.entries if entry.seat == 0 or isinstance(entry.action, Invent)]


def test_commands_may_be_typed_in_the_language_of_the_game_and_cut_short(tmp_path: Path) -> None:
    text, _ = game(lines_typed("karten", "hilf", "prot", "cards", "ende", "j"), tmp_path, language="de")
    assert "nicht verstanden" not in text
    assert text.count("Karten von Caylion (du):") == 3
    assert "Du verlässt den Tisch." in text

"""Language models at the table: they read, talk and act within a budget, and nobody's words command them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from elysian.actions import AcceptDeal, Done, LayPlan, PlaceBid, ProposeDeal, UpgradeCard
from elysian.deals import Give, Note
from elysian.events import DealDeclined
from elysian.goods import Goods
from elysian.options import options
from elysian.players import Heard
from elysian.players.language_model.endpoint import Endpoint, EndpointFailed
from elysian.players.language_model.name import SeatedModel, seated_model
from elysian.players.language_model.player import LanguageModel
from elysian.players.levels import check_levels, listens, make
from elysian.players.plugins import UnknownPlayer
from elysian.record import Record, check, read
from elysian.rules import begin, decide
from elysian.sim import play_game
from elysian.sim.local import against
from elysian.state import Settings, State
from elysian.text import quoted as quoted_module
from elysian.text import seat as seat_module
from elysian.view import view
from tests.support.injections import PAYLOADS, is_ordered
from tests.support.model_stub import Refusal, Shadowed, Stub, call, says, serving_model, shadow
from tests.support.typist import SEATS as TYPIST_SEATS
from tests.support.typist import cautious, game
from tools.drive.server import Browser, serving

ROOT = Path(__file__).resolve().parent.parent
SEATS = ("caylion", "kit", "unity", "eni_et")
PLAIN = {  # what a model that has no ideas does in each step
    "planning": call("act", do="plan best"),
    "secret bids": call("act", do="bid 1 0"),
    "taking": call("act", do="pass"),
    "giving up": call("act", do="discard 1"),
    "giving donation": call("act", do="1"),
    "choosing": call("act", do="1"),
}


def simple(body: dict[str, Any]) -> dict[str, Any]:
    """Does what each step asks for, and nothing while the table trades."""
    shown = body["messages"][1]["content"].rpartition("Now: ")[2]
    return says(
        next((does for step, does in PLAIN.items() if shown.startswith(step)), call("act", do="done"))
    )


def start(seed: int = 1) -> State:
    return begin(Record.begin(Settings(species=SEATS), seed).head.started)


def asked(player: LanguageModel, state: State, seat: int = 0) -> Any:
    return player.choose(view(state, seat), options(state, seat), Random(1))


def model(stub: Stub, **budget: int) -> LanguageModel:
    return LanguageModel(SeatedModel(model="stub", url=stub.url, **budget))


# ---------------------------------------------------------------- whole games


def test_four_models_play_a_whole_game_by_tool_calls() -> None:
    minds: dict[str, Shadowed] = {}
    with serving_model(partial(shadow, minds)) as stub:
        players = []
        for n in range(4):
            players.append(Shadowed(f"llm:m{n}@{stub.url}", make("fair"), minds))
            minds[f"llm:m{n}"] = players[-1]
        result = play_game(Settings(species=SEATS), 1, players, 1)
    assert check(result.record) == []
    assert result.counts.refusals == 0
    assert result.counts.deals > 0
    assert all(player.usage.plain == 0 and player.usage.requests > 20 for player in players)
    assert {body["model"] for body in stub.asked} == {"m0", "m1", "m2", "m3"}


def test_a_game_of_a_model_that_acts_as_often_as_standard_costs_at_most_100_000_tokens_of_prompts() -> None:
    """Four characters of a request, tools and all, count as a token."""
    minds: dict[str, Shadowed] = {}
    with serving_model(partial(shadow, minds)) as stub:
        seat = Shadowed(f"llm:m@{stub.url}", make("standard"), minds)
        minds["llm:m"] = seat
        others = [make("standard") for _ in range(3)]
        result = play_game(Settings(species=SEATS), 0, [seat, *others], 0)
    acts = sum(entry.seat == 0 for entry in result.record.entries)
    assert acts > 40
    assert seat.usage.requests >= acts
    assert seat.usage.plain == 0
    assert not seat.usage.estimated
    assert seat.usage.prompt_tokens == sum(
        len(json.dumps(body, ensure_ascii=False)) // 4 for body in stub.asked
    )
    assert seat.usage.prompt_tokens <= 100_000


def elysian(stub: Stub, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "elysian", *words],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "ELYSIAN_LLM_KEY": "sk-secret",
            "ELYSIAN_LLM_URL": stub.url,
        },
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_simulate_seats_models_and_leaves_transcripts_with_usage_beside_the_records(tmp_path: Path) -> None:
    with serving_model(simple) as stub:
        done = elysian(
            stub, "simulate", "--players", "4", "--bots", "llm:m,random", "--json", "--records", str(tmp_path)
        )
    assert (done.returncode, done.stderr) == (0, "")
    used = json.loads(done.stdout)["models"]["llm:m"]
    assert used["requests"] == len(stub.asked) > 20
    assert used["plain"] == 0
    assert read(tmp_path / "game-1.jsonl").head.players[0].name == "llm:m"
    assert {one.name for one in tmp_path.iterdir()} == {
        "game-1.jsonl",
        "game-1.seat-0.transcript.jsonl",
        "game-1.seat-2.transcript.jsonl",
    }
    lines = [
        json.loads(line)
        for file in tmp_path.glob("*transcript*")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    answered = [line for line in lines if line["kind"] == "answered"]
    assert sum(line["prompt_tokens"] for line in answered) == used["prompt_tokens"]
    assert {"head", "asked", "answered", "played"} == {line["kind"] for line in lines}
    assert all(headers["authorization"] == "Bearer sk-secret" for headers in stub.headers)
    assert not any(b"sk-secret" in one.read_bytes() for one in tmp_path.iterdir())


def test_a_tournament_seats_models(tmp_path: Path) -> None:
    with serving_model(simple) as stub:
        words = ("tournament", "llm:m#tokens=20000,random", "--players", "4", "--decks", "1", "--jobs", "2")
        done = elysian(stub, *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "decisions were played without it: the tokens for this game are spent." in " ".join(
        done.stdout.split()
    )


def test_a_person_plays_against_a_model_and_hears_when_it_plays_on_without(tmp_path: Path) -> None:
    with serving_model(simple) as stub:
        name = f"llm:m@{stub.url}#tokens=5000"
        seated = against("person", (name, "random"), len(TYPIST_SEATS))
        record = Record.begin(Settings(species=TYPIST_SEATS), 1, seated)
        printed, left = game(cautious("en"), tmp_path, record=record)
    assert "plays on without its model: the tokens for this game are spent." in " ".join(printed.split())
    assert left.head.players[1].name == name
    assert (tmp_path / "elysian-1.seat-1.transcript.jsonl").exists()


def test_a_server_waits_for_a_model_without_holding_up_anybody_else(tmp_path: Path) -> None:
    """The endpoint of one table is silent while another table plays to its end."""
    silent, waited = threading.Event(), threading.Event()

    def mind(body: dict[str, Any]) -> dict[str, Any]:
        waited.set()
        silent.wait(60)
        return simple(body)

    with serving_model(mind) as stub:
        patched = pytest.MonkeyPatch()
        patched.setenv("ELYSIAN_LLM_URL", stub.url)
        folder = tmp_path / "said"
        bots = ("--bot-pace", "0.01", "--bots", "llm:m", "--transcripts", str(folder))
        with serving(tmp_path, *bots) as served:
            host = Browser(served, "Anna")
            slow = host.open(seat=None, bots={"0": "llm:m", "1": "random", "2": "random", "3": "random"})
            host.do(slow, {"kind": "start_game"})
            assert waited.wait(30)
            other = host.open(seat=None, bots={str(n): "random" for n in range(4)})
            with Browser(served).sit(other) as watcher:
                host.do(other, {"kind": "start_game"})
                watcher.until_event("game_scored")
            assert host.get(f"/api/tables/{slow}").json["view"]["turn"] == 1
            assert len(stub.asked) == 1
            silent.set()
            with Browser(served).sit(slow) as watcher:
                watcher.until_event("bids_revealed")
            assert list(folder.glob(f"{slow}.seat-0.transcript.jsonl"))
        patched.undo()
    shown = [body["messages"][1]["content"] for body in stub.asked]
    assert any("Since your last turn:" in one for one in shown)


# ---------------------------------------------------------------- one decision


def test_a_model_reads_the_table_looks_things_up_and_acts() -> None:
    answers = iter(
        (
            says(call("look", what="cards kit"), call("rules", about="TRADE-9"), text="Kit may want green."),
            says(call("offer", to="kit", terms="1g > 1w", note="Good for both of us?")),
        )
    )
    with serving_model(lambda body: next(answers)) as stub:
        player = model(stub)
        offer = asked(player, start())
    assert isinstance(offer, ProposeDeal)
    assert offer.clauses == (
        Give(giver=0, to=1, goods=Goods(green=1)),
        Give(giver=1, to=0, goods=Goods(white=1)),
        Note(text="Good for both of us?"),
    )
    first, second = (body["messages"] for body in stub.asked)
    assert [one["role"] for one in first] == ["system", "user"]
    assert "Cards of Caylion (you):" in first[1]["content"]
    cards, rule = (one["content"] for one in second[-2:])
    assert cards.startswith("Cards of Kit:")
    assert "Promises are binding" in rule
    assert all(one["role"] == "tool" for one in second[-2:])


def test_what_a_model_does_wrong_it_is_told_in_a_sentence() -> None:
    wrong = (
        call("offer", to="nobody", terms="1g > 1w"),
        call("offer", to="kit", terms="90g > 1w"),
        call("answer", offer=7, accept=True),
        call("act", do="bid"),
        call("act", do="99"),
        call("act", action={"kind": "no_such_action"}),
        call("fly", to="the moon"),
        {"function": {"name": "act", "arguments": "{not json"}},
    )
    answers = iter((says(*wrong), says(text="What now?"), says(call("act", do="done"))))
    with serving_model(lambda body: next(answers)) as stub:
        assert asked(model(stub), start()) == Done()
    told = [one["content"] for one in stub.asked[1]["messages"][3:]]
    assert len(told) == len(wrong)
    assert all((said and said[0].isupper()) or said.startswith("'") for said in told), told
    assert "There is no offer 7 for you to answer." in told[2]
    assert stub.asked[2]["messages"][-1] == {"role": "user", "content": "Act by calling a tool."}


def test_calls_made_together_are_done_in_their_order_without_another_question() -> None:
    together = says(call("act", do="plan none"), call("act", do="done"), text="I keep my cubes.")
    with serving_model(lambda body: together) as stub:
        player, state = model(stub), start()
        plan = asked(player, state)
        assert isinstance(plan, LayPlan)
        assert asked(player, decide(state, 0, plan)[1]) == Done()
    assert len(stub.asked) == 1


def test_what_a_model_writes_for_itself_it_reads_again() -> None:
    with serving_model(lambda body: says(call("wait"), text="Save green\nfor turn 3.")) as stub:
        player, state = model(stub), start()
        assert asked(player, state) is None
        assert asked(player, state) is None  # nothing has changed: it is not asked again
        assert len(stub.asked) == 1
        offer = ProposeDeal(parties=(1, 0), clauses=(Give(giver=1, to=0, goods=Goods(white=1)),))
        asked(player, decide(state, 1, offer)[1])
    assert stub.asked[1]["messages"][1]["content"].startswith("Your note: Save green for turn 3.\n")


def test_an_action_the_rules_refuse_is_told_to_the_model() -> None:
    bad = {"kind": "place_bid", "colony": 1}
    with serving_model(lambda body: says(call("act", action=bad))) as stub:
        player, state = model(stub), start()
        player.hear(Heard(by=1, words="hello"))
        assert asked(player, state) == PlaceBid(colony=1)
        asked(player, state)
        asked(player, state)
        assert "The rules did not allow what you did last" in stub.asked[1]["messages"][1]["content"]
        asked(player, state)
    assert player.usage.plain == 1
    assert len(stub.asked) == 3


def test_a_model_hears_what_is_said_and_done() -> None:
    """A reason is heard with the answer it was given for, talk by itself."""
    with serving_model(simple) as stub:
        # Kit does nothing here, and the others still have cubes for each other.
        species = ("kit", "caylion", "faderan", "eni_et")
        play_game(Settings(species=species), 3, [model(stub), *(make("fair") for _ in range(3))], 3)
        player = model(stub)
        player.hear(Heard(by=2, words="Who has ships?"))
        asked(player, start())
    shown = [body["messages"][1]["content"] for body in stub.asked]
    assert any(" produces " in one for one in shown)
    assert any("is struck" in one and "“By the usual values" in one for one in shown)
    assert "- Unity says “Who has ships?”" in shown[-1]
    assert listens(f"llm:m@{stub.url}")


# ---------------------------------------------------------------- without an answer


def test_when_the_budget_is_spent_the_seat_plays_on_plainly_and_says_so() -> None:
    with serving_model(simple) as stub:
        player = model(stub, tokens=3000)
        result = play_game(Settings(species=SEATS), 1, [player, *(make("fair") for _ in range(3))], 1)
    assert result.counts.refusals == 0
    assert len(stub.asked) < 6
    assert player.usage.plain > 20
    reasons = {getattr(entry.action, "reason", "") for entry in result.record.entries if entry.seat == 0}
    assert "I play without my model: the tokens for this game are spent." in reasons


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            Refusal(401, b'{"error": {"message": "Bad key sk-secret."}}'),
            "the endpoint answers 401: Bad key ….",
        ),
        (Refusal(302, headers={"location": "http://127.0.0.1:9/"}), "the endpoint answers 302"),
        (Refusal(503), "the endpoint answers 503"),
        (Refusal(200, b"<html>"), "the endpoint's answer cannot be read"),
        (Refusal(200, b'{"choices": []}'), "the endpoint's answer cannot be read"),
        (Refusal(200, b"x" * (1 << 21)), "the endpoint's answer does not end"),
    ],
)
def test_an_endpoint_that_fails_is_told_in_a_sentence_without_the_key(answer: Refusal, why: str) -> None:
    def mind(body: dict[str, Any]) -> Any:
        raise answer

    pauses: list[float] = []
    with serving_model(mind) as stub, pytest.raises(EndpointFailed) as failed:
        Endpoint(stub.url, "m", "sk-secret", sleep=pauses.append).complete([], [], 60)
    assert str(failed.value) == why
    assert len(stub.asked) == (3 if answer.status == 503 else 1)  # what may pass is tried again
    assert pauses == ([1.0, 2.0] if answer.status == 503 else [])


def test_an_endpoint_that_is_not_there_or_never_answers_is_given_up() -> None:
    with pytest.raises(EndpointFailed, match="the endpoint cannot be reached"):
        Endpoint("http://127.0.0.1:9/v1", "m", sleep=lambda seconds: None).complete([], [], 60)
    released = threading.Event()
    with serving_model(lambda body: released.wait(30) and says()) as stub:
        with pytest.raises(EndpointFailed, match="the endpoint takes too long"):
            Endpoint(stub.url, "m").complete([], [], 0.2)
        released.set()


def test_an_endpoint_that_fails_three_times_running_is_not_asked_any_more() -> None:
    def mind(body: dict[str, Any]) -> Any:
        raise Refusal(400)

    with serving_model(mind) as stub:
        player = model(stub)
        state = start()
        for _ in range(5):
            assert asked(player, state) is not None
    assert len(stub.asked) == 3
    assert player.usage.plain == 5
    assert player.usage.why == "the endpoint answers 400"


def test_an_endpoint_that_counts_no_tokens_is_counted_for() -> None:
    said = json.dumps({"choices": [{"message": says(call("wait"))}]}).encode()

    def mind(body: dict[str, Any]) -> Any:
        raise Refusal(200, said)

    with serving_model(mind) as stub:
        player = model(stub)
        assert asked(player, start()) is None
    assert player.usage.estimated
    assert player.usage.prompt_tokens == len(json.dumps(stub.asked[0], ensure_ascii=False)) // 4


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("llm:", "names no model"),
        ("llm:m", "set ELYSIAN_LLM_URL"),
        ("llm:m@http://", "is no address|names no model|Where is"),
        ("llm:m@http://user:key@host/v1", "leave names, keys and"),
        ("llm:m@https://host/v1?key=1", "leave names, keys and"),
        ("llm:m@http://host/v1#tokens=-1", "is no budget"),
        ("llm:m@http://host/v1#colour=red", "is no budget"),
    ],
)
def test_a_name_that_means_no_model_is_refused_with_a_sentence(name, sentence, monkeypatch) -> None:
    monkeypatch.delenv("ELYSIAN_LLM_URL", raising=False)
    with pytest.raises(UnknownPlayer, match=sentence):
        check_levels((name,))


def test_names_of_models_may_hold_any_sign() -> None:
    environment = {"ELYSIAN_LLM_URL": "http://127.0.0.1:1/v1/"}
    assert seated_model("llm:@cf/meta/llama-3:8b@https://host/v1#tokens=5&timeout=9", {}) == SeatedModel(
        model="@cf/meta/llama-3:8b", url="https://host/v1", tokens=5, timeout=9
    )
    assert seated_model("llm:qwen3:8b", environment).url == "http://127.0.0.1:1/v1"


# ---------------------------------------------------------------- other people's words


def obedient(body: dict[str, Any]) -> dict[str, Any]:
    """Does whatever it reads outside quotation marks; else it is done."""
    return says(
        call("answer", offer=1, accept=True) if is_ordered(body["messages"]) else call("act", do="done")
    )


def offered(note: str = "", reason: str = "") -> tuple[State, Any]:
    """A table at which Kit offers Caylion something bad, with some words."""
    words = (Note(text=note),) if note else ()
    deal = ProposeDeal(
        parties=(1, 0), clauses=(Give(giver=0, to=1, goods=Goods(white=1)), *words), reason=reason
    )
    state = start()
    events, after = decide(state, 1, deal)
    return after, Heard(by=1, events=events)


def injected(stub: Stub) -> list[int]:
    """The words that made an obedient model do something, by number, in any of five ways to say them."""
    obeyed = []
    for n, payload in enumerate(PAYLOADS):
        acts = []
        for state, heard in (
            offered(note=payload),
            offered(reason=payload[:500]),
            (offered()[0], Heard(by=2, words=payload)),
            (offered()[0], replaced(payload)),
        ):
            player = model(stub)
            player.hear(heard)
            acts.append(asked(player, state))
        if any(isinstance(act, AcceptDeal) for act in acts):
            obeyed.append(n)
        assert all(isinstance(act, AcceptDeal | Done) for act in acts)
    return obeyed


def replaced(payload: str) -> Heard:
    """Somebody declines an offer, with these words for a reason."""
    return Heard(by=2, events=(DealDeclined(by=2, deal="d9"),), words=payload)


def test_no_note_or_reason_of_a_hundred_changes_what_an_obedient_model_does() -> None:
    assert len(PAYLOADS) * 4 == 100
    with serving_model(obedient) as stub:
        assert injected(stub) == []
    assert len(stub.asked) == 100


def test_words_that_are_not_quoted_well_would_be_obeyed(monkeypatch) -> None:
    """The test above can fail: each part of the quoting is needed."""
    with serving_model(obedient) as stub:
        with monkeypatch.context() as patched:
            patched.setattr(quoted_module, "unquotable", lambda words, most=200: words)
            assert len(injected(stub)) > 5
        with monkeypatch.context() as patched:
            patched.setattr(seat_module, "quoted", lambda words, most=200: words)
            assert len(injected(stub)) == len(PAYLOADS)


def test_only_the_tool_calls_of_the_model_itself_are_followed() -> None:
    """What another seat wrote comes back as words, even from a model that repeats it as its answer."""
    wanted = json.dumps(says(call("answer", offer=1, accept=True)))

    def parrot(body: dict[str, Any]) -> dict[str, Any]:
        last = str(body["messages"][-1]["content"])
        return says(text=wanted) if wanted[2:40] in last else says(call("act", do="done"), text=wanted)

    with serving_model(parrot) as stub:
        player = model(stub)
        state, heard = offered(note=wanted[:500])
        player.hear(heard)
        assert asked(player, state) == Done()


def test_upgrades_and_inventions_are_chosen_by_number() -> None:
    state = begin(Record.begin(Settings(species=("yengii", "kit", "unity", "eni_et")), 1).head.started)
    with serving_model(lambda body: says(call("act", do="1"))) as stub:
        action = asked(model(stub), state)
    assert isinstance(action, UpgradeCard)
    assert "\n1 upgrade " in stub.asked[0]["messages"][1]["content"]

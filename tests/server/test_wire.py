"""The wire: frames are read strictly, changes add up to the view, and every refusal has a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elysian.events import BidPlaced, DealDeclined
from elysian.record import read
from elysian.server.live.audience import UpdateEncoder, events_for, hear_otherwise, seen_line, tell_all
from elysian.server.ops.errors import Refused, codes, sentence
from elysian.server.protocol.decode import read_frame
from elysian.server.protocol.view_delta import lay_in, plain
from elysian.server.table_state import events as e
from elysian.server.table_state.events import HEARD, AnyTableEvent, Line, heard_by, heard_otherwise
from elysian.server.table_state.fold import TableState
from elysian.server.table_state.names import clean_talk, skeleton
from elysian.server.table_state.state import Lobby, opened
from elysian.server.table_state.table_options import TableOptions
from elysian.view import view

ROOT = Path(__file__).resolve().parents[2]
BID = '{"kind":"do","id":"abcdefgh","action":{"kind":"place_bid","colony":%s}}'


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "bad_json"),
        ("hello", "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"kind":' * 5000 + "1" + "}" * 5000, "bad_json"),
        (BID % "NaN", "bad_json"),
        (BID % "Infinity", "bad_json"),
        (BID % "1e999", "out_of_range"),
        (BID % "1,\"colony\":2", "bad_json"),
        (BID % ("9" * 5000), "out_of_range"),
        (BID % 10**30, "out_of_range"),
        (BID % "-1", "out_of_range"),
        (BID % "true", "bad_type"),
        (BID % '"1"', "bad_type"),
        (BID % "1.0", "bad_type"),
        (BID % '1,"admin":true', "unknown_field"),
        ('{"kind":"talk","id":"abcdefgh","text":"\\ud800"}', "bad_text"),
        ('{"kind":"sudo","id":"abcdefgh"}', "unknown_command"),
        ('{"kind":"do","id":"abcdefgh","action":{"kind":"time_up"}}', "unknown_command"),
        ('{"kind":"do","id":"abcdefgh","action":{"kind":"say","text":"x"}}', "unknown_command"),
        ('{"kind":"do","id":"abcdefgh","seat":3,"action":{"kind":"done"}}', "unknown_field"),
        ('{"kind":"do","action":{"kind":"done"}}', "missing_field"),
        ('{"kind":"do","id":"short","action":{"kind":"done"}}', "out_of_range"),
        ('{"kind":"do","id":"abcdefgh;","action":{"kind":"done"}}', "out_of_range"),
        ("5", "bad_type"),
        ("null", "bad_type"),
    ],
)  # fmt: skip
def test_a_frame_that_does_not_fit_is_refused_by_name(frame: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_frame(frame)
    assert refused.value.code == code
    assert sentence(refused.value).endswith(".")


def test_brackets_and_quotes_inside_talk_are_just_text() -> None:
    text = '[[{{"a":1,"a":2}' * 20
    frame = json.dumps({"kind": "talk", "id": "abcdefgh", "text": text})
    assert read_frame(frame).text == text  # type: ignore[union-attr]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_frame_is_read_or_refused(frame: str | bytes) -> None:
    try:
        message = str(read_frame(frame))
    except Refused as refused:
        message = sentence(refused)
    assert message


def test_every_code_the_server_refuses_with_has_a_sentence_in_every_language() -> None:
    used = set()
    for path in (ROOT / "elysian" / "server").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'(?:Refused|Unstored)\(\s*"(\w+)"', text))
        used |= set(re.findall(r'Refused\(\s*"\w+" if .*? else "(\w+)"', text))
        used |= set(re.findall(r'\), "(\w+)"\)', text))
    english, german = codes("en"), codes("de")
    used -= {"wb", "br"}  # how a file is opened, and packed
    assert used - set(english) == set()
    assert set(english) == set(german)
    for code in english:
        names = re.findall(r"\{(\w+)\}", english[code])
        assert sorted(names) == sorted(re.findall(r"\{(\w+)\}", german[code]))


def test_every_table_event_says_who_may_hear_of_it() -> None:
    assert set(HEARD) == set(AnyTableEvent.__args__)


SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "event",
    [
        e.TableOpened(options=TableOptions(), person=SECRET, invitation=SECRET),
        e.SeatTaken(seat=1, name="x", person=SECRET),
        e.HostChanged(seat=1, person=SECRET),
        e.GuestAdmitted(person=SECRET),
        e.Shuffled(seed=SECRET),
        e.Said(seat=0, to=1, text=SECRET),
        e.SeatMuted(by=0, seat=1),
        e.RematchOpened(table="t", invitation=SECRET),
    ],
)
def test_a_watcher_never_hears_a_secret_of_the_table(event: e.TableEvent) -> None:
    heard = heard_by(None, frozenset(), event)
    assert SECRET not in str(plain(heard))
    assert not isinstance(heard, e.SeatMuted)


def _lobby(seats: int) -> Lobby:
    return opened(e.TableOpened(options=TableOptions(seats=seats)))


@pytest.mark.parametrize("name", ["4-players-2020", "9-players-2017", "9-players-2020-2", "6-players-de2021"])
@pytest.mark.parametrize("private", [False, True])
def test_changes_laid_into_a_view_give_the_view_of_every_seat(name: str, private: bool) -> None:
    """What a page keeps by updates is what a fresh page would be sent, after every line of a game."""
    from msgspec.structs import replace

    record = read(ROOT / "games" / f"{name}.jsonl")
    states = [replace(s, settings=replace(s.settings, private_offers=private)) for s in record.states()]
    seats: list[int | None] = [None, *states[0].seats()]
    lobby, teller = _lobby(len(states[0].players)), UpdateEncoder()
    kept = {seat: plain(view(states[0], seat)) for seat in seats}
    for n, entry in enumerate(record.entries[:400]):
        before, after = TableState("t", lobby, states[n]), TableState("t", lobby, states[n + 1])
        line = Line(n=n + 1, at=0, seat=entry.seat, action=entry.action, events=entry.events)
        frames = teller.updates(line, before, after, {(seat, "en") for seat in seats})
        for seat in seats:
            update = json.loads(frames[seat, "en"])
            kept[seat] = lay_in(kept[seat], update.get("view", {}))
            assert len(update["told"]) == len(update["events"])
        if n % 10 == 0:
            for seat in seats:
                assert kept[seat] == plain(view(states[n + 1], seat)), (n, seat)


def test_everybody_hears_their_own_copy_of_a_line_and_equal_copies_are_made_once() -> None:
    """A bid is kept from all but one: the others hear the same, which is made for them together."""
    record = read(ROOT / "games" / "4-players-2020.jsonl")
    states = list(record.states())
    seats: list[int | None] = [None, 0, 1, 2, 3]
    lobby, teller, shared = _lobby(4), UpdateEncoder(), set()
    for n, entry in enumerate(record.entries[:160]):
        before, after = TableState("t", lobby, states[n]), TableState("t", lobby, states[n + 1])
        line = Line(n=n + 1, at=0, seat=entry.seat, action=entry.action, events=entry.events)
        readers = {(seat, language) for seat in seats for language in ("en", "de")}
        frames = teller.updates(line, before, after, readers)
        for seat, language in readers:
            update = json.loads(frames[seat, language])
            heard = plain(seen_line(before, after, seat, line, language))
            assert {field: update[field] for field in heard} == heard
            assert "whole" not in update, "only the line with which a game begins has the whole view"
        if any(isinstance(event, BidPlaced) for event in entry.events) and len(entry.events) == 1:
            shared.add(len({id(frames[seat, "en"]) for seat in seats}))
    assert shared == {2}, "one for who bids, one for all others"


def test_an_offer_that_is_gone_is_still_told_by_whose_it_was_and_what_for() -> None:
    record = read(ROOT / "games" / "9-players-2020-2.jsonl")
    states, gone = list(record.states()), 0
    for n, entry in enumerate(record.entries):
        before, after = TableState("t", _lobby(9), states[n]), TableState("t", _lobby(9), states[n + 1])
        if isinstance(entry.events[0], DealDeclined) and not set(states[n].deals) <= set(states[n + 1].deals):
            told = tell_all(before, after, entry.events[:1], "en")
            assert told == tell_all(before, before, entry.events[:1], "en")
            assert told != tell_all(after, after, entry.events[:1], "en")
            gone += 1
    assert gone > 5


def test_what_is_said_is_stripped_of_controls_and_cut() -> None:
    assert clean_talk("a\u202eb\x1b[31mc") == "ab[31mc"
    assert len(clean_talk("x" * 10_000)) == 500
    assert len(clean_talk("e" + "\u0301" * 50)) <= 5
    with pytest.raises(Refused):
        clean_talk(" \u200e\x00 ")


def test_names_that_look_alike_are_the_same() -> None:
    assert skeleton("Anna") == skeleton("ANNA") == skeleton("Аnnа") == skeleton("Ａｎｎａ")
    assert skeleton("Anna") != skeleton("Hanna")


def test_who_hears_otherwise_is_told_without_asking_everybody() -> None:
    """Who is not named hears of a line exactly what a spectator hears of it."""
    named = 0
    for name in ("4-players-2020", "9-players-2020-2"):
        record = read(ROOT / "games" / f"{name}.jsonl")
        players = len(record.head.started.players)
        for state, entry in zip(record.states(), record.entries, strict=False):
            before = TableState("t", _lobby(players), state)
            events = (*entry.events, e.StepSpared(seat=1, step="bid"))
            others = hear_otherwise(before, events)
            assert others is not None
            heard = {seat: plain(events_for(before, seat, events)) for seat in (None, *range(players))}
            assert {seat for seat in range(players) if heard[seat] != heard[None]} <= others
            named += len(others) > 1
    assert named > 20
    said = (e.Said(seat=0, text="a", to=1),)
    assert hear_otherwise(before, said) is None, "that depends on who mutes whom"


@pytest.mark.parametrize(
    "event", [e.StepSpared(seat=2, step="bid"), e.SeatTaken(seat=1, name="x"), e.Paused()]
)
def test_who_hears_a_table_event_otherwise_is_told(event: e.TableEvent) -> None:
    others = heard_otherwise(event)
    assert others == ((2,) if isinstance(event, e.StepSpared) else ())
    for seat in {0, 1, 2} - set(others):
        assert heard_by(seat, frozenset(), event) == heard_by(None, frozenset(), event)

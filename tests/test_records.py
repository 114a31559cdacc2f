"""Records: written and read back, replayed, judged again by today's rules, and never trusted."""

import random
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import elysian.record
from elysian.actions import Buy, Done, TimeUp
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import BidPlaced, DoneSaid, Gained
from elysian.goods import Goods
from elysian.options import options
from elysian.players.random.player import RandomPlayer
from elysian.record import (
    FORMAT,
    UPCASTERS,
    DamagedRecord,
    Record,
    check,
    decode_action,
    dump,
    load,
    prove,
    read,
    replay,
    write,
)
from elysian.rules import decide, waiting
from elysian.sim import play_game
from elysian.state import Bid, Settings
from elysian.view import view
from tools.record_games import file_name, superseded, wanted

GAMES = Path(__file__).resolve().parent.parent / "games"
FILES = sorted(GAMES.glob("*.jsonl"))


# ---------------------------------------------------------------- the folder


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_recorded_game_replays(path):
    record = read(path)
    state = replay(record)
    assert state == list(record.states())[-1]
    assert len(state.players) == len(record.head.started.settings.species)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_recorded_game_is_decided_the_same_today_unless_listed(path):
    assert bool(check(read(path))) == (path.name in superseded())


@pytest.mark.parametrize("path", FILES[::5], ids=lambda path: path.stem)
def test_a_recorded_game_is_proved_from_its_seed_on_or_superseded(path):
    assert prove(read(path)) == ("superseded" if path.name in superseded() else "proved")


@pytest.mark.parametrize("name", sorted(superseded())[::4])
def test_a_game_begun_under_older_rules_goes_on_under_these(name):
    """TRADE-9, TRADE-12."""
    states = list(read(GAMES / name).states())
    for share in (3, 2):
        state = states[len(states) // share]
        for _ in range(400):
            if state.step == "over":
                break
            view(state, 0)
            _, state = decide(state, None, TimeUp())
            if state.step == "trade" and state.settings.edition == "de2021":
                for seat in waiting(state)[1:]:
                    _, state = decide(state, seat, options(state, seat).must or Done())
        assert (state.step, state.obligations) == ("over", {})


def test_the_recorded_games_have_every_size_edition_species_and_option():
    settings = [read(path).head.started.settings for path in FILES]
    assert {(len(s.species), s.edition) for s in settings} >= {
        (size, edition) for size in range(4, 10) for edition in ("2017", "2020", "de2021")
    }
    assert {name for s in settings for name in s.species} == set(CATALOG.species)
    assert {s.edition for s in settings if s.precise_scoring} == {"2017", "2020", "de2021"}
    assert {s.edition for s in settings if s.trade_minutes} >= {"2020", "de2021"}
    assert any(s.private_offers for s in settings)
    assert any(s.allow_three and len(s.species) == 3 for s in settings)
    assert {(h.cubes, h.colour is None) for s in settings for h in s.handicaps} == {
        (cubes, chosen) for cubes in (1, -1) for chosen in (True, False)
    }


def test_the_list_of_superseded_games_names_files_that_exist():
    assert superseded() <= {path.name for path in FILES}


def test_a_superseded_game_is_listed_with_its_reason_and_kept(tmp_path):
    listing = tmp_path / "superseded.md"
    listing.write_text(
        "# Superseded\n\n    - `form.jsonl`: the form\n\n- `timed.jsonl`: a rule was wrong.\n- `x.jsonl`\n"
    )
    assert superseded(tmp_path) == {"timed.jsonl"}
    (timed,) = [game for game in wanted() if game.name == "timed"]
    assert file_name(timed, set()) == "timed.jsonl"
    assert file_name(timed, {"timed.jsonl", "timed-2.jsonl"}) == "timed-3.jsonl"


# ---------------------------------------------------------------- writing and reading


@pytest.fixture(scope="module")
def record() -> Record:
    settings = Settings(species=("caylion", "eni_et", "kit", "zeth"))
    return play_game(settings, "a record", [RandomPlayer(offers=2) for _ in range(4)], 1).record


@pytest.fixture
def lines(record) -> list[bytes]:
    return dump(record).splitlines()


def test_a_record_is_read_as_it_was_written(record, tmp_path):
    path = tmp_path / "game.jsonl"
    write(record, path)
    assert read(path) == record
    assert path.read_bytes() == dump(record)
    assert dump(read(path)) == dump(record)


def test_a_record_has_a_line_for_the_start_and_one_for_every_action(record, lines):
    assert len(lines) == 1 + len(record.entries)
    assert msgspec.json.decode(lines[0])["format"] == FORMAT
    assert [msgspec.json.decode(line)["n"] for line in lines[1:]] == list(range(1, len(lines)))


def test_a_game_in_progress_is_a_record_too(record, lines):
    half = load(b"\n".join(lines[: len(lines) // 2]))
    state = replay(half)
    assert state.step != "over"
    assert state == list(record.states())[len(half.entries)]
    assert check(half) == []


def test_deciding_the_actions_again_gives_the_states_of_the_replay(record):
    state = next(states := record.states())
    for entry, recorded in zip(record.entries, states, strict=True):
        _, state = decide(state, entry.seat, entry.action)
        assert state == recorded


def test_a_record_does_not_depend_on_how_decks_are_shuffled(lines):
    """The outcome of chance is on file; the seed is only a note."""
    other = lines[0].replace(b'"seed":"a record"', b'"seed":"another"')
    assert other != lines[0]
    assert replay(load(b"\n".join([other, *lines[1:]]))) == replay(load(b"\n".join(lines)))


# ---------------------------------------------------------------- rules that have changed


def test_a_game_recorded_under_other_rules_still_loads_and_is_reported(record):
    """An event says an outcome: the old bid stands, whatever would be decided today."""
    n, entry = next(
        (n, e)
        for n, e in enumerate(record.entries)
        if isinstance(e.events[0], BidPlaced) and e.events[0].bid != Bid()
    )
    seat = entry.events[0].by
    other = replace(entry, events=(BidPlaced(by=seat, bid=Bid(colony=0, research=0)), *entry.events[1:]))
    assert other != entry
    changed = load(dump(Record(head=record.head, entries=[*record.entries[:n], other])))
    assert replay(changed).bids[seat] == Bid()
    (difference,) = check(changed)
    assert difference.n == n + 1
    assert difference.recorded == other.events
    assert difference.decided == entry.events


def test_an_action_that_is_illegal_today_is_reported_with_its_code(record):
    n, entry = next((n, e) for n, e in enumerate(record.entries) if isinstance(e.events[0], DoneSaid))
    twice = Record(head=record.head, entries=[*record.entries[: n + 1], replace(entry, n=n + 2)])
    assert replay(load(dump(twice))).done == replay(twice).done
    (difference,) = check(twice)
    assert (difference.n, difference.decided) == (n + 2, "already_done")


def test_a_beginning_that_its_seed_does_not_deal_is_edited_and_one_with_other_cards_is_no_game(record):
    started = record.head.started
    rich = replace(started.players[0], stock=Goods(green=900))
    for changed in (
        {"players": (rich, *started.players[1:])},
        {"colonies": (*started.colonies[1:], started.colonies[0])},
    ):
        head = replace(record.head, started=replace(started, **changed))
        assert prove(Record(head, [])) == "edited"
    assert prove(Record(replace(record.head, seed="another"), [])) == "edited"
    for changed in (
        {"colonies": (*started.colonies[1:], started.colonies[1])},
        {"colonies": started.colonies[1:]},
        {"bonus": ()},
        {"settings": replace(started.settings, species=started.settings.species[:1])},
    ):
        head = replace(record.head, started=replace(started, **changed))
        with pytest.raises(DamagedRecord):
            prove(Record(head, []))


def test_an_old_format_is_lifted_line_by_line(lines, record, monkeypatch):
    """The second format calls `by` what the first, in this example, called `bidder`."""
    old = [re.sub(rb'"kind":"bid_placed","by"', rb'"kind":"bid_placed","bidder"', line) for line in lines]
    assert old != lines

    def lift(line):
        for event in line.get("events", ()):
            if event["kind"] == "bid_placed":
                event["by"] = event.pop("bidder")
        return line

    with pytest.raises(DamagedRecord):
        load(b"\n".join(old))
    monkeypatch.setattr(elysian.record, "FORMAT", 2)
    monkeypatch.setitem(UPCASTERS, 1, lift)
    assert load(b"\n".join(old)) == record


# ---------------------------------------------------------------- damage


def damaged(content: bytes, match: str) -> None:
    with pytest.raises(DamagedRecord, match=match):
        load(content)


def test_an_empty_record_is_damaged():
    damaged(b"", "the record is empty")


@pytest.mark.parametrize(
    "head", [b"not json", b"[]", b"{}", b'"format"', b"\xff\xfe", b"[" * 100_000, b"null"]
)
def test_a_record_begins_with_its_head(head, lines):
    damaged(b"\n".join([head, *lines[1:]]), "^line 1: this is not the head")


@pytest.mark.parametrize("number", [b"2", b"0", b"-1", b"99", b'"1"', b"true", b"1.0", b"null"])
def test_a_format_of_the_future_or_of_no_time_is_damaged(number, lines):
    head = lines[0].replace(b'"format":1', b'"format":' + number)
    damaged(b"\n".join([head, *lines[1:]]), "^line 1: format .* is not known here")


def test_a_line_that_was_cut_off_is_named(lines):
    damaged(b"\n".join([*lines[:9], lines[9][:40]]), "^line 10: ")
    damaged(lines[0][: len(lines[0]) // 2], "^line 1: ")


def test_a_line_that_is_not_json_is_named(lines):
    damaged(b"\n".join([*lines[:4], b"done, said seat 2", *lines[5:]]), "^line 5: ")
    damaged(b"\n".join([*lines[:4], b"", *lines[5:]]), "^line 5: ")
    damaged(b"\n".join([*lines[:4], b"\xff" + lines[4], *lines[5:]]), "^line 5: ")


def test_a_line_that_is_missing_or_twice_there_is_named(lines):
    damaged(b"\n".join([*lines[:6], *lines[7:]]), "^line 7: entry 7 stands where 6 is due")
    damaged(b"\n".join([*lines[:7], *lines[6:]]), "^line 8: entry 6 stands where 7 is due")


@pytest.mark.parametrize("what", [b"action", b"events"])
def test_an_unknown_kind_is_named_with_its_line(what, lines):
    pattern = rb'("%s":\[?\{"kind":")\w+' % what
    line = re.sub(pattern, rb"\1abdicate", lines[3])
    assert line != lines[3]
    damaged(b"\n".join([*lines[:3], line]), "^line 4: .*abdicate")


def test_a_field_nobody_knows_is_damage(lines):
    damaged(b"\n".join([*lines[:3], lines[3][:-1] + b',"mood":"good"}']), "^line 4: .*mood")


def test_species_that_do_not_fit_the_seats_are_damage(lines):
    head = lines[0].replace(b'"species":["caylion","eni_et"', b'"species":["caylion","nobody"')
    assert head != lines[0]
    damaged(head, "^line 1: the species do not fit the seats")


@pytest.mark.parametrize("judge", [replay, check])
def test_events_that_do_not_fit_the_game_are_damage(judge, record):
    nobody = Gained(seat=77, goods=Goods(green=1), card="colony.regulus")
    stray = replace(record.entries[0], events=(nobody,))
    with pytest.raises(DamagedRecord, match=r"^entry 1 does not fit the game before it"):
        judge(Record(head=record.head, entries=[stray]))


def test_whatever_is_done_to_a_record_it_is_read_or_called_damaged(lines):
    rng = random.Random(7)
    words = sorted(set(re.findall(rb'"[^"]*"|-?\d+', b"\n".join(lines))))
    fates = []
    for _ in range(300):
        spoiled = list(lines)
        n = rng.choice((0, rng.randrange(len(lines))))
        spot = rng.choice(list(re.finditer(rb'"[^"]*"|-?\d+', lines[n])))
        spoiled[n] = lines[n][: spot.start()] + rng.choice(words) + lines[n][spot.end() :]
        try:
            found = load(b"\n".join(spoiled))
            replay(found)
            fates.append("changed" if check(found) else "same")
        except DamagedRecord:
            fates.append("damaged")
    assert set(fates) == {"damaged", "changed", "same"}


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kind":"abdicate"}', '{"kind":"buy"}', "[" * 100_000])
def test_what_is_no_action_is_malformed(text):
    with pytest.raises(IllegalAction, match="malformed"):
        decode_action(text)


def test_an_action_is_read_from_its_json():
    assert decode_action('{"kind":"buy","card":"colony.regulus"}') == Buy(card="colony.regulus")

"""Stored games live for ever: what any earlier version stored is loaded, and a running game goes on."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

import elysian.record
from elysian.record import FORMAT, UPCASTERS
from elysian.server.store import Damaged, Store, database_at, schema, sqlite
from elysian.server.store.backup import FORMAT as KIND
from elysian.server.store.backup import load_backup, read_backup, write_backup
from elysian.server.store.schema import NEWEST
from elysian.server.store.upcast import decode_line, encode_line
from elysian.server.table_state.events import Line, PlayBegan, TableOpened
from elysian.server.table_state.fold import fold
from tools.drive.server import Browser, serving

STORED = Path(__file__).resolve().parents[1] / "stored"
FORMATS = sorted(path.name.removesuffix(".db.gz") for path in STORED.glob("*.db.gz"))


class Old:
    """A stored database, unpacked."""

    def __init__(self, name: str, folder: Path) -> None:
        self.facts: dict[str, Any] = json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))
        self.path = folder / "tables.db"
        self.path.write_bytes(gzip.decompress((STORED / f"{name}.db.gz").read_bytes()))


@pytest.fixture(params=FORMATS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    return Old(request.param, tmp_path)


def test_there_is_a_stored_game_of_every_format_and_schema() -> None:
    facts = [json.loads((STORED / f"{name}.json").read_text(encoding="utf-8")) for name in FORMATS]
    # The newest may be missing only as long as no version with it was given out.
    assert {fact["format"] for fact in facts} >= set(range(1, FORMAT))
    assert {fact["schema"] for fact in facts} >= set(range(1, NEWEST))
    assert facts


def test_every_stored_game_is_loaded(old: Old) -> None:
    async def run() -> None:
        database = database_at(f"sqlite:///{old.path}")
        await database.open()
        try:
            for game, n in ((old.facts["finished"], old.facts["finished_n"]), (old.facts["running"], 0)):
                table = None
                lines = await Store(database).lines(game)
                for line in lines:
                    table = fold(table, game, line)
                assert table is not None
                assert len(lines) >= n
                assert (table.lobby.status == "over") == (game == old.facts["finished"])
        finally:
            await database.close()

    asyncio.run(run())
    with sqlite3.connect(old.path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (NEWEST,)


def test_a_game_stored_by_an_earlier_version_goes_on(old: Old, tmp_path: Path) -> None:
    facts = old.facts
    with serving(tmp_path, database=f"sqlite:///{old.path}") as served:
        people = [Browser(served) for _ in facts["keys"]]
        for person, key in zip(people, facts["keys"], strict=True):
            person.key = key
        finished = people[0].get(f"/api/tables/{facts['finished']}/story")
        assert finished.status == 200
        again = people[0].do(facts["running"], facts["command"]["action"], facts["command"]["id"])
        assert again.json["n"] == facts["n"], "an answer from before is still known"
        with people[0].sit(facts["running"], since=0) as seat:
            # The clock ran out long ago; that it is forgiven may be one more line.
            assert [line["n"] for line in seat.lines] == list(range(1, seat.n + 1))
            assert seat.n in (facts["n"], facts["n"] + 1)
            assert sorted(seat.view["obligations"]) == facts["promises"]
            done = seat.do("done")
            assert done["kind"] == "accepted"
        served.kill()
        served.start()
        assert people[0].get(f"/api/tables/{facts['running']}").json["n"] >= done["n"] > facts["n"]


def test_a_database_of_today_is_opened_by_tomorrows_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kept databases are lifted by a step that adds a column, and what is stored goes on."""
    tomorrow = (*schema.VERSIONS, ("ALTER TABLE log ADD COLUMN tint TEXT", "CREATE TABLE later (n INTEGER)"))
    monkeypatch.setattr(schema, "VERSIONS", tomorrow)
    for module in (schema, sqlite):
        monkeypatch.setattr(module, "NEWEST", len(tomorrow))

    async def run(old: Old) -> None:
        database = database_at(f"sqlite:///{old.path}")
        await database.open()
        try:
            store = Store(database)
            before = await store.lines(old.facts["running"])
            await store.append(old.facts["running"], [Line(n=len(before) + 1, at=1, events=(PlayBegan(),))])
            assert len(await store.lines(old.facts["running"])) == len(before) + 1
        finally:
            await database.close()

    for name in FORMATS:
        (tmp_path / name).mkdir()
        old = Old(name, tmp_path / name)
        asyncio.run(run(old))
        with sqlite3.connect(old.path) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(tomorrow),)


def test_a_backup_of_an_earlier_schema_is_read(old: Old, tmp_path: Path) -> None:
    backup = tmp_path / "backup.gz"
    assert "2 tables" in write_backup(f"sqlite:///{old.path}", backup)
    assert "every table can be loaded" in read_backup(f"sqlite:///{tmp_path / 'restored.db'}", backup)


def test_a_backup_is_read_by_the_digest_that_was_told_of_it_and_by_no_other(old: Old, tmp_path: Path) -> None:
    backup = tmp_path / "backup.gz"
    told = write_backup(f"sqlite:///{old.path}", backup)
    digest = load_backup(backup, packed=True).digest
    assert digest in told
    with pytest.raises(ValueError, match="another backup"):
        read_backup(f"sqlite:///{tmp_path / 'other.db'}", backup, digest[::-1])
    assert "every table can be loaded" in read_backup(f"sqlite:///{tmp_path / 'new.db'}", backup, digest)


def _file_of(path: Path, head: dict[str, Any], *rows: Any) -> Path:
    """A file in the form of a backup, with an end that fits."""
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in (head, *rows))
    digest = hashlib.blake2b(lines, digest_size=16).hexdigest()
    end = {"rows": len(rows), "digest": digest}
    path.write_bytes(lines + json.dumps(end).encode() + b"\n")
    return path


PERSON = ["secrets", "name", "value"]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"what": KIND, "schema": NEWEST, "ends": True}, None),
        ({"what": "songs", "schema": NEWEST, "ends": True}, "is no backup"),
        ({"what": KIND, "schema": NEWEST + 1, "ends": True}, "is no backup"),
        ({"what": KIND, "schema": NEWEST}, "is damaged"),
    ],
)
def test_a_file_is_a_backup_by_its_first_line_which_says_whether_it_has_an_end(
    tmp_path: Path, head: dict[str, Any], said: str | None
) -> None:
    file = _file_of(tmp_path / "backup.jsonl", head, PERSON)
    if said is None:
        assert [table for table, _ in load_backup(file, packed=False).rows] == ["secrets"]
    else:
        with pytest.raises(ValueError, match=said):
            load_backup(file, packed=False)


def test_a_backup_that_cannot_be_put_in_its_place_leaves_nothing_behind(tmp_path: Path) -> None:
    old = Old(FORMATS[-1], tmp_path)
    taken = tmp_path / "backup.jsonl"
    taken.mkdir()
    with pytest.raises((OSError, ValueError)):
        write_backup(f"sqlite:///{old.path}", taken)
    assert not [file for file in tmp_path.iterdir() if file.suffix == ".part"]


# ---------------------------------------------------------------- when the format changes


def lift(line: dict[str, Any]) -> dict[str, Any]:
    """What an upcaster of records may look like: of 1, where a title was said in other words."""
    for event in line.get("events", ()):
        if event["kind"] == "table_opened" and "name" in event["options"]:
            event["options"]["title"] = event["options"].pop("name")
    if "started" in line:
        line["started"]["lifted"] = True
    return line


def test_a_line_of_an_older_format_is_lifted_and_new_lines_carry_their_format(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(elysian.record, "FORMAT", FORMAT + 1)
    for older in range(1, FORMAT + 1):
        monkeypatch.setitem(UPCASTERS, older, lift if older == FORMAT else lambda line: line)
    old = b'{"n":1,"at":5,"events":[{"kind":"table_opened","options":{"name":"Old"}}]}'
    if FORMAT > 1:
        old = b'{"format":%d,' % FORMAT + old[1:]
    line = decode_line(old)
    assert isinstance(line.events[0], TableOpened)
    assert line.events[0].options.title == "Old"
    stored = encode_line(line)
    assert stored.startswith(b'{"format":%d,' % (FORMAT + 1))
    assert decode_line(stored) == line


def test_how_a_game_started_is_lifted_like_the_head_of_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elysian.record, "FORMAT", FORMAT + 1)
    for older in range(1, FORMAT + 1):
        monkeypatch.setitem(UPCASTERS, older, lift)
    with pytest.raises(msgspec.ValidationError, match="lifted"):
        decode_line(b'{"n":1,"at":5,"events":[{"kind":"game_started"}]}')


def test_a_line_of_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    newer = b'{"format":%d,' % (FORMAT + 1) + encode_line(Line(n=1, at=1)).removeprefix(b"{")
    with pytest.raises(ValueError, match="is not known here"):
        decode_line(newer)

    async def run() -> None:
        database = database_at(f"sqlite:///{tmp_path / 'newer.db'}")
        await database.open()
        try:
            await database.write([(schema.insert("log"), ("g", 1, newer, None))])
            with pytest.raises(Damaged, match="is not known here"):
                await Store(database).lines("g")
        finally:
            await database.close()

    asyncio.run(run())

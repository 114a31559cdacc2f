"""Damage stays where it is: what cannot be read is refused, what was changed is not believed, others go on.

ELYSIAN_DAMAGED says how many damaged files are tried (`make damage`), ELYSIAN_SEED begins elsewhere.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from elysian.server.store import Store, database_at
from elysian.server.store.backup import read_backup, write_backup
from elysian.server.store.sqlite import SQLite, files_of
from tests.support.campaign import Campaign
from tests.support.server.forks import Forked, NotStarted
from tests.support.server.seats import give
from tools.drive.server import Browser, Served, full_table, serving
from tools.drive.waiting import PATIENCE, until

SEED = int(os.environ.get("ELYSIAN_SEED", "1"))
DAMAGED = int(os.environ.get("ELYSIAN_DAMAGED", "10"))
IN_A_PART = 10
PAGE = 4096
TABLES = 4


class Kept:
    """A database with a few games, and what everybody may see of them."""

    def __init__(self, folder: Path) -> None:
        with serving(folder) as served:
            self.keys: dict[str, str | None] = {}
            for _ in range(TABLES):
                table, people = full_table(served, public=True)
                self.keys[table] = people[0].key
                with people[0].sit(table) as seat:
                    for n in range(25):
                        seat.answer(seat.send(kind="do", action=give(seat.view, 0, 1 + n % 3)))
                        seat.say(f"What about {n}?")
            watcher = Browser(served)
            self.seen = {table: watcher.get(f"/api/tables/{table}").json for table in self.keys}
        self.path = folder / "tables.db"
        assert not Path(f"{self.path}-wal").exists(), "all of it is in one file"
        self.raw = self.path.read_bytes()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("kept"))


def put(path: Path, raw: bytes) -> None:
    for file in files_of(str(path)):
        Path(file).unlink(missing_ok=True)
    path.write_bytes(raw)


# ---------------------------------------------------------------- any damage whatever


def flipped(raw: bytearray, chance: Random, at: int) -> None:
    for _ in range(chance.randint(1, 8)):
        raw[at + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)


def noise(raw: bytearray, chance: Random, at: int) -> None:
    raw[at : at + PAGE] = chance.randbytes(PAGE)


def zeros(raw: bytearray, chance: Random, at: int) -> None:
    raw[at : at + PAGE] = bytes(PAGE)


def torn(raw: bytearray, chance: Random, at: int) -> None:
    other = PAGE * chance.randrange(len(raw) // PAGE)
    raw[at + PAGE // 2 : at + PAGE] = raw[other + PAGE // 2 : other + PAGE]


def misplaced(raw: bytearray, chance: Random, at: int) -> None:
    other = PAGE * chance.randrange(len(raw) // PAGE)
    raw[at : at + PAGE], raw[other : other + PAGE] = raw[other : other + PAGE], raw[at : at + PAGE]


def cut(raw: bytearray, chance: Random, at: int) -> None:
    del raw[at + chance.randrange(PAGE) :]


HOW = (flipped, noise, zeros, torn, misplaced, cut)


def look_at(served: Served, kept: Kept, counts: dict[str, int]) -> None:
    """Everybody sees the table as it was, or is told that it cannot be read; and the server goes on."""
    for table, key in kept.keys.items():
        person = Browser(served)
        seen = person.get(f"/api/tables/{table}")
        assert seen.status in (200, 404, 503), seen.raw
        if seen.status == 200:
            for part in ("n", "view", "table"):
                assert seen.json[part] == kept.seen[table][part], "what was changed is believed"
            person.key = key
            done = person.do(table, {"kind": "done"})
            assert done.status in (200, 401, 403, 404, 409, 503), done.raw
            assert done.status != 409 or done.json["code"] == "table_damaged"
            counts["played on" if done.status == 200 else "seen, not played"] += 1
        else:
            counts["left alone"] += 1
    for path in ("/api/tables", "/api/statistics", "/healthz", "/api/me"):
        assert Browser(served).get(path).status in (200, 503)
    made = Browser(served).post("/api/me", {"name": "Zora"})
    assert made.status in (200, 503), made.raw


def test_whatever_is_damaged_in_a_file_is_never_believed_and_ends_nothing_else(
    kept: Kept, tmp_path: Path
) -> None:
    campaign = Campaign("damaged files", SEED, -(-DAMAGED // IN_A_PART))
    path = tmp_path / "tables.db"
    with Forked(tmp_path, database=f"sqlite:///{path}") as served:
        for part in campaign.left():
            chance = Random(f"{SEED}/{part}")
            for _ in range(IN_A_PART):
                raw, how = bytearray(kept.raw), chance.choice(HOW)
                how(raw, chance, PAGE * chance.randrange(len(raw) // PAGE))
                put(path, bytes(raw))
                campaign.counts["files"] += 1
                try:
                    served.start()
                except NotStarted as problem:
                    said = str(problem)
                    assert "cannot be used" in said, said
                    campaign.counts["not started, with a sentence"] += 1
                    continue
                look_at(served, kept, campaign.counts)
                assert served.runs(), served.log()
                served.kill()


# ---------------------------------------------------------------- one by one


def spoil(path: Path, name: str) -> None:
    """Make the root page of a table unreadable."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(b"\xff" * PAGE)


def test_damage_in_the_secrets_does_not_keep_the_server_from_starting(kept: Kept, tmp_path: Path) -> None:
    put(tmp_path / "tables.db", kept.raw)
    spoil(tmp_path / "tables.db", "secrets")
    with serving(tmp_path) as served:
        table, key = next(iter(kept.keys.items()))
        person = Browser(served)
        person.key = key
        assert person.do(table, {"kind": "done"}).status == 200
        assert person.get("/api/push").json == {"key": ""}


def test_a_table_that_cannot_be_written_is_left_alone_and_the_server_goes_on(
    kept: Kept, tmp_path: Path
) -> None:
    """Damage met by a write ends no process: nothing of it was stored, and what is elsewhere is sound."""
    put(tmp_path / "tables.db", kept.raw)
    spoil(tmp_path / "tables.db", "tables")
    with serving(tmp_path) as served:
        table, key = next(iter(kept.keys.items()))
        person = Browser(served)
        person.key = key
        assert person.get(f"/api/tables/{table}").json["you"] == 0
        refused = person.do(table, {"kind": "done"})
        assert (refused.status, refused.json["code"]) == (409, "table_damaged"), refused.raw
        assert Browser(served).post("/api/me/exchange", {"code": "x"}).status == 403
        assert person.ask("PUT", "/api/me/notices", {}).status == 200, "other things are still stored"
        until(lambda: person.get("/healthz").status == 200)
        assert person.get("/healthz").json["problems"] == ["table_damaged"]
        assert '"table damaged"' in served.log()


def test_a_log_whose_last_lines_are_lost_is_not_taken_for_the_whole(kept: Kept, tmp_path: Path) -> None:
    put(tmp_path / "tables.db", kept.raw)
    table = next(iter(kept.keys))
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection:
        connection.execute("DELETE FROM log WHERE game = ? AND n > 20", (table,))
        connection.commit()
    with serving(tmp_path) as served:
        reply = Browser(served).get(f"/api/tables/{table}")
        assert (reply.status, reply.json["code"]) == (503, "table_damaged")


@contextmanager
def as_nobody() -> Iterator[int]:
    """Not as root, who may write everywhere."""
    if os.geteuid() != 0:
        yield os.geteuid()
        return
    os.seteuid(65534)
    try:
        yield 65534
    finally:
        os.seteuid(0)


def test_a_file_that_may_only_be_read_is_refused_at_the_start(kept: Kept) -> None:
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    try:
        path = folder / "tables.db"
        path.write_bytes(kept.raw)
        with as_nobody() as user:
            pass
        if os.geteuid() == 0:
            for one in (folder, path):
                os.chown(one, user, -1)
        path.chmod(0o400)

        async def run() -> None:
            database = SQLite(path)
            try:
                with pytest.raises(ValueError, match=r"cannot be used: attempt to write a readonly database"):
                    await database.open()
            finally:
                await database.close()

        with as_nobody():
            asyncio.run(run())
    finally:
        shutil.rmtree(folder)


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_no_stranger_on_the_machine_may_read_the_database_or_its_backup(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    mask = os.umask(0)  # the worst an operator may have
    try:
        with serving(tmp_path) as served:
            full_table(served)
            assert [mode(file) for file in files_of(str(database))] == [0o600] * 4
            write_backup(served.database, tmp_path / "backup.gz")
            assert mode(tmp_path / "backup.gz") == 0o600
        database.chmod(0o644)  # as it was made in earlier days
        with serving(tmp_path) as served:
            assert mode(database) == 0o640
    finally:
        os.umask(mask)


# ---------------------------------------------------------------- backups


def restored(file: Path, folder: Path, digest: str = "") -> str:
    """What is said of a backup that is read into a new database; nothing may be left of one refused."""
    folder.mkdir(exist_ok=True)
    try:
        return read_backup(f"sqlite:///{folder / 'new.db'}", file, digest)
    except ValueError as problem:
        assert list(folder.iterdir()) == [], "something was left behind"
        return str(problem)


@pytest.mark.parametrize("name", ["backup.jsonl", "backup.jsonl.gz"])
def test_a_backup_that_was_cut_off_anywhere_is_refused_whole(kept: Kept, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write_backup(f"sqlite:///{kept.path}", file)
    raw = file.read_bytes()
    chance = Random(SEED)
    places = [chance.randrange(len(raw)) for _ in range(12)]
    if name == "backup.jsonl":
        places += [raw.rindex(b"\n", 0, len(raw) - 1) + 1]  # all but the last line
    for place in places:
        file.write_bytes(raw[:place])
        said = restored(file, tmp_path / "target")
        assert "cut off" in said or "is no backup" in said, (place, said)
    file.write_bytes(raw)
    assert "every table can be loaded" in restored(file, tmp_path / "target")


def test_a_backup_is_moved_to_its_place_only_when_it_is_whole(kept: Kept, tmp_path: Path) -> None:
    """A backup that cannot be made leaves the one before it, and nothing else."""
    file = tmp_path / "backup.jsonl"
    write_backup(f"sqlite:///{kept.path}", file)
    before = file.read_bytes()
    put(tmp_path / "tables.db", kept.raw)
    spoil(tmp_path / "tables.db", "answers")
    with pytest.raises(ValueError, match="damaged"):
        write_backup(f"sqlite:///{tmp_path / 'tables.db'}", file)
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        " resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); from elysian.cli import main;"
        f" sys.argv = ['elysian', 'backup', {str(file)!r}, '--database', 'sqlite:///{kept.path}']; main()"
    )
    full = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, timeout=PATIENCE)
    assert full.returncode != 0
    assert file.read_bytes() == before
    assert not [one for one in tmp_path.iterdir() if "part" in one.name]


def edited(file: Path, change: Any) -> None:
    """Change the lines of a backup as somebody would who knows its form."""
    *lines, last = file.read_bytes().splitlines(keepends=True)
    lines = [json.dumps(row).encode() + b"\n" for row in change([json.loads(line) for line in lines])]
    end = json.loads(last)
    end = {"rows": len(lines) - 1, "digest": hashlib.blake2b(b"".join(lines), digest_size=16).hexdigest()}
    file.write_bytes(b"".join(lines) + json.dumps(end).encode() + b"\n")


def test_a_backup_that_was_tampered_with_is_found(kept: Kept, tmp_path: Path) -> None:
    """A changed line breaks the chain; a chain made anew has another digest than the one that was told."""
    file = tmp_path / "backup.jsonl"
    told = write_backup(f"sqlite:///{kept.path}", file).rpartition(" ")[2].rstrip(".")

    def shorter(rows: list[Any]) -> list[Any]:
        lines = [row for row in rows if isinstance(row, list) and row[0] == "log"]
        gone = next(row for row in lines if row[2] == 12)
        return [row for row in rows if row is not gone]

    def renamed(rows: list[Any]) -> list[Any]:
        for row in rows:
            if isinstance(row, list) and row[0] == "people":
                row[2] = "Zora"
        return rows

    whole = file.read_bytes()
    edited(file, shorter)
    assert "cannot be loaded" in restored(file, tmp_path / "target")
    file.write_bytes(whole)
    edited(file, renamed)
    assert "is another backup, or was changed" in restored(file, tmp_path / "target", told)
    file.write_bytes(whole)
    assert "every table can be loaded" in restored(file, tmp_path / "target", told)


def test_what_was_restored_goes_on_in_the_same_chain(kept: Kept, tmp_path: Path) -> None:
    write_backup(f"sqlite:///{kept.path}", tmp_path / "backup.gz")
    read_backup(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "backup.gz")
    with serving(tmp_path) as served:
        for table, key in kept.keys.items():
            person = Browser(served)
            person.key = key
            assert person.do(table, {"kind": "done"}).status == 200

    async def run() -> None:
        database = database_at(f"sqlite:///{tmp_path / 'tables.db'}")
        await database.open()
        try:
            for table, seen in kept.seen.items():
                assert len(await Store(database).lines(table)) > seen["n"]
        finally:
            await database.close()

    asyncio.run(run())

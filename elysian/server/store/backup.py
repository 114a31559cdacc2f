"""Backup: everything a database holds as lines of JSON, readable into either kind of database.

A backup is written aside, read again, and only then moved to its place: there is the old one or a whole new
one. Its last line says how many rows there are and their digest, so that one that was cut off is refused
before anything of it is stored. Whoever keeps the digest elsewhere can tell whether it is still the same.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
from msgspec import Struct

from elysian.record import dump
from elysian.server.ops.errors import Refused, sentence
from elysian.server.store import NEWEST, Damaged, database_at, decode_log
from elysian.server.store.database import Row
from elysian.server.store.schema import COLUMNS, insert
from elysian.server.store.sqlite import SQLite, files_of
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.record import record_of

FORMAT = "elysian backup"
NO_ROWS = "SELECT 1 WHERE 0 = 1"


def write_backup(url: str, path: Path) -> str:
    """Write a backup of a database as of one moment, also while a server uses it; a sentence about it."""
    return asyncio.run(_write(url, path))


def read_backup(url: str, path: Path, digest: str = "") -> str:
    """Read a backup into an empty database; a sentence about it; raises ValueError, and nothing is read.

    With a digest, only the backup it was told of is read.
    """
    return asyncio.run(_read(url, path, digest))


def export_records(url: str, folder: Path) -> str:
    """Write the record of every finished game of a database; a sentence about it."""
    return asyncio.run(_export(url, folder))


async def _export(url: str, folder: Path) -> str:
    query = (
        "SELECT l.game, l.n, l.line, l.chain FROM log l JOIN tables t ON t.game = l.game"
        " WHERE t.status = 'over' ORDER BY l.game, l.n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    games: dict[str, list[Row]] = {}
    for game, *row in (await _rows(url, [query]))[0]:
        games.setdefault(game, []).append(row)
    damaged = 0
    for game, rows in games.items():
        try:
            (folder / f"{game}.jsonl").write_bytes(dump(record_of(decode_log(game, rows))))
        except Damaged:
            damaged += 1
    left_out = f" {damaged} tables are damaged and were left out." if damaged else ""
    return f"{len(games) - damaged} records written to {folder.name}.{left_out}"


async def _tables(url: str) -> frozenset[str]:
    """The tables of a database; one of SQLite is read as it is, any other is brought up to date first."""
    if not url.startswith("sqlite:"):
        return frozenset(COLUMNS)
    (names,) = await _rows(url, ["SELECT name FROM sqlite_master WHERE type = 'table'"])
    return frozenset(row[0] for row in names)


async def _rows(url: str, queries: list[str]) -> list[list[Row]]:
    """What a database holds as of one moment, also while a server uses it; raises ValueError."""
    database = database_at(url)
    try:
        if isinstance(database, SQLite):
            if not Path(database.path).exists():
                raise ValueError(f"There is no database {database.path}.")
            return await database.snapshot(queries)  # beside the server that has the file open
        await database.open()
        try:
            return await database.snapshot(queries)
        finally:
            await database.close()
    except Refused as problem:
        raise ValueError(sentence(problem)) from None


# ---------------------------------------------------------------- writing


async def _write(url: str, path: Path) -> str:
    # All columns there are, in their order: an earlier schema has fewer of them, and fewer tables.
    there = await _tables(url)
    rows = await _rows(url, [f"SELECT * FROM {name}" if name in there else NO_ROWS for name in COLUMNS])
    aside = path.with_name(f".{path.name}.part")
    aside.unlink(missing_ok=True)
    try:
        _pour(aside, path.suffix == ".gz", rows)
        found = load_backup(aside, path.suffix == ".gz")
        if len(found.rows) != sum(map(len, rows)):
            raise ValueError(f"{path.name} could not be read again; there is no new backup.")
        os.replace(aside, path)
        _settle(path.parent)
    finally:
        aside.unlink(missing_ok=True)
    games = len(rows[list(COLUMNS).index("tables")])
    return f"{games} tables, {len(found.rows)} rows written to {path.name}; digest {found.digest}."


def _pour(path: Path, packed: bool, rows: list[list[Row]]) -> None:
    """Write all rows to a new file that only its owner may read, and wait for the disk."""
    digest = hashlib.blake2b(digest_size=16)
    count = 0
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        out = cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="wb") if packed else file)
        for line in _lines(rows):
            digest.update(line)
            out.write(line)
            count += 1
        out.write(msgspec.json.encode({"rows": count - 1, "digest": digest.hexdigest()}) + b"\n")
        if packed:
            out.close()
        file.flush()
        os.fsync(file.fileno())


def _lines(rows: list[list[Row]]) -> Iterator[bytes]:
    yield msgspec.json.encode({"what": FORMAT, "schema": NEWEST, "ends": True}) + b"\n"
    for name, table in zip(COLUMNS, rows, strict=True):
        for row in table:
            yield msgspec.json.encode([name, *map(_plain, row)]) + b"\n"


def _settle(folder: Path) -> None:
    """Wait until a file's new name is on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _plain(value: Any) -> Any:
    return {"b": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unplain(value: Any) -> Any:
    return base64.b64decode(value["b"], validate=True) if isinstance(value, dict) else value


# ---------------------------------------------------------------- reading


class Backup(Struct):
    """What a backup holds."""

    rows: list[tuple[str, tuple[Any, ...]]]  # the table of each, and its values
    digest: str  # empty: it is from before there were digests


def load_backup(path: Path, packed: bool) -> Backup:
    """All of a backup; raises ValueError when it is none, or not whole."""
    with cast(BinaryIO, gzip.open(path, "rb") if packed else path.open("rb")) as lines:
        try:
            first = lines.readline()
            head = msgspec.json.decode(first)
            if head["what"] != FORMAT or head["schema"] > NEWEST:
                raise ValueError
        except (ValueError, TypeError, KeyError, EOFError, OSError, zlib.error, msgspec.MsgspecError):
            raise ValueError(f"{path.name} is no backup this program can read.") from None
        try:
            return _load(path.name, lines, first, "ends" in head)
        except (TypeError, KeyError, EOFError, OSError, zlib.error, msgspec.MsgspecError):
            raise ValueError(f"{path.name} is damaged or was cut off; nothing was read.") from None


def _load(name: str, lines: BinaryIO, first: bytes, ends: bool) -> Backup:
    backup = Backup([], "")
    digest = hashlib.blake2b(first, digest_size=16)
    for line in lines:
        values = msgspec.json.decode(line)
        if backup.digest or (isinstance(values, dict) and not ends):
            raise EOFError
        if isinstance(values, dict):
            backup.digest = digest.hexdigest()
            if (values["rows"], values["digest"]) != (len(backup.rows), backup.digest):
                raise EOFError
            continue
        digest.update(line)
        table, *row = values
        if len(row) > len(COLUMNS.get(table, ())):
            raise ValueError(f"{name} holds something that is not known here.")
        backup.rows.append((table, tuple(map(_unplain, row))))
    if ends and not backup.digest:
        raise EOFError
    return backup


async def _read(url: str, path: Path, digest: str) -> str:
    backup = load_backup(path, path.suffix == ".gz")
    if digest and digest != backup.digest:
        raise ValueError(f"{path.name} is another backup, or was changed: its digest is {backup.digest}.")
    games = _check_games(path.name, backup)
    database = database_at(url)
    with _nothing_left(database.path if isinstance(database, SQLite) else ""):
        try:
            await database.open()
            for table in ("people", "log"):
                if await database.read(f"SELECT 1 FROM {table} LIMIT 1"):
                    raise ValueError("The database is not empty; a backup is read into an empty one.")
            # What a server has made of itself before anybody came goes with its backup.
            statements = [(insert(name, len(values)), values) for name, values in backup.rows]
            await database.write([("DELETE FROM secrets", ()), *statements])
        except Refused as problem:
            raise ValueError(sentence(problem)) from None
        finally:
            await database.close()
    return f"{games} tables, {len(backup.rows)} rows read from {path.name}; every table can be loaded."


@contextmanager
def _nothing_left(path: str) -> Iterator[None]:
    """A file that was made for a backup goes again when the backup cannot be read into it."""
    new = bool(path) and not Path(path).exists()
    try:
        yield
    except BaseException:
        for file in files_of(path) if new else ():
            Path(file).unlink(missing_ok=True)
        raise


def _check_games(name: str, backup: Backup) -> int:
    """How many tables there are; raises ValueError when one of them could not be loaded."""
    logs: dict[str, list[Row]] = {values[0]: [] for table, values in backup.rows if table == "tables"}
    for table, values in backup.rows:
        if table == "log":
            game, n, line, *chain = values
            logs.setdefault(game, []).append((n, line, chain[0] if chain else None))
    bad = [problem for game, rows in logs.items() if (problem := _problem(game, rows))]
    if bad:
        counted = f"{len(bad)} of the {len(logs)} tables in {name} cannot be loaded"
        raise ValueError(f"{counted}, so nothing was read; the first: {bad[0]}.")
    return len(logs)


def _problem(game: str, rows: list[Row]) -> str | None:
    """Why a game cannot be loaded; None when it can."""
    current: TableState | None = None
    try:
        for line in decode_log(game, sorted(rows, key=lambda row: row[0])):
            current = fold(current, game, line)
    except (Damaged, TypeError) as problem:
        return str(problem)
    return None if current is not None else f"table {game} has no log"

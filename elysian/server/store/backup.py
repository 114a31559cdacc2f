"""Backup: everything a database holds as lines of JSON, readable into either kind of database."""

from __future__ import annotations

import asyncio
import base64
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from elysian.record import dump
from elysian.server.store import NEWEST, Damaged, Store, database_at
from elysian.server.store.database import Row, Statement
from elysian.server.store.schema import COLUMNS, insert
from elysian.server.store.sqlite import SQLite
from elysian.server.store.upcast import decode_line
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.record import record_of

AT_ONCE = 500
FORMAT = "elysian backup"


def write_backup(url: str, path: Path) -> str:
    """Write a backup of a database as of one moment, also while a server uses it; a sentence about it."""
    return asyncio.run(_write(url, path))


def read_backup(url: str, path: Path) -> str:
    """Read a backup into an empty database and load every game; a sentence about it; raises ValueError."""
    return asyncio.run(_read(url, path))


def export_records(url: str, folder: Path) -> str:
    """Write the record of every finished game of a database; a sentence about it."""
    return asyncio.run(_export(url, folder))


async def _export(url: str, folder: Path) -> str:
    logs = (
        await _rows(
            url,
            [
                "SELECT l.game, l.line FROM log l JOIN tables t ON t.game = l.game"
                " WHERE t.status = 'over' ORDER BY l.game, l.n"
            ],
        )
    )[0]
    folder.mkdir(parents=True, exist_ok=True)
    games: dict[str, list[Line]] = {}
    for game, line in logs:
        games.setdefault(game, []).append(decode_line(bytes(line)))
    for game, lines in games.items():
        (folder / f"{game}.jsonl").write_bytes(dump(record_of(lines)))
    return f"{len(games)} records written to {folder.name}."


async def _rows(url: str, queries: list[str]) -> list[list[Row]]:
    """What a database holds as of one moment, also while a server uses it; raises ValueError."""
    database = database_at(url)
    if isinstance(database, SQLite):
        if not Path(database.path).exists():
            raise ValueError(f"There is no database {database.path}.")
        return await database.snapshot(queries)  # beside the server that has the file open
    await database.open()
    try:
        return await database.snapshot(queries)
    finally:
        await database.close()


def _opened(path: Path, mode: str) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, mode) if path.suffix == ".gz" else path.open(mode))


async def _write(url: str, path: Path) -> str:
    # All columns there are, in their order: an earlier schema has fewer of them.
    rows = await _rows(url, [f"SELECT * FROM {name}" for name in COLUMNS])
    count = 0
    with _opened(path, "wb") as out:
        out.write(msgspec.json.encode({"what": FORMAT, "schema": NEWEST}) + b"\n")
        for name, table in zip(COLUMNS, rows, strict=True):
            for row in table:
                out.write(msgspec.json.encode([name, *map(_plain, row)]) + b"\n")
                count += 1
    games = len(rows[list(COLUMNS).index("tables")])
    return f"{games} tables, {count} rows written to {path.name}."


def _plain(value: Any) -> Any:
    return {"b": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _unplain(value: Any) -> Any:
    return base64.b64decode(value["b"]) if isinstance(value, dict) else value


async def _read(url: str, path: Path) -> str:
    database = database_at(url)
    await database.open()
    try:
        if await database.read("SELECT person FROM people LIMIT 1") or await database.read(
            "SELECT game FROM log LIMIT 1"
        ):
            raise ValueError("The database is not empty; a backup is read into an empty one.")
        batch: list[Statement] = []
        rows = 0
        for statement in _statements(path):
            batch.append(statement)
            rows += 1
            if len(batch) == AT_ONCE:
                await database.write(batch)
                batch = []
        if batch:
            await database.write(batch)
        store = Store(database)
        games = [row[0] for row in await database.read("SELECT game FROM tables")]
        bad = [problem for game in games if (problem := await _check(store, game))]
    finally:
        await database.close()
    if bad:
        raise ValueError(f"{len(bad)} of {len(games)} tables cannot be loaded; the first: {bad[0]}.")
    return f"{len(games)} tables, {rows} rows read from {path.name}; every table can be loaded."


def _statements(path: Path) -> Iterator[Statement]:
    with _opened(path, "rb") as lines:
        try:
            head = msgspec.json.decode(lines.readline())
            if head["what"] != FORMAT or head["schema"] > NEWEST:
                raise ValueError
        except (ValueError, TypeError, KeyError, msgspec.MsgspecError):
            raise ValueError(f"{path.name} is no backup this program can read.") from None
        for line in lines:
            name, *values = msgspec.json.decode(line)
            if len(values) > len(COLUMNS.get(name, ())):
                raise ValueError(f"{path.name} holds something that is not known here.")
            yield insert(name, len(values)), tuple(map(_unplain, values))


async def _check(store: Store, game: str) -> str | None:
    current: TableState | None = None
    try:
        for line in await store.lines(game):
            current = fold(current, game, line)
    except Damaged as problem:
        return str(problem)
    return None

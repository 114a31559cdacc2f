"""Shards: work cut into pieces by number, played anywhere, kept in a folder and never played twice.

A folder holds `run.json`, which says what is being played, and one file for each finished shard. A run that
was broken off goes on where it stopped; a file that is damaged is found out and its shard played again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

FORMAT = 1
PIECES = 100  # about so many shards, unless each would hold more than MOST tasks
MOST = 100


class Task(Protocol):
    """One piece of work; the same task gives the same answer wherever it is done."""

    @property
    def number(self) -> int:
        """Its place in the run."""

    @property
    def name(self) -> str:
        """The file its record goes to; empty when none is kept."""

    def play(self) -> tuple[Any, bytes]:
        """The answer, and a record of how it came about."""

    def again(self) -> str:
        """How to do it once more, for whoever looks for a mistake."""


class ShardedRun(Struct, frozen=True):
    """What a folder is about; another run cannot be mixed into it."""

    about: str
    tasks: int
    size: int  # tasks of a shard
    work: str  # a hash of the tasks
    code: str  # a hash of what plays them
    format: int = FORMAT


class Played(Struct, frozen=True):
    """A finished shard, as it comes back from wherever it was played."""

    shard: int
    answers: bytes  # lines of JSON
    records: dict[str, bytes]


class DamagedShard(ValueError):  # noqa: N818 - says what it is
    """A shard file that cannot be used; the message says why."""


T = TypeVar("T")
Tell = Callable[[int, int], None]  # so many tasks done, of so many
Print = Callable[[str], None]
Play = Callable[[int, "tuple[Task, ...]"], Played]


class Where(Struct, frozen=True):
    """Where the work is done and what is kept of it."""

    jobs: int = 1
    cluster: str | None = None  # the address of a Ray cluster; "local" starts one here
    folder: Path | None = None  # None: nothing is kept
    records: Path | None = None


def run(
    tasks: Sequence[Task],
    kind: type[T],
    about: str,
    where: Where,
    tell: Tell | None = None,
    say: Print = print,
) -> list[T]:
    """The answers to all tasks, in order; raises ValueError when the folder belongs to another run."""
    if where.jobs < 1:
        raise ValueError(f"{where.jobs} jobs can do nothing; it takes at least one.")
    size = min(MOST, max(1, len(tasks) // PIECES))
    shards = [tuple(tasks[n : n + size]) for n in range(0, len(tasks), size)]
    answers: dict[int, list[T]] = {}
    if where.folder is not None:
        _claim(
            where.folder,
            ShardedRun(about=about, tasks=len(tasks), size=size, work=_hash(tasks), code=_code()),
        )
        answers = _finished(shards, kind, where, say)
    if where.records is not None:
        where.records.mkdir(parents=True, exist_ok=True)
    done = sum(map(len, answers.values()))
    if tell is not None:
        tell(done, len(tasks))
    left = [(n, shard) for n, shard in enumerate(shards) if n not in answers]
    with _workers(where) as workers:
        for played in workers(left):
            _keep(played, where)
            answers[played.shard] = _read_lines(played.answers, kind)
            done += len(shards[played.shard])
            if tell is not None:
                tell(done, len(tasks))
    return [answer for n in range(len(shards)) for answer in answers[n]]


def play_shard(number: int, tasks: tuple[Task, ...]) -> Played:
    """Play one shard, in whatever process this is."""
    lines: list[bytes] = []
    records: dict[str, bytes] = {}
    for task in tasks:
        try:
            answer, record = task.play()
        except Exception as problem:
            problem.add_note(task.again())
            raise
        lines.append(msgspec.json.encode(answer))
        if task.name:
            records[task.name] = record
    return Played(shard=number, answers=b"\n".join(lines), records=records)


# ---------------------------------------------------------------- where it is played

Workers = Callable[[Iterable[tuple[int, "tuple[Task, ...]"]]], Iterator[Played]]


@contextmanager
def _workers(where: Where) -> Iterator[Workers]:
    """Something that plays shards and hands each back as soon as it is finished."""
    if where.cluster is not None:
        from elysian.sim.ray_cluster import connected

        with connected(where.cluster, where.jobs) as workers:
            yield workers
    elif where.jobs == 1:
        yield lambda shards: (play_shard(*shard) for shard in shards)
    else:
        # Fresh processes: what this one has solved and remembered must not matter.
        pool = ProcessPoolExecutor(where.jobs, get_context("spawn"), initializer=_end_with_parent)
        try:
            yield lambda shards: _from_pool(pool, shards)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """See that a worker ends when the process that started it is gone, however that ended."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _from_pool(pool: ProcessPoolExecutor, shards: Iterable[tuple[int, tuple[Task, ...]]]) -> Iterator[Played]:
    futures: list[Future[Played]] = [pool.submit(play_shard, *shard) for shard in shards]
    for future in as_completed(futures):
        yield future.result()


# ---------------------------------------------------------------- what is kept


def _claim(folder: Path, run: ShardedRun) -> None:
    """Make the folder this run's, or see that it already is."""
    path = folder / "run.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, msgspec.json.format(msgspec.json.encode(run)) + b"\n")
        return
    try:
        there = msgspec.json.decode(path.read_bytes(), type=ShardedRun)
    except msgspec.MsgspecError as problem:
        raise ValueError(f"{path} does not describe a run ({problem}); name another folder.") from None
    if there.code != run.code and there.work == run.work:
        raise ValueError(
            f"{folder} was begun by another version of Elysian; "
            "finish it with that one or name another folder."
        )
    if there != run:
        raise ValueError(f"{folder} holds another run ({there.about}); name another folder.")


def _finished(shards: list[tuple[Task, ...]], kind: type[T], where: Where, say: Print) -> dict[int, list[T]]:
    """What was played before; a damaged shard is named and left out."""
    answers: dict[int, list[T]] = {}
    assert where.folder is not None
    for n, tasks in enumerate(shards):
        path = _path(where.folder, n)
        if not path.exists() or not _has_records(tasks, where.records):
            continue
        try:
            answers[n] = _read(path, kind, len(tasks))
        except DamagedShard as problem:
            say(f"{path.name} is damaged ({problem}); it is played again.")
    return answers


def _has_records(tasks: tuple[Task, ...], records: Path | None) -> bool:
    return records is None or all((records / task.name).exists() for task in tasks if task.name)


def _keep(played: Played, where: Where) -> None:
    """Records first: a shard that is there has all of its records."""
    if where.records is not None:
        for name, record in played.records.items():
            _write(where.records / name, record)
    if where.folder is not None:
        check = hashlib.sha256(played.answers).hexdigest().encode()
        _write(_path(where.folder, played.shard), check + b"\n" + played.answers + b"\n")


def _read(path: Path, kind: type[T], tasks: int) -> list[T]:
    check, _, lines = path.read_bytes().partition(b"\n")
    lines = lines.removesuffix(b"\n")
    if hashlib.sha256(lines).hexdigest().encode() != check:
        raise DamagedShard("its checksum is wrong")
    try:
        answers = _read_lines(lines, kind)
    except msgspec.MsgspecError as problem:
        raise DamagedShard(str(problem)) from None
    if len(answers) != tasks:
        raise DamagedShard(f"{len(answers)} answers instead of {tasks}")
    return answers


def _read_lines(lines: bytes, kind: type[T]) -> list[T]:
    return [msgspec.json.decode(line, type=kind) for line in lines.splitlines()]


def _path(folder: Path, shard: int) -> Path:
    return folder / f"shard-{shard:05}.jsonl"


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all: a file half written when the machine stops never bears its name."""
    half = path.with_name(path.name + ".part")
    half.write_bytes(content)
    half.replace(path)


def _hash(tasks: Sequence[Task]) -> str:
    return hashlib.sha256(msgspec.json.encode(list(tasks))).hexdigest()[:16]


@cache
def _code() -> str:
    """A hash of everything in the package that could change how a game goes, as this process found it."""
    digest = hashlib.sha256()
    package = Path(str(files("elysian")))
    for path in sorted(package.rglob("*")):
        inside = path.relative_to(package)
        if path.suffix in (".py", ".toml") and inside.parts[0] not in ("cli", "messages"):
            digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


__all__ = ["DamagedShard", "Played", "ShardedRun", "Task", "Where", "play_shard", "run"]

"""A stop that always stops: whoever does not read, whatever hangs, whoever was killed first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.server.load import open_files
from tools.drive.raw import Raw
from tools.drive.server import OPEN_LIMITS, Served, full_table, serving
from tools.drive.waiting import PATIENCE, until

LONG = {"kind": "propose_deal", "parties": [0, 1], "clauses": [{"kind": "note", "text": "x" * 480}] * 30}


def test_who_says_goodbye_and_reads_no_more_is_forgotten_with_all_that_waits_for_them(tmp_path: Path) -> None:
    limits = {**OPEN_LIMITS, "queue": 100_000, "queued_bytes": 1 << 28}  # nobody is dropped for being slow
    with serving(tmp_path, "--ping", "60", limits=limits) as served:
        game, people = full_table(served)
        with people[0].sit(game) as seat:
            time.sleep(0.5)  # until the connections by which the table was laid are gone
            before = open_files(served)
            deaf = [Raw(served, game, small=True) for _ in range(5)]
            seat.until("presence", watching=5)
            for _ in range(150):  # more than the system itself keeps for them
                assert seat.do("propose_deal", **{k: v for k, v in LONG.items() if k != "kind"})
                assert seat.do("withdraw_deal", deal=next(iter(seat.view["deals"])))["kind"] == "accepted"
            for one in deaf:
                one.frame((1000).to_bytes(2, "big"), opcode=8)
            until(lambda: open_files(served) <= before, "what nobody will read is still kept")
            for one in deaf:
                one.socket.close()


@contextmanager
def program(tmp_path: Path, code: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of ours, and never one after it."""
    path = tmp_path / "program.py"
    path.write_text(code, encoding="utf-8")
    started = subprocess.Popen(
        [sys.executable, str(path), *arguments],
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": Served.imports_from},
    )
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            started.kill()
        started.wait()
        if started.stdout is not None:
            started.stdout.close()


HUNG = """
import asyncio, sys
from elysian.server import server
from elysian.server.edge import main
from elysian.server.ops.settings import ServerSettings

async def never(self, *_):
    print("draining", flush=True)
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            pass

server.Server._drain = never
main.LEAVES = 0.1
main.run(ServerSettings(port=0, database=f"sqlite:///{sys.argv[1]}", drain=1))
"""


def test_a_stop_that_hangs_is_ended_and_the_file_is_free(tmp_path: Path) -> None:
    with program(tmp_path, HUNG, str(tmp_path / "tables.db")) as hung:
        until((tmp_path / "tables.db.lock").exists, "the server did not start")
        until(lambda: children_listen(hung.pid), "the server did not start")
        hung.send_signal(signal.SIGTERM)
        assert hung.wait(PATIENCE) == 1
    with serving(tmp_path) as again:
        assert again.process is not None


def children_listen(pid: int) -> bool:
    """Whether a process has its port open."""
    if not sys.platform.startswith("linux"):
        pytest.skip("open files are read as Linux shows them")
    links = []
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            links.append(os.readlink(one))
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    table = Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]
    return any(row.split()[9] in inodes and row.split()[3] == "0A" for row in table)


ORPHANS = """
import asyncio
from elysian.server.background.worker_pool import WorkerPool

async def main():
    pool = WorkerPool(1, lambda: None)
    await pool.run("a", int, aside=True)  # the process is there
    work = asyncio.create_task(pool.run("a", sum, range(10**14), patience=None))
    await asyncio.sleep(0)
    (process,) = pool._aside[0]._process._processes.values()
    print(process.pid, flush=True)
    await work

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_worker_deep_in_thought_leaves_with_the_server_that_was_killed(tmp_path: Path) -> None:
    """The computation lets no thread of the worker run, so only the system can end it."""
    with program(tmp_path, ORPHANS) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        try:
            until(lambda: busy(worker), "the worker does not work")
            parent.kill()
            parent.wait()
            until(lambda: not alive(worker), "the worker outlives its server")
        finally:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)


def busy(pid: int) -> bool:
    """Whether a process has computed for a while."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11]) > 100


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


DEAF_WORKER = """
import multiprocessing, os, signal, time
from elysian.server.cluster import supervisor
from elysian.server.ops.settings import ServerSettings

def work(settings, listening, ready):
    signal.signal(signal.SIGTERM, lambda *_: None)  # asked to stop, it does not
    print(os.getpid(), flush=True)
    while True:
        time.sleep(0.1)

if __name__ == "__main__":
    supervisor.AFTER_DRAIN = 0.1
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=supervisor._begin, args=(ServerSettings(drain=0.5), None, work, theirs))
    process.start()
    process.join()
"""


def test_a_worker_that_does_not_stop_when_its_supervisor_is_killed_is_ended(tmp_path: Path) -> None:
    with program(tmp_path, DEAF_WORKER) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        try:
            parent.kill()
            parent.wait()
            until(lambda: not alive(worker), "the worker outlives its supervisor")
        finally:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

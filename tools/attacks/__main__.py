"""Runs every attack, or those that are named; prints what honest people waited and what the server held.

MB are those of the server before, at most, and after the attack; what it has stored meanwhile comes last.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import msgspec

from tools.attacks.attackers import ATTACKS, OF_WORKERS, attack
from tools.attacks.honest import Waits
from tools.attacks.laid import Laid, lay
from tools.bench_load import bare_at
from tools.bench_server import free_port
from tools.drive.server import Served

WARM = 3.0  # seconds
WITHOUT, WITH = 5.0, 12.0  # the first twice, before and after
WITHOUT_BOTS, WITH_BOTS = 12.0, 30.0  # bots answer more slowly: it takes longer to see how slowly
BEGUN = 1.0  # after which an attack is under way
TO_RETURN = 20.0  # in which memory comes back
WORSE = 3.0  # times as long as without it may honest people wait, beyond what the machine itself does
MORE = 24 << 20  # bytes that may stay: what was read is kept for others, within bounds


class Server(Served):
    """A server with the limits it has by itself, and the number of files a process usually may have."""

    python = shutil.which("prlimit") or sys.executable
    program = (
        ("--nofile=1024:1024", sys.executable, "-m", "elysian") if shutil.which("prlimit") else Served.program
    )

    def memory(self) -> int:
        """The bytes it holds."""
        assert self.process is not None
        rollup = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return 1024 * sum(int(kb) for kb in re.findall(r"^Private_\w+:\s+(\d+)", rollup, re.M))

    def stored(self) -> int:
        """The bytes of its database."""
        return sum(path.stat().st_size for path in self.folder.glob("tables.db*"))


class Peak:
    """The most a server held while somebody looked."""

    def __init__(self, server: Server) -> None:
        self.most = server.memory()
        self._server, self._ends = server, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ends.wait(0.2):
            self.most = max(self.most, self._server.memory())

    def end(self) -> int:
        """The most; nobody looks any more."""
        self._ends.set()
        self._thread.join()
        return self.most


class Found(msgspec.Struct):
    """What was measured of one attack; waits in seconds, sizes in bytes."""

    name: str
    before: dict[str, float]
    during: dict[str, float]
    missed: int
    memory: tuple[int, int, int]  # before, the most, after
    stored: int  # by how much the database grew

    def worse(self) -> dict[str, float]:
        """How many times as long everybody waits."""
        return {kind: self.during[kind] / self.before[kind] for kind in self.before if kind in self.during}

    def reached(self) -> bool:
        """Whether the goals are."""
        (before, _, after), worse = self.memory, self.worse()
        bare = max(1.0, worse.pop("bare"))
        return max(worse.values()) <= WORSE * bare and not self.missed and after <= before + MORE


def try_one(name: str, folder: Path, laid: Laid, bare: int) -> Found:
    """Measure without it, with it, and without it again, on a server of its own."""
    server = Server(folder, limits={})
    server.start()
    of_workers = name in OF_WORKERS
    apart, long = (WITHOUT_BOTS, WITH_BOTS) if of_workers else (WITHOUT, WITH)
    try:
        waits = Waits(server, laid, bare, of_workers)
        time.sleep(WARM)
        waits.look()
        time.sleep(apart)
        without, held, stored = waits.look(), server.memory(), server.stored()
        peak = Peak(server)
        command = [sys.executable, "-m", "tools.attacks", "--attack", name, "--port", str(server.port)]
        with subprocess.Popen(["nice", "-n", "10", *command], stdin=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(laid))
            process.stdin.close()
            time.sleep(BEGUN)
            waits.look()
            time.sleep(long)
            during, missed = waits.look(), waits.missed
            process.kill()
        most, grown = peak.end(), server.stored() - stored
        ends = time.monotonic() + TO_RETURN
        while server.memory() > held + MORE // 2 and time.monotonic() < ends:
            time.sleep(0.5)
        waits.look()
        time.sleep(apart)
        after = waits.look()
        waits.end()
        before = {kind: median(some + after[kind]) for kind, some in without.items() if some + after[kind]}
        with_it = {kind: median(some) for kind, some in during.items() if some}
        return Found(name, before, with_it, missed, (held, most, server.memory()), grown)
    finally:
        server.stop()


def told(found: Found) -> str:
    """A line of the table."""
    worse = found.worse()
    waits = " | ".join(
        f"{1e3 * found.before[kind]:.1f} → {1e3 * found.during[kind]:.1f} ms ({worse[kind]:.1f} ×)"
        if kind in worse
        else "–"
        for kind in Waits.KINDS
    )
    memory = " / ".join(f"{size / 1e6:.0f}" for size in found.memory)
    mark = (
        "" if found.reached() else " NOT REACHED" + (f", {found.missed} not answered" if found.missed else "")
    )
    return f"| {ATTACKS[found.name]} | {waits} | {memory} | {found.stored / 1e6:.1f}{mark} |"


def main() -> None:
    """Run what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ATTACKS)}")
    asked.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    asked.add_argument("--port", type=int, help=argparse.SUPPRESS)
    words = asked.parse_args()
    if unknown := set(words.names) - set(ATTACKS):
        asked.error(f"no such attack: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if words.attack:
            served = Served(folder)
            served.port = words.port
            attack(
                words.attack,
                served,
                msgspec.json.decode(sys.stdin.buffer.read(), type=Laid),
                WITH_BOTS + WARM,
            )
            return
        laid = lay(folder)
        print("| Attack | echo and write | a command | a table's page | a bot's answer | MB | MB stored |")
        print("|---|---|---|---|---|---|---|")
        with bare_at(folder, free_port()) as bare:
            for one in words.names or ATTACKS:
                print(told(try_one(one, folder, laid, bare.port)), flush=True)


if __name__ == "__main__":
    main()

"""What a command costs a server, and what it makes nine pages ask; one checkout beside another.

python -m tools.bench_walks [CHECKOUT ...]   this checkout, and others to compare it with, in one run

Nine simulated pages play a recorded game over real sockets. Each lays every update into its view and then
asks what a page asks: what can be done, what it needs, what its plan comes to, by the rule of that
checkout's page. Counted are the frames they receive and the questions they ask for an accepted deal and for
a saved plan; beside them the CPU of the server for a command when nobody asks anything, and its memory. The
checkouts take turns, so that what else the machine does is the same for all; trust the ratios.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import mean, median
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection, connect

from elysian.record import load
from elysian.server.protocol.view_delta import lay_in
from tools.bench_load import ROOT, WAIT, Process, Room, Step, ask, lay_table, people, steps_of, tables_at
from tools.bench_server import GAME, cpu_per_command, free_port
from tools.drive.asking import Asking, asking

TABLES = 8
ROUNDS = 4
PLAYED = 40  # commands a table plays in each round
DEALS = 10  # accepted ones that are counted
LOADED = 100  # tables whose memory is measured


class OpenPage:
    """One browser at a table, as far as it asks."""

    def __init__(self, socket: ClientConnection, you: int, spares: bool, rule: Asking) -> None:
        """Sit at a seat; `spares`: this page asks only for what changed."""
        self.socket, self.you, self.spares, self.rule = socket, you, spares, rule
        self.view: dict[str, Any] = {}
        self.frames = self.bytes = self.questions = 0
        self._due: list[str] = []

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind, with everything before it laid in."""
        while True:
            async with asyncio.timeout(WAIT):
                frame = await self.socket.recv()
            self.frames += 1
            self.bytes += len(frame)
            message: dict[str, Any] = json.loads(frame)
            if message["kind"] == "welcome":
                self.view = message["view"]
                self.rule.open(self.you, self.view)
            elif message["kind"] == "update":
                self._lay_in(message)
            if message["kind"] == kind:
                return message
            if message["kind"] == "refused":
                raise RuntimeError(frame)

    def _lay_in(self, update: dict[str, Any]) -> None:
        changes = update.get("view", {})
        self.view = lay_in(self.view, changes)
        help: Literal["own", "both"] = "own" if self.spares else "both"  # before, whoever's goods moved
        self._due += self.rule.after(self.you, self.you, changes, help)
        if not self.spares:
            self._due.append("options")

    async def ask(self) -> None:
        """Ask what is due, once each, as after a burst of news."""
        due, self._due = set(self._due), []
        for what in sorted(due):
            self.questions += 1
            extra = {"refused": True} if what == "options" else {}
            if what == "plan":
                extra = {"runs": self.view["plan"]}
            message = {"kind": "ask", "id": f"q-{self.you}-{self.questions:07d}", "what": what, **extra}
            await self.socket.send(json.dumps(message))
            await self.hear(what)


class Checkout:
    """A checkout, its running server, and the figures measured on it."""

    def __init__(self, root: Path, served: Process, head: str, seats: int, rule: Asking) -> None:
        """Ask by the rule of that checkout's page."""
        self.root, self.served, self.head, self.rule = root, served, head, rule
        self.spares = (root / "web" / "src" / "lib" / "asking.ts").exists()
        self.keys = people(served.port, seats)
        self.costs: list[float] = []
        self.figures: dict[str, float] = {}
        self.rooms: list[Room] = []

    async def open(self) -> None:
        """Lay the tables for the CPU."""
        self.rooms = [Room(lay_table(self.served.port, self.keys, self.head)) for _ in range(TABLES)]
        for room in self.rooms:
            await room.open(self.served.port, self.keys)

    async def walk(self, steps: list[Step]) -> None:
        """Play a game with pages that ask; count what an accepted deal and a saved plan bring about."""
        table = lay_table(self.served.port, self.keys, self.head)
        pages: list[OpenPage] = []
        for seat, key in enumerate(self.keys):
            uri = f"ws://127.0.0.1:{self.served.port}/api/tables/{table}/socket"
            socket = await connect(
                uri, compression=None, additional_headers={"Cookie": f"elysian={key}"}, max_queue=None
            )
            pages.append(OpenPage(socket, seat, self.spares, self.rule))
            await pages[-1].hear("welcome")
        deals: list[tuple[float, ...]] = []
        saves: list[tuple[float, ...]] = []
        for number, (seat, action, _) in enumerate(steps):
            struck, figures = await self._step(pages, seat, action, f"{table}-{number:06d}")
            if struck:
                deals.append(figures)
                save = json.dumps({"kind": "lay_plan", "runs": [], "ready": False})
                _, figures = await self._step(pages, seat, save, f"{table}-save-{number:06d}")
                saves.append(figures)
            if len(deals) == DEALS:
                break
        for name, rows in (("deal", deals), ("save", saves)):
            for place, what in enumerate(("frames", "kB", "questions", "CPU")):
                self.figures[f"{name} {what}"] = mean(row[place] for row in rows)
        for page in pages:
            await page.socket.close()

    async def _step(
        self, pages: list[OpenPage], seat: int, action: str, id: str
    ) -> tuple[bool, tuple[float, float, float, float]]:
        """One command with all it brings about; whether a deal was struck, and what was counted."""
        before = [(page.frames, page.bytes, page.questions) for page in pages]
        cpu = self.served.cpu()
        await pages[seat].socket.send(f'{{"kind": "do", "id": "{id}", "action": {action}}}')
        heard = [page.hear("accepted" if page.you == seat else "update") for page in pages]
        messages = await asyncio.gather(*heard)
        update = messages[1 if seat == 0 else 0]
        await asyncio.gather(*(page.ask() for page in pages))
        used = self.served.cpu() - cpu
        after = [(page.frames, page.bytes, page.questions) for page in pages]
        frames, size, questions = (
            float(sum(a[place] - b[place] for a, b in zip(after, before, strict=True))) for place in range(3)
        )
        struck = any(event["kind"] == "deal_struck" for event in update["events"])
        return struck, (frames, size / 1000, questions, used * 1e3)

    def memory(self) -> None:
        """What the server holds for a loaded table."""
        for _ in range(LOADED // 4):  # what is taken once, and not for each of them
            lay_table(self.served.port, self.keys, self.head)
        before = self.served.memory()
        for _ in range(LOADED):
            lay_table(self.served.port, self.keys, self.head)
        self.figures["table"] = (self.served.memory() - before) / LOADED / 1000
        self.figures["process"] = self.served.memory() / 1e6


async def measure(checkouts: list[Checkout], steps: list[Step]) -> None:
    """Every figure of every checkout, in turns."""
    for one in checkouts:
        await one.open()
    for turn in range(ROUNDS):
        for one in checkouts:
            part = steps[turn * PLAYED : (turn + 1) * PLAYED]
            one.costs.append(await cpu_per_command(one.served, one.rooms, part) * 1e6)
    for one in checkouts:
        for room in one.rooms:
            await room.close()
        one.figures["CPU"] = median(one.costs)
    for one in checkouts:
        await one.walk(steps)
        one.memory()


LINES = (
    ("CPU per command, nobody asks", "us", "CPU"),
    ("an accepted deal: frames to nine pages", "", "deal frames"),
    ("  together", "kB", "deal kB"),
    ("  questions of nine pages", "", "deal questions"),
    ("  CPU of the server, answers included", "ms", "deal CPU"),
    ("a saved plan: frames to nine pages", "", "save frames"),
    ("  questions of nine pages", "", "save questions"),
    ("  CPU of the server, answers included", "ms", "save CPU"),
    ("memory of one more table", "kB", "table"),
    ("memory of the server", "MB", "process"),
)


def main(arguments: list[str]) -> None:
    """Measure and print, this checkout last."""
    if not Path("/proc/self/schedstat").exists():
        sys.exit("The benchmark reads CPU times and memory from /proc, which is not here.")
    raw = GAME.read_bytes()
    record = load(raw)
    steps = steps_of(record, raw.splitlines()[1:])
    head, seats = raw.splitlines()[0].decode(), len(record.head.started.players)
    roots = [*(Path(argument).resolve() for argument in arguments), ROOT]
    with ExitStack() as stack:
        rule = stack.enter_context(asking())
        checkouts = []
        for root in roots:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            served = stack.enter_context(tables_at(folder, free_port(), root))
            ask(served.port, "GET", "/healthz")
            checkouts.append(Checkout(root, served, head, seats, rule))
        asyncio.run(measure(checkouts, steps))
    print(f"{'':42}" + "".join(f"{root.name[-12:]:>14}" for root in roots))
    for words, unit, key in LINES:
        print(f"{words:42}" + "".join(f"{one.figures[key]:>14.4g}" for one in checkouts) + f" {unit}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""What honest people wait for: commands over their sockets, a page of a table, an answer of a bot.

Beside them somebody speaks to a bare echo on the same stack and writes to the same disk: what that waits
longer is the machine's doing.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tools.attacks.laid import Laid
from tools.drive.server import At, Browser, Seat, Served

EACH = 0.25  # seconds between two commands of a person
LONGEST = 30.0  # seconds somebody waits; that is what is counted then


class Waits:
    """Everybody at once, as long as they are wanted; waits in seconds, by kind, since the last look."""

    KINDS = ("bare", "command", "request", "bots")

    def __init__(self, served: Served, laid: Laid, bare: int, with_bots: bool) -> None:
        self._all: dict[str, list[float]] = {kind: [] for kind in self.KINDS}
        self._ends = threading.Event()
        self.missed = 0
        self._threads: list[threading.Thread] = []
        for n, (table, key) in enumerate(laid.spoken):
            self._begin(self._speak, served, f"198.51.100.{n + 1}", table, key)
        self._begin(self._look, served, "198.51.100.50", *laid.spoken[0])
        self._threads.append(threading.Thread(target=self._echo, args=(bare, served.folder), daemon=True))
        self._threads[-1].start()
        for n, (table, key) in enumerate(laid.with_bots if with_bots else ()):
            self._begin(self._offer, served, f"198.51.100.{n + 60}", table, key)

    def _begin(self, what: Any, served: Served, address: str, table: str, key: str) -> None:
        person = At(served, address)
        person.key = key
        self._threads.append(threading.Thread(target=what, args=(person, table), daemon=True))
        self._threads[-1].start()

    def look(self) -> dict[str, list[float]]:
        """The waits of each kind since the last look."""
        seen, self._all = self._all, {kind: [] for kind in self.KINDS}
        return seen

    def end(self) -> None:
        """Everybody goes."""
        self._ends.set()
        for thread in self._threads:
            thread.join(LONGEST)

    def _count(self, kind: str, began: float) -> None:
        self._all[kind].append(time.perf_counter() - began)

    def _echo(self, port: int, folder: Path) -> None:
        address = f"ws://127.0.0.1:{port}/bare"
        with (
            (folder / "written").open("wb", buffering=0) as file,
            connect(address, compression=None, ping_interval=None) as socket,
        ):
            while not self._ends.wait(EACH):
                began = time.perf_counter()
                socket.send("hello")
                socket.recv(LONGEST)
                file.write(bytes(4096))
                os.fsync(file.fileno())
                self._count("bare", began)

    def _speak(self, person: Browser, table: str) -> None:
        """Done and not done, in turn."""
        with person.sit(table) as seat:
            while not self._ends.wait(EACH):
                done = seat.view["players"][seat.you]["done"]
                began = time.perf_counter()
                answer = seat.do("not_done" if done else "done")
                self._count("command", began)
                self.missed += answer["kind"] != "accepted"

    def _look(self, person: Browser, table: str) -> None:
        while not self._ends.wait(EACH):
            began = time.perf_counter()
            try:
                self.missed += person.get(f"/api/tables/{table}").status != 200
            except OSError:
                self.missed += 1
            self._count("request", began)

    def _offer(self, person: Browser, table: str) -> None:
        with person.sit(table) as seat:
            while not self._ends.wait(2 * EACH):
                began = time.perf_counter()
                with suppress(TimeoutError):
                    if not turned_down(seat, 1):
                        continue
                self._count("bots", began)


def turned_down(seat: Seat, bot: int) -> bool:
    """Ask a bot for something for nothing and wait until it declines; False if the offer was refused."""
    stock = seat.view["players"][bot]["stock"]
    good = next((kind for kind, n in stock.items() if n and kind != "point"), "green")
    clause = {"kind": "give", "giver": bot, "to": seat.you, "goods": {good: 1}}
    sent = seat.send(
        kind="do", action={"kind": "propose_deal", "parties": [seat.you, bot], "clauses": [clause]}
    )
    ends, mine = time.monotonic() + LONGEST, ""
    while True:
        message = seat.next(max(0.05, ends - time.monotonic()))
        if message["kind"] == "refused" and message["id"] == sent:
            return False
        for event in message.get("events", ()):
            if event["kind"] == "deal_offered" and event["deal"]["proposer"] == seat.you:
                mine = event["deal"]["id"]
            if event["kind"] == "deal_declined" and event["deal"] == mine:
                return True

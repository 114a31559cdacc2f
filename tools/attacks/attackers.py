"""The attacks. Each goes on until its process is ended; Eve has an address of her own, and sometimes two."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import WebSocketException

from tools.attacks.laid import Laid
from tools.drive.raw import Raw
from tools.drive.server import At, Seat, Served, new_id

EVE = "203.0.113.7"
MALLORY = "203.0.113.8"
LONG_NOTES = [{"kind": "note", "text": "x" * 480}] * 29  # an offer of 15 kB
OFFER = {"kind": "propose_deal", "parties": [0, 1], "clauses": LONG_NOTES}
BODY = json.dumps({"options": {}, "from": {"record": "[1]" * 1_300_000}}).encode()  # 4 MB
WRONG = (OSError, WebSocketException, AssertionError, TimeoutError)  # turned away, cut off


class Attack:
    """Eve, what is there, and how she goes about it."""

    def __init__(self, served: Served, laid: Laid) -> None:
        self.served, self.laid = served, laid

    def eve(self, address: str = EVE, key: bool = True) -> At:
        """Eve's browser, with her key or without one."""
        browser = At(self.served, address)
        browser.key = self.laid.eve if key else None
        return browser

    def many(self, count: int, step: Callable[[int], object], pause: float = 0.0) -> None:
        """So many at once do something again and again."""

        def again(n: int) -> None:
            while True:
                with suppress(*WRONG):
                    step(n)
                time.sleep(pause or 0.01)

        for n in range(count):
            threading.Thread(target=again, args=(n,), daemon=True).start()

    def raw(self, table: str, address: str = EVE, query: str = "") -> Raw:
        """A connection without a key that is not read from."""
        return Raw(self.served, table, f"X-Forwarded-For: {address}", small=True, query=query)

    # ------------------------------------------------------------ history

    def whole_logs(self) -> None:
        """Five connections a second ask for the whole of a long game, without a key."""
        self.many(5, lambda _: self.eve(key=False).sit(self.laid.long, since=0).close(), pause=1.0)

    def deaf(self) -> None:
        """Five who never read, at a table where offers of 15 kB come as fast as they may."""
        self._offers(self.eve().sit(self.laid.eves))
        self._keep([self.raw(self.laid.eves) for _ in range(5)])

    def goodbyes(self) -> None:
        """Sixty ask for the whole of a long game, say goodbye and read nothing; then again."""

        def step(n: int) -> None:
            one = self.raw(self.laid.long, (EVE, MALLORY)[n % 2], "?since=0")
            one.frame((1000).to_bytes(2, "big"), opcode=8)
            time.sleep(5)
            one.socket.close()

        self.many(60, step)

    def _offers(self, seat: Seat) -> None:
        def step(_: int) -> None:
            seat.answer(seat.send(kind="do", action=OFFER))
            for deal in list(seat.view["deals"]):
                seat.do("withdraw_deal", deal=deal)

        self.many(1, step)

    def _keep(self, raws: list[Raw]) -> None:
        """They stay open as long as the attack."""
        self.kept = raws

    # ------------------------------------------------------------ budgets

    def frames(self) -> None:
        """Fifty connections without a key send frames of 16 kB as fast as they can, and come back."""
        text = json.dumps({"kind": "ask", "id": "flood-0001", "what": "options"}).encode()
        whole = text + b" " * (16_000 - len(text))
        # A mask of zeros leaves the bytes as they are.
        framed = b"\x81\xfe" + len(whole).to_bytes(2, "big") + bytes(4) + whole

        def step(_: int) -> None:
            one = self.raw(self.laid.long)
            while not one.gone:
                one.send(framed)
            one.socket.close()

        self.many(50, step)

    def refused(self) -> None:
        """One who watches makes offers of 15 kB, all of which are refused."""

        def step(_: int) -> None:
            with self.eve().sit(self.laid.long) as seat:
                while True:
                    seat.answer(seat.send(kind="do", action=OFFER))

        self.many(4, step)

    def bodies(self) -> None:
        """Bodies of 4 MB, four at a time."""
        self.many(4, lambda _: self.eve().ask("POST", "/api/tables", BODY))

    def pages(self) -> None:
        """The description of the interface, as fast as it comes."""
        self.many(8, lambda _: self.eve(key=False).get("/api/openapi.json"))

    def rematches(self) -> None:
        """A table is ended and opened again, and so on."""
        eve = self.eve()
        name = [eve.open()]

        def step(_: int) -> None:
            eve.do(name[0], {"kind": "end_table"})
            again = eve.post(f"/api/tables/{name[0]}/rematch")
            name[0] = again.json.get("table", name[0])

        self.many(1, step)

    def seats(self) -> None:
        """Every seat of every table that waits for people is taken, under one name after the other."""
        tables = itertools.cycle(self.laid.lobbies)

        def step(n: int) -> None:
            At(self.served, EVE, f"Eve {new_id()[-5:]}").join(next(tables))

        self.many(4, step)

    # ------------------------------------------------------------ worker processes

    def stories(self) -> None:
        """The stories of games that are over, twice a second, without a key."""
        games = itertools.cycle(self.laid.over)
        self.many(2, lambda _: self.eve(key=False).get(f"/api/tables/{next(games)}/story"), pause=1.0)

    def questions(self) -> None:
        """What an offer is worth, another one each time, as fast as it is answered."""
        seat = self.eve().sit(self.laid.eves)
        numbers = itertools.count(1)

        def step(_: int) -> None:
            n = next(numbers)
            goods = {"green": 1 + n % 7, "white": n // 7 % 5, "ship": n // 35 % 9}
            clause = {"kind": "give", "giver": 1, "to": 0, "goods": goods}
            seat.answer(seat.send(kind="ask", what="worth", clauses=[clause]))
            time.sleep(0.15)

        self.many(1, step)

    def planners(self) -> None:
        """Three tables of nine bots that think long."""
        for table in self.laid.nines:
            self.eve().do(table, {"kind": "start_game"})

    # ------------------------------------------------------------ connections

    def idle(self) -> None:
        """Thirteen hundred connections on which nothing is said."""
        self.sockets: list[Any] = []
        for _ in range(1300):
            with suppress(OSError):
                self.sockets.append(socket.create_connection(("127.0.0.1", self.served.port), 5))


ATTACKS: dict[str, str] = {
    "whole_logs": "whole logs, 5 a second",
    "deaf": "5 that do not read offers of 15 kB",
    "goodbyes": "60 that say goodbye and do not read",
    "frames": "frames of 16 kB at 50 connections",
    "refused": "refused offers of 15 kB",
    "bodies": "bodies of 4 MB",
    "pages": "the OpenAPI page without end",
    "rematches": "end table and rematch without end",
    "seats": "taking everybody's seats",
    "stories": "stories without a key",
    "questions": "`ask worth` without end",
    "planners": "three tables of nine planners",
    "idle": "1,300 idle connections",
}
OF_WORKERS = ("stories", "questions", "planners")  # here bots are waited for too


def attack(name: str, served: Served, laid: Laid, seconds: float) -> None:
    """Go on with one for so long."""
    at_work = Attack(served, laid)
    with suppress(*WRONG):
        getattr(at_work, name)()
    time.sleep(seconds)

"""Play under faults: people who never give up, and what must be true when the dust has settled.

Every person sends commands without waiting, some of them twice, some of them again long after they were
answered; after a lost connection they come back with the last line they have and send what was not answered,
in any order. Nothing they were told may be untrue afterwards.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from websockets.exceptions import InvalidStatus, WebSocketException

from elysian.server.store import Store, database_at
from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import Damaged
from tests.support.server.evidence import PLAYERS, Evidence
from tools.drive.server import Browser, Seat, full_table, new_id
from tools.drive.waiting import PATIENCE

OFFERS = 3  # open at once by one person
MOST_UNANSWERED = 6  # commands one person sends without waiting
GONE = (WebSocketException, OSError, EOFError)
PASSING = (
    "storage_broken",
    "storage_busy",
    "storage_full",
    "storage_lost",
    "busy",
    "table_elsewhere",
    "closing",
)
SETTLES_WITHIN = PATIENCE


class Player:
    """A person at a table who never gives up."""

    def __init__(self, browser: Browser, table: str, chance: random.Random) -> None:
        self.browser, self.table, self.chance = browser, table, chance
        self.seat: Seat | None = None
        self.lines: list[dict[str, Any]] = []
        self.n: int | None = None
        self.unanswered: dict[str, dict[str, Any]] = {}
        self.answered: dict[str, dict[str, Any]] = {}
        self.accepted: dict[str, int] = {}
        self.lies: list[str] = []  # what the server said that does not fit what it had said before
        self.came_back = 0

    # ------------------------------------------------------------ the connection

    def connect(self) -> bool:
        """Come back with the last line one has, and ask again for what was not answered."""
        if self.seat is not None:
            return True
        try:
            self.seat = self.browser.sit(self.table, since=self.n)
        except InvalidStatus as refused:
            if refused.response.status_code == 400:
                self.lies.append(f"line {self.n} is gone")
                self.n = None
            return False
        except (*GONE, TimeoutError):
            return False
        if self.n is not None:
            self.came_back += 1
            self._goes_on(self.seat.lines, self.seat.n)
        self.n = self.seat.n
        asked = list(self.unanswered.values())
        self.chance.shuffle(asked)
        for message in asked:
            self._send(message)
        return self.seat is not None

    def _goes_on(self, missed: list[dict[str, Any]], n: int) -> None:
        """What came on coming back is all that was missed, and nothing else."""
        assert self.n is not None
        numbers = [line["n"] for line in missed]
        if numbers[: n - self.n] != list(range(self.n + 1, n + 1)):
            self.lies.append(f"after line {self.n} came {numbers[:5]} up to {n}")

    def drop(self) -> None:
        if self.seat is not None:
            self.lines += self.seat.lines
            self.n = self.seat.n
            seat, self.seat = self.seat, None
            try:
                seat.close()
            except GONE:
                return

    def _send(self, message: dict[str, Any]) -> None:
        if self.seat is None:
            return
        try:
            self.seat.socket.send(json.dumps(message))
        except GONE:
            self.drop()

    def read(self, seconds: float = 0.0) -> None:
        """Take in what has come."""
        if self.seat is not None:
            self._read(seconds)

    def _read(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        try:
            while self.seat is not None:
                self._take(self.seat.next(max(0.0, deadline - time.monotonic())))
        except TimeoutError:
            return
        except AssertionError as problem:
            self.lies.append(str(problem))
            self.drop()
        except GONE:
            self.drop()

    def _take(self, message: dict[str, Any]) -> None:
        id = message.get("id")
        if id is None or message["kind"] not in ("accepted", "refused"):
            return
        if message["kind"] == "refused" and message["code"] in PASSING:
            return  # nothing has changed; it is asked again
        asked = self.unanswered.pop(id, None)
        if asked is not None:
            self.answered[id] = asked
        if message["kind"] == "accepted":
            if self.accepted.setdefault(id, message["n"]) != message["n"]:
                self.lies.append(f"{id} was line {self.accepted[id]}, now it is {message['n']}")
        elif id in self.accepted:
            self.lies.append(f"{id} was accepted, now it is refused: {message['code']}")

    # ------------------------------------------------------------ play

    def ask(self) -> None:
        """Send a command; now and then twice, or an old one once more."""
        if self.seat is None or self.seat.view is None:
            return
        if len(self.unanswered) >= MOST_UNANSWERED:
            self._send(self.chance.choice(list(self.unanswered.values())))
            return
        message = {**self._wish(self.seat.view, self.seat.you or 0), "id": new_id()}
        self.unanswered[str(message["id"])] = message
        self._send(message)
        if self.chance.random() < 0.1:
            self._send(message)
        if self.answered and self.chance.random() < 0.1:
            self._send(self.chance.choice(list(self.answered.values())))

    def _wish(self, view: dict[str, Any], me: int) -> dict[str, Any]:
        deals = list(view["deals"].values())
        offered = [deal["id"] for deal in deals if deal["proposer"] != me and me in deal["parties"]]
        own = [deal["id"] for deal in deals if deal["proposer"] == me]
        roll = self.chance.random()
        if offered and roll < 0.6:
            return _do("accept_deal", deal=self.chance.choice(offered))
        if len(own) >= OFFERS:
            return _do("withdraw_deal", deal=self.chance.choice(own))
        if roll < 0.8:
            return self._offer(view, me)
        return {"kind": "talk", "text": f"nothing {roll}"}

    def _offer(self, view: dict[str, Any], me: int) -> dict[str, Any]:
        other = self.chance.choice([seat for seat in range(len(view["players"])) if seat != me])
        goods = [kind for kind in view["players"][me]["stock"] if kind in CUBES]
        if not goods:
            return {"kind": "talk", "text": "I have nothing"}
        give = {"kind": "give", "giver": me, "to": other, "goods": {self.chance.choice(goods): 1}}
        return _do("propose_deal", parties=[me, other], clauses=[give])


CUBES = ("green", "white", "brown", "black", "blue", "yellow")


def _do(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "do", "action": {"kind": kind, **fields}}


# ---------------------------------------------------------------- a game


class Game:
    """A table full of such people."""

    def __init__(self, served: Any, seed: int, through: Any = None, **options: Any) -> None:
        self.served = served
        self.chance = random.Random(seed)
        self.table, people = full_table(served, PLAYERS, **options)
        self.players = []
        for number, person in enumerate(people):
            browser = Browser(through[number % len(through)] if through else served)
            browser.key = person.key
            self.players.append(Player(browser, self.table, self.chance))
        self.first = people[0].get(f"/api/tables/{self.table}").json["n"]
        self.people = people

    def play(self, seconds: float, rounds: int = 1_000_000) -> None:
        """Everybody sends and reads, whoever is cut off comes back."""
        deadline = time.monotonic() + seconds
        for _ in range(rounds):
            for player in self.players:
                if player.connect():
                    player.ask()
            for player in self.players:
                player.read(0.002)
            if time.monotonic() > deadline:
                return

    def answered(self) -> int:
        """How many commands were accepted so far."""
        return sum(len(player.accepted) for player in self.players)

    def play_until(self, answered: int) -> None:
        """Play until so many commands were accepted."""
        deadline = time.monotonic() + PATIENCE
        while self.answered() < answered:
            assert time.monotonic() < deadline, "nothing is accepted any more"
            self.play(0.02)

    def settle(self, patience: float) -> None:
        """Everybody gets every answer, and hears of every line; if not, the checks say what is missing."""
        deadline = time.monotonic() + patience
        asked = 0.0
        while any(player.unanswered for player in self.players):
            if time.monotonic() > deadline:
                for player in self.players:
                    player.lies += [f"{id} is never answered" for id in player.unanswered]
                return
            again = time.monotonic() - asked > 1
            asked = time.monotonic() if again else asked
            for player in self.players:
                if player.connect() and again:
                    for message in list(player.unanswered.values()):
                        player._send(message)
                player.read(0.02)
        self._hear_all(deadline)

    def _hear_all(self, deadline: float) -> None:
        while True:
            for player in self.players:
                player.connect()
                player.read(0.02)
            numbers = {player.seat.n if player.seat else None for player in self.players}
            last = max((n for player in self.players for n in player.accepted.values()), default=0)
            if len(numbers) == 1 and None not in numbers and (numbers.pop() or 0) >= last:
                return
            if time.monotonic() > deadline:
                return

    def end(self) -> None:
        for player in self.players:
            player.drop()


# ---------------------------------------------------------------- the end of it


def evidence(game: Game, database: str) -> Evidence:
    """Everything, once no server holds the database any more."""
    accepted = {id: n for player in game.players for id, n in player.accepted.items()}
    views = []
    for player in game.players:
        if player.seat is not None and player.seat.view is not None:
            views.append((player.seat.you or 0, player.seat.n, player.seat.view))
            player.lines += player.seat.lines
            player.seat.lines = []
    game.end()
    lines, answers = stored(database, game.table)
    return Evidence(
        first=game.first,
        lines=lines,
        answers=answers,
        accepted=accepted,
        views=views,
        heard=[player.lines for player in game.players],
        lies=[lie for player in game.players for lie in player.lies],
        back=sum(player.came_back for player in game.players),
    )


def stored(database: str, table: str) -> tuple[list[Line], dict[str, int | None]]:
    """The log of a table on disk, and its answers, once no server holds the database any more."""
    return asyncio.run(_stored(database, table))


async def _stored(url: str, table: str) -> tuple[list[Line], dict[str, int | None]]:
    database = database_at(url)
    await database.open()
    try:
        rows = await database.read("SELECT id, n FROM answers WHERE game = ?", table)
        raw = await database.read("SELECT n, line FROM log WHERE game = ? ORDER BY n", table)
        store = Store(database)
        lines: list[Line] = []
        with suppress(Damaged):  # lines of two writers do not follow one another: nothing is believed
            if [row[0] for row in raw] == list(range(1, len(raw) + 1)):
                lines = await store.lines(table)
        return lines, {row[0]: row[1] for row in rows}
    finally:
        await database.close()


@contextmanager
def settled(game: Game, *ending: Any, patience: float = SETTLES_WITHIN) -> Iterator[list[Evidence]]:
    """Let the dust settle after what is done inside, end the servers, and gather the evidence."""
    found: list[Evidence] = []
    yield found
    game.settle(patience)
    for served in ending:
        served.kill()
    found.append(evidence(game, game.served.database))

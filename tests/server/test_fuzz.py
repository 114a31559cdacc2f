"""Any frames whatever: each gets one answer, no mistake is met, and the tables are sound afterwards.

ELYSIAN_FUZZ says how many frames; `make fuzz` sends a million.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed

from elysian.server.table_state.events import Line
from elysian.server.table_state.fold import TableState, fold
from elysian.view import view
from tests.support.campaign import Campaign
from tests.support.driver import chance, pick
from tests.support.invariants import check_invariants
from tests.support.server.fuzzing import Frames, broken_request
from tools.drive.server import OPEN_LIMITS, Browser, Seat, Served, full_table, serving
from tools.drive.waiting import PATIENCE

IN_A_PART = 20_000
FRAMES = int(os.environ.get("ELYSIAN_FUZZ", "20000"))
SEED = int(os.environ.get("ELYSIAN_FUZZ_SEED", "1"))
TABLES = 3
AT_ONCE = 24
NEWS = ("missed", "welcome", "update", "presence", "clock", "closing")  # whatever else comes is an answer
EDITIONS = ("2017", "2020", "de2021")


class Game:
    """A table with a socket for everybody, a second one for the host, and one that watches."""

    def __init__(self, served: Served, rng: Random) -> None:
        players = 4 + int(rng.random() * 3)
        self.table, self.people = full_table(
            served,
            players,
            edition=pick(rng, EDITIONS),
            private_offers=chance(rng, 0.5),
            species="random",
            help=pick(rng, ("off", "own", "both")),
            cover=None,
        )
        self.people += [self.people[0], Browser(served)]
        self.seats = [person.sit(self.table) for person in self.people]
        self.frames = 0

    def over(self) -> bool:
        return self.seats[0].table["status"] != "playing"

    def close(self) -> None:
        for seat in self.seats:
            seat.close()


class Attack:
    """Frames to one server, with a count of what came of them."""

    def __init__(self, served: Served, rng: Random) -> None:
        self.served, self.rng = served, rng
        self.frames = Frames(rng)
        self.games: list[Game] = []
        self.tables: list[str] = []
        self.codes: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()

    def run(self, frames: int) -> None:
        for _ in range(0, frames, AT_ONCE):
            self.games = [game for game in self.games if not self._finished(game)]
            while len(self.games) < TABLES:
                self.games.append(Game(self.served, self.rng))
                self.tables.append(self.games[-1].table)
            self._volley(pick(self.rng, self.games))

    def end(self) -> None:
        for game in self.games:
            self.check(game)
            game.close()

    def _volley(self, game: Game) -> None:
        """Many frames at once from all sockets; then one answer is due for each."""
        due: Counter[int] = Counter()
        waiting = (game.seats[0].view or {}).get("waiting") or [0]
        mover = pick(self.rng, waiting)
        if game.seats[0].table["paused"]:
            game.people[0].do(game.table, {"kind": "resume"})
        game.seats[mover].send(kind="ask", what="options")
        self._note(self._answer(game.seats[mover]))
        for _ in range(AT_ONCE):
            place = mover if chance(self.rng, 0.4) else int(self.rng.random() * len(game.seats))
            seat = game.seats[place]
            frame = self.frames.next(seat)
            if chance(self.rng, 0.01):
                self._post(game, place, frame)
                continue
            seat.socket.send(frame)
            due[place] += 1
        for place, count in due.items():
            for _ in range(count):
                self._note(self._answer(game.seats[place]))
        if chance(self.rng, 0.03):
            self._cut(game, int(self.rng.random() * len(game.seats)))
        self.steps[(game.seats[0].view or {}).get("step", "none")] += 1

    def _answer(self, seat: Seat) -> dict[str, Any]:
        while True:
            message = seat.next()
            if message["kind"] not in NEWS:
                return message

    def _note(self, answer: dict[str, Any]) -> None:
        if answer["kind"] == "refused":
            assert answer["sentence"], answer
            self.codes[answer["code"]] += 1
        else:
            self.codes[answer["kind"]] += 1
        if answer["kind"] == "options" and answer["options"]:
            self.frames.choices = [choice["action"] for choice in answer["options"]["choices"]]

    def _post(self, game: Game, place: int, frame: str) -> None:
        """The same over HTTP."""
        body = frame.encode("utf-8", "replace")
        reply = game.people[place].ask("POST", f"/api/tables/{game.table}/do", body)
        assert reply.status in (200, 400, 401, 403, 404, 409), reply.raw
        self.codes["http"] += 1

    def _cut(self, game: Game, place: int) -> None:
        """A connection ends, by its own fault or not; it comes back and has missed nothing."""
        seat = game.seats[place]
        fault = pick(self.rng, (b"\x00\xff", "x" * 17_000, None))
        if fault is not None:
            seat.socket.send(fault)
            try:
                while True:
                    seat.next()
            except ConnectionClosed:
                self.codes["closed"] += 1
        seat.close()
        back = game.people[place].sit(game.table, since=seat.n)
        assert [line["n"] for line in back.lines] == list(range(seat.n + 1, back.n + 1))
        game.seats[place] = back

    def _finished(self, game: Game) -> bool:
        if not game.over():
            return False
        self.check(game)
        kind = pick(self.rng, ("leave", "resign", "end_table"))
        game.people[0].do(game.table, {"kind": kind})
        game.close()
        return True

    def check(self, game: Game) -> None:
        """Everybody's view is the one the server would send whole, and the stored game is sound."""
        for person, seat in zip(game.people, game.seats, strict=True):
            now = person.get(f"/api/tables/{game.table}").json
            seat.up_to(now["n"])
            assert seat.view == now["view"]
            assert seat.table == now["table"]
        truth = stored(self.served, game.table)
        assert truth.state is not None
        check_invariants(truth.state)
        for seat in game.seats:
            assert seat.view == json.loads(msgspec.json.encode(view(truth.state, seat.you)))


def stored(served: Served, table: str) -> TableState:
    """The table as it is on disk."""
    connection = sqlite3.connect(served.database.removeprefix("sqlite:///"))
    rows = connection.execute("SELECT line FROM log WHERE game = ? ORDER BY n", (table,)).fetchall()
    connection.close()
    truth: TableState | None = None
    for (raw,) in rows:
        truth = fold(truth, table, msgspec.json.decode(raw, type=Line))
    assert truth is not None
    return truth


def memory(served: Served) -> float:
    """What the server holds, in megabytes; 0 where that cannot be told."""
    assert served.process is not None
    status = Path(f"/proc/{served.process.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else ["VmRSS: 0 kB"]
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def test_whatever_is_sent_is_answered_and_the_tables_stay_sound(tmp_path: Path) -> None:
    campaign = Campaign("frames", SEED, -(-FRAMES // IN_A_PART))
    for part in campaign.left():
        (tmp_path / str(part)).mkdir()
        campaign.counts += attacked(tmp_path / str(part), SEED + part, min(FRAMES, IN_A_PART))


def attacked(folder: Path, seed: int, frames: int) -> Counter[str]:
    """A new server that is sent so many frames; how they were answered."""
    limits = {
        **OPEN_LIMITS,
        "plays": 10**9,
        "talk": 10**9,
        "broken": 10**9,
        "requests": 10**9,
        "queue": 10_000,
    }
    with serving(folder, "--idle", "20", limits=limits) as served:
        attack = Attack(served, Random(seed))
        began = time.monotonic()
        attack.run(frames // 4)
        early = memory(served)
        attack.run(frames - frames // 4)
        attack.end()
        late = memory(served)
        print(f"{frames} frames, {time.monotonic() - began:.0f} s, {early:.0f} to {late:.0f} MB")
        print(attack.codes, attack.steps, len(attack.tables))
        healthy = Browser(served).get("/healthz").json
        mistakes = Browser(served).get("/metrics").raw.decode()
    said = [json.loads(line) for line in served.log().splitlines()]
    assert [line for line in said if line["event"] in ("mistake", "error", "warning", "critical")] == []
    assert "elysian_mistakes_total 0" in mistakes or "mistakes" not in mistakes
    assert healthy == {"ready": True, "problems": []}
    assert attack.codes["busy"] <= 5 + frames // 2000, "only thinking may take too long"
    assert attack.codes["accepted"] > frames // 50
    assert {"bad_json", "bad_type", "unknown_field", "out_of_range", "wrong_step"} <= set(attack.codes)
    assert {"trade", "plan", "bid"} <= set(attack.steps)
    assert late <= 1.1 * early + 30, "the server holds on to what it was sent"
    return Counter({"frames": frames, "accepted": attack.codes["accepted"], "tables": len(attack.tables)})


def test_whatever_request_is_sent_no_mistake_is_met(tmp_path: Path) -> None:
    rng = Random(SEED)
    with serving(tmp_path, limits={**OPEN_LIMITS, "requests": 10**9, "tries": 10**9}) as served:
        host = Browser(served, "Anna")
        table = host.open()
        statuses: Counter[bytes] = Counter()
        for _ in range(FRAMES // 20):
            with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
                connection.settimeout(0.2)  # much of what is sent is never answered: more is expected to come
                try:
                    connection.sendall(broken_request(rng, table, str(host.key)))
                    statuses[connection.recv(200)[9:12]] += 1
                except (TimeoutError, ConnectionError):
                    statuses[b"none"] += 1
        assert host.get(f"/api/tables/{table}").json["n"] == 2
        assert Browser(served).get("/healthz").json == {"ready": True, "problems": []}
    print(statuses)
    assert {b"200", b"400", b"101"} <= set(statuses)
    assert not [status for status in statuses if status.startswith(b"5")]
    assert {json.loads(line)["event"] for line in served.log().splitlines()} <= {
        "started",
        "listening",
        "stopped",
    }

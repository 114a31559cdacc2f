"""A server on which bots play one game after the other, watched by people whose connections break.

ELYSIAN_MINUTES says how long (`make soak MINUTES=60`), in parts of five minutes, each on its own server.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from pathlib import Path
from random import Random

from websockets.exceptions import ConnectionClosed

from elysian.record import check, load
from tests.support.campaign import Campaign
from tools.drive.server import Browser, Seat, Served, serving
from tools.drive.waiting import PATIENCE, Watch

MINUTES = float(os.environ.get("ELYSIAN_MINUTES", "0.1"))
IN_A_PART = 5.0
SEED = int(os.environ.get("ELYSIAN_SEED", "1"))
LEVELS = ("random", "novice", "standard")
TABLES = 6
CUT = 0.02  # how often a connection is cut after what came on it was read
GROWTH = 64_000  # kB a server may hold more at the end of a part than when it was warm


class Game:
    """A table of bots, and somebody who watches it."""

    def __init__(self, host: Browser, chance: Random) -> None:
        players = chance.randint(4, 6)
        bots = {str(n): chance.choice(LEVELS) for n in range(players)}
        self.table = host.open(seat=None, seats=players, species="random", bots=bots)
        self.watcher = Browser(host.served)
        self.seat: Seat = self.watcher.sit(self.table)
        self.watch = Watch()
        assert host.do(self.table, {"kind": "start_game"}).status == 200

    def read(self) -> bool:
        """Take what has come; whether the game is over."""
        try:
            while self.seat.next(0.02)["kind"] != "closing":
                continue
        except TimeoutError:
            self.watch.sees(self.seat.n)
        return self.seat.view is not None and self.seat.view["step"] == "over"

    def come_back(self) -> None:
        """The connection is cut; whoever comes back is told what they missed, and nothing twice."""
        last = self.seat.n
        self.seat.socket.socket.close()
        self.seat.close()
        self.seat = self.watcher.sit(self.table, since=last)
        assert [line["n"] for line in self.seat.lines] == list(range(last + 1, self.seat.n + 1))

    def check(self) -> int:
        """What was watched is the game, and the game is by the rules; its lines."""
        assert self.seat.view == self.watcher.get(f"/api/tables/{self.table}").json["view"]
        assert check(load(self.watcher.get(f"/api/tables/{self.table}/record").raw)) == []
        self.seat.close()
        return self.seat.n


def memory(served: Served) -> int:
    """The kB the server holds; 0 where that cannot be told."""
    assert served.process is not None
    status = Path(f"/proc/{served.process.pid}/status")
    found = re.search(r"^VmRSS:\s+(\d+)", status.read_text(), re.M) if status.exists() else None
    return int(found[1]) if found else 0


def played(folder: Path, seconds: float, chance: Random) -> Counter[str]:
    """Bots play for so long; the games that are not over then are left."""
    counts: Counter[str] = Counter()
    with serving(folder, "--bot-pace", "0", "--idle", "5") as served:
        host = Browser(served, "Anna")
        games = [Game(host, chance) for _ in range(TABLES)]
        began, warm, over = time.monotonic(), 0, 0
        while (gone := time.monotonic() - began) < seconds or not counts["lines"]:
            assert gone < seconds + PATIENCE, "nothing was played"
            warm = warm or (memory(served) if gone > seconds / 3 else 0)
            for place, game in enumerate(games):
                if game.read():
                    counts["games"] += 1
                    over += game.check()
                    games[place] = Game(host, chance)
                elif chance.random() < CUT:
                    counts["cuts"] += 1
                    game.come_back()
            counts["lines"] = over + sum(game.seat.n for game in games)
        counts["kB grown"] = max(0, memory(served) - warm)
        assert counts["kB grown"] < GROWTH
        for game in games:
            game.seat.close()
    assert '"mistake"' not in served.log()
    counts["seconds"] = round(seconds)
    return counts


def test_bots_play_on_and_on_and_whoever_watches_sees_it(tmp_path: Path) -> None:
    parts = max(1, round(MINUTES / IN_A_PART))
    campaign = Campaign("soak", SEED, parts)
    for part in campaign.left():
        folder = tmp_path / str(part)
        folder.mkdir()
        campaign.counts += played(folder, 60 * MINUTES / parts, Random(f"{SEED}/{part}"))


def test_the_soak_can_fail(tmp_path: Path) -> None:
    """A watcher who missed a line is found out."""
    with serving(tmp_path, "--bot-pace", "0") as served:
        game = Game(Browser(served, "Anna"), Random(1))
        while game.seat.n < 5 and not game.read():
            continue
        game.seat.n -= 1
        try:
            game.read()
            while not game.read():
                continue
        except (AssertionError, ConnectionClosed):
            return
    raise AssertionError("a line that came twice was not noticed")

"""How long a person waits for a command while nobody else plays, and while fifty bots of one address do.

python -m tools.bench_bots [BOTS]: a real server with the limits as they are (but for tables); the bots
play whole games as fast as they can, by tokens and streams.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.support.server.bots import Bot, cautious, made
from tools.drive.server import Browser, Seat, full_table, new_id, serving
from tools.drive.waiting import PATIENCE

SAMPLES = 200


def waits(seat: Seat) -> list[float]:
    """The times of some commands of a person, in ms, a tenth of a second apart."""
    times = []
    for n in range(SAMPLES):
        began = time.perf_counter()
        answer = seat.do("mute", seat=1, muted=n % 2 == 0)
        times.append(1000 * (time.perf_counter() - began))
        assert answer["kind"] == "accepted", answer
        time.sleep(0.1)
    return sorted(times)


def told(name: str, times: list[float]) -> None:
    """The quantiles of some times."""
    middle, slow = times[len(times) // 2], times[int(0.95 * len(times))]
    print(f"{name:<28}{middle:>9.1f} ms median{slow:>9.1f} ms p95", flush=True)


def play(bot: Bot, stop: threading.Event) -> None:
    """Play until it is enough: take an open seat, do what is needed."""
    with bot.stream() as stream:
        for line in stream:
            if stop.is_set():
                return
            if line["kind"] == "needs" and line["waited"] and (action := cautious(line)) is not None:
                bot.post(f"/api/tables/{line['table']}/do", {"id": new_id(), "action": action})


def main() -> None:
    """Measure both."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with serving(Path(tempfile.mkdtemp()), limits={"tables": 1000, "tables_a_day": 1000}) as served:
        table, people = full_table(served)
        anna = Browser(served, "Anna")
        bots = [made(anna, f"Botty {n}") for n in range(count)]
        with people[0].sit(table) as seat:
            told("nobody else", waits(seat))
            stop = threading.Event()
            rooms = []
            for n in range(0, count - 3, 4):
                room = anna.open(seat=None, species="random", open_to_bots=True)
                for bot in bots[n : n + 4]:
                    assert bot.join(room).status == 200
                rooms.append(room)
            threads = [threading.Thread(target=play, args=(bot, stop)) for bot in bots]
            for thread in threads:
                thread.start()
            for room in rooms:
                assert anna.do(room, {"kind": "start_game"}).status == 200
            told(f"{len(rooms) * 4} bots playing", waits(seat))
            stop.set()
        statuses = [status for bot in bots for status in bot.statuses]
        print(f"{len(statuses)} requests of bots, {statuses.count(429)} of them 429")
    for thread in threads:
        thread.join(PATIENCE)


if __name__ == "__main__":
    main()

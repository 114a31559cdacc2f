"""How long a person waits for a command while nobody else plays, and while fifty bots of one address do.

python -m tools.bench_bots [BOTS]: a real server with the limits as they are (but for tables); the bots
play whole games as fast as they can, by tokens and streams.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tools.drive.bots import Bot, cautious, made
from tools.drive.server import Browser, Seat, Served, full_table, new_id, serving

SAMPLES = 60


def waits(seat: Seat) -> list[float]:
    """The times of some commands of a person, in ms, a quarter of a second apart."""
    times = []
    for n in range(SAMPLES):
        began = time.perf_counter()
        answer = seat.do("mute", seat=1, muted=n % 2 == 0)
        times.append(1000 * (time.perf_counter() - began))
        assert answer["kind"] == "accepted", answer
        time.sleep(0.25)
    return sorted(times)


def told(name: str, times: list[float]) -> None:
    """The quantiles of some times."""
    middle, slow = times[len(times) // 2], times[int(0.95 * len(times))]
    print(f"{name:<28}{middle:>9.1f} ms median{slow:>9.1f} ms p95", flush=True)


def play(bot: Bot) -> None:
    """Do what is needed for ever."""
    with bot.stream() as stream:
        for line in stream:
            if line["kind"] == "needs" and line["waited"] and (action := cautious(line)) is not None:
                bot.post(f"/api/tables/{line['table']}/do", {"id": new_id(), "action": action})
                if bot.statuses[-1] == 429:
                    print("429", flush=True)


def play_all(folder: Path, port: int) -> None:
    """Play with every token that comes by standard input; in a process of its own, as bots are."""
    served = Served(folder)
    served.port = port
    threads = [threading.Thread(target=play, args=(Bot(served, token),)) for token in json.load(sys.stdin)]
    for thread in threads:
        thread.start()


def main() -> None:
    """Measure both."""
    folder = Path(tempfile.mkdtemp())
    if sys.argv[1:2] == ["--play"]:
        play_all(folder, int(sys.argv[2]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with serving(folder, limits={"tables": 1000, "tables_a_day": 1000}) as served:
        table, people = full_table(served)
        anna = Browser(served, "Anna")
        bots = [made(anna, f"Botty {n}") for n in range(count - count % 4)]
        rooms = [anna.open(seat=None, species="random", open_to_bots=True) for _ in bots[::4]]
        for n, bot in enumerate(bots):
            assert bot.join(rooms[n // 4]).status == 200
        with people[0].sit(table) as seat:
            told("nobody else", waits(seat))
            playing = subprocess.Popen(
                [sys.executable, "-m", "tools.bench_bots", "--play", str(served.port)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert playing.stdin is not None
            playing.stdin.write(json.dumps([bot.token for bot in bots]))
            playing.stdin.close()
            for room in rooms:
                assert anna.do(room, {"kind": "start_game"}).status == 200
            told(f"{len(bots)} bots playing", waits(seat))
            playing.kill()
            assert playing.stdout is not None
            print(f"{playing.stdout.read().count('429')} requests of bots were answered 429")
            moved = sum(anna.get(f"/api/tables/{room}").json["n"] for room in rooms)
            print(f"{moved} lines at {len(rooms)} tables of bots")
            playing.wait()


if __name__ == "__main__":
    main()

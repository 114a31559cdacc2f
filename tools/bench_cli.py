"""How long `elysian --help` takes, beside a Python that does nothing: the aim is three times as long at most.

python tools/bench_cli.py    prints milliseconds of both, started in turn, and their ratio
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

TIMES = 30
NOTHING = [sys.executable, "-c", "pass"]
HELP = [str(Path(sys.executable).parent / "elysian"), "--help"]


def milliseconds(command: list[str]) -> float:
    """One start, from the first to the last moment."""
    began = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return 1000 * (perf_counter() - began)


def main() -> None:
    """Start both in turn, so that a busy machine slows both."""
    pairs = [(milliseconds(NOTHING), milliseconds(HELP)) for _ in range(TIMES)]
    nothing, help_ = (median(column) for column in zip(*pairs, strict=True))
    print(f"python -c pass   {nothing:6.1f} ms (median of {TIMES})")
    print(f"elysian --help   {help_:6.1f} ms, {help_ / nothing:.2f} times as long (aim: 3)")


if __name__ == "__main__":
    main()

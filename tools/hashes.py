"""Hashes: what the container installs, with the hash of every file, so that nothing else can be installed.

pip itself is asked what it would install, for the Python and the machines of the container.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "deploy" / "hashes.txt"
PYTHONS = ("3.13", "3.11")  # of the image in deploy/Containerfile, and the oldest, with which it is tested
MACHINES = ("x86_64", "aarch64")
WANTED = (".[server]", "hatchling")  # what is served, and what builds it


def pip() -> list[str]:
    """The command pip: of this environment or, where it has none, of the Python it was made from."""
    below = Path(sys.base_prefix) / ("python.exe" if os.name == "nt" else "bin/python3")
    return [sys.executable if find_spec("pip") else str(below), "-m", "pip"]


def hashes(pythons: Iterable[str], machines: Iterable[str]) -> dict[str, set[str]]:
    """From a package and its version to the hashes of its files."""
    found: dict[str, set[str]] = {}
    for python, machine in product(pythons, machines):
        for one in _report(python, machine):
            about = one["metadata"]
            if about["name"] == "elysian":
                continue
            pinned = f"{about['name']}=={about['version']}"
            found.setdefault(pinned, set()).add(one["download_info"]["archive_info"]["hashes"]["sha256"])
    return found


def _report(python: str, machine: str) -> list[dict[str, Any]]:
    """What pip would install."""
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in (17, 24, 27, 28, 34)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [*pip(), "install", "-q", "--dry-run", "--ignore-installed"]
        command += ["--report", str(report), "--only-binary=:all:", f"--python-version={python}", *platforms]
        command += [
            f"--platform=manylinux2014_{machine}",
            "--target",
            folder,
            "-c",
            "constraints.txt",
            *WANTED,
        ]
        subprocess.run(command, cwd=ROOT, check=True)
        installed: list[dict[str, Any]] = json.loads(report.read_text())["install"]
        return installed


def text(found: dict[str, set[str]]) -> str:
    """As pip reads it."""
    lines = ["# The hashes of what the container installs: written by `make hashes`."]
    for pinned, every in sorted(found.items()):
        lines.append(" \\\n    ".join([pinned, *(f"--hash=sha256:{one}" for one in sorted(every))]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(hashes(PYTHONS, MACHINES)), encoding="utf-8")
    print(f"{FILE.relative_to(ROOT)} is written.")

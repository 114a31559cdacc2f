"""One mutant after the other is put into a copy of the project, and the tests of its line are run there."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from tools.mutants.changes import Mutant
from tools.mutants.touched import Touched, run

FIRST = 12  # tests that are asked before the rest: most mutants end here
BUDGET = 60.0  # seconds of tests a mutant may cost, as they took without it
SLACK = 6.0  # times as long as they took without it; whatever takes longer never ends
STARTING = 120.0  # seconds for what pytest itself needs
PARTS = ("elysian", "tests", "tools", "games", "docs", "results", "examples", "deploy", "web")
FILES = ("pyproject.toml", "constraints.txt", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", "play")
LEFT = ("node_modules", "__pycache__", "shots", "fixtures")

Verdict = Literal["killed", "endless", "survived"]


@dataclass(frozen=True)
class Tried:
    """What came of a mutant."""

    name: str
    line: int
    verdict: Verdict
    tests: int  # that were run, or would have been
    seconds: float


@contextmanager
def copy_of(root: Path, folder: Path) -> Iterator[Path]:
    """A copy of the project to put mistakes into."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="tree-") as name:
        tree = Path(name)
        for part in PARTS:
            shutil.copytree(root / part, tree / part, ignore=shutil.ignore_patterns(*LEFT))
        for file in FILES:
            shutil.copy(root / file, tree / file)
        yield tree


def asked_of(mutant: Mutant, touched: Touched, budget: float = BUDGET) -> list[str]:
    """The tests of its line, as many as the budget allows, but one at least."""
    chosen: list[str] = []
    for test in touched.by(mutant.path, mutant.line, mutant.statement):
        budget -= touched.seconds[test]
        if chosen and budget < 0:
            break
        chosen.append(test)
    return chosen


def try_out(mutant: Mutant, tree: Path, touched: Touched, tests: list[str]) -> Tried:
    """Run its tests with the mistake in place, a few quick ones before the rest."""
    began, path = time.monotonic(), tree / mutant.path
    sound = path.read_bytes()
    verdict: Verdict = "survived"
    try:
        _write(path, mutant.put_in(sound))
        for some in (tests[:FIRST], tests[FIRST:]):
            if some and verdict == "survived":
                verdict = _run(tree, some, STARTING + SLACK * sum(touched.seconds[test] for test in some))
    finally:
        _write(path, sound)
    return Tried(mutant.name, mutant.line, verdict, len(tests), round(time.monotonic() - began, 1))


def _run(tree: Path, tests: list[str], seconds: float) -> Verdict:
    """What pytest says of these tests, in this order."""
    listed = tree / "asked.txt"
    listed.write_text("\n".join(tests))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    status = run([*command, f"@{listed}"], tree, seconds)
    if status is None:
        return "endless"
    if status not in (0, 1, 2, 3):  # no test found, or asked wrongly: that is no verdict
        raise RuntimeError(f"pytest could not run {tests[0]} and {len(tests) - 1} more: exit code {status}")
    return "killed" if status else "survived"


def _write(path: Path, source: bytes) -> None:
    """Change a module, and forget what was compiled of it."""
    path.write_bytes(source)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


class Kept:
    """What came of every mutant that was tried, a line each; what was tried again counts by its last line."""

    def __init__(self, path: Path) -> None:
        """Read what is there."""
        self.path = path
        self.all: dict[str, Tried] = {}
        self._read()

    def _read(self) -> None:
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            tried = Tried(**json.loads(line))
            self.all[tried.name] = tried

    def add(self, tried: Tried) -> None:
        """Keep one more."""
        self.all[tried.name] = tried
        with self.path.open("a") as file:
            file.write(json.dumps(asdict(tried)) + "\n")

    def tidy(self, names: set[str]) -> None:
        """Write it anew, without what has left the sample; another share may have written meanwhile."""
        self._read()
        self.all = {name: self.all[name] for name in sorted(self.all) if name in names}
        self.path.write_text("".join(json.dumps(asdict(tried)) + "\n" for tried in self.all.values()))

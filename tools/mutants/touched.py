"""Which tests run which lines: each file of tests is run once, alone, under coverage.

Lines that a test runs in its own process are known by test; those of a server it started by file of tests,
because one server may serve many of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from coverage import CoverageData

from tools.mutants.listening import PASSED

RUN = """[run]
data_file = {data}
context = {name}
include = {include}
parallel = true
sigterm = true
patch =
    subprocess
    fork
    _exit
disable_warnings = no-data-collected, module-not-imported, module-not-measured, no-ctracer
"""
ALONE = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # pytest starts five times as fast
    "PYTHONDONTWRITEBYTECODE": "1",  # a mistake of the same second and size would not be compiled
}
TO_CLEAR_AWAY = 20.0  # seconds
LONGEST = 600.0  # seconds for a file of tests; one that takes longer is not asked


class Touched:
    """Tests and files of tests by line, and the seconds of each."""

    def __init__(self, folder: Path) -> None:
        """Read what was measured so far."""
        self.folder = folder
        self.lines: dict[str, dict[int, set[str]]] = {}
        self.seconds: dict[str, float] = {}
        for path in sorted(folder.glob("*.json")):
            kept = json.loads(path.read_text())
            self.seconds |= kept["seconds"]
            for file, lines in kept["lines"].items():
                known = self.lines.setdefault(file, {})
                for line, tests in lines.items():
                    known.setdefault(int(line), set()).update(tests)

    def by(self, path: str, line: int, statement: int) -> list[str]:
        """The tests of a line, quickest first, and after them the files of tests whose servers run it."""
        lines = self.lines.get(path, {})
        found = lines.get(line) or lines.get(statement) or set()
        return sorted(
            found & self.seconds.keys(), key=lambda test: ("::" not in test, self.seconds[test], test)
        )


def measure(tree: Path, files: Iterable[str], include: list[str], folder: Path) -> None:
    """Run each file of tests that has not been measured, as it and the files that decide are now."""
    folder.mkdir(parents=True, exist_ok=True)
    decides = b"".join((tree / path).read_bytes() for path in include)
    for file in files:
        kept = folder / f"{file.replace('/', '-')}.json"
        state = hashlib.sha256(decides + (tree / file).read_bytes()).hexdigest()
        if not kept.exists() or json.loads(kept.read_text())["state"] != state:
            found = _measured(tree, file, include, folder)
            kept.write_text(json.dumps({**found, "state": state}))
            print(f"{file}: {len(found['seconds'])} tests, {found['seconds'].get(file, 0):.0f} s", flush=True)


def _measured(tree: Path, file: str, include: list[str], folder: Path) -> dict[str, dict[str, object]]:
    """The tests of a file that passed with their seconds, and what they ran."""
    work = folder / "work"
    for old in work.glob("*") if work.exists() else ():
        old.unlink()
    work.mkdir(exist_ok=True)
    settings, passed = work / "coverage.ini", work / "passed.json"
    patterns = "".join(f"\n    {tree / path}" for path in include)
    settings.write_text(RUN.format(data=work / "data", name=file, include=patterns))
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q"]
    command += ["-p", "tools.mutants.listening", "-p", "no:cacheprovider", file]
    status = run(command, tree, LONGEST, {PASSED: str(passed)})
    if status is None or not passed.exists():
        return {"seconds": {}, "lines": {}}
    data = CoverageData(str(work / "all"))
    for part in work.glob("data*"):
        more = CoverageData(str(part))
        more.read()
        data.update(more)
    seconds = json.loads(passed.read_text())
    lines: dict[str, object] = {}
    for path in sorted(data.measured_files()):
        known = {
            line: sorted({context.rpartition("|")[2] for context in contexts})
            for line, contexts in data.contexts_by_lineno(path).items()
        }
        lines[str(Path(path).relative_to(tree))] = known
    return {"seconds": {**seconds, file: sum(seconds.values())} if status == 0 else seconds, "lines": lines}


def run(command: list[str], tree: Path, seconds: float, more: dict[str, str] | None = None) -> int | None:
    """The exit code of something run in the copy; None if it took too long and was ended."""
    with subprocess.Popen(
        command,
        cwd=tree,
        env={**os.environ, **ALONE, "PYTHONPATH": str(tree), **(more or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # pytest ends what its fixtures have started
            with suppress(subprocess.TimeoutExpired):
                process.wait(TO_CLEAR_AWAY)
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

"""A PostgreSQL of our own, started from the machine's programs; it can be ended and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any


class Postgres:
    """A database in a folder of its own, reached by a socket in the same folder."""

    def __init__(self, binaries: Path) -> None:
        self.binaries = binaries
        # PostgreSQL refuses to run as root: then the user nobody runs it, who cannot enter pytest's folder.
        self.folder = Path(tempfile.mkdtemp(prefix="elysian-postgres-"))
        self.user: dict[str, str] = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
            self.user = {"user": "nobody"}
        self._run("initdb", "-U", "elysian", "-A", "trust")
        self.url = f"postgresql://elysian@/postgres?host={self.folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str | Path) -> None:
        more: Any = self.user
        subprocess.run(
            [self.binaries / program, "-D", self.folder / "data", *arguments],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            **more,
        )


def binaries() -> Path | None:
    """Where PostgreSQL's programs are; None: nowhere."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None
    )

"""One server for all tests that do not harm it; PostgreSQL where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server"), "--bot-pace", "0.01") as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL of our own, or of ELYSIAN_TEST_POSTGRES; skipped where there is neither."""
    given = os.environ.get("ELYSIAN_TEST_POSTGRES")
    if given:
        yield given
        return
    binaries = _binaries()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: install it, or set ELYSIAN_TEST_POSTGRES")
        pytest.skip("PostgreSQL is not installed and ELYSIAN_TEST_POSTGRES is not set")
    # PostgreSQL refuses to run as root; then it is run as the user nobody, who cannot enter pytest's folder.
    folder = Path(tempfile.mkdtemp(prefix="elysian-postgres-"))
    user: dict[str, str] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        user = {"user": "nobody"}
    try:
        yield from _running(binaries, folder, user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _running(binaries: Path, folder: Path, user: dict[str, str]) -> Iterator[str]:
    def run(program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [binaries / program, "-D", folder / "data", *arguments],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            **user,  # type: ignore[arg-type]
        )

    run("initdb", "-U", "elysian", "-A", "trust")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgresql://elysian@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")


def _binaries() -> Path | None:
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None
    )

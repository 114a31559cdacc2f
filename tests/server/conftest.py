"""One server for all tests that do not harm it; PostgreSQL where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.server.postgres import Postgres, binaries
from tools.drive.server import Served, serving


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
    with _own() as own:
        yield own.url


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL that may be ended and started again; skipped where its programs are missing."""
    with _own() as own:
        yield own


@contextmanager
def _own() -> Iterator[Postgres]:
    found = binaries()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: install it, or set ELYSIAN_TEST_POSTGRES")
        pytest.skip("PostgreSQL is not installed and ELYSIAN_TEST_POSTGRES is not set")
    own = Postgres(found)
    try:
        own.start()
        yield own
    finally:
        own.remove()


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the limits it has by itself; every table is opened from an address of its own."""
    with serving(tmp_path_factory.mktemp("strict"), limits={}) as running:
        yield running

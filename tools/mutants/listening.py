"""A plugin of pytest: which test is running, for coverage, and how long each that passed took."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage

PASSED = "MUTANTS_PASSED"  # names the file that the times are written to
_seconds: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Lines run from now on are this test's."""
    measure = Coverage.current()
    if measure is not None:
        measure.switch_context(item.nodeid)
    result = yield
    if measure is not None:
        measure.switch_context("")
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count setting up and clearing away too."""
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Keep what passed."""
    passed = {test: round(took, 3) for test, took in _seconds.items() if test not in _failed}
    Path(os.environ[PASSED]).write_text(json.dumps(passed))

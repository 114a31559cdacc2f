"""A real browser and a real server for the tests of the page; one of each for a module."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import build_web
from tools.drive.server import Served, serving

pytest.importorskip("playwright.sync_api", reason="Playwright comes with ./play --test")

from playwright.sync_api import Browser

from tools.drive import chrome
from tools.drive.person import Person, Visitors


def chromium() -> str:
    """The machine's browser; skips where there is none, and fails in CI."""
    found = chrome.program()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: install it, or name it in ELYSIAN_CHROMIUM")
        pytest.skip("Chromium is not installed and ELYSIAN_CHROMIUM does not name one")
    return found


def built_page() -> Path:
    """The folder of the built page; built now when it is not current."""
    given = os.environ.get("ELYSIAN_PAGE")
    if given:
        return Path(given)
    if not build_web.is_built():
        if build_web.node() is None and not os.environ.get("CI"):
            pytest.skip("there is no Node here to build the page; ./play --test brings one")
        build_web.build()
    return build_web.PAGE


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, started anew for each module: while it runs, nothing else of asyncio can."""
    with chrome.launched(chromium()) as running:
        yield running


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    page = built_page()
    with serving(tmp_path_factory.mktemp("web"), "--bot-pace", "0.01", "--page", str(page)) as running:
        yield running


@pytest.fixture
def visitors(browser: Browser, served: Served) -> Iterator[Visitors]:
    """People who come to the page, each with a browser window of their own."""
    coming = Visitors(browser, served)
    yield coming
    coming.leave()


@pytest.fixture
def anna(visitors: Visitors) -> Person:
    return visitors.come("Anna")


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that looks for what keeps somebody from using a page; installed where it is missing."""
    program = build_web.WEB / "node_modules" / "axe-core" / "axe.min.js"
    if not program.exists():
        if build_web.node() is None and not os.environ.get("CI"):
            pytest.skip("there is no Node here to install axe; ./play --test brings one")
        build_web.install()
    return program.read_text(encoding="utf-8")

"""The machine's own browser, as quiet as it can be told to be."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

# The first is the same browser without its own windows: to open a page costs it a third.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--force-color-profile=srgb",
)


def program() -> str | None:
    """Where it is: ELYSIAN_CHROMIUM, or one of the usual names."""
    return os.environ.get("ELYSIAN_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def launched(found: str, *more: str) -> Iterator[Browser]:
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=found, args=[*QUIET, *more])
        try:
            yield running
        finally:
            running.close()

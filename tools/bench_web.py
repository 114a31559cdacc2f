"""Measures the web table in a real browser against a real server; prints figures, asserts nothing.

Everything runs on one machine, so the delays hold the work of two browsers, the server and the bots.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Request

from tools import build_web
from tools.drive import chrome
from tools.drive.person import Person, Visitors
from tools.drive.server import serving
from tools.drive.together import GIVES, TAKES, accepts, chip, offer, sends, sit_down

ROOT = Path(__file__).resolve().parent.parent
LOADS = 5  # cold, each in a window of its own
DEALS = 6
WATCHED = 20.0  # seconds at a table of nine

CHANGED = """(label) => {
  const labels = () => [...document.querySelectorAll("[aria-label]")].map((one) => one.ariaLabel);
  const now = () => labels().find((one) => one.startsWith(label));
  const before = now();
  window.changed = new Promise((done) => new MutationObserver((_, watcher) => {
    if (now() === before) return;
    watcher.disconnect();
    done(Date.now());
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }));
}"""
CLICKED = """() => addEventListener("click", () => (window.clicked ??= Date.now()), { capture: true })"""
TASKS = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask" });
}"""


def main() -> int:
    """Print every figure; exit code 1 and a sentence where there is no browser."""
    found = chrome.program()
    if found is None:
        print("Chromium is not installed and ELYSIAN_CHROMIUM does not name one.", file=sys.stderr)
        return 1
    build_web.build()
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(Path(kept), "--bot-pace", "0.3", "--page", str(build_web.PAGE)) as served,
        chrome.launched(found) as browser,
    ):
        for measure in (weight, cold, deals, updates):
            visitors = Visitors(browser, served)
            measure(visitors)
            visitors.leave()
    return 0


def weight(visitors: Visitors) -> None:
    """What travels until a table can be played at, as it travels."""
    anna = visitors.come("Anna")
    asked: list[Request] = []
    anna.page.on("requestfinished", lambda request: asked.append(request))
    anna.plays_now()
    anna.button("Done trading").wait_for()
    sizes = {one.url: one.sizes()["responseBodySize"] for one in asked if "/api/" not in one.url}
    scripts = sum(size for url, size in sizes.items() if url.endswith(".js"))
    print(
        f"page weight, compressed: {scripts / 1000:.1f} kB JavaScript,"
        f" {sum(sizes.values()) / 1000:.1f} kB in all"
    )


def cold(visitors: Visitors) -> None:
    """From the address to a lobby, and to a table, that can be used; nothing is cached."""
    lobby, table = [], []
    host = visitors.come("Anna")
    host.plays_now()
    for _ in range(LOADS):
        guest = visitors.come("Anna")
        lobby.append(_until(guest, "/", lambda guest: guest.button(re.compile("^Play as")).wait_for()))
        fresh = visitors.come("Anna")
        fresh.page.context.add_cookies(host.page.context.cookies())  # type: ignore[arg-type]
        there = host.page.url.removeprefix(host.origin)
        table.append(_until(fresh, there, lambda fresh: fresh.button("Done trading").wait_for()))
    print(
        f"cold load until it can be used, median of {LOADS}:"
        f" lobby {median(lobby):.0f} ms, table {median(table):.0f} ms"
    )


def _until(person: Person, path: str, usable: Callable[[Person], None]) -> float:
    start = time.perf_counter()
    person.goes(path)
    usable(person)
    return 1000 * (time.perf_counter() - start)


def deals(visitors: Visitors) -> None:
    """From a click on Accept to the changed stock in the other browser."""
    anna, bela = sit_down(visitors)
    delays = []
    bela.page.evaluate(CLICKED)
    for n in range(DEALS):
        wanted, given = ("ship", "green") if n % 2 == 0 else ("green", "ship")
        chip(anna, TAKES, wanted).click()
        chip(anna, GIVES, given).click()
        sends(anna)
        offer(bela, GIVES).wait_for()
        anna.page.evaluate(CHANGED, f"{TAKES}: ")
        bela.page.evaluate("() => (window.clicked = null)")
        accepts(bela, GIVES)
        delays.append(anna.page.evaluate("() => window.changed") - bela.page.evaluate("() => window.clicked"))
    print(
        f"click on Accept until the other browser shows it:"
        f" median {median(delays):.0f} ms, most {max(delays):.0f} ms"
    )


def updates(visitors: Visitors) -> None:
    """The longest tasks of a page while eight bots trade."""
    anna = visitors.come("Anna")
    anna.plays_now(seats=9)
    anna.button("Done trading").wait_for()
    anna.page.wait_for_timeout(2000)
    anna.page.evaluate(TASKS)
    anna.page.wait_for_timeout(1000 * WATCHED)
    tasks = anna.page.evaluate("() => window.tasks")
    said = f"longest {max(tasks):.0f} ms" if tasks else "none"
    print(f"tasks above 50 ms in {WATCHED:.0f} s at a table of nine: {len(tasks)}, {said}")


if __name__ == "__main__":
    sys.exit(main())

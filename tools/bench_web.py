"""Measures the web table in a real browser against a real server; prints figures, asserts nothing.

Everything runs on one machine, so the delays hold the work of two browsers, the server and the bots.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Request

from elysian.record import dump
from tools import build_web
from tools.drive import chrome
from tools.drive.first_load import plays_with_what_is_needed
from tools.drive.person import Person, Visitors
from tools.drive.server import serving
from tools.drive.together import GIVES, TAKES, accepts, chip, offer, sends, sit_down
from tools.page_tasks import CATEGORIES, LONG, heavy_tasks
from tools.web_layout import played, states

ROOT = Path(__file__).resolve().parent.parent
LOADS = 5  # cold, each in a window of its own
DEALS = 6
WATCHED = 30.0  # seconds, and as many more as it takes the bots to do something
EVENTS = 10
TOLD = 8  # the heaviest tasks

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
WATCH = (Path(__file__).parent / "web_watch.js").read_text(encoding="utf-8")
HEARD = """(least) => Object.values(watched.seen.heard).reduce((sum, n) => sum + n, 0) >= least"""
LATE = (9, 4)  # the recorded game, and the seat that is watched from: the Caylion
TURN = 5
OPEN = """async ([record, n, seat, bots]) => {
  const asks = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch("/api/" + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
    return reply.json();
  };
  const { table } = await asks("tables", { from: { record, n }, seat, bots, name: "Anna" });
  await asks(`tables/${table}/do`, { id: "start-the-game", action: { kind: "start_game" } });
  return table;
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
        for measure in (weight, cold, deals, late):
            visitors = Visitors(browser, served)
            measure(visitors)
            visitors.leave()
    return 0


def weight(visitors: Visitors) -> None:
    """What travels until a table can be played at, as it travels."""
    needed, _ = plays_with_what_is_needed(visitors.come("Bela"))
    anna = visitors.come("Anna")
    asked: list[Request] = []
    anna.page.on("requestfinished", lambda request: asked.append(request))
    anna.plays_now()
    anna.button("Done trading").wait_for()
    sizes = {one.url: one.sizes()["responseBodySize"] for one in asked if "/api/" not in one.url}
    scripts = sum(size for url, size in sizes.items() if url.endswith(".js"))
    print(
        f"page weight, compressed: {sum(needed.values()) / 1000:.1f} kB JavaScript are needed to trade,"
        f" {scripts / 1000:.1f} kB have come by then, {sum(sizes.values()) / 1000:.1f} kB in all"
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


def late(visitors: Visitors) -> None:
    """Turn 5 among nine, with eight bots trading: the long tasks, and what moves under a pointer at rest."""
    anna = visitors.come("Anna")
    anna.page.add_init_script(WATCH)
    path = late_table(anna)
    with tasks_told(anna, f"a table of nine in turn {TURN} is opened"):
        anna.goes(path)
        anna.button("Done trading").wait_for()
        accept = anna.button("Accept").last
        accept.wait_for()
        accept.hover()
        at = accept.bounding_box()
    assert at is not None
    middle = [at["x"] + at["width"] / 2, at["y"] + at["height"] / 2]
    with tasks_told(anna, f"{WATCHED:.0f} s or more at it while eight bots trade"):
        anna.page.evaluate("([x, y]) => watched.from(x, y)", middle)
        anna.page.wait_for_timeout(1000 * WATCHED)
        # Bots that do nothing, on a machine that is too busy for them, prove nothing.
        anna.page.wait_for_function(HEARD, arg=EVENTS)
        seen = anna.page.evaluate("() => watched.seen")
    print("  heard meanwhile:", ", ".join(f"{n} {kind}" for kind, n in sorted(seen["heard"].items())))
    print(f"  moved under the pointer that rests on Accept: {len(seen['under'])}")
    for moved in seen["under"]:
        print(f"    at {moved['at'] / 1000:.1f} s {moved['what']}")
    print(f"  moved anywhere: {len(seen['shifts'])}, in all {seen['score']:.4f}")
    for moved in seen["shifts"]:
        print(f"    {moved}")


def late_table(person: Person) -> str:
    """Where the recorded game of nine goes on in turn 5, with this person among standard bots."""
    seats, seat = LATE
    n = next(n for n, (now, _) in enumerate(states(seats)) if (now.turn, now.step) == (TURN, "trade"))
    bots = {str(other): "standard" for other in range(seats) if other != seat}
    person.goes()
    table = person.page.evaluate(OPEN, [dump(played(seats)).decode(), n, seat, bots])
    return f"/t/{table}"


@contextmanager
def tasks_told(person: Person, when: str) -> Iterator[None]:
    """Say which tasks of the page were heavy meanwhile; a busy machine makes the clock's time longer."""
    browser = person.page.context.browser
    assert browser is not None
    browser.start_tracing(page=person.page, categories=CATEGORIES)
    yield
    tasks = heavy_tasks(browser.stop_tracing())
    by_clock = sum(one.clock > LONG for one in tasks)
    by_work = sum(one.processor > LONG for one in tasks)
    print(f"{when}: tasks above {LONG:.0f} ms: {by_clock} by the clock, {by_work} by the processor's time")
    for one in tasks[:TOLD]:
        print(f"    {one}")


if __name__ == "__main__":
    sys.exit(main())

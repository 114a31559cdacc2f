"""What the page shows beside a game, looked at like late games: lobby, waiting rooms, groups, settings.

A real server stands behind it: people with long names open tables, sit down and gather in a group.
`tools.web_layout` looks at it with the rest; python -m tools.web_layout --only before looks at nothing else.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from tools import build_web
from tools.drive.server import Browser as Somebody
from tools.drive.server import Served, serving

PATIENCE = 120_000  # milliseconds: a busy machine draws as well
TITLE = "Donnerstagsrunde der Handelsvertretungen"  # as long as people write
NAMES = ("Wilhelmina", "Maximilian-Alexander", "Konstantin", "Ada")
QUIET = """() => document.querySelector("#app :is(main, h1, h2)") !== null"""
OPENED = """() => document.querySelectorAll("#app details").forEach((one) => (one.open = true))"""

Do = Callable[[Page], None]


class Screen(NamedTuple):
    """One of them: who sees it, where, and what they press first."""

    name: str
    who: Somebody | None
    path: str
    press: Do = lambda page: None


def _tab(n: int) -> Do:
    """Everything folded is opened, and one of the tabs chosen."""

    def press(page: Page) -> None:
        page.get_by_role("tab").nth(n).click()
        page.evaluate(OPENED)

    return press


def _unfolded(page: Page) -> None:
    page.evaluate(OPENED)


def _sheet(icon: str) -> Do:
    """What the last button with this drawing opens."""

    def press(page: Page) -> None:
        page.locator(f"button:has(use[href='#{icon}'])").last.click()
        page.locator("dialog[open]").wait_for()
        page.evaluate("document.querySelectorAll('dialog details').forEach((one) => (one.open = true))")

    return press


def _said(reply: Any) -> Any:
    assert reply.status == 200, reply.raw
    return reply.json


def screens(served: Served) -> list[Screen]:
    """People come, sit down and play; what each of them can look at then."""
    host, guest, third, stranger = (Somebody(served, name) for name in NAMES)
    bots = {str(seat): "standard" for seat in range(3, 9)}
    table = host.open(seats=9, title=TITLE, species="choice", bots=bots)
    invitation = _said(host.get(f"/api/tables/{table}"))["table"]["invitation"]
    _said(guest.join(table, invitation=invitation))
    _said(guest.do(table, {"kind": "choose_species", "species": "kjas"}))
    drafted = host.open(seats=4, title="", species="draft", bots={"2": "novice", "3": "novice"})
    _said(third.join(drafted, invitation=_said(host.get(f"/api/tables/{drafted}"))["table"]["invitation"]))
    _said(host.do(drafted, {"kind": "start_game"}))
    group = _said(host.post("/api/groups", {"name": TITLE}))["group"]
    asked = _said(host.get(f"/api/groups/{group}"))["invitation"]
    for person in (guest, third):
        _said(person.post(f"/api/groups/{group}/join", {"invitation": asked}))
    room, link = f"/t/{table}", f"/t/{table}#{invitation}"
    return [
        Screen("arriving", None, "/", _unfolded),
        *(Screen(f"lobby-{n}", host, "/", _tab(n)) for n in range(4)),
        Screen("settings", host, "/", _sheet("i-gear")),
        Screen("room-host", host, room, _unfolded),
        Screen("room-options", host, room, _sheet("i-gear")),
        Screen("room-guest", guest, room, _unfolded),
        Screen("room-invited", stranger, link),
        Screen("room-unknown", None, link),
        Screen("draft-host", host, f"/t/{drafted}"),
        Screen("draft-other", third, f"/t/{drafted}"),
        Screen("group", host, f"/g/{group}", _unfolded),
        Screen("group-invited", stranger, f"/g/{group}#{asked}"),
        Screen("gone", host, "/t/notatable123"),
    ]


@contextmanager
def standing() -> Iterator[Served]:
    """A server with the built page; raises NoPage where it cannot be built."""
    build_web.build()
    with tempfile.TemporaryDirectory() as kept, serving(Path(kept), "--page", str(build_web.PAGE)) as served:
        yield served


def draw(
    browser: Browser,
    look: Callable[[Page], list[str]],
    languages: tuple[str, ...],
    widths: dict[int, int],
    themes: tuple[str, ...],
    touched: int,
    shots: Path | None = None,
) -> Iterator[tuple[str, list[str]]]:
    """Look at each at every width, in every language and theme."""
    with standing() as served:
        for screen in screens(served):
            for language in languages:
                for touch in (True, False):
                    context = browser.new_context(
                        locale=language, reduced_motion="reduce", has_touch=touch, is_mobile=touch
                    )
                    context.set_default_timeout(PATIENCE)
                    if screen.who is not None and screen.who.key is not None:
                        context.add_cookies(
                            [{"name": "elysian", "value": screen.who.key, "url": served.origin}]
                        )
                    sizes = {w: h for w, h in widths.items() if (w <= touched) == touch}
                    page = context.new_page()
                    page.set_viewport_size({"width": min(sizes), "height": sizes[min(sizes)]})
                    page.goto(served.origin + screen.path)
                    page.wait_for_load_state("networkidle")
                    page.wait_for_function(QUIET)
                    screen.press(page)
                    page.wait_for_load_state("networkidle")
                    for width, height in sizes.items():
                        page.set_viewport_size({"width": width, "height": height})
                        for theme in themes:
                            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
                            page.evaluate("document.fonts.ready")
                            page.wait_for_timeout(60)
                            name = f"before-{screen.name}-{width}-{theme}-{language}"
                            if shots is not None:
                                shots.mkdir(parents=True, exist_ok=True)
                                page.screenshot(path=shots / f"{name}.png")
                            yield name, look(page)
                    context.close()

"""A person at the page, who knows only what can be seen: roles and names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tools.drive.server import Served
from tools.drive.waiting import PATIENCE

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
MILLISECONDS = 1000 * PATIENCE
expect.set_options(timeout=MILLISECONDS)


class Person:
    """Somebody in front of a window."""

    def __init__(self, page: Page, name: str, origin: str) -> None:
        self.page, self.name, self.origin = page, name, origin
        self.problems: list[str] = []
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda problem: self.problems.append(problem.stack or str(problem)))

    # ------------------------------------------------------------ looking

    def button(self, name: str | re.Pattern[str], within: Any = None) -> Locator:
        exact = isinstance(name, str)
        return (within or self.page).get_by_role("button", name=name, exact=exact)

    def tab(self, name: str) -> Locator:
        return self.page.get_by_role("tab", name=re.compile(rf"^{name}\b"))

    def sees(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(words).first).to_be_visible()

    def step(self) -> str:
        """Turn and step, as announced to those who listen instead of looking."""
        step = re.compile(r"^\s*Turn \d+: ")
        return self.page.get_by_role("status").filter(has_text=step).first.inner_text()

    def fits(self) -> bool:
        """Whether nothing can be scrolled sideways."""
        wide = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        return bool(self.page.evaluate(wide))

    # ------------------------------------------------------------ doing

    def composes_to_keep(self, wants: str, gives: str) -> Locator:
        """Ask anyone for one good and give another, as an order to be kept; the sheet that asks how."""
        self.button("New offer").click()
        sheet = self.page.get_by_role("dialog")
        self.button("Anyone", sheet).click()
        self.button(wants, sheet).click()
        self.button(re.compile(rf"^\d+ {gives}"), sheet).first.click()
        self.button("Keep …", sheet).click()
        return sheet

    def goes(self, path: str = "/") -> Person:
        self.page.goto(path if path.startswith("http") else self.origin + path)
        return self

    def arrives(self) -> Person:
        """Open the lobby and say the name."""
        self.goes()
        self.page.get_by_label("Your name").fill(self.name)
        return self

    def plays_now(self, seats: int = 4, level: str = "novice") -> None:
        """The quickest way to a game against bots."""
        self.arrives()
        self.button("Change").click()
        self.button(str(seats), self.page.get_by_role("group", name="Players").first).click()
        self.page.get_by_label("Bots", exact=True).select_option(label=level)
        self.button(re.compile("^Play as")).click()
        self.page.wait_for_url(re.compile("/t/"))


class Visitors:
    """Those who come to one server."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self.browser, self.served = browser, served
        self.people: list[Person] = []
        self.met: Callable[[Person], object] = lambda person: None  # called before anything is opened

    def come(
        self, name: str, size: dict[str, int] = DESK, language: str = "en-GB", theme: str = "light"
    ) -> Person:
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            locale=language,
            color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            has_touch=size is PHONE,
        )
        person = Person(context.new_page(), name, self.served.origin)
        self.people.append(person)
        self.met(person)
        return person

    def leave(self) -> None:
        for person in self.people:
            person.page.context.close()
        problems = [problem for person in self.people for problem in person.problems]
        assert not problems, problems

"""A walk past every screen of the page, for those who look at each: tests, and the pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import sleep

from playwright.sync_api import expect

from tools.drive.person import Person
from tools.drive.playing import is_over, moves
from tools.drive.waiting import Watch

Look = Callable[[str], None]


def tour(person: Person, look: Look) -> None:
    """From the lobby through a whole game; `look` is called at each screen, with its name."""
    before_the_game(person, look)
    seen: set[str] = set()
    watch = Watch()
    while not is_over(person):
        watch.sees(person.step())
        step = re.sub(r"^\s*Turn \d+: ", "", person.step()).strip()
        if step not in seen and not person.page.get_by_role("dialog").is_visible():
            seen.add(step)
            look(step.replace(" ", "-"))
            if step == "trading":
                sheets(person, look)
            watch.looked_away()
        if not moves(person, bids=True):
            sleep(0.05)
    expect(person.button("Play again")).to_be_visible()
    look("result")


def before_the_game(person: Person, look: Look) -> None:
    person.arrives()
    look("lobby")
    person.button("Settings").click()
    look("settings")
    person.button("Close").click()
    create = person.page.get_by_role("region", name="Create a table")
    person.button("4", create.get_by_role("group", name="Players")).click()
    person.button("Create and invite").click()
    expect(person.page.get_by_role("heading", name="Seats")).to_be_visible()
    person.page.get_by_label("Bots", exact=True).select_option(label="novice")
    person.button("Fill with bots").click()
    person.sees("all seats are taken")
    look("room")
    person.button("Start the game").click()
    expect(person.page.get_by_role("heading", name="My economy")).to_be_visible()


def sheets(person: Person, look: Look) -> None:
    """What opens over the table, and every tab of the deals."""
    for tab in ("Market", "Mine", "Ledger", "Chat", "Log", "For me"):
        person.tab(tab).click()
        look(f"deals-{tab.lower().replace(' ', '-')}")
    for name in ("Tracks", "What you can do", re.compile("Table menu$")):
        person.button(name).first.click()
        look(re.sub(r"\W+", "-", name if isinstance(name, str) else "menu").lower())
        person.button("Close", person.page.get_by_role("dialog")).click()
    person.page.get_by_role("region", name="Table").get_by_role(
        "button", name=re.compile("novice")
    ).first.click()
    look("tableau")
    person.button("Close", person.page.get_by_role("dialog")).click()

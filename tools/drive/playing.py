"""A person who plays whole steps by pressing what the page offers."""

from __future__ import annotations

import re
from contextlib import suppress
from time import sleep

from playwright.sync_api import Error, Locator

from tools.drive.person import Person
from tools.drive.waiting import Watch, until

OVER = re.compile(r"\bwins?$")
AGREES = re.compile(r"^(Do it|Run these|Give away|Give up|Steal|Accept and promise)$")
MOVES = (
    re.compile(r"^Done( trading)?$"),
    re.compile(r"^Take (?!a (colony|team)$)"),  # what was chosen
    re.compile(r"^Take: "),
    re.compile(r"^Pass\b"),
    re.compile(r"^Serve .+ first$"),
    re.compile(r"^Give (away|up)$"),
    re.compile(r"^All of it$"),  # of what must be given away, to the first in the list
)


def is_over(person: Person) -> bool:
    return person.page.get_by_role("heading", name=OVER).is_visible()


def plays(person: Person, accepts: int = 0, bids: bool = False) -> None:
    """Play to the end; accept so many of the offers that come; bid a ship for each track if asked to."""
    watch = Watch()
    while not is_over(person):
        watch.sees(person.step())
        taken = accepts > 0 and presses(person.button("Accept"))
        accepts -= int(taken)
        if not taken and not moves(person, bids):
            sleep(0.05)


def plays_until(person: Person, asked: str) -> None:
    """Do what the table waits for until it asks for what this button does; that is left to the caller."""
    watch = Watch()
    while not person.button(asked).first.is_visible() or person.page.get_by_role("dialog").is_visible():
        watch.sees(person.step())
        if not moves(person, spares=asked):
            sleep(0.05)


def moves(person: Person, bids: bool = False, spares: str = "") -> bool:
    """Do one thing that the table waits for, pressing no button named `spares`; whether there was one."""
    dialog = person.page.get_by_role("dialog")
    if dialog.is_visible():
        return presses(person.button(AGREES, dialog)) or presses(person.button("Close", dialog))
    if person.button("Lock bids").is_visible():
        if spares == "Lock bids":
            return False
        for track in ("Colonies", "Research") if bids else ():
            presses(person.button(f"One ship more for {track}"))
        return presses(person.button("Lock bids"))
    if person.button("Run these").is_visible():
        if spares == "Run these":
            return False
        plans(person)
        return presses(person.button("Run these"))
    with suppress(Error):  # they went while we looked
        for colony in person.page.get_by_role("checkbox", name=re.compile("^Give up ")).all():
            colony.check(timeout=1000)
    if any(presses(person.button(move)) for move in MOVES):
        return True
    # Other lists lie there as well while a step is loaded, and their buttons open sheets.
    choices = person.page.locator(":is(.choices, .ways) li")
    return awaited(person) and presses(choices.get_by_role("button"))


def plans(person: Person) -> None:
    """Tick what pays most."""
    best = person.button("Best plan")
    if presses(best):
        until(lambda: best.and_(person.page.locator("[aria-busy]")).count() == 0)


def awaited(person: Person) -> bool:
    return person.page.get_by_text(re.compile("^(Your move|It is your turn)")).first.is_visible()


def presses(button: Locator) -> bool:
    """Press the first of such buttons that can be pressed; whether there was one."""
    try:
        for one in button.all()[:3]:
            if one.is_visible() and one.is_enabled():
                one.click(timeout=1000)
                return True
    except Error:
        return False  # it went while we looked
    return False

"""Two people at one table: how they come there, and what they offer each other."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tools.drive.person import Person, Visitors
from tools.drive.waiting import until

GIVES, TAKES = "Caylion", "Kjas"  # Anna's and Bela's; both have what the tests trade


def sit_down(visitors: Visitors, watcher: bool = False) -> tuple[Person, ...]:
    """Anna opens a table, Bela comes by her link (and Cleo, to watch); bots fill it, and the game begins."""
    anna, bela = visitors.come("Anna"), visitors.come("Bela")
    anna.arrives()
    create = anna.page.get_by_role("region", name="Create a table")
    anna.button("4", create.get_by_role("group", name="Players")).click()
    anna.button("Create and invite").click()
    link = anna.page.get_by_label("Invite by link").input_value()
    bela.goes(link)
    bela.page.get_by_label("Your name").fill("Bela")
    bela.button("Sit down").click()
    chooses(anna, GIVES)
    chooses(bela, TAKES)
    watching = []
    if watcher:
        cleo = visitors.come("Cleo")
        cleo.goes(link)
        cleo.page.get_by_label("Your name").fill("Cleo")
        cleo.button("Watch").click()
        watching.append(cleo)
    anna.page.get_by_label("Bots", exact=True).select_option(label="novice")
    anna.button("Fill with bots").click()
    expect(anna.page.get_by_text("all seats are taken")).to_be_visible()
    anna.button("Start the game").click()
    for person in (anna, bela, *watching):
        expect(person.page.get_by_role("region", name="Deals")).to_be_visible()
    for person in (anna, bela):
        expect(person.page.get_by_role("complementary", name="Guided turn")).to_be_visible()
    return (anna, bela, *watching)


def chooses(person: Person, species: str) -> None:
    card = person.button(re.compile(f"^{species}"), person.page.get_by_role("region", name="Species"))
    card.click()
    expect(person.page.get_by_role("region", name="Seats").get_by_text(re.compile(species))).to_be_visible()


def chip(person: Person, of: str, good: str) -> Locator:
    """The goods of one colour in somebody's row."""
    table = person.page.get_by_role("region", name="Table")
    return table.get_by_label(re.compile(rf"^{of}: \d+ {good}"))


def picks(person: Person, of: str, good: str) -> None:
    """Click goods in a row once they can be offered; the composer then has one of them."""
    chip(person, of, good).and_(person.page.get_by_role("button")).click()
    expect(person.button(f"One {good} more", composer(person)).first).to_be_visible()


def stock(person: Person, of: str, good: str) -> int:
    label = chip(person, of, good).get_attribute("aria-label") or ""
    return int(re.findall(r": (\d+) ", label)[0])


def has(person: Person, of: str, n: int, good: str) -> None:
    """This person sees that somebody has so much."""
    table = person.page.get_by_role("region", name="Table")
    expect(table.get_by_label(re.compile(rf"^{of}: {n} {good}"))).to_be_visible()


def composer(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Your offer")


def sends(person: Person) -> None:
    person.button(re.compile("^Send")).click()


def offer(person: Person, by: str, among: str = "For me") -> Locator:
    """An offer of somebody's that lies before this person, or in the market; the newest."""
    person.tab(among).click()
    return person.page.get_by_role("article", name=f"Offer by {by}").last


def accepts(person: Person, by: str, among: str = "For me") -> None:
    """Accept an offer; what binds is asked once more, in words."""
    lying = offer(person, by, among)
    lying.wait_for()
    before = person.page.get_by_role("article", name=f"Offer by {by}").count()
    person.button(re.compile("^Accept"), lying).click()
    asked = person.button(re.compile("^(Accept|Give it)"), person.page.get_by_role("dialog"))

    def answered() -> bool:
        if asked.is_visible():
            asked.click()
        return person.page.get_by_role("article", name=f"Offer by {by}").count() < before

    until(answered)

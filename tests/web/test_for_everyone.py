"""Both themes, both sizes, both languages: what every screen owes to everyone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.web.axe import COLOURS, LEVELS, violations
from tools.drive.first_load import plays_with_what_is_needed
from tools.drive.person import DESK, PHONE, Person, Visitors
from tools.drive.tour import tour


def test_axe_finds_what_is_wrong(anna: Person, axe: str) -> None:
    anna.page.set_content("<html><body><img src='x.png'></body></html>")
    assert any(one.startswith("image-alt") for one in violations(anna.page, axe))


def test_axe_finds_nothing_on_any_screen_in_either_theme_and_every_screen_fits_a_phone(
    anna: Person, axe: str
) -> None:
    found: list[str] = []

    def look(screen: str) -> None:
        anna.page.mouse.move(1, 1)  # where it last clicked, something may be explained
        expect(anna.page.get_by_role("tooltip")).to_be_hidden()
        # Only colours differ between the themes.
        for theme, only in (("dark", COLOURS), ("light", LEVELS)):
            anna.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            found.extend(f"{screen}, {theme}: {one}" for one in violations(anna.page, axe, only))
        anna.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        if not anna.fits():
            found.append(f"{screen}: scrolls sideways on a phone")
        anna.page.set_viewport_size(DESK)  # type: ignore[arg-type]

    tour(anna, look)
    assert not found, "\n".join(found)


def test_a_phone_shows_every_part_of_the_table_and_nothing_scrolls_sideways(visitors: Visitors) -> None:
    anna = visitors.come("Anna", size=PHONE)
    wide: list[str] = []

    def look(screen: str) -> None:
        if not anna.fits():
            wide.append(screen)

    anna.arrives()
    look("lobby")
    anna.plays_now()
    parts = anna.page.get_by_role("navigation", name="Parts of the table")
    expect(parts).to_be_visible()
    for part in ("Table", "Deals", "Tracks", "Me"):
        anna.button(re.compile(part), parts).click()
        look(part)
        if part == "Deals":
            anna.button("New offer").click()
            look("composer")
            anna.button("Close", anna.page.get_by_role("dialog")).click()
    anna.button("What you can do").click()
    look("choices")
    anna.button("Close", anna.page.get_by_role("dialog")).click()
    anna.button("Table menu").click()
    look("menu")
    anna.button("Close", anna.page.get_by_role("dialog")).click()
    assert not wide
    small = anna.page.evaluate(SMALL)
    assert not small, small


SMALL = """() => [...document.querySelectorAll("nav button, header button, .btn, .lend")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().height < (one.closest("header") ? 44 : 37))
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(("language", "done"), [("en-GB", "Done trading"), ("de-DE", "Fertig")])
def test_nine_players_a_clock_and_a_long_language_leave_room_for_the_button_that_ends_trading(
    visitors: Visitors, language: str, done: str
) -> None:
    anna = visitors.come("Anna", language=language)
    anna.goes()
    anna.goes(f"/t/{anna.page.evaluate(NINE)}")
    button = anna.button(done)
    for width in (1440, 1280, 1110):
        anna.page.set_viewport_size({"width": width, "height": 900})
        expect(button).to_be_in_viewport(ratio=1)
        assert anna.fits()


NINE = """async () => {
  const ask = async (path, body) => (await fetch("/api/" + path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();
  await ask("me", { name: "Anna" });
  const bots = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((seat) => [seat, "novice"]));
  const options = { seats: 9, public: false, clock: { trade: 3000, step: 3000 } };
  const { table } = await ask("tables", { options, seat: 0, bots });
  await ask(`tables/${table}/do`, { id: "start-game", action: { kind: "start_game" } });
  return table;
}"""


def test_a_table_can_be_played_at_after_100_kb_of_javascript(anna: Person) -> None:
    """However slow the line is: what comes later is held back altogether, and trading can be ended."""
    scripts, held = plays_with_what_is_needed(anna)
    assert held, "nothing comes later"
    assert 50_000 < sum(scripts.values()) <= 95_000, scripts


def test_the_page_speaks_german_with_those_who_do(visitors: Visitors) -> None:
    anna = visitors.come("Anna", size=DESK, language="de-DE")
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.goes()
    expect(anna.page).to_have_title(re.compile("Elysian"))
    expect(anna.page.locator("html")).to_have_attribute("lang", "de")
    anna.page.get_by_label("Dein Name").fill("Anna")
    anna.button(re.compile("^Als .* spielen$")).click()
    expect(anna.page.get_by_role("heading", name="Meine Wirtschaft")).to_be_visible()
    expect(anna.page.get_by_role("region", name="Table", exact=True)).to_have_count(0)
    assert not [url for url in asked if "/assets/en-" in url]
    # Another language at any time, without a new page.
    anna.button(re.compile("Elysian")).click()
    anna.button("English").click()
    expect(anna.page.get_by_role("heading", name="My economy")).to_be_visible()

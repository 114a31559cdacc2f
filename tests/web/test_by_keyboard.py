"""The table by keyboard and by ear: few presses to an offer, focus kept, one voice that tells what is new."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.support.web.tales import Tale, both, logged
from tools.drive.person import Person, Visitors
from tools.drive.together import composer

NINE = "kit", "yengii", "caylion", "zeth", "unity", "eni_et", "faderan", "imdril", "kjas"
FOUR = "kit", "yengii", "caylion", "zeth"
MOST = 12


def voice(person: Person) -> Locator:
    """What is read out."""
    return person.page.locator("[data-announcer]")


def focused(person: Person) -> Locator:
    return person.page.locator(":focus")


class Typist:
    """Somebody without a pointer, and how often a key was pressed; Ctrl and a key are two."""

    def __init__(self, person: Person) -> None:
        self.person, self.presses = person, 0
        voice(person).wait_for(state="attached")

    def strikes(self, *keys: str) -> None:
        for key in keys:
            self.person.page.keyboard.press(key)
            self.presses += 1 + key.count("+")


def test_an_offer_at_nine_seats_takes_few_presses_of_keys(visitors: Visitors) -> None:
    """One green of the ninth player for one white of mine, from nowhere."""
    anna, _ = both(visitors, Tale(*NINE))
    typist = Typist(anna)
    typist.strikes("o", "9", "g", "1", "w")
    expect(composer(anna).get_by_label("One green more").first).to_be_visible()
    expect(composer(anna).get_by_label("One white more").first).to_be_visible()
    typist.strikes("Control+Enter")
    expect(composer(anna).get_by_text("pick chips first")).to_be_visible()
    assert typist.presses <= MOST
    logged(anna, r"^Offer by (Kit|you): .*Kjas")


def test_tab_comes_to_one_good_of_all_and_arrows_to_the_others(visitors: Visitors) -> None:
    anna, _ = both(visitors, Tale(*FOUR))
    typist = Typist(anna)
    rows = anna.page.get_by_role("region", name="Table")
    expect(rows.locator("[data-kind][tabindex='0'], [data-kind] [tabindex='0']")).to_have_count(1)
    typist.strikes("o", "ArrowRight", "ArrowDown")
    expect(focused(anna)).to_have_attribute("aria-label", re.compile(r"^Caylion: \d+ white"))
    expect(rows.locator("[data-kind][tabindex='0'], [data-kind] [tabindex='0']")).to_have_count(1)


def test_an_offer_is_read_out_and_accepted_by_a_key_and_the_focus_stays(visitors: Visitors) -> None:
    anna, bela = both(visitors, Tale(*FOUR))
    typist = Typist(anna)
    Typist(bela).strikes("o", "4", "g", "1", "y", "Control+Enter")
    expect(voice(anna)).to_contain_text("Yengii")
    typist.strikes("a")
    expect(focused(anna)).to_have_attribute("data-press", "a")
    for _ in range(6):  # bots may have offered something before
        if anna.page.locator("article:focus-within").get_attribute("aria-label") == "Offer by Yengii":
            break
        typist.strikes("ArrowDown")
    typist.strikes("a")
    expect(anna.page.get_by_role("article", name="Offer by Yengii")).to_have_count(0)
    expect(voice(bela)).not_to_be_empty()
    expect(focused(anna)).to_have_count(1)
    assert focused(anna).evaluate("one => one.tagName") != "BODY"


def test_keys_are_letters_where_somebody_types(visitors: Visitors) -> None:
    anna, _ = both(visitors, Tale(*FOUR))
    typist = Typist(anna)
    typist.strikes("/")
    words = anna.page.get_by_label(re.compile("^Say something"))
    expect(words).to_be_focused()
    anna.page.keyboard.type("o? a/k")
    expect(words).to_have_value("o? a/k")
    expect(anna.page.get_by_role("dialog")).to_have_count(0)
    anna.page.get_by_role("heading", name="My economy").click()
    anna.page.evaluate("document.activeElement.blur()")
    typist.strikes("?")
    listed = anna.page.get_by_role("dialog", name="Keys")
    expect(listed).to_be_visible()
    anna.button("off", listed).click()
    anna.page.keyboard.press("Escape")
    typist.strikes("k")
    expect(anna.page.get_by_role("dialog")).to_have_count(0)


def test_skip_links_come_first(visitors: Visitors) -> None:
    anna, _ = both(visitors, Tale(*FOUR))
    anna.page.reload()
    Typist(anna)
    anna.page.keyboard.press("Tab")
    expect(focused(anna)).to_have_text("To the table")
    for _ in range(4):
        anna.page.keyboard.press("Tab")
    expect(focused(anna)).to_have_text("To what can be done now")
    anna.page.keyboard.press("Enter")
    expect(focused(anna)).to_have_text("Done trading")

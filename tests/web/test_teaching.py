"""Newcomers are led, and everything can be looked up."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tools.drive.person import PHONE, Person, Visitors
from tools.drive.playing import plays_until, presses
from tools.drive.waiting import until


def guide(person: Person) -> Locator:
    return person.page.get_by_role("complementary", name="Guided turn")


def test_a_newcomer_is_led_through_the_first_turn_by_what_happens(anna: Person) -> None:
    anna.plays_now(seats=4, level="novice")
    bar = guide(anna)
    expect(bar).to_contain_text("Six turns. Most points win.")
    anna.button("Next", bar).click()
    expect(bar).to_contain_text("You play the")
    anna.button("Next", bar).click()
    expect(bar).to_contain_text("What are you short of?")
    # Asking for something goes on, read or not.
    anna.page.locator(".strip .r:not(.me) .stock button").first.click()
    expect(bar).to_contain_text("Give something for it.")
    # The table waits for her, and the guide speaks of what it waits for.
    for asked, words in (
        ("Run these", "Now your converters run."),
        ("Lock bids", "Bid your ships in secret."),
    ):
        plays_until(anna, asked)
        expect(bar).to_contain_text(words)
    # Who bids nothing has nothing to take: the others' ships would decide what the guide says next.
    for more in ("One ship more for Colonies", "One ship more for Research"):
        while presses(anna.button(more)):
            pass
    anna.button("Lock bids").click()
    expect(bar).to_contain_text("Take a card, or pass.")
    plays_until(anna, "Done trading")
    expect(bar).to_contain_text("That was a whole turn.")
    anna.button("Understood", bar).click()
    expect(bar).to_have_count(0)
    # It does not come back by itself, but whoever wants it can have it again.
    anna.page.reload()
    expect(anna.page.get_by_role("heading", name="My economy")).to_be_visible()
    expect(guide(anna)).to_have_count(0)
    anna.button(re.compile("Table menu")).click()
    anna.button("Guided turn").click()
    expect(guide(anna)).to_be_visible()


def test_a_first_game_opens_with_what_wins_and_what_my_species_is_good_at(anna: Person) -> None:
    anna.page.emulate_media(reduced_motion="no-preference")
    anna.plays_now(seats=4, level="novice")
    opening = anna.page.locator(".picture")
    expect(opening).to_contain_text("Six turns. Most points win.")
    expect(opening).to_contain_text("You play the")
    expect(opening).to_contain_text("Has to give")
    # It is in nobody's way: the first press does what it would do, and ends it.
    anna.button("Done trading").click()
    expect(opening).to_have_count(0)
    expect(anna.button("Done trading")).to_have_count(0)


def test_the_guide_can_be_ended_and_leaves_room_on_a_phone(visitors: Visitors) -> None:
    bela = visitors.come("Bela", size=PHONE)
    bela.plays_now(seats=4, level="novice")
    bar = guide(bela)
    expect(bar).to_be_visible()
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] < 130
    assert bela.fits()
    bela.button("End the guide", bar).click()
    expect(bar).to_have_count(0)


def test_species_rules_and_signs_are_explained_where_one_asks(anna: Person) -> None:
    anna.arrives()
    anna.button("About Zeth").click()
    sheet = anna.page.get_by_role("dialog", name=re.compile("^Zeth"))
    expect(sheet).to_contain_text("For a first game")
    anna.button("Its rules", sheet).click()
    rules = anna.page.get_by_role("dialog", name="Rules")
    expect(rules).to_contain_text("ZETH-3")
    rules.get_by_role("searchbox").fill("tiebreaker")
    expect(rules).to_contain_text("BID-4")
    expect(rules).not_to_contain_text("ZETH-3")
    anna.button("Close", rules).click()
    expect(rules).to_have_count(0)
    sign, tip = anna.page.locator("svg:has(use[href='#g-ultratech'])").first, anna.page.get_by_role("tooltip")

    def is_explained() -> bool:
        """Explanations are loaded after the page, so the pointer may have come too early."""
        anna.page.mouse.move(1, 1)
        sign.hover()
        anna.page.wait_for_timeout(1000)  # one stays a moment, or nothing is said
        return tip.is_visible()

    until(is_explained)
    expect(tip).to_contain_text("Ultratech octagon")

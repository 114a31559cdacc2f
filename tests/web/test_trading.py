"""Two browsers trade with each other: counter-offers, loans, promises kept and broken."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tools.drive.person import Person, Visitors
from tools.drive.playing import moves, presses
from tools.drive.together import (
    GIVES,
    TAKES,
    accepts,
    composer,
    has,
    offer,
    picks,
    sends,
    sit_down,
    stock,
)
from tools.drive.waiting import Watch, until


@pytest.fixture
def both(visitors: Visitors) -> tuple[Person, Person]:
    anna, bela = sit_down(visitors)
    return anna, bela


def test_an_offer_is_answered_by_another_and_the_goods_change_hands(both: tuple[Person, Person]) -> None:
    anna, bela = both
    green, ships = stock(anna, GIVES, "green"), stock(anna, TAKES, "ship")
    picks(anna, TAKES, "ship")
    picks(anna, GIVES, "green")
    sends(anna)
    bela.button("Counter", offer(bela, GIVES)).click()
    bela.button("One green more", composer(bela)).click()
    sends(bela)
    bela.tab("For me").click()
    expect(offer(bela, GIVES)).to_be_hidden()  # only the last terms can be accepted
    expect(offer(anna, TAKES).get_by_text("answers yours")).to_be_visible()
    accepts(anna, TAKES)
    for person in both:
        has(person, GIVES, green - 2, "green")
        has(person, TAKES, ships - 1, "ship")


def is_at(what: Locator, place: FloatRect) -> bool:
    now = what.bounding_box()
    return now is not None and all(abs(now[side] - place[side]) < 1 for side in ("x", "y", "width", "height"))


def test_nothing_moves_under_a_mouse_that_rests_on_an_offer(both: tuple[Person, Person]) -> None:
    anna, bela = both
    offers = anna.page.get_by_role("article", name=f"Offer by {TAKES}")
    for more in range(2):
        picks(bela, GIVES, "green")
        picks(bela, TAKES, "ship")
        for _ in range(more):
            bela.button("One green more", composer(bela)).click()
        sends(bela)
        expect(offers).to_have_count(more + 1)
    accept = anna.button("Accept", offers.last)
    expect(offers.last.get_by_text("to me")).to_be_visible()  # what it is worth is told a moment later
    accept.hover()
    before = accept.bounding_box()
    bela.tab("Mine").click()
    bela.button("Withdraw").first.click()
    expect(offers).to_have_count(1)
    accept = anna.button("Accept", offers)
    assert before is not None
    # The list is held when a frame is drawn, and to less than a pixel.
    until(lambda: is_at(accept, before), lambda: f"{accept.bounding_box()} is not where it was: {before}")
    expect(bela.button("Withdraw")).to_have_count(1)  # the first is gone on her side too
    bela.button("Withdraw").click()
    expect(offers).to_have_count(0)
    middle = [before["x"] + before["width"] / 2, before["y"] + before["height"] / 2]
    assert anna.page.evaluate("([x, y]) => !!document.elementFromPoint(x, y).closest('p.ghost')", middle)
    held = anna.page.locator("p.ghost").last.bounding_box()
    anna.page.mouse.move(0, 0)
    ghost = anna.page.locator("p.ghost").last.bounding_box()
    assert held is not None
    assert ghost is not None
    assert ghost["height"] < held["height"] / 2  # the room of the offer is given up when the mouse has left


def test_a_card_is_lent_for_a_turn_and_both_see_where_it_is(both: tuple[Person, Person]) -> None:
    anna, bela = both
    picks(anna, TAKES, "ship")
    anna.button("Cards", composer(anna)).click()
    cards = anna.page.get_by_role("group", name="Cards")
    lent = anna.button(re.compile("^loan "), cards).last
    name = lent.inner_text().strip().split("\n")[0]
    lent.click()
    sends(anna)
    accepts(bela, GIVES)
    expect(bela.page.get_by_role("heading", name="Lent to me")).to_be_visible()
    expect(anna.page.get_by_role("heading", name="Lent out")).to_be_visible()
    expect(bela.page.get_by_role("heading", name=name, exact=True).first).to_be_visible()


def test_a_card_is_lent_from_where_it_lies_and_the_lender_is_spoken_to(both: tuple[Person, Person]) -> None:
    anna, bela = both
    picks(anna, TAKES, "ship")
    lend = anna.button(re.compile("^Lend Oceanic Processing"))
    lend.click()
    expect(lend).to_have_attribute("aria-pressed", "true")
    expect(composer(anna).get_by_text(f"You lend {TAKES} Oceanic Processing for this turn.")).to_be_visible()
    sends(anna)
    expect(offer(bela, GIVES).get_by_text(f"{GIVES} lends you Oceanic Processing")).to_be_visible()


def test_a_promise_is_kept_and_leaves_the_ledger(both: tuple[Person, Person]) -> None:
    anna, bela = both
    green = stock(bela, TAKES, "green")
    promises(anna, "ship", "green", 1)
    accepts(bela, GIVES)
    for person, words in ((anna, "You owe"), (bela, "Owed to you")):
        person.tab("Ledger").click()
        expect(person.page.get_by_role("heading", name=words)).to_be_visible()
    anna.button("Deliver early").click()
    accepts(bela, GIVES)  # before it is due the creditor has a say
    for person in both:
        has(person, TAKES, green + 1, "green")
        person.tab("Ledger").click()
        person.sees("Nobody has promised anything.")


def test_a_promise_that_is_broken_costs_points(both: tuple[Person, Person]) -> None:
    anna, bela = both
    promises(anna, "ship", "green", 30)
    accepts(bela, GIVES)
    watch = Watch()
    while behind := [person for person in both if "Turn 2" not in person.step()]:
        watch.sees([person.step() for person in both])
        for person in behind:
            if "Turn 2" not in person.step():  # what the other did may have begun it
                moves(person)
    for person in both:
        ends_trading(person)
    anna.button("Take the loss").click()
    asked = anna.page.get_by_role("dialog", name="Break your word?")
    anna.button("Take the loss", asked).click()
    bela.button("Done").last.click()
    bela.tab("Log").click()
    expect(
        bela.page.get_by_role("tabpanel").get_by_text(re.compile("breaks a promise")).first
    ).to_be_visible()


def ends_trading(person: Person) -> None:
    done, undone = person.button("Done trading"), person.button("Not done")
    dialog = person.page.get_by_role("dialog")

    def ended() -> bool:
        if dialog.is_visible() and not presses(person.button("Close", dialog)):
            return False
        return undone.is_visible() or "settling" in person.step() or presses(done)

    until(ended, why=lambda: f"{person.step()}: {person.page.locator('body').inner_text()}")


def promises(person: Person, wants: str, good: str, n: int) -> None:
    """Offer goods of the next turn for what the other has now."""
    picks(person, TAKES, wants)
    picks(person, GIVES, good)
    making = composer(person)
    person.button("Later", making).click()
    making.get_by_label("When you give it").select_option(label="in turn 2")
    for _ in range(n - 1):
        person.button(f"One {good} more", making).last.click()
    sends(person)

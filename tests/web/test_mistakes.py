"""Mistakes and small talk: a click too many makes one thing, and what is said or typed is not lost."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.web.tales import Tale, alone, ends_trading, runs
from tools.drive.person import Person, Visitors
from tools.drive.together import sit_down


def test_a_double_click_opens_one_table(anna: Person) -> None:
    anna.arrives()
    anna.button(re.compile("^Play as")).dblclick()
    anna.page.wait_for_url(re.compile("/t/"))
    anna.page.go_back()
    expect(anna.page.get_by_role("heading", name="Play now")).to_be_visible()
    mine = anna.page.evaluate("async () => (await (await fetch('/api/me')).json()).tables.length")
    assert mine == 1


def test_what_somebody_says_is_noticed_and_what_is_typed_stays(visitors: Visitors) -> None:
    anna, bela = sit_down(visitors)
    bela.tab("Chat").click()
    says = bela.page.get_by_label(re.compile("^Say something"))
    says.fill("Hello <b>Anna</b>")
    says.press("Enter")
    anna.sees("Kjas: Hello <b>Anna</b>")
    expect(anna.tab("Chat")).to_contain_text("1")
    anna.tab("Chat").click()
    expect(anna.tab("Chat")).not_to_contain_text("1")
    half = anna.page.get_by_label(re.compile("^Say something"))
    half.fill("half a sen")
    says.fill("Caylion 1g > 1w")  # an offer to Anna, which changes a count beside the chat
    says.press("Enter")
    expect(anna.tab("For me")).to_contain_text(re.compile("[1-9]"))
    expect(half).to_have_value("half a sen")


def test_who_presses_as_the_step_changes_has_not_pressed_what_came_in_its_place(visitors: Visitors) -> None:
    anna = alone(visitors, Tale("caylion", "kjas", "eni_et", "imdril").done("kjas", "eni_et"))
    # A press aimed at Done that lands on the very button that has just become another one.
    anna.page.evaluate(
        """() => new MutationObserver(() => {
            for (const button of document.querySelectorAll("footer.actions button"))
                if (button.textContent.includes("Run these") && !window.landed) {
                    window.landed = true;
                    button.click();
                }
        }).observe(document.body, { childList: true, subtree: true, characterData: true })"""
    )
    ends_trading(anna)
    assert anna.page.evaluate("() => window.landed")
    expect(anna.button("Run these")).to_be_enabled()  # still asked, and now it can be pressed
    runs(anna)

"""The best plan is a list of steps, each done by itself or all at once; what is ticked wastes nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.web.tales import Tale, alone, can_invent, economy, invention
from tools.drive.person import PHONE, Person, Visitors

SPECIES = "kit", "yengii", "caylion", "zeth"
RICH = "yengii", "caylion", "zeth"


def steps(person: Person) -> Locator:
    """The steps one does by oneself; a deal, where one is found, stands before them."""
    listed = person.page.get_by_role("region", name="Best plan").get_by_role("listitem")
    return listed.filter(has_not=person.button("Draft"))


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_step_is_done_from_the_list_and_the_rest_is_planned_anew(visitors: Visitors, size: str) -> None:
    tale = Tale(*SPECIES, fits=can_invent("kit", *RICH)).endows("kit", *RICH)
    assert invention(tale.state, "kit") is not None
    anna = alone(visitors, tale)
    if size == "phone":
        anna.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    if size == "desk":
        anna.button("Best plan").hover()
        expect(anna.button("Best plan").locator("b")).to_have_text(re.compile(r"^\+\d"))
    anna.button("Best plan").click()
    expect(anna.page.get_by_text(re.compile(r"^\+\S+ on what was ticked$"))).to_be_visible()
    invents = steps(anna).filter(has=anna.button("Invent"))
    expect(invents).to_have_count(1)
    expect(invents).to_contain_text(re.compile(r"\+\d"))
    expect(steps(anna).last).to_contain_text(re.compile(r"Run (one card|\d+ cards)"))
    expect(economy(anna).get_by_text("Short")).to_have_count(0)
    before = steps(anna).count()
    anna.button("Invent", invents).click()
    expect(steps(anna)).to_have_count(before - 1)
    expect(invents).to_have_count(0)
    assert anna.fits()
    if before > 3:
        anna.button(re.compile(r"^Do all \d")).click()
    expect(steps(anna).last).to_contain_text("ticked")

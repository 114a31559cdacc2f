"""A whole game in the browser: one person, seen and played only through the page, against bots."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tools.drive.person import Person
from tools.drive.playing import OVER, is_over, plays


def test_a_person_plays_a_whole_game_against_bots_from_the_lobby_to_the_scores(anna: Person) -> None:
    anna.plays_now(seats=4, level="novice")
    expect(anna.page.get_by_role("heading", name="My economy")).to_be_visible()
    assert anna.step().strip() == "Turn 1: trading"
    plays(anna, accepts=3, bids=True)
    assert is_over(anna)
    scores = anna.page.get_by_role("region", name=OVER)
    expect(scores.get_by_text("novice")).to_have_count(3)
    expect(anna.button("Play again")).to_be_visible()
    anna.tab("Log").click()
    expect(anna.page.get_by_role("tabpanel").get_by_text(re.compile(r"\w")).first).to_be_visible()
    # The lobby remembers it.
    anna.goes("/")
    anna.tab("Finished games").click()
    expect(anna.page.get_by_role("tabpanel").get_by_text("4 players")).to_be_visible()

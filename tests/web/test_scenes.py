"""What happens is shown happening: short, in order, never in the way, and it stays readable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from elysian.deck import CATALOG
from tests.web.conftest import built_page
from tools import web_layout

SEAT, OTHER = 0, 1
NEWS = count(100_000)

DEAL = {
    "kind": "deal_struck",
    "by": OTHER,
    "deal": "d1",
    "parties": [SEAT, OTHER],
    "moved": [
        {"giver": SEAT, "to": OTHER, "goods": {"blue": 1}},
        {"giver": OTHER, "to": SEAT, "goods": {"white": 2, "ship": 1}},
    ],
}
THEFT = {
    "kind": "stolen",
    "by": OTHER,
    "target": SEAT,
    "card": "",
    "converter": 0,
    "paid": {},
    "taken": {"yellow": 2},
}
MADE = {"kind": "production_run", "by": SEAT, "runs": [], "paid": {"green": 1}, "gain": {"white": 3}}
BIDS = {
    "kind": "bids_revealed",
    "track": "colony",
    "bids": [{"seat": SEAT, "ships": 2}, {"seat": OTHER, "ships": 4}],
    "order": [
        {
            "seat": seat,
            "ships": n,
            "counts": n,
            "held": 2,
            "tiebreaker": 4,
            "half": False,
            "ahead": "bid",
        }
        for seat, n in ((OTHER, 4), (SEAT, 2))
    ],
}
PASSED = {"kind": "bid_passed", "by": SEAT, "track": "colony", "ships": 2}


class Watched:
    """A late game without a server, and what happens in it next."""

    def __init__(self, page: Page) -> None:
        page.goto(f"{web_layout.ORIGIN}/dev/late")
        page.locator("footer.actions").wait_for()
        self.page = page
        page.locator(".sky").wait_for(state="attached")  # what shows things happening is there

    def happens(self, *lines: list[object], view: object = None) -> None:
        for events in lines:
            told = ["It happened."] * len(events)
            news = {"kind": "update", "n": next(NEWS), "at": 0, "seat": None, "events": events, "told": told}
            if view is not None:
                news["view"] = view
            self.page.evaluate("news => dispatchEvent(new CustomEvent('hear', { detail: news }))", news)

    @property
    def line(self) -> Locator:
        return self.page.locator("section.stage > .line")

    @property
    def picture(self) -> Locator:
        return self.page.locator(".picture")

    @property
    def sofar(self) -> Locator:
        return self.page.get_by_role("button", name="This turn so far")


def late(
    browser: Browser,
    moves: bool,
    prefers: dict[str, str] | None = None,
    language: str = "en",
    guide: dict[str, object] | None = None,
) -> Page:
    sent = {"late": web_layout.sent(4, SEAT, (5, "trade"), language)}
    page = web_layout.opened(browser, language, sent, moves)
    kept = {"elysian": prefers or {}, "elysian.guide": {"turn": 5, **guide} if guide else {"over": True}}
    for key, value in kept.items():
        page.add_init_script(f"localStorage.setItem({key!r}, {json.dumps(json.dumps(value))})")
    return page


@pytest.fixture
def moving(browser: Browser) -> Iterator[Watched]:
    built_page()
    page = late(browser, moves=True)
    yield Watched(page)
    page.context.close()


@pytest.fixture
def still(browser: Browser) -> Iterator[Watched]:
    built_page()
    page = late(browser, moves=False)
    yield Watched(page)
    page.context.close()


def test_a_deal_flies_and_is_told_in_the_line(moving: Watched) -> None:
    moving.happens([DEAL])
    moving.page.locator(".sky svg").first.wait_for(state="attached")
    expect(moving.line).to_contain_text("Deal with")
    expect(moving.line.get_by_role("img", name="2 white, 1 ship")).to_be_visible()
    expect(moving.picture).to_have_count(0)
    expect(moving.page.locator(".sky svg")).to_have_count(0)  # nothing is left behind


def test_acting_ends_a_scene_and_is_not_taken_away_by_it(moving: Watched) -> None:
    moving.happens([BIDS], [PASSED, {"kind": "tracks_refreshed"}])
    expect(moving.picture).to_contain_text("Nothing this time")
    expect(moving.picture).to_contain_text("You take nothing and keep your 2 ships.")
    anyone = moving.page.get_by_role("button", name="Anyone")
    anyone.click()
    expect(moving.picture).to_have_count(0)
    expect(anyone).to_have_attribute("aria-pressed", "true")
    # What was won or lost is still in the line, and can be looked at again.
    expect(moving.line).to_contain_text("You take nothing")
    moving.page.get_by_role("button", name="Show again").click()
    expect(moving.page.get_by_role("dialog")).to_contain_text("Nothing this time")
    assert not web_layout.look(moving.page)


def test_what_was_lost_stays_until_somebody_goes_on(moving: Watched) -> None:
    moving.page.clock.install()
    moving.happens([BIDS], [PASSED, {"kind": "tracks_refreshed"}])
    moving.page.clock.run_for(3_000)
    expect(moving.picture).to_contain_text("Nothing this time")
    moving.page.clock.run_for(60_000)
    expect(moving.picture).to_be_visible()
    moving.page.get_by_role("button", name="Go on").click()
    moving.page.clock.run_for(1_000)
    expect(moving.picture).to_have_count(0)


FITS = """() => {
  const line = document.querySelector("section.stage").getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(document.querySelector(".guide p"));
  const { top, bottom } = words.getBoundingClientRect();
  return line.top - 1 <= top && bottom <= line.bottom + 1;
}"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_guide_keeps_to_its_line_beside_what_is_told(browser: Browser, language: str) -> None:
    """Step by step, alone and while news stand beside it, from the narrowest desk on."""
    built_page()
    steps = ("goal", "make", "lack", "ask", "give", "accept", "more", "done")
    for n in range(len(steps)):
        page = late(browser, moves=False, language=language, guide={"table": "fixture", "passed": steps[:n]})
        page.set_viewport_size({"width": 1440, "height": 900})
        watched = Watched(page)
        page.locator(".guide").wait_for()
        for news in range(2):
            for width in (1100, 1280, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(FITS), (steps[n], width, news)
            watched.happens([DEAL])
            watched.line.wait_for()
        page.context.close()


def test_a_scene_can_be_skipped_and_the_next_one_follows(moving: Watched) -> None:
    moving.happens([THEFT, {"kind": "turn_began", "turn": 6}])
    expect(moving.line).to_contain_text("stole")
    expect(moving.picture).to_contain_text("Turn 6")
    moving.picture.click()
    expect(moving.picture).to_have_count(0)
    expect(moving.line).to_contain_text("Turn 6 begins")


def test_nothing_moves_for_those_who_do_not_want_it_and_everything_is_told(still: Watched) -> None:
    still.happens([BIDS], [PASSED, {"kind": "tracks_refreshed"}])
    expect(still.line).to_contain_text("You take nothing and keep your 2 ships.")
    still.happens([MADE])
    expect(still.line).to_contain_text("You made")
    assert still.picture.count() == 0
    assert still.page.locator(".sky svg").count() == 0
    # This turn so far, the newest first.
    still.sofar.click()
    told = still.page.get_by_role("dialog", name="This turn so far").get_by_role("listitem")
    expect(told.nth(0)).to_contain_text("You made")
    expect(told.nth(1)).to_contain_text("You take nothing")
    expect(told.nth(2)).to_contain_text("number 2 of 2")
    assert not web_layout.look(still.page)


def test_scenes_can_be_turned_off(browser: Browser) -> None:
    built_page()
    page = late(browser, moves=True, prefers={"scenes": "off"})
    watched = Watched(page)
    watched.happens([BIDS], [PASSED, {"kind": "tracks_refreshed"}])
    expect(watched.line).to_contain_text("You take nothing")
    assert watched.picture.count() == 0
    page.context.close()


def test_what_i_gain_counts_up_where_my_points_are(moving: Watched) -> None:
    points = moving.page.locator("header .points")
    before = int(points.locator("b").inner_text())
    moving.happens([MADE], view={"score": before + 6})
    expect(points.locator("i")).to_have_text("+6")
    expect(points.locator("b")).to_have_text(str(before + 6))


def test_what_does_not_fit_the_line_is_seen_to_be_cut(browser: Browser) -> None:
    """On a phone two lines hold no more: a list of names ends in dots, and so does what would go on."""
    built_page()
    page = late(browser, moves=False)
    page.set_viewport_size({"width": 390, "height": 844})
    watched = Watched(page)
    goods = dict.fromkeys(("green", "white", "brown", "black", "blue", "yellow"), 12)
    cards = [card for card, printed in CATALOG.cards.items() if printed.kind == "colony"][:4]
    lots: tuple[dict[str, object], ...] = ({"cards": cards}, {"cards": cards, "goods": goods})
    for n, moved in enumerate(lots):
        both = [{"giver": SEAT, "to": OTHER, **moved}, {"giver": OTHER, "to": SEAT, **moved}]
        watched.happens([{**DEAL, "deal": f"long-{n}", "moved": both}])
        expect(watched.line.locator("[role=img]")).to_have_count(2 * n)
        expect(watched.line.locator(".cut")).to_have_count(n)
        assert web_layout.look(page) == []
    page.context.close()

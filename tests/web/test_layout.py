"""The page holds in the middle and at the end of a game: no text over text, nothing too wide, nothing cut."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import built_page
from tools import web_layout
from tools.web_layout import GAMES, LANGUAGES, MOMENTS, THEMES, WIDTHS

CASES = web_layout.share()


def test_the_share_lets_every_two_meet() -> None:
    """Every species at every width, every moment in every language, and so on."""
    met = {(case.width, case.language) for case in CASES}
    assert met == {(width, language) for width in WIDTHS for language in LANGUAGES}
    played = {(GAMES[case.seats][case.seat], case.width) for case in CASES}
    assert played == {(species, width) for species in GAMES[9] for width in WIDTHS}
    assert {(case.seats, case.moment) for case in CASES} == {(n, at) for n in GAMES for at in MOMENTS}
    assert {case.theme for case in CASES} == set(THEMES)
    assert len(CASES) < len(web_layout.every()) / 10


def test_late_games_hold_at_every_width_in_both_themes_and_languages(browser: Browser) -> None:
    built_page()  # skips where there is no Node
    found = {case.name: faults for case, faults in web_layout.draw(browser, CASES) if faults}
    assert not found


def test_every_card_holds_in_every_size(browser: Browser) -> None:
    built_page()
    found = {name: faults for name, faults in web_layout.gallery(browser) if faults}
    assert not found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_count_moves_no_tab(browser: Browser, language: str, width: int) -> None:
    """Offers come and go while somebody goes for another tab; where tabs are narrowest, too."""
    built_page()
    page = web_layout.opened(browser, language, {"late": web_layout.sent(9, 4, (5, "trade"), language)})
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.goto(f"{web_layout.ORIGIN}/dev/late")
    places = []
    for step, counts in (("trade", 3), ("bid", 0)):
        page.evaluate(web_layout.LAY, web_layout.sent(9, 4, (5, step), language).decode())
        if width < 1100:
            page.locator("nav.tabs button").nth(2).click()
        expect(page.get_by_role("tab").locator(".count")).to_have_count(counts)
        places.append([tab.bounding_box() for tab in page.get_by_role("tab").all()])
    assert places[0] == places[1]
    page.context.close()


UNSEEN = """() => [...document.querySelectorAll("ol.spaces li, .slider .row")].filter((one) => {
  const box = one.getBoundingClientRect();
  const inside = [box.top + 2, box.bottom - 3].every((y) => {
    const top = document.elementFromPoint(box.left + box.width / 2, y);
    return top !== null && (one.contains(top) || top.contains(one));
  });
  const body = one.closest(".body").getBoundingClientRect();
  return !inside || box.top < body.top - 1 || box.bottom > body.bottom + 1;
}).map((one) => one.textContent)"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", GAMES)
def test_a_desk_of_900_shows_all_there_is_to_bid_for(browser: Browser, seats: int, language: str) -> None:
    """In every turn: both bids and every card of both tracks, whole; nine see nineteen cards."""
    built_page()
    spaces = {4: 8, 6: 13, 9: 19}
    page = web_layout.opened(browser, language, {"late": web_layout.sent(seats, 0, (1, "bid"), language)})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{web_layout.ORIGIN}/dev/late")
    for turn in range(1, 6):
        page.evaluate(web_layout.LAY, web_layout.sent(seats, 0, (turn, "bid"), language).decode())
        expect(page.locator("ol.spaces li")).to_have_count(spaces[seats])
        page.evaluate("document.fonts.ready")
        page.wait_for_function(f"({UNSEEN})().length === 0", timeout=web_layout.PATIENCE)
    page.context.close()


def test_a_phone_shows_both_bids_wherever_the_tracks_are_scrolled_to(browser: Browser) -> None:
    """The one that comes at the lower edge, then the one that was at the upper."""
    built_page()
    page = web_layout.opened(browser, "en", {"late": web_layout.sent(9, 2, (5, "bid"), "en")}, touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{web_layout.ORIGIN}/dev/late")
    more = [
        page.get_by_role("button", name=re.compile(f"^One ship more.*{t}")) for t in ("Colonies", "Research")
    ]
    cards = page.locator("ol.spaces article")
    for card in (cards.first, cards.nth(cards.count() // 2), cards.last):
        card.scroll_into_view_if_needed()
        for button in more:
            expect(button).to_be_in_viewport(ratio=1)
            button.click(trial=True)  # nothing lies over it
    page.context.close()


def test_a_pair_of_the_kit_is_one_card_with_one_set_of_buttons(browser: Browser) -> None:
    """A tap hands both over; what can be agreed about either is asked after the tap."""
    built_page()
    seat = GAMES[4].index("kit")
    page = web_layout.opened(
        browser, "en", {"late": web_layout.sent(4, seat, (3, "trade"), "en")}, touch=True
    )
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{web_layout.ORIGIN}/dev/late")
    pair = page.locator(".card.pair").first
    expect(pair.get_by_role("button", name=re.compile("in an offer …$"))).to_have_count(1)
    lend = pair.get_by_role("button", name=re.compile(r"^Lend .+ \+ .+: put it into the offer$"))
    lend.tap()
    composer = page.get_by_role("dialog")
    expect(composer.get_by_role("button", name=re.compile("^Remove: "))).to_have_count(2)
    page.keyboard.press("Escape")
    expect(lend).to_have_attribute("aria-pressed", "true")
    pair.get_by_role("button", name=re.compile("in an offer …$")).tap()
    expect(page.get_by_role("group", name="Which of the two").get_by_role("button")).to_have_count(2)
    page.context.close()


BROKEN = {
    "text over text": "<div style='height:20px'>One word</div><div style='margin-top:-18px'>another</div>",
    "wider than its parent": "<div style='width:90px'><div style='width:120px'>wide</div></div>",
    "cut sideways": "<div style='width:40px;overflow:hidden;white-space:nowrap'>a sentence goes on</div>",
    "cut below": "<div style='height:20px;overflow:hidden'>one<br>two<br>three</div>",
    "a broken word": "<div style='width:60px;overflow-wrap:break-word'>polymorphologists</div>",
    "without words": "<p>“[object Object]”</p>",
    "a cut hint": "<input style='width:60px' placeholder='a hint that goes on'>",
    "a cut choice": "<select style='width:60px'><option>a choice that goes on</option></select>",
    "scrolls sideways": "<div style='width:60px;overflow:auto'><p style='width:90px'>wide</p></div>",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_the_check_finds_what_is_planted(browser: Browser, fault: str) -> None:
    page = browser.new_page()
    page.set_content(f"<div id='app'><main style='width:500px'>{BROKEN[fault]}</main></div>")
    assert any(one.startswith(fault) for one in web_layout.look(page))
    page.set_content("<div id='app'><main style='width:500px'><p>One word</p><p>another</p></main></div>")
    assert not web_layout.look(page)
    page.close()

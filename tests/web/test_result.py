"""The end of a game: what mattered first, names whole, no room left empty, and a picture to send."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import built_page
from tools import web_layout
from tools.web_layout import ORIGIN, WIDTHS

EMPTY = """() => {
  // The largest part of the window's height in which a column of it shows nothing but ground.
  const inside = [...document.querySelectorAll("main .zone")].map((one) => one.getBoundingClientRect());
  const frame = document.querySelector("main").getBoundingClientRect();
  let most = 0;
  for (let x = frame.left + 20; x < frame.right - 20; x += 40) {
    let bare = 0;
    for (let y = frame.top; y < frame.bottom; y += 4)
      bare += inside.some((b) => x >= b.left && x <= b.right && y >= b.top && y <= b.bottom) ? 0 : 4;
    most = Math.max(most, bare / frame.height);
  }
  return most;
}"""
NAMES = """() => [...document.querySelectorAll(".scoring tbody th .clip")].filter(
  (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"
).map((one) => one.textContent)"""
HAND_OVER = """() => {
  navigator.canShare = ({ files }) => files.every((one) => one.type === "image/png");
  navigator.share = async ({ files: [one] }) => { window.handedOver = [one.name, one.type, one.size]; };
}"""


def over(browser: Browser, seats: int, seat: int, language: str, prepared: str = "") -> Page:
    built_page()  # skips where there is no Node
    page = web_layout.opened(browser, language, web_layout.ended(seats, seat, language))
    if prepared:
        page.add_init_script(f"({prepared})()")
    page.goto(f"{ORIGIN}/dev/late")
    page.locator("#picture-title").wait_for()
    page.locator("#moments-title").wait_for()
    return page


@pytest.mark.parametrize(("seats", "seat", "language"), [(4, 0, "en"), (6, 0, "de")])
def test_the_result_fills_its_page_and_holds_at_every_width(
    browser: Browser, seats: int, seat: int, language: str
) -> None:
    page = over(browser, seats, seat, language)
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".story").wait_for()
        page.wait_for_timeout(200)
        assert web_layout.look(page) == [], width
        assert page.evaluate(NAMES) == []
        assert page.evaluate(EMPTY) < 0.12, width
        # What mattered comes before the numbers; the line above says one thing and stays a line.
        told, counted = (
            page.locator("#review-title").bounding_box(),
            page.locator("#scoring-title").bounding_box(),
        )
        assert told is not None
        assert counted is not None
        assert told["y"] < counted["y"]
        stage = page.locator("section.stage").bounding_box()
        assert stage is not None
        assert stage["height"] < 80
    page.context.close()


def test_the_picture_is_saved_as_a_png_of_the_size_that_is_shared(browser: Browser, tmp_path: Path) -> None:
    page = over(browser, 4, 0, "en", HAND_OVER)
    button = page.get_by_role("button", name="Save picture")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    with page.expect_download() as coming:
        button.click()
    assert coming.value.suggested_filename == "elysian-fixture.png"
    coming.value.save_as(tmp_path / "game.png")
    raw = (tmp_path / "game.png").read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", raw[16:24]) == (1200, 630)
    colors = page.evaluate(
        """() => {
          const canvas = document.querySelector(".picture-zone canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }"""
    )
    assert colors > 500  # drawn, not left blank
    expect(page.get_by_role("img", name="mara as Kit, 44, place 2 of 4")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    page.wait_for_function("() => window.handedOver")
    name, kind, size = page.evaluate("() => window.handedOver")
    assert (name, kind) == ("elysian-fixture.png", "image/png")
    assert size == len(raw)
    page.context.close()

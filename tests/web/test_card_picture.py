"""Every card of the catalogue, full, compact and as a tag, is drawn as in the picture that is kept.

After a change that is meant: python -m tools.card_picture, and look at what it drew.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from elysian.deck import CATALOG
from tests.web.conftest import built_page, chromium
from tools import card_picture
from tools.drive import chrome


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One that draws letters as they are, whatever the machine's settings."""
    built_page()  # skips where there is no Node
    with chrome.launched(chromium(), card_picture.DRAWN_ALIKE) as running:
        yield running


def test_every_card_is_drawn_as_in_the_picture(browser: Browser) -> None:
    drawn, names = card_picture.draw(browser)
    assert set(names) == set(CATALOG.cards)
    assert card_picture.differing(browser, drawn, names) == {}


def test_a_card_that_is_drawn_otherwise_is_named(browser: Browser) -> None:
    """A part that is gone, one that has moved, and another colour; the cards beside them are as they were."""
    planted = {
        0: ".full header { display: none; }",
        1: ".card { padding-left: 14px; }",
        2: ".full, .card { background: #fc8; }",
    }

    def plant(page: Page) -> None:
        for tile, rule in planted.items():
            page.add_style_tag(content=f"[data-cards] .card-of:nth-child({tile + 1}) {{ {rule} }}")

    drawn, names = card_picture.draw(browser, plant)
    found = card_picture.differing(browser, drawn, names)
    assert found is not None
    assert set(found) == {names[tile] for tile in planted}

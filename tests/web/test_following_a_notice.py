"""A notice leads to the offer it tells of: one tap, and it is in front of the reader."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tools.drive.person import Visitors
from tools.drive.together import GIVES, TAKES, offer, picks, sends, sit_down


@pytest.mark.parametrize("width", [1400, 390])
def test_the_link_of_a_notice_opens_and_focuses_its_offer(visitors: Visitors, width: int) -> None:
    anna, bela = sit_down(visitors)
    picks(anna, TAKES, "ship")
    picks(anna, GIVES, "green")
    sends(anna)
    expect(offer(bela, GIVES)).to_be_visible()
    page = bela.page
    address = page.url.partition("#")[0]
    name = page.evaluate(  # Anna's; bots may have offered something too
        """async (at) => Object.values((await (await fetch(at)).json()).view.deals)
          .find(({ proposer }) => proposer === 0).id""",
        "/api/tables/" + address.rpartition("/")[2],
    )
    page.goto("about:blank")
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{address}#offer={name}")
    expect(page.locator("article.offer:focus")).to_be_visible()
    expect(page.locator("article.offer:focus")).to_be_in_viewport()
    assert page.url == address, "the link is used once"
    page.goto("about:blank")
    page.goto(f"{address}#offer=none")
    bela.sees("That offer is no longer on the table.")

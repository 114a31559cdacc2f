"""A connection that is lost comes back by itself, and nothing of a deal is lost with it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tools.drive.person import Visitors
from tools.drive.server import Served
from tools.drive.together import GIVES, TAKES, accepts, composer, has, offer, picks, sends, sit_down, stock

# The page fetches the screens of later steps when it has time; one that was cut off in this is loaded anew.
ALL_FETCHED = """() => ["js", "css"].every((kind) =>
  performance.getEntriesByType("resource").some(({ name }) => new RegExp(`/Theft-.*${kind}$`).test(name)))"""


def test_a_server_that_is_killed_in_the_middle_of_a_deal_loses_nothing(
    visitors: Visitors, served: Served
) -> None:
    anna, bela = sit_down(visitors)
    green = stock(bela, TAKES, "green")
    picks(anna, TAKES, "ship")
    picks(anna, GIVES, "green")
    sends(anna)
    expect(offer(bela, GIVES)).to_be_visible()
    # Bela is about to answer, Anna is writing another offer.
    picks(anna, TAKES, "brown")
    for person in (anna, bela):
        person.page.wait_for_function(ALL_FETCHED)
    port = served.port
    served.kill()
    for person in (anna, bela):
        person.sees("Connection lost")
    served.arguments = (*served.arguments, "--port", str(port))
    served.start()
    assert served.port == port
    for person in (anna, bela):
        expect(person.page.get_by_text("Connection lost")).to_be_hidden()
    expect(anna.button(re.compile("One brown (less|more)"), composer(anna)).first).to_be_visible()
    accepts(bela, GIVES)
    for person in (anna, bela):
        has(person, TAKES, green + 1, "green")

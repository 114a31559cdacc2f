"""Promises in the page: what can be done must be, whom to serve is the debtor's to say, ties as agreed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from elysian.actions import AcceptDeal, ProposeDeal
from elysian.deals import Deed, Forbear, Give, NoBid, Pledge, Undertake
from elysian.deck import CATALOG
from elysian.goods import Goods
from tests.support.table import seat_of
from tests.support.web.tales import Tale, both, can_invent, invention
from tools.drive.person import PHONE, Person, Visitors
from tools.drive.together import has

SPECIES = "kit", "yengii", "caylion", "zeth"
RICH = "caylion", "zeth"


@pytest.fixture(params=["desk", "phone"])
def phone(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "phone")


def sits(visitors: Visitors, tale: Tale, phone: bool) -> tuple[Person, Person]:
    anna, bela = both(visitors, tale)
    if phone:
        anna.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        expect(anna.page.get_by_role("navigation", name="Parts of the table")).to_be_visible()
    return anna, bela


def bar(person: Person) -> Locator:
    return person.page.get_by_role("contentinfo", name="What can be done now")


def promises(tale: Tale, by: str, to: str, clause: Undertake | Pledge | Forbear) -> Tale:
    parties = seat_of(tale.state, by), seat_of(tale.state, to)
    tale.does(by, ProposeDeal(parties=parties, clauses=(clause,)))
    return tale.does(to, AcceptDeal(deal=f"d{tale.state.made}"))


def test_a_deed_that_is_open_is_done_in_one_tap_before_done(visitors: Visitors, phone: bool) -> None:
    """TRADE-10, D-81: the bar names the promise, offers the deed, and Done says why not yet."""
    tale = Tale(*SPECIES, fits=can_invent("kit", *RICH)).endows("kit", *RICH)
    invents = invention(tale.state, "kit")
    assert invents is not None
    research = CATALOG.cards[invents.card].research
    assert research is not None
    assert research.technology is not None
    kit, yengii = seat_of(tale.state, "kit"), seat_of(tale.state, "yengii")
    deed = Deed(who=kit, verb="invent", subject=research.technology)
    promises(tale, "kit", "yengii", Undertake(to=yengii, deed=deed, turn=1, by="trade"))
    anna, _ = sits(visitors, tale, phone)
    done = anna.button("Done trading", bar(anna))
    expect(done).to_have_attribute("aria-disabled", "true")
    expect(done).to_have_attribute("title", re.compile("^You can keep your word now, so you must"))
    expect(bar(anna).get_by_role("status")).to_contain_text("You promised Yengii: you invent")
    anna.button(re.compile("^Keep your word"), bar(anna)).click()
    expect(anna.button(re.compile("^Keep your word"), bar(anna))).to_have_count(0)
    expect(done).not_to_have_attribute("aria-disabled", "true")
    assert anna.fits()


def test_a_bid_that_a_promise_bounds_says_so(visitors: Visitors, phone: bool) -> None:
    """TRADE-10: whoever promised to bid no more than that is told why there is no more."""
    tale = Tale(*SPECIES).endows("kit", *RICH)
    kit, yengii = seat_of(tale.state, "kit"), seat_of(tale.state, "yengii")
    promises(
        tale, "kit", "yengii", Forbear(who=kit, to=yengii, what=NoBid(track="colony", most=1), until=1)
    ).until("bid")
    assert tale.state.players[kit].stock.ship > 1
    anna, _ = sits(visitors, tale, phone)
    colonies = anna.page.get_by_role("region", name="Colonies", exact=True)
    expect(colonies.get_by_text("You promised to bid no more than 1 here")).to_be_visible()
    more = anna.button("One ship more for Colonies")
    more.click()
    expect(more).to_have_attribute("title", "You promised to bid no more than 1 here")
    assert anna.fits()


def test_a_phone_shows_a_new_step_from_its_beginning(visitors: Visitors) -> None:
    """BID-5: whoever bid below the fold sees the bids that are opened, and the cards to take."""
    tale = Tale(*SPECIES).endows("kit", *RICH).until("bid")
    anna, bela = sits(visitors, tale, True)
    anna.button("One ship more for Colonies").click()
    last = anna.button("One ship more for Research")
    last.scroll_into_view_if_needed()
    last.click()
    anna.button("Lock bids", bar(anna)).click()
    bela.button("Lock bids").click()
    expect(anna.button("Take a colony", bar(anna))).to_be_visible()
    expect(anna.page.get_by_role("heading", name="Taking colonies")).to_be_in_viewport()


def test_who_has_too_little_for_all_chooses_whom_to_serve(visitors: Visitors, phone: bool) -> None:
    """TRADE-12, D-83: the older promise comes first unless the debtor chooses otherwise."""
    tale = Tale(*SPECIES)
    kit = seat_of(tale.state, "kit")
    for creditor in ("caylion", "yengii"):
        give = Give(giver=kit, to=seat_of(tale.state, creditor), goods=Goods(ship=9))
        promises(tale, "kit", creditor, Pledge(what=give, due=2))
    while tale.state.turn == 1:
        tale.until("window").until("trade")
    assert kit in tale.state.serving
    ships = tale.state.players[kit].stock.ship
    theirs = tale.state.players[seat_of(tale.state, "yengii")].stock.ship
    anna, bela = sits(visitors, tale, phone)
    choice = anna.page.get_by_role("region", name="Whom to serve first")
    expect(choice.get_by_role("listitem")).to_have_count(2)
    expect(choice.get_by_role("listitem").first).to_contain_text("first, unless you choose")
    anna.button("Serve Yengii first", choice).click()
    expect(choice).to_have_count(0)
    assert anna.fits()
    has(bela, "Yengii", theirs + ships, "ship")


def test_the_german_edition_may_compare_tied_leaders_precisely(anna: Person) -> None:
    """B-29: the choice is there only with the edition it belongs to."""
    anna.arrives()
    create = anna.page.get_by_role("region", name="Create a table")
    create.get_by_text("More options").click()
    ties = create.get_by_role("group", name="Ties")
    expect(ties).to_have_count(0)
    anna.button("de2021", create.get_by_role("group", name="Rules of")).click()
    anna.button("on", ties).click()
    anna.sees(re.compile("tied leaders are compared"))
    anna.button("Create and invite").click()
    anna.page.wait_for_url(re.compile("/t/"))
    table = anna.page.url.split("/t/")[1].split("#")[0]
    told = anna.page.request.get(f"{anna.origin}/api/tables/{table}").json()
    assert told["table"]["options"]["precise_when_tied"] is True

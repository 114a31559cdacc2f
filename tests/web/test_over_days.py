"""A game over days, on a phone: what is laid down is done while one is away, and read on return."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.support.server.orders import struck
from tools.drive.person import DESK, PHONE, Person, Visitors
from tools.drive.server import Browser
from tools.drive.waiting import until

SPECIES = ("caylion", "kjas", "unity", "zeth")
SEAT = 1


def slow_table(visitors: Visitors) -> tuple[str, list[Browser]]:
    """Four people at a table whose steps last days."""
    people = [Browser(visitors.served, name) for name in ("Anna", "Bela", "Cleo", "Dora")]
    table = people[0].open(seats=4, pace="async", clock={"trade": 86_400, "step": 86_400})
    for person in people[1:]:
        assert person.join(table).status == 200
    for person, species in zip(people, SPECIES, strict=True):
        assert person.do(table, {"kind": "choose_species", "species": species}).status == 200
    assert people[0].do(table, {"kind": "start_game"}).status == 200
    return table, people


def before_a_window(visitors: Visitors, who: Browser, name: str, size: Any = PHONE) -> Person:
    """The same person in front of a window."""
    person = visitors.come(name, size)
    cookie: Any = {"name": "elysian", "value": who.key, "url": visitors.served.origin}
    person.page.context.add_cookies([cookie])
    return person


def test_what_is_laid_down_is_done_while_one_is_away_and_read_on_return(visitors: Visitors) -> None:
    table, people = slow_table(visitors)
    bela = before_a_window(visitors, people[SEAT], "Bela")
    bela.goes(f"/t/{table}")
    bela.button(re.compile("^Deals")).click()

    sheet = bela.composes_to_keep("ultratech", "ship")
    bela.button("Accept the like", sheet).click()
    assert bela.fits()
    bela.button("Keep it", sheet).click()
    expect(sheet).to_be_hidden()
    sheet = bela.composes_to_keep("white", "brown")
    bela.button("Offer it again", sheet).click()
    bela.button("Keep it", sheet).click()
    expect(sheet).to_be_hidden()
    bela.tab("Mine").click()
    orders = bela.page.get_by_role("region", name="Done for you")
    expect(orders.get_by_role("listitem")).to_have_count(2)
    assert bela.fits()
    bela.page.goto("about:blank")

    def offered() -> list[Any]:
        view = people[0].get(f"/api/tables/{table}").json["view"]
        return [deal for deal in view["deals"].values() if deal["proposer"] == SEAT]

    until(offered)  # the table makes a standing offer after it was laid down
    [standing] = offered()
    view = people[0].get(f"/api/tables/{table}").json["view"]
    taker = next(seat for seat in (0, 2, 3) if view["players"][seat]["stock"].get("white"))
    assert people[taker].do(table, {"kind": "accept_deal", "deal": standing["id"]}).status == 200
    giver = next(seat for seat in (0, 2, 3) if view["players"][seat]["stock"].get("ultratech"))
    clauses = [
        {"kind": "give", "giver": giver, "to": SEAT, "goods": {"ultratech": 1}},
        {"kind": "give", "giver": SEAT, "to": giver, "goods": {"ship": 1}},
    ]
    offer = {"kind": "propose_deal", "parties": [giver, SEAT], "clauses": clauses}
    assert people[giver].do(table, offer).status == 200
    until(lambda: struck(people[0], table) == 2)
    gift = [{"kind": "give", "giver": 0, "to": SEAT, "goods": {"green": 1}}]
    assert people[0].do(table, {"kind": "propose_deal", "parties": [0, SEAT], "clauses": gift}).status == 200
    said = people[0].post(f"/api/tables/{table}/say", {"id": "said-0001", "text": "Are you there, Bela?"})
    assert said.status == 200

    bela.goes(f"/t/{table}")
    report = bela.page.get_by_role("dialog", name="Since you left")
    expect(report.get_by_text("by your order")).to_have_count(2)
    expect(report.get_by_text("Are you there, Bela?")).to_be_visible()
    expect(report.get_by_role("region", name="What it changed")).to_contain_text("+1")
    assert bela.fits()
    bela.button("Look at it", report).click()
    expect(report).to_be_hidden()
    expect(bela.page.get_by_role("tab", name=re.compile("^For me"), selected=True)).to_be_visible()
    bela.page.reload()
    expect(bela.button("What you can do")).to_be_visible()
    expect(report).to_be_hidden()


def test_what_one_wants_and_has_is_seen_on_ones_row_by_everybody(visitors: Visitors) -> None:
    table, people = slow_table(visitors)
    bela = before_a_window(visitors, people[SEAT], "Bela")
    bela.goes(f"/t/{table}")
    bela.button(re.compile("^Deals")).click()
    sheet = bela.composes_to_keep("ultratech", "ship")
    bela.button("Show on my row", sheet).click()
    bela.button("Keep it", sheet).click()
    expect(sheet).to_be_hidden()

    anna = before_a_window(visitors, people[0], "Anna", DESK)
    anna.goes(f"/t/{table}")
    wants = anna.page.get_by_role("img", name=re.compile("^needs: 1 ultratech$", re.IGNORECASE))
    haves = anna.page.get_by_role("img", name=re.compile("^spare: 1 ship$", re.IGNORECASE))
    expect(wants).to_be_visible()
    expect(haves).to_be_visible()

    bela.tab("Mine").click()
    bela.button("Hide").click()
    expect(wants).to_have_count(0)

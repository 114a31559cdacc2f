"""Somebody goes away: what is done for them is what the table chose, and on return every line is told."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from elysian.deck import CATALOG
from tests.support.server.steps import ANSWERS
from tools.drive.person import PHONE, Visitors
from tools.drive.server import Browser
from tools.drive.waiting import until


def _offers_of(person: Browser, table: str, seat: int) -> list[Any]:
    """The clauses of all offers somebody has made."""
    deals = person.get(f"/api/tables/{table}").json["view"]["deals"].values()
    return [clause for deal in deals if deal["proposer"] == seat for clause in deal["clauses"]]


@pytest.mark.parametrize(("kind", "accepts"), [("clock", False), ("careful", True), ("full", True)])
def test_on_return_everything_done_for_me_is_told(visitors: Visitors, kind: str, accepts: bool) -> None:
    served = visitors.served
    host = Browser(served, "Anna")
    table = host.open(seats=4, cover=0, cover_kind=kind, bots={"2": "random", "3": "random"})
    with host.sit(table) as seat:  # from the beginning: whoever is not there is covered, the host too
        bela = visitors.come("Bela", PHONE)
        bela.goes(f"/t/{table}")
        bela.page.get_by_label("Your name").fill("Bela")
        bela.button("Sit down").click()
        expect(bela.page.get_by_role("region", name="Seats").get_by_text("Bela")).to_be_visible()
        assert seat.do("start_game")["kind"] == "accepted"
        expect(bela.button("What you can do")).to_be_visible()
        bela.page.goto("about:blank")
        while not seat.table["seats"][1]["covered"]:
            seat.next()
        stock = seat.view["players"][0]["stock"]
        one = next(good for good, n in stock.items() if n and good != "point")
        gift = {"kind": "give", "giver": 0, "to": 1, "goods": {one: 1}}
        assert seat.do("propose_deal", parties=[0, 1], clauses=[gift])["kind"] == "accepted"
        if accepts:
            # Looked for in all that came: the deal may be struck before the offer's own answer is read.
            while not any(1 in deal["parties"] for deal in seat.events("deal_struck")):
                seat.next()
        else:
            # What would close a step on the host is not done for Bela before the host is done too; trading
            # ends when one alone is left, so what is done for Bela first may be a later step's.
            while not any(done["by"] == 1 for done in seat.events("done_said")):
                if 0 in seat.view["waiting"]:
                    seat.answer(seat.send(kind="do", action=ANSWERS[seat.view["step"]]))
                else:
                    seat.next()
        species = CATALOG.species[seat.view["players"][1]["species"]]
    bela.goes(f"/t/{table}")
    report = bela.page.get_by_role("dialog", name="Since you left")
    expect(report.get_by_text("Your seat was covered.")).to_be_visible()
    done = report.get_by_role("region", name="What happened").get_by_role("listitem")
    expect(done.first).to_be_visible()
    told = done.all_inner_texts()
    assert all(species.name in one or species.short in one for one in told), told
    assert bela.fits()
    expect(report.get_by_text("comes back only if its other side agrees")).to_have_count(int(accepts))
    if kind == "careful":  # the gift is offered back, and the one who gave it may agree
        bela.button("Offer to undo it", report).click()
        expect(report).to_be_hidden()
        bela.button("Send", bela.page.get_by_role("dialog")).click()
        until(
            lambda: _offers_of(host, table, 1) == [{"kind": "give", "giver": 1, "to": 0, "goods": {one: 1}}]
        )
    else:
        bela.button("To the table", report).click()
    bela.page.reload()
    expect(bela.button("What you can do")).to_be_visible()
    expect(report).to_be_hidden()

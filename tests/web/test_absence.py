"""Somebody goes away: what is done for them is what the table chose, and on return every line is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tools.drive.person import PHONE, Visitors
from tools.drive.server import Browser


@pytest.mark.parametrize(("kind", "accepts"), [("clock", False), ("careful", True)])
def test_on_return_everything_done_for_me_is_told(visitors: Visitors, kind: str, accepts: bool) -> None:
    served = visitors.served
    host = Browser(served, "Anna")
    table = host.open(seats=4, cover=0, cover_kind=kind, bots={"2": "random", "3": "random"})
    bela = visitors.come("Bela", PHONE)
    bela.goes(f"/t/{table}")
    bela.page.get_by_label("Your name").fill("Bela")
    bela.button("Sit down").click()
    expect(bela.page.get_by_role("region", name="Seats").get_by_text("Bela")).to_be_visible()
    assert host.do(table, {"kind": "start_game"}).status == 200
    expect(bela.button("What you can do")).to_be_visible()
    bela.page.goto("about:blank")
    with host.sit(table) as seat:
        while not seat.table["seats"][1]["covered"]:
            seat.next()
        stock = seat.view["players"][0]["stock"]
        one = next(good for good, n in stock.items() if n and good != "point")
        gift = {"kind": "give", "giver": 0, "to": 1, "goods": {one: 1}}
        assert seat.do("propose_deal", parties=[0, 1], clauses=[gift])["kind"] == "accepted"
        if accepts:
            while 1 not in seat.until_event("deal_struck")["parties"]:
                pass
        else:
            # What would close trading on the host is not done for Bela before the host is done too.
            assert seat.do("done")["kind"] == "accepted"
            while seat.view["step"] == "trade" and not seat.view["players"][1]["done"]:
                seat.next()
    bela.goes(f"/t/{table}")
    report = bela.page.get_by_role("dialog", name="Since you left")
    expect(report).to_be_visible()
    assert bela.fits()
    expect(report.get_by_text("comes back only if its other side agrees")).to_have_count(int(accepts))
    bela.button("To the table", report).click()
    bela.page.reload()
    expect(bela.button("What you can do")).to_be_visible()
    expect(report).to_be_hidden()

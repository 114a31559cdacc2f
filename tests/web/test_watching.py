"""Somebody who watches sees the table and none of its secrets."""

from __future__ import annotations

import json
import re
from time import monotonic
from typing import Any

from playwright.sync_api import WebSocket, expect

from tools.drive.person import Visitors
from tools.drive.playing import moves, presses
from tools.drive.together import sit_down


def test_a_watcher_sees_the_table_and_no_secrets(visitors: Visitors) -> None:
    frames: list[dict[str, Any]] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(json.loads(frame)))

    visitors.met = lambda person: person.name == "Cleo" and person.page.on("websocket", hear)
    anna, bela, cleo = sit_down(visitors, watcher=True)
    for name in ("For me", "Mine"):
        expect(cleo.tab(name)).to_have_count(0)
    for name in ("Done trading", "What you can do", re.compile("^Send")):
        expect(cleo.button(name)).to_have_count(0)
    expect(cleo.page.get_by_role("group", name="Your offer")).to_have_count(0)
    # Up to the bids: Anna's are in, Cleo is told of nothing but that.
    deadline = monotonic() + 60
    while not anna.button("Lock bids").is_visible():
        assert monotonic() < deadline, anna.step()
        moves(anna, bids=None)
        moves(bela, bids=None)
    presses(anna.button("One ship more for Colonies"))
    anna.button("Lock bids").click()
    expect(anna.button("Change bids")).to_be_visible()
    expect(cleo.page.get_by_role("slider")).to_have_count(0)
    hidden = set()
    for told in frames:
        view = told.get("whole") or told.get("view") or {}
        assert not [name for name in ("bid", "plan", "score") if view.get(name) is not None], view
        for event in told.get("events", ()):
            if event["kind"] in ("bid_placed", "plan_laid"):
                assert not [name for name in ("colony", "research", "runs") if event.get(name) is not None]
                hidden.add(event["kind"])
    assert hidden == {"bid_placed", "plan_laid"}

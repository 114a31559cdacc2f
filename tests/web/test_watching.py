"""Somebody who watches sees the table and none of its secrets."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocket, expect

from tools.drive.person import Visitors
from tools.drive.playing import moves, presses
from tools.drive.together import sit_down
from tools.drive.waiting import Watch, until


def test_a_watcher_sees_the_table_and_no_secrets(visitors: Visitors) -> None:
    frames: list[dict[str, Any]] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(json.loads(frame)))

    visitors.met = lambda person: person.name == "Cleo" and person.page.on("websocket", hear)
    anna, bela, cleo = sit_down(visitors, watcher=True)
    for name in ("For me", "Mine"):
        expect(cleo.tab(name)).to_have_count(0)
    pressed: tuple[str | re.Pattern[str], ...] = ("Done trading", "What you can do", re.compile("^Send"))
    for button in pressed:
        expect(cleo.button(button)).to_have_count(0)
    expect(cleo.page.get_by_role("group", name="Your offer")).to_have_count(0)
    # Up to the bids: Anna's are in, Cleo is told of nothing but that.
    watch = Watch()
    while not anna.button("Lock bids").is_visible() or anna.page.get_by_role("dialog").is_visible():
        watch.sees([anna.step(), bela.step()])
        moves(anna, spares="Lock bids")
        moves(bela, spares="Lock bids")
    presses(anna.button("One ship more for Colonies"))
    anna.button("Lock bids").click()
    expect(anna.button("Change bids")).to_be_visible()
    expect(cleo.page.get_by_role("slider")).to_have_count(0)

    def told(*kinds: str) -> list[dict[str, Any]]:
        cleo.page.title()  # what came meanwhile is handed over while the page is asked for something
        events = (event for frame in frames for event in frame.get("events", ()))
        return [event for event in events if event["kind"] in kinds]

    until(lambda: told("bid_placed") and told("plan_laid"))
    for event in told("bid_placed", "plan_laid"):
        assert not [name for name in ("colony", "research", "runs") if event.get(name) is not None]
    for frame in frames:
        view = frame.get("whole") or frame.get("view") or {}
        assert not [name for name in ("bid", "plan", "score") if view.get(name) is not None], view

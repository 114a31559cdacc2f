"""Bots of mine: a token is made on the page and shown once, and a seat it takes is marked as a bot's."""

from __future__ import annotations

from playwright.sync_api import expect

from tools.drive.bots import Bot
from tools.drive.person import Visitors
from tools.drive.server import Served


def test_a_token_is_made_shown_once_and_revoked(visitors: Visitors, served: Served) -> None:
    anna = visitors.come("Anna").goes()
    page = anna.page
    opened = page.evaluate(
        "fetch('/api/tables', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({name: 'Anna', options: {open_to_bots: true}})}).then((reply) => reply.json())"
    )
    anna.button("Settings").first.click()
    page.get_by_label("Name of the bot").fill("Botty")
    anna.button("Make a token").click()
    secret = page.get_by_label("The token of Botty")
    expect(secret).to_be_visible()
    bot = Bot(served, secret.input_value())
    assert bot.join(opened["table"], version="tester 1.0").status == 200
    page.goto(f"{served.origin}/t/{opened['table']}")
    expect(page.get_by_text("Botty, bot")).to_be_visible()
    anna.button("Settings").first.click()
    expect(page.get_by_label("The token of Botty")).to_be_hidden()
    anna.button("Revoke").click()
    expect(page.get_by_text("last seen")).to_be_hidden()
    assert bot.get("/api/me").status == 401

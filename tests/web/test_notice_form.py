"""Where I am told: an address is confirmed, tried and ended on the page, against real receivers."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.server.mailbox import BELA, code_in, mailbox
from tests.support.server.receiver import receiver
from tests.web.conftest import built_page
from tools.drive.person import PHONE, Visitors
from tools.drive.server import free_port, serving
from tools.drive.waiting import PATIENCE


def test_mail_is_confirmed_tried_and_ended_on_the_page(browser: Browser, tmp_path: Path) -> None:
    with mailbox() as box:
        port = free_port()
        smtp = "--smtp", f"smtp+plain://127.0.0.1:{box.port}", "--mail-from", "table@example.com"
        arguments = (*smtp, "--port", str(port), "--page", str(built_page()))
        with serving(tmp_path, *arguments, base_url=f"http://127.0.0.1:{port}") as served:
            visitors = Visitors(browser, served)
            bela = visitors.come("Bela", PHONE).arrives()
            page = bela.page
            page.evaluate(
                "fetch('/api/me', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                " body: JSON.stringify({name: 'Bela'})})"
            )
            bela.button("Settings").first.click()
            assert bela.button("Send me a test").count() == 0, "there is nowhere to send it yet"
            page.get_by_label("E-mail address").fill(BELA)
            bela.button("Send me a code").click()
            code = page.get_by_label(f"The code that was sent to {BELA}")
            code.fill("AAAA-AAAA")
            bela.button("Confirm").click()
            bela.sees("This code is not known")
            code.fill(code_in(box.mails.get(timeout=PATIENCE).text))
            bela.button("Confirm").click()
            bela.sees(f"Mail goes to {BELA}.")
            assert bela.fits()

            bela.button("Send me a test").click()
            bela.sees("Sent; it should arrive in a moment.")
            mail = box.mails.get(timeout=PATIENCE)
            assert mail.to == [BELA]
            assert "this is how Elysian tells you" in mail.text

            box.refuses[BELA] = "550 nobody here"
            bela.button("Send me a test").click()
            bela.sees("Refused in a row: 1")

            bela.button("No more mail").click()
            expect(page.get_by_label("E-mail address")).to_be_visible()
            expect(bela.button("Send me a test")).to_be_hidden()
            assert box.mails.empty()
            visitors.leave()


def test_a_webhook_is_saved_and_tried_on_the_page(browser: Browser, tmp_path: Path) -> None:
    with receiver() as (port, posts):
        arguments = ("--webhooks", f"127.0.0.1:{port}", "--page", str(built_page()))
        with serving(tmp_path, *arguments) as served:
            visitors = Visitors(browser, served)
            bela = visitors.come("Bela").arrives()
            page = bela.page
            page.evaluate(
                "fetch('/api/me', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                " body: JSON.stringify({name: 'Bela'})})"
            )
            bela.button("Settings").first.click()
            webhook = page.get_by_label("Webhook address")
            webhook.fill("http://127.0.0.1:9/hook")
            bela.button("Save").click()
            bela.sees("Notices can only go to the addresses this server knows.")
            webhook.fill(f"http://127.0.0.1:{port}/hook")
            bela.button("Save").click()
            bela.sees("Saved.")
            bela.button("Send me a test").click()
            bela.sees("Sent; it should arrive in a moment.")
            path, _, body = posts.get(timeout=PATIENCE)
            assert path == "/hook"
            assert "this is how Elysian tells you" in json.loads(body)["content"]
            visitors.leave()

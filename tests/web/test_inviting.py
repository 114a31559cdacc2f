"""Friends in the same room: a host opens the table to the network, others come by link from their phones."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.web_command import started
from tests.web.conftest import built_page, chromium
from tools.drive import chrome
from tools.drive.person import PHONE, Person, Visitors
from tools.drive.waiting import until

NAME = "table.test"  # what a browser does not take for its own machine, as an address of the network


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chrome.launched(chromium(), f"--host-resolver-rules=MAP {NAME} 127.0.0.2") as running:
        yield running


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`elysian web` on a machine whose address in the network is 127.0.0.2."""
    built_page()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder: Path = tmp_path_factory.mktemp("home")
    named = f"http://{NAME}:{port}"
    with started(
        folder, "--no-browser", "--port", str(port), "--address", "127.0.0.2", "--base-url", named
    ) as one:
        yield one.address().rstrip("/")


class At:
    """What visitors need to know of a server."""

    def __init__(self, origin: str) -> None:
        self.origin = origin


def joins(person: Person, link: str) -> None:
    """A name and a tap."""
    person.goes(link)
    person.page.get_by_label("Your name").fill(person.name)
    person.button("Sit down").click()
    expect(person.page.get_by_role("region", name="Seats").get_by_text(person.name)).to_be_visible()


def test_three_people_on_three_devices_come_to_one_table(browser: Browser, home: str) -> None:
    visitors = Visitors(browser, At(home))  # type: ignore[arg-type]
    anna, bela, cleo = (visitors.come("Anna"), visitors.come("Bela", PHONE), visitors.come("Cleo", PHONE))
    anna.arrives()
    create = anna.page.get_by_role("region", name="Create a table")
    anna.button("4", create.get_by_role("group", name="Players")).click()
    anna.button("Create and invite").click()
    links = anna.page.locator("input[id^='invite-link']")
    expect(links).to_have_count(2)  # the address outside, and the one she is at
    anna.sees("only on this computer")
    anna.button("Let others in this network join").click()
    expect(links).to_have_count(3)
    shown = [one.input_value() for one in links.all()]
    assert shown[0].startswith(f"http://{NAME}"), "the widest comes first"
    by_network = next(one for one in shown if "127.0.0.2" in one)
    anna.button("QR code of the link").first.click()
    expect(anna.page.get_by_role("img", name="QR code of the link")).to_be_visible()

    joins(bela, by_network)
    assert bela.fits()
    joins(cleo, shown[0])
    assert not cleo.page.evaluate("isSecureContext"), "as from a phone in the network"
    cleo.sees("This page came over plain HTTP")
    cleo.button("Copy").first.click()
    cleo.sees("The link is copied.")

    anna.page.get_by_label("Bots", exact=True).select_option(label="novice")
    anna.button("Fill with bots").click()
    anna.button("Start the game").click()
    for person in (anna, bela, cleo):
        expect(person.page).to_have_title(re.compile("●"))

    def film_runs() -> object:
        cleo.page.mouse.click(5, 5)  # any touch begins it, once the table is drawn: its title may come before
        return cleo.page.evaluate("document.querySelector('video')?.paused === false")

    until(film_runs)
    visitors.leave()

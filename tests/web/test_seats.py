"""A seat is never lost: a code brings back who lost the browser; a seat is given away, or handed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.web.conftest import built_page
from tools.drive.person import PHONE, Person, Visitors
from tools.drive.server import Served, serving
from tools.drive.together import sit_down


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    flags = ("--bot-pace", "0.01", "--hand-over", "1", "--page", str(built_page()))
    with serving(tmp_path_factory.mktemp("seats"), *flags) as running:
        yield running


def opens_menu(person: Person) -> None:
    person.button(re.compile("menu", re.IGNORECASE)).first.click()


def asks_for(person: Person, seat: str) -> None:
    opens_menu(person)
    person.button(re.compile(seat)).last.click()
    person.sees("You have asked.")
    person.page.keyboard.press("Escape")


def sits(person: Person) -> None:
    """Whoever has a seat is asked to do something with it."""
    expect(person.button("What you can do")).to_be_visible()


def test_a_lost_browser_a_seat_given_away_and_one_handed_over(visitors: Visitors) -> None:
    anna, bela, cleo = sit_down(visitors, watcher=True)
    table = anna.page.url.partition("#")[0]

    opens_menu(bela)
    bela.button("You, on this and other devices").click()
    bela.button("Make a recovery code").click()
    code = bela.page.locator(".code").inner_text()
    found = visitors.come("Bela", PHONE)  # another device; the first is lost
    found.goes()
    found.page.get_by_text("I was here before").click()
    found.page.get_by_label("Recovery code").fill(code.lower())
    found.button("Come back").click()
    found.button("Come back").click()
    found.sees(re.compile("Welcome back, Bela"))
    bela.sees("Your key on this device has ended")
    found.goes(table)
    sits(found)

    asks_for(cleo, "Kjas · Bela")
    found.sees("Cleo asks for your seat.")
    found.button("Give my seat to Cleo").click()
    found.sees("You are no longer at this table.")
    sits(cleo)

    cleo.page.context.close()  # Cleo goes, too; Bela is known to Anna
    visitors.people.remove(cleo)
    found.goes(table)
    asks_for(found, "Kjas · Cleo")
    vouch = anna.button("I know them: hand it over")
    expect(vouch).to_be_visible()
    vouch.click()
    sits(found)


def test_anybody_asks_for_a_pause_in_words_and_the_host_grants_it(visitors: Visitors) -> None:
    anna, bela = sit_down(visitors)
    opens_menu(bela)
    bela.page.get_by_label("Why", exact=True).fill("The soup boils over.")
    bela.button("Ask for a pause").click()
    bela.sees("1 of 2 ask for a pause.")
    bela.page.keyboard.press("Escape")
    anna.tab("Chat").click()
    anna.sees("The soup boils over.")
    opens_menu(anna)
    anna.button("Pause").click()
    anna.page.keyboard.press("Escape")
    for person in (anna, bela):
        person.sees("The game is paused.")


def test_who_leaves_a_waiting_room_is_in_the_lobby_and_an_empty_table_is_not_listed(
    visitors: Visitors,
) -> None:
    anna, bela = visitors.come("Anna"), visitors.come("Bela", PHONE)
    anna.arrives()
    anna.button("Create and invite").click()
    link = anna.page.get_by_label("Invite by link").input_value()
    table = link.partition("/t/")[2].partition("#")[0]
    bela.goes(link)
    bela.page.get_by_label("Your name").fill("Bela")
    bela.button("Sit down").click()
    expect(bela.page.get_by_role("region", name="Seats").get_by_text("Bela")).to_be_visible()
    for person in (bela, anna):
        assert table in person.page.request.get(f"{person.origin}/api/tables").text()
        person.button("Leave").click()
        person.page.wait_for_url(re.compile(r"/$"))
        expect(person.page.get_by_role("region", name="Create a table")).to_be_visible()
    assert table not in anna.page.request.get(f"{anna.origin}/api/tables").text()

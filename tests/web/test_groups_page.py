"""A group on desk and phone: three people gather, play, and see it remembered; an outsider sees nothing."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser as Chrome
from playwright.sync_api import expect

from tests.support.server.groups import gathered, played
from tests.support.web.axe import COLOURS, LEVELS, violations
from tests.web.conftest import built_page
from tools.drive.days import DaysServed
from tools.drive.person import DESK, PHONE, Person, Visitors
from tools.drive.server import new_id
from tools.drive.waiting import until


def asks(person: Person, path: str, body: Any = None) -> Any:
    """What the server answers to somebody's own browser."""
    how = {"method": "GET"} if body is None else {"method": "POST", "data": body}
    return person.page.request.fetch(f"{person.origin}/api/{path}", headers={"Origin": person.origin}, **how)


def plays_out(host: Person, table: str, seats: int) -> None:
    """Bots play for everybody, so that the game is over before long."""

    def covered(seat: int) -> bool:
        """Not before it was heard that its person has gone."""
        action = {"kind": "cover", "seat": seat}
        return bool(asks(host, f"tables/{table}/do", {"id": new_id(), "action": action}).ok)

    for seat in reversed(range(seats)):  # the host last: who does something is back
        until(partial(covered, seat))
    until(lambda: asks(host, f"tables/{table}").json()["table"]["status"] == "over")


def test_three_people_gather_in_a_group_play_and_see_it_remembered(
    visitors: Visitors, axe: str, tmp_path: Path
) -> None:
    anna, bela, cleo = visitors.come("Anna"), visitors.come("Bela", PHONE), visitors.come("Cleo")
    mallory = visitors.come("Mallory")
    anna.arrives()
    anna.tab("Groups").click()
    anna.page.get_by_label("Name of the group").fill("<b>Friday</b>")
    anna.button("Make a group").click()
    expect(anna.page.get_by_role("heading", name="<b>Friday</b>", exact=True)).to_be_visible()
    link = anna.page.locator("#invite-link").input_value()

    for person in (bela, cleo):
        person.goes(link)
        expect(person.page.get_by_role("heading", name="You are invited to <b>Friday</b>")).to_be_visible()
        person.page.get_by_label("Your name").fill(person.name)
        person.button("Join the group").click()
        person.sees("No game of the group is over yet.")
        assert "#" not in person.page.url, "the invitation does not stay in the address"
        assert person.fits()

    anna.page.reload()
    anna.sees("3 people")
    anna.button("Open a table").click()
    sheet = anna.page.get_by_role("dialog")
    expect(anna.button("fresh", sheet)).to_have_attribute("aria-pressed", "true")
    anna.button("Create and invite").click()
    anna.page.wait_for_url(re.compile("/t/"))
    table = anna.page.url.partition("/t/")[2].partition("#")[0]

    for person in (bela, cleo):
        person.goes("/")
        person.page.get_by_role("link", name="<b>Friday</b> a table is open").click()
        person.button("Come in").click()
        person.button("Sit here").first.click()
        expect(person.page.get_by_role("region", name="Seats").get_by_text(person.name)).to_be_visible()
    anna.button("Fill with bots").click()
    anna.button("Start the game").click()
    expect(anna.page).to_have_title(re.compile("●"))
    for person in (anna, bela, cleo):
        person.goes("/")  # they go, and bots play for them
    plays_out(anna, table, 3)

    for person in (anna, bela, cleo):
        person.goes(link.partition("#")[0])
        shown = person.page.get_by_role("region", name="Evenings")
        for name in ("Anna", "Bela", "Cleo"):
            expect(shown.get_by_text(name, exact=True)).to_be_visible()
        expect(person.page.get_by_role("region", name="Head to head").first).to_be_visible()
        person.sees("Nobody has a place before ten games.")
        assert person.fits()
        person.page.screenshot(path=tmp_path / f"group-{person.name}.png", full_page=True)
    for theme, only in (("dark", COLOURS), ("light", LEVELS)):
        anna.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        assert violations(anna.page, axe, only) == []
    with bela.page.expect_download() as download:
        bela.page.get_by_role("link", name="with the records of all games").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["name"] == "<b>Friday</b>"
    assert json.loads(lines[-1])["table"] == table
    cleo.button("Look at it").click()
    cleo.page.wait_for_url(re.compile(f"/t/{table}"))
    cleo.button("Close", cleo.page.get_by_role("dialog")).first.click()  # what was done while she was away
    cleo.button("Again, species move one seat on").click()
    cleo.page.wait_for_url(re.compile(f"/t/(?!{table})"))

    assert asks(mallory, "me", {"name": "Mallory"}).ok
    for where in (link.partition("#")[0], link.partition("#")[0] + "#guessed-and-wrong-word"):
        mallory.goes("/")
        mallory.goes(where)
        expect(mallory.page.get_by_role("heading", name="This group cannot be shown")).to_be_visible()
        mallory.sees("There is no such group, or it is not for you.")
    mallory.goes(f"/t/{table}")
    expect(mallory.page.get_by_text("Friday")).to_have_count(0)

    cleo.goes(link.partition("#")[0])
    cleo.button("Leave the group").first.click()
    cleo.button("Leave the group", cleo.page.get_by_role("dialog")).click()
    cleo.page.wait_for_url(re.compile(r"/$"))
    cleo.goes(link.partition("#")[0])
    cleo.sees("There is no such group, or it is not for you.")
    anna.button("Delete the group").first.click()
    anna.button("Delete the group", anna.page.get_by_role("dialog")).click()
    anna.page.wait_for_url(re.compile(r"/$"))
    bela.goes(link.partition("#")[0])
    bela.sees("There is no such group, or it is not for you.")


def test_how_ratings_went_is_drawn_evening_by_evening_with_how_sure_it_was(
    browser: Chrome, axe: str, tmp_path: Path
) -> None:
    served = DaysServed(tmp_path, "--bot-pace", "0.01", "--page", str(built_page())).start()
    visitors = Visitors(browser, served)
    try:
        group, people = gathered(served, "Anna", "Bela", "Cleo")
        for evening in range(3):
            played(group, people if evening else people[:2])  # Cleo comes to the second
            served.passes(24)
        for size, language, sure, now in (
            (DESK, "en-GB", "How sure it was, of", "stands at"),
            (PHONE, "de-DE", "Wie sicher sie war, von", "steht bei"),
        ):
            person = visitors.come("Bela", size, language)
            cookie: Any = {"name": "elysian", "value": people[1].key, "url": served.origin}
            person.page.context.add_cookies([cookie])
            person.goes(f"/g/{group}")
            drawn = person.page.get_by_role("img", name=re.compile(now))
            expect(drawn).to_be_visible()
            told = drawn.get_attribute("aria-label") or ""
            assert [name for name in ("Anna", "Bela", "Cleo") if name in told] == ["Anna", "Bela", "Cleo"]
            assert drawn.locator("polyline").count() == 3
            whose = person.page.get_by_role("group", name=sure)
            expect(whose.get_by_role("button", name="Bela", pressed=True)).to_be_visible()
            mine = drawn.locator("polygon").get_attribute("points")
            person.button("Cleo", whose).click()
            expect(drawn.locator("polygon")).not_to_have_attribute("points", mine or "")
            evenings = len((drawn.locator("polygon").get_attribute("points") or "").split())
            assert evenings == 2 * 2, "above and below, of the two evenings Cleo played"
            assert person.fits()
            for theme in ("dark", "light"):
                person.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                assert violations(person.page, axe, COLOURS) == []
                person.page.screenshot(path=tmp_path / f"course-{language}-{theme}.png", full_page=True)
        visitors.leave()
    finally:
        served.stop()

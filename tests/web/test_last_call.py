"""Last call: a minute before the time is up it is seen, heard of and read wherever somebody looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import built_page
from tools.drive.days import SlowDaysServed
from tools.drive.person import PHONE, Person, Visitors

PARTS = ("Me", "Table", "Deals", "Tracks")
TRADE = 600  # seconds
CALLED = re.compile(r"^0:\d\d · Last call")


@pytest.fixture
def flying(tmp_path: Any) -> Iterator[SlowDaysServed]:
    """A server that asks no connection whether it is alive, for time flies there or stands."""
    served = SlowDaysServed(tmp_path, "--ping", "36000", "--page", str(built_page())).start()
    try:
        yield served
    finally:
        served.stop()


def begins(anna: Person) -> None:
    """Sit down against bots at a table with a clock, and begin."""
    anna.goes()
    table = anna.page.evaluate(
        """async (clock) => {
          const post = async (path, body) => (await fetch('/api/' + path, {method: 'POST',
            headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
          const bots = {1: 'novice', 2: 'novice', 3: 'novice'};
          const {table} = await post('tables', {name: 'Anna', options: {clock}, seat: 0, bots});
          await post(`tables/${table}/do`, {id: 'begin-0001', action: {kind: 'start_game'}});
          return table;
        }""",
        {"trade": TRADE, "step": TRADE},
    )
    anna.goes(f"/t/{table}")
    expect(anna.page.get_by_role("timer")).to_be_visible()


def test_last_call_is_seen_on_every_part_of_the_table_and_in_the_title(
    browser: Browser, flying: SlowDaysServed
) -> None:
    visitors = Visitors(browser, flying)
    anna = visitors.come("Anna", PHONE)
    begins(anna)
    page = anna.page
    assert not CALLED.match(page.title())
    flying.passes((TRADE - 59) / 3600)
    expect(page).to_have_title(CALLED)
    anna.sees("Last call: less than a minute")
    for part in PARTS:
        anna.button(re.compile(rf"\b{part}$"), page.get_by_role("navigation", name="Parts")).click()
        expect(page.get_by_role("timer")).to_be_in_viewport()
        expect(page.get_by_role("timer", name=re.compile(r"Time left: 0:\d\d"))).to_have_css(
            "color", page.evaluate(WARNING)
        )
        expect(anna.button(re.compile("more time"))).to_be_in_viewport()
        assert anna.fits()
    flying.passes(120 / 3600)
    expect(page).not_to_have_title(CALLED)
    # The next step has a clock of its own; how much of it is gone by now is the machine's affair.
    expect(page.get_by_role("timer", name=re.compile("Time left: [1-9]"))).to_be_visible()
    visitors.leave()


WARNING = """() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--warn)';
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""

"""What a page needs before trading can be ended: everything that comes later is held back."""

from __future__ import annotations

import re

from playwright.sync_api import Request, Route

from tools.drive.person import Person

NEEDED = re.compile(r"/(theme|assets/(page|table|TableScreen)-[\w-]+)\.js$")
# The words that are asked for first; those of later screens come later.
WORDS = re.compile(r"/assets/en-[\w-]+\.js$")


def plays_with_what_is_needed(person: Person) -> tuple[dict[str, int], int]:
    """Sit down to trade; the bytes of each script that was needed, as it travels, and how many were not."""
    asked: list[Request] = []
    held: list[Route] = []
    words: list[str] = []

    def lets_through(route: Route) -> None:
        url = route.request.url
        if WORDS.search(url) and (not words or words == [url]):
            words[:] = [url]
        elif not NEEDED.search(url):
            held.append(route)
            return
        route.continue_()

    person.page.route(re.compile(r"\.js$"), lets_through)
    person.page.on("requestfinished", lambda request: asked.append(request))
    person.plays_now()
    person.button("Done trading").wait_for()
    scripts = {one.url: one.sizes()["responseBodySize"] for one in asked if one.url.endswith(".js")}
    return scripts, len(held)

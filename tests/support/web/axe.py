"""What axe finds on a page: mistakes that keep somebody from using it."""

from __future__ import annotations

from playwright.sync_api import Page

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast"]


def violations(page: Page, axe: str, only: list[str] = LEVELS) -> list[str]:
    """What axe finds, each with the first place."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate(
        "(levels) => axe.run(document, { runOnly: levels, resultTypes: ['violations'] })", only
    )
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]

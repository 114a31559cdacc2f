"""Pictures of every screen of the web table, in both themes and sizes: python -m tools.web_shots [FOLDER].

A person walks through a whole game against bots on the built page. The folder, web/shots by default, is not
kept by git; the pictures of the README, in docs/pictures, are made anew on the way.
"""

from __future__ import annotations

import argparse
import base64
import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tools import build_web, web_layout
from tools.drive import chrome
from tools.drive.person import DESK, PHONE, Person, Visitors
from tools.drive.server import serving
from tools.drive.tour import tour

ROOT = Path(__file__).resolve().parent.parent
SIZES = {"desk": DESK, "phone": PHONE}
THEMES = ("light", "dark")
README = ROOT / "docs" / "pictures"
LATE = (9, 4)  # the game and the seat whose turn 5 the README shows: the Caylion, with offers to answer
ENDED = (6, 0)  # and those whose result it shows: the Kjasjavikalimm

PACKED = """async (png) => {
  const drawn = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const { width, height } = drawn;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  return canvas.toDataURL("image/webp", 0.86).split(",")[1];
}"""


def keep(page: Page, packer: Page, name: str, size: dict[str, int], theme: str) -> None:
    """One picture of the README."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)
    packed = packer.evaluate(PACKED, base64.b64encode(page.screenshot()).decode())
    (README / f"{name}.webp").write_bytes(base64.b64decode(packed))


def late(browser: Browser, packer: Page) -> None:
    """Turn 5 among nine, with offers on the table: on a desk and on a phone."""
    late = {"late": web_layout.sent(*LATE, (5, "trade"), "en")}
    for name, size, theme in (("table", DESK, "light"), ("phone", PHONE, "dark")):
        page = web_layout.opened(browser, "en", late, touch=size is PHONE)
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(f"{web_layout.ORIGIN}/dev/late")
        page.locator("footer.actions").wait_for()
        if size is PHONE:
            page.locator("nav.tabs button").nth(2).click()
        keep(page, packer, name, size, theme)
        page.context.close()


def result(browser: Browser, packer: Page) -> None:
    """How the recorded game of six ended for its first seat, with its story and what mattered."""
    page = web_layout.opened(browser, "en", web_layout.ended(*ENDED, "en", (1, 2, 3, 4, 5, 6)))
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(f"{web_layout.ORIGIN}/dev/late")
    for title in ("#picture-title", "#moments-title"):
        page.locator(title).wait_for()
    keep(page, packer, "result", DESK, "dark")
    page.context.close()


def turn_to(person: Person, part: str) -> None:
    """What a desk shows at once a phone shows in parts."""
    parts = person.page.get_by_role("navigation", name="Parts of the table")
    person.button(re.compile(part), parts).click()


def main(arguments: list[str] | None = None) -> int:
    """Take them all; exit code 1 and a sentence where there is no browser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "web" / "shots")
    folder: Path = parser.parse_args(arguments).folder
    found = chrome.program()
    if found is None:
        print("Chromium is not installed and ELYSIAN_CHROMIUM does not name one.", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    build_web.build()
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(Path(kept), "--bot-pace", "0.01", "--page", str(build_web.PAGE)) as served,
        chrome.launched(found) as browser,
    ):
        visitors = Visitors(browser, served)
        anna = visitors.come("Anna")

        def take(screen: str, size: str) -> None:
            for theme in THEMES:
                anna.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
                anna.page.screenshot(path=folder / f"{screen}-{size}-{theme}.png")

        def look(screen: str) -> None:
            for size, viewport in SIZES.items():
                anna.page.set_viewport_size(viewport)  # type: ignore[arg-type]
                if size == "phone" and screen.startswith("deals-"):
                    turn_to(anna, "Deals")
                    anna.tab(screen.removeprefix("deals-").replace("-", " ").capitalize()).click()
                take(screen, size)
                if size == "phone" and screen == "trading":
                    turn_to(anna, "Table")
                    take("table", size)
                if size == "phone" and screen.startswith(("trading", "deals-")):
                    turn_to(anna, "Me")
            anna.page.set_viewport_size(DESK)  # type: ignore[arg-type]

        tour(anna, look)
        list(web_layout.draw(browser, web_layout.share(), folder / "late"))
        list(web_layout.gallery(browser, folder / "late"))
        late(browser, browser.new_page())
        result(browser, browser.new_page())
        visitors.leave()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Pictures of every screen of the web table, in both themes and sizes: python tools/web_shots.py [FOLDER].

A person walks through a whole game against bots on the built page. The folder, web/shots by default, is not
kept by git; the few pictures of the README are chosen from it by hand.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_web  # noqa: E402

from tests.server.harness import serving  # noqa: E402
from tests.web import chrome  # noqa: E402
from tests.web.person import DESK, PHONE, Visitors  # noqa: E402
from tests.web.tour import tour  # noqa: E402

SIZES = {"desk": DESK, "phone": PHONE}
THEMES = ("light", "dark")


def main(arguments: list[str]) -> int:
    """Take them all; exit code 1 and a sentence where there is no browser."""
    found = chrome.program()
    if found is None:
        print("Chromium is not installed and ELYSIAN_CHROMIUM does not name one.", file=sys.stderr)
        return 1
    folder = Path(arguments[0]) if arguments else ROOT / "web" / "shots"
    folder.mkdir(parents=True, exist_ok=True)
    build_web.build()
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(Path(kept), "--bot-pace", "0.01", "--page", str(build_web.PAGE)) as served,
        chrome.launched(found) as browser,
    ):
        visitors = Visitors(browser, served)
        anna = visitors.come("Anna")

        def look(screen: str) -> None:
            for size, viewport in SIZES.items():
                anna.page.set_viewport_size(viewport)  # type: ignore[arg-type]
                for theme in THEMES:
                    anna.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
                    anna.page.screenshot(path=folder / f"{screen}-{size}-{theme}.png")
            anna.page.set_viewport_size(DESK)  # type: ignore[arg-type]

        tour(anna, look, seconds=600)
        visitors.leave()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

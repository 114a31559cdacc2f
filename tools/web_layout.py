"""Looks for what a late game breaks on the page: text over text, too wide, cut: python -m tools.web_layout.

Bots' games of four, six and nine seats are stopped in turns 3, 5 and 6 and laid before the real screens, as
every seat sees them, at five widths, in both themes and languages; so is every card of the catalogue.
`--share` looks at a share in which every two of these meet, as the tests do; `--shots FOLDER` keeps
pictures. No server takes part: the browser is handed the built page and the moments from here.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, Route

from elysian import record
from elysian.deals import Seat
from elysian.players.levels import LEVELS, make
from elysian.server.edge.catalog_page import printed
from elysian.server.reports.review import assembled, moments
from elysian.server.reports.review_words import told_review
from elysian.server.reports.story import steps, story
from elysian.server.table_state.events import Line
from elysian.sim import play_game
from elysian.state import Settings, State
from tools import build_web
from tools.drive import chrome
from tools.web_fixtures import moment

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "web" / "fixtures"
PAGE = FOLDER / "page"
ORIGIN = "http://127.0.0.1:9"  # nothing is asked of it: every request is answered here
PATIENCE = 120_000  # milliseconds: a busy machine draws as well
CHECK = (Path(__file__).parent / "layout_check.js").read_text(encoding="utf-8")

ONLY_CARDS = """() => {
  document.querySelectorAll("main > :not([data-cards]), main ~ *").forEach((one) => one.remove());
  document.querySelector("main").previousElementSibling.remove();
}"""

GAMES: dict[int, tuple[str, ...]] = {
    4: ("kit", "zeth", "unity", "yengii"),
    6: ("kjas", "faderan", "imdril", "eni_et", "caylion", "kit"),
    9: ("zeth", "unity", "kit", "yengii", "caylion", "eni_et", "faderan", "imdril", "kjas"),
}
MOMENTS = ((3, "trade"), (5, "trade"), (5, "bid"), (6, "plan"))
WIDTHS = {390: 844, 768: 1024, 1280: 800, 1440: 900, 1920: 1080}
TOUCHED = 768  # a phone and a tablet are touched: what a finger presses is larger there
THEMES = ("light", "dark")
LANGUAGES = ("en", "de")


class Case(NamedTuple):
    """One picture to look at."""

    seats: int
    seat: Seat
    moment: tuple[int, str]
    language: str
    width: int
    theme: str

    @property
    def name(self) -> str:
        """What a picture of it is called."""
        turn, step = self.moment
        species = GAMES[self.seats][self.seat]
        return f"{self.seats}p-turn{turn}-{step}-{species}-{self.width}-{self.theme}-{self.language}"


def every() -> list[Case]:
    """All of them."""
    return [
        Case(seats, seat, at, language, width, theme)
        for seats, species in GAMES.items()
        for seat in range(len(species))
        for at, language, width, theme in product(MOMENTS, LANGUAGES, WIDTHS, THEMES)
    ]


def share() -> list[Case]:
    """Few of them, in which every two values of two different fields meet at least once; always the same."""

    def pairs(case: Case) -> set[tuple[int, object, int, object]]:
        fields = (case.seats, GAMES[case.seats][case.seat], *case[2:])
        return {(i, fields[i], j, fields[j]) for i, j in combinations(range(len(fields)), 2)}

    met = {case: pairs(case) for case in every()}
    wanted = set().union(*met.values())
    chosen: list[Case] = []
    while wanted:
        best = max(met, key=lambda case: len(met[case] & wanted))
        chosen.append(best)
        wanted -= met.pop(best)
    return sorted(chosen)


# ---------------------------------------------------------------- games


@cache
def played(seats: int) -> record.Record:
    """A game of bots, played once and kept until the engine or the bots change."""
    kept = FOLDER / f"late-{seats}-{_engine()}.jsonl"
    if not kept.exists():
        FOLDER.mkdir(exist_ok=True)
        for old in FOLDER.glob(f"late-{seats}-*.jsonl"):
            old.unlink()
        species = GAMES[seats]
        bots = [make("standard") for _ in species]
        record.write(play_game(Settings(species=species), 7, bots, 7).record, kept)
    return record.read(kept)


@cache
def states(seats: int) -> list[tuple[State, record.RecordLine | None]]:
    """The table at its start and after every entry."""
    game = played(seats)
    return list(zip(game.states(), [None, *game.entries], strict=True))


@cache
def _engine() -> str:
    digest = hashlib.sha256()
    for path in sorted((ROOT / "elysian").rglob("*.py")):
        if "server" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def sent(seats: int, seat: Seat, at: tuple[int, str], language: str) -> bytes:
    """What this seat is sent late in that moment: in trading, when most offers lie on the table."""
    turn, step = at
    history = states(seats)
    there = [n for n, (now, _) in enumerate(history) if (now.turn, now.step) == (turn, step)]
    n = max(there, key=lambda n: (seat not in history[n][0].done, len(history[n][0].deals)))
    return msgspec.json.encode(moment(history[: n + 1], language, seat))


@cache
def ended(seats: int, seat: Seat, language: str, turns: tuple[int, ...] = (5,)) -> dict[str, bytes]:
    """What this seat is sent when the game is over, with its story and a review of these turns."""
    game = played(seats)
    log = [Line(n=1, at=0, events=(game.head.started,))]
    log += [Line(n=one.n + 1, at=0, seat=one.seat, events=one.events) for one in game.entries]
    past, levels = list(steps(log)), dict.fromkeys(set(range(seats)) - {seat}, "standard")
    # A whole review takes a minute.
    found = assembled(past, seat, [one for turn in turns for one in moments(past, seat, levels, turn)])
    return {
        "late": msgspec.json.encode(moment(states(seats), language, seat)),
        "story": msgspec.json.encode(story(log)),
        "review": msgspec.json.encode(told_review(found, GAMES[seats], language)),
    }


# ---------------------------------------------------------------- the browser


def built() -> Path:
    """The page with its screens for development; built when it is not current. Raises NoPage."""
    stamp = PAGE / ".stamp"
    current = build_web.fingerprint()
    if not stamp.exists() or stamp.read_text() != current:
        build_web.install()
        with build_web.alone():
            if not stamp.exists() or stamp.read_text() != current:
                _build()
                stamp.write_text(current)
    return PAGE


def _build() -> None:
    mode = ("--mode", "layout", "--outDir", str(PAGE), "--logLevel", "error")
    if build_web.npm("run", "build", "--silent", "--", *mode).returncode:
        raise build_web.NoPage("The page could not be built; the lines above say why.")


def answers(context: BrowserContext, language: str, fixtures: dict[str, bytes]) -> None:
    """Let the browser have the page and what it asks for."""
    page = built()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0].lstrip("/")
        if path == "fixtures/catalog.json":
            route.fulfill(body=printed(language, LEVELS), content_type="application/json")
        elif path.startswith("fixtures/"):
            route.fulfill(body=fixtures[path.split("/")[1].removesuffix(".json")])
        elif path.startswith("api/"):
            told = fixtures.get(path.removeprefix("api/tables/fixture/"))
            route.fulfill(status=404, json={}) if told is None else route.fulfill(body=told)
        else:
            file = page / path
            route.fulfill(path=file if path and file.is_file() else page / "index.html")

    context.route(f"{ORIGIN}/**", answer)


def look(page: Page) -> list[str]:
    """What is wrong on the page as it stands."""
    found: list[str] = page.evaluate(CHECK)
    return found


def opened(
    browser: Browser, language: str, fixtures: dict[str, bytes], moves: bool = False, touch: bool = False
) -> Page:
    """A window in that language that is handed these moments; in it nothing moves unless it shall."""
    motion: Literal["no-preference", "reduce"] = "no-preference" if moves else "reduce"
    context = browser.new_context(locale=language, reduced_motion=motion, has_touch=touch, is_mobile=touch)
    context.set_default_timeout(PATIENCE)
    answers(context, language, fixtures)
    return context.new_page()


def draw(browser: Browser, cases: list[Case], shots: Path | None = None) -> Iterator[tuple[Case, list[str]]]:
    """Look at each; those of one moment and language without loading anew."""
    for same in sorted({(*case[:4], case.width <= TOUCHED) for case in cases}):
        seats, seat, at, language, touch = same
        page = opened(browser, language, {"late": sent(seats, seat, at, language)}, touch=touch)
        page.goto(f"{ORIGIN}/dev/late")
        for case in (one for one in cases if (*one[:4], one.width <= TOUCHED) == same):
            page.set_viewport_size({"width": case.width, "height": WIDTHS[case.width]})
            page.evaluate("theme => document.documentElement.dataset.theme = theme", case.theme)
            page.locator("footer.actions").wait_for()
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(80)
            found = []
            tabs = page.locator("nav.tabs button")
            for n in range(tabs.count() or 1):
                if tabs.count():
                    tabs.nth(n).click()
                    page.wait_for_timeout(60)
                found += [f"{one} (tab {n + 1})" if tabs.count() else one for one in look(page)]
                if shots:
                    shots.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=shots / f"{case.name}{f'-{n + 1}' if tabs.count() else ''}.png")
            if tabs.count():
                tabs.first.click()
            yield case, found
        page.context.close()


def all_cards(browser: Browser, language: str) -> Page:
    """A page with every card of the catalogue in every size, and nothing else."""
    page = opened(browser, language, {})
    page.set_viewport_size({"width": 1440, "height": 2400})
    page.goto(f"{ORIGIN}/gallery")
    page.locator("[data-cards] .full").last.wait_for(timeout=5 * PATIENCE)  # a thousand cards, all at once
    page.evaluate(ONLY_CARDS)
    page.evaluate("document.fonts.ready")
    return page


def gallery(browser: Browser, shots: Path | None = None) -> Iterator[tuple[str, list[str]]]:
    """Every card of the catalogue in every size, in both languages."""
    for language in LANGUAGES:
        page = all_cards(browser, language)
        for theme in THEMES:
            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
            page.wait_for_timeout(300)
            if shots:
                shots.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=shots / f"cards-{theme}-{language}.png")
            yield f"cards-{theme}-{language}", look(page)
        page.context.close()


def main(arguments: list[str]) -> int:
    """Say what was found; exit code 1 if anything was."""
    found = chrome.program()
    if found is None:
        print("web_layout: Chromium is not installed and ELYSIAN_CHROMIUM does not name one", file=sys.stderr)
        return 1
    shots = Path(arguments[arguments.index("--shots") + 1]) if "--shots" in arguments else None
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else ""
    cases = [case for case in (share() if "--share" in arguments else every()) if only in case.name]
    bad = 0
    with chrome.launched(found) as browser:
        seen: list[tuple[str, list[str]]] = [] if only else list(gallery(browser, shots))
        for name, faults in (*seen, *((case.name, faults) for case, faults in draw(browser, cases, shots))):
            bad += bool(faults)
            if faults:
                print(name, *faults[:12], sep="\n  ", flush=True)
    print(f"{len(cases)} pictures of late games, {bad} with faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

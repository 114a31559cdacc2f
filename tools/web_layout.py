"""Looks for what a late game breaks on the page: text over text, too wide, cut: python -m tools.web_layout.

Bots' games of four, six and nine seats are stopped in turns 3, 5 and 6 and laid before the real screens, as
every seat sees them, at five widths, in both themes and languages; so is every card of the catalogue, and
what stands beside a game (`tools.web_before`). `--only WORD` looks at what has it in its name: 4p, before.
`--share` looks at a share in which every two of these meet, as the tests do; `--shots FOLDER` keeps
pictures; `--play` plays the games anew, as the bots play today (a minute). No server takes part in late
games: the browser is handed the built page and the moments from here.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, groupby, product
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

from elysian import record
from elysian.deals import Seat
from elysian.players.levels import LEVELS, make
from elysian.server.edge.catalog_page import printed
from elysian.server.live.appraisal import worth_of
from elysian.server.protocol.messages import SeatWorth
from elysian.server.reports.review import assembled, moments
from elysian.server.reports.review_words import told_review
from elysian.server.reports.story import steps, story
from elysian.server.table_state.events import Line
from elysian.sim import play_game
from elysian.state import Settings, State
from elysian.view import view
from elysian.worth import Meaning
from elysian.worth.meaning_words import told as told_meaning
from tools import build_web, web_before
from tools.drive import chrome
from tools.web_fixtures import moment

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "web" / "late"
PAGE = ROOT / "web" / "fixtures" / "page"
ORIGIN = "http://127.0.0.1:9"  # nothing is asked of it: every request is answered here
PATIENCE = 120_000  # milliseconds: a busy machine draws as well
CHECK = (Path(__file__).parent / "layout_check.js").read_text(encoding="utf-8")

LAY = """(moment) => {
  localStorage.clear();
  dispatchEvent(new CustomEvent("lay", { detail: JSON.parse(moment) }));
}"""
LOOK = f"""async (themes) => {{
  const check = {CHECK};
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
  const drawn = async () => {{
    for (let before = -1, now = 0; before !== now; before = now) {{
      await frame();
      now = document.querySelectorAll("#app *").length;
      if (!document.querySelector("footer.actions")) now = -2;
    }}
  }};
  await document.fonts.ready;
  const tabs = [...document.querySelectorAll("nav.tabs button")];
  const found = themes.map(() => []);
  for (const tab of tabs.length ? tabs : [null]) {{
    tab?.click();
    for (const [n, theme] of themes.entries()) {{
      document.documentElement.dataset.theme = theme;
      await drawn();
      found[n].push(check());
    }}
  }}
  tabs[0]?.click();
  return found;
}}"""  # in every theme on every tab, when nothing is drawn any more
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
    """A game of bots that is kept, so that no test has to play it; raises OSError where there is none."""
    return record.load(gzip.decompress((KEPT / f"{seats}.jsonl.gz").read_bytes()))


def play_anew() -> None:
    """Play the games as the bots play today, and keep them."""
    for seats, species in GAMES.items():
        bots = [make("standard") for _ in species]
        game = play_game(Settings(species=species), 7, bots, 7).record
        (KEPT / f"{seats}.jsonl.gz").write_bytes(gzip.compress(record.dump(game), mtime=0))


@cache
def states(seats: int) -> list[tuple[State, record.RecordLine | None]]:
    """The table at its start and after every entry."""
    game = played(seats)
    return list(zip(game.states(), [None, *game.entries], strict=True))


@cache
def sent(seats: int, seat: Seat, at: tuple[int, str], language: str) -> bytes:
    """What this seat is sent late in that moment: in trading, when most offers lie before it."""
    turn, step = at
    history = states(seats)
    there = [n for n, (now, _) in enumerate(history) if (now.turn, now.step) == (turn, step)]

    def lying(n: int) -> tuple[bool, int, int]:
        now = history[n][0]
        to_me = sum(seat in deal.parties and deal.proposer != seat for deal in now.deals.values())
        return seat not in now.done, to_me, len(now.deals)

    n = max(there, key=lying)
    seen = moment(history[: n + 1], language, seat)
    return msgspec.json.encode({**seen, "worths": _worths(seats, seat, n, language)})


@cache
def _meanings(seats: int, seat: Seat, n: int) -> dict[str, Meaning | None]:
    """What each offer to this seat means to it."""
    now = states(seats)[n][0]
    return {
        deal.id: worth_of(view(now, seat), (seat,), {}, deal.clauses, deal.settles)[0][1]
        for deal in now.deals.values()
        if seat in deal.parties and deal.proposer != seat
    }


def _worths(seats: int, seat: Seat, n: int, language: str) -> dict[str, object]:
    """The same as the server tells it."""
    return {
        deal: {
            "values": [SeatWorth(seat=seat, points=None if meaning is None else round(meaning.gain, 2))],
            "means": () if meaning is None else told_meaning(meaning, GAMES[seats], language),
        }
        for deal, meaning in _meanings(seats, seat, n).items()
    }


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
    """Look at each; the page is loaded once for each language and kind of pointer."""
    for language, touch in sorted({(case.language, case.width <= TOUCHED) for case in cases}):
        alike = [one for one in cases if (one.language, one.width <= TOUCHED) == (language, touch)]
        page = opened(browser, language, {"late": sent(*alike[0][:3], language)}, touch=touch)
        pending = _asked(page)
        page.set_viewport_size({"width": alike[0].width, "height": WIDTHS[alike[0].width]})
        page.goto(f"{ORIGIN}/dev/late")
        page.locator("footer.actions").wait_for()
        fetched = set()
        for at, shown in groupby(sorted(alike), key=lambda case: case[:3]):
            page.evaluate(LAY, sent(*at, language).decode())
            if at[2] not in fetched:
                fetched.add(at[2])
                _fetches_all(page, pending)
            for width, themes in groupby(shown, key=lambda case: case.width):
                page.set_viewport_size({"width": width, "height": WIDTHS[width]})
                yield from _drawn(page, list(themes), shots)
        page.context.close()


def _drawn(page: Page, themes: list[Case], shots: Path | None) -> Iterator[tuple[Case, list[str]]]:
    """What is wrong in cases that differ in their theme alone, on every tab where there are tabs."""
    found: list[list[list[str]]] = page.evaluate(LOOK, [case.theme for case in themes])
    for case, parts in zip(themes, found, strict=True):
        many = len(parts) > 1
        if shots is not None:
            for n in range(len(parts)):
                _keep(page, case, n + 1 if many else None, shots)
        yield case, [f"{one} (tab {n})" if many else one for n, all in enumerate(parts, 1) for one in all]


def _keep(page: Page, case: Case, tab: int | None, shots: Path) -> None:
    page.evaluate("theme => document.documentElement.dataset.theme = theme", case.theme)
    if tab is not None:
        page.locator("nav.tabs button").nth(tab - 1).click()
    page.wait_for_timeout(80)
    shots.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=shots / f"{case.name}{'' if tab is None else f'-{tab}'}.png")


def _asked(page: Page) -> set[Request]:
    """What the page has asked for and not got yet."""
    pending: set[Request] = set()
    page.on("request", lambda one: pending.add(one))
    page.on("requestfinished", lambda one: pending.discard(one))
    page.on("requestfailed", lambda one: pending.discard(one))
    return pending


def _fetches_all(page: Page, pending: set[Request]) -> None:
    """Let what a step and its tabs load when they are wanted be there before anything is looked at."""
    tabs = page.locator("nav.tabs button")
    for n in range(tabs.count() or 1):
        if tabs.count():
            tabs.nth(n).click()
        page.wait_for_timeout(150)
        while pending:
            page.wait_for_timeout(50)


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


def _all_seen(
    browser: Browser, cases: list[Case], only: str, shots: Path | None
) -> Iterator[tuple[str, list[str]]]:
    if not only:
        yield from gallery(browser, shots)
    if only in ("", "before"):
        yield from web_before.draw(browser, look, LANGUAGES, WIDTHS, THEMES, TOUCHED, shots)
    for case, faults in draw(browser, cases, shots):
        yield case.name, faults


def main(arguments: list[str]) -> int:
    """Say what was found; exit code 1 if anything was."""
    if "--play" in arguments:
        play_anew()
        return 0
    found = chrome.program()
    if found is None:
        print("web_layout: Chromium is not installed and ELYSIAN_CHROMIUM does not name one", file=sys.stderr)
        return 1
    shots = Path(arguments[arguments.index("--shots") + 1]) if "--shots" in arguments else None
    only = arguments[arguments.index("--only") + 1] if "--only" in arguments else ""
    cases = [case for case in (share() if "--share" in arguments else every()) if only in case.name]
    drawn = bad = 0
    with chrome.launched(found) as browser:
        for name, faults in _all_seen(browser, cases, only, shots):
            drawn, bad = drawn + 1, bad + bool(faults)
            if faults:
                print(name, *faults[:12], sep="\n  ", flush=True)
    print(f"{drawn} pictures, {len(cases)} of them of late games; {bad} with faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

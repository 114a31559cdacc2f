"""A whole game of four over days, on three devices: nobody comes more than twice a turn.

The first two turns are played in three windows, with everything that is laid down, told and followed; the
other four by the same people through the protocol, which takes seconds instead of minutes. The end is looked
at in a window again. The server is told when a day has passed.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from queue import Empty, Queue
from typing import Any

import pytest
from playwright.sync_api import Browser as Chrome
from playwright.sync_api import Locator, expect

from elysian.deck import CATALOG
from tests.support.server.orders import struck
from tests.support.server.receiver import Post, receiver
from tests.web.conftest import built_page
from tools.drive.days import DaysServed
from tools.drive.person import DESK, PHONE, Person, Visitors
from tools.drive.server import Browser, free_port
from tools.drive.together import accepts, picks, sends
from tools.drive.waiting import until

NAMES = ("Anna", "Bela", "Cleo", "Dora")
SPECIES = ("caylion", "kjas", "imdril", "unity")
DAY = 24.0  # hours
MOST_DAYS = 40  # for one turn, before something must be wrong
SIZES = (PHONE, PHONE, DESK)
LINK = re.compile(r"http://\S+")


class Player:
    """Somebody who looks in now and then: at a window, or through the protocol."""

    def __init__(self, game: Game, seat: int, window: Person | None) -> None:
        self.game, self.seat = game, seat
        self.who = Browser(game.served, NAMES[seat])
        self.visits: Counter[int] = Counter()  # by turn
        self.notices: Queue[str] = Queue()
        self._window = window
        if window is not None:
            cookie: Any = {"name": "elysian", "value": self.who.key, "url": game.served.origin}
            window.page.context.add_cookies([cookie])

    @property
    def window(self) -> Person:
        assert self._window is not None
        return self._window

    def looks_in(self, link: str = "") -> None:
        """Come to the table, by a link or by oneself."""
        self.visits[self.game.view["turn"]] += 1
        if self._window is not None:
            self.window.goes(link or f"/t/{self.game.table}")

    def leaves(self) -> None:
        """Close the page, and nobody sees one here any more."""
        self.window.page.remove_locator_handler(self.report)
        self.window.page.goto("about:blank")
        until(lambda: self.seat not in self.game.seen()["here"]["here"])

    @property
    def report(self) -> Locator:
        """What happened since one left."""
        return self.window.page.get_by_role("dialog", name="Since you left")

    def arrives(self) -> None:
        """Look in for the first time; what others offered before is told, and put aside."""
        self.looks_in()
        self.window.page.add_locator_handler(
            self.report, lambda: self.window.button("To the table", self.report).click(), times=1
        )

    def asked_to(self, *words: str) -> str:
        """Wait for a notice that says all this; the link in it."""
        while True:
            note = self.game.told(self.seat)
            if all(word in note for word in words):
                return LINK.findall(note)[-1]

    # ------------------------------------------------------------ what is laid down

    def at_deals(self) -> Person:
        """Go to one's own part of the deals."""
        window = self.window
        if window.page.viewport_size == PHONE:
            window.button(re.compile("Deals$")).click()  # with how many wait
        return window

    def keeps(self, how: str, wants: str, gives: str) -> None:
        """Keep a swap with anyone as a standing offer or as a rule."""
        window = self.at_deals()
        sheet = window.composes_to_keep(wants, gives)
        window.button(how, sheet).click()
        window.button("Keep it", sheet).click()
        expect(sheet).to_be_hidden()

    def lays_the_rest(self, ships: int) -> None:
        """Let the rest of this turn be done: the plan as it is ticked, a bid, and the first card left."""
        window = self.at_deals()
        window.tab("Mine").click()
        orders = window.page.get_by_role("region", name="Done for you")
        window.button("Finish this turn for me", orders).click()
        orders.get_by_label("Bid for me too").check()
        orders.get_by_label("Ships for a colony").select_option(str(ships))
        for card in filter(None, self.game.view["colony_track"]):
            window.button(CATALOG.cards[card].front.name, orders).click()
        window.button(re.compile("^Finish turn"), orders).click()
        expect(orders.get_by_text(re.compile(r"turn \d is finished for you"))).to_be_visible()
        assert window.fits()

    def lays_by_protocol(self) -> None:
        """The same, without a window."""
        self.looks_in() if self._window is None else self.visits.update([self.game.view["turn"]])
        view = self.game.seen(self.seat)["view"]
        order: dict[str, Any] = {"kind": "turn_ahead", "turn": view["turn"]}
        if view["turn"] < 6:
            order["bid"] = {"kind": "place_bid", "colony": 1}
            order["picks"] = [card for card in view["colony_track"] if card]
        self.game.does(self.seat, {"kind": "lay_plan", "runs": [], "ready": False})
        self.game.does(self.seat, {"kind": "place_order", "order": order})


class Game:
    """The table, its people, and where they are told."""

    def __init__(self, served: DaysServed, visitors: Visitors, posts: Queue[Post], port: int) -> None:
        self.served, self.posts = served, posts
        self.people = [
            Player(self, seat, visitors.come(NAMES[seat], SIZES[seat]) if seat < len(SIZES) else None)
            for seat in range(4)
        ]
        host = self.people[0].who
        clock = {"trade": int(3600 * DAY), "step": int(3600 * DAY)}
        self.table = host.open(seats=4, title="Slowly", pace="async", clock=clock)
        for person in self.people[1:]:
            assert person.who.join(self.table).status == 200
        for person, species in zip(self.people, SPECIES, strict=True):
            self.does(person.seat, {"kind": "choose_species", "species": species})
            hook = {"webhook": f"http://127.0.0.1:{port}/{person.seat}", "language": "en"}
            assert person.who.ask("PUT", "/api/me/notices", hook).status == 200
        self.does(0, {"kind": "start_game"})

    def seen(self, seat: int = 0) -> Any:
        """The table as somebody sees it."""
        return self.people[seat].who.get(f"/api/tables/{self.table}").json

    @property
    def view(self) -> Any:
        return self.seen()["view"]

    def is_past(self, turn: int) -> bool:
        """Whether a turn is over, or the game."""
        now = self.seen()
        return bool(now["view"]["turn"] > turn or now["table"]["status"] == "over")

    def ends(self, turn: int) -> None:
        """Days go by until a turn is over; what nobody laid down or came for, the clock decides."""
        for _ in range(MOST_DAYS):
            self.served.passes(DAY + 1)
            if self.is_past(turn):
                return
        raise AssertionError(f"turn {turn} does not end: {self.view['step']}")

    def does(self, seat: int, action: dict[str, Any]) -> None:
        answer = self.people[seat].who.do(self.table, action)
        assert answer.status == 200, answer.json

    def told(self, seat: int) -> str:
        """The next notice for somebody, however long it is in coming there."""
        notes = self.people[seat].notices
        while True:
            try:
                path, _, body = self.posts.get(timeout=0.2)
                self.people[int(path.removeprefix("/"))].notices.put(json.loads(body)["content"])
            except Empty:
                if not notes.qsize():
                    self.served.passes(0.25)  # they come gathered, some minutes apart
            if notes.qsize():
                return notes.get()

    def waits_for_deals(self, n: int) -> None:
        """Wait until so many deals were struck."""
        host = self.people[0].who
        until(lambda: struck(host, self.table) == n, lambda: f"{self.view['deals']} {self.seen(1)['table']}")

    def lines(self) -> list[Any]:
        """The whole log as the host may see it."""
        lines: list[Any] = []
        more = True
        while more:
            page = self.people[0].who.get(f"/api/tables/{self.table}/log?since={len(lines)}").json
            lines += page["lines"]
            more = page["more"]
        return lines


@pytest.fixture
def game(browser: Chrome, tmp_path: Any) -> Iterator[Game]:
    port = free_port()  # its address stands in the links of notices, and must be known before it starts
    with receiver() as (hook, posts):
        arguments = ("--port", str(port), "--gather", "0.2", "--webhooks", f"127.0.0.1:{hook}")
        served = DaysServed(
            tmp_path, *arguments, "--page", str(built_page()), base_url=f"http://127.0.0.1:{port}"
        ).start()
        visitors = Visitors(browser, served)
        try:
            yield Game(served, visitors, posts, hook)
            visitors.leave()
        finally:
            served.stop()


@pytest.mark.skipif(os.name == "nt", reason="the server is stopped by a signal")
def test_a_game_over_days_needs_two_visits_a_turn_on_three_devices(game: Game) -> None:
    anna, bela, cleo, dora = game.people

    # The first day: Anna and Bela lay something down and go; Cleo comes and finds it.
    anna.arrives()
    anna.keeps("Offer it again", wants="blue", gives="white")
    anna.lays_the_rest(1)
    anna.leaves()
    bela.arrives()
    bela.keeps("Accept the like", wants="ultratech", gives="ship")
    bela.lays_the_rest(2)
    bela.leaves()
    cleo.arrives()
    accepts(cleo.window, "Caylion", "Market")
    game.waits_for_deals(1)
    for of, wants, gives in (("Kjas", "ship", "ultratech"), ("Caylion", "brown", "yellow")):
        picks(cleo.window, of, wants)
        picks(cleo.window, "Im'dril", gives)
        sends(cleo.window)
    game.waits_for_deals(2)
    cleo.lays_the_rest(2)
    cleo.leaves()
    dora.lays_by_protocol()

    # Anna is told of the offer she has no rule for, and comes a second time by the link in the notice: the
    # offer lies before her, and what else happened is told when she has answered it.
    link = anna.asked_to("Im'dril", "#offer=")
    anna.looks_in(link)
    expect(anna.window.page.locator("article.offer:focus")).to_be_visible()
    expect(anna.report).to_be_hidden()
    accepts(anna.window, "Im'dril")
    game.waits_for_deals(3)
    expect(anna.report.get_by_text("by your order")).to_be_visible()
    anna.leaves()

    # A day later nobody has come again, and the second turn has begun: all of it was laid down.
    game.served.passes(DAY + 1)
    until(lambda: game.view["turn"] == 2)
    done = [event["kind"] for line in game.lines() for event in line["events"]]
    assert done.count("bid_placed") == 4
    assert "bids_revealed" in done

    # The second turn: everybody follows the notice that it is their move, once.
    for person in (anna, bela, cleo):
        person.looks_in(person.asked_to("your move", f"/t/{game.table}"))
        report = person.report
        expect(report.get_by_text("What you laid down was carried out.")).to_be_visible()
        assert person.window.fits()
        person.window.button("To the table", report).click()
        person.lays_the_rest(1)
        person.leaves()
    dora.lays_by_protocol()

    # The rest through the protocol.
    for turn in range(2, 7):
        game.ends(turn)
        if turn < 6:
            for person in game.people:
                person.lays_by_protocol()
    assert game.seen()["table"]["status"] == "over"
    assert max(one.visits[turn] for one in game.people for turn in range(1, 7)) == 2

    # The end is told, too, and the link leads to the result.
    cleo.looks_in(cleo.asked_to("wins"))
    expect(cleo.window.page.get_by_role("heading", name=re.compile("wins|won|Result"))).to_be_visible()

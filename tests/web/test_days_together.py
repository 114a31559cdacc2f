"""A whole game of four over days, on three devices: everybody comes twice a turn, and nobody more often.

In every turn that is played in windows a standing offer and a rule are struck while their people are away, an
offer waits for somebody, notices of all that are followed, and the rest of the turn is laid down. `make days`
plays all six turns so; every other run the first and the last turns, and those between through the protocol,
which takes seconds instead of minutes. The server is told when a day has passed.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from queue import Empty, Queue
from typing import Any

import pytest
from playwright.sync_api import Browser as Chrome
from playwright.sync_api import Locator, expect

from elysian.deck import CATALOG
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
LOOK = 2.0  # hours after which it is looked whether a turn is over
EVENING = 6.0  # after the first visits
MOST_DAYS = 40  # for one turn, before something must be wrong
SIZES = (PHONE, PHONE, DESK)
LINK = re.compile(r"http://\S+")
TURNS = range(1, 7)
LAST = 6
IN_WINDOWS = {1, 2, LAST} if os.environ.get("ELYSIAN_DAYS") != "all" else set(TURNS)
GOODS = ("green", "white", "brown", "black", "blue", "yellow", "ultratech", "ship")


# What Cleo gives and gets: by Anna's standing offer, by Bela's rule, and by an offer Anna is asked for.
Swaps = tuple[tuple[str, str], tuple[str, str], tuple[str, str]]


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

    def comes_for(self, turn: int) -> None:
        """The first visit of a turn: by oneself to the first, to the others by the notice of one's move."""
        if turn == 1:
            self.arrives()
            return
        self.looks_in(self.asked_to("your move", f"/t/{self.game.table}"))
        if turn - 1 in IN_WINDOWS:
            expect(self.report.get_by_text("What you laid down was carried out.")).to_be_visible()
        assert self.window.fits()
        self.reads_on()

    def comes_again(self, link: str, told: str) -> None:
        """The second visit: follow a notice, and read in the report of it."""
        self.looks_in(link)
        expect(self.report.get_by_text(told).first).to_be_visible()
        assert self.window.fits()
        self.reads_on()
        self.leaves()

    def reads_on(self) -> None:
        """Close the report."""
        self.window.button("To the table", self.report).click()
        expect(self.report).to_be_hidden()

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
        view = self.game.view
        if view["turn"] < LAST:
            orders.get_by_label("Bid for me too").check()
            orders.get_by_label("Ships for a colony").select_option(str(ships))
            for name in {CATALOG.cards[card].front.name for card in view["colony_track"] if card}:
                window.button(name, orders).first.click()
        window.button(re.compile("^Finish turn"), orders).click()
        expect(orders.get_by_text(f"turn {view['turn']} is finished for you")).to_be_visible()
        assert window.fits()

    def lays_by_protocol(self) -> None:
        """The same, without a window."""
        self.looks_in() if self._window is None else self.visits.update([self.game.view["turn"]])
        view = self.game.seen(self.seat)["view"]
        order: dict[str, Any] = {"kind": "turn_ahead", "turn": view["turn"]}
        if view["turn"] < LAST:
            order["bid"] = {"kind": "place_bid", "colony": 1}
            order["picks"] = [card for card in view["colony_track"] if card]
        self.game.does(self.seat, {"kind": "lay_plan", "runs": [], "ready": False})
        self.game.does(self.seat, {"kind": "place_order", "order": order})


class Game:
    """The table, its people, and where they are told."""

    def __init__(self, served: DaysServed, visitors: Visitors, posts: Queue[Post], port: int) -> None:
        self.served, self.posts = served, posts
        self.deals = 0  # struck so far
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
        for _ in range(int(MOST_DAYS * DAY / LOOK)):
            self.served.passes(LOOK)  # so that little of the next turn has gone by
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
        """Wait until so many more deals were struck than were expected before."""
        self.deals += n
        until(lambda: self.kinds().count("deal_struck") == self.deals, lambda: f"{self.view['deals']}")

    def kinds(self) -> list[str]:
        """Of everything that happened so far, what kind it was."""
        return [event["kind"] for line in self.lines() for event in line["events"]]

    def swaps(self) -> Swaps:
        """Three swaps that can be made at once, one after the other, whoever has what this time."""
        stocks = [{good: player["stock"].get(good, 0) for good in GOODS} for player in self.view["players"]]
        anna, bela, cleo = (Counter(stock) for stock in stocks[:3])
        for offered, rule, asked in itertools.product(permutations(GOODS, 2), repeat=3):
            gives = Counter({offered[0]: 1}) + Counter({rule[0]: 1}) + Counter({asked[0]: 1})
            hers = Counter({offered[1]: 1}) + Counter({asked[1]: 1})
            if gives <= cleo and hers <= anna and bela[rule[1]] and rule != offered[::-1]:
                return offered, rule, asked
        raise AssertionError(f"nobody has anything: {stocks}")

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
    for turn in TURNS:
        if turn in IN_WINDOWS:
            plays_in_windows(game, turn)
        else:
            for person in (anna, bela, cleo):
                person.lays_by_protocol()
        dora.lays_by_protocol()
        before = game.kinds().count("bid_placed")
        game.ends(turn)
        if turn < LAST:
            assert game.kinds().count("bid_placed") == before + 4, "as all of it was laid down"
    assert game.seen()["table"]["status"] == "over"
    for turn in TURNS:
        visits = [one.visits[turn] for one in (anna, bela, cleo)]
        assert visits == ([2, 2, 2] if turn in IN_WINDOWS else [1, 1, 1])

    # The end is told, too, and the link leads to the result.
    for person in (anna, bela, cleo):
        person.looks_in(person.asked_to("wins"))
        expect(person.window.page.get_by_role("heading", name=re.compile("wins|won|Result"))).to_be_visible()
        assert person.window.fits()


def plays_in_windows(game: Game, turn: int) -> None:
    """A turn of three people who come twice, each time for a while, and are never there together."""
    anna, bela, cleo, _ = game.people
    offered, rule, asked = game.swaps()

    # The first visits: Anna and Bela lay something down and go; Cleo comes and finds it.
    anna.comes_for(turn)
    anna.keeps("Offer it again", wants=offered[0], gives=offered[1])
    anna.lays_the_rest(1)
    anna.leaves()
    bela.comes_for(turn)
    bela.keeps("Accept the like", wants=rule[0], gives=rule[1])
    bela.lays_the_rest(2)
    bela.leaves()
    cleo.comes_for(turn)
    accepts(cleo.window, "Caylion", "Market")
    game.waits_for_deals(1)
    for of, (gives, wants) in (("Kjas", rule), ("Caylion", asked)):
        picks(cleo.window, of, wants)
        picks(cleo.window, "Im'dril", gives)
        sends(cleo.window)
        if of == "Kjas":
            game.waits_for_deals(1)
    cleo.lays_the_rest(2)
    cleo.leaves()

    # In the evening Anna is told of the offer she has no rule for, and comes a second time by the link in the
    # notice: the offer lies before her, and what else happened is told when she has answered it.
    game.served.passes(EVENING)
    link = anna.asked_to("Im'dril", "#offer=")
    anna.looks_in(link)
    expect(anna.window.page.locator("article.offer:focus")).to_be_visible()
    expect(anna.report).to_be_hidden()
    accepts(anna.window, "Im'dril")
    game.waits_for_deals(1)
    expect(anna.report.get_by_text("by your order")).to_be_visible()
    anna.leaves()

    # Bela is told that her rule was used, Cleo that her offer was taken; they look at it.
    game.served.passes(1)
    bela.comes_again(bela.asked_to("Im'dril"), "by your order")
    cleo.comes_again(cleo.asked_to("Caylion"), "Caylion")

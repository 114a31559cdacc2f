"""Two games that differ in one seat's secrets: everybody else is sent the same bytes, and so is the log."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from elysian.deck import CATALOG
from elysian.options import options
from elysian.players.trader.company import Company
from elysian.record import FORMAT, Head, Record, dump
from elysian.rules import begin
from elysian.rules.setup import start
from elysian.server.background.bot_mind import choose
from elysian.server.protocol.messages import table_view
from elysian.server.table_state.actions import StartGame
from elysian.server.table_state.decide import Asker, Circumstances, decide_table
from elysian.server.table_state.events import PlayBegan, Shuffled, TableOpened
from elysian.server.table_state.state import Chair, Lobby, evolve_table, opened
from elysian.server.table_state.table_options import TableOptions
from elysian.state import Settings
from elysian.view import view
from tests.support.server.steps import reach
from tools.drive.server import NAMES, Browser, Served, full_table

SPECIES = tuple(CATALOG.species)[:4]
Act = Callable[["World", bool], None]  # in the one world or in the other


def record(deck: bool) -> str:
    """A game that has just begun, with private offers; in the other world the decks lie in another order."""
    started = start(Settings(species=SPECIES, private_offers=True), "secrets")
    if deck:
        turned = {name: _turned(getattr(started, name)) for name in ("colonies", "research", "relics")}
        started = replace(started, **turned)
    # In neither world is it what the seed deals: that would be told.
    return dump(Record(Head(format=FORMAT, seed="another", started=started), [])).decode()


def _turned(deck: tuple[str, ...]) -> tuple[str, ...]:
    """The same cards; the open one stays on top, the order below is another."""
    return (*deck[:1], *reversed(deck[1:])) if isinstance(deck, tuple) else deck


class World:
    """A table with four people and a watcher, all of them listening from the first line."""

    def __init__(self, served: Served, deck: bool = False) -> None:
        self.served = served
        self.logged = len(served.log())
        self.people = [Browser(served, name) for name in NAMES[:4]]
        opened = self.people[0].post("/api/tables", {"from": {"record": record(deck)}})
        assert opened.status == 200, opened.raw
        self.table, self.invitation = opened.json["table"], opened.json["invitation"]
        for person in self.people[1:]:
            assert person.join(self.table).status == 200
        assert self.people[0].do(self.table, {"kind": "start_game"}).status == 200
        self.seats = [person.sit(self.table, since=0) for person in self.people]
        self.people.append(Browser(served))
        self.seats.append(self.people[-1].sit(self.table, since=0))
        for seat in self.seats:
            seat.until("presence", watching=1)

    def do(self, seat: int, action: dict[str, Any]) -> dict[str, Any]:
        """Somebody asks for something, and everybody has heard of it."""
        answer = self.seats[seat].answer(self.seats[seat].send(kind="do", action=action))
        self.gather()
        return answer

    def gather(self) -> None:
        last = self.people[0].get(f"/api/tables/{self.table}").json["n"]
        for seat in self.seats:
            seat.up_to(last)

    def probe(self, knows: frozenset[int]) -> None:
        """Whoever knows nothing tries to learn something: by asking, and by what is refused."""
        tries: list[dict[str, Any]] = [
            {"kind": "accept_deal", "deal": "d1"},
            {"kind": "decline_deal", "deal": "d1"},
            {"kind": "place_bid", "colony": 999},
            {"kind": "lay_plan", "runs": [{"card": "no card"}]},
            {"kind": "release", "obligation": "d1.1"},
        ]
        for place, seat in enumerate(self.seats):
            if place in knows:
                continue
            for action in tries:
                assert seat.answer(seat.send(kind="do", action=action))["kind"] == "refused"
            for ask in ({"what": "options", "refused": True}, {"what": "terms", "deal": "d1"}):
                seat.answer(seat.send(kind="ask", **ask))

    def told(self, knows: frozenset[int]) -> dict[str, str]:
        """All that reached those who know nothing, over sockets and HTTP, and the log."""
        self.probe(knows)
        paths = (
            "",
            "/log?since=0",
            "/options?refused=true",
            "/record",
            "/socket",
            "/stream?since=0&seconds=0",
        )
        found = {}
        for place, (person, seat) in enumerate(zip(self.people, self.seats, strict=True)):
            if place in knows:
                continue
            found[f"frames of {place}"] = json.dumps(seat.messages)
            for path in paths:
                reply = person.get(f"/api/tables/{self.table}{path}")
                found[f"{path} for {place}"] = f"{reply.status} {sorted(reply.headers.items())} {reply.raw!r}"
            mine = [one for one in person.get("/api/tables").json if one["table"] == self.table]
            needed = person.get("/api/stream?view=true&seconds=0")
            found[f"needs of {place}"] = f"{needed.status} {needed.raw!r}"
            found[f"listing for {place}"] = json.dumps([mine, person.get("/api/me").json])
        found["log"] = self.served.log()[self.logged :]
        return {name: self._plain(text) for name, text in found.items()}

    def _plain(self, text: str) -> str:
        """Without what differs by the name of the table, the ids and the time; every sign keeps its place."""
        text = text.replace(self.table, "T" * len(self.table))
        text = text.replace(self.invitation, "I" * len(self.invitation))
        text = re.sub(r"id-\d+-\d+", lambda found: "#" * len(found[0]), text)
        return re.sub(r'("(?:at|now)": ?)\d[\d.]*', r"\g<1>0", text)

    def close(self) -> None:
        for seat in self.seats:
            seat.close()


# ---------------------------------------------------------------- secrets


def _bids(world: World, other: bool) -> None:
    reach(world.seats[:4], "bid")
    ships = world.seats[0].view["players"][0]["stock"].get("ship", 0)
    if other:
        assert world.do(0, {"kind": "place_bid", "colony": 9999})["kind"] == "refused"
    assert world.do(0, {"kind": "place_bid", "colony": 0 if other else ships})["kind"] == "accepted"
    assert world.do(0, {"kind": "place_bid", "research": ships if other else 0})["kind"] == "accepted"
    assert world.do(1, {"kind": "place_bid"})["kind"] == "accepted"


def _plan(world: World, other: bool) -> list[dict[str, Any]]:
    """One of the seat's own plans, or none at all."""
    asked = world.seats[0].answer(world.seats[0].send(kind="ask", what="options"))
    plans = [c["action"]["runs"] for c in asked["options"]["choices"] if c["action"]["kind"] == "lay_plan"]
    return [] if other else max(plans, key=len, default=[])


def _saved_plans(world: World, other: bool) -> None:
    card = next(iter(world.seats[0].view["players"][0]["cards"]))
    runs = [] if other else [{"card": card}]
    assert world.do(0, {"kind": "lay_plan", "runs": runs, "ready": False})["kind"] == "accepted"


def _laid_plans(world: World, other: bool) -> None:
    reach(world.seats[:4], "plan")
    runs = _plan(world, other)
    assert bool(runs) != other
    assert world.do(0, {"kind": "lay_plan", "runs": runs})["kind"] == "accepted"


def _private_offers(world: World, other: bool) -> None:
    note = {"kind": "note", "text": "I give you everything" if other else "no"}
    offer = {
        "kind": "propose_deal",
        "parties": [0, 1],
        "clauses": [note] * (3 if other else 1),
        "reason": "x",
    }
    assert world.do(0, offer)["kind"] == "accepted"
    assert world.do(1, {"kind": "decline_deal", "deal": "d1"} if other else offer)["kind"] == "accepted"


def _words_to_one(world: World, other: bool) -> None:
    world.seats[0].say("attack at dawn, all of you, from the east" if other else "no", to=1)
    world.seats[1].say("yes" if other else "never, and do not ask me again", to=0)
    world.gather()


def _ears_shut(world: World, other: bool) -> None:
    assert world.do(0, {"kind": "mute", "seat": 2 if other else 3})["kind"] == "accepted"
    world.seats[2].say("hello")
    world.gather()


def _questions(world: World, other: bool) -> None:
    """Whoever asks, or is refused, leaves no trace."""
    seat = world.seats[0]
    for n in range(5 if other else 1):
        seat.answer(seat.send(kind="ask", what="options", refused=bool(n % 2)))
        seat.answer(seat.send(kind="do", action={"kind": "accept_deal", "deal": f"d{n}"}))
        seat.socket.send("{" if other else '{"kind": "fly"}')
        seat.until("refused", id=None)
    world.people[0].get(f"/api/tables/{world.table}/log")
    world.people[0].post("/api/me/codes" if other else "/api/me/exchange", {"code": "x"})


def _nothing(world: World, other: bool) -> None:
    """The worlds differ in their decks."""
    assert world.do(0, {"kind": "done"})["kind"] == "accepted"


SECRETS: dict[str, tuple[Act, frozenset[int]]] = {
    "bids": (_bids, frozenset({0})),
    "saved plans": (_saved_plans, frozenset({0})),
    "laid plans": (_laid_plans, frozenset({0})),
    "private offers": (_private_offers, frozenset({0, 1})),
    "words to one": (_words_to_one, frozenset({0, 1})),
    "shut ears": (_ears_shut, frozenset({0})),
    "questions": (_questions, frozenset({0})),
    "decks": (_nothing, frozenset()),
}


def difference(served: Served, secret: str) -> str | None:
    """By what somebody who knows nothing could tell the two worlds apart; None: by nothing."""
    act, knows = SECRETS[secret]
    told = []
    for other in (False, True):
        world = World(served, deck=other and secret == "decks")
        act(world, other)
        told.append(world.told(knows))
        world.close()
    assert told[0].keys() == told[1].keys()
    for name, text in told[0].items():
        if text != told[1][name]:
            place = next((n for n, (a, b) in enumerate(zip(text, told[1][name], strict=False)) if a != b), -1)
            return f"{name}: {text[place - 80 : place + 80]} | {told[1][name][place - 80 : place + 80]}"
    return None


@pytest.mark.parametrize("secret", SECRETS)
def test_nobody_else_can_tell_a_secret(served: Served, secret: str) -> None:
    """COMP-5, BID-2, ECON-12."""
    assert difference(served, secret) is None


# ---------------------------------------------------------------- the test can fail

PLANTS = {
    "bids": "from elysian.server.live import audience; audience.seen_by = lambda state, seat, event: event",
    "words to one": "from elysian.server.table_state import events as e; e.HEARD[e.Said] = e._all",
    "private offers": "from elysian.server.live import table; from elysian.view import view;"
    " table.view = lambda state, seat: view(state, 0 if seat is None else seat)",
    "laid plans": "from elysian.server.live.table import Table; put = Table.put;"
    " Table.put = lambda self, one: (self.context.failed(repr(one), ValueError()), put(self, one))[1]",
    "saved plans": "from elysian.server.live import audience; tell = audience.tell_all;"
    " audience.tell_all = lambda before, after, *more: (*tell(before, after, *more),"
    " '.' * len(repr(after.state and after.state.plans)))",
    "decks": "from elysian.server.live import queries; from elysian.options import options;"
    " queries.options = lambda state, seat, with_refused: options(state,"
    " seat, with_refused=with_refused and state.colonies.cards[1] < state.colonies.cards[-1])",
}


# A leak in what only a stream tells.
PLANTS["needs"] = (
    "from elysian.server.edge import streams; from elysian.view import view;"
    " streams.view = lambda state, seat: view(state, 0)"
)


class Planted(Served):
    """A server with a leak."""

    def __init__(self, folder: Path, plant: str) -> None:
        super().__init__(folder)
        self.program = ("-c", f"{plant}\nfrom elysian.cli import main\nmain()")


@pytest.fixture
def leaky(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    served = Planted(tmp_path, PLANTS[request.param]).start()
    yield served
    served.stop()


@pytest.mark.parametrize(
    ("leaky", "secret"),
    [(name, "bids" if name == "needs" else name) for name in PLANTS],
    indirect=["leaky"],
    ids=PLANTS,
)
def test_a_planted_leak_is_found(leaky: Served, secret: str) -> None:
    """COMP-5."""
    assert difference(leaky, secret)


# ---------------------------------------------------------------- the chance of bots


def test_bots_draw_from_chance_that_no_view_tells() -> None:
    """BID-2: the same table, its seed apart: everybody sees the same, and a bot bids otherwise."""
    lobbies = [begun(f"{n:032x}") for n in range(8)]
    assert len({msgspec.json.encode(table_view("t", lobby, 0)) for lobby in lobbies}) == 1
    assert len({lobby.chance_of(0) for lobby in lobbies}) == len(lobbies)
    assert len({lobbies[0].chance_of(seat) for seat in range(4)}) == 4
    state = begin(start(Settings(species=SPECIES), "secrets"))
    seen, found = view(state, 0), options(state, 0)
    moves = {
        msgspec.json.encode(choose(f"t{n}", lobby.chance_of(0), "random", Company(), "en", seen, found))
        for n, lobby in enumerate(lobbies)
    }
    assert len(moves) > 1, "the same public view, and always the same move"


def test_two_tables_of_a_server_are_not_dealt_alike(tmp_path: Path) -> None:
    """SETUP-1: as it is started by whoever hosts it; servers of the tests do deal alike."""
    served = Served(tmp_path)
    served.program = ("-m", "elysian")
    served.start()
    try:
        dealt = []
        for _ in range(2):
            table, people = full_table(served, players=9)
            view = people[0].get(f"/api/tables/{table}").json["view"]
            dealt.append(([player["species"] for player in view["players"]], view["colony_track"]))
        assert dealt[0] != dealt[1]
    finally:
        served.stop()


def test_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    lobby = begun("5eed")
    assert table_view("t", lobby, 0).chance == ""
    assert table_view("t", replace(lobby, status="ended"), 0).chance == ""
    assert table_view("t", replace(lobby, status="over"), None).chance == "5eed"


def test_the_seed_of_a_record_is_not_the_chance_of_the_bots_who_go_on_from_it() -> None:
    bots = tuple(Chair(bot="random", species=name) for name in SPECIES)
    lobby = replace(begun("known"), status="waiting", continues=True, chairs=bots, host="anna")
    events = decide_table(lobby, Asker("anna", None), StartGame(), Circumstances(0, Random(7)))
    for event in events:
        lobby = evolve_table(lobby, event)
    assert lobby.status == "playing"
    assert lobby.seed not in ("", "known")


def begun(seed: str) -> Lobby:
    """A table of four whose decks were shuffled by this seed."""
    lobby = opened(TableOpened(options=TableOptions(seats=4)))
    for event in (Shuffled(seed=seed), PlayBegan()):
        lobby = evolve_table(lobby, event)
    return lobby

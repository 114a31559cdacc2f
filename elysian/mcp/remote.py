"""A seat at a table of a server, reached over HTTP with a token, or as a guest with a name."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec

from elysian.actions import Action
from elysian.catalog import Cost
from elysian.draft import IllegalAction
from elysian.goods import NOTHING, Goods
from elysian.mcp.seat import SeatAway
from elysian.options import BidChoice, Choice, Options, RunChoice
from elysian.players.language_model.endpoint import NoRedirects
from elysian.record import AnyEvent, decode_action
from elysian.text.heard import Heard
from elysian.text.quoted import quoted, unquotable
from elysian.text.screen import is_for
from elysian.text.seat import SeatText
from elysian.view import View

PATIENCE = 30.0  # seconds for an answer of the server
PAUSE = 1.0  # seconds between two looks, at a server that has no streams
LARGEST = 8 << 20  # bytes of an answer
COOKIE = "elysian="
NAME = 40  # characters of a name or a title


class RemoteSeat:
    """One's seat at a server's table; the link is the one that people are sent: http://HOST/t/TABLE#INVITATION."""

    def __init__(self, link: str, token: str = "", name: str = "") -> None:
        """Sit down at the first free seat, or where one sits already; raises ValueError with a sentence."""
        parts = urlsplit(link)
        path = [part for part in parts.path.split("/") if part]
        if parts.scheme not in ("http", "https") or not parts.hostname or len(path) < 2 or path[-2] != "t":
            raise ValueError(f"{link!r} is no link to a table; it looks like http://HOST/t/TABLE#INVITATION.")
        if not token and not name:
            raise ValueError("A table wants to know who comes: set ELYSIAN_TOKEN, or give a --name.")
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.table = path[-1]
        self._token = token
        self._key = ""  # of a guest
        self._opener = urllib.request.build_opener(NoRedirects)
        joins: dict[str, Any] = {"invitation": parts.fragment}
        if not token:
            joins["name"] = name
        try:
            self._ask("POST", f"/api/tables/{self.table}/join", joins)
            self._n = int(self._welcome()["n"])  # the last line this seat was told of
        except SeatAway as away:
            raise ValueError(str(away)) from None

    # ------------------------------------------------------------ what a seat is

    def text(self) -> SeatText:
        """The table as it is now."""
        view = self._view(self._welcome())
        return SeatText(view, options_of(self._ask("GET", f"/api/tables/{self.table}/options")))

    def heard(self) -> list[Heard]:
        """What happened since this was last asked, as the server tells this seat."""
        heard: list[Heard] = []
        more = True
        while more:
            page = self._ask("GET", f"/api/tables/{self.table}/log?since={self._n}")
            lines = page["lines"]
            more = bool(page["more"]) and bool(lines)
            for line in lines:
                self._n = max(self._n, int(line["n"]))
                heard += heard_in(line)
        return heard

    def company(self) -> list[str]:
        """The table's title and who sits where, all of it quoted: people chose these words."""
        return company_of(self._welcome()["table"])

    def do(self, action: Action) -> None:
        """Act; raises ValueError with the server's sentence. The same id is sent twice if need be."""
        wish = {"id": uuid4().hex, "action": msgspec.to_builtins(action)}
        path = f"/api/tables/{self.table}/do"
        try:
            self._ask("POST", path, wish)
        except SeatAway:
            self._ask("POST", path, wish)

    def wait(self, seconds: float) -> None:
        """Until this seat is asked for something, or so much time has passed."""
        until = time.monotonic() + seconds
        welcome = self._welcome()
        before = self._matters(welcome)
        for _ in self._beats(int(welcome["n"]), until):
            if self._matters(self._welcome()) != before or time.monotonic() >= until:
                return

    def _matters(self, welcome: dict[str, Any]) -> object:
        """What must change before somebody who waits is called; None: there is no game yet."""
        return None if welcome["view"] is None else _asked_for(self._view(welcome))

    def _beats(self, n: int, until: float) -> Iterator[None]:
        """One for every line of the table as it comes; at a server that does not stream, every second."""
        seconds = max(1, int(until - time.monotonic()))
        try:
            request = self._request("GET", f"/api/tables/{self.table}/stream?since={n}&seconds={seconds}")
            with self._opener.open(request, timeout=seconds + PATIENCE) as lines:
                for line in lines:
                    if b'"update"' in line[:40] or b'"welcome"' in line[:40]:
                        yield
            return
        except urllib.error.HTTPError as refused:
            with refused:
                if refused.code != 404:
                    raise SeatAway(_why(refused)) from None
        except (OSError, HTTPException) as problem:
            raise SeatAway(f"The server cannot be reached ({problem}).") from None
        while time.monotonic() < until:
            time.sleep(min(PAUSE, max(0.0, until - time.monotonic())))
            yield

    # ------------------------------------------------------------ HTTP

    def _welcome(self) -> dict[str, Any]:
        welcome: dict[str, Any] = self._ask("GET", f"/api/tables/{self.table}")
        return welcome

    def _view(self, welcome: dict[str, Any]) -> View:
        if welcome["you"] is None:
            raise SeatAway("This seat is no longer yours.")
        if welcome["view"] is None:
            raise SeatAway("The game has not begun; wait.")
        return msgspec.convert(welcome["view"], View)

    def _request(self, method: str, path: str, body: Any = None) -> urllib.request.Request:
        headers = {"accept-language": "en"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        elif self._key:
            headers["cookie"] = f"{COOKIE}{self._key}"
        raw = None
        if body is not None:
            raw, headers["content-type"] = json.dumps(body).encode(), "application/json"
        return urllib.request.Request(self.base + path, data=raw, headers=headers, method=method)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The server's answer; raises ValueError with its sentence, or SeatAway."""
        try:
            with self._opener.open(self._request(method, path, body), timeout=PATIENCE) as answer:
                cookie = answer.headers.get("set-cookie") or ""
                if cookie.startswith(COOKIE):
                    self._key = cookie.removeprefix(COOKIE).partition(";")[0]
                return json.loads(answer.read(LARGEST) or b"null")
        except urllib.error.HTTPError as refused:
            with refused:
                raise ValueError(_why(refused)) from None
        except (OSError, HTTPException, ValueError) as problem:
            raise SeatAway(f"The server cannot be reached ({getattr(problem, 'reason', problem)}).") from None


def _why(refused: urllib.error.HTTPError) -> str:
    """What the server says about a refusal."""
    try:
        return unquotable(str(json.loads(refused.read(1 << 16))["sentence"]), 400)
    except (ValueError, LookupError, TypeError, OSError, HTTPException):
        return f"The server answers {refused.code}."


def options_of(plain: dict[str, Any]) -> Options:
    """Options as they come over the wire; whoever reads them knows actions by their kinds."""
    return Options(
        seat=plain["seat"],
        choices=tuple(map(_choice, plain["choices"])),
        may_propose=plain["may_propose"],
        must=None if plain["must"] is None else _action(plain["must"]),
        runs=msgspec.convert(plain["runs"], tuple[RunChoice, ...]),
        fleets=plain["fleets"],
        ships=plain["ships"],
        bids=msgspec.convert(plain["bids"], tuple[BidChoice, ...]),
        discard=plain["discard"],
        give_away=msgspec.convert(plain["give_away"], Goods),
    )


def _choice(plain: dict[str, Any]) -> Choice:
    price = plain.get("price")
    return Choice(
        action=_action(plain["action"]),
        price=None if price is None else msgspec.convert(price, Cost),
        gain=msgspec.convert(plain["gain"], Goods) if plain.get("gain") else NOTHING,
    )


def _action(plain: dict[str, Any]) -> Action:
    try:
        return decode_action(msgspec.json.encode(plain))
    except IllegalAction as unknown:
        raise SeatAway(f"The server knows actions that this version does not ({unknown.facts}).") from None


def heard_in(line: dict[str, Any]) -> list[Heard]:
    """What a line of the log holds for one who reads: events of the game, and talk."""
    heard: list[Heard] = []
    events = []
    for event in line["events"]:
        if event.get("kind") == "said":
            heard.append(Heard(by=event["seat"], words=event["text"]))
            continue
        try:
            events.append(msgspec.convert(event, AnyEvent))
        except msgspec.ValidationError:
            continue  # what happens to the table itself
    return [*heard, Heard(by=line["seat"], events=tuple(events))] if events else heard


def company_of(table: dict[str, Any]) -> list[str]:
    """The table's title and who sits where, quoted."""
    title = table["options"].get("title", "")
    lines = [f"Table {quoted(title, NAME)}"] if title else []
    seats = [f"{n} {_sits(one)}" for n, one in enumerate(table["seats"])]
    return [*lines, "Seats: " + ", ".join(seats)]


def _sits(one: dict[str, Any]) -> str:
    who = (
        quoted(one["name"], NAME)
        if one["name"]
        else f"bot {quoted(one['bot'], NAME)}"
        if one["bot"]
        else "free"
    )
    species = one.get("species")
    return f"{who} ({unquotable(species)})" if species else who


def _asked_for(view: View) -> object:
    """Whether a seat is waited for, what it is offered, and what it offers."""
    offers = tuple(sorted(name for name, deal in view.deals.items() if is_for(deal, view.seat)))
    mine = tuple(sorted(name for name, deal in view.deals.items() if deal.proposer == view.seat))
    return view.turn, view.step, view.seat in view.waiting, offers, mine

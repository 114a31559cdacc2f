"""Frames of every kind: legal moves, moves of the right shape with any content, and broken ones."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import msgspec

from elysian.actions import Invent, LayPlan, PutIntoPlay, RunConverter, UpgradeCard
from elysian.deals import AnyClause
from elysian.rules import DECIDERS
from elysian.server.table_state import actions as a
from tests.support.driver import chance, pick
from tests.support.wild import wild
from tools.drive.server import Seat, new_id

# What would end the game for good is asked for at the end of each table only.
ENDS = (a.Leave, a.Resign, a.EndTable, a.Remove)
TABLE_ACTIONS = tuple(kind for kind in get_args(a.AnyTableAction) if kind not in (*ENDS, a.ChangeTable))
CLAUSES = get_args(AnyClause)
MOVES = tuple(DECIDERS)
PAID = (RunConverter, PutIntoPlay, UpgradeCard, Invent)
SIGNS = (*'{}[]",:\\ \n\t0123456789-+.eEnulltruefalse', "\\u0000", "\\ud800", "é", "\u202e", "\U0001f600")
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 99, 2**31, 2**53, 10**18, 10**40, 0.5, 1e300),
    *("", "0", "d1", "green", "x" * 300, "\x00", "é", [], {}, [[]], [0, 1], {"kind": "give"}, {"green": 1}),
)
WORDS = (
    "hello",
    "zeth",
    "2g",
    "1g+1y",
    ">",
    "/offer",
    "anyone",
    "lend",
    "@2",
    ",",
    "d1g",
    "\u202e",
    "\x07",
    "é" * 9,
)


class Frames:
    """An endless supply, each made for what a seat sees just now."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.sent: list[str] = []  # some that were sent, to be sent again
        self.choices: list[Any] = []  # moves that were open to somebody not long ago

    def next(self, seat: Seat) -> str:
        """A frame; its id is new but for one that is sent again."""
        rng = self.rng
        make = pick(
            rng,
            (
                *(self._legal,) * 6,
                *(self._nudged,) * 4,
                *(self._wild,) * 5,
                *(self._deal,) * 2,
                *(self._table,) * 2,
                *(self._talk,) * 2,
                *(self._ask,) * 3,
            ),
        )
        if chance(rng, 0.03) and self.sent:
            return self._again()
        frame = json.dumps(make(seat), ensure_ascii=chance(rng, 0.5))
        if chance(rng, 0.15):
            frame = self._broken(frame)
        if chance(rng, 0.1):
            self.sent = [*self.sent[-50:], frame]
        return frame

    def _do(self, action: Any) -> dict[str, Any]:
        return {"kind": "do", "id": new_id(), "action": action}

    def _legal(self, seat: Seat) -> dict[str, Any]:
        if not self.choices or chance(self.rng, 0.3):
            return self._ask(seat)
        return self._do(pick(self.rng, self.choices))

    def _nudged(self, seat: Seat) -> dict[str, Any]:
        message = self._legal(seat)
        for _ in range(1 + int(self.rng.random() * 2)):
            message = self._changed(message)
        message.setdefault("id", new_id())
        return message

    def _wild(self, seat: Seat) -> dict[str, Any]:
        return self._do(self._value(seat, pick(self.rng, MOVES)))

    def _deal(self, seat: Seat) -> dict[str, Any]:
        """An offer that may well be struck: some goods each way, now or later, and some words."""
        if seat.view is None or seat.you is None:
            return self._wild(seat)
        players = seat.view["players"]
        me, other = seat.you, int(self.rng.random() * len(players))
        clauses: list[Any] = [{"kind": "note", "text": pick(self.rng, WORDS)}]
        for giver, to in ((me, other), (other, me)):
            stock = list(players[giver]["stock"]) or ["green"]
            give = {"kind": "give", "giver": giver, "to": to, "goods": {pick(self.rng, stock): 1}}
            later = {"kind": "pledge", "what": give, "due": seat.view["turn"] + 1}
            clauses += pick(self.rng, ([give], [give], [later], []))
        return self._do({"kind": "propose_deal", "parties": [me, other], "clauses": clauses})

    def _table(self, seat: Seat) -> dict[str, Any]:
        return self._do(self._value(seat, pick(self.rng, TABLE_ACTIONS)))

    def _talk(self, seat: Seat) -> dict[str, Any]:
        words = " ".join(pick(self.rng, WORDS) for _ in range(int(self.rng.random() * 8)))
        to = {"to": int(self.rng.random() * 9)} if chance(self.rng, 0.3) else {}
        return {"kind": "talk", "id": new_id(), "text": words, **to}

    def _ask(self, seat: Seat) -> dict[str, Any]:
        ask: dict[str, Any] = {"kind": "ask", "id": new_id(), "what": "options"}
        if chance(self.rng, 0.3):
            ask["refused"] = True
        if chance(self.rng, 0.3):
            ask["what"] = "terms" if chance(self.rng, 0.99) else "worth"
            deals = list((seat.view or {}).get("deals", ())) or ["d1"]
            ask["deal"] = pick(self.rng, deals)
            if chance(self.rng, 0.7):
                ask["deal"] = None
                ask["clauses"] = [self._value(seat, pick(self.rng, CLAUSES)) for _ in range(2)]
        elif chance(self.rng, 0.3):
            ask["what"] = "plan" if chance(self.rng, 0.5) else "payments"
            ask["runs"] = self._runs(seat) if chance(self.rng, 0.8) else None
            ask["action"] = self._value(seat, pick(self.rng, PAID)) if chance(self.rng, 0.9) else None
        elif chance(self.rng, 0.01):
            ask["what"] = pick(self.rng, ("needs", "best_plan"))
        return ask

    def _runs(self, seat: Seat) -> Any:
        """Some runs that were open to somebody, or any."""
        open_now = [choice["runs"] for choice in self.choices if choice.get("runs")]
        if open_now and chance(self.rng, 0.5):
            return (
                self._changed(pick(self.rng, open_now)) if chance(self.rng, 0.5) else pick(self.rng, open_now)
            )
        return self._value(seat, LayPlan)["runs"]

    def _value(self, seat: Seat, kind: type) -> Any:
        """Anything of this class, in the words of this table."""
        return msgspec.to_builtins(wild(_near(seat.view), self.rng, kind))  # type: ignore[arg-type]

    def _again(self) -> str:
        """The same frame, or another under the same id."""
        frame = pick(self.rng, self.sent)
        return frame if chance(self.rng, 0.6) else frame.replace("done", "not_done")

    # ------------------------------------------------------------ spoiling

    def _changed(self, thing: Any) -> Any:
        """The same with one value somewhere inside replaced, left out, added or doubled."""
        rng = self.rng
        if isinstance(thing, dict) and thing:
            key = pick(rng, list(thing))
            if key in ("kind", "id") and chance(rng, 0.8):
                key = list(thing)[-1]
            inside = isinstance(thing[key], dict | list) and chance(rng, 0.8)
            if inside:
                return {**thing, key: self._changed(thing[key])}
            if chance(rng, 0.2):
                return {name: value for name, value in thing.items() if name != key}
            return {**thing, (key if chance(rng, 0.8) else "more"): pick(rng, JUNK)}
        if isinstance(thing, list) and thing:
            place = int(rng.random() * len(thing))
            if chance(rng, 0.3):
                return thing * 2
            return [*thing[:place], self._changed(thing[place]), *thing[place + 1 :]]
        return pick(rng, JUNK)

    def _broken(self, frame: str) -> str:
        """The same with signs lost, added, doubled or cut off."""
        rng = self.rng
        for _ in range(1 + int(rng.random() * 3)):
            place, size = int(rng.random() * (len(frame) + 1)), 1 + int(rng.random() * 8)
            before, after = frame[:place], frame[place:]
            frame = pick(
                rng,
                (
                    before + pick(rng, SIGNS) + after,
                    before + after[size:],
                    before + after[:size] * 2 + after[size:],
                    before,
                    before + "[" * 400 + after,
                ),
            )
        return frame[:16_000]


def _near(view: dict[str, Any] | None) -> SimpleNamespace:
    """What lies on the table a view shows, under the names wild values ask for."""
    seen: dict[str, Any] = view or {"players": [{"cards": {}, "deck": []}] * 4, "turn": 1}
    return SimpleNamespace(
        seats=lambda: range(len(seen["players"])),
        players=[SimpleNamespace(cards=one["cards"], deck=one["deck"]) for one in seen["players"]],
        deals=seen.get("deals", {}),
        obligations=seen.get("obligations", {}),
        colony_track=seen.get("colony_track", ()),
        research_track=seen.get("research_track", ()),
        turn=seen["turn"],
    )


REQUESTS = (
    "GET /api/tables/{table}/log?since=0&language=de HTTP/1.1\r\n{head}\r\n",
    'POST /api/me HTTP/1.1\r\n{head}Content-Length: 15\r\n\r\n{{"name":"Bela"}}',
    "POST /api/tables/{table}/join HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n"
    "2\r\n{{}}\r\n0\r\n\r\n",
    'PUT /api/me/notices HTTP/1.1\r\n{head}Content-Length: 23\r\n\r\n{{"hours":{{"begin":600}}}}',
    "GET /api/tables/{table}/socket?since=1&protocol=1 HTTP/1.1\r\n{head}Upgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
)
BITS = (
    b"%00",
    b"%FF",
    b"\xb2",
    b"%C2%B2",
    b"[",
    b"&a=1" * 40,
    b";",
    b"\r\n",
    b"\xff",
    b"..",
    b"Origin: null\r\n",
)


def broken_request(rng: Random, table: str, key: str) -> bytes:
    """The bytes of a request with a few of them lost, changed or added."""
    head = f"Host: localhost\r\nCookie: elysian={key}\r\nContent-Type: application/json\r\n"
    raw = pick(rng, REQUESTS).format(table=table, head=head).encode()
    for _ in range(int(rng.random() * 5)):
        place, size = int(rng.random() * len(raw)), int(rng.random() * 7)
        added = pick(rng, (b"", bytes([int(rng.random() * 256)]), pick(rng, BITS)))
        raw = raw[:place] + added + raw[place + size :]
    return bytes(raw)

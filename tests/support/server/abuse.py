"""Frames, moves, names and addresses nobody should send, each with the row of the list and the answer due."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

ID = "abuse-00001"


class Frame(NamedTuple):
    """A text frame that must be refused with this code, and change nothing."""

    row: int
    what: str
    text: str
    code: str


def do(action: dict[str, Any] | str, **more: Any) -> str:
    """A frame that asks for something; a text stands for itself where JSON has no word for it."""
    whole = json.dumps({"kind": "do", "id": ID, "action": action, **more})
    return whole.replace(json.dumps(action), action, 1) if isinstance(action, str) else whole


def bid(colony: str) -> str:
    return do('{"kind": "place_bid", "colony": ' + colony + "}")


def give(goods: Any) -> str:
    return do({"kind": "propose_deal", "parties": [0, 1], "clauses": [_give(goods)]})


def _give(goods: Any) -> dict[str, Any]:
    return {"kind": "give", "giver": 0, "to": 1, "goods": goods}


def clauses(*all: dict[str, Any], parties: Any = (0, 1), **more: Any) -> str:
    return do({"kind": "propose_deal", "parties": list(parties), "clauses": list(all), **more})


NESTED = {"kind": "pledge", "due": 2, "what": {"kind": "pledge", "due": 3, "what": _give({"green": 1})}}

FRAMES = [
    Frame(1, "an empty frame", "", "bad_json"),
    Frame(1, "no JSON", "hello", "bad_json"),
    Frame(1, "half an object", '{"kind": "do", "id": "abuse-00001"', "bad_json"),
    Frame(1, "two objects", do({"kind": "done"}) * 2, "bad_json"),
    Frame(1, "a byte order mark", "\ufeff" + do({"kind": "done"}), "bad_json"),
    Frame(1, "a single quote", "{'kind': 'do'}", "bad_json"),
    Frame(1, "no object", "[]", "bad_type"),
    Frame(1, "null", "null", "bad_type"),
    Frame(3, "deep lists", "[" * 16_000, "bad_json"),
    Frame(3, "deep objects", '{"a":' * 3_000, "bad_json"),
    Frame(3, "deep in a field", do("[" * 8_000 + "]" * 8_000), "bad_json"),
    Frame(3, "brackets in an open string", '{"a": [[[], "' + '\\"' * 8_000, "bad_json"),
    Frame(4, "not a number", bid("NaN"), "bad_json"),
    Frame(4, "infinity", bid("Infinity"), "bad_json"),
    Frame(4, "minus infinity", bid("-Infinity"), "bad_json"),
    Frame(4, "more than a float holds", bid("1e999"), "out_of_range"),
    Frame(5, "a key twice", do({"kind": "done"})[:-1] + ', "id": "abuse-00002"}', "bad_json"),
    Frame(5, "a key twice inside", do('{"kind": "place_bid", "colony": 1, "colony": 0}'), "bad_json"),
    Frame(5, "a key twice, escaped", do('{"kind": "place_bid", "colony": 1, "c\\u006flony": 0}'), "bad_json"),
    Frame(5, "a key twice, spaced", do('{"kind"  :"place_bid", "colony"\t:1, "colony"\n:0}'), "bad_json"),
    Frame(6, "5,000 digits", bid("9" * 5000), "out_of_range"),
    Frame(7, "ten to the thirty", bid("1" + "0" * 30), "out_of_range"),
    Frame(7, "a far seat", clauses(_give({"green": 1}), parties=(0, 10**30)), "out_of_range"),
    Frame(7, "a far turn", clauses({**NESTED, "what": _give({"green": 1}), "due": 10**30}), "out_of_range"),
    Frame(8, "true for a number", bid("true"), "bad_type"),
    Frame(8, "text for a number", bid('"1"'), "bad_type"),
    Frame(8, "a fraction for a number", bid("1.0"), "bad_type"),
    Frame(8, "a number for text", do({"kind": "accept_deal", "deal": 1}), "bad_type"),
    Frame(8, "null for a list", do({"kind": "lay_plan", "runs": None}), "bad_type"),
    Frame(9, "an unknown field", do({"kind": "done"}, admin=True), "unknown_field"),
    Frame(9, "an unknown field inside", do({"kind": "done", "admin": True}), "unknown_field"),
    Frame(9, "an unknown field deep inside", give({"green": 1, "gold": 5}), "unknown_field"),
    Frame(10, "half a sign", '{"kind": "talk", "id": "abuse-00001", "text": "\\ud800"}', "bad_text"),
    Frame(10, "half a sign as a field", '{"kind": "do", "\\udc00": 1}', "bad_text"),
    Frame(14, "an unknown message", '{"kind": "fly", "id": "abuse-00001"}', "unknown_command"),
    Frame(14, "an unknown move", do({"kind": "fly"}), "unknown_command"),
    Frame(14, "the clock's own move", do({"kind": "time_up"}), "unknown_command"),
    Frame(14, "talk dressed as a move", do({"kind": "say", "text": "hello"}), "unknown_command"),
    Frame(14, "an id that is too short", do({"kind": "done"}).replace(ID, "a"), "out_of_range"),
    Frame(14, "an id with a line end", do({"kind": "done"}).replace(ID, ID + "\\n"), "out_of_range"),
    Frame(14, "no id", '{"kind": "do", "action": {"kind": "done"}}', "missing_field"),
    Frame(15, "less than nothing", give({"green": -1}), "out_of_range"),
    Frame(15, "nothing", give({"green": 0}), "empty_clause"),
    Frame(15, "half a cube", give({"green": 0.5}), "bad_type"),
    Frame(23, "a deal with oneself", clauses(_give({"green": 1}), parties=(0, 0)), "bad_parties"),
    Frame(23, "a deal with nobody", clauses(_give({"green": 1}), parties=(0,)), "bad_parties"),
    Frame(
        23,
        "a deal with a seat that is not there",
        clauses(_give({"green": 1}), parties=(0, 7)),
        "bad_parties",
    ),
    Frame(24, "points", give({"point": 1}), "points_not_tradable"),
    Frame(26, "10,000 cubes", give({"green": 10_000}), "out_of_range"),
    Frame(26, "61 clauses", clauses(*[_give({"green": 1})] * 61), "out_of_range"),
    Frame(
        26, "1,000 settled promises", clauses(_give({"green": 1}), settles=["d1"] * 1000), "no_such_promise"
    ),
    Frame(27, "a promise of a promise", clauses(NESTED), "unknown_command"),
    Frame(27, "an offer that answers itself", clauses(_give({"green": 1}), answers="d1"), "no_such_offer"),
    Frame(29, "a bid while trading", bid("0"), "wrong_step"),
    Frame(29, "a purchase while trading", do({"kind": "buy", "card": "x"}), "wrong_step"),
    Frame(
        31,
        "one's own yield",
        do({"kind": "run_converter", "card": "x", "gain": {"ship": 9}}),
        "unknown_field",
    ),
    Frame(31, "one's own score", do({"kind": "done", "score": 99}), "unknown_field"),
    Frame(32, "undo", do({"kind": "undo"}), "unknown_command"),
    Frame(48, "another's seat", do({"kind": "done", "seat": 1}), "unknown_field"),
    Frame(48, "another's seat beside it", do({"kind": "done"}, seat=1), "unknown_field"),
    Frame(48, "a deal between others", clauses(_give({"green": 1}), parties=(1, 2)), "bad_parties"),
]

# ---------------------------------------------------------------- names and pages

BAD_NAMES = {
    "nothing": "",
    "spaces": "   ",
    "a zero width space": "An\u200bna",
    "a right-to-left override": "\u202eannA",
    "a control": "An\x07na",
    "an isolate": "\u2066Anna",
    "a Cyrillic letter among Latin ones": "Ann\u0430",
    "a Greek letter among Latin ones": "Ann\u03b1",
    "only signs": "-_-",
    "piled marks": "A" + "\u0301" * 9,
    "25 letters": "A" * 25,
    "a private sign": "Anna\ue000",
}
LOOKALIKES = {
    "capitals": "ANNA",
    "full width": "\uff21\uff4e\uff4e\uff41",
    "a bold alphabet": "\U0001d400nna",
    "accents": "\u00c1nna",
    "signs between": "A-n.n a",
}
FOREIGN = [
    "https://evil.example",
    "http://evil.example",
    "null",
    "",
    "file://",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://localhost",
    "http://127.0.0.1.evil.example",
    "http://{host}.evil.example",
    "http://evil.example/{host}",
    "http://evil.example?{host}",
    "http://evil.example#{host}",
    "http://user@{host}",
    "http://{host}@evil.example",
    "ws://{host}",
    "ftp://{host}",
    "HTTP://{host}/",
    "http://{host}/",
    "http://{host} http://evil.example",
    "http://xn--127.0.0.1",
    "chrome-extension://abcdefgh",
]
ODD_PATHS = [
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//etc/passwd",
    "/api/tables/..%2f..%2fx",
    "/api/tables/%2e%2e",
    "/api/tables//log",
    "/api//me",
    "/api/tables/a%00b",
    "/api/tables/" + "a" * 41,
    "/api/tables/a;b",
    "/api/tables/%C3%A9",
    "/api/tables/x/socket",
    "/.git/config",
    "/assets/../index.html",
]
SQL = ["'; DROP TABLE people; --", '" OR 1=1 --', "Robert'); DELETE FROM log;--"]
MARKUP = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))"]
ODD_HOSTS = [
    "evil.example",
    "127.0.0.1.evil.example",
    "[",
    "[::1",
    "localhost.evil.example",
    "a@evil.example",
    "@",
]

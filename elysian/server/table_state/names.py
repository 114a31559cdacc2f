"""Names and talk: what people type, made harmless; names that look alike are the same name."""

from __future__ import annotations

import unicodedata

from elysian.server.ops.errors import Refused
from elysian.server.table_state.actions import LONGEST_TALK

LONGEST_NAME = 24
MOST_MARKS = 3  # combining marks on one letter

# Letters that look like Latin ones, in pairs; a name is compared as it looks.
_PAIRS = (
    "аa вb сc еe ԁd ɡg һh нh іi јj кk мm пn оo рp ԛq гr ѕs тt уy хx ѵv ԝw ѡw "
    "αa βb εe ηn ιi κk νv οo ρp τt υu χx ωw γy ıi ℓl 0o 1l ǀl |l !i 3e 5s"
)
_LOOKS = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}


def clean_name(typed: str) -> str:
    """The name somebody may be called by; raises Refused("bad_name")."""
    name = " ".join(unicodedata.normalize("NFKC", typed).split())
    if not 1 <= len(name) <= LONGEST_NAME or not skeleton(name):
        raise Refused("bad_name", status=400)
    scripts = set()
    for sign in name:
        kind = unicodedata.category(sign)
        if kind[0] in "CZ" and sign != " ":
            raise Refused("bad_name", status=400)
        if kind[0] == "L":
            scripts.add(unicodedata.name(sign, "?").partition(" ")[0])
    # A name in two alphabets that share shapes is made to be mistaken for another.
    if len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1 or _piled(name):
        raise Refused("bad_name", status=400)
    return name


def skeleton(name: str) -> str:
    """What a name looks like; two names with the same look are the same name."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    looks = plain.translate(_LOOKS).replace("rn", "m").replace("vv", "w")
    return "".join(sign for sign in looks if sign.isalnum())


def clean_talk(typed: str) -> str:
    """What is said, without controls and piled-up marks, cut to its greatest length; raises Refused."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", typed):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind in ("Cc", "Cs", "Co", "Cn") or sign in _DIRECTIONS or marks > MOST_MARKS:
            sign = " " if sign in "\n\t" else ""
        kept.append(sign)
    said = "".join(kept).strip()[:LONGEST_TALK]
    if not said:
        raise Refused("nothing_said", status=400)
    return said


_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")


def _piled(name: str) -> bool:
    marks = 0
    for sign in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MOST_MARKS:
            return True
    return False

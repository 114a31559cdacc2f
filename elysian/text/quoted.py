"""What other players wrote, so that nobody takes it for anything else: in quotation marks it cannot leave.

A reader that does what it reads, as a language model may, is told that words in “ ” are only words. So no
note, name, title or reason may hold such marks, begin a line, or hide something in signs nobody sees.
"""

from __future__ import annotations

import unicodedata

from elysian.messages import Telling

LONGEST = 200  # characters of what somebody said
MARKS = "\"'`´“”„‟«»‹›‘’‚‛"


def unquotable(words: str, most: int = LONGEST) -> str:
    """The words in one line, without control signs, without quotation marks of any kind, and not too long."""
    plain = unicodedata.normalize("NFKC", words[: 8 * most])
    signs = ("'" if _is_mark(sign) else sign if sign.isprintable() else " " for sign in plain)
    one_line = " ".join("".join(signs).split())
    return one_line if len(one_line) <= most else one_line[: most - 1] + "…"


def quoted(words: str, most: int = LONGEST) -> str:
    """The words as something somebody said."""
    return f"“{unquotable(words, most)}”"


def _is_mark(sign: str) -> bool:
    return sign in MARKS or unicodedata.category(sign) in ("Pi", "Pf") or "QUOTATION" in _name(sign)


def _name(sign: str) -> str:
    return unicodedata.name(sign, "") if not sign.isascii() else ""


class Quoting(Telling):
    """Tells of the table to one who might do what is said: whatever others wrote is quoted."""

    def spoken(self, words: str) -> str:
        """Free words of a player, to stand between quotation marks."""
        return unquotable(words)

    def _text(self, field: str, value: str) -> str:
        return quoted(value) if field == "notes" else super()._text(field, value)

"""The rulebook on request: a rule by its id, a heading, or what stands where some words do."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

FILE = "rulebook.md"
LONGEST = 2500  # characters of an answer
NAMES = 12  # headings that are named when several match


@cache
def _sections() -> tuple[tuple[str, str], ...]:
    """Every heading with the text under it, in order; a part of a chapter bears its name too."""
    found: list[tuple[str, str]] = []
    chapter = ""
    for part in re.split(r"^(?=##+ )", _text(), flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        title = heading.lstrip("#").strip()
        if heading.startswith("## "):
            chapter = title
        elif body.strip():
            title = f"{chapter}: {title}"
        found.append((title, body.strip()))
    return tuple(found)


def _text() -> str:
    """The rulebook: beside this file in an installed package, in docs/ in a checkout."""
    packed = files("elysian.text").joinpath(FILE)
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    try:
        return (Path(__file__).resolve().parents[2] / "docs" / FILE).read_text(encoding="utf-8")
    except OSError:
        raise ValueError("The rulebook was not packed into this install.") from None


def rules(about: str = "") -> str:
    """What the rulebook says about something; without anything, its headings. Raises ValueError."""
    wanted = " ".join(about.split()).casefold()
    if not wanted:
        return "\n".join(["Ask about one of these, or about an id such as TRADE-9:", *_contents()])
    if re.fullmatch(r"[a-z]{1,6}-\d+", wanted):
        return _rule(wanted.upper())
    matching = [(title, body) for title, body in _sections() if wanted in title.casefold() and body]
    matching = matching or [(title, body) for title, body in _sections() if wanted in body.casefold()]
    if not matching:
        raise ValueError(
            f"The rulebook says nothing about {about[:40]!r}; without words it names its headings."
        )
    told = "\n\n".join(f"{title}\n{_short(body)}" for title, body in matching)
    if len(told) <= LONGEST:
        return told
    title, body = matching[0]
    others = "; ".join(title for title, _ in matching[1 : NAMES + 1])
    return _cut(f"{title}\n{_short(body)}") + (f"\n\nAlso: {others}" if others else "")


def _contents() -> list[str]:
    """Every chapter with its parts."""
    chapters: dict[str, list[str]] = {}
    for title, _ in _sections():
        chapter, colon, part = title.partition(": ")
        chapters.setdefault(chapter, []).extend([part] if colon else [])
    return [f"{chapter}: {', '.join(parts)}" for chapter, parts in chapters.items() if parts]


def _rule(name: str) -> str:
    """One rule in its exact words."""
    for title, body in _sections():
        for rule in re.split(r"^(?=- \*\*|\| \*\*)", body, flags=re.MULTILINE):
            if re.match(rf"(?:- |\| )\*\*{name}\*\*", rule):
                return _cut(f"{title}\n{rule.strip()}")
    raise ValueError(f"There is no rule {name}.")


def _short(body: str) -> str:
    """The text for readers that stands before the rules one by one; where there is none, all of it."""
    short = re.split(r"^- \*\*[A-Z]", body, maxsplit=1, flags=re.MULTILINE)[0].strip()
    ids = " ".join(dict.fromkeys(re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", body, flags=re.MULTILINE)))
    return f"{short} [{ids}]" if short and ids else short or body


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

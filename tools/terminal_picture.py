"""Draws docs/terminal.svg: some moves of a real game in the terminal, with the colours it shows.

docs/terminal.txt is the same without colours, for pages that show no picture of ours.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from elysian.cli.person import Person
from elysian.cli.terminal import TerminalGame
from elysian.record import Record
from elysian.state import Settings
from elysian.text.screen import WIDTH, Screen

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "terminal.svg"
SEATS = ("caylion", "zeth", "kit", "eni_et")
SEED = 289
TYPED = ("offer zeth 2g > 1t", "plan")
CELL, ROW, SIZE, EDGE = (
    8,
    18,
    13.3,
    16,
)  # pixels: width and height of a letter's place, the letter, the margin
PAGE, INK = "#15181d", "#d5d9e0"
PAINTED = re.compile(r"\x1b\[([\d;]+)m(.*?)\x1b\[0m")
BASIC = {"1": "#ffffff", "31": "#f0655f", "32": "#57c46f", "36": "#46c2cb", "93": "#f3d64e"}
LEVELS = (0, 95, 135, 175, 215, 255)  # of red, green and blue in the cube of 216 colours


def main() -> None:
    """Play, draw what was printed from the first typed line on, and write the picture and its text."""
    lines = printed()
    PICTURE.write_text("\n".join(drawn(lines)) + "\n", encoding="utf-8")
    plain = ("".join(text for _, text in pieces(line)).rstrip() for line in lines)
    PICTURE.with_suffix(".txt").write_text("\n".join(plain) + "\n", encoding="utf-8")


def printed() -> list[str]:
    """What the game prints from the first typed line to the last prompt."""
    out = io.StringIO()
    screen = Screen(out)
    screen.coloured = True
    record = Record.begin(Settings(species=SEATS), SEED)
    with TemporaryDirectory() as folder:
        typed = io.StringIO("\n".join(TYPED) + "\n")
        TerminalGame(record, Person(screen, typed, "en"), Path(folder, "game.jsonl")).play()
    lines = out.getvalue().splitlines()
    first = next(n for n, line in enumerate(lines) if line.endswith(TYPED[0]))
    return lines[first:-2]


def drawn(lines: list[str]) -> Iterator[str]:
    """The lines as an SVG that stands on a light or a dark page."""
    width, height = 2 * EDGE + WIDTH * CELL, 2 * EDGE + len(lines) * ROW
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
    yield "<title>A game of Elysian in the terminal</title>"
    yield f'<rect width="{width}" height="{height}" rx="10" fill="{PAGE}" stroke="#454b55"/>'
    yield f'<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="{SIZE}" fill="{INK}">'
    for n, line in enumerate(lines):
        yield from row(line, EDGE + n * ROW)
    yield "</g></svg>"


def row(line: str, top: int) -> Iterator[str]:
    """One line, in pieces that each begin in their column, whatever the font."""
    column = 0
    for code, text in pieces(line):
        ink, bold = colour(code), code.startswith("1")
        if bold and code.endswith(";7"):
            yield f'<rect x="{EDGE + column * CELL}" y="{top}" width="{len(text) * CELL}" height="{ROW}"/>'
            ink = PAGE
        for word in re.finditer(r"\S+(?: \S+)*", text):
            x, wide = EDGE + (column + word.start()) * CELL, len(word[0]) * CELL
            look = (f' fill="{ink}"' if ink else "") + (' font-weight="bold"' if bold else "")
            place = f'x="{x}" y="{top + ROW - 5}" textLength="{wide}"'
            yield f"<text {place}{look}>{escape(word[0], quote=False)}</text>"
        column += len(text)


def pieces(line: str) -> Iterator[tuple[str, str]]:
    """The parts of a line with the code that paints each; plain ones have none."""
    end = 0
    for part in PAINTED.finditer(line):
        yield "", line[end : part.start()]
        yield part[1], part[2]
        end = part.end()
    yield "", line[end:]


def colour(code: str) -> str:
    """What a terminal shows for a code; nothing for its usual ink."""
    if not code.startswith("38;5;"):
        return BASIC.get(code, "")
    number = int(code.removeprefix("38;5;"))
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    place = number - 16
    return "#" + "".join(f"{LEVELS[part]:02x}" for part in (place // 36, place // 6 % 6, place % 6))


if __name__ == "__main__":
    main()

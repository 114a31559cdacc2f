"""One picture of every card of the catalogue, to compare with the one kept: python -m tools.card_picture.

Each card lies in a tile of its own, full, compact and as a tag, in the font that the page ships; so a card
that grows moves no other, and what differs is told by name. The picture is two fifths as large as the screen:
enough to see that a part is gone, has moved or has another colour. What is printed on a card is for other
tests to tell. The command draws the picture anew; `--check` says what differs and writes nothing.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from tools import web_layout
from tools.drive import chrome

KEPT = Path(__file__).resolve().parent.parent / "tests" / "web" / "cards.webp"
DRAWN_ALIKE = (
    "--font-render-hinting=none"  # letters have their own shapes, not those of the machine's settings
)
COLUMNS, WIDE, HIGH = 20, 300, 580  # of tiles, and what a tile measures on the screen
SCALE, QUALITY = 0.4, 0.1  # both pictures are packed alike, so what packing loses is not told apart
APART = 80  # of 255 in one colour: what an edge drawn half a pixel further does not reach
SHARE = 0.002  # of a tile's pixels may be so far apart: all letters half a pixel further come to half of that

TILES = f"""
  body, main, [data-cards], [data-cards] .every {{ margin: 0; padding: 0; border: 0; gap: 0; }}
  main {{ display: block; width: {COLUMNS * WIDE}px; }}
  [data-cards] h2 {{ display: none; }}
  [data-cards] .every {{ grid-template-columns: repeat({COLUMNS}, {WIDE}px); grid-auto-rows: {HIGH}px; }}
  [data-cards] .card-of {{ overflow: hidden; }}
"""
NAMES = """() => [...document.querySelectorAll("[data-cards] .card-of")].map((tile) => {
  if (tile.scrollHeight > tile.clientHeight) throw new Error(`${tile.dataset.id} is higher than its tile`);
  return tile.dataset.id;
})"""
PACKED = """async ([png, scale, quality]) => {
  const drawn = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = new OffscreenCanvas(drawn.width * scale, drawn.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  const packed = await canvas.convertToBlob({ type: "image/webp", quality });
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1]);
    reader.readAsDataURL(packed);
  });
}"""
DIFFERS = """async ([old, now, columns, wide, high, apart]) => {
  const read = async (webp) => {
    const drawn = await createImageBitmap(await (await fetch("data:image/webp;base64," + webp)).blob());
    const context = new OffscreenCanvas(drawn.width, drawn.height).getContext("2d");
    context.drawImage(drawn, 0, 0);
    return context.getImageData(0, 0, drawn.width, drawn.height);
  };
  const [a, b] = [await read(old), await read(now)];
  if (a.width !== b.width || a.height !== b.height) return null;
  const differs = (p) => [0, 1, 2].some((c) => Math.abs(a.data[p + c] - b.data[p + c]) > apart);
  const tiles = new Array(columns * Math.ceil(a.height / high)).fill(0);
  for (let y = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++)
      if (differs(4 * (y * a.width + x))) tiles[columns * Math.floor(y / high) + Math.floor(x / wide)]++;
  return tiles.map((n) => n / (wide * high));
}"""


def draw(browser: Browser, before: Callable[[Page], object] = lambda page: None) -> tuple[bytes, list[str]]:
    """The picture as it is today, packed, and which card lies in each tile; `before` may change the page."""
    page = web_layout.all_cards(browser, "en")
    page.add_style_tag(content=TILES)
    before(page)
    page.wait_for_timeout(300)
    names: list[str] = page.evaluate(NAMES)
    rows = -(-len(names) // COLUMNS)
    page.set_viewport_size({"width": COLUMNS * WIDE, "height": rows * HIGH})
    shot = page.locator("[data-cards] .every").screenshot(animations="disabled")
    packed: str = page.evaluate(PACKED, [base64.b64encode(shot).decode(), SCALE, QUALITY])
    page.context.close()
    return base64.b64decode(packed), names


def differing(browser: Browser, drawn: bytes, names: list[str]) -> dict[str, float] | None:
    """Which cards are drawn otherwise than in the picture kept, and in what share; None: another size."""
    page = browser.new_page()
    pictures = (base64.b64encode(one).decode() for one in (KEPT.read_bytes(), drawn))
    tile = (round(SCALE * WIDE), round(SCALE * HIGH))
    shares: list[float] | None = page.evaluate(DIFFERS, [*pictures, COLUMNS, *tile, APART])
    page.close()
    if shares is None:
        return None
    return {name: share for name, share in zip(names, shares, strict=False) if share > SHARE}


def main(arguments: list[str]) -> int:
    """Write the picture, or say what differs from it: exit code 1 if anything does."""
    found = chrome.program()
    if found is None:
        print("Chromium is not installed and ELYSIAN_CHROMIUM does not name one.", file=sys.stderr)
        return 1
    with chrome.launched(found, DRAWN_ALIKE) as browser:
        drawn, names = draw(browser)
        if "--check" not in arguments:
            KEPT.write_bytes(drawn)
            print(f"{len(names)} cards in {KEPT.name}, {len(drawn) / 1000:.0f} kB")
            return 0
        found_apart = differing(browser, drawn, names)
    if found_apart is None:
        print("There are more or fewer cards than in the picture.")
        return 1
    for name, share in found_apart.items():
        print(f"{name}: {share:.2%} of it is drawn otherwise")
    return 1 if found_apart else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

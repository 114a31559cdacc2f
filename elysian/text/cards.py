"""The command `cards`: a card as the table prints it, the list of all, or the whole catalog as JSON."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from math import isinf
from textwrap import wrap

from msgspec import Struct

from elysian.book_value import BOOK, book
from elysian.catalog import Card, Converter, Cost, Entry, Face, Half, Research, Upgrade, pair_converter
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods

WIDTH = 80
SIGNS = {
    "green": "G",
    "white": "W",
    "brown": "N",
    "black": "B",
    "blue": "T",
    "yellow": "Y",
    "wild_small": "a",
    "wild_large": "A",
    "ultratech": "U",
    "ship": "S",
    "point": "*",
}
ARROWS = {"economy": "-->", "trade": "==>", "steal": "~~>"}
ERAS = {1: "I", 2: "II", 3: "III", 4: "IV"}
LEGEND = (
    "Small cubes: G green, W white, N brown, a wild. Large cubes: B black, T blue, Y yellow, A wild.",
    "U ultratech, S ship, * point; + before what goes to the donation card.",
    "--> in the Economy Phase, ==> in the Trade Phase, ~~> a theft.",
    "(3 : 4) the printed exchange rate: small cube and ship 1, large 1.5, ultratech and point 3.",
)
ENTRY_RULES = {"acknowledged": "1* for every three acknowledgements that others hold, rounded up"}


def show(name: str | None, as_json: bool) -> str:
    """The catalog as JSON, one card, those that match, or all; raises `LookupError` when none matches."""
    if as_json:
        return json.dumps(plain(CATALOG), ensure_ascii=False, indent=1)
    if name is None:
        return "\n".join(list_all())
    found = find(name)
    if len(found) == 1:
        return "\n".join(describe(found[0]))
    return "\n".join([f"{len(found)} cards match {name!r}:", *map(line_of, found)])


def find(name: str) -> list[Card]:
    """The cards with that id, else with that name, else with that in their name; raises `LookupError`."""
    wanted = name.strip().casefold()
    every = CATALOG.cards.values()
    tests = (
        lambda card: wanted == card.id,
        lambda card: wanted in map(str.casefold, names_of(card)),
        lambda card: any(wanted in one.casefold() for one in (card.id, *names_of(card))),
    )
    for test in tests:
        if wanted and (found := [card for card in every if test(card)]):
            return found
    known = {one.casefold(): one for card in every for one in (card.id, *names_of(card))}
    near = [known[one] for one in get_close_matches(wanted, known, n=3)]
    meant = f" Did you mean {' or '.join(near)}?" if near else " `elysian cards` lists all of them."
    raise LookupError(f"No card is called {name!r}.{meant}")


def names_of(card: Card) -> list[str]:
    """The names on both sides."""
    return [face.name for face in (card.front, card.back) if face is not None]


def list_all() -> Iterator[str]:
    """Every card by deck, after what the signs mean."""
    for sentence in LEGEND:
        yield from wrap(sentence, WIDTH)
    deck = None
    for card in CATALOG.cards.values():
        prefix = card.id.partition(".")[0]
        if prefix != deck:
            deck = prefix
            facts = CATALOG.species.get(deck)
            count = sum(other.startswith(f"{deck}.") for other in CATALOG.cards)
            yield ""
            yield f"{facts.full_name if facts is not None else deck.capitalize()} ({count})"
        yield line_of(card)


def line_of(card: Card) -> str:
    """A card in one line: number, id, and the names of its sides."""
    sides = " / ".join(dict.fromkeys(names_of(card)))
    line = f"{card.number:>5}  {card.id:<38} {sides}"
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."


def describe(card: Card) -> Iterator[str]:
    """A card as the table prints it."""
    yield f"{card.front.name}   [{card.id}]"
    owner = CATALOG.species[card.species].full_name if card.species is not None else "no species"
    parts = [owner, f"card {card.number}" if card.number else "not a card", card.kind]
    if card.era is not None:
        parts.append(f"era {ERAS[card.era]}")
    yield from lines(", ".join(parts) + ("; in play from the start" if card.start else ""))
    if card.entry is not None:
        yield from lines(entry_words(card.entry))
    for side, face in (("front", card.front), ("back", card.back)):
        if face is not None:
            yield f"  {side + ':':<7}{face.name}"
            for line in face_lines(face):
                yield from lines(line, "         ")
    if card.research is not None:
        yield from lines(research_words(card.research))
    if card.upgrades:
        yield from lines("upgrade: " + "; or ".join(map(upgrade_words, card.upgrades)))
    yield from (line for words in notes(card) for line in lines(words))


def lines(text: str, indent: str = "  ") -> list[str]:
    """The text in lines that fit."""
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def face_lines(face: Face) -> Iterator[str]:
    """What is printed on a side under its name."""
    if face.climate is not None:
        yield f"{face.climate} colony"
    if face.fleets_needed:
        yield f"needs {face.fleets_needed} fleet support"
    for converter in face.converters:
        yield f"{converter_words(converter)}   {rate_words(converter)}".rstrip()
    if face.half is not None:
        yield half_words(face.half)
    if face.fleets:
        yield f"provides {face.fleets} fleet support"
    if face.support:
        yield f"its holder supports {face.support} more colonies"


def goods_words(goods: Goods, mark: str = "") -> list[str]:
    """Counts and letters, each with a mark before it."""
    return [
        f"{mark}{count}{SIGNS[kind]}" if kind in SIGNS else f"{mark}{count} {kind}"
        for kind, count in goods.items()
    ]


def counted(count: int, one: str, many: str) -> list[str]:
    """The words for a count, none for zero."""
    return [f"{count} {one if count == 1 else many}"] if count else []


def cost_words(cost: Cost) -> str:
    """One input set."""
    return ", ".join(
        [
            *counted(cost.envoys, "envoy there", "envoys there"),
            *goods_words(cost.goods),
            *counted(cost.any_small, "any small", "any small"),
            *counted(cost.any_large, "any large", "any large"),
            *counted(cost.same_small, "small", "small of one colour"),
            *counted(cost.same_large, "large", "large of one colour"),
            *(
                word
                for climate, count in cost.colonies
                for word in counted(count, f"{climate} colony", f"{climate} colonies")
            ),
        ]
    )


def converter_words(converter: Converter) -> str:
    """A converter with its arrow."""
    out = [
        *counted(converter.same, "of that colour", "of that colour"),
        *goods_words(converter.gain),
        *counted(converter.take_ultratech, "ultratech", "ultratech"),
        *counted(converter.take_large, "large", "large"),
        *counted(converter.take_small, "small", "small"),
        *goods_words(converter.donate, "+"),
        *([f"the top {converter.draws}"] if converter.draws is not None else []),
    ]
    paid = " / ".join(map(cost_words, converter.costs))
    said = f"{paid} {ARROWS[converter.when]} {', '.join(out)}".strip()
    return f"{said} (all to one player)" if converter.to_one else said


def rate_words(converter: Converter) -> str:
    """The exchange rate printed under a converter: what goes in and what comes out, in small cubes.

    Colonies and cards have none.
    """
    if converter.draws is not None or any(cost.colonies for cost in converter.costs):
        return ""
    size = BOOK["black" if converter.costs[0].same_large else "green"]
    out = book(converter.gain) + book(converter.donate) + converter.same * size
    out += converter.take_small * BOOK["green"] + converter.take_large * BOOK["black"]
    out += converter.take_ultratech * BOOK["ultratech"]
    paid = [
        book(cost.goods)
        + (cost.any_small + cost.same_small) * BOOK["green"]
        + (cost.any_large + cost.same_large) * BOOK["black"]
        for cost in converter.costs
    ]
    return f"({' / '.join(_in_cubes(n) for n in paid)} : {_in_cubes(out)})"


def _in_cubes(sixths: int) -> str:
    return f"{sixths / BOOK['green']:g}"


def half_words(half: Half) -> str:
    """Half a converter; dots stand for the other half."""
    out = ", ".join([*goods_words(half.gain), *goods_words(half.donate, "+")])
    if half.cost is None:
        return f"... {out}"
    return f"{cost_words(half.cost)} --> {out} ...".replace("  ", " ").strip()


def entry_words(entry: Entry) -> str:
    """How a card enters play, or what happens then."""
    if entry.cost is not None:
        return f"into play: {cost_words(entry.cost)} ==> {', '.join(['this card', *goods_words(entry.gain)])}"
    happens = [
        *goods_words(entry.gain),
        *counted(entry.colonies, "colony from the deck", "colonies from the deck"),
        *(["the sharing bonus"] if entry.sharing_bonus else []),
        *([ENTRY_RULES[entry.rule]] if entry.rule is not None else []),
    ]
    return f"on entry: {', '.join(happens)}"


def research_words(research: Research) -> str:
    """What a team asks and brings."""
    paid = " / ".join(map(cost_words, research.costs))
    invents = f", {CATALOG.technologies[research.technology].name}" if research.technology is not None else ""
    return f"invent: {paid} ==> {research.points}* and the sharing bonus{invents}"


def upgrade_words(way: Upgrade) -> str:
    """One way to turn a card over."""
    if way.technology is not None:
        return f"spend the card of {CATALOG.technologies[way.technology].name}"
    paid = f"pay {cost_words(way.cost)}" if way.cost is not None else ""
    return f"{paid} and gain {', '.join(goods_words(way.gain))}" if way.gain else paid


def notes(card: Card) -> Iterator[str]:
    """What else is printed, in words."""
    if card.mate is not None:
        mate = CATALOG.cards[card.mate]
        yield f"one half of a pair with {mate.front.name} [{mate.id}]"
        lead, other = (card, mate) if card.leads else (mate, card)
        for side, flipped in (("fronts", False), ("backs", True)):
            both = pair_converter(lead.face(flipped), other.face(flipped))
            yield f"both {side}: {converter_words(both)}   {rate_words(both)}"
    if card.kind != "board" and not card.tradable:
        yield "may not be traded"
    if card.lent_only:
        yield "its owner may not run it"
    if card.keeps:
        yield "a trade of it is for good"
    if card.when_traded != NOTHING:
        receiver, owner = goods_words(card.when_traded), goods_words(card.owner_when_traded)
        yield f"first trade in a turn: {', '.join(receiver)} to the receiver, {', '.join(owner)} to its owner"
    if card.cheaper:
        yield (
            "while it is in play, an invention paid in cubes that returns an acknowledgement costs "
            f"{card.cheaper} cube less; who pays the full price keeps the acknowledgement"
        )


def plain(value: object) -> object:
    """The value as JSON can hold it: every field of every card, and of goods what there is."""
    if isinstance(value, Goods):
        return dict(value.items())
    if isinstance(value, Struct):
        return {field: plain(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, dict):
        return {
            "/".join(map(str, key)) if isinstance(key, tuple) else str(key): plain(one)
            for key, one in value.items()
        }
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return "unlimited" if isinstance(value, float) and isinf(value) else value

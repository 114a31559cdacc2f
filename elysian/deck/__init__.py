"""Reads the cards from their TOML files, once, and refuses a file that contradicts itself."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

from msgspec import ValidationError, convert

from elysian.catalog import Card, Catalog, Confluence, Converter, SpeciesFacts, Technology
from elysian.deck.printed import (
    CatalogError,
    PrintedBonuses,
    PrintedCard,
    PrintedConfluence,
    PrintedDeck,
    PrintedTracks,
)

TURNS = 6
ERAS = (1, 2, 3, 4)

Shape = TypeVar("Shape")


class Reading:
    """The files read so far; each number and each id may come only once."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self.cards: dict[str, Card] = {}
        self.file_of: dict[str, str] = {}
        self.numbers: dict[str, str] = {}
        self.unplayed: list[str] = []
        self.species: dict[str, SpeciesFacts] = {}

    def count_number(self, file: str, card: str, number: str) -> None:
        """Note a printed number; raises `CatalogError` when another card has it."""
        if number in self.numbers:
            raise CatalogError(f"{file}: {card}: number {number} is also that of {self.numbers[number]}")
        self.numbers[number] = card

    def lay_aside(self, file: str, numbers: tuple[int, ...]) -> None:
        """Note the cards that are only read."""
        for number in numbers:
            self.count_number(file, f"unplayed card {number}", str(number))
            self.unplayed.append(str(number))

    def read_deck(self, file: str, content: dict[str, Any]) -> None:
        """Add a file of cards."""
        blocks = content.pop("card", [])
        head = convert_or_refuse(file, "head", content, PrintedDeck)
        expect_count(file, head.count, len(blocks))
        self.lay_aside(file, head.unplayed)
        if head.species is not None:
            self.species[head.deck] = head.species.facts(head.deck)
        owner = head.deck if head.species is not None else head.owner
        for block in blocks:
            name = str(block.get("id", "a card without id"))
            printed = convert_or_refuse(file, name, block, PrintedCard)
            try:
                card = printed.card(head.deck, owner)
            except CatalogError as wrong:
                raise CatalogError(f"{file}: {name}: {wrong}") from wrong
            if card.id in self.cards:
                raise CatalogError(f"{file}: {name}: id {card.id} is also in {self.file_of[card.id]}")
            if card.kind != "board":
                self.count_number(file, name, card.number)
            self.cards[card.id] = card
            self.file_of[card.id] = file

    def read_confluence(
        self, file: str, content: dict[str, Any]
    ) -> tuple[tuple[Confluence, ...], dict[int, tuple[tuple[int, int], ...]]]:
        """The sharing bonus cards, and the six of each number of players."""
        blocks = content.pop("card", [])
        head = convert_or_refuse(file, "head", content, PrintedBonuses)
        expect_count(file, head.count, len(blocks))
        self.lay_aside(file, head.unplayed)
        found = []
        for block in blocks:
            name = f"card {block.get('number')}"
            printed = convert_or_refuse(file, name, block, PrintedConfluence)
            self.count_number(file, name, str(printed.number))
            found.append(
                Confluence(
                    str(printed.number), printed.turn, printed.players, printed.bonus, printed.unshared
                )
            )
        bonuses = {}
        for players in sorted({players for card in found for players in card.players}):
            used = sorted((card for card in found if players in card.players), key=lambda card: card.turn)
            if [card.turn for card in used] != list(range(1, TURNS + 1)):
                raise CatalogError(f"{file}: {players} players: not one card for each turn")
            bonuses[players] = tuple((card.bonus, card.unshared) for card in used)
        for fewer, other in head.stand_in.items():
            bonuses[int(fewer)] = bonuses[other]
        return tuple(found), bonuses

    def check(self, technologies: dict[str, Technology]) -> None:
        """Raises `CatalogError` for the first card that does not fit the others."""
        for card in self.cards.values():
            for wrong in faults(card, self, technologies):
                raise CatalogError(f"{self.place(card)}: {wrong}")

    def place(self, card: Card) -> str:
        """The file of a card and its name in there."""
        return f"{self.file_of[card.id]}: {card.id.partition('.')[2]}"


def faults(card: Card, reading: Reading, technologies: dict[str, Technology]) -> Iterator[str]:
    """What is wrong with a card, seen beside all others."""
    named = [card.technology, *(way.technology for way in card.upgrades)]
    for technology in named:
        if technology is not None and technology not in technologies:
            yield f"unknown technology {technology}"
    if card.species is not None and card.species not in reading.species:
        yield f"unknown species {card.species}"
    if card.back is not None and card.research is None and not card.upgrades:
        yield "has a back but no way to upgrade"
    if card.upgrades and card.back is None:
        yield "has a way to upgrade but no back"
    if any((way.cost is None) == (way.technology is None) for way in card.upgrades):
        yield "an upgrade is either paid or by a technology"
    yield from _pairing(card, reading)
    drawn = {converter.draws for converter in converters_of(card) if converter.draws is not None}
    for deck in sorted(drawn - {other.kind for other in reading.cards.values()}):
        yield f"draws from an unknown deck {deck}"


def _pairing(card: Card, reading: Reading) -> Iterator[str]:
    if card.mate is not None:
        mate = reading.cards.get(card.mate)
        if mate is None:
            yield f"its mate {card.mate} is missing"
        elif mate.mate != card.id or mate.leads == card.leads:
            yield f"does not make a pair with {card.mate}"


def converters_of(card: Card) -> tuple[Converter, ...]:
    """The converters of both sides."""
    return card.front.converters + (card.back.converters if card.back is not None else ())


def convert_or_refuse(file: str, card: str, content: dict[str, Any], shape: type[Shape]) -> Shape:
    """The content in its shape; raises `CatalogError` when a key or a word is unknown."""
    try:
        return convert(content, shape)
    except ValidationError as wrong:
        raise CatalogError(f"{file}: {card}: {wrong}") from wrong


def expect_count(file: str, count: int, found: int) -> None:
    """Raises `CatalogError` when a deck has more or fewer cards than its head says."""
    if count != found:
        raise CatalogError(f"{file}: deck: {count} cards are announced, {found} are there")


def load(path: Traversable) -> dict[str, Any]:
    """The content of a TOML file; raises `CatalogError` when it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as wrong:
        raise CatalogError(f"{path.name}: {wrong}") from wrong


def read_catalog(root: Traversable | None = None) -> Catalog:
    """Everything that is printed, from the folders `cards` and `species`; raises `CatalogError`."""
    root = root or files("elysian")
    cards = root / "cards"
    reading = Reading()
    for name in ("colonies.toml", "research.toml"):
        reading.read_deck(name, load(cards / name))
    own = sorted((path for path in (root / "species").iterdir() if path.name.endswith(".toml")), key=name_of)
    for path in own:
        reading.read_deck(path.name, load(path))
    confluence, bonuses = reading.read_confluence("confluence.toml", load(cards / "confluence.toml"))
    tracks = convert_or_refuse("tracks.toml", "tracks", load(cards / "tracks.toml"), PrintedTracks)
    technologies = technologies_of(reading)
    reading.check(technologies)
    every = reading.cards.values()
    kinds: dict[str, tuple[str, ...]] = {}
    for card in every:
        kinds[card.kind] = (*kinds.get(card.kind, ()), card.id)
    apart = {*kinds.get("relic", ()), *kinds.get("nullspace", ())}
    return Catalog(
        cards=reading.cards,
        species=reading.species,
        technologies=technologies,
        species_technology=species_technologies(reading),
        deck_of={
            species: tuple(card.id for card in every if card.species == species and card.id not in apart)
            for species in reading.species
        },
        kinds=kinds,
        research=tuple(
            tuple(card.id for card in every if card.kind == "research" and card.era == era) for era in ERAS
        ),
        confluence=confluence,
        bonuses=bonuses,
        tracks={int(length): bids for length, bids in tracks.minimums.items()},
        edition_tracks={
            (edition, kind, int(length)): bids
            for edition, kinds_of_track in tracks.editions.items()
            for kind, lengths in kinds_of_track.items()
            for length, bids in lengths.items()
        },
        unplayed=tuple(reading.unplayed),
    )


def name_of(path: Traversable) -> str:
    """The name of a file, to sort by."""
    return path.name


def technologies_of(reading: Reading) -> dict[str, Technology]:
    """The technologies that some research team invents, named as on the back of its card."""
    found: dict[str, Technology] = {}
    for card in reading.cards.values():
        if card.research is None or card.research.technology is None:
            continue
        technology = card.research.technology
        if technology in found:
            raise CatalogError(f"{reading.place(card)}: {technology} has a team already")
        if card.back is None or card.era is None:
            raise CatalogError(f"{reading.place(card)}: {technology} has no name or no era")
        found[technology] = Technology(technology, card.back.name, card.era, card.id)
    return found


def species_technologies(reading: Reading) -> dict[tuple[str, str], str]:
    """The card of each technology in each species."""
    found: dict[tuple[str, str], str] = {}
    for card in reading.cards.values():
        if card.species is None or card.technology is None:
            continue
        key = (card.species, card.technology)
        if key in found:
            raise CatalogError(f"{reading.place(card)}: {found[key]} is of the same technology")
        found[key] = card.id
    return found


CATALOG = read_catalog()

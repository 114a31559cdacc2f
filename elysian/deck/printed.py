"""The shape of the TOML files: what a card, a species board and a track may say, and nothing else."""

from typing import Literal

from msgspec import Struct, field

from elysian.catalog import (
    FREE,
    Arrow,
    Card,
    Climate,
    Converter,
    Cost,
    Entry,
    Face,
    Half,
    Kind,
    Research,
    SpeciesFacts,
    Upgrade,
)
from elysian.goods import NOTHING, Count, Goods


class CatalogError(ValueError):
    """A file of cards is wrong; the message names the file and the card."""


class PrintedInput(Goods, frozen=True, forbid_unknown_fields=True):
    """One input set: goods, and what only an input can ask for."""

    any_small: Count = 0
    any_large: Count = 0
    same_small: Count = 0
    same_large: Count = 0
    colonies: dict[Climate | Literal["any"], Count] = field(default_factory=dict)
    envoys: Count = 0

    def cost(self) -> Cost:
        """The same as a `Cost`."""
        return Cost(
            goods=Goods(*self.counts()),
            any_small=self.any_small,
            any_large=self.any_large,
            same_small=self.same_small,
            same_large=self.same_large,
            colonies=tuple(self.colonies.items()),
            envoys=self.envoys,
        )


def cost_of(paid: PrintedInput | None) -> Cost | None:
    """The cost, where one is printed."""
    return None if paid is None else paid.cost()


class Made(Goods, frozen=True, forbid_unknown_fields=True):
    """An output: goods, and cubes in the colour that went in."""

    same: Count = 0


class Taken(Struct, frozen=True, forbid_unknown_fields=True):
    """What a theft takes."""

    small: Count = 0
    large: Count = 0
    ultratech: Count = 0


class PrintedConverter(Struct, frozen=True, forbid_unknown_fields=True, rename={"paid": "in", "made": "out"}):
    """A converter in a file."""

    when: Arrow = "economy"
    paid: PrintedInput | tuple[PrintedInput, ...] = ()
    made: Made = Made()
    donate: Goods = NOTHING
    take: Taken = Taken()
    to_one: bool = False
    draws: str | None = None

    def converter(self) -> Converter:
        """The same as a `Converter`; raises `CatalogError` when the economy would use up a colony."""
        sets = self.paid if isinstance(self.paid, tuple) else (self.paid,)
        if self.when == "economy" and any(paid.colonies for paid in sets):
            raise CatalogError("a white converter cannot take a colony")
        return Converter(
            when=self.when,
            costs=tuple(paid.cost() for paid in sets) or (FREE,),
            gain=Goods(*self.made.counts()),
            donate=self.donate,
            same=self.made.same,
            take_small=self.take.small,
            take_large=self.take.large,
            take_ultratech=self.take.ultratech,
            to_one=self.to_one,
            draws=self.draws,
        )


class PrintedHalf(Struct, frozen=True, forbid_unknown_fields=True, rename={"paid": "in", "made": "out"}):
    """Half a converter in a file."""

    paid: PrintedInput | None = None  # None on the half that prints no input side
    made: Goods = NOTHING
    donate: Goods = NOTHING


class PrintedFace(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a card in a file."""

    name: str
    climate: Climate | None = None
    converters: tuple[PrintedConverter, ...] = ()
    half: PrintedHalf | None = None
    fleets_needed: Count = 0
    fleets: Count = 0
    support: Count = 0

    def face(self) -> Face:
        """The same as a `Face`."""
        half = self.half
        return Face(
            name=self.name,
            climate=self.climate,
            converters=tuple(printed.converter() for printed in self.converters),
            half=Half(cost_of(half.paid), half.made, half.donate) if half is not None else None,
            fleets_needed=self.fleets_needed,
            fleets=self.fleets,
            support=self.support,
        )


class PrintedUpgrade(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to turn a card over: either `pay` (and `gain`) or `tech`."""

    pay: PrintedInput | None = None
    gain: Goods = NOTHING
    tech: str | None = None


class PrintedResearch(Struct, frozen=True, forbid_unknown_fields=True):
    """What a research team asks and brings."""

    cost: tuple[PrintedInput, ...]
    point: Count
    tech: str | None = None

    def research(self) -> Research:
        """The same as a `Research`."""
        return Research(tuple(paid.cost() for paid in self.cost), self.point, self.tech)


class PrintedEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """How a card enters play."""

    pay: PrintedInput | None = None
    gain: Goods = NOTHING
    colonies: Count = 0
    sharing_bonus: bool = False
    rule: str | None = None

    def entry(self) -> Entry:
        """The same as an `Entry`."""
        return Entry(cost_of(self.pay), self.gain, self.colonies, self.sharing_bonus, self.rule)


class PrintedCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[card]]` block."""

    id: str
    kind: Kind
    front: PrintedFace
    number: int | str = ""
    era: Literal[1, 2, 3, 4] | None = None
    tech: str | None = None
    start: bool = False
    mate: str | None = None
    leads: bool = False
    entry: PrintedEntry | None = None
    back: PrintedFace | None = None
    upgrade: tuple[PrintedUpgrade, ...] = ()
    research: PrintedResearch | None = None
    tradable: bool = True
    lent_only: bool = False
    keeps: bool = False
    when_traded: Goods = NOTHING
    owner_when_traded: Goods = NOTHING
    cheaper: Count = 0

    def card(self, deck: str, species: str | None) -> Card:
        """The same as a `Card`, its id made unique by the deck's name."""
        return Card(
            id=f"{deck}.{self.id}",
            number=str(self.number),
            kind=self.kind,
            front=self.front.face(),
            species=species,
            back=self.back.face() if self.back is not None else None,
            era=self.era,
            technology=self.tech,
            upgrades=tuple(Upgrade(cost_of(way.pay), way.gain, way.tech) for way in self.upgrade),
            research=self.research.research() if self.research is not None else None,
            entry=self.entry.entry() if self.entry is not None else None,
            tradable=self.tradable,
            lent_only=self.lent_only,
            keeps=self.keeps,
            when_traded=self.when_traded,
            owner_when_traded=self.owner_when_traded,
            cheaper=self.cheaper,
            mate=f"{deck}.{self.mate}" if self.mate is not None else None,
            leads=self.leads,
            start=self.start,
        )


class PrintedEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """What another edition prints on a species board."""

    stock: Goods


class PrintedSpecies(Struct, frozen=True, forbid_unknown_fields=True):
    """The `[species]` table."""

    name: str
    full_name: str
    difficulty: Count
    impact: Count
    support: int | float
    tiebreaker: int | float
    colonies: Count
    research: Count
    stock: Goods
    short: str | None = None  # None: the name is short enough
    names: dict[str, str] = {}  # by language, where it is called otherwise
    editions: dict[str, PrintedEdition] = {}
    extra_colony_spaces: Count = 0
    seedling: bool = False
    supply: Goods = NOTHING

    def facts(self, species: str) -> SpeciesFacts:
        """The same as `SpeciesFacts`."""
        return SpeciesFacts(
            id=species,
            name=self.name,
            full_name=self.full_name,
            short=self.short or self.name,
            names=self.names,
            difficulty=self.difficulty,
            impact=self.impact,
            support=self.support,
            tiebreaker=self.tiebreaker,
            colonies=self.colonies,
            research=self.research,
            stock=self.stock,
            editions={edition: printed.stock for edition, printed in self.editions.items()},
            extra_colony_spaces=self.extra_colony_spaces,
            seedling=self.seedling,
            supply=self.supply,
        )


class PrintedDeck(Struct, frozen=True, forbid_unknown_fields=True):
    """The head of a file of cards."""

    deck: str
    count: int
    owner: str | None = None  # the species whose border the cards have, when the file is not its own
    unplayed: tuple[int, ...] = ()
    species: PrintedSpecies | None = None


class PrintedConfluence(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[card]]` block of the confluence cards."""

    number: int
    turn: int
    players: tuple[int, ...]
    bonus: Count
    unshared: Count


class PrintedBonuses(Struct, frozen=True, forbid_unknown_fields=True):
    """The head of the file of confluence cards."""

    count: int
    unplayed: tuple[int, ...] = ()
    stand_in: dict[str, int] = {}


class PrintedTracks(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of the tracks."""

    minimums: dict[str, tuple[Count, ...]]
    editions: dict[str, dict[Literal["colony", "research"], dict[str, tuple[Count, ...]]]] = {}

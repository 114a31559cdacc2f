"""What is printed: cards, their faces and converters, species boards, tracks; `elysian.deck` reads them."""

from typing import Literal

from msgspec import Struct, structs

from elysian.drawn import drawn
from elysian.goods import NOTHING, Goods

Climate = Literal["desert", "ice", "jungle", "ocean"]
Arrow = Literal["economy", "trade", "steal"]
Kind = Literal[
    "starting",
    "technology",
    "fleet",
    "relic",
    "nullspace",
    "computer",
    "territory",
    "board",  # printed on a board or a deck's back, always in play, never a card to move
    "colony",
    "research",
]


class Cost(Struct, frozen=True, omit_defaults=True):
    """One complete input set."""

    goods: Goods = NOTHING
    any_small: int = 0  # small cubes of any colours
    any_large: int = 0
    same_small: int = 0  # small cubes of one colour, which is also the colour that comes out
    same_large: int = 0
    colonies: tuple[tuple[Climate | Literal["any"], int], ...] = ()
    envoys: int = 0  # held by the target; looked at, never spent

    def is_free(self) -> bool:
        """Whether nothing has to be given."""
        return self == FREE


FREE = Cost()


class Converter(Struct, frozen=True, omit_defaults=True):
    """In to out, in the phase its arrow names: white economy, violet trade, red steal."""

    when: Arrow = "economy"
    costs: tuple[Cost, ...] = (FREE,)  # pay any one of these
    gain: Goods = NOTHING
    donate: Goods = NOTHING  # output that goes to the donation card
    same: int = 0  # cubes that come out in the colour that went in
    take_small: int = 0  # a theft: cubes taken from the target, colours by choice
    take_large: int = 0
    take_ultratech: int = 0
    to_one: bool = False  # everything donated by one run must go to one player
    draws: str | None = None  # the deck whose top card enters play


class Upgrade(Struct, frozen=True, omit_defaults=True):
    """One printed way to flip a card: run a violet converter, or spend the card of a technology."""

    cost: Cost | None = None
    gain: Goods = NOTHING
    technology: str | None = None


class Half(Struct, frozen=True, omit_defaults=True):
    """One half of a converter that is printed over two cards."""

    cost: Cost | None = None  # None on the half that prints no input side
    gain: Goods = NOTHING
    donate: Goods = NOTHING


class Face(Struct, frozen=True, omit_defaults=True):
    """One side of a card."""

    name: str
    climate: Climate | None = None
    converters: tuple[Converter, ...] = ()
    half: Half | None = None
    fleets_needed: int = 0  # support symbols that must be reserved to run the white converters of this face
    fleets: int = 0  # support symbols this face provides
    support: int = 0  # colony support added for the holder


class Research(Struct, frozen=True, omit_defaults=True):
    """A research team: pay one of the costs, score, and invent the technology (era IV: none)."""

    costs: tuple[Cost, ...]
    points: int
    technology: str | None = None


class Entry(Struct, frozen=True, omit_defaults=True):
    """How an out-of-play card is put into play by its owner, or what happens when it arrives."""

    cost: Cost | None = None  # None: not by a converter of its own (drawn from a deck)
    gain: Goods = NOTHING
    colonies: int = 0  # colonies taken from the top of the colony deck
    sharing_bonus: bool = False  # the current ordinary sharing bonus is scored
    rule: str | None = None  # an effect only the species' own module knows


class Card(Struct, frozen=True, omit_defaults=True):
    """One card of the box; never changes."""

    id: str
    number: str  # as printed: "1" to "389", "T1" to "T3"; "" for a board
    kind: Kind
    front: Face
    species: str | None = None  # whose border it has; None: borderless
    back: Face | None = None
    era: int | None = None
    technology: str | None = None  # the technology whose invention brings this species card into play
    upgrades: tuple[Upgrade, ...] = ()
    research: Research | None = None
    entry: Entry | None = None
    tradable: bool = True
    lent_only: bool = False  # its owner may not run it
    keeps: bool = False  # bordered, but a trade of it is permanent
    when_traded: Goods = NOTHING  # what its receiver gains, the first time in a turn
    owner_when_traded: Goods = NOTHING  # and what its owner gains with it
    cheaper: int = 0  # cubes an invention costs less when it returns an acknowledgement
    mate: str | None = None  # the other half of a pair
    leads: bool = False  # the half that carries the pair's converter
    start: bool = False  # in play from the beginning

    @property
    def is_colony(self) -> bool:
        """Whether it counts as a colony for support, ties and as an input."""
        return self.kind in ("colony", "nullspace")

    def face(self, flipped: bool) -> Face:
        """The side that shows."""
        return self.back if flipped and self.back is not None else self.front

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return drawn(self)


def pair_converter(lead: Face, mate: Face) -> Converter:
    """The one converter that two halves make together, whichever side of each shows."""
    left, right = lead.half, mate.half
    if left is None or right is None:
        raise ValueError(f"{lead.name} and {mate.name} are not two halves")
    return Converter(
        costs=(left.cost or FREE,),
        gain=left.gain + right.gain,
        donate=left.donate + right.donate,
    )


class Technology(Struct, frozen=True):
    """What a research team of era I to III invents; every species has a card of it."""

    id: str
    name: str
    era: int
    research: str  # id of the card that invents it


class SpeciesFacts(Struct, frozen=True, omit_defaults=True):
    """What the board of a species prints."""

    id: str
    name: str
    full_name: str
    short: str
    difficulty: int
    impact: int
    support: int | float  # colonies it may keep; may be infinite
    tiebreaker: int | float  # the higher wins a tied bid; may be infinite
    colonies: int  # it starts with so many colonies
    research: int  # and so many research teams
    stock: Goods
    names: dict[str, str] = {}  # by language, where it is called otherwise
    editions: dict[str, Goods] = {}  # the stock in an edition that starts otherwise
    extra_colony_spaces: int = 0  # the colony track is so much longer when it plays
    seedling: bool = False  # the starting colony runs twice
    supply: Goods = NOTHING  # tokens of which there are only so many

    def in_language(self, language: str) -> "SpeciesFacts":
        """The same board, with the name the species has in a language."""
        if language not in self.names:
            return self
        name = self.names[language]
        return structs.replace(self, name=name, full_name=name, short=name, names={})

    def stock_in(self, edition: str) -> Goods:
        """The stock it starts with under the rules of an edition."""
        return self.editions.get(edition, self.stock)


class Confluence(Struct, frozen=True):
    """A sharing bonus card: used in one turn, with some numbers of players."""

    number: str
    turn: int
    players: tuple[int, ...]
    bonus: int
    unshared: int  # for an inventor who does not share


class Catalog(Struct, frozen=True):
    """Everything that is printed; never changes while a game runs."""

    cards: dict[str, Card]
    species: dict[str, SpeciesFacts]
    technologies: dict[str, Technology]
    species_technology: dict[tuple[str, str], str]  # (species, technology) to the card it brings into play
    deck_of: dict[str, tuple[str, ...]]  # a species' own cards; the decks it draws from are found by kind
    kinds: dict[str, tuple[str, ...]]
    research: tuple[tuple[str, ...], ...]  # by era, I to IV
    confluence: tuple[Confluence, ...]
    bonuses: dict[int, tuple[tuple[int, int], ...]]
    tracks: dict[int, tuple[int, ...]]
    edition_tracks: dict[tuple[str, str, int], tuple[int, ...]]  # by edition, kind of track and length
    unplayed: tuple[str, ...]  # printed numbers of the cards that are only read

    def team(self, invented: str) -> str:
        """The research team that invents a technology; one of era IV, which has none, stands for itself."""
        technology = self.technologies.get(invented)
        return invented if technology is None else technology.research

    @property
    def colonies(self) -> tuple[str, ...]:
        """The colony deck before it is shuffled."""
        return self.by_kind("colony")

    @property
    def relics(self) -> tuple[str, ...]:
        """The relic deck before it is shuffled."""
        return self.by_kind("relic")

    def by_kind(self, kind: Kind) -> tuple[str, ...]:
        """The ids of all cards of a kind, in the order of their file."""
        return self.kinds.get(kind, ())

    def bonus(self, players: int) -> tuple[tuple[int, int], ...]:
        """For each of the six turns: the sharing bonus, and the bonus of one who does not share."""
        return self.bonuses[players]

    def minimums(self, length: int, edition: str, kind: Literal["colony", "research"]) -> tuple[int, ...]:
        """The smallest bid for each space of a track, left to right."""
        return self.edition_tracks.get((edition, kind, length)) or self.tracks[length]

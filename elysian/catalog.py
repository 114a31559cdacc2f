"""What is printed: cards, their faces and converters, read once from the TOML files of the decks."""

from typing import Literal

from msgspec import Struct

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

    @property
    def is_colony(self) -> bool:
        """Whether it counts as a colony for support, ties and as an input."""
        return self.kind in ("colony", "nullspace")

    def face(self, flipped: bool) -> Face:
        """The side that shows."""
        return self.back if flipped and self.back is not None else self.front

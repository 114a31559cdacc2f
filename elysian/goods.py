"""Goods: an immutable count of cubes, octagons, ships, points and tokens."""

from typing import Annotated

from msgspec import Meta, Struct

# Nothing in the game comes near this; it keeps hostile numbers out of the arithmetic.
MOST = 9999

Count = Annotated[int, Meta(ge=0, le=MOST)]

SMALL = ("green", "white", "brown")
LARGE = ("black", "blue", "yellow")
SMALL_CUBES = (*SMALL, "wild_small")
LARGE_CUBES = (*LARGE, "wild_large")
CUBES = (*SMALL_CUBES, *LARGE_CUBES)
KINDS = (
    *SMALL,
    *LARGE,
    "wild_small",
    "wild_large",
    "ultratech",
    "ship",
    "point",
    "envoy",
    "acknowledgement",
)


class Goods(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A count of each kind of good; what is not named is zero."""

    green: Count = 0
    white: Count = 0
    brown: Count = 0
    black: Count = 0
    blue: Count = 0
    yellow: Count = 0
    wild_small: Count = 0
    wild_large: Count = 0
    ultratech: Count = 0
    ship: Count = 0
    point: Count = 0
    envoy: Count = 0
    acknowledgement: Count = 0

    def __add__(self, other: "Goods") -> "Goods":
        """Both together."""
        # A sum is never the default itself, which records leave out.
        if other is NOTHING:
            return Goods() if self is NOTHING else self
        if self is NOTHING:
            return other
        return Goods(
            self.green + other.green,
            self.white + other.white,
            self.brown + other.brown,
            self.black + other.black,
            self.blue + other.blue,
            self.yellow + other.yellow,
            self.wild_small + other.wild_small,
            self.wild_large + other.wild_large,
            self.ultratech + other.ultratech,
            self.ship + other.ship,
            self.point + other.point,
            self.envoy + other.envoy,
            self.acknowledgement + other.acknowledgement,
        )

    def __sub__(self, other: "Goods") -> "Goods":
        """What is left when `other` is taken away; a count may become negative."""
        if other is NOTHING and self is not NOTHING:
            return self
        return Goods(
            self.green - other.green,
            self.white - other.white,
            self.brown - other.brown,
            self.black - other.black,
            self.blue - other.blue,
            self.yellow - other.yellow,
            self.wild_small - other.wild_small,
            self.wild_large - other.wild_large,
            self.ultratech - other.ultratech,
            self.ship - other.ship,
            self.point - other.point,
            self.envoy - other.envoy,
            self.acknowledgement - other.acknowledgement,
        )

    def __bool__(self) -> bool:
        """True unless every count is zero."""
        return self != NOTHING

    def __len__(self) -> int:
        """How many pieces there are in all."""
        return sum(self.counts())

    def covers(self, other: "Goods") -> bool:
        """Whether `other` can be taken from this without any count going negative."""
        return (
            self.green >= other.green
            and self.white >= other.white
            and self.brown >= other.brown
            and self.black >= other.black
            and self.blue >= other.blue
            and self.yellow >= other.yellow
            and self.wild_small >= other.wild_small
            and self.wild_large >= other.wild_large
            and self.ultratech >= other.ultratech
            and self.ship >= other.ship
            and self.point >= other.point
            and self.envoy >= other.envoy
            and self.acknowledgement >= other.acknowledgement
        )

    def counts(self) -> tuple[int, ...]:
        """The counts in the order of `KINDS`."""
        return (
            self.green,
            self.white,
            self.brown,
            self.black,
            self.blue,
            self.yellow,
            self.wild_small,
            self.wild_large,
            self.ultratech,
            self.ship,
            self.point,
            self.envoy,
            self.acknowledgement,
        )

    def is_count(self) -> bool:
        """Whether every count is a whole number from zero to `MOST`."""
        for n in self.counts():  # noqa: SIM110 - a generator takes twice as long, and every offer comes by here
            if type(n) is not int or not 0 <= n <= MOST:
                return False
        return True

    def common(self, other: "Goods") -> "Goods":
        """What both have: the smaller count of each kind."""
        return Goods(*map(min, self.counts(), other.counts()))

    def missing(self, wanted: "Goods") -> "Goods":
        """What of `wanted` is not here."""
        return wanted - self.common(wanted)

    def items(self) -> list[tuple[str, int]]:
        """The kinds that are not zero, with their counts, in the order of `KINDS`."""
        return [(kind, n) for kind, n in zip(KINDS, self.counts(), strict=True) if n]

    def units(self) -> list["Goods"]:
        """Every piece on its own, in the order of `KINDS`."""
        return [Goods(**{kind: 1}) for kind, n in self.items() for _ in range(n)]

    def __repr__(self) -> str:
        """A form that can be pasted back."""
        return f"Goods({', '.join(f'{kind}={n}' for kind, n in self.items())})"


NOTHING = Goods()

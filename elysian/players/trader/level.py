"""Levels of traders: how far each sees, what it offers and what it asks for."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from elysian.worth import Prices, Taste

# One idea an offer, goods before cards: what people can read. Among themselves bots read more, at a price.
READABLE = Taste(piece=0.02, item=0.55, card=0.3, colony=0.3, most=5, one_way=True)
# Colonies are not small change: without a price half of those that move go back to a former holder. Among
# themselves `expert` and `planner` make fewer points with it, so they have it only where people look on.
STEADY = Taste(card=0.05, colony=0.25)


class Level(Struct, frozen=True):
    """How far a bot sees and what it asks for; a weaker one is never illegal or random."""

    name: str
    offers: int  # proposals a turn
    rings: tuple[int, ...] = (2,)  # proposes deals among so many seats, in this order
    together: int = 0  # looks in vain for a deal of the whole table, which comes first, so often in a turn
    tries: int = 3  # searches for one proposal
    lets_answer: int = 0  # so often it looks for nothing while an offer among others waits for its answer
    credit: int = 0  # goods of the next turn that a proposal may promise
    cards: bool = True  # its proposals move cards as well as goods
    least: float = 0.12  # what a deal must bring to be worth the talk
    floor: float = 0.35  # the smallest share of a two-party surplus it accepts
    share: float = 0.43  # of what all offers of one seat bring two, the least it wants in the long run
    asks: tuple[float, ...] = (0.5,)  # shares of a two-party surplus it asks for, the next after a refusal
    taste: Taste = Taste()  # of its proposals where there are only bots
    readable: Taste = READABLE  # of its proposals to people
    sight: float = 1.0  # how much of what cards bring in later turns it counts on


# Whoever counts on all that comes later finds more points in everything, so a thing more must bring more.
FAR_SIGHTED = replace(READABLE, item=0.8)
HARD = (0.7, 0.55)  # asks much of each seat first, and learns what it takes

EXPERT = Level(
    name="expert",
    offers=10,
    rings=(2, 3),
    together=1,
    tries=3,
    credit=4,
    asks=HARD,
    readable=FAR_SIGHTED,
)

LEVELS = {
    level.name: level
    for level in (
        Level(name="novice", offers=1, tries=1, cards=False, floor=0.2, sight=0.0, taste=STEADY),
        Level(name="standard", offers=3, tries=1, lets_answer=2, floor=0.3, sight=0.4, taste=STEADY),
        EXPERT,
        replace(EXPERT, name="planner", offers=12, together=4),
    )
}


def short_sighted(rates: Prices, sight: float) -> Prices:
    """Prices of one who counts on only a part of what comes after this turn."""
    far = {name: sight * getattr(rates, name) for name in ("free", "paid", "team", "relic", "fleet")}
    return replace(rates, **far)

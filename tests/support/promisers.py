"""A table of four at which deeds are promised."""

from elysian.deals import Deed, Undertake
from tests.support.table import hold, stock, table

FOUR = ("kit", "unity", "kjas", "zeth")
KIT, UNITY, KJAS, ZETH = range(4)
CITIES = "kjas.underground_cities"


def undertakes(verb, subject, by, turn=1, who=KJAS, to=KIT):
    """A promise to do something."""
    return Undertake(to=to, deed=Deed(who=who, verb=verb, subject=subject), turn=turn, by=by)


def ready_kjas(**more):
    """A table at which the Kjas can do every kind of deed."""
    game = hold(table(*FOUR, **more), KJAS, "colony.acrux", "research.sociologists")
    return stock(game, KJAS, white=8, ship=1)

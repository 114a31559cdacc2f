"""The nine species; the only place that names one."""

from elysian.species.base import Decider, Evolver, PublicArea, Species
from elysian.species.caylion import Caylion
from elysian.species.eni_et import EniEt
from elysian.species.faderan import Faderan
from elysian.species.imdril import Imdril
from elysian.species.kit import Kit
from elysian.species.kjas import Kjas
from elysian.species.unity import Unity
from elysian.species.yengii import Yengii
from elysian.species.zeth import Zeth

SPECIES: dict[str, Species] = {
    "caylion": Caylion(),
    "eni_et": EniEt(),
    "faderan": Faderan(),
    "imdril": Imdril(),
    "kjas": Kjas(),
    "kit": Kit(),
    "unity": Unity(),
    "yengii": Yengii(),
    "zeth": Zeth(),
}


def rules_of(species: str) -> Species:
    """The answers of a species."""
    return SPECIES[species]


__all__ = ["SPECIES", "Decider", "Evolver", "PublicArea", "Species", "rules_of"]

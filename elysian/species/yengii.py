"""Yengii: technologies they invent are not shared but licensed."""

from elysian.deck import CATALOG
from elysian.species.base import PublicArea, Species


class Yengii(Species):
    """YEN-1, YEN-3, YEN-5."""

    shares = False

    def licenses(self, area: PublicArea, technology: str) -> bool:
        """Any technology they invented themselves (YEN-5)."""
        card = CATALOG.technologies[technology].research
        return card in area.invented

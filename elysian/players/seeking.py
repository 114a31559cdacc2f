"""Seeking deals: pairs and whole tables, each searched once for every state of the goods."""

from __future__ import annotations

from collections import OrderedDict

from elysian.deals import Seat
from elysian.view import View
from elysian.worth import Found, Limits, Prices, Wish, find_deal, party_of
from elysian.worth.joint import Party

_PAIRS: OrderedDict[object, Found | None] = OrderedDict()
_TABLES: OrderedDict[object, Found | None] = OrderedDict()
_REMEMBERED = 5_000


def _key(party: Party) -> object:
    hand = party.hand
    return (hand.seat, hand.stock, party.donation, tuple(hand.cards.items()), hand.owed, party.moment)


class Seeker:
    """Finds deals on a view; what one seat has searched the next need not search again."""

    def __init__(self, rates: Prices, seconds: float) -> None:
        """Search with these prices, and so long over a whole table."""
        self.rates = rates
        self.seconds = seconds

    def pair(self, view: View, me: Seat, refused: set[object]) -> Found | None:
        """The best deal with one other seat that was not refused before."""
        mine = party_of(view, me, self.rates)
        best: Found | None = None
        for area in view.players:
            if area.seat == me:
                continue
            found = self._between(mine, party_of(view, area.seat, self.rates))
            if found is None or found.clauses in refused or found.surplus < 0.3:
                continue
            if best is None or found.gains[me] > best.gains[me]:
                best = found
        return best

    def _between(self, one: Party, other: Party) -> Found | None:
        parties = sorted((one, other), key=lambda party: party.hand.seat)
        key = (_key(parties[0]), _key(parties[1]), self.rates)
        if key not in _PAIRS:
            _PAIRS[key] = find_deal(parties, self.rates, Wish(least=0.12), Limits(seconds=0.5, gap=0.02))
            if len(_PAIRS) > _REMEMBERED:
                _PAIRS.popitem(last=False)
        return _PAIRS[key]

    def table(self, view: View, refused: set[object]) -> Found | None:
        """The best deal of the whole table that was not refused before."""
        parties = [party_of(view, area.seat, self.rates) for area in view.players]
        key = (tuple(map(_key, parties)), self.rates, self.seconds)
        if key not in _TABLES:
            limits = Limits(seconds=self.seconds, gap=0.03)
            _TABLES[key] = find_deal(parties, self.rates, Wish(least=0.0), limits)
            if len(_TABLES) > 200:
                _TABLES.popitem(last=False)
        found = _TABLES[key]
        if found is None or found.surplus < 0.5 or found.clauses in refused:
            return None
        return found

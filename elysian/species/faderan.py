"""Faderan: relic worlds, and acknowledgements that pay a point when their holder invents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.draft import Draft
from elysian.events import Event, Gained
from elysian.goods import Goods
from elysian.species.base import Evolver, PublicArea, Species
from elysian.state import State

ONE = Goods(acknowledgement=1)
CHEAPER = {card.id: card.cheaper for card in CATALOG.cards.values() if card.cheaper}


class AcknowledgementReturned(Event, frozen=True):
    """An inventor gave one acknowledgement back, and its maker scored a point (FAD-8)."""

    by: Seat
    to: Seat


def _returned(state: State, event: AcknowledgementReturned) -> State:
    inventor = state.players[event.by].paying(ONE)
    maker = state.players[event.to].gaining(Goods(acknowledgement=1, point=1))
    return state.with_player(event.by, inventor).with_player(event.to, maker)


class Faderan(Species):
    """FAD-5 to FAD-11; the relic worlds themselves are data."""

    evolvers: Mapping[type, Evolver] = {AcknowledgementReturned: _returned}

    def may_hand_on(self, goods: Goods) -> bool:
        """Only they may trade acknowledgements (FAD-5)."""
        return not goods.envoy

    def invention_discount(self, areas: Sequence[PublicArea], me: Seat, inventor: Seat) -> int:
        """With the cache in play, an invention that returns an acknowledgement costs a cube less (FAD-11)."""
        if inventor == me or not areas[inventor].stock.acknowledgement:
            return 0
        in_play = (less for card, less in CHEAPER.items() if any(card in area.cards for area in areas))
        return max(in_play, default=0)

    def after_invention(self, now: Draft, me: Seat, inventor: Seat, declined: bool) -> None:
        """One acknowledgement comes back and scores, unless the cache's discount was declined (FAD-8)."""
        if not declined and inventor != me and now.state.players[inventor].stock.acknowledgement:
            now.emit(AcknowledgementReturned(by=inventor, to=me))

    def after_entry(self, now: Draft, me: Seat, card: CardId, rule: str) -> None:
        """The cache scores a point per three acknowledgements held by others, rounded up (FAD-10)."""
        others = sum(p.stock.acknowledgement for seat, p in enumerate(now.state.players) if seat != me)
        if rule == "acknowledged" and others:
            now.emit(Gained(seat=me, goods=Goods(point=-(-others // 3)), card=card))

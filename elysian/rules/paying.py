"""What a seat holds and what it hands in for a converter; raises when it does not fit."""

from functools import cache

from elysian.catalog import Card, Converter, Cost, pair_converter
from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.event_parts import Paid
from elysian.goods import Goods
from elysian.payment import pays, suggest
from elysian.state import Held, PlayerState, State

_COLONIES = frozenset(card.id for card in CATALOG.cards.values() if card.is_colony)
_TEAMS = frozenset(card.id for card in CATALOG.cards.values() if card.research is not None)


def holding(state: State, seat: Seat, card: CardId) -> tuple[Card, Held]:
    """The card and how it lies; raises unless the seat holds it in play."""
    held = state.players[seat].cards.get(card)
    if held is None:
        raise IllegalAction("not_your_card", card=str(card))
    return CATALOG.cards[card], held


def converters_of(cards: dict[CardId, Held], card: CardId) -> tuple[Converter, ...]:
    """The converters a card in play shows; a pair's single converter is on its leading half (KIT-1)."""
    printed = CATALOG.cards[card]
    flipped = cards[card].flipped
    if printed.mate is None:
        return printed.face(flipped).converters
    if not printed.leads:
        return ()
    return _pair(card, flipped, cards[printed.mate].flipped)


def fleets_of(cards: dict[CardId, Held]) -> int:
    """The support symbols on the fleets among these cards (IMD-2, IMD-3)."""
    return sum(CATALOG.cards[card].face(held.flipped).fleets for card, held in cards.items())


@cache
def _pair(lead: CardId, lead_flipped: bool, mate_flipped: bool) -> tuple[Converter, ...]:
    printed = CATALOG.cards[lead]
    assert printed.mate is not None
    mate = CATALOG.cards[printed.mate]
    return (pair_converter(printed.face(lead_flipped), mate.face(mate_flipped)),)


def colonies_held(player: PlayerState) -> list[CardId]:
    """Colonies in a seat's area, nullspace colonies too, in the order they came."""
    return [card for card in player.cards if card in _COLONIES]


def teams_held(player: PlayerState) -> list[CardId]:
    """Research teams not yet invented."""
    return [card for card in player.cards if card in _TEAMS]


def suggested(
    player: PlayerState, card: CardId, cost: Cost | None
) -> tuple[Goods | None, tuple[CardId, ...]]:
    """A payment and colonies that fit the cost, sparing wild cubes, seedlings and terraformed colonies."""
    if cost is None:
        return None, ()
    pay = suggest(cost, player.stock)
    if not cost.colonies:
        return pay, ()
    spare = sorted(
        (colony for colony in colonies_held(player) if colony != card),
        key=lambda colony: (player.cards[colony].seedling, player.cards[colony].flipped),
    )
    chosen: list[CardId] = []
    for climate, n in cost.colonies:
        fitting = [
            colony
            for colony in spare
            if colony not in chosen
            and climate in ("any", CATALOG.cards[colony].face(player.cards[colony].flipped).climate)
        ]
        chosen += fitting[:n]
    return pay, tuple(chosen)


def hand_in(
    state: State, seat: Seat, card: CardId, cost: Cost, pay: Goods | None, colonies: tuple[CardId, ...]
) -> Paid:
    """What the seat gives for `cost`; raises unless it is one complete input set that the seat has."""
    goods = payment(card, cost, pay)
    player = state.players[seat]
    if not player.can_pay(goods):
        raise IllegalAction("lacks_goods", seat=seat, goods=short_of(player, goods))
    if not cost.colonies and not colonies:
        return Paid(goods=goods)
    _check_climates(player, card, cost, colonies)
    return discarded(colonies, goods)


def payment(card: CardId, cost: Cost, pay: Goods | None) -> Goods:
    """The goods that settle the cost; None means exactly what is printed."""
    if pay is None:
        if cost.any_small or cost.any_large or cost.same_small or cost.same_large:
            raise IllegalAction("name_the_payment", card=card)
        return cost.goods
    if not pay.is_count() or not pays(cost, pay):
        raise IllegalAction("wrong_payment", card=card)
    return pay


def short_of(player: PlayerState, goods: Goods) -> Goods:
    """What a seat lacks of a payment; points come from its score."""
    return (player.stock + Goods(point=max(0, player.score))).missing(goods)


def _check_climates(player: PlayerState, card: CardId, cost: Cost, colonies: tuple[CardId, ...]) -> None:
    """Different colonies held, one for each icon, with the climate of their current side (VIO-6, VIO-7)."""
    if len(colonies) != sum(n for _, n in cost.colonies) or len(set(colonies)) != len(colonies):
        raise IllegalAction("wrong_colonies", card=card)
    climates: dict[str, int] = {}
    for colony in colonies:
        held = player.cards.get(colony)
        if held is None or colony == card or not CATALOG.cards[colony].is_colony:
            raise IllegalAction("not_your_colony", card=str(colony))
        climate = CATALOG.cards[colony].face(held.flipped).climate or ""
        climates[climate] = climates.get(climate, 0) + 1
    for wanted, n in cost.colonies:
        if wanted != "any" and climates.get(wanted, 0) < n:
            raise IllegalAction("wrong_colonies", card=card)


def discarded(colonies: tuple[CardId, ...], goods: Goods) -> Paid:
    """Colonies go under their deck; nullspace colonies leave the game (KIT-5)."""
    return Paid(
        goods=goods,
        under=tuple(c for c in colonies if CATALOG.cards[c].kind == "colony"),
        removed=tuple(c for c in colonies if CATALOG.cards[c].kind != "colony"),
    )


def is_bordered(card: Card) -> bool:
    """Whether it has a species' border and so only ever leaves its owner for a turn (TRADE-6)."""
    return card.species is not None and not card.keeps

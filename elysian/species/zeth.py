"""Zeth: they steal from those who did not trade with them, and plant envoys that make it cheaper."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from elysian.actions import Action, Steal
from elysian.catalog import Converter
from elysian.deals import CardId, NoSteal, Seat
from elysian.deck import CATALOG
from elysian.deeds import deed_done
from elysian.draft import Draft, IllegalAction
from elysian.events import Event
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.payment import pays, suggest
from elysian.species.base import Decider, Evolver, Species
from elysian.state import State, forbearances


class Stolen(Event, frozen=True):
    """Goods went from the target's stock to the thief's."""

    by: Seat
    target: Seat
    card: CardId
    converter: int
    paid: Goods
    taken: Goods


def is_safe(state: State, thief: Seat, target: Seat) -> bool:
    """Whether a trade with the thief this turn protects the target (ZETH-3)."""
    return (thief, target) in state.traded


def _most(converter: Converter, stock: Goods) -> dict[str, int]:
    """How many cubes of each size, and octagons, the converter could take from a stock (ZETH-6)."""
    return {
        "small": min(converter.take_small, stock.green + stock.white + stock.brown),
        "large": min(converter.take_large, stock.black + stock.blue + stock.yellow),
        "ultratech": min(converter.take_ultratech, stock.ultratech),
    }


def _steal(now: Draft, seat: Seat, action: Steal) -> None:
    state = now.state
    if state.step != "steal":
        raise IllegalAction("wrong_step", step=state.step)
    thief = state.players[seat]
    held = thief.cards.get(action.card)
    card = CATALOG.cards.get(action.card)
    if held is None or card is None:
        raise IllegalAction("not_your_card", card=action.card)
    converters = card.face(held.flipped).converters
    if not 0 <= action.converter < len(converters) or converters[action.converter].when != "steal":
        raise IllegalAction("no_such_converter", card=action.card)
    if (action.card, action.converter) in state.ran:
        raise IllegalAction("already_ran", card=action.card)
    if action.target == seat or action.target not in state.seats():
        raise IllegalAction("bad_target")
    if is_safe(state, seat, action.target):
        raise IllegalAction("target_is_safe", seat=action.target)
    if action.target in state.robbed:
        raise IllegalAction("already_robbed", seat=action.target)
    if NoSteal(target=action.target) in forbearances(state, seat):
        raise IllegalAction("promised_not_to", seat=action.target)
    converter = converters[action.converter]
    paid = _payment(state, seat, action, converter)
    _check_take(converter, state.players[action.target].stock, action.take)
    now.emit(
        Stolen(
            by=seat,
            target=action.target,
            card=action.card,
            converter=action.converter,
            paid=paid,
            taken=action.take,
        )
    )
    deed_done(now, seat, "run", action.card)


def _payment(state: State, seat: Seat, action: Steal, converter: Converter) -> Goods:
    """One input set from stock; its envoys must be held by the target and stay there (ZETH-5, ZETH-7)."""
    if not 0 <= action.cost < len(converter.costs):
        raise IllegalAction("no_such_cost", card=action.card)
    cost = converter.costs[action.cost]
    held = state.players[action.target].stock.envoy
    if held < cost.envoys:
        raise IllegalAction("too_few_envoys", seat=action.target, needed=cost.envoys, held=held)
    pay = cost.goods if action.pay is None else action.pay
    if not pay.is_count() or not pays(cost, pay):
        raise IllegalAction("wrong_payment", card=action.card)
    if not state.players[seat].stock.covers(pay):
        raise IllegalAction("lacks_goods", seat=seat, goods=state.players[seat].stock.missing(pay))
    return pay


def _plentiful(converter: Converter, stock: Goods) -> Goods:
    """The most the converter can take, the commonest colours first."""
    most = _most(converter, stock)
    take = {"ultratech": most["ultratech"]}
    for size, colours in (("small", SMALL), ("large", LARGE)):
        left = {colour: int(getattr(stock, colour)) for colour in colours}
        for _ in range(most[size]):
            colour = max(colours, key=left.__getitem__)
            left[colour] -= 1
            take[colour] = take.get(colour, 0) + 1
    return Goods(**take)


def _check_take(converter: Converter, stock: Goods, take: Goods) -> None:
    """Everything the converter can take is taken; colours are the thief's choice, wild cubes are safe."""
    most = _most(converter, stock)
    if not any(most.values()):
        raise IllegalAction("nothing_to_steal")
    if not take.is_count() or not stock.covers(take):
        raise IllegalAction("cannot_take_that")
    named = {
        "small": sum(getattr(take, colour) for colour in SMALL),
        "large": sum(getattr(take, colour) for colour in LARGE),
        "ultratech": take.ultratech,
    }
    if named != most or sum(named.values()) != len(take):
        raise IllegalAction("cannot_take_that", most=most)


def _stolen(state: State, event: Stolen) -> State:
    thief = state.players[event.by].paying(event.paid).gaining(event.taken)
    target = state.players[event.target].paying(event.taken)
    return replace(
        state.with_player(event.by, thief).with_player(event.target, target),
        ran=state.ran | {(event.card, event.converter)},
        robbed=state.robbed | {event.target},
    )


class Zeth(Species):
    """ZETH-1 to ZETH-7; the Envoys card is data."""

    steals = True
    deciders: Mapping[type, Decider] = {Steal: _steal}
    evolvers: Mapping[type, Evolver] = {Stolen: _stolen}

    def candidates(self, state: State, me: Seat) -> list[Action]:
        """Every red converter, input set and target, taking the most plentiful colours."""
        thefts: list[Action] = []
        if state.step != "steal":
            return thefts
        thief = state.players[me]
        for card, held in thief.cards.items():
            for n, converter in enumerate(CATALOG.cards[card].face(held.flipped).converters):
                if converter.when != "steal" or (card, n) in state.ran:
                    continue
                for alternative, cost in enumerate(converter.costs):
                    pay = suggest(cost, thief.stock)
                    for target, player in enumerate(state.players):
                        take = _plentiful(converter, player.stock)
                        thefts.append(
                            Steal(card=card, converter=n, cost=alternative, target=target, take=take, pay=pay)
                        )
        return thefts

    def can_steal(self, state: State, me: Seat) -> bool:
        """Whether anybody with coloured cubes or octagons is neither safe nor robbed this turn (ZETH-2)."""
        return any(
            target != me
            and target not in state.robbed
            and not is_safe(state, me, target)
            and replace(player.stock, wild_small=0, wild_large=0, ship=0, envoy=0, acknowledgement=0)
            != NOTHING
            for target, player in enumerate(state.players)
        )

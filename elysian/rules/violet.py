"""Violet converters: running them, putting cards into play, upgrading, inventing."""

from collections.abc import Sequence

from elysian.actions import Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Card
from elysian.deals import CardId, Forbear, NoInvent, Seat
from elysian.deck import CATALOG
from elysian.deeds import deed_done
from elysian.draft import Draft, IllegalAction
from elysian.events import (
    CardDrawn,
    CardPutIntoPlay,
    CardUpgraded,
    ColoniesDrawn,
    ConverterRun,
    Gained,
    TechnologyInvented,
)
from elysian.goods import Goods
from elysian.payment import cheaper, pays
from elysian.rules.paying import hand_in, holding, is_bordered, payment, short_of
from elysian.species import PublicArea, rules_of
from elysian.state import Held, State

STEPS = ("trade", "settle", "gifts", "window")


def check_step(state: State) -> None:
    """Violet converters run only in the Trade Phase (VIO-1)."""
    if state.step not in STEPS:
        raise IllegalAction("wrong_step", step=state.step)


def run_converter(now: Draft, seat: Seat, action: RunConverter) -> None:
    """Run a violet converter of a card held, once a turn (VIO-1, VIO-2)."""
    check_step(now.state)
    card, held = holding(now.state, seat, action.card)
    converters = card.face(held.flipped).converters
    if not 0 <= action.converter < len(converters) or converters[action.converter].when != "trade":
        raise IllegalAction("no_such_converter", card=card.id)
    if (card.id, action.converter) in now.state.ran:
        raise IllegalAction("already_ran", card=card.id)
    converter = converters[action.converter]
    if not 0 <= action.cost < len(converter.costs):
        raise IllegalAction("no_such_cost", card=card.id)
    if converter.draws is not None:
        if held.owner != seat:
            raise IllegalAction("only_its_owner", card=card.id)
        if not now.state.relics:
            raise IllegalAction("deck_is_empty")
    paid = hand_in(now.state, seat, card.id, converter.costs[action.cost], action.pay, action.colonies)
    now.emit(ConverterRun(by=seat, card=card.id, converter=action.converter, paid=paid, gain=converter.gain))
    deed_done(now, seat, "run", card.id)
    if converter.draws is not None:
        _draw(now, seat)


def _draw(now: Draft, seat: Seat) -> None:
    """The top relic world enters play and its entry effect happens at once (FAD-2)."""
    card = CATALOG.cards[now.state.relics[0]]
    now.emit(CardDrawn(by=seat, card=card.id, bordered=is_bordered(card)))
    entry = card.entry
    if entry is None:
        return
    gain = entry.gain
    if entry.sharing_bonus:
        gain = gain + Goods(point=now.state.bonus[now.state.turn - 1][0])
    if gain:
        now.emit(Gained(seat=seat, goods=gain, card=card.id))
    colonies = now.state.colonies.cards[: entry.colonies]
    if colonies:
        now.emit(ColoniesDrawn(by=seat, cards=colonies))
    if entry.rule is not None:
        rules_of(now.state.players[seat].species).after_entry(now, seat, card.id, entry.rule)


def put_into_play(now: Draft, seat: Seat, action: PutIntoPlay) -> None:
    """An owner's card enters play, front side up, by its own converter (VIO-4)."""
    check_step(now.state)
    if action.card not in now.state.players[seat].deck:
        raise IllegalAction("not_in_your_deck", card=str(action.card))
    card = CATALOG.cards[action.card]
    if card.entry is None or card.entry.cost is None:
        raise IllegalAction("no_entry_converter", card=card.id)
    paid = hand_in(now.state, seat, card.id, card.entry.cost, action.pay, action.colonies)
    now.emit(
        CardPutIntoPlay(by=seat, card=card.id, paid=paid, gain=card.entry.gain, bordered=is_bordered(card))
    )
    deed_done(now, seat, "enter", card.id)
    deed_done(now, seat, "run", card.id)


def upgrade_card(now: Draft, seat: Seat, action: UpgradeCard) -> None:
    """A card is flipped in one of its printed ways (UPG-1)."""
    check_step(now.state)
    card, held = holding(now.state, seat, action.card)
    if held.flipped:
        raise IllegalAction("already_upgraded", card=card.id)
    if not 0 <= action.way < len(card.upgrades):
        raise IllegalAction("no_such_upgrade", card=card.id)
    way = card.upgrades[action.way]
    if way.cost is not None:
        paid = hand_in(now.state, seat, card.id, way.cost, action.pay, action.colonies)
        now.emit(CardUpgraded(by=seat, card=card.id, paid=paid, gain=way.gain))
    else:
        if action.pay or action.colonies:
            raise IllegalAction("wrong_payment", card=card.id)
        spent = _prerequisite(now.state, seat, card, held, way.technology or "")
        now.emit(CardUpgraded(by=seat, card=card.id, gain=way.gain, spent=spent))
    deed_done(now, seat, "upgrade", card.id)


def _prerequisite(state: State, seat: Seat, card: Card, held: Held, technology: str) -> CardId:
    """The seat's own card of a technology, in play, at home and not upgraded (UPG-2, UPG-3)."""
    player = state.players[seat]
    if held.owner != seat:
        raise IllegalAction("only_its_owner", card=card.id)
    wanted = CATALOG.species_technology[player.species, technology]
    spent = player.cards.get(wanted)
    if spent is None:
        raise IllegalAction("lacks_technology", technology=technology)
    if spent.flipped:
        raise IllegalAction("technology_upgraded", technology=technology)
    return wanted


def invent(now: Draft, seat: Seat, action: Invent) -> None:
    """A research team becomes a technology and the inventor's own card enters play (INV-1, INV-2)."""
    check_step(now.state)
    state = now.state
    card, _ = holding(state, seat, action.card)
    if card.research is None:
        raise IllegalAction("not_a_research_team", card=card.id)
    if not 0 <= action.cost < len(card.research.costs):
        raise IllegalAction("no_such_cost", card=card.id)
    technology = card.research.technology
    _check_may_invent(state, seat, technology or card.id)
    cost = card.research.costs[action.cost]
    discount = invention_discount(state.players, seat)
    reduced = cheaper(cost, discount) if discount else cost
    # A discount may be declined: the full price is a price as well (FAD-11).
    declined = reduced != cost and action.pay is not None and pays(cost, action.pay)
    paid = payment(card.id, cost if declined else reduced, action.pay)
    player = state.players[seat]
    if not player.can_pay(paid):
        raise IllegalAction("lacks_goods", seat=seat, goods=short_of(player, paid))
    own = CATALOG.species_technology.get((player.species, technology or ""))
    now.emit(
        TechnologyInvented(
            by=seat,
            card=card.id,
            paid=paid,
            points=card.research.points,
            bonus=sharing_bonus(state, seat) if state.settings.edition == "de2021" else 0,
            technology=technology,
            entered=own if own in player.deck else None,
        )
    )
    for other in state.seats():
        rules_of(state.players[other].species).after_invention(now, other, seat, declined)
    deed_done(now, seat, "invent", technology or card.id)


def _check_may_invent(state: State, seat: Seat, subject: str) -> None:
    for owed in state.obligations.values():
        clause = owed.clause
        if (
            isinstance(clause, Forbear)
            and clause.who == seat
            and clause.what == NoInvent(subject=subject)
            and state.turn <= clause.until
        ):
            raise IllegalAction("promised_not_to_invent", obligation=owed.id)


def invention_discount(areas: Sequence[PublicArea], inventor: Seat) -> int:
    """Cubes an invention of this seat costs less right now (FAD-11)."""
    if not areas[inventor].stock.acknowledgement:
        return 0
    return max(
        rules_of(area.species).invention_discount(areas, seat, inventor) for seat, area in enumerate(areas)
    )


def sharing_bonus(state: State, seat: Seat) -> int:
    """The bonus this turn for one of the seat's inventions: ordinary, or for those who do not share."""
    ordinary, unshared = state.bonus[state.turn - 1]
    return ordinary if rules_of(state.players[seat].species).shares else unshared

"""Planning: what white converters would take and make together, and in which ways a price can be paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import Action, Invent, PutIntoPlay, RunConverter, UpgradeCard
from elysian.catalog import Converter, Cost
from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.options import RunChoice, white_runs
from elysian.payment import Purse, cheaper, colour_paid, comes_out, fits_colour, pays, short, suggest, ways
from elysian.rules.owing import goods_of, owed_by
from elysian.rules.paying import colonies_held, fleets_of
from elysian.rules.violet import invention_discount
from elysian.state import TURNS, PlayerState, Run, State

MOST_WAYS = 24


class PlannedRun(Struct, frozen=True):
    """One run of a plan: how it would be paid, what it makes, what it lacks."""

    run: Run
    gain: Goods
    donate: Goods
    missing: Cost = Cost()  # of its input; nothing: it runs
    no_fleet: bool = False  # too few fleets support it
    ways: tuple[Run, ...] = ()  # the same run paid otherwise; empty where there is no choice


class Planned(Struct, frozen=True):
    """A plan as the table stands; what is owed this turn is set aside while it can still be traded for."""

    runs: tuple[PlannedRun, ...]
    paid: Goods  # set aside for the runs, also for those that still lack something
    missing: Cost
    left: Goods  # of the stock, for trading
    gain: Goods  # by all runs, when nothing is missing
    donate: Goods
    owed: Goods  # goes to others this turn
    owed_next: Goods  # and next turn, out of what is made
    fleets_needed: int
    fleets: int


class Payments(Struct, frozen=True):
    """In which ways a price can be paid: each of the payments, and for each climate some of the colonies."""

    pay: tuple[Goods, ...] = ()
    colonies: tuple[Slot, ...] = ()


class Slot(Struct, frozen=True):
    """So many of these colonies are handed in."""

    climate: str
    count: int
    cards: tuple[CardId, ...]


# ---------------------------------------------------------------- plans


def planned(state: State, seat: Seat, runs: Iterable[Run]) -> Planned:
    """What these runs take and make; runs that are not there to choose are left out (ECON-4, ECON-5)."""
    player = state.players[seat]
    there = {(choice.card, choice.converter): choice for choice in white_runs(state, seat)}
    owed = owed_by(seat, state.obligations.values(), state.turn, goods_of(player), state.choices)
    start = player.stock - player.stock.common(owed.now) if state.phase == "trade" else player.stock
    fleets = fleets_of(player.cards)
    purse = Purse(start + Goods(point=max(0, player.score)), fleets)
    wanted = list(_possible(runs, there))
    tried: dict[int, PlannedRun] = {}
    for n in sorted(range(len(wanted)), key=lambda n: _openness(wanted[n], there)):
        run = wanted[n]
        choice = there[run.card, run.converter]
        one, taken = _try(run, choice.printed, purse.left)
        purse.take(run.card, choice.fleets_needed, taken)
        tried[n] = replace(one, no_fleet=choice.fleets_needed > 0 and purse.fleets < 0)
    made = [tried[n] for n in sorted(tried)]
    with_ways = tuple(replace(one, ways=_ways(one, there, purse.left)) for one in made)
    gain, donate = _sum(one.gain for one in made), _sum(one.donate for one in made)
    if state.turn == TURNS:  # producers keep what would have been donated (END-2)
        gain, donate = gain + donate, NOTHING
    return Planned(
        runs=with_ways,
        paid=start + Goods(point=max(0, player.score)) - purse.left,
        missing=_all_missing(one.missing for one in made),
        left=replace(purse.left, point=0, envoy=0, acknowledgement=0),
        gain=gain,
        donate=donate,
        owed=owed.now,
        owed_next=owed.next,
        fleets_needed=fleets - purse.fleets,
        fleets=fleets,
    )


def _possible(runs: Iterable[Run], there: dict[tuple[CardId, int], RunChoice]) -> Iterator[Run]:
    """Runs of converters the seat has, none more often than it may run."""
    times: Counter[tuple[CardId, int]] = Counter()
    for run in runs:
        choice = there.get((run.card, run.converter))
        times[run.card, run.converter] += 1
        if choice is None or times[run.card, run.converter] > choice.times:
            continue
        yield run if 0 <= run.cost < len(choice.printed.costs) else replace(run, cost=0, pay=None)


def _openness(run: Run, there: dict[tuple[CardId, int], RunChoice]) -> int:
    """Payments that were chosen come first, prices of open colours last."""
    cost = there[run.card, run.converter].printed.costs[run.cost]
    if run.pay is not None:
        return 0
    return 2 if cost.any_small or cost.any_large or cost.same_small or cost.same_large else 1


def _try(run: Run, converter: Converter, left: Goods) -> tuple[PlannedRun, Goods]:
    """The run with its payment, and what is set aside for it."""
    cost = converter.costs[run.cost]
    if run.pay is not None and pays(cost, run.pay) and left.covers(run.pay):
        return _made(run, converter, run.pay), run.pay
    for n in (run.cost, *range(len(converter.costs))):
        pay = suggest(converter.costs[n], left)
        if pay is not None and left.covers(pay):
            return _made(replace(run, cost=n), converter, pay), pay
    missing, there = short(cost, left)
    bare = replace(run, pay=None, colour=None)
    gain = converter.gain
    return PlannedRun(run=bare, gain=gain, donate=converter.donate, missing=missing), there


def _made(run: Run, converter: Converter, pay: Goods) -> PlannedRun:
    cost = converter.costs[run.cost]
    colour = None
    if converter.same and colour_paid(pay) is None and len(pay) < converter.same:
        fits = run.colour is not None and fits_colour(cost, run.colour)
        colour = run.colour if fits else (SMALL if cost.same_small else LARGE)[0]
    exact = pay == cost.goods and not cost.same_small and not cost.same_large
    return PlannedRun(
        run=replace(run, pay=None if exact else pay, colour=colour),
        gain=comes_out(converter, cost, pay, colour),
        donate=converter.donate,
    )


def _ways(one: PlannedRun, there: dict[tuple[CardId, int], RunChoice], left: Goods) -> tuple[Run, ...]:
    """The same run with every payment that what is left allows, the one taken first."""
    if one.missing != Cost():
        return ()
    converter = there[one.run.card, one.run.converter].printed
    taken = one.run.pay if one.run.pay is not None else converter.costs[one.run.cost].goods
    found = [one.run]
    for n, cost in enumerate(converter.costs):
        for pay in ways(cost, left + taken, MOST_WAYS):
            other = _made(Run(card=one.run.card, converter=one.run.converter, cost=n), converter, pay).run
            colours = (SMALL if cost.same_small else LARGE) if other.colour is not None else (None,)
            found += (replace(other, colour=colour) for colour in colours)
    different = tuple(dict.fromkeys(found))[:MOST_WAYS]
    return different if len(different) > 1 else ()


def _all_missing(missing: Iterable[Cost]) -> Cost:
    total = Cost()
    for cost in missing:
        total = Cost(
            goods=total.goods + cost.goods,
            any_small=total.any_small + cost.any_small,
            any_large=total.any_large + cost.any_large,
            same_small=total.same_small + cost.same_small,
            same_large=total.same_large + cost.same_large,
        )
    return total


def _sum(goods: Iterable[Goods]) -> Goods:
    total = NOTHING
    for one in goods:
        total = total + one
    return total


# ---------------------------------------------------------------- prices


def payments(state: State, seat: Seat, action: Action) -> Payments:
    """In which ways a seat can pay for a violet converter; empty for what has no price."""
    cost = _price(state, seat, action)
    if cost is None:
        return Payments()
    player = state.players[seat]
    purse = player.stock + Goods(point=max(0, player.score))
    slots = tuple(Slot(climate, n, _colonies(player, climate, action)) for climate, n in cost.colonies)
    return Payments(pay=ways(cost, purse, MOST_WAYS), colonies=slots)


def _price(state: State, seat: Seat, action: Action) -> Cost | None:
    card = CATALOG.cards.get(getattr(action, "card", ""))
    if card is None:
        return None
    if isinstance(action, Invent) and card.research is not None and action.cost < len(card.research.costs):
        discount = invention_discount(state.players, seat)
        printed = card.research.costs[action.cost]
        return cheaper(printed, discount) if discount else printed
    if isinstance(action, UpgradeCard) and action.way < len(card.upgrades):
        return card.upgrades[action.way].cost
    if isinstance(action, PutIntoPlay) and card.entry is not None:
        return card.entry.cost
    held = state.players[seat].cards.get(card.id)
    if isinstance(action, RunConverter) and held is not None:
        shown = card.face(held.flipped).converters
        if action.converter < len(shown) and action.cost < len(shown[action.converter].costs):
            return shown[action.converter].costs[action.cost]
    return None


def _colonies(player: PlayerState, climate: str, action: Action) -> tuple[CardId, ...]:
    return tuple(
        colony
        for colony in colonies_held(player)
        if colony != getattr(action, "card", "")
        and climate in ("any", CATALOG.cards[colony].face(player.cards[colony].flipped).climate)
    )

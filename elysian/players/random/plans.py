"""Random economy plans: white converters that can all run together."""

from random import Random

from elysian.catalog import Converter, Cost
from elysian.deck import CATALOG
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.options import Options, RunChoice
from elysian.payment import Purse, colour_paid
from elysian.state import Run
from elysian.view import SeatView, View

LEFT_OUT = 0.15  # how often a converter that could run does not
SAVED_UP = 0.6  # how often the goods for an invention are kept back


def needed_to_invent(area: SeatView, rng: Random) -> Goods:
    """One input set of one research team a seat holds; nothing when it holds none."""
    teams = [team for card in area.cards if (team := CATALOG.cards[card].research) is not None]
    return rng.choice(rng.choice(teams).costs).goods if teams else NOTHING


def random_plan(view: View, options: Options, rng: Random) -> tuple[Run, ...]:
    """Runs that the seat's stock pays for and its fleets support, all at once (ECON-4)."""
    left = view.me.stock + Goods(point=max(0, view.score or 0))
    if rng.random() < SAVED_UP:
        left = left - left.common(needed_to_invent(view.me, rng))
    purse = Purse(left, options.fleets)
    runs: list[Run] = []
    for choice in rng.sample(options.runs, len(options.runs)):
        if not purse.supports(choice.card, choice.fleets_needed):
            continue
        for _ in range(choice.times):
            run = None if rng.random() < LEFT_OUT else _run(choice, purse, rng)
            if run is None or run.pay is None:
                continue
            runs.append(run)
            purse.take(choice.card, choice.fleets_needed, run.pay)
    return tuple(runs)


def _run(choice: RunChoice, purse: Purse, rng: Random) -> Run | None:
    """One run out of what is left, by any of the printed input sets; None when none can be paid."""
    costs = list(enumerate(choice.printed.costs))
    for n, cost in rng.sample(costs, len(costs)):
        pay = purse.payment(cost)
        if pay is not None:
            colour = _colour(choice.printed, cost, pay, rng)
            return Run(card=choice.card, converter=choice.converter, cost=n, pay=pay, colour=colour)
    return None


def _colour(printed: Converter, cost: Cost, pay: Goods, rng: Random) -> str | None:
    """The colour that comes out, where wild cubes alone went in and more comes out (ENI-4)."""
    if not printed.same or colour_paid(pay) is not None:
        return None
    return rng.choice(SMALL if cost.same_small else LARGE)

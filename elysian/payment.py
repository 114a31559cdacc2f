"""Whether a payment settles a printed cost, and what comes out for it."""

from collections.abc import Iterator
from itertools import islice

from elysian.catalog import Converter, Cost
from elysian.goods import LARGE, NOTHING, SMALL, Goods


def pays(cost: Cost, pay: Goods) -> bool:
    """Whether `pay` is one complete input set: wild cubes stand for any colour of their size (ECON-8)."""
    need = cost.goods
    if (
        pay.ultratech != need.ultratech
        or pay.ship != need.ship
        or pay.point != need.point
        or pay.envoy
        or pay.acknowledgement
    ):
        return False
    if cost.same_small:
        return _one_colour(pay.wild_small, (pay.green, pay.white, pay.brown), cost.same_small) and not (
            pay.black or pay.blue or pay.yellow or pay.wild_large
        )
    if cost.same_large:
        return _one_colour(pay.wild_large, (pay.black, pay.blue, pay.yellow), cost.same_large) and not (
            pay.green or pay.white or pay.brown or pay.wild_small
        )
    small = (pay.green - need.green, pay.white - need.white, pay.brown - need.brown)
    large = (pay.black - need.black, pay.blue - need.blue, pay.yellow - need.yellow)
    return _fills(pay.wild_small, small, cost.any_small) and _fills(pay.wild_large, large, cost.any_large)


def _fills(wild: int, over: tuple[int, int, int], anything: int) -> bool:
    """Wild cubes make up what is short of a colour; what is over fills the any-colour icons."""
    short = extra = 0
    for n in over:
        if n < 0:
            short -= n
        else:
            extra += n
    return short <= wild and extra + wild - short == anything


def _one_colour(wild: int, colours: tuple[int, int, int], wanted: int) -> bool:
    """All cubes of one run are of one colour, wild cubes mixed in at will (ENI-3, ENI-4)."""
    return wild + sum(colours) == wanted and sum(1 for n in colours if n) <= 1


def suggest(cost: Cost, stock: Goods) -> Goods | None:
    """A payment out of `stock` that keeps wild cubes where it can; None when the cost cannot be met."""
    if cost.same_small:
        return _suggest_one_colour(stock, SMALL, "wild_small", cost.same_small)
    if cost.same_large:
        return _suggest_one_colour(stock, LARGE, "wild_large", cost.same_large)
    need = cost.goods
    if stock.covers(need) and not cost.any_small and not cost.any_large:
        return need
    if stock.ultratech < need.ultratech or stock.ship < need.ship:
        return None
    pay = {"ultratech": need.ultratech, "ship": need.ship, "point": need.point}
    for colours, wild, anything in (
        (SMALL, "wild_small", cost.any_small),
        (LARGE, "wild_large", cost.any_large),
    ):
        if not _suggest_size(pay, stock, need, colours, wild, anything):
            return None
    return Goods(**pay)


def _suggest_size(
    pay: dict[str, int], stock: Goods, need: Goods, colours: tuple[str, ...], wild: str, anything: int
) -> bool:
    """Add the cubes of one size to `pay`, the most plentiful colours first; False when there are too few."""
    short = 0
    left: dict[str, int] = {}
    for colour in colours:
        have, want = getattr(stock, colour), getattr(need, colour)
        pay[colour] = min(have, want)
        short += want - pay[colour]
        left[colour] = have - pay[colour]
    for still in range(anything, 0, -1):
        colour = max(left, key=left.__getitem__)
        if not left[colour]:
            short += still
            break
        pay[colour] += 1
        left[colour] -= 1
    pay[wild] = short
    return bool(short <= getattr(stock, wild))


def _suggest_one_colour(stock: Goods, colours: tuple[str, ...], wild: str, wanted: int) -> Goods | None:
    best = max(colours, key=lambda colour: int(getattr(stock, colour)))
    have = min(wanted, getattr(stock, best))
    if have + getattr(stock, wild) < wanted:
        return None
    return Goods(**{best: have, wild: wanted - have})


def short(cost: Cost, stock: Goods) -> tuple[Cost, Goods]:
    """What of a cost that cannot be met is not in `stock`, and what is."""
    if cost.same_small or cost.same_large:
        kinds, wild = (SMALL, "wild_small") if cost.same_small else (LARGE, "wild_large")
        best = max(kinds, key=lambda kind: int(getattr(stock, kind)))
        there = Goods(**{best: getattr(stock, best), wild: getattr(stock, wild)})
        lacks = (cost.same_small or cost.same_large) - len(there)
        return (Cost(same_small=lacks) if cost.same_small else Cost(same_large=lacks)), there
    there = stock.common(cost.goods)
    lacks_goods = dict((cost.goods - there).items())
    rest = stock - there
    open_small, open_large = cost.any_small, cost.any_large
    for kinds, wild in ((SMALL, "wild_small"), (LARGE, "wild_large")):
        for kind in kinds:
            stands_in = min(lacks_goods.get(kind, 0), getattr(rest, wild))
            if stands_in:
                used = Goods(**{wild: stands_in})
                lacks_goods[kind] -= stands_in
                there, rest = there + used, rest - used
    for kind in (*SMALL, "wild_small"):
        used = Goods(**{kind: min(open_small, getattr(rest, kind))})
        open_small, there = open_small - len(used), there + used
    for kind in (*LARGE, "wild_large"):
        used = Goods(**{kind: min(open_large, getattr(rest, kind))})
        open_large, there = open_large - len(used), there + used
    return Cost(goods=Goods(**lacks_goods), any_small=open_small, any_large=open_large), there


def ways(cost: Cost, stock: Goods, most: int = 40) -> tuple[Goods, ...]:
    """The payments out of `stock` that settle a cost, those with the fewest wild cubes first."""
    need = cost.goods
    small = sum(getattr(need, kind) for kind in SMALL) + cost.any_small + cost.same_small
    large = sum(getattr(need, kind) for kind in LARGE) + cost.any_large + cost.same_large
    fixed = Goods(ultratech=need.ultratech, ship=need.ship, point=need.point)
    if not stock.covers(fixed):
        return ()
    found = (
        Goods(**one, **other) + fixed
        for one in _splits(small, (*SMALL, "wild_small"), stock)
        for other in _splits(large, (*LARGE, "wild_large"), stock)
    )
    fitting = [pay for pay in islice(found, 4000) if pays(cost, pay)]
    return tuple(sorted(fitting, key=lambda pay: pay.wild_small + pay.wild_large)[:most])


def _splits(count: int, kinds: tuple[str, ...], stock: Goods) -> Iterator[dict[str, int]]:
    """Every way to take so many pieces of these kinds out of a stock."""
    first, *others = kinds
    for n in range(min(count, getattr(stock, first)), -1, -1):
        if not others:
            if n == count:
                yield {first: n}
            return
        for rest in _splits(count - n, tuple(others), stock):
            yield {first: n, **rest}


def cheaper(cost: Cost, by: int) -> Cost:
    """The cost with `by` cubes less; a set of octagons stays as it is (FAD-11)."""
    for colour in (*SMALL, *LARGE):
        n = getattr(cost.goods, colour)
        if n:
            return Cost(goods=Goods(**{colour: max(0, n - by)}))
    return cost


def colour_paid(pay: Goods) -> str | None:
    """The one colour of an interest converter's input; None when only wild cubes went in."""
    for colour in (*SMALL, *LARGE):
        if getattr(pay, colour):
            return colour
    return None


def fits_colour(cost: Cost, colour: str) -> bool:
    """Whether the output of an interest converter may be of this colour."""
    return colour in (SMALL if cost.same_small else LARGE)


def comes_out(converter: Converter, cost: Cost, pay: Goods, colour: str | None) -> Goods:
    """What one run puts out: wild cubes pass through an interest converter unchanged (ENI-4)."""
    if not converter.same:
        return converter.gain
    wild = "wild_small" if cost.same_small else "wild_large"
    passed = min(getattr(pay, wild), converter.same)
    chosen = colour_paid(pay) or colour
    made = Goods(**{chosen: converter.same - passed}) if chosen else NOTHING
    return converter.gain + Goods(**{wild: passed}) + made


class Purse:
    """What is left while white converters are chosen one by one: goods, and fleets that support cards.

    All of them run at once (ECON-4), so what one takes is gone for the others; a card is supported once,
    however often it runs (IMD-2).
    """

    def __init__(self, goods: Goods, fleets: int) -> None:
        self.left = goods
        self.fleets = fleets
        self.supported: set[str] = set()

    def supports(self, card: str, fleets_needed: int) -> bool:
        """Whether the fleets that are left support a card."""
        return card in self.supported or fleets_needed <= self.fleets

    def payment(self, cost: Cost) -> Goods | None:
        """What would pay a cost out of what is left; None when it cannot be met."""
        pay = suggest(cost, self.left)
        return pay if pay is not None and self.left.covers(pay) else None

    def take(self, card: str, fleets_needed: int, pay: Goods) -> None:
        """A converter of the card runs: its payment and its fleets are taken."""
        self.left = self.left - pay
        if card not in self.supported:
            self.supported.add(card)
            self.fleets -= fleets_needed

"""The planner of the terminal game: which white converters to run, and what that takes and makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from elysian.book_value import BOOK
from elysian.catalog import Cost
from elysian.deck import CATALOG
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.messages import Messages, Telling
from elysian.options import Options, RunChoice
from elysian.payment import Purse, colour_paid, comes_out
from elysian.state import Run
from elysian.text.cards import converter_words
from elysian.text.screen import columns, folded, translated
from elysian.view import View

# The reference card says nothing of tokens; in a suggestion they count as much as a small cube.
VALUE = {**BOOK, "envoy": BOOK["green"], "acknowledgement": BOOK["green"]}


class Plan(Struct, frozen=True):
    """Runs that can all be paid together, and what they take and make."""

    runs: tuple[Run, ...] = ()
    ticked: frozenset[int] = frozenset()  # numbers of the converters, from 1
    unpaid: tuple[int, ...] = ()  # wanted, but what is left does not pay for them
    unsupported: tuple[int, ...] = ()  # wanted, but too few fleets are left
    paid: Goods = NOTHING
    gain: Goods = NOTHING
    donation: Goods = NOTHING


def value(goods: Goods) -> int:
    """What goods are worth by the book."""
    return sum(n * VALUE[kind] for kind, n in goods.items())


def plan(view: View, options: Options, wanted: Iterable[int]) -> Plan:
    """The runs of the converters with these numbers, free ones first, paid out of the stock."""
    purse = Purse(view.me.stock + Goods(point=max(0, view.score or 0)), options.fleets)
    made = Plan()
    choices = {n: choice for n, choice in enumerate(options.runs, start=1) if n in set(wanted)}
    for n, choice in sorted(choices.items(), key=lambda one: not one[1].printed.costs[0].is_free()):
        if not purse.supports(choice.card, choice.fleets_needed):
            made = replace(made, unsupported=(*made.unsupported, n))
            continue
        for turn in range(choice.times):
            run = _run(choice, purse)
            if run is None or run.pay is None:
                if not turn:
                    made = replace(made, unpaid=(*made.unpaid, n))
                break
            purse.take(choice.card, choice.fleets_needed, run.pay)
            made = replace(
                made,
                runs=(*made.runs, run),
                ticked=made.ticked | {n},
                paid=made.paid + run.pay,
                gain=made.gain
                + comes_out(choice.printed, choice.printed.costs[run.cost], run.pay, run.colour),
                donation=made.donation + choice.printed.donate,
            )
    return made


def best(view: View, options: Options) -> Plan:
    """A simple good plan: converters one after the other, those that gain most first; none at a loss."""
    order = sorted(
        (-_surplus(choice), n) for n, choice in enumerate(options.runs, start=1) if _surplus(choice) > 0
    )
    wanted: list[int] = []
    for _, n in order:
        tried = plan(view, options, [*wanted, n])
        if not tried.unpaid and not tried.unsupported:
            wanted.append(n)
    return plan(view, options, wanted)


def ticked_by(
    words: list[str], made: Plan, view: View, options: Options, messages: Messages
) -> frozenset[int]:
    """The ticks after `1 3`, `+2`, `-2`, `best` or `none`; raises ValueError with a sentence."""
    terminal = messages.terminal
    if words[0] in ("best", terminal["best"]):
        return best(view, options).ticked
    if words[0] in ("none", terminal["none"]):
        return frozenset()
    most = len(options.runs)
    added, removed, named = set[int](), set[int](), set[int]()
    for word in words:
        number = word.lstrip("+-")
        if not number.isdecimal() or not 1 <= int(number) <= most:
            raise ValueError(terminal["plan_how"].format(typed=word[:20], most=most))
        (added if word[0] == "+" else removed if word[0] == "-" else named).add(int(number))
    before = frozenset(named) if named else made.ticked
    return (before | added) - removed


def drawn(made: Plan, view: View, options: Options, messages: Messages) -> Iterator[str]:
    """Every white converter with its number and tick, and what the plan takes and makes."""
    terminal, telling = messages.terminal, Telling(messages, view.settings.species)
    yield from folded(terminal["planner"])
    short = (*made.unpaid, *made.unsupported)
    for n, choice in enumerate(options.runs, start=1):
        mark = "x" if n in made.ticked else "!" if n in short else " "
        name = CATALOG.cards[choice.card].face(view.me.cards[choice.card].flipped).name
        times = f" ({terminal['twice']})" if choice.times > 1 else ""
        yield from columns(
            f"{n:>2} [{mark}] {name}{times}",
            [translated(converter_words(choice.printed), messages)],
            left_width=42,
        )
    left = view.me.stock - Goods(**{kind: n for kind, n in made.paid.items() if kind != "point"})
    totals = {"paid": made.paid, "gain": made.gain, "donation": made.donation, "left": left}
    said = {name: telling.letters(goods) or "-" for name, goods in totals.items()}
    yield from folded(terminal["totals"].format(**said), hang="  ")
    if short:
        yield from folded(terminal["unpaid"].format(numbers=", ".join(map(str, short))))


def _surplus(choice: RunChoice) -> int:
    """What one run adds by the book; donation goods count half."""
    printed = choice.printed
    each = VALUE["black" if printed.costs[0].same_large else "green"]
    out = 2 * (value(printed.gain) + each * printed.same) + value(printed.donate)
    return out - 2 * min(map(_price, printed.costs))


def _price(cost: Cost) -> int:
    small, large = cost.any_small + cost.same_small, cost.any_large + cost.same_large
    return value(cost.goods) + VALUE["green"] * small + VALUE["black"] * large


def _run(choice: RunChoice, purse: Purse) -> Run | None:
    """One run out of what is left, by the first input set that can be paid; None when there is none."""
    for n, cost in enumerate(choice.printed.costs):
        pay = purse.payment(cost)
        if pay is None:
            continue
        colour = None
        if choice.printed.same and colour_paid(pay) is None:
            colour = SMALL[0] if cost.same_small else LARGE[0]
        return Run(card=choice.card, converter=choice.converter, cost=n, pay=pay, colour=colour)
    return None

"""The plan of last resort: every white converter that pays, the best first, while the goods last."""

from __future__ import annotations

from elysian.catalog import Converter
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.payment import Purse
from elysian.rules.paying import converters_of, fleets_of
from elysian.state import Run
from elysian.worth.prices import Prices
from elysian.worth.problem import Hand, Situation

PLENTY = Goods(**dict.fromkeys((*SMALL, *LARGE, "ultratech", "ship"), 99))


def greedy_runs(
    hand: Hand, situation: Situation, rates: Prices, rich: bool = False
) -> tuple[tuple[Run, ...], float]:
    """Runs that can all be paid and supported together, and what they bring; `rich`: others pay."""
    choices = sorted(_choices(hand, situation, rates), key=lambda choice: -choice[0])
    purse = Purse(PLENTY if rich else hand.stock - hand.stock.common(hand.owed), fleets_of(hand.cards))
    runs: list[Run] = []
    total = 0.0
    for profit, card, n, converter in choices:
        needed = CATALOG.cards[card].face(hand.cards[card].flipped).fleets_needed
        pay = purse.payment(converter.costs[0])
        if profit <= 0 or pay is None or not purse.supports(card, needed):
            continue
        colour = None
        if converter.same:
            colour = "green" if converter.costs[0].same_small else "black"
        runs.append(Run(card=card, converter=n, pay=pay, colour=colour if _only_wild(pay) else None))
        purse.take(card, needed, pay)
        total += profit
    return tuple(runs), total


def _only_wild(pay: Goods) -> bool:
    return len(pay) == pay.wild_small + pay.wild_large


def _choices(hand: Hand, situation: Situation, rates: Prices) -> list[tuple[float, str, int, Converter]]:
    found = []
    for name, held in hand.cards.items():
        card = CATALOG.cards[name]
        if card.lent_only and held.owner == hand.seat:
            continue
        for n, converter in enumerate(converters_of(hand.cards, name)):
            if converter.when != "economy":
                continue
            taken = converter.costs[0]
            profit = rates.made(converter, situation.turn) - rates.cost(taken, situation.turn)
            found += [(profit, name, n, converter)] * (2 if held.seedling else 1)
    return found

"""What a seat's goods and cards are worth to it: its best plan this turn, and what a change would mean.

Everything here is computed from a view, that is from open information, so it can be asked for any seat.
"""

from elysian.worth.card_values import card_worth
from elysian.worth.deal_search import Search
from elysian.worth.milp import Limits
from elysian.worth.needs import SeatNeeds, needs_of
from elysian.worth.parties import Found, Party, Wish
from elysian.worth.plans import Plan, best_plan, hand_of, moment_of, party_of, solve
from elysian.worth.prices import Prices, UnreadablePrices, prices
from elysian.worth.valuation import IMPOSSIBLE, Judgement, after, judge, worth

__all__ = [
    "IMPOSSIBLE",
    "Found",
    "Judgement",
    "Limits",
    "Party",
    "Plan",
    "Prices",
    "Search",
    "SeatNeeds",
    "UnreadablePrices",
    "Wish",
    "after",
    "best_plan",
    "card_worth",
    "hand_of",
    "judge",
    "moment_of",
    "needs_of",
    "party_of",
    "prices",
    "solve",
    "worth",
]

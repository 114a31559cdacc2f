"""What a seat's goods and cards are worth to it: its best plan this turn, and what a change would mean.

Everything here is computed from a view, that is from open information, so it can be asked for any seat.
"""

from elysian.worth.card_values import card_worth
from elysian.worth.deal_model import DealModel
from elysian.worth.meaning import Meaning, PlanDeed, meaning_of
from elysian.worth.milp import SolverLimits
from elysian.worth.needs import SeatNeeds, needs_of
from elysian.worth.parties import DealPolicy, FoundDeal, Party, Taste
from elysian.worth.plans import (
    PlanSteps,
    SeatPlan,
    best_plan,
    best_steps,
    hand_of,
    party_of,
    situation_of,
    solve,
)
from elysian.worth.prices import Prices, UnreadablePrices, prices
from elysian.worth.valuation import IMPOSSIBLE, Judgement, after, gain_of, judge, worth
from elysian.worth.whole_table import table_deal

__all__ = [
    "IMPOSSIBLE",
    "DealModel",
    "DealPolicy",
    "FoundDeal",
    "Judgement",
    "Meaning",
    "Party",
    "PlanDeed",
    "PlanSteps",
    "Prices",
    "SeatNeeds",
    "SeatPlan",
    "SolverLimits",
    "Taste",
    "UnreadablePrices",
    "after",
    "best_plan",
    "best_steps",
    "card_worth",
    "gain_of",
    "hand_of",
    "judge",
    "meaning_of",
    "needs_of",
    "party_of",
    "prices",
    "situation_of",
    "solve",
    "table_deal",
    "worth",
]

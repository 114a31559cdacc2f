"""What promises and restraint are worth, which no plan of this turn shows.

A promise is worth what it can change, judged from what everybody can see:

- nothing for what cannot happen: a condition nobody can meet, goods that cannot be there by then, a card
  that no longer comes up for auction, a move nobody would make;
- no more than the debtor can ever pay, his older promises first, and no more than breaking it would cost
  him: who gains more by breaking his word than the penalty is not believed for more;
- restraint at most what the move could cost me, times how likely it is; several promises not to make moves
  of which only one can be made count as one;
- to the one who gives it, all that it may cost: bots keep their word.

All promises that stand have a worth together, and a deal is worth the difference between those that would
stand and those that do: saying the same twice, or in many deals, brings nothing.

Each kind has one function, found by its type in `pledges.PLEDGED`, `restraint.RESTRAINTS` (what it costs)
and `restraint.RIVALS` (what it keeps others from). A kind that has none is worth nothing to whom it is owed,
and costs UNKNOWN to the one who gives it.
"""

from __future__ import annotations

from elysian.deals import Give, Seat, Undertake
from elysian.rules.promises import CARD_PENALTY
from elysian.state import TURNS
from elysian.view import View
from elysian.worth.clauses.outlook import PLANNED, UNKNOWN, Outlook
from elysian.worth.clauses.pledges import overdrawn, pledges_worth
from elysian.worth.clauses.restraint import restraint_worth
from elysian.worth.prices import Prices


def promises_worth(outlook: Outlook) -> float:
    """What all promises on the table are worth to the seat: those owed to it less those it owes."""
    if not outlook.view.obligations:
        return 0.0
    return pledges_worth(outlook) + restraint_worth(outlook) - _undertaken(outlook)


def _undertaken(outlook: Outlook) -> float:
    """What deeds cost the seat that undertook them; those of this turn show in its plan."""
    later = {
        clause.deed
        for promise in outlook.view.obligations.values()
        if isinstance(clause := promise.clause, Undertake)
        and clause.deed.who == outlook.seat
        and (clause.turn != outlook.view.turn or clause.deed.verb not in PLANNED)
    }
    return float(CARD_PENALTY * len(later))


def tokens_worth(view: View, seat: Seat, clause: Give, rates: Prices) -> float:
    """Donation goods, envoys and acknowledgements that change hands now."""
    left = TURNS - view.turn
    envoys = clause.goods.envoy + clause.donation.envoy
    if clause.giver == seat:
        kept = rates.donated * rates.goods(clause.donation, view.turn)
        # One comes back for each invention: more than can be invented are of no use to their maker (FAD-8).
        held = view.players[clause.to].stock.acknowledgement
        useful = max(0, min(2, left + 1) - held)
        thanks = rates.acknowledged * min(useful, clause.goods.acknowledgement)
        return rates.envoy * left * envoys + thanks - kept
    if clause.to == seat:
        return clause.donation.point - rates.envoy * left * envoys
    return 0.0


__all__ = ["UNKNOWN", "Outlook", "overdrawn", "promises_worth", "tokens_worth"]

"""What promises and restraint are worth to a bot: what they can change."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import (
    AnyClause,
    Deed,
    Forbear,
    Give,
    Lend,
    License,
    Lot,
    NoBid,
    NoHand,
    NoInvent,
    NoLicense,
    NoSteal,
    NoTake,
    NoTrade,
    OneOf,
    Pledge,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.state import State
from elysian.view import view
from elysian.worth import best_plan, hand_of, prices, worth
from elysian.worth.card_values import card_worth
from elysian.worth.clauses import UNKNOWN
from elysian.worth.parties import shared_worth
from tests.support.species_tables import colony_track
from tests.support.table import deal, hold, stock, table

RATES = prices()
ME, DEBTOR, OTHER = 0, 1, 2


def game(turn: int = 2) -> State:
    """Kit, who are asked; Caylion, who promise; two others."""
    return table("kit", "caylion", "eni_et", "zeth", turn=turn)


def pays(state: State, *clauses: AnyClause, seat: int = ME) -> float:
    """What clauses are worth to a seat."""
    return worth(view(state, seat), seat, clauses, RATES)


def owes(goods: Goods, due: int, to: int = ME, only_if: Deed | None = None, at: str = "start") -> Pledge:
    """A promise of the debtor."""
    what = Give(giver=DEBTOR, to=to, goods=goods)
    return Pledge(what=what, due=due, only_if=only_if, at=at)  # type: ignore[arg-type]


# ---------------------------------------------------------------- what a debtor can pay


def test_a_promise_counts_only_for_what_its_debtor_can_have_by_then() -> None:
    """TRADE-11: the wronged player receives nothing for the missing part."""
    state = stock(game(), DEBTOR, green=2)
    two = pays(state, owes(Goods(green=2), 2, at="close"))
    assert two > 0
    assert pays(state, owes(Goods(green=6), 2, at="close")) == pytest.approx(two)
    assert pays(state, owes(Goods(ultratech=2), 2, at="close")) == 0


def test_the_same_goods_do_not_pay_two_promises() -> None:
    """TRADE-12: the older one is served first."""
    state = stock(game(), DEBTOR, green=2)
    promise = owes(Goods(green=2), 2, at="close")
    sold = deal(state, OTHER, [DEBTOR], owes(Goods(green=2), 2, to=OTHER, at="close"))
    assert pays(state, promise) > 0
    assert pays(sold, promise) == 0


def test_nobody_is_believed_for_more_than_eight_goods() -> None:
    state = stock(game(), DEBTOR, green=20)
    assert pays(state, owes(Goods(green=8), 2, at="close")) > 0
    assert pays(state, owes(Goods(green=9), 2, at="close")) == 0


def test_a_card_that_is_promised_counts_for_no_more_than_breaking_the_promise_costs() -> None:
    """TRADE-11: two points for a missing card."""
    state = hold(game(), DEBTOR, "colony.el_nath")
    promise = Pledge(what=Give(giver=DEBTOR, to=ME, cards=("colony.el_nath",)), due=3)
    assert 0 < pays(state, promise) <= 2
    assert pays(game(), promise) == 0  # the debtor does not have it


def test_who_promises_for_the_close_what_he_has_not_counts_the_penalty() -> None:
    """TRADE-11: two points for each octagon that is missing."""
    state = stock(game(), DEBTOR, green=2)
    assert pays(state, owes(Goods(ultratech=3), 2, at="close"), seat=DEBTOR) <= -6


def test_a_licence_of_what_was_never_invented_is_worth_nothing() -> None:
    """YEN-9."""
    state = table("kit", "yengii", "eni_et", "zeth", turn=2)
    promise = Pledge(what=License(giver=1, to=0, technology="quantum_computers"), due=3)
    assert pays(state, promise) == 0


def test_a_promise_of_a_choice_counts_for_the_cheapest_that_may_keep_it() -> None:
    """TRADE-17: and costs its debtor the dearest."""
    state = stock(game(), DEBTOR, green=2, ultratech=2)
    lots = (Lot(goods=Goods(green=2)), Lot(goods=Goods(ultratech=2)))
    choice = Pledge(what=OneOf(giver=DEBTOR, to=ME, lots=lots, chosen_by="debtor"), due=2, at="close")
    assert pays(state, choice) == pytest.approx(pays(state, owes(Goods(green=2), 2, at="close")))
    assert pays(state, choice, seat=DEBTOR) <= -RATES.goods(Goods(ultratech=2), 2)


def test_a_card_is_lent_to_one_seat_a_turn() -> None:
    """TRADE-13: promised twice for the same turn, the use of a card counts once."""
    state = table("kit", "caylion", "eni_et", "zeth", turn=2, bare=False)
    cards = view(state, ME).players[OTHER].cards
    for card in cards:
        lent = Pledge(what=Lend(giver=OTHER, to=ME, card=card), due=3)
        again = replace(lent, at="close")
        assert pays(state, lent, again) == pytest.approx(pays(state, lent))
    assert any(pays(state, Pledge(what=Lend(giver=OTHER, to=ME, card=card), due=3)) > 0 for card in cards)


# ---------------------------------------------------------------- conditions


def test_a_condition_nobody_can_meet_makes_a_promise_worthless() -> None:
    """TRADE-10: a card of a species that is not at the table is run by nobody."""
    state = stock(game(), DEBTOR, green=4)
    absent = next(c.id for c in CATALOG.cards.values() if c.species == "unity" and c.front.converters)
    assert pays(state, owes(Goods(green=4), 3)) > 0
    assert pays(state, owes(Goods(green=4), 3, only_if=Deed(who=ME, verb="run", subject=absent))) == 0


def test_a_condition_in_the_debtors_own_hands_is_never_met() -> None:
    state = stock(game(), DEBTOR, green=4)
    own = next(card for card in view(state, ME).players[DEBTOR].cards)
    assert pays(state, owes(Goods(green=4), 3, only_if=Deed(who=DEBTOR, verb="run", subject=own))) == 0


def test_a_condition_that_is_in_my_plan_counts_nearly_whole() -> None:
    state = table("kit", "caylion", "eni_et", "zeth", turn=2, bare=False)
    state = stock(state, DEBTOR, green=4)
    run = best_plan(view(state, ME), ME, RATES).runs[0].card
    promise = Goods(green=2)
    sure = pays(state, owes(promise, 3))
    likely = pays(state, owes(promise, 3, only_if=Deed(who=ME, verb="run", subject=run)))
    assert 0.8 * sure < likely < sure


def test_a_purchase_that_nobody_can_be_sure_of_counts_little() -> None:
    """BID-4: others may bid more."""
    state = stock(colony_track(game(), "colony.el_nath"), DEBTOR, green=4)
    bought = Deed(who=ME, verb="buy", subject="colony.el_nath")
    sure = pays(state, owes(Goods(green=4), 3))
    assert 0 < pays(state, owes(Goods(green=4), 3, only_if=bought)) < 0.3 * sure


def test_a_purchase_in_the_last_turn_is_no_condition() -> None:
    """PHASE-3: there is no auction in turn 6."""
    state = stock(colony_track(game(turn=6), "colony.el_nath"), DEBTOR, green=4)
    bought = Deed(who=OTHER, verb="buy", subject="colony.el_nath")
    assert pays(state, owes(Goods(green=4), 6, only_if=bought, at="close")) == 0


# ---------------------------------------------------------------- restraint


def rivals() -> State:
    """A track with two colonies, which everybody can pay."""
    state = colony_track(game(), "colony.el_nath", "colony.hadar")
    for seat in range(4):
        state = stock(state, seat, ship=6)
    return state


def leaves(card: str, who: int = DEBTOR) -> Forbear:
    """A promise to leave me a card."""
    return Forbear(who=who, to=ME, what=NoTake(card=card), until=6)


def test_leaving_me_a_card_is_worth_at_most_what_losing_it_could_cost() -> None:
    state = rivals()
    lone = colony_track(state, "colony.el_nath")
    whole = card_worth(view(lone, ME), ME, "colony.el_nath", RATES, bought=True)
    assert 0 < pays(lone, leaves("colony.el_nath")) <= whole
    assert pays(state, leaves("colony.el_nath")) < pays(lone, leaves("colony.el_nath"))  # there is another


def test_leaving_cards_that_lie_on_no_track_is_worth_nothing() -> None:
    state = rivals()
    colonies = [card.id for card in CATALOG.cards.values() if card.kind == "colony"]
    elsewhere = [card for card in colonies if card not in state.colony_track]
    assert pays(state, *(leaves(card) for card in elsewhere[:50])) == 0


def test_many_promises_of_one_rival_count_as_one() -> None:
    """One seat takes one card in an auction (BID-6)."""
    state = rivals()
    cards = [card for card in state.colony_track if card is not None]
    low = Forbear(who=DEBTOR, to=ME, what=NoBid(track="colony", most=0), until=6)
    best = max(pays(state, one) for one in (*(leaves(card) for card in cards), low))
    assert pays(state, *(leaves(card) for card in cards), low) == pytest.approx(best)


def test_a_restraint_that_stands_is_not_paid_again() -> None:
    state = rivals()
    safe = Forbear(who=3, to=ME, what=NoSteal(target=ME), until=6)
    assert pays(state, safe) > 0
    again = deal(state, 3, [ME], safe)
    assert pays(again, safe) == 0


def test_one_who_cannot_steal_sells_no_safety() -> None:
    assert pays(game(), Forbear(who=DEBTOR, to=ME, what=NoSteal(target=ME), until=6)) == 0


@pytest.mark.parametrize(
    "what",
    [
        NoTrade(partner=OTHER),
        NoHand(card="colony.el_nath", but=None),
        NoLicense(technology="quantum_computers", but=ME),
        NoInvent(subject="quantum_computers"),
    ],
    ids=["trade", "hand", "license", "invent"],
)
def test_restraint_towards_others_costs_its_giver_and_brings_me_nothing_sure(what: object) -> None:
    """TRADE-10."""
    promise = Forbear(who=DEBTOR, to=ME, what=what, until=6)  # type: ignore[arg-type]
    assert pays(game(), promise) == 0
    assert -12 < pays(game(), promise, seat=DEBTOR) < 0


def test_a_kind_nobody_has_valued_is_worth_nothing_and_costs_its_giver() -> None:
    class NoSinging(Struct, frozen=True):
        song: str

    silence = Forbear(who=DEBTOR, to=ME, what=NoSinging("la"), until=6)  # type: ignore[arg-type]
    assert pays(game(), silence) == 0
    assert pays(game(), silence, seat=DEBTOR) == -UNKNOWN


# ---------------------------------------------------------------- deeds


def test_a_deed_is_worth_no_more_than_its_penalty() -> None:
    """TRADE-10: everybody prices a deed at no more than the two points it costs not to do it."""
    hopeful = replace(RATES, free=20.0, paid=20.0)  # counts on twenty runs a turn of every card to come
    hand = hand_of(view(game(turn=1), ME), ME)
    assert max(shared_worth(hand, technology, 1, hopeful) for technology in CATALOG.technologies) == 2


def test_a_deed_of_a_later_turn_costs_its_penalty_once() -> None:
    """TRADE-10."""
    word = Undertake(
        to=ME, deed=Deed(who=DEBTOR, verb="invent", subject="clinical_immortality"), turn=4, by="trade"
    )
    assert pays(game(), word, seat=DEBTOR) == -2
    assert pays(game(), word, word, seat=DEBTOR) == -2

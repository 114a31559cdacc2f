"""Malformed requests: each gets its code, and nothing changes."""

import pytest
from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    DeclineDeal,
    Done,
    Gift,
    GiveGifts,
    ProposeDeal,
    RunConverter,
    Steal,
)
from elysian.deals import (
    ANYONE,
    Deed,
    Forbear,
    Give,
    Lend,
    License,
    NoSteal,
    Note,
    Pledge,
    Reason,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.messages import sentence
from elysian.rules import refusal
from tests.support.table import change, offer, player, stock, table, until, why_not

FOUR = ("zeth", "unity", "kjas", "yengii")
ZETH, UNITY, KJAS, YENGII = range(4)
GREEN = Goods(green=1)


def _offer(*clauses: object, parties: tuple[int, ...] = (0, 1)) -> ProposeDeal:
    return ProposeDeal(parties=parties, clauses=clauses)  # type: ignore[arg-type]


def test_a_note_has_five_hundred_letters_at_most():
    assert why_not(table(*FOUR), 0, _offer(Note(text="x" * 500))) is None
    assert why_not(table(*FOUR), 0, _offer(Note(text="x" * 501))) == "empty_note"


OFFERS = {
    "a note without words": (_offer(Note(text="  ")), "empty_note"),
    "a note without end": (_offer(Note(text="x" * 501)), "empty_note"),
    "a gift of nothing": (_offer(Give(giver=0, to=1)), "empty_clause"),
    "a gift of less than nothing": (_offer(Give(giver=0, to=1, goods=Goods(green=-1))), "bad_quantity"),
    "a card nobody printed": (_offer(Give(giver=0, to=1, cards=("colony.elysium",))), "unknown_card"),
    "a loan of a card nobody printed": (_offer(Lend(giver=0, to=1, card="zeth.elysium")), "unknown_card"),
    "a colony that is lent": (_offer(Lend(giver=0, to=1, card="colony.acrux")), "not_lent_but_given"),
    "a species card that is given": (_offer(Give(giver=0, to=1, cards=("zeth.envoys",))), "only_lent"),
    "a card that must stay": (_offer(Lend(giver=0, to=1, card="zeth.envoys")), "not_tradable"),
    "a colony given twice at once": (
        _offer(Give(giver=0, to=1, cards=("colony.acrux", "colony.acrux"))),
        "bad_quantity",
    ),
    "a licence of an unknown technology": (
        _offer(License(giver=3, to=0, technology="Elysium"), parties=(0, 3)),
        "unknown_technology",
    ),
    "a promise on the deed of somebody who is not there": (
        _offer(
            Pledge(
                what=Give(giver=0, to=1, goods=GREEN),
                due=2,
                only_if=Deed(who=7, verb="buy", subject="colony.acrux"),
            )
        ),
        "bad_parties",
    ),
    "a promise on the deed of anyone, among two who are named": (
        _offer(
            Pledge(
                what=Give(giver=0, to=1, goods=GREEN),
                due=2,
                only_if=Deed(who=ANYONE, verb="buy", subject="colony.acrux"),
            )
        ),
        "bad_parties",
    ),
    "a promise not to steal from anyone, among two who are named": (
        _offer(Forbear(who=0, to=1, what=NoSteal(target=ANYONE), until=2)),
        "bad_parties",
    ),
    "a deed with a card nobody printed": (
        _offer(Undertake(deed=Deed(who=0, verb="run", subject="zeth.elysium"), to=1, by="economy", turn=2)),
        "unknown_card",
    ),
    "a party that is not there": (_offer(Give(giver=0, to=9, goods=GREEN), parties=(0, 9)), "bad_parties"),
    "a party named twice": (_offer(Give(giver=0, to=1, goods=GREEN), parties=(0, 1, 1)), "bad_parties"),
    "a deal of one": (_offer(Note(text="hello"), parties=(0,)), "bad_parties"),
    "a deal between others": (_offer(Give(giver=1, to=2, goods=GREEN), parties=(1, 2)), "bad_parties"),
    "a gift to somebody who is no party": (_offer(Give(giver=0, to=2, goods=GREEN)), "bad_parties"),
    "a gift from somebody who is no party": (_offer(Give(giver=2, to=1, goods=GREEN)), "bad_parties"),
    "a gift to oneself": (_offer(Give(giver=0, to=0, goods=GREEN)), "bad_parties"),
    "a deal with oneself": (_offer(Give(giver=0, to=0, goods=GREEN), parties=(0, 0)), "bad_parties"),
}


@pytest.mark.parametrize("name", OFFERS)
def test_a_malformed_offer_is_refused_with_its_reason(name: str) -> None:
    """TRADE-1."""
    action, code = OFFERS[name]
    game = stock(table(*FOUR), ZETH, green=2)
    assert why_not(game, ZETH, action) == code
    illegal = refusal(game, ZETH, action)
    assert illegal is not None
    for language in ("en", "de"):
        assert sentence(illegal, FOUR, language).endswith((".", "!", "?"))


def test_an_offer_taken_up_too_late_for_its_promise_is_refused():
    """TRADE-4."""
    game = table(*FOUR)
    clause = Undertake(deed=Deed(who=ZETH, verb="run", subject="zeth.envoys"), to=UNITY, by="economy", turn=1)
    late = ProposeDeal(parties=(ZETH, UNITY), clauses=(clause,))
    assert why_not(game, ZETH, late) is None
    assert why_not(change_turn(game, 2), ZETH, late) == "too_late"


def change_turn(game, turn):
    """The same table some turns later."""
    return replace(game, turn=turn)


def test_an_offer_and_its_answers_are_given_in_few_words():
    """TRADE-4."""
    give = Give(giver=ZETH, to=UNITY, goods=GREEN)
    game = offer(stock(table(*FOUR), ZETH, green=1), ZETH, (UNITY,), give)
    made = ProposeDeal(parties=(ZETH, UNITY), clauses=(give,))
    answers = ((ZETH, made), (UNITY, AcceptDeal(deal="d1")), (UNITY, DeclineDeal(deal="d1")))
    for seat, action in answers:
        assert why_not(game, seat, replace(action, reason="x" * 500)) is None
        assert why_not(game, seat, replace(action, reason="x" * 501)) == "offer_too_long"
    assert why_not(game, ZETH, DeclineDeal(deal="d1")) == "no_such_offer"  # it can only be withdrawn


def test_a_reason_names_at_most_twenty_cards():
    """TRADE-4."""
    game = stock(table(*FOUR), ZETH, green=1)
    made = _offer(Give(giver=ZETH, to=UNITY, goods=GREEN))
    cards = tuple(sorted(CATALOG.cards))
    assert why_not(game, ZETH, replace(made, reason=Reason(code="x", cards=cards[:20]))) is None
    assert why_not(game, ZETH, replace(made, reason=Reason(code="x", cards=cards[:21]))) == "offer_too_long"


def test_of_a_card_that_does_not_exist_sixty_letters_are_said_again():
    made = _offer(Give(giver=ZETH, to=UNITY, goods=GREEN))
    illegal = refusal(table(*FOUR), ZETH, replace(made, reason=Reason(code="x", cards=("y" * 500,))))
    assert illegal is not None
    assert (illegal.code, illegal.facts) == ("unknown_card", {"card": "y" * 60})


def test_a_seat_has_at_most_thirty_offers_open():
    """TRADE-4."""
    game = stock(table(*FOUR), ZETH, green=1)
    for _ in range(30):
        game = offer(game, ZETH, (UNITY,), Give(giver=ZETH, to=UNITY, goods=GREEN))
    assert why_not(game, ZETH, _offer(Give(giver=ZETH, to=UNITY, goods=GREEN))) == "too_many_offers"
    assert why_not(game, UNITY, _offer(Give(giver=UNITY, to=KJAS, goods=GREEN), parties=(1, 2))) is None


def test_an_action_of_no_known_kind_is_refused():
    """TRADE-1."""

    class Cheat(Struct, frozen=True):
        points: int = 50

    illegal = refusal(table(*FOUR), ZETH, Cheat())  # type: ignore[arg-type]
    assert illegal is not None
    assert illegal.code == "unknown_action"


def test_an_empty_gift_beside_a_full_one_is_refused():
    """DON-5."""
    game = until(change(table(*FOUR), ZETH, donation=Goods(white=1)), "gifts")
    gifts = (Gift(to=UNITY, goods=Goods()), Gift(to=KJAS, goods=Goods(white=1)))
    assert why_not(game, ZETH, GiveGifts(gifts=gifts)) == "empty_gift"
    assert why_not(game, ZETH, GiveGifts(gifts=gifts[1:])) is None


@pytest.mark.parametrize("converter", [-1, 5])
def test_a_theft_names_a_converter_its_card_has(converter: int) -> None:
    """ZETH-1."""
    game = until(stock(table(*FOUR), UNITY, green=3), "steal")
    card = next(name for name in player(game, ZETH).cards if name.startswith("zeth."))
    action: Action = Steal(card=card, converter=converter, target=UNITY, take=GREEN)
    assert why_not(game, ZETH, action) == "no_such_converter"


def test_every_seat_is_asked_for_by_number():
    """SETUP-1."""
    game = table(*FOUR)
    for seat in (-1, 4, 99):
        assert why_not(game, seat, Done()) == "no_such_seat"
    assert why_not(game, ZETH, RunConverter(card="zeth.elysium")) == "not_your_card"

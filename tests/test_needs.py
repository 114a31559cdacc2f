"""Needs and spares: what a best plan lacks and leaves over."""

from __future__ import annotations

from elysian.deck import CATALOG
from elysian.view import view
from elysian.worth import needs_of
from tests.support.table import hold, seat_of, stock, table

FOUR = ("kit", "faderan", "caylion", "zeth")


def test_a_team_that_lacks_little_is_a_need() -> None:
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", white=4)
    assert needs_of(view(game, 0), seat_of(game, "kit")).needs.white == 2


def test_what_the_plan_pays_is_not_spare() -> None:
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", white=8)
    assert needs_of(view(game, 0), seat_of(game, "kit")).spare.white <= 2


def test_a_kind_is_needed_or_spare_and_never_both() -> None:
    game = table(*FOUR)
    for seat in range(4):
        found = needs_of(view(game, 0), seat)
        assert not found.needs.common(found.spare)
        assert view(game, 0).players[seat].stock.covers(found.spare)


def test_idle_cards_are_held_and_have_a_price() -> None:
    game = table(*FOUR)
    for seat in range(4):
        for card in needs_of(view(game, 0), seat).idle:
            assert card in game.players[seat].cards
            assert CATALOG.cards[card].front.converters

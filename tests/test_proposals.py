"""What bots come up with besides goods: licences, fleets, protection, helped inventions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from elysian.actions import Invent
from elysian.deals import Deed, Forbear, Give, Lend, License, NoSteal, Undertake, parties_to
from elysian.goods import Goods
from elysian.players.trader.answers import Judge
from elysian.players.trader.search import DealSearch, with_tied
from elysian.rules.promises import CARD_PENALTY
from elysian.state import TURNS, State
from elysian.view import view
from elysian.worth import DealModel, DealPolicy, FoundDeal, SolverLimits, judge, party_of, prices, worth
from tests.support.table import change, deal, hold, next_turn, play, player, stock, table

RATES = prices()


def best_deal(game: State, *seats: int) -> FoundDeal:
    """The best deal of some seats, worth to everybody what the search says."""
    seen = view(game, seats[0])
    parties = [party_of(seen, seat, RATES) for seat in seats]
    found = DealModel(parties, RATES, DealPolicy(credit=0)).deal(
        SolverLimits(work=100, gap=0.01, points=0.01)
    )
    assert found is not None
    for seat, gain in found.gains.items():
        assert abs(worth(seen, seat, found.clauses, RATES) - gain) < 0.05
    game = deal(game, seats[0], seats[1:], *found.clauses)  # the rules allow it
    assert game.deals == {}
    return found


def test_yengii_license_what_they_invented_to_whoever_can_use_it() -> None:
    """YEN-5."""
    game = table("yengii", "kit", "caylion", "zeth", turn=2)
    game = stock(change(game, 0, invented=("research.computational_theoreticians",)), 1, white=3, black=4)
    found = best_deal(game, 0, 1)
    assert License(giver=0, to=1, technology="quantum_computers") in found.clauses
    assert any(isinstance(c, Give) and (c.giver, c.to) == (1, 0) and c.goods for c in found.clauses)


def test_nobody_licenses_what_is_shared_or_already_there() -> None:
    """YEN-1, YEN-6."""
    game = table("yengii", "kit", "caylion", "zeth", turn=2)
    game = change(game, 0, invented=("research.computational_theoreticians",))
    game = hold(stock(game, 1, white=3, black=4), "kit", "kit.quantum_computers")
    seen = view(game, 0)
    found = DealModel([party_of(seen, n, RATES) for n in (0, 1)], RATES, DealPolicy()).deal(SolverLimits())
    assert found is None or not any(isinstance(c, License) for c in found.clauses)
    shared = change(game, 1, invented=("research.computational_theoreticians",))
    assert party_of(view(shared, 0), 0, RATES).hand.licences == ("quantum_computers",)
    assert party_of(view(shared, 0), 1, RATES).hand.licences == ()


def fleet() -> State:
    """Im'dril have a fleet and one card that needs it, Kit the black cubes to run it."""
    game = table("imdril", "kit", "caylion", "zeth", turn=2)
    held = player(game, 0).cards["imdril.starting_fleet"]
    cards = {"imdril.galactic_exploration": held, "imdril.starting_fleet": held}
    return stock(change(game, 0, cards=cards), 1, black=2, ship=2)


def test_an_imdril_card_is_lent_with_the_fleet_that_supports_it() -> None:
    """IMD-4, IMD-5: whoever runs it needs the fleet in his own hands."""
    lent = [
        Lend(giver=0, to=1, card="imdril.galactic_exploration"),
        Lend(giver=0, to=1, card="imdril.starting_fleet"),
    ]
    seen = view(fleet(), 0)
    assert worth(seen, 1, lent, RATES) > 0.5
    assert worth(seen, 1, lent[:1], RATES) < 0.01
    assert abs(worth(seen, 0, lent, RATES)) < 0.01  # both come back when the turn ends


def test_a_search_lends_a_fleet_with_its_card_or_gets_the_cubes_for_it() -> None:
    """IMD-4: whatever it finds is worth the same to those who judge it."""
    found = best_deal(fleet(), 0, 1)
    lent = {clause.card for clause in found.clauses if isinstance(clause, Lend)}
    got = any(isinstance(clause, Give) and clause.goods.black == 2 for clause in found.clauses)
    assert got or lent == {"imdril.galactic_exploration", "imdril.starting_fleet"}


def test_a_trade_with_zeth_counts_as_protection() -> None:
    """ZETH-3: once in a turn, and only for those who can be stolen from."""
    game = stock(table("zeth", "kit", "caylion", "unity", bare=False), 1, green=2)
    seen = view(game, 1)
    swap = [Give(giver=1, to=0, goods=Goods(green=1)), Give(giver=0, to=1, goods=Goods(green=1))]
    assert worth(seen, 1, swap, RATES) >= RATES.safety - 0.01
    assert party_of(seen, 1, RATES).fears == {0}
    assert party_of(seen, 0, RATES).fears == frozenset()
    assert party_of(replace(seen, traded=((0, 1),)), 1, RATES).fears == frozenset()


def test_zeth_sell_the_goods_that_must_all_go_to_one_player() -> None:
    """ZETH-10: between two they are free to go; once begun, only to the same player."""
    game = table("zeth", "kit", "caylion", "unity", turn=3)
    tied = Goods(brown=1, blue=1, yellow=1, ultratech=1)
    game = stock(change(game, 0, tied=tied), 1, white=4, green=4)
    found = DealSearch(RATES, DealPolicy(credit=0)).best(view(game, 0), 0, set())
    assert found is not None
    given = [clause for clause in found.clauses if isinstance(clause, Give)]
    assert any(clause.donation and clause.giver == 0 for clause in given)
    assert any(clause.goods and clause.to == 0 for clause in given)
    game = deal(game, 0, [seat for seat in parties_to(found.clauses) if seat], *found.clauses)
    assert game.deals == {}

    seen = view(change(game, 0, tied=tied, tied_to=2), 0)
    zeth, kit, caylion = (party_of(seen, seat, RATES) for seat in (0, 1, 2))
    assert with_tied(seen, zeth, caylion).donation == zeth.donation + tied
    assert with_tied(seen, zeth, kit) is zeth


def sponsoring() -> State:
    """Kit lack two white for an invention that Faderan would get too."""
    game = hold(table("kit", "faderan", "caylion", "zeth"), "kit", "research.computational_theoreticians")
    return stock(stock(game, "kit", white=4, brown=2), "faderan", white=2)


def test_an_invention_is_sponsored_by_one_who_gets_it_when_it_is_shared() -> None:
    """SHARE-1, TRADE-10: the word of the inventor is part of the deal."""
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    found = best_deal(sponsoring(), 0, 1)
    assert word in found.clauses
    seen = view(sponsoring(), 1)
    gift = Give(giver=1, to=0, goods=Goods(white=2))
    assert worth(seen, 1, [gift, word], RATES) > worth(seen, 1, [gift], RATES) + 0.5


def test_nobody_pays_for_an_invention_that_is_made_anyway_or_cannot_be_made() -> None:
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    for white in (0, 6):
        seen = view(stock(sponsoring(), "kit", white=white), 1)
        assert worth(seen, 1, [word], RATES) == 0


def test_whoever_did_not_make_a_promised_invention_is_not_believed_again() -> None:
    """TRADE-10."""
    watching = Judge(RATES, 0.06, 0.35)
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    game = deal(sponsoring(), 0, [1], word, Give(giver=1, to=0, goods=Goods(white=2)))
    watching.notice(view(game, 1))
    assert watching.distrusted == set()
    spent = stock(game, 0)  # who can do what he has undertaken must
    watching.notice(view(next_turn(spent), 1))
    assert watching.distrusted == {0}


def test_a_word_that_is_given_ten_times_counts_once() -> None:
    """TRADE-10."""
    seen = view(sponsoring(), 1)
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    gift = Give(giver=1, to=0, goods=Goods(white=2))
    once = worth(seen, 1, [gift, word], RATES)
    assert worth(seen, 1, [gift, *[word] * 10, replace(word, by="economy")], RATES) == once


def test_restraint_that_is_promised_twice_counts_once() -> None:
    """ZETH-2, TRADE-10: in one deal, and when it is promised already."""
    game = table("zeth", "kit", "caylion", "unity")
    spared = [Forbear(who=0, to=1, what=NoSteal(target=1), until=until) for until in (2, 2, 1, 3)]
    seen = view(game, 1)
    assert worth(seen, 1, spared, RATES) == worth(seen, 1, spared[3:], RATES) > 0
    sold = view(deal(stock(game, 1, green=1), 0, [1], spared[3]), 1)
    assert worth(sold, 1, spared, RATES) == 0


def test_who_makes_a_promised_deed_possible_is_paid_no_more_than_it_would_cost() -> None:
    """TRADE-10: a deed not done costs two points, however dear a bot holds its word."""
    card = "faderan.ritual_government"
    lent = Lend(giver=1, to=0, card=card)
    dear = Give(giver=0, to=1, goods=Goods(brown=9, black=9))
    for turn in range(1, TURNS + 1):
        game = hold(table("kit", "faderan", "caylion", "zeth", turn=turn), 1, card)
        word = Undertake(to=1, deed=Deed(who=0, verb="run", subject=card), turn=turn, by="economy")
        free, bound = (
            view(stock(there, 0, white=9, brown=9, green=9, black=9), 0)
            for there in (game, deal(game, 1, [0], word))
        )
        # Who has the card runs it in any case: the word adds what it would cost to break it, no more.
        run = worth(free, 0, [lent], RATES)
        assert run > 0
        assert worth(bound, 0, [lent], RATES) == pytest.approx(run + CARD_PENALTY)
        assert worth(bound, 0, [lent, dear], RATES) == pytest.approx(
            worth(free, 0, [lent, dear], RATES) + CARD_PENALTY
        )
        assert worth(bound, 0, [lent, dear], RATES) < 0


def test_a_word_is_not_let_off_for_a_trifle() -> None:
    """TRADE-11: replacing a promise costs its creditor what it was worth."""
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    game = deal(sponsoring(), 0, [1], word, Give(giver=1, to=0, goods=Goods(white=2)))
    (name,) = game.obligations
    assert judge(view(game, 1), 1, [], RATES, settles=[name]).gain < -0.5


def test_a_word_that_was_replaced_or_kept_costs_no_trust() -> None:
    """TRADE-10, TRADE-11."""
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    for over in (
        lambda game: replace(game, obligations={}),
        lambda game: next_turn(play(game, (0, Invent(card="research.computational_theoreticians")))),
    ):
        watching = Judge(RATES, 0.06, 0.35)
        game = deal(sponsoring(), 0, [1], word, Give(giver=1, to=0, goods=Goods(white=2)))
        watching.notice(view(game, 1))
        watching.notice(view(over(game), 1))
        assert watching.distrusted == set()


def test_whatever_a_ring_is_found_to_be_the_rules_allow() -> None:
    """TRADE-10: a word is given to a party of the deal."""
    game = hold(table("unity", "kit", "faderan", "zeth"), 1, "research.computational_theoreticians")
    game = stock(stock(game, 1, white=4), 2, white=2)
    seen = view(game, 1)
    parties = [party_of(seen, seat, RATES) for seat in (0, 1, 2)]
    found = DealModel(parties, RATES, DealPolicy(credit=4)).deal(
        SolverLimits(work=100, gap=0.01, points=0.01)
    )
    assert found is not None
    sides = parties_to(found.clauses)
    assert any(isinstance(clause, Undertake) for clause in found.clauses)
    deal(game, sides[0], sides[1:], *found.clauses)

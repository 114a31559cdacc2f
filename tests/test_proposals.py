"""What bots come up with besides goods: licences, fleets, protection, helped inventions."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.deals import Deed, Give, Lend, License, Undertake
from elysian.goods import Goods
from elysian.players.answering import Judge
from elysian.state import State
from elysian.view import view
from elysian.worth import Found, Limits, Search, Wish, party_of, prices, worth
from tests.table import change, deal, hold, next_turn, stock, table

RATES = prices()


def best_deal(game: State, *seats: int) -> Found:
    """The best deal of some seats, worth to everybody what the search says."""
    seen = view(game, seats[0])
    parties = [party_of(seen, seat, RATES) for seat in seats]
    found = Search(parties, RATES, Wish(credit=0)).deal(Limits(work=100, gap=0.01, points=0.01))
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
    found = Search([party_of(seen, n, RATES) for n in (0, 1)], RATES, Wish()).deal(Limits())
    assert found is None or not any(isinstance(c, License) for c in found.clauses)
    assert party_of(seen, 1, RATES).hand.licences == ()


def test_an_imdril_card_is_lent_with_the_fleet_that_supports_it() -> None:
    """IMD-4, IMD-5: whoever runs it needs the fleet in his own hands."""
    game = table("imdril", "kit", "caylion", "zeth", turn=6, bare=False)
    game = stock(stock(game, 0, white=1), 1, black=2)
    lent = [
        Lend(giver=0, to=1, card="imdril.galactic_exploration"),
        Lend(giver=0, to=1, card="imdril.starting_fleet"),
    ]
    seen = view(game, 0)
    assert worth(seen, 1, lent, RATES) > 0.5
    assert worth(seen, 1, lent[:1], RATES) < 0.01
    game = stock(game, 0, yellow=2)
    search = Search([party_of(view(game, 0), n, RATES) for n in (0, 1)], RATES, Wish(credit=0))
    assert search.desk.loans.keys() >= {(clause.card, 1) for clause in lent}


def test_a_trade_with_zeth_counts_as_protection() -> None:
    """ZETH-3: once in a turn, and only for those who can be stolen from."""
    game = stock(table("zeth", "kit", "caylion", "unity", bare=False), 1, green=2)
    seen = view(game, 1)
    swap = [Give(giver=1, to=0, goods=Goods(green=1)), Give(giver=0, to=1, goods=Goods(green=1))]
    assert worth(seen, 1, swap, RATES) >= RATES.safety - 0.01
    assert party_of(seen, 1, RATES).fears == {0}
    assert party_of(seen, 0, RATES).fears == frozenset()
    assert party_of(replace(seen, traded=((0, 1),)), 1, RATES).fears == frozenset()


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
    judge = Judge(RATES, 0.06, 0.35)
    word = Undertake(to=1, deed=Deed(who=0, verb="invent", subject="quantum_computers"), turn=1, by="trade")
    game = deal(sponsoring(), 0, [1], word, Give(giver=1, to=0, goods=Goods(white=2)))
    judge.notice(view(game, 1))
    assert judge.distrusted == set()
    judge.notice(view(next_turn(game), 1))
    assert judge.distrusted == {0}

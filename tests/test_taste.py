"""Deals that can be read: few things, one way each, and a gain for everybody; stale offers are taken back."""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import median

from msgspec.structs import replace

from elysian.actions import DeclineDeal, ProposeDeal
from elysian.deals import AnyClause, Give, Reason, Seat, parties_to
from elysian.deck import CATALOG
from elysian.goods import LARGE, SMALL, Goods
from elysian.options import options
from elysian.players.trader.answers import Judge
from elysian.players.trader.company import Company
from elysian.players.trader.level import LEVELS, READABLE, Level
from elysian.players.trader.player import Trader
from elysian.players.trader.readable import brings_most, fewer, smallest, things
from elysian.players.trader.reasons import subject_of
from elysian.players.trader.search import judged
from elysian.record import Record
from elysian.rules import decide
from elysian.sim import play_game
from elysian.state import Settings, State
from elysian.view import View, view
from elysian.worth import (
    DealModel,
    DealPolicy,
    FoundDeal,
    SolverLimits,
    Taste,
    judge,
    party_of,
    prices,
    worth,
)
from elysian.worth.meaning import meaning_of
from tools.exploits.measuring import trading

FIVE = ("kit", "eni_et", "caylion", "zeth", "faderan")
RATES = prices()
CUBES = (*SMALL, *LARGE)

Pair = tuple[Seat, Seat]


@cache
def game(level: str | Level) -> Record:
    return play_game(Settings(species=FIVE), 21, [Trader(level) for _ in FIVE], 21).record


@cache
def positions() -> tuple[State, ...]:
    """The beginning of trading in three turns of a game."""
    return trading(game("novice"))


def between(state: State, seats: tuple[Seat, Seat], taste: Taste) -> FoundDeal | None:
    seen = view(state, seats[0])
    parties = [party_of(seen, seat, RATES) for seat in seats]
    return DealModel(parties, RATES, DealPolicy(taste=taste)).deal(SolverLimits(work=60, gap=0.05))


def test_a_readable_deal_names_few_things_and_everybody_gains() -> None:
    """TRADE-2: nearly everything may be part of a deal; little of it must be."""
    found = 0
    for state in positions():
        for pair in ((0, 1), (1, 2), (2, 3), (0, 4)):
            deal = between(state, pair, READABLE)
            if deal is None:
                continue
            found += 1
            assert 0 < len(things(deal.clauses)) <= READABLE.most
            assert all(worth(view(state, s), s, deal.clauses, RATES) > 0 for s in pair)
            ways = [
                (c.giver, kind) for c in deal.clauses if isinstance(c, Give) for kind, _ in c.goods.items()
            ]
            assert len({kind for _, kind in ways}) == len(ways), "the same colour goes both ways"
    assert found >= 6


def test_the_smallest_part_that_brings_most_of_a_deal_is_enough() -> None:
    """Whoever reads less loses little: all keep four fifths of the whole, and some deals get shorter."""
    shorter = 0
    for state in positions():
        for pair in ((0, 1), (1, 2), (2, 3), (0, 4)):
            found = between(state, pair, Taste(most=8, one_way=True))  # much of which brings little
            if found is None:
                continue
            seen = view(state, pair[0])
            whole = judged(seen, found.clauses, pair, RATES)

            def again(clauses: tuple[AnyClause, ...], seen: View = seen, pair: Pair = pair) -> FoundDeal:
                return judged(seen, clauses, pair, RATES)

            def enough(less: FoundDeal, whole: FoundDeal = whole) -> bool:
                return brings_most(less, whole)

            less = smallest(whole, READABLE, again, enough)
            assert things(less.clauses) <= things(whole.clauses)
            assert all(less.gains[seat] >= 0.8 * whole.gains[seat] for seat in pair)
            assert not any(
                enough(again(part)) for part in fewer(less.clauses) if {*parties_to(part)} == {*pair}
            )
            shorter += len(things(less.clauses)) < len(things(whole.clauses))
    assert shorter


def test_colonies_stay_where_they_bring_little_more_elsewhere() -> None:
    moved = {True: 0, False: 0}
    for state in positions():
        for pair in ((0, 1), (1, 2), (2, 3), (0, 4)):
            for dear in moved:
                deal = between(state, pair, Taste(colony=0.5 if dear else 0.0))
                cards = (
                    [name for c in deal.clauses if isinstance(c, Give) for name in c.cards] if deal else []
                )
                moved[dear] += sum(CATALOG.cards[name].is_colony for name in cards)
    assert moved[True] < moved[False]


def test_what_a_bot_offers_a_person_can_be_read() -> None:
    people = frozenset({0})
    sizes = []
    for state in positions():
        for seat in range(1, len(FIVE)):
            bot = Trader("standard", people)
            bot.company = Company(people, may_deal=False)
            seen = view(state, seat)
            offer = bot.choose(seen, options(state, seat), Random(1))
            if isinstance(offer, ProposeDeal):
                assert 0 in offer.parties, "bots were to be left alone"
                sizes.append(len(things(offer.clauses)))
    assert sizes
    assert max(sizes) <= READABLE.most + 1  # a token may come on top
    assert median(sizes) <= 4


def test_an_offer_that_another_deal_has_overtaken_is_taken_back_and_not_refused() -> None:
    refused = [
        entry.action.reason
        for entry in game(replace(LEVELS["standard"], lets_answer=0)).entries
        if isinstance(entry.action, DeclineDeal)
    ]
    assert refused
    assert not [reason for reason in refused if reason == Reason(code="impossible")]


def test_what_a_person_was_asked_about_is_not_sold_to_another() -> None:
    """A bot turns down what would break its offer to a person, however good, and says why."""
    people = frozenset({0})
    turned_down = 0
    for start in positions():
        for seat in range(1, len(FIVE)):
            bot = Trader("standard", people)
            bot.company = Company(people, may_deal=False)
            offer = bot.choose(view(start, seat), options(start, seat), Random(1))
            if not isinstance(offer, ProposeDeal):
                continue
            given = [c.goods for c in offer.clauses if isinstance(c, Give) and c.giver == seat]
            stock = start.players[seat].stock
            wanted = Goods(**{kind: getattr(stock, kind) for goods in given for kind, _ in goods.items()})
            if not wanted:
                continue
            _, state = decide(start, seat, offer)
            buyer = 1 + seat % (len(FIVE) - 1)
            has = state.players[buyer].stock
            paid = Goods(**{k: n for k, n in has.items() if k in CUBES and not getattr(wanted, k)})
            clauses = Give(giver=seat, to=buyer, goods=wanted), Give(giver=buyer, to=seat, goods=paid)
            _, state = decide(state, buyer, ProposeDeal(parties=(seat, buyer), clauses=clauses))
            answer = bot.choose(view(state, seat), options(state, seat), Random(1))
            assert isinstance(answer, DeclineDeal)
            turned_down += answer.reason == Reason(code="first")
    assert turned_down


def test_what_a_person_was_told_is_not_undone_for_a_trifle() -> None:
    """A bot does what it told a person it would, unless another deal brings much more."""
    state = positions()[1]
    gifts = [Give(giver=seat, to=0, goods=Goods(**{kind: 1})) for seat in (1, 2, 3, 4) for kind in CUBES]
    lost, stopped = next(
        (lost, meaning_of(lost).stops[0])
        for lost in (judge(view(state, gift.giver), gift.giver, (gift,), RATES) for gift in gifts)
        if meaning_of(lost).stops
    )
    said = Reason(code=f"frees_{stopped.verb}", subject=subject_of(stopped))
    bot = Judge(RATES, 0.1, 0.3, frozenset({0}))
    little, much = replace(lost, gain=1.5), replace(lost, gain=2.0)
    assert bot.keeps_to(little)  # it has said nothing yet
    bot.has_said(said, (2, 3))
    assert bot.keeps_to(little)  # bots take no offence
    bot.has_said(said, (0, 2))
    assert not bot.keeps_to(little)
    assert bot.keeps_to(much)
    bot.new_turn()
    assert bot.keeps_to(little)

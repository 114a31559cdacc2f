"""What is suggested to a person: searched as bots search, taken by the bots it is offered to, no loss."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from elysian.actions import AcceptDeal, ProposeDeal
from elysian.deals import Deal, Give, Pledge
from elysian.events import DealStruck
from elysian.goods import Goods
from elysian.messages import Telling, load
from elysian.options import options
from elysian.players.levels import make
from elysian.players.suggestions import Suggester, offered, proposal, proposals
from elysian.players.talking import quote
from elysian.players.trader.company import Company
from elysian.players.trader.player import Trader
from elysian.players.trader.readable import things
from elysian.record import read
from elysian.rules import decide
from elysian.server.live.appraisal import find_deals, still_good
from elysian.state import State
from elysian.view import view
from elysian.worth import FoundDeal, after, worth
from tests.support.table import stock, table

GAMES = Path(__file__).resolve().parents[1] / "games"
POSITIONS = (  # a game, the level of the bots there, the turns looked at
    ("4-players-2020", "standard", (1, 6)),
    ("5-players-2020", "expert", (2, 5)),
    ("6-players-2017", "standard", (2, 4)),
    ("7-players-de2021", "expert", (4,)),
    ("5-players-2017", "novice", (2,)),
    ("5-players-2020-2", "fair", (1, 3)),
    ("9-players-2020", "planner", (3,)),
)


def begun_turns(game: str, turns: tuple[int, ...]) -> list[State]:
    """The table as trading begins in some turns of a recorded game."""
    found: dict[int, State] = {}
    for state in read(GAMES / f"{game}.jsonl").states():
        if state.step == "trade":
            found.setdefault(state.turn, state)
    return [found[turn] for turn in turns]


def suggested(game: str, level: str, turns: tuple[int, ...]) -> list[tuple[State, FoundDeal]]:
    """What seat 0 is told to offer to bots of a level, with the table where it is told so."""
    return [
        (state, found)
        for state in begun_turns(game, turns)
        for found in Suggester(view(state, 0), 0, dict.fromkeys(range(1, len(state.players)), level)).best()
    ]


def is_struck(state: State, offer: ProposeDeal, level: str) -> bool:
    """Whether everybody asked, a bot each that was never asked before, agrees at once."""
    before = set(state.deals)
    _, state = decide(state, 0, offer)
    name = next(iter(set(state.deals) - before))
    for seat in offer.parties[1:]:
        seen = replace(view(state, seat), deals={name: state.deals[name]})
        answer = make(level, frozenset({0})).choose(seen, options(state, seat), Random(1))
        if not isinstance(answer, AcceptDeal):
            return False
        _, state = decide(state, seat, answer)
    return name not in state.deals


@pytest.mark.parametrize(("game", "level", "turns"), POSITIONS)
def test_what_is_suggested_is_accepted_and_is_no_loss(game: str, level: str, turns: tuple[int, ...]) -> None:
    """Bots of every level say yes to a suggestion, and it is worth something to the one who makes it."""
    found = suggested(game, level, turns)
    assert found or level == "fair"
    for state, deal in found:
        assert worth(view(state, 0), 0, deal.clauses) == pytest.approx(deal.gains[0])
        assert min(deal.gains.values()) > 0
        assert is_struck(state, proposal(0, deal), level)


def traded_on(state: State, level: str, shown: tuple[Deal, ...]) -> tuple[State, int]:
    """The table after bots have dealt with each other while a person looks at what they could offer."""
    people = frozenset({0})
    bots = {seat: make(level, people) for seat in range(1, len(state.players))}
    struck = 0
    for _ in range(4):
        for seat, bot in bots.items():
            assert isinstance(bot, Trader)
            bot.company = Company(people, reachable=frozenset(), shown=shown)
            action = bot.choose(view(state, seat), options(state, seat), Random(1))
            if action is not None:
                events, state = decide(state, seat, action)
                struck += any(isinstance(event, DealStruck) for event in events)
    return state, struck


@pytest.mark.parametrize(
    ("game", "level", "turn"),
    [
        ("5-players-2020-2", "standard", 2),
        ("6-players-2020", "standard", 4),
        ("7-players-de2021", "expert", 3),
        ("8-players-2020", "novice", 3),
    ],
)
def test_what_is_suggested_stays_possible_while_it_is_read(game: str, level: str, turn: int) -> None:
    """Bots go on dealing with each other, but nothing after which they would turn the person down."""
    found = suggested(game, level, (turn,))
    shown = tuple(offered(0, deal.clauses) for _, deal in found)
    later, struck = traded_on(found[0][0], level, shown)
    assert struck
    for _, deal in found:
        assert is_struck(later, proposal(0, deal), level)


def test_without_being_held_back_bots_would_trade_a_suggestion_away() -> None:
    """What the test above is about does happen."""
    found = suggested("5-players-2020", "expert", (2,))
    later, struck = traded_on(found[0][0], "expert", ())
    assert struck
    assert not all(is_struck(later, proposal(0, deal), "expert") for _, deal in found)


def test_what_has_become_impossible_while_the_search_ran_is_not_suggested() -> None:
    """A search takes a while; what it found is looked at once more as the table stands when it is told."""
    (state,), levels = begun_turns("4-players-2020", (1,)), dict.fromkeys((1, 2, 3), "standard")
    found = find_deals(view(state, 0), 0, levels)
    assert still_good(view(state, 0), 0, levels, found).deals == found.deals
    sold = stock(state, 0)
    left = still_good(view(sold, 0), 0, levels, found)
    assert len(left.deals) == len(left.meanings) < len(found.deals)
    assert all(after(view(sold, 0), deal.clauses) is not None for deal in left.deals)


def test_suggestions_can_be_read_and_are_cut_evenly() -> None:
    """Few kinds of things, no kind on both sides, and about as much for the one as for the other."""
    sizes = []
    for _, deal in suggested("4-players-2020", "standard", (1, 6)):
        sizes.append(len(things(deal.clauses)))
        gives = [clause for clause in deal.clauses if isinstance(clause, Give)]
        for one in gives:
            back = [other.goods for other in gives if (other.giver, other.to) == (one.to, one.giver)]
            assert not any(one.goods.common(goods) for goods in back)
        if len(deal.gains) == 2:
            assert min(deal.gains.values()) >= 0.4 * deal.surplus
    assert max(sizes) <= 7
    assert sorted(sizes)[len(sizes) // 2] <= 5


def test_there_is_nothing_to_suggest_where_nobody_gains() -> None:
    """Without goods, cards or turns to come there is no deal, and none is made up."""
    game = table("caylion", "kit", "zeth", "eni_et", turn=6)
    for seat in range(4):
        game = stock(game, seat)
    for found in proposals(view(game, 0), 0, dict.fromkeys((1, 2, 3), "standard")):
        assert found.parties[0] == 0  # what is left are cards


def test_whoever_plays_at_random_is_suggested_nothing() -> None:
    """Nobody can say what such a bot agrees to."""
    state = begun_turns("4-players-2020", (1,))[0]
    assert proposals(view(state, 0), 0, dict.fromkeys((1, 2, 3), "random")) == ()


def test_a_bot_names_a_price_it_takes_or_says_what_would_help() -> None:
    """Whoever offers what was asked for is taken at the bot's word."""
    state = begun_turns("4-players-2020", (2,))[0]
    levels = dict.fromkeys((1, 2, 3), "standard")
    told = quote(view(state, 0), 0, levels, Give(giver=3, to=0, goods=Goods(green=2)))
    assert told.price is not None
    assert Telling(load("en"), ()).reason(*told.told).startswith("For 2 green I would want ")
    assert is_struck(state, proposal(0, told.price), "standard")
    assert quote(view(state, 0), 0, levels, Give(giver=1, to=0, goods=Goods(yellow=9))).price is None


def test_an_offer_is_evened_by_what_both_make_of_it() -> None:
    """A lopsided draft becomes one both gain from, with the same partner."""
    state = begun_turns("4-players-2020", (3,))[0]
    look = Suggester(view(state, 0), 0, dict.fromkeys((1, 2, 3), "standard"))
    fair = next(
        found
        for found in look.best()
        if not any(isinstance(c, Pledge) for c in found.clauses)
        and any(isinstance(c, Give) and c.giver for c in found.clauses)
    )
    asked = tuple(clause for clause in fair.clauses if isinstance(clause, Give) and clause.giver)
    (other,) = {clause.giver for clause in asked}
    found = look.evened(asked, (0, other))
    assert found is not None
    assert is_struck(state, proposal(0, found), "standard")
    assert any(isinstance(clause, Give) and clause.giver == 0 for clause in found.clauses)
    ruinous = (Give(giver=0, to=other, goods=Goods(green=1)), Give(giver=0, to=other, goods=Goods(white=1)))
    lost = look.evened(ruinous, (0, other))
    assert lost is None or lost.gains[0] > 0

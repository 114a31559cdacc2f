"""The valuation: plans, deals of any clauses, and what is left when the solver finds nothing."""

from __future__ import annotations

import math
from random import Random

import pytest
from msgspec.structs import replace

from elysian.actions import Invent
from elysian.deals import Deed, Forbear, Give, Lend, NoSteal, Note, Obligation, Pledge, Undertake
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.options import options
from elysian.plan_preview import planned
from elysian.players.levels import make
from elysian.players.random.offers import Offers
from elysian.players.random.player import RandomPlayer
from elysian.players.trader import search as trader_search
from elysian.players.trader.level import Level
from elysian.players.trader.player import Trader
from elysian.record import Record
from elysian.rules import begin, decide, new_game
from elysian.sim import play_game
from elysian.state import Settings, State
from elysian.view import view
from elysian.worth import (
    IMPOSSIBLE,
    DealModel,
    DealPolicy,
    SolverLimits,
    UnreadablePrices,
    after,
    best_plan,
    best_steps,
    card_worth,
    judge,
    party_of,
    plans,
    prices,
    whole_table,
    worth,
)
from elysian.worth.card_values import ships_worth
from elysian.worth.matching import match
from tests.support.table import hold, player, seat_of, stock, table

FOUR = ("kit", "faderan", "caylion", "zeth")


def promised(game: State, clause: object) -> State:
    owed = Obligation(id="d1.1", deal="d1", parties=(0, 1), clause=clause, made=game.turn)  # type: ignore[arg-type]
    return replace(game, obligations={"d1.1": owed})


# ---------------------------------------------------------------- plans


def test_a_team_that_can_be_paid_is_invented() -> None:
    game = table(*FOUR)
    game = hold(game, "kit", "research.sociologists")
    game = stock(game, "kit", white=6)
    plan = best_plan(view(game, 0), 0)
    assert [move.card for move in plan.moves if isinstance(move, Invent)] == ["research.sociologists"]


def test_goods_that_are_promised_stay_out_of_the_plan() -> None:
    """TRADE-11: what is owed when the next turn begins is set aside."""
    game = hold(table(*FOUR), "kit", "research.sociologists")
    game = stock(game, "kit", white=6)
    owed = Pledge(what=Give(giver=0, to=1, goods=Goods(white=1)), due=2)
    plan = best_plan(view(promised(game, owed), 0), 0)
    assert not any(isinstance(move, Invent) for move in plan.moves)
    assert plan.missing == 0


def test_a_promise_that_cannot_be_kept_shows_in_the_plan() -> None:
    owed = Pledge(what=Give(giver=0, to=1, goods=Goods(black=3)), due=2)
    assert best_plan(view(promised(table(*FOUR), owed), 0), 0).missing > 0


def test_what_is_due_now_is_missed_when_it_is_given_away() -> None:
    """TRADE-11: a missing cube costs a point; one that fills the gap saves it."""
    game = stock(table(*FOUR), "kit", black=2)
    owed = Pledge(what=Give(giver=0, to=1, goods=Goods(black=3)), due=1, at="close")
    seen = view(promised(game, owed), 0)
    away = Give(giver=0, to=2, goods=Goods(black=1))
    back = Give(giver=2, to=0, goods=Goods(black=1))
    assert judge(seen, 0, (away,)).gain == pytest.approx(-1)
    rich = view(stock(promised(game, owed), "caylion", black=1), 0)
    assert judge(rich, 0, (back,)).gain == pytest.approx(1)


def test_the_steps_of_a_best_plan_add_up_and_what_is_ticked_first_needs_none_of_them() -> None:
    game = stock(hold(table(*FOUR), "kit", "research.sociologists"), "kit", white=6, green=5, ultratech=1)
    seen = view(game, 0)
    plan, steps = best_plan(seen, 0), best_steps(seen, 0)
    assert (steps.moves, steps.runs) == (plan.moves, plan.runs)
    assert len(steps.gains) == len(steps.moves) > 0
    assert sum(steps.gains) > 0
    state = game
    for move in steps.moves:
        _, state = decide(state, 0, move)
    assert not planned(state, 0, steps.runs).missing.goods
    assert not planned(game, 0, steps.runs_now).missing.goods
    made = stock(game, "kit", white=0)
    assert best_steps(view(made, 0), 0).gains == ()


def test_a_deed_undertaken_is_done_wherever_it_can_be() -> None:
    """TRADE-10: a deed not done costs two points."""
    game = stock(table(*FOUR, turn=6), "kit", green=5)
    lead = next(card for card in game.players[0].cards if card.startswith("kit.expansive"))
    deed = Undertake(to=1, deed=Deed(who=0, verb="run", subject=lead), turn=6, by="economy")
    free, bound = best_plan(view(game, 0), 0), best_plan(view(promised(game, deed), 0), 0)
    assert lead in [run.card for run in bound.runs]
    assert bound.value <= free.value + 1e-6


def test_the_first_ships_are_worth_more_than_the_next_and_none_more_in_the_last_turn() -> None:
    """BID-8: a card a track and turn at most, so ten ships buy no more than five."""
    seen = view(new_game(FOUR, seed=5), 0)
    for seat in range(len(FOUR)):
        more = ships_worth(seen, seat, prices())
        assert more
        assert more[0] > 0.5 > more[-1] > 0
        assert list(more) == sorted(more, reverse=True)
        assert not ships_worth(replace(seen, turn=6), seat, prices())


def test_a_team_is_worth_less_where_teams_already_wait_to_be_invented() -> None:
    """All of them want the same goods: whoever holds one counts another for less, and so do his rivals."""
    game = table(*FOUR, turn=3)
    wanted = "research.quantum_theoreticians"
    waiting = hold(game, "kit", "research.metaethicists", "research.organic_architects")
    for seat in range(len(FOUR)):
        assert card_worth(view(waiting, seat), seat, wanted) < card_worth(view(game, seat), seat, wanted)
    own, other = (card_worth(view(waiting, seat), seat, wanted) for seat in (0, 2))
    assert own < other


def test_the_first_ship_counts_in_a_plan_for_more_than_the_tenth() -> None:
    game = table(*FOUR)
    worths = [best_plan(view(stock(game, "kit", ship=n), 0), 0).value for n in (0, 1, 9, 10)]
    assert worths[1] - worths[0] > 3 * (worths[3] - worths[2]) > 0


def test_a_ship_goes_from_one_who_has_many_to_one_who_has_none() -> None:
    game = stock(stock(table(*FOUR), "kit", ship=9), "faderan", green=6)
    seen = view(game, 0)
    swap = (Give(giver=0, to=1, goods=Goods(ship=1)), Give(giver=1, to=0, goods=Goods(green=1)))
    assert worth(seen, 0, swap) > 0
    assert worth(seen, 1, swap) > 0


def test_the_plan_gives_up_the_colonies_that_are_worth_least() -> None:
    """ECON-1: only so many are kept as the species supports."""
    game = table("unity", "faderan", "caylion", "zeth")
    for colony in CATALOG.colonies[:3]:
        game = hold(game, "unity", colony)
    plan = best_plan(view(game, 0), 0)
    assert len(plan.dropped) == 2


def test_moves_come_in_an_order_that_can_be_paid() -> None:
    """VIO-3: what one converter brings can pay the next, if it runs first."""
    refusals = 0
    for seed in (0, 2):
        species = ("yengii", "caylion", "kit", "imdril")
        result = play_game(Settings(species=species), seed, [make("novice") for _ in species], seed)
        refusals += result.counts.refusals
    assert refusals == 0


def test_own_play_without_any_trade_scores_fifteen() -> None:
    totals = []
    for seed, species in enumerate(
        (FOUR, ("kjas", "unity", "yengii", "imdril"), ("kit", "unity", "zeth", "kjas"))
    ):
        players = [Trader(Level(name="alone", offers=0)) for _ in species]
        result = play_game(Settings(species=species), seed, players, seed)
        assert result.counts.deals == 0
        totals += [score.total / 12 for score in result.scores]
    assert sum(totals) / len(totals) >= 15


# ---------------------------------------------------------------- deals


def positions(seed: int, every: int = 9) -> list[State]:
    """Tables in the middle of a game between random players, promises of all kinds included."""
    species = ("yengii", "faderan", "eni_et", "imdril", "zeth")
    players = [RandomPlayer() for _ in species]
    record = play_game(Settings(species=species), seed, players, seed).record
    return [state for n, state in enumerate(states(record)) if n % every == 0]


def states(record: Record) -> list[State]:
    state = begin(record.head.started)
    found = [state]
    for entry in record.entries:
        _, state = decide(state, entry.seat, entry.action)
        found.append(state)
    return found


def test_every_clause_has_a_worth_to_everybody() -> None:
    kinds = set()
    judged = 0
    for state in positions(3, every=17):
        if state.step not in ("trade", "bid"):
            continue
        seen = view(state, 0)
        offers = Offers(seen, Random(state.made))
        for _ in range(6):
            offer = offers.in_trade() if state.step == "trade" else offers.while_bidding()
            if offer is None or -1 in offer.parties:
                continue
            kinds |= {type(clause) for clause in offer.clauses}
            for seat in offer.parties:
                assert math.isfinite(worth(seen, seat, offer.clauses))
                judged += 1
    assert judged > 60
    assert {Give, Lend, Pledge, Undertake, Forbear} <= kinds


def test_a_note_and_a_promise_after_the_end_are_worth_nothing() -> None:
    game = view(table(*FOUR, turn=6), 0)
    late = Pledge(what=Give(giver=0, to=1, goods=Goods(white=3)), due=7)
    for clause in (Note(text="Between friends."), late):
        assert abs(worth(game, 0, [clause])) < 1e-6
        assert abs(worth(game, 1, [clause])) < 1e-6


def test_what_somebody_does_not_have_cannot_be_handed_over() -> None:
    game = view(table(*FOUR), 0)
    assert worth(game, 0, [Give(giver=1, to=0, goods=Goods(white=3))]) == IMPOSSIBLE


def test_a_promise_costs_its_debtor_and_counts_less_for_its_creditor() -> None:
    game = stock(table(*FOUR), "kit", white=3)
    pledge = [Pledge(what=Give(giver=0, to=1, goods=Goods(white=3)), due=2)]
    cost, gain = worth(view(game, 0), 0, pledge), worth(view(game, 0), 1, pledge)
    assert cost < 0 < gain < -cost


def test_the_promise_of_one_who_broke_one_counts_for_nothing() -> None:
    game = stock(table(*FOUR), "kit", white=3)
    pledge = [Pledge(what=Give(giver=0, to=1, goods=Goods(white=3)), due=2)]
    assert judge(view(game, 1), 1, pledge, distrusted=frozenset({0})).gain == pytest.approx(0.0)


def test_protection_from_theft_is_worth_something_to_both() -> None:
    """ZETH-2: not to be stolen from."""
    thief = seat_of(table(*FOUR), "zeth")
    spared = [Forbear(who=thief, to=0, what=NoSteal(target=0), until=2)]
    game = view(table(*FOUR), 0)
    assert worth(game, thief, spared) < 0 < worth(game, 0, spared)


def test_a_lent_interest_converter_is_worth_its_interest() -> None:
    """ENI-1, ENI-2: only others can run it."""
    game = stock(table("eni_et", "kit", "caylion", "zeth", turn=5), "kit", white=8)
    lent = [Lend(giver=0, to=1, card="eni_et.cultural_charity")]
    assert worth(view(game, 0), 1, lent) > 1
    assert worth(view(game, 0), 0, lent) == pytest.approx(0.0, abs=1e-6)


def test_a_deal_that_is_found_brings_everybody_what_it_says() -> None:
    rates = prices()
    seen = view(new_game(FOUR, seed=5), 0)
    found = 0
    for one, other in ((0, 1), (0, 2), (1, 2), (2, 3), (1, 3)):
        search = DealModel(
            [party_of(seen, seat, rates) for seat in (one, other)], rates, DealPolicy(credit=3)
        )
        deal = search.deal(SolverLimits(work=40, gap=0.05, points=0.1))
        if deal is None or not deal.clauses:
            continue
        found += 1
        assert search.promise() >= deal.merit - 1e-6
        assert after(seen, deal.clauses) is not None
        for seat, gain in deal.gains.items():
            assert gain >= 0.1 - 1e-6
            assert worth(seen, seat, deal.clauses, rates) >= gain - 0.05
    assert found >= 2


# ---------------------------------------------------------------- when things go wrong


def test_a_game_goes_on_when_the_solver_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = SolverLimits(work=0)
    monkeypatch.setattr(plans, "ALONE", nothing)
    for name in ("PAIR", "RING"):
        monkeypatch.setattr(trader_search, name, nothing)
    monkeypatch.setattr(whole_table, "TOGETHER", nothing)
    five = (*FOUR, "unity")
    result = play_game(Settings(species=five), 11, [make("expert") for _ in five], 11)
    assert len(result.scores) == 5
    assert not best_plan(view(new_game(FOUR, seed=11), 0), 0).exact


def test_a_file_of_prices_that_cannot_be_read_is_named(tmp_path) -> None:
    bad = tmp_path / "prices.toml"
    bad.write_text("small = 'much'\n", encoding="utf-8")
    with pytest.raises(UnreadablePrices, match=r"prices\.toml"):
        prices(str(bad))


def test_goods_that_are_there_early_count_for_more_than_in_what_a_card_makes() -> None:
    """What is there early is put to work again and again; what is there for the last turn is not."""
    rates = prices()
    more = [rates.of("green", turn) / rates.usual("green", turn) for turn in range(1, 7)]
    assert more == sorted(more, reverse=True)
    assert more[0] > 1.2
    assert more[4:] == [1.0, 1.0]


def test_a_plan_is_the_same_whoever_asks() -> None:
    game = new_game(FOUR, seed=8)
    assert options(game, 0).may_propose
    assert best_plan(view(game, 0), 2) == best_plan(view(game, 2), 2) == best_plan(view(game, None), 2)


# ---------------------------------------------------------------- who hands what to whom


def test_nobody_gives_to_himself_and_everybody_gets_what_was_planned() -> None:
    rng = Random(7)
    for _ in range(300):
        seats = range(rng.randint(2, 5))
        flows = [rng.sample(list(seats), 2) for _ in range(rng.randint(1, 12))]
        free, out, get = (dict.fromkeys(seats, 0) for _ in range(3))
        for giver, to in flows:
            rng.choice((free, out))[giver] += 1
            get[to] += 1
        donation: dict[tuple[int, int], dict[str, int]] = {}
        goods: dict[tuple[int, int], dict[str, int]] = {}
        match(free, get, out, donation, goods, "green")
        handed = [(pair, some["green"]) for into in (donation, goods) for pair, some in into.items()]
        assert all(giver != to for (giver, to), _ in handed)
        for seat in seats:
            assert sum(n for (_, to), n in handed if to == seat) == get[seat]
        assert sum(some["green"] for some in donation.values()) == sum(free.values())


def test_a_deal_that_is_found_counts_no_donation_good_for_its_own_giver() -> None:
    """DON-4: what a seat may give away is no use to itself."""
    game = stock(stock(table(*FOUR), "kit", white=5), "faderan", brown=4)
    kit = replace(player(game, "kit"), donation=Goods(white=1))
    game = replace(game, players=(kit, *game.players[1:]))
    seen = view(game, 0)
    parties = [party_of(seen, seat, prices()) for seat in (0, 1)]
    found = DealModel(parties, prices(), DealPolicy()).deal(SolverLimits(work=200))
    assert found is not None
    for seat, gain in found.gains.items():
        assert worth(view(game, seat), seat, found.clauses) >= gain - 0.01

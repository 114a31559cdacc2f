"""The end of the game: the last turn, what goods left over are worth, and who wins."""

import pytest

from elysian.actions import Done, LayPlan, PlaceBid
from elysian.goods import Goods
from elysian.rules import IllegalAction, new_game
from elysian.state import Run
from tests.support.table import change, hold, play, player, run_economy, stock, table, until

FOUR = ("eni_et", "kit", "faderan", "yengii")  # nobody who steals
D_76 = Goods(ultratech=2, yellow=2, black=2, wild_large=1, green=2, white=2, ship=3)


def ended(stocks=(), points=(), **settings):
    """A game scored after a last turn in which nobody did anything."""
    game = table(*FOUR, turn=6, **settings)
    for seat, goods in enumerate(stocks):
        game = stock(game, seat, goods)
    for seat, score in enumerate(points):
        game = change(game, seat, score=score)
    return run_economy(game, {})


def totals(game):
    """Final scores in twelfths, by seat."""
    return [result.total for result in game.scores]


def winners(game):
    """The seats that win."""
    return [result.seat for result in game.scores if result.winner]


# ---------------------------------------------------------------- the last turn


def test_the_game_is_scored_after_the_last_economy_phase():
    """END-1, PHASE-3, B-14."""
    game = ended()
    assert game.step == "over"
    assert len(game.scores) == 4


def test_the_game_is_not_scored_before_the_last_turn():
    """END-1."""
    game = run_economy(table(*FOUR, turn=5), {})
    assert game.step == "bid"
    assert game.scores == ()


@pytest.mark.parametrize("action", [Done(), LayPlan(runs=()), PlaceBid()])
def test_nothing_is_done_after_the_game_is_over(action):
    """END-1."""
    with pytest.raises(IllegalAction, match="game_over"):
        play(ended(), ("kit", action))


def test_in_the_last_turn_donation_goods_are_kept_and_count():
    """D-79, END-2, SCORE-1."""
    metaethics = "eni_et.universal_applied_metaethics"
    game = stock(table(*FOUR, turn=6), "eni_et", ultratech=1)
    game = run_economy(game, {"eni_et": (Run(card=metaethics),)})
    assert player(game, "eni_et").stock == Goods(white=3)
    assert player(game, "eni_et").donation == Goods()
    assert game.scores[0].total == 12 + 6


def test_in_the_last_turn_donation_points_go_to_the_score():
    """END-2."""
    game = stock(hold(table(*FOUR, turn=6), "kit", "kit.social_exodus"), "kit", white=5)
    game = run_economy(game, {"kit": (Run(card="kit.social_exodus"),)})
    assert player(game, "kit").score == 2
    assert player(game, "kit").stock == Goods(black=2, blue=1, ship=4)


def test_in_the_last_turn_the_goods_of_the_envoys_card_are_kept():
    """END-2, ZETH-10."""
    game = stock(table("zeth", *FOUR[1:], turn=6), "zeth", white=3)
    game = run_economy(game, {"zeth": (Run(card="zeth.envoys"),)})
    assert player(game, "zeth").tied == Goods()
    assert player(game, "zeth").stock == Goods(brown=1, blue=1, yellow=1, ultratech=1, envoy=1)


# ---------------------------------------------------------------- what goods are worth


def test_goods_left_over_score_half_points_for_full_sets():
    """D-76, SCORE-1."""
    game = ended((D_76,), (40,))
    assert totals(game)[0] == 43 * 12


@pytest.mark.parametrize(
    ("goods", "halves"),
    [
        (Goods(ultratech=1), 1),
        (Goods(ultratech=3), 3),
        (Goods(black=1, blue=1), 1),
        (Goods(yellow=1, wild_large=1), 1),
        (Goods(black=1), 0),
        (Goods(black=3), 1),
        (Goods(green=1, white=1, brown=1), 1),
        (Goods(green=1, wild_small=1, ship=1), 1),
        (Goods(ship=3), 1),
        (Goods(ship=2), 0),
        (Goods(green=2, ship=3), 1),
        (Goods(green=2, black=1), 0),
        (Goods(green=1, ship=1, black=1), 0),
        (Goods(), 0),
    ],
)
def test_remainders_are_worth_nothing_and_do_not_combine_across_sizes(goods, halves):
    """SCORE-1."""
    assert totals(ended((goods,)))[0] == 6 * halves


def test_precise_scoring_counts_every_piece():
    """D-77, OPT-3."""
    assert totals(ended((D_76,), (40,), precise_scoring=True))[0] == 43 * 12 + 5


def test_precise_scoring_of_the_first_edition_has_its_own_values():
    """D-77, OPT-3, B-26."""
    game = ended((D_76,), (40,), precise_scoring=True, edition="2017")
    assert totals(game)[0] == 44 * 12 + 5


def test_the_german_edition_counts_as_the_second_does():
    """B-26, OPT-3."""
    game = ended((D_76,), (40,), precise_scoring=True, edition="de2021")
    assert totals(game)[0] == 43 * 12 + 5


@pytest.mark.parametrize(("option", "winners"), [({}, {0, 1}), ({"precise_when_tied": True}, {1})])
def test_in_the_german_edition_tied_leaders_may_be_compared_precisely(option, winners):
    """OPT-3, B-29, SCORE-3."""
    goods = (Goods(green=3), Goods(green=5), Goods(green=2, black=1))
    game = ended(goods, (40, 40, 40), edition="de2021", **option)
    assert {score.seat for score in game.scores if score.winner} == winners
    assert totals(game)[:2] == [40 * 12 + 6, 40 * 12 + 6]


def test_comparing_the_tied_precisely_belongs_to_the_german_edition():
    """OPT-3, B-29."""
    with pytest.raises(IllegalAction, match="german_tie"):
        new_game(FOUR, seed=7, precise_when_tied=True)


def test_tokens_cards_and_unfinished_research_are_worth_nothing():
    """SCORE-2, FAD-7."""
    cards = ("colony.acrux", "research.sociologists", "kit.megastructures")
    game = hold(table(*FOUR, "zeth", turn=6), "kit", *cards)
    game = until(run_economy(stock(game, "kit", envoy=6, acknowledgement=6), {}), "over")
    assert totals(game)[1] == 0


# ---------------------------------------------------------------- who wins


def test_most_points_win():
    """SCORE-3."""
    assert winners(ended(points=(3, 7, 5, -2))) == [1]


def test_goods_decide_between_equal_points():
    """SCORE-3, SCORE-1."""
    assert winners(ended((Goods(), Goods(ultratech=1)), (7, 7))) == [1]


def test_tied_players_share_the_win():
    """SCORE-3, B-29."""
    assert winners(ended(points=(7, 7, 5, 7))) == [0, 1, 3]


def test_a_negative_score_is_a_score():
    """SCORE-3, B-20."""
    game = ended(points=(-3, -1, -2, -4))
    assert winners(game) == [1]
    assert totals(game) == [-36, -12, -24, -48]

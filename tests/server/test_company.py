"""The measuring stick of good company: one small game, and what it reads off offers."""

from __future__ import annotations

from elysian.deals import Deal, Give, Pledge
from elysian.goods import Goods
from tools.company import Cell, is_both_ways, measure, play, things
from tools.drive.skipped_time import run


def test_a_person_who_reads_plays_a_whole_game_on_a_clock_that_nobody_waits_for() -> None:
    cell = Cell("novice", 4, "reader", 1)
    paired, _ = run(lambda loop: play(loop, cell, 1, False))
    told = measure("test", cell, 1, paired)
    assert told.minutes > 6  # at least the minute they linger in every turn
    assert told.points > 0 < told.paired
    assert len(told.kinds) == told.offers


def test_the_same_seed_is_the_same_game() -> None:
    cell = Cell("novice", 4, "answers", 1)
    games = [run(lambda loop: play(loop, cell, 2, True))[0] for _ in range(2)]
    assert [line.action for line in games[0]] == [line.action for line in games[1]]
    assert [line.at for line in games[0]] == [line.at for line in games[1]]


def test_the_things_of_an_offer_are_counted_for_each_giver() -> None:
    there = Give(giver=1, to=0, goods=Goods(green=2, white=1), cards=("x",))
    back = Give(giver=0, to=1, goods=Goods(green=1))
    later = Pledge(what=Give(giver=0, to=1, goods=Goods(green=1)), due=2)
    assert len(things((there, back, later))) == 5
    deal = Deal(id="1", proposer=1, parties=(0, 1), clauses=(there, back))
    assert is_both_ways(deal)
    assert not is_both_ways(Deal(id="1", proposer=1, parties=(0, 1), clauses=(there,)))

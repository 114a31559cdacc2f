"""The measuring stick of good company: one small game, and what it reads off offers."""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise

import pytest

from elysian.actions import WithdrawDeal
from elysian.deals import Deal, Give, Pledge, Reason
from elysian.events import DealOffered, DealStruck
from elysian.goods import Goods
from elysian.server.background.pacing import LOOKS, PACES, READ
from elysian.server.table_state.events import Line
from tools.company.figures import is_both_ways, measure, things
from tools.company.games import Cell, play
from tools.company.people import ME
from tools.drive.skipped_time import run
from tools.strength import paired


def test_a_person_with_help_plays_a_whole_game_on_a_clock_that_nobody_waits_for() -> None:
    cell = Cell("novice", 4, "helped", 1)
    paired, _ = run(lambda loop: play(loop, cell, 1, False))
    told = measure("test", cell, 1, paired)
    assert told.minutes > 6  # at least the minute they linger in every turn
    assert told.points > 0 < told.paired
    assert len(told.kinds) == told.offers
    assert told.drafts_struck == told.drafts > 0, "a bot turned down what the server suggested"


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


@cache
def looked_on(person: str = "silent", level: str = "standard", seats: int = 4) -> list[Line]:
    """A quarter of an hour of trading before somebody who never answers."""
    cell = Cell(level, seats, person, 1)
    lines, _ = run(partial(play, cell=cell, seed=3, person=True))
    return list(lines)


def seconds(lines: list[Line], kind: type[DealOffered | DealStruck], person: bool) -> list[float]:
    """When, after the game began, offers were made or deals struck with or without the person."""
    began = next(line.at for line in lines if line.action is not None)
    return [
        (line.at - began) / 1000
        for line in lines
        for event in line.events
        if isinstance(event, kind)
        and (ME in (event.deal.parties if isinstance(event, DealOffered) else event.parties)) == person
    ]


def test_bots_ask_people_first_and_keep_their_hands_off_each_other_for_a_while() -> None:
    lines = looked_on()
    pace = PACES["normal"]
    to_me, among_bots = (seconds(lines, DealOffered, person) for person in (True, False))
    assert to_me
    assert min(to_me) < 10 < pace.head_start <= min(among_bots)
    struck = seconds(lines, DealStruck, False)
    assert all(later - earlier >= pace.between for earlier, later in pairwise(struck))


def test_an_offer_lies_until_it_has_been_idle_and_then_goes_with_its_reason() -> None:
    lines = looked_on()
    offered = {e.deal.id: line.at for line in lines for e in line.events if isinstance(e, DealOffered)}
    taken = [(line.action, line.at) for line in lines if isinstance(line.action, WithdrawDeal)]
    idle = [at - offered[action.deal] for action, at in taken if action.reason == Reason(code="taken_idle")]
    assert idle
    assert min(idle) >= 90_000
    assert all(action.reason for action, _ in taken)


def test_one_who_never_answers_cannot_hold_up_the_others() -> None:
    """TRADE-14: they wait for the person's word, but not for it to trade."""
    lines = looked_on()
    assert len(seconds(lines, DealStruck, False)) >= 2
    open_at_once = most = 0
    for line in lines:
        for event in line.events:
            open_at_once += isinstance(event, DealOffered) and ME in event.deal.parties
        open_at_once -= isinstance(line.action, WithdrawDeal)
        most = max(most, open_at_once)
    assert most <= PACES["normal"].open_at_once + 3  # several may think of one at the same moment
    assert open_at_once == 0, "an offer lies before somebody who is not there"


def test_one_who_only_asks_what_to_offer_cannot_hold_up_the_others_either() -> None:
    """What is suggested stays possible for a while, a few times a turn; then bots go on without them."""
    pace = PACES["normal"]
    held = LOOKS * pace.offers
    struck = seconds(looked_on("asks"), DealStruck, False)
    assert [at for at in struck if at < held + 5 * pace.between]


@pytest.mark.parametrize("mind", ["fair", "random"])
def test_bots_keep_the_pace_whatever_mind_they_have(mind: str) -> None:
    """One that knows nothing of people is held back: no early deals, no flood, nothing gone while read."""
    lines, pace = looked_on(level=mind, seats=7), PACES["normal"]
    offered = {e.deal.id: line.at for line in lines for e in line.events if isinstance(e, DealOffered)}
    to_me, among_bots = (seconds(lines, DealOffered, person) for person in (True, False))
    assert 0 < len(to_me) <= pace.offers + 3  # several may think of one at the same moment
    assert min(among_bots) >= pace.head_start
    assert seconds(lines, DealStruck, False)
    for line in lines:
        if isinstance(line.action, WithdrawDeal) and line.action.reason != Reason(code="taken_gone"):
            assert line.at - offered[line.action.deal] >= READ * 1000


def test_paired_games_are_compared_with_an_honest_interval() -> None:
    told = paired([40.0, 50.0, 60.0, 50.0], [41.0, 49.0, 62.0, 50.0])
    assert told == "4 games, mean 50.0, difference +1.0 % (-1.5 to +3.5)"

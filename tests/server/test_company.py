"""The measuring stick of good company: one small game, and what it reads off offers."""

from __future__ import annotations

import json
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import convert
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Invent, ProposeDeal, WithdrawDeal
from elysian.deals import Deal, Give, Pledge, Reason
from elysian.events import DealOffered, DealStruck, TechnologyInvented, TurnBegan
from elysian.goods import Goods
from elysian.players.trader.readable import things
from elysian.server.background.pacing import LOOKS, PACES, READ
from elysian.server.table_state.events import Line
from elysian.server.table_state.table_options import BotPace
from tools.company.__main__ import missing
from tools.company.deeds import named_deeds
from tools.company.figures import Figures, is_both_ways, measure, with_a_bot
from tools.company.games import IDLE, Cell, play
from tools.company.people import ME
from tools.company.report import columns, keep, load
from tools.drive.skipped_time import run
from tools.strength import name, paired, told


def test_a_person_with_help_plays_a_whole_game_on_a_clock_that_nobody_waits_for() -> None:
    cell = Cell("novice", 4, "helped", 1)
    told = measure("test", cell, 1, with_a_bot(cell, 1))
    assert told.minutes > 6  # at least the minute they linger in every turn
    assert told.points > 0 < told.paired
    assert len(told.kinds) == told.offers
    assert told.drafts_struck == told.drafts > 0, "a bot turned down what the server suggested"
    assert told.drafts_lost == 0, "somebody was shown a deal at which they lose"


def test_one_who_gave_their_word_keeps_it_before_they_are_done() -> None:
    """TRADE-10: nobody is done who can still do what they promised; this person had agreed to invent."""
    cell = Cell("standard", 5, "answers", 1)
    lines, guest = run(partial(play, cell=cell, seed=5, person=True))
    assert guest.seen.step == "over"
    assert any(isinstance(line.action, Invent) and line.seat == ME for line in lines)


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


def test_a_reason_came_true_if_its_deed_was_done_in_the_turn_of_the_deal() -> None:
    """Whatever shape it has; what a reason names for a deal that was not struck counts for nothing."""
    why = Reason(code="invent_2", subject="megastructures")
    offer = Deal(id="1", proposer=1, parties=(0, 1), clauses=(), reason=why)
    struck = DealStruck(by=0, deal="1", parties=(0, 1))
    invented = TechnologyInvented(by=1, card="x", paid=Goods(), points=1, technology="megastructures")
    agreed = AcceptDeal(deal="1", reason=Reason(code="card_run", subject="colony.vega"))
    open_offer = (1, ProposeDeal(parties=(0, 1), clauses=(), reason=why), (DealOffered(deal=offer),))
    closed = (0, agreed, (struck,))
    told = named_deeds([open_offer, closed, (1, None, (invented,))])
    assert [(one.seat, one.deed, one.done) for one in told] == [
        (1, ("invent", "megastructures"), True),
        (0, ("run", "colony.vega"), False),
    ]
    late = named_deeds([open_offer, closed, (None, None, (TurnBegan(turn=2),)), (1, None, (invented,))])
    assert not any(one.done for one in late)
    assert named_deeds([open_offer, (1, None, (invented,))]) == []


@cache
def looked_on(
    person: str = "silent",
    level: str = "standard",
    seats: int = 4,
    pace: BotPace = "normal",
    idle: float = IDLE,
) -> list[Line]:
    """A quarter of an hour of trading before somebody who never answers."""
    cell = Cell(level, seats, person, 1)
    lines, _ = run(partial(play, cell=cell, seed=3, person=True, pace=pace, idle=idle))
    return list(lines)


def lay_idle(lines: list[Line]) -> list[float]:
    """How many seconds offers lay that were taken back because nobody answered."""
    offered = {e.deal.id: line.at for line in lines for e in line.events if isinstance(e, DealOffered)}
    return [
        (line.at - offered[line.action.deal]) / 1000
        for line in lines
        if isinstance(line.action, WithdrawDeal) and line.action.reason == Reason(code="taken_idle")
    ]


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
    idle = lay_idle(lines)
    assert idle
    assert min(idle) >= 90
    assert all(line.action.reason for line in lines if isinstance(line.action, WithdrawDeal))


@pytest.mark.parametrize(("chosen", "idle"), [("slow", 30.0), ("fast", 90.0)])
def test_a_table_chooses_how_long_bots_leave_people_and_the_operator_how_long_offers_lie(
    chosen: BotPace, idle: float
) -> None:
    """The slow pace is the one for people who want to be left time."""
    lines, pace = looked_on("silent", "standard", 4, chosen, idle), PACES[chosen]
    assert 0 < len(seconds(lines, DealOffered, True)) <= pace.offers + 3
    among_bots, struck = seconds(lines, DealOffered, False), seconds(lines, DealStruck, False)
    assert pace.head_start <= min(among_bots)
    assert struck
    assert all(later - earlier >= pace.between for earlier, later in pairwise(struck))
    lay = lay_idle(lines)
    assert idle * pace.patience <= min(lay) < idle * pace.patience + 10


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


def test_where_an_earlier_state_was_not_played_at_length_the_kept_results_are_compared(
    tmp_path: Path,
) -> None:
    """The same seeds; the line says how many games both have, and which file they were compared with."""

    def keep(file: str, *games: float) -> None:
        (tmp_path / file).write_text(json.dumps({"by_game": games}), encoding="utf-8")

    keep("standard-4.json", 40.0, 50.0)
    keep(name("now", "standard", 4), 41.0, 51.0, 99.0)
    assert [*told(tmp_path, "before", "now")] == [
        "standard at 4: 2 games, mean 45.0, difference +2.2 % (+2.2 to +2.2), against standard-4.json"
    ]
    keep(name("before", "standard", 4), 41.0, 51.0, 99.0)
    (line,) = told(tmp_path, "before", "now")
    assert line.startswith("standard at 4: 3 games,")
    assert line.endswith("against strength-before-standard-4.json")


def test_a_game_is_kept_as_soon_as_it_is_over_and_a_line_that_was_broken_off_is_none(tmp_path: Path) -> None:
    kept = tmp_path / "company.jsonl"
    said = {
        "label": "now",
        "level": "standard",
        "seats": 5,
        "person": "reader",
        "species": "kit",
        "kinds": (),
    }
    counts = dict.fromkeys(Figures.__struct_fields__, 0)
    one = convert({**counts, **said, "seed": 1, "points": 40.0, "paired": 50.0}, Figures)
    assert load(kept) == []
    keep(one, kept)
    keep(replace(one, seed=2), kept)
    with kept.open("ab") as out:
        out.write(b'{"label":"now","lev')
    assert [f.seed for f in load(kept)] == [1, 2]
    keep(replace(one, seed=3), kept)
    assert [f.seed for f in load(kept)] == [1, 2, 3]
    cell = Cell("standard", 5, "reader", 5)
    assert [seed for _, seed in missing([cell], load(kept), "now", range(1, 21))] == [4, 5]
    head, rows = columns(load(kept))
    assert len(rows) == 1
    assert len(rows[0]) == len(head)
    assert rows[0][:5] == ["`standard`, 5: reads", "3", "40.0", "50.0", "80%"]
    assert rows[0][-1] == "0 of 0"
    keep(replace(one, label="later", seats=4), kept)
    _, rows = columns(load(kept))
    assert [row[0] for row in rows] == ["`standard`, 4: reads", "`standard`, 5: reads (now)"]

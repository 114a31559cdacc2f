"""Whatever is asked of a table, by whomever: it is refused, or leaves a sound table."""

from __future__ import annotations

from random import Random

import pytest

from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.server.ops.errors import Refused, codes
from elysian.server.store.upcast import decode_line, encode_line
from elysian.server.table_state import actions as a
from elysian.server.table_state.decide import Asker, Circumstances, decide_table, join
from elysian.server.table_state.events import Line, TableOpened
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.hand_over import ask_seat, due_hand_overs
from elysian.server.table_state.state import allowed_species
from elysian.server.table_state.table_options import Clock, TableOptions

PEOPLE = ("p1", "p2", "p3", "p4", "p5", "p6")
NAMES = dict(zip(PEOPLE, ("Anna", "Bela", "Cleo", "Dora", "Emil", "Fritz"), strict=True))
LEVELS = ("random", "novice")


def test_species_that_are_excluded_or_too_hard_are_not_played() -> None:
    everybody = {name: facts.difficulty for name, facts in CATALOG.species.items()}
    easy = {name for name, difficulty in everybody.items() if difficulty <= 3}
    assert set(allowed_species(TableOptions())) == set(everybody)
    assert set(allowed_species(TableOptions(exclude=("kit",)))) == set(everybody) - {"kit"}
    assert set(allowed_species(TableOptions(hardest=3, exclude=(min(easy),)))) == easy - {min(easy)}


def any_options(chance: Random) -> TableOptions:
    return TableOptions(
        seats=chance.choice((3, 4, 5)),
        allow_three=chance.random() < 0.5,
        species=chance.choice(("choice", "random", "draft")),
        exclude=tuple(chance.sample(list(CATALOG.species), chance.randrange(3))),
        hardest=chance.choice((None, 3, 6)),
        public=chance.random() < 0.7,
        clock=chance.choice((None, Clock())),
        cover_level="random",
    )


def any_action(chance: Random) -> a.TableAction:
    seat = chance.randrange(9)
    return chance.choice(
        (
            a.ChangeTable(options=any_options(chance)),
            a.Sit(seat=seat),
            a.Leave(),
            a.ChooseSpecies(species=chance.choice((None, "nobody", *CATALOG.species))),
            a.ChooseSpecies(species=chance.choice(list(CATALOG.species))),
            a.AddBot(seat=chance.randrange(4), level=chance.choice((*LEVELS, "genius"))),
            a.AddBot(seat=chance.randrange(4), level="random"),
            a.Remove(seat=seat),
            a.StartGame(),
            a.StartGame(),
            a.Pause(),
            a.Resume(),
            a.AskExtension(text=chance.choice(("", "the soup boils over"))),
            a.AskPause(text=chance.choice(("", "the door"))),
            a.Cover(seat=chance.randrange(4)),
            a.Resign(),
            a.HandOver(ask=chance.randrange(1, 4)),
            a.RefuseSeat(ask=chance.randrange(1, 4)),
            a.Mute(seat=seat, muted=chance.random() < 0.5),
            a.Say(text=chance.choice(("hello", " ", "\x00")), to=chance.choice((None, seat))),
        )
    )


def is_sound(truth: TableState) -> None:
    lobby, state = truth.lobby, truth.state
    people = [chair.person for chair in lobby.chairs if chair.person]
    assert len(people) == len(set(people))
    assert len(lobby.chairs) == lobby.options.seats
    assert all(not (chair.person and chair.bot) for chair in lobby.chairs)
    assert lobby.host in ("", *PEOPLE)
    chosen = [chair.species for chair in lobby.chairs if chair.species]
    assert len(chosen) == len(set(chosen))
    if lobby.status != "ended":  # who leaves a waiting room alone has closed it
        assert (state is None) == (lobby.status in ("waiting", "drafting"))
    if lobby.status == "drafting":
        assert lobby.order
        assert lobby.order[0] in lobby.people(), "a bot is waited for"
    if state is not None:
        assert [player.species for player in state.players] == [chair.species for chair in lobby.chairs]
        assert not any(chair.free for chair in lobby.chairs)


@pytest.mark.parametrize("seed", range(40))
def test_any_wish_is_refused_or_leaves_a_sound_table(seed: int) -> None:
    chance = Random(seed)
    opened = TableOpened(options=TableOptions(), person="p1", invitation="come in")
    truth, n = fold(None, "t", Line(n=1, at=0, events=(opened,))), 1
    refusals: list[Refused | IllegalAction] = []
    for at in range(120):
        person = chance.choice(PEOPLE)
        asker = Asker(person, truth.lobby.seat_of(person))
        moment = Circumstances(
            at=at, chance=chance, present=frozenset(chance.sample(range(4), 2)), levels=LEVELS
        )
        try:
            if chance.random() < 0.2:
                seat = chance.choice((None, chance.randrange(6)))
                invitation = chance.choice(("", "come in"))
                who = person, NAMES[person], seat
                if chance.random() < 0.3:
                    events = ask_seat(truth.lobby, *who, invitation)
                elif chance.random() < 0.3:
                    events = due_hand_overs(truth.lobby, moment.present, at + 300_000)
                else:
                    events = join(truth.lobby, *who, chance.random() < 0.2, invitation)
            else:
                events = decide_table(truth.lobby, asker, any_action(chance), moment)
        except (Refused, IllegalAction) as refused:
            refusals.append(refused)
            continue
        n += 1
        line = Line(n=n, at=at, events=events)
        assert decode_line(encode_line(line)) == line, "a line comes back from the disk as it was"
        truth = fold(truth, "t", line)
        is_sound(truth)
    assert 0 < len(refusals) < 120
    assert {one.code for one in refusals if isinstance(one, Refused)} <= set(codes())


def test_a_draft_does_not_wait_for_somebody_who_is_covered() -> None:
    chance = Random(1)
    opened = TableOpened(options=TableOptions(species="draft"), person="p1")
    truth = fold(None, "t", Line(n=1, at=0, events=(opened,)))
    for person in PEOPLE[:4]:
        truth = fold(truth, "t", Line(n=1, at=0, events=join(truth.lobby, person, NAMES[person])))
    moment = Circumstances(at=0, chance=chance, levels=LEVELS)
    for action in (a.StartGame(), *(a.Cover(seat=seat) for seat in range(4))):
        events = decide_table(truth.lobby, Asker("p1", 0), action, moment)
        truth = fold(truth, "t", Line(n=1, at=0, events=events))
    assert truth.lobby.status == "playing"
    is_sound(truth)

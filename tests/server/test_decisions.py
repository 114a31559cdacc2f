"""What is decided about a table, wish by wish: who may, when, and what comes of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from elysian.actions import TimeUp
from elysian.deals import Give
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import NOTHING, Goods
from elysian.rules import decide
from elysian.server.ops.errors import Refused
from elysian.server.table_state import actions as a
from elysian.server.table_state import events as e
from elysian.server.table_state.clock import clock_events
from elysian.server.table_state.decide import (
    EXTENSION_MS,
    Asker,
    Circumstances,
    check_options,
    decide_table,
    join,
)
from elysian.server.table_state.fold import TableState, fold
from elysian.server.table_state.fresh_species import fresh_deal
from elysian.server.table_state.hand_over import ask_seat
from elysian.server.table_state.names import MOST_MARKS, clean_name, clean_talk
from elysian.server.table_state.orders import StandingOffer, SwapRule, WorthRule
from elysian.server.table_state.state import Lobby, settings_of
from elysian.server.table_state.table_options import Clock, TableOptions

LEVELS = ("random", "standard")
NAMES = ("Anna", "Bela", "Cleo", "Dora", "Emil")


class Room:
    """A table of four; p0 is the host."""

    def __init__(self, people: int = 4, **options: Any) -> None:
        opened = e.TableOpened(options=TableOptions(**options), person="p0", invitation="come")
        self.truth: TableState = fold(None, "t", e.Line(n=1, at=0, events=(opened,)))
        self.at = 0
        for n, name in enumerate(NAMES[:people]):
            self.add(*join(self.lobby, f"p{n}", name, invitation="come"))

    @property
    def lobby(self) -> Lobby:
        return self.truth.lobby

    def add(self, *events: Any) -> tuple[Any, ...]:
        self.truth = fold(self.truth, "t", e.Line(n=1, at=self.at, events=events))
        return events

    def asks(self, person: str, action: a.TableAction, *present: int) -> tuple[Any, ...]:
        """What would come of a wish."""
        now = Circumstances(at=self.at, chance=Random(1), present=frozenset(present), levels=LEVELS)
        return decide_table(self.lobby, Asker(person, self.lobby.seat_of(person)), action, now)

    def does(self, person: str, action: a.TableAction, *present: int) -> tuple[Any, ...]:
        return self.add(*self.asks(person, action, *present))

    def refuses(self, person: str, action: a.TableAction, *present: int) -> tuple[str, int]:
        with pytest.raises(Refused) as refused:
            self.asks(person, action, *present)
        return refused.value.code, refused.value.status

    def begun(self) -> Room:
        self.does("p0", a.StartGame())
        return self


def kinds(events: tuple[Any, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize(
    "action",
    [
        a.ChangeTable(options=TableOptions()),
        a.AddBot(seat=3, level="random"),
        a.Remove(seat=2),
        a.Readmit(),
        a.StartGame(),
        a.Pause(),
        a.Cover(seat=2),
        a.EndTable(),
    ],
    ids=lambda action: type(action).__name__,
)
def test_what_is_the_hosts_is_refused_to_others(action: a.TableAction) -> None:
    assert Room().refuses("p1", action) == ("host_only", 403)


def test_who_watches_asks_nothing_of_the_table_unless_it_is_theirs() -> None:
    room = Room()
    assert room.refuses("walt", a.Say(text="hello")) == ("not_seated", 403)
    room.add(e.SeatLeft(seat=0))
    assert room.lobby.host == "p0"
    assert kinds(room.asks("p0", a.EndTable())) == ["TableEnded"], "a host need not sit"
    assert room.refuses("p0", a.Say(text="hello")) == ("not_seated", 403)


def test_at_a_table_that_has_ended_people_still_talk_and_mute() -> None:
    room = Room()
    room.does("p0", a.EndTable())
    assert kinds(room.asks("p1", a.Say(text="good game"))) == ["Said"]
    assert kinds(room.asks("p1", a.Mute(seat=0, muted=True))) == ["SeatMuted"]
    assert room.refuses("p0", a.StartGame()) == ("table_ended", 409)


def test_a_table_with_a_clock_that_runs_stops_it_when_it_ends() -> None:
    room = Room().begun()
    assert kinds(room.asks("p0", a.EndTable())) == ["TableEnded"]
    room.add(e.ClockSet(due=1000))
    assert kinds(room.asks("p0", a.EndTable())) == ["TableEnded", "ClockStopped"]


# ---------------------------------------------------------------- joining


def invited(room: Room, person: str, **how: Any) -> str:
    try:
        join(room.lobby, person, "Walt", **how)
    except Refused as refused:
        return refused.code
    return ""


def test_only_at_a_table_of_the_german_edition_the_tied_may_be_compared_precisely() -> None:
    """OPT-3, B-29."""
    german = TableOptions(precise_when_tied=True, edition="de2021")
    assert check_options(german, LEVELS).precise_when_tied
    with pytest.raises(IllegalAction, match="german_tie"):
        check_options(TableOptions(precise_when_tied=True, edition="2020"), LEVELS)


def test_to_a_table_that_is_not_public_one_comes_by_invitation_or_as_a_guest() -> None:
    room = Room(people=2, public=False)
    assert invited(room, "walt") == "not_invited"
    assert invited(room, "walt", invitation="come") == ""
    room.add(e.GuestAdmitted(person="walt"))
    assert invited(room, "walt") == ""
    assert invited(Room(people=2, public=True), "walt") == ""
    assert invited(Room(people=2, public=True), "walt", seat=0) == "seat_taken"
    assert invited(Room(people=2, public=True), "walt", seat=9) == "no_such_seat"
    assert invited(Room(people=2, public=True), "walt", seat=4) == "no_such_seat"
    assert invited(Room(people=4, public=True), "walt") == "table_full"


def test_who_may_watch_is_let_in_once() -> None:
    room = Room(public=False)
    assert kinds(join(room.lobby, "walt", "Walt", watch=True, invitation="come")) == ["GuestAdmitted"]
    room.add(e.GuestAdmitted(person="walt"))
    assert join(room.lobby, "walt", "Walt", watch=True) == ()
    assert invited(Room(watchers=False), "walt", watch=True, invitation="come") == "no_watchers"


def test_a_bot_with_a_token_sits_where_bots_are_asked_for_or_it_was_invited() -> None:
    room = Room(people=2, public=True)
    assert invited(room, "bot", program="x 1") == "bots_not_asked"
    assert invited(room, "bot", program="x 1", invitation="come") == ""
    assert invited(Room(people=2, public=True, open_to_bots=True), "bot", program="x 1") == ""


@pytest.mark.parametrize("name", ["", "  ", "-_-", "A" * 25, "Ann\u0430", "An\x07na"])
def test_a_name_can_be_read_and_told_apart(name: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert (refused.value.code, refused.value.status) == ("bad_name", 400)
    assert clean_name("A" * 24) == "A" * 24


@pytest.mark.parametrize("text", ["", " ", "\x00"])
def test_who_says_nothing_is_told_so(text: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_talk(text)
    assert (refused.value.code, refused.value.status) == ("nothing_said", 400)


# ---------------------------------------------------------------- before the game


def test_people_change_seats_before_the_game() -> None:
    room = Room(people=3)
    assert room.asks("p1", a.Sit(seat=1)) == ()
    assert room.refuses("p1", a.Sit(seat=0)) == ("seat_taken", 409)
    assert room.refuses("p1", a.Sit(seat=4)) == ("no_such_seat", 400)
    assert room.refuses("p1", a.Sit(seat=-1)) == ("no_such_seat", 400)
    assert kinds(room.does("p1", a.Sit(seat=3))) == ["SeatLeft", "SeatTaken"]
    assert room.lobby.seat_of("p1") == 3


def test_when_the_host_leaves_a_person_follows_before_a_program() -> None:
    room = Room(people=1)
    room.add(*join(room.lobby, "bot", "Bot", invitation="come", program="x 1"))
    room.add(*join(room.lobby, "p2", "Cleo", invitation="come"))
    assert kinds(room.asks("p2", a.Leave())) == ["SeatLeft"]
    room.does("p0", a.Leave())
    assert (room.lobby.host, room.lobby.status) == ("p2", "waiting")


def test_no_bot_of_ours_becomes_the_host() -> None:
    room = Room(people=1)
    room.does("p0", a.AddBot(seat=1, level="random"))
    room.add(*join(room.lobby, "p2", "Cleo", seat=2, invitation="come"))
    room.does("p0", a.Leave())
    assert room.lobby.host == "p2"


def test_a_table_closes_when_its_last_person_leaves_it_waiting() -> None:
    room = Room(people=1)
    assert kinds(room.asks("p0", a.Leave())) == ["SeatLeft", "HostChanged", "TableEnded"]
    assert kinds(Room(people=2).asks("p0", a.Leave())) == ["SeatLeft", "HostChanged"]


def test_a_species_is_chosen_when_it_is_there_allowed_and_free() -> None:
    room = Room(exclude=("kit",))
    assert room.refuses("p1", a.ChooseSpecies(species="nobody")) == ("no_such_species", 400)
    assert room.refuses("p1", a.ChooseSpecies(species="kit")) == ("species_not_allowed", 409)
    room.does("p0", a.ChooseSpecies(species="zeth"))
    assert room.refuses("p1", a.ChooseSpecies(species="zeth")) == ("species_taken", 409)
    assert kinds(room.asks("p0", a.ChooseSpecies(species="zeth"))) == ["SpeciesChosen"]
    room.does("p0", a.ChooseSpecies(species=None))
    assert kinds(room.asks("p1", a.ChooseSpecies(species="zeth"))) == ["SpeciesChosen"]
    assert Room(species="random").refuses("p1", a.ChooseSpecies(species="zeth")) == ("species_by_chance", 409)


@pytest.mark.parametrize(
    ("continues", "species", "kept"),
    [
        (False, "choice", True),
        (False, "random", False),
        (True, "choice", True),
        (True, "random", True),
    ],
)
def test_chosen_species_are_forgotten_only_where_chance_will_deal_them(
    continues: bool, species: str, kept: bool
) -> None:
    """At a table that goes on with a game the species are those of the game, whatever else is changed."""
    room = Room()
    room.does("p1", a.ChooseSpecies(species="zeth"))
    room.truth = replace(room.truth, lobby=replace(room.lobby, continues=continues))
    room.add(e.TableChanged(options=TableOptions(title="Evening", species=species)))  # type: ignore[arg-type]
    assert room.lobby.chairs[1].species == ("zeth" if kept else None)


def test_seats_that_are_taken_are_not_taken_away_nor_given_to_bots() -> None:
    room = Room(people=3, seats=5)
    room.does("p2", a.Sit(seat=4))
    assert room.refuses("p0", a.ChangeTable(options=TableOptions(seats=4))) == ("seats_in_use", 409)
    room.does("p2", a.Sit(seat=2))
    assert kinds(room.asks("p0", a.ChangeTable(options=TableOptions(seats=4)))) == ["TableChanged"]
    assert room.refuses("p0", a.AddBot(seat=1, level="random")) == ("seat_taken", 409)
    assert room.refuses("p0", a.AddBot(seat=3, level="genius")) == ("no_such_level", 400)
    assert kinds(room.asks("p0", a.AddBot(seat=3, level="random"))) == ["BotSeated"]
    assert room.refuses("p0", a.StartGame()) == ("seats_free", 409)


def test_who_is_removed_stays_out_until_the_bars_are_lifted() -> None:
    room = Room(public=True)
    assert room.asks("p0", a.Readmit()) == ()
    assert kinds(room.does("p0", a.Remove(seat=2))) == ["PersonBarred", "SeatLeft"]
    assert invited(room, "p2", invitation="come") == "barred"
    assert room.refuses("p0", a.Remove(seat=2)) == ("seat_free", 409)
    room.does("p0", a.Readmit())
    assert invited(room, "p2") == ""
    room.does("p0", a.AddBot(seat=2, level="random"))
    assert kinds(room.does("p0", a.Remove(seat=2))) == ["SeatLeft"], "a bot is not barred"
    begun = Room().begun()
    assert kinds(begun.asks("p0", a.Remove(seat=2))) == ["PersonBarred", "Resigned"]


def test_a_draft_goes_by_its_order_and_bots_pick_at_once() -> None:
    room = Room(people=2, species="draft")
    for seat in (2, 3):
        room.does("p0", a.AddBot(seat=seat, level="random"))
    room.begun()
    assert room.lobby.status == "drafting"
    mover = room.lobby.order[0]
    assert mover in (0, 1)
    free = [name for name in CATALOG.species if name not in [c.species for c in room.lobby.chairs]]
    assert room.refuses(f"p{1 - mover}", a.ChooseSpecies(species=free[0])) == ("not_your_pick", 409)
    assert room.refuses(f"p{mover}", a.ChooseSpecies(species=None)) == ("not_your_pick", 409)
    room.does(f"p{mover}", a.ChooseSpecies(species=free[0]))
    left = [name for name in CATALOG.species if name not in [c.species for c in room.lobby.chairs]]
    begins = room.does(f"p{1 - mover}", a.ChooseSpecies(species=left[0]))
    assert "PlayBegan" in kinds(begins)
    assert len({chair.species for chair in room.lobby.chairs}) == 4


def test_where_everybody_has_played_everything_species_are_dealt_all_the_same() -> None:
    both = ("kit", "zeth")
    assert sorted(fresh_deal(("a", "b"), both, {"a": both, "b": both}, Random(1))) == sorted(both)


def test_the_rules_are_told_at_least_a_minute_of_trading() -> None:
    species = ("kit", "zeth", "kjas", "unity")
    assert settings_of(Room(clock=Clock(trade=10)).lobby, species).trade_minutes == 1
    assert settings_of(Room(clock=Clock(trade=600)).lobby, species).trade_minutes == 10
    assert settings_of(Room().lobby, species).trade_minutes is None


# ---------------------------------------------------------------- while people play


def test_a_pause_keeps_what_is_left_of_the_time() -> None:
    room = Room()
    assert room.refuses("p0", a.Pause()) == ("not_playing", 409)
    room.begun()
    assert room.refuses("p0", a.Resume()) == ("not_paused", 409)
    assert kinds(room.asks("p0", a.Pause())) == ["Paused"]
    room.add(e.ClockSet(due=5000))
    room.at = 2000
    assert room.does("p0", a.Pause()) == (e.Paused(), e.ClockStopped(left=3000))
    assert room.refuses("p0", a.Pause()) == ("already_paused", 409)
    room.at = 9000
    assert room.does("p0", a.Resume()) == (e.Resumed(), e.ClockSet(due=12_000))


def test_others_end_a_pause_only_when_the_host_is_away() -> None:
    room = Room().begun()
    room.does("p0", a.Pause())
    assert room.refuses("p1", a.Resume(), 0) == ("host_only", 403)
    assert kinds(room.asks("p1", a.Resume())) == ["Resumed"]


def test_most_of_the_people_pause_the_game() -> None:
    room = Room().begun()
    assert kinds(room.does("p1", a.AskPause(text="the door"))) == ["PauseAsked", "Said"]
    assert room.refuses("p1", a.AskPause()) == ("already_asked_pause", 409)
    assert kinds(room.does("p2", a.AskPause())) == ["PauseAsked"], "two of four are not most"
    assert kinds(room.does("p3", a.AskPause())) == ["PauseAsked", "Paused"]
    assert room.refuses("p0", a.AskPause()) == ("already_paused", 409)


def test_most_of_the_people_get_more_time() -> None:
    assert Room().begun().refuses("p1", a.AskExtension()) == ("no_clock", 409)
    room = Room(clock=Clock(trade=60)).begun()
    room.add(e.ClockSet(due=5000))
    room.at = 9000  # it is over, and nobody has noticed
    room.does("p1", a.AskExtension())
    assert room.refuses("p1", a.AskExtension()) == ("already_asked", 409)
    room.does("p2", a.AskExtension())
    assert room.does("p3", a.AskExtension())[-1] == e.ClockSet(due=9000 + EXTENSION_MS)
    slow = Room(clock=Clock(trade=3600)).begun()
    slow.add(e.ClockSet(due=5000))
    for person in ("p1", "p2"):
        slow.does(person, a.AskExtension())
    assert slow.does("p3", a.AskExtension())[-1] == e.ClockSet(due=5000 + 1_800_000), (
        "half of what trading has"
    )


def test_the_clock_is_set_anew_when_something_new_is_waited_for() -> None:
    room = Room(clock=Clock(trade=60, step=30)).begun()
    trading = room.truth
    room.add(e.Said(seat=0, text="hello"))
    assert clock_events(trading, room.truth, 0, lambda _: None) == ()
    assert trading.state is not None
    events, _ = decide(trading.state, None, TimeUp())
    room.add(*events)
    assert kinds(clock_events(trading, room.truth, 0, lambda _: None)) == ["ClockSet"]


def test_only_one_who_is_away_is_covered() -> None:
    room = Room(people=3)
    room.does("p0", a.AddBot(seat=3, level="random"))
    room.begun()
    assert room.refuses("p0", a.Cover(seat=3)) == ("seat_is_bot", 409)
    assert room.refuses("p0", a.Cover(seat=1), 1) == ("seat_present", 409)
    assert kinds(room.does("p0", a.Cover(seat=1))) == ["SeatCovered"]
    assert room.refuses("p0", a.Cover(seat=1)) == ("seat_is_bot", 409)


def test_most_of_the_others_give_a_seat_away() -> None:
    """Two of four are not most."""
    room = Room(people=5, seats=5).begun()
    room.add(*ask_seat(room.lobby, "new", "Walt", 4, "come"))
    assert kinds(room.does("p1", a.HandOver(ask=1))) == ["SeatVouched"]
    assert room.refuses("p1", a.HandOver(ask=1)) == ("already_vouched", 409)
    assert kinds(room.does("p2", a.HandOver(ask=1))) == ["SeatVouched"]
    assert room.refuses("p3", a.HandOver(ask=1), 4) == ("seat_present", 409)
    assert kinds(room.does("p3", a.HandOver(ask=1))) == ["SeatVouched", "HandOverSet"]


def test_nobody_says_no_to_what_is_asked_of_others() -> None:
    room = Room().begun()
    room.add(*ask_seat(room.lobby, "new", "Walt", 2, "come"))
    assert room.refuses("p1", a.RefuseSeat(ask=9)) == ("no_such_ask", 409)
    assert room.refuses("p1", a.RefuseSeat(ask=1)) == ("host_only", 403)
    for person in ("p0", "p2"):
        assert kinds(room.asks(person, a.RefuseSeat(ask=1))) == ["SeatAskEnded"]


def test_one_speaks_to_somebody_who_is_there() -> None:
    room = Room(people=3)
    assert room.refuses("p0", a.Say(text="hello", to=3)) == ("seat_free", 409)
    assert room.refuses("p0", a.Say(text="hello", to=4)) == ("no_such_seat", 400)
    assert room.asks("p0", a.Say(text="hello", to=1)) == (e.Said(seat=0, text="hello", to=1),)


def test_an_order_that_is_not_there_is_not_cancelled() -> None:
    assert Room().begun().refuses("p0", a.CancelOrder(order=1)) == ("no_such_order", 404)
    assert Room().refuses("p0", a.ShowWants(wants=NOTHING, haves=NOTHING)) == ("not_playing", 409)


def test_what_is_refused_says_why_and_whose_mistake_it_is() -> None:
    room = Room(people=2, public=True, watchers=False)
    with pytest.raises(Refused) as refused:
        join(room.lobby, "p8", "Hugo", watch=True)
    assert (refused.value.code, refused.value.status) == ("no_watchers", 403)
    assert room.refuses("p0", a.Cover(seat=1)) == ("not_playing", 409), "nobody is covered before the game"
    begun = Room(public=True).begun()
    with pytest.raises(Refused) as refused:
        ask_seat(begun.lobby, "p9", "Ida", 4)
    assert (refused.value.code, refused.value.status) == ("no_such_seat", 400)


def test_an_order_asks_for_something_and_an_offer_is_ones_own() -> None:
    room = Room().begun()
    gift = Give(giver=1, to=2, goods=Goods(green=1))
    for order in (
        SwapRule(give=Goods(green=1), get=NOTHING, until=2),
        StandingOffer(parties=(1, 2), clauses=(gift,), until=2),
        StandingOffer(parties=(0, 1), clauses=(), until=2),
    ):
        assert room.refuses("p0", a.PlaceOrder(order=order)) == ("empty_order", 400)
    mine = StandingOffer(parties=(0, 1), clauses=(Give(giver=1, to=0, goods=Goods(green=1)),), until=2)
    assert kinds(room.asks("p0", a.PlaceOrder(order=mine))) == ["OrderPlaced"]


def test_without_help_nobody_lets_a_program_say_what_an_offer_is_worth() -> None:
    """Other orders need no help."""
    swaps, worth = SwapRule(give=Goods(green=1), get=Goods(white=1)), WorthRule(least=1)
    for help_, refused in (("off", True), ("own", False)):
        room = Room(help=help_).begun()
        assert kinds(room.asks("p0", a.PlaceOrder(order=swaps))) == ["OrderPlaced"]
        if refused:
            assert room.refuses("p0", a.PlaceOrder(order=worth)) == ("help_off", 403)
        else:
            assert kinds(room.asks("p0", a.PlaceOrder(order=worth))) == ["OrderPlaced"]


def test_marks_are_counted_from_the_first_sign() -> None:
    assert len(clean_talk("\u0301" * 20)) == MOST_MARKS


def test_of_a_group_is_who_came_as_its_member_and_not_by_invitation() -> None:
    people = frozenset(("p5", "p6"))
    lobby = replace(
        Room().lobby, options=TableOptions(group="g"), guests=people, invited=frozenset(("p6",)), host="p5"
    )
    assert not lobby.is_of_group("p5"), "the host is there by right"
    lobby = replace(lobby, host="p0")
    assert [lobby.is_of_group(person) for person in ("p5", "p6", "p7", None)] == [True, False, False, False]
    assert not replace(lobby, options=TableOptions()).is_of_group("p5")

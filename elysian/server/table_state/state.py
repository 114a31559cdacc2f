"""The lobby: who sits where and what was agreed; a table is loaded by folding its events."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.events import DealStruck, GameScored
from elysian.goods import NOTHING, Goods
from elysian.record import RecordStanding
from elysian.rules.setup import MOST
from elysian.server.table_state import events as e
from elysian.server.table_state.orders import PlacedOrder, TurnAhead
from elysian.server.table_state.table_options import TableOptions
from elysian.state import Settings

Status = Literal["waiting", "drafting", "playing", "over", "ended"]


class Chair(Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat of a table."""

    person: str | None = None  # None: a bot, or nobody
    name: str = ""
    bot: str | None = None  # its level; None: a person, or nobody
    species: str | None = None  # None: not chosen yet
    covered: bool = False  # a bot plays until the person is back
    program: str | None = None  # what plays here by a token, with its version; None: a person, or no one
    wants: Goods = NOTHING  # shown to everybody, as is what the seat has to spare
    haves: Goods = NOTHING
    orders: tuple[PlacedOrder, ...] = ()  # known to whoever sits here

    @property
    def free(self) -> bool:
        """Whether nobody sits there."""
        return self.person is None and self.bot is None


class SeatAsk(Struct, frozen=True, gc=False):
    """Somebody without a seat has asked for one."""

    ask: int  # its number
    seat: Seat
    person: str
    name: str
    vouched: frozenset[Seat | None] = frozenset()  # who says they should have it; None: a host without a seat
    due: int | None = None  # when it changes hands; None: that is not decided


class Lobby(Struct, frozen=True, dict=True):
    """All that is true of a table besides its game."""

    options: TableOptions
    host: str
    chairs: tuple[Chair, ...]
    invitation: str = ""
    status: Status = "waiting"
    continues: bool = False
    standing: RecordStanding | None = None  # of the record it continues; None: there is none
    order: tuple[Seat, ...] = ()  # who is still to pick in a draft
    paused: bool = False
    due: int | None = None  # when the step ends; None: no clock runs
    left: int | None = None  # ms kept for after a pause
    asked: frozenset[Seat] = frozenset()  # for an extension
    pause_asked: frozenset[Seat] = frozenset()
    guests: frozenset[str] = frozenset()
    invited: frozenset[str] = frozenset()  # of those, who came by the invitation to the table
    muted: frozenset[tuple[Seat, Seat]] = frozenset()  # who will not hear whom
    rematch: str | None = None  # None: no rematch was asked for
    barred: frozenset[str] = frozenset()  # people whom the host sent away
    seed: str = ""  # the latest; secret until the game is over
    asks: tuple[SeatAsk, ...] = ()  # for seats, at most one for each
    asked_ever: int = 0
    ordered_ever: int = 0
    turned_down: frozenset[str] = frozenset()  # people who asked and were refused
    versions: dict[str, str] = {}  # of the levels of bots, when the game began

    def seat_of(self, person: str | None) -> Seat | None:
        """Where a person sits; None when they do not."""
        if person:
            for seat, chair in enumerate(self.chairs):
                if chair.person == person:
                    return seat
        return None

    def chance_of(self, seat: Seat) -> str:
        """The chance a bot at a seat draws from: secret as the seed is, and tells nothing of the seed."""
        return sha256(f"{self.seed}/bot/{seat}".encode()).hexdigest()

    def people(self) -> frozenset[Seat]:
        """The seats played by a person just now."""
        return self._people

    @cached_property
    def _people(self) -> frozenset[Seat]:
        """Asked for several times for every line, while seats seldom change."""
        return frozenset([s for s, c in enumerate(self.chairs) if c.person and not c.covered])

    def voters(self) -> frozenset[Seat]:
        """The seats whose people have a say in what the table agrees on; programs have none."""
        return frozenset([s for s in self.people() if self.chairs[s].program is None])

    def keeps_clock(self, seat: Seat) -> bool:
        """Whether somebody is away there for whom no bot plays: only the clock is kept, or a little more."""
        return self.chairs[seat].covered and self.options.cover_kind != "full"

    def invites(self, invitation: str) -> bool:
        """Whether this is the invitation to the table."""
        return bool(self.invitation) and invitation == self.invitation

    def is_of_group(self, person: str | None) -> bool:
        """Whether somebody without a seat is here only as one who is in the group the table is for."""
        return bool(self.options.group) and person in self.guests - self.invited and person != self.host

    def may_watch(self, person: str | None) -> bool:
        """Whether somebody without a seat may see the table."""
        if person and person == self.host:
            return True
        if not self.options.watchers or person in self.barred:
            return False
        return self.options.public or person in self.guests


def allowed_species(options: TableOptions) -> tuple[str, ...]:
    """The species that may be played at a table."""
    hardest = options.hardest or MOST
    return tuple(
        name
        for name, facts in CATALOG.species.items()
        if name not in options.exclude and facts.difficulty <= hardest
    )


def settings_of(lobby: Lobby, species: tuple[str, ...]) -> Settings:
    """What the rules are told of a table."""
    options = lobby.options
    return Settings(
        species=species,
        edition=options.edition,
        precise_scoring=options.precise_scoring,
        precise_when_tied=options.precise_when_tied,
        handicaps=options.handicaps,
        private_offers=options.private_offers,
        trade_minutes=None if options.clock is None else max(1, round(options.clock.trade / 60)),
        allow_three=options.allow_three,
    )


# ---------------------------------------------------------------- folding


def opened(event: e.TableOpened) -> Lobby:
    """A table that has just been opened; nobody sits at it yet."""
    return Lobby(
        options=event.options,
        host=event.person,
        chairs=(Chair(),) * event.options.seats,
        invitation=event.invitation,
        continues=event.continues,
        standing=event.standing,
    )


def evolve_table(lobby: Lobby, event: Any) -> Lobby:
    """The table after an event; what it does not know of, such as a move in the game, changes nothing."""
    evolver = _EVOLVERS.get(type(event))
    return lobby if evolver is None else evolver(lobby, event)


def _at(lobby: Lobby, seat: Seat, chair: Chair) -> Lobby:
    return replace(lobby, chairs=(*lobby.chairs[:seat], chair, *lobby.chairs[seat + 1 :]))


def _changed(lobby: Lobby, event: e.TableChanged) -> Lobby:
    seats = event.options.seats
    chairs = lobby.chairs[:seats] + (Chair(),) * (seats - len(lobby.chairs))
    if event.options.species != "choice" and not lobby.continues:
        chairs = tuple(replace(chair, species=None) for chair in chairs)
    return replace(lobby, options=event.options, chairs=chairs)


def _taken(lobby: Lobby, event: e.SeatTaken) -> Lobby:
    species = lobby.chairs[event.seat].species
    chair = Chair(person=event.person, name=event.name, species=species, program=event.program)
    return _at(lobby, event.seat, chair)


def _left(lobby: Lobby, event: e.SeatLeft) -> Lobby:
    species = lobby.chairs[event.seat].species if lobby.continues else None
    return _at(lobby, event.seat, Chair(species=species))


def _bot(lobby: Lobby, event: e.BotSeated | e.Resigned) -> Lobby:
    species = lobby.chairs[event.seat].species
    return _at(lobby, event.seat, Chair(bot=event.level, species=species))


def _chosen(lobby: Lobby, event: e.SpeciesChosen) -> Lobby:
    lobby = _at(lobby, event.seat, replace(lobby.chairs[event.seat], species=event.species))
    return replace(lobby, order=tuple(seat for seat in lobby.order if seat != event.seat))


def _draft(lobby: Lobby, event: e.DraftBegan) -> Lobby:
    return replace(lobby, status="drafting", order=event.order)


def _covering(covered: bool) -> Callable[[Lobby, Any], Lobby]:
    def cover(lobby: Lobby, event: e.SeatCovered | e.SeatHandedBack) -> Lobby:
        return _at(lobby, event.seat, replace(lobby.chairs[event.seat], covered=covered))

    return cover


def _mute(lobby: Lobby, event: e.SeatMuted) -> Lobby:
    pair = frozenset({(event.by, event.seat)})
    return replace(lobby, muted=lobby.muted | pair if event.muted else lobby.muted - pair)


def _asked(lobby: Lobby, event: e.SeatAsked) -> Lobby:
    ask = SeatAsk(event.ask, event.seat, event.person, event.name)
    return replace(lobby, asks=(*lobby.asks, ask), asked_ever=event.ask)


def _ask_changed(lobby: Lobby, event: e.SeatVouched | e.HandOverSet) -> Lobby:
    def changed(ask: SeatAsk) -> SeatAsk:
        if ask.seat != event.seat:
            return ask
        if isinstance(event, e.HandOverSet):
            return replace(ask, due=event.due)
        return replace(ask, vouched=ask.vouched | {event.by})

    return replace(lobby, asks=tuple(map(changed, lobby.asks)))


def _ask_ended(lobby: Lobby, event: e.SeatAskEnded) -> Lobby:
    gone = {ask.person for ask in lobby.asks if ask.seat == event.seat}
    asks = tuple(ask for ask in lobby.asks if ask.seat != event.seat)
    return replace(
        lobby, asks=asks, turned_down=lobby.turned_down | gone if event.refused else lobby.turned_down
    )


def _handed_over(lobby: Lobby, event: e.SeatHandedOver) -> Lobby:
    asks = tuple(ask for ask in lobby.asks if ask.seat != event.seat)
    return replace(_taken(lobby, e.SeatTaken(event.seat, event.name, event.person)), asks=asks)


def _ordered(lobby: Lobby, event: e.OrderPlaced) -> Lobby:
    """What is used up makes room; a turn is laid down ahead once."""
    chair, ahead = lobby.chairs[event.seat], isinstance(event.order, TurnAhead)
    left = (
        one for one in chair.orders if not one.is_used_up and not (ahead and isinstance(one.order, TurnAhead))
    )
    chair = replace(chair, orders=(*left, PlacedOrder(event.id, event.order)))
    return replace(_at(lobby, event.seat, chair), ordered_ever=event.id)


def _cancelled(lobby: Lobby, event: e.OrderCancelled) -> Lobby:
    chair = lobby.chairs[event.seat]
    left = tuple(one for one in chair.orders if one.id != event.id)
    return _at(lobby, event.seat, replace(chair, orders=left))


def _fired(lobby: Lobby, event: e.OrderFired) -> Lobby:
    def after(one: PlacedOrder) -> PlacedOrder:
        if one.id != event.id:
            return one
        if event.offer is not None:
            return replace(one, offer=event.offer, turn=event.turn)
        return replace(one, fired=one.fired + 1)

    chair = lobby.chairs[event.seat]
    return _at(lobby, event.seat, replace(chair, orders=tuple(map(after, chair.orders))))


def _struck(lobby: Lobby, event: DealStruck) -> Lobby:
    """The deal an order had on the table is one of those it may make."""
    for seat, chair in enumerate(lobby.chairs):
        for n, one in enumerate(chair.orders):
            if one.offer == event.deal:
                made = replace(one, fired=one.fired + 1, offer=None)
                orders = (*chair.orders[:n], made, *chair.orders[n + 1 :])
                return _at(lobby, seat, replace(chair, orders=orders))
    return lobby


def _shown(lobby: Lobby, event: e.WantsShown) -> Lobby:
    chair = replace(lobby.chairs[event.seat], wants=event.wants, haves=event.haves)
    return _at(lobby, event.seat, chair)


_EVOLVERS: dict[type[Any], Callable[[Lobby, Any], Lobby]] = {
    e.TableChanged: _changed,
    e.SeatTaken: _taken,
    e.SeatLeft: _left,
    e.BotSeated: _bot,
    e.Resigned: _bot,
    e.SpeciesChosen: _chosen,
    e.HostChanged: lambda lobby, event: replace(lobby, host=event.person),
    e.GuestAdmitted: lambda lobby, event: replace(
        lobby,
        guests=lobby.guests | {event.person},
        invited=lobby.invited | {event.person} if event.invited else lobby.invited,
    ),
    e.PersonBarred: lambda lobby, event: replace(
        lobby, barred=lobby.barred | {event.person}, guests=lobby.guests - {event.person}
    ),
    e.BarsLifted: lambda lobby, event: replace(lobby, barred=frozenset()),
    e.DraftBegan: _draft,
    e.Shuffled: lambda lobby, event: replace(lobby, seed=event.seed),
    e.PlayBegan: lambda lobby, event: replace(lobby, status="playing", versions=event.versions),
    e.Paused: lambda lobby, event: replace(lobby, paused=True, pause_asked=frozenset()),
    e.Resumed: lambda lobby, event: replace(lobby, paused=False, left=None),
    e.ClockSet: lambda lobby, event: replace(lobby, due=event.due, left=None, asked=frozenset()),
    e.ClockStopped: lambda lobby, event: replace(lobby, due=None, left=event.left),
    e.PauseAsked: lambda lobby, event: replace(lobby, pause_asked=lobby.pause_asked | {event.seat}),
    e.ExtensionAsked: lambda lobby, event: replace(lobby, asked=lobby.asked | {event.seat}),
    e.SeatCovered: _covering(True),
    e.SeatHandedBack: _covering(False),
    e.SeatAsked: _asked,
    e.SeatVouched: _ask_changed,
    e.HandOverSet: _ask_changed,
    e.SeatAskEnded: _ask_ended,
    e.SeatHandedOver: _handed_over,
    e.SeatMuted: _mute,
    e.OrderPlaced: _ordered,
    e.OrderCancelled: _cancelled,
    e.OrderFired: _fired,
    e.WantsShown: _shown,
    DealStruck: _struck,
    e.RematchOpened: lambda lobby, event: replace(lobby, rematch=event.table),
    e.TableEnded: lambda lobby, event: replace(lobby, status="ended", paused=False),
    GameScored: lambda lobby, event: replace(lobby, status="over"),
}
